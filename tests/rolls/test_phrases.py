"""What people type, against every result of the dice counted one by one.

A case has the sides of its dice, what is asked of one result, and the ways in which people write it.
"""

from __future__ import annotations

import csv
import re
from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from functools import cache
from itertools import product
from math import prod
from pathlib import Path
from typing import Any

import pytest

from oddsmith.base.errors import QuestionError
from oddsmith.rolls import RollAnswer, answer

Faces = tuple[int, ...]
HERE = Path(__file__).parent
D6, D20 = tuple(range(1, 7)), tuple(range(1, 21))
FATE = (-1, 0, 1)
D6R1 = tuple(again if face == 1 else face for face in D6 for again in D6)
D4XO = tuple(face + further if face == 4 else face for face in range(1, 5) for further in range(1, 5))


def dice(count: int, sides: int) -> list[Faces]:
    return [tuple(range(1, sides + 1))] * count


def top(faces: Faces, count: int) -> int:
    return sum(sorted(faces)[-count:])


def runs(faces: Faces) -> int:
    """The length of the longest run."""
    shown = sorted(set(faces))
    return max(sum(1 for face in shown if start <= face < start + length) for start in shown
               for length in range(1, 7) if set(range(start, start + length)) <= set(shown))  # fmt: skip


def most(faces: Faces) -> int:
    return max(Counter(faces).values())


