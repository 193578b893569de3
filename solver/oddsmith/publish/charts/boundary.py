"""Maps of the best option over two variables: a coloured area for each option, hatched where best play never leads.

``cells_file`` returns the data of a map's cells, from which a page describes the cell that a visitor touches.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby, product

from matplotlib.axes import Axes
from matplotlib.axis import Axis
from matplotlib.patches import PathPatch
from matplotlib.path import Path

from oddsmith.publish.charts.drawing import PAGE, Drawing, Size, figure_element, svg_of_plot
from oddsmith.publish.markup.html import Html
from oddsmith.publish.markup.numbers import amount, loss_with_unit
from oddsmith.report.english import joined
from oddsmith.report.facts import MIN_MAP_COLUMNS, Cell, MapCell, MapCells, Unit
from oddsmith.report.policy import ACTION_VARIES, Feature, Rule, Strategy, ThresholdLine, ThresholdTable, or_more_words


@dataclass(frozen=True)
class MapData:
    """The data of an interactive map. ``cells``: the path of the file with its cells. ``spots``: the cells. ``unit``:
    the unit of their values.
    """

    cells: str
    spots: MapCells
    unit: Unit


def cells_file(strategy: Strategy, table: ThresholdTable, touched: MapData) -> bytes:
    """Return the cells of a map as JSON, from which a page describes the cell that a visitor touches.

    ``touched``: the values and losses of the cells. In the result, ``options`` are the names of options. ``first`` is
    the first column, and ``low`` the first value in each column. ``times`` has for both variables the factor from a
    value to the number that people see.

    ``columns`` has a list for each column, with an entry for each cell, which may be null. An entry lists the index of
    the best option, its value, whether best play reaches the cell, the second-best options, and their losses.
    """
    (low, below), unit = strategy.shown_range(table), touched.unit
    first, last = table.lines[0].at[0], table.lines[-1].at[0]

    def cell_data(at: Cell) -> list[object] | None:
        spot = touched.spots.get(at)
        if spot is None:
            return None
        worth = _range_words(*(amount(unit, number) for number in spot.worth))
        costs = _range_words(*(loss_with_unit(unit, number) for number in spot.costs))
        return [spot.option, worth, int(spot.played), joined(spot.other, "or"), costs]

    data = {
        "options": list(strategy.options),
        "first": first,
        "low": low,
        "times": [strategy.across[0].times, strategy.down.times if strategy.down else 1],
        "columns": [[cell_data((x, y)) for y in range(low, below)] for x in range(first, last + 1)],
    }
    return json.dumps(data, ensure_ascii=False, separators=(",", ":")).encode()


def _range_words(least: str, most: str) -> str:
    return least if least == most else f"{least} to {most}"


STROKES_ACROSS_PICTURE = 45  # that cross the width of a picture
PALE = ("", " od-less", " od-least")
PALE_COST_PERCENTS = (5, 20)
"""Percentages of the greatest cost in a picture: below the first a cell is paler, below the second palest."""


@dataclass(frozen=True)
class OptionArea:
    """A rectangle of a map with one best option: columns ``first`` to ``last`` inclusive, rows from ``low`` up to but
    without ``below``. ``option``: the index of the option. ``pale``: its degree of paleness, from 0.
    """

    first: int
    last: int
    low: int
    below: int
    option: int
    pale: int

    @property
    def css_classes(self) -> str:
        """The CSS classes that determine the colour of the rectangle."""
        return f"od-f{self.option % 4}" + PALE[self.pale]


@dataclass(frozen=True)
class PaintedMap:
    """The areas of a map, ready to be drawn.

    ``plot``: a function that draws the areas on axes. ``options``: the indices of the options in the map, ascending.
    ``hatched``: whether best play never reaches some cells. ``floor``, ``ceiling``: the first row and the row after the
    last. ``cuts``: the losses of the second-best action below which cells are paler.
    """

    plot: Callable[[Axes], None]
    options: tuple[int, ...]
    hatched: bool
    floor: int
    ceiling: int
    cuts: list[Fraction]


def can_be_drawn(strategy: Strategy, each: ThresholdTable, least: int = MIN_MAP_COLUMNS) -> bool:
    """Return whether a table is over two variables and has at least ``least`` columns."""
    return strategy.down is not None and len(strategy.across) == 1 and len(each.lines) >= least


def paint_map(
    strategy: Strategy,
    each: ThresholdTable,
    stakes: MapCells | None = None,
    strokes: int = STROKES_ACROSS_PICTURE,
    least: int = MIN_MAP_COLUMNS,
) -> PaintedMap | None:
    """Return the areas of the map of a table over two variables; None if the table has fewer than ``least`` columns.

    ``stakes``: the cells of the map, to make it paler where the second-best action loses less; None for a map without
    shades. ``strokes``: the number of hatching strokes across the width.
    """
    if not can_be_drawn(strategy, each, least):
        return None
    floor, ceiling = strategy.shown_range(each)
    stakes = stakes or {}
    cuts = _shade_thresholds([stakes[at] for at in stakes if floor <= at[1] < ceiling])

    def pale(x: int, y: int) -> int:
        cost = stakes[x, y].costs[1] if (x, y) in stakes else None
        return 0 if cost is None else sum(cost.upper < cut for cut in cuts)

    fields = _joined_areas(each.lines, floor, ceiling, pale)
    met = reached_cells(each)
    never = {(x, y) for field in fields for x, y in _cells_of_area(field) if (x, y) not in met}
    options = tuple(sorted({field.option for field in fields}))

    def plot(axes: Axes) -> None:
        for classes in sorted({field.css_classes for field in fields}):
            outlines = _outlines([field for field in fields if field.css_classes == classes])
            axes.add_patch(PathPatch(outlines, gid=classes))
        if never:
            axes.add_patch(PathPatch(_strokes_over(never, max(1, round(len(each.lines) / strokes))), gid="od-hatch"))
        axes.set_xlim(each.lines[0].at[0] - 0.5, each.lines[-1].at[0] + 0.5)
        axes.set_ylim(floor - 0.5, ceiling - 0.5)
        assert strategy.down is not None
        label_axis_with_numbers(axes.xaxis, strategy.across[0])
        label_axis_with_numbers(axes.yaxis, strategy.down)

    return PaintedMap(plot, options, bool(never), floor, ceiling, cuts)


def map_chart(
    strategy: Strategy,
    each: ThresholdTable,
    rule: Rule | None = None,
    size: Size = PAGE,
    touched: MapData | None = None,
) -> Html | None:
    """Return the map of a table with axes and key; None if there is too little to draw. ``rule``: the best rule with
    one number, which is drawn as a line.

    ``touched``: the data of an interactive map, which describes the cell that a visitor touches, and is paler where the
    second-best action loses less.
    """
    fields = paint_map(strategy, each, touched.spots if touched else None)
    if fields is None:
        return None
    found = _map_drawing(strategy, each, fields, rule, boxed=touched is not None)
    drawing = svg_of_plot(found.plot, found.across, found.up, found.words, size)
    if touched is None:
        return figure_element(drawing, found.keys)
    return figure_element(
        drawing,
        found.keys,
        _shades_sentence(fields.cuts, touched.unit),
        data_od_map=touched.cells,
        data_od_across=found.across,
        data_od_down=found.up,
    )


def label_axis_with_numbers(axis: Axis, feature: Feature) -> None:
    """Label an axis with the numbers that people use for a feature. Do nothing if these are the values of the feature."""
    if feature.times > 1:
        axis.set_major_formatter(
            lambda value, _: f"{feature.displayed_number(round(value)):,}" if value == round(value) else ""
        )


def draw_map(strategy: Strategy, each: ThresholdTable) -> Drawing | None:
    """Return a drawing of the map of a table, however small; None if the table is not over two variables."""
    fields = paint_map(strategy, each, least=1)
    return None if fields is None else _map_drawing(strategy, each, fields)


def draw_strips(strategy: Strategy) -> Drawing | None:
    """Return a drawing of tables that are over one variable only: a horizontal strip for each table, with a coloured
    part for each option. Return None for other strategies.
    """
    down = strategy.down
    if down is None or strategy.across:
        return None
    strips = {strategy.condition_words_of_table(each) or "best": each.lines[0].runs for each in strategy.tables}

    def plot(axes: Axes) -> None:
        axes.grid(visible=False)
        for place, runs_of in enumerate(strips.values()):
            for run, following in zip(runs_of, [*runs_of[1:], None], strict=True):
                below = following.first if following else run.last + 1
                if run.option != ACTION_VARIES:
                    axes.barh(-place, below - run.first, left=run.first - 0.5, height=0.8, gid=f"od-f{run.option % 4}")
        axes.set_yticks([-place for place in range(len(strips))], list(strips))
        label_axis_with_numbers(axes.xaxis, down)

    options = sorted({run.option for runs_of in strips.values() for run in runs_of} - {ACTION_VARIES})
    keys = [(f"od-f{option % 4}", strategy.options[option]) for option in options]
    return Drawing(plot, down.name, "", f"Best action by {down.name}", keys)


def _map_drawing(
    strategy: Strategy, each: ThresholdTable, fields: PaintedMap, rule: Rule | None = None, boxed: bool = False
) -> Drawing:
    """Return a drawing of a map with its key and a sentence on what it shows. ``boxed``: whether to add the invisible
    box in which a script finds the cells.
    """
    assert strategy.down is not None
    across, down = strategy.across[0].name, strategy.down.name
    number = _number_of_rule(strategy, rule)
    drawn = number is not None and fields.floor < number < fields.ceiling

    def plot(axes: Axes) -> None:
        fields.plot(axes)
        if drawn and number is not None:
            axes.axhline(number - 0.5, gid="od-l1")
        if boxed:
            draw_box(axes, each.lines[0].at[0], each.lines[-1].at[0], fields.floor, fields.ceiling)

    words = f"Best action by {across} (across) and {down} (up): {threshold_words(strategy, each)}"
    keys = map_legend(strategy, [fields])
    if drawn and number is not None:
        shown = strategy.down.displayed_number(number)
        keys.append(("od-l1", f"the best single number: {or_more_words(shown)}"))
        words += f" The best single number is {shown:,}."
    return Drawing(plot, across, down, words, keys)


def map_legend(strategy: Strategy, drawn: Sequence[PaintedMap]) -> list[tuple[str, str]]:
    """Return the key of one or more maps of a strategy: pairs of a CSS class and its meaning."""
    options = sorted({option for fields in drawn for option in fields.options})
    keys = [(f"od-f{option % 4}", strategy.options[option]) for option in options]
    return keys + [("od-hatch", "best play never gets there")] * any(fields.hatched for fields in drawn)


def draw_box(axes: Axes, first: int, last: int, low: int, below: int) -> None:
    """Draw an invisible box around the cells of a map, by which a script finds the cells."""
    axes.add_patch(PathPatch(_outlines([OptionArea(first, last, low, below, 0, 0)]), gid="od-box"))


def _shades_sentence(cuts: Sequence[Fraction], unit: Unit) -> str:
    """Return a sentence that explains the shades of a map; empty if it has none."""
    if not cuts:
        return ""
    name = "percentage points" if unit.chance else unit.name
    costs = [f"{float(cut * unit.chart_scale):g}" for cut in cuts]
    palest = f", and under {costs[1]} where it is palest" if len(costs) > 1 else ""
    return f"It is paler where less is at stake: the next best action costs under {costs[0]} there{palest}, in {name}."


def _shade_thresholds(shown: Sequence[MapCell]) -> list[Fraction]:
    """Return the losses of the second-best action below which cells are pale, and palest.

    They are round numbers, at most 1/5 and 1/20 of the greatest loss in the map. The list is shorter if the losses are
    tiny.
    """
    most = max((spot.costs[1].upper for spot in shown), default=Fraction(0))
    rounds = [Fraction(step) * Fraction(10) ** power for power in range(-6, 7) for step in (1, 2, 5)]
    return [max(cut for cut in rounds if cut <= most / part) for part in PALE_COST_PERCENTS if most / part >= rounds[0]]


def _number_of_rule(strategy: Strategy, rule: Rule | None) -> int | None:
    """Return the number of a rule if the rule is about the vertical variable of this strategy; else None."""
    if rule is None or rule.number is None or rule.is_constant:
        return None
    if strategy.down is None or rule.phase != strategy.phase:
        return None
    return rule.number.best if rule.number.feature.key == strategy.down.key else None


def reached_cells(each: ThresholdTable) -> set[Cell]:
    """Return the cells of a table that best play reaches, as pairs (column, row)."""
    return {
        (line.at[0], value)
        for line, met in zip(each.lines, each.met, strict=True)
        for first, last in met
        for value in range(first, last + 1)
    }


def threshold_words(strategy: Strategy, each: ThresholdTable) -> str:
    """Return the thresholds of a map in words: their range, and those of its first and its last column.

    Where there are none, say what best play does instead.
    """
    points = [(at[0], threshold) for at, threshold in strategy.thresholds_of_table(each).items()]
    above, often = strategy.options[strategy.above], "mostly " * bool(each.exceptions)
    if points:
        return f"{often}{above} {_threshold_range_words(strategy, points)}."
    taken = sorted({run.option for line in each.lines for run in line.runs if run.played} - {ACTION_VARIES})
    if len(taken) == 1:
        return f"always {strategy.options[taken[0]]}."
    begun = [(line.at[0], line.runs[first].first) for line in each.lines if (first := _first_run_above(strategy, line))]
    return (
        f"{often}{above} {_threshold_range_words(strategy, begun)}; not all the way up."
        if begun
        else "there is no single threshold."
    )


def _threshold_range_words(strategy: Strategy, found: Sequence[tuple[int, int]]) -> str:
    """Return in words the range of thresholds in the vertical variable, and the first and the last of them.

    ``found``: pairs of a column and its threshold.
    """
    across, down = strategy.across[0], strategy.down
    assert down is not None
    points = [(across.displayed_number(at), down.displayed_number(threshold)) for at, threshold in found]
    low, high = min(threshold for _, threshold in points), max(threshold for _, threshold in points)
    (first, start), (last, end) = points[0], points[-1]
    if high == low:
        return f"from {low:,} on"
    return f"from {low:,} to {high:,} on: from {start:,} where {across.name} is {first:,}, from {end:,} where it is {last:,}"


def _first_run_above(strategy: Strategy, line: ThresholdLine) -> int:
    """Return the index of the first run of the option above the threshold in a column.

    Return 0 if there is none, if best play does not reach it, or if another option than the one below comes before it.
    """
    options = [run.option for run in line.runs]
    begins = next((k for k, option in enumerate(options) if option == strategy.above), 0)
    return begins if set(options[:begins]) == {strategy.below} and line.runs[begins].played else 0


def _joined_areas(
    lines: Sequence[ThresholdLine], floor: int, ceiling: int, pale: Callable[[int, int], int]
) -> list[OptionArea]:
    """Return the rectangles of all columns. Equal rectangles of adjacent columns are joined to one.

    ``floor``, ``ceiling``: the first row and the row after the last. ``pale``: a function that returns the degree of
    paleness of a cell.
    """
    done: list[OptionArea] = []
    growing: dict[tuple[int, int, int, int], OptionArea] = {}
    for line in lines:
        at = line.at[0]
        here = {}
        for key in visible_runs(line, floor, ceiling, pale):
            before = growing.get(key)
            first = before.first if before and before.last == at - 1 else at
            here[key] = OptionArea(first, at, *key)
        done += [field for key, field in growing.items() if key not in here or here[key].first == at]
        growing = here
    return [*done, *growing.values()]


def visible_runs(
    line: ThresholdLine, floor: int, ceiling: int, pale: Callable[[int, int], int]
) -> Iterator[tuple[int, int, int, int]]:
    """Yield the runs of equal cells of a column: the first value, the value after the last, the option, and the degree
    of paleness.

    Only values from ``floor`` to below ``ceiling`` count. ``pale``: a function that returns the degree of paleness of a
    cell.
    """
    for run, following in zip(line.runs, [*line.runs[1:], None], strict=True):
        low, below = max(run.first, floor), min(following.first if following else run.last + 1, ceiling)
        if run.option != ACTION_VARIES:
            for depth, cells in groupby(range(low, below), key=lambda y: pale(line.at[0], y)):
                mine = list(cells)
                yield mine[0], mine[-1] + 1, run.option, depth


def _cells_of_area(field: OptionArea) -> Iterator[tuple[int, int]]:
    return product(range(field.first, field.last + 1), range(field.low, field.below))


def _outlines(fields: Sequence[OptionArea]) -> Path:
    """Return the outlines of rectangles as a single path, which is shorter in SVG than separate paths."""
    made = []
    for field in fields:
        left, right, low, top = field.first - 0.5, field.last + 0.5, field.low - 0.5, field.below - 0.5
        made.append(Path([(left, low), (left, top), (right, top), (right, low), (left, low)], closed=True))
    return Path.make_compound_path(*made)


def _strokes_over(cells: set[tuple[int, int]], apart: int) -> Path:
    """Return diagonal strokes over cells. They are not an SVG pattern, because a pattern needs an id that is unique on
    the page. ``apart``: the distance of strokes in cells.
    """
    made = []
    for x, y in sorted(cells):
        if (x - y) % apart == 0 and (x - 1, y - 1) not in cells:
            end = next(size for size in range(1, len(cells) + 1) if (x + size, y + size) not in cells)
            made.append(Path([(x - 0.5, y - 0.5), (x + end - 0.5, y + end - 0.5)]))
    return Path.make_compound_path(*made)
