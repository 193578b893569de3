"""Maps of the best option over two variables: a field for each option, and strokes where best play never leads.

``cells_file`` writes the cells of a map for a page that says them in words.
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

from oddsmith.publish.charts.drawing import PAGE, Drawing, Size, figure_of, picture
from oddsmith.publish.markup.html import Html
from oddsmith.publish.markup.numbers import amount, loss
from oddsmith.report.english import joined
from oddsmith.report.facts import LEAST, Cell, MapCell, MapCells, Unit
from oddsmith.report.policy import VARIES, Feature, Rule, Strategy, ThresholdLine, ThresholdTable, or_more


@dataclass(frozen=True)
class MapData:
    """The data of a picture that can be touched. ``cells``: the name of the file of its cells; ``spots``: the cells;
    ``unit``: the unit of their values.
    """

    cells: str
    spots: MapCells
    unit: Unit


def cells_file(strategy: Strategy, table: ThresholdTable, touched: MapData) -> bytes:
    """Write the cells of a table within its window as JSON, for a page that says them in words.

    ``options`` are names. ``first`` is the first column, and ``low`` the first value in a column. ``times`` has for
    both variables the factor between a value and the number that people see. ``columns`` has a list for each column,
    with a list or null for each cell: the option, its value, whether best play reaches the cell, the second-best
    options, and what they cost.
    """
    (low, below), unit = strategy.window(table), touched.unit
    first, last = table.lines[0].at[0], table.lines[-1].at[0]

    def cell_data(at: Cell) -> list[object] | None:
        spot = touched.spots.get(at)
        if spot is None:
            return None
        worth = _range_words(*(amount(unit, number) for number in spot.worth))
        costs = _range_words(*(loss(unit, number) for number in spot.costs))
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


STROKES = 45  # that cross the width of a picture
PALE = ("", " od-less", " od-least")
PARTS = (5, 20)  # of the greatest cost in a picture: below the first a cell is paler, below the second palest


@dataclass(frozen=True)
class OptionArea:
    """A field of one option from column ``first`` to ``last``, from ``low`` up to but without ``below``. ``pale``: its
    step of paleness, from 0.
    """

    first: int
    last: int
    low: int
    below: int
    option: int
    pale: int

    @property
    def css_classes(self) -> str:
        """The classes by which the style sheet colours it."""
        return f"od-f{self.option % 4}" + PALE[self.pale]


@dataclass(frozen=True)
class PaintedMap:
    """The fields of a table, ready to be drawn.

    ``options``: those in the fields; ``hatched``: whether best play never reaches some; ``floor``, ``ceiling``: the
    window; ``cuts``: the costs below which fields are paler.
    """

    plot: Callable[[Axes], None]
    options: tuple[int, ...]
    hatched: bool
    floor: int
    ceiling: int
    cuts: list[Fraction]


def can_be_drawn(strategy: Strategy, each: ThresholdTable, least: int = LEAST) -> bool:
    """Whether a table is over two variables and has at least ``least`` columns."""
    return strategy.down is not None and len(strategy.across) == 1 and len(each.lines) >= least


def paint_map(
    strategy: Strategy, each: ThresholdTable, stakes: MapCells | None = None, strokes: int = STROKES, least: int = LEAST
) -> PaintedMap | None:
    """Lay out the fields of a table over two variables; None if it has fewer than ``least`` columns.

    ``stakes``: its cells, to make it paler where less is at stake; ``strokes``: the number of strokes across its width.
    """
    if not can_be_drawn(strategy, each, least):
        return None
    floor, ceiling = strategy.window(each)
    stakes = stakes or {}
    cuts = _cost_cuts([stakes[at] for at in stakes if floor <= at[1] < ceiling])

    def pale(x: int, y: int) -> int:
        cost = stakes[x, y].costs[1] if (x, y) in stakes else None
        return 0 if cost is None else sum(cost.upper < cut for cut in cuts)

    fields = _joined_fields(each.lines, floor, ceiling, pale)
    met = reached_cells(each)
    never = {(x, y) for field in fields for x, y in _cells_of(field) if (x, y) not in met}
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
        count_axis(axes.xaxis, strategy.across[0])
        count_axis(axes.yaxis, strategy.down)

    return PaintedMap(plot, options, bool(never), floor, ceiling, cuts)


def map_chart(
    strategy: Strategy,
    each: ThresholdTable,
    rule: Rule | None = None,
    size: Size = PAGE,
    touched: MapData | None = None,
) -> Html | None:
    """Draw the fields of a table with axes and key; None if there is too little to draw. ``rule``: the best rule with
    one number.

    ``touched``: the data of a picture that describes its cells when it is touched, and is paler where less is at stake.
    """
    fields = paint_map(strategy, each, touched.spots if touched else None)
    if fields is None:
        return None
    found = _map_drawing(strategy, each, fields, rule, boxed=touched is not None)
    drawing = picture(found.plot, found.across, found.up, found.words, size)
    if touched is None:
        return figure_of(drawing, found.keys)
    return figure_of(
        drawing,
        found.keys,
        _shades_words(fields.cuts, touched.unit),
        data_od_map=touched.cells,
        data_od_across=found.across,
        data_od_down=found.up,
    )


def count_axis(axis: Axis, feature: Feature) -> None:
    """Write the numbers of an axis as people count them."""
    if feature.times > 1:
        axis.set_major_formatter(lambda value, _: f"{feature.number(round(value)):,}" if value == round(value) else "")


def draw_table(strategy: Strategy, each: ThresholdTable) -> Drawing | None:
    """Draw the fields of a table, however few; None if it is not over two variables."""
    fields = paint_map(strategy, each, least=1)
    return None if fields is None else _map_drawing(strategy, each, fields)


def draw_strips(strategy: Strategy) -> Drawing | None:
    """Draw tables over the stopping variable alone, as a strip for each, with a field for each option."""
    down = strategy.down
    if down is None or strategy.across:
        return None
    strips = {strategy.where(each) or "best": each.lines[0].runs for each in strategy.tables}

    def plot(axes: Axes) -> None:
        axes.grid(visible=False)
        for place, runs_of in enumerate(strips.values()):
            for run, following in zip(runs_of, [*runs_of[1:], None], strict=True):
                below = following.first if following else run.last + 1
                if run.option != VARIES:
                    axes.barh(-place, below - run.first, left=run.first - 0.5, height=0.8, gid=f"od-f{run.option % 4}")
        axes.set_yticks([-place for place in range(len(strips))], list(strips))
        count_axis(axes.xaxis, down)

    options = sorted({run.option for runs_of in strips.values() for run in runs_of} - {VARIES})
    keys = [(f"od-f{option % 4}", strategy.options[option]) for option in options]
    return Drawing(plot, down.name, "", f"Best action by {down.name}", keys)


def _map_drawing(
    strategy: Strategy, each: ThresholdTable, fields: PaintedMap, rule: Rule | None = None, boxed: bool = False
) -> Drawing:
    """Draw a map with its key and a sentence on what it shows. ``boxed``: whether it has the box that a script looks
    for.
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
    keys = keys_of(strategy, [fields])
    if drawn and number is not None:
        shown = strategy.down.number(number)
        keys.append(("od-l1", f"the best single number: {or_more(shown)}"))
        words += f" The best single number is {shown:,}."
    return Drawing(plot, across, down, words, keys)


