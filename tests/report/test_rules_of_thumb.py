"""What simple rules are worth, against values found in other ways."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from math import inf
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import cast

import numpy as np
import pytest

import oddsmith
from oddsmith.api.loaded import LoadedRuleset
from oddsmith.report.policy.decisions import FeatureColumn
from oddsmith.report.policy.rules_of_thumb import RuleComparison, best_number_rule, compare_rules
from oddsmith.report.policy.thresholds import strategies_by_phase
from oddsmith.ruleset.simulation import simulate_games_one_by_one
from oddsmith.solve.policies import policy_rows
from oddsmith.solve.questions.policy_evaluator import RANDOM, PolicyEvaluator
from oddsmith.solve.solution import Solution

ROOT = Path(__file__).resolve().parents[2]


def sample(name: str) -> LoadedRuleset:
    return oddsmith.load(ROOT / "tests" / "samples" / f"{name}.yaml")


@cache
def dragon() -> Solution:
    return oddsmith.load("rogues-gambit").at(seats=2, coins_each=10).solve().solution


@cache
def comparison() -> RuleComparison:
    return compare_rules(dragon(), strategies_by_phase(dragon()))


def test_following_nothing_is_worth_the_solution() -> None:
    assert PolicyEvaluator(dragon()).values_under({}) == dragon().values


def test_everybody_following_a_named_policy_is_what_the_solver_says() -> None:
    named = (
        oddsmith.load("rogues-gambit")
        .at(seats=2, coins_each=10)
        .solve(policies={1: "hold at 20", 2: "hold at 20"})
        .solution
    )
    plan = policy_rows(dragon().graph, "hold at 20")
    assert PolicyEvaluator(dragon()).values_under({1: plan, 2: plan}) == named.values


def test_a_rule_whose_number_is_always_met_says_always() -> None:
    for taste in (1, -1):  # of a follower who likes nothing better than low numbers, then high ones
        liking = SimpleNamespace(sign=1, estimate_value=lambda plan, taste=taste: taste * float(plan.sum()))
        strategy = strategies_by_phase(dragon())[0]
        rule, _ = best_number_rule(cast(PolicyEvaluator, liking), strategy)
        assert rule.number is not None
        assert isinstance(rule.number.feature, FeatureColumn)
        values, best = rule.number.feature.column, rule.number.best
        above, below = strategy.options[strategy.above], strategy.options[strategy.below]
        sides = {above: best <= values.min(), below: best > values.max()}
        assert any(sides.values())
        assert sides[rule.options[0]]
        assert rule.is_constant
        assert rule.words == f"always {rule.options[0]}"
    usual = comparison().main_rule
    assert usual is not None
    assert not usual.is_constant


def test_the_best_number_is_the_best_of_all_numbers() -> None:
    rule, rule_value = comparison().main_rule, comparison().first_value_of_kind("number")
    assert rule is not None
    assert rule_value is not None
    assert rule_value.alone is not None
    assert rule_value.alone.grade == "exact"
    follower, graph = PolicyEvaluator(dragon()), dragon().graph
    worth = {}
    for number in range(1, 22):
        plan = graph.state_rows[:-1].copy()
        for state in range(graph.state_count):
            rows = list(graph.rows(state))
            if len(rows) > 1:
                plan[state] = rows[0] if graph.state(state).cells[1] >= number else rows[1]
        worth[number] = follower.values_under({1: plan}, time_limit=inf)[0]
    assert rule.number is not None
    assert max(worth.values(), key=float) == worth[rule.number.best] == rule_value.alone


def test_nobody_gains_by_any_rung() -> None:
    for name in ("coffers", "piglet", "farkle-turn", "marbles", "four-fields"):
        solution = sample(name).solve().solution
        for rule_value in compare_rules(solution, strategies_by_phase(solution)).rungs:
            assert rule_value.loss is not None
            assert rule_value.loss.upper >= 0


def test_play_that_may_never_end_is_worth_no_number() -> None:
    text = """\
format: 1
id: wait
title: Wait
summary: Stop, or wait for ever.
seats: 1
state: {}
payoffs: {coins: 1}
turn: decide
phases:
  decide:
    choose:
      - {name: Wait, then: again}
      - {name: Stop, then: end}
policies:
  patience: {decide: [{option: Wait}]}
"""
    follower = PolicyEvaluator(oddsmith.loads(text).solve().solution)
    assert np.isnan(follower.estimate_value(policy_rows(follower.solution.graph, "patience")))


def test_bounds_hold_the_exact_value() -> None:
    follower = PolicyEvaluator(dragon())
    plan = policy_rows(dragon().graph, "hold at 20")
    exact, bounds = follower.values_under({1: plan}, time_limit=inf)[0], follower.values_under({1: plan})[0]
    assert exact.exact is not None
    assert bounds.lower <= exact.exact <= bounds.upper
    assert bounds.decimal(20) == exact.decimal(20)
    assert follower.estimate_value(plan) == pytest.approx(float(exact), abs=1e-9)


def test_random_play_agrees_with_throwing_dice() -> None:
    solution = sample("piglet").solve().solution
    plan = np.where(np.diff(solution.graph.state_rows) > 1, RANDOM, -1)
    exact = PolicyEvaluator(solution).values_under({1: plan, 2: plan}, time_limit=inf)
    random = Random(11)  # noqa: S311 - dice, not secrets
    result = simulate_games_one_by_one(
        solution.graph.game, "win", lambda state, actions: random.randrange(len(actions)), 4000, 12
    )
    for number, seat in zip(exact, result.payoffs_by_seat, strict=True):
        assert abs(float(number) - float(seat.mean)) < 4 * seat.standard_error


def test_every_decision_gets_its_number_and_all_of_them_together() -> None:
    solution = oddsmith.load(ROOT / "tests" / "report" / "two-pots.yaml").solve().solution
    found = compare_rules(solution, strategies_by_phase(solution))
    # The gold counts three times: to fill it at random costs more, so that decision comes first.
    assert [rule.phase for rule in found.rules] == ["pour", "fill"]
    worth = {each.phase or each.kind: each for each in found.rungs if each.kind in ("number", "numbers", "solution")}
    assert worth["pour"].name.startswith("pour: Stop when ")
    for name in ("pour", "fill", "numbers"):
        alone, loss = worth[name].alone, worth[name].loss
        assert alone is not None
        assert loss is not None
        assert alone.exact == _by_hand(
            {rule.phase: rule.number.best for rule in found.rules if rule.number and name in (rule.phase, "numbers")}
        )
        assert loss.exact == _by_hand({}) - alone.exact


def _by_hand(numbers: dict[str, int]) -> Fraction:
    """What the two pots bring: a decision with a number goes by it, one without is made best."""

    def worth(phase: str, faces: int, pot: int) -> Fraction:
        stop = Fraction(pot)
        if pot >= 12 or pot >= numbers.get(phase, 99):
            return stop
        throw = sum((worth(phase, faces, min(12, pot + face)) for face in range(2, faces + 1)), Fraction(0)) / faces
        return throw if phase in numbers else max(stop, throw)

    return worth("fill", 4, 0) + 3 * worth("pour", 6, 0)
