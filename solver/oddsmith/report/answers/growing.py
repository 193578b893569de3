"""The answers of a ruleset while its games are being solved: first numbers soon, then better ones.

A game that takes more than moments to solve is simulated first. Its numbers are estimated from a few plays, then from
more, until the game is solved or turns out to be too large to be solved.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from math import inf
from time import monotonic

from oddsmith.base.errors import InputError, Signal
from oddsmith.base.limits import limits
from oddsmith.base.progress import MINUTE, Progress, duration_text, ignore_progress
from oddsmith.graph import Explorer
from oddsmith.report.answers.accounts import (
    AnswerStore,
    RulesetAnswers,
    assemble_answers,
    estimated_games,
    estimated_if_possible,
    game_to_estimate,
    settings_to_solve,
)
from oddsmith.report.answers.answers import Answer
from oddsmith.report.answers.estimated import EstimatedAnswer, estimated_answer
from oddsmith.report.answers.secret import SecretAnswer, solved_secret_answer
from oddsmith.report.answers.shipped import NOTHING
from oddsmith.report.answers.solving import solved_answer
from oddsmith.ruleset import bind
from oddsmith.ruleset.model import EstimatedGame, Ruleset, Setting

GAMES_PER_STEP = 50, 200, 1_000, 10_000, 100_000
"""The numbers of games to play, up to the number asked for. A page says how many were played, so anybody can repeat
them.
"""
SECONDS_BEFORE_FIRST_ANSWER = 3.0  # seconds that solving, or the next step, may take before something is shown
MAX_POSITIONS_SAMPLED = 50_000  # positions that are looked at before that
TIME_LIMIT = 10.0  # seconds that a step may take, by a guess, while nobody knows yet whether the game can be solved
MAX_OPENING_SECONDS = 60.0  # seconds that a step may take of what the page opens with, whatever is solved later
PENDING = "it is still being solved"


class NotSolvedSoon(Signal):
    """Raised if solving a game takes more than moments."""


def growing_answers(
    ruleset: Ruleset, progress: Progress | None = None, include_full: bool = False, store: AnswerStore = NOTHING
) -> Iterator[RulesetAnswers]:
    """Yield the answers of a ruleset as they grow.

    The first results have the main game only: first in brief, then in full. Each later result has one more game, or
    better estimates. The last result is that of ``answers_of``, and only it has verdicts. ``store``: the store of
    answers.
    """
    yield from _GrowingAnswers(ruleset, progress or ignore_progress, include_full, store).answers_after_each_step()


class GrowingEstimate:
    """Estimates of one game from more and more plays.

    Each estimate starts again from the first play, so it depends only on the number of plays. ``left``: the numbers of
    plays for the estimates to come. ``seconds``: the expected time of the next estimate.
    """

    def __init__(self, ruleset: Ruleset, estimated_game: EstimatedGame, store: AnswerStore = NOTHING) -> None:
        self.ruleset, self.of, self.memory = ruleset, estimated_game, store
        kept = store.known_estimate(ruleset, estimated_game) is not None
        self.left = [
            *(() if kept else (games for games in GAMES_PER_STEP if games < estimated_game.game_count)),
            estimated_game.game_count,
        ]
        self.seconds = 0.0

    def next_estimate(self, progress: Progress = ignore_progress) -> EstimatedAnswer | None:
        """Return the estimates from the next number of plays; None if the game cannot be played to its end."""
        games, begun = self.left.pop(0), monotonic()
        few = replace(self.of, game_count=games)
        play = partial(
            self.memory.estimate_or_simulate if games == self.of.game_count else estimated_answer, self.ruleset, few
        )
        hear = partial(_report_games_played, progress, self.seconds)
        found = estimated_if_possible(self.ruleset, self.of, partial(play, hear))
        if found is None:
            self.left = []
        if self.left:
            self.seconds = (monotonic() - begun) * self.left[0] / games
        return found


def _with_time_limit(progress: Progress) -> Progress:
    """Return a progress callback that passes progress on for a few moments, and then raises NotSolvedSoon."""
    until = monotonic() + SECONDS_BEFORE_FIRST_ANSWER

    def report(what: str, done: int, total: int) -> None:
        if monotonic() > until:
            raise NotSolvedSoon
        progress(what, done, total)

    return report


def answer_if_quick(ruleset: Ruleset, setting: Setting, progress: Progress = ignore_progress) -> Answer | None:
    """Return the answer for a setting, solved or with the reason why it cannot be solved. Return None if solving takes
    more than moments.
    """
    patient = _with_time_limit(progress)
    try:
        explorer = Explorer(bind(ruleset, setting), setting.objective)
        most = explorer.estimate.upper_bound
        if most > limits().states or (
            most > MAX_POSITIONS_SAMPLED and not explorer.explore(patient, MAX_POSITIONS_SAMPLED)[1]
        ):
            return None
        return solved_answer(ruleset, setting, progress=patient)
    except (NotSolvedSoon, InputError):  # a rule that breaks is told by solving
        return None


@dataclass
class _GrowingAnswers:
    """The answers of a ruleset so far.

    ``solved``: the answers by setting. ``estimates``: the estimates by game. ``growing_estimates``: the games that are
    being estimated.
    """

    ruleset: Ruleset
    progress: Progress
    include_full: bool
    store: AnswerStore
    solved: dict[Setting, Answer] = field(default_factory=dict)
    estimates: dict[EstimatedGame, EstimatedAnswer] = field(default_factory=dict)
    growing_estimates: dict[EstimatedGame, GrowingEstimate] = field(default_factory=dict)
    secrets: list[SecretAnswer] = field(default_factory=list)

    @property
    def main_setting(self) -> Setting:
        """The setting of the main game."""
        return self.ruleset.edition.main_setting

    def answers_after_each_step(self) -> Iterator[RulesetAnswers]:
        """Yield the answers after each step.

        A game that is too large to be solved is estimated in full before the next game is solved.
        """
        edition, parts = self.ruleset.edition, settings_to_solve(self.ruleset, self.include_full)
        todo = list(dict.fromkeys([self.main_setting, *(setting for part in parts for setting in part)]))
        if edition.opens_with_estimated_game:
            yield from self.improve_estimates(edition.estimated_games[0], MAX_OPENING_SECONDS)
        for number, setting in enumerate(todo):
            part = partial(_report_part, self.progress, self.ruleset, setting, number, len(todo))
            part("solving")
            if self.ruleset.has_secrets:
                yield from self.solve_secrets(setting)
            else:
                yield from self.solve(setting, part)
            if setting in self.solved and self.solved[setting].too_large:
                yield from self.improve_estimates(game_to_estimate(self.ruleset, setting), inf)
            if number < len(todo) - 1:
                yield self.answers_so_far(self.solved)
        for each in edition.estimated_games:
            yield from self.improve_estimates(each, inf)
        yield self.answers_so_far(self.solved, with_verdicts=True)

    def solve(self, setting: Setting, report_part: Callable[[str], None]) -> Iterator[RulesetAnswers]:
        """Solve a game, and yield the answers after each step. ``report_part``: reports what is computed."""
        found = self.store.known_answer(self.ruleset, setting)
        if found is None:
            found = answer_if_quick(self.ruleset, setting, self.progress)
            if found is None:
                yield from self.improve_estimates(game_to_estimate(self.ruleset, setting), TIME_LIMIT)
                found = solved_answer(self.ruleset, setting, progress=self.progress)
            if setting == self.main_setting and found.result:
                yield self.answers_so_far(self.solved | {setting: found.brief_answer})
            found.compute_all_parts(report_part)
            self.store.keep(found)
        self.solved[setting] = found

    def solve_secrets(self, setting: Setting) -> Iterator[RulesetAnswers]:
        """Solve a game with secrets, and yield the answers after each step."""
        found = self.store.known_secret_answer(self.ruleset, setting)
        if found is None:
            try:
                found = solved_secret_answer(self.ruleset, setting, _with_time_limit(self.progress))
            except NotSolvedSoon:
                yield from self.improve_estimates(game_to_estimate(self.ruleset, setting), TIME_LIMIT)
                found = solved_secret_answer(self.ruleset, setting, self.progress)
            self.store.keep(found)
        if isinstance(found, SecretAnswer):
            self.secrets.append(found)
        else:
            self.solved[setting] = found

    def improve_estimates(self, estimated_game: EstimatedGame, time_limit: float) -> Iterator[RulesetAnswers]:
        """Estimate a game from more and more plays, and yield the answers of the ruleset after each step. Stop before a
        step that is expected to take more than ``time_limit`` seconds.
        """
        playing = self.growing_estimates.setdefault(
            estimated_game, GrowingEstimate(self.ruleset, estimated_game, self.store)
        )
        while playing.left and playing.seconds <= time_limit:
            found = playing.next_estimate(self.progress)
            if found is None:
                return
            self.estimates[estimated_game] = found
            if not playing.left or playing.seconds > SECONDS_BEFORE_FIRST_ANSWER:
                yield self.answers_so_far(self.solved)

    def answers_so_far(self, solved: Mapping[Setting, Answer], with_verdicts: bool = False) -> RulesetAnswers:
        """Return the answers so far. ``solved``: the answers of solved games by setting. ``with_verdicts``: whether to
        add the verdicts on claims.

        If the main game is not in ``solved``, an answer that says so takes its place.
        """
        pending = Answer(self.main_setting, bind(self.ruleset, self.main_setting), None, PENDING, main=True)
        named = self.ruleset.edition.estimated_games
        done = {setting for setting, answer in solved.items() if not answer.too_large}
        done |= {each.setting for each in self.secrets}
        open_ones = [of.setting for of in self.estimates if of.setting not in done]
        estimates = [
            replace(
                self.estimates[of],
                growing=bool(self.growing_estimates[of].left) or (of not in named and of.setting not in solved),
            )
            for of in estimated_games(self.ruleset, open_ones)
            if of in self.estimates
        ]
        known = {self.main_setting: pending, **solved}
        return assemble_answers(self.ruleset, known, self.include_full, estimates, self.secrets, with_verdicts)


def _report_games_played(progress: Progress, seconds: float, activity: str, done: int, total: int) -> None:
    """Report how many games have been played, and the expected time if it is long."""
    progress(f"{activity}, {duration_text(seconds)}" if seconds > MINUTE else activity, done, total)


def _report_part(
    progress: Progress, ruleset: Ruleset, setting: Setting, game_index: int, game_count: int, part_name: str
) -> None:
    """Report which part of which game is being computed."""
    progress(f"{ruleset.id}{setting.options_text}: {part_name}", game_index, game_count)
