"""Sheets as columns: what follows a turn on some of them, and what it is worth to begin it there.

Turns on different sheets of a layer do not touch, so several processes may each take some sheets. What they are sent is
small beside the work: the turn, the keys of these sheets, and what the beginnings of later turns are worth.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import groupby
from operator import itemgetter
from typing import Any, Protocol

import numpy as np

from oddsmith.arrays import Ints, cumsum, reduceat, repeat
from oddsmith.graph import Following, KeyIndex, different, ranges
from oddsmith.sharing import Share
from oddsmith.solve.numbers import FixedPoint, Floating, Limbs
from oddsmith.solve.stages.inner import Best, Inner
from oddsmith.solve.stages.kept import Keyed
from oddsmith.solve.stages.sheet import Turn
from oddsmith.solve.stages.walking import looking
from oddsmith.solve.values import Known

MOST_WHOLE = 1 << 31  # of what values and their comparison may be, so that two limbs stay within 64 bits
LEAST_POSITIONS = 1 << 20  # that one process is sent, unless there are fewer: one sheet may take as long as hundreds
PARTS = 3  # of the work of a layer for each process, so that none waits long for the others

REMEMBERED = 1 << 20  # border positions of which it is remembered what follows

Payoff = tuple[Fraction, ...]


@dataclass(frozen=True, eq=False)
class Ahead:
    """What follows turns on some sheets.

    ``keys``: the sheets of the next turns, each once. ``actions``: how many there are at the borders. ``paid``, ``ends``: what
    is paid on the way and at the end. ``thrown``: whether anything is rolled or drawn after a border; then nothing else is
    told.
    """

    keys: Ints
    actions: int
    paid: set[Payoff]
    ends: set[Payoff]
    thrown: bool


def look_ahead(task: tuple[Turn, Ints]) -> Ahead:
    """What follows a turn on some sheets. PlayError where a rule breaks."""
    turn, sheets = task
    after, actions = KeyIndex.of(sheets[:, :0]), 0
    paid, ends = set[int](), set[int]()
    for _, each in following(turn, sheets):
        actions += len(each.source)
        (ends if each.keys is None else paid).update(different(each.paid).tolist())
        if each.thrown:
            return Ahead(sheets[:, :0], 0, set(), set(), thrown=True)
        if each.keys is not None:
            after.add(each.keys)
    payoffs = list(turn.explorer.edges.payoffs)
    return Ahead(
        after.keys.filled, actions, {payoffs[one] for one in paid}, {payoffs[one] for one in ends}, thrown=False
    )


@dataclass(frozen=True, eq=False)
class Begins(Keyed):
    """Beginnings of turns by their keys, and what they are worth: limbs of shape (limbs, sheets, seats)."""

    x: Limbs

    def worth(self, keys: Ints) -> Limbs:
        """What some of them are worth, shape (limbs, seats, sheets). DisagreementError where one is missing."""
        found: Limbs = self.x[:, self.numbers(keys)].transpose(0, 2, 1)
        return found


class Witness(Protocol):
    """Sees which actions there are while turns on some sheets are solved, first at their borders, and then within them."""

    def border(self, place: int, each: Following, worth: Limbs) -> None:
        """What follows a place of the border on some sheets, and what it is worth, shape (limbs, columns, actions)."""

    def inner(self, first: int, picks: Sequence[Ints]) -> None:
        """What is taken within the turns on some sheets, as ``Inner.solve`` tells it."""


@dataclass(frozen=True, eq=False)
class Columns:
    """Works out turns on many sheets at once.

    ``pay``: what payoffs pay, shape (limbs, columns, payoffs); ``whole``: in whole numbers. ``sign``: 1 to gain, -1 to lose.
    ``more``: how many columns come after those of the seats: they are not compared, and do not turn with the seats. ``first``:
    they are those of the first action that may be as good as the best, and not of the best.
    """

    turn: Turn
    inner: Inner
    point: FixedPoint | Floating
    pay: Limbs
    whole: bool
    seats: int
    sign: int
    more: int = 0
    first: bool = False

    @property
    def narrow(self) -> Columns:
        """The columns of the seats alone."""
        own = slice(self.seats)
        return replace(self, more=0, pay=self.pay[:, own], inner=self.inner.paying(self.point, lambda pay: pay[:, own]))

    @property
    def in_floats(self) -> Columns:
        """The same in floats, which propose and prove nothing."""
        point = self.point
        assert isinstance(point, FixedPoint)
        pay = in_floats(point, self.pay)
        inner = self.inner.paying(Floating(), lambda pay: in_floats(point, pay))
        return replace(self, point=Floating(), pay=pay, inner=inner)

    def begins(self, sheets: Ints, later: Begins | None, radius: int) -> tuple[Limbs, int]:
        """What the beginnings of turns on some sheets are worth, shape (limbs, sheets, columns); in how many positions of these
        turns two actions are not told apart. ``radius``: units that values at a border may be off by."""
        values, undecided = self.solved(sheets, later, radius)
        return values[:, :, self.inner.places[0]].transpose(0, 2, 1).copy(), undecided

    def turns(self, sheets: Ints, later: Begins | None, radius: int) -> Limbs:
        """The same of all positions of these turns, shape (limbs, columns, positions of the turn, sheets)."""
        values: Limbs = self.solved(sheets, later, radius)[0][:, :, self.inner.places]
        return values

    def solved(
        self, sheets: Ints, later: Begins | None, radius: int, witness: Witness | None = None
    ) -> tuple[Limbs, int]:
        """What all that stands for positions of these turns is worth, shape (limbs, columns, places of ``inner``, sheets); in
        how many positions two actions are not told apart. The ``witness`` is shown the actions."""
        inner = self.inner
        values = self.point.zeros(self.seats + self.more, inner.count, sheets.shape[1])
        undecided = self._border(sheets, values[:, :, inner.inner :], later, 2 * radius, witness)
        apart = self.seats if self.first else None
        undecided += inner.solve(values, 2 * (radius + inner.radius), witness.inner if witness else None, apart)
        return values, undecided

    def picks(self, known: Known, first: Ints, places: Ints, reach: int) -> Ints:
        """The places of the actions that are taken in some inner positions: the first that is within reach of the best.

        ``known``: values of positions of turns, of which the one of each position begins at ``first``.
        """
        graph, point = self.turn.graph, self.point
        assert isinstance(point, FixedPoint)
        actions = graph.state_rows[places + 1] - graph.state_rows[places]
        rows = ranges(graph.state_rows[places], actions)
        edges = graph.row_edges[rows + 1] - graph.row_edges[rows]
        use = ranges(graph.row_edges[rows], edges)
        target = repeat(repeat(first, actions), edges) + graph.target[use]
        worth = (known.x[:, target, 0] + self.pay[:, 0, graph.payoff[use]]) * graph.weight[use].astype(np.int64)
        worth = point.divide(reduceat(np.add, worth, cumsum(edges) - edges, axis=1), graph.denominator[rows])
        units = [self.sign * point.join(limbs) for limbs in worth.T.tolist()]
        ends, found = cumsum(actions).tolist(), list[int]()
        for start, end in zip([0, *ends], ends, strict=False):
            least = max(units[start:end]) - reach
            found.append(next(place for place, unit in enumerate(units[start:end]) if unit >= least))
        return np.array(found, dtype=np.int64)

    def _border(self, sheets: Ints, x: Limbs, later: Begins | None, reach: int, witness: Witness | None = None) -> int:
        """Fill the values of borders, shape (limbs, seats, places, sheets); in how many two actions are not told apart."""
        x[0] = -self.sign * MOST_WHOLE  # worse than anything
        undecided = 0
        for place, actions in groupby(remembered(self.turn, sheets), itemgetter(0)):
            best = Best(self.point, x[:, :, place], reach, self.sign)
            taken = Best(self.point, best.x.copy(), reach, self.sign) if self.first else None
            for _, each in actions:
                worth = self._worth(each, later)
                best.meet(each.source, worth)
                if taken:
                    taken.beat(each.source, worth)
                if witness:
                    witness.border(place, each, worth)
            if taken:
                best.x[:, self.seats :] = taken.x[:, self.seats :]
            undecided += int(best.near.sum())
        return undecided

    def border_picks(self, keys: Ints, later: Begins | None, reach: int) -> Ints:
        """The places of the actions that are taken at some positions of borders: the first that none beats for certain."""
        x = self.point.zeros(self.seats + self.more, keys.shape[1])
        x[0] = -self.sign * MOST_WHOLE
        best, met = Best(self.point, x, reach, self.sign), np.zeros(keys.shape[1], dtype=np.int64)
        found = met.copy()
        for each in self.turn.explorer.following(keys):
            better = best.beat(each.source, self._worth(each, later))
            found[each.source[better]] = met[each.source[better]]
            met[each.source] += 1
        return found

    def _worth(self, each: Following, later: Begins | None) -> Limbs:
        """What actions at a border are worth, shape (limbs, columns, actions)."""
        worth = self.pay[:, :, each.paid]
        if each.keys is not None:
            assert later is not None
            turned = [(seat - each.by) % self.seats for seat in range(self.seats)]
            held = later.worth(each.keys)
            worth += held[:, [*turned, *range(self.seats, self.seats + self.more)]] if each.by else held
            if not self.whole:
                self.point.carry(worth)
        return worth


def in_floats(point: FixedPoint, x: Limbs) -> Any:
    """Numbers as floats, with one limb."""
    return point.floats(x)[None]


Some = tuple[Columns, Ints, Begins | None, int, int]
"""Sheets to be worked out: by whom, their keys, what comes later and how far that may be off, and the place of the first."""


def work_out(task: Some) -> tuple[Limbs, int]:
    """What the beginnings of turns on some sheets are worth, as ``Columns.begins`` has it."""
    columns, sheets, later, radius, _ = task
    return columns.begins(sheets, later, radius)


def step_of(turn: Turn, count: int, most: int, share: Share) -> int:
    """How many sheets of so many are looked at together: ``most`` at the most, and fewer where several share the work."""
    least = -(-LEAST_POSITIONS // turn.states)
    return most if share.jobs == 1 else min(most, max(least, -(-count // (PARTS * share.jobs))))


def following(turn: Turn, sheets: Ints) -> Iterator[tuple[int, Following]]:
    """What follows the borders of a turn on some sheets, each with the place in the border. PlayError where a rule breaks."""
    shifts = turn.shifts(sheets)
    for place in range(turn.border.shape[1]):
        keys = turn.border[:, place : place + 1] + shifts
        with looking(turn.explorer, keys):
            for each in turn.explorer.following(keys):
                yield place, each


_LAST: list[tuple[Turn, Ints, Sequence[tuple[int, Following]]]] = []
"""The turn and the sheets that this process looked at last, and what follows."""


def remembered(turn: Turn, sheets: Ints) -> Iterable[tuple[int, Following]]:
    """What follows, remembered where that is little: rounds of Newton's method ask for the same sheets again."""
    if sheets.shape[1] * turn.border.shape[1] > REMEMBERED:
        return following(turn, sheets)
    if not _LAST or _LAST[0][0] is not turn or not np.array_equal(_LAST[0][1], sheets):
        _LAST[:] = [(turn, sheets.copy(), list(following(turn, sheets)))]
    return _LAST[0][2]
