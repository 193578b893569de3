"""One game as a transcript: what it holds, and that nothing but the seed and the chooser decides it."""

from __future__ import annotations

from math import inf
from random import Random

import pytest

from oddsmith.base.errors import EndlessPlayError
from oddsmith.base.location import Source
from oddsmith.ruleset import simulation
from oddsmith.ruleset.binding import bind
from oddsmith.ruleset.game import Game
from oddsmith.ruleset.model import Setting
from oddsmith.ruleset.play import Choose
from oddsmith.ruleset.reading.build import read_ruleset
from oddsmith.ruleset.rules import Action, Rules, State
from oddsmith.ruleset.simulation import GameSimulator, PlayedGame, simulate_games_one_by_one, simulate_one_game
from tests.cases import Case, ruleset, smallest


def at_random(seed: str) -> Choose:
    random = Random(seed)  # noqa: S311
    return lambda state, actions: random.randrange(len(actions))


def game_played(case: Case, seed: str) -> PlayedGame:
    return simulate_one_game(Rules(case.game), at_random(seed), Random(seed))  # noqa: S311


@pytest.mark.parametrize("case", smallest(), ids=str)
def test_a_transcript_is_a_chain_of_positions(case: Case) -> None:
    rules = Rules(case.game)
    for seed in map(str, range(20)):
        found = game_played(case, seed)
        state = rules.start()
        for move in found.moves:
            assert move.state == state
            assert (move.chance_result is None) != (move.action is None)
            if move.chance_result is not None:
                assert rules.resolve(state, move.chance_result) == move.step
                assert move.chance_result in [thrown for _, thrown in rules.weighted_chance_results(state)[0]]
            if move.action is not None:
                assert move.action in rules.actions(state)
            state = move.step.state
        assert found.end == state
        assert state.phase == ""
        assert found.turn_count == sum(move.step.turn_over for move in found.moves) >= 1


@pytest.mark.parametrize("case", smallest(), ids=str)
def test_what_is_remembered_changes_nothing(case: Case) -> None:
    player = GameSimulator(Rules(case.game))
    for seed in map(str, range(15)):
        assert player.play(at_random(seed), Random(seed)) == game_played(case, seed)  # noqa: S311


def test_memory_is_given_back(monkeypatch: pytest.MonkeyPatch) -> None:
    game = bind(ruleset("pig"), Setting(2))
    whole = simulate_games_one_by_one(game, "win", at_random("x"), 60, 1)
    monkeypatch.setattr(simulation, "MAX_CACHED_POSITIONS", 10)
    assert simulate_games_one_by_one(game, "win", at_random("x"), 60, 1) == whole


def test_throwing_no_die_is_no_roll() -> None:
    """A player of left, centre, right without coins throws nothing, and the turn counts all the same."""
    game = bind(ruleset("left-centre-right"), Setting(3, values={"coins_each": 1}))
    found = [simulate_one_game(Rules(game), at_random(seed), Random(seed)) for seed in map(str, range(30))]  # noqa: S311
    assert any(one.roll_count < one.turn_count for one in found)
    assert all(one.roll_count <= one.turn_count for one in found)


def test_a_draw_is_no_roll_of_dice() -> None:
    game = bind(ruleset("marbles"))
    for seed in map(str, range(20)):
        found = simulate_one_game(Rules(game), at_random(seed), Random(seed))  # noqa: S311
        dips = [move for move in found.moves if move.state.phase == "dip"]
        peeks = [move for move in found.moves if move.state.phase == "peek"]
        assert all(move.rolled_dice for move in dips)
        assert not any(move.rolled_dice for move in peeks)


def endless() -> Game:
    text = """\
format: 1
id: endless
title: Endless
summary: One can wait for ever.
seats: 1
state: {}
payoffs: {win: 1}
turn: wait
phases:
  wait:
    choose:
      - {name: Wait, then: again}
      - {name: Stop, then: end}
"""
    return bind(read_ruleset(Source("endless.yaml", text))[0])


def first(state: State, actions: list[Action]) -> int:
    return 0


def test_a_game_that_goes_round_in_circles_is_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(simulation, "MAX_MOVES", 1_000)
    with pytest.raises(EndlessPlayError, match="1,000 moves"):
        simulate_one_game(Rules(endless()), first, Random(1))  # noqa: S311
    with pytest.raises(EndlessPlayError, match="the phase wait"):
        simulate_games_one_by_one(endless(), "win", first, 1, 1)


def test_one_game_has_no_standard_error() -> None:
    result = simulate_games_one_by_one(endless(), "win", lambda state, actions: 1, 1, 1)
    assert result.payoffs_by_seat[0].mean == 1
    assert result.payoffs_by_seat[0].standard_error == inf
    assert (
        simulate_games_one_by_one(endless(), "win", lambda state, actions: 1, 3, 1).payoffs_by_seat[0].standard_error
        == 0
    )
