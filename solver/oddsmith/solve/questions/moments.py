"""Moments of the payoff of a policy: mean and standard deviation, also given that an entry was or was not taken.

For a state, h_k is the expected k-th power of the payoff from there on, over the plays that avoid given transitions.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from math import comb

import numpy as np
from flint import fmpq
from numpy.typing import NDArray

from oddsmith.base.arrays import Ints, Mask
from oddsmith.base.distributions import deviation_from_moments
from oddsmith.base.errors import DisagreementError
from oddsmith.base.exact import Number
from oddsmith.solve.arenas.arena import Arena
from oddsmith.solve.numbers import FractionTooLong
from oddsmith.solve.questions.played import PlayedPolicy
from oddsmith.solve.questions.sums import BoundedDistribution, ConditionalDistribution, MirroredDistribution, Sums
from oddsmith.solve.values.fractions import ExactValues, Kernel
from oddsmith.solve.values.policy_evaluation import policy_value_upper_bounds


class _MomentOfPayoff(ExactValues):
    """The k-th moments h_k of all states, computed from the moments of lower order, ``lower_moments``, of which there
    are k.

    h_k is the expected k-th power of the payoff from a state on, over the plays that avoid the transitions of
    ``avoided_mask``.
    """

    def __init__(
        self, arena: Arena, rows: Ints, avoided_mask: NDArray[np.bool_], lower_moments: list[_MomentOfPayoff]
    ) -> None:
        super().__init__(arena, rows)
        self.avoid, self.lower = avoided_mask, lower_moments

    def _needed_transitions_mask(self, edges: Ints) -> Mask:
        return super()._needed_transitions_mask(edges) & ~self.avoid[edges]

    def _exact_row(self, row: int) -> tuple[Kernel, list[fmpq]]:
        arena, n, order = self.arena, self.arena.seats, len(self.lower)
        bottom = int(arena.denominator[row])
        kernel: Kernel = {}
        paid = [fmpq(0)] * n
        for edge in self.edge_indices(row):
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
                    paid[seat] += share * self._lower_order_moment(r, target, (seat - seat_shift) % n, order)
        return kernel, paid

    def _lower_order_moment(self, paid: fmpq, target: int, seat: int, order: int) -> fmpq:
        """Return what the lower moments of the target add to the k-th moment h_k of the payoff still to come.

        ``paid``: the payoff of the transition. ``order``: k. If the transition ends the game, this is the whole of h_k.
        """
        if target < 0:
            return paid**order
        total = fmpq(0)
        for j in range(order):
            self.lower[j].compute_values([target])
            shared = self.lower[j].known[target]
            total += comb(order, j) * paid ** (order - j) * fmpq(shared.numerators[seat], shared.denominator)
        return total


def payoff_moments(
    arena: Arena, rows: Ints, avoided_mask: NDArray[np.bool_] | None = None, moment_count: int = 3
) -> list[tuple[Fraction, ...]]:
    """Return the moments h_0, h_1, ... at the start, each as a tuple by seat. Raises FractionTooLong.

    h_k is the expected k-th power of the payoff, where plays that take a transition of the mask ``avoided_mask`` count
    as 0. ``moment_count``: the number of moments.
    """
    avoided_mask = np.zeros(len(arena.target), dtype=bool) if avoided_mask is None else avoided_mask
    levels: list[_MomentOfPayoff] = []
    for _ in range(moment_count):
        levels.append(_MomentOfPayoff(arena, rows, avoided_mask, list(levels)))
    return [level.state_value(0) for level in levels]


def conditional_moments(
    arena: Arena, rows: Ints, condition_mask: NDArray[np.bool_] | None, moment_count: int = 3
) -> list[tuple[Fraction, ...]]:
    """Return the conditional moments at the start, given that play takes certain transitions, each as a tuple by seat.

    ``condition_mask``: the mask of these transitions; None: all plays count. Raises ZeroDivisionError if no play takes
    them, and FractionTooLong.
    """
    whole = payoff_moments(arena, rows, None, moment_count)
    if condition_mask is None:
        return whole
    without = payoff_moments(arena, rows, condition_mask, moment_count)
    rest = [tuple(a - b for a, b in zip(x, y, strict=True)) for x, y in zip(whole, without, strict=True)]
    return [tuple(a / rest[0][seat] for seat, a in enumerate(x)) for x in rest]


MAX_WIDTH = Fraction(1, 10**6)  # the largest distance between the bounds of a mean or deviation that is given


def mean_and_mean_square(
    distribution: Sums | ConditionalDistribution[Sums],
    increments: Ints,
    paying_policy: PlayedPolicy,
    seat: int,
    can_decrease: bool = False,
) -> tuple[Number | None, Number | None]:
    """Return the mean of a sum and the mean of its square, in units of the distribution.

    Both are None if no bound is known for the values that the distribution does not list. ``increments``: the amount
    that each transition of the arena adds. ``paying_policy``: a policy in an arena that pays this amount to ``seat``
    (from 0). ``can_decrease``: whether the sum may decrease; ``increments`` then adds up to it only at the end, and
    gives no bound.
    """
    every, share = (
        (distribution.all_plays, distribution.share.lower)
        if isinstance(distribution, ConditionalDistribution)
        else (distribution, Fraction(1))
    )
    beyond = _unlisted_moment_bounds(every, increments, paying_policy, seat, can_decrease)
    if beyond is None:
        return None, None
    chances = [(value, distribution.chance(value)) for value in distribution.values]
    one, two = (sum((chance * value**power for value, chance in chances), Number.of(0)) for power in (1, 2))
    first, second = (each / share for each in beyond)
    return one + Number(-first, first), two + Number(Fraction(0), second)


def mean_and_deviation_of(
    distribution: BoundedDistribution, max_abs_sum: int, known_mean: Number | None
) -> tuple[Number, Number]:
    """Return the mean and the standard deviation of a sum, from a distribution that lists nearly all of it.

    ``max_abs_sum``: the largest absolute value of the sum, listed or not. ``known_mean``: the mean, if another method
    has computed it. Moments are taken about a whole number near the mean, so that the errors of chances have little
    effect. Raises DisagreementError if the bounds of the two means do not overlap.
    """
    chances, rest = (
        [(value, distribution.chance(value)) for value in distribution.values],
        distribution.unlisted_chance.upper,
    )
    near = round(sum(chance.middle * value for value, chance in chances))
    far = rest * (max_abs_sum + abs(near))
    mean = near + sum((chance * (value - near) for value, chance in chances), Number(-far, far))
    if known_mean is not None:
        mean = Number(max(mean.lower, known_mean.lower), min(mean.upper, known_mean.upper))
        if mean.lower > mean.upper:
            raise DisagreementError("the mean of a distribution is not the value of the game")
    around = (chance * ((value - near) * (value - near)) for value, chance in chances)
    square = sum(around, Number(Fraction(0), far * (max_abs_sum + abs(near))))
    return mean, deviation_from_moments(mean - near, square)


def number_if_narrow(number: Number | None) -> Number | None:
    """Return the number if its bounds are close enough to print it, else None."""
    return number if number and number.upper - number.lower < MAX_WIDTH else None


def _unlisted_moment_bounds(
    distribution: Sums, increments: Ints, paying_policy: PlayedPolicy, seat: int, can_decrease: bool
) -> tuple[Fraction, Fraction] | None:
    """Return upper bounds of what unlisted values add to the means of the absolute value and of the square.

    Returns None if no bounds are known. The parameters are as for ``mean_and_mean_square``.
    """
    open_ = distribution.unlisted_chance.upper
    if not open_:
        return Fraction(0), Fraction(0)
    if can_decrease or isinstance(distribution, MirroredDistribution):
        return None
    most = int(np.abs(increments).max(initial=0))
    if not increments[paying_policy.arena.target >= 0].any():
        return open_ * most, open_ * most * most
    so_far = 2 * most + max(map(abs, [*distribution.values, distribution.bounds[-1]]))
    if open_ * so_far * so_far > MAX_WIDTH:  # more digits are lost than anybody would tell
        return None
    arena = paying_policy.arena
    sizes = replace(arena, payoffs=tuple(tuple(map(abs, kind)) for kind in arena.payoffs))
    try:
        ahead = policy_value_upper_bounds(sizes, paying_policy.rows, paying_policy.mixtures)[seat] * arena.scale
    except FractionTooLong:
        return None
    squares = so_far * so_far + 2 * so_far * ahead + most * ahead + 2 * ahead * ahead
    return open_ * (so_far + ahead), open_ * squares
