"""Rolling on: the chances to lose a turn are those that its dice have, and hold for every game with such a decision."""

from __future__ import annotations

from fractions import Fraction
from functools import cache

import pytest

from oddsmith.report.facts.rolling import RollOnRisk, roll_on_risks
from oddsmith.report.policy.thresholds import strategies_by_phase
from oddsmith.ruleset.binding import bind
from oddsmith.ruleset.model import Setting
from oddsmith.ruleset.reading.build import load_ruleset
from oddsmith.solve.game_solver import solve
from tests.cases import RULESETS, Value

SIXTH = Fraction(1, 6)


@cache
def told(name: str, seats: int, **parameters: Value) -> list[RollOnRisk]:
    solution = solve(bind(load_ruleset(RULESETS / f"{name}.yaml")[0], Setting(seats, values=parameters)))
    return roll_on_risks(solution, strategies_by_phase(solution))


def test_every_roll_of_pig_has_the_same_risk() -> None:
    (pig,) = told("pig", 1, target=30)
    assert (pig.stop, pig.again, pig.constant_risk, pig.by) == ("Bank", "Throw again", SIXTH, "")
    for number, lost in enumerate(pig.lost[:4]):  # no turn has 30 points before
        assert pig.reached[number] == (1 - SIXTH) ** number
        assert lost == pig.reached[number] * SIXTH


def test_what_ends_a_turn_well_is_no_loss() -> None:
    """Three of a kind without a 1 ends the game too, but wins the pot."""
    (gambit,) = told("rogues-gambit", 2)
    assert gambit.constant_risk == 1 - Fraction(5, 6) ** 3
    assert gambit.reached[1] == Fraction(125 - 5, 216)


def test_the_risk_is_told_by_the_number_that_it_depends_on() -> None:
    """One to five dice that do not score, as published."""
    (farkle,) = told("farkle-turn", 1, limit=16)
    assert farkle.by == "dice left"
    scoring = [Fraction(2, 6), Fraction(20, 36), Fraction(156, 216), Fraction(1092, 1296), Fraction(7176, 7776)]
    risks = dict(farkle.risks)
    assert [risks[dice] for dice in range(1, 6)] == [1 - chance for chance in scoring]
    assert farkle.lost[0] == risks[6]
    assert farkle.constant_risk is None


def test_no_more_is_lost_than_what_a_turn_has() -> None:
    for name, seats in (("column-race", 1), ("dragons-lair", 1), ("rogues-gambit", 2)):
        for each in told(name, seats):
            assert each.reached[0] == 1
            assert sum(each.lost) <= 1
            for before, lost, after in zip(each.reached, each.lost, each.reached[1:], strict=False):
                assert after <= before - lost


def test_a_dragon_wakes_at_every_sixth_roll_also_where_the_sack_is_empty() -> None:
    (lair,) = told("dragons-lair", 1)
    assert lair.constant_risk == SIXTH


@pytest.mark.parametrize(
    ("name", "seats"), [("ship-captain-crew", 1), ("dragons-lair-together", 1), ("shut-the-box", 1), ("craps", 1)]
)
def test_there_is_none_without_a_choice_to_come_back_to(name: str, seats: int) -> None:
    assert not told(name, seats)


def test_there_is_none_where_dice_may_be_rolled_without_end_on_the_way() -> None:
    assert not told("dragons-lair", 1, goblins=1)
