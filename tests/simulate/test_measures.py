"""Questions along the game, answered by the solver and by counting in games played without it."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from math import sqrt
from random import Random
from typing import Any

import pytest

from oddsmith.base.errors import MeasureError
from oddsmith.expr.evaluation import compiled_function
from oddsmith.ruleset.binding import bind
from oddsmith.ruleset.model import Setting
from oddsmith.ruleset.model.questions import Measure
from oddsmith.ruleset.rules import Rules
from oddsmith.ruleset.simulation import GameSimulator, PlayedGame
from oddsmith.solve.game_solver import solve
from oddsmith.solve.policies import NamedPolicy
from oddsmith.solve.questions.measure import answer_question, expected_lengths
from oddsmith.solve.solution import Solution
from tests.cases import Case, names, ruleset, smallest, solved
from tests.simulate.test_agreement import follow

GAMES = 1_000
SETTINGS: dict[str, Case] = {
    "pig": Case("pig", 2, {"target": 10}), "column-race": Case("column-race", 2), "hot-purse": Case("hot-purse", 2),
    "last-hero": Case("last-hero", 3, {"lives_each": 1}), "left-centre-right": Case("left-centre-right", 3),
    "rogues-gambit": Case("rogues-gambit", 2), "snakes-and-ladders": Case("snakes-and-ladders", 3),
    "four-fields": Case("four-fields", 2),
}  # fmt: skip


def along(question: Measure) -> bool:
    """Whether a question is about a whole game."""
    return bool(question.kind in ("count", "spread") or question.within or question.at_entry is None)


def questions() -> Iterator[Any]:
    for name in names():
        rules = ruleset(name)
        asked = [*rules.measures.items(), *((claim.quote, claim.question) for claim in rules.claims)]
        for label, question in asked:
            if along(question) and name != "ship-captain-crew":
                yield pytest.param(name, question, id=f"{name}: {label}")


def case_of(name: str) -> Case:
    return SETTINGS.get(name) or next(case for case in smallest() if case.name == name)


def plays(solution: Solution, seed: str) -> list[PlayedGame]:
    player, random, choose = GameSimulator(Rules(solution.graph.game)), Random(seed), follow(solution)  # noqa: S311
    return [player.play(choose, random) for _ in range(GAMES)]


@cache
def usual(name: str) -> list[PlayedGame]:
    """Plays of the game's small setting, once for all its questions."""
    case = case_of(name)
    return plays(solved(case, case.objectives[0]), name)


def observed(rules: Rules, objective: str, question: Measure, play: PlayedGame) -> float:
    """What one game answers."""
    taken = [(event, move.state.mover) for move in play.moves for event in move.step.events]
    if question.kind == "count":
        return sum(event == question.at_entry for event, _ in taken)
    if question.kind == "chance" and question.within == "game":
        return float((question.at_entry, question.seat - 1) in taken)
    if question.kind == "chance":
        last = next(number for number, move in enumerate(play.moves) if move.step.turn_over)
        return float(any(question.at_entry in move.step.events for move in play.moves[: last + 1]))
    if question.kind == "mean":
        assert question.value is not None
        context = rules.context(play.end)
        context.seat = question.seat - 1
        return float(compiled_function(question.value)(context))
    if question.spread_of in ("turns", "rolls"):
        return float(play.turn_count if question.spread_of == "turns" else play.roll_count)
    wanted = objective if question.spread_of == "payoff" else question.spread_of
    return float(rules.payoffs(play.end, wanted)[question.seat - 1])


def agrees(values: list[float], question: Measure, number: float) -> None:
    """Means within four standard errors of the mean, deviations within four of the deviation."""
    count = len(values)
    mean = sum(values) / count
    variance = sum((value - mean) ** 2 for value in values) / (count - 1)
    if question.kind != "spread":
        assert abs(mean - number) <= 4 * sqrt(variance / count) + 1e-9, (mean, number)
        return
    fourth = sum((value - mean) ** 4 for value in values) / count
    error = sqrt(max(fourth - variance**2, 0.0) / count) / (2 * sqrt(variance)) if variance else 0.0
    assert abs(sqrt(variance) - number) <= 4 * error + 1e-9, (sqrt(variance), number)


@pytest.mark.parametrize(("name", "question"), list(questions()))
def test_answers_are_what_play_shows(name: str, question: Measure) -> None:
    case = case_of(name)
    objective = case.objectives[0]
    solution = solved(case, objective)
    found = usual(name)
    if question.given_entry is not None:
        found = [play for play in found if any(question.given_entry in move.step.events for move in play.moves)]
        assert len(found) > 200
    rules = Rules(case.game)  # once for all plays: it compiles every expression
    values = [observed(rules, objective, question, play) for play in found]
    agrees(values, question, float(answer_question(case.game, question, lambda: solution)))


def test_answers_under_named_policies_by_seat() -> None:
    """One seat holds at 20, the other answers as best it can: counts are of that play."""
    game = bind(ruleset("rogues-gambit"), Setting(2, values={"coins_each": 15}))
    solution = solve(game, "coins", {1: "hold at 20"})
    found, rules = plays(solution, "mixed company"), Rules(game)
    for question in ruleset("rogues-gambit").measures.values():
        if along(question):
            values = [observed(rules, "coins", question, play) for play in found]
            agrees(values, question, float(answer_question(game, question, lambda: solution)))
    hold = NamedPolicy(game, "hold at 20")
    for play in found[:50]:
        for move in play.moves:
            if move.action is not None and move.state.mover == 0:
                actions = rules.actions(move.state)
                assert actions[hold.choose_action_index(move.state, actions)] == move.action


def test_a_chance_and_its_opposite_add_up() -> None:
    """A game of craps is won by a natural, or after a point, or lost: the three chances are exact."""
    game = bind(ruleset("craps"))
    solution = solve(game, "win")
    natural = Measure("chance", game.ruleset.phases["come_out"].location, ("come_out", "Natural"), within="game")
    made = Measure("chance", game.ruleset.phases["chase"].location, ("chase", "Made"), within="game")
    answers = [answer_question(game, question, lambda: solution).exact for question in (natural, made)]
    assert answers == [Fraction(8, 36), Fraction(244, 495) - Fraction(8, 36)]


def test_a_length_beyond_the_budget_is_refused_in_words() -> None:
    """Three heroes with two lives need a system of 513 unknowns: bounds would do, a fault of ours would not."""
    solution = solve(bind(ruleset("last-hero"), Setting(3, values={"lives_each": 2})))
    try:
        found = expected_lengths(solution)
    except MeasureError as error:
        assert "too long" in str(error)
    else:
        assert {number.grade for number in found.values()} <= {"exact", "proven"}
