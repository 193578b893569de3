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
from flint import arb, fmpq, fmpq_mat, fmpz
from numpy.typing import NDArray

from oddsmith.base.arrays import Ints, Mask
from oddsmith.base.errors import Signal, TooFineError

Limbs = NDArray[np.int64]


@dataclass(frozen=True)
class FixedPoint:
    """A fixed-point format: ``limb_count`` limbs of ``bits_per_limb`` bits each. The unit is the value of the last bit."""

    bits_per_limb: int
    limb_count: int

    @staticmethod
    def of(min_binary_places: int, largest_denominator: int) -> FixedPoint:
        """Return a format with at least ``min_binary_places`` binary places in which a denominator times a limb fits 64 bits.

        A denominator D below 2^k leaves 60 - k bits for a limb. A sum of weights times limbs is then below 2^60, if the
        weights add up to D. Two further bits are for a second limb in each term and for the carry of a division. Limb 0
        holds the whole part of a number and is not limited here: the code that fills an array has to check it. Raises
        TooFineError if fewer than four bits are left for a limb.
        """
        bits = min(30, 60 - largest_denominator.bit_length())
        if bits < 4:
            raise TooFineError
        return FixedPoint(bits, 1 - (-min_binary_places // bits))

    @property
    def binary_places(self) -> int:
        """The number of binary places after the point."""
        return self.bits_per_limb * (self.limb_count - 1)

    def zeros(self, *shape: int) -> Limbs:
        """Return an array of zeros, shape (limbs, *shape)."""
        return np.zeros((self.limb_count, *shape), dtype=np.int64)

    def carry_limbs(self, x: Limbs) -> None:
        """Normalize every number of ``x`` in place, by carrying from limb to limb."""
        for j in range(self.limb_count - 1, 0, -1):
            over = x[j] >> self.bits_per_limb
            x[j] -= over << self.bits_per_limb
            x[j - 1] += over

    def distance(self, x: Limbs, y: Limbs) -> Limbs:
        """Return the distances |x - y|, normalized."""
        up, down = x - y, y - x
        self.carry_limbs(up)
        self.carry_limbs(down)
        return np.where(up[0] < 0, down, up)

    def convert(self, x: Limbs, radius: Ints, source_format: FixedPoint) -> tuple[Limbs, Ints]:
        """Convert normalized numbers ``x`` from the format ``source_format`` to this format, rounding down.

        Returns the converted numbers and the radii in units of this format, widened so that they enclose the original
        values.
        """
        if source_format == self:
            return x, radius
        finer, shape = self.binary_places - source_format.binary_places, x.shape[1:]
        units = [source_format.units_of_limbs(column) for column in x.reshape(source_format.limb_count, -1).T.tolist()]
        moved = [self.limbs_of_units(each << finer if finer > 0 else each >> -finer) for each in units]
        wider = [each << finer if finer > 0 else -(-each >> -finer) + 1 for each in radius.tolist()]
        if max(wider, default=0) >> 61:
            raise TooFineError
        return np.array(moved, dtype=np.int64).T.reshape(self.limb_count, *shape), np.array(wider, dtype=np.int64)

    def differ_by_more_than(self, x: Limbs, y: Limbs, units: Ints) -> Mask:
        """Return, as a mask, which pairs of ``x`` and ``y`` are certainly more than ``units`` units apart.

        A ``units`` that does not fit one limb gives False.
        """
        distance = self.distance(x, y)
        far: Mask = (
            (distance[:-2] != 0).any(axis=0) | (distance[-1] + (distance[-2] << self.bits_per_limb) > units)
        ) & (units < 1 << self.bits_per_limb)
        return far

    def divide(self, x: Limbs, divisor: Any) -> Limbs:
        """Return x / by, rounded down to the unit. ``x`` need not be normalized; ``divisor`` must not exceed the largest
        denominator.

        This is long division, limb by limb: the remainder is at least 0 and below ``divisor``, whatever sign a limb has.
        """
        quotient = np.empty_like(x)
        rest: Any = 0
        for j in range(self.limb_count):
            whole = x[j] + (rest << self.bits_per_limb)
            quotient[j] = whole // divisor
            rest = whole - quotient[j] * divisor
        self.carry_limbs(quotient)
        return quotient

    def limbs_of_fractions(self, values: Sequence[Fraction]) -> tuple[Limbs, bool]:
        """Return fractions rounded down to the unit, shape (limbs, values), and whether all of them are represented
        exactly.
        """
        limbs, exact = self.zeros(len(values)), True
        for place, value in enumerate(values):
            scaled = value * (1 << self.binary_places)
            exact = exact and scaled.denominator == 1
            limbs[:, place] = self.limbs_of_units(scaled.numerator // scaled.denominator)
        return limbs, exact

    def limbs_of_units(self, units: int) -> list[int]:
        """Return the limbs of a number that is given as a whole number of units."""
        limbs = []
        for _ in range(self.limb_count - 1):
            units, limb = divmod(units, 1 << self.bits_per_limb)
            limbs.append(limb)
        return [units, *reversed(limbs)]

    def units_of_limbs(self, limbs: Sequence[int]) -> int:
        """Return the number with these limbs, as a whole number of units."""
        units = 0
        for limb in limbs:
            units = (units << self.bits_per_limb) + int(limb)
        return units

    def to_floats(self, x: Limbs) -> NDArray[np.float64]:
        """Return normalized numbers as floats, correct to the precision of floats or to the unit."""
        floats = np.zeros(x.shape[1:])
        for j in range(self.limb_count - 1, -1, -1):
            floats += np.ldexp(x[j].astype(float), -self.bits_per_limb * j)
        return floats


@dataclass(frozen=True)
class FloatingPoint:
    """Floats in the place of fixed-point numbers: one limb, which has no unit and no carry."""

    limb_count: int = 1
    bits_per_limb: int = 0

    def zeros(self, *shape: int) -> Any:
        """Return an array of zeros, shape (1, *shape)."""
        return np.zeros((1, *shape))

    def carry_limbs(self, x: Any) -> None:
        """Do nothing: floats have no carry."""

    def divide(self, x: Any, divisor: Any) -> Any:
        """Return x / by."""
        return x / divisor


MAX_BITS = 4_000_000  # of a denominator, some 1.2 million digits


class FractionTooLong(Signal):
    """Raised if a fraction, or the linear system that it solves, would be larger than allowed."""


class FractionTooExpensive(FractionTooLong):
    """Raised if finding a fraction would take longer than the time limit."""

    def __init__(self) -> None:
        super().__init__("the fraction takes longer than the solution")


@dataclass(frozen=True, slots=True)
class CommonDenominator:
    """The values of one state, one for each seat: the numerators ``numerators`` over one denominator ``denominator``."""

    numerators: tuple[fmpz, ...]
    denominator: fmpz

    @property
    def has_shared_numerator(self) -> bool:
        """Whether the numerators of all seats are the same object, so that work on a numerator is done only once."""
        return all(top is self.numerators[0] for top in self.numerators)

    def fraction(self, seat: int) -> Fraction:
        """Return the value of one seat as a fraction."""
        return Fraction(int(self.numerators[seat]), int(self.denominator))


def inverse_matrix(matrix: list[list[fmpq]]) -> tuple[list[list[fmpz]], fmpz]:
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


def ball_end(ball: arb, side: int) -> Fraction:
    """Return the lower (``side`` 0) or upper (1) end of a ball of FLINT's interval arithmetic."""
    end = (ball.upper() if side else ball.lower()).fmpq()
    return Fraction(int(end.p), int(end.q))


def in_lowest_terms(numerators: tuple[fmpz, ...], denominator: fmpz) -> CommonDenominator:
    """Divide all numerators and the denominator by their common divisor.

    Raises FractionTooLong if the denominator has more than ``MAX_BITS`` bits.
    """
    shared, different = denominator, list(numerators)
    if all(top == numerators[0] for top in numerators):
        del different[1:]
    for top in different:
        shared = shared.gcd(top)
        if shared == 1:
            break
    if denominator.bit_length() > MAX_BITS:
        raise FractionTooLong(f"a denominator of {denominator.bit_length():,} bits")
    lowest = tuple(top // shared for top in different)
    return CommonDenominator(lowest * (len(numerators) // len(lowest)), denominator // shared)
