"""Exact numbers and their text: fractions of any length, proven intervals, and decimals in which every digit is certain."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import ceil, floor
from typing import Literal

Grade = Literal["exact", "proven"]
Side = Literal["", "under", "over"]

DIGITS = 12  # decimal places that files show where nobody says how many
_LINE = 96  # characters of an object at a prompt
_CHUNK = 4000  # decimal digits that Python converts in one go, below its limit of 4,300
MAX_SHOWN_DIGITS = 60
"""The largest number of digits of a fraction that is shown to people."""


def int_text(number: int) -> str:
    """Return the decimal text of a whole number of any length (``str`` refuses more than 4,300 digits)."""
    if number < 0:
        return "-" + int_text(-number)
    if number.bit_length() < 13_000:
        return str(number)
    half = int(number.bit_length() * 0.30103) // 2
    high, low = divmod(number, 10**half)
    return int_text(high) + int_text(low).zfill(half)


def int_from_text(text: str) -> int:
    """Return the whole number that a decimal text of any length writes. It is the inverse of :func:`int_text`."""
    if text.startswith("-"):
        return -int_from_text(text[1:])
    if len(text) <= _CHUNK:
        return int(text)
    half = len(text) // 2
    shift: int = 10**half
    return int_from_text(text[:-half]) * shift + int_from_text(text[-half:])


def whole_number(text: str) -> int | None:
    """Return the integer that a text writes in plain digits; None for any other text."""
    return int_from_text(text) if re.fullmatch(r"-?[0-9]{1,4000}", text) else None


def plain_value(text: str) -> int | bool | str:
    """Return the value of a text: a whole number, true or false, or else the text itself."""
    number = whole_number(text)
    return {"true": True, "false": False}.get(text, text) if number is None else number


def fraction_text(value: Fraction) -> str:
    """Return a fraction as text: ``p/q`` in lowest terms, or ``p`` for a whole number."""
    top = int_text(value.numerator)
    return top if value.denominator == 1 else f"{top}/{int_text(value.denominator)}"


def fraction_from_text(text: str) -> Fraction:
    """Return the fraction that a text writes. It is the inverse of :func:`fraction_text`."""
    top, _, bottom = text.partition("/")
    return Fraction(int_from_text(top), int_from_text(bottom or "1"))


def decimal_text(value: Fraction, digits: int = 12) -> str:
    """Return a fraction as a decimal with ``digits`` decimal places. Halves are rounded to even."""
    scaled = round(value * 10**digits)
    all_digits = int_text(abs(scaled)).zfill(digits + 1)
    sign = "-" if scaled < 0 else ""
    return sign + (f"{all_digits[:-digits]}.{all_digits[-digits:]}" if digits else all_digits)


def plain_text(value: object) -> str:
    """Return a value on one line, as rulesets and commands write it: true, 3, [red, blue], {faces: 6}."""
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{key}: {plain_text(part)}" for key, part in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(plain_text, value)) + "]"
    return str(value).lower() if isinstance(value, bool) else str(value)


def one_line(text: str) -> str:
    """Return a text with each run of white space, and so each line break, as one space."""
    return " ".join(text.split())


def quoted_line(text: str) -> str:
    """Return a text on one line in quotation marks, with quotation marks and backslashes escaped, as graph files have it."""
    escaped = one_line(text).replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def plural(count: int, noun: str, plural_noun: str = "") -> str:
    """Return a count with its noun: 1 seat, 1,594 states.

    ``noun``: the singular. ``plural_noun``: the plural, if it is not the singular with an s.
    """
    return f"{count:,} {noun if count == 1 else plural_noun or noun + 's'}"


def short_repr(instance: object, text: str) -> str:
    """Return a ``repr`` of an object, of under 100 characters: the name of its class, and ``text``, which is cut if it
    is long.
    """
    name, line = type(instance).__name__, one_line(text)
    most = _LINE - len(name) - 2
    return f"{name}({line})" if len(line) <= most else f"{name}({line[: most - 3]}...)"


_NUMBER = re.compile(r"\s*(-?\d+(?:\.\d+)?)(?:\s*/\s*(\d+))?\s*(%?)\s*")


@dataclass(frozen=True, slots=True)
class PublishedNumber:
    """A number as it was published: its text and its value.

    ``tolerance``: half a unit of its last digit; 0 for a fraction p/q.
    """

    text: str
    value: Fraction
    tolerance: Fraction

    def is_confirmed_by(self, number: Number) -> bool | None:
        """Return whether a number lies within the tolerance of the published one; None if the bounds of the number do
        not decide it.
        """
        low, high = self.value - self.tolerance, self.value + self.tolerance
        if low <= number.lower and number.upper <= high:
            return True
        return False if number.upper < low or number.lower > high else None

    def is_off_by_the_tolerance(self, number: Number) -> bool:
        """Return whether a number is exact and differs from the published one by exactly the tolerance.

        It is False if the tolerance is 0.
        """
        return self.tolerance > 0 and number.exact is not None and abs(number.exact - self.value) == self.tolerance


def parse_published_number(text: str) -> PublishedNumber:
    """Return the published number that a text writes: a whole number, a decimal or p/q, each with an optional percent
    sign.

    Raises ValueError for anything else.
    """
    match = _NUMBER.fullmatch(text)
    if not match or (match[2] and ("." in match[1] or int(match[2]) == 0)):
        raise ValueError(f"{text!r} is not a whole number, a decimal or p/q")
    unit = Fraction(1, 100) if match[3] else Fraction(1)
    if match[2]:
        return PublishedNumber(text, Fraction(int(match[1]), int(match[2])) * unit, Fraction(0))
    places = len(match[1].partition(".")[2])
    return PublishedNumber(text, Fraction(match[1]) * unit, Fraction(1, 2 * 10**places) * unit)


@dataclass(frozen=True)
class Number:
    """A number that is exact, or proven to lie between two rationals.

    Arithmetic on numbers, fractions and integers gives numbers. The bounds of a result follow from those of its
    operands.

    >>> value = oddsmith.load("piglet").solve().values[0]
    >>> 1 - value, f"{value:.4f}"
    (Number(3/7), '0.5714')
    """

    lower: Fraction
    upper: Fraction

    def __repr__(self) -> str:
        return short_repr(self, self._short_fraction_text(18) or f"{self.decimal()}, {self.grade}")

    def _repr_html_(self) -> str:
        fraction = self._short_fraction_text(18)
        known = f"{fraction} = " if fraction and self.lower.denominator > 1 else ""
        return f"<p>{known}{self.decimal()} ({self.grade})</p>"

    def _short_fraction_text(self, max_digits: int) -> str | None:
        """Return the fraction as text; None if it is not known, or if its numerator or denominator has more than
        ``max_digits`` digits.
        """
        most: int = 10**max_digits
        short = abs(self.lower.numerator) < most and self.lower.denominator < most
        return fraction_text(self.lower) if self.exact is not None and short else None

    @property
    def brief(self) -> str:
        """The fraction if it is short, else a decimal with six places."""
        return self._short_fraction_text(4) or self.decimal(6)

    @staticmethod
    def of(value: Fraction | int) -> Number:
        """Return a fraction or an integer as an exact number."""
        return Number(Fraction(value), Fraction(value))

    @property
    def exact(self) -> Fraction | None:
        """The fraction; None if only bounds are known."""
        return self.lower if self.lower == self.upper else None

    @property
    def grade(self) -> Grade:
        """``exact`` if the fraction is known, else ``proven``."""
        return "exact" if self.lower == self.upper else "proven"

    @cached_property
    def middle(self) -> Fraction:
        """The midpoint of the bounds."""
        return (self.lower + self.upper) / 2

    @property
    def certain_digits(self) -> int:
        """The largest number of decimal places such that the bounds differ by at most one unit of the last place.

        Raises ZeroDivisionError for an exact number.
        """
        apart = self.upper - self.lower
        return len(int_text(apart.denominator // apart.numerator)) - 1

    def rounded_outward(self, digits: int) -> Number:
        """Return the number with its bounds rounded outward to ``digits`` decimal places, which makes them short.

        An exact number may become a proven one.
        """
        scale = 10**digits
        return Number(Fraction(floor(self.lower * scale), scale), Fraction(ceil(self.upper * scale), scale))

    def __add__(self, other: Number | Fraction | int) -> Number:
        other = _as_number(other)
        return Number(self.lower + other.lower, self.upper + other.upper)

    __radd__ = __add__

    def __neg__(self) -> Number:
        return Number(-self.upper, -self.lower)

    def __sub__(self, other: Number | Fraction | int) -> Number:
        return self + -_as_number(other)

    def __rsub__(self, other: Fraction | int) -> Number:
        return -self + other

    def __mul__(self, other: Number | Fraction | int) -> Number:
        other = _as_number(other)
        ends = [one * two for one in (self.lower, self.upper) for two in (other.lower, other.upper)]
        return Number(min(ends), max(ends))

    __rmul__ = __mul__

    def __truediv__(self, other: Number | Fraction | int) -> Number:
        """Divide by a number. Raises ZeroDivisionError if the divisor may be 0."""
        other = _as_number(other)
        if other.lower <= 0 <= other.upper:
            raise ZeroDivisionError(f"{other!r} may be 0")
        return self * Number(1 / other.upper, 1 / other.lower)

    def __rtruediv__(self, other: Fraction | int) -> Number:
        return Number.of(other) / self

    def __format__(self, form: str) -> str:
        """Return the number formatted as a float. With formats such as ``.4f`` and ``.1%``, every digit is certain."""
        places = re.fullmatch(r"\.(\d+)([f%])", form)
        if places is None:
            return format(float(self), form) if form else str(self)
        return (self * 100).decimal(int(places[1])) + "%" if places[2] == "%" else self.decimal(int(places[1]))

    def __float__(self) -> float:
        return self.middle.numerator / self.middle.denominator

    def decimal(self, digits: int = 12) -> str:
        """Return a decimal with as many places, at most ``digits``, as both bounds agree on after rounding.

        If the bounds differ even when they are rounded to whole numbers, return both: ``0.250..1.750``.
        """
        for wanted in range(digits, -1, -1):
            text = decimal_text(self.lower, wanted)
            if text == decimal_text(self.upper, wanted):
                return text
        return f"{decimal_text(self.lower, 3)}..{decimal_text(self.upper, 3)}"

    def percent(self, digits: int = 2) -> str:
        """Return a chance in percent as text, such as ``12.50 %``; ``impossible`` for 0 and ``always`` for 1.

        A possible event is never shown as 0, but as ``under 0.01 %``. An uncertain event is never shown as 100.
        """
        if self.upper == 0:
            return "impossible"
        if self.lower == 1:
            return "always"
        side, amount = self.percentage(digits)
        return f"{side} {amount} %".lstrip()

    def percentage(self, digits: int = 2) -> tuple[Side, str]:
        """Return a chance in percent as a pair of texts: a side and an amount with at most ``digits`` decimal places.

        If a chance that may be positive would be rounded to 0, the side is ``under``: the chance is less than the
        amount. If a chance that may be below 1 would be rounded to 100, the side is ``over``: the chance is more than
        the amount. In all other cases the side is empty, and the amount is the rounded chance.
        """
        if self.upper == 0 or self.lower == 1:
            return "", "0" if self.upper == 0 else "100"
        text, scale = (self * 100).decimal(digits), 10**digits
        if not text.strip("0."):
            return "under", decimal_text(Fraction(floor(self.upper * 100 * scale) + 1, scale), digits)
        if text.partition(".")[0] == "100":
            return "over", decimal_text(Fraction(ceil(self.lower * 100 * scale) - 1, scale), digits)
        return "", text

    @staticmethod
    def from_json(data: Mapping[str, str | None]) -> Number:
        """Return the number that ``to_json`` turned into this data."""
        return Number(*(fraction_from_text(data[end] or "") for end in ("lower", "upper")))

    def to_json(self, digits: int = 12) -> dict[str, str | None]:
        """Return the number as plain data for JSON: the fraction or None, both bounds, and a decimal with at most
        ``digits`` places.
        """
        exact = self.exact
        lower = fraction_text(self.lower)
        return {
            "exact": None if exact is None else lower,
            "lower": lower,
            "upper": lower if exact is not None else fraction_text(self.upper),
            "decimal": self.decimal(digits),
        }


def average(numbers: Sequence[Number]) -> Number:
    """Return the mean of one or more numbers."""
    return sum(numbers, Number.of(0)) * Fraction(1, len(numbers))


def _as_number(value: Number | Fraction | int) -> Number:
    """Return a value as a number. A fraction or an integer becomes an exact number."""
    return value if isinstance(value, Number) else Number.of(value)
