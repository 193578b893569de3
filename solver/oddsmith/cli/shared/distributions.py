"""What ``solve`` shows beyond means: whole distributions, and games that are stopped after some turns."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any, TypeVar

import click

from oddsmith.cli.shared.spreading import lines_of
from oddsmith.exact import plural

if TYPE_CHECKING:
    from oddsmith.library import SolvedGame
    from oddsmith.outcomes import Distribution
    from oddsmith.ruleset.model import Ruleset
    from oddsmith.solve.questions import Horizon

Command = TypeVar("Command", bound=Callable[..., Any])


def distribution_option(function: Command) -> Command:
    """The option that asks for distributions."""
    help_ = (
        "Print every value of WHAT with its chance. WHAT is payoff or the name of a payoff, win, winner, turns, rolls, or "
        "count PHASE/ENTRY. It may go on with seat N and given PHASE/ENTRY. Repeatable."
    )
    return click.option("--distribution", "distributions", multiple=True, metavar="WHAT", help=help_)(function)


def spreading_options(function: Command) -> Command:
    """The options that ask for distributions and for a number of turns."""
    help_ = "Also say what each seat has if the game stops after N turns."
    turns = click.option("--turns", type=click.IntRange(min=1), metavar="N", help=help_)
    return distribution_option(turns(function))


def spreads(solved: SolvedGame, asked: Sequence[str], turns: int | None) -> tuple[list[Distribution], Horizon | None]:
    """The distributions in order, and the horizon or None."""
    return [solved.distribution(text) for text in named(asked)], None if turns is None else solved.horizon(turns)


def named(asked: Sequence[str]) -> Sequence[str]:
    """The distributions that are asked for, none of which is empty. Raises BadParameter."""
    if not all(text.strip() for text in asked):
        raise click.BadParameter("say what to print, such as payoff", param_hint="--distribution")
    return asked


def spreads_json(distributions: Sequence[Distribution], horizon: Any, digits: int) -> dict[str, Any]:
    """The keys that these answers add to the result for machines."""
    found: dict[str, Any] = {}
    if distributions:
        found["distributions"] = [each.to_json(digits) for each in distributions]
    return found if horizon is None else {**found, "horizon": horizon.to_json(digits)}


def show_spreads(distributions: Sequence[Distribution], horizon: Any, digits: int, ruleset: Ruleset) -> None:
    """The same for people."""
    for each in distributions:
        _show(each, digits)
    if horizon is not None:
        click.echo(f"stopped after {plural(horizon.turns, 'turn')}: as solved, and played for just that")
        for seat, (policy, best) in enumerate(zip(horizon.policy, horizon.best, strict=True)):
            click.echo(f"  {ruleset.seat(seat)}: {policy.decimal(digits)}  {best.decimal(digits)}")


def _show(law: Distribution, digits: int) -> None:
    numbers = [("mean", law.mean), ("standard deviation", law.spread)]
    shown = "".join(f", {name} {number.decimal(digits)}" for name, number in numbers if number is not None)
    click.echo(f"{law.what}{shown} ({law.grade})")
    lines = list(lines_of(law))
    width = max(len(name) for name, _, _ in lines)
    for name, chance, at_most in lines:
        sum_ = "" if at_most is None else f"  {at_most.percent(4):>14}"
        click.echo(f"  {name:>{width}}  {chance.percent(4):>14}{sum_}".rstrip())
    halves = [("half of all plays", law.quantile(Fraction(1, 2))), ("nine in ten", law.quantile(Fraction(9, 10)))]
    words = [f"{name}: at most {value}" for name, value in halves if value is not None]
    if words:
        click.echo("  " + "; ".join(words))
