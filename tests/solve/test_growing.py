"""What only grows or only falls is found in the rules: variables, sums, and phases that are over for good."""

from __future__ import annotations

from typing import Any

import pytest

import oddsmith
from oddsmith.graph.explore import Explorer
from oddsmith.solve.game_solver import solve
from oddsmith.solve.staged import by_component as stagewise
from oddsmith.solve.staged.find import FALLS, GROWS, find_stages
from oddsmith.solve.staged.staged import solve_by_stages
from tests.solve.test_kinds import game_of
from tests.solve.test_stages import ROUND, TWO_POTS, UR, meet
from tests.staged import by_stages


@pytest.mark.parametrize(
    ("name", "seats", "settings", "ways", "out"),
    [
        ("pig", 2, {}, {"score": GROWS}, False),
        ("dragons-hoard", 1, {}, {"rounds_left": FALLS, "to_come": FALLS}, False),  # of one hero, nobody is to come
        ("burglar-and-the-dragon", 3, {}, {}, True),  # without rounds, and nothing leaves the board
        ("burglar-and-the-dragon", 3, {"rounds": 5}, {"rounds_left": FALLS}, True),
        ("burglar-and-the-dragon", 3, {"four": "owner"}, {"hoard": FALLS, "coffer": FALLS, "purse": FALLS}, True),
        (UR, 2, {}, {"done": GROWS}, False),
        ("chip-passing", 4, {}, {"chips": FALLS}, False),
        (ROUND, 3, {}, {"coins": FALLS, "centre": GROWS}, False),
    ],
)
def test_what_only_grows_is_found_in_the_rules(
    name: str, seats: int, settings: dict[str, Any], ways: dict[str, int], out: bool
) -> None:
    game = oddsmith.load(name).at(seats, **settings).game
    stages = find_stages(Explorer(game, next(iter(game.ruleset.payoffs))).codec)
    assert stages is not None
    assert (stages.direction_by_variable, stages.counts_eliminated_seats) == (ways, out)


RULES = """
format: 1
id: counter
title: Counter
summary: A number that moves in some way.
seats: 1
state:
  left: {{start: 3, max: 3}}
  number: {{start: 2, max: 4{kind}}}
payoffs:
  points: number
turn: choose
phases:
  choose:
    choose:
      - name: Go on
        do:
          - add -1 to left
          - {effect}
        then: choose
      - name: Stop
        then: end
end_when: left == 0
"""


@pytest.mark.parametrize(
    ("effect", "way"),
    [
        ("add left - left to number", None),  # its range alone does not say that this is 0
        ("set number to 4", GROWS),
        ("set number to 0", FALLS),
        ("set number to 3", None),
        ("add 1 if left > 1 else 0 to number", GROWS),
        ("add 1 if left > 1 else -1 to number", None),
        ("move 1 from number to left", FALLS),
        ("move 1 from left to number", GROWS),
        ("set number to number + left", GROWS),
        ("set number to number - left", FALLS),
        ("set number to min(number + left, 4)", GROWS),
        ("set number to min(number + left, 3)", None),
        ("set number to max(number - left, 0)", FALLS),
        ("set number to number - 1 if number > 2 else 0", FALLS),
        ("set number to 2 * number", None),
    ],
)
def test_an_effect_leaves_the_ways_that_its_range_proves(effect: str, way: int | None) -> None:
    game = oddsmith.loads(RULES.format(effect=effect, kind="")).game
    stages = find_stages(Explorer(game, "points").codec)
    assert stages is not None
    assert stages.direction_by_variable.get("number") == way


RACE = """
state:
  score: {each: seat, max: 15}
  pot: {max: 30}
payoffs:
  win: share(score)
turn: throw
phases:
  throw:
    roll: {die: 2d6}
    outcomes:
      - name: Bust
        when: 1 in die
        do: set pot to 0
        then: pass
      - name: Score
        do: EFFECT
        then: pass
end_when: score[mover] == 15
"""


