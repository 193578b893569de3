"""A large game by stages keeps only the positions that enter a stage; the others are worked out where they are asked
for.
"""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

import oddsmith
from oddsmith.api.staged import StagedGame
from oddsmith.solve.staged import forward
from oddsmith.solve.staged.by_component import StageSolver
from oddsmith.solve.staged.staged import load_by_stages, solve_by_stages
from tests.solve.test_stages import MemoryStore
from tests.staged import by_stages

SETTINGS = {"rogues-gambit": {"coins_each": 5}, "burglar-and-the-dragon": {"tokens_each": 3}, "pig": {"target": 6}}
SEATS = {"rogues-gambit": 4, "burglar-and-the-dragon": 3, "pig": 3}


def both(name: str, monkeypatch: pytest.MonkeyPatch, jobs: int = 1) -> tuple[StagedGame, StagedGame]:
    """A game by stages that keeps all positions, and one that keeps few."""
    book, objective = oddsmith.load(name), "win" if name == "rogues-gambit" else None
    whole = by_stages(book, SEATS[name], objective, **SETTINGS[name])
    monkeypatch.setattr(forward, "MAX_STATES_KEPT", 20)
    few = by_stages(book, SEATS[name], objective, jobs=jobs, **SETTINGS[name])
    return whole, few


@pytest.mark.parametrize("name", SETTINGS)
def test_values_and_tables_are_the_same(name: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    whole, few = both(name, monkeypatch)
    schedule = few.staged.schedule
    assert isinstance(schedule, StageSolver)
    assert schedule.found.has_only_entered_keys
    assert schedule.found.stored_states < few.state_count / 2
    assert (few.values, few.state_count, few.mean_turns, few.undecided_count) == (
        whole.values,
        whole.state_count,
        whole.mean_turns,
        whole.undecided_count,
    )
    tables = []
    for number, game in enumerate((whole, few)):
        game.write_table(tmp_path / f"{number}.csv")
        with (tmp_path / f"{number}.csv").open(encoding="utf-8", newline="") as file:
            tables.append(sorted(map(tuple, csv.reader(file))))
    assert tables[0] == tables[1]


def test_advice_and_distributions_are_the_same_and_positions_that_cannot_be_are_refused(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    whole, few = both("rogues-gambit", monkeypatch)
    asked = 0
    schedule = whole.staged.schedule
    for stage in schedule.order:
        for keys in schedule.key_batches(stage):
            for place in range(0, keys.shape[1], 7):
                state = whole.staged.explorer.codec.state(keys[:, place])
                assert few.advise(state) == whole.advise(state)
                asked += 1
    assert asked > 50
    assert few.distribution("turns").outcomes == whole.distribution("turns").outcomes
    key = next(iter(schedule.key_batches(schedule.order[0])))[:, :1]
    assert few.staged.schedule.state_number_in_stage(key) is not None
    assert few.staged.schedule.state_number_in_stage(key + 1) == schedule.state_number_in_stage(key + 1)


def test_what_is_stored_is_found_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(forward, "MAX_STATES_KEPT", 20)
    game, store = oddsmith.load("rogues-gambit").at(4, coins_each=5).game, MemoryStore()
    solved = solve_by_stages(game, "win", store=store)
    found = load_by_stages(game, "win", store)
    assert found is not None
    assert found.values == solved.values
    for stage in solved.schedule.order[:10]:
        for keys in solved.schedule.key_batches(stage):
            assert found.schedule.action_indices(keys).tolist() == solved.schedule.action_indices(keys).tolist()


def test_processes_share_the_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("oddsmith.solve.staged.by_component.MIN_PART", 50)
    whole, few = both("rogues-gambit", monkeypatch, jobs=2)
    assert few.values == whole.values
