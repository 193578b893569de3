"""Questions of game masters with every way in which they can be meant, each against counting all results.

What a game does with its dice is written once more here, as its rules say it, and shares nothing with the reader.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from itertools import product
from typing import Any

import pytest

from oddsmith.base.errors import QuestionError
from oddsmith.rolls import RollAnswer, answer
from tests.rolls.counted import chances_of, mixed
from tests.rolls.test_agreement import answered_otherwise

Chances = dict[Fraction, Fraction]
Faces = tuple[int, ...]
D6, D20, D100 = range(1, 7), range(1, 21), range(1, 101)


def counted(dice: list[range], value: Callable[[Faces], Any]) -> Chances:
    """The chance of each value over all results of some dice."""
    found = Counter(Fraction(value(faces)) for faces in product(*dice))
    total = sum(found.values())
    return {each: Fraction(times, total) for each, times in found.items()}


def added(*each: Chances) -> Chances:
    total: Chances = {Fraction(0): Fraction(1)}
    for one in each:
        total = mixed([(p, {x + y: q for y, q in one.items()}) for x, p in total.items()])
    return total


def yes(chance: Fraction) -> Chances:
    return {Fraction(value): part for value, part in ((1, chance), (0, 1 - chance)) if part}


def chance(dice: list[range], holds: Callable[[Faces], bool]) -> Fraction:
    return counted(dice, holds).get(Fraction(1), Fraction(0))


def without(dice: int, low: int, high: int) -> Chances:
    """The sum of dice without some of the lowest and some of the highest."""
    return counted([D6] * dice, lambda faces: sum(sorted(faces)[low : dice - high]))


def rerolled(value: Chances, again: Callable[[Fraction], bool]) -> tuple[Chances, Chances]:
    """A value that is rolled once more where it must, and until it need not."""
    share = sum((p for x, p in value.items() if again(x)), Fraction(0))
    stays = {x: p for x, p in value.items() if not again(x)}
    return mixed([(Fraction(1), stays), (share, value)]), {x: p / (1 - share) for x, p in stays.items()}


def blow(bonus: int, armour: int, damage: tuple[int, int, int], missed: Callable[[Fraction], Fraction]) -> Chances:
    """The damage of an attack: dice of some sides, plus a number; twice the dice on a 20, and a 1 misses."""
    many, sides, plus = damage
    dice = [range(1, sides + 1)]
    hit, crit = (counted(dice * count, lambda faces: sum(faces) + plus) for count in (many, 2 * many))
    miss = mixed([(p, {missed(x): Fraction(1)}) for x, p in hit.items()])
    parts = [crit if face == 20 else hit if face > 1 and face + bonus >= armour else miss for face in D20]
    return mixed([(Fraction(1, 20), part) for part in parts])


def saved(
    dice: int,
    difficulty: int,
    bonus: int,
    edge: Callable[[Faces], int],
    left: Callable[[Fraction], Fraction],
    throws: int = 2,
    sides: int = 6,
) -> Chances:
    """Damage, of which a save leaves a part."""
    whole = counted([range(1, sides + 1)] * dice, sum)
    halved = mixed([(p, {left(x): Fraction(1)}) for x, p in whole.items()])
    success = chance([D20] * throws, lambda faces: edge(faces) + bonus >= difficulty)
    return mixed([(success, halved), (1 - success, whole)])


def nothing(_: Fraction) -> Fraction:
    return Fraction(0)


def down(value: Fraction) -> Fraction:
    return Fraction(value // 2)


def half(value: Fraction) -> Fraction:
    return value / 2


def pushed(dice: int, stays: tuple[int, ...]) -> Chances:
    """Sixes among dice of which all others are rolled once more."""
    six = Fraction(1, 6) + Fraction(6 - len(stays), 6) * Fraction(1, 6)
    return added(*[yes(six)] * dice)


def botched(dice: int, difficulty: int) -> list[Chances]:
    def hits(faces: Faces) -> int:
        return sum(each >= difficulty for each in faces)

    faces = [range(1, 11)] * dice
    return [counted(faces, lambda f: not hits(f) and 1 in f), counted(faces, lambda f: f.count(1) > hits(f))]


def glitched(dice: int, *, critical: bool = False) -> list[Chances]:
    def bad(faces: Faces) -> bool:
        return not critical or max(faces) < 5

    faces = [D6] * dice
    more = counted(faces, lambda f: 2 * f.count(1) > dice and bad(f))
    return [more, counted(faces, lambda f: 2 * f.count(1) >= dice and bad(f))]


def over(bonus: int, number: int, margin: int, edge: Callable[[Faces], int] = min) -> Chances:
    dice = [D20] if edge is min else [D20, D20]
    return counted(dice, lambda faces: edge(faces) + bonus - number >= margin)


def tails(dice: int, each: Fraction, least: int) -> Fraction:
    """The chance that enough of some dice count."""
    return sum((p for x, p in added(*[yes(each)] * dice).items() if x >= least), Fraction(0))


def again(dice: int, least: int, wanted: int) -> Fraction:
    """The chance of enough successes at 8 or more on d10s, of which those from a face on bring another die."""
    more = Fraction(11 - least, 10)
    fewer: Chances = {}
    for count in range(wanted):  # a die: none, or some that go on, of which the last may be a success that does not
        last, none = Fraction(least - 8, 10), Fraction(7, 10)
        fewer[Fraction(count)] = more**count * none + (more ** (count - 1) * last if count else 0)
    total: Chances = {Fraction(0): Fraction(1)}
    for _ in range(dice):
        total = mixed([(p, {x + y: q for y, q in fewer.items() if x + y < wanted}) for x, p in total.items()])
    return 1 - sum(total.values(), Fraction(0))


def tens(ten: int, unit: int) -> int:
    """A percentile roll of two digits, of which 00 is 100."""
    return 10 * ten + unit or 100


def aced(sides: int, goal: int) -> Fraction:
    """The chance that a die which explodes on its highest face stays below a goal."""
    if goal <= sides:
        return Fraction(goal - 1, sides)
    return Fraction(sides - 1, sides) + Fraction(1, sides) * aced(sides, goal - sides)


def struck(bonus: int, armour: int) -> Chances:
    return counted([D20], lambda faces: faces[0] == 20 or (faces[0] > 1 and faces[0] + bonus >= armour))


SUM3 = counted([D6] * 3, sum)
NINE = sum((p for x, p in SUM3.items() if x >= 9), Fraction(0))
SIXTEEN = sum((p for x, p in SUM3.items() if x >= 16), Fraction(0))
SUM4 = counted([D6] * 4, sum)
SUM2 = counted([D6] * 2, sum)
READINGS: list[tuple[str, Callable[[], list[Chances]]]] = [
    # both ends are dropped
    ("6d6 drop highest and lowest two", lambda: [without(6, 2, 2), without(6, 2, 1)]),
    ("6d6 drop the two highest and lowest", lambda: [without(6, 2, 2), without(6, 1, 2)]),
    ("6d6 drop the highest two and the lowest", lambda: [without(6, 1, 2)]),
    ("5d6 drop 1 highest and 2 lowest", lambda: [without(5, 2, 1)]),
    ("6d6 keep highest and lowest", lambda: [counted([D6] * 6, lambda f: max(f) + min(f))]),
    ("5d6 keep highest 2 and lowest 1", lambda: [counted([D6] * 5, lambda f: sum(sorted(f)[-2:]) + min(f))]),
    ("4d6 keep the two highest and lowest", lambda: [SUM4, counted([D6] * 4, lambda f: sum(sorted(f)[-2:]) + min(f))]),
    # the best of several rolls
    ("two rolls of 3d6 drop lowest, keep the best total", lambda: [
        counted([D6] * 6, lambda f: max(sum(f[:3]) - min(f[:3]), sum(f[3:]) - min(f[3:])))]),
    ("3 rolls of d20 keep best", lambda: [counted([D20] * 3, max)]),
    ("two rolls of 2d6, keep the best total", lambda: [counted([D6] * 4, lambda f: max(sum(f[:2]), sum(f[2:])))]),
    ("2 rolls of 3d6 + 2, take the lowest result", lambda: [counted([D6] * 6, lambda f: min(sum(f[:3]), sum(f[3:])) + 2)]),
    # a comparison and `x 3`
    ("d20+5 >= 15 x3", lambda: [yes(Fraction(11, 20) ** 3), yes(1 - Fraction(9, 20) ** 3)]),
    ("3x d6+1 >= 7", lambda: [
        counted([D6] * 3, lambda f: sum(f) + 3 >= 7), counted([D6], lambda f: 3 * (f[0] + 1) >= 7),
        counted([D6] * 3, lambda f: max(f) + 1 >= 7)]),
    ("2 x 2d6 at least 10", lambda: [
        counted([D6] * 4, lambda f: sum(f) >= 10), counted([D6] * 2, lambda f: 2 * sum(f) >= 10),
        counted([D6] * 4, lambda f: max(f[0] + f[1], f[2] + f[3]) >= 10)]),
    # faces that are named together
    ("2 and 1 in 2d6", lambda: [
        counted([D6] * 2, lambda f: {1, 2} <= {*f}), counted([D6] * 2, lambda f: bool({1, 2} & {*f}))]),
    ("6 and 6 on 2d6", lambda: [counted([D6] * 2, lambda f: f == (6, 6)), counted([D6] * 2, lambda f: 6 in f)]),
    ("both 5 and 6 in 3d6", lambda: [counted([D6] * 3, lambda f: {5, 6} <= {*f})]),
    ("chance of 2-1 on 2d6", lambda: [counted([D6] * 2, lambda f: {1, 2} == {*f})]),
    ("6-6 on 2d6", lambda: [counted([D6] * 2, lambda f: f == (6, 6))]),
    ("12-1 on 2d12", lambda: [counted([range(1, 13)] * 2, lambda f: {*f} == {1, 12})]),
    ("6-6 on d20", lambda: [counted([D20], lambda f: f == (6,))]),
    ("8-8 on 2d6", lambda: [counted([D6] * 2, lambda f: sum(f) == 8)]),
    ("19 and 20 in 3d20 keep highest", lambda: [counted([D20] * 3, lambda f: max(f) >= 19)]),
    ("1-1-1 on 3d6", lambda: [counted([D6] * 3, lambda f: f == (1, 1, 1))]),
    # a number that only the total can be
    ("2d6 reroll sevens", lambda: [*rerolled(SUM2, lambda x: x == 7)]),
    ("2d6 reroll 2 or 12 once", lambda: [rerolled(SUM2, lambda x: x in (2, 12))[0]]),
    ("3d6 reroll under 8", lambda: [*rerolled(counted([D6] * 3, sum), lambda x: x < 8)]),
    # scores in order
    ("3d6 in order, all at least 9", lambda: [yes(NINE**6)]),
    ("3d6 in order, at least one 16+", lambda: [yes(1 - (1 - SIXTEEN) ** 6)]),
    ("3d6 down the line, every score at least 9", lambda: [yes(NINE**6)]),
    # to roll low, or to roll high
    ("d100 vs 45", lambda: [counted([D100], lambda f: f[0] <= 45), counted([D100], lambda f: f[0] >= 45)]),
    ("3d6 vs 12", lambda: [counted([D6] * 3, lambda f: sum(f) >= 12), counted([D6] * 3, lambda f: sum(f) <= 12)]),
    ("d100 vs 45, 2 times in a row", lambda: [yes(Fraction(45, 100) ** 2), yes(Fraction(56, 100) ** 2)]),
    ("d100 vs DC 45", lambda: [counted([D100], lambda f: f[0] >= 45)]),
    ("d20+5 with advantage under 12", lambda: [
        counted([D20] * 2, lambda f: max(f) < 7), counted([D20] * 2, lambda f: min(f) < 7)]),
    ("d20 with disadvantage at most 8", lambda: [
        counted([D20] * 2, lambda f: min(f) <= 8), counted([D20] * 2, lambda f: max(f) <= 8)]),
    # dice joined by a plus, of which some count
    ("d4 + d8, hits on 5+", lambda: [counted([range(1, 5), range(1, 9)], lambda f: sum(x >= 5 for x in f))]),
    ("2d6 + d8 successes on 5+", lambda: [counted([D6, D6, range(1, 9)], lambda f: sum(x >= 5 for x in f))]),
    ("d4 + 2d8 count 4+", lambda: [counted([range(1, 5), range(1, 9), range(1, 9)], lambda f: sum(x >= 4 for x in f))]),
    ("3d6 + 2, hits on 5+", lambda: [counted([D6] * 3, lambda f: sum(x >= 5 for x in f) + 2),
                                     counted([D6] * 3, lambda f: sum(f) + 2 >= 5)]),
    ("d4 + d8 - 1 hits on 5+", lambda: [counted([range(1, 5), range(1, 9)], lambda f: (f[1] >= 5) - 1),
                                        counted([range(1, 5), range(1, 9)], lambda f: sum(f) - 1 >= 5)]),
    ("d20 + d4 + 3, target 15", lambda: [counted([D20, range(1, 5)], lambda f: sum(f) + 3 >= 15)]),
    ("beat 15 with d20+5", lambda: [counted([D20], lambda f: f[0] + 5 > 15), counted([D20], lambda f: f[0] + 5 >= 15)]),
    ("d20 + 5 beats 15", lambda: [counted([D20], lambda f: f[0] + 5 > 15), counted([D20], lambda f: f[0] + 5 >= 15)]),
    ("d20 beats 15 with advantage", lambda: [
        counted([D20] * 2, lambda f: max(f) > 15), counted([D20] * 2, lambda f: max(f) >= 15)]),
    ("d20 beats d20", lambda: [counted([D20] * 2, lambda f: f[0] > f[1]), counted([D20] * 2, lambda f: f[0] >= f[1])]),
    # saves and attacks
    ("8d6, DC 15 save for half, target has +4 and advantage", lambda: [saved(8, 15, 4, max, each) for each in (down, half)]),
    ("6d6, DC 14 save for half, target has disadvantage and +2", lambda: [saved(6, 14, 2, min, each) for each in (down, half)]),
    ("5d6, DC 13 dex save with +3 and advantage for half", lambda: [saved(5, 13, 3, max, each) for each in (down, half)]),
    ("fireball 8d6 save +3 dc 15", lambda: [saved(8, 15, 3, min, each, 1) for each in (down, nothing, half)]),
    ("dex save +3 dc 15 8d6", lambda: [saved(8, 15, 3, min, each, 1) for each in (down, nothing, half)]),
    ("6d6 con save dc 14 -1", lambda: [saved(6, 14, -1, min, each, 1) for each in (down, nothing, half)]),
    ("2d8, wis save +2 vs dc 13, half on save", lambda: [saved(2, 13, 2, min, each, 1, 8) for each in (down, half)]),
    ("2d8 wis save +2 dc 13, no damage on a save", lambda: [saved(2, 13, 2, min, nothing, 1, 8)]),
    ("d20+3 vs dc 15, 4d6 half on save", lambda: [saved(4, 15, 3, min, each, 1) for each in (down, half)]),
    ("+7/+2 vs AC 16, 1d8+4", lambda: [added(*(blow(bonus, 16, (1, 8, 4), nothing) for bonus in (7, 2)))]),
    ("1d6+2 at +9/+4 vs AC 18", lambda: [added(*(blow(bonus, 18, (1, 6, 2), nothing) for bonus in (9, 4)))]),
    ("+12/+7/+2 vs AC 23", lambda: [
        added(*(over(b, 23, 0) for b in (12, 7, 2))), added(*(struck(b, 23) for b in (12, 7, 2)))]),
    ("d20+5 vs AC 16, 2d6+3", lambda: [blow(5, 16, (2, 6, 3), nothing)]),
    ("d20+5 vs AC 16, 2d6+3 damage", lambda: [blow(5, 16, (2, 6, 3), nothing)]),
    ("d20+5 vs AC 16, 2d6+3, half damage on a miss", lambda: [blow(5, 16, (2, 6, 3), each) for each in (down, half)]),
    ("d20+5 vs AC 16, 2d6+3, 3 damage on a miss", lambda: [blow(5, 16, (2, 6, 3), lambda _: Fraction(3))]),
    ("1d8+4 with +6 to hit vs AC 15, half on a miss", lambda: [blow(6, 15, (1, 8, 4), each) for each in (down, half)]),
    # margins
    ("d20+7 beats DC 15 by 10", lambda: [over(7, 15, 10)]),
    ("beat DC 15 by 10 with +7", lambda: [over(7, 15, 10)]),
    ("beat DC 15 by 5 or more with +7 and advantage", lambda: [over(7, 15, 5, max)]),
    ("d20+7 vs DC 15, beat the DC by 5 or more", lambda: [over(7, 15, 5)]),
    ("fail DC 15 by 5 or more with +3", lambda: [counted([D20], lambda f: 15 - (f[0] + 3) >= 5)]),
    ("d20+3 vs DC 15, fail by 5 or more", lambda: [counted([D20], lambda f: 15 - (f[0] + 3) >= 5)]),
    # pools of games
    ("botch on 5d10 difficulty 6", lambda: botched(5, 6)),
    ("World of Darkness, 4 dice, difficulty 7, chance of a botch", lambda: botched(4, 7)),
    ("5d10 difficulty 8 botch", lambda: botched(5, 8)),
    ("glitch with 6d6", lambda: glitched(6)),
    ("8d6 glitch", lambda: glitched(8)),
    ("Shadowrun 6 dice, chance of a critical glitch", lambda: glitched(6, critical=True)),
    ("5d6 push", lambda: [pushed(5, (1, 6)), pushed(5, (6,))]),
    ("year zero 4 dice pushed", lambda: [pushed(4, (1, 6)), pushed(4, (6,))]),
    ("push: 6d6 at least one 6", lambda: [yes(1 - pushed(6, stays)[Fraction(0)]) for stays in ((1, 6), (6,))]),
    ("3d6 pushed, at least 2 successes", lambda: [
        yes(sum((p for x, p in pushed(3, stays).items() if x >= 2), Fraction(0))) for stays in ((1, 6), (6,))]),
    ("8 dice 10 again, at least 3 successes", lambda: [yes(again(8, 10, 3))]),
    ("nWoD 5 dice 9-again, at least 2 successes", lambda: [yes(again(5, 9, 2))]),
    ("shadowrun 3 dice vs 2 dice", lambda: [
        counted([D6] * 5, lambda f: sum(x >= 5 for x in f[:3]) > sum(x >= 5 for x in f[3:])),
        counted([D6] * 5, lambda f: sum(x >= 5 for x in f[:3]) >= sum(x >= 5 for x in f[3:]))]),
    ("savage worlds d10 vs tn 6", lambda: [yes(1 - aced(10, 6) * aced(6, 6)), yes(1 - aced(10, 6))]),
    ("coc 55 penalty die", lambda: [counted([range(10)] * 3, lambda f: max(tens(f[0], f[2]), tens(f[1], f[2])) <= 55)]),
    ("wild die d6 and d4 + 1 vs tn 5", lambda: [yes(1 - aced(4, 4) * aced(6, 4))]),
    ("coc 45 hard success", lambda: [counted([D100], lambda f: f[0] <= 22)]),
    ("morale check 8", lambda: [counted([D6] * 2, lambda f: sum(f) <= 8), counted([D6] * 2, lambda f: sum(f) >= 8)]),
    ("morale 2d6 vs 9", lambda: [counted([D6] * 2, lambda f: sum(f) <= 9), counted([D6] * 2, lambda f: sum(f) >= 9)]),
    ("35% chance", lambda: [yes(Fraction(35, 100))]),
    ("35% chance three times", lambda: [yes(Fraction(35, 100) ** 3), yes(1 - Fraction(65, 100) ** 3)]),
    ("2-in-6, 3 tries in a row", lambda: [yes(Fraction(1, 27))]),
    ("crit damage 1d8+4", lambda: [
        counted([range(1, 9)] * 2, lambda f: sum(f) + 4), counted([range(1, 9)], lambda f: 2 * f[0] + 8)]),
    ("reroll d20 below 10", lambda: [rerolled(counted([D20], sum), lambda x: x < 10)[0]]),
    ("goblin with 7 hp dies to 2d6+3", lambda: [counted([D6] * 2, lambda f: sum(f) + 3 >= 7)]),
    # sets, bounds and many rolls
    ("3d6 vs 4d6 highest", lambda: [
        counted([D6] * 7, lambda f: max(f[:3]) > max(f[3:])), counted([D6] * 7, lambda f: max(f[:3]) >= max(f[3:])),
        counted([D6] * 7, lambda f: sum(f[:3]) > max(f[3:])), counted([D6] * 7, lambda f: sum(f[:3]) >= max(f[3:]))]),
    ("2d6 not doubles", lambda: [counted([D6] * 2, lambda f: f[0] != f[1])]),
    ("4dF between -1 and 1", lambda: [counted([range(-1, 2)] * 4, lambda f: abs(sum(f)) <= 1)]),
    ("5d20 at least three over 15", lambda: [yes(tails(5, Fraction(5, 20), 3))]),
    ("d20 five times highest over 18", lambda: [yes(1 - Fraction(18, 20) ** 5)]),
    ("max of 2d6 and 7", lambda: [counted([D6] * 2, lambda f: max(sum(f), 7))]),
    ("2d6 take away lowest", lambda: [counted([D6] * 2, max)]),
    ("d4 vs d6 ties reroll", lambda: [yes(Fraction(6, 20))]),
    ("3d6 equal 10 or 11", lambda: [counted([D6] * 3, lambda f: sum(f) in (10, 11))]),
    ("wod 4 dice diff 6 at least 1 success", lambda: [yes(1 - Fraction(1, 2) ** 4)]),
    ("2 in 6 chance", lambda: [yes(Fraction(2, 6))]),
    ("1-in-6 chance", lambda: [yes(Fraction(1, 6))]),
    ("2 in 6 chance 3 times in a row", lambda: [yes(Fraction(2, 6) ** 3)]),
    ("at least one success in 3 tries with a 2 in 6 chance", lambda: [yes(1 - Fraction(4, 6) ** 3)]),
]  # fmt: skip


MULTIPLIED = [
    "magic missile 3x1d4+1",
    "3x (1d4+1)",
    "1d4+1 x3",
    "1d4+1 \N{MULTIPLICATION SIGN} 3",
    "(1d4+1), x3",
    "3 x d6",
    "1d8+1d6 x 2",
]


def ways(question: str) -> list[RollAnswer]:
    first = answer(question)
    return [first, *first.others]


@pytest.mark.parametrize(("question", "means"), READINGS, ids=[question for question, _ in READINGS])
def test_every_way_to_mean_a_question_is_what_counting_gives(question: str, means: Callable[[], list[Chances]]) -> None:
    found = ways(question)
    assert [chances_of(each.pmf) for each in found] == means()
    assert len({each.note for each in found}) == len(found)


def test_both_engines_agree_on_them() -> None:
    asked = [question for question, _ in READINGS] + MULTIPLIED
    differ, answered = answered_otherwise([(question, None) for question in asked])
    assert differ == []
    assert answered == len(asked)


def test_the_best_die_of_each_roll_is_told_as_well() -> None:
    best, each = ways("two rolls of 2d6 keep best")
    assert chances_of(best.pmf) == counted([D6] * 4, lambda f: max(sum(f[:2]), sum(f[2:])))
    assert chances_of(dict(each.parts)["sum"]) == counted([D6] * 4, lambda f: max(f[:2]) + max(f[2:]))


@pytest.mark.parametrize(
    ("question", "products"),
    [
        ("magic missile 3x1d4+1", [lambda f: 3 * (f + 1)]),
        ("3x (1d4+1)", [lambda f: 3 * (f + 1)]),
        ("1d4+1 x3", [lambda f: 3 * (f + 1), lambda f: f + 3]),
        ("1d4+1 \N{MULTIPLICATION SIGN} 3", [lambda f: 3 * (f + 1), lambda f: f + 3]),
        ("(1d4+1), x3", [lambda f: 3 * (f + 1)]),
    ],
)
def test_x_multiplies_or_rolls_again(question: str, products: list[Callable[[int], int]]) -> None:
    said, d4 = ways(question), range(1, 5)
    (several,) = (dict(each.parts) for each in said if len(each.parts) > 1)
    for place, name in enumerate(("lowest", "2nd highest", "highest")):
        assert chances_of(several[name]) == counted([d4] * 3, lambda f: sorted(f)[place] + 1), name  # noqa: B023
    assert chances_of(several["sum"]) == counted([d4] * 3, lambda f: sum(f) + 3)
    values = [chances_of(each.pmf) for each in said if len(each.parts) == 1]
    assert values == [counted([d4], lambda f: product(f[0])) for product in products]  # noqa: B023


def test_x_before_a_die_adds_dice_or_multiplies_one() -> None:
    added_up, one_multiplied = (chances_of(each.pmf) for each in ways("3 x d6"))
    assert (added_up, one_multiplied) == (counted([D6] * 3, sum), counted([D6], lambda f: 3 * f[0]))


def test_a_wild_die_is_one_of_two_or_rolled_by_itself() -> None:
    def tail(sides: int, value: int) -> Fraction:
        further, shown = divmod(value - 1, sides)
        return Fraction(1, sides) ** further * Fraction(sides - shown, sides)

    both = sum(tail(8, value) * tail(6, value) for value in range(1, 25)) / (1 - tail(8, 25) * tail(6, 25))
    for question in ("wild die d8", "d8 wild die"):
        better, alone = (each.pmf.mean for each in ways(question))
        assert better is not None
        assert alone is not None
        assert better.lower <= Fraction(36, 7) + Fraction(21, 5) - both <= better.upper
        assert alone.exact == Fraction(36, 7)


def test_the_highest_in_order_is_a_score() -> None:
    (highest,) = ways("3d6 in order, highest")
    below = {x: sum((p for y, p in SUM3.items() if y <= x), Fraction(0)) for x in range(2, 19)}
    expected = {Fraction(x): below[x] ** 6 - below[x - 1] ** 6 for x in range(3, 19)}
    assert chances_of(highest.pmf) == expected


def test_dice_in_order_are_six_scores_or_one_roll() -> None:
    scores, once = ways("3d6 in order")
    assert len(scores.parts) == 7
    assert chances_of(once.pmf) == SUM3


@pytest.mark.parametrize(
    "question",
    ["6-, 7-9, 10+ on 2d6+1", "2d6+1 6-, 7-9, 10+", "2d6+1: 6 or less, 7-9, 10 or more", "2d6 + 1: 6-/7-9/10+"],
)
def test_bands_may_stand_before_the_roll(question: str) -> None:
    found = [chances_of(pmf)[Fraction(1)] for _, pmf in answer(question).parts]
    bands = (2, 6), (7, 9), (10, 13)
    assert found == [sum((p for x, p in SUM2.items() if low <= x + 1 <= high), Fraction(0)) for low, high in bands]


@pytest.mark.parametrize(("bonus", "number", "edge"), [(12, 20, min), (5, 20, min), (0, 30, min), (3, 21, max)])
def test_degrees_of_success_are_those_of_the_second_edition(
    bonus: int, number: int, edge: Callable[[Faces], int]
) -> None:
    def degree(faces: Faces) -> int:
        total = edge(faces) + bonus
        plain = 3 if total >= number + 10 else 2 if total >= number else 0 if total <= number - 10 else 1
        moved = plain + (edge(faces) == 20) - (edge(faces) == 1)
        return min(3, max(0, moved))

    found = counted([D20, D20] if edge is max else [D20], degree)
    words = " with advantage" if edge is max else ""
    parts = answer(f"degrees of success +{bonus} vs DC {number}{words}").parts
    named = ("critical success", "success", "failure", "critical failure")
    assert [name for name, _ in parts] == [*named]
    shares = [chances_of(pmf).get(Fraction(1), Fraction(0)) for _, pmf in parts]
    assert shares == [found.get(Fraction(3 - place), Fraction(0)) for place in range(4)]
    critical = answer(f"critical success on d20 + {bonus} vs DC {number}{words}").pmf
    assert chances_of(critical).get(Fraction(1), Fraction(0)) == shares[0]


@pytest.mark.parametrize(
    ("question", "name", "value"),
    [
        ("which bonus gives 60% for d20 vs DC 15", "bonus", 6),
        ("which bonus gives 60% for d20 >= 15", "bonus", 6),
        ("what bonus do I need for 60% against DC 15", "bonus", 6),
        ("what modifier gives 75% on DC 18", "modifier", 12),
        ("what bonus is needed to beat DC 15 60% of the time", "bonus", 6),
        ("which bonus gives 70% for 2d6 vs 8", "bonus", 2),
        ("which bonus gives 60% for d20 vs AC 15", "bonus", 6),
        ("which DC gives 60% for d20+5", "DC", 14),
        ("what AC gives 60% for d20+7", "AC", 16),
    ],
)
def test_what_is_asked_for_need_not_stand_in_the_roll(question: str, name: str, value: int) -> None:
    (told, reached), (_, missed) = answer(question).parts
    assert told == f"{name} = {value}"
    wanted = Fraction(75 if "75" in question else 70 if "70" in question else 60, 100)
    assert chances_of(reached)[Fraction(1)] >= wanted > chances_of(missed)[Fraction(1)]


def test_large_pools_are_asked_about_ones_and_successes_together() -> None:
    fails, quiet = Fraction(5, 10), Fraction(4, 10)
    first, _ = ways("20d10 difficulty 6 botch")
    assert chances_of(first.pmf)[Fraction(1)] == fails**20 - quiet**20


@pytest.mark.parametrize(
    ("question", "message", "hint"),
    [
        ("4d6mtmt", "what a second `mt` does is not read", "write `mt` once"),
        ("4d6mt2mt3", "what a second `mt` does is not read", "write `mt` once"),
        ("2d6 reroll 13", "no d6 shows that", "6s"),
        ("d6 reroll 7s", "no d6 shows that", "6s"),
        ("d8 explode on 9+", "no d8 shows that", "8s"),
        (
            "beat DC by 5 or more",
            "it is not said what is rolled, or against which DC",
            "d20 + 7 beats DC 15 by 5 or more",
        ),
        ("vampire 7 dice, at least 3 successes", "it is not said which difficulty", "vampire 5 dice difficulty 6"),
        ("PbtA +2 with advantage", "advantage is for one die", "3d6 keep highest 2 + 1"),
        (
            "d20 crit on 18-20 three attacks",
            "it is not said what a critical hit does",
            "a crit in 3 attacks, crit on 19-20",
        ),
        (
            "multiple attack penalty +12/+7 vs AC 22, 2d8",
            "`penalty` cannot",
            "leave out `multiple attack penalty`: +12/+7 vs AC 22, 2d8",
        ),
        ("distant lands 5 dice pushed", "`distant` cannot", "leave out `distant lands`: 5 dice pushed"),
        ("wild magic d20 = 1", "`magic` cannot", "leave out `wild magic`: d20 = 1"),
        ("first die higher than second on 2d6", "`second` cannot", "ask such as: 3d6"),
        ("whfrp 45 vs 38", "`whfrp` cannot", "ask such as: 3d6"),
        ("d100 fumble 96+", "it is not said on which faces these dice fail critically", "d100, fumble on 96-100"),
        (
            "3d6 in order sum at least 63",
            "it is not said which of the scores is meant",
            "3d6 in order, at least one 15+",
        ),
        ("six 3d6 in order", "it is not said which of the scores is meant", "3d6 in order, at least one 15+"),
        ("push 4d6 + 2", "it is not said what pushed dice count", "4d6 pushed"),
        ("4d6 keep highest 3 and lowest 2", "it is not clear what is asked here", ""),
        ("4d6 twice keep highest 3", "it is not clear what is asked here", ""),
        ("d20+5 vs AC 17+2", "it is not clear whether 17+2 is the number, or changes the roll", "write the sum"),
        ("botch on 5d10", "it is not said which difficulty", "botch on 5d10 difficulty 6"),
        ("7 and 11 on 2d6", "these dice never show all of that at once", "2d6 is 7 or 11"),
        ("6-6 in 24 rolls of 2d6", "this asks for several things at once", ""),
        ("hit 2 in 6 attacks", "it is not clear what is asked here", ""),
        ("6d6 drop the lowest and lowest two", "it is not clear what is asked here", ""),
    ],
)
def test_what_says_too_little_is_refused(question: str, message: str, hint: str) -> None:
    with pytest.raises(QuestionError) as error:
        answer(question)
    assert message in error.value.message
    assert hint in error.value.hint


@pytest.mark.parametrize(
    ("dialect", "question", "message", "hint"),
    [
        ("avrae", "4d6dl1", "Avrae has no modifier `dl`", "write `pl` there"),
        ("avrae", "4d6d1", "Avrae has no modifier `d`", "write `pl` there"),
        ("foundry", "4d6ph1", "Foundry has no modifier `ph`", "write `dh` there"),
        (None, "4d6mi2dl1", "Avrae has no modifier `dl`", "write `pl` there"),
    ],
)
def test_a_platform_refuses_the_modifiers_of_others(
    dialect: str | None, question: str, message: str, hint: str
) -> None:
    with pytest.raises(QuestionError, match=message) as error:
        answer(question, dialect)
    assert error.value.hint == hint


def test_a_bare_keep_has_the_meaning_of_avrae_too() -> None:
    highest, threes = answer("4d6k3"), answer("4d6k3").others[0]
    assert chances_of(highest.parts[0][1]) == counted([D6] * 4, lambda f: sum(sorted(f)[1:]))
    assert chances_of(threes.parts[0][1]) == counted([D6] * 4, lambda f: 3 * f.count(3))
    assert not answer("4d6kh3").others


@pytest.mark.parametrize(
    "hint",
    ["d20 + 7 beats DC 15 by 5 or more", "+12/+7 vs AC 22, 2d8", "5 dice pushed", "botch on 5d10 difficulty 6",
     "a crit in 3 attacks, crit on 19-20",
     "3d6 in order, at least one 15+", "4d6 pushed", "d20 with advantage + 5", "3d6 keep highest 2 + 1"],
)  # fmt: skip
def test_what_a_refusal_leads_to_can_be_asked(hint: str) -> None:
    assert answer(hint).parts


@pytest.mark.parametrize(
    ("question", "rolls"),
    [("how many rolls for a 50% chance of a 20", 14), ("how many rolls for a 90% chance of a 6", 13)],
)
def test_rolls_are_counted_until_a_face_is_likely(question: str, rolls: int) -> None:
    (told, reached), (_, missed) = answer(question).parts
    sides, wanted = (20, Fraction(1, 2)) if "20" in question else (6, Fraction(9, 10))
    assert told == f"rolls = {rolls}"
    assert chances_of(reached)[Fraction(1)] == 1 - Fraction(sides - 1, sides) ** rolls >= wanted
    assert chances_of(missed)[Fraction(1)] < wanted
