"""Phases: what is thrown, who chooses, who sees it, and what follows each outcome, option or case."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import ClassVar, Literal

from oddsmith.base.location import Location
from oddsmith.expr import Expr
from oddsmith.ruleset.model.effects import Effect, Loops
from oddsmith.ruleset.model.wording import Sentence

PLAIN_DIE = re.compile(r"([1-9][0-9]{0,17})?d([1-9][0-9]{0,17})")


def plain_die_sides(name: str) -> int | None:
    """The sides of a die written as d6; None for other names."""
    match = PLAIN_DIE.fullmatch(name)
    return int(match[2]) if match and not match[1] else None


@dataclass(frozen=True, slots=True)
class Term:
    """``count of die`` in a roll."""

    count: Expr
    die: str


# --- what follows an entry


@dataclass(frozen=True, slots=True)
class ToPhase:
    """Another phase of the same turn."""

    phase: str
    kind: ClassVar[Literal["phase"]] = "phase"
    reads: ClassVar[tuple[Expr, ...]] = ()


@dataclass(frozen=True, slots=True)
class Again:
    """A new turn of the same seat."""

    kind: ClassVar[Literal["again"]] = "again"
    reads: ClassVar[tuple[Expr, ...]] = ()


@dataclass(frozen=True, slots=True)
class Pass:
    """The turn of the next seat that is still in."""

    kind: ClassVar[Literal["pass"]] = "pass"
    reads: ClassVar[tuple[Expr, ...]] = ()


@dataclass(frozen=True, slots=True)
class PassTo:
    """The turn of a seat that an expression names."""

    seat: Expr
    kind: ClassVar[Literal["pass_to"]] = "pass_to"

    @property
    def reads(self) -> tuple[Expr, ...]:
        """The expressions that it works out, after the effects of its entry."""
        return (self.seat,)


@dataclass(frozen=True, slots=True)
class End:
    """The end of the game."""

    kind: ClassVar[Literal["end"]] = "end"
    reads: ClassVar[tuple[Expr, ...]] = ()


Then = ToPhase | Again | Pass | PassTo | End


@dataclass(frozen=True, slots=True)
class Entry:
    """An outcome, an option or a case.

    ``say``: what is said when it happens, before its effects; nothing if it is empty. ``does``: what an option does for
    whoever chooses it. Words decide nothing, so they are no part of ``reads``.
    """

    name: str
    when: Expr
    do: tuple[Effect, ...]
    then: Then
    location: Location
    loops: Loops = ()
    say: Sentence | None = None
    does: Sentence | None = None

    @property
    def reads(self) -> tuple[Expr, ...]:
        """The expressions that are worked out before its effects: the lists of its loops, and its test."""
        return (*(items for _, items in self.loops), self.when)


# --- what is thrown


@dataclass(frozen=True, slots=True)
class Roll:
    """Dice that are rolled. ``kept``: the name is a hand of the state."""

    name: str
    kept: bool
    location: Location
    dice: tuple[Term, ...]
    kind: ClassVar[Literal["roll"]] = "roll"


@dataclass(frozen=True, slots=True)
class RollRest:
    """The dice of a hand that do not lie in it are rolled and laid to the others."""

    name: str
    location: Location
    kept: ClassVar[Literal[True]] = True
    dice: ClassVar[tuple[Term, ...]] = ()
    kind: ClassVar[Literal["rest"]] = "rest"


@dataclass(frozen=True, slots=True)
class Draw:
    """One item is drawn from a bag, a family of numbers over a list."""

    name: str
    kept: bool
    location: Location
    bag: str
    dice: ClassVar[tuple[Term, ...]] = ()
    kind: ClassVar[Literal["draw"]] = "draw"


Throw = Roll | RollRest | Draw


def variable_of_throw(throw: Throw) -> str:
    """Return the variable that a throw reads: the bag of a draw, or the hand to which dice go; else empty."""
    return throw.bag if isinstance(throw, Draw) else throw.name


# --- the phases themselves


@dataclass(frozen=True, slots=True)
class RollPhase:
    """Something is thrown, and the first outcome that applies is taken.

    ``seen_by``: the seat or the seats that see what is thrown; None where everybody does.
    """

    name: str
    throws: tuple[Throw, ...]
    entries: tuple[Entry, ...]
    location: Location
    seen_by: Expr | None = None
    label: ClassVar[str] = ""
    kind: ClassVar[Literal["roll"]] = "roll"


@dataclass(frozen=True, slots=True)
class ChoicePhase:
    """The seat to move takes one of the options that apply. ``label``: the question as a table asks it.

    ``seen_by``: the seat or the seats that see beside the mover what is chosen; None where everybody does.
    """

    name: str
    entries: tuple[Entry, ...]
    location: Location
    label: str = ""
    seen_by: Expr | None = None
    throws: ClassVar[tuple[Throw, ...]] = ()
    kind: ClassVar[Literal["choose"]] = "choose"


@dataclass(frozen=True, slots=True)
class TogetherPhase:
    """Several seats choose an item each, none of them knowing what the others choose; then all are shown.

    ``chosen``: the name of the family of the items that are chosen. ``items``: what a seat may choose from, worked out with
    that seat as ``seat``. ``who``: the seats that choose.
    """

    name: str
    chosen: str
    items: Expr
    who: Expr
    entries: tuple[Entry, ...]
    location: Location
    label: str = ""
    throws: ClassVar[tuple[Throw, ...]] = ()
    seen_by: ClassVar[None] = None
    kind: ClassVar[Literal["together"]] = "together"


@dataclass(frozen=True, slots=True)
class CasesPhase:
    """The first case that applies is taken: nothing is thrown and nobody chooses."""

    name: str
    entries: tuple[Entry, ...]
    location: Location
    label: ClassVar[str] = ""
    throws: ClassVar[tuple[Throw, ...]] = ()
    seen_by: ClassVar[None] = None
    kind: ClassVar[Literal["cases"]] = "cases"


Phase = RollPhase | ChoicePhase | TogetherPhase | CasesPhase
