"""Any legal option of a position, taken without a look at all of them."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

import oddsmith
from oddsmith.base.errors import PlayError
from oddsmith.ruleset import Action, Rules, played_moves, random_result_picker

BOXES = """\
format: 1
id: boxes
title: Boxes
summary: One player opens boxes, of which some are locked.
seats: 1
state:
  opened: {max: 9}
payoffs:
  sum: opened
turn: go
phases:
  go:
    choose:
      - name: Open
        for: {box: "span(1, 9)"}
        when: box % 3 == 0
        do: set opened to box
        then: end
      - name: Look
        when: opened > 0
        then: end
      - {name: Leave, then: end}
"""


def chance(seed: int) -> Random:
    return Random(seed)  # noqa: S311 - no secret


def test_each_legal_option_is_as_likely() -> None:
    rules, random = Rules(oddsmith.loads(BOXES).game), chance(5)
    taken = Counter(rules.random_legal_action(rules.start(), random) for _ in range(4_000))
    assert set(taken) == set(rules.actions(rules.start()))
    assert len(taken) == 4, "three boxes, and to leave"
    assert all(850 < times < 1_150 for times in taken.values()), taken


def test_a_game_is_played_by_any_of_them() -> None:
    rules = Rules(oddsmith.loads(BOXES).game)
    first = [next(played_moves(rules, chance(seed), random_result_picker(chance(seed)))).action for seed in range(50)]
    assert {action.name for action in first if isinstance(action, Action)} == {"Open", "Leave"}


def test_no_legal_option_is_told_as_by_the_list() -> None:
    text = BOXES.replace("      - {name: Leave, then: end}\n", "").replace("box % 3 == 0", "box > 9")
    rules = Rules(oddsmith.loads(text).game)
    with pytest.raises(PlayError) as listed:
        rules.actions(rules.start())
    with pytest.raises(PlayError) as taken:
        rules.random_legal_action(rules.start(), chance(1))
    assert str(taken.value) == str(listed.value)
