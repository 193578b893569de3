"""Games solved stage by stage have the values of the same games solved whole."""

from __future__ import annotations

import gc
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np
import pytest

import oddsmith
from oddsmith.api.site import open_answer_store
from oddsmith.base.errors import DisagreementError, PositionError, SolveError, TooManyStatesError
from oddsmith.base.exact import Number
from oddsmith.base.executors import Resources, Work
from oddsmith.base.progress import TimeLeftEstimator
from oddsmith.base.systems import size_text
from oddsmith.graph.explore import Explorer
from oddsmith.graph.stategraph import StateGraph
from oddsmith.solve.arenas.component import Component
from oddsmith.solve.game_solver import BYTES_PER_TRANSITION
from oddsmith.solve.numbers import FixedPoint
from oddsmith.solve.staged import by_component as stagewise
from oddsmith.solve.staged import forward as walking
from oddsmith.solve.staged.by_component import LargeStageSolver, StageOutcome, StageSolver
from oddsmith.solve.staged.find import FALLS, find_stages
from oddsmith.solve.staged.forward import explore_stages
from oddsmith.solve.staged.staged import effort_by_stages, solve_by_stages
from oddsmith.solve.staged.store import Bytes
from oddsmith.solve.systems.linear_systems import LinearSystem
from tests.cases import SAMPLES, TESTS
from tests.staged import by_stages

UR = "royal-game-of-ur"
ROUND, TWO_POTS = str(SAMPLES / "left-centre-right.yaml"), str(TESTS / "report" / "two-pots.yaml")
GAMES = [
    ("pig", 2, {"target": 12}),  # two seats of constant sum, with cycles in every stage
    ("dragons-hoard", 1, {"rounds": 3}),  # many ties, which grids decide
    ("burglar-and-the-dragon", 3, {"tokens_each": 2}),  # seats that are out
    ("column-race", 2, {"shortest": 1}),
    ("chip-passing", 4, {}),  # chips go round, and fewer and fewer are left
    (TWO_POTS, 1, {}),  # nothing but a phase is ever over
    (ROUND, 3, {}),  # what the end does comes after all stages
    pytest.param(UR, 2, {"pieces": 2}, marks=pytest.mark.long),
]


class MemoryStore(dict[str, bytes]):
    """Bytes by name, in memory, that breaks after so many."""

    def __init__(self, most: int = 1000) -> None:
        super().__init__()
        self.most = most

    def memory_map(self, name: str) -> bytes | None:
        """What is kept under a name."""
        return self.get(name)

    def put(self, name: str, *parts: Bytes) -> None:
        """Keep it."""
        if len(self) == self.most:
            raise KeyboardInterrupt
        self[name] = b"".join(parts)


def meet(one: Number, two: Number) -> bool:
    """Whether two numbers may be the same."""
    return one.lower <= two.upper and two.lower <= one.upper


@pytest.mark.parametrize(("name", "seats", "settings"), GAMES)
def test_values_and_turns_are_those_of_the_whole_game(name: str, seats: int, settings: Mapping[str, Any]) -> None:
    book = oddsmith.load(name)
    whole, staged = book.at(seats, **settings).solve(), by_stages(book, seats, digits=30, **settings)
    assert staged.state_count == whole.solution.graph.state_count
    assert len(staged.staged.summaries) > 1
    assert staged.kind == whole.kind
    assert staged.undecided_count == 0
    for one, two in zip(staged.values, whole.values, strict=True):
        assert meet(one, two)
        assert one.upper - one.lower < 1e-30
    turns = whole.distribution("turns").mean
    assert turns is not None
    assert meet(staged.mean_turns, turns)


def test_advice_is_that_of_the_whole_game() -> None:
    book = oddsmith.load("pig")
    whole, staged = book.at(target=12).solve(), by_stages(book, target=12)
    graph = whole.solution.graph
    for number in range(0, graph.state_count, 97):
        state = graph.state(number)
        for one, two in zip(staged.advise(state), whole.solution.advise(number), strict=True):
            assert (one.action, one.best) == (two.action, two.best)
            assert meet(one.value, two.value)
    with pytest.raises(PositionError):
        staged.advise(replace(graph.state(0), phase="nowhere"))


