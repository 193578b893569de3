"""Rational functions of one variable, and the real roots of their numerators and denominators, without rounding.

Roots are isolated by bisection and Descartes' rule of signs (Collins and Akritas, 1976). The interval is mapped to (0,
oo). If the coefficients of the mapped polynomial have no change of sign, there is no root in the interval; if they have
one change, there is exactly one root.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from functools import total_ordering
from itertools import pairwise
from math import ceil, floor
from typing import Any

import sympy
from flint import fmpq, fmpq_poly, fmpz_poly

from oddsmith.base.exact import Number, short_repr


@dataclass(frozen=True, slots=True)
class RationalFunction:
    """The rational function ``numerator / bottom`` in lowest terms. The leading coefficient of ``denominator`` is
    positive.
    """

    numerator: fmpz_poly = field(default_factory=fmpz_poly)
    denominator: fmpz_poly = field(default_factory=lambda: fmpz_poly([1]))

    def __repr__(self) -> str:
        return short_repr(self, self.text("x"))

    def __hash__(self) -> int:  # polynomials have none
        return hash((str(self.numerator), str(self.denominator)))

    @staticmethod
    def of(numerator: fmpz_poly, denominator: fmpz_poly) -> RationalFunction:
        """Return the quotient of two polynomials in lowest terms."""
        shared = numerator.gcd(denominator)
        if denominator.leading_coefficient() < 0:
            shared = -shared
        return RationalFunction(numerator // shared, denominator // shared)

    @staticmethod
    def constant(number: Fraction | int) -> RationalFunction:
        """Return a constant rational function."""
        number = Fraction(number)
        return RationalFunction(fmpz_poly([number.numerator]), fmpz_poly([number.denominator]))

    @staticmethod
    def of_polynomial(polynomial: fmpq_poly) -> RationalFunction:
        """Return a polynomial with rational coefficients as a rational function."""
        return RationalFunction.of(polynomial.numer(), fmpz_poly([polynomial.denom()]))

    def __bool__(self) -> bool:
        return bool(self.numerator)

    def __neg__(self) -> RationalFunction:
        return RationalFunction(-self.numerator, self.denominator)

    def __add__(self, other: RationalFunction) -> RationalFunction:
        if not self.numerator or not other.numerator:
            return self if self.numerator else other
        shared = self.denominator.gcd(other.denominator)
        mine, theirs = self.denominator // shared, other.denominator // shared
        return RationalFunction.of(self.numerator * theirs + other.numerator * mine, self.denominator * theirs)

    def __sub__(self, other: RationalFunction) -> RationalFunction:
        return self + -other

    def __mul__(self, other: RationalFunction) -> RationalFunction:
        if not self.numerator or not other.numerator:
            return RationalFunction()
        one, two = self.numerator.gcd(other.denominator), other.numerator.gcd(self.denominator)
        return RationalFunction(
            (self.numerator // one) * (other.numerator // two), (self.denominator // two) * (other.denominator // one)
        )

    def inverse(self) -> RationalFunction:
        """Return the function 1 / f for this function f. Raises ZeroDivisionError if f is 0."""
        if not self.numerator:
            raise ZeroDivisionError("1 / 0")
        return (
            RationalFunction(self.denominator, self.numerator)
            if self.numerator.leading_coefficient() > 0
            else RationalFunction(-self.denominator, -self.numerator)
        )

    def value_at(self, point: Fraction) -> Fraction:
        """Return the value of the function at a point. Raises ZeroDivisionError at a pole."""
        return polynomial_value(self.numerator, point) / polynomial_value(self.denominator, point)

    def text(self, symbol: str) -> str:
        """Return the formula in SymPy's notation. ``symbol``: the name of the variable."""
        return str(self.expression(symbol))

    def expression(self, symbol: str) -> Any:
        """Return the formula as a SymPy expression. ``symbol``: the name of the variable."""
        name = sympy.Symbol(symbol)
        top, bottom = (
            sympy.Poly([int(c) for c in reversed(p.coeffs())] or [0], name) for p in (self.numerator, self.denominator)
        )
        if bottom.degree() <= 0:
            return (top / bottom.LC() if bottom.LC() != 1 else top).as_expr()
        return sympy.factor(top.as_expr()) / sympy.factor(bottom.as_expr())


def sum_of_functions(functions: Iterable[RationalFunction]) -> RationalFunction:
    """Return the sum of several functions."""
    sum_ = RationalFunction()
    for part in functions:
        sum_ = sum_ + part
    return sum_


def polynomial_value(polynomial: fmpz_poly, point: Fraction) -> Fraction:
    """Return the value of a polynomial at a rational point."""
    found = fmpq_poly(polynomial)(fmpq(point.numerator, point.denominator))
    return Fraction(int(found.p), int(found.q))


