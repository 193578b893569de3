"""Looks for the value of a parameter where all else is settled: by a formula where there is one, else over whole numbers."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import unified_diff
from fractions import Fraction
from functools import cached_property
from itertools import groupby, pairwise
from math import ceil, floor
from typing import TYPE_CHECKING, Any

from oddsmith.errors import InputError, MeasureError, SettingError, SymbolError
from oddsmith.exact import Number
from oddsmith.workbench.answers import LISTED, Answer, Case, How
from oddsmith.workbench.bracketing import Tried, bracketed, crossings, first_of, nearest
from oddsmith.workbench.goals import Aim, Goal
from oddsmith.workbench.sweeping import ALSO, Point, setting_of

if TYPE_CHECKING:
    from oddsmith.progress import Progress
    from oddsmith.ruleset.model import Ruleset, Setting
    from oddsmith.solve.parameter import Algebraic, Parametric, Ratio

MOST_BENT = 150  # positions up to which formulas of weights take seconds
MOST_WHOLE = 2_000  # whole numbers up to which a formula is worked out at each of them
Solved = Callable[[Sequence[Mapping[str, Any]]], list[Point]]
"""From settings to what comes of them."""


@dataclass(frozen=True)
class Range:
    """The values of the parameter that is looked for: all from ``low`` to ``high``, or whole numbers that were ``listed``."""

    low: Fraction
    high: Fraction
    listed: tuple[int, ...] = ()

    @property
    def whole(self) -> Sequence[int]:
        """The whole numbers, ascending."""
        return self.listed or range(ceil(self.low), floor(self.high) + 1)


@dataclass(frozen=True)
class _Mark:
    """Where the goal is met, before it is known what to write."""

    how: How
    low: Algebraic
    high: Algebraic


@dataclass(frozen=True)
class Quest:
    """What is looked for: the value of the parameter ``name`` that makes a ruleset meet a goal. ``fixed``: other settings."""

    ruleset: Ruleset
    goal: Goal
    name: str
    span: Range
    fixed: Mapping[str, Any]
    solved: Solved
    report: Progress | None


class Search:
    """A quest where all else is settled. ``own``: the settings that differ from those of other searches."""

    def __init__(self, quest: Quest, own: dict[str, Any]) -> None:
        self.quest, self.own = quest, own
        self.ruleset, self.name, self.span = quest.ruleset, quest.name, quest.span
        self.settings = {**quest.fixed, **own}
        self.known: dict[int, Tried] = {}
        self.functions: dict[int, list[Ratio]] = {}  # by the number of a piece
        self.marks: list[_Mark] | None = None  # by the formula, where there is one
        self.refused = False
        self.why, self.notes = "", tuple[str, ...]()

    def first(self) -> list[int]:
        """The whole numbers that are solved first, after a formula was looked for; none where the settings are wrong.

        Raises InputError where they are, and nothing else varies.
        """
        try:
            aim = self.aim
        except InputError as error:
            if not self.own:
                raise
            self.refused, self.why = True, str(error)
            return []
        try:
            opened = self.opened()
            self.marks = list(_joined(list(self.met(opened, aim))))
            self.notes = (*opened.notes, *self.gaps(opened))
            return self.candidates(opened, self.marks)
        except SymbolError as error:
            self.marks, self.why = None, str(error)
            return first_of(self.span.whole, bool(self.span.listed))

    def case(self) -> Case:
        """The answers, after the first values were solved."""
        if self.refused:
            return Case(self.own, None, (), (), None, "", False, self.why)
        marks, complete = self.marks, True
        if marks is None:
            found = bracketed(self.span.whole, self.solve, bool(self.span.listed), self.aim.signed)
            marks, complete = [self.mark(*pair) for pair in crossings(found)], len(found) == len(self.span.whole)
        tried = tuple(self.known[value] for value in sorted(self.known))
        best, answers = nearest(tried), tuple(map(self.answer, marks))
        return Case(self.own, self.aim, answers, tried, best, self.lines(best), complete, self.why, self.notes)

    @cached_property
    def setting(self) -> Setting:
        """The setting at the first value that the rules allow. Raises InputError."""
        first: InputError | None = None
        for value in self.span.whole:
            try:
                return setting_of(self.ruleset, {**self.settings, self.name: value})
            except InputError as error:
                first = first or error
        raise first or SettingError(f"there is no whole number between {self.span.low} and {self.span.high}")

    @cached_property
    def aim(self) -> Aim:
        """The goal at this setting. Raises InputError."""
        return Aim.of(self.quest.goal, self.ruleset, self.setting.seats, self.setting.objective)

    def at(self, value: int) -> dict[str, Any]:
        """The setting with a value of the parameter."""
        return {**self.settings, self.name: value}

    def solve(self, values: Sequence[int]) -> list[Tried]:
        """What comes of some values."""
        new = [value for value in values if value not in self.known]
        self.take(new, self.quest.solved([self.at(value) for value in new]))
        return [self.known[value] for value in values]

    def take(self, values: Sequence[int], points: Sequence[Point]) -> None:
        """Keep what came of some values."""
        self.known.update((value, self.tried(value, point)) for value, point in zip(values, points, strict=True))

    def tried(self, value: int, point: Point) -> Tried:
        if point.data is None:
            return Tried(value, None, None, point.problem)
        try:
            return Tried(value, self.aim.reached(point.data), self.aim.off(point.data))
        except MeasureError as error:
            return Tried(value, None, None, str(error))

    # --- by a formula

    def opened(self) -> Parametric:
        """The game with the parameter left open. Raises SymbolError."""
        if self.span.listed:
            raise SymbolError(LISTED)
        from oddsmith.ruleset import game_at
        from oddsmith.solve.parameter import solve_symbol

        game = game_at(self.ruleset, self.setting)
        low, high = self.span.low, self.span.high
        return solve_symbol(game, self.name, self.setting.objective, low, high, self.quest.report, MOST_BENT)

    def gaps(self, opened: Parametric) -> Iterator[str]:
        """Where the formulas do not hold."""
        first, last = opened.pieces[0], opened.pieces[-1]
        for point in [first.low] * first.open_low + [last.high] * last.open_high:
            yield f"{self.name} {point.short()} itself is left out, because play might never end there"

    def met(self, opened: Parametric, aim: Aim) -> Iterator[_Mark]:
        """Where the functions are 0, and where they change their sign because best play does."""
        from oddsmith.solve.parameter import signs

        side, met = 0, False  # just below the piece, and whether the goal is met at its lower end
        for number, piece in enumerate(opened.pieces):
            functions = self.functions[number] = aim.functions(opened, piece)
            zeros = opened.zeros(piece, functions)
            if zeros is None:
                yield _Mark("everywhere", piece.low, piece.high)
                side = 0
                continue
            if aim.signed:
                first, last = signs(functions[0], piece.low, piece.high)
                if side * first < 0 and not met:
                    yield _Mark("jump", piece.low, piece.low)
                side = last
            yield from (_Mark("at", zero, zero) for zero in zeros)
            met = bool(zeros) and zeros[-1] == piece.high

    def candidates(self, opened: Parametric, marks: Sequence[_Mark]) -> list[int]:
        """The whole numbers around the answers; where there is none, the one that misses least by the formulas."""
        whole = self.span.whole
        near = [value for mark in marks for end in (mark.low, mark.high) for value in end.neighbours]
        usual = self.ruleset.parameters[self.name].default
        near += [usual for mark in marks if mark.how == "everywhere" and mark.low.low <= usual <= mark.high.high]
        inside = sorted({value for value in near if value in whole})
        if inside or not whole:
            return inside
        ends = [value for piece in opened.pieces for end in (piece.low, piece.high) for value in end.neighbours]
        some = whole if len(whole) <= MOST_WHOLE else [value for value in ends if value in whole]
        sizes = {value: size for value in some if (size := self.miss(opened, value)) is not None}
        return [min(sizes, key=lambda value: sizes[value])] if sizes else []

    def miss(self, opened: Parametric, value: int) -> Fraction | None:
        """By how much a value misses the goal; None where the game has none there."""
        try:
            piece = opened.piece(Fraction(value))
            if self.aim.of_best and piece.values[self.quest.goal.seat - 1].at(Fraction(value)) <= 0:
                return None
            number = opened.pieces.index(piece)
            found = [function.at(Fraction(value)) for function in self.functions[number]]
        except (SymbolError, ZeroDivisionError):
            return None
        return max(*found, Fraction(0)) - min(*found, Fraction(0))

    # --- answers

    @staticmethod
    def mark(one: Tried, two: Tried) -> _Mark:
        """A value where the goal is met, or two between which it is."""
        from oddsmith.solve.parameter import Algebraic

        ends = Algebraic.of(one.value), Algebraic.of(two.value)
        if one is not two:
            return _Mark("between", *ends)
        return _Mark("at" if one.off == Number.of(0) else "close", *ends)

    def answer(self, mark: _Mark) -> Answer:
        """An answer with the whole number to write; where the goal is met everywhere, rather the usual one."""
        usual = self.ruleset.parameters[self.name].default
        around = {*mark.low.neighbours, *mark.high.neighbours}
        if mark.how == "everywhere" and mark.low.low <= usual <= mark.high.high:
            around = {usual}
        best = nearest([each for value, each in self.known.items() if value in around])
        return Answer(mark.how, mark.low, mark.high, best, self.lines(best))

    def lines(self, best: Tried | None) -> str:
        """What changes in the file, as a patch without context; empty where nothing does."""
        from oddsmith.ruleset.reading import with_values

        if best is None:
            return ""
        source, variant = self.ruleset.source, str(self.settings.get("variant") or "")
        values = {name: value for name, value in self.settings.items() if name not in ALSO}
        after = with_values(source, {**values, self.name: best.value}, variant)
        parts = unified_diff(source.lines, after.split("\n"), source.file, source.file, n=0, lineterm="")
        return "\n".join(parts)


def _joined(marks: Sequence[_Mark]) -> Iterator[_Mark]:
    """The marks with neighbouring stretches as one."""
    for how, group in groupby(marks, key=lambda mark: mark.how):
        several = list(group)
        starts = [
            n for n, mark in enumerate(several) if how != "everywhere" or not n or several[n - 1].high != mark.low
        ]
        for first, after in pairwise([*starts, len(several)]):
            yield _Mark(how, several[first].low, several[after - 1].high)
