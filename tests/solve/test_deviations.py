"""Every decision of Rogue's Gambit at eight coins each, checked again in fractions: no seat gains by one deviation."""

from __future__ import annotations

from fractions import Fraction
from functools import cache

import pytest

from oddsmith.ruleset.binding import bind
from oddsmith.ruleset.model import Setting
from oddsmith.solve.game_solver import solve
from oddsmith.solve.solution import Solution
from tests.cases import ruleset
from tests.reference import worth

READINGS = ("literal", "pocketed", "hungry")


@cache
def solution_of(seats: int, reading: str, coins: int = 8) -> Solution:
    return solve(
        bind(ruleset("rogues-gambit"), Setting(seats, values={"coins_each": coins, "full_belly": reading})), "coins"
    )


def values(solution: Solution, mover: int) -> list[tuple[Fraction, ...]]:
    """Exact values of all states with a seat to move, counted from it."""
    found = []
    for state in range(solution.graph.state_count):
        exact = [number.exact for number in solution.state_values(state, mover)]
        found.append(tuple(value for value in exact if value is not None))
        assert len(found[-1]) == solution.graph.seats
    return found


@pytest.mark.parametrize("reading", READINGS)
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_no_decision_can_be_bettered(seats: int, reading: str) -> None:
    solution = solution_of(seats, reading)
    graph = solution.graph
    assert not solution.solved.undecided_states
    assert not solution.mixtures
    copies = solution.solved.arena.copies_per_state
    table = [values(solution, mover) for mover in range(copies)]
    several = 0
    for mover in range(copies):
        for state in range(graph.state_count):
            chosen = solution.best_row(state, mover)
            found = {row: worth_by_seat(solution, row, table, mover) for row in graph.rows(state)}
            assert found[chosen] == max(found.values()) == table[mover][state][0], graph.state(state)
            several += len(found) > 1
    assert several == graph.decision_count * copies
    assert several > 20


def worth_by_seat(solution: Solution, row: int, table: list[list[tuple[Fraction, ...]]], mover: int) -> Fraction:
    """What a row is worth to its mover; where seats play differently, the next mover's values are those of its seat."""
    graph = solution.graph
    if len(table) == 1:
        return worth(graph, row, table[0])
    total = Fraction(0)
    for edge in graph.edges(row):
        chance = Fraction(int(graph.weight[edge]), int(graph.denominator[row]))
        target, by = int(graph.target[edge]), int(graph.seat_shift[edge])
        gain = Fraction(graph.payoffs[int(graph.payoff[edge])][0], graph.scale)
        if target >= 0:
            gain += table[(mover + by) % graph.seats][target][-by % graph.seats]
        total += chance * gain
    return total


@pytest.mark.parametrize("reading", READINGS)
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_coins_add_up(seats: int, reading: str) -> None:
    """What the seats get is the hoard, but for coins that nobody is left to fetch."""
    solution = solution_of(seats, reading)
    total = sum((number.exact or Fraction(0) for number in solution.values), Fraction(0))
    assert total == 8 * seats if reading != "hungry" else 0 < total < 8 * seats


@pytest.mark.parametrize("reading", READINGS)
def test_kinds(reading: str) -> None:
    two = "zero-sum" if reading != "hungry" else "symmetric"
    assert solution_of(2, reading).kind == two
    assert solution_of(3, reading).kind == "symmetric"


def test_advice_is_what_was_verified() -> None:
    solution = solution_of(2, "literal")
    for state in range(solution.graph.state_count):
        advice = solution.advise(state)
        assert advice[0].best
        assert advice[0].value == solution.state_values(state)[0]
        assert solution.best_row(state) in [one.row for one in advice if one.best]
        for one in advice:
            assert (one.loss.exact == 0) == one.best
            assert one.loss.exact == (advice[0].value.exact or 0) - (one.value.exact or 0)


@pytest.mark.parametrize(("seats", "reading", "kind"), [(3, "literal", "symmetric"), (4, "pocketed", "pure-by-seat")])
def test_kinds_at_full_size(seats: int, reading: str, kind: str) -> None:
    solution = solution_of(seats, reading, 25)
    assert solution.kind == kind
    assert not solution.solved.undecided_states
    assert (kind == "pure-by-seat") == bool(solution.notes)
