"""Rational functions and real roots, against SymPy."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

import pytest
import sympy
from flint import fmpz_poly
from hypothesis import given, settings
from hypothesis import strategies as st

from oddsmith.solve.parameter.algebraic import (
    Algebraic,
    RationalFunction,
    interval_where_not_positive,
    polynomial_value,
    rational_between,
    roots_with_multiplicities,
    sum_of_functions,
)

X = sympy.Symbol("x")
POLYS = st.lists(st.integers(-9, 9), min_size=1, max_size=6).map(fmpz_poly).filter(bool)
RATIOS = st.tuples(POLYS, POLYS).map(lambda pair: RationalFunction.of(*pair))
POINTS = st.fractions(-5, 5, max_denominator=7)


@given(RATIOS, RATIOS, POINTS)
def test_arithmetic_is_that_of_the_values(a: RationalFunction, b: RationalFunction, point: Fraction) -> None:
    if not polynomial_value(a.denominator, point) or not polynomial_value(b.denominator, point):
        return
    one, other = a.value_at(point), b.value_at(point)
    assert (a + b).value_at(point) == one + other
    assert (a - b).value_at(point) == one - other
    assert (a * b).value_at(point) == one * other
    assert sum_of_functions([a, b, a]).value_at(point) == 2 * one + other
    if one:
        assert a.inverse().value_at(point) == 1 / one
    assert a.expression("x").subs(X, sympy.Rational(point.numerator, point.denominator)) == one


@given(RATIOS)
def test_lowest_terms(a: RationalFunction) -> None:
    assert a.numerator.gcd(a.denominator).is_one()
    assert a.denominator.leading_coefficient() > 0
    assert a - a == RationalFunction()
    assert a * a.inverse() == RationalFunction.constant(1)


@settings(max_examples=60, deadline=None)
@given(POLYS)
def test_the_roots_are_those_that_sympy_finds(poly: fmpz_poly) -> None:
    found = roots_with_multiplicities(poly, Fraction(-20), Fraction(20))
    expected = sympy.Poly([int(c) for c in reversed(poly.coeffs())], X).real_roots(multiple=False)
    assert [times for _, times in found] == [times for _, times in expected]
    for (point, _), (root, _) in zip(found, expected, strict=True):
        assert point.low <= root <= point.high
        assert sympy.simplify(point.expression() - root).evalf(30) == pytest.approx(0, abs=1e-25)


@settings(max_examples=60, deadline=None)
@given(POLYS, POLYS)
def test_numbers_are_ordered_exactly(a: fmpz_poly, b: fmpz_poly) -> None:
    """The roots of a product are those of the factors, in order and without doubles."""
    each = sorted(point for poly in (a, b) for point, _ in roots_with_multiplicities(poly, Fraction(-20), Fraction(20)))
    both = [point for point, _ in roots_with_multiplicities(a * b, Fraction(-20), Fraction(20))]
    distinct = [point for place, point in enumerate(each) if place == 0 or point != each[place - 1]]
    assert distinct == both
    for low, high in pairwise(both):
        middle = Algebraic.of(rational_between(low, high))
        assert low < middle < high


@pytest.mark.parametrize(
    ("coefficients", "at", "stretch"),
    [
        ([-1], "0", (-9, 9)),
        ([0, 1], "-1", (-9, 0)),  # x
        ([0, 1], "0", (-9, 0)),
        ([0, -1], "0", (0, 9)),
        ([-4, 4, -1], "0", (-9, 9)),  # -(x - 2)^2 touches 0
        ([-4, 4, -1], "2", (-9, 9)),
        ([2, -3, 1], "3/2", (1, 2)),  # (x - 1) (x - 2)
        ([2, -3, 1], "1", (1, 2)),
        ([2, -3, 1], "2", (1, 2)),
        ([0, 0, 0, 1], "-3", (-9, 0)),  # x^3 crosses
        ([0, 4, -4, 1], "0", (-9, 0)),  # x (x - 2)^2: above 0 on the right, though 0 at 2
    ],
)
def test_where_a_function_is_not_above_0(coefficients: list[int], at: str, stretch: tuple[int, int]) -> None:
    ratio = RationalFunction.of(fmpz_poly(coefficients), fmpz_poly([3]))
    low, high = interval_where_not_positive(ratio, Fraction(at), Algebraic.of(-9), Algebraic.of(9))
    assert [low, high] == [Algebraic.of(end) for end in stretch]
    same = RationalFunction.of(
        -fmpz_poly(coefficients), fmpz_poly([-20, 1])
    )  # the bottom is below 0 everywhere between
    assert interval_where_not_positive(same, Fraction(at), Algebraic.of(-9), Algebraic.of(9)) == (low, high)


def test_a_simple_number_between() -> None:
    half, third = Algebraic.of(Fraction(1, 2)), Algebraic.of(Fraction(1, 3))
    assert rational_between(third, half) == Fraction(2, 5)
    assert rational_between(Algebraic.of(0), Algebraic.of(Fraction(1, 7))) == Fraction(1, 8)
    root = roots_with_multiplicities(fmpz_poly([-2, 0, 1]), Fraction(0), Fraction(5))[0][0]
    assert Algebraic.of(1) < Algebraic.of(rational_between(Algebraic.of(1), root)) < root


def test_text() -> None:
    root, cube = (
        roots_with_multiplicities(fmpz_poly(c), Fraction(0), Fraction(5))[0][0] for c in ([-2, 0, 1], [-2, 0, 0, 1])
    )
    assert root.text("t") == "sqrt(2), about 1.414214"
    assert cube.text("t", 3) == "about 1.260, a root of t**3 - 2"
    assert Algebraic.of(Fraction(3, 4)).text("t") == "3/4"
    assert root.to_json(4) == {
        "exact": None,
        "lower": root.to_json(4)["lower"],
        "upper": root.to_json(4)["upper"],
        "decimal": "1.4142",
        "root_of": ["-2", "0", "1"],
    }
    assert RationalFunction.of(fmpz_poly([1, 2]), fmpz_poly([0, 3])).text("t") == "(2*t + 1)/(3*t)"


def test_equal_points_have_equal_hashes() -> None:
    coarse = Algebraic(Fraction(1), Fraction(2), fmpz_poly([-2, 0, 1]))
    fine = coarse.with_halved_interval().with_halved_interval().with_halved_interval()
    assert coarse == fine
    assert hash(coarse) == hash(fine) == hash(Algebraic(coarse.low, coarse.high, fmpz_poly([4, 0, -2])))
    assert hash(Algebraic(Fraction(0), Fraction(1), fmpz_poly([-1, 3]))) == hash(Algebraic.of(Fraction(1, 3)))
