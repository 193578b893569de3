"""Questions of which every throw was counted, held against what is answered."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from typing import Any

from oddsmith.base.errors import QuestionError
from oddsmith.rolls import answer
from oddsmith.rolls.pmf import Pmf


def chances_of(pmf: Pmf) -> dict[Fraction, Fraction]:
    """The chance of each value that can come up."""
    return {Fraction(value): Fraction(weight, pmf.total) for value, weight in pmf.weights.items() if weight}


def wrong_answers(asked: Iterable[tuple[str, Callable[[], Mapping[Any, Fraction]]]]) -> tuple[list[str], int]:
    """The questions that are answered otherwise than counted, and how many were answered."""
    wrong, answered = [], 0
    for question, counted in asked:
        try:
            found = chances_of(answer(question).pmf)
        except QuestionError:
            continue
        answered += 1
        if found != {Fraction(value): chance for value, chance in counted().items() if chance}:
            wrong.append(question)
    return wrong, answered
