"""What a solution comes to, without the solution."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from oddsmith.exact import Grade, Number
from oddsmith.solve import Kind, Solution


@dataclass(frozen=True)
class Result:
    """What a game is worth to each seat, and what of its solution people and programs read.

    ``mixed``: in how many positions best play leaves the choice to chance. ``transitions``: weighted ways from one position to
    another. ``data``: the result for machines, without measures and seconds.
    """

    values: tuple[Number, ...]
    grade: Grade
    kind: Kind
    notes: tuple[str, ...]
    ties: int
    mixed: int
    positions: int
    transitions: int
    data: dict[str, Any]

    @staticmethod
    def of(solution: Solution) -> Result:
        """The result of a solution."""
        data = solution.to_json()
        del data["seconds"]  # they would differ from build to build
        graph = solution.graph
        return Result(
            solution.values,
            solution.grade,
            solution.kind,
            solution.notes,
            solution.ties,
            len(solution.mixtures),
            graph.states,
            len(graph.target),
            data,
        )
