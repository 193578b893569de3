"""Looks for the value of a parameter where all else is settled: by a formula where there is one, else over whole numbers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
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
from oddsmith.workbench.bracketing import Tried, bracketed, crossings, nearest
from oddsmith.workbench.goals import Aim, Goal
from oddsmith.workbench.sweeping import ALSO, Point, setting_of

if TYPE_CHECKING:
    from oddsmith.progress import Progress
    from oddsmith.ruleset.model import Ruleset, Setting
    from oddsmith.solve.parameter import Algebraic, Parametric, Ratio

MOST_BENT = 150  # positions up to which formulas of weights take seconds
MOST_WHOLE = 2_000  # whole numbers up to which a formula is worked out at each of them
Solved = Callable[[Sequence[Mapping[str, Any]], tuple[str, int] | None], list[Point]]
"""Settings, and who plays otherwise, to what comes of them."""


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


class Search:
    """Looks for a parameter where all else is settled."""

    def __init__(
        self,
        ruleset: Ruleset,
        goal: Goal,
        name: str,
        span: Range,
        settings: Mapping[str, Any],
        solved: Solved,
        report: Progress | None,
    ) -> None:
        self.ruleset, self.goal, self.name, self.span = ruleset, goal, name, span
        self.settings, self.solved, self.report = settings, solved, report
        self.known: dict[int, Tried] = {}
        self.functions: dict[int, list[Ratio]] = {}  # by the number of a piece

    def case(self, own: Mapping[str, Any]) -> Case:
        """The answers. Raises InputError where the settings themselves are wrong and nothing else varies."""
        try:
            aim = self.aim
        except InputError as error:
            if not own:
                raise
            return Case(own, None, (), (), None, "", False, str(error))
        marks, notes, why, complete = self.found()
        tried = tuple(self.known[value] for value in sorted(self.known))
        best, answers = nearest(tried), tuple(map(self.answer, _joined(marks)))
        return Case(own, aim, answers, tried, best, self.lines(best), complete, why, notes)

    def found(self) -> tuple[list[_Mark], tuple[str, ...], str, bool]:
        """Where the goal is met, notes, why there is no formula (empty where there is one), and whether that is all."""
        try:
            opened = self.opened()
            marks = list(self.marks(opened))
            self.solve(self.candidates(opened, marks))
            return marks, opened.notes, "", True
        except SymbolError as error:
            found = bracketed(self.span.whole, self.solve, bool(self.span.listed), self.aim.signed)
            marks = [self.mark(*pair) for pair in crossings(found)]
            return marks, (), str(error), len(found) == len(self.span.whole)

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
        return Aim.of(self.goal, self.ruleset, self.setting.seats, self.setting.objective)

    def solve(self, values: Iterable[int]) -> list[Tried]:
        """What comes of some values."""
        wanted = list(values)
        new = [value for value in dict.fromkeys(wanted) if value not in self.known]
        lone = (self.goal.plays, self.goal.seat) if self.goal.kind == "beginner" else None
        points = self.solved([{**self.settings, self.name: value} for value in new], lone)
        self.known.update((value, self.tried(value, point)) for value, point in zip(new, points, strict=True))
        return [self.known[value] for value in wanted]

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
        return solve_symbol(game, self.name, self.setting.objective, low, high, self.report, MOST_BENT)

    def marks(self, opened: Parametric) -> Iterator[_Mark]:
        """Where the functions are 0, and where they change their sign because best play does."""
        from oddsmith.solve.parameter import signs

        side, met = 0, False  # just below the piece, and whether the goal is met at its lower end
        for number, piece in enumerate(opened.pieces):
            functions = self.functions[number] = self.aim.functions(opened, piece)
            zeros = opened.zeros(piece, functions)
            if zeros is None:
                yield _Mark("everywhere", piece.low, piece.high)
                side = 0
                continue
            if self.aim.signed:
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
            if self.aim.of_best and piece.values[self.goal.seat - 1].at(Fraction(value)) <= 0:
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