CASES: list[tuple[list[Faces], Callable[[Faces], Any], list[str]]] = [
    (dice(3, 6), sum, ["3d6", "roll 3d6", "sum of 3d6", "3D6", "three d6", "3 x d6", "3 dice", "average of 3d6", "/r 3d6", "[[3d6]]",
                       "1d6+1d6+1d6", "3d6?", "three six-sided dice"]),
    (dice(4, 6), lambda f: top(f, 3), ["4d6 drop lowest", "4d6 drop the lowest", "4d6, drop the lowest die", "4d6kh3", "4D6KH3", "4d6k3",
        "4d6dl1", "4d6dl", "4d6d1", "highest 3 of 4d6", "keep highest 3 of 4d6", "4d6 keep the best 3", "3 highest of 4d6", "4d6 keep 3",
        "sum of the three highest of 4d6", "drop lowest of 4d6", "[highest 3 of 4d6]", "{4d6}kh3", "{3d6+1d6}k3"]),
    (dice(5, 6), lambda f: sum(sorted(f)[1:4]), ["5d6 drop highest and lowest", "middle 3 of 5d6", "5d6 drop the highest, drop the lowest"]),
    (dice(5, 6), lambda f: sorted(f)[2], ["median of 5d6", "middle of 5d6", "third highest of 5d6", "3rd lowest of 5d6"]),
    (dice(4, 6), lambda f: sorted(f)[2], ["second lowest of 4d6 drop lowest", "h = 4d6 drop lowest; second lowest of h",
        "second highest of 4d6 drop lowest", "middle 1 of 4d6 drop lowest"]),
    (dice(2, 4), lambda f: min(f) > 3, ["2d4kl1>3", "2d4kl1 > 3"]),
    (dice(4, 6), lambda f: top(f, 3) >= 14, ["4d6kh3>=14", "4d6kh3 >= 14", "4d6k3>=14", "4d6dl1>=14"]),
    ([D20], lambda f: max(f[0], 10) >= 12, ["d20min10>=12", "d20mi10>=12"]),
    ([D6R1], lambda f: 2 <= f[0] <= 3, ["d6r1 >= 2 and d6r1 <= 3"]),
    (dice(4, 6), lambda f: f.count(6) >= 2, ["a 6 at least 2 times in 4 rolls"]),
    (dice(3, 6), lambda f: sum(face >= 5 for face in f) >= 2, ["5 or more at least 2 times in 3 rolls of d6"]),
    ([tuple(again if face == 2 else face for face in (2, 3, 4) for again in (2, 3, 4))], lambda f: f[0],
     ["d4 reroll 1s until gone, reroll 2s once"]),
    ([D20], lambda f: f[0] + 5 >= 15, ["d20, difficulty 15, +5", "+5, d20, target number 15", "d20, +5, difficulty 15"]),
    ([D6R1], lambda f: f[0] <= 2, ["d6 reroll 1s once = 1 or d6 reroll 1s once = 2"]),
    ([D4XO, D4XO], lambda f: 5 <= sum(f) <= 6, ["2d4xo >= 5 and 2d4xo <= 6"]),
    (dice(2, 4), lambda f: sum(max(v, 2) for v in f) in (5, 6), ["2d4 min 2 = 5 or 2d4 min 2 = 6"]),
    (dice(2, 6), lambda f: not 6 <= sum(f) <= 8, ["not (2d6 >= 6 and 2d6 <= 8)"]),
    (dice(3, 6), lambda f: int(10 <= sum(f) <= 12), ["1 if (3d6 >= 10 and 3d6 <= 12) else 0"]),
    (dice(4, 6), lambda f: sum(sorted(max(v, 3) for v in f)[1:]), ["(4d6 drop lowest) minimum 3"]),
    (dice(2, 20), max, ["highest of 2d20", "2d20kh", "2d20kh1", "d20 with advantage", "advantage", "d20 advantage", "2d20 take the higher",
        "max(2d20)", "best of 2d20", "2d20 drop lowest", "roll 2d20 and take the best", "two d20s, keep highest", "max(d20, d20)"]),
    (dice(2, 20), min, ["lowest of 2d20", "2d20kl", "d20 with disadvantage", "disadvantage", "2d20 drop highest", "lower of 2d20"]),
    (dice(3, 20), max, ["d20 with elven accuracy", "elven accuracy", "highest of 3d20"]),
    (dice(2, 20), lambda f: max(f) + 7 >= 18, ["advantage +7 vs AC 18", "d20+7 with advantage >= 18", "1d20+7 >= 18 with advantage",
        "d20 + 7 with advantage vs AC 18", "attack roll +7 vs AC 18 with advantage", "d20 adv + 7 vs AC18", "2d20kh + 7 >= 18"]),
    ([*dice(1, 6), *dice(1, 8)], max, ["highest of d6 + d8", "highest of d6 and d8", "best of (d6 + d8)", "d6 or d8, whichever is higher",
        "max(d6 + d8)", "{1d6,1d8}kh", "the larger of d6 and d8", "higher of d6 and d8"]),
    ([*dice(2, 6), *dice(1, 8)], lambda f: top(f, 2), ["highest 2 of 2d6 + 1d8", "keep the two highest of d6, d6, d8"]),
    (dice(2, 6), lambda f: sum(f) == 7, ["7 on 2d6", "odds of 7 on 2d6", "exactly 7 on 2d6", "2d6 == 7", "2d6 = 7", "7 with two dice",
        "two dice sum to 7", "2d6 equals 7", "total of 7 on 2d6", "what are the odds of rolling a 7 with 2d6?"]),
    (dice(2, 6), lambda f: sum(f) in (7, 11), ["7 or 11 on 2d6", "2d6 == 7 or 2d6 == 11", "2d6 in [7, 11]", "two dice total 7 or 11"]),
    (dice(2, 6), lambda f: 5 <= sum(f) <= 9, ["between 5 and 9 on 2d6", "5 to 9 on 2d6", "5 <= 2d6 <= 9", "2d6 >= 5 and 2d6 <= 9",
        "2d6 between 5 and 9", "2d6 from 5 to 9", "5-9 on 2d6", "2d6 >= 5 and <= 9", "chance of between 5 and 9 on 2d6"]),
    (dice(2, 6), lambda f: sum(f) < 4 or sum(f) > 10, ["2d6 < 4 or > 10", "2d6 < 4 or 2d6 > 10"]),
    (dice(3, 6), lambda f: sum(f) >= 15, ["what are the odds of rolling 15 or higher on 3d6", "3d6 15 or higher", "15+ on 3d6", "3d6 ≥ 15",
        "at least 15 on 3d6", "3d6 at least 15", "3d6 total at least 15", "no less than 15 on 3d6"]),
    (dice(3, 6), lambda f: sum(f) < 12, ["roll under 12 on 3d6", "3d6 roll under 12", "less than 12 on 3d6", "3d6 < 12"]),
    (dice(3, 6), lambda f: 6 in f or 5 in f, ["6 in 3d6 or 5 in 3d6", "any 5 or 6 in 3d6"]),
    (dice(3, 6), lambda f: 6 in f and 5 in f, ["6 in 3d6 and 5 in 3d6", "a 5 and a 6 in 3d6"]),
    (dice(4, 6), lambda f: 6 in f, ["at least one 6 in 4d6", "chance of at least one six in 4 dice", "6 in 4d6", "at least one six in four rolls",
        "a 6 at least once in 4 throws of d6"]),
    (dice(4, 6), lambda f: 6 not in f, ["no 6 in 4d6", "no sixes in 4d6", "6 not in 4d6"]),
    (dice(5, 6), lambda f: f.count(6) >= 2, ["at least 2 6s in 5d6", "at least two sixes in 5d6", "5d6 at least 2 sixes", "count of 6 in 5d6 at least 2",
        "2 or more 6s in 5d6", "count(5d6, 6) >= 2"]),
    (dice(5, 6), lambda f: f.count(6) == 2, ["exactly two 6s on 5d6", "exactly 2 sixes in 5d6"]),
    (dice(5, 6), lambda f: sum(x >= 5 for x in f), ["count of 5+ in 5d6", "how many 5s and 6s in 5d6", "[count {5,6} in 5d6]", "5d6 count 5 or more",
        "5d6cs>=5", "5d6 successes 5+", "number of successes on 5d6 at 5 or more", "count(f >= 5 for f in 5d6)", "5d6 count 5s and 6s",
        "how many dice show 5 or more in 5d6", "5d6 difficulty 5", "5d6 with 5 or more counting as a success"]),
    (dice(4, 10), lambda f: sum(x >= 8 for x in f) - f.count(1), ["4d10 successes at 8, ones cancel", "4d10cs>=8df=1", "4d10>=8f1"]),
    (dice(5, 6), lambda f: most(f) >= 2, ["a pair in 5d6", "any doubles in 5d6"]),
    (dice(5, 6), lambda f: most(f) >= 3, ["three of a kind in 5d6", "at least 3 of 5d6 are equal", "at least three of a kind in 5d6", "triples on 5d6"]),
    (dice(5, 6), lambda f: sorted(Counter(f).values()) == [2, 3], ["full house in 5d6", "a full house on 5d6"]),
    (dice(5, 6), lambda f: sum(n >= 2 for n in Counter(f).values()) >= 2, ["two pairs in 5d6", "two pair 5d6"]),
    (dice(5, 6), lambda f: runs(f) >= 5, ["straight of 5 in 5d6", "large straight in 5d6", "straight in 5d6", "has_run(5d6, 5)"]),
    (dice(5, 6), runs, ["longest run in 5d6"]),
    (dice(5, 6), most, ["largest set in 5d6"]),
    (dice(4, 6), lambda f: len(set(f)) == 4, ["all different in 4d6", "no two the same in 4d6"]),
    (dice(4, 6), lambda f: len(set(f)), ["size(distinct(4d6))", "number of different faces in 4d6"]),
    (dice(2, 6), lambda f: f[0] == f[1], ["doubles on 2d6", "odds of rolling doubles with 2d6", "all the same on 2d6", "all_equal(2d6)"]),
    (dice(2, 6), lambda f: f == (1, 1), ["snake eyes on 2d6", "2d6 = 2", "all ones on 2d6"]),
    (dice(4, 6), lambda f: max(f) - min(f), ["highest minus lowest of 4d6", "h = 4d6; max(h) - min(h)", "difference of 4d6"]),
    (dice(2, 6), lambda f: abs(f[0] - f[1]), ["abs(d6 - d6)", "absolute difference of 2d6"]),
    (dice(2, 6), lambda f: f[0] - f[1], ["d6 - d6", "d6 – d6", "d6 minus d6"]),
    (dice(2, 6), lambda f: 5 * sum(f), ["2d6×5", "2d6*5", "5 * 2d6", "2d6 x 5 "]),
    ([D20], lambda f: f[0] // 2, ["floor(d20/2)", "d20 // 2", "half of d20, rounded down"]),
    ([D20], lambda f: Fraction(f[0], 2), ["d20 / 2"]),
    ([D20], lambda f: f[0] + 5 >= 15, ["d20+5 vs DC 15", "d20 + 5 >= 15", "d20+5 vs 15", "d20+5 against AC 15", "+5 to hit vs AC 15"]),
    (dice(2, 20), lambda f: f[0] + 3 > f[1] + 1, ["opposed roll d20+3 against d20+1", "d20+3 > d20+1", "d20+3 vs d20+1", "d20+3 vs d20+1, ties lose"]),
    (dice(2, 20), lambda f: f[0] + 3 >= f[1] + 1, ["d20+3 vs d20+1, ties win"]),
    ([D20], lambda f: max(f[0], 10), ["d20min10", "d20 minimum 10", "max(d20, 10)", "{d20,10}kh"]),
    ([D20], lambda f: f[0] == 20, ["nat 20", "natural 20 on d20", "chance of rolling a 20 on a d20"]),
    (dice(3, 20), lambda f: max(f) >= 19, ["critical hit in 3 attacks on 19-20", "any(d20 >= 19 for i in span(1, 3))"]),
    ([*dice(1, 10), *dice(1, 8)], lambda f: f[0] > 1 and f[1] > 3, ["d10 > 1 and d8 > 3", "not d10 <= 1 and d8 > 3"]),
    ([*dice(1, 10), *dice(1, 8)], lambda f: f[0] > 9 or f[1] > 7, ["d10 > 9 or d8 > 7", "d10 = 10 or d8 = 8"]),
    (dice(4, 3), lambda f: sum(f) - 8, ["4dF", "4df", "fate dice", "4 fudge dice", "4d{-1,0,1}", "4d{-1..1}"]),
    ([(1, 1, 2, 3)], sum, ["d{1,1,2,3}", "1d{1:2, 2..3}", "d[1,1,2,3]"]),
    ([D6, D6], lambda f: 10 * f[0] + f[1], ["d66"]),
    ([D6, D6, D6], lambda f: 100 * f[0] + 10 * f[1] + f[2], ["d666"]),
    ([tuple(range(1, 101))], sum, ["d%", "d100", "percentile dice"]),
    (dice(3, 6), lambda f: 6 in f, ["a 6 on 3d6", "3d6, at least one die 6 or higher", "at least one die shows 6, rolling 3d6"]),
    (dice(5, 10), lambda f: sum(x >= 7 for x in f) + f.count(10), ["5d10 count 7+, 10s count twice"]),
    ([*dice(1, 8), *dice(1, 6)], lambda f: f[0] > f[1], ["how often does 1d8 beat 1d6", "initiative: d8 beats d6", "d8 vs d6 defender wins ties"]),
    ([*dice(1, 8), *dice(1, 6)], lambda f: f[0] >= f[1], ["d8 vs d6 attacker wins ties"]),
    (dice(4, 6), lambda f: top(f, 2), ["best 2 out of 4d6", "4d6 keep highest 2, please"]),
    (dice(6, 6), lambda f: max(sum(f[:3]), sum(f[3:])), ["roll 3d6 twice take the better", "{3d6,3d6}kh"]),
    (dice(3, 6), lambda f: sum(f) % 3 == 0, ["sum of 3d6 is divisible by 3"]),
    (dice(3, 6), lambda f: 5 <= sum(f) <= 8, ["3d6 at least 5 at most 8"]),
    (dice(3, 6), lambda f: sum(f) != 10, ["3d6 not 10"]),
    (dice(3, 6), lambda f: sum(f) >= 12, ["3d6, chance of 12+", "3d6 fireball, at least 12 damage", "Shadowrun: 3d6 at least 12", "fate 3d6 at least +12"]),
    ([D20, D20], lambda f: max(f) + 3 >= 15, ["d20+3 vs AC 15 with advantage", "d20+3 with advantage, beat DC 15"]),
    ([D20, D20], lambda f: max(f) >= 18, ["advantage on d20, roll 18 or better"]),
    (dice(5, 10), lambda f: sum(x >= 7 for x in f) >= 2, ["WoD 5d10 difficulty 7, at least 2 successes", "5d10, hits on 7+, at least 2 hits", "5d10 at least two of them 7 or more"]),
    (dice(4, 10), lambda f: sum(x >= 7 for x in f) + f.count(10) >= 3, ["Exalted 4d10 7+, 10s count double, at least 3 successes"]),
    (dice(4, 10), lambda f: sum(x >= 6 for x in f) - f.count(1) >= 1, ["4d10 count 6+, 1s subtract, at least 1 net success"]),
    (dice(3, 6), lambda f: sum(max(x, 3) for x in f), ["3d6 with a minimum of 3 on each die, mean", "3d6, treat 1s and 2s as 3s, average"]),
    (dice(3, 6), lambda f: sum(2 if x == 1 else x for x in f), ["3d6 where each 1 counts as 2, average"]),
    (dice(6, 6), lambda f: sum(f[:3]) >= 8 and sum(f[3:]) >= 8, ["3d6 2 times, all at least 8"]),
    (dice(6, 6), lambda f: sum(f) >= 20, ["two sets of 3d6, total at least 20"]),
    (dice(6, 6), lambda f: 18 in (sum(f[:3]), sum(f[3:])), ["3d6 2 times, at least one 18"]),
    (dice(4, 6), lambda f: sum(sorted(f)[1:3]), ["sum of the middle two of 4d6"]),
    ([(1, 1, 2, 2, 3, 3)] * 2, sum, ["2 dice numbered 1,1,2,2,3,3, total", "2 custom dice {1,1,2,2,3,3}"]),
    (dice(2, 6), lambda f: sum(f) in (2, 3, 12), ["2, 3 or 12 on 2d6"]),
    ([*dice(1, 10), *dice(1, 8), *dice(1, 6)], lambda f: top(f, 2) >= 12, ["d10 d8 d6 keep two highest, at least 12"]),
    ([*dice(1, 12), *dice(2, 6)], lambda f: f[0] >= f[1] + f[2], ["d12 equal to or higher than 2d6"]),
    (dice(4, 10), lambda f: max(f) < 8, ["probability of no successes on 4d10 target 8", "no 8s, 9s or 10s in 4d10"]),
    ([*dice(1, 20), *dice(1, 4)], lambda f: sum(f) + 5 >= 16, ["d20 + d4 (bless) + 5 against DC 16", "d20 + d4[bless] + 5 >= 16"]),
    ([D6], lambda f: f[0] % 2 == 0, ["even on d6", "d6 is even"]),
    # the same in another order, with other words between
    (dice(3, 6), lambda f: sum(f) == 10, ["roll 3 dice, total exactly 10", "3d6, sum is 10"]),
    (dice(3, 6), lambda f: 6 in f, ["3d6 highest is 6", "3d6 at least one is 6 or more", "nat 6 on 3d6", "a natural 6 on 3d6"]),
    (dice(4, 8), lambda f: min(f) >= 3, ["4d8 lowest at least 3", "no 1 and no 2 in 4d8"]),
    (dice(5, 6), lambda f: sum(sorted(f)[1:4]), ["5d6 keep middle 3", "5d6, take the middle three"]),
    (dice(3, 20), lambda f: sorted(f)[1], ["roll d20 three times, take the middle", "second best of 3d20", "d20 3 times, keep the median"]),
    (dice(4, 10), lambda f: sum(x for x in f if x >= 7), ["4d10 sum of dice showing 7 or more", "sum of the dice showing 7 or more in 4d10"]),
    (dice(4, 6), lambda f: sum(x >= 5 for x in f) >= 2, ["hits on 5+, 4d6, at least 2 hits", "at least 2 hits with 4d6 hitting on 5 or 6",
        "4d6, 5+ is a success, at least 2 successes", "rolling 4d6, at least two successes, target 5", "at least half of 4d6 are 5 or more"]),
    (dice(4, 6), lambda f: sum(x >= 5 for x in f), ["successes on 5+ with 4d6", "4d6, how many 5+", "hits on 5+ from 4d6"]),
    (dice(4, 6), lambda f: f.count(6) > 2, ["more than half of 4d6 are sixes"]),
    (dice(4, 6), lambda f: sum(x >= 5 for x in f[:2]) > sum(x >= 5 for x in f[2:]), ["2d6 5+ vs 2d6 5+, ties lose", "2d6 vs 2d6, hits on 5+, ties lose"]),
    (dice(4, 6), lambda f: sum(x >= 5 for x in f[:2]) - sum(x >= 5 for x in f[2:]) >= 1,
        ["successes on 2d6 at 5+ minus successes on 2d6 at 5+, at least 1", "2d6 vs 2d6 hits on 5+, net hits at least 1"]),
    ([D20, D20], lambda f: max(f) + 5 >= 17, ["DC 17 save with +5 and advantage", "roll with advantage +5 against DC 17", "concentration save DC 17 with +5 and advantage"]),
    ([D20], lambda f: f[0] + 12 - 15 >= 10, ["1d20+12 beats DC 15 by 10 or more"]),
    ([D20, D20], lambda f: f == (1, 1), ["two natural 1s in a row", "natural 1 twice in a row"]),
    (dice(2, 100), lambda f: all(x < 50 for x in f), ["d100 less than 50 twice in a row", "d100 < 50 two times in a row"]),
    (dice(6, 6), lambda f: f[0] == f[1] and f[2] == f[3] and f[4] == f[5], ["doubles three times in a row"]),
    (dice(4, 6), lambda f: sum(sum(f[2 * k:2 * k + 2]) >= 11 for k in range(2)) >= 1, ["2d6 at least 11, at least once in two rolls"]),
    (dice(3, 20), lambda f: sum(x >= 12 for x in f) >= 2, ["3 attacks, each hits on 12 or higher, at least two hit", "hit AC 16 with +4 at least 2 times in 3 attacks"]),
    (dice(3, 6), lambda f: 6 in f, ["roll a 6 within 3 rolls", "6 within three throws"]),
    (dice(3, 6), lambda f: 6 not in f, ["chance of no 6 in three rolls"]),
    (dice(4, 6), lambda f: most(f) >= 2, ["at least two dice match on 4d6", "at least two of 4d6 match"]),
    (dice(3, 6), lambda f: most(f) == 2, ["exactly two of 3d6 match"]),
    ([(0, 1)] * 5, lambda f: sum(f) >= 3, ["flip 5 coins, at least 3 heads", "at least 3 heads in 5 coin flips", "5 coins at least 3 tails"]),
    ([tuple(range(1, 101))], lambda f: f[0] in (11, 22, 33, 44, 55, 66, 77, 88, 99, 100), ["doubles on a d100", "d100 doubles"]),
    ([tuple(range(1, 9))], lambda f: max(f[0] + 3, 5), ["d8+3 minimum 5", "max(d8 + 3, 5)"]),
    (dice(3, 6), lambda f: max(sum(f), 10), ["3d6 minimum 10"]),
    ([*dice(1, 6), *dice(2, 10)], lambda f: f[0] + 2 > max(f[1:]), ["d6+2 beats both of 2d10"]),
    ([*dice(1, 20), *dice(2, 6)], lambda f: sum(f[1:]) // 2 if f[0] + 2 >= 15 else sum(f[1:]), ["2d6, half if d20+2 >= 15"]),
    ([*dice(2, 6), *dice(2, 6)], lambda f: sum(f[k + 2] if f[k] <= 2 else f[k] for k in (0, 1)) + 3,
        ["2d6+3, rerolling 1s and 2s once", "2d6+3 with great weapon fighting", "2d6+3, reroll ones and twos once"]),
    (dice(8, 6), lambda f: sum(sum(f[4 * k:4 * k + 4]) - min(f[4 * k:4 * k + 4]) for k in range(2)), ["sum of two 4d6 drop lowest"]),
    (dice(3, 6), lambda f: all(x >= 4 for x in f), ["3 dice all show 4 or more", "3d6, all of them are 4 or more"]),
    (dice(3, 6), lambda f: all(x % 2 == 0 for x in f), ["three dice are all even"]),
    (dice(3, 6), lambda f: {1, 2, 3} <= set(f), ["1, 2, 3 with three dice", "1-2-3 on 3d6"]),
    ([D20], lambda f: f[0] % 2 == 0 and f[0] > 10, ["d20 is even and above 10"]),
    (dice(3, 8), lambda f: min(f) + 2 >= 5, ["d8 + 2, at least 5, three times in a row"]),
    (dice(3, 6), lambda f: sum(f) <= 12, ["3d6 under or equal 12", "3d6 equal to or below 12", "3d6 being at most 12"]),
    (dice(2, 6), lambda f: f[0] == f[1] or sum(f) >= 9, ["2d6 doubles or at least 9"]),
    (dice(2, 20), lambda f: f[0] + 4 - f[1] - 1 >= 3, ["d20+4 is at least 3 higher than d20+1"]),
    (dice(2, 20), lambda f: 20 in f, ["1d20+5 with advantage, chance of a critical"]),
    (dice(4, 6), lambda f: sum(x for x in f if x >= 5), ["4d6 keep 5s and 6s"]),
    (dice(2, 100), lambda f: min(f) <= 35, ["d100 <= 35 with two tries"]),
    (dice(2, 6), lambda f: 5 in f, ["a 5 on at least one of two dice"]),
    (dice(4, 10), lambda f: sum(x >= 7 for x in f), ["number of successes for 4d10 at difficulty 7", "roll 4d10 and count the dice that are 7 or higher"]),
    (dice(4, 6), lambda f: top(f, 3) + 2, ["first roll 4d6 drop lowest then add 2"]),
    (dice(4, 6), sum, ["how much damage does 4d6 do on average"]),
    (dice(2, 6), lambda f: 6 not in f, ["two dice, neither is a 6"]),
    (dice(4, 6), lambda f: most(f) >= 2, ["four dice, at least one pair"]),
    ([D20], lambda f: f[0] + 5 >= 15, ["dex save +5 against DC 15"]),
    (dice(3, 6), lambda f: sum(f) == 11, ["3 dice add up to 11"]),
    (dice(4, 6), lambda f: f[0] == f[1] or f[2] == f[3], ["get doubles within two rolls of 2d6"]),
    (dice(2, 6), lambda f: f[0] >= f[1], ["d6 vs d6 ties count as wins"]),
    (dice(4, 6), lambda f: sum(f[:2]) == sum(f[2:]), ["probability that 2d6 ties 2d6"]),
    (dice(2, 20), lambda f: min(f) + 4 > 13, ["roll 2d20 take the lowest, add 4, beat 13"]),
    (dice(4, 6), lambda f: sum(f[:2]) >= 10 and sum(f[2:]) >= 10, ["at least 10 on 2d6 and at least 10 on another 2d6"]),
]  # fmt: skip


def told(pmf: Any) -> dict[Any, Fraction]:
    assert pmf.tail is None
    return {value: Fraction(weight, pmf.total) for value, weight in pmf.weights.items()}


@pytest.mark.parametrize(("sides", "asked", "phrases"), CASES, ids=[case[2][0] for case in CASES])
def test_a_phrase_means_what_counting_all_results_gives(
    sides: list[Faces], asked: Callable[[Faces], Any], phrases: list[str]
) -> None:
    results = list(product(*sides))
    counted = Counter(Fraction(asked(faces)) for faces in results)
    expected = {value: Fraction(times, len(results)) for value, times in counted.items()}
    for phrase in phrases:
        assert told(answer(phrase).pmf) == expected, phrase


with (HERE / "phrases.tsv").open(encoding="utf-8") as table:
    HANDED = [tuple(row[:3]) for row in csv.reader(table, delimiter="\t") if row and not row[0].startswith("#")]


@pytest.mark.parametrize(("phrase", "asked", "value"), HANDED)
def test_a_phrase_has_its_published_value(phrase: str, asked: str, value: str) -> None:
    pmf = answer(phrase).pmf
    mean, square = pmf.raw_moment(1), pmf.raw_moment(2)
    assert mean is not None
    assert pmf.is_yes_or_no == (asked == "chance")
    if asked == "variance":
        assert square is not None
        assert (square - mean * mean).exact == Fraction(value)
    else:
        assert mean.exact == Fraction(value)


# A phrase that can be meant in two ways, and the mean of every way.
AMBIGUOUS = [
    ("max(4d6) - min(4d6)", ["2261/648", "2261/648"]),
    ("2d6 >= 7 and 2d6 <= 9", ["5/12", "35/72"]),
    ("d20 >= 15 and d20 >= 15", ["3/10", "9/100"]),
    ("d20 >= 15 or d20 >= 15", ["3/10", "51/100"]),
    ("any(d20 >= 20 for i in span(1, 3))", ["1141/8000", "1/20"]),
    ("max(2d6 for i in span(1, 3))", ["3913/432", "7"]),
    ("highest of 2d20 + d4", ["653/40", "1107/80"]),
    ("2d6+3 vs d20", ["9/20", "1/2"]),
    ("2d6ro<3", ["25/3", "17/2"]),
    ("2d6r<3", ["25/3", "10"]),
    ("5d10cs8", ["1/2", "55/2"]),
    ("5d6>4", ["1", "5/2"]),
    ("3d20 drop lowest vs 3d20 drop lowest", ["30799/64000", "33201/64000"]),
    ("3d20 drop lowest vs 3d20 drop lowest, reroll ties", ["1/2"]),
    ("3 successes on 6d6 at 5+", ["233/729", "160/729"]),
    ("d20 reroll 1s", ["439/40", "11"]),
    ("8d6 half", ["55/4", "14"]),
    ("better of 2d6 and d12", ["1223/144", "347/48"]),
    ("two pair on 5d6", ["175/648", "25/108"]),
    ("a 6 on 3d6", ["91/216", "5/108"]),
    ("median of 3d6", ["7/2", "21/2"]),
    ("median of 4d6 drop lowest", ["1771/432", "15869/1296"]),
    ("max(2d6d2) - min(2d6d2)", ["7751/8192"]),
    ("7 heads out of 10 coins", ["11/64", "15/128"]),
    ("d4+d6 max 8", ["6", "35/6"]),
    ("d20 < 5 twice", ["1/25", "9/25"]),
    ("4d6dl1 x2", ["15869/648", "23268827/1679616"]),
    ("{1d20+5, 1d20+5, 1d20+5}>15", ["1", "33/20"]),
    ("roll 5d6 keep the best 3, chance to beat 15", ["607/2592", "2932/7776"]),
    ("max(1d20, 1d20) + 7", ["833/40"]),
    ("d20+5 vs AC 26", ["0", "1/20"]),
    ("d20+10 vs AC 8", ["1", "19/20"]),
    ("d20+7 vs AC 16", ["3/5"]),
    ("3d6 vs 2d6, sorted", ["2797/2592", "3871/2592"]),
    ("4d6 5 or 6", ["7/648", "4/3"]),
    ("2d6 7 or 11", ["2/9"]),
    ("three of a kind 5d6", ["23/108", "125/648"]),
    ("a pair in 5d6", ["49/54", "25/36"]),
    ("small straight 5d6", ["25/162", "10/81"]),
    ("d100 roll under 65", ["16/25", "13/20"]),
    ("5d10 count 7", ["1/2", "2"]),
    ("5d10 count 7, at least 2", ["4073/50000", "2072/3125"]),
    ("5d10 count 7, ones cancel", ["0", "3/2"]),
    ("5d10 count 7, 10 counts twice", ["1", "5/2"]),
    ("6 shots hitting on 4+, exactly 3 hits", ["5/16", "132651/3200000"]),
    ("Fate: chance to get +4", ["1/81", "4"]),
    ("at least one 6 in 4 rolls of 2d6", ["1288991/1679616", "756095/1679616"]),
    ("no 1s in 3 rolls of 2d6", ["15625/46656"]),
    ("d20 under 12 with advantage", ["121/400", "319/400"]),
    ("roll under 12 on d20", ["11/20", "3/5"]),
    ("3 attempts at d20, target 15", ["657/1000", "9/10"]),
    ("3 attacks +5 vs AC 15", ["7271/8000", "33/20"]),
    ("3d6, on a 6 add d6", ["49/4", "5173/432", "2303/216"]),
    ("d8 add d6 on 5+", ["25/4", "7/8"]),
    ("d20+5, on a 20 add d6", ["627/40", "627/40"]),
    ("6d6 TN 5", ["1", "2"]),
    ("5d10 TN 7", ["49997/50000", "2"]),
    ("5d10 difficulty 7", ["2", "49997/50000"]),
    ("6d6 DC 5", ["1", "2"]),
    ("probability of a 6 on 2d6", ["11/36", "5/36"]),
    ("chance to roll a 6 with 4d6", ["671/1296", "5/648"]),
    ("a 5 or 6 on 3d6", ["19/27", "2/27"]),
    ("3d6, what is the chance of a 6", ["91/216", "5/108"]),
    ("odds of 6 on 3d6", ["5/108", "91/216"]),
    ("roll d6 until 1, sum", ["21", "20"]),
    ("roll 2d6 until 7, total", ["42", "35"]),
    ("opposed 5d6 vs 4d6 count 5+", ["8881/19683", "14203/19683"]),
    ("Mothership 40 with advantage", ["6279/10000", "16/25"]),
    ("Mothership 40", ["39/100", "2/5"]),
    ("forbidden lands 5 dice pushed", ["25/18", "55/36"]),
    ("3k2 vs TN 15", ["2349/5000", "213/500"]),
    ("3(d6+1)", ["27/2", "27/2"]),
    ("double damage 2d6+3", ["17", "20"]),
    ("d20, on a 1 reroll", ["439/40", "11"]),
    ("chance of a 6 from 4d6", ["671/1296", "5/648"]),
]


@pytest.mark.parametrize(("phrase", "means"), AMBIGUOUS)
def test_what_can_be_meant_in_two_ways_is_told_in_both(phrase: str, means: list[str]) -> None:
    first = answer(phrase)
    found = [first, *first.others]
    assert [each.pmf.mean.exact for each in found if each.pmf.mean] == [Fraction(mean) for mean in means]
    assert all(each.note for each in found) or len(found) == 1
    assert len({each.note for each in found}) == len(found)


# What is refused, what is said of it, and where.
REFUSED = [
    ("", "there is no question", 0),
    ("hihgest 2 of 3d6", "`hihgest` cannot be read here", 0),
    ("3d6 + luck", "`luck` cannot be read here", 6),
    ("highest 5 of 3d6", "at most 3 can count here, not 5", 8),
    ("4d6kh0", "at most 4 can count here, not 0", 5),
    ("highest 3 of 4d6 keep 2", "at most 2 can count here, not 3", 8),
    ("third highest of 4d6 keep 2", "a whole number from 1 to 2", 0),
    ("highest minus lowest of 2d6 drop highest and lowest", "no die would be left", 24),
    ("median of 3d6!", "how many dice there are depends on the roll", 0),
    ("straight in 3d6!", "how many dice there are depends on the roll", 0),
    ("more than half of 3d6x2=6 are 6s", "how many dice there are depends on the roll", 0),
    ("h = 4d6 + 2; max(h) - min(h)", "of these dice only the total is known", 4),
    ("h = d6 + d8; max(h)", "of these dice only the total is known", 4),
    ("h = 2d6d2; max(h)", "of these dice only the total is known", 4),
    ("any(x > 3 for x in 2d6d2)", "of these dice only the total is known", 19),
    ("sum of 3d6, at least 2 hits on 3+", "it is not clear what is asked here", 0),
    ("highest of 3d6, hits on 3+, at least 2 hits", "it is not clear what is asked here", 0),
    ("+5 to hit, AC 15, 2d6 damage, advantage", "advantage is for one die", 18),
    ("3 rolls of d4, all different", "nothing is left to compare", 0),
    ("d4rr1r2", "what `r` does behind `rr` is not read", 0),
    ("d20 never 10+ 5 rolls", "this asks for several things at once", 0),
    ("d4r1xo", "what `xo` does behind `r` is not read", 0),
    ("2d6min3r1", "what `r` does behind `min` is not read", 0),
    ("3d6ms>=5kh", "what `kh` does behind `ms` is not read", 0),
    ("3d6cf1df", "what `df` does behind `cf` is not read", 0),
    ("3d6r2r1=1", "`r` with two numbers is not read", 0),
    ("3d6r1!p", "what `r` does behind `!p` is not read", 0),
    ("risk 10 armies vs 5 armies", "`armies` cannot be read here", 8),
    ("risk 10 vs 5", "`vs` cannot be read here", 8),
    ("two 6s in three rolls of 5d6", "it is not clear what is asked here", 0),
    ("roll under 12 on d20 with advantage", "it is not clear what is asked here", 0),
    ("6d10>6!", "`!` cannot be read here", 6),
    ("d20 >= 10 <= 15", "it is not clear what is asked here", 0),
    ("6d6 one of each", "`each` cannot be read here", 11),
    ("3d6, critical failure", "it is not said on which faces these dice fail critically", 0),
    ("GWM -5/+10 +9 vs AC 15 2d6+5", "`GWM` cannot be read here", 0),
    ("successes: 8d10", "`:` cannot be read here", 9),
    ("wild die: d8", "`d8` cannot be read here", 10),
    ("1d20+1d4+5 to hit AC 16 (bless)", "it is not clear what is asked here", 0),
    ("5d10 difficulty 7 (ones cancel)", "`cancel)` cannot be read here", 24),
    ("8d6 (half)", "`)` cannot be read here", 9),
    ("d20 adv dis", "advantage is for one die", 0),
    ("2d6 explode on doubles", "`doubles` cannot be read here", 15),
    ("d20 with bonus 5", "`5` cannot be read here", 15),
    ("initiative +5", "no dice are rolled here", 0),
    ("d20+3 attack 15", "`attack` cannot be read here", 6),
    ("d20 check 15", "`check` cannot be read here", 4),
    ("crit 2d6+4", "it is not clear what is asked here", 0),
    ("crit 2d6", "it is not clear what is asked here", 0),
    ("2d6 with advantage", "advantage is for one die", 0),
    ("pbta with advantage +1", "advantage is for one die", 0),
    ("2d6ro2r1", "what `ro` does behind `r` is not read", 0),
    ("2d3xo2=3", "`xo` with two numbers is not read", 0),
    ("2d6 drop highest vs d6, sorted, ties lose", "all dice of both sides are paired", 0),
    ("h = 3d4 drop lowest and d4; max(h)", "of these dice only the total is known", 4),
    ("highest 2 of 3d6 drop lowest and d8", "it is not clear what `and` joins here", 0),
    ("more than half of 2d4 exploding once are 4s", "how many dice there are depends on the roll", 0),
    ("d100001", "a die has 1 to 100,000 sides", 1),
    ("1001d6", "a roll has at most 1,000 dice", 0),
    ("max(3d6", "something is missing here", 7),
    ("3d6 +", "something is missing here", 5),
    ("d6 // (d6 - 1)", "this could divide by 0", 0),
    ("d6x>=1", "never end", 0),
    ("d6 reroll 1-6 until gone", "never ends", 0),
    ("2d6 >= 7 and 3d6", "yes or no", 13),
    ("4d6kh1kl1e6", "what stands behind several keeps or drops is not read", 0),
    ("4d6k5mi2kh1kh2", "what `mi` does behind `k` is not read", 0),
    ("d10 doubles", "2 of a kind needs 2 dice, but only one is rolled", 0),
    ("3d4+3 hellish rebuke", "`hellish` cannot be read here", 6),
    ("two cards from a deck", "`cards` cannot be read here", 4),
    ("chance of rolling two 20s with advantage", "with advantage one die counts", 18),
    ("at least 2 hits with 3d6, doubles", "it is not clear what is asked here", 0),
    ("5d6cs", "counts nothing in Foundry 14", 0),
    ("__import__", "`__import__` cannot be read here", 0),
    ("h = 30d20; max(h) - min(h)", "different hands", 4),
    ("highest 2 of (1d4)d6", "at most 1 can count here, not 2", 8),
    ("highest of (1d4 - 1)d6", "there may be no dice at all", 11),
    ("at least one 12 in 3 throws", "it is not said which die is rolled", 0),
    ("roll +1, chance of a 10+", "no dice are rolled here", 0),
    ("highest of 2d(1d6)", "of these dice only the total is known", 11),
    ("5d6 with charm", "`charm` cannot be read here", 9),
    ("Dungeon World +2, 10+", "`Dungeon` cannot be read here", 0),
    ("3d6 twinned, chance of 12", "`twinned` cannot be read here", 4),
]


@pytest.mark.parametrize(("phrase", "message", "at"), REFUSED)
def test_what_cannot_be_read_is_refused_at_its_place(phrase: str, message: str, at: int) -> None:
    dialect = "foundry" if "cs" in phrase else None
    with pytest.raises(QuestionError) as error:
        answer(phrase, dialect)
    lines = str(error.value).split("\n")
    assert message in lines[0]
    assert lines[2].index("^") - 2 == at


@pytest.mark.parametrize(
    ("phrase", "hint"),
    [
        ("which x gives 60% for d20 >= 15", "write x into the roll"),
        ("3d4+3 hellish rebuke", "leave out `hellish rebuke`: 3d4+3"),
        ("two cards from a deck", "cards are drawn in a ruleset"),
        ("5d6 explodng", "did you mean exploding"),
        ("11d6 4 hits", "11d6, at least 4 dice show 5 or more"),
        ("at least 4 successes on 8d10", "11d6, at least 4 dice show 5 or more"),
        ("vampire 6 dice 3 successes", "vampire 5 dice difficulty 6"),
        ("output 3d6 keep 2 highest", "leave out `output`: 3d6 keep 2 highest"),
        ("\noutput d20! \n", "leave out `output`: d20!"),
        ("output 3d6 charmed", "functions are called in brackets"),
        ("output 3d6 keep 2 highest\noutput 3d6", "functions are called in brackets"),
    ],
)
def test_a_refusal_leads_on(phrase: str, hint: str) -> None:
    with pytest.raises(QuestionError, match=re.escape(hint)):
        answer(phrase)


def _gathered(size: int, sides: int, throws: int) -> Fraction:
    """The chance of dice alike, whichever dice are kept after each throw: the best of all ways to keep some."""

    @cache
    def best(hand: Faces, left: int) -> Fraction:
        if len(set(hand)) == 1 or not left:
            return Fraction(len(set(hand)) == 1)
        kept = {tuple(sorted(hand[i] for i in range(size) if mask >> i & 1)) for mask in range(2**size)}
        return max(mean(each, left - 1) for each in kept)

    @cache
    def mean(kept: Faces, left: int) -> Fraction:
        again = list(product(range(1, sides + 1), repeat=size - len(kept)))
        return sum((best(tuple(sorted(kept + each)), left) for each in again), Fraction(0)) / len(again)

    return mean((), throws - 1)


@pytest.mark.parametrize(("size", "sides", "throws"), [(3, 4, 1), (3, 4, 2), (3, 6, 3), (4, 3, 3), (4, 4, 2)])
def test_dice_alike_within_some_throws_are_the_best_that_can_be_done(size: int, sides: int, throws: int) -> None:
    assert _mean(f"{size} of a kind within {throws} throws of {size}d{sides}") == _gathered(size, sides, throws)


def test_a_yahtzee_within_three_throws() -> None:
    assert _mean("yahtzee within three rolls") == Fraction(347897, 7558272)


def test_death_saves_and_races() -> None:
    """Death saves beside all that five rolls can bring; a race of two totals beside their shares."""
    up = 0
    for faces in product(("20", "10+", "2-9", "1"), repeat=5):
        won = lost = 0
        for face in faces:
            if won < 3 and lost < 3:
                won += {"20": 3, "10+": 1}.get(face, 0)
                lost += {"1": 2, "2-9": 1}.get(face, 0)
        ways = prod({"20": 1, "10+": 10, "2-9": 8, "1": 1}[face] for face in faces)
        up += ways * (won >= 3)
    assert _mean("death saves") == Fraction(up, 20**5)
    assert _mean("7 before 4 on 2d6") == Fraction(2, 3)
    assert _mean("3 successes before 3 failures on d6 at 4+") == Fraction(1, 2)
    assert _mean("2 hits before 1 failure with d6 at 5+") == Fraction(1, 9)


def _lowest(faces: Faces, number: int) -> list[int]:
    return sorted(range(len(faces)), key=lambda place: faces[place])[:number]


def _highest(faces: Faces, number: int) -> list[int]:
    return sorted(range(len(faces)), key=lambda place: -faces[place])[:number]


def _kept(faces: Faces, places: set[int]) -> int:
    return sum(faces[place] for place in places)


# Marks of one platform, by its own rules: the sides of the dice, and the result of each fall.
PLATFORM: list[tuple[str, str, list[Faces], Callable[[Faces], int]]] = [
    ("avrae", "4d6kh3mi5", dice(4, 6), lambda f: sum(max(face, 5) for face in sorted(f)[1:])),
    ("foundry", "d6cs>=1df1", dice(1, 6), lambda f: -1 if f[0] == 1 else 1),
    ("avrae", "4d6kh1kl1", dice(4, 6), lambda f: _kept(f, {*_highest(f, 1), *_lowest(f, 1)})),
    ("avrae", "3d6kh2kl2", dice(3, 6), lambda f: _kept(f, {*_highest(f, 2), *_lowest(f, 2)})),
    ("avrae", "4d6k6kl1", dice(4, 6), lambda f: _kept(f, {*(p for p in range(4) if f[p] == 6), *_lowest(f, 1)})),
    ("avrae", "(1d8, 1d10)kh1 + 3", dice(1, 8) + dice(1, 10), lambda f: max(f) + 3),
    ("avrae", "(1d8 + 2, 1d10, 1d4)kl2", dice(1, 8) + dice(1, 10) + dice(1, 4), lambda f: sum(sorted((f[0] + 2, f[1], f[2]))[:2])),
    ("avrae", "4d6pl1pl1", dice(4, 6), lambda f: sum(f) - min(f)),
    ("avrae", "4d6ph1pl1", dice(4, 6), lambda f: _kept(f, {*range(4)} - {*_highest(f, 1), *_lowest(f, 1)})),
    ("avrae", "4d6pl1kh1", dice(4, 6), max),
    ("avrae", "2d6ra6", dice(3, 6), lambda f: f[0] + f[1] + (f[2] if 6 in f[:2] else 0)),
    ("avrae", "2d6ra>4", dice(3, 6), lambda f: f[0] + f[1] + (f[2] if max(f[:2]) > 4 else 0)),
    ("roll20", "4d6mt", dice(4, 6), lambda f: sum(n >= 2 for n in Counter(f).values())),
    ("roll20", "4d6mt3", dice(4, 6), lambda f: sum(n >= 3 for n in Counter(f).values())),
    ("roll20", "4d6mt2>4", dice(4, 6), lambda f: sum(n >= 2 and face >= 4 for face, n in Counter(f).items())),
]  # fmt: skip


@pytest.mark.parametrize(("dialect", "marks", "sides", "result"), PLATFORM, ids=[case[1] for case in PLATFORM])
def test_marks_mean_what_their_platform_does(
    dialect: str, marks: str, sides: list[Faces], result: Callable[[Faces], int]
) -> None:
    falls = list(product(*sides))
    counted = Counter(Fraction(result(faces)) for faces in falls)
    assert told(answer(marks, dialect).pmf) == {value: Fraction(times, len(falls)) for value, times in counted.items()}


def test_a_wild_die_explodes_beside_another_die() -> None:
    """The better of two dice that explode: neither is below the goal."""

    def below(sides: int, goal: int) -> Fraction:
        return Fraction(goal - 1, sides) if goal <= sides else 1 - (1 - below(sides, goal - sides)) / sides

    for question, one, two, goal in (
        ("exploding d4 with wild die, raise on 8", 4, 6, 8),
        ("d10 and a wild die d6, both ace, take the higher, TN 4", 10, 6, 4),
        ("d8 with a wild die + 2, target number 6", 8, 6, 4),
        ("d8 + d10 wild die, at least 9", 8, 10, 9),
    ):
        assert _mean(question) == 1 - below(one, goal) * below(two, goal), question


def test_a_name_before_a_question_is_passed_over_and_told() -> None:
    assert answer("Tiny Dungeon 3 dice, at least one 6").notes == ("`Tiny Dungeon` is ignored",)


def test_a_usage_die_becomes_smaller() -> None:
    """A die of n sides lasts n / 2 rolls on average."""
    assert _mean("usage die d8") == 4 + 3 + 2
    assert _mean("usage die d20, how many uses") == 10 + 6 + 5 + 4 + 3 + 2


def test_a_reading_says_which_notation_it_is() -> None:
    found: RollAnswer = answer("2d6ro<3")
    assert (found.dialect, found.note) == ("Avrae", "as Avrae rolls it")
    assert [(each.dialect, each.note) for each in found.others] == [("Roll20", "as Roll20 rolls it")]
    counted = answer("5d6>4", "roll20")
    assert counted.read_as == "the number of dice showing 4 or more in 5d6"
    assert counted.others == ()


def test_a_group_counts_its_totals_in_roll20() -> None:
    for question, mean in (("{3d20+5}>21", "3/4"), ("{5d6!!}>8", "25/36"), ("{1d20+5}>15", "11/20")):
        found = answer(question, "roll20").pmf.mean
        assert found is not None
        assert found.exact == Fraction(mean)


def _mean(question: str) -> Fraction:
    mean = answer(question).pmf.mean
    assert mean is not None
    assert mean.exact is not None
    return mean.exact


def test_a_number_of_dice_can_be_rolled() -> None:
    """Beside what each number of dice gives, weighed by hand."""
    wanted = sum((_mean(f"highest of {n}d6") for n in (1, 2, 3, 4)), Fraction(0)) / 4
    assert _mean("(1d4)d6kh") == wanted
    sixes = answer("count of 6 in (1d4 - 1)d6").pmf
    assert sixes.weights[0] * 4 * 216 == sixes.total * (216 + 180 + 150 + 125)


def test_a_pool_of_one_roll_holds_its_total_in_foundry() -> None:
    for dialect, expected in (("foundry", Fraction(21)), (None, Fraction(553, 40))):
        mean = answer("{2d20}kh1", dialect).pmf.mean
        assert mean is not None
        assert mean.exact == expected


@pytest.mark.parametrize("program", ["output3d6", "Output\n3d6", "output[highest 3 of 3d6]", "X: 3 output(X)d6"])
def test_a_program_is_told_by_its_output(program: str) -> None:
    found = answer(program)
    assert found.dialect == "AnyDice"
    assert found.pmf.weights == answer("3d6").pmf.weights


@pytest.mark.parametrize("program", ["", "X: 3"])
def test_a_program_without_output_says_so(program: str) -> None:
    with pytest.raises(QuestionError, match="this program puts nothing out"):
        answer(program, "anydice")
