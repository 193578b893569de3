"""Maps of the best option over two variables: a coloured area for each option, hatched where best play never leads.

``map_cells_json`` returns the data of a map's cells, from which a page describes the cell that a visitor touches.
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
from oddsmith.publish.markup.numbers import amount_text, loss_text_with_unit
from oddsmith.report.english import joined
from oddsmith.report.facts import MIN_MAP_COLUMNS, Cell, MapCell, MapCells, Unit
from oddsmith.report.policy import ACTION_VARIES, Feature, Rule, Strategy, ThresholdLine, ThresholdTable, or_more_words


@dataclass(frozen=True)
class MapData:
    """The data of an interactive map.

    ``cells_path``: the path of the file with its cells. ``map_cells``: the cells. ``unit``: the unit of their values.
    """

    cells_path: str
    map_cells: MapCells
    unit: Unit


def map_cells_json(strategy: Strategy, table: ThresholdTable, map_data: MapData) -> bytes:
    """Return the cells of a map as JSON, from which a page describes the cell that a visitor touches.

    ``map_data``: the values and losses of the cells. In the result, ``options`` are the names of options. ``first`` is
    the first column, and ``low`` the first value in each column. ``times`` has for both variables the factor from a
    value to the number that people see.

    ``columns`` has a list for each column, with an entry for each cell, which may be null. An entry lists the index of
    the best option, its value, whether best play reaches the cell, the second-best options, and their losses.
    """
    (low, below), unit = strategy.shown_range(table), map_data.unit
    first, last = table.lines[0].at[0], table.lines[-1].at[0]

    def cell_data(cell: Cell) -> list[object] | None:
        spot = map_data.map_cells.get(cell)
        if spot is None:
            return None
        worth = _range_text(*(amount_text(unit, number) for number in spot.worth))
        costs = _range_text(*(loss_text_with_unit(unit, number) for number in spot.costs))
        return [spot.option, worth, int(spot.played), joined(spot.other, "or"), costs]

    data = {
        "options": list(strategy.options),
        "first": first,
        "low": low,
        "times": [strategy.across[0].times, strategy.down.times if strategy.down else 1],
        "columns": [[cell_data((x, y)) for y in range(low, below)] for x in range(first, last + 1)],
    }
    return json.dumps(data, ensure_ascii=False, separators=(",", ":")).encode()


def _range_text(least_text: str, most_text: str) -> str:
    return least_text if least_text == most_text else f"{least_text} to {most_text}"


STROKES_ACROSS_PICTURE = 45  # that cross the width of a picture
PALE = ("", " od-less", " od-least")
PALE_COST_PERCENTS = (5, 20)
"""Percentages of the greatest cost in a picture: below the first a cell is paler, below the second palest."""


@dataclass(frozen=True)
class OptionArea:
    """A rectangle of a map with one best option: columns ``first_column`` to ``last_column`` inclusive, rows from
    ``first_row`` up to but without ``end_row``. ``option_index``: the index of the option. ``paleness``: its degree of
    paleness, from 0.
    """

    first_column: int
    last_column: int
    first_row: int
    end_row: int
    option_index: int
    paleness: int

    @property
    def css_classes(self) -> str:
        """The CSS classes that determine the colour of the rectangle."""
        return f"od-f{self.option_index % 4}" + PALE[self.paleness]


@dataclass(frozen=True)
class PaintedMap:
    """The areas of a map, ready to be drawn.

    ``plot``: a function that draws the areas on axes. ``option_indices``: the indices of the options in the map,
    ascending. ``has_unreached_cells``: whether best play never reaches some cells. ``first_row``, ``end_row``: the
    first row and the row after the last. ``shade_thresholds``: the losses of the second-best action below which cells
    are paler.
    """

    plot: Callable[[Axes], None]
    option_indices: tuple[int, ...]
    has_unreached_cells: bool
    first_row: int
    end_row: int
    shade_thresholds: list[Fraction]


def can_table_be_drawn(strategy: Strategy, threshold_table: ThresholdTable, min_columns: int = MIN_MAP_COLUMNS) -> bool:
    """Return whether a table is over two variables and has at least ``min_columns`` columns."""
    return strategy.down is not None and len(strategy.across) == 1 and len(threshold_table.lines) >= min_columns


def paint_map(
    strategy: Strategy,
    threshold_table: ThresholdTable,
    map_cells: MapCells | None = None,
    stroke_count: int = STROKES_ACROSS_PICTURE,
    min_columns: int = MIN_MAP_COLUMNS,
) -> PaintedMap | None:
    """Return the areas of the map of a table over two variables; None if the table has fewer than ``min_columns``
    columns.

    ``map_cells``: the cells of the map, to make it paler where the second-best action loses less; None for a map
    without shades. ``stroke_count``: the number of hatching strokes across the width.
    """
    if not can_table_be_drawn(strategy, threshold_table, min_columns):
        return None
    floor, ceiling = strategy.shown_range(threshold_table)
    map_cells = map_cells or {}
    cuts = _shade_thresholds([map_cells[at] for at in map_cells if floor <= at[1] < ceiling])

    def paleness_at(column: int, row: int) -> int:
        cost = map_cells[column, row].costs[1] if (column, row) in map_cells else None
        return 0 if cost is None else sum(cost.upper < cut for cut in cuts)

    fields = _joined_areas(threshold_table.lines, floor, ceiling, paleness_at)
    met = reached_cells(threshold_table)
    never = {(x, y) for field in fields for x, y in _cells_of_area(field) if (x, y) not in met}
    options = tuple(sorted({field.option_index for field in fields}))

    def plot_areas(axes: Axes) -> None:
        for classes in sorted({field.css_classes for field in fields}):
            outlines = _outlines_of_areas([field for field in fields if field.css_classes == classes])
            axes.add_patch(PathPatch(outlines, gid=classes))
        if never:
            axes.add_patch(
                PathPatch(
                    _hatching_strokes(never, max(1, round(len(threshold_table.lines) / stroke_count))), gid="od-hatch"
                )
            )
        axes.set_xlim(threshold_table.lines[0].at[0] - 0.5, threshold_table.lines[-1].at[0] + 0.5)
        axes.set_ylim(floor - 0.5, ceiling - 0.5)
        assert strategy.down is not None
        label_axis_with_numbers(axes.xaxis, strategy.across[0])
        label_axis_with_numbers(axes.yaxis, strategy.down)

    return PaintedMap(plot_areas, options, bool(never), floor, ceiling, cuts)


def map_chart(
    strategy: Strategy,
    threshold_table: ThresholdTable,
    rule: Rule | None = None,
    size: Size = PAGE,
    map_data: MapData | None = None,
) -> Html | None:
    """Return the map of a table with axes and key; None if there is too little to draw. ``rule``: the best rule with
    one number, which is drawn as a line.

    ``map_data``: the data of an interactive map, which describes the cell that a visitor touches, and is paler where
    the second-best action loses less.
    """
    fields = paint_map(strategy, threshold_table, map_data.map_cells if map_data else None)
    if fields is None:
        return None
    found = _draw_painted_map(strategy, threshold_table, fields, rule, with_touch_box=map_data is not None)
    drawing = svg_of_plot(found.plot, found.x_label, found.y_label, found.description, size)
    if map_data is None:
        return figure_element(drawing, found.legend)
    return figure_element(
        drawing,
        found.legend,
        _shades_sentence(fields.shade_thresholds, map_data.unit),
        data_od_map=map_data.cells_path,
        data_od_across=found.x_label,
        data_od_down=found.y_label,
    )


def label_axis_with_numbers(axis: Axis, feature: Feature) -> None:
    """Label an axis with the numbers that people use for a feature.

    Do nothing if these are the values of the feature.
    """
    if feature.times > 1:
        axis.set_major_formatter(
            lambda value, _: f"{feature.displayed_number(round(value)):,}" if value == round(value) else ""
        )


def draw_map(strategy: Strategy, threshold_table: ThresholdTable) -> Drawing | None:
    """Return a drawing of the map of a table, however small; None if the table is not over two variables."""
    fields = paint_map(strategy, threshold_table, min_columns=1)
    return None if fields is None else _draw_painted_map(strategy, threshold_table, fields)


def draw_strips(strategy: Strategy) -> Drawing | None:
    """Return a drawing of tables that are over one variable only: a horizontal strip for each table, with a coloured
    part for each option. Return None for other strategies.
    """
    down = strategy.down
    if down is None or strategy.across:
        return None
    strips = {strategy.condition_words_of_table(each) or "best": each.lines[0].runs for each in strategy.tables}

    def plot_strips(axes: Axes) -> None:
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
    return Drawing(plot_strips, down.name, "", f"Best action by {down.name}", keys)


def _draw_painted_map(
    strategy: Strategy,
    threshold_table: ThresholdTable,
    painted: PaintedMap,
    rule: Rule | None = None,
    with_touch_box: bool = False,
) -> Drawing:
    """Return a drawing of a map with its key and a sentence on what it shows.

    ``with_touch_box``: whether to add the invisible box in which a script finds the cells.
    """
    assert strategy.down is not None
    across, down = strategy.across[0].name, strategy.down.name
    number = _threshold_of_rule(strategy, rule)
    drawn = number is not None and painted.first_row < number < painted.end_row

    def plot_map(axes: Axes) -> None:
        painted.plot(axes)
        if drawn and number is not None:
            axes.axhline(number - 0.5, gid="od-l1")
        if with_touch_box:
            draw_touch_box(
                axes,
                threshold_table.lines[0].at[0],
                threshold_table.lines[-1].at[0],
                painted.first_row,
                painted.end_row,
            )

    words = f"Best action by {across} (across) and {down} (up): {thresholds_text(strategy, threshold_table)}"
    keys = map_legend(strategy, [painted])
    if drawn and number is not None:
        shown = strategy.down.displayed_number(number)
        keys.append(("od-l1", f"the best single number: {or_more_words(shown)}"))
        words += f" The best single number is {shown:,}."
    return Drawing(plot_map, across, down, words, keys)


def map_legend(strategy: Strategy, painted_maps: Sequence[PaintedMap]) -> list[tuple[str, str]]:
    """Return the key of one or more maps of a strategy: pairs of a CSS class and its meaning."""
    options = sorted({option for fields in painted_maps for option in fields.option_indices})
    keys = [(f"od-f{option % 4}", strategy.options[option]) for option in options]
    return keys + [("od-hatch", "best play never gets there")] * any(
        fields.has_unreached_cells for fields in painted_maps
    )


def draw_touch_box(axes: Axes, first_column: int, last_column: int, first_row: int, end_row: int) -> None:
    """Draw an invisible box around the cells of a map, by which a script finds the cells."""
    axes.add_patch(
        PathPatch(_outlines_of_areas([OptionArea(first_column, last_column, first_row, end_row, 0, 0)]), gid="od-box")
    )


def _shades_sentence(loss_thresholds: Sequence[Fraction], unit: Unit) -> str:
    """Return a sentence that explains the shades of a map; empty if it has none."""
    if not loss_thresholds:
        return ""
    name = "percentage points" if unit.chance else unit.name
    costs = [f"{float(cut * unit.chart_scale):g}" for cut in loss_thresholds]
    palest = f", and in the palest cells less than {costs[1]}" if len(costs) > 1 else ""
    return f"Cells are paler where less is at stake: there the next best action costs less than {costs[0]}{palest}, in {name}."


def _shade_thresholds(cells: Sequence[MapCell]) -> list[Fraction]:
    """Return the losses of the second-best action below which cells are pale, and palest.

    They are round numbers, at most 1/5 and 1/20 of the greatest loss in the map. The list is shorter if the losses are
    tiny.
    """
    most = max((spot.costs[1].upper for spot in cells), default=Fraction(0))
    rounds = [Fraction(step) * Fraction(10) ** power for power in range(-6, 7) for step in (1, 2, 5)]
    return [max(cut for cut in rounds if cut <= most / part) for part in PALE_COST_PERCENTS if most / part >= rounds[0]]


def _threshold_of_rule(strategy: Strategy, rule: Rule | None) -> int | None:
    """Return the number of a rule if the rule is about the vertical variable of this strategy; else None."""
    if rule is None or rule.number is None or rule.is_constant:
        return None
    if strategy.down is None or rule.phase != strategy.phase:
        return None
    return rule.number.best if rule.number.feature.key == strategy.down.key else None


def reached_cells(threshold_table: ThresholdTable) -> set[Cell]:
    """Return the cells of a table that best play reaches, as pairs (column, row)."""
    return {
        (line.at[0], value)
        for line, met in zip(threshold_table.lines, threshold_table.met, strict=True)
        for first, last in met
        for value in range(first, last + 1)
    }


def thresholds_text(strategy: Strategy, threshold_table: ThresholdTable) -> str:
    """Return the thresholds of a map in words: their range, and those of its first and its last column.

    Where there are none, say what best play does instead.
    """
    points = [(at[0], threshold) for at, threshold in strategy.thresholds_of_table(threshold_table).items()]
    above, reached = (
        strategy.options[strategy.above],
        sum(line.is_reached_by_best_play for line in threshold_table.lines),
    )

    def range_text(column_thresholds: Sequence[tuple[int, int]]) -> str:
        text, count = f"{above} {_threshold_range_text(strategy, column_thresholds)}", len(column_thresholds)
        partly = threshold_table.exceptions and count < reached
        return f"{text} in {count} of {reached} columns; the others differ" if partly else text

    if points:
        return f"{range_text(points)}."
    taken = sorted({run.option for line in threshold_table.lines for run in line.runs if run.played} - {ACTION_VARIES})
    if len(taken) == 1:
        return f"always {strategy.options[taken[0]]}."
    begun = [
        (line.at[0], line.runs[first].first)
        for line in threshold_table.lines
        if (first := _first_run_index_above_threshold(strategy, line))
    ]
    return f"{range_text(begun)}; not all the way up." if begun else "there is no single threshold."


def _threshold_range_text(strategy: Strategy, column_thresholds: Sequence[tuple[int, int]]) -> str:
    """Return in words the range of thresholds in the vertical variable, and the first and the last of them.

    ``column_thresholds``: pairs of a column and its threshold.
    """
    across, down = strategy.across[0], strategy.down
    assert down is not None
    points = [(across.displayed_number(at), down.displayed_number(threshold)) for at, threshold in column_thresholds]
    low, high = min(threshold for _, threshold in points), max(threshold for _, threshold in points)
    (first, start), (last, end) = points[0], points[-1]
    if high == low:
        return f"from {low:,} on"
    ends = f"{start:,} where {across.name} is {first:,}, {end:,} where it is {last:,}"
    return f"from a threshold between {low:,} and {high:,} on: {ends}"


def _first_run_index_above_threshold(strategy: Strategy, line: ThresholdLine) -> int:
    """Return the index of the run of a column with which its upper option begins; a run is a range of one option.

    ``strategy.above`` is the upper option and ``strategy.below`` the lower one. Return 0 if the column has no run of
    the upper option, if best play does not reach that run, or if a third option lies below it.
    """
    options = [run.option for run in line.runs]
    begins = next((k for k, option in enumerate(options) if option == strategy.above), 0)
    return begins if set(options[:begins]) == {strategy.below} and line.runs[begins].played else 0


def _joined_areas(
    lines: Sequence[ThresholdLine], first_row: int, end_row: int, paleness: Callable[[int, int], int]
) -> list[OptionArea]:
    """Return the rectangles of all columns. Equal rectangles of adjacent columns are joined to one.

    ``first_row``, ``end_row``: the first row and the row after the last. ``paleness``: a function that returns the
    degree of paleness of a cell.
    """
    done: list[OptionArea] = []
    growing: dict[tuple[int, int, int, int], OptionArea] = {}
    for line in lines:
        at = line.at[0]
        here = {}
        for key in visible_runs(line, first_row, end_row, paleness):
            before = growing.get(key)
            first = before.first_column if before and before.last_column == at - 1 else at
            here[key] = OptionArea(first, at, *key)
        done += [field for key, field in growing.items() if key not in here or here[key].first_column == at]
        growing = here
    return [*done, *growing.values()]


def visible_runs(
    line: ThresholdLine, first_row: int, end_row: int, paleness: Callable[[int, int], int]
) -> Iterator[tuple[int, int, int, int]]:
    """Yield the runs of equal cells of a column: the first value, the value after the last, the option, and the degree
    of paleness.

    Only values from ``first_row`` to below ``end_row`` count. ``paleness``: a function that returns the degree of
    paleness of a cell.
    """
    for run, following in zip(line.runs, [*line.runs[1:], None], strict=True):
        low, below = max(run.first, first_row), min(following.first if following else run.last + 1, end_row)
        if run.option != ACTION_VARIES:
            for depth, cells in groupby(range(low, below), key=lambda y: paleness(line.at[0], y)):
                mine = list(cells)
                yield mine[0], mine[-1] + 1, run.option, depth


def _cells_of_area(area: OptionArea) -> Iterator[tuple[int, int]]:
    return product(range(area.first_column, area.last_column + 1), range(area.first_row, area.end_row))


def _outlines_of_areas(areas: Sequence[OptionArea]) -> Path:
    """Return the outlines of rectangles as a single path, which is shorter in SVG than separate paths."""
    made = []
    for field in areas:
        left, right, low, top = (
            field.first_column - 0.5,
            field.last_column + 0.5,
            field.first_row - 0.5,
            field.end_row - 0.5,
        )
        made.append(Path([(left, low), (left, top), (right, top), (right, low), (left, low)], closed=True))
    return Path.make_compound_path(*made)


def _hatching_strokes(cells: set[tuple[int, int]], spacing: int) -> Path:
    """Return diagonal strokes over cells. They are not an SVG pattern, because a pattern needs an id that is unique on
    the page. ``spacing``: the distance of strokes in cells.
    """
    made = []
    for x, y in sorted(cells):
        if (x - y) % spacing == 0 and (x - 1, y - 1) not in cells:
            end = next(size for size in range(1, len(cells) + 1) if (x + size, y + size) not in cells)
            made.append(Path([(x - 0.5, y - 0.5), (x + end - 0.5, y + end - 0.5)]))
    return Path.make_compound_path(*made)
