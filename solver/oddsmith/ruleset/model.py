"""A ruleset as frozen records: every expression typed, every name resolved, nothing left to parse."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal, TypeVar

from oddsmith.exact import Published
from oddsmith.expr import Expr, Type
from oddsmith.location import Location, Source, Text

Item = TypeVar("Item")
Origin = Literal["published", "counted"]
VariableKind = Literal["number", "flag", "word", "seat", "hand", "tally"]


@dataclass(frozen=True, slots=True)
class Parameter:
    """A named value that a designer may change: a number within bounds, one of several values, or a flag."""

    name: str
    default: Any
    least: int | None = None
    most: int | None = None
    one_of: tuple[Any, ...] = ()
    about: str = ""

    def refuses(self, value: Any) -> str:
        """Why a value is not allowed; empty when it is."""
        if self.one_of:
            return (
                ""
                if value in self.one_of and not isinstance(value, bool)
                else f"one of {', '.join(map(str, self.one_of))}"
            )
        if isinstance(self.default, bool):
            return "" if isinstance(value, bool) else "true or false"
        if isinstance(value, bool) or not isinstance(value, int):
            return "a whole number"
        low, high = self.least, self.most
        if (low is not None and value < low) or (high is not None and value > high):
            return f"{low if low is not None else ''}..{high if high is not None else ''}"
        return ""


@dataclass(frozen=True, slots=True)
class Variant:
    """A named set of parameter values."""

    name: str
    set: Mapping[str, Any]
    about: str = ""


@dataclass(frozen=True, slots=True)
class Requirement:
    """What must hold between parameters and the number of seats, and the sentence for whoever asks for something else."""

    that: Expr
    about: str
    location: Location


PLAIN_DIE = re.compile(r"([1-9][0-9]{0,17})?d([1-9][0-9]{0,17})")


def plain_die(name: str) -> int | None:
    """The sides of a die written as d6; None for other names."""
    match = PLAIN_DIE.fullmatch(name)
    return int(match[2]) if match and not match[1] else None


@dataclass(frozen=True, slots=True)
class DieRule:
    """A named die: faces as values or an expression, weights, and names of faces (letter -> number)."""

    name: str
    faces: tuple[int, ...] | Expr
    weights: tuple[Expr, ...] = ()
    named: Mapping[int, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Term:
    """``count of die`` in a roll."""

    count: Expr
    die: str


@dataclass(frozen=True, slots=True)
class Variable:
    """A variable or family of the state. ``dims``: "seat" or the name of a list, per index."""

    name: str
    kind: VariableKind
    location: Location
    dims: tuple[str, ...] = ()
    start: Expr | Mapping[Any, Expr] | None = None
    least: Expr | None = None
    most: Expr | None = None
    words: tuple[str, ...] = ()
    dice: tuple[Term, ...] = ()
    resets: bool = False
    about: str = ""

    @property
    def per_seat(self) -> bool:
        """Whether every seat has one of its own."""
        return self.dims[:1] == ("seat",)

    @property
    def starts_as_mover(self) -> bool:
        """Whether it is a seat that starts as the mover of the moment."""
        return self.kind == "seat" and (self.start is None or getattr(self.start, "op", "") == "mover")


@dataclass(frozen=True, slots=True)
class Place:
    """Where an effect writes: a variable with its indices."""

    name: str
    indices: tuple[Expr, ...]
    location: Location


EffectKind = Literal["move", "set", "add", "let", "drop", "if", "seats", "items"]


@dataclass(frozen=True, slots=True)
class Effect:
    """One effect.

    ``move``: amount (None for all) from source to target (None for the supply). ``set``/``add``: amount and target.
    ``let``: name and amount. ``if``: amount is the test, with do and other. ``seats``: amount is the group or seat.
    ``items``: loops as (name, list). The loop kinds have their body in ``do``.
    """

    kind: EffectKind
    location: Location
    words: str = ""
    amount: Expr | None = None
    source: Place | None = None
    target: Place | None = None
    name: str = ""
    loops: tuple[tuple[str, Expr], ...] = ()
    do: tuple[Effect, ...] = ()
    other: tuple[Effect, ...] = ()


def changes(effects: Sequence[Effect]) -> list[Effect]:
    """All effects, those inside `if` and `for` included."""
    found: list[Effect] = []
    for effect in effects:
        found.append(effect)
        found += changes(effect.do) + changes(effect.other)
    return found


@dataclass(frozen=True, slots=True)
class Then:
    """What follows: a phase of the same turn, or ``again``, ``pass``, ``pass_to`` a seat, ``end``."""

    kind: Literal["phase", "again", "pass", "pass_to", "end"]
    phase: str = ""
    seat: Expr | None = None


@dataclass(frozen=True, slots=True)
class Entry:
    """An outcome, an option or a case."""

    name: str
    when: Expr
    do: tuple[Effect, ...]
    then: Then
    location: Location
    loops: tuple[tuple[str, Expr], ...] = ()


@dataclass(frozen=True, slots=True)
class Throw:
    """A roll (dice terms, or ``rest``) or a draw (from a bag). ``kept``: the name is a variable of the state."""

    kind: Literal["roll", "rest", "draw"]
    name: str
    kept: bool
    location: Location
    dice: tuple[Term, ...] = ()
    bag: str = ""


@dataclass(frozen=True, slots=True)
class Phase:
    """A phase with its one body."""

    name: str
    kind: Literal["roll", "choose", "cases"]
    throws: tuple[Throw, ...]
    entries: tuple[Entry, ...]
    location: Location


@dataclass(frozen=True, slots=True)
class Payoff:
    """An objective: a value for every seat, to be made large or small."""

    name: str
    value: Expr
    goal: Literal["max", "min"] = "max"

    @property
    def is_share(self) -> bool:
        """Whether it is the share of one win, so that people want it as a percentage."""
        return self.value.op == "call" and self.value.value == "share"

    @property
    def pays_chances(self) -> bool:
        """Whether its mean is a chance: a share of one win, or something that is 1 or 0."""
        return self.is_share or one_or_none(self.value)


def one_or_none(value: Expr) -> bool:
    """Whether an expression is 1 or 0 by how it is written."""
    return value.op == "if" and all(part.op == "const" and part.value in (0, 1) for part in value.args[1:])


@dataclass(frozen=True, slots=True)
class Measure:
    """A question: see section 9 of the language. ``at`` and ``given`` name a phase and an entry."""

    kind: Literal["chance", "mean", "count", "spread"]
    location: Location
    at: tuple[str, str] | None = None
    value: Expr | None = None
    within: Literal["", "turn", "game"] = ""
    start: Mapping[str, Expr] = field(default_factory=dict)
    seat: int = 1
    given: tuple[str, str] | None = None
    spread: str = ""
    about: str = ""


@dataclass(frozen=True, slots=True)
class Claim:
    """A number, the question it answers, and whether it is known to be right. ``of``: where not of the usual game.

    ``origin``: whether somebody printed the number, or whoever wrote the ruleset counted it by hand.
    """

    quote: str
    ask: Measure
    origin: Origin
    stated: Published
    right: bool
    location: Location
    note: str = ""
    of: Setting | None = None


@dataclass(frozen=True, slots=True)
class Choice:
    """One line of a policy: an option, when it applies, and which instance is preferred."""

    option: str
    when: Expr
    prefer: Expr | None
    location: Location


Policy = Mapping[str, tuple[Choice, ...]]


@dataclass(frozen=True)
class Setting:
    """One game of a ruleset: seats, what is played for, at most one variant, and parameters changed."""

    seats: int
    objective: str
    variant: str = ""
    values: tuple[tuple[str, Any], ...] = ()


def _both(these: tuple[Item, ...], those: tuple[Item, ...]) -> tuple[Item, ...]:
    return tuple(dict.fromkeys(these + those))


@dataclass(frozen=True)
class Edition:
    """What a site solves and shows of a ruleset. ``home``: the game its page opens with.

    The first objective is for all numbers of seats, each further one for the fewest; variants and single parameters
    are for the seats of ``home``; ``also`` are games listed one by one. ``full``: what is added where time is no matter.
    """

    home: Setting
    seats: tuple[int, ...]
    objectives: tuple[str, ...]
    variants: tuple[str, ...]
    parameters: tuple[tuple[str, Any], ...]
    also: tuple[Setting, ...]
    full: Edition | None = None

    @property
    def whole(self) -> Edition:
        """With all that ``full`` adds."""
        more = self.full
        if more is None:
            return self
        return Edition(
            self.home, tuple(sorted({*self.seats, *more.seats})), _both(self.objectives, more.objectives),
            _both(self.variants, more.variants), _both(self.parameters, more.parameters), _both(self.also, more.also),
        )  # fmt: skip

    def settings(self, variants: Mapping[str, Variant]) -> tuple[list[Setting], list[Setting], list[Setting]]:
        """The games: all numbers of seats; further objectives; variants, changed parameters and single games."""
        home = self.home
        others = [objective for objective in self.objectives if objective != home.objective]
        plain = [replace(home, seats=number) for number in self.seats]
        further = [replace(home, seats=self.seats[0], objective=objective) for objective in others]
        changed = [
            replace(home, seats=int(variants[name].set.get("seats", home.seats)), variant=name)
            for name in self.variants
        ]
        changed += [
            replace(home, values=tuple({**dict(home.values), name: value}.items())) for name, value in self.parameters
        ]
        changed += [each for each in self.also if each not in (*plain, *further)]
        return plain, further, list(dict.fromkeys(changed))


@dataclass(frozen=True)
class Ruleset:
    """A loaded, checked ruleset. ``data`` is the file as plain data, for what is only shown."""

    source: Source
    data: Mapping[str, Any]
    id: str
    title: str
    summary: str
    seats: tuple[int, int, int]
    parameters: Mapping[str, Parameter]
    variants: Mapping[str, Variant]
    constants: Mapping[str, int]
    maps: Mapping[str, Mapping[Any, Any]]
    lists: Mapping[str, tuple[Any, ...] | Expr]
    dice: Mapping[str, DieRule]
    state: Mapping[str, Variable]
    payoffs: Mapping[str, Payoff]
    turn: str
    phases: Mapping[str, Phase]
    out_when: Expr
    end_when: Expr
    at_end: tuple[Effect, ...]
    measures: Mapping[str, Measure]
    claims: tuple[Claim, ...]
    policies: Mapping[str, Policy]
    edition: Edition
    symbols: Mapping[str, Any]
    defines: Mapping[str, Text]
    list_types: Mapping[str, Type]
    requirements: tuple[Requirement, ...] = ()
