"""Opponents are worth what they are told to be, by other ways of finding it."""

from __future__ import annotations

from fractions import Fraction
from math import inf
from random import Random

import numpy as np

import oddsmith
from oddsmith.report.policy.opponents import opponents_of_game
from oddsmith.ruleset.rules import Action, State
from oddsmith.ruleset.simulation import simulate_games_one_by_one
from oddsmith.solve.policies import policy_rows
from oddsmith.solve.questions.policy_evaluator import RANDOM, PolicyEvaluator
from oddsmith.solve.solution import Solution
from tests.cases import SAMPLES

GAMES = 6000


def piglet() -> Solution:
    return oddsmith.load(SAMPLES / "piglet.yaml").at(target=5).solve().solution


def test_from_the_best_to_the_plainest() -> None:
    solution = oddsmith.load("rogues-gambit").at(seats=2, coins_each=10).solve().solution
    found = opponents_of_game(solution)
    assert [each.kind for each in found] == ["best", "mixture", "mixture", "named", "random"]
    assert found[0].values == solution.values
    for seat in range(2):
        worth = [each.values[seat].middle for each in found if each.kind != "named"]
        assert worth == sorted(worth, reverse=True)
        assert worth[0] > worth[-1]


def test_a_mixture_of_nothing_but_best_play_is_best_play() -> None:
    solution = piglet()
    free = np.where(np.diff(solution.graph.state_rows) > 1, RANDOM, -1)
    follower = PolicyEvaluator(solution)
    for seat in (1, 2):
        assert (
            follower.value_if_alone(free, seat, time_limit=inf, solution_row_probability=Fraction(1))
            == solution.values[seat - 1]
        )
        assert (
            follower.value_if_alone(free, seat, time_limit=inf)
            == follower.values_under({seat: free}, time_limit=inf)[seat - 1]
        )
        exactly, proven = follower.value_if_alone(free, seat, time_limit=inf), follower.value_if_alone(free, seat)
        assert proven.lower <= exactly.lower <= proven.upper < proven.lower + Fraction(1, 10**15)


def test_to_play_in_another_seat_is_to_play_in_seat_1_while_another_begins() -> None:
    solution = oddsmith.load("rogues-gambit").at(seats=3, coins_each=3).solve().solution
    free = np.where(np.diff(solution.graph.state_rows) > 1, RANDOM, -1)
    follower = PolicyEvaluator(solution)
    for best_chance in (Fraction(0), Fraction(1, 2)):
        found = follower.values_in_every_seat(free, best_chance)
        assert len(set(found)) == 3
        for seat in (1, 2, 3):
            one_seat = follower.value_if_alone(free, seat, best_chance)
            assert found[seat - 1].lower <= one_seat.upper, seat
            assert one_seat.lower <= found[seat - 1].upper, seat
            assert found[seat - 1].upper - found[seat - 1].lower < Fraction(1, 10**15)


def test_a_mixture_does_at_the_table_what_it_is_said_to() -> None:
    solution = piglet()
    random = Random(5)  # noqa: S311 - games, not secrets
    for seat in (1, 2):
        expected = next(each for each in opponents_of_game(solution) if each.best_chance == Fraction(1, 2)).values[
            seat - 1
        ]

        def choose(state: State, actions: list[Action], seat: int = seat) -> int:
            number = solution.state_index(state)
            assert number is not None
            if len(actions) > 1 and state.mover == seat - 1 and random.random() < 0.5:
                return random.randrange(len(actions))
            return solution.best_row(number) - int(solution.graph.state_rows[number])

        seats = simulate_games_one_by_one(solution.graph.game, "win", choose, GAMES, 7).payoffs_by_seat
        assert abs(float(expected) - float(seats[seat - 1].mean)) < 4 * seats[seat - 1].standard_error


def test_play_is_valued_in_other_payoffs_too() -> None:
    """Policies that both seats follow bring the same, whatever the solution was for."""
    book = oddsmith.load("rogues-gambit")
    solution = book.at(seats=2, coins_each=8).solve().solution
    win = solution.graph.game.ruleset.payoffs["win"]
    plan = policy_rows(solution.graph, "hold at 20")
    known = book.at(seats=2, coins_each=8, objective="win").solve(policies={1: "hold at 20", 2: "hold at 20"}).solution
    assert PolicyEvaluator(solution, win).values_under({1: plan, 2: plan}, time_limit=inf) == known.values


def test_who_plays_for_something_else_is_told_its_share_of_the_pot_too() -> None:
    book = oddsmith.load(SAMPLES / "pig.yaml")
    solution = book.at(seats=2, objective="points", target=10).solve().solution
    found = opponents_of_game(solution)
    for each in found:
        assert len(each.wins) == 2
        assert all(0 < share.lower <= share.upper < 1 for share in each.wins)
    assert sum(share.middle for share in found[0].wins) == 1
    named = next(each for each in found if each.kind == "named")
    plan = policy_rows(solution.graph, named.policy)
    together = PolicyEvaluator(solution, solution.graph.game.ruleset.payoffs["win"]).values_under(
        {2: plan}, time_limit=inf
    )
    assert named.wins[1].lower <= together[1].lower <= named.wins[1].upper
    assert not any(
        each.wins for each in opponents_of_game(book.at(seats=2, target=10, objective="win").solve().solution)
    )
    coins = oddsmith.load("rogues-gambit").at(seats=2, coins_each=8).solve().solution  # which are staked themselves
    assert not any(each.wins for each in opponents_of_game(coins))
