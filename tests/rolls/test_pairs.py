"""Every pair of marks of each notation, against a table that rolls every throw and does what the notation's pages say.

Each mark here is done to a row of dice, one mark after the other, as the platforms do it. What the reader makes of a mark, and
which marks it refuses behind others, stands nowhere in this file.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import product
from typing import NamedTuple

import pytest

from oddsmith.base.errors import QuestionError
from oddsmith.rolls import RollAnswer, answer
from tests.rolls.counted import chances_of
from tests.rolls.test_agreement import answered_otherwise

SIDES = 3
ROLLS = 6
"""How many dice are rolled at most; what needs more of them is left open."""


class TooMany(Exception):
    """More dice are rolled than are looked at."""


@dataclass(eq=False)
class Die:
    """A die of a row: what it shows, what it is worth where that is something else, and whether it counts."""

    shows: int
    worth: int | None = None
    counts: bool = True
    success: bool | None = None

    @property
    def value(self) -> int:
        return self.shows if self.worth is None else self.worth


@dataclass
class Table:
    """A row of dice on a table, and what is taken off their sum."""

    roll: Callable[[], int]
    row: list[Die] = field(default_factory=list)
    margin: Callable[[int], int] = int

    def another(self) -> None:
        self.row.append(Die(self.roll()))

    @property
    def active(self) -> list[Die]:
        return [die for die in self.row if die.counts]

    @property
    def total(self) -> int:
        return self.margin(sum(die.value for die in self.active))


def every_throw(rolled: Callable[[Callable[[], int]], int]) -> tuple[dict[int, Fraction], Fraction]:
    """The chance of each value, over every throw, and the chance of what needs more dice than are looked at."""
    chances, left_open, faces = dict[int, Fraction](), Fraction(0), list[int]()
    while True:
        place = 0

        def roll() -> int:
            nonlocal place
            if place == ROLLS:
                raise TooMany
            if place == len(faces):
                faces.append(1)
            place += 1
            return faces[place - 1]

        try:
            value = rolled(roll)
            chances[value] = chances.get(value, Fraction(0)) + Fraction(1, SIDES**place)
        except TooMany:
            left_open += Fraction(1, SIDES**place)
        while faces and faces[-1] == SIDES:
            faces.pop()
        if not faces:
            return chances, left_open
        faces[-1] += 1


SIGNS: dict[str, Callable[[int, int], bool]] = {
    "=": int.__eq__, "<": int.__lt__, ">": int.__gt__, "<=": int.__le__, ">=": int.__ge__,
}  # fmt: skip


class Mark(NamedTuple):
    """A mark: its letters, the number behind them, a sign, and the number behind the sign; 0 where there is none."""

    letters: str
    many: int
    sign: str
    face: int

    def names(self, shown: int, first: int) -> bool:
        """Whether it names a face. ``first``: the face that it names where it has no number."""
        if self.sign:
            return SIGNS[self.sign](shown, self.face)
        return shown == (self.many or first)


KEEPS = ("kh", "kl", "k", "dh", "dl", "d")


def read(mark: str) -> Mark:
    found = re.fullmatch(r"([a-z!]+)(\d*)([<>=]*)(\d*)", mark)
    assert found
    return Mark(found[1], int(found[2] or 0), found[3], int(found[4] or 0))


# --- Foundry: each mark looks at what a die shows, whatever it is worth


def keep(table: Table, mark: Mark) -> None:
    """Keep or drop dice by what they show; of equal dice, it does not matter which."""
    ordered = sorted(table.active, key=lambda die: die.shows, reverse=mark.letters in ("kl", "dh"))
    many = mark.many or 1
    for die in ordered[: max(len(ordered) - many, 0) if mark.letters[0] == "k" else many]:
        die.counts = False


def clamp(table: Table, mark: Mark) -> None:
    for die in table.row:
        if die.shows < mark.many if mark.letters == "min" else die.shows > mark.many:
            die.worth = mark.many


def margin(table: Table, mark: Mark) -> None:
    limit = mark.many or mark.face
    table.margin = (lambda sum_: limit - sum_) if mark.sign[:1] == "<" else (lambda sum_: sum_ - limit)


def count(table: Table, mark: Mark) -> None:
    """Count dice. What `cf` names is a failure; what it does not name is neither."""
    for die in table.row:
        odd = die.shows % 2 == 1
        named = {"even": not odd, "odd": odd}.get(mark.letters, mark.names(die.shows, 1))
        die.worth = int(named)
        if mark.letters != "cf":
            die.success = named
        elif named:
            die.success = False


def deduct(table: Table, mark: Mark) -> None:
    for die in table.row:
        if mark.names(die.shows, 0) if mark.sign or mark.many else die.success is False:
            die.worth = -1 if mark.letters == "df" else -die.shows


def again(table: Table, mark: Mark) -> None:
    """Roll dice again, or further dice. Before a sign stands how many at most."""
    explodes, left = mark.letters[0] == "x", mark.many if mark.sign else 0
    first = len(table.row)
    for place, die in enumerate(table.row):  # the row grows meanwhile
        if (place == first and mark.letters in ("r", "xo")) or left < 0:
            break
        if die.counts and mark.names(die.shows, SIDES if explodes else 1):
            left = left - 1 or -1 if left else 0
            die.counts = explodes
            table.another()


FOUNDRY: dict[str, Callable[[Table, Mark], None]] = {
    **dict.fromkeys(KEEPS, keep), "min": clamp, "max": clamp, "ms": margin, "cs": count, "cf": count, "even": count,
    "odd": count, "df": deduct, "sf": deduct, "r": again, "rr": again, "x": again, "xo": again,
}  # fmt: skip


# --- Avrae: each mark selects dice by what they are worth


Selector = tuple[str, str, int]
"""The end of the dice that is named, a sign, and a number."""


def selected(table: Table, sels: list[Selector]) -> list[Die]:
    found = list[Die]()
    for end, sign, number in sels:
        ordered = sorted(table.active, key=lambda die: die.value, reverse=end == "h")
        found += ordered[:number] if end else [die for die in table.active if SIGNS[sign](die.value, number)]
    return [die for die in table.row if die in found]


def rolled_again(table: Table, sels: list[Selector], most: int | None) -> None:
    while (chosen := selected(table, sels)) and most != 0:
        for die in chosen:
            die.shows, die.worth = table.roll(), None
        most = most and most - 1


def exploded(table: Table, sels: list[Selector]) -> None:
    done = list[Die]()
    while chosen := [die for die in selected(table, sels) if die not in done]:
        for _ in chosen:
            table.another()
        done += chosen


def avrae(table: Table, operator: str, sels: list[Selector]) -> None:
    wanted = selected(table, sels)
    if operator in ("mi", "ma"):
        for die in table.active:
            die.worth = (max if operator == "mi" else min)(die.value, sels[0][2])
    elif operator in ("k", "p"):
        for die in table.active:
            die.counts = (die in wanted) == (operator == "k")
    elif operator in ("rr", "ro"):
        rolled_again(table, sels, 1 if operator == "ro" else None)
    elif operator == "e":
        exploded(table, sels)
    elif wanted:
        table.another()


def avrae_all(table: Table, marks: list[str]) -> None:
    """Equal operators side by side are one with several selectors, but for the two that clamp."""
    joined = list[tuple[str, list[Selector]]]()
    for mark in marks:
        found = re.fullmatch(r"(k|p|rr|ro|ra|e|mi|ma)([hl]?)([<>]?)(\d+)", mark)
        assert found
        chosen = (found[2], found[3] or "=", int(found[4]))
        if joined and joined[-1][0] == found[1] and found[1] not in ("mi", "ma"):
            joined[-1][1].append(chosen)
        else:
            joined.append((found[1], [chosen]))
    for operator, sels in joined:
        avrae(table, operator, sels)


# --- Roll20: dice explode first, then some are rolled again, and then some are kept, wherever the marks stand

ORDER = ("!", "!!", "!p", "r", "ro", *KEEPS)


def roll20(table: Table, marks: list[str]) -> None:
    ordered = [read(mark) for mark in marks]
    rolled = [mark for mark in ordered if mark.letters == "r"]  # until the die shows what none of them names
    for mark in sorted(ordered, key=lambda mark: [*ORDER, mark.letters].index(mark.letters)):
        if mark.letters in KEEPS:
            for die in table.row:
                die.shows, die.worth = die.value, None
            keep(table, mark)
        elif mark.letters[0] in "!r":
            further(table, mark.letters, rolled if mark in rolled else [mark])


def further(table: Table, letters: str, marks: list[Mark]) -> None:
    """Roll further dice for those that show what one of some marks names."""
    named = [each._replace(sign={"<": "<=", ">": ">="}.get(each.sign, "")) for each in marks]
    for die in table.row:  # the row grows meanwhile
        shown = die.shows
        while any(each.names(shown, SIDES if letters[0] == "!" else 1) for each in named):
            if letters == "!":
                table.another()
                break
            shown = table.roll()
            if letters[0] == "!":
                die.worth = die.value + shown - (letters == "!p")
            else:
                die.shows = shown
            if letters == "ro":
                break


def worth(dialect: str, count: int, marks: list[str]) -> Callable[[Callable[[], int]], int]:
    """What dice with marks are worth, as a function of what rolls them."""

    def rolled(roll: Callable[[], int]) -> int:
        table = Table(roll, [Die(roll()) for _ in range(count)])
        if dialect == "avrae":
            avrae_all(table, marks)
        elif dialect == "foundry":
            for mark in map(read, marks):
                FOUNDRY[mark.letters](table, mark)
        else:
            roll20(table, marks)
        return table.total

    return rolled


def is_right(found: RollAnswer, chances: dict[int, Fraction], left_open: Fraction) -> bool:
    """Whether an answer has the chance of each value, up to what is left open."""
    said = chances_of(found.pmf)
    tail = found.pmf.tail
    reach = Fraction(tail.weight, found.pmf.total) if tail else Fraction(0)
    wanted = {Fraction(value): chance for value, chance in chances.items()}
    return all(
        wanted.get(value, 0) - reach <= said.get(value, 0) <= wanted.get(value, 0) + left_open
        for value in {*said, *wanted}
    )


FEW = {
    "foundry": "kh kl2 dl1 x xo r1 r<3 rr1 min2 max2 cs>=2 cf1 df ms>=5",
    "avrae": "kh1 kl2 k3 k>1 ph1 p1 rr1 ro1 ra3 e3 mi2 ma2",
    "roll20": "kh kl2 dl1 dh1 ! !! !p r1 r<2 ro1 cs3",
}
MORE = {
    "foundry": "kh2 kl k2 dh dl2 d1 d x2 x>1 x1=3 x2>1 xo3 r r2 r>2 rr rr>2 r1=1 r2<3 min3 max1 cs3 cs=2 cs<3 cf=2 cf<3 even"
               " odd df1 df=2 df<2 sf1 sf>2 ms4 ms<5",
    "avrae": "kh2 kl1 k2 k<3 p3 ph2 pl1 pl2 p<3 p>1 rr3 rr<2 rr>2 rrh1 ro2 ro3 ro<3 roh1 rol1 ra1 ra>2 rah1 e2 e>2 eh1"
             " e<2 mi3 ma1",
    "roll20": "kh2 kl k1 k2 dl2 dh2 d1 !2 !>2 !<1 !!3 !!>2 !!<2 !p2 !p>2 r2 r3 r>3 ro3 ro<2 ro>2"
              " s sa sd cf1 cs>2",
}  # fmt: skip
JOINED = re.compile(r"!(!|p)|[sxr][dor]")
"""What two marks begin with that are others together: r and r1 are rr1."""


def questions(dialect: str, *, more: bool) -> Iterator[tuple[str, list[str]]]:
    """Dice with one mark and with two, and the marks. ``more``: those in which a less usual mark stands."""
    few, rare = FEW[dialect].split(), MORE[dialect].split()
    every = [*few, *rare] if more else few
    for marks in [[one] for one in every] + [list(two) for two in product(every, repeat=2)]:
        if len(marks) == 2 and JOINED.match("".join(marks)) and marks[0] in ("!", "s", "x", "r"):
            continue
        if not more or set(marks) & set(rare):
            yield f"3d{SIDES}{''.join(marks)}", marks


def answered_wrong(dialect: str, *, more: bool) -> tuple[list[str], int]:
    """Questions that are answered otherwise than by every throw, and how many were answered."""
    wrong, answered = [], 0
    for question, marks in questions(dialect, more=more):
        try:
            found = answer(question, dialect)
        except QuestionError:
            continue
        answered += 1
        if not is_right(found, *every_throw(worth(dialect, 3, marks))):
            wrong.append(question)
    return wrong, answered


def asked(dialect: str, *, more: bool) -> list[tuple[str, str | None]]:
    return [(question, dialect) for question, _ in questions(dialect, more=more)]


LEAST = {"foundry": 100, "avrae": 60, "roll20": 80}


@pytest.mark.parametrize("dialect", LEAST)
def test_pairs_of_marks_are_answered_by_every_throw_or_refused(dialect: str) -> None:
    wrong, answered = answered_wrong(dialect, more=False)
    assert wrong == []
    assert answered > LEAST[dialect]


def test_both_engines_answer_and_refuse_the_same_pairs() -> None:
    every = [each for dialect in LEAST for each in asked(dialect, more=False)]
    assert answered_otherwise(every[::3])[0] == []


@pytest.mark.long
@pytest.mark.parametrize("dialect", LEAST)
def test_pairs_of_rarer_marks_are_answered_by_every_throw_or_refused(dialect: str) -> None:
    wrong, answered = answered_wrong(dialect, more=True)
    assert wrong == []
    assert answered > 4 * LEAST[dialect]
    for more in (False, True):
        assert answered_otherwise(asked(dialect, more=more))[0] == []
