"""Games that tests want solved by stages, whatever their size."""

from __future__ import annotations

from typing import Any

from oddsmith.api.loaded import LoadedRuleset
from oddsmith.api.staged import StagedGame


def by_stages(book: LoadedRuleset, seats: int | None = None, objective: str | None = None, **given: Any) -> StagedGame:
    """A game solved by stages."""
    found = book.solve(seats, objective, by="stages", **given)
    assert isinstance(found, StagedGame)
    return found
