"""The value of a game with secrets, and how to play it, as pages show them."""

from __future__ import annotations

import gzip
from dataclasses import dataclass, field
from functools import cached_property

from oddsmith.base.errors import SolveError, TooManyStatesError
from oddsmith.base.exact import Grade, Number
from oddsmith.base.progress import Progress, silent
from oddsmith.report.answers.answers import Answer, slug
from oddsmith.report.english.options import OptionWords
from oddsmith.report.export.plans import plan_certificate
from oddsmith.report.facts.unit import Unit
from oddsmith.report.policy.opponents import Opponent, secret_opponents
from oddsmith.report.policy.plan_table import plan_table
from oddsmith.ruleset import Game, bind
from oddsmith.ruleset.model import Ruleset, Setting
from oddsmith.solve.extensive import Decision, SecretSolution, solve_secrets


@dataclass(frozen=True)
class SecretAnswer:
    """A solved game with secrets.

    ``sequences``: the number of sequences of choices that each seat has in the largest subgame. ``proof``: the
    certificate, gzipped. ``plan``: best play as a table that a page plays by; None where that
    would be too large. ``opponents``: those that a table can offer. ``constant``: False for an equilibrium: what the seats get
    does not always add up to the same, or there are more than two. ``solution``: what all of these come from.
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
    solution: SecretSolution = field(repr=False)

    @staticmethod
    def of(setting: Setting, solution: SecretSolution) -> SecretAnswer:
        """Build the answer from a solution."""
        decisions, proof = tuple(solution.decisions()), gzip.compress(b"".join(plan_certificate(solution)), mtime=0)
        counts = len(solution.subgames), solution.sequences
        found = solution.game, solution.values, solution.grade, decisions, *counts
        plan, others = plan_table(solution, decisions), secret_opponents(solution)
        return SecretAnswer(setting, *found, proof, plan, others, solution.constant, solution)

    @property
    def slug(self) -> str:
        """The name of the answer's files."""
        return slug(self.setting)

    @property
    def rules(self) -> list[str]:
        """The differences from the rules as written, in words."""
        return self.game.ruleset.differences(self.setting)

    @property
    def unit(self) -> Unit:
        """The unit of the values."""
        return Unit.of(self.game.ruleset.payoffs[self.setting.objective])

    @cached_property
    def say(self) -> OptionWords:
        """A function that words the options in a text for people, with players called by their numbers."""
        return OptionWords(self.game, self.game.ruleset.player_name)


def solved_secrets(ruleset: Ruleset, setting: Setting, progress: Progress = silent) -> SecretAnswer | Answer:
    """Return the solution of a game with secrets, or an answer that says why it cannot be solved.

    Raises PlayError where a rule breaks, or a seat would choose by what it has not seen.
    """
    game = bind(ruleset, setting)
    try:
        return SecretAnswer.of(setting, solve_secrets(game, setting.objective, None, progress))
    except (SolveError, TooManyStatesError) as error:
        return Answer(setting, game, None, str(error), setting == ruleset.edition.home, too_large=True)