@pytest.mark.parametrize(
    ("effect", "found"),
    [
        ("add min(sum(die), 15 - score) to score", True),
        ("set score to min(score + sum(die), 15)", True),
        ("set score to min(score + sum(die), 14)", False),
        ("['set pot to sum(die) - 1', 'add min(pot, 15 - score) to score']", True),
        ("add min(sum(die) - 2, 15 - score) to score", True),
        ("add min(sum(die) - 3, 15 - score) to score", False),
    ],
)
def test_what_was_rolled_is_known_where_it_is_written(effect: str, found: bool) -> None:
    stages = find_stages(Explorer(game_of(RACE.replace("EFFECT", effect)), "win").codec)
    assert (stages is not None and stages.direction_by_variable == {"score": GROWS}) == found


def test_a_phase_that_is_over_for_good_is_a_stage() -> None:
    book = oddsmith.load(TWO_POTS)
    codec = Explorer(book.game, "points").codec
    stages = find_stages(codec)
    assert stages is not None
    assert str(stages) == "phases that are over for good"
    places = dict(zip(codec.phases, stages.phase_ranks, strict=True))
    assert places["fill"] == places["first"] < places["pour"] == places["second"]
    assert max(stages.phase_ranks) == 1


LEAVE = """
format: 1
id: leave
title: Leave
summary: Whoever rolls a one is out, and the next one begins a turn.
seats: 3
state:
  pot: {max: 2}
  left: {start: 3, max: 3}
payoffs:
  points: pot
turn: first
phases:
  first:
    choose:
      - {name: Stay, when: left > 0, do: [set pot to 1, add -1 to left], then: pass}
      - {name: Stop, do: [set pot to 2], then: second}
  second:
    roll: {die: d3}
    outcomes:
      - {name: Bust, when: die == 1, do: [drop out], then: second}
      - {name: End, when: die == 2, then: end}
      - {name: Again, do: [set pot to 0], then: second}
"""


def test_where_a_player_may_go_out_any_phase_may_lead_to_the_next_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    """So it is not over for good, nor are positions of one stage apart by their phases."""
    monkeypatch.setattr(stagewise, "MIN_PART", 1)
    book = oddsmith.loads(LEAVE)
    whole, staged = book.solve(), by_stages(book, digits=30)
    assert staged.staged.stages_in_words == "what only falls: left; seats that are out stay out"
    assert all(meet(one, two) for one, two in zip(staged.values, whole.values, strict=True))


TRADE = """
format: 1
id: trade
title: Trade
summary: Two players pass tokens on, and some are lost.
seats: 2
state:
  tokens: {each: seat, start: 3, max: 6}
  heap: {max: 6}
payoffs:
  win: share(tokens)
turn: roll
phases:
  roll:
    roll: {die: d6}
    outcomes:
      - {name: Lost, when: die == 1 and tokens > 0, do: ["LOSE"], then: pass}
      - {name: Given, when: die <= 3, do: ["move 1 from tokens to tokens[next]"], then: pass}
      - {name: Laid down, when: die == 4, do: [move 2 from tokens to heap], then: pass}
      - {name: Taken, then: choose}
  choose:
    choose:
      - {name: Take, do: [move 1 from heap to tokens], then: pass}
      - {name: Leave, do: ["move 1 from tokens to tokens[next]"], then: pass}
end_when: sum(tokens[s] for s in table) + heap == 0
"""


def test_a_sum_may_fall_where_nothing_in_it_does() -> None:
    book = oddsmith.loads(TRADE.replace("LOSE", "add -1 to tokens"))
    stages = find_stages(Explorer(book.game, "win").codec)
    assert stages is not None
    assert str(stages) == "what only falls: tokens + heap"
    whole, staged = book.solve(), by_stages(book, digits=30)
    assert len(staged.staged.summaries) == 6
    assert staged.state_count == whole.solution.graph.state_count
    assert all(meet(one, two) for one, two in zip(staged.values, whole.values, strict=True))
    # All of a stage may lead to one another, whoever has the tokens.
    keys = whole.solution.graph.keys
    for stage in set(stages.stages_of(keys).tolist()):
        assert len(set(stages.part_numbers(keys[:, stages.stages_of(keys) == stage]).tolist())) == 1