def keys_of(strategy: Strategy, drawn: Sequence[PaintedMap]) -> list[tuple[str, str]]:
    """Return the key of one or more maps of a strategy: pairs of class and meaning."""
    options = sorted({option for fields in drawn for option in fields.options})
    keys = [(f"od-f{option % 4}", strategy.options[option]) for option in options]
    return keys + [("od-hatch", "best play never gets there")] * any(fields.hatched for fields in drawn)


def draw_box(axes: Axes, first: int, last: int, low: int, below: int) -> None:
    """Draw an invisible box around the cells of a map, for a script."""
    axes.add_patch(PathPatch(_outlines([OptionArea(first, last, low, below, 0, 0)]), gid="od-box"))


def _shades_words(cuts: Sequence[Fraction], unit: Unit) -> str:
    """Write what the shades mean."""
    if not cuts:
        return ""
    name = "percentage points" if unit.chance else unit.name
    costs = [f"{float(cut * unit.scale):g}" for cut in cuts]
    palest = f", and under {costs[1]} where it is palest" if len(costs) > 1 else ""
    return f"It is paler where less is at stake: the next best action costs under {costs[0]} there{palest}, in {name}."


def _cost_cuts(shown: Sequence[MapCell]) -> list[Fraction]:
    """Return the costs of the second-best action below which cells are paler and palest: round numbers, at most certain
    parts of the greatest cost.
    """
    most = max((spot.costs[1].upper for spot in shown), default=Fraction(0))
    rounds = [Fraction(step) * Fraction(10) ** power for power in range(-6, 7) for step in (1, 2, 5)]
    return [max(cut for cut in rounds if cut <= most / part) for part in PARTS if most / part >= rounds[0]]


