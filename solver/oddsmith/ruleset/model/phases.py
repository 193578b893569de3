"""Phases of a turn, with their rolls, draws and choices, and with their entries: the outcomes, options or cases."""

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
    """Return the number of sides of a die with a name such as d6; None for any other name."""
    match = PLAIN_DIE.fullmatch(name)
    return int(match[2]) if match and not match[1] else None


@dataclass(frozen=True, slots=True)
class DiceTerm:
    """A term of a roll: ``count`` dice with the name ``die``."""

    count: Expr
    die: str


# --- what follows an entry


@dataclass(frozen=True, slots=True)
class ToPhase:
    """The ending of an entry by which another phase of the same turn follows. ``phase``: its name."""

    phase: str
    kind: ClassVar[Literal["phase"]] = "phase"
    expressions_read: ClassVar[tuple[Expr, ...]] = ()


@dataclass(frozen=True, slots=True)
class Again:
    """The ending of an entry by which a new turn of the same seat follows."""

    kind: ClassVar[Literal["again"]] = "again"
    expressions_read: ClassVar[tuple[Expr, ...]] = ()


@dataclass(frozen=True, slots=True)
class Pass:
    """The ending of an entry by which the turn of the next seat that is not out follows."""

    kind: ClassVar[Literal["pass"]] = "pass"
    expressions_read: ClassVar[tuple[Expr, ...]] = ()


@dataclass(frozen=True, slots=True)
class PassTo:
    """The ending of an entry by which the turn of a given seat follows. ``seat``: the expression of this seat."""

    seat: Expr
    kind: ClassVar[Literal["pass_to"]] = "pass_to"

    @property
    def expressions_read(self) -> tuple[Expr, ...]:
        """The expressions that are evaluated after the effects of the entry."""
        return (self.seat,)


@dataclass(frozen=True, slots=True)
class End:
    """The ending of an entry by which the game ends."""

    kind: ClassVar[Literal["end"]] = "end"
    expressions_read: ClassVar[tuple[Expr, ...]] = ()


EntryEnding = ToPhase | Again | Pass | PassTo | End


@dataclass(frozen=True, slots=True)
class Entry:
    """An outcome, an option or a case of a phase.

    ``when``: the test that must hold. ``do``: its effects. ``then``: what follows it. ``say``: the words when the entry
    is taken, filled in before its effects. ``does``: the words that tell a player what an option does. Words do not
    affect play, so their expressions are not part of ``expressions_read``.
    """

    name: str
    when: Expr
    do: tuple[Effect, ...]
    then: EntryEnding
    location: Location
    loops: Loops = ()
    say: Sentence | None = None
    does: Sentence | None = None

    @property
    def expressions_read(self) -> tuple[Expr, ...]:
        """The expressions that are evaluated before the effects: the lists of the loops, and the test."""
        return (*(items for _, items in self.loops), self.when)


# --- what is thrown


@dataclass(frozen=True, slots=True)
class Roll:
    """A roll of dice. ``is_kept``: whether the result is written to the variable ``name``, and not to a local name."""

    name: str
    is_kept: bool
    location: Location
    dice: tuple[DiceTerm, ...]
    kind: ClassVar[Literal["roll"]] = "roll"


@dataclass(frozen=True, slots=True)
class RollMissingDice:
    """A roll of all dice that belong to a hand variable but are not in it now. The rolled dice are added to the hand.

    ``name``: the hand variable.
    """

    name: str
    location: Location
    is_kept: ClassVar[Literal[True]] = True
    dice: ClassVar[tuple[DiceTerm, ...]] = ()
    kind: ClassVar[Literal["rest"]] = "rest"


@dataclass(frozen=True, slots=True)
class Draw:
    """A draw of one item from a bag. ``bag``: the variable that counts the items of each kind in a list.

    ``is_kept``: whether the item is written to the variable ``name``, and not to a local name.
    """

    name: str
    is_kept: bool
    location: Location
    bag: str
    dice: ClassVar[tuple[DiceTerm, ...]] = ()
    kind: ClassVar[Literal["draw"]] = "draw"


RollOrDraw = Roll | RollMissingDice | Draw


def variable_read_by(throw: RollOrDraw) -> str:
    """Return the variable that a roll or draw reads: the bag of a draw, or the hand variable of a roll.

    If a roll is not kept, the result is its local name, which is not a variable.
    """
    return throw.bag if isinstance(throw, Draw) else throw.name


# --- the phases themselves


@dataclass(frozen=True, slots=True)
class RollPhase:
    """A phase of rolls and draws, after which the first outcome that applies is taken.

    ``entries``: the outcomes. ``seen_by``: the seat or seats that see the results; None for all seats.
    """

    name: str
    rolls_and_draws: tuple[RollOrDraw, ...]
    entries: tuple[Entry, ...]
    location: Location
    seen_by: Expr | None = None
    label: ClassVar[str] = ""
    kind: ClassVar[Literal["roll"]] = "roll"


@dataclass(frozen=True, slots=True)
class ChoicePhase:
    """A phase in which the mover chooses one of the options that apply. ``label``: the question that play tables ask.

    ``entries``: the options. ``seen_by``: the seat or seats that see the choice besides the mover; None for all seats.
    """

    name: str
    entries: tuple[Entry, ...]
    location: Location
    label: str = ""
    seen_by: Expr | None = None
    rolls_and_draws: ClassVar[tuple[RollOrDraw, ...]] = ()
    kind: ClassVar[Literal["choose"]] = "choose"


@dataclass(frozen=True, slots=True)
class SimultaneousPhase:
    """A phase of simultaneous choices: several seats choose an item each, and then all choices are revealed.

    ``choice_name``: the local name of the chosen items, indexed by seat. ``items``: the items that a seat may choose,
    evaluated with that seat as ``seat``. ``choosing_seats``: the seats that choose. ``entries``: the outcomes, of which
    the first that applies is taken.
    """

    name: str
    choice_name: str
    items: Expr
    choosing_seats: Expr
    entries: tuple[Entry, ...]
    location: Location
    label: str = ""
    rolls_and_draws: ClassVar[tuple[RollOrDraw, ...]] = ()
    seen_by: ClassVar[None] = None
    kind: ClassVar[Literal["together"]] = "together"


@dataclass(frozen=True, slots=True)
class CasesPhase:
    """A phase in which the first case that applies is taken, without a roll or a choice. ``entries``: the cases."""

    name: str
    entries: tuple[Entry, ...]
    location: Location
    label: ClassVar[str] = ""
    rolls_and_draws: ClassVar[tuple[RollOrDraw, ...]] = ()
    seen_by: ClassVar[None] = None
    kind: ClassVar[Literal["cases"]] = "cases"


Phase = RollPhase | ChoicePhase | SimultaneousPhase | CasesPhase
