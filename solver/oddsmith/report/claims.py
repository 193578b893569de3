"""Published odds against computed ones."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, partial
from typing import Any

from oddsmith.exact import Number, decimal_text, fraction_text
from oddsmith.ruleset.game import Game, game_at
from oddsmith.ruleset.model import Claim, Measure, Setting
from oddsmith.solve.game_solver import solve
from oddsmith.solve.measure import ask
from oddsmith.solve.solution import Solution


@dataclass(frozen=True)
class Verdict:
    """A claim, the number it should have printed, and whether it is right. ``edge``: just at the end of its rounding."""

    claim: Claim
    number: Number
    right: bool
    edge: bool
    how: str

    @property
    def expected(self) -> bool:
        """Whether the verdict is the one that the ruleset records."""
        return self.right == self.claim.right

    @property
    def off_by(self) -> Fraction:
        """Computed less published."""
        return self.number.middle - self.claim.published.value

    def to_json(self) -> dict[str, Any]:
        """The verdict for machines."""
        exact = self.number.exact
        return {
            "quote": self.claim.quote, "published": self.claim.published.text, "verdict": "right" if self.right else "wrong",
            "exact": None if exact is None else fraction_text(exact), "decimal": self.number.decimal(6),
            "off_by": decimal_text(self.off_by, 6), "recorded": "right" if self.claim.right else "wrong", "how": self.how,
            "note": self.claim.note, "of": _words(self.claim.of),
        }  # fmt: skip


def _words(of: Setting | None) -> dict[str, Any] | None:
    if of is None:
        return None
    return {"seats": of.seats, "objective": of.objective, "variant": of.variant or None, "parameters": dict(of.values)}


def verdicts(game: Game, known: Callable[[Setting], Solution | None] = lambda _: None) -> list[Verdict]:
    """A verdict on every claim of the ruleset, in order.

    ``known`` gives the solution of a game that a claim names, or of the one as written, where it is at hand.
    """

    @cache
    def solution(of: Setting | None) -> Solution:
        plain = game.ruleset
        setting = of or Setting(plain.seats[2], next(iter(plain.payoffs)))
        return known(setting) or solve(game if of is None else game_at(plain, of), setting.objective)

    found = []
    for claim in game.ruleset.claims:
        asked = game if claim.of is None else game_at(game.ruleset, claim.of)
        number = ask(asked, claim.ask, partial(solution, claim.of))
        agrees = claim.published.confirmed_by(number)
        assert agrees is not None, "bounds of 2^-200 leave no published number open"
        found.append(Verdict(claim, number, agrees, claim.published.on_edge(number), how(game, claim.ask)))
    return found


def how(game: Game, question: Measure) -> str:
    """How a number was computed, in a sentence."""
    if question.kind == "count" or question.within or question.at is None:
        return "from the transitions of the solved game under its optimal policy"
    phase = game.ruleset.phases[question.at[0]]
    dice = " and ".join(f"{throw.name}" for throw in phase.throws)
    if question.kind == "mean":
        return f"the mean over all equally weighted results of {dice} in {phase.name} that lead to {question.at[1]}"
    return (
        f"all results of {dice} in {phase.name}, counted with their weights"
        if dice
        else f"by the rules of {phase.name}"
    )
