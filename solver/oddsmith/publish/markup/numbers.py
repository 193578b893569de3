"""Format numbers for a page: as decimals with few digits, and as fractions, or as hashes of fractions that are too long
to read.
"""

from __future__ import annotations

import hashlib
import re
from decimal import Decimal
from fractions import Fraction
from typing import TYPE_CHECKING

from oddsmith.base.exact import MAX_SHOWN_DIGITS, Number, decimal_text, fraction_text
from oddsmith.publish.markup.html import Html, cell, esc, tag

if TYPE_CHECKING:
    from oddsmith.report.facts import Unit


def amount_text(unit: Unit, number: Number, decimal_places: int = 2) -> str:
    """Return a value with its unit: 29.36 coins, or 57.48 %."""
    if unit.chance:
        return value_text_in_sentence(unit, number, decimal_places)
    return f"{readable_decimal_text(number, decimal_places)} {unit.name}".strip()


def readable_decimal_text(number: Number, decimal_places: int = 2) -> str:
    """Return a number as a decimal with ``decimal_places`` places, or with more places if two significant digits need
    them.
    """
    size = abs(number.middle)
    more = (
        next((more for more in range(decimal_places, 60) if size * 10**more >= 10), decimal_places)
        if size
        else decimal_places
    )
    return decimal_without_trailing_zeros(number, number.decimal(more))


def decimal_without_trailing_zeros(number: Number, text: str) -> str:
    """Return the decimal ``text`` of a number. If it is exactly the number, its trailing zeros are removed: 50 and not
    50.00.
    """
    exact = number.exact is not None and "." in text and Fraction(text) == number.exact
    return text.rstrip("0").removesuffix(".") if exact else text


def amount_text_without_unit(unit: Unit, number: Number, decimal_places: int = 2) -> str:
    """Return a value without the name of its unit, for tables that have the unit in their headers. Chances are in
    percent.
    """
    return number.percent(decimal_places) if unit.chance else number.decimal(decimal_places)


def value_text_in_sentence(unit: Unit, number: Number, decimal_places: int = 2) -> str:
    """Return a value for a sentence, without the name of its unit. A chance is in percent, with the word over or under
    if it is not exact.
    """
    if not unit.chance:
        return decimal_without_trailing_zeros(number, number.decimal(decimal_places))
    side, text = number.percentage(decimal_places)
    return f"{side} {decimal_without_trailing_zeros(number * 100, text)} %".lstrip()


def signed_difference_text(number: Number, decimal_places: int, is_chance: bool) -> str:
    """Return a difference with its sign. ``is_chance``: whether it is a difference of chances, in percentage points."""
    text = small_number_text(number * 100 if is_chance else number, decimal_places)
    sign = "" if text.startswith("under") or float(number) <= 0 else "+"
    return f"{sign}{text}"


def payoff_text_with_verb(unit: Unit, number: Number, verb: str, losing_verb: str = "loses") -> str:
    """Return a payoff with a verb: gets 0.76 coins, or loses 0.76 coins. ``verb``: the verb for a value of at least 0.
    ``losing_verb``: the verb for a value below 0.
    """
    below = number.upper < 0 and not unit.chance
    return f"{losing_verb} {amount_text(unit, -number)}" if below else f"{verb} {amount_text(unit, number)}".lstrip()


def loss_text_with_unit(unit: Unit, number: Number, decimal_places: int = 2) -> str:
    """Return a loss with its unit. A small loss is never printed as 0.00."""
    if number.upper == 0:
        return "nothing"
    name = "percentage points" if unit.chance else unit.name
    return f"{small_number_text(number * unit.chart_scale, decimal_places)} {name}".strip()


def small_number_text(number: Number, decimal_places: int) -> str:
    """Return a number as a decimal. A number other than 0 that would round to 0 is printed as under the smallest
    positive decimal, such as under 0.01.
    """
    text = decimal_without_trailing_zeros(number, number.decimal(decimal_places))
    least = Fraction(1, 10**decimal_places)
    if number.upper != 0 and abs(number.middle) < least / 2:
        return f"under {decimal_text(least, decimal_places)}"
    return text


def short_fraction_text(number: Number) -> str:
    """Return an exact number as a fraction; empty if it is not exact or if the fraction is too long to read."""
    if number.exact is None:
        return ""
    text = fraction_text(number.exact)
    return text if len(text) <= MAX_SHOWN_DIGITS else ""


def exact_number_cell(number: Number, download_url: str = "") -> Html:
    """Return a table cell with an exact number as a fraction.

    A long fraction is replaced by its number of digits, its hash and a link. If the number is not exact, the cell has
    the number of proven decimal places. ``download_url``: the address of the link.
    """
    if number.exact is None:
        return cell(f"proven to {number.certain_digits} decimal places", cls="od-text")
    text = fraction_text(number.exact)
    if len(text) <= MAX_SHOWN_DIGITS:
        return cell(tag("code", text.replace("-", "−")), cls="od-text")
    digest = hashlib.sha256(text.encode()).hexdigest()
    where = tag("a", "text", href=download_url, download=True) if download_url else esc("")
    words = f"a fraction of {sum(map(str.isdigit, text)):,} digits; SHA-256 {digest[:16]}… "
    return cell(tag("span", words, where), cls="od-text")


def mean_count_text(number: Number, singular: str) -> str:
    """Return a mean number of things in words, such as 2.5 turns or 3 turns: to one decimal place, without .0.

    ``singular``: the singular of the things, which is used only for exactly 1.
    """
    text = number.decimal(1).removesuffix(".0")
    return f"{text} {singular if number.exact == 1 else singular + 's'}"


def percent_text(chance: Fraction, decimal_places: int = 2) -> str:
    """Return a chance in percent."""
    return Number.of(chance).percent(decimal_places)


def chance_text(chance: Number, decimal_places: int = 2) -> str:
    """Return the chance of an event in percent, without trailing zeros if it is exact. An impossible or a certain event
    is named in words.
    """
    text = chance.percent(decimal_places)
    figure, sign, _ = text.partition(" %")
    return f"{decimal_without_trailing_zeros(chance * 100, figure)}{sign}" if sign and figure[:1].isdigit() else text


def short_number_text(value: Fraction, decimal_places: int = 3) -> str:
    """Return a number as text: a whole number with commas between thousands, any other number with ``decimal_places``
    decimal places.
    """
    return f"{int(value):,}" if value.denominator == 1 else decimal_text(value, decimal_places)


def one_in_text(chance: Fraction) -> str:
    """Return a chance as 1 in N; a dash if it is 0 or more than 9/10."""
    return "–" if chance == 0 or chance > Fraction(9, 10) else f"1 in {decimal_text(1 / chance, 1).removesuffix('.0')}"


def text_with_short_numbers(text: str) -> str:
    """Return a sentence in which whole numbers of more than 15 digits are rounded, with the word about before them."""
    return re.sub(
        r"(?<![\d.,/])\d(?:,?\d){15,}(?![\d.,]*[\d/])",
        lambda found: _rounded_power_text(found[0].replace(",", "")),
        text,
    )


def _rounded_power_text(digits: str) -> str:
    figure, _, exponent = f"{Decimal(digits):.1e}".partition("e+")
    return f"about {figure} × 10{exponent.translate(str.maketrans('0123456789', '⁰¹²³⁴⁵⁶⁷⁸⁹'))}"


def range_text(first: int, last: int) -> str:
    """Return a range of whole numbers as text; a single number if both ends are equal."""
    return f"{first:,}" if first == last else f"{first:,}–{last:,}"
