"""The answers that the pages of a ruleset need. Each game is solved once."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cache, partial
from typing import Protocol

from oddsmith.base.errors import InputError
from oddsmith.base.exact import Number
from oddsmith.base.limits import limited
from oddsmith.base.progress import Progress, ignore_progress
from oddsmith.report.answers.answers import Answer
from oddsmith.report.answers.estimated import EstimatedAnswer
from oddsmith.report.answers.secret import SecretAnswer
from oddsmith.report.answers.shipped import NOTHING
from oddsmith.report.english.prose import player_count_words
from oddsmith.report.facts.claims import Verdict, claim_key, claim_setting, judge_claims
from oddsmith.ruleset import bind
from oddsmith.ruleset.model import ANY, Claim, EstimatedGame, Origin, Ruleset, Setting

GAMES_OF_QUICK_ESTIMATE = 10_000
"""The number of plays for the estimates of a game that turns out to be too large to be solved as the ruleset asks."""
MAX_MOVES = 100_000
"""The number of moves after which a play of such a game counts as endless."""


class AnswerStore(Protocol):
    """A source of answers that also keeps new ones between builds."""

    def known_answer(self, ruleset: Ruleset, setting: Setting) -> Answer | None:
        """Return the kept answer; None if there is none."""

    def known_secret_answer(self, ruleset: Ruleset, setting: Setting) -> SecretAnswer | Answer | None:
        """Return the kept answer to a game with secrets, or the one that says why it cannot be solved; None if there is
        none.
        """

    def keep(self, answer: Answer | SecretAnswer) -> None:
        """Keep an answer that is complete."""

    def answer_or_solve(self, ruleset: Ruleset, setting: Setting) -> Answer:
        """Return the kept answer. If there is none, solve the game."""

    def secret_answer_or_solve(
        self, ruleset: Ruleset, setting: Setting, progress: Progress = ignore_progress
    ) -> SecretAnswer | Answer:
        """Return what ``known_secret_answer`` returns. If there is no kept answer, solve the game."""

    def known_estimate(self, ruleset: Ruleset, estimated_game: EstimatedGame) -> EstimatedAnswer | None:
        """Return the kept estimates; None if there are none."""

    def estimate_or_simulate(
        self, ruleset: Ruleset, estimated_game: EstimatedGame, progress: Progress = ignore_progress
    ) -> EstimatedAnswer:
        """Return the kept estimates. If there are none, simulate the game. ``estimated_game``: the game to estimate."""


@dataclass(frozen=True)
class RulesetAnswers:
    """All answers that the page of a ruleset needs.

    ``plain``: the answers for the rules as written, at every number of seats. ``objectives``: the answers for other
    objectives. ``changed``: the answers for changed rules. ``verdicts``: the verdicts on the claims of the ruleset.
    ``estimates``: the estimates of games that are too large to be solved. ``secrets``: the solutions of a game with
    secrets, the main game first. In such a game, the fields ``plain``, ``objectives`` and ``changed`` have only answers
    that say why a setting cannot be solved.
    """

    ruleset: Ruleset
    plain: tuple[Answer, ...]
    objectives: tuple[Answer, ...]
    changed: tuple[Answer, ...]
    verdicts: tuple[Verdict, ...]
    estimates: tuple[EstimatedAnswer, ...] = ()
    secrets: tuple[SecretAnswer, ...] = ()

    @property
    def main_secret_answer(self) -> SecretAnswer | None:
        """The solution of a game with secrets that the page opens with; None for other games, and if the main game
        cannot be solved.
        """
        return next((each for each in self.secrets if each.setting == self.ruleset.edition.main_setting), None)

    @property
    def main(self) -> Answer:
        """The answer that the page opens with: the one of the main game if that is solved, else the first solved one,
        else the first of all.
        """
        solved = [answer for answer in self.plain if answer.result]
        return next((answer for answer in solved if answer.main), solved[0] if solved else self.plain[0])

    @property
    def answers(self) -> tuple[Answer, ...]:
        """The answers of all games, solved or not."""
        return (*self.plain, *self.objectives, *self.changed)

    @property
    def opening_estimate(self) -> EstimatedAnswer | None:
        """The estimated game that the page opens with; None if it opens with a solved game, or if none is estimated."""
        edition = self.ruleset.edition
        if edition.opens_with_estimated_game:
            return next(iter(self.estimates), None)
        if self.main_secret_answer or self.main.result:
            return None
        return min(self.estimates, key=lambda each: each.setting != edition.main_setting, default=None)

    @property
    def has_growing_estimates(self) -> bool:
        """Whether some numbers are estimates that will become better with more games."""
        return any(each.growing for each in self.estimates)

    @property
    def is_single_player(self) -> bool:
        """Whether the game is only for a single player."""
        return self.ruleset.seats[1] == 1

    def verdicts_from(self, origin: Origin) -> list[Verdict]:
        """Return the verdicts on the numbers that come from ``origin``, in order."""
        return [each for each in self.verdicts if each.claim.origin == origin]

    def difference_words(self, answer: Answer | EstimatedAnswer | SecretAnswer) -> str:
        """Describe how the game of an answer differs from the game that the page opens with; empty if it does not
        differ.
        """
        setting, home = answer.setting, self.ruleset.edition.main_setting
        words = self.ruleset.differences_in_words(setting)
        if setting.seats != home.seats:
            words.append(player_count_words(setting.seats))
        if setting.objective != home.objective:
            words.append(f"for “{setting.objective.replace('_', ' ')}”")
        return ", ".join(words)


def answers_of(
    ruleset: Ruleset, progress: Progress | None = None, include_full: bool = False, store: AnswerStore = NOTHING
) -> RulesetAnswers:
    """Return the answers to the games that the ruleset's ``publish`` key names.

    ``include_full``: whether to solve the games under ``full`` too. ``store``: the source of answers; by default each
    game is solved.
    """
    report = progress or ignore_progress
    todo = [setting for part in settings_to_solve(ruleset, include_full) for setting in part]
    solved: dict[Setting, Answer] = {}
    secrets: list[SecretAnswer] = []
    for number, setting in enumerate(todo):
        report(f"solving {ruleset.id}", number, len(todo))
        found = (
            store.secret_answer_or_solve(ruleset, setting, report)
            if ruleset.has_secrets
            else store.answer_or_solve(ruleset, setting)
        )
        if isinstance(found, SecretAnswer):
            secrets.append(found)
        else:
            solved[setting] = found
    report(f"solving {ruleset.id}", len(todo), len(todo))
    unsolvable = {setting: answer.failure for setting, answer in solved.items() if answer.unsolvable}
    estimates = [
        replace(estimate, unsolvable=unsolvable.get(each.setting, ""))
        for each in estimated_games(ruleset, [setting for setting, answer in solved.items() if answer.too_large])
        if (
            estimate := estimated_if_possible(ruleset, each, partial(store.estimate_or_simulate, ruleset, each, report))
        )
    ]
    return assemble_answers(ruleset, solved, include_full, estimates, secrets, with_verdicts=True)


def estimated_games(ruleset: Ruleset, too_large: Collection[Setting]) -> list[EstimatedGame]:
    """Return the games to be estimated: those that the ruleset names, and those that are too large to be solved.

    ``too_large``: the settings that are too large. The games that the ruleset names come first if the page opens with
    one of them; otherwise they come last.
    """
    edition = ruleset.edition
    named = {each.setting for each in edition.estimated_games}
    unnamed = [game_to_estimate(ruleset, setting) for setting in too_large if setting not in named]
    return (
        [*edition.estimated_games, *unnamed]
        if edition.opens_with_estimated_game
        else [*unnamed, *edition.estimated_games]
    )


def game_to_estimate(ruleset: Ruleset, setting: Setting) -> EstimatedGame:
    """Return the game that is simulated to estimate a setting. All seats play as the ruleset says for this setting. If
    it says nothing, they play by its regular policy. Without one, they take any legal action.
    """
    named = (each for each in ruleset.edition.estimated_games if each.setting == setting)
    return next(named, EstimatedGame(setting, ruleset.regular_policy or ANY, game_count=GAMES_OF_QUICK_ESTIMATE))


def estimated_if_possible(
    ruleset: Ruleset, estimated_game: EstimatedGame, compute_estimates: Callable[[], EstimatedAnswer]
) -> EstimatedAnswer | None:
    """Return the estimates of a game. ``compute_estimates``: the function that computes them.

    Return None if that fails because the game cannot be played to its end. If the ruleset itself asks for the
    estimates, the error is raised instead.
    """
    if estimated_game in ruleset.edition.estimated_games:
        return compute_estimates()
    with limited(moves=MAX_MOVES), suppress(InputError):
        return compute_estimates()
    return None


def assemble_answers(
    ruleset: Ruleset,
    solved: Mapping[Setting, Answer],
    include_full: bool = False,
    estimates: Sequence[EstimatedAnswer] = (),
    secret_answers: Sequence[SecretAnswer] = (),
    with_verdicts: bool = False,
) -> RulesetAnswers:
    """Return the answers of a ruleset, assembled from its solved games. ``with_verdicts``: whether to add the verdicts
    on its claims.
    """
    home, known = ruleset.edition.main_setting, dict(solved)
    secret_answers = sorted(secret_answers, key=lambda each: each.setting != home)
    if secret_answers and secret_answers[0].setting == home:
        known[home] = Answer(home, bind(ruleset, home), None, "its secrets are solved apart", main=True)
    plain, further, changed = (
        tuple(known[each] for each in part if each in known) for part in settings_to_solve(ruleset, include_full)
    )
    told: list[Verdict] = []
    if with_verdicts:
        numbered: dict[Setting, Answer | SecretAnswer] = {**solved, **{each.setting: each for each in secret_answers}}
        told = judge_claims(bind(ruleset), claim_number_lookup(ruleset, numbered.get))
    return RulesetAnswers(ruleset, plain, further, changed, tuple(told), tuple(estimates), tuple(secret_answers))


def settings_to_solve(ruleset: Ruleset, include_full: bool) -> tuple[list[Setting], list[Setting], list[Setting]]:
    """Return three lists of settings to solve: the rules as written at every number of seats, other objectives, and
    changed rules.
    """
    return (ruleset.edition.with_larger_edition if include_full else ruleset.edition).settings_by_kind_of_change(
        ruleset.variants
    )


def claim_number_lookup(
    ruleset: Ruleset, find_answer: Callable[[Setting], Answer | SecretAnswer | None]
) -> Callable[[Claim], Number | None]:
    """Return a function that returns the computed number for a claim; the function returns None if there is no answer
    with that number.

    ``find_answer``: returns the answer for a setting, or None.
    """
    known = cache(find_answer)

    def number_of_claim(claim: Claim) -> Number | None:
        found = known(claim_setting(ruleset, claim.setting))
        return found.claim_numbers.get(claim_key(ruleset, claim)) if found else None

    return number_of_claim
