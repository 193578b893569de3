"""What a question with a condition counts is what its words say: a roll, a turn of one seat, or a whole game."""

from __future__ import annotations

from fractions import Fraction

import pytest

import oddsmith
from oddsmith.report.facts.key_facts import question_condition_words

COIN = """\
format: 1
id: heads
title: Heads
summary: Seven flips; a head passes the coin.
seats: 2
dice:
  coin: {faces: [0, 1], weights: [3, 2]}
state:
  left: {start: 7, max: 7}
payoffs:
  pay: left
turn: flip
phases:
  flip:
    roll: {x: coin}
    outcomes:
      - {name: Head, when: x == 1, do: add -1 to left, then: pass}
      - {name: Tail, do: add -1 to left, then: flip}
end_when: left == 0
measures:
"""
TAIL = "given: [flip, Tail]"


def brute(seat: int, turn: bool) -> Fraction:
    """The chance of a head of a seat under the condition, over all plays of seven flips."""
    hits = met = Fraction(0)
    for bits in range(2**7):
        flips = [bits >> k & 1 for k in range(7)]
        weight, mover, turns = Fraction(1), 0, 0
        own, anybody = [False, False], False
        for flip in flips:
            weight *= Fraction(2 if flip else 3, 5)
            counts = mover == seat and (turns // 2 == 0 or not turn)
            own[flip] |= counts
            anybody |= not flip
            turns += flip
            mover = (mover + flip) % 2
        given = own[0] if turn else anybody
        met += weight * given
        hits += weight * (given and own[1])
    return hits / met


@pytest.mark.parametrize(
    ("question", "expected", "words"),
    [
        (f"{{chance: [flip, Head], {TAIL}}}", Fraction(0), " (only rolls with Tail)"),
        (
            f"{{chance: [flip, Head], in: turn, seat: 2, {TAIL}}}",
            brute(1, turn=True),
            " (only if the same seat takes Tail in that turn)",
        ),
        (
            f"{{chance: [flip, Head], in: game, seat: 2, {TAIL}}}",
            brute(1, turn=False),
            " (only games in which anybody takes Tail)",
        ),
        ("{chance: [flip, Head]}", Fraction(2, 5), ""),
    ],
)
def test_a_condition_means_what_its_words_say(question: str, expected: Fraction, words: str) -> None:
    solved = oddsmith.loads(f"{COIN}  asked: {question}\n").solve()
    assert solved.measures["asked"].exact == expected
    assert question_condition_words(solved.game.ruleset.measures["asked"]) == words
