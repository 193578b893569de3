"""What the pages of a ruleset need to have solved, each game once."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, partial
from typing import Protocol

from oddsmith.base.exact import Number
from oddsmith.base.progress import Progress, silent
from oddsmith.report.answers.answers import Answer
from oddsmith.report.answers.estimated import EstimatedAnswer
from oddsmith.report.answers.secret import SecretAnswer, secret_answer
from oddsmith.report.answers.shipped import NOTHING
from oddsmith.report.answers.solving import solved_answer
from oddsmith.report.english.prose import player_count
from oddsmith.report.facts.claims import Verdict, claim_key, claim_setting, verdicts
from oddsmith.ruleset import bind
from oddsmith.ruleset.model import ANY, Claim, EstimatedGame, Origin, Ruleset, Setting

QUICK = 10_000
"""Games that are played where the ruleset asked for a solution and a game turns out to be too large."""


class AnswerStore(Protocol):
    """Where answers come from, and what keeps them between builds."""

    def known(self, ruleset: Ruleset, setting: Setting) -> Answer | None:
        """The answer that is kept."""

    def keep(self, answer: Answer) -> None:
        """Keep an answer that is complete."""

    def answer(self, ruleset: Ruleset, setting: Setting) -> Answer:
        """The answer that is kept, or a new one."""

    def estimate(self, ruleset: Ruleset, of: EstimatedGame, report: Progress = silent) -> EstimatedAnswer:
        """The estimates that are kept, or new ones."""


@dataclass(frozen=True)
class RulesetAnswers:
    """All that a page needs: the plain game at every number of seats, other objectives, variants, changed parameters; and
    ``estimates`` of games that are too large to be solved. ``secret``: the answer of a game with secrets, which has no others.
    """

    ruleset: Ruleset
    plain: tuple[Answer, ...]
    objectives: tuple[Answer, ...]
    changed: tuple[Answer, ...]
    verdicts: tuple[Verdict, ...]
    estimates: tuple[EstimatedAnswer, ...] = ()
    secret: SecretAnswer | None = None

    @property
    def main(self) -> Answer:
        """The game the page opens with: the usual number of seats, or the first one that could be solved."""
        solved = [answer for answer in self.plain if answer.result]
        return next((answer for answer in solved if answer.main), solved[0] if solved else self.plain[0])

    @property
    def answers(self) -> tuple[Answer, ...]:
        """Every game that was tried."""
        return (*self.plain, *self.objectives, *self.changed)

    @property
    def opening(self) -> EstimatedAnswer | None:
        """The estimated game that the page opens with, where it opens with none that is solved, or none is."""
        wanted = self.ruleset.edition.opens_estimated or self.main.result is None
        return self.estimates[0] if self.estimates and wanted else None

    @property
    def alone(self) -> bool:
        """Whether nobody but one player ever sits at the table."""
        return self.ruleset.seats[1] == 1

    def claimed(self, origin: Origin) -> list[Verdict]:
        """The verdicts on the numbers of an origin, in order."""
        return [each for each in self.verdicts if each.claim.origin == origin]

    def name(self, answer: Answer) -> str:
        """What sets a game apart from the one that the page opens with."""
        setting, home = answer.setting, self.ruleset.edition.home
        words = answer.rules
        if setting.seats != home.seats:
            words.append(player_count(setting.seats))
        if setting.objective != home.objective:
            words.append(f"for {setting.objective.replace('_', ' ')}")
        return ", ".join(words)


def answers_of(
    ruleset: Ruleset, progress: Progress | None = None, whole: bool = False, answers: AnswerStore = NOTHING
) -> RulesetAnswers:
    """Solve what the ruleset's ``publish`` key asks for. ``whole``: also solve what stands under ``full``.

    ``answers``: where answers come from; by default each game is solved.
    """
    report = progress or silent
    if ruleset.has_secrets:
        return _of_secrets(ruleset, report)
    todo = [setting for part in settings(ruleset, whole) for setting in part]
    solved: dict[Setting, Answer] = {}
    for number, setting in enumerate(todo):
        report(f"solving {ruleset.id}", number, len(todo))
        solved[setting] = answers.answer(ruleset, setting)
    report(f"solving {ruleset.id}", len(todo), len(todo))
    estimates = [answers.estimate(ruleset, each, report) for each in _estimated(ruleset, solved)]
    return assembled(ruleset, solved, whole, estimates, checked=True)


def _of_secrets(ruleset: Ruleset, report: Progress) -> RulesetAnswers:
    """The account of a game with secrets: its usual setting, solved by what each seat sees."""
    home = ruleset.edition.home
    plain = solved_answer(ruleset, home)
    secret = secret_answer(ruleset, home, report)
    return RulesetAnswers(ruleset, (plain,), (), (), (), (), secret)


def _estimated(ruleset: Ruleset, solved: Mapping[Setting, Answer]) -> Iterator[EstimatedGame]:
    """The games to be estimated: what was too large to be solved, and then what the ruleset names."""
    named = ruleset.edition.estimated
    known = {each.setting for each in named}
    for setting, answer in solved.items():
        if answer.too_large and setting not in known:
            yield EstimatedGame(setting, ruleset.regular or ANY, games=QUICK)
    yield from named


def assembled(
    ruleset: Ruleset,
    solved: Mapping[Setting, Answer],
    whole: bool = False,
    estimates: Sequence[EstimatedAnswer] = (),
    checked: bool = False,
) -> RulesetAnswers:
    """The account of a ruleset, of those of its games that are solved. ``checked``: with the verdicts on its claims."""
    plain, further, changed = (
        tuple(solved[each] for each in part if each in solved) for part in settings(ruleset, whole)
    )
    told = tuple(verdicts(bind(ruleset), numbers_of(ruleset, solved.get))) if checked else ()
    return RulesetAnswers(ruleset, plain, further, changed, told, tuple(estimates))


def growing_answers(
    ruleset: Ruleset, progress: Progress | None = None, whole: bool = False, memory: AnswerStore = NOTHING
) -> Iterator[RulesetAnswers]:
    """The account of a ruleset as it grows: the main game in brief, then whole, then with one game more each time.

    The last one is what ``answers_of`` gives: only that has verdicts.
    """
    home, reported = ruleset.edition.home, progress or silent
    if ruleset.has_secrets:
        yield _of_secrets(ruleset, reported)
        return
    todo = list(dict.fromkeys([home, *(setting for part in settings(ruleset, whole) for setting in part)]))
    solved: dict[Setting, Answer] = {}
    for number, setting in enumerate(todo):
        report = partial(_report_part, reported, ruleset, setting, number, len(todo))
        report("solving")
        found = memory.known(ruleset, setting)
        if found is None:
            found = solved_answer(ruleset, setting)
            if number == 0 and found.result:
                yield assembled(ruleset, {home: found.brief}, whole)
            found.complete(report)
            memory.keep(found)
        solved[setting] = found
        if number < len(todo) - 1:
            yield assembled(ruleset, solved, whole)
    estimates: list[EstimatedAnswer] = []
    for each in _estimated(ruleset, solved):
        yield assembled(ruleset, solved, whole, estimates)
        estimates.append(memory.estimate(ruleset, each, reported))
    yield assembled(ruleset, solved, whole, estimates, checked=True)


def _report_part(report: Progress, ruleset: Ruleset, setting: Setting, number: int, games: int, what: str) -> None:
    """Say which part of which game is worked out."""
    report(f"{ruleset.id}{setting.options}: {what}", number, games)


def settings(ruleset: Ruleset, whole: bool) -> tuple[list[Setting], list[Setting], list[Setting]]:
    """What is to be solved: the plain game for all seats; for further objectives; with changed rules."""
    return (ruleset.edition.whole if whole else ruleset.edition).settings(ruleset.variants)


def numbers_of(ruleset: Ruleset, answers: Callable[[Setting], Answer | None]) -> Callable[[Claim], Number | None]:
    """The number that a claim should have, where the answer is at hand that has it."""
    known = cache(answers)

    def number(claim: Claim) -> Number | None:
        found = known(claim_setting(ruleset, claim.of))
        return found.claimed.get(claim_key(ruleset, claim)) if found else None

    return number
