"""Formulas as Foundry rolls them, against its own way: a list of results, and modifiers that change it one after the other.

The plain roller below knows nothing of pools: it throws every sequence of faces that a term can ask for.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import pytest

from oddsmith.rolls import answer

COMPARE: dict[str, Callable[[int, int], bool]] = {
    "=": operator.eq, "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge,
}  # fmt: skip
MODIFIERS = re.compile(r"(kh|kl|k|dh|dl|df|d|xo|x|rr|r|min|max|cs|cf|even|odd|sf|ms)(\d*)((?:[<>]=?|=)\d+)?")


class MoreDice(Exception):
    """The faces at hand are used up."""


@dataclass
class Result:
    """One result of a term."""

    face: int
    active: bool = True
    count: int | None = None


@dataclass
class DiceTerm:
    """A dice term, as Foundry evaluates it, whose faces are given one after the other."""

    faces: list[int]
    results: list[Result] = field(default_factory=list)
    margin: tuple[str, int] | None = None

    def throw(self) -> Result:
        if not self.faces:
            raise MoreDice
        result = Result(self.faces.pop(0))
        self.results.append(result)
        return result

    def apply(self, name: str, number: int | None, test: tuple[str, int] | None, sides: int) -> None:  # noqa: C901, PLR0912 - one modifier after the other, as there
        def holds(result: Result, default: tuple[str, int]) -> bool:
            sign, target = test or (("=", number) if number is not None else default)
            return COMPARE[sign](result.face, target)

        most = number if test is not None else None
        if name in ("kh", "k", "kl", "dh", "dl", "d"):
            self.keep(name, 1 if number is None else number)
        elif name in ("x", "xo", "r", "rr"):
            checked, first = 0, len(self.results)
            while checked < (first if name in ("xo", "r") else len(self.results)):
                result = self.results[checked]
                checked += 1
                if not result.active:
                    continue
                if most is not None and most <= 0:
                    break
                if holds(result, ("=", sides) if name[0] == "x" else ("=", 1)):
                    result.active = name[0] == "x"
                    self.throw()
                    most = None if most is None else most - 1
        elif name in ("min", "max"):
            assert number is not None
            for result in self.results:
                if (result.face < number) if name == "min" else (result.face > number):
                    result.count = number
        elif name in ("cs", "cf", "even", "odd"):
            for result in self.results:
                if name in ("even", "odd"):
                    result.count = int(result.face % 2 == (name == "odd"))
                else:
                    result.count = int(holds(result, ("=", sides)))
        elif name == "df":
            for result in self.results:
                if test is None and number is None:
                    result.count = -1 if result.count == 0 else result.count
                elif holds(result, ("=", 1)):
                    result.count = -1
        elif name == "sf":
            for result in self.results:
                if holds(result, ("=", 1)):
                    result.count = -result.face
        else:
            self.margin = test or (">=", number or 0)

    def keep(self, name: str, number: int) -> None:
        active = [result for result in self.results if result.active]
        keeps, high = name[0] == "k", name in ("k", "kh", "dh")
        ordered = sorted(active, key=lambda result: result.face, reverse=high)
        chosen = ordered[:number]
        for result in active:
            result.active = any(result is each for each in chosen) == keeps

    @property
    def total(self) -> int:
        shown = sum(r.face if r.count is None else r.count for r in self.results if r.active)
        if self.margin is None:
            return shown
        sign, target = self.margin
        return target - shown if sign in ("<", "<=") else shown - target


def rolled(formula: str, most: int) -> dict[int, Fraction]:
    """What a term of one kind of dice gives, by every sequence of up to ``most`` faces; longer ones are left out."""
    match = re.fullmatch(r"(\d+)d(\d+)(.*)", formula)
    assert match
    number, sides = int(match[1]), int(match[2])
    steps = [(name, int(digits) if digits else None, _test(test)) for name, digits, test in MODIFIERS.findall(match[3])]
    found: dict[int, Fraction] = {}

    def sequences(faces: tuple[int, ...]) -> Iterator[tuple[int, Fraction]]:
        term = DiceTerm(list(faces))
        try:
            for _ in range(number):
                term.throw()
            for name, digits, test in steps:
                term.apply(name, digits, test, sides)
        except MoreDice:
            for face in range(1, sides + 1) if len(faces) < most else ():
                yield from sequences((*faces, face))
            return
        yield term.total, Fraction(1, sides ** len(faces))

    for total, chance in sequences(()):
        found[total] = found.get(total, Fraction(0)) + chance
    return found


def _test(text: str) -> tuple[str, int] | None:
    match = re.fullmatch(r"([<>]=?|=)(\d+)", text)
    return (match[1], int(match[2])) if match else None


def told(formula: str) -> dict[Any, Fraction]:
    pmf = answer(formula, "foundry").pmf
    assert pmf.tail is None, formula
    return {value: Fraction(weight, pmf.total) for value, weight in pmf.weights.items()}


FINITE = [
    "3d6", "4d6kh3", "4d6kh", "4d6k2", "3d8kl", "3d8kl2", "4d6dl", "4d6dl2", "4d6dh1", "4d6d1", "2d20kh", "3d6r1", "3d6r<3", "3d4r1kh2",
    "3d4r1=1", "3d4r2=1kh2", "2d6xo", "2d6xo>=5", "2d4x1=4", "2d4x2=4", "2d4x2>=3", "3d4x1=4kh2", "3d4xokh2", "2d4x2=4kl1", "2d20min10",
    "3d6min3kh2", "3d6max4", "3d6max4kl2", "4d6cs6", "4d6cs>4", "4d6cs>=5", "4d6cf1", "4d6cf<3", "4d6cs6cf1", "4d6cs>=5df1", "4d6cs>=5df=1",
    "4d6cs>=5df", "4d6df1", "4d6sf1", "4d6sf<3", "4d6even", "4d6odd", "1d20ms>=12", "1d20ms<12", "2d6ms7", "4d6kh3cs>=5", "4d6dl1cs6", "4d6r1cs>=5",
    "3d4xocs4", "4d6r1kh3", "4d6kh3kl1", "4d6min2cs>=2", "4d6r<3dl1even", "2d4x2=4cs>=3",
]  # fmt: skip


@pytest.mark.parametrize("formula", FINITE)
def test_a_formula_gives_what_every_sequence_of_faces_gives(formula: str) -> None:
    assert told(formula) == rolled(formula, 8), formula


@pytest.mark.parametrize(
    "formula", ["2d4x", "2d4x>=3", "2d4xkh1", "2d4xkl1", "2d4xcs>=3", "2d4rr1", "3d3rr1kh2", "2d4rr<3"]
)
def test_a_formula_without_end_is_enclosed_by_its_shorter_throws(formula: str) -> None:
    pmf = answer(formula, "foundry").pmf
    found = rolled(formula, 9)
    left_out = 1 - sum(found.values())
    tail = Fraction(0) if pmf.tail is None else Fraction(pmf.tail.weight, pmf.total)
    assert 0 < left_out < Fraction(1, 5)
    for value, chance in found.items():
        whole = Fraction(pmf.weights.get(value, 0), pmf.total)
        assert chance <= whole + tail
        assert whole <= chance + left_out
