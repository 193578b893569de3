"""Stages solved in sweeps have the values, turns and decisions that they have when they are solved as any game is."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.sparse import csr_matrix

import oddsmith
from oddsmith.solve.staged import by_component as large
from oddsmith.solve.staged import by_component as stagewise
from oddsmith.solve.staged.by_component import LargeStageSolver
from oddsmith.solve.systems import value_iteration as sweeping
from oddsmith.solve.systems.linear_systems import SingularSystem
from oddsmith.solve.systems.value_iteration import best_rows, iterate_values, state_blocks
from oddsmith.solve.values.refining import Unproven
from tests.staged import by_stages

GAMES = [
    ("pig", 2, None, {"target": 12}),
    ("pig", 1, "turns_taken", {"target": 30}),  # as few as possible
    ("column-race", 1, None, {"shortest": 1}),
    pytest.param("royal-game-of-ur", 2, None, {"pieces": 2}, marks=pytest.mark.long),
    ("dragons-hoard", 1, None, {"rounds": 2}),  # without cycles
]


@pytest.fixture
def swept(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Every stage is large, in many stretches and blocks. The sizes of those that were proven."""
    monkeypatch.setattr(stagewise, "MIN_SWEPT_TRANSITIONS", 0)
    monkeypatch.setattr(stagewise, "LARGE_COMPONENT", 0)
    monkeypatch.setattr(large, "STATES_PER_STRETCH", 5_000)
    monkeypatch.setattr(sweeping, "STATES_PER_BLOCK", 512)
    proven, solve = list[int](), LargeStageSolver.solve

    def counted(self: LargeStageSolver) -> large.StageOutcome:
        found = solve(self)
        proven.append(self.count)
        return found

    monkeypatch.setattr(LargeStageSolver, "solve", counted)
    return proven


@pytest.mark.parametrize(("name", "seats", "objective", "settings"), GAMES)
def test_values_turns_and_decisions_are_those_of_the_whole_game(
    name: str, seats: int, objective: str | None, settings: dict[str, Any], swept: list[int]
) -> None:
    book = oddsmith.load(name)
    whole = book.at(seats, objective, **settings).solve()
    staged = by_stages(book, seats, objective, digits=30, **settings)
    assert len(swept) == len(staged.staged.summaries)
    for one, two in zip(
        (*staged.values, staged.mean_turns), (*whole.values, whole.distribution("turns").mean), strict=True
    ):
        assert two is not None
        assert one.lower <= two.upper
        assert two.lower <= one.upper
        assert one.upper - one.lower < 1e-28
    graph, different = whole.solution.graph, 0
    for number in range(0, graph.state_count, max(1, graph.state_count // 300)):
        mine, theirs = staged.advise(graph.state(number)), whole.solution.advise(number)
        best = {each.action for each in mine if each.best}
        assert best >= {each.action for each in theirs[:1]}
        different += best != {each.action for each in theirs if each.best}
    assert different == 0 or staged.undecided_count > 0


def test_best_rows_that_were_proposed_badly_are_repaired(swept: list[int], monkeypatch: pytest.MonkeyPatch) -> None:
    """The first row of every state is proposed. What is proven is the same."""
    right = by_stages(oddsmith.load("pig"), target=8)
    monkeypatch.setattr(LargeStageSolver, "_best_rows_in_floats", lambda self: self.graph.state_rows[:-1].copy())
    rounds, check = list[int](), LargeStageSolver._better_rows_and_undecided_count

    def counted(self: LargeStageSolver, *args: Any) -> Any:
        found = check(self, *args)
        rounds.append(len(found[0]))
        return found

    monkeypatch.setattr(LargeStageSolver, "_better_rows_and_undecided_count", counted)
    again = by_stages(oddsmith.load("pig"), target=8)
    assert again.values[0].lower <= right.values[0].upper
    assert right.values[0].lower <= again.values[0].upper
    assert sum(rounds) > 0
    assert swept


def test_where_sweeps_prove_nothing_the_stage_is_solved_as_any_game(
    swept: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    def unproven(self: LargeStageSolver) -> large.StageOutcome:
        raise Unproven

    right = by_stages(oddsmith.load("pig"), target=8)
    monkeypatch.setattr(LargeStageSolver, "solve", unproven)
    swept.clear()
    assert by_stages(oddsmith.load("pig"), target=8).values[0].middle == pytest.approx(float(right.values[0].middle))
    assert not swept


def test_sweeps_settle_on_the_values_of_the_best_rows() -> None:
    """Against value iteration by plain matrices."""
    random = np.random.default_rng(11)
    states, counts = 300, random.integers(1, 4, 300)
    first_row = np.concatenate([[0], np.cumsum(counts)])
    chances = random.random((int(first_row[-1]), states)) * (random.random((int(first_row[-1]), states)) < 0.02)
    chances *= (random.integers(0, 2, chances.shape) * 2 - 1) * 0.9 / np.maximum(chances.sum(axis=1), 1)[:, None]
    right = random.random(int(first_row[-1]))
    parts = list(state_blocks(0, first_row, csr_matrix(chances)))
    x = iterate_values(parts, right, 1e-14)
    rows = best_rows(parts, x, right, 1e-9)
    assert np.allclose(x, np.linalg.solve(np.eye(states) - chances[rows], right[rows]), atol=1e-10)
    assert np.allclose(x, np.maximum.reduceat(chances @ x + right, first_row[:-1]), atol=1e-10)
    assert ((rows >= first_row[:-1]) & (rows < first_row[1:])).all()


def test_sweeps_without_an_end_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sweeping, "MAX_SWEEPS", 50)
    ring = csr_matrix(np.roll(np.eye(5), 1, axis=1))
    with pytest.raises(SingularSystem):
        iterate_values(list(state_blocks(0, np.arange(6), ring)), np.ones(5), 1e-9)