def sign_of(number: Fraction | int) -> int:
    """Return the sign of a number: -1, 0 or 1."""
    return (number > 0) - (number < 0)


@total_ordering
@dataclass(frozen=True, eq=False, slots=True)
class Algebraic:
    """A real algebraic number: the only root of the irreducible polynomial ``polynomial`` from ``low`` to ``high``.

    If the number is rational, ``low`` and ``high`` may both be equal to it; ``polynomial`` is then not used.
    """

    low: Fraction
    high: Fraction
    polynomial: fmpz_poly = field(default_factory=fmpz_poly)

    def __repr__(self) -> str:
        return short_repr(self, self.short_text(12))

    @staticmethod
    def of(number: Fraction | int) -> Algebraic:
        """Return a rational number as an algebraic number."""
        return Algebraic(Fraction(number), Fraction(number))

    @property
    def exact(self) -> Fraction | None:
        """The number as a fraction if its interval is a single point, else None."""
        return self.low if self.low == self.high else None

    def with_halved_interval(self) -> Algebraic:
        """Return the same number with an interval of half the width."""
        if self.low == self.high:
            return self
        middle = (self.low + self.high) / 2
        sign_at_middle, sign_at_high = (
            sign_of(polynomial_value(self.polynomial, middle)),
            sign_of(polynomial_value(self.polynomial, self.high)),
        )
        return (
            Algebraic(middle, self.high, self.polynomial)
            if sign_at_middle != sign_at_high
            else Algebraic(self.low, middle, self.polynomial)
        )

    @property
    def floor_and_ceiling(self) -> tuple[int, int]:
        """The greatest whole number not above the number, and the least whole number not below it."""
        number = self
        while floor(number.low) != floor(number.high):
            number = number.with_halved_interval()
        return floor(number.low), ceil(number.low) if self.exact is not None else floor(number.low) + 1

    def with_interval_within(self, width: Fraction) -> Algebraic:
        """Return the same number with an interval of at most the given width."""
        number = self
        while number.high - number.low > width:
            number = number.with_halved_interval()
        return number

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Algebraic) and self._compare(other) == 0

    def __lt__(self, other: Algebraic) -> bool:
        return self._compare(other) < 0

    def __hash__(self) -> int:
        """Return the hash of the number.

        The interval does not matter: the same number may have many intervals, but it has only one irreducible
        polynomial.
        """
        if self.low == self.high:
            return hash(self.low)
        shared = self.polynomial.content() * sign_of(int(self.polynomial.leading_coefficient()))
        coefficients = [Fraction(int(each), int(shared)) for each in self.polynomial.coeffs()]
        if len(coefficients) == 2:
            return hash(-coefficients[0] / coefficients[1])
        return hash(tuple(coefficients))

    def _compare(self, other: Algebraic) -> int:
        a, b = self, other
        while a.low <= b.high and b.low <= a.high:
            if a.low == a.high and b.low == b.high:
                return 0
            if a.polynomial == b.polynomial and b.low <= a.low and a.high <= b.high:
                return 0  # b's interval holds one root only
            a = a.with_halved_interval()
            if a.polynomial != b.polynomial:
                b = b.with_halved_interval()
        return -1 if a.high < b.low else 1

    def to_number(self, digits: int) -> Number:
        """Return proven bounds of the number that are 10^-(``digits`` + 3) or less apart.

        So both round to the same decimal with ``digits`` digits, unless the number is nearly midway between two such
        decimals.
        """
        found = self.with_interval_within(Fraction(1, 10 ** (digits + 3)))
        return Number(found.low, found.high)

    def expression(self) -> Any:
        """Return the number as a SymPy expression: a rational number, one with a square root, or a ``CRootOf``."""
        if self.low == self.high:
            return sympy.Rational(self.low.numerator, self.low.denominator)
        poly = sympy.Poly([int(c) for c in reversed(self.polynomial.coeffs())], sympy.Symbol("x"))
        below = poly.count_roots(None, sympy.Rational(self.low.numerator, self.low.denominator))
        return sympy.rootof(poly, below, radicals=True) if poly.degree() == 2 else sympy.CRootOf(poly, below)

    def short_text(self, digits: int = 6) -> str:
        """Return the number as text: a fraction, or "about" and a decimal with ``digits`` digits if its interval is no
        point.
        """
        return str(self.low) if self.low == self.high else f"about {self.to_number(digits).decimal(digits)}"

    def text(self, symbol: str, digits: int = 6) -> str:
        """Return the number as text: a fraction, or an expression with a square root and a decimal, or a decimal and
        the polynomial that it is a root of.

        ``symbol``: the name of the variable of the polynomial. ``digits``: the digits of the decimal.
        """
        if self.low == self.high:
            return str(self.low)
        if self.polynomial.degree() == 2:
            return f"{self.expression()}, {self.short_text(digits)}"
        return f"{self.short_text(digits)}, a root of {RationalFunction(self.polynomial).text(symbol)}"

    def to_json(self, digits: int = 12) -> dict[str, Any]:
        """Return the number as plain data for JSON: the fields of every number, and ``root_of``.

        ``root_of`` has the coefficients, from the constant on, of a polynomial with this root; None for a fraction.
        """
        coefficients = [str(int(c)) for c in self.polynomial.coeffs()] if self.exact is None else None
        return {**self.to_number(digits).to_json(digits), "root_of": coefficients}


