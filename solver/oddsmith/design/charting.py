"""The best actions as functions of one or two numbers, as plain data from which a page draws charts."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from oddsmith.design.settings import Message
from oddsmith.report.english import OptionWords

if TYPE_CHECKING:
    from oddsmith.report.policy import Strategy, ThresholdLine, ThresholdTable
    from oddsmith.solve import Solution


MAX_CHARTS = 12  # charts of one game


def charts(solution: Solution) -> list[Message]:
    """Return the charts of the choices that depend on one or two numbers, in the order of the phases; at most
    ``MAX_CHARTS``.

    ``columns``: for each value ``at`` of the variable ``across``, the runs of the variable ``down``. A run is a tuple
    of the first value, the last value, the option, and whether best play reaches it. If ``across`` is empty, there is
    one column. The values of ``down`` that are drawn go from ``least`` to just below ``below``.
    """
    from oddsmith.report.policy import strategies

    say = OptionWords(solution.graph.game)
    drawn = [
        _chart_message(strategy, table, say)
        for strategy in strategies(solution)
        if strategy.down is not None and len(strategy.across) < 2 and strategy.constant is None
        for table in strategy.tables
        if any(line.played for line in table.lines)
    ]
    return drawn[:MAX_CHARTS]


def _chart_message(strategy: Strategy, table: ThresholdTable, say: OptionWords) -> Message:
    assert strategy.down is not None
    least, below = strategy.window(table)
    columns = [{"at": line.at[0] if line.at else None, "runs": list(_column_runs(line))} for line in table.lines]
    return {
        "phase": strategy.phase,
        "where": strategy.where(table) if len(strategy.tables) > 1 else "",
        "down": strategy.down.name,
        "across": strategy.across[0].name if strategy.across else "",
        "options": list(say.each(strategy.options, strategy.phase)),
        "least": least,
        "below": below,
        "columns": columns,
    }


def _column_runs(line: ThresholdLine) -> Iterator[tuple[int, int, int, bool]]:
    """Yield the runs of a column. Each run is extended to the next one, so that values that cannot occur leave no gaps."""
    from oddsmith.report.policy import ACTION_VARIES

    for run, following in zip(line.runs, [*line.runs[1:], None], strict=True):
        if run.option != ACTION_VARIES:
            last = following.first - 1 if following else run.last
            yield run.first, last, run.option, run.played
