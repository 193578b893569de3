"""Probability distributions: the values of a random variable, each with its chance."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from math import isqrt
from typing import Any, Literal, get_args

from oddsmith.base.dataframes import html_heading, html_table, make_table
from oddsmith.base.errors import DistributionError
from oddsmith.base.exact import Grade, Number, fraction_text, plural, short_repr

Comparison = Literal["==", "!=", "<", "<=", ">", ">="]
COMPARISONS: tuple[str, ...] = get_args(Comparison)
ROOT_BITS = 220  # of a square root
QUANTILES = {"0.1": Fraction(1, 10), "0.5": Fraction(1, 2), "0.9": Fraction(9, 10), "0.99": Fraction(99, 100)}


@dataclass(frozen=True, slots=True)
class Outcome:
    """A value with its chance, and with the chance of at most this value.

    An outcome that is not a number, such as a set of winners, has only a name and a chance.
    """

    name: str
    value: Fraction | None
    chance: Number
    at_most: Number | None

    def __repr__(self) -> str:
        return short_repr(self, f"{self.name}: {self.chance.percent(4)}")

    @property
    def label(self) -> int | str:
        """The value as an integer, if the name is just this integer; else the name."""
        whole = self.value is not None and self.value.denominator == 1 and self.name == str(self.value)
        return int(self.name) if whole else self.name


@dataclass(frozen=True)
class Distribution:
    """A probability distribution: ascending values and the chance of each, a fraction or a proven interval.

    ``what``: the name of the random variable in words. ``beyond``: the chance of all values that are not listed.
    ``mean`` and ``standard_deviation`` are None if they are not known.

    >>> dice = oddsmith.roll("3d6")
    >>> dice.mean, dice.variance, f"{dice.standard_deviation:.4f}"
    (Number(21/2), Number(35/4), '2.9580')
    >>> dice.median, dice.quantile(Fraction(9, 10))
    (Fraction(10, 1), Fraction(14, 1))
    >>> dice.probability(">=", 14), dice.probability("==", 3)
    (Number(35/216), Number(1/216))
    """

    what: str
    outcomes: tuple[Outcome, ...]
    beyond: Number
    mean: Number | None = None
    standard_deviation: Number | None = field(default=None, metadata={"packed": "spread"})

    def __repr__(self) -> str:
        mean = f", mean {self.mean.brief}" if self.mean is not None else ""
        return short_repr(self, f"{self.what}: {plural(len(self.outcomes), 'outcome')}{mean} ({self.grade})")

    def _repr_html_(self) -> str:
        known = (("mean", self.mean), ("standard deviation", self.standard_deviation))
        moments = [f"{name} {number.brief}" for name, number in known if number is not None]
        shown = [
            [each.name, each.chance.percent(4), each.at_most and each.at_most.percent(4)] for each in self.outcomes
        ]
        if self.beyond.upper > 0:
            shown.append(["beyond", self.beyond.percent(4), None])
        head = html_heading(f"{', '.join([self.what, *moments])} ({self.grade})")
        return head + html_table(["outcome", "chance", "at most that"], shown, row_noun="outcome")

    @cached_property
    def grade(self) -> Grade:
        """``exact`` if every chance is exact, else ``proven``."""
        whole = [self.beyond, *(outcome.chance for outcome in self.outcomes)]
        return "exact" if all(number.grade == "exact" for number in whole) else "proven"

    @cached_property
    def variance(self) -> Number | None:
        """The variance; None if it is not known.

        It is a fraction if all values are listed with exact chances. Otherwise it is the square of the standard
        deviation.
        """
        values = [outcome.value for outcome in self.outcomes if outcome.value is not None]
        if self.grade == "exact" and self.beyond.upper == 0 and values and len(values) == len(self.outcomes):
            chances = [outcome.chance.lower for outcome in self.outcomes]
            mean, square = (
                sum((value**power * chance for value, chance in zip(values, chances, strict=True)), Fraction(0))
                for power in (1, 2)
            )
            return Number.of(square - mean * mean)
        return self.standard_deviation and self.standard_deviation * self.standard_deviation

    def at_most(self, value: Fraction | int) -> Number:
        """Return the value of the cumulative distribution function: the chance of at most ``value``."""
        low, high = Fraction(0), Fraction(0)
        for outcome in self.outcomes:
            if outcome.at_most is None or outcome.value is None:
                continue
            if outcome.value > value:
                return Number(low, min(high + self.beyond.upper, outcome.at_most.upper))
            low, high = outcome.at_most.lower, outcome.at_most.upper
            if outcome.value == value:
                return outcome.at_most
        return Number(low, min(high + self.beyond.upper, Fraction(1)))

    def _chance_below(self, value: Fraction | int) -> Number:
        """Return the chance of a value below ``value``."""
        below = [each for each in self.outcomes if each.value is not None and each.value < value]
        last = below[-1].at_most if below else Number.of(0)
        assert last is not None
        up_to = self.at_most(value)
        upper = min(last.upper + self.beyond.upper, up_to.upper - self._chance_of(value).lower)
        return Number(last.lower, upper)

    def _chance_of(self, value: Fraction | int | str) -> Number:
        """Return the chance of ``value``, or of the outcome of that name if ``value`` is text."""
        for outcome in self.outcomes:
            if value == (outcome.name if isinstance(value, str) else outcome.value):
                return outcome.chance
        return Number(Fraction(0), self.beyond.upper)

    def probability(self, comparison: Comparison, value: Fraction | int | str) -> Number:
        """Return the chance of the outcomes for which the comparison with ``value`` holds.

        ``comparison``: an operator of Python, such as ``>=``.

        An outcome that is not a number, such as a set of winners, is compared by its name, with ``==`` or ``!=``.
        Raises DistributionError for any other comparison of such outcomes, and for an unknown operator.
        """
        if comparison in ("==", "!="):
            equal = self._chance_of(value)
            return equal if comparison == "==" else 1 - equal
        if comparison not in COMPARISONS:
            raise DistributionError(f"there is no comparison {comparison}: write one of {' '.join(COMPARISONS)}")
        if isinstance(value, str) or any(outcome.at_most is None for outcome in self.outcomes):
            raise DistributionError(f"the outcomes of {self.what} have no order: compare them by == or !=")
        less = self.at_most(value) if comparison in ("<=", ">") else self._chance_below(value)
        return less if comparison in ("<", "<=") else 1 - less

    def quantile(self, share: Fraction) -> Fraction | None:
        """Return the least value x for which the chance of at most x is at least ``share``.

        Returns None if the bounds of the chances do not decide it, or if outcomes are not numbers.
        """
        for outcome in self.outcomes:
            if outcome.at_most is None:
                return None
            if outcome.at_most.lower >= share:
                return outcome.value
            if outcome.at_most.upper >= share:
                return None
        return None

    @property
    def median(self) -> Fraction | None:
        """The quantile of one half."""
        return self.quantile(Fraction(1, 2))

    def table(self, table_type: str | None = None, digits: int = 12) -> Any:
        """Return a table with a line for each outcome: its chance and the chance of at most its value, as decimals and
        fractions.

        The table is a pandas or polars ``DataFrame``, whichever is installed, else a list of records. ``table_type``:
        the type to return instead: ``pandas``, ``polars`` or ``records``. ``digits``: the number of decimal places. A
        fraction is None if it is not known. Raises ExportError.
        """
        lines = [
            [each.label, *_decimal_and_fraction(each.chance, digits), *_decimal_and_fraction(each.at_most, digits)]
            for each in self.outcomes
        ]
        return make_table(["outcome", "chance", "chance_exact", "at_most", "at_most_exact"], lines, table_type)

    @staticmethod
    def _fraction_text_or_none(value: Fraction | None) -> str | None:
        """Return a fraction as text, and None as it is."""
        return None if value is None else fraction_text(value)

    def to_json(self, digits: int = 12) -> dict[str, Any]:
        """Return the distribution as plain data for JSON. ``digits``: the number of decimal places."""
        return {
            "what": self.what,
            "grade": self.grade,
            "mean": self.mean and self.mean.to_json(digits),
            "spread": self.standard_deviation and self.standard_deviation.to_json(digits),
            "quantiles": {name: self._fraction_text_or_none(self.quantile(share)) for name, share in QUANTILES.items()},
            "outcomes": [
                {
                    "outcome": outcome.name,
                    **outcome.chance.to_json(digits),
                    "at_most": outcome.at_most and outcome.at_most.to_json(digits),
                }
                for outcome in self.outcomes
            ],
            "beyond": self.beyond.to_json(digits),
        }


def _decimal_and_fraction(number: Number | None, digits: int) -> tuple[str | None, str | None]:
    """Return a number as a decimal and as a fraction, both as text. The fraction is None if only bounds are known. Both
    are None if there is no number.
    """
    if number is None:
        return None, None
    return number.decimal(digits), None if number.exact is None else fraction_text(number.exact)


def deviation_from_moments(mean: Number | Fraction, mean_square: Number | Fraction) -> Number:
    """Return the standard deviation, enclosed by two rationals.

    ``mean``: the mean. ``mean_square``: the mean of the squared values.
    """
    variance = Number.of(0) + (mean_square - mean * mean)
    low, high = (_square_root(max(end, Fraction(0))) for end in (variance.lower, variance.upper))
    return Number(low.lower, high.upper)


def _square_root(square: Fraction) -> Number:
    """Return the square root of a fraction: a rational, or an enclosure by two rationals."""
    one = 1 << ROOT_BITS
    root = isqrt(square.numerator * one * one // square.denominator)
    low = Fraction(root, one)
    return Number.of(low) if low * low == square else Number(low, Fraction(root + 1, one))
