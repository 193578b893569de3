"""Gauss-Seidel value iteration: x = max (P x + b), for systems that are too large for elimination."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from scipy.sparse import csr_matrix

from oddsmith.base.arrays import Floats, Ints, arange, reduceat, repeat
from oddsmith.solve.systems.linear_systems import SingularSystem

STATES_PER_BLOCK = 1 << 11  # states whose values are updated at the same time
MAX_SWEEPS = 20_000


@dataclass(frozen=True, eq=False)
class StateBlock:
    """The states from ``first_state`` up to but not ``end_state``, with their rows, the first of which has the number
    ``first_row``.

    ``transition_probabilities``: the probability of each state after each row, shape (rows, all states).
    ``row_starts``: the first row of each state, counted from 0 within the block; None if each state has one row.
    """

    first_state: int
    end_state: int
    first_row: int
    transition_probabilities: csr_matrix
    row_starts: Ints | None

    def row_values(self, values: Floats, constants: Floats) -> Floats:
        """Return the values of the rows of the block. ``values``: the values of all states; ``constants``: b, for each row."""
        found: Floats = self.transition_probabilities @ values
        found += constants[self.first_row : self.first_row + len(found)]
        return found


def state_blocks(first_state: int, row_starts: Ints, transition_probabilities: csr_matrix) -> Iterator[StateBlock]:
    """Yield states, the first of which is ``first_state``, as blocks of consecutive states.

    ``row_starts``: the first row of each state, and the end of the last row. ``transition_probabilities``: as for
    ``StateBlock``.
    """
    low = int(row_starts[0])
    for at in range(0, len(row_starts) - 1, STATES_PER_BLOCK):
        rows = row_starts[at : at + STATES_PER_BLOCK + 1]
        starts = rows[:-1] - rows[0]
        single = len(starts) == int(rows[-1] - rows[0])
        some = transition_probabilities[int(rows[0]) - low : int(rows[-1]) - low]
        yield StateBlock(
            first_state + at, first_state + at + len(starts), int(rows[0]), some, None if single else starts
        )


def iterate_values(
    blocks: Sequence[StateBlock], constants: Floats, relative_tolerance: float, absolute_tolerance: float = 0.0
) -> Floats:
    """Return the fixed point x, as soon as a sweep changes it by at most ``absolute_tolerance`` or
    ``relative_tolerance`` times its largest value.

    ``constants``: b, for each row. The blocks are consecutive and cover all states. Raises SingularSystem if x does not
    converge.
    """
    x = np.zeros(blocks[-1].end_state)
    for _ in range(MAX_SWEEPS):
        change = 0.0
        for part in reversed(blocks):
            worth = part.row_values(x, constants)
            new = worth if part.row_starts is None else reduceat(np.maximum, worth, part.row_starts)
            old = x[part.first_state : part.end_state]
            change = max(change, float(np.abs(new - old).max()))
            old[:] = new
        if not change > max(absolute_tolerance, relative_tolerance * float(np.abs(x).max())):
            return x
    raise SingularSystem


def best_rows(blocks: Sequence[StateBlock], values: Floats, constants: Floats, tolerance: float) -> Ints:
    """Return, for each state, the first row whose value is within ``tolerance`` of the best. ``constants``: b, for each row."""
    found = []
    for part in blocks:
        worth = part.row_values(values, constants)
        if part.row_starts is None:
            found.append(part.first_row + arange(len(worth)))
            continue
        counts = np.diff(np.append(part.row_starts, len(worth)))
        top = worth >= repeat(reduceat(np.maximum, worth, part.row_starts), counts) - tolerance
        place = np.where(top, arange(len(worth)), len(worth))
        found.append(part.first_row + reduceat(np.minimum, place, part.row_starts))
    return np.concatenate(found)
