"""Parts of a stage do not lead to one another, so each may be solved alone, and several at the same time."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

import oddsmith
from oddsmith.api.workers import open_workers
from oddsmith.base.errors import SolveError, TooManyStatesError
from oddsmith.base.executors import Executor, Resources, SerialExecutor
from oddsmith.solve.staged import by_component as stagewise
from oddsmith.solve.staged.by_component import StagePart, StageSolver
from oddsmith.solve.staged.forward import worker_memory_bytes
from oddsmith.solve.staged.staged import Staged, solve_by_stages
from tests.solve.test_stages import meet
from tests.solve.test_turns import Lost, kept
from tests.staged import by_stages


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """All parts are solved apart, however small they are."""
    monkeypatch.setattr(stagewise, "MIN_PART", 1)


class Told(SerialExecutor):
    """Others do the work: which was it?"""

    def __init__(self, share: Executor) -> None:
        self.share, self.jobs, self.sent = share, 2, set[Any]()

    def __call__(self, compute: Any, tasks: Any) -> Any:
        self.sent.add(compute)
        return self.share(compute, tasks)


@pytest.mark.parametrize(
    ("name", "seats", "settings"),
    [
        ("pig", 2, {"target": 7}),
        ("pig", 3, {"target": 5}),
        ("burglar-and-the-dragon", 3, {"tokens_each": 2}),  # seats that are out
        ("dragons-hoard", 1, {"rounds": 3}),  # several variables
        ("column-race", 2, {"shortest": 1}),  # families
    ],
)
@pytest.mark.usefixtures("small")
def test_values_are_those_of_the_whole_game(name: str, seats: int, settings: Mapping[str, Any]) -> None:
    book = oddsmith.load(name)
    whole, staged = book.at(seats, **settings).solve(), by_stages(book, seats, digits=30, **settings)
    assert isinstance(staged.staged.schedule, StageSolver)
    assert staged.state_count == whole.solution.graph.state_count
    assert (staged.kind, staged.undecided_count) == (whole.kind, 0)
    assert all(meet(one, two) for one, two in zip(staged.values, whole.values, strict=True))
    turns = whole.distribution("turns").mean
    assert turns is not None
    assert meet(staged.mean_turns, turns)
    graph = whole.solution.graph
    for number in range(0, graph.state_count, 1 + graph.state_count // 50):
        mine, theirs = staged.advise(graph.state(number)), whole.solution.advise(number)
        assert {each.action for each in mine if each.best} == {each.action for each in theirs if each.best}


def solved(share: Executor = SerialExecutor(), memory: int | None = None) -> Staged:
    return solve_by_stages(oddsmith.load("pig").at(target=6).game, resources=Resources(memory, share))


@pytest.mark.usefixtures("small")
def test_processes_that_share_the_parts_find_the_same_bytes() -> None:
    alone = solved()
    with open_workers(2) as processes:
        told = Told(processes)
        shared = solved(told)
    assert told.sent == {StagePart.state_and_successor_keys, StagePart.solve}
    assert (kept(shared), shared.values, shared.mean_turns) == (kept(alone), alone.values, alone.mean_turns)


@pytest.mark.usefixtures("small")
def test_a_process_that_ends_is_told() -> None:
    with pytest.raises(SolveError, match="something outside ended a process"):
        solved(Lost())


@pytest.mark.usefixtures("small")
def test_a_part_must_fit_into_the_memory_and_several_only_where_they_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stagewise, "SWEEP_BYTES", 10**12)  # so that they do not help
    needed = solved().schedule.largest_stage_size_and_bytes()[2]
    with pytest.raises(TooManyStatesError):
        solved(memory=needed - 1)
    several = Told(SerialExecutor())
    assert solved(several, memory=needed * 2 + worker_memory_bytes(2)).values == solved().values
    assert several.sent
    one = Told(SerialExecutor())
    solved(one, memory=needed + worker_memory_bytes(2))
    assert one.sent == several.sent  # in stages with smaller parts
    narrow = Told(SerialExecutor())
    monkeypatch.setattr(StageSolver, "_bytes_needed", lambda *_: needed)
    monkeypatch.setattr(StageSolver, "largest_stage_size_and_bytes", lambda _: (0, 0, 0))
    solved(narrow, memory=needed - 1)
    assert not narrow.sent


def test_small_parts_are_solved_as_one(monkeypatch: pytest.MonkeyPatch) -> None:
    game = oddsmith.load("pig").at(target=7).game
    widest, states = [], 0
    for least in (1, 50, 10**6):
        monkeypatch.setattr(stagewise, "MIN_PART", least)
        course = solve_by_stages(game).schedule
        assert isinstance(course, StageSolver)
        widest.append(sum(course.widest.values()))
        states = course.states
    assert widest[0] < widest[1] < widest[2] == states
