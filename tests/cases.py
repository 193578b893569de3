"""The games that tests run on: every sample and every shipped ruleset at sizes that take moments."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache, cached_property
from pathlib import Path
from typing import Any

import pytest

from oddsmith.base.location import Source
from oddsmith.graph.explore import Explorer
from oddsmith.graph.reductions.reduce import ReductionOptions
from oddsmith.graph.stategraph import StateGraph
from oddsmith.report.answers.accounts import RulesetAnswers, answers_of
from oddsmith.ruleset.binding import bind
from oddsmith.ruleset.game import Game
from oddsmith.ruleset.model import Setting
from oddsmith.ruleset.model.ruleset import Ruleset
from oddsmith.ruleset.reading.build import load_ruleset, read_ruleset
from oddsmith.solve.game_solver import entries_in_questions, solve
from oddsmith.solve.solution import Solution

TESTS = Path(__file__).resolve().parent
SAMPLES = TESTS / "samples"
RULESETS = TESTS.parent / "rulesets"

Value = int | str | bool

# Parameters by number of seats, several sizes where a reading matters. A shipped ruleset that is not here is tried with
# its least number of seats and the least value of every number.
SIZES: dict[str, list[tuple[int, dict[str, Value]]]] = {
    "coffers": [(2, {"stake": 1}), (3, {"stake": 1}), (2, {"stake": 2, "feast": "everything"})],
    "column-race": [(1, {}), (2, {})],
    "craps": [(1, {})],
    "farkle": [(2, {"target": 2})],
    "farkle-turn": [(1, {"limit": 1}), (1, {"limit": 8})],
    "four-fields": [(1, {}), (2, {})],
    "hot-purse": [(2, {"coins_each": 2}), (3, {"coins_each": 2})],
    "last-hero": [(2, {"lives_each": 1}), (3, {"lives_each": 1}), (2, {"lives_each": 2})],
    "left-centre-right": [(2, {"coins_each": 2}), (3, {"coins_each": 1})],
    "little-poker": [(1, {})],
    "marbles": [(2, {})],
    "pig": [(1, {"target": 6}), (2, {"target": 6}), (3, {"target": 6})],
    "piglet": [
        (2, {"target": 2}), (2, {"target": 3, "on_tails": "keep"}), (2, {"target": 2, "bend": 3}),
        (2, {"target": 2, "may_wait": True}),
    ],
    "round-table": [(2, {"enough": 2}), (3, {"enough": 2})],
    "ship-captain-crew": [(1, {})],
    "three-beasts": [(3, {"enough": 3})],
    "shut-the-box": [(1, {})],
    "snakes-and-ladders": [(1, {}), (2, {}), (3, {})],
    "rogues-gambit": [
        (2, {"coins_each": 6}), (3, {"coins_each": 4}), (2, {"coins_each": 6, "full_belly": "pocketed"}),
        (2, {"coins_each": 4, "full_belly": "hungry"}), (3, {"coins_each": 3, "full_belly": "hungry"}),
    ],
    "burglar-and-the-dragon": [
        (2, {"tokens_each": 2}), (2, {"tokens_each": 2, "leaving": "allowed", "rounds": 2}),
        (2, {"tokens_each": 2, "ante": 1, "four": "owner", "twelve": "whole_board", "broke": "cannot_pay"}),
    ],
    "wizards-and-thieves": [
        (2, {"coins_each": 10, "ante": 8}),
        (2, {"coins_each": 10, "ante": 8, "majority": "two_dice", "bare_throw": "nothing", "calls": "each_turn"}),
    ],
    "dragons-lair": [
        (1, {}), (1, {"minus": "cumulative", "modified_one": "wake", "goblins": 1, "traps": 1}),
        (1, {"modified_one": "nothing", "carried": 3, "ace_coin": "counts_too"}),
    ],
    "dragons-lair-together": [(1, {}), (2, {"coins": 8}), (2, {"coins": 6, "entering": "in_turn"})],
    "dragons-hoard": [
        (1, {"rounds": 3, "life_points": 1, "colours": 4}),
        (1, {"rounds": 3, "life_points": 1, "colours": 7, "minus": "cumulative"}),
        (1, {"rounds": 3, "life_points": 1, "colours": 5, "pyramid": "unseen", "hallways": "quiet"}),
    ],
    "chip-passing": [(2, {"chips_each": 2}), (3, {"chips_each": 1})],
    "hold-the-pot-turn": [(1, {"throws": 1}), (1, {"throws": 2, "runner": "counted"})],
    "hold-the-pot": [(2, {"goal": 4, "purse_start": 1, "pot_start": 0, "pot_most": 0, "throws": 1})],
    "hold-the-pot-round": [(2, {"pot_start": 0, "pot_most": 0, "o_dice": 0})],
    "shipped-column-race": [(2, {"sides": 2, "needed": 1})],
    "shipped-farkle-turn": [(1, {"limit": 4})],
    "shipped-pig": [(1, {"target": 6}), (2, {"target": 6}), (3, {"target": 5})],
    "shipped-snakes-and-ladders": [(1, {}), (1, {"sides": 10})],
    "yahtzee": [(1, {"upper_boxes": 1, "lower_boxes": 1, "rerolls": 0, "bonus_from": 3})],
}  # fmt: skip

# Sizes that say the same at greater length: the laws of graphs and values hold for them, too, in the long run.
LARGE: dict[str, list[tuple[int, dict[str, Value]]]] = {
    "dragons-hoard": [
        (1, {"rounds": 4, "life_points": 1, "colours": 4}),
        (1, {"rounds": 4, "life_points": 1, "colours": 7, "minus": "cumulative"}),
        (1, {"rounds": 4, "life_points": 1, "colours": 5, "pyramid": "unseen", "hallways": "quiet"}),
        (2, {"rounds": 2, "life_points": 1, "colours": 4}),
    ],
    "hold-the-pot-turn": [(1, {})],
    "hold-the-pot-round": [(2, {"pot_start": 0, "pot_most": 0})],
}  # fmt: skip

MANY = 1_000  # transitions of a graph
TOO_MANY = 20_000  # of one that waits for the long run with every law: smaller games have all that the language has

SHIPPED = "shipped-"
"""Before the name of a shipped ruleset where a sample has the same one: samples are made for tests, and smaller."""

# No pure equilibrium is found: whom to rob is left to chance in three positions. Laws of pure play leave these out.
MIXING = [("hot-purse-3-coins_each=2", "coins")]


@cache
def ruleset(name: str) -> Ruleset:
    """A sample or a shipped ruleset by its name among the cases."""
    folder = SAMPLES if (SAMPLES / f"{name}.yaml").exists() else RULESETS
    return load_ruleset(folder / f"{name.removeprefix(SHIPPED)}.yaml")[0]


@cache
def account_of(of: Path | str) -> RulesetAnswers:
    """The account of a ruleset, by its file or its text, once for all tests: what one had worked out, the next one finds."""
    return answers_of(load_ruleset(of)[0] if isinstance(of, Path) else read_ruleset(Source("game.yaml", of))[0])


@cache
def open_games() -> list[str]:
    """The shipped games in which everybody sees everything."""
    return [path.stem for path in sorted(RULESETS.glob("*.yaml")) if not load_ruleset(path)[0].has_secrets]


def names() -> list[str]:
    """Every sample and every shipped ruleset in which everybody sees everything."""
    samples = {path.stem for path in SAMPLES.glob("*.yaml")}
    shipped = open_games()
    return [*sorted(samples - {"base"}), *(SHIPPED + name if name in samples else name for name in shipped)]


@dataclass(frozen=True)
class Case:
    """A game at one size."""

    name: str
    seats: int
    parameters: Mapping[str, Value] = field(default_factory=dict)

    def __str__(self) -> str:
        shown = [f"{name}={value}" for name, value in self.parameters.items()]
        return "-".join([self.name, str(self.seats), *shown])

    def __hash__(self) -> int:
        return hash(str(self))

    @cached_property
    def game(self) -> Game:
        """The game itself."""
        return bind(ruleset(self.name), Setting(self.seats, values=dict(self.parameters)))

    @property
    def objectives(self) -> list[str]:
        """What its seats may play for."""
        return ["points"] if self.name == "ship-captain-crew" else list(self.game.ruleset.payoffs)  # that one is slow


@cache
def cases_of(name: str) -> tuple[Case, ...]:
    """The sizes of one game."""
    if name in SIZES:
        return tuple(Case(name, seats, parameters) for seats, parameters in SIZES[name])
    rules = ruleset(name)
    least = {parameter.name: parameter.least for parameter in rules.parameters.values() if parameter.least is not None}
    return (Case(name, rules.seats[0], least),)


def cases() -> Iterator[Case]:
    """Every game at every size."""
    for name in names():
        yield from cases_of(name)


def large() -> list[Case]:
    """The games of the long run."""
    return [Case(name, seats, parameters) for name, sizes in LARGE.items() for seats, parameters in sizes]


def asked(where: Callable[[Case, str], bool] = lambda case, objective: True) -> list[Any]:
    """Every game with each of its objectives, as parameters of a test; what is large is for the long run.

    A game of many transitions is asked for its first objective, and for the others in the long run; a shipped one that has a
    sample of its own, only there.
    """
    waits = {str(case) for case in large()}
    return [
        pytest.param(case, objective, id=f"{case}-{objective}", marks=pytest.mark.long if late else ())
        for case in (*cases(), *large())
        for place, objective in enumerate(case.objectives)
        for again in (place > 0 or case.name.startswith(SHIPPED),)
        for late in (str(case) in waits or (again and size(case, objective)["transitions"] > MANY),)
        if where(case, objective)
    ]


def once() -> list[Any]:
    """Samples at their first size with their first objective: for laws that ask the same thing of the same code twice."""
    found = (case for case in smallest() if not case.name.startswith(SHIPPED))
    return [pytest.param(case, case.objectives[0], id=str(case)) for case in found]


@cache
def size(case: Case, objective: str) -> dict[str, int]:
    """Its whole graph in numbers, as ``tests/counts`` has them: known while tests are collected, when nothing is explored."""
    path = TESTS / "counts" / f"{case}.json"
    if not path.exists():
        return {"states": 0, "transitions": 0}  # a new game is taken for a small one until its file is written
    return dict(json.loads(path.read_text("utf-8"))["graph"][objective])


@cache
def is_large(case: Case) -> bool:
    """Whether a game waits for the long run."""
    return size(case, case.objectives[0])["transitions"] > TOO_MANY


def smallest() -> list[Case]:
    """Every game at its first size."""
    return [cases_of(name)[0] for name in names()]


@cache
def explorer(case: Case, objective: str, reduced: bool = True) -> Explorer:
    """An explorer, once for all tests. ``reduced``: as the solver has it, with cells forgotten and symmetric members in
    order."""
    watched = entries_in_questions(case.game) if reduced else []
    return Explorer(case.game, objective, watched, ReductionOptions(forget=reduced, symmetry=reduced))


@cache
def explored(case: Case, objective: str, reduced: bool = True) -> StateGraph:
    """A state graph, once for all tests."""
    graph, whole = explorer(case, objective, reduced).explore()
    assert whole
    return graph


@cache
def solved(case: Case, objective: str) -> Solution:
    """A solution, once for all tests. Exploring takes longer than solving, so the graph is the one that was explored."""
    graph = explored(case, objective)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Explorer, "explore", lambda *given, **options: (graph, True))
        return solve(case.game, objective).with_fractions()
