"""Tables over two variables: whole, or in bins where there are many values; thresholds, or the options that are best."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import ceil

from oddsmith.publish.markup import Html, cell, column, esc, row, span, table, tag
from oddsmith.report.english import sentence
from oddsmith.report.strategy import VARIES, Grid, Line, Strategy, Table, bounds

BINS = 12  # rows and columns


def ownerless(name: str) -> str:
    """A thing after which its owner comes, if anywhere: `your sack` as sack, else the sack of the other player."""
    owner, mark, thing = name.partition("'s ")
    return f"{thing} of {owner}" if mark else name.removeprefix("your ")


def from_there_on(strategy: Strategy) -> str:
    """What the numbers of a table of thresholds say."""
    assert strategy.down is not None
    above, below = strategy.options[strategy.above], strategy.options[strategy.below]
    name = ownerless(strategy.down.name)
    if strategy.down.verb == "are":
        return sentence(f"{above} at this many {name} or more; with fewer {below}")
    return sentence(f"{above} at this {name} or more; below it {below}")


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
    words = f"{from_there_on(strategy)} Two numbers are the lowest and the highest threshold within the cell. "
    words += "Best play never reaches pale cells."
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


# --- the whole table


def marks(options: Sequence[str]) -> tuple[str, ...]:
    """A mark for each option: the first letter of its name where no other begins so, else what tells it from the others."""
    tried = [_marks(option) or [str(number)] for number, option in enumerate(options, 1)]
    firsts = [mine[0] for mine in tried]
    chosen: list[str] = []
    for number, mine in enumerate(tried):
        others = {mark for other, theirs in enumerate(tried) if other != number for mark in theirs}
        own = mine[:1] if firsts.count(mine[0]) == 1 else [mark for mark in mine if mark not in others]
        free = [mark for mark in mine if mark not in chosen]
        chosen.append((own or free or [str(number + 1)])[0])
    return tuple(chosen)


def _marks(option: str) -> list[str]:
    """What an option may be called: the initials of its words, then its first two and three letters."""
    words = re.findall(r"[^\W_]+", option)
    return [*(word[0].upper() for word in words), *(words[0][:size].capitalize() for size in (2, 3) if words)]


def legend(strategy: Strategy, grid: Grid) -> Html:
    """The key of a grid, with just what is in it."""
    used = {option for option, _ in grid.cells.values()}
    return key(strategy, marks(strategy.options), used, not all(played for _, played in grid.cells.values()))


def key(strategy: Strategy, known: Sequence[str], used: set[int], pale: bool = False) -> Html:
    """What the marks of a table stand for."""
    items = [
        tag("li", tag("span", mark, cls=f"od-a{number % 4}"), Html(" "), esc(name))
        for number, (mark, name) in enumerate(zip(known, strategy.options, strict=True))
        if number in used
    ]
    if VARIES in used:
        items.append(tag("li", tag("span", "*"), Html(" "), "it depends on more than the table shows"))
    if pale:
        items.append(tag("li", tag("span", "pale", cls="od-pale"), Html(" "), "best play never gets there"))
    return tag("ul", *items, cls="od-legend")


def whole(strategy: Strategy, grid: Grid) -> Html:
    down = strategy.down
    assert down is not None
    known = marks(strategy.options)
    across = strategy.across[0].name if strategy.across else ""
    each = "each number of" if down.verb == "are" else "each"
    caption = (
        f"What to do at {each} {ownerless(down.name)}" + (f" (down) and {across} (across)" if across else "") + "."
    )
    head = [column(f"{down.name} / {across}" if across else down.name)]
    head += [column(span(*columns) if across else "best") for columns in grid.columns]
    rows = []
    for number, values in enumerate(grid.rows):
        line = [row(span(*values))]
        for place in range(len(grid.columns)):
            best = grid.cells.get((number, place))
            if best is None:
                line.append(cell(""))
                continue
            option, played = best
            pale = "" if played else "od-pale"
            if option == VARIES:
                line.append(cell("*", cls=pale or None))
            else:
                line.append(cell(known[option], cls=f"od-a{option % 4} {pale}".strip()))
        rows.append(line)
    return table(caption, head, rows)
