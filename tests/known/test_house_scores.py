"""House scores of a turn of Farkle, against a plain solver written from the printed list: dice fall into what counts."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import combinations, product
from math import factorial, prod
from typing import Any

import pytest

import oddsmith

LIMIT = 300  # points at which a turn must stop
FLAGS = ("fixed_kinds", "four_and_pair", "two_triplets", "dear_pairs")


def whole_hand(dice: tuple[int, ...], rules: frozenset[str]) -> int:
    """What six dice count together."""
    counts = sorted(Counter(dice).values())
    printed = {
        (1, 1, 1, 1, 1, 1): 1500,
        (2, 2, 2): 1500 if "dear_pairs" in rules else 750,
        (2, 4): 1500 * ("four_and_pair" in rules),
        (3, 3): 2500 * ("two_triplets" in rules),
    }
    return printed.get(tuple(counts), 0)


def kind(face: int, count: int, rules: frozenset[str]) -> int:
    """What a number of dice of a face count as one group; 0 where they count nothing."""
    if count == 1:
        return {1: 100, 5: 50}.get(face, 0)
    if count == 2:
        return 0
    three = 1000 if face == 1 else 100 * face
    if "fixed_kinds" in rules and count > 3:
        return {4: 1000, 5: 2000, 6: 3000}[count]
    return three * (count - 2)


@cache
def of_a_face(face: int, count: int, rules: frozenset[str]) -> int:
    """The most that dice of a face count in groups, each of which counts; 0 where some would be left over."""
    if count == 0:
        return 0
    found = [
        kind(face, size, rules) + of_a_face(face, count - size, rules)
        for size in range(1, count + 1)
        if kind(face, size, rules) and (size == count or of_a_face(face, count - size, rules))
    ]
    return max(found, default=0)


@cache
def worth(dice: tuple[int, ...], rules: frozenset[str]) -> int:
    parts = [of_a_face(face, count, rules) for face, count in Counter(dice).items()]
    return max(whole_hand(dice, rules), sum(parts) if all(parts) else 0)


@cache
def hands(dice: int) -> dict[tuple[int, ...], Fraction]:
    found = Counter(tuple(sorted(hand)) for hand in product(range(1, 7), repeat=dice))
    ways = {hand: factorial(dice) // prod(map(factorial, Counter(hand).values())) for hand in found}
    assert ways == found
    return {hand: Fraction(count, 6**dice) for hand, count in ways.items()}


@cache
def thrown(dice: int, points: int, rules: frozenset[str]) -> Fraction:
    """What a turn brings on average whose player throws dice with points at risk, and plays best."""
    total = Fraction(0)
    for hand, chance in hands(dice).items():
        asides = {aside for size in range(1, dice + 1) for aside in combinations(hand, size) if worth(aside, rules)}
        ways = [decided(dice - len(aside) or 6, points + worth(aside, rules), rules) for aside in asides]
        total += chance * max(ways, default=0)
    return total


@cache
def decided(dice: int, points: int, rules: frozenset[str]) -> Fraction:
    return Fraction(points) if points >= LIMIT else max(Fraction(points), thrown(dice, points, rules))


@pytest.mark.parametrize("chosen", [(), *((flag,) for flag in FLAGS), FLAGS], ids="+".join)
def test_a_turn_with_house_scores_is_worth_what_a_plain_solver_finds(chosen: tuple[str, ...]) -> None:
    asked: dict[str, Any] = {"limit": LIMIT // 50} | dict.fromkeys(chosen, True)
    solved = oddsmith.load("farkle-turn").at(**asked).solve()
    assert solved.values[0].exact == thrown(6, 0, frozenset(chosen))
