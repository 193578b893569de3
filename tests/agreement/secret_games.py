"""Games with secrets and choices at once, for two. Other programs are asked about their trees, and about games of their own."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import oddsmith
from oddsmith.base.exact import Number
from oddsmith.report.export import game_tree_efg
from oddsmith.solve.extensive import SecretSolution
from tests.agreement.questions import Question
from tests.agreement.trees import levelled
from tests.cases import RULESETS, TESTS

GAMES = TESTS / "secrets" / "games"


@dataclass(frozen=True)
class SecretGame:
    """A game at a setting. ``name``: of a shipped ruleset, or of one that the tests of published values have."""

    name: str
    parameters: Mapping[str, Any] = field(default_factory=dict)

    @cached_property
    def solution(self) -> SecretSolution:
        """The game, solved."""
        folder = RULESETS if (RULESETS / f"{self.name}.yaml").exists() else GAMES
        return oddsmith.load(folder / f"{self.name}.yaml").at(**self.parameters).solve_secrets()

    @property
    def title(self) -> str:
        """The game for a table."""
        return ", ".join([self.name, *(f"`{name}={value}`" for name, value in self.parameters.items())])

    def lead(self) -> Number:
        """What the first seat gets beyond half of what both get."""
        first, second = self.solution.values
        return (first - second) / 2

    def tree(self) -> str:
        """The tree that `oddsmith export` writes, with payoffs beyond an equal share."""
        return levelled(game_tree_efg(self.solution.game, self.solution.objective).decode())


SECRETS = [
    SecretGame("kuhn-poker"),
    SecretGame("kuhn-poker", {"top": 4}),
    SecretGame("leduc-poker"),
    SecretGame("stripped-down-poker"),
    SecretGame("basic-endgame"),
    SecretGame("cups-and-coins"),
    SecretGame("two-lanterns"),
    SecretGame("liars-dice", {"sides": 2}),
    SecretGame("liars-dice", {"sides": 3}),
    SecretGame("liars-dice", {"sides": 3, "wild": True}),
    SecretGame("liars-dice", {"sides": 4}),
    SecretGame("le-her"),
    SecretGame("chemin-de-fer"),
    SecretGame("guess-the-ace"),
    SecretGame("rock-paper-scissors"),
    SecretGame("odd-or-even"),
    SecretGame("finger-match"),
    SecretGame("morra", {"most": 2}),
    SecretGame("morra", {"most": 3}),
    SecretGame("blotto"),
    SecretGame("goofspiel", {"top": 3}),
]

OWN_SECRETS = [
    Question("Kuhn Poker: what the first gets", "kuhn_poker", SecretGame("kuhn-poker").lead),
    Question("Leduc Poker: what the first gets", "leduc_poker", SecretGame("leduc-poker").lead),
    *(
        Question(
            f"Dudo with a die of {sides} sides each: what the first gets",
            f"liars_dice(numdice=1,dice_sides={sides})",
            SecretGame("one-die-dudo", {"sides": sides}).lead,
        )
        for sides in (2, 3, 4)
    ),
    Question(
        "Biased rock, paper, scissors: what the first gets",
        "turn_based_simultaneous_game(game=matrix_brps())",
        SecretGame("rock-paper-scissors").lead,
    ),
]
