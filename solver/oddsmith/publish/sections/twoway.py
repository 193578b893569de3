"""Tables over two variables, in bins where there are many values: thresholds, or the options that are best."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import ceil

from oddsmith.publish.markup import Html, cell, column, row, span, table
from oddsmith.report.strategy import VARIES, Line, Strategy, Table, bounds

BINS = 12  # rows and columns


def ownerless(name: str) -> str:
    """A thing after which its owner comes, if anywhere: `your sack` as sack, else the sack of the other player."""
    owner, mark, thing = name.partition("'s ")
    return f"{thing} of {owner}" if mark else name.removeprefix("your ")


@dataclass(frozen=True)
class _Bins:
    """The lines of a table by the bins of their two variables: columns by the first, rows by the second."""

    strategy: Strategy
    lines: Sequence[Line]

    @cached_property
    def spans(self) -> list[tuple[int, int, int]]:
        """Of each variable the least and the greatest value, and how many go into one bin."""
        found = []
        for which in (0, 1):
            values = [line.at[which] for line in self.lines]
            low, top = min(values), max(values)
            found.append((low, top, max(1, ceil((top - low + 1) / BINS))))
        return found

    def place(self, line: Line) -> tuple[int, int]:
        """Row and column of a line."""
        (first, _, wide), (low, _, width) = self.spans
        return (line.at[1] - low) // width, (line.at[0] - first) // wide

    def table(self, words: str, show: Callable[[list[Line]], Html]) -> Html:
        """The table, each cell as shown."""
        across, second = self.strategy.across
        cells: dict[tuple[int, int], list[Line]] = {}
        for line in self.lines:
            cells.setdefault(self.place(line), []).append(line)
        columns = sorted({k for _, k in cells})
        head = [column(f"{second.name} / {across.name}"), *(column(self._name(0, k)) for k in columns)]
        rows = [
            [row(self._name(1, r)), *(show(cells[r, k]) if (r, k) in cells else cell("") for k in columns)]
            for r in sorted({r for r, _ in cells})
        ]
        return table(words, head, rows)

    def _name(self, which: int, number: int) -> str:
        low, top, width = self.spans[which]
        first = low + number * width
        return span(first, min(first + width - 1, top))


def binned(strategy: Strategy, each: Table) -> Html:
    """Thresholds over two variables, in bins: from the lowest to the highest of each bin."""
    assert strategy.down is not None
    above, below = strategy.options[strategy.above], strategy.options[strategy.below]
    words = f"{above} at this {ownerless(strategy.down.name)} or more; below it {below}. "
    words += "Two numbers are the lowest and the highest threshold within the cell. Best play never reaches pale cells."
    words += " A star marks cells in which some positions have no single threshold." if each.exceptions else ""
    odd = set(each.exceptions)

    def show(lines: list[Line]) -> Html:
        return _bin_cell(
            strategy, [line for line in lines if line not in odd], "*" * any(line in odd for line in lines)
        )

    return _Bins(strategy, each.lines).table(words, show)


def by_two(strategy: Strategy, each: Table, marks: Sequence[str]) -> Html:
    """Which options are best over two variables where the third gives no thresholds; ``marks`` stand for the options."""
    assert strategy.down is not None
    across, second = strategy.across
    words = (
        f"What to do at each {ownerless(second.name)} (down) and {ownerless(across.name)} (across), wherever best play "
    )
    words += f"gets. Where a cell has several marks, it depends on {ownerless(strategy.down.name)} too."

    def show(lines: list[Line]) -> Html:
        found = {run.option for line in lines for run in line.runs if run.played}
        sure = sorted(found - {VARIES})
        text = " ".join([*(marks[option] for option in sure), *("*" for _ in found & {VARIES})])
        return cell(text, cls=f"od-a{sure[0] % 4}" if len(sure) == 1 and VARIES not in found else None)

    return _Bins(strategy, [line for line in each.lines if line.played]).table(words, show)


def _bin_cell(strategy: Strategy, lines: list[Line], star: str) -> Html:
    good = [line for line in lines if line.played]
    pale = None if good else "od-pale"
    thresholds = [bounds(line, strategy.below, strategy.above) for line in (good or lines)]
    if not thresholds:
        return cell(star)
    numbers = [int(high) for low, high in thresholds if high < float("inf") and low > -float("inf")]
    if numbers:
        low, high = min(numbers), max(numbers)
        return cell((str(low) if low == high else f"{low}–{high}") + star, cls=pale)
    return cell(("always" if thresholds[0][0] == -float("inf") else "never") + star, cls=pale)
