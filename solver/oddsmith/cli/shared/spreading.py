"""A distribution in lines with bars: neighbours together where there are many values, what is hardly ever seen at the ends."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

from oddsmith.exact import Number

if TYPE_CHECKING:
    from oddsmith.outcomes import Distribution

LINES = 20  # of a printed distribution
MOSTLY = Fraction(999, 1000)  # what lies beyond this share goes into the last line
WIDE = 30  # signs of the longest bar


def lines_of(law: Distribution, most: int = LINES) -> Iterator[tuple[str, Number, Number | None]]:
    """Name, chance, and chance of at most that, of what goes on a line each: neighbours together where there are many."""
    outcomes = law.outcomes
    if any(outcome.at_most is None for outcome in outcomes):
        yield from ((_winners(outcome.name), outcome.chance, None) for outcome in outcomes)
        return
    usual = sum(outcome.at_most is not None and outcome.at_most.lower < MOSTLY for outcome in outcomes) + 1
    rare = sum(outcome.at_most is not None and outcome.at_most.upper < 1 - MOSTLY for outcome in outcomes)
    usual, rare = (len(outcomes), 0) if len(outcomes) <= most else (min(usual, len(outcomes)), rare)
    size = max(-(-(usual - rare) // (most - (usual < len(outcomes)) - (rare > 0))), 1)
    if rare:
        yield (
            f"under {outcomes[rare].name}",
            _sum([each.chance for each in outcomes[:rare]]),
            outcomes[rare - 1].at_most,
        )
    for start in range(rare, usual, size):
        group = outcomes[start : min(start + size, usual)]
        name = group[0].name if len(group) == 1 else f"{group[0].name} to {group[-1].name}"
        yield name, _sum([outcome.chance for outcome in group]), group[-1].at_most
    last = outcomes[-1].at_most
    if usual < len(outcomes) or (law.beyond.upper > 0 and (last is None or last.lower < 1)):
        rest = [*(outcome.chance for outcome in outcomes[usual:]), law.beyond]
        yield f"over {outcomes[usual - 1].name}", _sum(rest), None


def bar(part: Fraction, whole: Fraction) -> str:
    """A bar for a part of the greatest, in letters that the output has."""
    try:
        "\u2588".encode(sys.stdout.encoding or "ascii")
    except UnicodeEncodeError:
        return "#" * round(WIDE * part / whole)
    return "\u2588" * round(WIDE * part / whole)


def _sum(numbers: Sequence[Number]) -> Number:
    low = sum((number.lower for number in numbers), Fraction(0))
    return Number(min(low, Fraction(1)), min(sum((number.upper for number in numbers), Fraction(0)), Fraction(1)))


def _winners(name: str) -> str:
    seats = name.split()
    if not seats[0].isdigit():
        return " and ".join(seats).replace("_", " ")
    return f"seat {name}" if len(seats) == 1 else f"seats {', '.join(seats[:-1])} and {seats[-1]}"
