"""The book of a game, ``play.json``: of one that was solved, and of one that nothing is known of but its rules."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from oddsmith.report.book.coins import coins
from oddsmith.report.english import table_words
from oddsmith.ruleset import bind, bundle
from oddsmith.ruleset.model import Ruleset


def book(rules: Ruleset, settings: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """The book with these settings, the usual one first."""
    return {
        "bundle": bundle(rules),
        "words": table_words(rules),
        "settings": list(settings),
        "coins": coins(rules),
    }


def unsolved(rules: Ruleset) -> dict[str, Any]:
    """The book with the game at every number of seats, without a table of best play: seats play by policies or at random."""
    least, most, usual = rules.seats
    seats = sorted(range(least, most + 1), key=lambda each: each != usual)
    return book(rules, [_setting(rules, each) for each in seats])


def _setting(rules: Ruleset, seats: int) -> dict[str, Any]:
    return {
        "slug": f"{seats}-seats",
        "seats": seats,
        "parameters": dict(bind(rules, seats).parameters),
        "unit": "",
        "objective": next(iter(rules.payoffs)),
        "share": False,
        "policy": None,
        "values": None,
        "opponents": [*(_player("named", name) for name in rules.policies), _player("random", None)],
    }


def _player(kind: str, policy: str | None) -> dict[str, Any]:
    """How a seat can play that needs no table of best play."""
    return {"kind": kind, "policy": policy, "best": None, "odds": []}
