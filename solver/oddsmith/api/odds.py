"""Distributions of rolls: every value with its exact chance, for every interpretation of the question."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from oddsmith.api.notebooks import Chances
from oddsmith.base.distributions import Outcome
from oddsmith.base.exact import Number, fraction_text, short_repr
from oddsmith.rolls import Pmf, RollAnswer, add, answer, combine, int_if_whole, standard_deviation


@dataclass(frozen=True, repr=False)
class Odds(Chances):
    """The distribution of a roll, as ``oddsmith.roll`` returns it.

    ``question``: the question as it was typed. ``what``: its interpretation in words. ``dialect``: the notation of the
    interpretation; None if all notations agree. ``other_interpretations``: the distributions of other interpretations.
    ``note``: how this interpretation differs from them. ``parts``: if the question has several parts, the distribution
    of each part by its name; the object itself is the distribution of the first part. A question with the answers no
    and yes has the values 0 and 1. Operators ``+``, ``-`` and ``*`` treat their operands as independent rolls.

    >>> oddsmith.roll("highest 2 of 3d6").at_most(4)
    Number(11/216)
    >>> (oddsmith.roll("d20") + oddsmith.roll("d4")).mean
    Number(13)
    """

    question: str = ""
    dialect: str | None = None
    note: str = ""
    notes: tuple[str, ...] = ()
    other_interpretations: tuple[Odds, ...] = ()
    parts: dict[str, Odds] = field(default_factory=dict, hash=False)
    _pmf: Pmf = field(default_factory=lambda: Pmf.point_mass(0), hash=False)

    def __repr__(self) -> str:
        if self.chance is not None:
            return short_repr(self, f"{self.what}: chance {self.chance.brief}")
        mean = "" if self.mean is None else f", mean {self.mean.brief}"
        last = " and more" if self.beyond.upper else f" to {self.outcomes[-1].name}"
        return short_repr(self, f"{self.what}: {self.outcomes[0].name}{last}{mean}")

    @property
    def probabilities(self) -> dict[int | Fraction, Fraction]:
        """The chance of every listed value, by value in ascending order."""
        return {int_if_whole(each.value): each.chance.lower for each in self.outcomes if each.value is not None}

    @property
    def interpretation(self) -> str:
        """The interpretation of the question in words.

        If the question has several parts, ``what`` also names the first of them, and this text does not.
        """
        name = next(iter(self.parts), "")
        return self.what.removesuffix(f": {name}") if name else self.what

    @property
    def chance(self) -> Number | None:
        """The chance that the answer is yes; None if the answer is a number."""
        return self.outcomes[-1].chance if self._pmf.is_yes_or_no else None

    @property
    def variance(self) -> Number | None:
        """The variance; None if it is not known."""
        if self.standard_deviation is None:
            return None
        one, two = self._pmf.raw_moment(1), self._pmf.raw_moment(2)
        return None if one is None or two is None else two - one * one

    def at_least(self, value: Fraction | int) -> Number:
        """Return the chance that the roll is ``value`` or more."""
        return self.probability(">=", value)

    def __add__(self, other: object) -> Odds:
        """Return the sum of two independent rolls, or of a roll and a number."""
        return self._combine(other, "+", add)

    __radd__ = __add__

    def __sub__(self, other: object) -> Odds:
        """Return the difference of two independent rolls, or of a roll and a number."""
        return self._combine(other, "-", lambda one, two: add(one, two.affine(-1, 0)))

    def __mul__(self, other: object) -> Odds:
        """Return the product of two independent rolls, or of a roll and a number."""
        return self._combine(other, "*", lambda one, two: combine(lambda x, y: x * y, one, two))

    __rmul__ = __mul__

    def _combine(self, other: object, operator_sign: str, combine_pmfs: Callable[[Pmf, Pmf], Pmf]) -> Odds:
        if isinstance(other, int | Fraction):
            right, what = Pmf.point_mass(other), fraction_text(Fraction(other))
        elif isinstance(other, Odds):
            right, what = other._pmf, other.what  # noqa: SLF001 - of the same class
        else:
            return NotImplemented  # type: ignore[no-any-return]
        text = f"({self.what}) {operator_sign} ({what})"
        return _odds_of_answer(text, RollAnswer(text, (("", combine_pmfs(self._pmf, right)),)))

    def to_json(self, digits: int = 12) -> dict[str, Any]:
        """Return the answer as plain data for JSON: the interpretation as ``read_as``, moments, and outcomes, each with
        its fraction; other interpretations in ``others``. ``digits``: decimal places.
        """
        found = {**super().to_json(digits),
            "question": self.question, "read_as": self.what, "dialect": self.dialect, "note": self.note,
            "notes": list(self.notes), "kind": "chance" if self.chance is not None else "number",
            "chance": self.chance and self.chance.to_json(digits),
            "variance": self.variance and self.variance.to_json(digits)
        }  # fmt: skip
        del found["what"]
        found["standard_deviation"] = found.pop("spread")
        if self.parts:
            found["parts"] = [{"name": name, **each.to_json(digits)} for name, each in self.parts.items()]
        if self.other_interpretations:
            found["others"] = [each.to_json(digits) for each in self.other_interpretations]
        return found


def roll(question: str, dialect: str | None = None) -> Odds:
    """Return the distribution of one roll, without a ruleset. Raises QuestionError.

    ``question``: dice in plain words, in a notation of Foundry, Roll20 or Avrae, or a program for AnyDice, such as
    ``4d6 drop lowest``, ``d20 with advantage + 5 vs AC 15``, ``5d10cs>=8``, ``output [highest 3 of 4d6]``. Dice that
    are written twice are rolled twice, except on both sides of ``and`` and ``or``; ``other_interpretations`` has
    the others. ``dialect``: the notation of the question, ``foundry``, ``roll20``, ``avrae`` or ``anydice``; it is
    needed if the same signs mean different things in them.

    >>> oddsmith.roll("at least 10 on 3d6").chance
    Number(5/8)
    >>> oddsmith.roll("3d6 exploding").mean
    Number(63/5)
    """
    question = " ".join(question.split()) if "\n" not in question else question
    return _odds_of_answer(question, answer(question, dialect))


def _odds_of_answer(question: str, roll_answer: RollAnswer) -> Odds:
    others = tuple(_odds_of_answer(question, each) for each in roll_answer.others)
    parts = dict[str, Odds]()
    if len(roll_answer.parts) > 1:
        for name, pmf in roll_answer.parts:
            parts[_unused_name(name, parts)] = _odds_of_pmf(
                question, f"{roll_answer.read_as}: {name}", pmf, roll_answer, (), {}
            )
    name, pmf = roll_answer.parts[0]
    what = f"{roll_answer.read_as}: {name}" if parts else roll_answer.read_as
    return _odds_of_pmf(question, what, pmf, roll_answer, others, parts)


def _unused_name(name: str, taken_names: dict[str, Odds]) -> str:
    """Return a name that is not in ``taken_names``: the given name, or the name with a number after it."""
    number, free = 2, name
    while free in taken_names:
        free, number = f"{name} ({number})", number + 1
    return free


def _odds_of_pmf(
    question: str,
    description: str,
    pmf: Pmf,
    roll_answer: RollAnswer,
    other_readings: tuple[Odds, ...],
    odds_by_part: dict[str, Odds],
) -> Odds:
    tail = 0 if pmf.tail is None else pmf.tail.weight
    vague = pmf.tail is not None and pmf.tail.least is None
    outcomes, below = list[Outcome](), 0
    values = [0, 1] if pmf.is_yes_or_no else pmf.values
    for value in values:
        weight = pmf.weights.get(value, 0)
        below += weight
        name = ("no", "yes")[int(value)] if pmf.is_yes_or_no else fraction_text(Fraction(value))
        room = tail if vague else 0
        chance, at_most = (Number(Fraction(low, pmf.total), Fraction(low + room, pmf.total)) for low in (weight, below))
        outcomes.append(Outcome(name, Fraction(value), chance, at_most))
    beyond = Number.of(Fraction(tail, pmf.total))
    if pmf.is_yes_or_no:
        beyond = Number.of(0)
    mean = outcomes[-1].chance if pmf.is_yes_or_no else pmf.mean
    deviation = None if pmf.is_yes_or_no and tail else standard_deviation(pmf)
    return Odds(
        description,
        tuple(outcomes),
        beyond,
        mean,
        deviation,
        question,
        roll_answer.dialect,
        roll_answer.note,
        roll_answer.notes,
        other_readings,
        odds_by_part,
        pmf,
    )
