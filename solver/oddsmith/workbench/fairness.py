"""The value of a parameter that makes a game as it is wanted, for each setting of what else varies."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import islice, product
from math import ceil, floor
from pathlib import Path
from typing import TYPE_CHECKING, Any

from oddsmith.errors import SettingError, SymbolError, did_you_mean
from oddsmith.library import LoadedRuleset, asked_parameters, asked_symbol
from oddsmith.workbench.answers import Fair
from oddsmith.workbench.goals import Goal
from oddsmith.workbench.looking import Quest, Range, Search
from oddsmith.workbench.sweeping import ALSO, Point, solved_points

if TYPE_CHECKING:
    from oddsmith.progress import Progress
    from oddsmith.ruleset.model import Ruleset

MOST = 100_000  # values of what varies before the parameter that is looked for
WIDEST = 10**9  # range of that parameter
Span = Iterable[Any] | str | None
"""Values, each of which is solved; a range such as ``1..5/2``; or None, which is all from the least to the greatest."""


def fair(  # noqa: PLR0913 - the words of the command line
    book: LoadedRuleset | str | Path,
    goal: str,
    varied: Mapping[str, Any],
    *,
    seat: int = 1,
    plays: str = "any",
    jobs: int = 1,
    store: str | Path | None = None,
    report: Progress | None = None,
    **fixed: Any,
) -> Fair:
    """The value of a parameter that makes a game as it is wanted.

    ``goal``: ``even`` (all seats get the same), ``worth 0`` (what ``seat`` gets), ``length 10 turns``, or ``beginner 5%``. That
    is what ``seat`` loses if it alone plays as ``plays`` says: by a policy of the ruleset, by ``any`` legal action, or by the
    short ``rule``. ``varied``: the parameter that is looked for comes last. Others before it make a frontier, with an answer
    for each of their values. Values that are listed are all solved. With None, or a range as text such as ``1..5/2``, a
    parameter that only weighs faces and pays has exact answers, and of many whole numbers only some are solved.

    ``fixed``: parameters, named as for ``solve``, ``seats``, ``objective`` and ``variant``. ``jobs``, ``store`` and ``report``
    are as for ``sweep``. Raises GoalError, SettingError, UnknownPolicyError, InputError, RulesetError, UnwritableError.

    >>> oddsmith.fair("rogues-gambit", "length 6 turns", {"coins_each": "20..24"}, seats=2)
    Fair(rogues-gambit, coins_each: between 22..23)
    """
    ruleset = (book if isinstance(book, LoadedRuleset) else LoadedRuleset.open(book)).ruleset
    wanted, fixed = Goal.of(goal, seat, plays), asked_parameters(fixed)
    outer, name = _names(ruleset, varied, fixed)
    grid = [
        dict(zip(outer, each, strict=True)) for each in product(*(_values(ruleset, key, varied[key]) for key in outer))
    ]
    span = _span(ruleset, name, varied[name])

    lone = (wanted.plays, wanted.seat) if wanted.kind == "beginner" else None

    def solved(settings: Sequence[Mapping[str, Any]], jobs: int = jobs) -> list[Point]:
        return solved_points(ruleset, settings, jobs, None, store, report, lone)

    quest = Quest(ruleset, wanted, name, span, fixed, solved, report)
    searches = [Search(quest, own) for own in grid]
    first = [(search, values) for search in searches if (values := search.first())]
    few = all(search.marks is not None for search, _ in first)  # where formulas hold, games are small
    points = iter(solved([search.at(value) for search, values in first for value in values], 1 if few else jobs))
    for search, values in first:
        search.take(values, list(islice(points, len(values))))
    cases = tuple(search.case() for search in searches)
    return Fair(ruleset.id, wanted, name, tuple(varied), fixed, span.low, span.high, cases)


# --- what varies


def _names(ruleset: Ruleset, varied: Mapping[str, Span], fixed: Mapping[str, Any]) -> tuple[list[str], str]:
    """What else varies, and the parameter that is looked for. Raises SettingError."""
    if not varied:
        raise SettingError("name a parameter that may vary")
    *outer, name = varied
    for each in varied:
        if each not in ruleset.parameters and (each == name or each not in ALSO):
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


def _values(ruleset: Ruleset, name: str, span: Span) -> list[Any]:
    """The values of something that varies before the parameter that is looked for. Raises SettingError."""
    if span is not None and not isinstance(span, str):
        return list(span)
    parameter = ruleset.parameters.get(name)
    if isinstance(span, str) or (parameter and parameter.least is not None):
        whole = _span(ruleset, name, span).whole
        if len(whole) > MOST:
            raise SettingError(f"{name} has {len(whole):,} values there, over {MOST:,}: give a narrower range")
        return list(whole)
    if name == "seats":
        return list(range(ruleset.seats[0], ruleset.seats[1] + 1))
    if parameter is None:
        return list(ruleset.payoffs) if name == "objective" else ["", *ruleset.variants]
    return list(parameter.one_of) or [False, True]


def _span(ruleset: Ruleset, name: str, span: Span) -> Range:
    """The values of a number. Raises SettingError."""
    parameter = ruleset.parameters.get(name)
    if isinstance(span, str):
        try:
            _, low, high = asked_symbol(f"{name}={span}")
        except SymbolError:
            low = high = None
        if low is None or high is None:
            raise SettingError(f"{name}={span}: write LOW..HIGH, such as {name}=5..60")
        for end in (low, high):
            wanted = parameter.refuses(floor(end) if end == low else ceil(end)) if parameter else ""
            if wanted:
                raise SettingError(f"{name} cannot be {end}: it must be {wanted}")
        if high - low > WIDEST:
            raise SettingError(f"{name}={span}: take a range of {WIDEST:,} at most")
        return Range(low, high)
    if span is None and parameter is not None and not parameter.one_of:
        if parameter.least is None or parameter.most is None:
            raise SettingError(f"{name} has no min and max in {ruleset.id}: give a range, such as {name}=1..20")
        return Range(Fraction(parameter.least), Fraction(parameter.most))
    listed = sorted(set(parameter.one_of if span is None and parameter else span or ()))
    if not listed or not all(isinstance(value, int) for value in listed):
        raise SettingError(f"{name} varies over nothing: give whole numbers")
    return Range(Fraction(listed[0]), Fraction(listed[-1]), tuple(listed))
