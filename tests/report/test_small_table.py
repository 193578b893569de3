"""Small tables to remember: what they cost is proven, and the search ends where no single change helps."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import oddsmith
from oddsmith.report.policy.prescription import prescriber
from oddsmith.report.policy.rules_of_thumb import RuleComparison, TableRule, compare_rules
from oddsmith.report.policy.thresholds import strategies
from oddsmith.ruleset.binding import bind
from oddsmith.solve.game_solver import solve
from oddsmith.solve.questions.policy_evaluator import PolicyEvaluator
from oddsmith.solve.solution import Solution
from tests.cases import RULESETS, Case, solved


@pytest.fixture(scope="module")
def gambit() -> tuple[Solution, RuleComparison]:
    solution = solve(bind(oddsmith.load(RULESETS / "rogues-gambit.yaml").ruleset, 4), "coins")
    return solution, compare_rules(solution, strategies(solution))


def test_the_table_costs_less_than_the_number(gambit: tuple[Solution, RuleComparison]) -> None:
    _, found = gambit
    number, table = found.rung("number"), found.rung("table")
    assert number is not None
    assert table is not None
    assert number.loss is not None
    assert table.loss is not None
    assert 0 < table.loss.lower <= table.loss.upper < number.loss.lower / 2
    assert [rung.kind for rung in found.rungs][-2:] == ["table", "solution"]


def test_no_threshold_nearby_brings_more(gambit: tuple[Solution, RuleComparison]) -> None:
    solution, found = gambit
    (rule,) = found.tables
    (strategy,) = strategies(solution)
    follower = PolicyEvaluator(solution)
    by = strategy.across[0].column[:: solution.solved.arena.copies]

    def worth(other: TableRule) -> float:
        return follower.estimate(prescriber(strategy)(other.thresholds(by)))

    best = worth(rule)
    for k, number in enumerate(rule.numbers):
        for step in (-1, 1):
            changed = (*rule.numbers[:k], number + step, *rule.numbers[k + 1 :])
            assert worth(replace(rule, numbers=changed)) <= best + 1e-12


def test_rows_say_always_and_never() -> None:
    strategy = strategies(solved(Case("rogues-gambit", 3, {"coins_each": 4}), "coins"))[0]
    feature = strategy.decisions.features[0]
    rule = TableRule("decide", feature, feature, (0, 3, 7), (0, 5, 99), "Stop", "Go on", 0, 12, 12)
    name = feature.name
    rows = rule.words.replace("\N{EN DASH}", " to ")
    assert (
        rows
        == f"Stop when {name} is anything ({name} 0 to 2), 5 or more ({name} 3 to 6), never ({name} 7 to 12); else Go on"
    )
    assert rule.thresholds(np.array([0, 2, 3, 6, 7, 12])).tolist() == [0, 0, 5, 5, 99, 99]
