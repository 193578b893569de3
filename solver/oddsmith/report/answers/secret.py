"""The value of a game with secrets, and how to play it, as pages show them."""

from __future__ import annotations

import gzip
from dataclasses import dataclass, field
from functools import cached_property

from oddsmith.base.errors import SolveError, TooManyStatesError
from oddsmith.base.exact import Grade, Number
from oddsmith.base.progress import Progress, ignore_progress
from oddsmith.report.answers.answers import Answer, setting_slug
from oddsmith.report.answers.objective import WithObjective
from oddsmith.report.english.options import OptionWords
from oddsmith.report.export.plans import plan_certificate
from oddsmith.report.policy.opponents import Opponent, secret_opponents
from oddsmith.report.policy.plan_table import plan_table
from oddsmith.ruleset import Game, bind
from oddsmith.ruleset.model import Ruleset, Setting
from oddsmith.solve.extensive import Decision, SecretSolution, solve_secrets


@dataclass(frozen=True)
class SecretAnswer(WithObjective):
    """A solved game with secrets.

    ``proof``: the certificate, gzipped. ``plan``: the table of best play by which a page plays; None if it would be too
    large. ``opponents``: the opponents that a page of play can offer.
    """

    setting: Setting
    solution: SecretSolution = field(repr=False)
    decisions: tuple[Decision, ...]
    proof: bytes = field(repr=False)
    plan: bytes | None = field(repr=False)
    opponents: tuple[Opponent, ...]

    @staticmethod
    def of(setting: Setting, solution: SecretSolution) -> SecretAnswer:
        """Build the answer from a solution."""
        decisions, proof = tuple(solution.decisions()), gzip.compress(b"".join(plan_certificate(solution)), mtime=0)
        plan, others = plan_table(solution, decisions), secret_opponents(solution)
        return SecretAnswer(setting, solution, decisions, proof, plan, others)

    @property
    def game(self) -> Game:
        """The game at the setting."""
        return self.solution.game

    @property
    def values(self) -> tuple[Number, ...]:
        """The value of each seat."""
        return self.solution.values

    @property
    def grade(self) -> Grade:
        """Whether the values are exact or proven."""
        return self.solution.grade

    @property
    def is_constant_sum(self) -> bool:
        """Whether the game has a value: there are at most two seats, and their payoffs always have the same sum. If
        not, the solution is an equilibrium.
        """
        return self.solution.has_constant_sum

    @property
    def slug(self) -> str:
        """The name of the answer's files."""
        return setting_slug(self.setting)

    @cached_property
    def option_words(self) -> OptionWords:
        """A function that words the options in a text for people, with players called by their numbers."""
        return OptionWords(self.game, self.game.ruleset.player_name)


def solved_secret_answer(
    ruleset: Ruleset, setting: Setting, progress: Progress = ignore_progress
) -> SecretAnswer | Answer:
    """Return the solution of a game with secrets, or an answer that says why it cannot be solved.

    Raises PlayError where a rule breaks, or a seat would choose by what it has not seen.
    """
    game = bind(ruleset, setting)
    try:
        return SecretAnswer.of(setting, solve_secrets(game, setting.objective, None, progress))
    except (SolveError, TooManyStatesError) as error:
        is_main, unsolvable = setting == ruleset.edition.main_setting, isinstance(error, SolveError)
        return Answer(setting, game, None, str(error), is_main, too_large=True, unsolvable=unsolvable)
