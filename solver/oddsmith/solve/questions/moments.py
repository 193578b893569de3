"""Moments of what a game pays under a policy: mean and spread, also given that an entry was or was not taken.

With r what a transition pays, t its target and G the transitions to be avoided, for k = 0, 1, 2

    h_k(s) = sum over transitions not in G of p * sum_j binomial(k, j) * r^(k - j) * h_j(t),   h_0(end) = 1,

is the mean of X^k over the plays that never meet G (times their chance): X is all that is paid from s on. For X is r plus
what is paid from t on, and (r + Y)^k is a binomial sum. Given h_0 .. h_(k-1), h_k solves a system of the same shape as values
do, with the known terms as what is paid, so ``ExactValues`` solves it. What the plays through G bring is the difference to
all plays, and the standard deviation is the root of h_2 / h_0 - (h_1 / h_0)^2, enclosed by whole square roots.

The means of a sum and of its square, read off its law, where fractions of them would take too long.

Every chance of a law is enclosed, and so are the sums of k and of k^2 times the chance of k over all values k of the law. The
plays whose sum is not among these have a chance of q at most: they were cut off, or rounding lost them. Where all is paid at
the end, at most s at once, they add no more than q s to the mean and q s^2 to that of squares.

Where steps add up on the way, let a play be looked at when it is cut off or lost. What it has by then is T at most in size. Let
M be the most that play adds on average, in size, from any state on. For what is added from there on, a_1 + a_2 + ..., the
mean of squares is at most s M + 2 M^2, because that of a_i a_j over all j > i is at most a_i M. So those plays add no more than
q (T + M) to the mean, and q (T^2 + 2 T M + s M + 2 M^2) to that of squares. M is the largest value of the chain that pays the
size of every step.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from math import comb

import numpy as np
from flint import fmpq
from numpy.typing import NDArray

from oddsmith.base.arrays import Ints, Mask
from oddsmith.base.distributions import deviation
from oddsmith.base.errors import DisagreementError
from oddsmith.base.exact import Number
from oddsmith.solve.arenas.arena import Arena
from oddsmith.solve.numbers import TooLong
from oddsmith.solve.questions.played import PlayedPolicy
from oddsmith.solve.questions.sums import ConditionalDistribution, MassDistribution, SumDistribution
from oddsmith.solve.values.fractions import ExactValues, Kernel
from oddsmith.solve.values.policy_evaluation import most_policy_value


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
            share, target, seat_shift = (
                fmpq(int(arena.weight[edge]), bottom),
                int(arena.target[edge]),
                int(arena.seat_shift[edge]),
            )
            if target >= 0:
                kernel[target, seat_shift] = kernel.get((target, seat_shift), fmpq(0)) + share
            units = arena.payoffs[int(arena.payoff[edge])]
            if target < 0 or any(units):
                for seat in range(n):
                    r = fmpq(units[seat], arena.scale)
                    paid[seat] += share * self._paid(r, target, (seat - seat_shift) % n, order)
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

    Raises ZeroDivisionError where no play takes them.
    """
    whole = moments(arena, rows, None, orders)
    if taken is None:
        return whole
    without = moments(arena, rows, taken, orders)
    rest = [tuple(a - b for a, b in zip(x, y, strict=True)) for x, y in zip(whole, without, strict=True)]
    return [tuple(a / rest[0][seat] for seat, a in enumerate(x)) for x in rest]


FINE = Fraction(1, 10**6)  # by how much the bounds of a mean or deviation that is told are apart at most


def power_means(
    law: MassDistribution | ConditionalDistribution[MassDistribution], step: Ints, paying: PlayedPolicy, seat: int
) -> tuple[Number | None, Number | None]:
    """The means of a sum and of its square, in units of the law; None where nothing bounds what the law does not list.

    ``step``: what each transition of the arena adds. ``paying``: an arena that pays that to a seat (from 0).
    """
    every, share = (law.every, law.share.lower) if isinstance(law, ConditionalDistribution) else (law, Fraction(1))
    beyond = _beyond(every, step, paying, seat)
    if beyond is None:
        return None, None
    chances = [(value, law.chance(value)) for value in law.values]
    one, two = (sum((chance * value**power for value, chance in chances), Number.of(0)) for power in (1, 2))
    first, second = (each / share for each in beyond)
    return one + Number(-first, first), two + Number(Fraction(0), second)


def moments_of(law: SumDistribution, most: int, known: Number | None) -> tuple[Number, Number]:
    """The mean and the standard deviation of a sum whose law lists nearly all that it may be.

    ``most``: how large a sum may be, listed or not. ``known``: its mean, where that is known otherwise. Distances are taken
    from a whole number near the mean, so that what their chances leave open weighs little. Raises DisagreementError where the two
    means do not meet.
    """
    chances, rest = [(value, law.chance(value)) for value in law.values], law.beyond.upper
    near = round(sum(chance.middle * value for value, chance in chances))
    far = rest * (most + abs(near))
    mean = near + sum((chance * (value - near) for value, chance in chances), Number(-far, far))
    if known is not None:
        mean = Number(max(mean.lower, known.lower), min(mean.upper, known.upper))
        if mean.lower > mean.upper:
            raise DisagreementError("the mean of a distribution is not the value of the game")
    around = (chance * ((value - near) * (value - near)) for value, chance in chances)
    square = sum(around, Number(Fraction(0), far * (most + abs(near))))
    return mean, deviation(mean - near, square)


def narrow_enough(number: Number | None) -> Number | None:
    """A number of which enough is known to be told."""
    return number if number and number.upper - number.lower < FINE else None


def _beyond(law: MassDistribution, step: Ints, paying: PlayedPolicy, seat: int) -> tuple[Fraction, Fraction] | None:
    """How much at most the plays that a law does not list add to the means of sizes and squares."""
    open_ = law.beyond.upper
    if not open_:
        return Fraction(0), Fraction(0)
    most = int(np.abs(step).max(initial=0))
    if not step[paying.arena.target >= 0].any():
        return open_ * most, open_ * most * most
    so_far = 2 * most + max(map(abs, [*law.values, law.bounds[-1]]))
    if open_ * so_far * so_far > FINE:  # more digits are lost than anybody would tell
        return None
    arena = paying.arena
    sizes = replace(arena, payoffs=tuple(tuple(map(abs, kind)) for kind in arena.payoffs))
    try:
        ahead = most_policy_value(sizes, paying.rows, paying.mixtures)[seat] * arena.scale
    except TooLong:
        return None
    squares = so_far * so_far + 2 * so_far * ahead + most * ahead + 2 * ahead * ahead
    return open_ * (so_far + ahead), open_ * squares
