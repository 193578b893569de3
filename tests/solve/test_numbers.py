"""The numerical tools, each against something slow and plain: limbs, orders of elimination, lifting."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from random import Random
from typing import get_args

import numpy as np
import pytest
from flint import fmpq, fmpq_mat

from oddsmith.base.errors import TooFineError
from oddsmith.solve.numbers import FixedPoint
from oddsmith.solve.systems import linear_systems as turning
from oddsmith.solve.systems.lifting import LiftingFailed, prepare_lifting, reconstruct_denominator
from oddsmith.solve.systems.linear_systems import (
    MAX_CUTS,
    LinearSystem,
    Method,
    elimination_order,
    small_elimination_order,
)

RANDOM = Random(17)  # noqa: S311


def fractions(count: int) -> list[Fraction]:
    return [Fraction(RANDOM.randrange(-(10**6), 10**6), RANDOM.randrange(1, 10**5)) for _ in range(count)]


@pytest.mark.parametrize("largest", [6, 7776, 2**45])
def test_limbs_hold_what_they_are_told(largest: int) -> None:
    point = FixedPoint.of(200, largest)
    assert point.binary_places >= 200
    values = fractions(200)
    held, exact = point.limbs_of_fractions(values)
    assert not exact
    unit = Fraction(1, 1 << point.binary_places)
    for place, value in enumerate(values):
        kept = point.units_of_limbs(held[:, place].tolist()) * unit
        assert kept <= value < kept + unit
        assert point.limbs_of_units(point.units_of_limbs(held[:, place].tolist())) == held[:, place].tolist()
    assert np.allclose(point.to_floats(held), [float(value) for value in values], rtol=1e-15, atol=0)


def test_limbs_are_divided_rounding_down() -> None:
    point, divisor = FixedPoint.of(120, 7776), 7776
    values = fractions(100)
    held, _ = point.limbs_of_fractions(values)
    quotient = point.divide(held * 11, np.full(100, divisor))
    for place in range(100):
        units = point.units_of_limbs(held[:, place].tolist()) * 11
        assert point.units_of_limbs(quotient[:, place].tolist()) == units // divisor


def test_a_denominator_that_leaves_no_room_is_refused() -> None:
    with pytest.raises(TooFineError):
        FixedPoint.of(100, 2**58)


def chains(count: int, seats: int) -> Iterator[tuple[list[int], list[tuple[int, int, int, int]]]]:
    """Random systems that leave: denominators, and (state, target, seats turned, weight)."""
    for _ in range(count):
        size = RANDOM.randrange(2, 14)
        denominators = [RANDOM.choice([6, 36, 216]) for _ in range(size)]
        moves = []
        for state, bottom in enumerate(denominators):
            left = bottom - RANDOM.randrange(1, 4)
            while left > 0:
                weight = RANDOM.randrange(1, left + 1)
                moves.append((state, RANDOM.randrange(size), RANDOM.randrange(seats), weight))
                left -= weight
        yield denominators, moves


@pytest.mark.parametrize("seats", [1, 2, 3])
def test_lifting_solves_exactly(seats: int) -> None:
    for denominators, moves in chains(25, seats):
        size = len(denominators)
        large = 10 ** RANDOM.choice((1, 30, 300))
        right = [[RANDOM.randrange(-large, large) for _ in range(seats)] for _ in range(size)]
        matrix, column = fmpq_mat(size * seats, size * seats), fmpq_mat(size * seats, 1)
        for state in range(size):
            for seat in range(seats):
                matrix[state * seats + seat, state * seats + seat] += denominators[state]
                column[state * seats + seat, 0] = fmpq(right[state][seat])
        for state, target, by, weight in moves:
            for seat in range(seats):
                matrix[state * seats + seat, target * seats + (seat - by) % seats] -= weight
        wanted = matrix.solve(column)
        tops, q = prepare_lifting(denominators, moves, seats).solve(right, 10_000)
        assert [fmpq(top, q) for row in tops for top in row] == [wanted[i, 0] for i in range(size * seats)]


def test_a_fraction_over_the_budget_is_refused() -> None:
    denominators, moves = next(iter(chains(1, 1)))
    size = 40
    ring = [(state, (state + 1) % size, 0, 215) for state in range(size)]
    with pytest.raises(LiftingFailed):
        prepare_lifting([216] * size, ring, 1).solve([[state] for state in range(size)], 20)
    assert prepare_lifting(denominators, moves, 1).solve([[0]] * len(denominators), 1_000)[0] == [[0]] * len(
        denominators
    )


def test_fractions_are_reconstructed_from_their_first_places() -> None:
    for value in fractions(50):
        places = 2 * value.denominator.bit_length() + 8
        assert reconstruct_denominator(int((value % 1) * 2**places), places) == value.denominator


def test_an_order_of_elimination_has_successors_first() -> None:
    random = np.random.default_rng(7)
    found = 0
    for size in (5, 40, 300):
        source = random.integers(0, size, 2 * size)
        target = np.where(random.random(2 * size) < 0.02, random.integers(0, size, 2 * size), source // 2)
        order = elimination_order(size, source, target, np.zeros(size, dtype=np.int64))
        if order is None:
            continue
        found += 1
        place = np.empty(size, dtype=np.int64)
        place[order.states] = np.arange(size)
        assert sorted(order.states.tolist()) == list(range(size))
        cut = place >= size - order.cut_count
        inner = (source != target) & ~cut[source] & ~cut[target]
        assert (place[target[inner]] < place[source[inner]]).all()
    assert found >= 2


def test_both_ways_to_an_order_find_the_same() -> None:
    random = Random(5)  # noqa: S311
    for size in (1, 4, 12, 40):
        for _ in range(20):
            after = [{random.randrange(size) for _ in range(random.randrange(3))} for _ in range(size)]
            source = np.repeat(np.arange(size), [len(each) for each in after])
            target = np.array([state for each in after for state in each], dtype=np.int64)
            order, few = (
                elimination_order(size, source, target, np.zeros(size, dtype=np.int64)),
                small_elimination_order(after),
            )
            assert (few is None) == (order is None)
            assert few is None or order is None or few == (order.states.tolist(), order.cut_count)


def test_a_tangle_has_no_order() -> None:
    size = 4 * MAX_CUTS
    source, target = np.divmod(np.arange(size * size), size)
    assert elimination_order(size, source, target, np.zeros(size, dtype=np.int64)) is None
    assert small_elimination_order([set(range(size))] * size) is None


@pytest.mark.parametrize("method", get_args(Method))
@pytest.mark.parametrize("seats", [1, 2, 3, 4])
def test_every_method_solves(method: str, seats: int) -> None:
    random = np.random.default_rng(11)
    size = 150
    source = np.repeat(np.arange(size), 3)
    target = (source + random.integers(1, 4, len(source))) % size
    by, share = random.integers(0, seats, len(source)), np.full(len(source), 0.32)
    order = elimination_order(size, source, target, np.zeros(size, dtype=np.int64))
    assert order is not None
    system = LinearSystem(size, seats, (source, target, by, share), lambda: order if method == "cut states" else None)
    system.method = method  # type: ignore[assignment]
    right = random.normal(size=(size, seats))
    found = system.solve_to_precision(right)
    assert np.abs(system.multiply(found) - right).max() < 1e-9


@pytest.mark.parametrize(
    ("patient", "share", "most_fill", "eliminated", "single"),
    [
        (1, 0.499999, turning.MAX_FILL, True, True),
        (turning.MAX_ITERATIONS_WITH_FALLBACK, 0.49, turning.MAX_FILL, False, True),
        (
            turning.MAX_ITERATIONS_WITH_FALLBACK,
            0.499999,
            turning.MAX_FILL,
            True,
            True,
        ),  # rounding moves its solution by some percent
        (turning.MAX_ITERATIONS_WITH_FALLBACK, 0.499999, -1, False, False),
    ],
)
def test_where_iterations_do_not_solve_the_system_something_else_does(
    patient: int, share: float, most_fill: float, eliminated: bool, single: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A ring that play hardly leaves: elimination where that is afforded, else double precision."""
    monkeypatch.setattr(turning, "MAX_ITERATIONS_WITH_FALLBACK", patient)
    monkeypatch.setattr(turning, "MAX_FILL", most_fill)
    size = 200
    source = np.repeat(np.arange(size), 2)
    target = (source + np.tile([1, size - 1], size)) % size
    edges = source, target, np.zeros(2 * size, dtype=np.int64), np.full(2 * size, share)
    system = LinearSystem(size, 1, edges, lambda: None, has_few_right_sides=True)
    system.method = "Krylov"
    right = np.arange(size, dtype=float)[:, None]
    found = system.solve(right)
    assert np.abs(system.multiply(found) - right).max() < 0.1
    iterating = system.solver_at_frequency(0).permuted  # type: ignore[attr-defined]
    assert (iterating.factors is not None, iterating.single) == (eliminated, single)


def test_a_system_without_a_way_out_is_singular_while_iterating_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(turning, "MAX_ITERATIONS_WITH_FALLBACK", 1)
    size = 64
    source = np.arange(size)
    edges = source, (source + 1) % size, np.zeros(size, dtype=np.int64), np.ones(size)
    system = LinearSystem(size, 1, edges, lambda: None, has_few_right_sides=True)
    system.method = "Krylov"
    with pytest.raises(turning.SingularSystem):
        system.solve(np.arange(size, dtype=float)[:, None])
