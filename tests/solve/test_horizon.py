"""Games that are stopped after some turns: against every way of playing them, and against the whole game."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from pathlib import Path

import pytest

import oddsmith
from oddsmith.base.errors import HorizonError
from oddsmith.base.exact import Number
from oddsmith.ruleset.binding import bind
from oddsmith.ruleset.model import Setting
from oddsmith.ruleset.reading.build import load_ruleset
from oddsmith.solve.game_solver import solve
from oddsmith.solve.questions.distribution import distribution
from oddsmith.solve.questions.horizon import Horizon, horizon
from tests.cases import RULESETS, Case, ruleset, solved
from tests.simulate.test_agreement import follow
from tests.solve.playing_out import stopped

PIG = Case("pig", 2, {"target": 6})
GAMBIT = Case("rogues-gambit", 2, {"coins_each": 4})


def exact(values: tuple[Number, ...]) -> tuple[Fraction | None, ...]:
    return tuple(value.exact for value in values)


@pytest.mark.parametrize(
    ("case", "objective", "turns"),
    [
        (PIG, "win", 1), (PIG, "win", 4), (Case("pig", 3, {"target": 6}), "win", 4), (PIG, "points", 3), (GAMBIT, "win", 3),
        (Case("piglet", 2, {"target": 3, "on_tails": "keep"}), "win", 6), (Case("marbles", 2), "win", 3),
        (Case("round-table", 3, {"enough": 2}), "win", 4),
    ],
    ids=str,
)  # fmt: skip
def test_values_are_those_of_every_play(case: Case, objective: str, turns: int) -> None:
    """Games that pay at their end, as the solution plays and as each mover plays best for that many turns."""
    solution = solved(case, objective)
    found = horizon(solution, turns)
    assert exact(found.policy_values) == stopped(case.game, objective, turns, follow(solution))
    assert exact(found.best_values) == stopped(case.game, objective, turns)


TAKING = """
format: 1
id: taking
title: Taking
summary: Take coins from a hoard.
seats: 1
state:
  hoard: {start: 6, max: 6}
  purse: {each: seat, start: 1, max: 7}
payoffs: {coins: purse}
turn: decide
phases:
  decide:
    choose:
      - {name: Take, do: move 2 from hoard to purse, then: pass}
      - {name: Wait, do: move 1 from hoard to supply, then: pass}
end_when: hoard == 0
"""
GREEDY = "policies: {greedy: {decide: [{option: Wait, when: purse > 3}, {option: Take}]}}\n"


@pytest.mark.parametrize(
    "text",
    [
        TAKING,
        TAKING + GREEDY,
        TAKING.replace("hoard == 0", "hoard == 0 or purse == 6 and hoard == 4"),
        TAKING.replace("purse: {each: seat, start: 1, max: 7}", "purse: {each: seat, start: 1, type: tally}").replace(
            "move 2 from hoard to purse", "[move 2 from hoard to supply, add 2 to purse]"
        ),
    ],
    ids=["counted on the way", "read by a policy", "read by the end", "a tally"],
)
def test_what_a_seat_has_does_not_depend_on_who_else_reads_it(text: str) -> None:
    """A variable that only adds up a payoff is left out of positions; one that a policy reads is not."""
    assert exact(oddsmith.loads(text).solve().horizon(2).best_values) == (Fraction(5),)


def test_coins_that_are_pocketed_on_the_way_count() -> None:
    """What is in a purse when the game is stopped is there, and more turns bring more."""
    solution = solved(GAMBIT, "coins")
    shown = [horizon(solution, turns) for turns in (1, 2, 3, 60)]
    for before, after in pairwise(shown):
        assert [
            a.lower < b.lower or a == b for a, b in zip(before.policy_values, after.policy_values, strict=True)
        ] == [True, True]
    assert shown[0].policy_values[1].exact == shown[0].best_values[1].exact == 0
    for value, late in zip(solution.values, shown[-1].policy_values, strict=True):
        assert 0 < value.middle - late.middle < Fraction(1, 10**9)


def test_the_first_turn_is_worth_what_can_be_grabbed_in_it(tmp_path: Path) -> None:
    """In the last turn nothing is kept from the other, so the best play of one turn is that of a game of one turn."""
    path = tmp_path / "one-turn.yaml"
    text = (RULESETS / "rogues-gambit.yaml").read_text("utf-8")
    assert text.count("then: pass") == 3
    path.write_text(text.replace("then: pass", "then: end"), "utf-8")
    alone = solve(bind(load_ruleset(path)[0], Setting(2, values={"coins_each": 8})), "coins")
    found = horizon(solved(Case("rogues-gambit", 2, {"coins_each": 8}), "coins"), 1)
    assert exact(found.best_values) == exact(alone.values)
    assert exact(horizon(alone, 1).best_values) == exact(horizon(alone, 5).policy_values) == exact(alone.values)


def test_who_has_won_by_a_turn_is_who_is_through_by_then() -> None:
    solution = solved(PIG, "win")
    for turns in (1, 3, 8):
        won = sum((value.exact or Fraction(0) for value in horizon(solution, turns).policy_values), Fraction(0))
        assert won == distribution(solution, "turns").at_most(turns).exact


def test_play_that_depends_on_the_seat() -> None:
    """One seat holds at 20 and keeps to it; the other makes the most of the turns that are left."""
    game = bind(ruleset("rogues-gambit"), Setting(2, values={"coins_each": 10}))
    solution = solve(game, "coins", {2: "hold at 20"})
    whole: Horizon = horizon(solution, 50)
    for value, late in zip(solution.values, whole.policy_values, strict=True):
        assert abs(value.middle - late.middle) < Fraction(1, 10**6)
    two = horizon(solution, 2)
    assert two.best_values[1].lower >= 0
    assert two.best_values[0].lower >= two.policy_values[0].lower
    both = solve(game, "coins", {1: "hold at 20", 2: "hold at 20"})
    assert horizon(both, 3).policy_values == horizon(both, 3).best_values, "nobody is free to do better"


def test_a_turn_that_goes_round_is_solved() -> None:
    """Craps is one turn, in which the shooter throws until it is decided."""
    solution = solved(Case("craps", 1), "win")
    assert exact(horizon(solution, 1).policy_values) == exact(horizon(solution, 3).best_values) == (Fraction(244, 495),)


def test_what_has_no_answer_is_said() -> None:
    with pytest.raises(HorizonError, match="at least one turn"):
        horizon(solved(PIG, "win"), 0)
    mixed = solve(
        bind(ruleset("rogues-gambit"), Setting(4, values={"coins_each": 15, "full_belly": "pocketed"})),
        "coins",
        same_for_all_seats=True,
    )
    with pytest.raises(HorizonError, match="mix actions"):
        horizon(mixed, 3)
