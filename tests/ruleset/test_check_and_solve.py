"""`check` and `solve` never disagree about a game: what one refuses, the other refuses as well."""

from __future__ import annotations

from fractions import Fraction

import pytest

import oddsmith
from oddsmith.api.checking import check_source
from oddsmith.base.errors import RulesetError
from oddsmith.base.location import Source

PUSH = """\
format: 1
id: push
title: Push
summary: Roll a pool of dice; once, roll all but sixes and ones again.
seats: 1
parameters:
  pool: {default: 3, min: 1, max: 5}
state:
  sixes: {max: pool}
  ones: {max: pool}
  pushed: {type: flag}
payoffs:
  value: VALUE
turn: throw
phases:
  throw:
    roll:
      hand: DICE
    do:
      - add count(hand, 6) to sixes
      - add count(hand, 1) to ones
    then: look
  look:
    cases:
      - name: Pushed
        when: pushed
        then: end
      - name: Not yet
        do: set pushed to true
        then: throw
"""
SIXES = "sixes"


def game(dice: str, value: str = SIXES) -> str:
    return PUSH.replace("DICE", dice).replace("VALUE", value)


def refused(text: str) -> set[str]:
    """The errors of both, which must be the same."""
    checked = check_source(Source("<text>", text))
    errors = {problem.code for problem in checked.problems if problem.severity == "error"}
    solved = set[str]()
    try:
        oddsmith.loads(text).solve()
    except RulesetError as error:
        solved = {problem.code for problem in error.problems if problem.severity == "error"}
    assert errors == solved
    return errors


def test_dice_that_are_never_negative_in_play_are_sound() -> None:
    text = game("(pool - sixes - ones) of d6")
    assert refused(text) == set()
    checked = check_source(Source("<text>", text))
    assert {(problem.code, problem.severity) for problem in checked.problems} == {("OD416", "warning")}
    worth = Fraction(1, 6) + Fraction(4, 6) * Fraction(1, 6)  # each die shows a six at once, or by the second roll
    assert oddsmith.loads(text).solve().values[0].exact == 3 * worth


@pytest.mark.parametrize(
    ("dice", "value", "code"),
    [
        ("(sixes - 1) of d6", SIXES, "OD533"),  # play comes to -1
        ("(sixes - pool - 1) of d6", SIXES, "OD416"),  # always negative
        ("3d6", "10 // sixes", "OD411"),
        ("3d6", "rank([1, 2], 0)", "OD502"),
        ("(1001 + sixes) of d6", SIXES, "OD417"),
    ],
)
def test_what_one_refuses_the_other_refuses(dice: str, value: str, code: str) -> None:
    assert code in refused(game(dice, value))
