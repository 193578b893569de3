"""What changes with the number of a one-number rule: its worth, and the answers to the ruleset's own questions."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

from oddsmith.errors import MeasureError
from oddsmith.exact import Number
from oddsmith.report.strategy.prescription import prescriber
from oddsmith.report.strategy.rules_of_thumb import NumberRule
from oddsmith.report.strategy.thresholds import SolvedStrategy
from oddsmith.solve import Solution
from oddsmith.solve.arenas import NeverEnds
from oddsmith.solve.questions import Follower, ask

WORK = 150_000  # positions, times numbers, up to which questions are asked for every number
MOST = 8  # numbers
COLUMNS = 4  # questions


@dataclass(frozen=True)
class ByNumber:
    """``numbers`` ascending; for each ``worth``, what it brings seat 1 while the others keep to the solution.

    ``answers``: by question, for each number, the answer when everybody plays by it; only questions whose answer changes.
    """

    rule: NumberRule
    numbers: tuple[int, ...]
    worth: tuple[Number, ...]
    answers: dict[str, tuple[Number, ...]]


def by_number(solution: Solution, strategy: SolvedStrategy, rule: NumberRule) -> ByNumber | None:
    """The numbers around the best one; None where there is nothing to compare, or where it would take long."""
    low, high = rule.tried
    low, high = max(low, rule.number - MOST // 2), min(high, rule.number + MOST // 2)
    numbers = tuple(range(low, high + 1))
    if rule.always or len(numbers) < 2 or solution.graph.states * len(numbers) > WORK:
        return None
    follower = Follower(solution)
    prescriptions = list(map(prescriber(strategy), numbers))
    try:
        worth = tuple(map(follower.alone, prescriptions))
        played = [follower.everybody(each) for each in prescriptions]
    except (NeverEnds, ZeroDivisionError):  # play by one of them may never end
        return None
    answers: dict[str, tuple[Number, ...]] = {}
    for name in solution.graph.game.ruleset.measures:
        if len(answers) < COLUMNS and (answered := _asked(name, played)):
            answers[name] = answered
    return ByNumber(rule, numbers, worth, answers)


def _asked(name: str, played: list[Solution]) -> tuple[Number, ...] | None:
    """A question asked of every way of playing; None where it has no answer or always the same."""
    game = played[0].graph.game
    question = game.ruleset.measures[name]
    if question.kind == "spread":
        return None
    try:
        numbers = tuple(ask(game, question, partial(_itself, each)) for each in played)
    except (MeasureError, NeverEnds, ZeroDivisionError):
        return None
    return numbers if max(number.lower for number in numbers) > min(number.upper for number in numbers) else None


def _itself(solution: Solution) -> Solution:
    return solution
