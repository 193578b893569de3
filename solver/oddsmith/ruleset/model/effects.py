"""Effects: the changes of the state by an outcome, an option or a case.

Every kind of effect is a class, and :data:`Effect` is their union. Code that treats kinds differently matches on the
class and ends in ``assert_never``, so the type checker reports it when a kind is added. The recipe *A kind of effect*
in CONTRIBUTING lists this code, and code that no tool reports. All other code uses the properties of an effect:
``expressions_read``, ``variables_written``, ``variables_updated``, ``variables_read`` and ``nested_effects``. These
follow from the fields, so a new kind has them without further code.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, fields
from typing import Any, ClassVar, Literal

from oddsmith.base.location import Location
from oddsmith.expr import Expr

Loops = tuple[tuple[str, Expr], ...]
"""Nested loops, the outermost first: for each, its name and the list of its items."""


@dataclass(frozen=True, slots=True)
class VariableRef:
    """A variable with its indices, to which an effect writes."""

    name: str
    indices: tuple[Expr, ...]
    location: Location


class _EffectBase:
    """The base class of all kinds of effects, with the properties that follow from the fields of a kind."""

    __slots__ = ()

    def _field_values(self) -> Iterator[Any]:
        """Yield the values of the fields; for a field that is a tuple, yield its items."""
        for field in fields(self):  # type: ignore[arg-type]  # every kind is a dataclass
            value = getattr(self, field.name)
            yield from value if isinstance(value, tuple) else (value,)

    @property
    def expressions_read(self) -> tuple[Expr, ...]:
        """The expressions of the effect outside its bodies: amounts, tests, lists of loops, indices of variables."""
        trees: list[Expr] = []
        for part in self._field_values():
            if isinstance(part, Expr):
                trees.append(part)
            elif isinstance(part, VariableRef):
                trees += part.indices
            elif isinstance(part, tuple):
                trees.append(part[1])
        return tuple(trees)

    @property
    def variables_written(self) -> tuple[VariableRef, ...]:
        """The variables that the effect may change outside its bodies. For a move, the source is included."""
        return tuple(part for part in self._field_values() if isinstance(part, VariableRef))

    @property
    def variables_updated(self) -> tuple[VariableRef, ...]:
        """The variables whose new values depend on their old ones, by bounds too. A kind says so if it replaces values."""
        return self.variables_written

    @property
    def variables_read(self) -> tuple[VariableRef, ...]:
        """The variables whose values decide what the effect does to other variables.

        Unless a kind says otherwise, these are all that it writes. So a new kind forgets none.
        """
        return self.variables_written

    @property
    def nested_effects(self) -> tuple[tuple[Effect, ...], ...]:
        """The lists of effects inside this effect that are not empty."""
        values = [getattr(self, field.name) for field in fields(self)]  # type: ignore[arg-type]
        return tuple(
            value for value in values if isinstance(value, tuple) and value and isinstance(value[0], _EffectBase)
        )


@dataclass(frozen=True, slots=True)
class Move(_EffectBase):
    """``move 2 from pot to purse``: moves an amount, but at most the value of the source.

    ``amount``: the amount; None for the whole value of the source. A source or target of None stands for the supply,
    which is unlimited.
    """

    amount: Expr | None
    source: VariableRef | None
    target: VariableRef | None
    location: Location
    words: str = ""
    kind: ClassVar[Literal["move"]] = "move"

    @property
    def variables_read(self) -> tuple[VariableRef, ...]:
        """The source, because at most its value is moved."""
        return (self.source,) if self.source else ()


@dataclass(frozen=True, slots=True)
class Set(_EffectBase):
    """``set fed to true``: gives a variable a new value."""

    amount: Expr
    target: VariableRef
    location: Location
    words: str = ""
    kind: ClassVar[Literal["set"]] = "set"

    @property
    def variables_updated(self) -> tuple[VariableRef, ...]:
        """None, because the value is replaced."""
        return ()

    @property
    def variables_read(self) -> tuple[VariableRef, ...]:
        """None, because the value is replaced."""
        return ()


@dataclass(frozen=True, slots=True)
class Add(_EffectBase):
    """``add sum(hand) to score``: increases a variable by an amount."""

    amount: Expr
    target: VariableRef
    location: Location
    words: str = ""
    kind: ClassVar[Literal["add"]] = "add"

    @property
    def variables_read(self) -> tuple[VariableRef, ...]:
        """None, because the amount is the same whatever the variable holds."""
        return ()


@dataclass(frozen=True, slots=True)
class Let(_EffectBase):
    """``let k be min(stakes)``: binds a value to a local name for the effects after it."""

    name: str
    amount: Expr
    location: Location
    words: str = ""
    kind: ClassVar[Literal["let"]] = "let"


@dataclass(frozen=True, slots=True)
class Drop(_EffectBase):
    """``drop out``: eliminates the seat for which the effect is carried out."""

    location: Location
    kind: ClassVar[Literal["drop"]] = "drop"


@dataclass(frozen=True, slots=True)
class Reveal(_EffectBase):
    """``reveal card to next``: shows a value to one or several seats. ``seats``: these seats; None for all seats."""

    amount: Expr
    seats: Expr | None
    location: Location
    words: str = ""
    kind: ClassVar[Literal["reveal"]] = "reveal"


@dataclass(frozen=True, slots=True)
class If(_EffectBase):
    """``{if: test, do: ..., else: ...}``: carries out the effects ``do`` if the test holds, and else ``else_do``."""

    test: Expr
    do: tuple[Effect, ...]
    else_do: tuple[Effect, ...]
    location: Location
    kind: ClassVar[Literal["if"]] = "if"


@dataclass(frozen=True, slots=True)
class ForSeats(_EffectBase):
    """``{for: others, do: ...}``: carries out effects for each seat of a group, or for one seat.

    The name ``seat`` in the effects stands for the seat for which they are carried out.
    """

    group: Expr
    do: tuple[Effect, ...]
    location: Location
    kind: ClassVar[Literal["seats"]] = "seats"


@dataclass(frozen=True, slots=True)
class ForItems(_EffectBase):
    """``{for: {name: list}, do: ...}``: carries out effects for each item of a list.

    Several lists make nested loops.
    """

    loops: Loops
    do: tuple[Effect, ...]
    location: Location
    kind: ClassVar[Literal["items"]] = "items"


Effect = Move | Set | Add | Let | Drop | Reveal | If | ForSeats | ForItems


def effects_in_preorder(effects: Sequence[Effect]) -> Iterator[Effect]:
    """Yield effects and all effects inside them, in preorder."""
    for effect in effects:
        yield effect
        for body in effect.nested_effects:
            yield from effects_in_preorder(body)


def linked_names(names: Iterable[str], links: Iterable[Collection[str]]) -> dict[str, frozenset[str]]:
    """Return, for each name, its group: the names to which links connect it, directly or through others, and itself.

    ``links``: for each link, the names that belong together. They must be among ``names``.
    """
    group = {name: frozenset((name,)) for name in names}
    for link in links:
        joined = frozenset[str]().union(*(group[name] for name in link))
        group.update(dict.fromkeys(joined, joined))
    return group


def variables_moved_between(effects: Iterable[Effect]) -> list[tuple[str, str]]:
    """Return the source and the target of each move from one variable to another."""
    moves = [effect for effect in effects if isinstance(effect, Move)]
    return [(move.source.name, move.target.name) for move in moves if move.source and move.target]
