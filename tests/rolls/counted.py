"""Questions of which every throw was counted, held against what is answered."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from typing import Any, TypeVar

from oddsmith.base.errors import QuestionError
from oddsmith.rolls import answer
from oddsmith.rolls.pmf import Pmf

Value = TypeVar("Value", int, Fraction)


def chances_of(pmf: Pmf) -> dict[Fraction, Fraction]:
    """The chance of each value that can come up."""
    return {Fraction(value): Fraction(weight, pmf.total) for value, weight in pmf.weights.items() if weight}


def mixed(parts: Iterable[tuple[Fraction, Mapping[Value, Fraction]]]) -> dict[Value, Fraction]:
    """The chance of each value where one of several ways is taken, each by its weight."""
    found: dict[Value, Fraction] = {}
    for weight, chances in parts:
        for value, chance in chances.items():
            found[value] = found.get(value, Fraction(0)) + weight * chance
    return {value: chance for value, chance in found.items() if chance}


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
