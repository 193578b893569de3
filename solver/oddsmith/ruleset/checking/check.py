"""Problems that can be found without playing: expressions out of their ranges, uncovered rolls, entries never taken."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import replace

from oddsmith.base.errors import InputError, PlayError, Problem, RequirementError, RulesetError
from oddsmith.base.exact import plain_text
from oddsmith.base.location import Location
from oddsmith.ruleset.binding import bind
from oddsmith.ruleset.checking.coverage import KnownProblems, coverage_problems
from oddsmith.ruleset.checking.ranging import RangeChecker
from oddsmith.ruleset.checking.traps import lint
from oddsmith.ruleset.game import Game
from oddsmith.ruleset.model.editions import Setting
from oddsmith.ruleset.model.ruleset import Ruleset
from oddsmith.ruleset.roll_tables import roll_tables

MAX_SETTINGS = 40
ONLY_IF_EVERYWHERE = {"OD604", "OD605", "OD606", "OD610"}
"""An entry that never applies at one setting may apply at another, so these are reported only if every setting has them."""

Settings = dict[str, object]


def check_game(game: Game, known_problems: KnownProblems | None = None) -> list[Problem]:
    """Return all errors and warnings of a game at its setting that can be found without playing, in file order.

    ``known_problems``: a cache that settings share, because most phases are the same in many settings.
    """
    checker = RangeChecker(game)
    checker.check()
    covered = coverage_problems(game, checker.bounds_after_rolls, known_problems)
    return _in_file_order([*checker.problems, *covered, *_broken_tables(game), *lint(game.ruleset)])


def _broken_tables(game: Game) -> tuple[Problem, ...]:
    """Return the problem of a table whose phase breaks a rule when it is rolled from the start values."""
    try:
        roll_tables(game)
    except PlayError as error:
        return error.problems
    return ()


def check_everywhere(ruleset: Ruleset) -> list[Problem]:
    """Return the problems of a ruleset at its default, and at every setting that differs from it by one change.

    The changes are the fewest and the most seats, each variant, and each parameter at its ends or other values, up to
    ``MAX_SETTINGS`` in all. A problem that the default does not have names a setting that has it.
    """
    first_said: dict[tuple[str, Location, str], Problem] = {}
    seen: list[set[tuple[str, Location]]] = []
    known_problems: KnownProblems = {}
    for setting in _settings_to_check(ruleset):
        try:
            problems = check_game(bind(ruleset, Setting().changed(setting)), known_problems)
        except RulesetError as error:
            problems = list(error.problems)
        except RequirementError as error:
            if setting.keys() - {"variant"}:
                continue  # that is what it is required for
            problems = [error.problem]
        except InputError:
            continue  # a setting that the ruleset itself refuses
        seen.append({(problem.code, problem.location) for problem in problems})
        for problem in problems:
            said = with_setting(problem, setting)
            first_said.setdefault((problem.code, problem.location, problem.message), said)
    everywhere = set.intersection(*seen) if seen else set()
    once: dict[tuple[str, Location], Problem] = {}
    for problem in first_said.values():  # the default comes first and says it without an addition
        if problem.code not in ONLY_IF_EVERYWHERE or (problem.code, problem.location) in everywhere:
            once.setdefault((problem.code, problem.location), problem)
    return _in_file_order(once.values())


def with_setting(problem: Problem, changes: Mapping[str, object]) -> Problem:
    """Return a problem that names the changes of a setting that has it; the problem itself without changes."""
    words = ", ".join(f"{name} {plain_text(value)}" for name, value in changes.items())
    return replace(problem, message=f"{problem.message} (with {words})") if words else problem


def other_games(ruleset: Ruleset) -> Iterator[Game]:
    """Yield the game at the default and at each setting that differs by one change, without those that are refused."""
    for setting in _settings_to_check(ruleset):
        with suppress(InputError):
            yield bind(ruleset, Setting().changed(setting))


def _settings_to_check(ruleset: Ruleset) -> list[Settings]:
    """List the settings to look at: the default first, then each that differs from it by one change."""
    low, high, default = ruleset.seats
    settings: list[Settings] = [{}]
    settings += [{"seats": seats} for seats in sorted({low, high} - {default})]
    settings += [{"variant": name} for name in ruleset.variants]
    for parameter in ruleset.parameters.values():
        values = parameter.one_of or (parameter.least, parameter.most)
        if isinstance(parameter.default, bool):
            values = (True, False)
        others = [value for value in values if value is not None and value != parameter.default]
        settings += [{parameter.name: value} for value in others]
    return settings[:MAX_SETTINGS]


def _in_file_order(problems: Iterable[Problem]) -> list[Problem]:
    return sorted(set(problems), key=lambda problem: (problem.location, problem.code, problem.message))
