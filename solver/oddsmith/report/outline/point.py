"""One game of a sweep as plain data: small, the same wherever it was solved, and readable without this program."""

from __future__ import annotations

from typing import Any

from oddsmith.errors import MeasureError
from oddsmith.report.facts import lengths_of
from oddsmith.report.strategy import strategies
from oddsmith.solve import Solution
from oddsmith.solve.questions import ask


def point(solution: Solution) -> dict[str, Any]:
    """What a solution is worth, how long it lasts, what its ruleset asks for, and its thresholds.

    Numbers are as ``Number.to_json`` gives them. ``thresholds``: the least and the greatest of each phase that has some.
    """
    game = solution.graph.game
    measures: dict[str, dict[str, str | None] | None] = {}
    for name, question in game.ruleset.measures.items():
        try:
            measures[name] = ask(game, question, lambda: solution).to_json()
        except MeasureError:
            measures[name] = None
    spans = {each.decisions.phase: each.span() for each in strategies(solution) if each.told_apart}
    return {
        "states": solution.graph.states,
        "grade": solution.grade,
        "kind": solution.kind,
        "values": [value.to_json() for value in solution.values],
        "lengths": {name: number.to_json() for name, number in lengths_of(solution).items()},
        "measures": measures,
        "thresholds": {phase: list(span) for phase, span in spans.items() if span},
    }
