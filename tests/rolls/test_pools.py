"""Pools against every throw of their dice: no fold, no polynomial, only counting."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import partial
from itertools import product
from typing import Any

import pytest

from oddsmith.base.errors import RuleFailure
from oddsmith.rolls.pmf import Pmf, add, comparison, endless_total, iid_sum, int_if_whole, standard_deviation, uniform
from oddsmith.rolls.pools import Exploding, ExplodingWithSharedLimit, Pool, Rerolling, number_of_pairs_won

Throw = tuple[tuple[int, ...], Fraction]


def chances(pmf: Pmf) -> dict[Any, Fraction]:
    return {value: Fraction(weight, pmf.total) for value, weight in pmf.weights.items()}


def throws(groups: list[tuple[int, Pmf]]) -> Iterator[Throw]:
    """Every throw of some dice, in order, with its chance."""
    dice = [die for count, die in groups for _ in range(count)]
    for faces in product(*(die.weights.items() for die in dice)):
        chance = Fraction(1)
        for (_, weight), die in zip(faces, dice, strict=True):
            chance *= Fraction(weight, die.total)
        yield tuple(int(face) for face, _ in faces), chance


def counted(groups: list[tuple[int, Pmf]], asked: Callable[[tuple[int, ...]], Any]) -> dict[Any, Fraction]:
    found: dict[Any, Fraction] = {}
    for faces, chance in throws(groups):
        found[asked(faces)] = found.get(asked(faces), Fraction(0)) + chance
    return found


def some_die(chooser: random.Random) -> Pmf:
    if chooser.random() < 0.5:
        return uniform(range(1, chooser.randint(2, 6) + 1))
    return Pmf.from_weights({chooser.randint(-3, 8): chooser.randint(1, 4) for _ in range(chooser.randint(1, 4))})


def some_pool(chooser: random.Random) -> list[tuple[int, Pmf]]:
    left, groups = chooser.randint(1, 5), []
    while left:
        count = chooser.randint(1, left)
        groups.append((count, some_die(chooser)))
        left -= count
    return groups


@pytest.mark.parametrize("seed", range(60))
def test_ranks_sums_and_counts_are_those_of_all_throws(seed: int) -> None:
    chooser = random.Random(seed)  # noqa: S311
    groups = some_pool(chooser)
    pool, size = Pool(tuple(groups)), sum(count for count, _ in groups)
    first = chooser.randrange(size)
    last = chooser.randint(first + 1, size)
    kept = pool.keep_ranks(first, last)
    assert chances(kept.total_distribution()) == counted(groups, lambda f: sum(sorted(f, reverse=True)[first:last]))
    assert chances(pool.keep_ranks(-last, 0).total_distribution()) == counted(groups, lambda f: sum(sorted(f)[:last]))
    limit = chooser.randint(0, 6)
    gain = lambda face: int(face >= limit) - 2 * int(face == 1)  # noqa: E731
    assert chances(kept.total_distribution(gain)) == counted(
        groups, lambda f: sum(map(gain, sorted(f, reverse=True)[first:last]))
    )
    largest = kept.reduce_faces(0, lambda most, _, shown: max(most, shown), int_if_whole)
    assert chances(largest) == counted(groups, lambda f: max(Counter(sorted(f, reverse=True)[first:last]).values()))
    distinct = pool.reduce_faces(0, lambda seen, _, shown: seen + (shown > 0), int_if_whole)
    assert chances(distinct) == counted(groups, lambda f: len(set(f)))
    hands = dict(kept.weighted_hands())
    whole = sum(hands.values())
    told = {hand: Fraction(weight, whole) for hand, weight in hands.items()}
    assert told == counted(groups, lambda f: tuple(sorted(f, reverse=True)[first:last]))


@pytest.mark.parametrize("seed", range(20))
def test_pairs_of_two_rollings_are_those_of_all_throws(seed: int) -> None:
    chooser = random.Random(seed)  # noqa: S311
    left, right = ([(chooser.randint(1, 3), some_die(chooser))] for _ in range(2))
    split = left[0][0]

    def wins(faces: tuple[int, ...], ties: bool) -> int:
        mine, theirs = sorted(faces[:split], reverse=True), sorted(faces[split:], reverse=True)
        return sum(a > b or (ties and a == b) for a, b in zip(mine, theirs, strict=False))

    for ties in (False, True):
        found = chances(number_of_pairs_won(Pool(tuple(left)), Pool(tuple(right)), ties))
        assert found == counted(left + right, partial(wins, ties=ties))


def burst(die: Pmf, again: Callable[[Any], bool], levels: int, chance: Fraction = Fraction(1)) -> Iterator[Throw]:
    """All that a die and its further dice can show; throws with more than ``levels`` further ones are left out."""
    for face, weight in die.weights.items():
        here = chance * Fraction(weight, die.total)
        if not again(face):
            yield (int(face),), here
        elif levels:
            for rest, last in burst(die, again, levels - 1, here):
                yield (int(face), *rest), last


@pytest.mark.parametrize(
    ("sides", "least", "count"), [(6, 6, 1), (6, 6, 2), (4, 4, 2), (6, 5, 1), (3, 2, 1), (10, 10, 2)]
)
def test_dice_that_explode_are_those_of_all_throws_up_to_their_end(sides: int, least: int, count: int) -> None:
    levels = 3
    die = uniform(range(1, sides + 1))
    again = lambda face: face >= least  # noqa: E731
    listed = list(burst(die, again, levels))
    left_out = 1 - sum(chance for _, chance in listed)
    assert left_out == Fraction(sides - least + 1, sides) ** (levels + 1)
    sums: dict[int, Fraction] = {}
    pools: dict[int, Fraction] = {}
    for dice in product(listed, repeat=count):
        chance = Fraction(1)
        for _, each in dice:
            chance *= each
        total = sum(sum(faces) for faces, _ in dice)
        best = max(max(faces) for faces, _ in dice)
        sums[total] = sums.get(total, Fraction(0)) + chance
        pools[best] = pools.get(best, Fraction(0)) + chance
    end = least * (levels + 1) + count  # no throw that was left out is below
    exact = iid_sum(count, endless_total(die, again, int_if_whole))
    assert {value: chance for value, chance in chances(exact).items() if value < end} == {
        value: chance for value, chance in sums.items() if value < end
    }
    mean = exact.mean
    assert mean is not None
    going = Fraction(sides - least + 1, sides)
    assert mean.exact == count * Fraction(sides + 1, 2) / (1 - going)
    room = 1 - (1 - left_out) ** count
    highest = Pool(((count, die),), roll_again_rule=Exploding(again)).keep_ranks(0, 1).total_distribution()
    for value, chance in pools.items():
        told = Fraction(highest.weights.get(value, 0), highest.total)
        assert chance <= told <= chance + room


def test_kept_endless_dice_are_enclosed_by_what_lists_of_any_length_say(monkeypatch: pytest.MonkeyPatch) -> None:
    d6 = uniform(range(1, 7))
    again = lambda face: face == 6  # noqa: E731
    for first, last in ((0, 1), (0, 2), (1, 3), (2, 3)):
        short = Pool(((3, endless_total(d6, again, int_if_whole)),)).keep_ranks(first, last).total_distribution()
        with monkeypatch.context() as patch:
            patch.setattr("oddsmith.rolls.pools.INVERSE_SMALLEST_TAIL_OF_KEPT", 1 << 90)
            long = Pool(((3, endless_total(d6, again, int_if_whole)),)).keep_ranks(first, last).total_distribution()
        for one, two in ((short.mean, long.mean), (short.raw_moment(2), long.raw_moment(2))):
            assert one is not None
            assert two is not None
            assert one.lower <= two.upper
            assert two.lower <= one.upper
            assert one.upper - one.lower < Fraction(1, 10**8)
            assert two.upper - two.lower < Fraction(1, 10**20)
        spread = standard_deviation(short)
        assert spread is not None
        assert spread.lower > 1
        for value, weight in short.weights.items():
            assert Fraction(weight, short.total) == Fraction(long.weights[value], long.total)


def test_a_limited_number_of_dice_is_rolled_again() -> None:
    d6 = uniform(range(1, 7))
    found = Pool(((3, d6),), roll_again_rule=Rerolling(lambda face: face == 1, 1)).keep_ranks(0, 2).total_distribution()

    def expected() -> dict[int, Fraction]:
        sums: dict[int, Fraction] = {}
        for faces, chance in throws([(3, d6)]):
            place = faces.index(1) if 1 in faces else None
            for again in range(1, 7) if place is not None else (0,):
                shown = list(faces)
                if place is not None:
                    shown[place] = again
                total = sum(sorted(shown)[-2:])
                share = chance / 6 if place is not None else chance
                sums[total] = sums.get(total, Fraction(0)) + share
        return sums

    assert chances(found) == expected()


def exploding_throws(count: int, sides: int, most: int) -> Iterator[Throw]:
    """Every throw of some dice, the highest face of which brings a further die, at most ``most`` in all."""
    todo: list[tuple[tuple[int, ...], int, int, Fraction]] = [((), count, most, Fraction(1))]
    while todo:
        faces, left, free, chance = todo.pop()
        if not left:
            yield faces, chance
            continue
        for face in range(1, sides + 1):
            further = int(face == sides and free > 0)
            todo.append(((*faces, face), left - 1 + further, free - further, chance / sides))


@pytest.mark.parametrize("seed", range(80))
def test_dice_are_kept_of_those_that_are_kept(seed: int) -> None:
    """Ranks that are kept one after the other are slices of slices, also where the roll brings further dice."""
    chooser = random.Random(seed)  # noqa: S311
    count, most = chooser.randint(2, 3), chooser.randint(0, 2)
    pool = Pool(
        ((count, uniform(range(1, 4))),),
        roll_again_rule=ExplodingWithSharedLimit(lambda face: face == 3, most) if most else None,
    )
    slices = list[tuple[int, int]]()
    for _ in range(chooser.randint(1, 3)):
        number = chooser.randint(1, pool.counted_dice_count)
        ways = [(0, number), (-number, 0), (number - 1, number), (-number, 1 - number)]
        ways += [(number, 0), (0, -number)] if number < pool.counted_dice_count else []
        slices.append(chooser.choice(ways))
        pool = pool.keep_ranks(*slices[-1])
    expected = dict[int, Fraction]()
    for faces, chance in exploding_throws(count, 3, most):
        kept = sorted(faces, reverse=True)
        for first, last in slices:
            kept = kept[first : last or None]
        expected[sum(kept)] = expected.get(sum(kept), Fraction(0)) + chance
    assert chances(pool.total_distribution()) == expected


@pytest.mark.parametrize(("count", "sides"), [(1, 1), (5, 1), (7, 6), (50, 20), (200, 100)])
def test_sums_of_like_dice_are_those_of_adding_one_by_one(count: int, sides: int) -> None:
    ways = [1]
    for _ in range(count):
        more = [0] * (len(ways) + sides - 1)
        running = 0
        for place in range(len(more)):
            running += ways[place] if place < len(ways) else 0
            running -= ways[place - sides] if 0 <= place - sides < len(ways) else 0
            more[place] = running
        ways = more
    assert chances(iid_sum(count, uniform(range(1, sides + 1)))) == {
        count + place: Fraction(number, sides**count) for place, number in enumerate(ways)
    }


def test_what_compares_two_endless_rolls_is_enclosed() -> None:
    """P(d6! > d6!) = (1 - P(equal)) / 2, and P(equal) = 5/36 + P(equal)/36 = 1/7."""
    die = endless_total(uniform(range(1, 7)), lambda face: face == 6, int_if_whole)
    more, equal = comparison(">", die, die), comparison("==", die, die)
    for found, true in ((more, Fraction(3, 7)), (equal, Fraction(1, 7))):
        assert found.tail is not None
        low = Fraction(found.weights[1], found.total)
        assert low <= true <= low + Fraction(found.tail.weight, found.total)
        assert Fraction(found.tail.weight, found.total) < Fraction(1, 10**18)
    difference = add(die, die.affine(-1, 0)).mean
    assert difference is not None
    assert difference.exact == 0


@pytest.mark.parametrize("question", [lambda: iid_sum(1000, uniform(range(1, 1001))),
                                      lambda: dict(Pool(((20, uniform(range(1, 21))),)).weighted_hands()),
                                      lambda: endless_total(uniform([6]), lambda _: True, int_if_whole)])  # fmt: skip
def test_what_takes_too_long_is_refused_before_it_is_begun(question: Callable[[], Any]) -> None:
    with pytest.raises(RuleFailure):
        question()
