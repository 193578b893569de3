"""The answers to the questions of a ruleset, and notes beside decimals."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

import click

from oddsmith.base.errors import MeasureError
from oddsmith.base.exact import MAX_SHOWN_DIGITS, Number, fraction_text

if TYPE_CHECKING:
    from oddsmith.api import SolvedGame


def measure_lines(answered: SolvedGame, answers: Mapping[str, Number | MeasureError], digits: int) -> Iterator[str]:
    """Yield a line for each question of a ruleset that has an answer.

    ``answers``: the answer to each question by its name, or the error that says why there is none.
    """
    from oddsmith.report.facts import house_edge_clauses, question_condition_words, question_heading

    asked = answered.game.ruleset.measures
    yield from (f"  {clause}" for clause in house_edge_clauses(answered.game.ruleset, answered.objective, answers))
    for name, answer in answers.items():
        if not isinstance(answer, Number) or asked[name].edge_payoff:
            continue
        if answered.method == "stages":
            yield f"  {question_heading(name, asked[name])}: {answer.decimal(digits)}{fraction_note(answer)}"
            continue
        mean = f"mean {answered.means[name].decimal(digits)}, standard deviation " if name in answered.means else ""
        yield f"  {name}{question_condition_words(asked[name])}: {mean}{answer.decimal(digits)}{fraction_note(answer)}"


def print_unanswered(reason_by_question: Mapping[str, str]) -> None:
    """Print on standard error why some questions have no answer."""
    for name, reason in reason_by_question.items():
        click.echo(f"{name}: {reason}", err=True)


def fraction_note(value: Number) -> str:
    """Return the note that follows a number's decimal: its fraction, or the length of a long fraction.

    It is empty for a whole number, and says ``(proven)`` if only bounds are known.
    """
    if value.exact is None:
        return "  (proven)"
    text = fraction_text(value.exact)
    if "/" not in text:
        return ""
    return (
        f"  = {text}"
        if len(text) <= MAX_SHOWN_DIGITS
        else f"  (a fraction of {sum(map(str.isdigit, text)):,} digits: --json)"
    )
