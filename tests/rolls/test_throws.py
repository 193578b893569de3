"""Random questions against every throw of their dice, by rollers that share nothing with the reader or its laws.

Both engines read by one grammar and have the same laws, so that they agree on what both get wrong. Here what a phrase means
is written once more: dice as lists of equally likely faces, what keeps some of them as slices, what is asked as functions of a
hand.
"""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from itertools import product
from math import prod
from typing import Any

import pytest

from tests.rolls.counted import wrong_answers
from tests.rolls.test_phrases import Faces, most, runs

SEED = 20261129


def rerolled(die: Faces, fresh: Faces, face: int) -> Faces:
    """The faces of a die that is rolled again once on a face, each as often as it is likely."""
    return tuple(again if shown == face else shown for shown in die for again in fresh)


# What changes each die: the words, and the faces, each as often as it is likely.
DIE: list[tuple[str, Callable[[Faces], Faces]]] = [
    ("", lambda die: die),
    (" reroll 1s once", lambda die: rerolled(die, die, 1)),
    (" reroll 1s until gone", lambda die: tuple(face for face in die if face > 1)),
    (" reroll 2s once", lambda die: rerolled(die, die, 2)),
    (" minimum 2", lambda die: tuple(max(face, 2) for face in die)),
    (" maximum 3", lambda die: tuple(min(face, 3) for face in die)),
    (" exploding once", lambda die: tuple(face + more * (face == max(die)) for face in die for more in die)),
    ("r1", lambda die: rerolled(die, die, 1)),
    ("rr1", lambda die: tuple(face for face in die if face > 1)),
    ("min2", lambda die: tuple(max(face, 2) for face in die)),
]

# What keeps some dice of a hand, which begins with its highest: the words, the least number of dice, and the hand after it.
KEEP: list[tuple[str, int, Callable[[Faces], Faces]]] = [
    ("", 1, lambda hand: hand),
    (" drop lowest", 2, lambda hand: hand[:-1]),
    (" drop the highest", 2, lambda hand: hand[1:]),
    (" keep highest 2", 2, lambda hand: hand[:2]),
    (" keep the lowest", 1, lambda hand: hand[-1:]),
    (" drop highest and lowest", 3, lambda hand: hand[1:-1]),
    ("kh2", 2, lambda hand: hand[:2]),
    ("kl1", 1, lambda hand: hand[-1:]),
    ("dl1", 2, lambda hand: hand[:-1]),
]


def middle(hand: Faces) -> Fraction:
    half = len(hand) // 2
    return Fraction(hand[half]) if len(hand) % 2 else Fraction(hand[half - 1] + hand[half], 2)


# What is asked of one hand: the words, the least number of dice that count, and the answer.
ASKED: list[tuple[str, int, Callable[[Faces], Any]]] = [
    ("{0}", 1, sum),
    ("highest of {0}", 1, max),
    ("lowest of {0}", 1, min),
    ("second highest of {0}", 2, lambda hand: hand[1]),
    ("second lowest of {0}", 2, lambda hand: hand[-2]),
    ("median of {0}", 1, middle),
    ("largest set in {0}", 1, most),
    ("longest run in {0}", 1, runs),
    ("number of different faces in {0}", 1, lambda hand: len(set(hand))),
    ("highest minus lowest of {0}", 1, lambda hand: hand[0] - hand[-1]),
    ("count of 3+ in {0}", 1, lambda hand: sum(face >= 3 for face in hand)),
    ("how many 2s in {0}", 1, lambda hand: hand.count(2)),
    ("at least one 3 in {0}", 1, lambda hand: 3 in hand),
    ("no 2s in {0}", 1, lambda hand: 2 not in hand),
    ("at least a pair in {0}", 2, lambda hand: most(hand) >= 2),
    ("all different in {0}", 2, lambda hand: len(set(hand)) == len(hand)),
    ("{0} >= 5", 1, lambda hand: sum(hand) >= 5),
    ("{0}>=5", 1, lambda hand: sum(hand) >= 5),
    ("not {0} > 4", 1, lambda hand: sum(hand) <= 4),
    ("{0} >= 3 and {0} <= 6", 1, lambda hand: 3 <= sum(hand) <= 6),
    ("{0} = 4 or {0} = 5", 1, lambda hand: sum(hand) in (4, 5)),
    ("not ({0} >= 3 and {0} <= 6)", 1, lambda hand: not 3 <= sum(hand) <= 6),
    ("2 if {0} > 4 else 0", 1, lambda hand: 2 * (sum(hand) > 4)),
    ("h = {0}; max(h) - min(h)", 1, lambda hand: hand[0] - hand[-1]),
    ("h = {0}; h * h", 1, lambda hand: sum(hand) ** 2),
    ("product of {0}", 1, prod),
    ("between 4 and 6 on {0}", 1, lambda hand: 4 <= sum(hand) <= 6),
]


@dataclass(frozen=True)
class Rolled:
    """A roll as it is written, with its hands, each as often as it is likely."""

    text: str
    hands: list[Faces]

    @property
    def least(self) -> int:
        """The number of dice that count."""
        return len(self.hands[0])


def some_roll(chooser: random.Random) -> Rolled:
    """Some dice, with what changes each of them and what keeps some of them."""
    count, sides = chooser.randint(1, 4), chooser.choice((3, 4, 6))
    while True:
        (changed, change), (kept, least, keep) = chooser.choice(DIE), chooser.choice(KEEP)
        die = change(tuple(range(1, sides + 1)))
        if count >= least and len(die) ** count <= 50_000:
            break
    words = [each for each in (changed, kept) if each]
    signs, spoken = [each for each in words if each[0] != " "], [each for each in words if each[0] == " "]
    text = f"{count}d{sides}{''.join(signs)}{','.join(spoken)}"
    return Rolled(text, [keep(tuple(sorted(faces, reverse=True))) for faces in product(die, repeat=count)])


def chances(values: list[Any]) -> dict[Fraction, Fraction]:
    return {Fraction(value): Fraction(times, len(values)) for value, times in Counter(values).items()}


def questions(seed: int, count: int) -> Iterator[tuple[str, Callable[[], dict[Fraction, Fraction]]]]:
    """Random questions, each with a function that counts every throw."""
    chooser = random.Random(seed)  # noqa: S311
    for _ in range(count):
        rolled, (words, least, function) = some_roll(chooser), chooser.choice(ASKED)
        counts = any(each in words for each in ("count of", "how many", "at least one", "no 2s"))
        if rolled.least < least or (counts and "exploding" in rolled.text):  # a further die counts alone
            continue
        question = words.format(rolled.text)
        if re.search(r"r[12]>", question):  # Foundry rerolls at most so many dice of these
            continue
        yield question, partial(over_every_throw, function, rolled.hands)


def over_every_throw(function: Callable[[Any], Any], hands: list[Any]) -> dict[Fraction, Fraction]:
    """The chance of each value of a function of the dice, over every throw."""
    return chances([function(hand) for hand in hands])


def test_questions_at_random_are_answered_by_every_throw() -> None:
    wrong, answered = wrong_answers(questions(SEED, 400))
    assert wrong == []
    assert answered > 250


@pytest.mark.long
@pytest.mark.parametrize("part", range(10))
def test_thousands_of_questions_are_answered_by_every_throw(part: int) -> None:
    wrong, answered = wrong_answers(questions(SEED + 1 + part, 1000))
    assert wrong == []
    assert answered > 600
