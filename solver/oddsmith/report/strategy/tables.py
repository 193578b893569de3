"""When to stop, as plain data: the tables of a phase with their lines, thresholds and exceptions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import inf

from oddsmith.report.english import joined
from oddsmith.report.strategy.decisions import Feature
from oddsmith.report.strategy.shares import Shares

VARIES = -1
"""As a cell's option: it depends on something that the table leaves out. Where the ruleset lays out no table of its own, this
happens only where best play never gets."""


Met = tuple[tuple[int, int], ...]
"""Stretches of a line, each with its first and its last value."""


@dataclass(frozen=True)
class Run:
    """The same option from ``first`` to ``last``. ``played``: whether best play reaches any of it."""

    first: int
    last: int
    option: int
    played: bool


@dataclass(frozen=True)
class Line:
    """One column of the table: the other variables fixed at ``at``, the runs of the stopping variable ascending."""

    at: tuple[int, ...]
    runs: tuple[Run, ...]

    @property
    def played(self) -> bool:
        """Whether best play reaches it."""
        return any(run.played for run in self.runs)


@dataclass(frozen=True)
class Segment:
    """Neighbouring lines with one threshold: from ``threshold`` on the second option, below it the first.

    None: there, only one option is ever taken, ``always``.
    """

    first: int
    last: int
    threshold: int | None
    always: int | None
    played: bool


@dataclass(frozen=True)
class Grid:
    """A table without loss: rows and columns as (first, last), cells as (option, played), None where play cannot come."""

    rows: tuple[tuple[int, int], ...]
    columns: tuple[tuple[int, int], ...]
    cells: Mapping[tuple[int, int], tuple[int, bool]]


@dataclass(frozen=True)
class Table:
    """The decisions of one value of the split variables (``where``: several, if their tables are the same).

    ``met``: for each of the lines where best play gets, as stretches of the stopping variable.
    """

    where: tuple[tuple[str, ...], ...]
    lines: tuple[Line, ...]
    segments: tuple[Segment, ...] = ()
    exceptions: tuple[Line, ...] = ()
    grid: Grid | None = None
    met: tuple[Met, ...] = ()

    def from_there(self, threshold: int) -> str:
        """A threshold and what lies beyond it, if there is anything."""
        top = max((line.runs[-1].last for line in self.lines if line.runs), default=threshold + 1)
        return str(threshold) if threshold == top else f"{threshold} or more"

    def threshold(self, line: Line) -> int:
        """That of a line with a single one: of the segment that it lies in, if there are segments."""
        at = line.at[0] if line.at else 0
        around = (each.threshold for each in self.segments if each.first <= at <= each.last)
        return next((shared for shared in around if shared is not None), line.runs[1].first)


@dataclass(frozen=True)
class Strategy:
    """How to choose in one phase. ``down``: the stopping variable; ``across``: the others; ``below`` and ``above``: options.

    Where there is no such form, ``cases`` may list (values of the needed features, option); where there are too many
    of them both are empty, and only the download holds it all. ``decided``: how many decisions there are; ``met``: how many
    best play comes to; ``constant``: the one option that is always taken there, if there is one; ``shares``: how often best
    play takes each option.
    """

    phase: str
    options: tuple[str, ...]
    decided: int
    met: int
    constant: int | None
    needed: tuple[Feature, ...]
    split: tuple[Feature, ...] = ()
    down: Feature | None = None
    across: tuple[Feature, ...] = ()
    below: int = 0
    above: int = 0
    tables: tuple[Table, ...] = ()
    cases: tuple[tuple[tuple[str, ...], int], ...] = ()
    shares: Shares | None = None

    @property
    def has_thresholds(self) -> bool:
        """Whether every table says: below the threshold one option, from it on the other."""
        return self.down is not None and bool(self.tables) and not any(table.exceptions for table in self.tables)

    def thresholds(self, table: Table) -> dict[tuple[int, ...], int]:
        """The single threshold of each line of a table that has one, where best play gets.

        A line may leave several numbers open. It has that of its segment, where there are segments, else the highest.
        """
        both = (self.below, self.above)
        lines = (line for line in table.lines if line.played and tuple(run.option for run in line.runs) == both)
        return {line.at: table.threshold(line) for line in lines}

    def seen_in(self, table: Table) -> Strategy:
        """The same in the words of one table: if it is for one side alone, things of the others are called by their sides."""
        known = {where[k] for k, feature in enumerate(self.split) if feature.kind == "side" for where in table.where}
        if len(known) != 1:
            return self
        (side,) = known

        def seen(feature: Feature) -> Feature:
            return replace(feature, name=dict(feature.sided).get(side, feature.name))

        down = None if self.down is None else seen(self.down)
        return replace(self, split=tuple(map(seen, self.split)), down=down, across=tuple(map(seen, self.across)))

    def where(self, table: Table) -> str:
        """What a table of a split strategy is for: seat 1, nobody is out. What makes no difference to it is left out."""
        kept, rows = _distinct([where for each in self.tables for where in each.where], table.where)
        features = sorted(
            ((self.split[k], place) for place, k in enumerate(kept)), key=lambda pair: pair[0].kind != "mover"
        )
        return joined([", ".join(feature.being(row[place]) for feature, place in features) for row in rows], "or")

    def range(self) -> tuple[int, int] | None:
        """The least and the greatest threshold where best play gets."""
        found = [threshold for table in self.tables for threshold in self.thresholds(table).values()]
        return (min(found), max(found)) if found else None

    def span(self) -> tuple[int, int] | None:
        """The same; None where more lines have no single threshold than have one."""
        single = sum(len(self.thresholds(table)) for table in self.tables)
        odd = sum(line.played for table in self.tables for line in table.exceptions)
        return self.range() if single >= odd else None

    def window(self, each: Table) -> tuple[int, int]:
        """The stretch of the stopping variable that a picture of a table shows: from the first value to below the second.

        It goes from the least to somewhat above the highest threshold.
        """
        low = min(run.first for line in each.lines for run in line.runs)
        top = max(run.last for line in each.lines for run in line.runs)
        found = self.range()
        ceiling = min(top, found[1] + max(6, (found[1] - low) // 3)) if found else top
        return low, max(ceiling + 1, low + 2)


def bounds(line: Line, below: int, above: int) -> tuple[float, float]:
    """The thresholds that a line leaves open: greater than the first number, at most the second."""
    low, high = -inf, inf
    for run in line.runs:
        if run.option == below and below != above:
            low = run.last
        else:
            high = run.first
    return low, high


def _distinct(
    everything: Sequence[tuple[str, ...]], mine: Sequence[tuple[str, ...]]
) -> tuple[list[int], list[tuple[str, ...]]]:
    """The places of a key that tell ``mine`` from the rest of ``everything``, and mine with these alone."""
    kept = list(range(len(mine[0])))
    for place in range(len(mine[0])):
        rest = [k for k in kept if k != place]
        inside, outside = (
            {tuple(key[k] for k in rest) for key in keys} for keys in (mine, set(everything) - set(mine))
        )
        if not inside & outside:
            kept = rest
    return kept, list(dict.fromkeys(tuple(key[k] for k in kept) for key in mine))
