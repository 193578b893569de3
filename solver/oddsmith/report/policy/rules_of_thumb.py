"""Rules that a player can remember, and the cost of each: rules with a single number, named policies, and random play.

``compare_rule_numbers`` shows how the number of a rule changes its value, and the answers to the ruleset's own questions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cache, partial
from math import inf, isfinite, isnan
from typing import TypeVar

import numpy as np

from oddsmith.base.arrays import Ints
from oddsmith.base.errors import InputError, MeasureError
from oddsmith.base.exact import Number
from oddsmith.report.english.options import OptionWords
from oddsmith.report.english.words import plain_name
from oddsmith.report.policy.decisions import Feature
from oddsmith.report.policy.prescription import rows_of_option, threshold_prescriber
from oddsmith.report.policy.quantities import Quantity, WrittenLine, feature_quantity
from oddsmith.report.policy.thresholds import SolvedStrategy, strategies_by_phase
from oddsmith.report.policy.wording import decision_list_words, or_more_words_up_to
from oddsmith.ruleset.model import ANY, RULE
from oddsmith.solve import Solution, policy_rows
from oddsmith.solve.arenas import NeverEnds
from oddsmith.solve.questions import RANDOM, PolicyEvaluator, answer_question

MAX_ELSEWHERE = 60_000  # states up to which rules are valued in other payoffs too
Valued = TypeVar("Valued", Number, tuple[Number, ...])
EQUAL_FLOATS_TOLERANCE = 1e-12
"""The relative distance up to which two floats stand for the same number. Of equal numbers the least is taken."""
PICTURE_DIGITS = 7  # of the values that a picture shows: further ones differ between machines
NUMBERS_BEYOND_THRESHOLDS = 3
"""Numbers that are tried beyond the thresholds that occur, and again as long as the best lies at the edge."""


@dataclass(frozen=True)
class RuleNumber:
    """The number of a rule that takes one option if ``feature`` is ``best`` or more, and another option otherwise.

    ``tried``: the first and the last number that were tried. The last number may lie above all values of the feature;
    as a threshold, it means that the first option is never taken. ``worths``: the approximate value to seat 1 of each
    number that was tried, for a picture only.
    """

    feature: Feature
    best: int
    tried: tuple[int, int]
    worths: tuple[float, ...] = ()

    @property
    def displayed_number(self) -> int:
        """The number in the unit that people count in: 50 for one unit of 50 points."""
        return self.feature.displayed_number(self.best)

    @property
    def number_and_beyond_words(self) -> str:
        """The number in words with everything above it, such as `20 or more`. It is the number alone if no value of the
        feature is above it.
        """
        return or_more_words_up_to(self.displayed_number, self.feature.displayed_number(self.tried[1] - 1))


@dataclass(frozen=True)
class Rule:
    """A rule for one phase: lines of a policy. The first line whose condition holds and whose option is legal applies.

    ``words``: the rule in a sentence. ``number``: the best number of a rule with one number; None for a list that a
    search has put together.
    """

    phase: str
    lines: tuple[WrittenLine, ...]
    words: str
    number: RuleNumber | None

    @property
    def options(self) -> tuple[str, ...]:
        """The option of each line."""
        return tuple(line.option for line in self.lines)

    @property
    def is_constant(self) -> bool:
        """Whether no line has a condition, so that every decision takes the same option if that is legal."""
        return not any(line.when for line in self.lines)


@dataclass(frozen=True)
class RuleValue:
    """The value of a way of playing.

    ``kind``: ``random``, ``named``, ``number``, ``numbers``, ``list`` or ``solution``. ``alone``: the value to seat 1
    if it alone plays in this way, and the others by the solution. ``loss``: what seat 1 loses by that, compared with
    playing by the solution. ``everyone``: the value to each seat if all play in this way. These three are None if play
    may never end. ``phase``: the phase that a rule is for; empty if it is for all phases. ``elsewhere``: by the name of
    another payoff, the value and the loss of seat 1 in it, or None.
    """

    name: str
    kind: str
    alone: Number | None
    loss: Number | None
    everyone: tuple[Number, ...] | None
    phase: str = ""
    elsewhere: Mapping[str, tuple[Number, Number] | None] = field(default_factory=dict)


@dataclass(frozen=True)
class RuleComparison:
    """Ways of playing from the plainest to the best; the solution is last.

    ``rungs``: the value of each way of playing. ``rules``: for each decision with thresholds, the best rule with one
    number. The rule for the decision that matters most is first. ``others``: the names of the other payoffs in which
    every rule is valued.
    """

    rungs: tuple[RuleValue, ...]
    rules: tuple[Rule, ...] = ()
    others: tuple[str, ...] = ()

    @property
    def main_rule(self) -> Rule | None:
        """The rule for the decision that matters most; None if there are no rules."""
        return self.rules[0] if self.rules else None

    def first_value_of_kind(self, kind: str) -> RuleValue | None:
        """Return the first value of a kind: ``random``, ``named``, ``numbers`` or ``solution``. For ``number``, return
        the value of the rule for the decision that matters most. Return None if there is no such value.
        """
        first = self.main_rule.phase if self.main_rule else ""
        return next((each for each in self.rungs if each.kind == kind and each.phase in ("", first)), None)


def comparison_with_worded_options(comparison: RuleComparison, option_words: OptionWords) -> RuleComparison:
    """Return the comparison with all options worded for people by ``option_words``."""
    return replace(
        comparison,
        rungs=tuple(replace(each, name=option_words(each.name, each.phase)) for each in comparison.rungs),
        rules=tuple(replace(each, words=option_words(each.words, each.phase)) for each in comparison.rules),
    )


@dataclass(frozen=True)
class RuleCandidate:
    """A rule that has not been valued yet. ``prescription``: the row of every state; -1 leaves the choice to the
    solution.
    """

    name: str
    kind: str
    prescription: Ints
    phase: str = ""


def compare_rules(
    solution: Solution,
    strategies: list[SolvedStrategy],
    with_all_kinds: bool = True,
    other_evaluators: Mapping[str, PolicyEvaluator] | None = None,
) -> RuleComparison:
    """Return a comparison of rules with the solution.

    ``with_all_kinds``: whether to include random play, named policies and other payoffs. ``other_evaluators``:
    evaluators for other payoffs, from ``other_payoff_evaluators``; without it, they are made here.
    """
    if solution.mixtures or not strategies:
        return RuleComparison((_best_play_value(solution, {}),))
    follower = PolicyEvaluator(solution)
    numbers = [(each, *best_number_rule(follower, each)) for each in _strategies_sorted_by_weight(follower, strategies)]
    rules = tuple(rule for _, rule, _ in numbers)
    several = len(rules) > 1
    ways = [
        RuleCandidate(_rule_name(rule, several), "number", prescription, rule.phase)
        for _, rule, prescription in numbers
    ]
    if several:
        together = np.max([way.prescription for way in ways], axis=0)  # each is -1 outside its own decision
        ways.append(RuleCandidate("Each of these numbers", "numbers", together))
    if with_all_kinds:
        ways += _simple_rule_candidates(solution)
    if other_evaluators is None or not with_all_kinds:
        other_evaluators = other_payoff_evaluators(solution) if with_all_kinds else {}
    rule_values = [rule_value(follower, way, other_evaluators) for way in ways]
    return RuleComparison(
        (*sorted_by_loss(rule_values), _best_play_value(solution, other_evaluators)), rules, tuple(other_evaluators)
    )


def sorted_by_loss(rule_values: Iterable[RuleValue]) -> list[RuleValue]:
    """Return the ways of playing in order: random play first, then from the greatest loss to the least, the solution
    last.
    """
    return sorted(
        rule_values, key=lambda each: (each.kind == "solution", each.kind != "random", -_loss_or_infinity(each.loss))
    )


def value_of_deviation(solution: Solution, policy_name: str, seat: int = 1) -> Number:
    """Return the value to a seat if it alone leaves the solution.

    ``policy_name``: how it plays: the name of a policy, ``RULE`` for the short rules, or ``ANY`` for any legal action at
    random. Raises UnknownPolicyError, and MeasureError if there is no value.
    """
    if solution.mixtures:
        raise MeasureError("a player mixes actions there, so what others lose is not worked out")
    graph = solution.graph
    if policy_name in graph.game.ruleset.policies or policy_name not in (RULE, ANY):
        prescribed = policy_rows(graph, policy_name)
    elif policy_name == ANY:
        prescribed = np.where(np.diff(graph.state_rows) > 1, RANDOM, -1)
    else:
        follower = PolicyEvaluator(solution)
        rules = [
            best_number_rule(follower, each)[1] for each in strategies_by_phase(solution) if _has_number_rule(each)
        ]
        if not rules:
            raise MeasureError("best play has no threshold there, so there is no short rule")
        prescribed = np.max(rules, axis=0)
    found = _none_if_endless(lambda: PolicyEvaluator(solution).value_if_alone(prescribed, seat))
    if found is None:
        raise MeasureError("play in that way may never end there")
    return found


def _rule_name(rule: Rule, with_phase: bool) -> str:
    return f"{plain_name(rule.phase)}: {rule.words}" if with_phase else rule.words


def _simple_rule_candidates(solution: Solution) -> Iterator[RuleCandidate]:
    """Yield rules that need no search: random play, and the policies that the ruleset names."""
    graph = solution.graph
    yield RuleCandidate("Any legal action, at random", "random", np.where(np.diff(graph.state_rows) > 1, RANDOM, -1))
    for name in graph.game.ruleset.policies:
        yield RuleCandidate(name, "named", policy_rows(graph, name))


def other_payoff_evaluators(solution: Solution) -> dict[str, PolicyEvaluator]:
    """Return an evaluator of the solution for each other payoff, by the name of the payoff.

    Payoffs that need too many states are left out. In a game of one seat, so are shares of a win.
    """
    graph, followers = solution.graph, {}
    for name, payoff in graph.game.ruleset.payoffs.items():
        if name == graph.objective or (graph.seats == 1 and payoff.is_share):
            continue
        try:
            followers[name] = PolicyEvaluator(solution, payoff, MAX_ELSEWHERE // graph.seats)
        except InputError:  # a payoff that must tell too many states apart
            continue
    return followers


def _loss_or_infinity(loss: Number | None) -> float:
    return float("inf") if loss is None else float(loss)


def _best_play_value(solution: Solution, other_evaluators: Mapping[str, PolicyEvaluator]) -> RuleValue:
    nothing = Number.of(0)
    mine = {name: (other.solution_value, nothing) for name, other in other_evaluators.items()}
    return RuleValue("Best play", "solution", solution.values[0], nothing, solution.values, elsewhere=mine)


def rule_value(
    evaluator: PolicyEvaluator, candidate: RuleCandidate, other_evaluators: Mapping[str, PolicyEvaluator]
) -> RuleValue:
    """Return the value of a way of playing. ``other_evaluators``: evaluators of the same solution for other payoffs, from
    ``other_payoff_evaluators``.
    """
    seats = range(1, evaluator.played.graph.seats + 1)
    everyone = _none_if_endless(lambda: evaluator.values_under(dict.fromkeys(seats, candidate.prescription)))
    elsewhere = {
        name: _value_and_loss_against(other, candidate.prescription, other.solution_value)
        for name, other in other_evaluators.items()
    }
    mine, loss = value_and_loss(evaluator, candidate.prescription) or (None, None)
    return RuleValue(candidate.name, candidate.kind, mine, loss, everyone, candidate.phase, elsewhere)


def value_and_loss(evaluator: PolicyEvaluator, prescription: Ints, seat: int = 1) -> tuple[Number, Number] | None:
    """Return the value of a prescription to a seat that alone plays by it, and the seat's loss; None if play may never
    end.
    """
    return _value_and_loss_against(evaluator, prescription, evaluator.solution.values[seat - 1], seat)


def _value_and_loss_against(
    evaluator: PolicyEvaluator, prescription: Ints, best_value: Number, seat: int = 1
) -> tuple[Number, Number] | None:
    """Return the value of a prescription to a seat, and the loss compared with ``best_value``, the value of the solution;
    None if play may never end.

    If the evaluator is for a payoff other than the objective, the loss may be negative.
    """
    mine = _none_if_endless(lambda: evaluator.value_if_alone(prescription, seat))
    return None if mine is None else (mine, (best_value - mine) * evaluator.sign)


def _none_if_endless(compute: Callable[[], Valued]) -> Valued | None:
    try:
        return compute()
    except (NeverEnds, ZeroDivisionError):  # a singular system: play by this prescription may never end
        return None


# --- the best single number


def _strategies_sorted_by_weight(evaluator: PolicyEvaluator, strategies: list[SolvedStrategy]) -> list[SolvedStrategy]:
    """Return the strategies that have thresholds, by the weight of their decisions. The weight is what it costs to make
    that decision alone at random; the greatest comes first.
    """
    fitting = [each for each in strategies if _has_number_rule(each)]
    if len(fitting) < 2:
        return fitting
    graph = evaluator.solution.graph

    def cost_of_random_choice(strategy: SolvedStrategy) -> float:
        prescription = np.full(graph.state_count, -1, dtype=np.int64)
        prescription[strategy.decisions.states[:: strategy.decisions.solution.solved.arena.copies_per_state]] = RANDOM
        worth = evaluator.sign * evaluator.estimate_value(prescription)
        return -worth if isfinite(worth) else np.inf

    return sorted(fitting, key=cost_of_random_choice, reverse=True)


def _has_number_rule(strategy: SolvedStrategy) -> bool:
    """Whether a strategy has thresholds of a quantity that the language of rulesets can express."""
    return strategy.separates_options and bool(_stopping_quantity(strategy))


def _stopping_quantity(strategy: SolvedStrategy) -> Quantity | None:
    """Return the stopping variable of a strategy as a quantity; None if the language of rulesets cannot express it."""
    decisions, down = strategy.decisions, strategy.down
    assert down is not None
    solution = decisions.solution
    column = down.column[:: solution.solved.arena.copies_per_state]
    return feature_quantity(solution.graph, strategy.phase, down.key, column)


def best_number_rule(evaluator: PolicyEvaluator, strategy: SolvedStrategy) -> tuple[Rule, Ints]:
    """Return the best rule with one number for a strategy with thresholds, and the prescription of the rule: the row
    that it takes in every state.
    """
    down, spread = strategy.down, strategy.threshold_range()
    assert down is not None
    assert spread is not None
    values, prescription = np.unique(down.column), threshold_prescriber(strategy)

    @cache
    def signed_value(number: int) -> float:
        found = evaluator.sign * evaluator.estimate_value(prescription(number))
        return -inf if isnan(found) else found  # if it is followed, play may never end

    low, high = spread[0] - NUMBERS_BEYOND_THRESHOLDS, spread[1] + NUMBERS_BEYOND_THRESHOLDS
    while True:
        low, high = max(low, int(values[0])), min(high, int(values[-1]) + 1)
        most = max(map(signed_value, range(low, high + 1)))
        best = next(
            number
            for number in range(low, high + 1)
            if signed_value(number) >= most - EQUAL_FLOATS_TOLERANCE * abs(most)
        )
        at_low, at_high = best == low > int(values[0]), best >= high - 1 and high <= int(values[-1])
        if not at_low and not at_high:
            break
        low, high = low - NUMBERS_BEYOND_THRESHOLDS * at_low, high + NUMBERS_BEYOND_THRESHOLDS * at_high
    worths = tuple(
        float(f"{evaluator.sign * signed_value(number):.{PICTURE_DIGITS}g}") for number in range(low, high + 1)
    )
    lines = _policy_lines_of_threshold(strategy, best)
    words = decision_list_words(strategy.decisions.game, strategy.phase, lines)
    return Rule(strategy.phase, lines, words, RuleNumber(down, best, (low, high), worths)), prescription(best)


def _policy_lines_of_threshold(strategy: SolvedStrategy, threshold: int) -> tuple[WrittenLine, ...]:
    """Return the rule "take the option above from ``threshold`` on, else the option below" as lines of a policy. A line
    that never applies is left out.
    """
    quantity = _stopping_quantity(strategy)
    assert quantity is not None
    first, other = strategy.above, strategy.below
    if quantity.column.min() < threshold <= quantity.column.max():
        above, below = strategy.options[first], strategy.options[other]
        return WrittenLine(above, quantity.condition_text(threshold, at_least=True)), WrittenLine(below)
    if threshold > quantity.column.min():
        first, other = other, first
    states = strategy.decisions.states[:: strategy.decisions.solution.solved.arena.copies_per_state]
    everywhere = (rows_of_option(strategy, first, states) >= 0).all()
    return tuple(WrittenLine(strategy.options[each]) for each in ((first,) if everywhere else (first, other)))


MAX_MEASURED_POSITIONS = 150_000  # positions, times numbers, up to which questions are asked for every number
MAX_MEASURED_NUMBERS = 8  # numbers
MAX_QUESTIONS = 4  # questions


@dataclass(frozen=True)
class RuleNumberComparison:
    """A comparison of rules that differ only in their number.

    ``rule``: the best of these rules. ``numbers``: the numbers compared. ``worth``: the value of each rule to seat 1 if
    the others play by the solution. ``answers``: the answer to a question for each number, if everybody plays by the
    rule. It has only questions whose answers differ.
    """

    rule: Rule
    numbers: tuple[int, ...]
    worth: tuple[Number, ...]
    answers: dict[str, tuple[Number, ...]]


def compare_rule_numbers(solution: Solution, strategy: SolvedStrategy, rule: Rule) -> RuleNumberComparison | None:
    """Return a comparison of the numbers around the best one; None if there is nothing to compare, or if it would take
    long.
    """
    if rule.number is None or rule.is_constant:
        return None
    (low, high), best = rule.number.tried, rule.number.best
    low, high = max(low, best - MAX_MEASURED_NUMBERS // 2), min(high, best + MAX_MEASURED_NUMBERS // 2)
    numbers = tuple(range(low, high + 1))
    if len(numbers) < 2 or solution.graph.state_count * len(numbers) > MAX_MEASURED_POSITIONS:
        return None
    follower = PolicyEvaluator(solution)
    prescriptions = list(map(threshold_prescriber(strategy), numbers))
    try:
        worth = tuple(map(follower.value_if_alone, prescriptions))
        played = [follower.solution_if_all_follow(each) for each in prescriptions]
    except (NeverEnds, ZeroDivisionError):  # play by one of them may never end
        return None
    answers: dict[str, tuple[Number, ...]] = {}
    for name in solution.graph.game.ruleset.measures:
        if len(answers) < MAX_QUESTIONS and (answered := _answers_by_number(name, played)):
            answers[name] = answered
    return RuleNumberComparison(rule, numbers, worth, answers)


def _answers_by_number(question_name: str, solutions: list[Solution]) -> tuple[Number, ...] | None:
    """Return the answers to a question of the ruleset, one for each solution in ``solutions``.

    Return None if there is no answer, or if all answers may be equal.
    """
    game = solutions[0].graph.game
    question = game.ruleset.measures[question_name]
    if question.kind == "spread":
        return None
    try:
        numbers = tuple(answer_question(game, question, partial(_solution_itself, each)) for each in solutions)
    except (MeasureError, NeverEnds, ZeroDivisionError):
        return None
    return numbers if max(number.lower for number in numbers) > min(number.upper for number in numbers) else None


def _solution_itself(solution: Solution) -> Solution:
    return solution
