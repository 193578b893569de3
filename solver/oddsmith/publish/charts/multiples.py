"""Maps of the best option over three variables: small maps for some values of the third variable, and a large map with
a slider for all of them.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from functools import partial

from matplotlib.axes import Axes

from oddsmith.publish.charts.boundary import (
    STROKES_ACROSS_PICTURE,
    PaintedMap,
    can_be_drawn,
    draw_box,
    map_legend,
    paint_map,
    reached_cells,
    threshold_words,
    visible_runs,
)
from oddsmith.publish.charts.drawing import figure_element, panels_svg, svg_of_plot
from oddsmith.publish.markup.html import Html
from oddsmith.report.facts import MIN_MAP_COLUMNS
from oddsmith.report.policy import Feature, ReachedRanges, Strategy, ThresholdLine, ThresholdTable, feature_clause

MAX_MAPS, MAPS_PER_ROW = 6, 3  # little maps of a picture, and of a row of it
STROKES_ACROSS_MAP = 15  # strokes that cross a little map
UNREACHED = 100  # added to an option where best play never gets


@dataclass(frozen=True)
class SlicedTable:
    """A table of thresholds over two variables, divided into one table for each value of ``third``, one of the two.

    ``strategy``: the strategy with these tables. ``values``: the values of ``third``, in the order of the tables. All
    maps have the same axes: columns ``first`` to ``last`` inclusive, rows from ``low`` up to but without ``below``.
    """

    strategy: Strategy
    third: Feature
    values: tuple[int, ...]
    first: int
    last: int
    low: int
    below: int

    @property
    def value_texts(self) -> list[str]:
        """The values of ``third`` as text for people."""
        return [self.third.value_text(value) for value in self.values]

    @property
    def small_map_indices(self) -> list[int]:
        """The indices of the tables with a small map: all tables, or a few at about equal distances."""
        count = len(self.values)
        if count <= MAX_MAPS:
            return list(range(count))
        return [round(k * (count - 1) / (MAX_MAPS - 1)) for k in range(MAX_MAPS)]

    @property
    def needs_slider(self) -> bool:
        """Whether there are more tables than small maps, so a slider is needed."""
        return len(self.values) > MAX_MAPS

    def set_axis_limits(self, axes: Axes) -> None:
        """Set the limits of the axes of a map, which are the same for all maps."""
        axes.set_xlim(self.first - 0.5, self.last + 0.5)
        axes.set_ylim(self.low - 0.5, self.below - 0.5)


def slice_table(strategy: Strategy, each: ThresholdTable) -> SlicedTable | None:
    """Divide a table by the second of its two variables. If the first has too few values for the columns of a map,
    divide it by the first.

    Return None if fewer than two of the resulting tables can be drawn.
    """
    if strategy.down is None or len(strategy.across) != 2:
        return None
    third = int(len({line.at[0] for line in each.lines}) >= MIN_MAP_COLUMNS)
    across, by = strategy.across[1 - third], strategy.across[third]
    lines: dict[int, list[tuple[ThresholdLine, ThresholdLine, ReachedRanges]]] = {}
    for line, met in sorted(zip(each.lines, each.met, strict=True), key=lambda pair: pair[0].at[1 - third]):
        lines.setdefault(line.at[third], []).append((replace(line, at=(line.at[1 - third],)), line, met))
    odd, tables = set(each.exceptions), {}
    for value, many in sorted(lines.items()):
        where = tuple((*one, str(by.displayed_number(value))) for one in each.where)
        tables[value] = ThresholdTable(
            where,
            tuple(line for line, _, _ in many),
            (),
            tuple(line for line, whole, _ in many if whole in odd),
            met=tuple(met for _, _, met in many),
        )
    whole = replace(strategy, split=(*strategy.split, by), across=(across,), tables=tuple(tables.values()))
    drawn = {
        value: table
        for value, table in tables.items()
        if can_be_drawn(whole, table) and any(line.is_reached_by_best_play for line in table.lines)
    }
    if len(drawn) < 2:
        return None
    everything = [line for table in drawn.values() for line in table.lines]
    low, below = whole.shown_range(ThresholdTable((), tuple(everything)))
    ends = [line.at[0] for line in everything]
    return SlicedTable(replace(whole, tables=tuple(drawn.values())), by, tuple(drawn), min(ends), max(ends), low, below)


def small_maps(found: SlicedTable) -> Html:
    """Return small maps for some values of the third variable, side by side."""
    strategy, third = found.strategy, found.third
    assert strategy.down is not None
    drawn = _painted_maps(found)
    maps = [(found.value_texts[k], partial(_plot_small_map, found, fields)) for k, fields in drawn.items()]
    across = strategy.across[0].name
    some = "each value" if len(drawn) == len(found.values) else "some values"
    words = f"Best action by {across} (across) and {strategy.down.name} (up), with a map for {some} of {third.name}. "
    words += " ".join(_best_play_sentence(found, k) for k in (0, len(found.values) - 1))
    drawing = panels_svg(maps, MAPS_PER_ROW, across, strategy.down.name, third.name, words)
    return figure_element(drawing, map_legend(strategy, list(drawn.values())), words)


def _painted_maps(found: SlicedTable) -> dict[int, PaintedMap]:
    """Return the areas of the small maps, by the index of the value of the third variable."""
    strategy = found.strategy
    return {
        k: fields
        for k in found.small_map_indices
        if (fields := paint_map(strategy, strategy.tables[k], strokes=STROKES_ACROSS_MAP))
    }


def _plot_small_map(found: SlicedTable, fields: PaintedMap, axes: Axes) -> None:
    fields.plot(axes)
    found.set_axis_limits(axes)


def _best_play_sentence(found: SlicedTable, place: int) -> str:
    """Return a sentence on best play at a value of the third variable. ``place``: the index of the value."""
    strategy, third = found.strategy, found.third
    thresholds = threshold_words(strategy, strategy.tables[place])
    return f"Where {feature_clause(third, found.value_texts[place])}: {thresholds}"


# --- the large map with a slider


def sliding_map(found: SlicedTable, cells: str) -> Html:
    """Return a large map with a slider that moves through all values of the third variable. It is hidden unless its
    script runs.

    ``cells``: the path of the file of all maps.
    """
    strategy, place = found.strategy, len(found.values) // 2
    fields = paint_map(strategy, strategy.tables[place])
    assert fields is not None
    assert strategy.down is not None

    def plot(axes: Axes) -> None:
        _plot_small_map(found, fields, axes)
        draw_box(axes, found.first, found.last, found.low, found.below)

    words = _best_play_sentence(found, place)
    drawing = svg_of_plot(plot, strategy.across[0].name, strategy.down.name, words)
    return figure_element(
        drawing,
        map_legend(strategy, list(_painted_maps(found).values())),
        words,
        hidden=True,
        data_od_slides=cells,
        data_od_name=found.third.name,
        data_od_values=" ".join(found.value_texts),
        data_od_at=place,
    )


def sliding_map_file(found: SlicedTable) -> bytes:
    """Return the maps for all values of the third variable as JSON.

    In the result, ``low`` and ``below`` are the first row and the row after the last, and ``apart`` is the distance
    between hatching strokes, in columns. ``slides`` has a sentence and the columns of each map. A column is a list that
    alternates between the value at which an area begins and the number of its option: -1 for no option; 100 is added if
    best play never reaches the area.
    """
    data = {
        "low": found.low,
        "below": found.below,
        "apart": max(1, round((found.last - found.first + 1) / STROKES_ACROSS_PICTURE)),
        "slides": [
            {"words": _best_play_sentence(found, place), "columns": _map_columns(found, place)}
            for place in range(len(found.values))
        ],
    }
    return json.dumps(data, ensure_ascii=False, separators=(",", ":")).encode()


def _map_columns(found: SlicedTable, place: int) -> list[list[int]]:
    """Return the columns of a map in the form of ``sliding_map_file``, one for each horizontal value.

    A column is empty if the table has no such column. ``place``: the index of the value of the third variable.
    """
    table = found.strategy.tables[place]
    met = reached_cells(table)
    columns: list[list[int]] = [[] for _ in range(found.first, found.last + 1)]
    for line in table.lines:
        fields = columns[line.at[0] - found.first]
        for low, below, option, never in visible_runs(
            line, found.low, found.below, lambda x, y: int((x, y) not in met)
        ):
            if fields and fields[-2] == low:
                del fields[-2:]
            fields += [low, option + UNREACHED * never, below, -1]
    return columns
