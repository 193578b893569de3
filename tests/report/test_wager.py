"""Bets: edges that are published, and ruin against play that is worked out step by step."""

from __future__ import annotations

from fractions import Fraction

import oddsmith
from oddsmith.report.facts.profile import PURSES_IN_STAKES, Wager, game_as_wager
from oddsmith.ruleset.binding import bind
from oddsmith.solve.game_solver import solve
from tests.cases import RULESETS, Case, solved


def bet(objective: str) -> Wager:
    found = game_as_wager(solve(bind(oddsmith.load(RULESETS / "craps.yaml").ruleset), objective))
    assert found is not None
    return found


def test_the_edges_of_craps() -> None:
    """7/495 on the pass line, 3/220 against it with the 12 barred: every book on the game has them."""
    line, against = bet("stakes_won"), bet("stakes_won_against")
    assert (line.edge, line.win, line.push) == (Fraction(7, 495), Fraction(244, 495), Fraction(0))
    assert against.edge == Fraction(3, 220)
    assert against.push == Fraction(1, 36)
    assert line.fair == Fraction(251, 244)
    assert (line.stake, line.prize) == (Fraction(1), Fraction(1))
    assert line.spread is not None
    assert abs(float(line.spread) ** 2 - (1 - float(line.edge) ** 2)) < 1e-12


def test_ruin_is_what_play_step_by_step_comes_to() -> None:
    """The chance of ruin at every purse is the mean of those one stake away."""
    for found in (bet("stakes_won"), bet("stakes_won_against")):
        lose = 1 - found.win - found.push
        for purse, chance in found.ruin:
            at = [Fraction(1)] + [Fraction(0)] * (2 * purse)
            ratio = lose / found.win
            for k in range(1, 2 * purse):
                at[k] = (ratio**k - ratio ** (2 * purse)) / (1 - ratio ** (2 * purse))
            for k in range(1, 2 * purse):
                assert at[k] == found.win * at[k + 1] + found.push * at[k] + lose * at[k - 1]
            assert at[purse] == chance
    assert [purse for purse, _ in bet("stakes_won").ruin] == list(PURSES_IN_STAKES)


def test_what_cannot_lose_is_no_bet() -> None:
    assert game_as_wager(solved(Case("pig", 1, {"target": 6}), "haste")) is None
