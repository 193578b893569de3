"""The whole sheet of Yahtzee, solved plainly from its printed rules: a solver of its own, in floats, for one game alone.

Nothing of the engine is used. The rules are those of the game's page: thirteen boxes, two more rolls, 35 points once the boxes
for faces hold 63, 100 points for each further Yahtzee once one was written for 50, and free jokers. Nobody need fill the
boxes in an order, so the value of a sheet follows from those of the sheets with one box more.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from functools import cache
from itertools import combinations, combinations_with_replacement
from math import factorial, prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Dice = tuple[int, ...]

FACES = (1, 2, 3, 4, 5, 6)
COMBINATIONS = ("yahtzee", "large straight", "small straight", "full house", "four alike", "three alike", "chance")
BOXES = (*FACES, *COMBINATIONS)
GOAL, BONUS, FURTHER = 63, 35, 100

HANDS: list[Dice] = list(combinations_with_replacement(FACES, 5))
KEEPS: list[Dice] = [dice for count in range(6) for dice in combinations_with_replacement(FACES, count)]
HAND = {dice: number for number, dice in enumerate(HANDS)}
KEEP = {dice: number for number, dice in enumerate(KEEPS)}


def subsets(dice: Dice) -> list[Dice]:
    """What can be kept of dice, each way once."""
    return sorted({part for count in range(6) for part in combinations(dice, count)})


def ways(dice: Iterable[int]) -> int:
    """In how many ways dice can fall that show these faces in any order."""
    counts = Counter(dice).values()
    return factorial(sum(counts)) // prod(map(factorial, counts))


def rolled() -> Floats:
    """The chance of each hand, by what was kept."""
    chances = np.zeros((len(KEEPS), len(HANDS)))
    for keep, number in KEEP.items():
        fresh = 5 - len(keep)
        for more in combinations_with_replacement(FACES, fresh):
            chances[number, HAND[tuple(sorted(keep + more))]] += ways(more) / 6**fresh
    return chances


ROLLED = rolled()
WAYS_TO_KEEP = [[KEEP[part] for part in subsets(hand)] for hand in HANDS]
PADDED = np.array([places + places[:1] * (32 - len(places)) for places in WAYS_TO_KEEP])


def worth(box: Any, hand: Dice, joker: bool) -> int:
    """The points of a hand in a box, without any bonus."""
    counts = sorted(Counter(hand).values())
    straight = max(length for length in range(1, 6) for low in FACES if set(hand) >= set(range(low, low + length)))
    if box in FACES:
        return int(box) * hand.count(box)
    return {
        "yahtzee": 50 * (counts == [5]),
        "large straight": 40 * (straight == 5 or joker),
        "small straight": 30 * (straight >= 4 or joker),
        "full house": 25 * (counts == [2, 3] or joker),
        "four alike": sum(hand) * (counts[-1] >= 4),
        "three alike": sum(hand) * (counts[-1] >= 3),
        "chance": sum(hand),
    }[box]


WORTH = {
    (box, joker): np.array([worth(box, hand, joker) for hand in HANDS]) for box in BOXES for joker in (False, True)
}
ALIKE = np.array([hand[0] if len(set(hand)) == 1 else 0 for hand in HANDS])
"""The face of a hand of five alike; 0 of any other."""
UPPER = np.arange(GOAL + 1)

Sheet = frozenset[Any]
"""The boxes that are open."""


def written(sheet: Sheet, box: Any) -> Floats:
    """What it brings to write each hand into a box: by hand, whether 50 were written, and points towards the bonus."""
    further = (ALIKE > 0) & ("yahtzee" not in sheet)
    joker = further & ~np.isin(ALIKE, [face for face in FACES if face in sheet])
    points = np.where(joker, WORTH[box, True], WORTH[box, False])[:, None, None]
    after = np.broadcast_to(value(sheet - {box}), (len(HANDS), 2, GOAL + 1))
    if box in FACES:
        reached = np.minimum(UPPER + points, GOAL)
        after = np.take_along_axis(after, np.broadcast_to(reached, after.shape), axis=2)
        points = points + BONUS * ((UPPER < GOAL) & (reached == GOAL))
    elif box == "yahtzee":
        after = np.where(points > 0, after[:, 1:], after)
    hundred = FURTHER * further[:, None, None] * np.array([0, 1])[:, None]
    return np.asarray(points + after + hundred)


def turn(sheet: Sheet) -> list[Floats]:
    """What each hand brings where no roll is left; then what keeping brings with one roll left, and with two."""
    last = np.max([written(sheet, box) for box in sheet], axis=0)
    found, hands = [last], last
    for _ in range(2):
        kept = (ROLLED @ hands.reshape(len(HANDS), -1)).reshape(len(KEEPS), 2, GOAL + 1)
        kept[-len(HANDS) :] = last  # whoever keeps all five writes them down
        found.append(kept)
        hands = kept[PADDED].max(axis=1)
    return [*found, hands]


@cache
def value(sheet: Sheet) -> Floats:
    """What a sheet will bring: by whether 50 were written, and points towards the bonus."""
    if not sheet:
        return np.zeros((2, GOAL + 1))
    fresh = ROLLED[KEEP[()]] @ turn(sheet)[-1].reshape(len(HANDS), -1)
    return np.asarray(fresh.reshape(2, GOAL + 1))


def options(sheet: Sheet, fifty: bool, upper: int, hand: Dice, left: int) -> list[float]:
    """What each action brings from now on: each box where no roll is left, else each way to keep dice."""
    place = (int(fifty), upper)
    if left == 0:
        return [float(written(sheet, box)[(HAND[hand], *place)]) for box in sheet]
    kept = turn(sheet)[left]
    return [float(kept[(number, *place)]) for number in WAYS_TO_KEEP[HAND[hand]]]
