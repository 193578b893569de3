"""How a number of a game is distributed where a turn is the same on every sheet: mass flows through turns, sheet by sheet.

Sheets are the states of a chain, and turns its transitions. They are never in memory together: of one layer at a time every
sheet has its mass for each sum so far, and what turns on it lead to is worked out when that flows on.

Masses are floats, and nothing is ever subtracted: see ``FloatLaw`` for what that proves. It fails only for numbers smaller
than floats of full precision can be. An operation then loses less than 2^-1000, and all of them together less than ``TINY``.

Where a turn may leave the sheet as it was, mass goes round within a layer until less than ``TAIL`` of it is left, which is
lost. Then no play has a last turn. So the chances of all numbers of turns flow along. Plays that last longer than all but
``TAIL`` of them count as lost, and those that do not pass so many roundings at most.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np
from scipy.sparse import csr_matrix

from oddsmith.arrays import Ints, arange, bincount, cumsum
from oddsmith.errors import Signal
from oddsmith.graph import different
from oddsmith.progress import Progress
from oddsmith.sharing import Share, completed
from oddsmith.solve.stages import Begins, Turnwise
from oddsmith.solve.stages.along.turning import WIDE, Adds, Floats, Leaving, Some, Turns, follow

SHEETS = 1 << 13  # whose turns are followed together
MOST_SUMS = 20_000  # by which masses are told apart
FULL = -1000  # binary exponent down to which floats have their full precision, and to spare
TINY = Fraction(1, 1 << 900)
TAIL = 2.0**-80
MOST_ROUNDS = 20_000  # that mass goes within a layer
APART = 1e-6  # from 1: how near the chance to come back twice may be


class Slow(Signal):
    """Mass goes round nearly for ever, or there are too many sums."""


class _Masses:
    """Masses of rows by sums, which may begin below 0: shape (rows, sums)."""

    def __init__(self, rows: int) -> None:
        self.x, self.first = np.zeros((rows, 0)), 0
        self.added = np.zeros(rows, dtype=np.int64)

    def widen(self, first: int, end: int) -> None:
        """Make room for sums from ``first`` on, before ``end``. Slow."""
        if not self.x.shape[1]:
            self.first = first
        before, after = max(0, self.first - first), max(0, end - self.first - self.x.shape[1])
        if before or after:
            if before + after + self.x.shape[1] > MOST_SUMS:
                raise Slow
            self.x = np.pad(self.x, ((0, 0), (before, after)))
            self.first -= before

    def add(self, rows: Ints, first: int, x: Floats) -> None:
        """Add to some rows, each once, masses of sums from ``first`` on, for which there is room."""
        self.x[rows, first - self.first : first - self.first + x.shape[1]] += x

    def land(self, rows: Ints, first: int, leaving: Leaving, held: Floats) -> None:
        """Add to rows, by what leads to each, what was held where that leaves. Slow."""
        rows, place, adds = np.unique(rows, return_inverse=True, return_counts=True)
        moves = csr_matrix((leaving.chance, (place.reshape(-1), leaving.sheet)), shape=(len(rows), len(held)))
        self.widen(first, first + held.shape[1])
        self.add(rows, first, np.asarray(moves @ held))
        self.added[rows] += adds + 1

    def trim(self) -> None:
        """Without sums at either end that have no mass."""
        held = np.flatnonzero(self.x.any(axis=0))
        if len(held):
            self.first += int(held[0])
            self.x = self.x[:, held[0] : held[-1] + 1]


@dataclass(frozen=True, eq=False)
class Flow:
    """What flowed to the end: ``mass`` by sum. ``roundings``: how many a way passes at most. ``lost``: as in ``FloatLaw``.

    ``turns``: no less than how many come on average from wherever play may be. ``reached``: the largest sum, in size, that
    plays had when they were lost.
    """

    mass: dict[int, Fraction]
    roundings: int
    lost: Fraction
    turns: float
    reached: int


class _Stream:
    """The masses of one number. ``numbered``: what is added tells what is paid, and stands with the mover for a sum."""

    def __init__(self, course: Turnwise, numbered: bool) -> None:
        self.seats, self.numbered, self.layers = course.seats, numbered, course.sheets.layers
        self.waiting, self.ended = dict[int, _Masses](), dict[int, Fraction]()
        self.lost, self.reached, self.smallest = Fraction(0), 0, 1.0
        first = self.of(0)
        first.widen(0, 1)
        first.add(arange(1), 0, np.ones((1, 1)))

    def of(self, layer: int) -> _Masses:
        """The masses that wait at a layer."""
        if layer not in self.waiting:
            self.waiting[layer] = _Masses(self.seats * self.layers[layer].count)
        return self.waiting[layer]

    def carry(self, masses: _Masses, sheets: Ints, leaving: Leaving, ahead: range) -> int:
        """Let the masses of some sheets flow on; of how many numbers a mass that ends is the sum at most. Slow.

        ``ahead``: the layers whose sheets are numbered one after another in ``leaving``.
        """
        most, starts = 0, cumsum([0, *(self.seats * self.layers[layer].count for layer in ahead)])
        which = np.where(leaving.landing < 0, -1, np.searchsorted(starts, leaving.landing, side="right") - 1)
        for mover in range(self.seats):
            held = masses.x[sheets * self.seats + mover]
            if not held.any() or not len(leaving.code):
                continue
            self.smallest = min(self.smallest, float(held[held > 0].min()) * float(leaving.chance.min(initial=1)))
            for code, some in _by_code(leaving.code):
                first = masses.first + (0 if self.numbered else Adds.by(code, mover))
                for place, part in _by_code(which[some]):
                    here = leaving.where(some[part])
                    if place < 0:
                        begin = code * self.seats + mover if self.numbered else first
                        most = max(most, len(part))
                        self._end(begin, here.chance @ held[here.sheet])
                    else:
                        rows = here.landing - starts[place]
                        rows += (rows % self.seats + mover) % self.seats - rows % self.seats
                        self.of(ahead[place]).land(rows, first, here, held)
        return most

    def _end(self, begin: int, mass: Floats) -> None:
        for total, each in enumerate(mass.tolist(), begin):
            if each:
                self.ended[total] = self.ended.get(total, Fraction(0)) + Fraction(each)

    def settle(self, layer: int, sheets: Ints, own: Leaving, ahead: range) -> None:
        """Let mass go round within a layer until hardly any moves. Slow.

        ``own``: what leads from its sheets to its sheets.
        """
        moving = total = self.of(layer)
        del self.waiting[layer]
        for _ in range(MOST_ROUNDS):
            self.carry(moving, sheets, own, ahead)
            moving = self.waiting.pop(layer, _Masses(0))
            moving.trim()
            left = float(moving.x.sum())
            if left <= TAIL:
                self.lost += 2 * Fraction(left)
                self.reached = max(self.reached, abs(moving.first), abs(moving.first + moving.x.shape[1]))
                self.waiting[layer] = total
                return
            total.widen(moving.first, moving.first + moving.x.shape[1])
            total.add(arange(len(total.x)), moving.first, moving.x)
            total.added += moving.added + 1
        raise Slow


def flow(course: Turnwise, turns: Turns, share: Share, tell: Progress) -> Flow:
    """What flows along best play from the first sheet to the end. Raises OnTheWay and Slow."""
    asked, returning, done = _Stream(course, turns.other is not None), bool(course.sheets.back), 0
    streams = [asked, _Stream(course, numbered=False)] if returning else [asked]
    each_turn, most, lasting, step = 0, 0, 0.0, min(SHEETS, course.step)
    for number, layer in enumerate(course.sheets.layers):
        masses, keys = asked.of(number), layer.keys.filled
        sheets = np.flatnonzero(masses.x.any(axis=1).reshape(-1, course.seats).any(axis=1))
        if returning:
            back = course.sheets.back[number][sheets]
            sheets = different(np.concatenate([sheets, back[back >= 0]]))
        (later, radius, _), ahead = course.later(number), course.ahead(number)
        begins = Begins(later.keys, later.x[:, :, : course.seats]) if later else None
        parts = [sheets[first : first + step] for first in range(0, len(sheets), step)]
        tasks = [(turns, keys[:, part], begins, radius, part) for part in parts]
        merged, found = 1, _in_order(completed(share, follow, tasks), parts)
        if returning and parts:
            found, longest = _gone_round(number, [*found], streams, ahead)
            lasting += longest
        for part, leaving in found:
            counted = leaving.merged + asked.carry(masses, part, leaving, ahead)
            if returning:
                streams[1].carry(streams[1].of(number), part, _one_each(leaving, course.seats), ahead)
            merged = max(merged, counted)
            done += len(part)
            tell("following play", done, course.sheets.count)
        done = sum(each.count for each in course.sheets.layers[: number + 1])  # play comes to some of the sheets only
        passed = turns.roundings + merged + int(masses.added.max(initial=0)) + 2
        each_turn, most = max(each_turn, passed), most + passed
        for stream in streams:
            stream.waiting.pop(number, None)
        course.records.drop(number + 1)
    lost = Fraction(0) if min(stream.smallest for stream in streams) > 2.0**FULL else TINY
    reached = max([asked.reached, *map(abs, asked.ended)])
    if not returning:
        return Flow(asked.ended, most, lost, len(course.sheets.layers), reached)
    longest, beyond = _longest(streams[1])
    return Flow(asked.ended, each_turn * longest, lost + asked.lost + beyond, lasting, reached)


def _longest(turns: _Stream) -> tuple[int, Fraction]:
    """How many turns all plays have but very few, and no less than twice the chance of those."""
    beyond = turns.lost
    for count in sorted(turns.ended, reverse=True):
        if beyond + turns.ended[count] > TAIL:
            return count, 4 * beyond
        beyond += turns.ended[count]
    return 1, 4 * beyond


def _one_each(leaving: Leaving, seats: int) -> Leaving:
    """The same where every turn adds 1, whoever moves."""
    return replace(leaving, code=np.full_like(leaving.code, sum(1 << WIDE * mover for mover in range(seats))))


def _gone_round(
    number: int, parts: Sequence[tuple[Ints, Leaving]], streams: Sequence[_Stream], ahead: range
) -> tuple[Iterator[tuple[Ints, Leaving]], float]:
    """Let mass go round in a layer: what leads on from it, and no less than how many turns it takes on average to leave it.

    Slow.
    """
    seats, layers = streams[0].seats, streams[0].layers
    first = seats * sum(layers[layer].count for layer in ahead if layer < number)
    end = first + seats * layers[number].count
    sheets = np.concatenate([part for part, _ in parts])
    own, begin = list[Leaving](), 0
    for part, leaving in parts:
        inside = leaving.where((leaving.landing >= first) & (leaving.landing < end))
        own.append(replace(inside, sheet=inside.sheet + begin))
        begin += len(part)
    sheet, landing, code, chance = (
        np.concatenate([getattr(each, name) for each in own]) for name in ("sheet", "landing", "code", "chance")
    )
    comes_back = bincount(sheet, chance, len(sheets))
    to = np.searchsorted(sheets, (landing - first) // seats)
    twice = float((comes_back[sheet] * comes_back[to]).max(initial=0))
    if twice > 1 - APART:
        raise Slow
    back = Leaving(sheet, landing, code, chance, merged=1)
    for stream, each in zip(streams, (back, _one_each(back, seats)), strict=True):
        stream.settle(number, sheets, each, ahead)
    rest = ((part, each.where((each.landing < first) | (each.landing >= end))) for part, each in parts)
    return rest, 2 / (1 - twice - APART / 2)


def _in_order(found: Iterator[tuple[Some, Leaving]], parts: Sequence[Ints]) -> Iterator[tuple[Ints, Leaving]]:
    """What was found for each part, in their order, so that sums are the same however many share the work."""
    early = dict[int, Leaving]()
    for part in parts:
        while int(part[0]) not in early:
            (*_, other), leaving = next(found)
            early[int(other[0])] = leaving
        yield part, early.pop(int(part[0]))


def _by_code(code: Ints) -> Iterator[tuple[int, Ints]]:
    """Each of some numbers, with its places."""
    order = np.argsort(code, kind="stable")
    found, starts = np.unique(code[order], return_index=True)
    return zip(found.tolist(), np.split(order, starts[1:]), strict=True)
