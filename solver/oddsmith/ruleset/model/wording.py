"""What a person wrote for people, with places that are filled in for each game, or for each position."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from oddsmith.expr import Expr

Kind = Literal["number", "seat", "turns", "rolls", "measure"]

Forms = tuple[str, ...]
"""What a number counts, for one and for any other number; empty if the number stands alone. Before both may stand what is said
instead of 0."""


def with_unit(shown: str, value: object, forms: Forms) -> str:
    """Return a value with the word for what it counts."""
    if len(forms) > 2 and value == 0:
        return forms[0]
    return f"{shown} {forms[-2:][value != 1]}" if forms else shown


@dataclass(frozen=True)
class Computed:
    """An expression: over parameters, constants and seats, or over a position where the words are of an entry."""

    tree: Expr
    forms: Forms = ()


Sentence = tuple[str | Computed, ...]
"""What an entry says or does: text, and what is worked out in between."""


@dataclass(frozen=True)
class Board:
    """A die, a list or a map of the rules, to be printed in full."""

    name: str


@dataclass(frozen=True)
class Answered:
    """A number of the solved game, in the order of ``Kind``: that of the best single-number rule, what a ``seat`` (from 1)
    gets, the mean length of a game in turns or rolls, or the answer to the measure ``name``.
    """

    kind: Kind
    name: str = ""
    seat: int = 0


@dataclass(frozen=True)
class Wording:
    """Text and what is filled in between."""

    parts: tuple[str | Computed | Board | Answered, ...]

    def contains(self, kind: Kind) -> bool:
        """Say whether a number of this kind is filled in."""
        return any(isinstance(part, Answered) and part.kind == kind for part in self.parts)


@dataclass(frozen=True)
class Remembered:
    """A line to remember. ``policy``: the named policy that plays by it, if any; ``option``, ``variable``: what its number is
    for, where it has one; ``seats``: the numbers of players it is for, all of them if there are none. ``values``: the
    parameters of the game that it is for, where that is not the one that the page opens with.
    """

    wording: Wording
    policy: str = ""
    option: str = ""
    variable: str = ""
    seats: tuple[int, ...] = ()
    values: tuple[tuple[str, Any], ...] = ()

    def is_for(self, parameters: Mapping[str, Any], usual: bool) -> bool:
        """Say whether the line is for a game with these parameters. ``usual``: whether the page opens with such rules."""
        return all(parameters[name] == value for name, value in self.values) if self.values else usual

    def is_for_seats(self, seats: int) -> bool:
        """Say whether the line is for this number of players."""
        return not self.seats or seats in self.seats
