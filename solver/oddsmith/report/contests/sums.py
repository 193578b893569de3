"""Sums of independent amounts: the chances of whole numbers as the coefficients of a polynomial.

The law of a sum is the product of the polynomials. Where the fractions would be long, each coefficient is a whole number of
units of ``2^-BITS``, only ever rounded down. So it is never more than the chance itself, event by event, and all that all
coefficients together lack of 1 bounds how much any event is short of: no account of roundings is needed.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from math import lcm

from flint import fmpz_poly

from oddsmith.exact import Number, fraction_text
from oddsmith.outcomes import Distribution, Outcome, deviation

BITS = 256  # of a unit


@dataclass(frozen=True)
class Sums:
    """Chances of whole numbers: ``poly[i] / bottom`` for ``first + i``. ``rounded``: products are rounded down to units.

    ``ends``: no number below the first or above the last of them is possible; None where that is not known.
    """

    first: int
    poly: fmpz_poly
    bottom: int
    rounded: bool
    ends: tuple[int, int] | None

    @staticmethod
    def of(chances: Mapping[int, Fraction], rounded: bool, ends: tuple[int, int] | None) -> Sums:
        """From chances that are at most the true ones."""
        first, last = min(chances), max(chances)
        bottom = 1 << BITS if rounded else lcm(*(chance.denominator for chance in chances.values()))
        parts = [0] * (last - first + 1)
        for value, chance in chances.items():
            parts[value - first] = chance.numerator * bottom // chance.denominator
        return Sums(first, fmpz_poly(parts), bottom, rounded, ends)

    @staticmethod
    def nothing(rounded: bool) -> Sums:
        """The sum of no amounts: 0 for certain."""
        return Sums.of({0: Fraction(1)}, rounded, (0, 0))

    def __mul__(self, other: Sums) -> Sums:
        """The law of the sum of two independent amounts."""
        poly, bottom = self.poly * other.poly, self.bottom * other.bottom
        if self.rounded:
            poly, bottom = fmpz_poly([part >> BITS for part in poly.coeffs()]), self.bottom
        ends = None
        if self.ends is not None and other.ends is not None:
            ends = (self.ends[0] + other.ends[0], self.ends[1] + other.ends[1])
        return Sums(self.first + other.first, poly, bottom, self.rounded, ends)

    def __pow__(self, times: int) -> Sums:
        """The law of the sum of that many, by squaring."""
        if times == 0:
            return Sums.nothing(self.rounded)
        half = self ** (times // 2)
        return half * half * self if times % 2 else half * half

    def __add__(self, other: Sums) -> Sums:
        """Both together, where they are parts of one law over the same bottom."""
        first = min(self.first, other.first)
        poly = self.poly.left_shift(self.first - first) + other.poly.left_shift(other.first - first)
        ends = None
        if self.ends is not None and other.ends is not None:
            ends = (min(self.ends[0], other.ends[0]), max(self.ends[1], other.ends[1]))
        return replace(self, first=first, poly=poly, ends=ends)

    @property
    def mirrored(self) -> Sums:
        """The law of the amount with the other sign."""
        parts = [self.poly[place] for place in range(self.poly.degree(), -1, -1)]
        ends = self.ends and (-self.ends[1], -self.ends[0])
        return replace(self, first=-self.first - max(self.poly.degree(), 0), poly=fmpz_poly(parts), ends=ends)

    def split(self, least: int) -> tuple[Sums, Sums]:
        """The part below a number, and the rest of the law."""
        count = max(least - self.first, 0)
        below, rest = self.poly.truncate(count), self.poly.right_shift(count)
        return replace(self, poly=below), replace(self, first=self.first + count, poly=rest)

    def waiting(self, other: Sums) -> Sums:
        """The same over the bottom of a product with another law, while nothing is added."""
        return self if self.rounded else replace(self, poly=self.poly * other.bottom, bottom=self.bottom * other.bottom)

    @property
    def total(self) -> Fraction:
        """All of it."""
        return Fraction(int(self.poly(1)), self.bottom)

    @cached_property
    def lacking(self) -> Fraction:
        """What the coefficients lack of 1."""
        return 1 - self.total

    def law(self, what: str, unit: Fraction) -> Distribution:
        """The law for people: every sum times a unit, with bounds of its chance."""
        outcomes, below, lacking = [], 0, self.lacking
        for place, part in enumerate(map(int, self.poly.coeffs())):
            if part:
                below += part
                value = (self.first + place) * unit
                chance, sum_ = Fraction(part, self.bottom), Fraction(below, self.bottom)
                last = self.ends is not None and self.first + place >= self.ends[1]
                at_most = Number.of(1) if last else Number(sum_, sum_ + lacking)
                outcomes.append(Outcome(fraction_text(value), value, Number(chance, chance + lacking), at_most))
        mean, spread = self._moments(unit)
        return Distribution(what, tuple(outcomes), Number(Fraction(0), lacking), mean, spread)

    def _moments(self, unit: Fraction) -> tuple[Number | None, Number | None]:
        """Mean and standard deviation; None where what lacks may be anywhere."""
        if self.ends is None and self.lacking:
            return None, None
        low, high = self.ends or (0, 0)
        parts = [(self.first + place, int(part)) for place, part in enumerate(self.poly.coeffs())]
        sums = [Fraction(sum(part * value**power for value, part in parts), self.bottom) for power in (1, 2)]
        mean = Number(sums[0] + low * self.lacking, sums[0] + high * self.lacking)
        square = Number(sums[1], sums[1] + max(low * low, high * high) * self.lacking)
        return mean * unit, deviation(mean * unit, square * unit * unit)
