"""What a solution comes to, without the solution."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from oddsmith.exact import Grade, Number
from oddsmith.report.outline import limits_of
from oddsmith.report.strategy import SolvedStrategy
from oddsmith.solve import Kind, Solution


@dataclass(frozen=True)
class Result:
    """What a game is worth to each seat, and what of its solution people and programs read.

    ``mixed``: in how many positions best play leaves the choice to chance. ``transitions``: weighted ways from one position to
    another. ``data``: the result for machines, without measures and seconds, and the limits that alone end best play, if any.
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
    def of(solution: Solution, found: list[SolvedStrategy]) -> Result:
        """The result of a solution. ``found``: its strategies."""
        data = solution.to_json()
        del data["seconds"]  # they would differ from build to build
        graph, limits = solution.graph, [limit.words for limit in limits_of(solution, found)]
        if limits:
            data["limits"] = limits
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

    @property
    def limits(self) -> tuple[str, ...]:
        """What is said of numbers that are why best play stops."""
        return tuple(self.data.get("limits", ()))
