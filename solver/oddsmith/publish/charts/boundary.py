"""Which option is best over two variables: fields with the threshold between them, and where best play never gets."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import PathPatch
from matplotlib.path import Path

from oddsmith.publish.charts.drawing import figure_of, picture
from oddsmith.publish.markup import Html
from oddsmith.report.strategy import VARIES, Line, NumberRule, Strategy, Table

LEAST = 8  # columns; fewer are read more easily from the table
STROKES = 45  # that cross the width of a picture


@dataclass(frozen=True)
class Field:
    """The same option from column ``first`` to ``last``, from ``low`` upwards and below ``below``."""

    first: int
    last: int
    low: int
    below: int
    option: int


def boundary(strategy: Strategy, each: Table, rule: NumberRule | None = None) -> Html | None:
    """The fields of a table over two variables; None where there is too little to draw. ``rule``: the best one-number rule."""
    down = strategy.down
    if down is None or len(strategy.across) != 1 or len(each.lines) < LEAST:
        return None
    across = strategy.across[0].name
    floor, ceiling = _window(strategy, each)
    fields = _joined(each.lines, floor, ceiling)
    reached = _reached(strategy, each)
    never = {(x, y) for field in fields for x, y in _cells(field) if (x, y) not in reached}
    options = sorted({field.option for field in fields})
    number = _number(strategy, rule)
    drawn = number is not None and floor < number < ceiling

    def plot(axes: Axes) -> None:
        for option in options:
            outlines = _outlines([field for field in fields if field.option == option])
            axes.add_patch(PathPatch(outlines, gid=f"od-f{option % 4}"))
        if never:
            axes.add_patch(PathPatch(_strokes(never, max(1, round(len(each.lines) / STROKES))), gid="od-hatch"))
        axes.set_xlim(each.lines[0].at[0] - 0.5, each.lines[-1].at[0] + 0.5)
        axes.set_ylim(floor - 0.5, ceiling - 0.5)
        if drawn and number is not None:
            axes.axhline(number - 0.5, gid="od-l1")

    words = f"Best action by {across} (across) and {down.name} (up): {_finding(strategy, each, across)}"
    keys = [(f"od-f{option % 4}", strategy.options[option]) for option in options]
    keys += [("od-hatch", "best play never gets there")] if never else []
    if drawn:
        keys.append(("od-l1", f"the best single number: {number} or more"))
        words += f" The best single number is {number}."
    return figure_of(picture(plot, across, down.name, words), keys)


def _number(strategy: Strategy, rule: NumberRule | None) -> int | None:
    """The number of a rule that is about this strategy."""
    if rule is None or rule.always or strategy.down is None or rule.phase != strategy.decisions.phase:
        return None
    return rule.number if rule.feature.key == strategy.down.key else None


def _reached(strategy: Strategy, each: Table) -> set[tuple[int, int]]:
    """The cells of a table that best play reaches."""
    assert strategy.down is not None
    played = strategy.decisions.played
    mine = np.zeros(len(played), dtype=bool)
    for where in each.where:
        fits = played.copy()
        for feature, value in zip(strategy.split, where, strict=True):
            fits &= np.isin(feature.column, [code for code in np.unique(feature.column) if feature.show(code) == value])
        mine |= fits
    return set(zip(strategy.across[0].column[mine].tolist(), strategy.down.column[mine].tolist(), strict=True))


def _finding(strategy: Strategy, each: Table, across: str) -> str:
    """The thresholds at the two ends of best play, or the range of all."""
    points = [(at[0], threshold) for at, threshold in strategy.thresholds(each).items()]
    if not points:
        taken = sorted({run.option for line in each.lines for run in line.runs if run.played} - {VARIES})
        return f"always {strategy.options[taken[0]]}." if len(taken) == 1 else "there is no single threshold."
    above = strategy.options[strategy.above]
    low, high = min(threshold for _, threshold in points), max(threshold for _, threshold in points)
    words = f"{'mostly ' * bool(each.exceptions)}{above} from {low}{f' to {high}' * (high > low)} on"
    (first, start), (last, end) = points[0], points[-1]
    return (
        f"{words}: from {start} where {across} is {first}, from {end} where it is {last}."
        if high > low
        else f"{words}."
    )


def _window(strategy: Strategy, each: Table) -> tuple[int, int]:
    """The stretch of the stopping variable that is drawn: from its least to somewhat above the highest threshold."""
    low = min(run.first for line in each.lines for run in line.runs)
    top = max(run.last for line in each.lines for run in line.runs)
    found = strategy.range()
    ceiling = min(top, found[1] + max(6, (found[1] - low) // 3)) if found else top
    return low, max(ceiling + 1, low + 2)


def _joined(lines: Sequence[Line], floor: int, ceiling: int) -> list[Field]:
    """The fields of all columns; neighbours that are the same are one."""
    done: list[Field] = []
    growing: dict[tuple[int, int, int], Field] = {}
    for line in lines:
        at = line.at[0]
        here = {}
        for low, below, option in _runs(line, floor, ceiling):
            before = growing.get((low, below, option))
            first = before.first if before and before.last == at - 1 else at
            here[low, below, option] = Field(first, at, low, below, option)
        done += [field for key, field in growing.items() if key not in here or here[key].first == at]
        growing = here
    return [*done, *growing.values()]


def _runs(line: Line, floor: int, ceiling: int) -> Iterator[tuple[int, int, int]]:
    """The runs of a column within the window: from, below, option."""
    for run, following in zip(line.runs, [*line.runs[1:], None], strict=True):
        low, below = max(run.first, floor), min(following.first if following else run.last + 1, ceiling)
        if run.option != VARIES and below > low:
            yield low, below, run.option


def _cells(field: Field) -> Iterator[tuple[int, int]]:
    return product(range(field.first, field.last + 1), range(field.low, field.below))


def _outlines(fields: Sequence[Field]) -> Path:
    """Fields as one path, which is shorter than one for each."""
    made = []
    for field in fields:
        left, right, low, top = field.first - 0.5, field.last + 0.5, field.low - 0.5, field.below - 0.5
        made.append(Path([(left, low), (left, top), (right, top), (right, low), (left, low)], closed=True))
    return Path.make_compound_path(*made)


def _strokes(cells: set[tuple[int, int]], apart: int) -> Path:
    """Slanting strokes over cells. A pattern of the picture format would need a name that no other picture has."""
    made = []
    for x, y in sorted(cells):
        if (x - y) % apart == 0 and (x - 1, y - 1) not in cells:
            end = next(size for size in range(1, len(cells) + 1) if (x + size, y + size) not in cells)
            made.append(Path([(x - 0.5, y - 0.5), (x + end - 0.5, y + end - 0.5)]))
    return Path.make_compound_path(*made)
