"""Play with secrets that can come back to where it was: values by circles, and play that need not end."""

from __future__ import annotations

import json
from fractions import Fraction
from math import isqrt

import pytest

import oddsmith
from oddsmith.base.errors import SolveError
from oddsmith.solve.extensive import SecretSolution

RULES = """
format: 1
id: rounds
title: Rounds
summary: Two show at once, and a round may have to be played again.
seats: 2
state:
  first: {type: seat}
  gain: {min: -9, max: 9}
payoffs:
  win: gain if seat == first else -gain
turn: show
phases:
  show:
    choose_together: {hand: [high, low]}
    outcomes: OUTCOMES
  toss:
    roll: {coin: d2}
    outcomes:
      - {when: coin == 1, then: again}
      - {then: end}
"""


def rounds(*outcomes: tuple[str, int, str]) -> SecretSolution:
    """The game with these outcomes of a round: when they happen, what the first then gains, and what follows."""
    listed = [{"when": when, "do": f"set gain to {gain}", "then": then} for when, gain, then in outcomes]
    return oddsmith.loads(RULES.replace("OUTCOMES", json.dumps(listed))).solve_secrets(digits=30)


def test_an_irrational_value_is_proven_to_the_digits_that_are_asked_for() -> None:
    """The value is that of the matrix (v / 2, 1; 1, 0), so v = 1 / (2 - v / 2): 2 less the square root of 2."""
    found = rounds(
        ("hand[mover] == high and hand[next] == high", 0, "toss"),
        ("hand[mover] == low and hand[next] == low", 0, "end"),
        ("true", 1, "end"),
    )
    first = found.values[0]
    root = isqrt(2 * 10**600)
    assert first.lower < 2 - Fraction(root, 10**300) < first.upper
    assert first.certain_digits >= 30
    assert found.grade == "proven"


def test_a_round_that_is_played_again_by_chance_has_an_exact_value() -> None:
    """Matching hands are tossed for another round: the matrix (v / 2, 1; -1, v / 2) has its value where v is 0."""
    found = rounds(
        ("hand[mover] == hand[next]", 0, "toss"),
        ("hand[mover] == high", 1, "end"),
        ("true", -1, "end"),
    )
    assert [value.exact for value in found.values] == [0, 0]


def test_play_that_one_seat_could_keep_going_for_ever_is_refused() -> None:
    with pytest.raises(SolveError, match="for ever"):
        rounds(("hand[mover] == hand[next]", 0, "again"), ("true", 1, "end"))
