"""Numbers and their text: nothing is lost, however long, and a printed digit is right."""

from __future__ import annotations

import sys
from fractions import Fraction

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from oddsmith.base.exact import (
    Number,
    decimal_text,
    fraction_from_text,
    fraction_text,
    int_from_text,
    int_text,
    parse_published_number,
)

law = settings(
    derandomize=True, max_examples=200, deadline=None, database=None, suppress_health_check=list(HealthCheck)
)
fractions = st.fractions(max_denominator=10**9)


@law
@given(st.integers(-(10**9000), 10**9000))
@example(10**4299)
@example(10**4300)
@example(10**4300 - 1)
@example(-(10**20000) + 1)
@example(2**200_000)
@example(0)
def test_whole_numbers_of_any_length_survive_their_text(number: int) -> None:
    text = int_text(number)
    assert int_from_text(text) == number
    if abs(number) < 10**4000:
        assert text == str(number)
    assert text.lstrip("-").isdigit()


def test_long_numbers_are_written_as_python_would() -> None:
    number = 7**12_345 * 10**501
    limit = sys.get_int_max_str_digits()
    try:
        sys.set_int_max_str_digits(0)
        wanted = str(number)
    finally:
        sys.set_int_max_str_digits(limit)
    assert len(wanted) > 4300
    assert int_text(number) == wanted
    assert int_text(-number) == "-" + wanted


@law
@given(st.integers(-(10**5000), 10**5000), st.integers(1, 10**5000))
def test_fractions_of_any_length_survive_their_text(top: int, bottom: int) -> None:
    value = Fraction(top, bottom)
    assert fraction_from_text(fraction_text(value)) == value


@law
@given(fractions, st.integers(0, 15))
def test_a_decimal_is_within_half_a_unit(value: Fraction, places: int) -> None:
    text = decimal_text(value, places)
    assert abs(Fraction(text) - value) * 10**places <= Fraction(1, 2)
    assert len(text.partition(".")[2]) == places


@law
@given(fractions, st.fractions(Fraction(1, 10**30), 1))
def test_bounds_are_no_more_than_a_unit_of_the_last_known_place_apart(low: Fraction, apart: Fraction) -> None:
    places = Number(low, low + apart).certain_digits
    assert apart * 10**places <= 1 < apart * 10 ** (places + 1)


@law
@given(fractions, fractions, st.integers(0, 12))
def test_a_proven_decimal_holds_for_everything_between_its_bounds(a: Fraction, b: Fraction, places: int) -> None:
    number = Number(min(a, b), max(a, b))
    text = number.decimal(places)
    if ".." not in text:
        shown = len(text.partition(".")[2])
        for value in (number.lower, number.middle, number.upper):
            assert decimal_text(value, shown).lstrip("-") == text.lstrip("-") or abs(
                Fraction(text) - value
            ) * 10**shown <= Fraction(1, 2)


@law
@given(fractions, st.integers(0, 6))
def test_a_number_confirms_what_is_printed_of_it(value: Fraction, places: int) -> None:
    assert parse_published_number(decimal_text(value, places)).is_confirmed_by(Number.of(value))
    assert parse_published_number(decimal_text(value * 100, places) + " %").is_confirmed_by(Number.of(value))


@pytest.mark.parametrize(
    ("text", "exact", "right", "edge"),
    [
        ("0.421", "91/216", True, False),
        ("0.42", "91/216", True, False),
        ("0.422", "91/216", False, False),
        ("42.1 %", "91/216", True, False),
        ("42%", "91/216", True, False),
        ("0.5", "11/20", True, True),
        ("0.5", "9/20", True, True),
        ("0.5", "5500001/10000000", False, False),
        ("9.5", "12", False, False),
        ("12", "12", True, False),
        ("12", "25/2", True, True),
        ("244/495", "244/495", True, False),
        ("244/495", "245/495", False, False),
        ("1/2", "1/2", True, False),
        ("50 %", "1/2", True, False),
        ("200/4 %", "1/2", True, False),
        ("-1.41 %", "-7/495", True, False),
        ("-3", "-3", True, False),
    ],
)
def test_rounding_of_published_numbers(text: str, exact: str, right: bool, edge: bool) -> None:
    number = Number.of(Fraction(exact))
    found = parse_published_number(text)
    assert (found.is_confirmed_by(number), found.is_off_by_the_tolerance(number)) == (right, edge)
    assert found.text == text


