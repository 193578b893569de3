"""Figures of matplotlib about a solved game, drawn by the code that draws the charts of pages. They need the optional
dependencies ``site``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from oddsmith.base.errors import ExportError, PositionError, did_you_mean
from oddsmith.base.exact import Number
from oddsmith.base.resources import missing_extra_text

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from oddsmith.base.distributions import Distribution
    from oddsmith.publish.charts import Drawing
    from oddsmith.report.facts import Unit
    from oddsmith.report.policy import Strategy
    from oddsmith.solve import Solution


MAX_PARTS = 12  # parts of a figure


@contextmanager
def _missing_matplotlib_as_error() -> Iterator[None]:
    """Raise ExportError if an import inside the context fails because matplotlib is not installed."""
    try:
        yield
    except ModuleNotFoundError as error:
        if error.name is None or error.name.partition(".")[0] != "matplotlib":
            raise
        raise ExportError(missing_extra_text("a figure", "site")) from None


def draw_distribution(distribution: Distribution) -> Figure:
    """Draw a distribution. Raises ExportError if matplotlib is not installed."""
    with _missing_matplotlib_as_error():
        from oddsmith.publish.charts import draw_distribution, figure

    return figure([("", draw_distribution(distribution))])


def draw_seat_values(values_by_name: Mapping[str, Number], unit: Unit | None) -> Figure:
    """Draw the value of the game to each seat as a bar. ``values_by_name``: values by the names of seats. ``unit``: the
    unit of the values, None for numbers that are not chances. Raises ExportError if matplotlib is not installed.
    """
    from oddsmith.report.facts import Unit

    with _missing_matplotlib_as_error():
        from oddsmith.publish.charts import draw_values, figure

    return figure([("", draw_values(values_by_name, unit or Unit("value", chance=False)))])


def strategy_of_phase(solution: Solution, strategies: Mapping[str, Strategy], phase: str | None) -> Strategy | None:
    """Return the strategy of a phase; if ``phase`` is None, the only strategy. Return None if there is no such
    strategy.

    ``strategies``: strategies by phase. Raises PositionError if the phase has no choice, or if ``phase`` is None and
    there are several strategies.
    """
    chooses = [each.name for each in solution.graph.game.ruleset.phases.values() if each.kind == "choose"]
    if phase is not None and phase not in chooses:
        raise PositionError(f"there is no choice {phase}: {did_you_mean(phase, chooses, 'choices')}")
    if phase is None and len(strategies) > 1:
        raise PositionError(f"say which choice is meant: phase={', phase='.join(strategies)}")
    return strategies.get(phase) if phase is not None else next(iter(strategies.values()), None)


def draw_best_play(solution: Solution, phase: str | None) -> Figure:
    """Draw best play in a phase. ``phase``: the name of the phase, None if only one phase has choices. Raises
    PositionError, and ExportError if there is nothing to draw or if matplotlib is not installed.
    """
    from oddsmith.report.policy import strategies_by_phase

    with _missing_matplotlib_as_error():
        from oddsmith.publish.charts import figure

    each = strategy_of_phase(solution, {each.decisions.phase: each for each in strategies_by_phase(solution)}, phase)
    drawn = [] if each is None else _strategy_drawings(each)
    if each is not None and each.constant is not None:
        raise ExportError(f"there is nothing to draw: {each.options[each.constant]} is best wherever best play gets")
    if not drawn:
        raise ExportError("no picture shows best play here: outline() says it in words, and table() has every position")
    return figure(drawn)


def _strategy_drawings(strategy: Strategy) -> list[tuple[str, Drawing]]:
    """Return drawings of a strategy with their titles, in the first way that can show it: maps, curves, strips, or
    shares of options. The list is empty if none can.
    """
    from oddsmith.publish.charts import draw_map, draw_option_shares, draw_strips, draw_thresholds

    ways: list[Callable[[], list[tuple[str, Drawing | None]]]] = [
        lambda: [(strategy.condition_words_of_table(table), draw_map(strategy, table)) for table in strategy.tables],
        lambda: [
            (strategy.condition_words_of_table(table), draw_thresholds(strategy, table)) for table in strategy.tables
        ],
        lambda: [("", draw_strips(strategy))],
        lambda: [("", draw_option_shares(strategy))],
    ]
    for way in ways:
        found = [(title, drawing) for title, drawing in way() if drawing is not None]
        if found:
            return found[:MAX_PARTS]
    return []


def draw_sweep(
    records: Sequence[Mapping[str, Any]], varied_settings: Sequence[str], columns: Sequence[str], description: str
) -> Figure:
    """Draw columns of a sweep against the first setting that varies, with a line for each column and each combination
    of the other settings.

    ``records``: the lines of the sweep. ``varied_settings``: names of the settings that vary. ``columns``: names of the
    columns to draw. ``description``: the description of the chart. Raises ExportError.
    """
    with _missing_matplotlib_as_error():
        from oddsmith.publish.charts import Series, draw_lines, figure

    first, *others = varied_settings
    across = list(dict.fromkeys(record[first] for record in records))
    plain = all(isinstance(value, int) and not isinstance(value, bool) for value in across)
    lines: dict[str, list[tuple[float, float]]] = {}
    for record in records:
        for column in columns:
            if column not in record:
                raise ExportError(f"there is no column {column}: {did_you_mean(column, list(record), 'columns')}")
            rest = ", ".join(f"{name} {record[name]}" for name in others)
            name = ", ".join(part for part in (column * (len(columns) > 1 or not rest), rest) if part)
            if record[column] is not None:
                at = record[first] if plain else across.index(record[first])
                lines.setdefault(name, []).append((at, _cell_as_float(column, record[column])))
    series = [Series(name, *zip(*points, strict=True)) for name, points in lines.items()]
    if not series:
        raise ExportError(f"no setting has a number for {' or '.join(columns)}")
    names = None if plain else [str(value) or "as written" for value in across]
    return figure(
        [("", draw_lines(series, first, columns[0] if len(columns) == 1 else "", description, x_tick_labels=names))]
    )


def _cell_as_float(column_name: str, cell: Any) -> float:
    try:
        return float(cell)
    except (TypeError, ValueError):
        raise ExportError(f"{column_name} holds no numbers, such as {cell!r}: name a column that does") from None
