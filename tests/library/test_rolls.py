"""One roll without a ruleset: its law is that of all results counted one by one, and whoever asks sees how it was read."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from itertools import product
from typing import Any

import pytest

import oddsmith
from oddsmith.base.errors import QuestionError
from tests.cli.test_light import loaded_by

Faces = tuple[int, ...]


def highest(faces: Faces, count: int) -> int:
    return sum(sorted(faces)[-count:])


# The question, how it is read, the sides of the dice in the order in which they stand, and the answer for one result.
READ: list[tuple[str, str, Faces, Callable[[Faces], Any]]] = [
    ("3d6", "sum(3d6)", (6, 6, 6), sum),
    ("2D6 + 3", "sum(2d6) + 3", (6, 6), lambda f: sum(f) + 3),
    ("d6 - 2*d4", "sum(d6) - 2*sum(d4)", (6, 4), lambda f: f[0] - 2 * f[1]),
    ("d6 / 2", "sum(d6) / 2", (6,), lambda f: Fraction(f[0], 2)),
    ("d%", "sum(d100)", (100,), sum),
    ("d6 and d8", "sum(d6 + d8)", (6, 8), sum),
    ("highest 2 of 4d6", "sum(rank(4d6, i) for i in span(1, 2))", (6,) * 4, lambda f: highest(f, 2)),
    ("4d6kh3", "sum(rank(4d6, i) for i in span(1, 3))", (6,) * 4, lambda f: highest(f, 3)),
    ("4d6dl1", "sum(rank(4d6, i) for i in span(1, 3))", (6,) * 4, lambda f: highest(f, 3)),
    ("4d6k1", "max(4d6)", (6,) * 4, max),
    ("3d6dh2", "min(3d6)", (6,) * 3, min),
    ("lowest 1 of 2d20", "min(2d20)", (20, 20), min),
    ("Lowest 2 of (2d4 + d6)", "sum(rank(2d4 + d6, i) for i in span(2, 3))", (4, 4, 6), lambda f: sum(sorted(f)[:2])),
    ("best of d6 and d8 and d4", "max(d6 + d8 + d4)", (6, 8, 4), max),
    ("highest 2 dice of 3d4 + 1", "sum(rank(3d4, i) for i in span(1, 2)) + 1", (4,) * 3, lambda f: highest(f, 2) + 1),
    ("at least 10 on 3d6", "sum(3d6) >= 10", (6,) * 3, lambda f: sum(f) >= 10),
    ("the chance of at most 3 with d6 and d4", "sum(d6 + d4) <= 3", (6, 4), lambda f: sum(f) <= 3),
    ("exactly 7 on 2d6", "sum(2d6) == 7", (6, 6), lambda f: sum(f) == 7),
    ("10 or more on 2d6 + 3", "sum(2d6) + 3 >= 10", (6, 6), lambda f: sum(f) + 3 >= 10),
    ("3d6 at least 10", "sum(3d6) >= 10", (6,) * 3, lambda f: sum(f) >= 10),
    ("at least 2 6s in 4d6", "count(4d6, 6) >= 2", (6,) * 4, lambda f: f.count(6) >= 2),
    ("count of 6 in 4d6", "count(4d6, 6)", (6,) * 4, lambda f: f.count(6)),
    ("how many 1s in 3d4", "count(3d4, 1)", (4,) * 3, lambda f: f.count(1)),
    ("6 in 3d6", "6 in 3d6", (6,) * 3, lambda f: 6 in f),
    ("6 not in 3d6", "6 not in 3d6", (6,) * 3, lambda f: 6 not in f),
    ("3d6 == [1, 6, 1]", "3d6 == [1, 6, 1]", (6,) * 3, lambda f: sorted(f) == [1, 1, 6]),
    ("2d6 in [2, 12]", "sum(2d6) in [2, 12]", (6, 6), lambda f: sum(f) in (2, 12)),
    ("2d6 not in [[1, 1], [6, 6]]", "2d6 not in [[1, 1], [6, 6]]", (6, 6), lambda f: f not in ((1, 1), (6, 6))),
    ("2d6 >= 7 and d8 > 3", "sum(2d6) >= 7 and sum(d8) > 3", (6, 6, 8), lambda f: f[0] + f[1] >= 7 and f[2] > 3),
    ("d6 > d6", "sum(d6) > sum(d6)", (6, 6), lambda f: f[0] > f[1]),
    ("max(2d6, 7)", "max(sum(2d6), 7)", (6, 6), lambda f: max(sum(f), 7)),
    ("max(d6 + d8)", "max(d6 + d8)", (6, 8), max),
    ("2 * (d6 + d8)", "2 * (sum(d6) + sum(d8))", (6, 8), lambda f: 2 * sum(f)),
    ("count(f >= 5 for f in 3d6)", "count(f >= 5 for f in 3d6)", (6,) * 3, lambda f: sum(face >= 5 for face in f)),
    ("size(distinct(4d4))", "size(distinct(4d4))", (4,) * 4, lambda f: len(set(f))),
    ("d8 if d6 == 6 else 0", "sum(d8) if sum(d6) == 6 else 0", (8, 6), lambda f: f[0] if f[1] == 6 else 0),
]


@pytest.mark.parametrize(("question", "shown", "sides", "answer"), READ, ids=[case[0] for case in READ])
def test_the_law_is_that_of_all_results(
    question: str, shown: str, sides: Faces, answer: Callable[[Faces], Any]
) -> None:
    odds = oddsmith.roll(question)
    assert (odds.question, odds.what) == (question, shown)
    results = list(product(*(range(1, count + 1) for count in sides)))
    counted = Counter(answer(faces) for faces in results)
    expected = {value: Fraction(times, len(results)) for value, times in counted.items()}
    assert odds.law == expected
    assert list(odds.law) == sorted(odds.law)
    mean = sum(value * chance for value, chance in expected.items())
    assert odds.mean is not None
    assert odds.mean.exact == mean
    variance = sum((value - mean) ** 2 * chance for value, chance in expected.items())
    assert odds.standard_deviation is not None
    assert odds.standard_deviation.lower**2 <= variance <= odds.standard_deviation.upper**2
    assert (odds.chance is None) == (not isinstance(next(iter(counted)), bool))
    assert odds.chance in (None, odds.mean)
    assert odds.at_least(2).exact == sum(chance for value, chance in expected.items() if value >= 2)


def test_what_it_reads_is_read_the_same_again() -> None:
    for question, shown, *_ in READ:
        assert oddsmith.roll(shown).law == oddsmith.roll(question).law


def test_totals_of_many_dice_need_no_list_of_hands() -> None:
    odds = oddsmith.roll("100d6 + 100d6")
    assert odds.mean is not None
    assert odds.mean.exact == 700
    assert sum(odds.law.values()) == 1
    assert odds.law[200] == Fraction(1, 6**200)
    assert odds.law[201] == 200 * odds.law[200]


def test_a_question_that_always_has_one_answer_has_both() -> None:
    assert oddsmith.roll("d6 > 0").law == {0: 0, 1: 1}
    assert oddsmith.roll("d6 > 6").law == {0: 1, 1: 0}


# The question, what is said, the place of the mark, and the hint.
REFUSED = [
    ("", "there is no question", 0, "ask such as"),
    ("highest 2 of 3x6", "dice must stand here", 13, "such as 4d6"),
    ("hihgest 2 of 3d6", "`hihgest` cannot be read here", 0, "did you mean highest"),
    ("3d6 + luck", "`luck` cannot be read here", 6, "ask such as"),
    ("3d6 of 2", "`of` cannot be read here", 4, "ask such as"),
    ("2d6 + 4dF", "`4dF` is neither dice nor a number", 6, "ask such as"),
    ("highest 5 of 3d6", "there are 3 dice, so 5 of them cannot count", 13, "write 1 to 3"),
    ("4d6kh0", "so 0 of them cannot count", 0, "write 1 to 4"),
    ("highest of (2d6 + 1)", "only dice can stand in these brackets", 16, "such as (2d6 + d8)"),
    ("0d6", "a roll has 1 to 100 dice", 0, ""),
    ("d1001", "with 1 to 1000 sides", 0, ""),
    ("at least 10", "say on which dice", 11, "such as: at least 10 on 3d6"),
    ("at least ten on 3d6", "a number must stand here", 9, "ask such as"),
    ("count of sixes in 5d6", "say which face is counted", 9, "ask such as"),
    ("count of 6", "say in which dice", 10, "such as: count of 6 in 5d6"),
    ("2 +  3d6 = 10", "this is not a question that can be read", 8, "compare with =="),
    ("max(3d6", "this is not a question that can be read", 3, "a bracket too few"),
    ("3d6 > [1]", "cannot be compared", 0, ""),
    ("6 in 2d6 + true", "this must be", 5, ""),
    ("sorted(3d6)", "this gives a list of numbers", 0, "size(...)"),
    ("10d20kh2", "the roll 10d20 can show 20,030,010 different hands", 0, "roll fewer dice"),
    ("d6 // (d6 - 1)", "a division by 0", 0, "test first"),
    ("sum(i for i in span(1, 9000) if i in 7d12)", "loops over these dice take too long", 0, "roll fewer dice"),
    ("size(subsets(20d6))", "`subsets` cannot be read here", 5, "ask such as"),
    (" * ".join(["d10"] * 20), "a value is beyond 2^53", 0, "smaller"),
    ("mover", "`mover` cannot be read here", 0, ""),
    ("_0 + d6", "`_0` cannot be read here", 0, ""),
    ("__import__", "`__import__` cannot be read here", 0, ""),
]


@pytest.mark.parametrize(("question", "message", "at", "hint"), REFUSED)
def test_what_cannot_be_read_is_marked(
    question: str, message: str, at: int, hint: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("oddsmith.api.odds.MOST_ROUNDS", 20_000)  # the real limit takes seconds to reach
    with pytest.raises(QuestionError) as error:
        oddsmith.roll(question)
    first, shown, mark, *hints = str(error.value).split("\n")
    assert message in first
    assert shown == "  " + " ".join(question.split())
    assert mark == "  " + " " * at + "^"
    assert hint in "".join(hints)
    assert not re.search(r"\b_\d\b", first + "".join(hints)) or "_0" in question


def test_a_question_has_an_end() -> None:
    with pytest.raises(QuestionError, match="at most 500 characters"):
        oddsmith.roll("9" * 5000 + "d6")


def test_asking_waits_for_nothing_heavy() -> None:
    assert loaded_by("from oddsmith.cli import main; main(['roll', '3d6'])") == set()
