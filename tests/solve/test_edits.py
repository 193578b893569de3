"""A designer changes a number or a rule of a copied ruleset, solves again, and sees other thresholds."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from oddsmith.ruleset.binding import bind
from oddsmith.ruleset.model import Setting
from oddsmith.ruleset.reading.build import load_ruleset
from oddsmith.solve.game_solver import solve
from oddsmith.solve.solution import Solution
from tests.cases import RULESETS

ORIGINAL = (RULESETS / "rogues-gambit.yaml").read_text("utf-8")


def solution_of(text: str, folder: Path, coins: int = 25) -> Solution:
    """The game in a file of the designer's own, for two."""
    path = folder / "my-gambit.yaml"
    path.write_text(text, "utf-8")
    return solve(bind(load_ruleset(path)[0], Setting(2, values={"coins_each": coins})), "coins")


def thresholds(solution: Solution) -> dict[int, int]:
    """By coins that are out of the purses: the least stash with which it is best to escape."""
    game, graph = solution.graph.game, solution.graph
    (hoard,), (stash,) = game.cell_indices_of("hoard"), game.cell_indices_of("stash")
    found: dict[int, int] = {}
    for state in range(graph.state_count):
        position = graph.state(state)
        if position.phase == "decide" and graph.action_name(solution.best_row(state)) == "Thief's Escape":
            whole = position.cells[hoard] + position.cells[stash]
            found[whole] = min(found.get(whole, 10**6), position.cells[stash])
    return found


@cache
def before() -> Solution:
    return solve(bind(load_ruleset(RULESETS / "rogues-gambit.yaml")[0], Setting(2)), "coins")


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("roll: {hand: 3d6}", "roll: {hand: 4d6}"),
        ("when: all_equal(hand)", "when: all_equal(hand) or sum(hand) >= 17"),
        ("do: move sum(hand) from hoard to stash", "do: move rank(hand, 1) from hoard to stash"),
    ],
)
def test_another_rule_makes_another_threshold(old: str, new: str, tmp_path: Path) -> None:
    assert ORIGINAL.count(old) == 1
    after = solution_of(ORIGINAL.replace(old, new), tmp_path)
    assert thresholds(after) != thresholds(before())
    assert after.values != before().values
    assert sum(value.middle for value in after.values) == 50


def test_more_coins_make_a_thief_bolder(tmp_path: Path) -> None:
    """The hoard that a trifecta brings is worth the risk."""
    few, many = thresholds(solution_of(ORIGINAL, tmp_path, 25)), thresholds(solution_of(ORIGINAL, tmp_path, 60))
    assert max(many) > max(few)
    assert many[max(many)] > few[max(few)]


def test_a_copy_is_the_same_game(tmp_path: Path) -> None:
    assert solution_of(ORIGINAL, tmp_path).values == before().values
    assert thresholds(solution_of(ORIGINAL, tmp_path)) == thresholds(before())
