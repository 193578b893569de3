"""The value of a game with secrets, and how to play it, as pages show them."""

from __future__ import annotations

import gzip
from dataclasses import dataclass, field
from functools import cached_property

from oddsmith.base.exact import Grade, Number
from oddsmith.report.answers.answers import slug
from oddsmith.report.english.options import OptionWords
from oddsmith.report.export.plans import plan_certificate
from oddsmith.report.facts.unit import Unit
from oddsmith.report.policy.opponents import Opponent, secret_opponents
from oddsmith.report.policy.plan_table import plan_table
from oddsmith.ruleset import Game
from oddsmith.ruleset.model import Setting
from oddsmith.solve.extensive import Decision, SecretSolution


@dataclass(frozen=True)
class SecretAnswer:
    """A solved game with secrets.

    ``sequences``: the number of sequences of choices that each seat has in the largest subgame. ``proof``: the
    certificate, gzipped. ``plan``: best play as a table that a page plays by; None where that
    would be too large. ``opponents``: those that a table can offer. ``constant``: False for an equilibrium: what the seats get
    does not always add up to the same, or there are more than two.
    """

    setting: Setting
    game: Game
    values: tuple[Number, ...]
    grade: Grade
    decisions: tuple[Decision, ...]
    subgames: int
    sequences: tuple[int, ...]
    proof: bytes = field(repr=False)
    plan: bytes | None = field(repr=False)
    opponents: tuple[Opponent, ...]
    constant: bool

    @staticmethod
    def of(setting: Setting, solution: SecretSolution) -> SecretAnswer:
        """Build the answer from a solution."""
        decisions, proof = tuple(solution.decisions()), gzip.compress(b"".join(plan_certificate(solution)), mtime=0)
        counts = len(solution.subgames), solution.sequences
        found = solution.game, solution.values, solution.grade, decisions, *counts
        plan, others = plan_table(solution, decisions), secret_opponents(solution)
        return SecretAnswer(setting, *found, proof, plan, others, solution.constant)

    @property
    def slug(self) -> str:
        """The name of the answer's files."""
        return slug(self.setting)

    @property
    def unit(self) -> Unit:
        """The unit of the values."""
        return Unit.of(self.game.ruleset.payoffs[self.setting.objective])

    @cached_property
    def say(self) -> OptionWords:
        """A function that words the options in a text for people, with players called by their numbers."""
        return OptionWords(self.game, self.game.ruleset.player_name)
