"""Finds the value of a parameter that makes a game meet a goal, for each combination of the other varied settings.

If the result is a formula in the parameter, the zeros of the formula are the answers. Otherwise the game is solved at
whole values. A value is an answer if the goal is met there. Two neighbouring values are an answer if the miss changes
its sign between them.

If there are few values, the game is solved at all of them. If there are many, it is solved at a few at equal distances,
and then bisection narrows every interval whose ends have different signs. Further changes of sign between unsolved
values are possible, and the answer says so.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import unified_diff
from fractions import Fraction
from functools import cached_property
from itertools import groupby, islice, pairwise, product
from math import ceil, floor
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from oddsmith.api import LoadedRuleset, parse_parameter_range
from oddsmith.base.errors import InputError, MeasureError, SettingError, SymbolError, did_you_mean
from oddsmith.base.exact import Number, fraction_text, plural, short_repr
from oddsmith.design.goals import Goal, GoalInGame
from oddsmith.design.sweeping import Point, choices_by_name, complete_setting, solved_points
from oddsmith.ruleset.model import SETTING_NAMES

if TYPE_CHECKING:
    from oddsmith.base.progress import Progress
    from oddsmith.ruleset.model import Ruleset, Setting
    from oddsmith.solve.parameter import Algebraic, ParametricSolution, RationalFunction


MAX_VALUES_ALL_SOLVED = 40  # values up to which all are solved
FIRST_STRETCHES = 8  # into which more are divided at first


@dataclass(frozen=True, repr=False)
class TriedValue:
    """A value of the parameter at which the game was solved. ``result``: the number that the goal is about; ``miss``:
    the miss, which is the distance of that number from the goal with its sign, 0 if the goal is met. Both are None if
    there is a ``problem``.
    """

    value: int
    result: Number | None
    miss: Number | None
    problem: str = ""

    def __repr__(self) -> str:
        return short_repr(self, f"{self.value}: {self.problem if self.result is None else self.result.brief}")

    @property
    def miss_sign(self) -> int | None:
        """The sign of the miss: -1 below the goal, 1 above it, 0 if the goal may be met; None if there is no result."""
        if self.miss is None:
            return None
        return (self.miss.lower > 0) - (self.miss.upper < 0)

    def to_json(self, digits: int = 12) -> dict[str, Any]:
        """Return the value and its result as plain data for JSON."""
        numbers = {"reached": self.result, "off": self.miss}
        told = {name: None if number is None else number.to_json(digits) for name, number in numbers.items()}
        return {"value": self.value, **told, "problem": self.problem}


ValuesSolver = Callable[[Sequence[int]], list[TriedValue]]
"""A function that solves the game at several values."""


def first_values_to_solve(values: Sequence[int], solve_all: bool) -> list[int]:
    """Return the values at which the game is solved first: all if there are at most MAX_VALUES_ALL_SOLVED, else a few
    at equal distances.

    ``values``: all values, ascending. ``solve_all``: whether to return all of them, however many there are.
    """
    return [values[place] for place in _first_indices(len(values), solve_all)]


def solve_by_bisection(
    values: Sequence[int], solve_values: ValuesSolver, solve_all: bool, misses_have_sign: bool
) -> list[TriedValue]:
    """Solve the game at the first values. Then halve intervals between solved values until no interval is left that may
    contain an answer. Return all results, by ascending value.

    ``values``: the values of the parameter, ascending. ``solve_values``: solves the game at some of them.
    ``solve_all``: whether all values are first values. ``misses_have_sign``: whether misses have a sign. If so,
    intervals are halved if the misses at their ends have different signs; if not, the two intervals beside the smallest
    miss are halved.
    """
    known: dict[int, TriedValue] = {}
    wanted = _first_indices(len(values), solve_all)
    while wanted:
        known.update(zip(wanted, solve_values([values[place] for place in wanted]), strict=True))
        wanted = sorted(set(_next_indices(known, misses_have_sign)))
    return [known[place] for place in sorted(known)]


def _first_indices(count: int, all_indices: bool) -> list[int]:
    """Return the indices of the values that are solved first, as ``first_values_to_solve`` selects them. ``count``: the
    number of all values.
    """
    if all_indices or count <= MAX_VALUES_ALL_SOLVED:
        return list(range(count))
    return sorted({(count - 1) * part // FIRST_STRETCHES for part in range(FIRST_STRETCHES + 1)})


def _next_indices(results_by_index: dict[int, TriedValue], misses_have_sign: bool) -> Iterator[int]:
    """Yield the indices of the values to solve next: the middle of each interval that may contain an answer.

    ``results_by_index``: the results by index. ``misses_have_sign``: as for ``solve_by_bisection``. Intervals without
    an unsolved value are left out.
    """
    places = sorted(place for place, tried in results_by_index.items() if tried.miss_sign is not None)
    least = min(places, key=lambda place: absolute_miss(results_by_index[place]), default=None)
    for low, high in pairwise(places):
        one, two = results_by_index[low].miss_sign, results_by_index[high].miss_sign
        if one and two and one != two if misses_have_sign else least in (low, high):
            unknown = [place for place in range(low + 1, high) if place not in results_by_index]
            if unknown:
                yield min(unknown, key=lambda place: abs(2 * place - low - high))


def result_pairs_around_answers(tried: Sequence[TriedValue]) -> list[tuple[TriedValue, TriedValue]]:
    """Return a pair of results for each answer. If the goal is met at a value, both are the result at this value.
    Otherwise they are neighbours between which the miss changes its sign.
    """
    solved = [each for each in tried if each.miss_sign is not None]
    found = [(each, each) for each in solved if each.miss_sign == 0]
    found += [
        (one, two)
        for one, two in pairwise(solved)
        if one.miss_sign and two.miss_sign and one.miss_sign != two.miss_sign
    ]
    return sorted(found, key=lambda pair: pair[0].value)


def result_with_least_miss(tried: Sequence[TriedValue]) -> TriedValue | None:
    """Return the result with the smallest miss; None if no value has a result."""
    return min((each for each in tried if each.miss is not None), key=absolute_miss, default=None)


def absolute_miss(tried: TriedValue) -> Any:
    """Return the absolute value of the miss of a result; if only bounds are known, that of their midpoint."""
    assert tried.miss is not None
    return abs(tried.miss.middle)


LISTED = "its values were listed"
How = Literal["at", "everywhere", "jump", "between", "close"]


@dataclass(frozen=True, repr=False)
class FairValue:
    """An answer: where the parameter meets the goal.

    ``kind`` is one of the following. ``at``: the goal is met exactly at ``low``. ``everywhere``: it is met from ``low``
    to ``high``. ``close``: it is met at ``low``, as far as is proven. ``between``: the miss changes its sign between
    the whole numbers ``low`` and ``high``. ``jump``: the miss changes its sign at ``low``, because best play changes
    there.

    ``nearest_value``: the result at the nearest whole number; ``patch``: the patch that writes this number into the
    ruleset.
    """

    kind: How
    low: Algebraic
    high: Algebraic
    nearest_value: TriedValue | None
    patch: str

    def __repr__(self) -> str:
        return short_repr(self, str(self))

    def __str__(self) -> str:
        low, high = self.low.short_text(6), self.high.short_text(6)
        return f"{self.kind} {low}" if self.kind in ("at", "jump", "close") else f"{self.kind} {low}..{high}"

    def to_json(self, digits: int = 12) -> dict[str, Any]:
        """Return the answer as plain data for JSON."""
        ends = {"low": self.low.to_json(digits), "high": self.high.to_json(digits)}
        return {
            "how": self.kind,
            **ends,
            "write": self.nearest_value.value if self.nearest_value else None,
            "lines": self.patch,
        }


@dataclass(frozen=True, repr=False)
class Case:
    """The answers for one combination of the varied settings other than the parameter. ``goal``: the goal there; None
    if the settings are refused.

    ``is_complete``: whether there are no other answers in the range. ``tried_values``: the results at the whole numbers
    that were solved; ``nearest_value``: the one with the smallest miss; ``patch``: the patch that writes its value into
    the ruleset. ``reason``: the reason why the settings are refused, or why there is no formula.
    """

    settings: dict[str, Any]
    goal: GoalInGame | None
    answers: tuple[FairValue, ...]
    tried_values: tuple[TriedValue, ...]
    nearest_value: TriedValue | None
    patch: str
    is_complete: bool
    reason: str
    notes: tuple[str, ...] = ()

    @property
    def is_from_formula(self) -> bool:
        """Whether the answers come from a formula, and therefore are exact."""
        return self.goal is not None and not self.reason

    @property
    def has_listed_values(self) -> bool:
        """Whether there is no formula because the caller listed the values."""
        return self.reason == LISTED

    def result_words(self, tried: TriedValue, digits: int = 6) -> str:
        """Return the result at a whole number in words."""
        return (
            tried.problem if tried.result is None or self.goal is None else self.goal.result_words(tried.result, digits)
        )

    def __repr__(self) -> str:
        own = ", ".join(f"{name} {value}" for name, value in self.settings.items())
        return short_repr(self, f"{own}{': ' if own else ''}{', '.join(map(str, self.answers)) or 'no answer'}")

    def to_json(self, digits: int = 12) -> dict[str, Any]:
        """Return the case as plain data for JSON."""
        return {
            "settings": dict(self.settings),
            "method": "formula" if self.is_from_formula else "whole numbers",
            "why": self.reason,
            "complete": self.is_complete,
            "answers": [answer.to_json(digits) for answer in self.answers],
            "nearest": self.nearest_value.to_json(digits) if self.nearest_value else None,
            "lines": self.patch,
            "tried": [tried.to_json(digits) for tried in self.tried_values],
            "notes": list(self.notes),
        }


@dataclass(frozen=True, repr=False)
class Fair:
    """The values of a parameter that make a game meet a goal. ``parameter_name``: the parameter; ``cases``: one for
    each combination of the other varied settings, in the order of the grid. ``low`` and ``high``: the range that was
    searched.
    """

    ruleset: str
    goal: Goal
    parameter_name: str
    varied: tuple[str, ...]
    fixed: dict[str, Any]
    low: Fraction
    high: Fraction
    cases: tuple[Case, ...]

    def __repr__(self) -> str:
        if len(self.cases) == 1:
            found = ", ".join(map(str, self.cases[0].answers)) or "no answer"
        else:
            found = f"answers in {sum(bool(case.answers) for case in self.cases)} of {plural(len(self.cases), 'case')}"
        return short_repr(self, f"{self.ruleset}, {self.parameter_name}: {found}")

    @property
    def nearest_case(self) -> Case | None:
        """The case that has the smallest miss at a whole number; None if no case has a result."""
        solved = [case for case in self.cases if case.nearest_value is not None]
        return min(
            solved, key=lambda case: absolute_miss(case.nearest_value) if case.nearest_value else 0, default=None
        )

    @property
    def answers(self) -> tuple[FairValue, ...]:
        """The answers of all cases."""
        return tuple(answer for case in self.cases for answer in case.answers)

    def to_json(self, digits: int = 12) -> dict[str, Any]:
        """Return everything as plain data for JSON, as ``fair --json`` prints it."""
        return {
            "ruleset": self.ruleset,
            "goal": self.goal.to_json(),
            "parameter": {
                "name": self.parameter_name,
                "low": fraction_text(self.low),
                "high": fraction_text(self.high),
            },
            "varied": list(self.varied),
            "fixed": dict(self.fixed),
            "cases": [case.to_json(digits) for case in self.cases],
        }


MAX_FORMULA_POSITIONS = 150  # positions up to which formulas of weights take seconds
MAX_FORMULA_VALUES = 2_000  # whole numbers up to which a formula is worked out at each of them
SettingsSolver = Callable[[Sequence[Mapping[str, Any]]], list[Point]]
"""A function that solves the game at several settings."""


@dataclass(frozen=True)
class SearchRange:
    """The values of the parameter to search: all from ``low`` to ``high``, or the whole numbers in ``listed``."""

    low: Fraction
    high: Fraction
    listed: tuple[int, ...] = ()

    @property
    def whole_numbers(self) -> Sequence[int]:
        """The whole numbers in the range, ascending."""
        return self.listed or range(ceil(self.low), floor(self.high) + 1)


@dataclass(frozen=True)
class _AnswerRange:
    """A value or an interval at which the goal is met, before a whole number is chosen to be written into the ruleset.
    The fields are those of ``FairValue``.
    """

    how: How
    low: Algebraic
    high: Algebraic


@dataclass(frozen=True)
class SearchProblem:
    """The problem to solve: find the value of the parameter ``name`` that makes a ruleset meet a goal. ``span``: the
    values to search; ``fixed``: the settings that do not vary; ``solve_settings``: solves the game at several settings.
    """

    ruleset: Ruleset
    goal: Goal
    name: str
    span: SearchRange
    fixed: Mapping[str, Any]
    solve_settings: SettingsSolver
    progress: Progress | None


class FairValueSearch:
    """The search for values of the parameter, for one combination of the other varied settings.

    ``other_settings``: the values of these other settings, by name.
    """

    def __init__(self, problem: SearchProblem, other_settings: dict[str, Any]) -> None:
        self.problem, self.other_settings = problem, other_settings
        self.ruleset, self.name, self.span = problem.ruleset, problem.name, problem.span
        self.settings = {**problem.fixed, **other_settings}
        self.known: dict[int, TriedValue] = {}
        self.functions: dict[int, list[RationalFunction]] = {}  # by the number of a piece
        self.marks: list[_AnswerRange] | None = None  # by the formula, where there is one
        self.refused = False
        self.why, self.notes = "", tuple[str, ...]()

    def values_to_solve_first(self) -> list[int]:
        """Look for formulas, and return the whole numbers at which to solve the game first. The list is empty if the
        settings are refused.

        Raises InputError if they are refused and there are no other varied settings.
        """
        try:
            aim = self.goal_in_game
        except InputError as error:
            if not self.other_settings:
                raise
            self.refused, self.why = True, str(error)
            return []
        try:
            opened = self.solve_symbolically()
            self.marks = list(_merge_adjacent_ranges(list(self.answer_ranges_by_formulas(opened, aim))))
            self.notes = (*opened.notes, *self.excluded_end_notes(opened))
            return self.whole_numbers_near_answers(opened, self.marks)
        except SymbolError as error:
            self.marks, self.why = None, str(error)
            return first_values_to_solve(self.span.whole_numbers, bool(self.span.listed))

    def find_case(self) -> Case:
        """Return the answers. The results at the first values must have been stored with ``store_results``."""
        if self.refused:
            return Case(self.other_settings, None, (), (), None, "", False, self.why)
        marks, complete = self.marks, True
        if marks is None:
            found = solve_by_bisection(
                self.span.whole_numbers, self.solve_values, bool(self.span.listed), self.goal_in_game.miss_has_sign
            )
            marks, complete = (
                [self.enclosed_answer_range(*pair) for pair in result_pairs_around_answers(found)],
                len(found) == len(self.span.whole_numbers),
            )
        tried = tuple(self.known[value] for value in sorted(self.known))
        best, answers = result_with_least_miss(tried), tuple(map(self.fair_value, marks))
        return Case(
            self.other_settings,
            self.goal_in_game,
            answers,
            tried,
            best,
            self.ruleset_patch(best),
            complete,
            self.why,
            self.notes,
        )

    @cached_property
    def setting(self) -> Setting:
        """The setting at the first value that the ruleset allows. Raises InputError if it allows none."""
        first: InputError | None = None
        for value in self.span.whole_numbers:
            try:
                return complete_setting(self.ruleset, {**self.settings, self.name: value})
            except InputError as error:
                first = first or error
        raise first or SettingError(f"there is no whole number between {self.span.low} and {self.span.high}")

    @cached_property
    def goal_in_game(self) -> GoalInGame:
        """The goal in the game at this setting. Raises InputError."""
        return GoalInGame.of(self.problem.goal, self.ruleset, self.setting.seats, self.setting.objective)

    def settings_at(self, parameter_value: int) -> dict[str, Any]:
        """Return the settings with the parameter at ``parameter_value``."""
        return {**self.settings, self.name: parameter_value}

    def solve_values(self, values: Sequence[int]) -> list[TriedValue]:
        """Solve the game at those of the values that are not solved yet, and return the results at all of them."""
        new = [value for value in values if value not in self.known]
        self.store_results(new, self.problem.solve_settings([self.settings_at(value) for value in new]))
        return [self.known[value] for value in values]

    def store_results(self, values: Sequence[int], points: Sequence[Point]) -> None:
        """Store the results at ``values``."""
        self.known.update((value, self.result_at(value, point)) for value, point in zip(values, points, strict=True))

    def result_at(self, value: int, point: Point) -> TriedValue:
        """Return the result at ``value``. ``point``: the solved game, or why it was not solved."""
        if point.data is None:
            return TriedValue(value, None, None, point.problem)
        try:
            return TriedValue(value, self.goal_in_game.number_reached(point.data), self.goal_in_game.miss(point.data))
        except MeasureError as error:
            return TriedValue(value, None, None, str(error))

    # --- by a formula

    def solve_symbolically(self) -> ParametricSolution:
        """Solve the game with the parameter as a symbol. Raises SymbolError."""
        if self.span.listed:
            raise SymbolError(LISTED)
        if self.ruleset.has_secrets:
            raise SymbolError("a game with secrets is solved at one value after the other")
        from oddsmith.ruleset import bind
        from oddsmith.solve.parameter import solve_symbol

        game = bind(self.ruleset, self.setting)
        low, high = self.span.low, self.span.high
        return solve_symbol(
            game, self.name, self.setting.objective, low, high, self.problem.progress, MAX_FORMULA_POSITIONS
        )

    def excluded_end_notes(self, parametric: ParametricSolution) -> Iterator[str]:
        """Yield a note on each end of the range at which the formulas do not hold."""
        first, last = parametric.pieces[0], parametric.pieces[-1]
        for point in [first.low] * first.is_low_end_open + [last.high] * last.is_high_end_open:
            yield f"{self.name} {point.short_text()} itself is left out, because play might never end there"

    def answer_ranges_by_formulas(self, parametric: ParametricSolution, goal: GoalInGame) -> Iterator[_AnswerRange]:
        """Yield the answers that follow from the formulas, ascending: the zeros of the functions of ``goal``, and the
        points at which a function jumps from one sign to the other because best play changes.
        """
        from oddsmith.solve.parameter import signs_near_bounds

        side, met = 0, False  # just below the piece, and whether the goal is met at its lower end
        for number, piece in enumerate(parametric.pieces):
            functions = self.functions[number] = goal.functions_zero_at_goal(parametric, piece)
            zeros = parametric.common_zeros(piece, functions)
            if zeros is None:
                yield _AnswerRange("everywhere", piece.low, piece.high)
                side = 0
                continue
            if goal.miss_has_sign:
                first, last = signs_near_bounds(functions[0], piece.low, piece.high)
                if side * first < 0 and not met:
                    yield _AnswerRange("jump", piece.low, piece.low)
                side = last
            yield from (_AnswerRange("at", zero, zero) for zero in zeros)
            met = bool(zeros) and zeros[-1] == piece.high

    def whole_numbers_near_answers(
        self, parametric: ParametricSolution, answer_ranges: Sequence[_AnswerRange]
    ) -> list[int]:
        """Return the whole numbers in the range that are next to the answers, ascending; also the parameter's default,
        if the goal is met there.

        If there are none, return the whole number with the smallest miss by the formulas, if there is any.
        """
        whole = self.span.whole_numbers
        near = [value for mark in answer_ranges for end in (mark.low, mark.high) for value in end.floor_and_ceiling]
        usual = self.ruleset.parameters[self.name].default
        near += [
            usual for mark in answer_ranges if mark.how == "everywhere" and mark.low.low <= usual <= mark.high.high
        ]
        inside = sorted({value for value in near if value in whole})
        if inside or not whole:
            return inside
        ends = [
            value for piece in parametric.pieces for end in (piece.low, piece.high) for value in end.floor_and_ceiling
        ]
        some = whole if len(whole) <= MAX_FORMULA_VALUES else [value for value in ends if value in whole]
        sizes = {
            value: size for value in some if (size := self.absolute_miss_by_formulas(parametric, value)) is not None
        }
        return [min(sizes, key=lambda value: sizes[value])] if sizes else []

    def absolute_miss_by_formulas(self, parametric: ParametricSolution, value: int) -> Fraction | None:
        """Return the size of the miss at ``value`` by the formulas; None if they do not hold there."""
        try:
            piece = parametric.piece_at(Fraction(value))
            if (
                self.goal_in_game.is_share_of_best_play
                and piece.values[self.problem.goal.seat - 1].value_at(Fraction(value)) <= 0
            ):
                return None
            number = parametric.pieces.index(piece)
            found = [function.value_at(Fraction(value)) for function in self.functions[number]]
        except (SymbolError, ZeroDivisionError):
            return None
        return max(*found, Fraction(0)) - min(*found, Fraction(0))

    # --- answers

    @staticmethod
    def enclosed_answer_range(lower: TriedValue, upper: TriedValue) -> _AnswerRange:
        """Return the answer that two results enclose: a single value if they are the same result, else an interval."""
        from oddsmith.solve.parameter import Algebraic

        ends = Algebraic.of(lower.value), Algebraic.of(upper.value)
        if lower is not upper:
            return _AnswerRange("between", *ends)
        return _AnswerRange("at" if lower.miss == Number.of(0) else "close", *ends)

    def fair_value(self, answer_range: _AnswerRange) -> FairValue:
        """Return an answer, with the whole number to write into the ruleset and its patch.

        The number is the parameter's default, if that lies in an interval in which the goal is met everywhere.
        Otherwise it is the number next to the answer that has the smallest miss.
        """
        usual = self.ruleset.parameters[self.name].default
        around = {*answer_range.low.floor_and_ceiling, *answer_range.high.floor_and_ceiling}
        if answer_range.how == "everywhere" and answer_range.low.low <= usual <= answer_range.high.high:
            around = {usual}
        best = result_with_least_miss([each for value, each in self.known.items() if value in around])
        return FairValue(answer_range.how, answer_range.low, answer_range.high, best, self.ruleset_patch(best))

    def ruleset_patch(self, best_result: TriedValue | None) -> str:
        """Return a patch that writes the value of a result into the ruleset's file: the lines that change, without
        context.

        It is empty if no line changes, or if ``best_result`` is None.
        """
        from oddsmith.ruleset.reading import text_with_parameter_values

        if best_result is None:
            return ""
        source, variant = self.ruleset.source, str(self.settings.get("variant") or "")
        values = {name: value for name, value in self.settings.items() if name not in SETTING_NAMES}
        after = text_with_parameter_values(source, {**values, self.name: best_result.value}, variant)
        parts = unified_diff(source.lines, after.split("\n"), source.file, source.file, n=0, lineterm="")
        return "\n".join(parts)


def _merge_adjacent_ranges(answer_ranges: Sequence[_AnswerRange]) -> Iterator[_AnswerRange]:
    """Yield answers, with adjacent intervals merged in which the goal is met everywhere."""
    for how, group in groupby(answer_ranges, key=lambda mark: mark.how):
        several = list(group)
        starts = [
            n for n, mark in enumerate(several) if how != "everywhere" or not n or several[n - 1].high != mark.low
        ]
        for first, after in pairwise([*starts, len(several)]):
            yield _AnswerRange(how, several[first].low, several[after - 1].high)


MAX_OUTER_VALUES = 100_000  # values of what varies before the parameter that is looked for
MAX_RANGE_WIDTH = 10**9  # range of that parameter
Span = Iterable[Any] | str | None
"""The values of a varied setting: a list, each value of which is solved; a range such as ``1..5/2``; or None for all
values from the least to the greatest.
"""


def fair(
    book: LoadedRuleset | str | Path,
    goal: Goal | str,
    varied: Mapping[str, Any],
    *,
    jobs: int = 1,
    store: str | Path | None = None,
    progress: Progress | None = None,
) -> Fair:
    """Find the values of a parameter that make a game meet a goal.

    ``goal``: ``even`` (all seats have the same value), ``worth 0`` (the value of seat 1), ``length 10 turns``, or
    ``beginner 5%`` (what seat 1 loses if it alone takes any legal action). ``Goal.of`` names another seat, or another
    policy of the beginner. ``varied``: names of settings and their values; the last name is the parameter. Each
    combination of the values of the others is a case. If values are listed, the game is solved at all of them. A range
    such as ``1..5/2`` (as text), or None for the whole range, can be given instead. Then the answers are exact for a
    parameter that only changes the weights of faces or payments. For any other parameter, the game is solved at whole
    numbers, and if there are many, only at some.

    All other settings are those of ``book``. ``jobs``, ``store`` and ``progress``: as for ``sweep``. Raises GoalError,
    SettingError, UnknownPolicyError, InputError, RulesetError, UnwritableError.

    >>> oddsmith.fair(oddsmith.load("rogues-gambit").at(seats=2), "length 6 turns", {"coins_each": "20..24"})
    Fair(rogues-gambit, coins_each: between 22..23)
    """
    book = book if isinstance(book, LoadedRuleset) else LoadedRuleset.open(book)
    wanted = goal if isinstance(goal, Goal) else Goal.of(goal)
    ruleset, fixed = book.ruleset, choices_by_name(book.setting, "fair")
    outer, name = _split_varied_names(ruleset, varied, fixed)
    grid = [
        dict(zip(outer, each, strict=True))
        for each in product(*(_values_of_other_setting(ruleset, key, varied[key]) for key in outer))
    ]
    span = _search_range(ruleset, name, varied[name])

    lone = (wanted.beginner_policy, wanted.seat) if wanted.kind == "beginner" else None

    def solve_settings(settings: Sequence[Mapping[str, Any]], jobs: int = jobs) -> list[Point]:
        return solved_points(ruleset, settings, jobs, None, store, progress, lone)

    problem = SearchProblem(ruleset, wanted, name, span, fixed, solve_settings, progress)
    searches = [FairValueSearch(problem, own) for own in grid]
    first = [(search, values) for search in searches if (values := search.values_to_solve_first())]
    few = all(search.marks is not None for search, _ in first)  # where formulas hold, games are small
    points = iter(
        solve_settings([search.settings_at(value) for search, values in first for value in values], 1 if few else jobs)
    )
    for search, values in first:
        search.store_results(values, list(islice(points, len(values))))
    cases = tuple(search.find_case() for search in searches)
    return Fair(ruleset.id, wanted, name, tuple(varied), fixed, span.low, span.high, cases)


# --- what varies


def _split_varied_names(
    ruleset: Ruleset, varied: Mapping[str, Span], fixed: Mapping[str, Any]
) -> tuple[list[str], str]:
    """Return the names of all varied settings but the last, and the last name, which is the parameter to search.

    ``varied``: values by name. ``fixed``: settings that do not vary. Raises SettingError if a name is unknown or is in
    both, or if the parameter is not a number.
    """
    if not varied:
        raise SettingError("name a parameter that may vary")
    *outer, name = varied
    for each in varied:
        if each not in ruleset.parameters and (each == name or each not in SETTING_NAMES):
            hint = did_you_mean(each, ruleset.parameters, "parameters")
            raise SettingError(f"{ruleset.id} has no parameter {each}: {hint}")
        if each in fixed:
            raise SettingError(f"{each} cannot vary and stay the same")
    parameter = ruleset.parameters[name]
    if isinstance(parameter.default, bool) or not isinstance(parameter.default, int):
        raise SettingError(
            f"{name} is no number, so nothing lies between its values: vary it before a parameter that is one"
        )
    return outer, name


def _values_of_other_setting(ruleset: Ruleset, name: str, values_or_range: Span) -> list[Any]:
    """Return the list of the values of a varied setting that is not the parameter to search.

    ``values_or_range``: a list of values, a range as text, or None for all values. Raises SettingError.
    """
    if values_or_range is not None and not isinstance(values_or_range, str):
        return list(values_or_range)
    parameter = ruleset.parameters.get(name)
    if isinstance(values_or_range, str) or (parameter and parameter.least is not None):
        whole = _search_range(ruleset, name, values_or_range).whole_numbers
        if len(whole) > MAX_OUTER_VALUES:
            raise SettingError(
                f"{name} has {len(whole):,} values there, over {MAX_OUTER_VALUES:,}: give a narrower range"
            )
        return list(whole)
    if name == "seats":
        return list(range(ruleset.seats[0], ruleset.seats[1] + 1))
    if parameter is None:
        return list(ruleset.payoffs) if name == "objective" else ["", *ruleset.variants]
    return list(parameter.one_of) or [False, True]


def _search_range(ruleset: Ruleset, name: str, values_or_range: Span) -> SearchRange:
    """Return the values of a parameter to search.

    ``values_or_range``: a list of whole numbers, a range as text, or None for the range that the ruleset allows. Raises
    SettingError.
    """
    parameter = ruleset.parameters.get(name)
    if isinstance(values_or_range, str):
        try:
            _, low, high = parse_parameter_range(f"{name}={values_or_range}")
        except SymbolError:
            low = high = None
        if low is None or high is None:
            raise SettingError(f"{name}={values_or_range}: write LOW..HIGH, such as {name}=5..60")
        for end in (low, high):
            wanted = parameter.allowed_values_if_broken(floor(end) if end == low else ceil(end)) if parameter else ""
            if wanted:
                raise SettingError(f"{name} cannot be {end}: it must be {wanted}")
        if high - low > MAX_RANGE_WIDTH:
            raise SettingError(f"{name}={values_or_range}: take a range of {MAX_RANGE_WIDTH:,} at most")
        return SearchRange(low, high)
    if values_or_range is None and parameter is not None and not parameter.one_of:
        if parameter.least is None or parameter.most is None:
            raise SettingError(f"{name} has no min and max in {ruleset.id}: give a range, such as {name}=1..20")
        return SearchRange(Fraction(parameter.least), Fraction(parameter.most))
    listed = sorted(set(parameter.one_of if values_or_range is None and parameter else values_or_range or ()))
    if not listed or not all(isinstance(value, int) for value in listed):
        raise SettingError(f"{name} varies over nothing: give whole numbers")
    return SearchRange(Fraction(listed[0]), Fraction(listed[-1]), tuple(listed))
