"""What only grows or only falls is found in the rules: variables, sums, and phases that are over for good."""

from __future__ import annotations

import pytest

import oddsmith
from oddsmith.graph import Explorer
from oddsmith.graph.columns.stages import FALLS, GROWS, find_stages
from oddsmith.solve.stages import stagewise
from tests.solve.test_stages import ROUND, TWO_POTS, UR, meet


@pytest.mark.parametrize(
    ("name", "seats", "ways", "out"),
    [
        ("pig", 2, {"score": GROWS}, False),
        ("dragons-hoard", 1, {"out": GROWS, "rounds_left": FALLS}, False),
        ("burglar-and-the-dragon", 3, {"rounds_left": FALLS, "hoard": FALLS, "coffer": FALLS, "purse": FALLS}, True),
        (UR, 2, {"done": GROWS}, False),
        ("chip-passing", 4, {"chips": FALLS}, False),
        (ROUND, 3, {"coins": FALLS, "centre": GROWS}, False),
    ],
)
def test_what_only_grows_is_found_in_the_rules(name: str, seats: int, ways: dict[str, int], out: bool) -> None:
    game = oddsmith.load(name).game(seats)
    stages = find_stages(Explorer(game, next(iter(game.ruleset.payoffs))).codec)
    assert stages is not None
    assert (stages.ways, stages.out) == (ways, out)


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
    ],
)
def test_an_effect_leaves_the_ways_that_its_range_proves(effect: str, way: int | None) -> None:
    game = oddsmith.loads(RULES.format(effect=effect, kind="")).game()
    stages = find_stages(Explorer(game, "points").codec)
    assert stages is not None
    assert stages.ways.get("number") == way


def test_a_phase_that_is_over_for_good_is_a_stage() -> None:
    book = oddsmith.load(TWO_POTS)
    codec = Explorer(book.game(), "points").codec
    stages = find_stages(codec)
    assert stages is not None
    assert str(stages) == "phases that are over for good"
    places = dict(zip(codec.phases, stages.phases, strict=True))
    assert places["fill"] == places["first"] < places["pour"] == places["second"]
    assert stages.most == 1


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
    monkeypatch.setattr(stagewise, "LEAST_PART", 1)
    book = oddsmith.loads(LEAVE)
    whole, staged = book.solve(), book.by_stages(digits=30)
    assert staged.how == "what only falls: left; seats that are out stay out"
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
    stages = find_stages(Explorer(book.game(), "win").codec)
    assert stages is not None
    assert str(stages) == "what only falls: tokens + heap"
    whole, staged = book.solve(), book.by_stages(digits=30)
    assert len(staged.told) == 6
    assert staged.states == whole.solution.graph.states
    assert all(meet(one, two) for one, two in zip(staged.values, whole.values, strict=True))
    # All of a stage may lead to one another, whoever has the tokens.
    keys = whole.solution.graph.keys
    for stage in set(stages.of(keys).tolist()):
        assert len(set(stages.parts(keys[:, stages.of(keys) == stage]).tolist())) == 1


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
    stages = find_stages(Explorer(oddsmith.loads(TRADE.replace("LOSE", lose)).game(), "win").codec)
    assert (stages and stages.ways) == (way and {"tokens": way, "heap": way})
