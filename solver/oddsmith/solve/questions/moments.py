"""Moments of what a game pays under a policy: mean and spread, also given that an entry was or was not taken.

With r what a transition pays, t its target and G the transitions to be avoided, for k = 0, 1, 2

    h_k(s) = sum over transitions not in G of p * sum_j binomial(k, j) * r^(k - j) * h_j(t),   h_0(end) = 1,

is the mean of X^k over the plays that never meet G (times their chance): X is all that is paid from s on. For X is r plus
what is paid from t on, and (r + Y)^k is a binomial sum. Given h_0 .. h_(k-1), h_k solves a system of the same shape as values
do, with the known terms as what is paid, so ``ExactValues`` solves it. What the plays through G bring is the difference to
all plays, and the standard deviation is the root of h_2 / h_0 - (h_1 / h_0)^2, enclosed by whole square roots.
"""

from __future__ import annotations

from fractions import Fraction
from math import comb

import numpy as np
from flint import fmpq
from numpy.typing import NDArray

from oddsmith.arrays import Ints, Mask
from oddsmith.solve.arenas import Arena
from oddsmith.solve.values import ExactValues, Kernel


class _Moment(ExactValues):
    """h_k, given h_0 .. h_(k-1)."""

    def __init__(self, arena: Arena, rows: Ints, avoid: NDArray[np.bool_], lower: list[_Moment]) -> None:
        super().__init__(arena, rows)
        self.avoid, self.lower = avoid, lower

    def _leading(self, edges: Ints) -> Mask:
        return super()._leading(edges) & ~self.avoid[edges]

    def _row(self, row: int) -> tuple[Kernel, list[fmpq]]:
        arena, n, order = self.arena, self.arena.seats, len(self.lower)
        bottom = int(arena.denominator[row])
        kernel: Kernel = {}
        paid = [fmpq(0)] * n
        for edge in self.edges(row):
            if self.avoid[edge]:
                continue
            share, target, by = (
                fmpq(int(arena.weight[edge]), bottom),
                int(arena.target[edge]),
                int(arena.by[edge]),
            )
            if target >= 0:
                kernel[target, by] = kernel.get((target, by), fmpq(0)) + share
            units = arena.payoffs[int(arena.payoff[edge])]
            if target < 0 or any(units):
                for seat in range(n):
                    r = fmpq(units[seat], arena.scale)
                    paid[seat] += share * self._paid(r, target, (seat - by) % n, order)
        return kernel, paid

    def _paid(self, r: fmpq, target: int, seat: int, order: int) -> fmpq:
        """The part of the sum that is known: all but h_k of the target."""
        if target < 0:
            return r**order
        total = fmpq(0)
        for j in range(order):
            self.lower[j].ensure([target])
            shared = self.lower[j].known[target]
            total += comb(order, j) * r ** (order - j) * fmpq(shared.tops[seat], shared.bottom)
        return total


def moments(
    arena: Arena, rows: Ints, avoid: NDArray[np.bool_] | None = None, orders: int = 3
) -> list[tuple[Fraction, ...]]:
    """h_0, h_1, ... at the start, per seat. Raises TooLong."""
    avoid = np.zeros(len(arena.target), dtype=bool) if avoid is None else avoid
    levels: list[_Moment] = []
    for _ in range(orders):
        levels.append(_Moment(arena, rows, avoid, list(levels)))
    return [level.value(0) for level in levels]


def given(arena: Arena, rows: Ints, taken: NDArray[np.bool_] | None, orders: int = 3) -> list[tuple[Fraction, ...]]:
    """The moments of all plays, or of those that take certain transitions, divided by their chance.

    ZeroDivisionError where no play takes them.
    """
    whole = moments(arena, rows, None, orders)
    if taken is None:
        return whole
    without = moments(arena, rows, taken, orders)
    rest = [tuple(a - b for a, b in zip(x, y, strict=True)) for x, y in zip(whole, without, strict=True)]
    return [tuple(a / rest[0][seat] for seat, a in enumerate(x)) for x in rest]
