"""Distributions as records: every value that a number can take, with its chance."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import isqrt
from typing import Any

from oddsmith.base.dataframes import frame, html_head, html_table
from oddsmith.base.exact import Grade, Number, brief, fraction_text, plural

ROOT_BITS = 220  # of a square root
QUANTILES = {"0.1": Fraction(1, 10), "0.5": Fraction(1, 2), "0.9": Fraction(9, 10), "0.99": Fraction(99, 100)}


@dataclass(frozen=True, slots=True)
class Outcome:
    """A value with its chance, and the chance of at most that. A set of winners is no number: it has a name only."""

    name: str
    value: Fraction | None
    chance: Number
    at_most: Number | None

    def __repr__(self) -> str:
        return brief(self, f"{self.name}: {self.chance.percent(4)}")

    @property
    def plain(self) -> int | str:
        """The value where it is a whole number, else its name."""
        whole = self.value is not None and self.value.denominator == 1 and self.name == str(self.value)
        return int(self.name) if whole else self.name


@dataclass(frozen=True)
class Distribution:
    """Values ascending with their chances. ``what``: in words. ``beyond``: the chance of anything that is not listed.

    ``mean`` and ``spread`` (the standard deviation) are None where they are not known.
    """

    what: str
    outcomes: tuple[Outcome, ...]
    beyond: Number
    mean: Number | None = None
    spread: Number | None = None

    def __repr__(self) -> str:
        mean = f", mean {self.mean.brief}" if self.mean is not None else ""
        return brief(self, f"{self.what}: {plural(len(self.outcomes), 'outcome')}{mean} ({self.grade})")

    def _repr_html_(self) -> str:
        known = (("mean", self.mean), ("standard deviation", self.spread))
        told = [f"{name} {number.brief}" for name, number in known if number is not None]
        shown = [
            [each.name, each.chance.percent(4), each.at_most and each.at_most.percent(4)] for each in self.outcomes
        ]
        if self.beyond.upper > 0:
            shown.append(["beyond", self.beyond.percent(4), None])
        head = html_head(f"{', '.join([self.what, *told])} ({self.grade})")
        return head + html_table(["outcome", "chance", "at most that"], shown, rest="outcome")

    @cached_property
    def grade(self) -> Grade:
        """``exact`` where every chance is."""
        whole = [self.beyond, *(outcome.chance for outcome in self.outcomes)]
        return "exact" if all(number.grade == "exact" for number in whole) else "proven"

    def at_most(self, value: Fraction | int) -> Number:
        """The chance of at most so much."""
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

    def quantile(self, share: Fraction) -> Fraction | None:
        """The least value that is not exceeded with at least this chance; None where the bounds leave it open."""
        for outcome in self.outcomes:
            if outcome.at_most is None:
                return None
            if outcome.at_most.lower >= share:
                return outcome.value
            if outcome.at_most.upper >= share:
                return None
        return None

    def table(self, kind: str | None = None, digits: int = 12) -> Any:
        """A line for each outcome: its chance and the chance of at most that, as decimals and as fractions.

        A pandas or polars ``DataFrame``, whichever is installed, else a list of records; ``kind`` (``pandas``, ``polars``,
        ``records``) asks for one. A fraction is None where it is not known. Raises ExportError.
        """
        lines = [[each.plain, *_cells(each.chance, digits), *_cells(each.at_most, digits)] for each in self.outcomes]
        return frame(["outcome", "chance", "chance_exact", "at_most", "at_most_exact"], lines, kind)

    @staticmethod
    def _named(value: Fraction | None) -> str | None:
        return None if value is None else fraction_text(value)

    def to_json(self, places: int = 12) -> dict[str, Any]:
        """The distribution for machines."""
        return {
            "what": self.what,
            "grade": self.grade,
            "mean": self.mean and self.mean.to_json(places),
            "spread": self.spread and self.spread.to_json(places),
            "quantiles": {name: self._named(self.quantile(share)) for name, share in QUANTILES.items()},
            "outcomes": [
                {
                    "outcome": outcome.name,
                    **outcome.chance.to_json(places),
                    "at_most": outcome.at_most and outcome.at_most.to_json(places),
                }
                for outcome in self.outcomes
            ],
            "beyond": self.beyond.to_json(places),
        }


def _cells(number: Number | None, places: int) -> tuple[str | None, str | None]:
    """A number as a decimal and as a fraction."""
    if number is None:
        return None, None
    return number.decimal(places), None if number.exact is None else fraction_text(number.exact)


def deviation(mean: Number | Fraction, square: Number | Fraction) -> Number:
    """The standard deviation, enclosed between two rationals, by the mean and the mean of squares."""
    variance = Number.of(0) + (square - mean * mean)
    low, high = (_root(max(end, Fraction(0))) for end in (variance.lower, variance.upper))
    return Number(low.lower, high.upper)


def _root(square: Fraction) -> Number:
    """A square root, enclosed."""
    one = 1 << ROOT_BITS
    root = isqrt(square.numerator * one * one // square.denominator)
    low = Fraction(root, one)
    return Number.of(low) if low * low == square else Number(low, Fraction(root + 1, one))
