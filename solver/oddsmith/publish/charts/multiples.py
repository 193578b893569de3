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
    can_table_be_drawn,
    draw_touch_box,
    map_legend,
    paint_map,
    reached_cells,
    thresholds_text,
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
    """A table of thresholds over two variables, divided into one table for each value of ``sliced_feature``, one of the
    two.

    ``strategy``: the strategy with these tables. ``values``: the values of ``sliced_feature``, in the order of the
    tables. All maps have the same axes: columns ``first_column`` to ``last_column`` inclusive, rows from ``first_row``
    up to but without ``end_row``.
    """

    strategy: Strategy
    sliced_feature: Feature
    values: tuple[int, ...]
    first_column: int
    last_column: int
    first_row: int
    end_row: int

    @property
    def value_texts(self) -> list[str]:
        """The values of ``sliced_feature`` as text for people."""
        return [self.sliced_feature.value_text(value) for value in self.values]

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
        axes.set_xlim(self.first_column - 0.5, self.last_column + 0.5)
        axes.set_ylim(self.first_row - 0.5, self.end_row - 0.5)


def slice_table(strategy: Strategy, threshold_table: ThresholdTable) -> SlicedTable | None:
    """Divide a table by the second of its two variables. If the first has too few values for the columns of a map,
    divide it by the first.

    Return None if fewer than two of the resulting tables can be drawn.
    """
    if strategy.down is None or len(strategy.across) != 2:
        return None
    third = int(len({line.at[0] for line in threshold_table.lines}) >= MIN_MAP_COLUMNS)
    across, by = strategy.across[1 - third], strategy.across[third]
    lines: dict[int, list[tuple[ThresholdLine, ThresholdLine, ReachedRanges]]] = {}
    for line, met in sorted(
        zip(threshold_table.lines, threshold_table.met, strict=True), key=lambda pair: pair[0].at[1 - third]
    ):
        lines.setdefault(line.at[third], []).append((replace(line, at=(line.at[1 - third],)), line, met))
    odd, tables = set(threshold_table.exceptions), {}
    for value, many in sorted(lines.items()):
        where = tuple((*one, str(by.displayed_number(value))) for one in threshold_table.where)
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
        if can_table_be_drawn(whole, table) and any(line.is_reached_by_best_play for line in table.lines)
    }
    if len(drawn) < 2:
        return None
    everything = [line for table in drawn.values() for line in table.lines]
    low, below = whole.shown_range(ThresholdTable((), tuple(everything)))
    ends = [line.at[0] for line in everything]
    return SlicedTable(replace(whole, tables=tuple(drawn.values())), by, tuple(drawn), min(ends), max(ends), low, below)


def small_maps_html(sliced: SlicedTable) -> Html:
    """Return small maps for some values of the third variable, side by side."""
    strategy, third = sliced.strategy, sliced.sliced_feature
    assert strategy.down is not None
    drawn = _painted_maps(sliced)
    maps = [(sliced.value_texts[k], partial(_plot_small_map, sliced, fields)) for k, fields in drawn.items()]
    across = strategy.across[0].name
    some = "each value" if len(drawn) == len(sliced.values) else "some values"
    words = f"Best action by {across} (across) and {strategy.down.name} (up), with a map for {some} of {third.name}. "
    words += " ".join(_best_play_sentence(sliced, k) for k in (0, len(sliced.values) - 1))
    drawing = panels_svg(maps, MAPS_PER_ROW, across, strategy.down.name, third.name, words)
    return figure_element(drawing, map_legend(strategy, list(drawn.values())), words)


def _painted_maps(sliced: SlicedTable) -> dict[int, PaintedMap]:
    """Return the areas of the small maps, by the index of the value of the third variable."""
    strategy = sliced.strategy
    return {
        k: fields
        for k in sliced.small_map_indices
        if (fields := paint_map(strategy, strategy.tables[k], stroke_count=STROKES_ACROSS_MAP))
    }


def _plot_small_map(sliced: SlicedTable, painted: PaintedMap, axes: Axes) -> None:
    painted.plot(axes)
    sliced.set_axis_limits(axes)


def _best_play_sentence(sliced: SlicedTable, value_index: int) -> str:
    """Return a sentence on best play at a value of the third variable. ``value_index``: the index of the value."""
    strategy, third = sliced.strategy, sliced.sliced_feature
    thresholds = thresholds_text(strategy, strategy.tables[value_index])
    return f"Where {feature_clause(third, sliced.value_texts[value_index])}: {thresholds}"


# --- the large map with a slider


def sliding_map_html(sliced: SlicedTable, maps_path: str) -> Html:
    """Return a large map with a slider that moves through all values of the third variable. It is hidden unless its
    script runs.

    ``maps_path``: the path of the file of all maps.
    """
    strategy, place = sliced.strategy, len(sliced.values) // 2
    fields = paint_map(strategy, strategy.tables[place])
    assert fields is not None
    assert strategy.down is not None

    def plot_open_map(axes: Axes) -> None:
        _plot_small_map(sliced, fields, axes)
        draw_touch_box(axes, sliced.first_column, sliced.last_column, sliced.first_row, sliced.end_row)

    words = _best_play_sentence(sliced, place)
    drawing = svg_of_plot(plot_open_map, strategy.across[0].name, strategy.down.name, words)
    return figure_element(
        drawing,
        map_legend(strategy, list(_painted_maps(sliced).values())),
        words,
        hidden=True,
        data_od_slides=maps_path,
        data_od_name=sliced.sliced_feature.name,
        data_od_values=" ".join(sliced.value_texts),
        data_od_at=place,
    )


def sliding_maps_json(sliced: SlicedTable) -> bytes:
    """Return the maps for all values of the third variable as JSON.

    In the result, ``low`` and ``below`` are the first row and the row after the last, and ``apart`` is the distance
    between hatching strokes, in columns. ``slides`` has a sentence and the columns of each map. A column is a list that
    alternates between the value at which an area begins and the number of its option: -1 for no option; 100 is added if
    best play never reaches the area.
    """
    data = {
        "low": sliced.first_row,
        "below": sliced.end_row,
        "apart": max(1, round((sliced.last_column - sliced.first_column + 1) / STROKES_ACROSS_PICTURE)),
        "slides": [
            {"words": _best_play_sentence(sliced, place), "columns": _map_columns(sliced, place)}
            for place in range(len(sliced.values))
        ],
    }
    return json.dumps(data, ensure_ascii=False, separators=(",", ":")).encode()


def _map_columns(sliced: SlicedTable, value_index: int) -> list[list[int]]:
    """Return the columns of a map in the form of ``sliding_maps_json``, one for each horizontal value.

    A column is empty if the table has no such column. ``value_index``: the index of the value of the third variable.
    """
    table = sliced.strategy.tables[value_index]
    met = reached_cells(table)
    columns: list[list[int]] = [[] for _ in range(sliced.first_column, sliced.last_column + 1)]
    for line in table.lines:
        fields = columns[line.at[0] - sliced.first_column]
        for low, below, option, never in visible_runs(
            line, sliced.first_row, sliced.end_row, lambda x, y: int((x, y) not in met)
        ):
            if fields and fields[-2] == low:
                del fields[-2:]
            fields += [low, option + UNREACHED * never, below, -1]
    return columns
