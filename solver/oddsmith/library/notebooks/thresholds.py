"""Thresholds of a solution as a data frame or as records."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from oddsmith.frames import frame
from oddsmith.library.notebooks.pictures import chosen

if TYPE_CHECKING:
    from oddsmith.solve import Solution


def thresholds(solution: Solution, phase: str | None, kind: str | None) -> Any:
    """The thresholds of a phase as a table, whose columns count seats from 1, the mover.

    Raises PositionError where it is not said which phase is meant.
    """
    from oddsmith.report.strategy import strategies

    found = {each.decisions.phase: each for each in strategies(solution) if each.range() is not None}
    each = chosen(solution, found, phase)
    if each is None:
        return frame([], [], kind)
    assert each.down is not None
    shown = {cell.name: cell.shown for cell in solution.graph.game.cells}
    names = [shown.get(feature.key, feature.key) for feature in (*each.split, *each.across, each.down)]
    below, above = each.options[each.below], each.options[each.above]
    lines = [
        [*where, *at, below, threshold, above]
        for table in each.tables
        for where in table.where
        for at, threshold in each.thresholds(table).items()
    ]
    return frame([*names[:-1], "below", names[-1], "above"], lines, kind)
