"""``oddsmith roll``: the chances of one roll, without a ruleset."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING

import click

from oddsmith.base.exact import Number, fraction_text
from oddsmith.cli.common import digits_option, json_option, print_json
from oddsmith.cli.distributions import bar_text, distribution_lines

if TYPE_CHECKING:
    from oddsmith.api import Odds


MAX_LINES = 40  # of values with their bars
MAX_DISTRIBUTIONS = 4  # distributions that are shown together
MAX_PARTS_IN_LINE = 7  # numbers of another reading that has several parts
MAX_FRACTION_LETTERS = 13  # signs of a fraction that stands beside its chance


@click.command()
@click.argument("question", nargs=-1, required=True)
@click.option(
    "--vs",
    "against",
    multiple=True,
    metavar="QUESTION",
    help="Ask this as well, and show both side by side. Repeatable.",
)
@click.option(
    "--dialect",
    type=click.Choice(["foundry", "roll20", "avrae", "anydice"]),
    help="Read signs as this program does. Without it, the question decides, and the answer says how it was read.",
)
@click.option(
    "-o", "--output", type=click.Path(dir_okay=False, path_type=Path), help="Write the chances as CSV into this file."
)
@digits_option(6, 60)
@json_option("Print the answer as JSON, with all fractions.")
def roll(
    question: tuple[str, ...],
    against: tuple[str, ...],
    dialect: str | None,
    output: Path | None,
    digits: int,
    as_json: bool,
) -> int:
    """Say the chances of one roll, without a ruleset.

    A QUESTION is dice in plain words: 4d6 drop lowest, d20 with advantage + 5 vs AC 15, at least 2 6s in 5d6, d6
    exploding. Formulas of Foundry, Roll20 and Avrae are read as well, such as 4d6kh3, 5d10cs>=8 and 3d6!. So are
    programs for AnyDice. The answer begins with the question as it was read. If it can be meant in another way, that
    is told with its number.

    \b
    Examples:
      oddsmith roll "highest 2 of 3d6"
      oddsmith roll "at least 10 on 3d6"
      oddsmith roll "d8 exploding" --vs "d10" --vs "2d4"
    """
    from oddsmith.api import roll as rolled

    asked = [" ".join(question), *against]
    found = [rolled(each, dialect) for each in asked]
    if output is not None:
        from oddsmith.base.files import write_named_file

        write_named_file(output, _csv_text(found, digits).encode())
    if as_json:
        print_json(found[0].to_json(digits) if len(found) == 1 else [each.to_json(digits) for each in found])
        return 0
    for place, odds in enumerate(found):
        if place:
            click.echo()
        _print_odds(odds, digits)
    if len(found) > 1:
        _print_odds_side_by_side(found, digits)
    return 0


def _print_odds(odds: Odds, digits: int) -> None:
    if odds.parts:
        _print_part_odds(odds, digits)
    else:
        _print_answer(odds, odds.what, digits)
    for note in odds.notes:
        click.echo(f"  note: {note}")
    if odds.other_interpretations and odds.note:
        click.echo(f"  read as: {odds.note}")
    for each in odds.other_interpretations:
        click.echo(f"  also possible: {each.note}: {_other_reading_line(each, digits)}")


def _print_part_odds(odds: Odds, digits: int) -> None:
    """Print the results of a question with several parts: a line for each, and the distributions if there are few."""
    parts = odds.parts
    click.echo(odds.interpretation)
    if all(each.chance is not None for each in parts.values()):
        chances = {name: each.chance for name, each in parts.items() if each.chance is not None}
        exact = [fraction_text(each.lower) for each in chances.values()]
        short = all(len(text) <= MAX_FRACTION_LETTERS for text in exact)
        cells = zip(chances.items(), exact, strict=True)
        _print_table(
            [
                (name, each.percent(4), text if short else "", bar_text(each.lower, Fraction(1)))
                for (name, each), text in cells
            ]
        )
        return
    rows: list[tuple[str, ...]] = [("", "mean", "standard deviation", "median", "")]
    for name, each in parts.items():
        numbers = [each.chance or each.mean, each.standard_deviation]
        median = "" if each.median is None else fraction_text(each.median)
        rows.append((name, *("" if number is None else number.decimal(digits) for number in numbers), median, ""))
    _print_table(rows)
    for name, each in parts.items() if len(parts) <= MAX_DISTRIBUTIONS else ():
        click.echo()
        _print_answer(each, name, digits)


def _part_number_text(part: Odds, digits: int) -> str:
    if part.chance is not None:
        return part.chance.percent(4)
    return "" if part.mean is None else part.mean.decimal(digits)


def _other_reading_line(odds: Odds, digits: int) -> str:
    """Return a line with the answer to another reading of the question; of several parts, the number of each."""
    if odds.parts:
        texts = [f"{name} {_part_number_text(each, digits)}" for name, each in odds.parts.items()]
        return ", ".join(texts if len(texts) <= MAX_PARTS_IN_LINE else [*texts[:2], "…", *texts[-2:]])
    if odds.chance is not None:
        return f"{odds.chance.percent(4)}{_short_fraction_note(odds.chance)}"
    return (
        f"mean {odds.mean.decimal(digits)}{_short_fraction_note(odds.mean)}"
        if odds.mean is not None
        else "another distribution"
    )


def _print_answer(odds: Odds, title: str, digits: int) -> None:
    if odds.chance is not None:
        click.echo(f"{title}\n  {odds.chance.percent(4)}{_short_fraction_note(odds.chance)}{_proven_note(odds.chance)}")
    else:
        _print_distribution(odds, title, digits)


def _print_distribution(odds: Odds, title: str, digits: int) -> None:
    """Print the mean, the standard deviation and the median, then a line for every value with its bar."""
    click.echo(title)
    words = []
    if odds.mean is not None:
        words.append(f"mean {odds.mean.decimal(digits)}{_short_fraction_note(odds.mean)}{_proven_note(odds.mean)}")
    if odds.standard_deviation is not None:
        words.append(f"standard deviation {odds.standard_deviation.decimal(digits)}")
    if odds.median is not None:
        words.append(f"median {fraction_text(odds.median)}")
    if words:
        click.echo(f"  {', '.join(words)}")
    lines = [(name, chance.lower) for name, chance, _ in distribution_lines(odds, MAX_LINES)]
    most = max(chance for _, chance in lines)
    short = all(len(fraction_text(chance)) <= MAX_FRACTION_LETTERS for _, chance in lines)
    rows, left = [("", "chance", "at least", "", "")], Fraction(1)
    for name, chance in lines:
        exactly = fraction_text(chance) if short else ""
        rows.append((name, _percent_text(chance), _percent_text(left), exactly, bar_text(chance, most)))
        left -= chance
    _print_table(rows)


def _print_odds_side_by_side(all_odds: Sequence[Odds], digits: int) -> None:
    """Print several answers side by side, with a line for each."""
    click.echo()
    rows: list[tuple[str, ...]] = [("", "mean", "standard deviation")]
    for odds in all_odds:
        numbers = [odds.chance or odds.mean, None if odds.chance is not None else odds.standard_deviation]
        rows.append((odds.what, *("" if each is None else each.decimal(digits) for each in numbers)))
    _print_table([(*row, "") for row in rows])


def _print_table(rows: Sequence[tuple[str, ...]]) -> None:
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]) - 1)]
    for *cells, last in rows:
        shown = [f"{cell:>{width}}" for cell, width in zip(cells, widths, strict=True) if width]
        click.echo(f"  {'  '.join(shown)}  {last}".rstrip())


def _csv_text(all_odds: Sequence[Odds], digits: int) -> str:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(["question", "read_as", "outcome", "chance", "chance_exact", "at_least", "at_least_exact"])
    for odds in all_odds:
        for each in odds.parts.values() if odds.parts else [odds]:
            for outcome in each.outcomes:
                assert outcome.value is not None
                numbers = outcome.chance, each.at_least(outcome.value)
                cells = [part for number in numbers for part in (number.decimal(digits), _exact_text(number))]
                writer.writerow([each.question, each.what, outcome.name, *cells])
    return text.getvalue()


def _exact_text(number: Number) -> str:
    return "" if number.exact is None else fraction_text(number.exact)


def _percent_text(probability: Fraction) -> str:
    return Number.of(probability).percent(4)


def _proven_note(number: Number) -> str:
    return "" if number.exact is not None else " (proven to these digits)"


def _short_fraction_note(number: Number) -> str:
    """Return the note beside a decimal: the fraction if it is short, else an empty text."""
    if number.exact is None:
        return ""
    text = fraction_text(number.exact)
    return f" = {text}" if "/" in text and len(text) <= MAX_FRACTION_LETTERS else ""
