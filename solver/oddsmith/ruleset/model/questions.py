"""What is played for, what may be asked of a game, and ways to play that the ruleset names."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from oddsmith.base.exact import Published
from oddsmith.base.location import Location
from oddsmith.expr import Expr
from oddsmith.ruleset.model.editions import Setting
from oddsmith.ruleset.model.wording import Forms

Origin = Literal["published", "counted"]

ANY, RULE = "any", "rule"
"""Ways of playing that every game has, beside its policies: any legal action, and the short rules that are found for it."""

NOTHING = "nothing"
"""What is won where a ruleset has no payoffs: a payoff that is always 0."""


@dataclass(frozen=True, slots=True)
class Payoff:
    """An objective: a value for every seat, to be made large or small. ``unit``: what it counts, if not what its name says."""

    name: str
    value: Expr
    goal: Literal["max", "min"] = "max"
    unit: Forms = ()

    @property
    def is_share(self) -> bool:
        """Whether it is the share of one win, so that people want it as a percentage."""
        return self.value.op == "call" and self.value.value == "share"

    @property
    def pays_chances(self) -> bool:
        """Whether its mean is a chance: a share of one win, or something that is 1 or 0, or one of these as the case may be."""
        return _is_chance(self.value)


def is_one_or_zero(value: Expr) -> bool:
    """Whether an expression is 1 or 0 by how it is written."""
    return value.op == "if" and all(part.op == "const" and part.value in (0, 1) for part in value.args[1:])


def _is_chance(value: Expr) -> bool:
    if value.op == "if":
        return all(part.value in (0, 1) if part.op == "const" else _is_chance(part) for part in value.args[1:])
    return value.op == "call" and value.value == "share"


@dataclass(frozen=True, slots=True)
class Measure:
    """A question: see section 9 of the language.

    ``at`` and ``given`` name a phase and an entry. ``when``: what must hold as the entry of ``at`` happens, before its effects.
    ``per``: if given, the mean of ``value`` is divided by its mean. ``edge``: the payoff whose mean loss is
    asked for, as a part of what ``per`` is on average; ``value`` is that loss.
    """

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
    when: Expr | None = None
    per: Expr | None = None
    edge: str = ""


@dataclass(frozen=True, slots=True)
class Claim:
    """A number, the question it answers, and whether it is known to be right. ``of``: the game, if not the usual one.

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
class PolicyLine:
    """One line of a policy: an option, when it applies, and which instance is preferred."""

    option: str
    when: Expr
    prefer: Expr | None
    location: Location


Policy = Mapping[str, tuple[PolicyLine, ...]]
