"""``oddsmith roll``: the chances of one roll, without a ruleset."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

import click

from oddsmith.base.exact import Number, fraction_text
from oddsmith.cli.common import digits_option, json_option, print_json
from oddsmith.cli.distributions import bar, lines_of

if TYPE_CHECKING:
    from oddsmith.api import Odds


LINES = 40  # of values with their bars
SHORT = 13  # signs of a fraction that stands beside its chance


@click.command()
@click.argument("question", nargs=-1, required=True)
@digits_option(6, 60)
@json_option("Print the answer as JSON, with all fractions.")
def roll(question: tuple[str, ...], digits: int, as_json: bool) -> int:
    """Say the chances of one roll, without a ruleset.

    A QUESTION is dice, or an expression of the ruleset language with dice in it: 2d6 + 3, 3d6 >= 10, 6 in 5d6,
    max(2d20). Dice count as their total. Plain words do as well: highest 2 of 4d6, lowest of 2d20, 4d6kh3,
    at least 10 on 3d6, count of 6 in 5d6, d6 and d8. The answer begins with the question as it was read. Dice that
    you write twice are rolled twice.

    \b
    Examples:
      oddsmith roll "highest 2 of 3d6"
      oddsmith roll "at least 10 on 3d6"
    """
    from oddsmith.api import roll as rolled

    odds = rolled(" ".join(question))
    if as_json:
        print_json(odds.to_json(digits))
    elif odds.chance is not None:
        click.echo(f"{odds.what}\n  {odds.chance.percent(4)}{_equal(odds.chance)}")
    else:
        _show(odds, digits)
    return 0


def _show(odds: Odds, digits: int) -> None:
    """Mean and spread, then a line for every value with its bar."""
    assert odds.mean is not None
    assert odds.standard_deviation is not None
    click.echo(odds.what)
    click.echo(
        f"  mean {odds.mean.decimal(digits)}{_equal(odds.mean)}, standard deviation {odds.standard_deviation.decimal(digits)}"
    )
    lines = [(name, chance.lower) for name, chance, _ in lines_of(odds, LINES)]
    most = max(chance for _, chance in lines)
    short = all(len(fraction_text(chance)) <= SHORT for _, chance in lines)
    rows, left = [("", "chance", "at least", "", "")], Fraction(1)
    for name, chance in lines:
        exactly = fraction_text(chance) if short else ""
        rows.append((name, _percent(chance), _percent(left), exactly, bar(chance, most)))
        left -= chance
    widths = [max(len(row[column]) for row in rows) for column in range(4)]
    for *cells, block in rows:
        shown = [f"{cell:>{width}}" for cell, width in zip(cells, widths, strict=True) if width]
        click.echo(f"  {'  '.join(shown)}  {block}".rstrip())


def _percent(chance: Fraction) -> str:
    return Number.of(chance).percent(4)


def _equal(number: Number) -> str:
    """The fraction behind a decimal, where it is short."""
    text = fraction_text(number.lower)
    return f" = {text}" if "/" in text and len(text) <= SHORT else ""
