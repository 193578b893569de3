"""Payoffs, questions about a game, claims that state their answers, and the named policies of a ruleset."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from oddsmith.base.exact import PublishedNumber
from oddsmith.base.location import Location
from oddsmith.expr import Expr
from oddsmith.ruleset.model.editions import Setting
from oddsmith.ruleset.model.wording import UnitForms

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
    unit: UnitForms = ()

    @property
    def is_share(self) -> bool:
        """Whether the payoff is a share of one win, which pages show as a percentage."""
        return is_share_of_win(self.value)

    @property
    def has_probability_as_mean(self) -> bool:
        """Whether the mean of the payoff is a probability.

        This holds if the payoff is a share of one win, or if conditions choose it among such shares, 1 and 0.
        """
        return _is_share_one_or_zero(self.value)


def is_share_of_win(value: Expr) -> bool:
    """Return whether an expression is a call of ``share``: a share of one win."""
    return value.op == "call" and value.value == "share"


def is_one_or_zero(value: Expr) -> bool:
    """Return whether an expression is an ``if`` whose two results are constants, each 1 or 0."""
    return value.op == "if" and all(part.op == "const" and part.value in (0, 1) for part in value.args[1:])


def _is_share_one_or_zero(value: Expr) -> bool:
    if value.op == "if":
        return all(
            part.value in (0, 1) if part.op == "const" else _is_share_one_or_zero(part) for part in value.args[1:]
        )
    return is_share_of_win(value)


@dataclass(frozen=True, slots=True)
class Measure:
    """A question about a game, such as those under the key ``measures``: see *Asking* in docs/reference/language.md.

    ``at_entry``, ``given_entry``: a phase and an entry. ``when``: a condition at the entry of ``at_entry``, before its
    effects. ``divisor``: an expression; the answer is the mean of ``value`` divided by the mean of ``divisor``.
    ``edge_payoff``: a payoff, for a question about the house edge; ``value`` is then the loss in this payoff.
    """

    kind: Literal["chance", "mean", "count", "spread"]
    location: Location
    at_entry: tuple[str, str] | None = None
    value: Expr | None = None
    within: Literal["", "turn", "game"] = ""
    start_values: Mapping[str, Expr] = field(default_factory=dict)
    seat: int = 1
    given_entry: tuple[str, str] | None = None
    spread_of: str = ""
    about: str = ""
    when: Expr | None = None
    divisor: Expr | None = None
    edge_payoff: str = ""


@dataclass(frozen=True, slots=True)
class Claim:
    """A claimed number. ``question``: the question that it answers. ``stated_number``: the number.

    ``is_right``: whether the ruleset says that the number is right. ``origin``: whether the number was published, or
    counted by hand by the author of the ruleset. ``setting``: the setting of the game to which the claim refers; None
    for the usual game.
    """

    quote: str
    question: Measure
    origin: Origin
    stated_number: PublishedNumber
    is_right: bool
    location: Location
    note: str = ""
    setting: Setting | None = None


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
