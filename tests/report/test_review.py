"""A play reviewed: choices change what their mover can expect by what they lose, and throws change nothing on average."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import islice
from random import Random

import pytest

from oddsmith.report.policy.review import Review, review_play
from oddsmith.ruleset.binding import bind
from oddsmith.ruleset.model import Setting
from oddsmith.ruleset.play import PlayedMove, played_moves, random_result_picker
from oddsmith.ruleset.rules import Action, Rules, State
from oddsmith.solve.game_solver import solve
from oddsmith.solve.solution import Solution
from tests.cases import Case, Value, ruleset

GAMES = [
    ("shipped-pig", 2, {"target": 6}),
    ("coffers", 2, {"stake": 2, "feast": "everything"}),
    ("craps", 1, {}),
    ("farkle-turn", 1, {"limit": 8}),
    ("rogues-gambit", 2, {"coins_each": 6}),
    ("rogues-gambit", 3, {"coins_each": 4}),
    ("hold-the-pot-turn", 1, {}),
    ("piglet", 2, {"target": 2}),
]


def played(case: Case) -> tuple[Solution, Rules, list[list[PlayedMove]]]:
    solution = solve(case.game)
    rules = Rules(case.game, with_words=True)
    plays = []
    for seed in range(6):
        random = Random(seed)  # noqa: S311

        def choose(_: State, actions: list[Action], random: Random = random) -> int:
            return random.randrange(len(actions))

        plays.append(list(islice(played_moves(rules, choose, random_result_picker(random)), 40)))
    return solution, rules, [play for play in plays if any(move.chance_result for move in play)]


def paths(rules: Rules, play: list[PlayedMove]) -> Iterator[list[PlayedMove]]:
    """Every way in which the last throw of a play could have fallen."""
    last = max(place for place, move in enumerate(play) if move.chance_result is not None)
    before = play[:last]
    state = play[last].state
    for _, thrown in rules.weighted_chance_results(state)[0]:
        yield [*before, PlayedMove(state, thrown, None, rules.resolve(state, thrown))]


@pytest.mark.parametrize(("name", "seats", "parameters"), GAMES)
def test_a_choice_costs_its_mover_what_it_loses_and_luck_is_nothing_on_average(
    name: str, seats: int, parameters: dict[str, Value]
) -> None:
    solution, rules, plays = played(Case(name, seats, parameters))
    sign = solution.solved.arena.objective_sign
    slips = 0
    for play in plays:
        found = review_play(solution, rules, play)
        for move in found.moves:
            if move.loss is not None:
                assert move.loss.exact is not None
                assert move.change[move.seat - 1].exact == -sign * move.loss.exact
                slips += move.loss.exact > 0
                assert bool(move.better) == (move.loss.exact > 0)
        weights, ways = rules.weighted_chance_results(
            next(move.state for move in reversed(play) if move.chance_result is not None)
        )
        ends = [review_play(solution, rules, path).moves[-1].change for path in paths(rules, play)]
        for seat in range(seats):
            mean = sum((weight * end[seat].middle for (weight, _), end in zip(weights, ends, strict=True)), Fraction(0))
            assert mean / ways == 0
    assert slips or not solution.graph.decision_count


def test_what_moves_brought_adds_up_to_the_result_of_every_seat() -> None:
    solution, rules, plays = played(Case("rogues-gambit", 3, {"coins_each": 4}))
    ended = 0
    for play in plays:
        found: Review = review_play(solution, rules, play)
        for seat in (1, 2, 3):
            parts = (
                found.start[seat - 1],
                found.gain_from_luck(seat),
                found.gain_from_own_choices(seat),
                found.gain_from_others_choices(seat),
            )
            assert sum(part.middle for part in parts) == found.end[seat - 1].middle
        if found.over:
            ended += 1
            assert [each.exact for each in found.end] == list(rules.payoffs(play[-1].step.state, "coins"))
    assert ended


def test_a_play_without_a_move_is_worth_what_the_game_is_worth() -> None:
    solution = solve(bind(ruleset("piglet"), Setting(values={"target": 2})))
    found = review_play(solution, Rules(solution.graph.game), [])
    assert found.start == found.end == solution.values
    assert not found.over
