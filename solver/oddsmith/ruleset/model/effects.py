"""Effects: what an outcome, an option or a case does to the state.

Every kind is a record of its own, and :data:`Effect` is their union. Code that must treat each kind in its own way matches
on the class and ends in ``assert_never``, so the type checker names it when a kind is added. The recipe *A kind of effect*
in CONTRIBUTING lists these places, and those that no tool names. All other code uses what an effect ``reads``, ``writes``
and contains (``bodies``). These follow from the fields, so a new kind has them without further code.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields
from typing import Any, ClassVar, Literal

from oddsmith.base.location import Location
from oddsmith.expr import Expr

Loops = tuple[tuple[str, Expr], ...]
"""Nested loops in written order: a name, and the list that it runs through."""


@dataclass(frozen=True, slots=True)
class VariableRef:
    """A variable with its indices, to which an effect writes."""

    name: str
    indices: tuple[Expr, ...]
    location: Location


class _EffectFields:
    """The base of all kinds of effects: properties that follow from the fields of a kind."""

    __slots__ = ()

    def _fields(self) -> Iterator[Any]:
        """Yield the values of the fields, and in place of a tuple its items."""
        for field in fields(self):  # type: ignore[arg-type]  # every kind is a dataclass
            value = getattr(self, field.name)
            yield from value if isinstance(value, tuple) else (value,)

    @property
    def reads(self) -> tuple[Expr, ...]:
        """The expressions that it evaluates outside its bodies: amounts, tests, lists of loops, indices of variables."""
        trees: list[Expr] = []
        for part in self._fields():
            if isinstance(part, Expr):
                trees.append(part)
            elif isinstance(part, VariableRef):
                trees += part.indices
            elif isinstance(part, tuple):
                trees.append(part[1])
        return tuple(trees)

    @property
    def writes(self) -> tuple[VariableRef, ...]:
        """The variables that it may change outside its bodies. A move names its source too."""
        return tuple(part for part in self._fields() if isinstance(part, VariableRef))

    @property
    def bodies(self) -> tuple[tuple[Effect, ...], ...]:
        """The lists of effects inside it."""
        values = [getattr(self, field.name) for field in fields(self)]  # type: ignore[arg-type]
        return tuple(
            value for value in values if isinstance(value, tuple) and value and isinstance(value[0], _EffectFields)
        )


@dataclass(frozen=True, slots=True)
class Move(_EffectFields):
    """``move 2 from pot to purse``: at most what the source holds; all of it if ``amount`` is None.

    A source or target of None is the supply, which is endless.
    """

    amount: Expr | None
    source: VariableRef | None
    target: VariableRef | None
    location: Location
    words: str = ""
    kind: ClassVar[Literal["move"]] = "move"


@dataclass(frozen=True, slots=True)
class Set(_EffectFields):
    """``set fed to true``."""

    amount: Expr
    target: VariableRef
    location: Location
    words: str = ""
    kind: ClassVar[Literal["set"]] = "set"


@dataclass(frozen=True, slots=True)
class Add(_EffectFields):
    """``add sum(hand) to score``."""

    amount: Expr
    target: VariableRef
    location: Location
    words: str = ""
    kind: ClassVar[Literal["add"]] = "add"


@dataclass(frozen=True, slots=True)
class Let(_EffectFields):
    """``let k be min(stakes)``: a name for the effects after it."""

    name: str
    amount: Expr
    location: Location
    words: str = ""
    kind: ClassVar[Literal["let"]] = "let"


@dataclass(frozen=True, slots=True)
class Drop(_EffectFields):
    """``drop out``: the seat for which the effect is carried out leaves the game."""

    location: Location
    kind: ClassVar[Literal["drop"]] = "drop"


@dataclass(frozen=True, slots=True)
class Reveal(_EffectFields):
    """``reveal card to next``: a value is shown to a seat or to several; to all, if none is named."""

    amount: Expr
    to: Expr | None
    location: Location
    words: str = ""
    kind: ClassVar[Literal["reveal"]] = "reveal"


@dataclass(frozen=True, slots=True)
class If(_EffectFields):
    """``{if: test, do: ..., else: ...}``."""

    test: Expr
    do: tuple[Effect, ...]
    other: tuple[Effect, ...]
    location: Location
    kind: ClassVar[Literal["if"]] = "if"


@dataclass(frozen=True, slots=True)
class ForSeats(_EffectFields):
    """``{for: others, do: ...}``: for every seat of a group, or for one seat, with that seat as ``seat``."""

    group: Expr
    do: tuple[Effect, ...]
    location: Location
    kind: ClassVar[Literal["seats"]] = "seats"


@dataclass(frozen=True, slots=True)
class ForItems(_EffectFields):
    """``{for: {name: list}, do: ...}``: for every item of a list, in nested loops where there are several."""

    loops: Loops
    do: tuple[Effect, ...]
    location: Location
    kind: ClassVar[Literal["items"]] = "items"


Effect = Move | Set | Add | Let | Drop | Reveal | If | ForSeats | ForItems


def every_effect(effects: Sequence[Effect]) -> Iterator[Effect]:
    """Yield effects, and all effects inside them, each before those that it contains."""
    for effect in effects:
        yield effect
        for body in effect.bodies:
            yield from every_effect(body)
