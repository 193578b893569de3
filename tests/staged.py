"""Games that tests want solved by stages, whatever their size."""

from __future__ import annotations

from typing import Any

from oddsmith.api.loaded import LoadedRuleset
from oddsmith.api.staged import StagedGame
from oddsmith.base.executors import Work

WORK = ("memory", "store", "jobs", "cluster", "begin")


def by_stages(book: LoadedRuleset, seats: int | None = None, objective: str | None = None, **given: Any) -> StagedGame:
    """A game solved by stages. ``given``: parameters by name, and how it is solved."""
    how = {name: given.pop(name) for name in ("digits", "progress") if name in given}
    work = {name: given.pop(name) for name in WORK if name in given}
    found = book.at(seats, objective, **given).solve(work=Work(method="stages", **work), **how)
    assert isinstance(found, StagedGame)
    return found
