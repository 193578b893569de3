"""Find problems without playing: expressions out of range, rolls without an outcome, entries that never apply."""

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
from oddsmith.ruleset.checking.traps import problems_in_structure
from oddsmith.ruleset.game import Game
from oddsmith.ruleset.model.editions import Setting
from oddsmith.ruleset.model.ruleset import Ruleset
from oddsmith.ruleset.roll_tables import roll_tables

MAX_SETTINGS = 40
ONLY_IF_EVERYWHERE = {"OD604", "OD605", "OD606", "OD610"}
"""The codes of problems that are reported only if every setting has them. An entry that never applies at one setting
may apply at another.
"""

Settings = dict[str, object]


def check_game(game: Game, known_problems: KnownProblems | None = None) -> list[Problem]:
    """Return all errors and warnings of a game that can be found without playing, in the order of the file.

    ``known_problems``: a cache to share among settings, because most phases are the same at many settings.
    """
    checker = RangeChecker(game)
    checker.check_all_rules()
    covered = coverage_problems(game, checker.bounds_after_rolls, known_problems)
    return _sorted_in_file_order(
        [*checker.problems, *covered, *_random_table_errors(game), *problems_in_structure(game.ruleset)]
    )


def _random_table_errors(game: Game) -> tuple[Problem, ...]:
    """Return the error of a random table whose phase cannot be rolled from the start values; empty if there is none."""
    try:
        roll_tables(game)
    except PlayError as error:
        return error.problems
    return ()


def check_at_many_settings(ruleset: Ruleset) -> list[Problem]:
    """Return the problems of a ruleset at its default setting, and at settings that differ from it by one change.

    The changes are the least and the greatest number of seats, each variant, and for each parameter the ends of its
    range or its other values. At most ``MAX_SETTINGS`` settings are checked. The message of a problem that the default
    setting does not have names a setting that has it.
    """
    first_said: dict[tuple[str, Location, str], Problem] = {}
    seen: list[set[tuple[str, Location]]] = []
    known_problems: KnownProblems = {}
    for setting in _settings_to_check(ruleset):
        try:
            problems = check_game(bind(ruleset, Setting().with_changes(setting)), known_problems)
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
            said = problem_naming_setting(problem, setting)
            first_said.setdefault((problem.code, problem.location, problem.message), said)
    everywhere = set.intersection(*seen) if seen else set()
    once: dict[tuple[str, Location], Problem] = {}
    for problem in first_said.values():  # the default comes first and says it without an addition
        if problem.code not in ONLY_IF_EVERYWHERE or (problem.code, problem.location) in everywhere:
            once.setdefault((problem.code, problem.location), problem)
    return _sorted_in_file_order(once.values())


def problem_naming_setting(problem: Problem, changes: Mapping[str, object]) -> Problem:
    """Return a problem whose message names the changes of the setting at which it was found; the problem itself if
    there are no changes.
    """
    words = ", ".join(f"{name} {plain_text(value)}" for name, value in changes.items())
    return replace(problem, message=f"{problem.message} (with {words})") if words else problem


def games_to_check(ruleset: Ruleset) -> Iterator[Game]:
    """Yield the game at the default setting, and at each setting that differs from it by one change. Settings that the
    ruleset refuses are left out.
    """
    for setting in _settings_to_check(ruleset):
        with suppress(InputError):
            yield bind(ruleset, Setting().with_changes(setting))


def _settings_to_check(ruleset: Ruleset) -> list[Settings]:
    """Return the settings to check, as changes by name: no change first, then single changes."""
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


def _sorted_in_file_order(problems: Iterable[Problem]) -> list[Problem]:
    return sorted(set(problems), key=lambda problem: (problem.location, problem.code, problem.message))
