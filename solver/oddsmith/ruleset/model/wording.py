"""Texts of a ruleset for people, with values that are filled in for each game or position."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from oddsmith.expr import Expr

Kind = Literal["number", "seat", "turns", "rolls", "measure"]

Forms = tuple[str, ...]
"""The unit of a number: its forms for 1 and for other numbers, such as ("coin", "coins"); empty if there is none.

If there are three forms, the first replaces the number 0 with its unit.
"""


def with_unit(shown: str, value: object, forms: Forms) -> str:
    """Return a number with its unit. ``shown``: the number as text."""
    if len(forms) > 2 and value == 0:
        return forms[0]
    return f"{shown} {forms[-2:][value != 1]}" if forms else shown


@dataclass(frozen=True)
class Computed:
    """A value in a text: an expression over a position in the words of an entry, elsewhere over what is fixed before play."""

    tree: Expr
    forms: Forms = ()


Sentence = tuple[str | Computed, ...]
"""The words of an entry: texts, and expressions whose values are filled in between."""


@dataclass(frozen=True)
class Board:
    """A die, a list or a map of the rules, which a text prints in full."""

    name: str


@dataclass(frozen=True)
class Answered:
    """A number of the solved game that a text contains.

    By ``kind``: ``number``, the threshold of the best rule with a single number; ``seat``, the value of a ``seat`` (from 1);
    ``turns`` and ``rolls``, the mean length of a game; ``measure``, the answer to the measure ``name``.
    """

    kind: Kind
    name: str = ""
    seat: int = 0


@dataclass(frozen=True)
class Wording:
    """A text in parts: strings, and values that are filled in between."""

    parts: tuple[str | Computed | Board | Answered, ...]

    def contains(self, kind: Kind) -> bool:
        """Return whether the text contains a number of a kind."""
        return any(isinstance(part, Answered) and part.kind == kind for part in self.parts)


@dataclass(frozen=True)
class Remembered:
    """A line to remember. ``policy``: the named policy that follows it, or empty.

    ``option``, ``variable``: for a line with a threshold, the option that it is about, and the variable that it is compared
    with. ``seats``: the numbers of players for which it holds, all if empty. ``values``: the parameters of the game for which
    it holds; if empty, those of the game that the page opens with.
    """

    wording: Wording
    policy: str = ""
    option: str = ""
    variable: str = ""
    seats: tuple[int, ...] = ()
    values: tuple[tuple[str, Any], ...] = ()

    def is_for(self, parameters: Mapping[str, Any], usual: bool) -> bool:
        """Return whether the line is for a game. ``usual``: whether it has the parameters that the page opens with."""
        return all(parameters[name] == value for name, value in self.values) if self.values else usual

    def is_for_seats(self, seats: int) -> bool:
        """Return whether the line is for a number of players."""
        return not self.seats or seats in self.seats
