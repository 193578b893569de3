"""Payoffs, questions about a game, claims that state their answers, and the named policies of a ruleset."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from oddsmith.base.exact import PublishedNumber
from oddsmith.base.location import Location
from oddsmith.expr import Expr
from oddsmith.ruleset.model.editions import Setting
from oddsmith.ruleset.model.wording import Forms

Origin = Literal["published", "counted"]

ANY, RULE = "any", "rule"
"""Names of policies that every game has: uniformly random legal actions, and the simple rule found for the game."""

NOTHING = "nothing"
"""The name of the payoff of a ruleset without payoffs. It is always 0."""


@dataclass(frozen=True, slots=True)
class Payoff:
    """An objective: a value for every seat to maximize or minimize. ``unit``: its unit; empty if the name says it."""

    name: str
    value: Expr
    goal: Literal["max", "min"] = "max"
    unit: Forms = ()

    @property
    def is_share(self) -> bool:
        """Whether the payoff is a share of one win, which pages show as a percentage."""
        return self.value.op == "call" and self.value.value == "share"

    @property
    def pays_chances(self) -> bool:
        """Whether the mean of the payoff is a probability.

        This holds if the payoff is a share of one win, or if conditions choose it among such shares, 1 and 0.
        """
        return _is_chance_for_every_case(self.value)


def is_one_or_zero(value: Expr) -> bool:
    """Return whether an expression is an ``if`` whose two results are constants, each 1 or 0."""
    return value.op == "if" and all(part.op == "const" and part.value in (0, 1) for part in value.args[1:])


def _is_chance_for_every_case(value: Expr) -> bool:
    if value.op == "if":
        return all(
            part.value in (0, 1) if part.op == "const" else _is_chance_for_every_case(part) for part in value.args[1:]
        )
    return value.op == "call" and value.value == "share"


@dataclass(frozen=True, slots=True)
class Measure:
    """A question about a game, such as those under the key ``measures``: see *Asking* in docs/reference/language.md.

    ``at``, ``given``: a phase and an entry. ``when``: a condition at the entry of ``at``, before its effects. ``per``:
    an expression; the answer is the mean of ``value`` divided by the mean of ``per``. ``edge``: a payoff, for a
    question about the house edge; ``value`` is then the loss in this payoff.
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
    """A claimed number. ``ask``: the question that it answers. ``stated``: the number.

    ``right``: whether the ruleset says that the number is right. ``origin``: whether the number was published, or
    counted by hand by the author of the ruleset. ``of``: the setting of the game to which the claim refers; None for
    the usual game.
    """

    quote: str
    ask: Measure
    origin: Origin
    stated: PublishedNumber
    right: bool
    location: Location
    note: str = ""
    of: Setting | None = None


@dataclass(frozen=True, slots=True)
class PolicyLine:
    """One line of a policy. ``option``: the option to choose. ``when``: the condition under which the line applies.

    ``prefer``: the expression that the chosen instance of an option with loops maximizes; None for no preference.
    """

    option: str
    when: Expr
    prefer: Expr | None
    location: Location


Policy = Mapping[str, tuple[PolicyLine, ...]]
