"""Answers a question about dice: finds every reading of the question, and the distribution of each reading."""

from __future__ import annotations

import re
from contextlib import suppress
from dataclasses import dataclass, replace
from math import gcd
from typing import Any

from oddsmith.base.errors import QuestionError, RuleFailure
from oddsmith.rolls.evaluate import Evaluator, NamedDistributions
from oddsmith.rolls.marks import DIALECTS, TITLES, Dialect
from oddsmith.rolls.pmf import Pmf
from oddsmith.rolls.reading import QuestionMeaning, meanings, without_offsets
from oddsmith.rolls.wording import tree_text

PROGRAM = re.compile(
    r"\boutput(?![a-z])|\bfunction\s*:|\bloop\s+\w+\s+over\b|\bset\s+\"|[\w)}\]]\s*@|(?:^|[\s(])#(?=[\w({\[])",
    re.IGNORECASE,
)
"""Matches text that occurs only in AnyDice programs."""
_OUTPUT_ALONE = re.compile(r"\s*output\s+([^\n[]+?)\s*", re.IGNORECASE)


@dataclass(frozen=True)
class RollAnswer:
    """One reading of a question, with its distributions.

    ``read_as``: the reading in words. ``parts``: the distributions with their names; the name of a single distribution
    is empty. ``note``: how this reading differs from the other readings. ``dialect``: the title of the notation that
    was read, or None if all notations agree. ``notes``: remarks on the notation. ``others``: the other readings.
    """

    read_as: str
    parts: tuple[tuple[str, Pmf], ...]
    note: str = ""
    dialect: str | None = None
    notes: tuple[str, ...] = ()
    others: tuple[RollAnswer, ...] = ()

    @property
    def pmf(self) -> Pmf:
        """The distribution of the first of ``parts``."""
        return self.parts[0][1]


def answer(question: str, dialect: str | None = None) -> RollAnswer:
    """Return the answer to a question by its first reading; the attribute ``others`` holds the other readings.

    ``dialect``: the notation, ``foundry``, ``roll20``, ``avrae`` or ``anydice``; None to infer it from the question.
    Raises QuestionError if the question cannot be read or evaluated.
    """
    if dialect == "anydice" or (dialect is None and PROGRAM.search(question)):
        try:
            return _answer_anydice_program(question)
        except QuestionError as error:
            raise _with_better_hint(question, error) if dialect is None else error from None
    if dialect is not None and dialect not in DIALECTS:
        known = ", ".join((*DIALECTS, "anydice"))
        raise QuestionError(question, 0, f"there is no dialect {dialect}", f"write one of {known}")
    try:
        meant, *others = _distinct_meanings(meanings(question, _dialect_named(dialect)))
        answers = [_evaluate_meaning(question, meant)]
    except QuestionError as error:
        if dialect is None and "[" in question:
            try:
                return _answer_anydice_program(f"output {question}")
            except QuestionError:
                pass
        raise error from None
    for other in others:
        with suppress(QuestionError):  # what cannot be worked out is not offered; the note says what was read
            answers.append(_evaluate_meaning(question, other))
    different: dict[Any, RollAnswer] = {}
    for each in answers:
        different.setdefault(_comparison_key(each), each)
    first, *more = different.values()
    left_out = len(answers) < 1 + len(others)
    return replace(first, note=first.note if more or left_out else "", others=tuple(more))


def _dialect_named(name: str | None) -> Dialect | None:
    return next((each for each in DIALECTS if each == name), None)


def _distinct_meanings(meanings: list[QuestionMeaning]) -> list[QuestionMeaning]:
    seen: dict[Any, QuestionMeaning] = {}
    for each in meanings:
        seen.setdefault(without_offsets(each.tree), each)
    return list(seen.values())


def _evaluate_meaning(question: str, meaning: QuestionMeaning) -> RollAnswer:
    evaluator = Evaluator(question)
    value = evaluator.evaluate(meaning.tree)
    try:
        parts = (
            value.parts
            if isinstance(value, NamedDistributions)
            else [("", evaluator.as_number_distribution(value, meaning.tree[1]))]
        )
    except RuleFailure as error:
        raise QuestionError(question, 0, error.message, error.hint) from None
    title = TITLES[meaning.dialect] if meaning.dialect else None
    note = f"as {title} rolls it" if title and not meaning.note else meaning.note
    return RollAnswer(tree_text(meaning.tree), tuple(parts), note, title, tuple(dict.fromkeys(meaning.notes)))


def _comparison_key(roll_answer: RollAnswer) -> Any:
    """Return a key that is equal for answers with the same names and distributions."""
    return tuple(
        (name, frozenset((value, weight / pmf.total) for value, weight in pmf.weights.items()))
        for name, pmf in roll_answer.parts
    )


def _answer_anydice_program(question: str) -> RollAnswer:
    from oddsmith.rolls.anydice import run_program  # noqa: PLC0415 - only programs need its grammar

    parts = run_program(question)
    if not parts:
        raise QuestionError(question, len(question), "this program puts nothing out", "write such as: output 3d6")
    return RollAnswer(question.strip(), tuple(parts), "", "AnyDice")


def _with_better_hint(question: str, error: QuestionError) -> QuestionError:
    """Return the error of an AnyDice program. If it is a valid question without ``output``, the hint says so."""
    if spoken := _OUTPUT_ALONE.fullmatch(question):
        with suppress(QuestionError):
            answer(spoken[1])
            return QuestionError(
                error.question, error.character_index, error.message, f"leave out `output`: {spoken[1]}"
            )
    return error


def weights_of_totals(question: str, largest_total: int | None = None) -> dict[int, int]:
    """Return the weight of each total of a roll, by total in ascending order. The weights are coprime integers.

    ``largest_total``: the largest total; every larger total counts as ``largest_total``. None for no limit, which dice
    that explode without end do not allow. Raises QuestionError if the question does not ask for one total, has several
    readings, has totals that are not integers, or needs a limit.
    """
    found = answer(question)
    if found.others:
        other = found.others[0]
        hint = f"write what is meant: {found.note or found.read_as}, or {other.note or other.read_as}"
        raise QuestionError(question, 0, "this can be meant in two ways", hint)
    if len(found.parts) > 1:
        raise QuestionError(question, 0, "one number must be rolled here", "such as 4d6 drop lowest")
    pmf = found.pmf
    weights = dict[int, int]()
    for value, weight in pmf.weights.items():
        if not isinstance(value, int):
            raise QuestionError(question, 0, "a total must be a whole number", "such as floor(d6 / 2)")
        face = value if largest_total is None else min(value, largest_total)
        weights[face] = weights.get(face, 0) + weight
    if pmf.tail is not None:
        if largest_total is None or pmf.tail.least is None or largest_total > pmf.tail.least:
            raise QuestionError(question, 0, "this total has no end", "give `most:`, what every larger total counts as")
        weights[largest_total] = weights.get(largest_total, 0) + pmf.tail.weight
    shared = gcd(*weights.values())
    return {face: weights[face] // shared for face in sorted(weights)}
