"""Games in which a turn is the same on every sheet: forward through their sheets, and backward with a turn in columns.

Every play has as many turns as any other, and what is done at the border of a turn is certain: it leads to the beginning of
a turn on another sheet. So the sheets that a turn begins with lie in layers, by how many turns have been played. Of a layer
only its sheets are kept, and what they are worth. What lies within their turns is worked out again where it is asked for.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from math import lcm
from time import perf_counter

import numpy as np

from oddsmith.arrays import Ints, arange, cumsum, repeat
from oddsmith.errors import DisagreementError, TooFineError
from oddsmith.graph import Explorer, Following, KeyIndex, different
from oddsmith.progress import Progress
from oddsmith.solve.numbers import FixedPoint, Limbs
from oddsmith.solve.stages.inner import Best, Inner
from oddsmith.solve.stages.kept import Around, Contents, Record, Records, joined
from oddsmith.solve.stages.sheet import Turn
from oddsmith.solve.stages.walking import looking
from oddsmith.solve.values import Arena, Known, Solver, bits_of, near

SHEETS = 1 << 16  # looked at together
VALUES = 1 << 27  # limbs that turns on several sheets have at a time
LARGE = 1 << 62  # a box of keys that has no table
LEAST_PLACES, SPARE_PLACES = 60, 20  # binary places: at least, and beyond those of the digits that are wanted
TIMES = 4  # of their values is what turns on several sheets need while they are compared
MOST_WHOLE = 1 << 31  # of what values and their comparison may be, so that two limbs stay within 64 bits


@dataclass
class Sheets:
    """The sheets of a game by layers: the keys of the beginnings of turns, ascending.

    ``actions``: how many there are at the borders of each layer. ``paid``, ``ends``: numbers of payoffs on the way and at
    the end.
    """

    layers: list[KeyIndex] = field(default_factory=list)
    actions: list[int] = field(default_factory=list)
    paid: set[int] = field(default_factory=set)
    ends: set[int] = field(default_factory=set)

    @property
    def count(self) -> int:
        """How many sheets there are."""
        return sum(layer.count for layer in self.layers)

    def find(self, keys: Ints) -> Iterator[tuple[int, Ints, Ints]]:
        """The layers of some sheets, each with the places of its sheets and their numbers there.

        DisagreementError where walking forward did not meet one.
        """
        left = arange(keys.shape[1])
        for number, layer in enumerate(self.layers):
            if len(left):
                numbers = layer.known(keys[:, left])
                if (numbers >= 0).any():
                    yield number, left[numbers >= 0], numbers[numbers >= 0]
                left = left[numbers < 0]
        if len(left):
            raise DisagreementError("play comes to a sheet that walking forward did not meet")

    def contents(self) -> Contents:
        """The sheets as they are kept."""
        counts = [[layer.count for layer in self.layers], self.actions]
        sheets = np.concatenate([layer.keys.filled for layer in self.layers], axis=1)
        return Contents({}, {"layers": np.array(counts, dtype=np.int64), "sheets": sheets})

    @staticmethod
    def of_contents(kept: Contents) -> Sheets:
        """The inverse, without the numbers of payoffs."""
        counts, actions = kept.columns["layers"]
        ends = cumsum(counts)[:-1].tolist()
        return Sheets([_index(keys) for keys in np.split(kept.columns["sheets"], ends, axis=1)], actions.tolist())


def walk_turns(turn: Turn, tell: Progress) -> Sheets | None:
    """The sheets of a game; None where a turn may end in several ways by chance, or plays differ in their turns.

    PlayError where a rule breaks.
    """
    explorer, found = turn.explorer, Sheets()
    found.paid.update(different(turn.graph.payoff).tolist())
    sheets = explorer.start
    while sheets.shape[1]:
        layer, after, actions, ends = _index(sheets), KeyIndex(LARGE, len(sheets)), 0, set[int]()
        done = found.count
        found.layers.append(layer)
        for first in range(0, layer.count, SHEETS):
            for _, each in _following(turn, sheets[:, first : first + SHEETS]):
                if each.rolled:
                    return None
                actions += len(each.source)
                (ends if each.keys is None else found.paid).update(different(each.paid).tolist())
                if each.keys is not None:
                    after.add(each.keys)
            tell("exploring", min(done + first + SHEETS, found.count), found.count + after.count)
        found.actions.append(actions)
        found.ends |= ends
        keys = after.keys.filled
        sheets = keys[:, np.lexsort(keys[::-1])]
        if (ends and after.count) or (turn.begins(sheets) != sheets).any():
            return None
        if any((before.known(sheets) >= 0).any() for before in found.layers):
            return None
    turn.compare(found.layers[-1].keys.filled[:, -1:])
    return found


def _index(keys: Ints) -> KeyIndex:
    index = KeyIndex(LARGE, len(keys))
    index.add(keys)
    return index


def _following(turn: Turn, sheets: Ints) -> Iterator[tuple[int, Following]]:
    """What follows the borders of a turn on some sheets, each with the place in the border. PlayError where a rule breaks."""
    shifts = turn.shifts(sheets)
    for place in range(turn.border.shape[1]):
        keys = turn.border[:, place : place + 1] + shifts
        with looking(turn.explorer, keys):
            for each in turn.explorer.following(keys):
                yield place, each


class Turnwise:
    """Solves the layers of a game from the last to the first.

    ``memory``: bytes that it may need. With few it works on fewer sheets at a time.
    """

    def __init__(self, turn: Turn, sheets: Sheets, records: Records, memory: int | None = None) -> None:
        self.turn, self.sheets, self.records = turn, sheets, records
        self.order: Sequence[int] = range(len(sheets.layers) - 1, -1, -1)
        self.states = sheets.count * turn.states
        self.how = f"turns, the same {turn.states:,} positions on each of {sheets.count:,} sheets"
        explorer = turn.explorer
        arena = Arena.of(turn.graph, turn.border.shape[1])
        payoffs = list(explorer.edges.payoffs)
        flat = [value for payoff in payoffs for value in payoff]
        self.scale = lcm(*(value.denominator for value in flat))
        self.seats, self.sign = arena.seats, arena.sign
        times = int(arena.denominator.max())
        self.point = FixedPoint.of(max(LEAST_PLACES, SPARE_PLACES + records.digits * 10 // 3), times)
        pay, exact = self.point.of_fractions(flat)
        self.pay = pay.reshape(-1, len(payoffs), self.seats).transpose(0, 2, 1).copy()
        self.rounded = 0 if exact else 1
        self.whole = not pay[1:].any()
        self.widest = (MOST_WHOLE - 1) // times
        if int(np.abs(self.pay[0]).max(initial=0)) > self.widest:
            raise TooFineError
        self.inner = Inner(turn, arena, self.point, self.pay, self.rounded)
        room = VALUES if memory is None else min(VALUES, (memory // 8 - self._held()) // TIMES)
        self.step = max(1, room // (self.point.count * self.seats * turn.states))
        self._last: tuple[int, Ints, Known] | None = None

    def contents(self) -> Contents:
        """The turn and all sheets."""
        turn, sheets = self.turn.contents(), self.sheets.contents()
        return Contents(turn.about | sheets.about, turn.columns | sheets.columns)

    @staticmethod
    def of_contents(explorer: Explorer, kept: Contents, records: Records, memory: int | None = None) -> Turnwise:
        """The inverse, for an explorer that numbers payoffs as the one did that found the turn."""
        return Turnwise(Turn.of_contents(explorer, kept), Sheets.of_contents(kept), records, memory)

    def largest(self) -> tuple[int, int, int]:
        """The layer that needs most memory, its states, and about how many bytes it needs."""
        layer = max(self.order, key=lambda each: self.sheets.layers[each].count)
        count = self.sheets.layers[layer].count
        values = self.turn.states * self.point.count * self.seats * min(self.step, count)
        return layer, count * self.turn.states, 8 * (TIMES * values + self._held())

    def _held(self) -> int:
        """How many numbers stand for the sheets of all layers: their keys, and what they are worth."""
        return self.sheets.count * (3 * len(self.turn.border) + self.point.count * self.seats)

    def find(self, key: Ints) -> int | None:
        """The number of a state on its sheet."""
        begin = self.turn.begins(key)
        if all(layer.known(begin)[0] < 0 for layer in self.sheets.layers):
            return None
        place = int(self.turn.places(key)[0])
        return None if place < 0 else place

    def around(self, keys: Ints) -> Around:
        """Some states as a game of their own, whose ends pay what comes next."""
        graph, beside = self.turn.explorer.around(keys)
        known = self._within(beside) if beside.shape[1] else None
        arena = Arena.of(graph, beside.shape[1])
        solved = Solver(arena, unique_values=True, digits=self.records.digits, known=known).solve()
        return Around(graph, solved.bounds, solved.rows, frozenset(solved.undecided))

    def known(self, keys: Ints) -> tuple[Known, Known]:
        """Values and turns of beginnings of turns, by their keys."""
        values, turns = list[tuple[Ints, Known, Ints]](), list[tuple[Ints, Known, Ints]]()
        for layer, here, numbers in self.sheets.find(keys):
            record = self.records.needed(layer)
            values.append((here, record.values, numbers))
            turns.append((here, record.turns, numbers))
        return joined(keys.shape[1], values), joined(keys.shape[1], turns)

    def _within(self, keys: Ints) -> Known:
        """Values of positions, by their keys: of beginnings of turns those that are kept, of others by solving their turns."""
        own = (self.turn.begins(keys) == keys).all(axis=0)
        begins, others = np.flatnonzero(own), np.flatnonzero(~own)
        places = self.turn.places(keys)
        parts = [(begins, self.known(keys[:, begins])[0], arange(len(begins)))] if len(begins) else []
        for here, known, first in self._by_turns(keys[:, others]):
            parts.append((others[here], known, first + places[others[here]]))
        return joined(keys.shape[1], parts)

    def picks(self, keys: Ints) -> Ints:
        """The places of the actions that are taken in some different states."""
        places = self.turn.places(keys)
        count = self.turn.graph.states
        inner, border = np.flatnonzero(places < count), np.flatnonzero(places >= count)
        found = np.zeros(len(places), dtype=np.int64)
        if len(border):
            around = self.around(keys[:, border])
            found[border] = around.rows[: len(border)] - around.graph.state_rows[:-1]
        for here, known, first in self._by_turns(keys[:, inner]):
            found[inner[here]] = self.inner.picks(known, first, places[inner[here]])
        return found

    def _by_turns(self, keys: Ints) -> Iterator[tuple[Ints, Known, Ints]]:
        """What the turns on the sheets of some positions are worth: for some of the keys at a time, by their places.

        Then the values of the turns on their sheets, and where among these the turn of each begins.
        """
        for layer, here, numbers in self.sheets.find(self.turn.begins(keys)):
            sheets, which = np.unique(numbers, return_inverse=True)
            for low in range(0, len(sheets), self.step):
                part = np.flatnonzero((which >= low) & (which < low + self.step))
                known, first = self._turns_of(layer, sheets[low : low + self.step])
                yield here[part], known, first[which[part] - low]

    def _turns_of(self, layer: int, sheets: Ints) -> tuple[Known, Ints]:
        """What the positions of turns on some sheets of a layer are worth, and where the turn on each sheet begins.

        The last turns are remembered: who plays or asks on comes back to them.
        """
        if self._last is None or self._last[0] != layer or not np.isin(sheets, self._last[1]).all():
            later, radius, exponents = self._later(layer)
            x, _ = self._turns(self.sheets.layers[layer].keys.filled[:, sheets], later, radius)
            x = x.transpose(0, 3, 2, 1).reshape(self.point.count, -1, self.seats)
            radii = np.full(x.shape[1], radius + self.inner.radius, dtype=np.int64)
            rows = repeat(exponents[None, :].astype(np.int16), x.shape[1], axis=0)
            self._last = layer, sheets, Known(x, radii, self.point, self.inner.primes, rows, self.scale)
        _, held, known = self._last
        return known, np.searchsorted(held, sheets) * self.turn.states

    def _later(self, layer: int) -> tuple[Record | None, int, Ints]:
        """The record of the layer after one, and at the borders of that one the radius, and for its turns the exponents."""
        later = self.records.needed(layer + 1) if layer + 1 < len(self.sheets.layers) else None
        radius = (int(later.values.radius.max()) if later else 0) + self.rounded
        return later, radius, self.inner.exponents + (later.values.exponents.max(axis=0) if later else 0)

    def solve(self, stage: int, tell: Progress) -> Record:
        """The record of a layer."""
        started, layer = perf_counter(), stage
        later, radius, exponents = self._later(layer)
        keys, turn = self.sheets.layers[layer].keys.filled, self.turn
        count, undecided = keys.shape[1], 0
        x = self.point.zeros(count, self.seats)
        settled = bool(
            near(
                np.array([4 * (radius + self.inner.radius)]),
                bits_of(self.inner.primes, exponents[None, :], self.scale),
                self.point.places,
            )[0]
        )
        for first in range(0, count, self.step):
            part = slice(first, min(first + self.step, count))
            x[:, part], near_ties = self._begins(keys[:, part], later, radius)
            undecided += near_ties
            tell("solving", part.stop * turn.states, count * turn.states)
        if int(np.abs(x[0]).max(initial=0)) > self.widest or 4 * (radius + self.inner.radius) >> self.point.bits:
            raise TooFineError
        radii = np.full(count, radius + self.inner.radius, dtype=np.int64)
        rows = repeat(exponents[None, :].astype(np.int16), count, axis=0)
        left = len(self.sheets.layers) - layer
        return Record(
            keys,
            Known(x, radii, self.point, self.inner.primes, rows, self.scale),
            _whole(left, count),
            np.zeros(count, dtype=np.uint16),
            (
                count * turn.states,
                count * len(turn.graph.target) + self.sheets.actions[layer],
                1,
                0 if settled else undecided,
                perf_counter() - started,
            ),
        )

    def _begins(self, sheets: Ints, later: Record | None, radius: int) -> tuple[Limbs, int]:
        """What the beginnings of turns on some sheets are worth, shape (limbs, sheets, seats); in how many positions of these
        turns two actions are not told apart. ``radius``: units that values at a border may be off by."""
        values, undecided = self._turns(sheets, later, radius)
        return values[:, :, 0].transpose(0, 2, 1), undecided

    def _turns(self, sheets: Ints, later: Record | None, radius: int) -> tuple[Limbs, int]:
        """The same of all positions of these turns, shape (limbs, seats, positions of the turn, sheets)."""
        inner = self.turn.graph.states
        values = self.point.zeros(self.seats, self.turn.states, sheets.shape[1])
        undecided = self._border(sheets, values[:, :, inner:], later, 2 * radius)
        undecided += self.inner.solve(values, 2 * (radius + self.inner.radius))
        return values, undecided

    def _border(self, sheets: Ints, x: Limbs, later: Record | None, reach: int) -> int:
        """Fill the values of borders, shape (limbs, seats, places, sheets); in how many two actions are not told apart."""
        x[0] = -self.sign * MOST_WHOLE  # worse than anything
        undecided, now, best = 0, -1, None
        for place, each in _following(self.turn, sheets):
            if place != now or best is None:
                undecided += int(best.near.sum()) if best else 0
                now, best = place, Best(self.point, x[:, :, place], reach, self.sign)
            worth = self.pay[:, :, each.paid]
            if each.keys is not None:
                assert later is not None
                turned = [(seat - each.by) % self.seats for seat in range(self.seats)]
                held = later.values.x[:, later.numbers(each.keys)].transpose(0, 2, 1)
                worth += held[:, turned] if each.by else held
                if not self.whole:
                    self.point.carry(worth)
            best.meet(each.source, worth)
        return undecided + (int(best.near.sum()) if best else 0)


def _whole(number: int, count: int) -> Known:
    """A whole number as the value of so many states, for one seat."""
    point = FixedPoint(30, 2)
    x = point.zeros(count, 1)
    x[0] = number
    zeros = np.zeros(count, dtype=np.int64)
    return Known(x, zeros, point, (), np.zeros((count, 1), dtype=np.int16), 1)
