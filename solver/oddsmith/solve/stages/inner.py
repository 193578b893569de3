"""The inner positions of a turn, solved for many sheets at once: their graph is the same for all, so each sheet is a column.

Actions of several positions often have one law: which dice are rolled again matters, and not which hand they are part of.
Each different law is worked out once per sheet, as a sum in whole numbers, and actions are compared by it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import lcm

import numpy as np
from flint import fmpz
from scipy.sparse import csr_matrix

from oddsmith.arrays import Ints, Mask, arange, bincount, cumsum, reduceat, repeat
from oddsmith.graph import StateGraph, different, ranges
from oddsmith.solve.arenas import Arena, layers
from oddsmith.solve.numbers import FixedPoint, Limbs
from oddsmith.solve.stages.sheet import Turn

COLUMNS = 256  # sheets at a time, so that what is compared stays close to the processor


class Best:
    """The best so far of what the actions of positions are worth to the mover, and whether another comes near it.

    ``x``: carried limbs of shape (limbs, seats, …), the mover first. ``near``: which positions have two actions that no bound
    tells apart. ``reach``: how many units two values may lie apart that may be the same. ``sign``: 1 to gain, -1 to lose.
    """

    def __init__(self, point: FixedPoint, x: Limbs, reach: int, sign: int) -> None:
        self.point, self.x, self.reach, self.sign = point, x, reach, sign
        self.near = np.zeros(x.shape[2:], dtype=bool)

    def meet(self, where: slice | Ints, worth: Limbs) -> None:
        """Actions of some positions, one of each. ``worth``: shape (limbs, seats, positions, …)."""
        held = self.x[:, :, where]
        better, near = self._compare(worth[:, 0], held[:, 0])
        np.copyto(held, worth, where=better)
        if not isinstance(where, slice):
            self.x[:, :, where] = held
        # What came near to a value that is beaten by far is beaten by far as well.
        self.near[where] = near | (self.near[where] & ~better)

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
        near = np.abs(apart) <= max(1, self.reach)
        some = np.nonzero(near)
        if len(some[0]):
            left = apart[some]
            for limb in range(2, self.point.count):
                left = (np.clip(left, -2, 2) << bits) + one[limb][some] - other[limb][some]
            apart[some] = left
            near[some] = np.abs(left) <= self.reach
        return apart * self.sign > 0, near


@dataclass(frozen=True, eq=False)
class _Layer:
    """Inner positions that lead to earlier layers alone, those with most actions first.

    ``laws``: weights, shape (laws, positions of the turn). ``denominator``: of each law; ``pay``: what it pays times that,
    limbs of shape (limbs, seats, laws, 1). ``slots``: the laws of the first, second, … action of the positions that have as
    many.
    """

    states: Ints
    laws: csr_matrix
    denominator: Ints
    pay: Limbs
    slots: Sequence[Ints]


class Inner:
    """Solves the inner positions of a turn in fixed point.

    ``pay``: what payoffs pay, shape (limbs, seats, payoffs). ``rounded``: units that they are too small by at most.
    ``radius``: units by which values at the beginning of a turn may be farther off than those at its border. ``exponents``:
    those of the ``primes`` of a number that the denominators on every way through the turn divide.
    """

    def __init__(self, turn: Turn, arena: Arena, point: FixedPoint, pay: Limbs, rounded: int) -> None:
        self.point, self.sign = point, arena.sign
        self.layers = [
            _layer(turn.graph, states[states < turn.graph.states], turn.states, pay)
            for states, _ in layers(arena)
            if (states < turn.graph.states).any()
        ]
        self.radius = len(self.layers) * (1 + rounded)
        self.primes, self.exponents = _primes([layer.denominator for layer in self.layers])

    def solve(self, x: Limbs, reach: int) -> int:
        """Fill the inner positions, given the border: limbs of shape (limbs, seats, positions of the turn, sheets).

        Returns in how many positions no bound tells the best two actions apart, of values that may be off by ``reach`` units.
        """
        undecided = 0
        for first in range(0, x.shape[3], COLUMNS):
            some = np.ascontiguousarray(x[..., first : first + COLUMNS])
            undecided += sum(self._layer(layer, some, reach) for layer in self.layers)
            x[..., first : first + COLUMNS] = some
        return undecided

    def _layer(self, layer: _Layer, x: Limbs, reach: int) -> int:
        worth = np.empty((*x.shape[:2], len(layer.denominator), x.shape[3]), dtype=np.int64)
        for limb in range(x.shape[0]):
            for seat in range(x.shape[1]):
                worth[limb, seat] = layer.laws @ x[limb, seat]
        worth += layer.pay
        worth = self.point.divide(worth, layer.denominator[:, None])
        best = Best(self.point, worth[:, :, layer.slots[0]], reach, self.sign)
        for laws in layer.slots[1:]:
            best.meet(slice(len(laws)), worth[:, :, laws])
        x[:, :, layer.states] = best.x
        return int(best.near.sum())


def _layer(graph: StateGraph, states: Ints, count: int, pay: Limbs) -> _Layer:
    """``count``: positions of the turn. ``pay``: what each payoff pays, shape (limbs, seats, payoffs)."""
    actions = graph.state_rows[states + 1] - graph.state_rows[states]
    law, firsts = _laws(graph, ranges(graph.state_rows[states], actions))
    pairs = different(repeat(arange(len(states)), actions) * len(firsts) + law)  # actions with one law are the same
    place, law = pairs // len(firsts), pairs % len(firsts)
    lengths = bincount(place)
    order = np.argsort(-lengths, kind="stable")
    starts = (cumsum(lengths) - lengths)[order]
    slots = [law[starts[lengths[order] > each] + each] for each in range(int(lengths.max()))]
    edges = graph.row_edges[firsts + 1] - graph.row_edges[firsts]
    use, row = ranges(graph.row_edges[firsts], edges), repeat(arange(len(firsts)), edges)
    weight = graph.weight[use].astype(np.int64)
    laws = csr_matrix((weight, (row, graph.target[use])), shape=(len(firsts), count))
    paid = reduceat(np.add, pay[:, :, graph.payoff[use]] * weight, cumsum(edges) - edges, axis=2)
    return _Layer(states[order], laws, graph.denominator[firsts], paid[..., None], slots)


def _laws(graph: StateGraph, rows: Ints) -> tuple[Ints, Ints]:
    """Which law each row has, and the first row of every law. Rows agree that lead, by the same weights, to the same."""
    found: dict[bytes, int] = {}
    law = np.zeros(len(rows), dtype=np.int64)
    firsts = list[int]()
    for place, row in enumerate(rows.tolist()):
        part = slice(graph.row_edges[row], graph.row_edges[row + 1])
        edges = np.stack([graph.target[part], graph.weight[part], graph.payoff[part]]).astype(np.int64)
        key = edges[:, np.lexsort(edges)].tobytes()
        law[place] = found.setdefault(key, len(found))
        if law[place] == len(firsts):
            firsts.append(row)
    return law, np.array(firsts, dtype=np.int64)


def _primes(denominators: Sequence[Ints]) -> tuple[tuple[int, ...], Ints]:
    """The primes of the denominators of some layers, and the exponents of the product of their least common multiples."""
    common = [fmpz(lcm(*map(int, different(each)))).factor() for each in denominators]
    factors = [{int(prime): int(power) for prime, power in each} for each in common]
    primes = sorted({prime for each in factors for prime in each})
    return tuple(primes), np.array([sum(each.get(prime, 0) for each in factors) for prime in primes], dtype=np.int64)
