"""The value of a game with secrets, and how to play it, as pages show them."""

from __future__ import annotations

import gzip
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property

from oddsmith.base.errors import SolveError, TooManyStatesError
from oddsmith.base.exact import Grade, Number
from oddsmith.base.progress import Progress, ignore_progress
from oddsmith.report.answers.answers import Answer, setting_slug
from oddsmith.report.answers.objective import WithObjective
from oddsmith.report.english.options import OptionWords
from oddsmith.report.export.plans import plan_certificate
from oddsmith.report.facts.claims import secret_claim_numbers
from oddsmith.report.policy.opponents import Opponent, secret_opponents
from oddsmith.report.policy.plan_table import plan_table
from oddsmith.ruleset import Game, bind
from oddsmith.ruleset.model import Ruleset, Setting
from oddsmith.solve.extensive import Decision, SecretSolution, solve_secrets


@dataclass(frozen=True)
class SecretAnswer(WithObjective):
    """The answer to a game with secrets, without its solution.

    ``values``: the value of each seat. ``grade``: whether they are exact or proven. ``is_constant_sum``: whether the
    game has a value, because there are at most two seats whose payoffs always have the same sum; if not, the solution
    is an equilibrium. ``proof``: the certificate, gzipped. ``plan``: the table of best play by which a page plays; None
    if it would be too large. ``opponents``: the opponents that a page of play can offer. ``claim_numbers``: the numbers
    that the claims about the setting should have stated, by the key of the claim.
    """

    setting: Setting
    game: Game = field(repr=False)
    values: tuple[Number, ...]
    grade: Grade
    is_constant_sum: bool
    decisions: tuple[Decision, ...] = field(repr=False)
    proof: bytes = field(repr=False)
    plan: bytes | None = field(repr=False)
    opponents: tuple[Opponent, ...] = field(repr=False)
    claim_numbers: Mapping[str, Number] = field(default_factory=dict, repr=False)

    @staticmethod
    def of(setting: Setting, solution: SecretSolution) -> SecretAnswer:
        """Build the answer from a solution, without the numbers of claims."""
        decisions, proof = tuple(solution.decisions()), gzip.compress(b"".join(plan_certificate(solution)), mtime=0)
        return SecretAnswer(
            setting, solution.game, solution.values, solution.grade, solution.has_constant_sum, decisions, proof,
            plan_table(solution, decisions), secret_opponents(solution),
        )  # fmt: skip

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
        solution = solve_secrets(game, setting.objective, None, progress)
        return replace(SecretAnswer.of(setting, solution), claim_numbers=secret_claim_numbers(solution, setting))
    except (SolveError, TooManyStatesError) as error:
        return unsolved_secret_answer(game, setting, str(error), isinstance(error, SolveError))


def unsolved_secret_answer(game: Game, setting: Setting, reason: str, unsolvable: bool) -> Answer:
    """Return an answer that says why a game with secrets is not solved. ``unsolvable``: whether no game of this kind can
    be solved, whatever its size.
    """
    is_main = setting == game.ruleset.edition.main_setting
    return Answer(setting, game, None, reason, is_main, too_large=True, unsolvable=unsolvable)
