"""The distribution of a roll: every hand that dice can show, with an integer weight.

Dice of one kind are not distinguished. If the faces of a hand of n dice show k1, k2, ... times, the hand stands for n!
/ (k1! k2! ...) sequences of faces. Its weight is this number times the weights of the faces of all its dice. Dice of
different kinds are independent, so their weights are multiplied.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import combinations_with_replacement, product
from math import comb, factorial, log10, prod

from oddsmith.base.errors import RuleFailure
from oddsmith.base.limits import hint_to_raise_limit, limits

MAX_DENOMINATOR = 1 << 56
"""The largest denominator of probabilities, so that the solver's sums of weights fit 64 bits."""


class Hand(tuple[tuple[int, int], ...]):
    """Rolled dice: a sorted tuple of pairs (face, kind). ``kind``: the index of the die among the dice of the game."""

    __slots__ = ()

    @property
    def faces(self) -> tuple[int, ...]:
        """The faces in ascending order, without the kinds."""
        return tuple(face for face, _ in self)

    def __add__(self, other: object) -> Hand:
        """Return a hand with the dice of both hands."""
        return Hand(sorted((*self, *other)))  # type: ignore[misc]  # only ever another hand


NO_DICE = Hand()


@dataclass(frozen=True, slots=True)
class Die:
    """A die: its faces, and an integer weight for each face.

    ``kind``: the index of the die among the dice of the game. ``loaded_weights``: the weights of the faces of a loaded
    die that looks the same; empty if no die is loaded. ``loaded_count``: the number of loaded dice; in a roll of fewer
    dice all are loaded.
    """

    name: str
    kind: int
    faces: tuple[int, ...]
    weights: tuple[int, ...]
    loaded_weights: tuple[int, ...] = ()
    loaded_count: int = 0


@dataclass(frozen=True, slots=True)
class RollDistribution:
    """The distribution of a roll: hands with integer weights that add up to the denominator.

    It differs from ``distributions.Distribution``: outcomes are hands, and weights are integers small enough for 64
    bits.
    """

    hands: tuple[tuple[Hand, int], ...]
    denominator: int


@lru_cache(maxsize=1024)
def distribution_of_equal_dice(count: int, die: Die) -> RollDistribution:
    """Return the distribution of a roll of ``count`` dice of one kind (multinomial weights)."""
    if die.loaded_weights:
        return _distribution_with_loaded_dice(count, die)
    weight_of = _face_weights(die)
    distribution = []
    for faces in combinations_with_replacement(sorted(weight_of), count):
        weight = factorial(count)
        for face, times in Counter(faces).items():
            weight = weight // factorial(times) * weight_of[face] ** times
        distribution.append((Hand((face, die.kind) for face in faces), weight))
    return RollDistribution(tuple(distribution), sum(weight_of.values()) ** count)


def _distribution_with_loaded_dice(count: int, die: Die) -> RollDistribution:
    """Return the distribution of a roll of ``count`` dice of one kind, of which ``die.loaded`` are loaded.

    It has the same hands as a roll of fair dice, in the same order, with other weights.
    """
    fair, odd = replace(die, loaded_weights=()), replace(die, weights=die.loaded_weights, loaded_weights=())
    loaded = min(count, die.loaded_count)
    parts = [distribution_of_equal_dice(loaded, odd), distribution_of_equal_dice(count - loaded, fair)]
    weights: Counter[Hand] = Counter()
    for (hand, weight), (more, times) in product(*(part.hands for part in parts)):
        weights[hand + more] += weight * times
    hands = tuple((hand, weights[hand]) for hand, _ in distribution_of_equal_dice(count, fair).hands)
    return RollDistribution(hands, prod(part.denominator for part in parts))


def _face_weights(die: Die) -> dict[int, int]:
    """Return the total weight of each face of a die, without faces of weight 0."""
    weight_of: Counter[int] = Counter()
    for face, weight in zip(die.faces, die.weights, strict=True):
        weight_of[face] += weight
    return {face: weight for face, weight in weight_of.items() if weight}


def merge_terms(terms: Iterable[tuple[int, Die]]) -> tuple[tuple[int, Die], ...]:
    """Return the terms (count, die) of a roll with one term for each kind of die: the counts of one kind are added up."""
    counts: dict[int, int] = {}
    dice: dict[int, Die] = {}
    for count, die in terms:
        dice[die.kind] = die
        counts[die.kind] = counts.get(die.kind, 0) + count
    return tuple((count, dice[kind]) for kind, count in counts.items())


