"""Turns that may leave the sheet as it was, where actions are worth the same: what is told is that of the whole game."""

from __future__ import annotations

import pytest

from oddsmith.base.errors import PlayError
from oddsmith.ruleset.game import Game
from oddsmith.solve.game_solver import solve
from oddsmith.solve.questions.distribution import distribution
from oddsmith.solve.questions.measure import expected_lengths
from oddsmith.solve.staged.distribution import best_play
from oddsmith.solve.staged.staged import load_by_stages, solve_by_stages
from tests.solve.test_kinds import game_of
from tests.solve.test_stages import MemoryStore, meet

WRITE = """\
state:
  pot: {max: 1, resets: turn}
  charm: {type: flag, each: seat, start: true if seat == mover else false}
  score: {each: seat, max: 1}
payoffs: {win: share(score)}
turn: throw
phases:
  throw:
    roll: {die: d10}
    do: set pot to 1 if die == 1 else 0
    then: write
  write:
    choose:
      - {name: First, FIRST, then: close}
      - {name: Second, SECOND, then: close}
  close:
    cases:
      - {name: Over, when: score == 1, then: end}
      - {name: Next, then: pass}
"""
SCORE = "do: ['add min(pot, 1 - score) to score']"
CHARM = "when: charm, do: [set charm to false, 'add min(pot, 1 - score) to score']"
IDLE = "say: Nothing"
AGAIN = """\
state:
  pot: {max: 2, resets: turn}
  score: {max: 1, each: seat}
  cup: {max: 2}
payoffs: {win: WORTH}
turn: throw
phases:
  throw:
    roll: {die: d3}
    outcomes:
      - {name: Bust, when: die == 1, do: set pot to 0, then: write}
      - {name: Safe, do: add 1 to pot, then: decide}
  decide:
    choose:
      - {name: Roll again, when: pot < 2, then: throw}
      - {name: Stop, then: write}
  write:
    choose:
      - {name: Write, do: ["add min(pot, 2 - cup) to cup"], then: close}
  close:
    cases:
      - {name: Over, when: cup == 2, then: end}
      - {name: Next, then: pass}
"""


def written(first: str, second: str, value: str = "share(score)") -> Game:
    """A game in which a 1 may be written."""
    return game_of(WRITE.replace("FIRST", first).replace("SECOND", second).replace("share(score)", value))


@pytest.mark.parametrize(
    "game",
    [
        written(CHARM, SCORE),  # what is as good comes back more often
        written(SCORE, CHARM),
        written(IDLE, SCORE, "share(0)"),  # to do nothing is as good as anything
        written(SCORE, IDLE, "share(0)"),
        game_of(AGAIN.replace("WORTH", "share(0) / 3")),
        game_of(AGAIN.replace("WORTH", "share(score)")),
    ],
)
def test_of_actions_that_are_as_good_the_first_is_taken_everywhere(game: Game) -> None:
    whole, staged = solve(game), solve_by_stages(game)
    assert all(map(meet, staged.values, whole.values))
    mean = distribution(best_play(staged), "turns").mean
    assert mean is not None
    assert meet(staged.mean_turns, mean)
    assert meet(mean, expected_lengths(whole)["turns"])


def test_what_turns_in_columns_do_not_settle_is_kept_as_it_was_solved() -> None:
    game, store = written(IDLE, SCORE, "share(0)"), MemoryStore()
    first = solve_by_stages(game, store=store)
    assert "same" not in first.stages_in_words
    found = load_by_stages(game, None, store)
    assert found is not None
    assert (found.stages_in_words, found.values) == (first.stages_in_words, first.values)
    assert solve_by_stages(game, digits=20, store=store).stages_in_words == first.stages_in_words


def test_a_rule_that_breaks_within_a_turn_is_told_at_its_line() -> None:
    with pytest.raises(PlayError, match="pot would become ") as broken:
        solve_by_stages(
            game_of(WRITE.replace("1 if die == 1 else 0", "sum(die)").replace("FIRST", SCORE).replace("SECOND", IDLE))
        )
    assert broken.value.play


def test_a_game_that_nobody_can_end_is_told_as_when_it_is_solved_whole() -> None:
    rules = AGAIN.replace("WORTH", "share(0)").replace("then: end", "then: pass")
    told = []
    for each in (solve, solve_by_stages):
        with pytest.raises(PlayError) as endless:
            each(game_of(rules))
        told.append(endless.value.problem)
    assert told[0].code == "OD541"
    assert (told[0].code, told[0].location) == (told[1].code, told[1].location)