def _number_of_rule(strategy: Strategy, rule: Rule | None) -> int | None:
    """Return the number of a rule if the rule is about this strategy; else None."""
    if rule is None or rule.number is None or rule.is_constant:
        return None
    if strategy.down is None or rule.phase != strategy.phase:
        return None
    return rule.number.best if rule.number.feature.key == strategy.down.key else None


def reached_cells(each: ThresholdTable) -> set[Cell]:
    """Return the cells of a table that best play reaches."""
    return {
        (line.at[0], value)
        for line, met in zip(each.lines, each.met, strict=True)
        for first, last in met
        for value in range(first, last + 1)
    }


def threshold_words(strategy: Strategy, each: ThresholdTable) -> str:
    """Write the thresholds at the two ends of the map, and the range of all of them."""
    points = [(at[0], threshold) for at, threshold in strategy.thresholds(each).items()]
    above, often = strategy.options[strategy.above], "mostly " * bool(each.exceptions)
    if points:
        return f"{often}{above} {_threshold_range_words(strategy, points)}."
    taken = sorted({run.option for line in each.lines for run in line.runs if run.played} - {VARIES})
    if len(taken) == 1:
        return f"always {strategy.options[taken[0]]}."
    begun = [(line.at[0], line.runs[first].first) for line in each.lines if (first := _first_run_above(strategy, line))]
    return (
        f"{often}{above} {_threshold_range_words(strategy, begun)}; not all the way up."
        if begun
        else "there is no single threshold."
    )


def _threshold_range_words(strategy: Strategy, found: Sequence[tuple[int, int]]) -> str:
    """Write from which values of the stopping variable on the option above is best, by the values across."""
    across, down = strategy.across[0], strategy.down
    assert down is not None
    points = [(across.number(at), down.number(threshold)) for at, threshold in found]
    low, high = min(threshold for _, threshold in points), max(threshold for _, threshold in points)
    (first, start), (last, end) = points[0], points[-1]
    if high == low:
        return f"from {low:,} on"
    return f"from {low:,} to {high:,} on: from {start:,} where {across.name} is {first:,}, from {end:,} where it is {last:,}"


def _first_run_above(strategy: Strategy, line: ThresholdLine) -> int:
    """Return the index of the first run above the threshold, if best play reaches it after runs below only; else 0."""
    options = [run.option for run in line.runs]
    begins = next((k for k, option in enumerate(options) if option == strategy.above), 0)
    return begins if set(options[:begins]) == {strategy.below} and line.runs[begins].played else 0


def _joined_fields(
    lines: Sequence[ThresholdLine], floor: int, ceiling: int, pale: Callable[[int, int], int]
) -> list[OptionArea]:
    """Return the fields of all columns, with equal fields of neighbouring columns as one."""
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
    """Yield the runs of a column within the window: first value, the value after the last, option, and step of paleness."""
    for run, following in zip(line.runs, [*line.runs[1:], None], strict=True):
        low, below = max(run.first, floor), min(following.first if following else run.last + 1, ceiling)
        if run.option != VARIES:
            for depth, cells in groupby(range(low, below), key=lambda y: pale(line.at[0], y)):
                mine = list(cells)
                yield mine[0], mine[-1] + 1, run.option, depth


def _cells_of(field: OptionArea) -> Iterator[tuple[int, int]]:
    return product(range(field.first, field.last + 1), range(field.low, field.below))


def _outlines(fields: Sequence[OptionArea]) -> Path:
    """Return the outlines of fields as one path, which is shorter than one for each."""
    made = []
    for field in fields:
        left, right, low, top = field.first - 0.5, field.last + 0.5, field.low - 0.5, field.below - 0.5
        made.append(Path([(left, low), (left, top), (right, top), (right, low), (left, low)], closed=True))
    return Path.make_compound_path(*made)


def _strokes_over(cells: set[tuple[int, int]], apart: int) -> Path:
    """Return slanting strokes over cells. They are no pattern of SVG, because that needs an id that no other picture on
    the page has.
    """
    made = []
    for x, y in sorted(cells):
        if (x - y) % apart == 0 and (x - 1, y - 1) not in cells:
            end = next(size for size in range(1, len(cells) + 1) if (x + size, y + size) not in cells)
            made.append(Path([(x - 0.5, y - 0.5), (x + end - 0.5, y + end - 0.5)]))
    return Path.make_compound_path(*made)
