"""Means and deviations that are read off a law, against those in fractions."""

from __future__ import annotations

import sys
from dataclasses import replace
from fractions import Fraction

import pytest

from oddsmith.base.exact import Number
from oddsmith.solve.numbers import FractionTooLong
from oddsmith.solve.questions import moments as powers
from oddsmith.solve.questions.distribution import distribution
from oddsmith.solve.questions.measure import answer_question, mean_of_quantity
from tests.cases import Case, solved
from tests.solve.test_distribution import CRAPS, GAMBIT, PIG, SNAKES, holds

MODULE = sys.modules[distribution.__module__]  # the function has its name


@pytest.mark.parametrize(
    ("case", "objective", "condition"),
    [
        (PIG, "win", ("throw", "Bust")), (CRAPS, "win", ("chase", "Again")), (GAMBIT, "coins", ("throw", "Made a Meal")),
        (SNAKES, "win", None),
    ],
)  # fmt: skip
def test_what_a_law_gives_away_holds_what_fractions_say(
    case: Case, objective: str, condition: tuple[str, str] | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    solution = solved(case, objective)
    asked = [(what, given) for what in ("turns", "rolls", "payoff") for given in {None, condition}]
    wanted = [distribution(solution, what, given_entry=given) for what, given in asked]
    monkeypatch.setattr(MODULE, "MOMENT_STATES", 0)
    for (what, given), theirs in zip(asked, wanted, strict=True):
        mine = distribution(solution, what, given_entry=given)
        for one, other in ((mine.mean, theirs.mean), (mine.standard_deviation, theirs.standard_deviation)):
            assert one is not None
            assert other is not None
            assert one.lower <= other.upper, (what, given)
            assert other.lower <= one.upper, (what, given)
            assert one.upper - one.lower < 1e-12, (what, given)


def test_a_law_that_is_cut_off_early_still_holds_what_fractions_say(monkeypatch: pytest.MonkeyPatch) -> None:
    """With a heavy rest the bounds are wide, and all of the width is needed on one side."""
    monkeypatch.setattr(powers, "MAX_WIDTH", 10**6)
    wanted = distribution(solved(SNAKES, "win"), "rolls")
    monkeypatch.setattr(MODULE, "MOMENT_STATES", 0)
    found = distribution(solved(SNAKES, "win"), "rolls", max_tail_chance=Fraction(1, 100))
    assert wanted.standard_deviation is not None
    assert found.standard_deviation is not None
    assert (
        found.standard_deviation.lower
        < wanted.standard_deviation.lower
        < wanted.standard_deviation.upper
        < found.standard_deviation.upper
    )
    listed = [(outcome.value, outcome.chance.middle) for outcome in found.outcomes if outcome.value is not None]
    alone = (
        sum((value**2 * chance for value, chance in listed), Fraction(0))
        - sum((value * chance for value, chance in listed), Fraction(0)) ** 2
    )
    assert alone < wanted.standard_deviation.lower**2, "without the rest it would be too small"


def test_mixed_play_has_a_mean_and_a_deviation_of_what_it_pays() -> None:
    solution = solved(Case("hot-purse", 3, {"coins_each": 2}), "coins")
    assert solution.mixtures
    for seat in (1, 2, 3):
        law, value = distribution(solution, "payoff", seat), solution.values[seat - 1]
        assert law.mean is not None
        assert law.standard_deviation is not None
        assert law.mean.lower <= value.upper
        assert value.lower <= law.mean.upper
        squares = sum(((outcome.value or 0) ** 2 * outcome.chance for outcome in law.outcomes), Number.of(0))
        assert holds(squares - law.mean * law.mean, law.standard_deviation.middle**2)


def test_a_spread_whose_fraction_is_too_long_is_read_off_the_law(monkeypatch: pytest.MonkeyPatch) -> None:
    question = next(each for each in PIG.game.ruleset.measures.values() if each.kind == "count")
    spread = replace(question, kind="spread", spread_of="turns")
    asked = [spread, replace(spread, given_entry=("throw", "Bust")), replace(question, given_entry=("throw", "Bust"))]
    solution = solved(PIG, "win")
    wanted = [answer_question(PIG.game, each, lambda: solution) for each in asked]

    def too_long(*_: object) -> None:
        raise FractionTooLong

    monkeypatch.setattr("oddsmith.solve.questions.measure.conditional_moments", too_long)
    monkeypatch.setattr(MODULE, "MOMENT_STATES", 0)
    for each, theirs in zip(asked, wanted, strict=True):
        mine = answer_question(PIG.game, each, lambda: solution)
        assert mine.grade == "proven"
        if each.kind == "spread":
            law = distribution(solution, "turns", given_entry=each.given_entry)
            assert law.mean is not None
            assert mean_of_quantity(each, solution).lower <= law.mean.upper
        assert mine.lower <= theirs.upper
        assert theirs.lower <= mine.upper
