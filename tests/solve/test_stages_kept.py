"""A game that was solved by stages is asked about from what is kept: nothing is solved again, and little is read."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache, partial
from typing import Any

import pytest

import oddsmith
from oddsmith.api.solved import SolvedGame
from oddsmith.base.errors import PositionError, StagesNotStoredError
from oddsmith.ruleset.game import Game
from oddsmith.ruleset.rules import State
from oddsmith.ruleset.simulation import SampleMoments, simulate_games_in_lockstep
from oddsmith.solve.staged.by_component import StageSolver
from oddsmith.solve.staged.by_turn import LayerSolver
from oddsmith.solve.staged.staged import Staged, load_by_stages, solve_by_stages
from tests.solve.test_stages import MemoryStore, meet
from tests.solve.test_turns import sheet
from tests.staged import by_stages


class Noting(MemoryStore):
    """A shelf that notes which names are asked for."""

    def __init__(self) -> None:
        super().__init__()
        self.asked = list[str]()

    def memory_map(self, name: str) -> bytes | None:
        """What is kept under a name."""
        self.asked.append(name)
        return super().memory_map(name)


PIG: Mapping[str, Any] = {"target": 12}


def shelf_of(game: Game, digits: int = 12) -> Noting:
    """A shelf with all stages of a game."""
    store = Noting()
    solve_by_stages(game, digits=digits, store=store)
    return store


def found_on(store: Noting, game: Game) -> Staged:
    """The game as a shelf keeps it."""
    found = load_by_stages(game, None, store)
    assert found is not None
    return found


def decision(game: Game) -> State:
    """Somebody who holds two points decides, in a game of pig."""
    cells = list(game.start)
    cells[next(where for where, cell in enumerate(game.cells) if cell.name == "pot")] = 2
    return State("decide", 0, 0, tuple(cells))


@cache
def both(name: str) -> tuple[SolvedGame, Staged]:
    """A game solved whole and by stages."""
    if name == "pig":
        return oddsmith.load("pig").at(**PIG).solve(), by_stages(oddsmith.load("pig"), digits=40, **PIG).staged
    return sheet().solve(), by_stages(sheet(), digits=40).staged


def test_what_is_kept_says_the_same_and_solves_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("pig", "sheet"):
        graph = both(name)[0].solution.graph
        game, store = graph.game, Noting()
        first = solve_by_stages(game, digits=30, store=store)
        with monkeypatch.context() as patch:
            for course in (StageSolver, LayerSolver):
                patch.setattr(course, "solve", None)
            again = found_on(store, game)
            assert (
                again.values,
                again.mean_turns,
                again.summaries,
                again.kind,
                again.stages_in_words,
                again.state_count,
            ) == (
                (first.values, first.mean_turns, first.summaries, first.kind, first.stages_in_words, first.state_count)
            )
            states = [graph.state(number) for number in range(0, graph.state_count, graph.state_count // 10)]
            assert [again.advise(state) for state in states] == [first.advise(state) for state in states]
            assert again.sampled_action_indices(states, [0.0] * len(states)) == first.sampled_action_indices(
                states, [0.0] * len(states)
            )


def test_only_the_stages_that_a_position_leads_to_are_read() -> None:
    game = oddsmith.load("pig").at(target=12).game
    store = shelf_of(game)
    found = found_on(store, game)
    store.asked.clear()
    found.advise(decision(game))
    assert 0 < len(store.asked) < len(found.summaries) / 2


each = pytest.mark.parametrize("name", ["pig", "sheet"])


@each
def test_what_is_picked_is_best(name: str) -> None:
    whole, staged = both(name)
    graph = whole.solution.graph
    numbers = range(0, graph.state_count, graph.state_count // 100)
    picks = staged.sampled_action_indices([graph.state(number) for number in numbers], [0.0] * len(numbers))
    for number, place in zip(numbers, picks, strict=True):
        rows = {advice.row - int(graph.state_rows[number]): advice.best for advice in whole.solution.advise(number)}
        assert rows[place]


def test_actions_that_are_as_good_as_the_best_are_best() -> None:
    whole, staged = both("sheet")
    graph, tied = whole.solution.graph, 0
    for number in range(0, graph.state_count, 5):
        best = {advice.action for advice in whole.solution.advise(number) if advice.best}
        if len(best) > 1 and tied < 5:
            assert {advice.action for advice in staged.advise(graph.state(number)) if advice.best} == best
            tied += 1
    assert tied > 2


def near(sample: SampleMoments, middle: float) -> bool:
    """Within four standard errors; equal, where every game gives the same."""
    return abs(float(sample.mean) - middle) <= 4 * sample.standard_error + 1e-12


@each
def test_games_played_by_the_rules_alone_bring_the_values(name: str) -> None:
    _, staged = both(name)
    choose = partial(staged.sampled_action_indices, random_numbers=[0.0] * 300)
    result = simulate_games_in_lockstep(staged.game, staged.objective, choose, 300, "by stages")
    assert result.game_count == 300
    for sample, value in zip(result.payoffs_by_seat, staged.values, strict=True):
        assert near(sample, float(value.middle))
    assert near(result.turns, float(staged.mean_turns.middle))
    worst = simulate_games_in_lockstep(
        staged.game, staged.objective, lambda states: [0] * len(states), 300, "the first action"
    )
    assert worst != result


def test_more_digits_serve_for_fewer() -> None:
    game = oddsmith.load("pig").at(**PIG).game
    store = shelf_of(game, digits=30)
    many, count = found_on(store, game), len(store)
    few = solve_by_stages(game, digits=5, store=store)
    assert few.values == many.values
    assert len(store) == count
    more = solve_by_stages(game, digits=60, store=store)
    assert all(meet(one, two) for one, two in zip(more.values, many.values, strict=True))
    assert found_on(store, game).values == more.values


def test_a_game_that_is_not_kept_whole_is_no_answer() -> None:
    game, other = (oddsmith.load("pig").at(target=target).game for target in (12, 13))
    store = shelf_of(game)
    assert load_by_stages(other, None, store) is None
    found = found_on(store, game)
    store.clear()
    with pytest.raises(StagesNotStoredError, match="is not kept any more"):
        found.advise(decision(game))


def test_a_position_that_cannot_be_is_refused_from_what_is_kept() -> None:
    game = sheet().at(1).game
    found, start = found_on(shelf_of(game), game), game.start
    with pytest.raises(PositionError):
        found.advise(State("keep", 0, 0, start))  # nothing is rolled yet
