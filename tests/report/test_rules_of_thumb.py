"""What simple rules are worth, against values found in other ways."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import cast

import numpy as np
import pytest

import oddsmith
from oddsmith.library import Book
from oddsmith.report.rules_of_thumb import Ladder, best_number, ladder
from oddsmith.report.thresholds import strategies
from oddsmith.simulate import simulate
from oddsmith.solve.follow import RANDOM, Follower
from oddsmith.solve.policies import rows_of
from oddsmith.solve.solution import Solution

ROOT = Path(__file__).resolve().parents[2]


def sample(name: str) -> Book:
    return oddsmith.load(ROOT / "tests" / "samples" / f"{name}.yaml")


@cache
def dragon() -> Solution:
    return oddsmith.load("rogues-gambit").solve(seats=2, coins_each=10)


@cache
def rungs() -> Ladder:
    return ladder(dragon(), strategies(dragon()))


def test_following_nothing_is_worth_the_solution() -> None:
    assert Follower(dragon()).values({}) == dragon().values


def test_everybody_following_a_named_policy_is_what_the_solver_says() -> None:
    named = oddsmith.load("rogues-gambit").solve(seats=2, coins_each=10, policies={1: "hold at 20", 2: "hold at 20"})
    plan = rows_of(dragon().graph, "hold at 20")
    assert Follower(dragon()).values({1: plan, 2: plan}) == named.values


def test_a_rule_whose_number_is_always_met_says_always() -> None:
    for taste in (1, -1):  # of a follower who likes nothing better than low numbers, then high ones
        liking = SimpleNamespace(solution=dragon(), estimate=lambda plan, taste=taste: taste * float(plan.sum()))
        rule, plan = best_number(cast(Follower, liking), strategies(dragon()))
        assert rule is not None
        assert plan is not None
        values = rule.feature.column
        sides = {rule.above: rule.number <= values.min(), rule.below: rule.number > values.max()}
        assert any(sides.values())
        assert sides[rule.always]
        assert rule.words == f"always {rule.always}"
    usual = rungs().rule
    assert usual is not None
    assert not usual.always


def test_the_best_number_is_the_best_of_all_numbers() -> None:
    rule, rung = rungs().rule, rungs().rung("number")
    assert rule is not None
    assert rung is not None
    assert rung.alone is not None
    assert rung.alone.grade == "exact"
    follower, graph = Follower(dragon()), dragon().graph
    worth = {}
    for number in range(1, 22):
        plan = graph.state_rows[:-1].copy()
        for state in range(graph.states):
            rows = list(graph.rows(state))
            if len(rows) > 1:
                plan[state] = rows[0] if graph.state(state).cells[1] >= number else rows[1]
        worth[number] = follower.values({1: plan}, exact=True)[0]
    assert max(worth.values(), key=float) == worth[rule.number] == rung.alone


def test_nobody_gains_by_any_rung() -> None:
    for name in ("coffers", "piglet", "farkle-turn", "marbles", "four-fields"):
        solution = sample(name).solve()
        for rung in ladder(solution, strategies(solution)).rungs:
            assert rung.loss is not None
            assert rung.loss.upper >= 0


def test_bounds_hold_the_exact_value() -> None:
    follower = Follower(dragon())
    plan = rows_of(dragon().graph, "hold at 20")
    exact, bounds = follower.values({1: plan}, exact=True)[0], follower.values({1: plan})[0]
    assert exact.exact is not None
    assert bounds.lower <= exact.exact <= bounds.upper
    assert bounds.decimal(40) == exact.decimal(40)
    assert follower.estimate(plan) == pytest.approx(float(exact), abs=1e-9)


def test_random_play_agrees_with_throwing_dice() -> None:
    solution = sample("piglet").solve()
    plan = np.where(np.diff(solution.graph.state_rows) > 1, RANDOM, -1)
    exact = Follower(solution).values({1: plan, 2: plan}, exact=True)
    random = Random(11)  # noqa: S311 - dice, not secrets
    result = simulate(solution.graph.game, "win", lambda state, actions: random.randrange(len(actions)), 4000, 12)
    for number, seat in zip(exact, result.seats, strict=True):
        assert abs(float(number) - float(seat.mean)) < 4 * seat.standard_error
