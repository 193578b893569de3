"""Values that bounds give away, and rows that they do not tell apart: each against the same in fractions."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oddsmith.base.arrays import Ints
from oddsmith.base.errors import DisagreementError
from oddsmith.graph.explore import Explorer
from oddsmith.solve.arenas.arena import Arena
from oddsmith.solve.game_solver import solve
from oddsmith.solve.questions.played import policy_on_other_graph
from oddsmith.solve.values import deciding
from oddsmith.solve.values.arena_solver import ArenaSolver
from oddsmith.solve.values.fractions import ExactValues
from oddsmith.solve.values.grid import ValueGrid
from oddsmith.solve.values.policy_evaluation import policy_values, start_values
from tests.cases import Case, Value, cases, solved

ELSEWHERE = [
    case for case in cases() if case.name not in ("ship-captain-crew", "hot-purse") and len(case.objectives) > 1
]
TIED = [
    ("four-fields", 2, {}, "haste"),
    ("round-table", 3, {"enough": 2}, "win"),
    ("marbles", 2, {}, "win"),
    pytest.param("shipped-column-race", 2, {"sides": 2, "needed": 1}, "turns_taken", marks=pytest.mark.long),
    ("dragons-hoard", 1, {"rounds": 3, "life_points": 1, "colours": 4}, "gold"),
    ("hold-the-pot-round", 2, {"pot_start": 0, "pot_most": 0, "o_dice": 0}, "coins"),
]


def chain(random: Random, size: int, seats: int, back: float) -> Arena:
    """One row for every state, on to later ones or, with some chance, back; every row may end the game."""
    row_edges, target, weight, by, denominator = [0], list[int](), list[int](), list[int](), list[int]()
    for state in range(size):
        weights = [random.randrange(1, 5) for _ in range(random.randrange(1, 4))]
        later = [
            random.randrange(state, size) if random.random() < back else state + 1 + random.randrange(3)
            for _ in weights
        ]
        later = [random.randrange(size) if random.random() < back else each for each in later]
        target += [-1, *(each if each < size else -1 for each in later)]
        weight += [random.randrange(1, 3), *weights]
        by += [0, *(random.randrange(seats) for _ in weights)]
        denominator.append(sum(weight[row_edges[-1] :]))
        row_edges.append(len(target))
    payoffs = tuple(tuple(random.randrange(-3, 4) for _ in range(seats)) for _ in range(3))
    single = np.arange(size + 1)
    arena = Arena(
        seats, single, np.array(row_edges), np.array(denominator), np.array(target), np.array(weight), np.array(by),
        np.array([random.randrange(3) for _ in target]), payoffs, random.choice([1, 2, 6]), np.zeros(size, dtype=np.int64),
        np.full(size, -1), 1, np.zeros(size, dtype=np.int64),
    )  # fmt: skip
    return arena.policy_chain(np.arange(size))


@settings(max_examples=120, deadline=None)
@given(st.integers(0, 10**9), st.integers(1, 3), st.sampled_from([0.0, 0.05, 0.5]))
def test_what_is_read_off_bounds_is_the_fraction(seed: int, seats: int, back: float) -> None:
    arena = chain(Random(seed), 14, seats, back)  # noqa: S311 - not secret
    found = ArenaSolver(arena, unique_values=True).solve()
    readable = np.flatnonzero(found.bounds.states_with_one_value(np.arange(arena.state_count)))
    if not back:
        assert len(readable) == arena.state_count
    plain = ExactValues(arena, np.arange(arena.state_count))
    for state in readable.tolist():
        shared = found.bounds.exact_value(state)
        assert tuple(shared.fraction(seat) for seat in range(seats)) == plain.state_value(state)


def test_a_long_way_is_read_with_more_places(monkeypatch: pytest.MonkeyPatch) -> None:
    """Fifteen hundred steps with denominators of up to 14: no fraction is worked out, though the value has many digits."""
    arena = chain(Random(2), 1500, 1, 0.0)  # noqa: S311 - not secret
    value = ExactValues(arena, np.arange(arena.state_count)).state_value(0)
    monkeypatch.setattr(ExactValues, "_solve_component", None)
    assert (start_values(arena, 1e3)[0].exact,) == value
    assert value[0].denominator.bit_length() > 300


def test_a_value_off_every_coarse_grid_is_not_read() -> None:
    """A state that stays with 6 of 13 and pays 1 on each way: 13/7 has a 7 that no row has."""
    single = np.array([0, 1])
    arena = Arena(
        1, single, np.array([0, 2]), np.array([13]), np.array([0, -1]), np.array([6, 7]), np.array([0, 0]),
        np.array([0, 0]), ((1,),), 1, np.array([0]), np.array([-1]), 1, np.array([0]),
    )  # fmt: skip
    found = ArenaSolver(arena, unique_values=True).solve()
    assert not found.bounds.states_with_one_value(np.array([0])).any()
    assert [str(value) for value in found.exact.state_value(0)] == ["13/7"]


@pytest.mark.parametrize(("name", "seats", "parameters", "objective"), TIED)
def test_ties_are_the_same_in_fractions(
    name: str, seats: int, parameters: dict[str, Value], objective: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = Case(name, seats, parameters).game
    columns = solve(game, objective)
    monkeypatch.setattr(deciding, "leaves_one_multiple", lambda radius, bits, places: np.zeros(len(bits), dtype=bool))
    fractions = solve(game, objective)
    assert (columns.solved.rows == fractions.solved.rows).all()
    assert len(columns.solved.ties) > 0
    ties = [
        sorted((tie.state, tie.best_rows, tie.affects_other_seats) for tie in each.solved.ties)
        for each in (columns, fractions)
    ]
    assert ties[0] == ties[1]


@pytest.mark.parametrize("case", ELSEWHERE, ids=str)
def test_what_is_played_is_worth_the_same_without_the_rest(case: Case) -> None:
    solution = solved(case, case.objectives[0])
    for name in case.objectives[1:2]:
        payoff = case.game.ruleset.payoffs[name]
        alone, among = (policy_on_other_graph(solution, payoff, policy_actions_only=alone) for alone in (True, False))
        assert alone.graph.state_count <= among.graph.state_count
        assert policy_values(alone.arena, alone.rows, 1.0) == policy_values(among.arena, among.rows, 1.0)


def test_a_fault_in_what_is_played_stops_the_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    case = Case("rogues-gambit", 2, {"coins_each": 6})
    solution = solved(case, case.objectives[0])
    monkeypatch.setattr(Explorer, "_payoffs_from_source_mover", lambda self, paid, by: (*paid[1:], paid[0]))
    with pytest.raises(DisagreementError):
        policy_on_other_graph(solution, case.game.ruleset.payoffs["win"])


def test_a_prime_larger_than_a_step_is_no_coarse_grid() -> None:
    prime = (1 << 31) - 1
    edges = np.array([0, 2, 4])
    arena = Arena(
        1, np.arange(3), edges, np.array([prime, prime]), np.array([1, -1, -1, -1]), np.array([1, prime - 1] * 2),
        np.zeros(4, dtype=np.int64), np.array([0, 1] * 2), ((1,), (0,)), 1, np.zeros(2, dtype=np.int64), np.full(2, -1), 1,
        np.array([1, 0]),
    )  # fmt: skip
    found = ArenaSolver(arena, unique_values=True).solve()
    assert found.bounds.exact_value(0).fraction(0) == ExactValues(arena, np.arange(2)).state_value(0)[0]


def test_too_many_primes_are_not_followed() -> None:
    """Then nothing is read, and nothing is lost."""
    primes = [2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43]
    size = len(primes)
    after = [state + 1 if state + 1 < size else -1 for state in range(size)]
    target = np.array([each for to in after for each in (to, -1)])
    weight = np.array([each for prime in primes for each in (1, prime - 1)])
    edges: Ints = np.arange(0, 2 * size + 1, 2)
    arena = Arena(
        1, np.arange(size + 1), edges, np.array(primes), target, weight, np.zeros(2 * size, dtype=np.int64),
        np.array([0, 1] * size), ((1,), (0,)), 1, np.zeros(size, dtype=np.int64), np.full(size, -1), 1, np.arange(size)[::-1],
    )  # fmt: skip
    assert not ValueGrid(arena).primes
    found = ArenaSolver(arena, unique_values=True).solve()
    assert not found.bounds.states_with_one_value(np.arange(size)).any()
    assert found.exact.state_value(0) == ExactValues(arena, np.arange(size)).state_value(0)