def rational_between(lower: Algebraic, upper: Algebraic) -> Fraction:
    """Return a simple rational number strictly between ``lower`` and ``upper``, where a < b."""
    while lower.high >= upper.low:
        lower, upper = lower.with_halved_interval(), upper.with_halved_interval()
    return _simplest_fraction_between(lower.high, upper.low)


def _simplest_fraction_between(low: Fraction, high: Fraction) -> Fraction:
    """Return the fraction with the least denominator strictly between two fractions (Stern and Brocot)."""
    whole = floor(low)
    if whole + 1 < high:
        return Fraction(whole + 1)
    if low == whole:
        return whole + Fraction(1, floor(1 / (high - whole)) + 1)
    return whole + 1 / _simplest_fraction_between(1 / (high - whole), 1 / (low - whole))


def roots_with_multiplicities(polynomial: fmpz_poly, low: Fraction, high: Fraction) -> list[tuple[Algebraic, int]]:
    """Return the roots of a polynomial strictly between two rational numbers, ascending, each with its multiplicity.

    ``polynomial`` must not be 0.
    """
    if low >= high or not count_sign_changes(polynomial, low, high):
        return []
    points = []
    for factor, times in polynomial.factor()[1]:
        if factor.degree() == 1:
            root = Fraction(-int(factor[0]), int(factor[1]))
            points += [(Algebraic.of(root), times)] if low < root < high else []
        else:
            points += [(point, times) for point in _isolate_roots(factor, low, high)]
    return sorted(points, key=lambda pair: pair[0])


def interval_where_not_positive(
    function: RationalFunction, point: Fraction, low: Algebraic, high: Algebraic
) -> tuple[Algebraic, Algebraic]:
    """Return the largest interval around ``point``, between ``low`` and ``high``, in which a function is at most 0.

    The function must be at most 0 at ``point`` and must have no pole between ``low`` and ``high``.
    """
    if not function:
        return low, high
    towards = sign_of(polynomial_value(function.denominator, point))
    assert towards * polynomial_value(function.numerator, point) <= 0, "above 0 at the point itself"
    centre, zeros = Algebraic.of(point), roots_with_multiplicities(function.numerator, low.low, high.high)
    above = min([high, *(zero for zero, _ in zeros if zero > centre)])
    crossings = [zero for zero, times in zeros if times % 2]
    low = max([low, *(zero for zero in crossings if zero < centre)])
    high = min([high, *(zero for zero in crossings if zero > centre)])
    if centre in crossings:  # above 0 on one side of the point
        return (
            (low, centre)
            if towards * polynomial_value(function.numerator, rational_between(centre, above)) > 0
            else (centre, high)
        )
    return low, high


def _isolate_roots(polynomial: fmpz_poly, low: Fraction, high: Fraction) -> Iterator[Algebraic]:
    """Yield the roots of an irreducible polynomial without rational roots, strictly between ``low`` and ``high``."""
    count = count_sign_changes(polynomial, low, high)
    if count == 1:
        yield Algebraic(low, high, polynomial)
    elif count:
        middle = (low + high) / 2
        yield from _isolate_roots(polynomial, low, middle)
        yield from _isolate_roots(polynomial, middle, high)


def count_sign_changes(polynomial: fmpz_poly, low: Fraction, high: Fraction) -> int:
    """Return Descartes' upper bound of the number of roots in an open interval.

    The bound has the same parity as the number of roots, and it is exact if it is 0 or 1.
    """
    a, d = low, high - low
    line = fmpq_poly([fmpq(a.numerator, a.denominator), fmpq(d.numerator, d.denominator)])
    unit = fmpq_poly(polynomial)(line).numer()  # the interval as 0..1
    coefficients = unit.coeffs()
    image = fmpz_poly(list(reversed(coefficients)))(fmpz_poly([1, 1]))
    signs = [c > 0 for c in image.coeffs() if c != 0]
    return sum(one != two for one, two in pairwise(signs))
