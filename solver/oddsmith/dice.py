"""The law of a roll: every hand that dice can show, with its weight in whole numbers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import comb, prod


class Hand(tuple[tuple[int, int], ...]):
    """Dice lying on the table: (face, kind) pairs, ascending. Kinds number the different dice of a game."""

    __slots__ = ()

    @property
    def faces(self) -> tuple[int, ...]:
        """The faces, ascending."""
        return tuple(face for face, _ in self)

    def __add__(self, other: object) -> Hand:
        """Two hands together."""
        return Hand(sorted((*self, *other)))  # type: ignore[misc]  # only ever another hand


NO_DICE = Hand()


@dataclass(frozen=True, slots=True)
class Die:
    """A die: its faces, each with a whole weight; ``kind`` numbers it among the dice of the game."""

    name: str
    kind: int
    faces: tuple[int, ...]
    weights: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Law:
    """A chance law: hands with whole weights over one denominator. The weights sum to it."""

    hands: tuple[tuple[Hand, int], ...]
    denominator: int


@lru_cache(maxsize=1024)
def same_dice(count: int, die: Die) -> Law:
    """The law of ``count`` like dice (multinomial weights)."""
    weight_of: Counter[int] = Counter()
    for face, weight in zip(die.faces, die.weights, strict=True):
        weight_of[face] += weight
    ladder = sorted(weight_of)

    def hands(left: int, start: int) -> Iterator[tuple[tuple[int, ...], int]]:
        if left == 0:
            yield (), 1
            return
        if start == len(ladder):
            return
        for times in range(left, -1, -1):
            here = comb(left, times) * weight_of[ladder[start]] ** times
            for rest, weight in hands(left - times, start + 1):
                yield (ladder[start],) * times + rest, here * weight

    law = [(Hand((face, die.kind) for face in hand), weight) for hand, weight in hands(count, 0) if weight]
    return Law(tuple(law), sum(die.weights) ** count)


def roll(terms: Sequence[tuple[int, Die]]) -> Law:
    """The law of a roll of several kinds of dice: ``[(count, die), ...]``, counts of at least 0."""
    return _roll(tuple(terms))


@lru_cache(maxsize=256)
def _roll(terms: tuple[tuple[int, Die], ...]) -> Law:
    total: Counter[Hand] = Counter({NO_DICE: 1})
    laws = [same_dice(count, die) for count, die in terms]
    for law in laws:
        step: Counter[Hand] = Counter()
        for hand, weight in total.items():
            for more, times in law.hands:
                step[hand + more] += weight * times
        total = step
    return Law(tuple(total.items()), prod(law.denominator for law in laws))


def subsets(hand: Hand, size: int | None = None) -> tuple[Hand, ...]:
    """All different sub-hands (of one size), from the empty to the whole: by size, then faces ascending."""
    found: set[Hand] = {NO_DICE}
    for die in hand:
        found |= {sub + Hand((die,)) for sub in found}
    wanted = [sub for sub in found if size is None or len(sub) == size]
    return tuple(sorted(wanted, key=lambda sub: (len(sub), sub)))
