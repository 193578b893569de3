"""Solving D (I - P) x = D b in whole numbers: floats propose, and integers check, at any precision.

P holds the probabilities from state to state under a policy, D their denominators, and W = D P is whole. Transitions
may rotate the seats.

*Refinement* (Wan 2006, An algorithm to solve integer linear systems exactly using numerical methods). The aim is a
whole x with D (I - P) x = D b - r and a small residual r. Floats solve for as many digits as they have. Rounded to
whole numbers, that gives a step y, and r - D (I - P) y is exact in 64-bit integers. A few rounds reduce r to about 2 D,
which is the limit for whole numbers. Then x and r are shifted by a limb, and the next limb is found in the same way. So
every limb costs a few solves, and the residual always fits one column of machine integers.

*Slack.* Floats propose d > 0, and d - P d >= 1/2 is checked in integers. Then P d <= d - 1/2 <= (1 - 1 / (2 max d)) d,
so P^k d tends to 0, and so does P^k: play leaves these states, v = P v + b has only one solution, and (I - P)^-1 = I +
P + P^2 + ... has no negative entry. If no such d exists, play may never leave.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np
from scipy.sparse import csr_matrix

from oddsmith.base.arrays import Floats, Ints, Whole, repeat
from oddsmith.base.errors import Signal, TooFineError
from oddsmith.solve.numbers import FixedPoint, Limbs

SLACK_BITS = 24  # at most: a denominator in units of 2^-bits stays within 64 bits
MAX_STEPS_PER_LIMB = 60  # of refinement for one limb, before giving up


class Unproven(Signal):
    """Raised if no slack vector is found, or refinement does not converge: play may never leave the states."""


@dataclass(frozen=True, eq=False)
class SlackVector:
    """A slack vector d in units of ``2^-unit_bits``: d - P d >= 1/2 in every state."""

    slacks: Ints
    unit_bits: int

    def error_bound(self, max_step_error: Ints | int) -> Ints:
        """Return 2 d worst, rounded up: a bound of the error of values, in units, if every step has an error of at most
        ``max_step_error``.
        """
        most = int(self.slacks.max(initial=0)) * 2 * int(np.max(max_step_error, initial=0))
        if most >> self.unit_bits >> 61:
            raise TooFineError
        d: Whole = self.slacks if most >> 62 == 0 else self.slacks.astype(object)
        units: Whole = d * (2 * max_step_error)
        return np.asarray(-(-units >> self.unit_bits), dtype=np.int64)


@dataclass(frozen=True, eq=False)
class IntegerSystem:
    """The integer matrix D (I - P) of a policy. ``denominator``: D, for each state. ``weights_by_seat_shift``: W, by
    seat shift.

    ``solve_in_floats``: a function that multiplies a right side of shape (states, seats) by (I - P)^-1 in floats, to a
    few digits or more.
    """

    denominator: Ints
    weights_by_seat_shift: Mapping[int, csr_matrix]
    solve_in_floats: Callable[[Floats], Floats]

    def multiply(self, x: Ints) -> Ints:
        """Return D (I - P) x, exactly, for whole numbers x of shape (states, seats)."""
        product: Ints = x * self.denominator[:, None]
        for turn, moves in self.weights_by_seat_shift.items():
            product -= moves @ np.roll(x, turn, axis=1)
        return product

    def refine_solution(
        self, right_side: Limbs, point: FixedPoint, report_share: Callable[[float], None]
    ) -> tuple[Limbs, Ints]:
        """Return x with D (I - P) x = right, and for each state its residual divided by D, in units, rounded up.

        ``right_side``: limbs of shape (limbs, states, seats). ``report_share``: a function that receives the share of the
        limbs that are done. Let k = ``point.bits``. Then D < 2^(60 - k), and the residual before each shift is at most
        2^(60 - k) as well. So the residual stays below 2^60 when it is shifted, and right[j], a sum of weights times
        two limbs each, adds less than 2^61. A step is at most 2^60 / 2D, so D (I - P) times it is at most 2^60. Raises
        Unproven if floats do not converge that far.
        """
        rest, x = np.zeros_like(right_side[0]), np.zeros_like(right_side)
        done = 2 * int(self.denominator.max())
        for j in range(point.limb_count):
            report_share(j / point.limb_count)
            rest = (rest << point.bits_per_limb) + right_side[j]
            size = np.abs(rest).max()
            for _ in range(MAX_STEPS_PER_LIMB):
                if size <= done:
                    break
                step = self.solve_in_floats(rest / self.denominator[:, None])
                if not np.isfinite(step).all() or np.abs(step).max(initial=0.0) > 2.0**60 / (
                    2 * self.denominator.max()
                ):
                    raise Unproven
                whole = np.rint(step).astype(np.int64)
                after = rest - self.multiply(whole)
                if np.abs(after).max() >= size:
                    break
                x[j] += whole
                rest, size = after, np.abs(after).max()
            if size > 1 << (60 - point.bits_per_limb):
                raise Unproven
        error = -(-np.abs(rest).max(axis=1) // self.denominator)
        return x, error

    def slack_vector(self, seats: int) -> SlackVector:
        """Return a slack vector. ``seats``: the number of columns of right sides. Raises Unproven.

        The proposed d is the expected number of steps before play leaves, for which d - P d = 1. Half of that is left
        as a margin for errors.
        """
        bits = min(SLACK_BITS, 60 - int(self.denominator.max()).bit_length())
        solved = self.solve_in_floats(np.ones((len(self.denominator), seats)))[:, 0]
        if not np.isfinite(solved).all() or (solved <= 0).any() or solved.max() > 2.0**30:
            raise Unproven
        d = np.ceil(solved * 2.0**bits).astype(np.int64)
        spread = repeat(d[:, None], seats, axis=1)
        # D d may leave 64 bits; what is left of it after W d must not. Integers wrap around at 2^64, so `left` is right where
        # floats, whose error is far below 2^61 here, say that it is no larger than that.
        if (np.abs(self.multiply(spread.astype(float))) >= 2.0**61).any():
            raise Unproven
        left = self.multiply(spread)[:, 0]
        if not (2 * left >= self.denominator << bits).all():
            raise Unproven
        return SlackVector(d, bits)
