"""What the number of a rule changes, against a calculation that knows nothing of graphs."""

from __future__ import annotations

from fractions import Fraction
from functools import cache

import pytest

import oddsmith
from oddsmith.report.policy.rules_of_thumb import RuleNumberComparison, compare_rule_numbers, compare_rules
from oddsmith.report.policy.thresholds import strategies_by_phase
from oddsmith.ruleset.binding import bind
from oddsmith.ruleset.model import Setting
from oddsmith.solve.game_solver import solve
from tests.cases import RULESETS


@pytest.fixture(scope="module")
def pig() -> RuleNumberComparison:
    solution = solve(bind(oddsmith.load(RULESETS / "pig.yaml").ruleset, Setting(1)), "turns_taken")
    (strategy,) = strategies_by_phase(solution)
    (rule,) = compare_rules(solution, [strategy], with_all_kinds=False).rules
    found = compare_rule_numbers(solution, strategy, rule)
    assert found is not None
    return found


@cache
def lost(pot: int, number: int) -> Fraction:
    """The chance that a one comes before the pot holds so much."""
    if pot >= number:
        return Fraction(0)
    return Fraction(1, 6) + sum((lost(pot + face, number) for face in range(2, 7)), Fraction(0)) / 6


def test_the_risk_of_every_number_is_that_of_throwing_on_until_it(pig: RuleNumberComparison) -> None:
    found = pig.answers["Bust in the first turn"]
    assert len(pig.numbers) >= 8
    for number, chance in zip(pig.numbers, found, strict=True):
        assert chance.lower <= lost(0, number) <= chance.upper
        assert chance.upper - chance.lower < Fraction(1, 10**12)
    assert found[pig.numbers.index(20)].percent(2) == "62.45 %"  # as Neller and Presser have it


def test_no_number_beats_the_best(pig: RuleNumberComparison) -> None:
    worth = dict(zip(pig.numbers, pig.worth, strict=True))
    assert pig.rule.number is not None
    assert pig.rule.number.best == 20
    assert all(worth[20].upper < each.lower for number, each in worth.items() if number != 20)
