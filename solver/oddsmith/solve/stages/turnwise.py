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

from oddsmith.arrays import Ints, arange, repeat
from oddsmith.errors import DisagreementError, TooFineError
from oddsmith.graph import Following, KeyIndex, different
from oddsmith.progress import Progress
from oddsmith.solve.numbers import FixedPoint, Limbs
from oddsmith.solve.stages.inner import Best, Inner
from oddsmith.solve.stages.kept import Around, Record, Records, joined
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

    ``digits``: how many decimal digits values should have. ``memory``: bytes that it may need. With few it works on fewer
    sheets at a time.
    """

    def __init__(self, turn: Turn, sheets: Sheets, digits: int, records: Records, memory: int | None = None) -> None:
        self.turn, self.sheets, self.digits, self.records = turn, sheets, digits, records
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
        self.point = FixedPoint.of(max(LEAST_PLACES, SPARE_PLACES + digits * 10 // 3), times)
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
        place = self._index(self._begin(key)).known(key)[0] if self._layer(self._begin(key)) is not None else -1
        return None if place < 0 else int(place)

    def around(self, key: Ints) -> Around | None:
        """The turn on the sheet of a state, solved as a game of its own."""
        number = self.find(key)
        if number is None:
            return None
        graph, beside = self.turn.explorer.around(self._index(self._begin(key)).keys.filled)
        known = self.known(beside)[0] if beside.shape[1] else None
        arena = Arena.of(graph, beside.shape[1])
        solved = Solver(arena, unique_values=True, digits=self.digits, known=known).solve()
        return graph, solved.bounds, number, int(solved.rows[number] - graph.state_rows[number])

    def known(self, keys: Ints) -> tuple[Known, Known]:
        """Values and turns of beginnings of turns, all of one layer, by their keys."""
        layer = self._layer(keys)
        record = None if layer is None else self.records.get(layer)
        if record is None:
            raise DisagreementError("sheets are needed before they are solved, or lie in several layers")
        numbers = record.numbers(keys)
        values, turns = (
            joined(len(numbers), [(arange(len(numbers)), each, numbers)]) for each in (record.values, record.turns)
        )
        return values, turns

    def _layer(self, keys: Ints) -> int | None:
        """The layer that has all of these beginnings of turns."""
        found = (number for number, layer in enumerate(self.sheets.layers) if (layer.known(keys) >= 0).all())
        return next(found, None)

    def _begin(self, key: Ints) -> Ints:
        """The beginning of the turn on the sheet of a state."""
        return self.turn.begins(key)

    def _index(self, begin: Ints) -> KeyIndex:
        """The numbers of all positions of a turn."""
        return _index(self.turn.keys + self.turn.shifts(begin))

    def solve(self, stage: int, tell: Progress) -> Record:
        """The record of a layer."""
        started, layer = perf_counter(), stage
        later = self.records.get(layer + 1) if layer + 1 < len(self.sheets.layers) else None
        keys, turn = self.sheets.layers[layer].keys.filled, self.turn
        count, undecided = keys.shape[1], 0
        x = self.point.zeros(count, self.seats)
        radius = (int(later.values.radius.max()) if later else 0) + self.rounded
        exponents = self.inner.exponents + (later.values.exponents.max(axis=0) if later else 0)
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
        inner = self.turn.graph.states
        values = self.point.zeros(self.seats, self.turn.states, sheets.shape[1])
        undecided = self._border(sheets, values[:, :, inner:], later, 2 * radius)
        undecided += self.inner.solve(values, 2 * (radius + self.inner.radius))
        return values[:, :, 0].transpose(0, 2, 1), undecided

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
