"""What the pages of a ruleset need to have solved, each game once."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, partial
from typing import Protocol

from oddsmith.base.exact import Number
from oddsmith.base.progress import Progress, silent
from oddsmith.report.answers.answers import Answer
from oddsmith.report.answers.solving import solved_answer
from oddsmith.report.english.prose import player_count
from oddsmith.report.facts.claims import Verdict, claim_key, claim_setting, verdicts
from oddsmith.ruleset import bind
from oddsmith.ruleset.model import Claim, Origin, Ruleset, Setting

Answers = Callable[[Ruleset, Setting], Answer]


@dataclass(frozen=True)
class RulesetAnswers:
    """All that a page needs: the plain game at every number of seats, other objectives, variants, changed parameters."""

    ruleset: Ruleset
    plain: tuple[Answer, ...]
    objectives: tuple[Answer, ...]
    changed: tuple[Answer, ...]
    verdicts: tuple[Verdict, ...]

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
    ruleset: Ruleset, progress: Progress | None = None, whole: bool = False, answers: Answers = solved_answer
) -> RulesetAnswers:
    """Solve what the ruleset's ``publish`` key asks for. ``whole``: also solve what stands under ``full``.

    ``answers``: where answers come from; by default each game is solved.
    """
    parts, report = settings(ruleset, whole), progress or silent
    todo = [setting for part in parts for setting in part]
    solved: dict[Setting, Answer] = {}
    for number, setting in enumerate(todo):
        report(f"solving {ruleset.id}", number, len(todo))
        solved[setting] = answers(ruleset, setting)
    report(f"solving {ruleset.id}", len(todo), len(todo))
    plain, objectives, changed = (tuple(solved[setting] for setting in part) for part in parts)
    return RulesetAnswers(ruleset, plain, objectives, changed, _verdicts(ruleset, solved))


class AnswerStore(Protocol):
    """What keeps answers between builds."""

    def known(self, ruleset: Ruleset, setting: Setting) -> Answer | None:
        """The answer that is kept."""

    def keep(self, answer: Answer) -> None:
        """Keep an answer that is complete."""


def growing_answers(
    ruleset: Ruleset, progress: Progress | None = None, whole: bool = False, memory: AnswerStore | None = None
) -> Iterator[RulesetAnswers]:
    """The account of a ruleset as it grows: the main game in brief, then whole, then with one game more each time.

    The last one is what ``answers_of`` gives: only that has verdicts.
    """
    parts = settings(ruleset, whole)
    home = ruleset.edition.home
    todo = list(dict.fromkeys([home, *(setting for part in parts for setting in part)]))
    solved: dict[Setting, Answer] = {}

    def so_far(also: Mapping[Setting, Answer], last: bool = False) -> RulesetAnswers:
        plain, objectives, changed = (tuple(also[each] for each in part if each in also) for part in parts)
        return RulesetAnswers(ruleset, plain, objectives, changed, _verdicts(ruleset, solved) if last else ())

    for number, setting in enumerate(todo):
        report = partial(_report_part, progress or silent, ruleset, setting, number, len(todo))
        report("solving")
        found = memory.known(ruleset, setting) if memory else None
        if found is None:
            found = solved_answer(ruleset, setting)
            if number == 0 and found.result:
                yield so_far({home: found.brief})
            found.complete(report)
            if memory:
                memory.keep(found)
        solved[setting] = found
        if number < len(todo) - 1:
            yield so_far(solved)
    yield so_far(solved, last=True)


def _report_part(report: Progress, ruleset: Ruleset, setting: Setting, number: int, games: int, what: str) -> None:
    """Say which part of which game is worked out."""
    report(f"{ruleset.id}{setting.options}: {what}", number, games)


def settings(ruleset: Ruleset, whole: bool) -> tuple[list[Setting], list[Setting], list[Setting]]:
    """What is to be solved: the plain game for all seats; for further objectives; with changed rules."""
    return (ruleset.edition.whole if whole else ruleset.edition).settings(ruleset.variants)


def _verdicts(ruleset: Ruleset, found: dict[Setting, Answer]) -> tuple[Verdict, ...]:
    return tuple(verdicts(bind(ruleset), numbers_of(ruleset, found.get)))


def numbers_of(ruleset: Ruleset, answers: Callable[[Setting], Answer | None]) -> Callable[[Claim], Number | None]:
    """The number that a claim should have, where the answer is at hand that has it."""
    known = cache(answers)

    def number(claim: Claim) -> Number | None:
        found = known(claim_setting(ruleset, claim.of))
        return found.claimed.get(claim_key(ruleset, claim)) if found else None

    return number
