"""A hand of one die is a number wherever a number is wanted, and so is what is built of such hands."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import product

import pytest

import oddsmith
from oddsmith.base.errors import RulesetError

GAME = """\
format: 1
id: one-die
title: One Die
summary: Two dice, each of them a number.
seats: 1
state:
  x: {{min: -60, max: 60}}
payoffs:
  p: x
turn: throw
phases:
  throw:
    roll: {{a: d6, b: d8, c: 2d4}}
    do: set x to {text}
    then: end
"""
READ: dict[str, Callable[[int, int], int]] = {
    "max(a, b)": max,
    "max(a, 3)": lambda a, _: max(a, 3),
    "min(a, b, 4)": lambda a, b: min(a, b, 4),
    "a + b": lambda a, b: a + b,
    "a - b": lambda a, b: a - b,
    "a if a > b else b": max,
    "a - b if a > b else 0": lambda a, b: max(a - b, 0),
    "a if a > 3 else a + b": lambda a, b: a if a > 3 else a + b,
    "2 * (a + b) + 1": lambda a, b: 2 * (a + b) + 1,
    "1 if a + b >= 7 else 0": lambda a, b: int(a + b >= 7),
    "1 if a + a == b else 0": lambda a, b: int(2 * a == b),
    "1 if a + b > a + 4 else 0": lambda _, b: int(b > 4),
    "1 if a + b in [7, 11] else 0": lambda a, b: int(a + b in (7, 11)),
    "sum([a + b, 3])": lambda a, b: a + b + 3,
    "sum([a + b, a])": lambda a, b: 2 * a + b,
    "sum(a + b for k in span(1, 3))": lambda a, b: 3 * (a + b),
    "max(a + b)": max,
    "max(a + b, 7)": lambda a, b: max(a + b, 7),
    "size(a + b)": lambda *_: 2,
}


@pytest.mark.parametrize("text", READ)
def test_faces_are_meant(text: str) -> None:
    found = oddsmith.loads(GAME.format(text=text)).solve().values[0].exact
    assert found == sum(Fraction(READ[text](a, b), 48) for a, b in product(range(1, 7), range(1, 9)))


@pytest.mark.parametrize("text", ["a + c", "max(a + c, 3)", "c if a > b else 3", "1 if a + c > 7 else 0"])
def test_a_hand_of_several_dice_is_no_number(text: str) -> None:
    with pytest.raises(RulesetError, match="hand"):
        oddsmith.loads(GAME.format(text=text))


def test_what_is_kept_as_a_hand_stays_one() -> None:
    kept = GAME.replace("state:\n", "state:\n  kept: {{type: hand, dice: d6 + d8}}\n").format(text="size(kept)")
    book = oddsmith.loads(kept.replace("    do: set x", "    do:\n      - set kept to a + b\n      - set x"))
    assert book.solve().values[0].exact == 2
