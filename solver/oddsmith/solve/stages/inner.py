"""The inner positions of a turn, solved for many sheets at once: their graph is the same for all, so each sheet is a column.

Actions of several positions often have one law: which dice are rolled again matters, and not which hand they are part of.
Each different law is worked out once per sheet, as a sum in whole numbers, and actions are compared by it. Positions whose
actions have the same laws, in the same order, are worth the same on every sheet, and one stands for all of them. That may
make laws of earlier positions the same: so positions are merged from the border of the turn to its beginning.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from copy import copy
from dataclasses import dataclass, replace
from math import lcm
from typing import Any

import numpy as np
from flint import fmpz
from scipy.sparse import csr_matrix

from oddsmith.arrays import Ints, Mask, arange, bincount, cumsum, reduceat, repeat
from oddsmith.graph import StateGraph, different, ranges
from oddsmith.solve.arenas import Arena, layers
from oddsmith.solve.numbers import FixedPoint, Floating, Limbs
from oddsmith.solve.stages.sheet import Turn

COLUMNS = 256  # sheets at a time, so that what is compared stays close to the processor


class Best:
    """The best so far of what the actions of positions are worth to the mover, and whether another comes near it.

    ``x``: carried limbs of shape (limbs, columns, …), the mover first. ``near``: which positions have two actions that no bound
    tells apart. ``reach``: how many units two values may lie apart that may be the same. ``sign``: 1 to gain, -1 to lose.
    """

    def __init__(self, point: FixedPoint | Floating, x: Limbs, reach: int, sign: int) -> None:
        self.point, self.x, self.reach, self.sign = point, x, reach, sign
        self.near = np.zeros(x.shape[2:], dtype=bool)

    def meet(self, where: slice | Ints, worth: Limbs) -> Mask:
        """Actions of some positions, one of each; which are better. ``worth``: shape (limbs, columns, positions, …)."""
        held = self.x[:, :, where]
        better, near = self._compare(worth[:, 0], held[:, 0])
        np.copyto(held, worth, where=better)
        if not isinstance(where, slice):
            self.x[:, :, where] = held
        # What came near to a value that is beaten by far is beaten by far as well.
        self.near[where] = near | (self.near[where] & ~better)
        return better

    def beat(self, where: Ints, worth: Limbs) -> Mask:
        """Actions of some positions, one of each; which are better for certain. Those are the best from now on."""
        better, near = self._compare(worth[:, 0], self.x[:, 0, where])
        better &= ~near
        self.x[:, :, where[better]] = worth[:, :, better]
        return better

    def within(self, where: slice | Ints, worth: Limbs) -> Mask:
        """Which actions of some positions, one of each, are so near the best that they may be as good."""
        return self._compare(worth[:, 0], self.x[:, 0, where])[1]

    def _compare(self, one: Limbs, other: Limbs) -> tuple[Mask, Mask]:
        """Where one value is better than another, and where they may be the same.

        The first two limbs decide unless they differ by a unit at most: what comes after is less than one. Two units of one
        limb stay more than ``2**bits`` units of the next, which is beyond reach.
        """
        bits = self.point.bits
        apart = one[0] - other[0]
        if self.point.count > 1:
            apart <<= bits
            apart += one[1]
            apart -= other[1]
        rest = range(2, self.point.count)
        near = np.abs(apart) <= (max(1, self.reach) if rest else self.reach)
        some = np.nonzero(near)
        if rest and len(some[0]):
            left = apart[some]
            for limb in rest:
                left = (np.clip(left, -2, 2) << bits) + one[limb][some] - other[limb][some]
            apart[some] = left
            near[some] = np.abs(left) <= self.reach
        return apart * self.sign > 0, near


@dataclass(frozen=True, eq=False)
class _Layer:
    """Inner positions that lead to earlier layers alone, those with most actions first, each for all that are like it.

    ``laws``: weights, shape (laws, positions). ``denominator``: of each law; ``pay``: what it pays times that, limbs of shape
    (limbs, columns, laws, 1). ``slots``: the laws of the first, second, … action of the positions that have as many.
    ``edges``: the law, target, payoff and weight of every transition of a law, shape (4, transitions).
    """

    states: Ints
    laws: csr_matrix
    denominator: Ints
    pay: Limbs
    slots: Sequence[Ints]
    edges: Ints

    @property
    def table(self) -> Ints:
        """The laws of the actions of every position, shape (positions, actions); 0 where it has fewer."""
        found = np.zeros((len(self.states), len(self.slots)), dtype=np.int64)
        for place, slot in enumerate(self.slots):
            found[: len(slot), place] = slot
        return found


class Inner:
    """Solves the inner positions of a turn in fixed point.

    ``pay``: what payoffs pay, shape (limbs, columns, payoffs). ``rounded``: units that they are too small by at most.
    ``radius``: units by which values at the beginning of a turn may be farther off than those at its border. ``exponents``:
    those of the ``primes`` of a number that the denominators on every way through the turn divide. ``places``: the number of
    what stands for each position of the turn: of ``inner`` inner ones, and of the border after them, ``count`` in all.
    """

    def __init__(self, turn: Turn, arena: Arena, point: FixedPoint, pay: Limbs, rounded: int) -> None:
        self.point: FixedPoint | Floating = point
        self.sign = arena.sign
        graph, like = turn.graph, arange(turn.states)
        ordered = [states[states < graph.states] for states, _ in layers(arena)]
        merged = [_merge(graph, states, like) for states in ordered if len(states)]
        alone = different(like)
        self.places, self.count = np.searchsorted(alone, like), len(alone)
        self.inner = int(np.searchsorted(alone, graph.states))
        self.members = bincount(self.places)
        self.layers = [_layer(each, self.places, self.count, pay) for each in merged]
        self.radius = sum(rounded + int((layer.denominator > 1).any()) for layer in self.layers)
        self.primes, self.exponents = _primes([layer.denominator for layer in self.layers])

    def paying(self, point: FixedPoint | Floating, pays: Callable[[Any], Any]) -> Inner:
        """The same positions with other columns or numbers. ``pays``: what becomes of what a law pays."""
        found = copy(self)
        paid = [pays(layer.pay) for layer in self.layers]
        kinds = [layer.laws.astype(pay.dtype, copy=False) for layer, pay in zip(self.layers, paid, strict=True)]
        every = zip(self.layers, kinds, paid, strict=True)
        found.point, found.layers = point, [replace(layer, laws=laws, pay=pay) for layer, laws, pay in every]
        return found

    def solve(
        self, x: Limbs, reach: int, seen: Callable[[int, Sequence[Ints]], None] | None = None, apart: int | None = None
    ) -> int:
        """Fill the inner positions, given the border: limbs of shape (limbs, columns, positions that stand for all, sheets).

        Returns in how many positions no bound tells the best two actions apart, of values that may be off by ``reach`` units.
        ``seen`` is told what is taken on some sheets, by the place of the first: for every layer the places of actions, of
        shape (positions, sheets). They are the first that may be as good as the best. From the column ``apart`` on, columns
        are those of what is taken.
        """
        undecided = 0
        for first in range(0, x.shape[3], COLUMNS):
            some, picks = np.ascontiguousarray(x[..., first : first + COLUMNS]), list[Ints]()
            for layer in self.layers:
                undecided += self._layer(layer, some, reach, picks if seen else None, apart)
            x[..., first : first + COLUMNS] = some
            if seen:
                seen(first, picks)
        return undecided

    def leading(self, x: Mask) -> Mask:
        """From which positions play may come to some of the border, shape (positions that stand for all, kinds of border)."""
        for layer in self.layers:
            leads = layer.laws @ x.astype(np.int64) > 0
            best = leads[layer.slots[0]]
            for laws in layer.slots[1:]:
                best[: len(laws)] |= leads[laws]
            x[layer.states] = best
        return x

    def _layer(self, layer: _Layer, x: Limbs, reach: int, picks: list[Ints] | None, apart: int | None) -> int:
        worth = np.empty((*x.shape[:2], len(layer.denominator), x.shape[3]), dtype=x.dtype)
        for limb in range(x.shape[0]):
            for column in range(x.shape[1]):
                worth[limb, column] = layer.laws @ x[limb, column]
        worth += layer.pay
        worth = self.point.divide(worth, layer.denominator[:, None])
        best = Best(self.point, worth[:, :, layer.slots[0]], reach, self.sign)
        for laws in layer.slots[1:]:
            best.meet(slice(len(laws)), worth[:, :, laws])
        if picks is not None or apart is not None:
            firsts = _firsts(layer, worth, best)
            if picks is not None:
                picks.append(firsts)
            if apart is not None:
                best.x[:, apart:] = _of_firsts(layer, worth[:, apart:], firsts)
        x[:, :, layer.states] = best.x
        return int(best.near.sum(axis=1, dtype=np.int64) @ self.members[layer.states])


def _firsts(layer: _Layer, worth: Limbs, best: Best) -> Ints:
    """The place of the first action that may be as good as the best, shape (positions, sheets)."""
    found = np.zeros(best.near.shape, dtype=np.int64)
    for place in range(len(layer.slots) - 1, -1, -1):
        laws = layer.slots[place]
        found[: len(laws)][best.within(slice(len(laws)), worth[:, :, laws])] = place
    return found


def _of_firsts(layer: _Layer, worth: Limbs, firsts: Ints) -> Limbs:
    """What actions are worth that were found so, shape (limbs, columns, positions, sheets)."""
    taken = layer.table[arange(len(firsts))[:, None], firsts]
    found: Limbs = np.take_along_axis(worth, taken[None, None], axis=2)
    return found


@dataclass(frozen=True, eq=False)
class _Merged:
    """Some positions, each for all that are like it, and their laws in the order of their actions.

    ``place``, ``law``: which of the ``states`` has which law. ``ends``: where the edges of each law end, ``edges``: their
    targets, payoffs and weights, shape (3, edges).
    """

    states: Ints
    place: Ints
    law: Ints
    denominator: Ints
    ends: Ints
    edges: Ints


def _merge(graph: StateGraph, states: Ints, like: Ints) -> _Merged:
    """Positions that lead to others whose likes are known. Fills the likes of these."""
    actions = graph.state_rows[states + 1] - graph.state_rows[states]
    law, denominator, ends, edges = _laws(graph, ranges(graph.state_rows[states], actions), like)
    pairs = repeat(arange(len(states)), actions) * len(ends) + law
    pairs = pairs[
        np.sort(np.unique(pairs, return_index=True)[1])
    ]  # actions with one law are the same, the first counts
    place, law = pairs // len(ends), pairs % len(ends)
    first = _alike(law, cumsum(bincount(place)))
    like[states] = states[first]
    alone = first == arange(len(states))
    own = alone[place]
    return _Merged(states[alone], (cumsum(alone) - 1)[place[own]], law[own], denominator, ends, edges)


def _laws(graph: StateGraph, rows: Ints, like: Ints) -> tuple[Ints, Ints, Ints, Ints]:
    """Which law each row has, and of every law the denominator and the edges.

    Rows agree that lead, by the same weights, to what is alike.
    """
    lengths = graph.row_edges[rows + 1] - graph.row_edges[rows]
    use, row = ranges(graph.row_edges[rows], lengths), repeat(arange(len(rows)), lengths)
    edges = np.stack([row, like[graph.target[use]], graph.payoff[use], graph.weight[use]]).astype(np.int64)
    edges = edges[:, np.lexsort(edges[2::-1])]
    new = np.append(True, (edges[:3, 1:] != edges[:3, :-1]).any(axis=0))
    starts = np.flatnonzero(new)
    edges = np.concatenate([edges[:3, starts], reduceat(np.add, edges[3:], starts, axis=1)])
    ends = cumsum(bincount(edges[0]))
    tail = np.stack(
        [rows * 0 - 1, rows * 0, graph.denominator[rows]]
    )  # a mark no edge has, so that denominators count too
    told = np.insert(edges[1:], ends, tail, axis=1)
    first = _alike(told, ends + arange(len(rows)) + 1)
    alone = first == arange(len(rows))
    own = alone[edges[0]]
    law: Ints = (cumsum(alone) - 1)[first]
    return law, graph.denominator[rows[alone]], cumsum(bincount(edges[0])[alone]), edges[1:, own]


def _alike(columns: Ints, ends: Ints) -> Ints:
    """Of stretches of columns that end at ``ends``, the first that is the same as each."""
    data = np.ascontiguousarray(columns.T, dtype=np.int64).tobytes()
    size, found = len(data) // columns.shape[-1], dict[bytes, int]()
    starts = [0, *ends[:-1].tolist()]
    stretches = (data[start * size : end * size] for start, end in zip(starts, ends.tolist(), strict=True))
    return np.array([found.setdefault(each, at) for at, each in enumerate(stretches)], dtype=np.int64)


def _layer(merged: _Merged, places: Ints, count: int, pay: Limbs) -> _Layer:
    """``places``: the numbers of positions, of which there are ``count``. ``pay``: shape (limbs, columns, payoffs)."""
    lengths = bincount(merged.place)
    order = np.argsort(-lengths, kind="stable")
    starts = (cumsum(lengths) - lengths)[order]
    slots = [merged.law[starts[lengths[order] > each] + each] for each in range(int(lengths.max()))]
    target, payoff, weight = merged.edges
    edges = np.diff(merged.ends, prepend=0)
    row = repeat(arange(len(edges)), edges)
    laws = csr_matrix((weight, (row, places[target])), shape=(len(edges), count))
    paid = reduceat(np.add, pay[:, :, payoff] * weight, merged.ends - edges, axis=2)
    use = np.stack([row, places[target], payoff, weight])
    return _Layer(places[merged.states[order]], laws, merged.denominator, paid[..., None], slots, use)


def _primes(denominators: Sequence[Ints]) -> tuple[tuple[int, ...], Ints]:
    """The primes of the denominators of some layers, and the exponents of the product of their least common multiples."""
    common = [fmpz(lcm(*map(int, different(each)))).factor() for each in denominators]
    factors = [{int(prime): int(power) for prime, power in each} for each in common]
    primes = sorted({prime for each in factors for prime in each})
    return tuple(primes), np.array([sum(each.get(prime, 0) for each in factors) for prime in primes], dtype=np.int64)
