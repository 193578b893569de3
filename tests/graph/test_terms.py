"""Dice of one kind that several terms name are dice of one kind, whatever the terms."""

from __future__ import annotations

from fractions import Fraction

import pytest

import oddsmith
from oddsmith.base.errors import RulesetError
from oddsmith.ruleset.binding import bind

REST = """\
format: 1
id: rest
title: Rest
summary: Some dice, each of which may be rolled again once.
seats: 1
dice:
  coin: {{faces: [0, 1]}}
state:
  kept: {{type: hand, dice: {dice}}}
payoffs:
  pay: sum(kept)
turn: cup
phases:
  cup:
    roll: {{kept: rest}}
    then: keep
  keep:
    choose:
      - {{name: Enough, then: end}}
      - name: Again
        for: {{part: subsets(kept)}}
        do: set kept to part
        then: last
  last:
    roll: {{kept: rest}}
    then: end
"""
D2, COIN = Fraction(7, 4), Fraction(3, 4)  # of a die that is rolled again unless it shows its best face


@pytest.mark.parametrize(
    ("dice", "worth"),
    [
        ("2 of coin", 2 * COIN),
        ("coin + coin", 2 * COIN),
        ("d2 + d2", 2 * D2),
        ("d2 + coin + d2", 2 * D2 + COIN),
        ("coin + 2d2 + coin + d2", 3 * D2 + 2 * COIN),
    ],
)
def test_like_dice_of_several_terms_are_rolled_again_once_each(dice: str, worth: Fraction) -> None:
    book = oddsmith.loads(REST.format(dice=dice))
    assert book.solve().values[0].exact == worth


def test_a_negative_term_is_refused_beside_others_of_its_die() -> None:
    with pytest.raises(RulesetError, match="OD416"):
        bind(oddsmith.loads(REST.format(dice="3d2 + (0 - 1) of d2")).ruleset)