def roll_distribution(terms: Sequence[tuple[int, Die]]) -> RollDistribution:
    """Return the distribution of a roll of several kinds of dice.

    ``terms``: pairs (count, die), with counts of at least 0.

    Raises RuleFailure if the roll has too many hands, or its denominator is too large.
    """
    terms = merge_terms(terms)
    check_roll_size(terms)
    return _distribution_of_merged_terms(terms)


def check_roll_size(terms: Sequence[tuple[int, Die]]) -> None:
    """Raise RuleFailure if a roll has too many hands, or its denominator is too large."""
    shown = " + ".join(f"{count} of {die.name}" for count, die in terms)
    faces = [_face_weights(die) for _, die in terms]
    whole = [max(sum(each.values()), sum(die.loaded_weights)) for (_, die), each in zip(terms, faces, strict=True)]
    digits = sum(count * log10(each) for (count, _), each in zip(terms, whole, strict=True))
    if digits > log10(MAX_DENOMINATOR):
        message = f"the roll {shown} falls in about 10^{digits:.0f} ways; chances are counted over at most 7 * 10^16"
        hint = "roll some of the dice in a phase of their own, and keep what matters of them, such as their sum"
        large = any(max(each.values()) > 100 for each in faces)
        raise RuleFailure("OD417", message, "give the dice smaller weights" if large else hint)
    hands = prod(comb(count + len(each) - 1, count) for (count, _), each in zip(terms, faces, strict=True))
    check_hand_count(hands, f"the roll {shown}")


def check_hand_count(hand_count: int, description: str, is_draw: bool = False) -> None:
    """Raise RuleFailure if a roll or draw has too many different hands.

    ``description``: the roll or draw in words, for the message. ``is_draw``: whether it is a draw.
    """
    if hand_count > limits().hands:
        message = f"{description} can show {hand_count:,} different hands, over {limits().hands:,}"
        fewer = "draw fewer items, or from a shorter list" if is_draw else "roll fewer dice, or dice with fewer sides"
        raise RuleFailure("OD417", message, f"{fewer}, {hint_to_raise_limit('hands')}")


def hand_count_after_draw(count_before: int, item_count: int, draw_number: int) -> int:
    """Return the number of different hands after one more roll or draw, if the order of equal draws does not count.

    ``count_before``: the number of hands before this draw. ``item_count``: the number of its possible results.
    ``draw_number``: the number of this draw in a run of equal draws, from 1. A run of k draws multiplies the hands by
    C(items + k - 1, k).
    """
    return count_before * (item_count + draw_number - 1) // draw_number


@lru_cache(maxsize=256)
def _distribution_of_merged_terms(terms: tuple[tuple[int, Die], ...]) -> RollDistribution:
    """Return the distribution of a roll, given its merged terms (count, die)."""
    total: Counter[Hand] = Counter({NO_DICE: 1})
    distributions = [distribution_of_equal_dice(count, die) for count, die in terms]
    for distribution in distributions:
        step: Counter[Hand] = Counter()
        for hand, weight in total.items():
            for more, times in distribution.hands:
                step[hand + more] += weight * times
        total = step
    return RollDistribution(tuple(total.items()), prod(distribution.denominator for distribution in distributions))


def sub_hands(hand: Hand, size: int | None = None) -> tuple[Hand, ...]:
    """Return the different sub-hands of a hand, ordered by size and then by faces.

    ``size``: their size; None for all sizes.

    Raises RuleFailure if there are too many.
    """
    held = Counter(hand)
    many = prod(times + 1 for times in held.values())
    if many > limits().items:
        message = f"a hand of {len(hand)} dice holds {many:,} different parts, over {limits().items:,}"
        raise RuleFailure("OD421", message, f"ask for parts of fewer dice, {hint_to_raise_limit('items')}")
    parts = [
        Hand(die for die, times in zip(held, taken, strict=True) for _ in range(times))
        for taken in product(*(range(times + 1) for times in held.values()))
        if size is None or sum(taken) == size
    ]
    return tuple(sorted(parts, key=lambda sub: (len(sub), sub)))
