"""The texts of a ruleset for people. They contain values that are filled in for each game or position."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from oddsmith.expr import Expr

Kind = Literal["number", "seat", "turns", "rolls", "measure"]

UnitForms = tuple[str, ...]
"""The unit of a number: its singular and plural, such as ("coin", "coins"); empty without a unit.

If there are three forms, the first form is a text that replaces the number 0 together with its unit.
"""


def number_with_unit(number_text: str, value: object, unit_forms: UnitForms) -> str:
    """Return a number with its unit. ``number_text``: the number as text. ``value``: the number. ``unit_forms``: the
    unit.
    """
    if len(unit_forms) > 2 and value == 0:
        return unit_forms[0]
    return f"{number_text} {unit_forms[-2:][value != 1]}" if unit_forms else number_text


@dataclass(frozen=True)
class ComputedValue:
    """An expression in a text, whose value is filled in. ``unit_forms``: the unit of the value.

    In the words of an entry, the expression may depend on the position; elsewhere, only on values fixed before play.
    """

    tree: Expr
    unit_forms: UnitForms = ()


Sentence = tuple[str | ComputedValue, ...]
"""The words of an entry: a sequence of texts and of expressions whose values are filled in."""


@dataclass(frozen=True)
class PrintedDefinition:
    """A die, a list or a map of the rules that is printed in full in a text. ``name``: its name."""

    name: str


@dataclass(frozen=True)
class SolvedNumber:
    """A number in a text that is an answer of the solved game.

    ``kind``: which number. ``number`` is the threshold of the best rule with a single number; ``seat`` is the value of
    the seat ``seat`` (from 1); ``turns`` and ``rolls`` are the mean length of a game; ``measure`` is the answer to the
    measure ``name``.
    """

    kind: Kind
    name: str = ""
    seat: int = 0


@dataclass(frozen=True)
class Wording:
    """A text as a sequence of parts: strings, and values that are filled in."""

    parts: tuple[str | ComputedValue | PrintedDefinition | SolvedNumber, ...]

    def contains_number(self, kind: Kind) -> bool:
        """Return whether the text contains a number of the given kind."""
        return any(isinstance(part, SolvedNumber) and part.kind == kind for part in self.parts)


@dataclass(frozen=True)
class AdviceLine:
    """A line of advice for players to remember. ``policy``: the named policy that follows this advice, or empty.

    ``option``, ``variable``: for a line with a threshold, the option to which it applies, and the variable that is
    compared with the threshold. ``seat_counts``: the numbers of players for which the line holds; all if empty.
    ``values``: the parameter values for which the line holds; if empty, the parameter values of the game with which the
    page opens.
    """

    wording: Wording
    policy: str = ""
    option: str = ""
    variable: str = ""
    seat_counts: tuple[int, ...] = ()
    values: tuple[tuple[str, Any], ...] = ()

    def holds_for_parameters(self, parameters: Mapping[str, Any], is_opening_game: bool) -> bool:
        """Return whether the line holds for a game. ``parameters``: the parameter values of the game.

        ``is_opening_game``: whether these are the values of the game with which the page opens.
        """
        return all(parameters[name] == value for name, value in self.values) if self.values else is_opening_game

    def holds_for_seat_count(self, seat_count: int) -> bool:
        """Return whether the line holds for a number of players."""
        return not self.seat_counts or seat_count in self.seat_counts
