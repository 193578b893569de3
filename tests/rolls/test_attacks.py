"""Attacks and saving throws as players write them, against every throw of the d20.

What an attack does is written once more here, from the rules of the games, and shares nothing with the reader.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from itertools import product

import pytest

from tests.rolls.counted import mixed, wrong_answers

SEED = 20261130
Chances = dict[int, Fraction]
D20 = range(1, 21)
EDGES: dict[str, tuple[int, Callable[[tuple[int, ...]], int]]] = {
    "": (1, max),
    "advantage": (2, max),
    "disadvantage": (2, min),
    "elven accuracy": (3, max),
}


def spread(values: list[int]) -> Chances:
    return {value: Fraction(values.count(value), len(values)) for value in set(values)}


def added(left: Chances, right: Chances) -> Chances:
    found: Chances = {}
    for (one, p), (two, q) in product(left.items(), right.items()):
        found[one + two] = found.get(one + two, Fraction(0)) + p * q
    return found


def times(count: int, each: Chances) -> Chances:
    found: Chances = {0: Fraction(1)}
    for _ in range(count):
        found = added(found, each)
    return found


def damage(count: int, sides: int, plus: int) -> Chances:
    return added(times(count, spread([*range(1, sides + 1)])), {plus: Fraction(1)})


@dataclass
class Attack:
    """Some attacks with one bonus against one armour class, and what they deal."""

    edge: str
    bonus: int
    armour: int
    many: int
    dice: tuple[int, int, int]
    crits: int

    @property
    def d20(self) -> Chances:
        count, kept = EDGES[self.edge]
        return spread([kept(faces) for faces in product(D20, repeat=count)])

    @property
    def hit(self) -> Fraction:
        """The chance that one attack reaches the armour class, whatever the die shows."""
        return sum((chance for face, chance in self.d20.items() if face + self.bonus >= self.armour), Fraction(0))

    @property
    def hits(self) -> Chances:
        return times(self.many, {1: self.hit, 0: 1 - self.hit})

    @property
    def deals(self) -> Chances:
        """What all attacks deal: a natural 1 misses, and a critical hit has twice the dice."""
        count, sides, plus = self.dice
        one = [
            (chance, damage(2 * count, sides, plus) if face >= self.crits
             else damage(count, sides, plus) if face > 1 and face + self.bonus >= self.armour else {0: Fraction(1)})
            for face, chance in self.d20.items()
        ]  # fmt: skip
        return times(self.many, mixed(one))

    def enough(self, wanted: Callable[[int], bool]) -> Chances:
        yes = sum((chance for hits, chance in self.hits.items() if wanted(hits)), Fraction(0))
        return {1: yes, 0: 1 - yes}


def questions(attack: Attack) -> list[tuple[str, Chances]]:
    """Ways to write an attack, and the answers."""
    count, sides, plus = attack.dice
    edge = attack.edge and f" with {attack.edge}"
    aim, roll = f"+{attack.bonus} vs AC {attack.armour}", f"{count}d{sides}+{plus}"
    crit = f", crit on {attack.crits}-20" if attack.crits < 20 else ", crit on 20"
    many, least = attack.many, 1 + (attack.many > 2)
    deals = [
        f"{many} attacks at {aim} for {roll}{crit}" * (not edge),
        f"{many} attacks {aim}{edge}, {roll} damage{crit}",
        f"{roll} damage, {many} attacks {aim}{edge}{crit}",
        f"{many} attacks {aim}{edge}, {roll} damage, crit doubles dice" * (attack.crits == 20),
    ]
    hits: list[tuple[str, Callable[[int], bool]]] = [
        (f"at least one of {many} attacks hits, {aim}{edge}", lambda hits: hits > 0),
        (f"{many} attacks {aim}{edge}, at least {least} hits", lambda hits: hits >= least),
        (f"{many} attacks {aim}{edge}, all hit", lambda hits: hits == many),
        (f"{many} attacks {aim}{edge}, exactly 1 hit", lambda hits: hits == 1),
        (f"{many} attacks {aim}{edge}, no hits", lambda hits: hits == 0),
        (f"miss with at least {least} of {many} attacks, {aim}{edge}", lambda hits: many - hits >= least),
    ]
    asked = [(words, attack.deals) for words in deals if words]
    asked += [(words, attack.enough(wanted)) for words, wanted in hits]
    asked += [(f"how many hits, {many} attacks {aim}{edge}", attack.hits)]
    asked += [(f"d20+{attack.bonus}{edge} vs AC {attack.armour}", {1: attack.hit, 0: 1 - attack.hit})]
    return asked


def some_attack(chooser: random.Random) -> Attack:
    return Attack(
        chooser.choice([*EDGES]),
        chooser.randint(2, 9),
        chooser.randint(12, 20),
        chooser.randint(2, 4),
        (chooser.randint(1, 2), chooser.choice((4, 6, 8)), chooser.randint(1, 5)),
        chooser.choice((20, 20, 19, 18)),
    )


def wrong_attacks(seed: int, count: int) -> tuple[list[str], int]:
    """Questions that are answered otherwise, and how many were answered."""
    chooser = random.Random(seed)  # noqa: S311
    attacks = (some_attack(chooser) for _ in range(count))
    return wrong_answers((question, wanted.copy) for each in attacks for question, wanted in questions(each))


def test_attacks_are_answered_by_every_throw() -> None:
    wrong, answered = wrong_attacks(SEED, 12)
    assert wrong == []
    assert answered > 100


@pytest.mark.long
def test_many_attacks_are_answered_by_every_throw() -> None:
    wrong, answered = wrong_attacks(SEED + 1, 300)
    assert wrong == []
    assert answered > 2500
