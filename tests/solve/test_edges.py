"""The edges of 64-bit arithmetic: what lies beyond is refused, and never wraps around into a wrong number."""

from __future__ import annotations

import numpy as np
import pytest

from oddsmith.base.errors import OddsmithError
from oddsmith.base.location import Source
from oddsmith.graph.columns.block import PositionBlock, SourceStates
from oddsmith.graph.explore import Explorer, _TransitionCollector
from oddsmith.ruleset.binding import bind
from oddsmith.ruleset.game import Game
from oddsmith.ruleset.reading.build import read_ruleset
from oddsmith.solve.game_solver import solve
from oddsmith.solve.numbers import FixedPoint

PRIZES = """
dice:
  coin: {faces: [0, 7000000], weights: [1, 4503599627370495]}
state:
  prize: {type: tally, about: Coins won.}
payoffs:
  coins: prize
turn: decide
phases:
  decide:
    choose:
      - {name: Play, then: ready}
      - {name: Stop, do: [add 3000000 to prize], then: end}
  ready:
    choose:
      - {name: Throw, then: throw}
  throw:
    roll: {thrown: coin}
    outcomes:
      - {name: Done, do: [add thrown to prize], then: end}
"""

ROUNDS = """
dice:
  coin: {faces: [0, 1], weights: [9007199254740990, 1]}
state:
  round: {max: 1200, about: Rounds played.}
  prize: {type: tally, about: Coins won.}
payoffs:
  coins: prize
turn: throw
phases:
  throw:
    roll: {thrown: coin}
    outcomes:
      - {name: Done, do: [add thrown to prize, add 1 to round], then: pass}
end_when: round >= 1200
"""

LAID_ANEW = """
lists:
  spots: [1, 2]
state:
  laid: {each: spots, start: {1: 2, 2: 1}, max: 3, resets: turn, about: Laid out anew.}
  marks: {each: spots, max: 2, about: Marks.}
  round: {max: 4, about: Rounds.}
  won: {type: tally, about: Won.}
payoffs:
  coins: won
turn: throw
phases:
  throw:
    roll: {die: d2}
    outcomes:
      - name: Full
        when: marks[die] == 2
        do: add 1 to round
        then: pass
      - name: Hit
        do:
          - add 1 to marks[die]
          - add 1 to round
        then: look
  look:
    roll: {coin: d2}
    outcomes:
      - name: Same
        when: laid[1] == marks[1] or laid[2] == marks[2]
        do: add 1 to won
      - name: Other
    then: pass
end_when: round >= 4
"""


def game_of(body: str) -> Game:
    """A game of one seat from the keys that matter."""
    head = "format: 1\nid: made\ntitle: Made\nsummary: Made for a test.\nseats: 1\n"
    return bind(read_ruleset(Source("made.yaml", head + body))[0])


def test_large_values_over_large_denominators_are_refused() -> None:
    """Playing on is worth 7,000,000 coins but for a chance below 10^-15, and stopping 3,000,000."""
    with pytest.raises(OddsmithError, match="cannot be solved together"):
        solve(game_of(PRIZES))
    assert float(solve(game_of(PRIZES.replace("4503599627370495", "4503599627"))).values[0]) > 6_999_990


def test_bounds_over_large_denominators_are_refused_before_they_turn_over() -> None:
    with pytest.raises(OddsmithError, match="cannot be solved together"):
        solve(game_of(ROUNDS))
    (bounds,) = solve(game_of(ROUNDS.replace("1200", "100"))).solved.bounds.state_numbers(0)
    assert bounds.lower <= bounds.upper


def test_members_that_are_reset_unlike_are_told_apart() -> None:
    game = game_of(LAID_ANEW)
    assert solve(game).values == solve(game, merge_symmetric_states=False).values


def test_floats_of_small_numbers_are_right_to_their_own_precision() -> None:
    """A value of 2^-70 counts where all payoffs of a game are as small."""
    point = FixedPoint.of(256, 2**46)
    held = np.array([point.limbs_of_units(1 << (point.binary_places - 70))]).T
    assert point.to_floats(held)[0] == 2.0**-70


def test_rows_stay_in_order_where_a_state_has_very_many_actions() -> None:
    explorer, edges = Explorer(game_of(PRIZES), "coins"), _TransitionCollector()
    edges.payoff_index((explorer.game.start[0],))
    cells = np.zeros((1, 65_536), dtype=np.int64)
    for place in (0, 40_000):
        rows = np.array([0, 65_535])
        base, ones = SourceStates(explorer.codec, cells), np.ones(2, dtype=np.int64)
        block = PositionBlock("", 0, base, rows, (0,), {}, ones, action=place, action_index=place)
        edges.add(block, rows, np.array([place, place + 1]), np.zeros(2, dtype=np.int64))
    edges.merge_chunk()
    assert edges.action.join().tolist() == [0, 40_000, 0, 40_000]
    assert edges.target.join().tolist() == [0, 40_000, 1, 40_001]