GUESTS = """
format: 1
id: last-guest
title: Last Guest
summary: Eat cake with a die, look out of the window for nothing, or go home.
seats: 2
state:
  cake: {start: 3, max: 3}
  eaten: {each: seat, max: 3}
payoffs:
  win: share(eaten)
turn: sit
phases:
  sit:
    choose:
      - {name: Look out, then: pass}
      - {name: Reach, when: cake > 0, then: reach}
      - {name: Go home, do: [drop out], then: pass}
  reach:
    roll: {die: d6}
    outcomes:
      - {name: Cake, when: die >= 4, do: [move 1 from cake to eaten], then: pass}
      - {name: Slapped, then: pass}
measures:
  Home with nothing: {chance: [sit, Go home], in: game, given: [reach, Slapped]}
"""


def test_idling_that_may_be_as_good_does_not_keep_a_stage_from_ending() -> None:
    """No bound tells it apart from going on, and it comes first in the rules. By itself it would never end the game."""
    book = oddsmith.loads(GUESTS)
    whole, staged = book.solve(), by_stages(book)
    assert all(meet(one, two) for one, two in zip(staged.values, whole.values, strict=True))
    assert whole.values[0] != whole.values[1]


def test_without_stages_nothing_is_solved() -> None:
    with pytest.raises(SolveError, match="played for boxes_shut: nothing that a position holds only grows"):
        by_stages(oddsmith.load("shut-the-box"))


def test_work_that_was_stopped_goes_on_at_its_stage() -> None:
    game = oddsmith.load("pig").at(target=12).game
    whole, store, solved = solve_by_stages(game), MemoryStore(6), []  # the way, and five stages
    with pytest.raises(KeyboardInterrupt):
        solve_by_stages(game, store=store)
    kept = dict(store)
    store.most = 1000
    again = solve_by_stages(game, store=store, progress=lambda what, done, total: solved.append((what, done)))
    assert again.values == whole.values
    assert again.mean_turns == whole.mean_turns
    assert all(store[name] == data for name, data in kept.items())
    assert [told.seconds for told in list(again.summaries.values())[:5]] == [
        told.seconds for told in list(solve_by_stages(game, store=store).summaries.values())[:5]
    ]


def test_kept_stages_of_other_settings_are_not_taken() -> None:
    store = MemoryStore()
    for target in (11, 12):
        game = oddsmith.load("pig").at(target=target).game
        assert solve_by_stages(game, store=store).values == solve_by_stages(game).values


def test_a_stage_that_needs_more_memory_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(TooManyStatesError, match=r"in 22 stages\. Stage \d+ has"):
        by_stages(oddsmith.load("pig"), target=12, memory=walking.PROGRAM_BYTES)
    monkeypatch.setattr(walking, "STATES_PER_CHUNK", 500)
    with pytest.raises(
        TooManyStatesError, match=r"needs more than 60.0 KB .* \d+ positions .* score multiplies them most"
    ):
        by_stages(oddsmith.load("pig"), target=12, memory=60_000)


def test_what_solving_would_take_is_told_before_anything_is_solved() -> None:
    store, game = MemoryStore(), oddsmith.load("pig").at(target=12).game
    effort = effort_by_stages(game, store=store)
    solved = solve_by_stages(game)
    assert (effort.state_count, effort.stage_count, effort.stages_in_words) == (
        solved.state_count,
        len(solved.summaries),
        solved.stages_in_words,
    )
    assert effort.largest_stage_state_count == max(each.states for each in solved.summaries.values())
    assert solve_by_stages(game, store=store).values == solved.values
    assert effort_by_stages(game, digits=200).memory_bytes > effort.memory_bytes + effort.state_count * 8 * 3 * 20


@pytest.mark.parametrize(
    ("name", "settings"), [("chip-passing", {"seats": 3}), ("pig", {"target": 8}), ("dragons-hoard", {"rounds": 3})]
)
def test_it_is_known_before_solving_which_states_come_back_to_one_another(name: str, settings: dict[str, Any]) -> None:
    """What memory solving needs rests on that. networkx says the same of every stage."""
    staged = by_stages(oddsmith.load(name), **settings)
    assert isinstance(staged.staged.schedule, StageSolver)
    found = staged.staged.schedule.found
    assert {
        stage: summaries.largest for stage, summaries in staged.staged.summaries.items()
    } == found.largest_component_sizes
    for stage, keys in found.keys.items():
        graph = staged.staged.explorer.graph_of_states(keys)[0]
        inside = [
            (a, b)
            for a, b in zip(graph.edge_state.tolist(), graph.target.tolist(), strict=True)
            if 0 <= b < graph.state_count
        ]
        parts = nx.strongly_connected_components(nx.DiGraph(inside))
        assert found.cyclic_state_counts[stage] == sum(len(part) for part in parts if len(part) > 1)


