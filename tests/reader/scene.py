"""A moment of play as rules look at it: what lies on the table, whose turn it is, which seat is in question."""

from __future__ import annotations

import ast
from dataclasses import dataclass, field, replace
from itertools import product
from typing import Any

from tests.reader.values import Hand, Seat, Stops, number

Key = tuple[str, tuple[Any, ...]]
"""A variable and the index of one of its members."""


@dataclass(frozen=True)
class Variable:
    """What the ruleset says of one. ``over``: the items of each list of a family; ``dice``: what belongs to a hand."""

    name: str
    kind: str
    over: tuple[tuple[Any, ...], ...] = ()
    least: int = 0
    most: int = 0
    words: tuple[str, ...] = ()
    dice: tuple[str, ...] = ()
    resets: bool = False
    by_mover: bool = False

    @property
    def by_seat(self) -> bool:
        """Whether every seat has its own."""
        return bool(self.over) and isinstance(self.over[0][0], Seat)

    @property
    def keys(self) -> list[Key]:
        """All members."""
        return [(self.name, index) for index in product(*self.over)]


@dataclass(frozen=True)
class Definition:
    """A named expression with the names of its arguments."""

    arguments: tuple[str, ...]
    body: ast.expr


@dataclass
class Setting:
    """A ruleset at a number of seats and parameters. ``names``: parameters, constants, maps, lists and sides."""

    seats: int
    names: dict[str, Any] = field(default_factory=dict)
    words: set[str] = field(default_factory=set)
    dice: dict[str, list[tuple[int, int]]] = field(default_factory=dict)
    definitions: dict[str, Definition] = field(default_factory=dict)
    variables: dict[str, Variable] = field(default_factory=dict)

    @property
    def table(self) -> list[Seat]:
        """All seats in play order."""
        return [Seat(place) for place in range(self.seats)]


@dataclass
class Scene:
    """What there is now. ``local``: names of rolls, loops, ``let`` and arguments. Scenes of one moment share all but these.

    ``shown``: what was revealed, with the seats that see it, None for all.
    """

    setting: Setting
    cells: dict[Key, Any]
    mover: Seat
    seat: Seat
    out: set[Seat]
    local: dict[str, Any] = field(default_factory=dict)
    shown: list[tuple[frozenset[Seat] | None, Any]] = field(default_factory=list)

    def at(self, seat: Seat) -> Scene:
        """The same moment with another seat in question."""
        return replace(self, seat=seat)

    def with_names(self, names: dict[str, Any]) -> Scene:
        """The same moment with more names."""
        return replace(self, local={**self.local, **names})

    def apart(self) -> Scene:
        """A copy that effects may change."""
        cells, local = dict(self.cells), dict(self.local)
        return replace(self, cells=cells, out=set(self.out), local=local, shown=list(self.shown))

    def around(self, first: Seat) -> list[Seat]:
        """All seats in play order from one."""
        return [Seat((first.number + step) % self.setting.seats) for step in range(self.setting.seats)]

    def inside(self, first: Seat) -> list[Seat]:
        """The seats still in, in play order from one, which may be out itself."""
        return [seat for seat in self.around(first) if seat not in self.out]

    def neighbour(self, way: int) -> Seat:
        """The next seat still in after the mover, or the one before; the mover if it alone is in."""
        others = [seat for seat in self.around(self.mover)[1:] if seat not in self.out]
        if not others and self.mover in self.out:
            raise Stops("nobody is in")
        return others[0 if way > 0 else -1] if others else self.mover

    def keys(self, name: str, index: list[Any]) -> tuple[list[Key], bool]:
        """The members that a name with an index means, and whether they are a list."""
        variable = self.setting.variables[name]
        if variable.by_seat and len(index) == len(variable.over) - 1:
            index = [self.seat, *index]
        if len(index) != len(variable.over):
            raise TypeError(f"{name} has {len(variable.over)} indices")
        places = [one if isinstance(one, list) else [number(one) if isinstance(one, Hand) else one] for one in index]
        found = [(name, place) for place in product(*places)]
        for key in found:
            if key not in self.cells:
                raise Stops(f"there is no {key}")
        return found, any(isinstance(one, list) for one in index)
