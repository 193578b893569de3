"""Bounds of sizes, against counting one by one."""

from __future__ import annotations

from itertools import product

import pytest

import oddsmith
from oddsmith.graph.estimate import MOST_COINS, _sums
from oddsmith.graph.explore import Explorer
from tests.cases import Case, cases


@pytest.mark.parametrize("spans", [[3], [2, 3], [1, 4, 2], [5, 5, 5]])
@pytest.mark.parametrize("total", [0, 3, 6])
def test_sums_are_counted(spans: list[int], total: int) -> None:
    ways = [sum(pick) for pick in product(*(range(span + 1) for span in spans))]
    assert _sums(spans, total, exactly=True) == ways.count(total)
    assert _sums(spans, total, exactly=False) == sum(way <= total for way in ways)


def test_a_large_total_bounds_nothing() -> None:
    assert _sums([9, 9], MOST_COINS + 1, exactly=True) == 100


@pytest.mark.parametrize(
    "case", [case for case in cases() if case.name in ("pig", "craps", "marbles", "piglet")], ids=str
)
def test_a_sample_of_plays_claims_no_more_positions_than_there_are(case: Case) -> None:
    explorer = Explorer(case.game, next(iter(case.game.ruleset.payoffs)))
    graph, whole = explorer.explore()
    assert whole
    assert 1 <= Explorer(case.game, explorer.objective)._at_least() <= graph.states


def test_a_game_whose_plays_hardly_ever_meet_is_perhaps_too_large() -> None:
    large, usual = (oddsmith.load("pig").game(seats) for seats in (4, 2))
    warned = Explorer(large, "win").hopeless()
    assert warned is not None
    assert (warned.code, warned.severity) == ("OD434", "warning")
    assert "score multiplies them most" in warned.message
    assert Explorer(usual, "win").hopeless() is None
