"""Values of policies that differ in a few states, each against a dense solution of all its equations."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

from oddsmith.base.arrays import Floats, Ints
from oddsmith.solve.systems.linear_systems import LinearSystem, SingularSystem, elimination_order
from oddsmith.solve.systems.low_rank_update import MAX_AT_ONCE, MAX_CHANGES, ChoiceRows, LowRankUpdate


def side_by_side(random: Random, seats: int, sizes: list[int], turns: bool) -> ChoiceRows:
    """Components of these sizes, every state with three rows, of which each leaves with some chance."""
    label = np.repeat(np.arange(len(sizes)), sizes)
    first, target, by, share = [0], list[int](), list[int](), list[float]()
    for part in label.tolist():
        members = np.flatnonzero(label == part).tolist()
        for _ in range(3):
            for _ in range(random.randrange(4)):  # a row without transitions leaves at once
                target.append(random.choice(members))
                by.append(random.randrange(seats) if turns else 0)
                share.append(random.uniform(0.05, 0.32))
            first.append(len(target))
    constant = np.array([[random.uniform(-5, 5) for _ in range(seats)] for _ in range(3 * len(label))])
    edges = np.array(target, dtype=np.int64), np.array(by, dtype=np.int64), np.array(share)
    return ChoiceRows(np.array(first), *edges, label, len(sizes), constant)


def system(choices: ChoiceRows, chosen: Ints) -> LinearSystem:
    """The system of a policy."""
    rows = [slice(int(choices.first_edge[row]), int(choices.first_edge[row + 1])) for row in chosen.tolist()]
    used = np.concatenate([np.arange(len(choices.target))[row] for row in rows])
    source = np.repeat(np.arange(len(chosen)), [row.stop - row.start for row in rows])
    edges = (source, choices.target[used], choices.seat_shift[used], choices.probability[used])

    def order() -> object:
        every = np.repeat(np.arange(len(choices.first_edge) - 1) // 3, np.diff(choices.first_edge))
        return elimination_order(len(chosen), every, choices.target, choices.component_label)

    return LinearSystem(len(chosen), choices.constants.shape[1], edges, order)  # type: ignore[arg-type]


def plainly(choices: ChoiceRows, chosen: Ints) -> Floats:
    """All equations of all seats at once."""
    seats, count = choices.constants.shape[1], len(chosen)
    matrix = np.eye(count * seats)
    for state, row in enumerate(chosen.tolist()):
        for edge in range(int(choices.first_edge[row]), int(choices.first_edge[row + 1])):
            for seat in range(seats):
                to = int(choices.target[edge]) * seats + (seat - int(choices.seat_shift[edge])) % seats
                matrix[state * seats + seat, to] -= choices.probability[edge]
    return np.asarray(np.linalg.solve(matrix, choices.constants[chosen].reshape(-1)), dtype=np.float64).reshape(
        count, seats
    )


@pytest.mark.parametrize("turns", [False, True])
@pytest.mark.parametrize("seats", [1, 2, 3, 4])
@pytest.mark.parametrize("sizes", [[9], [5, 8, 2], [60, 70]])
def test_corrected_values_are_those_of_the_policy(sizes: list[int], seats: int, turns: bool) -> None:
    random = Random(f"{sizes} {seats} {turns}")  # noqa: S311
    choices = side_by_side(random, seats, sizes, turns)
    base = 3 * np.arange(len(choices.component_label)) + 1
    revised, served = LowRankUpdate(choices, base, system(choices, base)), 0
    assert np.allclose(revised.values_of(base), plainly(choices, base), rtol=0, atol=1e-11)
    chosen = base.copy()
    for _ in range(30):
        for state in random.sample(range(len(chosen)), random.randrange(1, 4)):
            chosen[state] = 3 * state + random.randrange(3)
        if revised.is_quicker_for(chosen):
            served += 1
            assert np.allclose(revised.values_of(chosen), plainly(choices, chosen), rtol=0, atol=1e-11)
    assert served > 3


def test_many_changes_are_left_to_a_new_factorization() -> None:
    choices = side_by_side(Random(3), 2, [60], True)  # noqa: S311
    base = 3 * np.arange(60)
    revised, chosen = LowRankUpdate(choices, base, system(choices, base)), base.copy()
    chosen[: MAX_AT_ONCE + 1] += 1
    assert not revised.is_quicker_for(chosen)
    chosen = base.copy()
    for state in range(MAX_CHANGES):
        chosen[state] += 1
        assert revised.is_quicker_for(chosen)
        revised.values_of(chosen)
    chosen[MAX_CHANGES] += 1
    assert not revised.is_quicker_for(chosen)


def test_a_change_after_which_play_never_ends_is_singular() -> None:
    first, target = np.array([0, 0, 1, 1, 2]), np.array([1, 0])  # two states: leave, or go to the other one
    choices = ChoiceRows(first, target, np.array([0, 0]), np.array([1.0, 1.0]), np.array([0, 0]), 1, np.zeros((4, 1)))
    every = np.array([0, 1])
    edges = (np.array([0]), np.array([1]), np.array([0]), np.array([1.0]))
    revised = LowRankUpdate(
        choices, np.array([1, 2]), LinearSystem(2, 1, edges, lambda: elimination_order(2, every, every, every * 0))
    )
    with pytest.raises(SingularSystem):
        revised.values_of(np.array([1, 3]))
