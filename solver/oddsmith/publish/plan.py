"""What the pages of a ruleset need to have solved, each game once."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from oddsmith.errors import OddsmithError
from oddsmith.report.claims import Verdict, verdicts
from oddsmith.report.facts import Facts, facts, is_share, without_seconds
from oddsmith.report.rules_of_thumb import Ladder, ladder
from oddsmith.report.thresholds import Strategy, strategies
from oddsmith.ruleset.game import Game, bind
from oddsmith.ruleset.model import Ruleset
from oddsmith.solve.game_solver import solve
from oddsmith.solve.solution import Solution

Progress = Callable[[str, int, int], None]


@dataclass(frozen=True)
class Setting:
    """One game of a ruleset: seats, at most one variant, at most one parameter changed, and what is played for."""

    seats: int
    objective: str
    variant: str = ""
    parameter: str = ""
    value: Any = None

    @property
    def slug(self) -> str:
        """The name of its files."""
        words = f"{self.seats}-seats-{self.objective}" + (f"-{self.variant}" if self.variant else "")
        words += f"-{self.parameter}-{self.value}" if self.parameter else ""
        return re.sub(r"[^a-z0-9_-]+", "-", words.lower()).strip("-")

    @property
    def options(self) -> str:
        """The words for the command line."""
        found = f" --seats {self.seats} --objective {self.objective}"
        found += f" --variant '{self.variant}'" if self.variant else ""
        value = str(self.value).lower() if isinstance(self.value, bool) else self.value
        return found + (f" --set {self.parameter}={value}" if self.parameter else "")


@dataclass(frozen=True, eq=False)
class Answer:
    """A setting with its solution, or with the reason why there is none. ``main``: the one the page opens with."""

    setting: Setting
    game: Game
    solution: Solution | None
    failure: str = ""
    main: bool = False

    @cached_property
    def strategies(self) -> list[Strategy]:
        """How to choose in each phase."""
        return strategies(self.solution) if self.solution else []

    @cached_property
    def ladder(self) -> Ladder:
        """Rules of thumb; all of them for the main game."""
        assert self.solution is not None
        return ladder(self.solution, self.strategies, self.main)

    @cached_property
    def facts(self) -> Facts:
        """Key facts."""
        assert self.solution is not None
        return facts(self.solution)

    @property
    def share(self) -> bool:
        """Whether values are chances of winning, shown in percent."""
        return is_share(self.game.ruleset.payoffs[self.setting.objective])

    @property
    def unit(self) -> str:
        """What is won, as a word after a number; empty for chances."""
        return "" if self.share else self.setting.objective.replace("_", " ")


@dataclass(frozen=True)
class Account:
    """All that a page needs: the plain game at every number of seats, other objectives, variants, changed parameters."""

    ruleset: Ruleset
    plain: tuple[Answer, ...]
    objectives: tuple[Answer, ...]
    changed: tuple[Answer, ...]
    verdicts: tuple[Verdict, ...]

    @property
    def main(self) -> Answer:
        """The game the page opens with: the usual number of seats, or the first one that could be solved."""
        solved = [answer for answer in self.plain if answer.solution]
        return next((answer for answer in solved if answer.main), solved[0] if solved else self.plain[0])

    @property
    def answers(self) -> tuple[Answer, ...]:
        """Every game that was tried."""
        return (*self.plain, *self.objectives, *self.changed)


def account(ruleset: Ruleset, progress: Progress | None = None) -> Account:
    """Solve what the ruleset's ``publish`` key asks for.

    Left out, ``seats`` are all, ``variants`` all, ``objectives`` the first. The first objective is solved for all seats,
    each further one for the fewest; variants and changed parameters for the usual number.
    """
    wanted = dict(ruleset.data.get("publish", {}))
    low, high, usual = ruleset.seats
    seats = sorted(wanted.get("seats", range(low, high + 1)))
    home = usual if usual in seats else seats[0]
    first, *others = wanted.get("objectives", [next(iter(ruleset.payoffs))])
    plain = [Setting(number, first) for number in seats]
    further = [Setting(seats[0], objective) for objective in others]
    changed = list(_changed(ruleset, wanted, home, first))
    todo = [*plain, *further, *changed]
    answers: dict[Setting, Answer] = {}
    for number, setting in enumerate(todo):
        if progress:
            progress(f"solving {ruleset.id}", number, len(todo))
        answers[setting] = _answer(ruleset, setting, setting == Setting(home, first))
    if progress:
        progress(f"solving {ruleset.id}", len(todo), len(todo))
    made = [tuple(answers[setting] for setting in part) for part in (plain, further, changed)]
    return Account(ruleset, made[0], made[1], made[2], _verdicts(ruleset, answers))


def _changed(ruleset: Ruleset, wanted: dict[str, Any], home: int, objective: str) -> Iterator[Setting]:
    for variant in wanted.get("variants", ruleset.variants):
        yield Setting(int(ruleset.variants[variant].set.get("seats", home)), objective, variant)
    for name, values in wanted.get("parameters", {}).items():
        for value in values:
            if value != ruleset.parameters[name].default:
                yield Setting(home, objective, "", name, value)


def _answer(ruleset: Ruleset, setting: Setting, main: bool) -> Answer:
    values = {setting.parameter: setting.value} if setting.parameter else {}
    game = bind(ruleset, setting.seats, values, [setting.variant] if setting.variant else [])
    try:
        return Answer(setting, game, without_seconds(solve(game, setting.objective)), main=main)
    except OddsmithError as error:
        return Answer(setting, game, None, str(error), main)


def _verdicts(ruleset: Ruleset, answers: dict[Setting, Answer]) -> tuple[Verdict, ...]:
    if not ruleset.claims:
        return ()
    usual = Setting(ruleset.seats[2], next(iter(ruleset.payoffs)))
    known = answers.get(usual)
    return tuple(verdicts(bind(ruleset), known.solution if known else None))
