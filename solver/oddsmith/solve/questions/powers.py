"""The means of a sum and of its square, read off its law, where fractions of them would take too long.

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

import numpy as np

from oddsmith.arrays import Ints
from oddsmith.errors import DisagreementError
from oddsmith.exact import Number
from oddsmith.outcomes import deviation
from oddsmith.solve.numbers import TooLong
from oddsmith.solve.questions.law import ConditionalLaw, Law, SumLaw
from oddsmith.solve.questions.played import Played
from oddsmith.solve.values import most_under

FINE = Fraction(1, 10**6)  # by how much the bounds of a mean or deviation that is told are apart at most


def power_means(
    law: SumLaw | ConditionalLaw[SumLaw], step: Ints, paying: Played, seat: int
) -> tuple[Number | None, Number | None]:
    """The means of a sum and of its square, in units of the law; None where nothing bounds what the law does not list.

    ``step``: what each transition of the arena adds. ``paying``: an arena that pays that to a seat (from 0).
    """
    every, share = (law.every, law.share.lower) if isinstance(law, ConditionalLaw) else (law, Fraction(1))
    beyond = _beyond(every, step, paying, seat)
    if beyond is None:
        return None, None
    chances = [(value, law.chance(value)) for value in law.values]
    one, two = (sum((chance * value**power for value, chance in chances), Number.of(0)) for power in (1, 2))
    first, second = (each / share for each in beyond)
    return one + Number(-first, first), two + Number(Fraction(0), second)


def moments_of(law: Law, most: int, known: Number | None) -> tuple[Number, Number]:
    """The mean and the standard deviation of a sum whose law lists nearly all that it may be.

    ``most``: how large a sum may be, listed or not. ``known``: its mean, where that is known otherwise. Distances are taken
    from a whole number near the mean, so that what their chances leave open weighs little. DisagreementError where the two
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


def told(number: Number | None) -> Number | None:
    """A number of which enough is known to be told."""
    return number if number and number.upper - number.lower < FINE else None


def _beyond(law: SumLaw, step: Ints, paying: Played, seat: int) -> tuple[Fraction, Fraction] | None:
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
        ahead = most_under(sizes, paying.rows, paying.mixtures)[seat] * arena.scale
    except TooLong:
        return None
    squares = so_far * so_far + 2 * so_far * ahead + most * ahead + 2 * ahead * ahead
    return open_ * (so_far + ahead), open_ * squares