@pytest.mark.parametrize("text", ["", "half", "1/0", "1.5/2", "1e3", "1,5", "0x10", ".5", "5.", "1//2", "50 % %"])
def test_what_is_no_published_number_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="whole number"):
        parse_published_number(text)


def test_bounds_that_leave_a_verdict_open_say_so() -> None:
    assert parse_published_number("0.5").is_confirmed_by(Number(Fraction(54, 100), Fraction(56, 100))) is None
    assert parse_published_number("0.5").is_confirmed_by(Number(Fraction(51, 100), Fraction(54, 100))) is True
    assert parse_published_number("0.5").is_confirmed_by(Number(Fraction(56, 100), Fraction(57, 100))) is False


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("0", "impossible"), ("1", "always"), ("1/2", "50.00 %"), ("91/216", "42.13 %"), ("1/1000000", "under 0.01 %"),
        ("999999/1000000", "over 99.99 %"), ("1/3", "33.33 %"),
    ],
)  # fmt: skip
def test_percents_never_call_the_possible_impossible(value: str, text: str) -> None:
    assert Number.of(Fraction(value)).percent() == text


def test_nor_do_percents_of_wide_bounds() -> None:
    assert Number(Fraction(0), Fraction(4, 10_000)).percent() == "under 0.05 %"
    assert Number(Fraction(9995, 10_000), Fraction(1)).percent() == "over 99.94 %"


def test_machines_get_four_fields() -> None:
    assert Number.of(Fraction(1, 3)).to_json(3) == {"exact": "1/3", "lower": "1/3", "upper": "1/3", "decimal": "0.333"}
    proven = Number(Fraction(1, 3), Fraction(1, 2)).to_json(1)
    assert (proven["exact"], proven["lower"], proven["upper"]) == (None, "1/3", "1/2")


@law
@given(
    *[st.tuples(fractions, st.fractions(0, 5, max_denominator=99)) for _ in range(2)],
    st.fractions(0, 1),
    st.fractions(0, 1),
)
def test_arithmetic_encloses_what_it_is_about(
    a: tuple[Fraction, Fraction], b: tuple[Fraction, Fraction], s: Fraction, t: Fraction
) -> None:
    one, two = Number(a[0], a[0] + a[1]), Number(b[0], b[0] + b[1])
    x, y = a[0] + s * a[1], b[0] + t * b[1]
    for found, value in [
        (one + two, x + y), (one - two, x - y), (one * two, x * y), (-one, -x), (one + 2, x + 2), (2 - one, 2 - x),
        (y * one, y * x), (sum([one, two]), x + y),
    ]:  # fmt: skip
        assert isinstance(found, Number)
        assert found.lower <= value <= found.upper
    if two.lower <= 0 <= two.upper:
        with pytest.raises(ZeroDivisionError):
            one / two
    else:
        assert (one / two).lower <= x / y <= (one / two).upper
        assert (3 / two).lower <= 3 / y <= (3 / two).upper
    assert (Number.of(x) + Number.of(y) * 3).exact == x + 3 * y


def test_a_format_shows_digits_that_are_certain() -> None:
    value = Number(Fraction(57142, 100_000), Fraction(57143, 100_000))
    assert (f"{value:.3f}", f"{value:.6f}", f"{value:.1%}", f"{value:>6.1e}") == ("0.571", "0.5714", "57.1%", "5.7e-01")
    assert f"{value}" == str(value)
