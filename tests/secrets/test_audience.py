"""Whoever sees something sees who else does, and nobody sees that something was shown to others alone."""

from __future__ import annotations

import json
from fractions import Fraction
from typing import Any

import pytest

from oddsmith.base.location import Source
from oddsmith.ruleset.binding import bind
from oddsmith.ruleset.reading.build import read_ruleset
from oddsmith.solve.extensive import SecretSolution, solve_secrets
from tests.reader.play import Reader
from tests.secrets.plain import value


def shown(show: dict[str, Any], guesser: str, roll: dict[str, Any] | None = None) -> dict[str, Any]:
    """Something hidden happens in one of two ways, and the first or the second player wins by guessing which it was."""
    cases = [{"when": "way == 0", "then": "show"}, *([{"when": "not rolled", "then": "roll"}] if roll else [])]
    guess = {"name": "Guess", "for": {"said": "span(1, 2)"}, "do": "set right to said == way", "then": "end"}
    state = {"way": {"max": 2}, "right": {"type": "flag"}, "rolled": {"type": "flag"}, "first": {"type": "seat"}}
    won = "right" if guesser == "first" else "not right"
    return {
        "format": 1,
        "id": "shown",
        "title": "Shown",
        "summary": "Was it shown to all?",
        "seats": 2,
        "state": state,
        "payoffs": {"win": f"2 * (1 if {won} == (seat == first) else 0) - 1"},
        "turn": "go on",
        "phases": {
            "go on": {"cases": [*cases, {"then": "guess"}]},
            "show": {**show, "seen_by": "nobody"},
            **({"roll": roll} if roll else {}),
            "guess": {"choose": [guess]},
        },
    }


def solved(data: dict[str, Any]) -> SecretSolution:
    return solve_secrets(bind(read_ruleset(Source("shown.yaml", json.dumps(data)))[0]), "win")


def choosing(first: str | None, second: str | None) -> dict[str, Any]:
    """A choice between two ways, each with what it reveals."""
    ways = enumerate((first, second), 1)
    do = {way: [*([f"reveal {what}"] if what else []), f"set way to {way}"] for way, what in ways}
    return {"choose": [{"name": f"Way {way}", "do": effects, "then": "pass"} for way, effects in do.items()]}


@pytest.mark.parametrize(
    ("first", "second", "worth"),
    [
        ("way", "way to next", -1),  # the next player sees whether it is shown to all
        ("way to next", "way to mover", -1),  # or to it alone
        ("way to mover", None, 0),  # but not that something is shown to the other
        ("way to next", "way to next", 0),
        ("way", "way to [mover, next]", 0),  # which is the same
    ],
)
def test_the_next_player_knows_who_else_sees(first: str | None, second: str | None, worth: int) -> None:
    data = shown(choosing(first, second), "second")
    found = solved(data)
    assert found.values[0].exact == worth
    assert abs(value(Reader(data, 2, {}), "win") - worth) < 1e-9


@pytest.mark.parametrize(
    ("sees", "worth"),
    [
        ("[mover, next] if way == 1 else [next]", Fraction(1)),
        ("[next] if way == 1 else [next]", Fraction(0)),
        ("nobody", Fraction(0)),
    ],
)
def test_who_sees_a_roll_may_depend_on_what_nobody_knows(sees: str, worth: Fraction) -> None:
    """A coin lies hidden; a second roll is shown to both or to one, by that coin, and the player who rolls guesses it."""
    hide = {"roll": {"coin": "d2"}, "do": "set way to coin", "then": "again"}
    data = shown(hide, "first", {"roll": {"die": "d2"}, "seen_by": sees, "do": "set rolled to true", "then": "again"})
    found = solved(data)
    assert found.values[0].exact == worth
    assert abs(value(Reader(data, 2, {}), "win") - float(worth)) < 1e-9
