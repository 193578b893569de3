"""The head start that makes a game for two most even."""

from __future__ import annotations

from fractions import Fraction

import pytest

import oddsmith
from oddsmith.report.facts.profile import Handicap, most_even_handicap
from oddsmith.ruleset.binding import bind
from oddsmith.ruleset.model import Setting
from oddsmith.solve.game_solver import solve
from tests.cases import RULESETS, Case, solved


def test_no_other_head_start_is_more_even() -> None:
    solution = solve(bind(oddsmith.load(RULESETS / "pig.yaml").ruleset, Setting(2, values={"target": 20})), "win")
    found = most_even_handicap(solution)
    assert found is not None
    assert (found.name, found.usual) == ("score", 0)
    graph = solution.graph
    where = graph.game.cell_indices_of("score")[1]
    gaps: dict[int, Fraction] = {}
    for number in range(graph.state_count):
        state = graph.state(number)
        start = (*graph.game.start[:where], state.cells[where], *graph.game.start[where + 1 :])
        if state.phase == graph.state(0).phase and graph.index_of(type(state)(state.phase, 0, 0, start)) == number:
            first, second = solution.state_values(number)
            gaps[state.cells[where]] = abs(first.middle - second.middle)
    assert gaps[found.start] == min(gaps.values())
    assert gaps[found.start] <= gaps[0] / 2


def test_one_player_and_an_even_game_need_none() -> None:
    assert most_even_handicap(solved(Case("pig", 1, {"target": 6}), "haste")) is None


@pytest.mark.parametrize(
    ("name", "found", "words"),
    [
        ("chip-passing", Handicap("chips", 1, 3, ()), "fewer chips, 1 instead of 3"),
        ("pig", Handicap("score", 3, 0, ()), "a score of 3 instead of 0"),
        ("farkle", Handicap("score", 21, 0, ()), "a score of 1,050 instead of 0"),
    ],
)
def test_a_head_start_is_told_as_people_count(name: str, found: Handicap, words: str) -> None:
    assert found.words(oddsmith.load(RULESETS / f"{name}.yaml").ruleset) == words
