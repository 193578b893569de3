"""Several things drawn at once are a list: its chances are those of combinatorics, counted card by card."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations
from pathlib import Path

import pytest

import oddsmith

GAME = """
format: 1
id: deal
title: Deal
summary: Deal once.
seats: 1
lists:
  ranks: span(2, 6)
  colours: [red, black]
state:
  deck: {{each: ranks, start: 3, max: 3}}
  bag: {{each: colours, start: 4, max: 4}}
  worth: {{max: 99}}
payoffs: {{worth: worth}}
turn: deal
phases:
  deal:
    draw: {draw}
    do: set worth to {worth}
    then: end
"""

DECK = [rank for rank in range(2, 7) for _ in range(3)]


def solved(tmp_path: Path, worth: str, draw: str = "{hand: 3 of deck}") -> Fraction:
    path = tmp_path / "deal.yaml"
    path.write_text(GAME.format(worth=worth, draw=draw), "utf-8")
    value = oddsmith.load(path).solve().values[0].exact
    assert value is not None
    return value


def runs(hand: list[int]) -> bool:
    return any({start, start + 1, start + 2} <= set(hand) for start in hand)


@pytest.mark.parametrize(
    ("worth", "counted"),
    [
        ("sum(hand)", sum),
        ("rank(hand, 1) * 10 + rank(hand, 3)", lambda hand: max(hand) * 10 + min(hand)),
        ("size(distinct(hand))", lambda hand: len(set(hand))),
        ("count(hand, 6)", lambda hand: hand.count(6)),
        ("1 if all_equal(hand) else 0", lambda hand: int(len(set(hand)) == 1)),
        ("1 if has_run(hand, 3) else 0", lambda hand: int(runs(hand))),
        ("1 if hand == [2, 2, 5] else 0", lambda hand: int(sorted(hand) == [2, 2, 5])),
        ("max(count(hand, face) for face in hand)", lambda hand: max(map(hand.count, hand))),
        (
            "sum(face for face in hand if face > 3) + deck[6]",
            lambda hand: sum(f for f in hand if f > 3) + 3 - hand.count(6),
        ),
    ],
)
def test_a_hand_has_the_chances_of_all_hands(tmp_path: Path, worth: str, counted: object) -> None:
    hands = [[DECK[place] for place in places] for places in combinations(range(len(DECK)), 3)]
    assert callable(counted)
    assert solved(tmp_path, worth) == Fraction(sum(counted(hand) for hand in hands), len(hands))


def test_words_are_drawn_too(tmp_path: Path) -> None:
    assert solved(tmp_path, "count(drawn, red)", "{drawn: 4 of bag}") == 2
    both = solved(tmp_path, "1 if red in drawn and black in drawn else 0", "{drawn: 4 of bag}")
    assert both == 1 - Fraction(2, 70)


@pytest.mark.parametrize(
    ("draw", "message"),
    [
        ("{hand: 0 of deck}", "0 things cannot be drawn at once"),
        ("{hand: 14 of deck}", "14 things cannot be drawn at once"),
        ("{hand: 3 of worth}", "`worth` is not a bag"),
        ("{worth: 3 of deck}", "worth cannot hold several things that are drawn"),
        ("{hand_2: deck, hand: 3 of deck}", "the name hand_2 already means something here"),
    ],
)
def test_what_cannot_be_drawn_is_refused_at_its_place(tmp_path: Path, draw: str, message: str) -> None:
    with pytest.raises(oddsmith.RulesetError, match=message) as error:
        solved(tmp_path, "1", draw)
    assert "deal.yaml:18:" in str(error.value)
