"""Arrays of numbers in fixed point, as limbs of 64-bit integers: any precision, at the speed of NumPy columns.

A number is the sum of ``limb[j] * 2**(-bits * j)``. Limbs may have either sign and exceed ``2**bits`` until they are
normalized. The limbs 1, 2, ... of a normalized number lie in ``0 .. 2**bits - 1``. The first axis of an array runs over
the limbs.

``CommonDenominator`` holds exact fractions: the values of one state for all seats, over one denominator.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from flint import fmpq, fmpq_mat, fmpz
from numpy.typing import NDArray

from oddsmith.base.arrays import Ints, Mask
from oddsmith.base.errors import Signal, TooFineError

Limbs = NDArray[np.int64]


@dataclass(frozen=True)
class FixedPoint:
    """A fixed-point format: ``count`` limbs of ``bits`` bits each. The unit is the value of the last bit."""

    bits: int
    count: int

    @staticmethod
    def of(precision: int, largest_denominator: int) -> FixedPoint:
        """Return a format with at least ``precision`` binary places in which a denominator times a limb fits 64 bits.

        A denominator D below 2^k leaves 60 - k bits for a limb. A sum of weights times limbs is then below 2^60, if the
        weights add up to D. Two further bits are for a second limb in each term and for the carry of a division. Limb 0
        holds the whole part of a number and is not limited here: the code that fills an array has to check it. Raises
        TooFineError if fewer than four bits are left for a limb.
        """
        bits = min(30, 60 - largest_denominator.bit_length())
        if bits < 4:
            raise TooFineError
        return FixedPoint(bits, 1 - (-precision // bits))

    @property
    def places(self) -> int:
        """The number of binary places after the point."""
        return self.bits * (self.count - 1)

    def zeros(self, *shape: int) -> Limbs:
        """Return an array of zeros, shape (limbs, *shape)."""
        return np.zeros((self.count, *shape), dtype=np.int64)

    def carry(self, x: Limbs) -> None:
        """Normalize every number of ``x`` in place, by carrying from limb to limb."""
        for j in range(self.count - 1, 0, -1):
            over = x[j] >> self.bits
            x[j] -= over << self.bits
            x[j - 1] += over

    def distance(self, x: Limbs, y: Limbs) -> Limbs:
        """Return the distances |x - y|, normalized."""
        up, down = x - y, y - x
        self.carry(up)
        self.carry(down)
        return np.where(up[0] < 0, down, up)

    def convert(self, x: Limbs, radius: Ints, point: FixedPoint) -> tuple[Limbs, Ints]:
        """Convert normalized numbers ``x`` from the format ``point`` to this format, rounding down.

        Returns the converted numbers and the radii in units of this format, widened so that they enclose the original
        values.
        """
        if point == self:
            return x, radius
        finer, shape = self.places - point.places, x.shape[1:]
        units = [point.join(column) for column in x.reshape(point.count, -1).T.tolist()]
        moved = [self.split(each << finer if finer > 0 else each >> -finer) for each in units]
        wider = [each << finer if finer > 0 else -(-each >> -finer) + 1 for each in radius.tolist()]
        if max(wider, default=0) >> 61:
            raise TooFineError
        return np.array(moved, dtype=np.int64).T.reshape(self.count, *shape), np.array(wider, dtype=np.int64)

    def surely_apart(self, x: Limbs, y: Limbs, reach: Ints) -> Mask:
        """Return, as a mask, which pairs of ``x`` and ``y`` are certainly more than ``reach`` units apart.

        A ``reach`` that does not fit one limb gives False.
        """
        distance = self.distance(x, y)
        far: Mask = ((distance[:-2] != 0).any(axis=0) | (distance[-1] + (distance[-2] << self.bits) > reach)) & (
            reach < 1 << self.bits
        )
        return far

    def divide(self, x: Limbs, by: Any) -> Limbs:
        """Return x / by, rounded down to the unit. ``x`` need not be normalized; ``by`` must not exceed the largest
        denominator.

        This is long division, limb by limb: the remainder is at least 0 and below ``by``, whatever sign a limb has.
        """
        quotient = np.empty_like(x)
        rest: Any = 0
        for j in range(self.count):
            whole = x[j] + (rest << self.bits)
            quotient[j] = whole // by
            rest = whole - quotient[j] * by
        self.carry(quotient)
        return quotient

    def of_fractions(self, values: Sequence[Fraction]) -> tuple[Limbs, bool]:
        """Return fractions rounded down to the unit, shape (limbs, values), and whether all of them are represented
        exactly.
        """
        limbs, exact = self.zeros(len(values)), True
        for place, value in enumerate(values):
            scaled = value * (1 << self.places)
            exact = exact and scaled.denominator == 1
            limbs[:, place] = self.split(scaled.numerator // scaled.denominator)
        return limbs, exact

    def split(self, units: int) -> list[int]:
        """Return the limbs of a number that is given as a whole number of units."""
        limbs = []
        for _ in range(self.count - 1):
            units, limb = divmod(units, 1 << self.bits)
            limbs.append(limb)
        return [units, *reversed(limbs)]

    def join(self, limbs: Sequence[int]) -> int:
        """Return the number with these limbs, as a whole number of units."""
        units = 0
        for limb in limbs:
            units = (units << self.bits) + int(limb)
        return units

    def to_floats(self, x: Limbs) -> NDArray[np.float64]:
        """Return normalized numbers as floats, correct to the precision of floats or to the unit."""
        floats = np.zeros(x.shape[1:])
        for j in range(self.count - 1, -1, -1):
            floats += np.ldexp(x[j].astype(float), -self.bits * j)
        return floats


@dataclass(frozen=True)
class Floating:
    """Floats in the place of fixed-point numbers: one limb, which has no unit and no carry."""

    count: int = 1
    bits: int = 0

    def zeros(self, *shape: int) -> Any:
        """Return an array of zeros, shape (1, *shape)."""
        return np.zeros((1, *shape))

    def carry(self, x: Any) -> None:
        """Do nothing: floats have no carry."""

    def divide(self, x: Any, by: Any) -> Any:
        """Return x / by."""
        return x / by


MAX_BITS = 4_000_000  # of a denominator, some 1.2 million digits


class TooLong(Signal):
    """Raised if a fraction, or the linear system that it solves, would be larger than allowed."""


class TooExpensive(TooLong):
    """Raised if finding a fraction would take longer than the time limit."""

    def __init__(self) -> None:
        super().__init__("the fraction takes longer than the solution")


@dataclass(frozen=True, slots=True)
class CommonDenominator:
    """The values of one state, one for each seat: the numerators ``tops`` over one denominator ``bottom``."""

    tops: tuple[fmpz, ...]
    bottom: fmpz

    @property
    def shares_numerator(self) -> bool:
        """Whether the numerators of all seats are the same object, so that work on a numerator is done only once."""
        return all(top is self.tops[0] for top in self.tops)

    def fraction(self, seat: int) -> Fraction:
        """Return the value of one seat as a fraction."""
        return Fraction(int(self.tops[seat]), int(self.bottom))


def inverse(matrix: list[list[fmpq]]) -> tuple[list[list[fmpz]], fmpz]:
    """Return the inverse of a matrix: whole numerators, and their common denominator."""
    entries = fmpq_mat(matrix).inv().tolist()
    bottom = lcm([value.q for row in entries for value in row])
    return [[value.p * (bottom // value.q) for value in row] for row in entries], bottom


def lcm(numbers: Sequence[fmpz]) -> fmpz:
    """Return the least common multiple of numbers."""
    common = fmpz(1)
    for number in dict.fromkeys(numbers):
        common = common * (number // common.gcd(number))
    return common


def in_lowest_terms(tops: tuple[fmpz, ...], bottom: fmpz) -> CommonDenominator:
    """Divide all numerators and the denominator by their common divisor.

    Raises TooLong if the denominator has more than ``MAX_BITS`` bits.
    """
    shared, different = bottom, list(tops)
    if all(top == tops[0] for top in tops):
        del different[1:]
    for top in different:
        shared = shared.gcd(top)
        if shared == 1:
            break
    if bottom.bit_length() > MAX_BITS:
        raise TooLong(f"a denominator of {bottom.bit_length():,} bits")
    lowest = tuple(top // shared for top in different)
    return CommonDenominator(lowest * (len(tops) // len(lowest)), bottom // shared)