@pytest.mark.parametrize(
    ("lose", "way"),
    [
        ("add min(tokens, 2) - 3 to tokens", FALLS),
        ("set tokens to 6", GROWS),
        ("add tokens - 2 to tokens", None),
        ("set tokens to 5", None),
    ],
)
def test_a_sum_goes_the_way_that_all_other_effects_leave(lose: str, way: int | None) -> None:
    stages = find_stages(Explorer(oddsmith.loads(TRADE.replace("LOSE", lose)).game, "win").codec)
    assert (stages and stages.direction_by_variable) == (way and {"tokens": way, "heap": way})


HEAP = """\
state:
  heap: {start: 9, max: 9}
  taken: {type: tally, each: seat}
payoffs:
  coins: taken
turn: take
phases:
  take:
    choose:
      - {name: Take one, do: [add -1 to heap, add 1 to taken], then: pass}
      - {name: Roll, when: heap > 1, then: throw}
  throw:
    roll: {die: d3}
    do: ["add min(sum(die), heap)LOST to taken", "add -min(sum(die), heap) to heap"]
    then: pass
end_when: heap == 0
"""


@pytest.mark.parametrize(("lost", "kind"), [("", "zero-sum"), (" - 1", "symmetric"), (" - heap % 2", "symmetric")])
def test_what_two_players_get_together_may_be_the_same_though_they_are_paid_on_the_way(lost: str, kind: str) -> None:
    game = game_of(HEAP.replace("LOST", lost))
    whole, staged = solve(game), solve_by_stages(game)
    assert (whole.kind, staged.kind) == (kind, kind)
    assert all(map(meet, staged.values, whole.values))


DEFAULT = """
state:
  best: {max: 3}
  coins: {max: 30}
payoffs: {points: coins}
turn: throw
phases:
  throw:
    roll: {hand: 2d3}
    do:
      - EFFECT
      - set coins to min(30, coins + 1)
    then: decide
  decide:
    choose:
      - {name: Stop, then: end}
      - {name: Go, when: coins < 9, then: throw}
"""


@pytest.mark.parametrize(
    "effect",
    [
        "set best to max((f for f in hand if f > 1), default=best)",
        "set best to min((f for f in hand if f > 1), default=best)",
        "add min((f for f in hand if f > 1), default=best) - best to best",
        "set best to max(hand, default=best)",
    ],
)
def test_what_is_taken_where_a_list_is_empty_bounds_nothing(effect: str) -> None:
    game = game_of(DEFAULT.replace("EFFECT", effect), 1)
    stages = find_stages(Explorer(game, "points").codec)
    assert stages is not None
    assert stages.direction_by_variable == {"coins": GROWS}
    assert meet(solve_by_stages(game).values[0], solve(game).values[0])


TABLE = """
state:
  purse: {each: seat, max: 2}
  coins: {start: 2, max: 5}
payoffs: {points: share(purse)}
turn: throw
phases:
  throw:
    roll: {die: d3}
    outcomes:
      - name: Two
        when: purse[table] == [0, 2]
        do:
          - for: others
            do: add 1 if purse[table] == [0, 2] else -1 to coins
        then: decide
      - {name: Set, do: set purse to die - 1, then: decide}
  decide:
    choose:
      - {name: Stop, when: coins != 3, then: end}
      - {name: Go, when: coins > 0, then: pass}
"""


def test_the_table_begins_with_another_seat_in_a_loop_over_seats() -> None:
    assert find_stages(Explorer(game_of(TABLE), "points").codec) is None
