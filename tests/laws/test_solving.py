"""Values are the values: of the equations they stand for, by whichever way they are found."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from functools import wraps

import numpy as np
import pytest

from oddsmith.graph.stategraph import StateGraph
from oddsmith.solve.arenas.arena import Arena, groups_in_solving_order
from oddsmith.solve.arenas.component import Component
from oddsmith.solve.arenas.component_policy import policy_iteration
from oddsmith.solve.game_solver import solve
from oddsmith.solve.numbers import FractionTooLong
from oddsmith.solve.search import has_constant_sum
from oddsmith.solve.values.arena_solver import ArenaSolver
from tests import reference
from tests.cases import MIXING, Case, asked, explored, once, solved

MOST = 450  # unknowns of the reference's one linear system
GAMES = asked(lambda case, objective: case.name != "ship-captain-crew" and (str(case), objective) not in MIXING)
Law = Callable[[Case, str], None]
Condition = Callable[[StateGraph], bool]
LAWS: dict[str, Callable[[Case, str], bool]] = {}  # of which games each law is


def acyclic(graph: StateGraph) -> bool:
    return not any(cyclic for _, cyclic in groups_in_solving_order(Arena.of(graph)))


def values_are_unique(graph: StateGraph) -> bool:
    """One seat, or two of constant sum: every optimal policy is worth the same."""
    return graph.seats == 1 or (graph.seats == 2 and has_constant_sum(graph))


def always(graph: StateGraph) -> bool:
    return True


def about(most: int = 10_000, where: Condition = always) -> Callable[[Law], Law]:
    """A law of all games that are solved in moments and of such a kind; of others it says nothing.

    Which these are is found out when a test runs: to know it of all games while tests are collected would take a minute.
    """

    def wrapped(law: Law) -> Law:
        def applies(case: Case, objective: str) -> bool:
            graph = explored(case, objective)
            return graph.state_count * case.seats <= most and where(graph)

        LAWS[law.__name__] = applies

        @pytest.mark.parametrize(("case", "objective"), GAMES)
        @wraps(law)
        def held(case: Case, objective: str) -> None:
            if applies(case, objective):
                law(case, objective)

        return held

    return wrapped


def exact_values(case: Case, objective: str) -> list[tuple[Fraction, ...]]:
    solution = solved(case, objective)
    found = []
    for state in range(solution.graph.state_count):
        numbers = solution.state_values(state)
        exact = [number.exact for number in numbers]
        found.append(tuple(value for value in exact if value is not None))
        assert len(found[-1]) == case.seats, "the smallest sizes are solved exactly"
    return found


def policy(case: Case, objective: str) -> list[int]:
    solution = solved(case, objective)
    return [solution.best_row(state) for state in range(solution.graph.state_count)]


@about(MOST)
def test_values_are_those_of_the_policy(case: Case, objective: str) -> None:
    """All values at once, by one linear system over the whole game."""
    graph = explored(case, objective)
    assert exact_values(case, objective) == reference.values_under(graph, policy(case, objective))


@about(MOST, values_are_unique)
def test_policy_iteration_finds_the_same_values(case: Case, objective: str) -> None:
    graph = explored(case, objective)
    start = Component(
        Arena.of(graph), np.arange(graph.state_count), np.zeros((graph.state_count, graph.seats))
    ).leaving_policy()
    assert exact_values(case, objective) == reference.policy_iteration(graph, start.tolist())


@about(where=lambda graph: graph.state_count <= 1_500 and acyclic(graph))
def test_backward_induction_finds_the_same_values(case: Case, objective: str) -> None:
    assert exact_values(case, objective) == reference.backward_induction(explored(case, objective))


@about(where=values_are_unique)
def test_the_whole_game_as_one_component_has_the_same_values(case: Case, objective: str) -> None:
    """Policy iteration in floats over everything at once, against the exact values found part by part."""
    graph = explored(case, objective)
    arena = Arena.of(graph)
    component = Component(arena, np.arange(graph.state_count), np.zeros((graph.state_count, graph.seats)))
    _, values = policy_iteration(component, component.leaving_policy(), lambda kept: None)
    assert values is not None
    wanted = np.array([[float(value) for value in values] for values in exact_values(case, objective)])
    assert np.allclose(values, wanted, rtol=0, atol=1e-8 * (1 + np.abs(wanted).max()))


@about()
def test_bounds_hold_the_exact_values(case: Case, objective: str) -> None:
    solution = solved(case, objective)
    assert solution.solved.arena.copies_per_state == 1
    for state, values in enumerate(exact_values(case, objective)):
        for number, value in zip(solution.solved.bounds.state_numbers(state), values, strict=True):
            assert number.lower <= value <= number.upper
            assert number.upper - number.lower < Fraction(1, 10**60)


@about(2_000)
def test_seats_swapped_give_values_swapped(case: Case, objective: str) -> None:
    """Every state once for each seat to move: the same policy is worth the same, turned."""
    solution = solved(case, objective)
    arena, n = solution.solved.arena, case.seats
    own = arena.with_copy_per_seat()
    steps = (solution.solved.rows - arena.state_rows[:-1]).repeat(n)
    found = ArenaSolver(replace(own, prescribed_row=own.state_rows[:-1] + steps), unique_values=True).solve()
    for state, values in enumerate(exact_values(case, objective)):
        for mover in range(n):
            turned = tuple(values[(seat - mover) % n] for seat in range(n))
            number = state * n + mover
            try:
                assert found.exact.state_value(number) == turned
            except FractionTooLong:
                for bound, value in zip(found.bounds.state_numbers(number), turned, strict=True):
                    assert bound.lower <= value <= bound.upper


@about(4_000)
def test_no_seat_gains_by_one_deviation(case: Case, objective: str) -> None:
    graph, values = explored(case, objective), exact_values(case, objective)
    sign = 1 if graph.game.ruleset.payoffs[objective].goal == "max" else -1
    for state, chosen in enumerate(policy(case, objective)):
        worth = {row: sign * reference.worth(graph, row, values) for row in graph.rows(state)}
        assert worth[chosen] == max(worth.values()) == sign * values[state][0]
        assert chosen == min(row for row, value in worth.items() if value == worth[chosen]), "the first of equals"


@pytest.mark.parametrize(("case", "objective"), once())
def test_solving_twice_gives_the_same(case: Case, objective: str) -> None:
    if explored(case, objective).state_count * case.seats > 1_000:
        return  # solved once
    again = solve(case.game, objective)
    assert again.values == solved(case, objective).values
    assert np.array_equal(again.solved.rows, solved(case, objective).solved.rows)


def test_every_law_is_about_many_games() -> None:
    short = [param.values for param in GAMES if not param.marks]
    for name, applies in LAWS.items():
        assert sum(applies(*values) for values in short) >= 15, name
