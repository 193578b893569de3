"""How tests are shared out among workers: whole rooms, those that take longest first."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from xdist.scheduler import LoadScopeScheduling

LONGEST = (
    "solve", "foundry", "publish", "browser", "docs", "rolls", "secrets", "tabletops", "cli", "report", "playground", "runtime",
    "workbench", "laws", "ruleset", "simulate", "lsp", "certify", "architecture", "graph", "known", "reader", "robust",
    "agreement", "random",
)  # fmt: skip
"""Rooms by how long they take, as ``pytest --durations=0`` says: the short ones come last, so that no worker ends long
before the others."""

LONG = Path(__file__).with_name("long.txt")
"""The tests that wait for the long run, one a line."""

SAMPLED = (
    "laws/", "simulate/", "counts/", "random/", "known/test_storm", "graph/test_walking", "graph/test_export",
    "runtime/test_engine", "runtime/test_policy", "runtime/test_opponents", "ruleset/test_format", "ruleset/test_bundle",
    "ruleset/test_check", "ruleset/test_transcript", "certify/test_shipped", "certify/test_forger", "certify/test_certificates",
    "publish/test_card", "publish/test_pages", "playground/test_answers", "solve/test_grid", "solve/test_distribution",
    "solve/test_estimates",
)  # fmt: skip
"""Where one test asks the same of very many games: the gate asks it of every third, the long run of all."""
MANY, EVERY = 12, 3


def late(tests: Sequence[pytest.Item]) -> Iterator[pytest.Item]:
    """The tests that wait for the long run: those listed, and most of those that differ only in the game."""
    listed = frozenset(LONG.read_text("utf-8").splitlines())
    alike: dict[tuple[Path, str], list[pytest.Item]] = {}
    for test in tests:
        if test.nodeid in listed:
            yield test
        elif isinstance(test, pytest.Function) and f"{test.path.parent.name}/{test.path.name}".startswith(SAMPLED):
            alike.setdefault((test.path, test.originalname), []).append(test)
    for several in alike.values():
        if len(several) > MANY:
            yield from (test for place, test in enumerate(several) if place % EVERY)


def rank(room: str) -> int:
    """When the tests of a room come."""
    return LONGEST.index(room) if room in LONGEST else len(LONGEST)


class ByRoom(LoadScopeScheduling):  # type: ignore[misc] # xdist ships no types
    """A room stays whole, for its tests share solutions."""

    def _split_scope(self, nodeid: str) -> str:
        return nodeid.partition("::")[0].rpartition("/")[0]