@pytest.mark.parametrize(
    ("name", "settings"), [("chip-passing", {}), ("pig", {"target": 9}), ("burglar-and-the-dragon", {"tokens_each": 8})]
)
def test_a_solved_stage_leaves_the_memory_at_once(name: str, settings: dict[str, Any]) -> None:
    """Nothing large is kept in a circle that only the collector of garbage would find."""
    gc.collect()
    gc.disable()
    try:
        before = large_objects()  # of other tests
        staged = by_stages(oddsmith.load(name), **settings)
        left = [type(each).__name__ for each in large_objects() if all(each is not other for other in before)]
    finally:
        gc.enable()
    assert staged.state_count > 100
    assert left == []


def large_objects() -> list[object]:
    return [each for each in gc.get_objects() if isinstance(each, (StateGraph, Component, LinearSystem))]


def test_stages_that_would_fill_the_memory_are_solved_in_sweeps(monkeypatch: pytest.MonkeyPatch) -> None:
    """They need a third of it. The memory that is needed is told before the first stage is solved."""
    monkeypatch.setattr(stagewise, "SWEEP_BYTES", 0)
    monkeypatch.setattr(StageSolver, "held_memory_bytes", 0)
    monkeypatch.setattr(walking, "BYTES_PER_KEY_WORD", 0)
    monkeypatch.setattr(walking, "BYTES_PER_INNER_TRANSITION", 0)
    monkeypatch.setattr(walking, "ENTRIES_PER_PAGE", 1)
    book, told, swept = oddsmith.load("pig"), list[str](), list[int]()
    solve = LargeStageSolver.solve

    def counted(self: LargeStageSolver) -> StageOutcome:
        swept.append(self.count)
        return solve(self)

    monkeypatch.setattr(LargeStageSolver, "solve", counted)
    plenty = by_stages(book, target=12, progress=lambda name, *_: told.append(name))
    assert not swept
    needed = plenty.staged.schedule.largest_stage_size_and_bytes()[2]
    less = by_stages(book, target=12, memory=needed // 2)
    assert 0 < len(swept) < len(less.staged.summaries)
    assert meet(less.values[0], plenty.values[0])
    first = next(name for name in told if name.startswith("stage 1 of"))
    assert f"solving needs about {size_text(needed)}, less than a minute left" in told[: told.index(first)]


PAID_APART = """\
format: 1
id: paid-apart
title: Paid Apart
summary: What both get on the way adds up to one coin.
seats: 2
state:
  n: {max: 4}
  a: {each: seat, max: 9}
  got: {type: tally, each: seat}
payoffs: {w: got}
turn: go
phases:
  go:
    roll: {die: d10}
    outcomes:
      - {name: Up, when: die + a > 12, do: [add 1 to n, add 2 to got, 'add -1 to got[next]'], then: rest}
      - {name: Other, do: set a to die - 1, then: pass}
  rest:
    cases:
      - {name: Over, when: n == 4, then: end}
      - {name: Next, then: pass}
"""


BEGUN_BY_CASES = """\
format: 1
id: begun-by-cases
title: Begun by Cases
summary: A turn begins with a deal, or with what is left of it.
seats: 2
lists:
  faces: span(1, 2)
state:
  middle: {type: hand, dice: 2d2}
  score: {each: seat, max: 8}
  has: {type: flag, each: [seat, faces]}
payoffs: {points: score}
turn: begin
phases:
  begin:
    cases:
      - {name: First turn, when: size(middle) == 0, then: deal}
      - {name: Later, then: take}
  deal:
    roll: {middle: 2d2}
    then: take
  take:
    choose:
      - name: Take
        for: {part: 'subsets(middle, 1)'}
        do:
          - let face be max(part)
          - add face * (2 if has[face] else 1) to score
          - set has[face] to true
          - set middle to middle - part
        then: close
  close:
    cases:
      - {name: All taken, when: size(middle) == 0, then: end}
      - {name: More, then: pass}
"""


def test_a_turn_that_begins_in_one_of_several_phases_is_solved_position_by_position() -> None:
    book = oddsmith.loads(BEGUN_BY_CASES)
    assert all(meet(one, two) for one, two in zip(by_stages(book).values, book.solve().values, strict=True))


def test_no_sweeps_are_counted_on_where_none_can_be_made(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(stagewise, "SWEEP_BYTES", 0)
    monkeypatch.setattr(StageSolver, "held_memory_bytes", 0)
    book = oddsmith.loads(PAID_APART)
    plenty = by_stages(book, store=tmp_path)
    assert plenty.kind == "zero-sum"
    needed = max(each.transitions for each in plenty.staged.summaries.values()) * BYTES_PER_TRANSITION
    for store in (None, open_answer_store(tmp_path)):  # also where the way is known
        with pytest.raises(TooManyStatesError):
            solve_by_stages(book.game, resources=Resources(memory=needed // 2), store=store)


def test_the_time_that_is_left_is_told_by_what_was_done() -> None:
    clock = TimeLeftEstimator(total_work=1000, guessed_seconds=300)
    assert clock.time_left_text(0) == "about 5 min left"
    assert clock.time_left_text(900) == "less than a minute left"
    clock.record_stage(500, 36_000)
    assert clock.time_left_text(0) == "about 9 h left"
    clock.record_stage(400, 28_800)
    assert clock.time_left_text(50) == "about 57 min left"


def test_stages_that_are_explored_again_are_told_as_such() -> None:
    store, told = MemoryStore(6), list[tuple[str, int, int]]()
    game = oddsmith.load("pig").at(target=12).game
    with pytest.raises(KeyboardInterrupt):
        solve_by_stages(game, store=store)
    store.most = 1000
    found = solve_by_stages(game, None, lambda *each: told.append(each), store=store)
    assert any(name == "exploring" for name, _, _ in told)
    assert all(done <= most for _, done, most in told)
    assert told[-1][1:] == (found.state_count, found.state_count)


def test_play_that_went_back_would_be_seen() -> None:
    game = oddsmith.load("pig").at(target=12).game
    explorer = Explorer(game, "win")
    stages = find_stages(explorer.codec)
    assert stages is not None
    wrong = type(stages)(stages.codec, {"score": FALLS}, counts_eliminated_seats=False)
    with pytest.raises(DisagreementError, match="goes back"):
        explore_stages(explorer, wrong, lambda *_: None)


def test_numbers_move_to_another_point_within_their_radius() -> None:
    random = np.random.default_rng(3)
    for one, two in ((FixedPoint(30, 4), FixedPoint(17, 9)), (FixedPoint(20, 7), FixedPoint(30, 3))):
        units = [int(random.integers(-(1 << 60), 1 << 60)) for _ in range(8)]
        x = np.array([one.limbs_of_units(each) for each in units], dtype=np.int64).T.reshape(one.limb_count, 4, 2)
        radius = np.array([0, 1, 1000, 1 << 13], dtype=np.int64)
        moved, wider = two.convert(x, radius, one)
        for place, unit in enumerate(units):
            state, seat = divmod(place, 2)
            middle = two.units_of_limbs(moved[:, state, seat].tolist())
            low, high = unit - int(radius[state]), unit + int(radius[state])
            finer = two.binary_places - one.binary_places
            scale = 1 << abs(finer)
            if finer > 0:
                low, high = low * scale, high * scale
            else:
                middle, wide = middle * scale, int(wider[state]) * scale
                assert middle - wide <= low
                assert high <= middle + wide
                continue
            assert middle - int(wider[state]) <= low
            assert high <= middle + int(wider[state])


def test_a_game_that_fills_the_memory_is_solved_by_its_stages_if_it_has_some(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = oddsmith.load("pig").at(target=8).solve()
    monkeypatch.setattr("oddsmith.graph.explore.memory_size", lambda: 20_000)
    reasons = list[str]()
    staged = oddsmith.load("pig").at(target=8).solve(work=Work(before_stages=lambda why, _: reasons.append(why)))
    assert (staged.method, reasons) == ("stages", ["because its positions do not fit the memory together"])
    assert all(meet(one, two) for one, two in zip(staged.values, whole.values, strict=True))
    with pytest.raises(TooManyStatesError, match="needs more than this machine's memory"):
        oddsmith.load("shut-the-box").solve()
