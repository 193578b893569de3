"""What rules speak of beside numbers, flags, words and lists: seats and hands. Numbers are whole, or fractions in payoffs."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from typing import Any


class Stops(Exception):
    """A rule breaks: the play stops with an error."""


@dataclass(frozen=True, order=True)
class Seat:
    """A place at the table, counted from 0 in play order."""

    number: int


@dataclass(frozen=True)
class Hand:
    """Dice as they lie, each with its face and the name of the die; they are kept in order, so alike hands are equal."""

    dice: tuple[tuple[int, str], ...] = ()

    @classmethod
    def of(cls, dice: Iterable[tuple[int, str]]) -> Hand:
        """These dice in order."""
        return cls(tuple(sorted(dice)))

    @property
    def faces(self) -> list[int]:
        """The faces that show, ascending."""
        return [face for face, _ in self.dice]

    @property
    def names(self) -> list[str]:
        """Which dice they are."""
        return [name for _, name in self.dice]

    def __add__(self, other: Hand) -> Hand:
        """Both together."""
        return Hand.of([*self.dice, *other.dice])

    def __sub__(self, other: Hand) -> Hand:
        """The first without the second."""
        return Hand.of(without(self.dice, other.dice))

    def parts(self) -> list[Hand]:
        """All different parts, by size, then faces ascending."""
        sizes = range(len(self.dice) + 1)
        found = {Hand.of(part) for size in sizes for part in combinations(self.dice, size)}
        return sorted(found, key=lambda part: (len(part.dice), part.faces, part.names))


def without(things: Iterable[Any], taken: Iterable[Any]) -> list[Any]:
    """What is left of some things when others are taken away one by one; Stops where one is not there."""
    left = list(things)
    for thing in taken:
        if thing not in left:
            raise Stops(f"{thing} is not there")
        left.remove(thing)
    return left


def number(value: Any) -> int | Fraction:
    """A number, or the face of a hand of one die."""
    if isinstance(value, Hand):
        if len(value.dice) != 1:
            raise TypeError(f"{value} is no number")
        return value.dice[0][0]
    if isinstance(value, bool) or not isinstance(value, int | Fraction):
        raise TypeError(f"{value} is no number")
    return value


def items(value: Any) -> list[Any]:
    """The items of a list, or the faces of a hand."""
    if isinstance(value, Hand):
        return list(value.faces)
    if not isinstance(value, list):
        raise TypeError(f"{value} is no list")
    return value


def same(a: Any, b: Any) -> bool:
    """Whether two values are equal. A hand is what it shows, beside a list of faces and beside a hand."""
    if isinstance(a, Hand) and isinstance(b, list):
        return a.faces == sorted(map(number, b))
    if isinstance(a, list) and isinstance(b, Hand):
        return same(b, a)
    if isinstance(a, list) and isinstance(b, list):
        return len(a) == len(b) and all(map(same, a, b))
    if isinstance(a, Hand) and isinstance(b, Hand):
        return a.faces == b.faces
    if isinstance(a, Hand) or isinstance(b, Hand):
        return number(a) == number(b)
    return bool(a == b)


def is_in(x: Any, where: Any) -> bool:
    """Whether a value is among the items of a list, or a face among those of a hand."""
    return any(same(x, item) for item in items(where))
