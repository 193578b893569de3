"""Turns on many sheets at once, a column for each: how likely they end in which way, by what they add to a sum.

Turns are solved again, and a witness sees which actions are taken. Then a chance of 1 flows from the beginning of every turn
along what is taken to the border, and from each place of it to the sheet of the next turn.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix

from oddsmith.arrays import Ints, Mask, arange, bincount, reduceat
from oddsmith.errors import DisagreementError, Signal
from oddsmith.graph import Following, different
from oddsmith.solve.arenas import Arena
from oddsmith.solve.numbers import Limbs
from oddsmith.solve.stages import MOST_WHOLE, Begins, Best, Columns, Inner, Turn, Turnwise, following

Floats = NDArray[np.float64]

WIDE = 31  # bits of what one mover adds, in a number that says it for all movers


@dataclass(frozen=True, eq=False)
class Adds:
    """What a transition adds to a sum, for every seat that may be to move: one number tells it for all.

    ``paid``: by numbers of payoffs; ``mark``, ``marked``: a bit of entries that are counted, and what each adds; ``turn``: what
    the end of a turn adds. ``avoid``: the bit of an entry; plays that take it are left out.
    """

    paid: Ints
    mark: int
    marked: int
    turn: int
    avoid: int

    def of(self, paid: Ints, marks: Any, over: bool) -> Ints:
        """What some transitions add, by their payoffs and marks. ``over``: whether they end a turn."""
        found: Ints = self.paid[paid] + self.marked * (np.asarray(marks) & self.mark != 0) + self.turn * over
        return found

    @staticmethod
    def by(code: int, mover: int) -> int:
        """What is added for one mover (from 0)."""
        for _ in range(mover):
            code = (code - Adds.by(code, 0)) >> WIDE
        return (code + (1 << WIDE - 1)) % (1 << WIDE) - (1 << WIDE - 1)


@dataclass(frozen=True, eq=False)
class _Layer:
    """The laws of a layer of a turn.

    ``laws``: of every position the laws of its actions, shape (positions, actions). ``pushes``: by what is added, the weights
    with which mass of laws comes to places, shape (places, laws).
    """

    states: Ints
    laws: Ints
    denominator: Floats
    pushes: list[tuple[int, csr_matrix]]


@dataclass(frozen=True, eq=False)
class Turns:
    """Turns to be followed. ``roundings``: how many a way through a turn passes at most. ``least``: the least chance in it.

    ``other``: the same turn where another payoff is paid, if that is asked about. Then what the end of the game adds is the
    number of what is paid.
    """

    columns: Columns
    adds: Adds
    layers: Sequence[_Layer]
    roundings: int
    least: float
    other: Turn | None = None


def turns_of(course: Turnwise, adds: Adds) -> Turns:
    """The turns of a game, with transitions that add different numbers kept apart."""
    graph, border = course.turn.graph, course.turn.border.shape[1]
    added = (graph.marks & adds.avoid != 0).astype(np.int64) + 2 * adds.of(
        graph.payoff.astype(np.int64), graph.marks, over=False
    )
    pairs, which = np.unique(np.stack([graph.payoff.astype(np.int64), added]), axis=1, return_inverse=True)
    apart = replace(course.turn, graph=replace(graph, payoff=which.reshape(-1)))
    pay = course.columns.pay[:, : course.seats]
    inner = Inner(apart, Arena.of(apart.graph, border), course.point, pay[:, :, pairs[0]], course.rounded)
    layers, came = list[_Layer](), np.zeros(inner.count, dtype=np.int64)
    for each in inner.layers:
        law, target, pair, weight = each.edges
        pushes = list[tuple[int, csr_matrix]]()
        for code in different(pairs[1][pair]).tolist():
            if code & 1:  # taken by no play that counts
                continue
            some = pairs[1][pair] == code
            shape = inner.count, len(each.denominator)
            pushes.append((code >> 1, csr_matrix((weight[some].astype(float), (target[some], law[some])), shape=shape)))
            came += bincount(target[some], minlength=inner.count) + 1
        layers.append(_Layer(each.states, each.table, each.denominator.astype(float), pushes))
    # A way passes a law of each layer, to which so many positions add, and a place, to which so many laws add.
    gathered = [int(bincount(np.concatenate(list(each.slots))).max()) for each in inner.layers]
    arrived = [int(came[each.states].max()) for each in inner.layers]
    roundings = sum(gathered) + sum(arrived) + int(came.max()) + 4 * (len(layers) + 1)
    least = float(np.prod([1 / layer.denominator.max() for layer in layers]))
    return Turns(replace(course.columns, pay=pay, inner=inner, more=0), adds, layers, roundings, least)


# --- turns on some sheets


@dataclass(frozen=True, eq=False)
class Leaving:
    """How turns on some sheets end: the sheet, where they lead to, what they add, and how likely that is.

    ``landing``: the number of the next sheet times the seats, and how many places the mover moves on; -1: the end. ``merged``:
    of how many numbers a chance is the sum at most.
    """

    sheet: Ints
    landing: Ints
    code: Ints
    chance: Floats
    merged: int

    def where(self, some: Ints | Mask) -> Leaving:
        """A part of it, by places or by a mask."""
        return Leaving(self.sheet[some], self.landing[some], self.code[some], self.chance[some], self.merged)


Some = tuple[Turns, Ints, Begins | None, int, Ints]
"""Turns on sheets: their keys, what comes later and how far that may be off, and the numbers of the sheets."""


def follow(task: Some) -> Leaving:
    """How turns end that begin on some sheets."""
    turns, sheets, later, radius, _ = task
    seen = _Seen(turns, sheets, later, 2 * radius)
    turns.columns.solved(sheets, later, radius, seen)
    return seen.leaving()


class OnTheWay(Signal):
    """Another payoff is paid before the end."""


class _Seen:
    """A witness that follows what is taken."""

    def __init__(self, turns: Turns, sheets: Ints, later: Begins | None, reach: int) -> None:
        self.turns, self.later, self.reach = turns, later, reach
        self.others = following(turns.other, sheets) if turns.other else None
        shape = turns.columns.turn.border.shape[1], sheets.shape[1]
        self.landing, self.code = np.full(shape, -1, dtype=np.int64), np.zeros(shape, dtype=np.int64)
        self.counts = np.ones(shape, dtype=bool)
        self.place, self.held = -1, self._fresh()
        self.parts, self.merged = list[tuple[Ints, Ints, Ints, Floats]](), 1

    def _fresh(self) -> Best:
        columns = self.turns.columns
        x = columns.point.zeros(1, self.landing.shape[1])
        x[0] = -columns.sign * MOST_WHOLE  # worse than anything
        return Best(columns.point, x, self.reach, columns.sign)

    def border(self, place: int, each: Following, worth: Limbs) -> None:
        """Take what is better for certain than what was taken before."""
        if place != self.place:
            self.place, self.held = place, self._fresh()
        other = next(self.others)[1] if self.others else None
        if other and not (same(other.source, each.source) and same(other.keys, each.keys) and other.by == each.by):
            raise DisagreementError("a turn does not lead to the same where another payoff is paid")
        better = self.held.beat(each.source, worth[:, :1])
        where = place, each.source[better]
        if not better.any():
            return
        adds, seats = self.turns.adds, self.turns.columns.seats
        self.landing[where] = -1
        if each.keys is not None and self.later is not None:
            self.landing[where] = self.later.numbers(each.keys[:, better]) * seats + each.by
        self.code[where] = other.paid[better] if other else adds.of(each.paid[better], each.marks, over=True)
        if other and other.keys is not None and other.paid.any():
            raise OnTheWay
        self.counts[where] = not each.marks & adds.avoid

    def inner(self, first: int, picks: Sequence[Ints]) -> None:
        """Follow turns on some sheets from their beginning to the border."""
        inner, count = self.turns.columns.inner, picks[0].shape[1]
        start = np.zeros((inner.count, count))
        start[inner.places[0]] = 1
        mass = {0: start}
        for layer, pick in zip(reversed(self.turns.layers), reversed(picks), strict=True):
            law = layer.laws[arange(len(pick))[:, None], pick] * count + arange(count)
            size = len(layer.denominator) * count
            for code, held in list(mass.items()):
                gathered = bincount(law.reshape(-1), held[layer.states].reshape(-1), size).reshape(-1, count)
                share = gathered / layer.denominator[:, None]
                for more, push in layer.pushes:
                    mass.setdefault(code + more, np.zeros_like(start))
                    mass[code + more] += push @ share
        self._merge([self._left(first, code, held[inner.inner :]) for code, held in mass.items()])

    def _left(self, first: int, code: int, border: Floats) -> tuple[Ints, Ints, Ints, Floats]:
        """What leaves from the border of some sheets, after so much was added within the turn, as ``Leaving`` tells it."""
        here = np.s_[:, first : first + border.shape[1]]
        place, sheet = np.nonzero((border > 0) & self.counts[here])
        found = self.landing[here][place, sheet], self.code[here][place, sheet] + code, border[place, sheet]
        return sheet + first, *found

    def _merge(self, parts: Sequence[tuple[Ints, Ints, Ints, Floats]]) -> None:
        """Note what leaves from the same sheets, and make one of what agrees in all but its chance."""
        sheet, landing, code, chance = map(np.concatenate, zip(*parts, strict=True))
        order = np.lexsort((code, landing, sheet))
        told = np.stack([sheet, landing, code])[:, order]
        starts = np.flatnonzero(np.append(True, (told[:, 1:] != told[:, :-1]).any(axis=0)))[: len(order)]
        if len(starts):
            self.merged = max(self.merged, int(np.diff(np.append(starts, len(order))).max()))
        summed = reduceat(np.add, chance[order], starts) if len(starts) else chance
        self.parts.append((*told[:, starts], summed))

    def leaving(self) -> Leaving:
        """What was found on all sheets."""
        sheet, landing, code, chance = (np.concatenate(each) for each in zip(*self.parts, strict=True))
        return Leaving(sheet, landing, code, chance, self.merged)


def same(one: Ints | None, other: Ints | None) -> bool:
    """Whether two arrays are the same, or both are missing."""
    return one is other or (one is not None and other is not None and np.array_equal(one, other))
