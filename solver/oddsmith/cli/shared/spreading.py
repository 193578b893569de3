"""A distribution in lines: neighbours together where there are many values, and what is hardly ever seen in the last."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

from oddsmith.exact import Number

if TYPE_CHECKING:
    from oddsmith.outcomes import Distribution

LINES = 20  # of a printed distribution
MOSTLY = Fraction(999, 1000)  # what lies beyond this share goes into the last line


def lines_of(law: Distribution, most: int = LINES) -> Iterator[tuple[str, Number, Number | None]]:
    """Name, chance, and chance of at most that, of what goes on a line each: neighbours together where there are many."""
    outcomes = law.outcomes
    if any(outcome.at_most is None for outcome in outcomes):
        yield from ((_winners(outcome.name), outcome.chance, None) for outcome in outcomes)
        return
    usual = sum(outcome.at_most is not None and outcome.at_most.lower < MOSTLY for outcome in outcomes) + 1
    usual = len(outcomes) if len(outcomes) <= most else min(usual, len(outcomes))
    size = -(-usual // (most - (usual < len(outcomes))))
    for start in range(0, usual, size):
        group = outcomes[start : min(start + size, usual)]
        name = group[0].name if len(group) == 1 else f"{group[0].name} to {group[-1].name}"
        yield name, _sum([outcome.chance for outcome in group]), group[-1].at_most
    if usual < len(outcomes) or law.beyond.upper > 0:
        rest = [*(outcome.chance for outcome in outcomes[usual:]), law.beyond]
        yield f"over {outcomes[usual - 1].name}", _sum(rest), None


def _sum(numbers: Sequence[Number]) -> Number:
    low = sum((number.lower for number in numbers), Fraction(0))
    return Number(min(low, Fraction(1)), min(sum((number.upper for number in numbers), Fraction(0)), Fraction(1)))


def _winners(name: str) -> str:
    seats = name.split()
    if not seats[0].isdigit():
        return " and ".join(seats).replace("_", " ")
    return f"seat {name}" if len(seats) == 1 else f"seats {', '.join(seats[:-1])} and {seats[-1]}"
