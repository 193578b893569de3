"""How tests are shared out among workers: whole rooms, those that take longest first."""

from __future__ import annotations

from pathlib import Path

from xdist.scheduler import LoadScopeScheduling

LONGEST = (
    "browser", "simulate", "laws", "known", "report", "publish", "foundry", "cli", "docs", "solve", "tabletops", "workbench",
    "playground", "robust", "library", "certify", "random", "ruleset", "fuzz", "lsp", "graph", "wasm", "reproducible",
    "runtime", "counts",
)  # fmt: skip
"""Rooms by how long they take, as ``pytest --durations=0`` says: the short ones come last, so that no worker ends long
before the others."""

LONG = Path(__file__).with_name("long.txt")
"""The tests that wait for the long run, one a line."""


def rank(room: str) -> int:
    """When the tests of a room come."""
    return LONGEST.index(room) if room in LONGEST else len(LONGEST)


class ByRoom(LoadScopeScheduling):  # type: ignore[misc] # xdist ships no types
    """A room stays whole, for its tests share solutions."""

    def _split_scope(self, nodeid: str) -> str:
        return nodeid.partition("::")[0].rpartition("/")[0]
