"""Distributions, and values of games that stop after some turns, as ``solve`` prints them.

A distribution is printed as lines with bars. If it has many values, neighbours share a line, and so do the rare values
at each end.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import click

from oddsmith.base.exact import Number, plural

if TYPE_CHECKING:
    from oddsmith.base.distributions import Distribution
    from oddsmith.ruleset.model import Ruleset
    from oddsmith.solve.questions import Horizon


MAX_LINES = 20  # of a printed distribution
LISTED_SHARE = Fraction(999, 1000)  # what lies beyond this share goes into the last line
MAX_BAR_WIDTH = 30  # signs of the longest bar


def distribution_lines(
    distribution: Distribution, max_lines: int = MAX_LINES
) -> Iterator[tuple[str, Number, Number | None]]:
    """Yield the lines of a printed distribution, about ``max_lines`` of them, each as a triple: its name, its
    probability, and the probability of at most its values.

    If there are many values, neighbours share a line, and so do the rare values at each end. The last part is None if
    outcomes are not numbers, and in the line of the rare largest values.
    """
    outcomes = distribution.outcomes
    if any(outcome.at_most is None for outcome in outcomes):
        yield from ((_winner_words(outcome.name), outcome.chance, None) for outcome in outcomes)
        return
    usual = sum(outcome.at_most is not None and outcome.at_most.lower < LISTED_SHARE for outcome in outcomes) + 1
    rare = sum(outcome.at_most is not None and outcome.at_most.upper < 1 - LISTED_SHARE for outcome in outcomes)
    usual, rare = (len(outcomes), 0) if len(outcomes) <= max_lines else (min(usual, len(outcomes)), rare)
    size = max(-(-(usual - rare) // (max_lines - (usual < len(outcomes)) - (rare > 0))), 1)
    if rare:
        yield (
            f"under {outcomes[rare].name}",
            _sum_of_probabilities([each.chance for each in outcomes[:rare]]),
            outcomes[rare - 1].at_most,
        )
    for start in range(rare, usual, size):
        group = outcomes[start : min(start + size, usual)]
        name = group[0].name if len(group) == 1 else f"{group[0].name} to {group[-1].name}"
        yield name, _sum_of_probabilities([outcome.chance for outcome in group]), group[-1].at_most
    last = outcomes[-1].at_most
    if usual < len(outcomes) or (distribution.beyond.upper > 0 and (last is None or last.lower < 1)):
        rest = [*(outcome.chance for outcome in outcomes[usual:]), distribution.beyond]
        yield f"over {outcomes[usual - 1].name}", _sum_of_probabilities(rest), None


def bar_text(part: Fraction, whole: Fraction) -> str:
    """Return a bar of block characters; for ``whole`` it is MAX_BAR_WIDTH long, and for ``part`` proportionally
    shorter.

    If the terminal cannot show block characters, the bar is made of ``#``.
    """
    try:
        "\u2588".encode(sys.stdout.encoding or "ascii")
    except UnicodeEncodeError:
        return "#" * round(MAX_BAR_WIDTH * part / whole)
    return "\u2588" * round(MAX_BAR_WIDTH * part / whole)


def _sum_of_probabilities(probabilities: Sequence[Number]) -> Number:
    low = sum((number.lower for number in probabilities), Fraction(0))
    return Number(min(low, Fraction(1)), min(sum((number.upper for number in probabilities), Fraction(0)), Fraction(1)))


def _winner_words(outcome_name: str) -> str:
    seats = outcome_name.split()
    if not seats[0].isdigit():
        return " and ".join(seats).replace("_", " ")
    return f"seat {outcome_name}" if len(seats) == 1 else f"seats {', '.join(seats[:-1])} and {seats[-1]}"


def refuse_empty_names(names: Sequence[str]) -> Sequence[str]:
    """Return the names of distributions unchanged. Raises BadParameter if one is empty."""
    if not all(text.strip() for text in names):
        raise click.BadParameter("say what to print, such as payoff", param_hint="--distribution")
    return names


def distributions_data(distributions: Sequence[Distribution], horizon: Horizon | None, digits: int) -> dict[str, Any]:
    """Return distributions and a horizon as plain data for JSON, under the keys ``distributions`` and ``horizon``.

    ``horizon``: the values of the game if it stops after some turns; None to leave out the key. Without distributions,
    their key is left out as well.
    """
    found: dict[str, Any] = {}
    if distributions:
        found["distributions"] = [each.to_json(digits) for each in distributions]
    return found if horizon is None else {**found, "horizon": horizon.to_json(digits)}


def print_distributions(
    distributions: Sequence[Distribution], horizon: Horizon | None, digits: int, ruleset: Ruleset
) -> None:
    """Print distributions, and the values of the game if it stops after some turns.

    ``horizon``: these values, None to print none.
    """
    for each in distributions:
        _print_distribution(each, digits)
    if horizon is not None:
        click.echo(f"stopped after {plural(horizon.turns, 'turn')}: as solved, and played for just that")
        for seat, (policy, best) in enumerate(zip(horizon.policy_values, horizon.best_values, strict=True)):
            click.echo(f"  {ruleset.seat_name(seat)}: {policy.decimal(digits)}  {best.decimal(digits)}")


def _print_distribution(distribution: Distribution, digits: int) -> None:
    numbers = [("mean", distribution.mean), ("standard deviation", distribution.standard_deviation)]
    shown = "".join(f", {name} {number.decimal(digits)}" for name, number in numbers if number is not None)
    click.echo(f"{distribution.what}{shown} ({distribution.grade})")
    lines = list(distribution_lines(distribution))
    width = max(len(name) for name, _, _ in lines)
    for name, chance, at_most in lines:
        sum_ = "" if at_most is None else f"  {at_most.percent(4):>14}"
        click.echo(f"  {name:>{width}}  {chance.percent(4):>14}{sum_}".rstrip())
    halves = [
        ("half of all plays", distribution.quantile(Fraction(1, 2))),
        ("nine in ten", distribution.quantile(Fraction(9, 10))),
    ]
    words = [f"{name}: at most {value}" for name, value in halves if value is not None]
    if words:
        click.echo("  " + "; ".join(words))
