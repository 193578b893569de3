"""Looking a step ahead by the values of a smaller game: which positions are the same, and what such play brings."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import cache

import numpy as np
import pytest

from oddsmith.api.loaded import LoadedRuleset
from oddsmith.api.workers import open_workers
from oddsmith.base.errors import LookAheadError, WholeGraphError
from oddsmith.base.executors import Work
from oddsmith.graph import Explorer, PositionMap
from oddsmith.graph.state_map import recoded_keys
from oddsmith.ruleset.binding import bind
from oddsmith.ruleset.model import ANY, Setting
from oddsmith.solve import estimates
from oddsmith.solve.estimates import estimate
from oddsmith.solve.game_solver import solve
from oddsmith.solve.looking_ahead import WHOLE, LookAhead, SmallerGameValues
from oddsmith.solve.policies import policy_rows
from oddsmith.solve.questions.policy_evaluator import PolicyEvaluator
from oddsmith.solve.solution import Solution
from tests.cases import RULESETS, Case, asked, cases_of, ruleset

SIDES = 6
HOLD = 5
PIG = (
    (RULESETS / "pig.yaml").read_text("utf-8").replace("hold at 20", "hold at 5").replace("pot >= 20", "pot >= 5")
)  # the longer races of this file are short


def _choices(larger: Solution, smaller: SmallerGameValues) -> tuple[np.ndarray, np.ndarray]:
    """Return the decisions of a solved game, and the row that looking ahead takes in each, or -1 if it is unknown."""
    graph, look = larger.graph, LookAhead(larger.game, smaller)
    states = np.flatnonzero(np.diff(graph.state_rows) > 1)
    names = {number: action for action, number in look.action_numbers.items()}
    taken = look._compute_best_actions(recoded_keys(graph.codec, graph.keys[:, states], look.explorer.codec))
    names = {number: action for action, number in look.action_numbers.items()}
    rows = [
        next((row for row in graph.rows(state) if graph.actions[graph.row_action[row]] == names.get(number)), -1)
        for state, number in zip(states.tolist(), taken.tolist(), strict=True)
    ]
    return states, np.array(rows)


@pytest.mark.parametrize(("case", "objective"), asked())
def test_every_position_of_a_game_is_found_in_itself(case: Case, objective: str) -> None:
    game = case.game
    if game.ruleset.has_secrets:
        return
    one, two = (Explorer(game, objective, sharing=WHOLE) for _ in range(2))
    graph, _ = one.explore(max_states=2_000)
    ((keys, known),) = PositionMap(one.codec, two.codec, {}).smaller_keys(graph.keys, [range(game.seats)])
    assert known.all()
    assert (keys == graph.keys).all()


@pytest.mark.parametrize("name", ["shipped-pig", "shut-the-box", "rogues-gambit", "three-beasts", "farkle-turn"])
def test_by_its_own_values_a_game_is_played_best(name: str) -> None:
    case = cases_of(name)[0]
    objective = next(iter(case.game.ruleset.payoffs))
    solution = solve(case.game, objective, merge_symmetric_states=False)
    for state, row in zip(*_choices(solution, SmallerGameValues.of(solution, case.game, ANY)), strict=True):
        best = {each.row: each for each in solution.advise(int(state))}
        assert best[int(row)].loss.upper < Fraction(1, 10**6)


# --- Pig, counted without the engine


Worth = Callable[[int, int, int], float]
"""A chance to win by three numbers: the points in the bank of the player to move, those of the other, and the pot."""


def _settled(start: dict[tuple[int, int, int], float], step: Callable[[tuple[int, int, int]], float]) -> None:
    """Replace values by those of ``step``, until they change no more."""
    for _ in range(2_000):
        most = 0.0
        for position, old in start.items():
            start[position] = step(position)
            most = max(most, abs(start[position] - old))
        if most < 1e-13:
            return
    raise AssertionError


def _positions(target: int) -> dict[tuple[int, int, int], float]:
    return {
        (mine, other, pot): 0.5 for mine in range(target) for other in range(target) for pot in range(target - mine)
    }


def _rolled(worth: Worth, lost: float, mine: int, other: int, pot: int) -> float:
    return (lost + sum(worth(mine, other, pot + face) for face in range(2, SIDES + 1))) / SIDES


@cache
def _pig(target: int) -> Worth:
    """Return the chance to win of the player to move, if both play best."""
    best = _positions(target)

    def worth(mine: int, other: int, pot: int) -> float:
        return 1.0 if mine + pot >= target else best[mine, other, pot]

    def step(position: tuple[int, int, int]) -> float:
        mine, other, pot = position
        banked = 1 - worth(other, mine + pot, 0) if pot else 0.0
        return max(_rolled(worth, 1 - worth(other, mine, 0), mine, other, pot), banked)

    _settled(best, step)
    return worth


def _banks(target: int, mine: int, other: int, pot: int) -> bool:
    """Return whether best play banks."""
    worth = _pig(target)
    return 1 - worth(other, mine + pot, 0) >= _rolled(worth, 1 - worth(other, mine, 0), mine, other, pot)


def _known(mine: int, other: int, shift: int) -> bool:
    """Return whether a position is one of the shorter race, in which nobody ever has a single point."""
    return all(each >= shift and each != shift + 1 for each in (mine, other))


def _chance_of_looker(target: int, shift: int) -> float:
    """Return the chance to win of the first player, who plays best where the shorter race has the position, and
    elsewhere rolls up to five points. The other always does that.
    """
    mine_first, other_first = _positions(target), _positions(target)

    def moves(mine: int, other: int, pot: int) -> float:
        return 1.0 if mine + pot >= target else mine_first[mine, other, pot]

    def waits(mine: int, other: int, pot: int) -> float:
        """The chance of the looker if the other moves, who has ``mine`` points."""
        return 0.0 if mine + pot >= target else other_first[mine, other, pot]

    def step(position: tuple[int, int, int]) -> float:
        mine, other, pot = position
        stops = _banks(target, mine, other, pot) if _known(mine, other, shift) else pot >= HOLD
        if pot and stops:
            return waits(other, mine + pot, 0)
        return _rolled(moves, waits(other, mine, 0), mine, other, pot)

    def answer(position: tuple[int, int, int]) -> float:
        mine, other, pot = position
        if pot >= HOLD:
            return moves(other, mine + pot, 0)
        return _rolled(waits, moves(other, mine, 0), mine, other, pot)

    for _ in range(60):  # each settles given the other
        _settled(mine_first, step)
        _settled(other_first, answer)
    return moves(0, 0, 0)


TARGET, SMALL = 14, 10
SHIFT = TARGET - SMALL


def _race(target: int) -> LoadedRuleset:
    return LoadedRuleset.read(PIG).at(target=target)


def test_near_its_end_a_long_race_is_a_short_one() -> None:
    """Once both have four points, Pig to 14 is Pig to 10. There the choices are best, and nowhere else are any known."""
    larger, shorter = (_race(target).solve(symmetry=False).solution for target in (TARGET, SMALL))
    smaller = SmallerGameValues.of(shorter, larger.game, "hold at 5")
    assert LookAhead(larger.game, smaller).positions.shifts == {"score": TARGET - SMALL}
    known = 0
    for state, row in zip(*_choices(larger, smaller), strict=True):
        cells = larger.graph.state(int(state)).cells
        held = {cell.name: value for cell, value in zip(larger.game.cells, cells, strict=True)}
        mine, other, pot = held["score[0]"], held["score[1]"], held["pot"]
        assert (row >= 0) == _known(mine, other, SHIFT)
        if row >= 0:
            assert larger.graph.action_name(int(row)) == ("Bank" if _banks(TARGET, mine, other, pot) else "Throw again")
            known += 1
    assert known > 200


def test_what_looking_ahead_brings_is_what_is_counted() -> None:
    """The first player looks ahead, and the other holds at five."""
    larger, smaller = (_race(target).solve(symmetry=False).solution for target in (TARGET, SMALL))
    held = policy_rows(larger.graph, "hold at 5")
    states, rows = _choices(larger, SmallerGameValues.of(smaller, larger.game, "hold at 5"))
    ahead = held.copy()
    ahead[states[rows >= 0]] = rows[rows >= 0]
    counted, player = _chance_of_looker(TARGET, SHIFT), PolicyEvaluator(larger)
    assert float(player.values_under({1: ahead, 2: held})[0].middle) == pytest.approx(counted, abs=1e-9)
    assert float(player.values_under({1: held, 2: held})[0].middle) < counted - 0.001


def test_games_are_played_as_is_counted() -> None:
    race = _race(TARGET)
    best = race.estimate(games=20_000, smaller_game=race.solve(symmetry=False))
    part = race.estimate(games=20_000, smaller_game=_race(SMALL).solve(symmetry=False), policies={2: "hold at 5"})
    for found, counted in ((best, _pig(TARGET)(0, 0, 0)), (part, _chance_of_looker(TARGET, SHIFT))):
        assert found.means[0] is not None
        assert abs(float(found.means[0].middle) - counted) <= found.means[0].radius
    assert best.known_share == 1
    assert set(best.policies) == {"look ahead by the values of 2 seats"}
    assert part.known_share is not None
    assert 0 < part.known_share < 1
    assert part.to_json()["known"] == float(part.known_share)
    assert part.policies == ("look ahead by the values of 2 seats, target 10 points", "hold at 5")


def test_each_action_is_compared_against_the_same_opponents() -> None:
    """Pig for three by values for two: the mean over both opponents, of whom each answers a pot that is banked."""
    larger, shorter = _race(SMALL).at(seats=3).solve(symmetry=False).solution, _race(SMALL).solve(symmetry=False)
    worth, told = _pig(SMALL), 0
    for state, row in zip(
        *_choices(larger, SmallerGameValues.of(shorter.solution, larger.game, "hold at 5")), strict=True
    ):
        cells = larger.graph.state(int(state)).cells
        held = {cell.name: value for cell, value in zip(larger.game.cells, cells, strict=True)}
        mine, *others, pot = (held[name] for name in ("score[0]", "score[1]", "score[2]", "pot"))
        banked = sum(1 - worth(other, mine + pot, 0) for other in others)
        rolled = sum(_rolled(worth, 1 - worth(other, mine, 0), mine, other, pot) for other in others)
        if abs(banked - rolled) > 1e-7:
            assert larger.graph.action_name(int(row)) == ("Bank" if banked > rolled else "Throw again")
            told += max(others) - min(others) > SMALL // 2
    assert told > 50


@pytest.mark.parametrize(("seats", "target"), [(3, 16), (4, 8)])
def test_values_for_two_lose_next_to_nothing_at_larger_tables(seats: int, target: int) -> None:
    """In a race nothing but the points of the others matters, and holding at five loses more than ten points."""
    larger = _race(target).at(seats=seats).solve(symmetry=False).solution
    shorter = _race(target).solve(symmetry=False).solution
    states, rows = _choices(larger, SmallerGameValues.of(shorter, larger.game, "hold at 5"))
    assert (rows >= 0).all()
    held, player = policy_rows(larger.graph, "hold at 5"), PolicyEvaluator(larger)
    ahead = held.copy()
    ahead[states] = rows
    assert player.value_if_alone(held).upper < player.solution_value.lower - Fraction(1, 10)
    assert player.solution_value.upper - Fraction(1, 1000) < player.value_if_alone(ahead).lower


def test_a_seed_means_the_same_games_for_any_number_of_processes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(estimates, "GAMES_PER_TASK", 300)
    game = bind(ruleset("shipped-pig"), Setting(3, values={"target": 12}))
    shorter = solve(
        bind(ruleset("shipped-pig"), Setting(2, values={"target": 12})), "win", merge_symmetric_states=False
    )
    smaller = SmallerGameValues.of(shorter, game, ANY)
    alone = estimate(game, "win", games=1_000, seed=3, smaller_game=smaller)
    with open_workers(2) as share:
        shared = estimate(game, "win", games=1_000, seed=3, executor=share, smaller_game=smaller)
    assert (shared.samples, shared.game_count_by_turns, shared.known_share) == (
        alone.samples,
        alone.game_count_by_turns,
        alone.known_share,
    )


def test_what_is_no_smaller_game_is_refused() -> None:
    pig = LoadedRuleset.open("pig").at(target=10)
    with pytest.raises(LookAheadError, match="values of 3 seats say nothing of 2"):
        pig.estimate(games=10, smaller_game=pig.at(seats=3).solve(symmetry=False))
    with pytest.raises(LookAheadError, match="do not play like those of the smaller game"):
        pig.estimate(games=10, smaller_game=pig.at(sides=10).solve(symmetry=False))
    with pytest.raises(LookAheadError, match="and of no other game"):
        pig.estimate(games=10, smaller_game=LoadedRuleset.open("piglet").solve(symmetry=False))
    with pytest.raises(LookAheadError, match="alike in every seat"):
        pig.estimate(games=10, smaller_game=pig.solve(policies={1: "hold at 20"}, symmetry=False))
    with pytest.raises(WholeGraphError):
        pig.estimate(games=10, smaller_game=pig.solve(work=Work(method="stages")))
    gambit = LoadedRuleset.open("rogues-gambit").at(coins_each=3)
    with pytest.raises(LookAheadError, match="in none of"):  # with three, there are more coins
        gambit.at(seats=3).estimate(games=100, smaller_game=gambit.at(seats=2).solve(symmetry=False))
