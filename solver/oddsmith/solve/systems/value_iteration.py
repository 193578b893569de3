"""Gauss-Seidel value iteration: x = max (P x + b), for systems that are too large for elimination."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from scipy.sparse import csr_matrix

from oddsmith.base.arrays import Floats, Ints, arange, reduceat, repeat
from oddsmith.solve.systems.linear_systems import Singular

STATES_PER_BLOCK = 1 << 11  # states whose values are updated at the same time
MAX_SWEEPS = 20_000


@dataclass(frozen=True, eq=False)
class StateBlock:
    """The states from ``first`` up to but not ``last``, with their rows, the first of which has the number ``row``.

    ``chances``: the probability of each state after each row, shape (rows, all states). ``starts``: the first row of
    each state, counted from 0 within the block; None if each state has one row.
    """

    first: int
    last: int
    row: int
    chances: csr_matrix
    starts: Ints | None

    def row_values(self, x: Floats, right: Floats) -> Floats:
        """Return the values of the rows of the block. ``x``: the values of all states; ``right``: b, for each row."""
        found: Floats = self.chances @ x
        found += right[self.row : self.row + len(found)]
        return found


def blocks(first: int, first_row: Ints, chances: csr_matrix) -> Iterator[StateBlock]:
    """Yield states, the first of which is ``first``, as blocks of consecutive states.

    ``first_row``: the first row of each state, and the end of the last row. ``chances``: as for ``StateBlock``.
    """
    low = int(first_row[0])
    for at in range(0, len(first_row) - 1, STATES_PER_BLOCK):
        rows = first_row[at : at + STATES_PER_BLOCK + 1]
        starts = rows[:-1] - rows[0]
        single = len(starts) == int(rows[-1] - rows[0])
        some = chances[int(rows[0]) - low : int(rows[-1]) - low]
        yield StateBlock(first + at, first + at + len(starts), int(rows[0]), some, None if single else starts)


def iterate_values(parts: Sequence[StateBlock], right: Floats, near: float, least: float = 0.0) -> Floats:
    """Return the fixed point x, as soon as a sweep changes it by at most ``least`` or ``near`` times its largest value.

    ``right``: b, for each row. The blocks are consecutive and cover all states. Raises Singular if x does not converge.
    """
    x = np.zeros(parts[-1].last)
    for _ in range(MAX_SWEEPS):
        change = 0.0
        for part in reversed(parts):
            worth = part.row_values(x, right)
            new = worth if part.starts is None else reduceat(np.maximum, worth, part.starts)
            old = x[part.first : part.last]
            change = max(change, float(np.abs(new - old).max()))
            old[:] = new
        if not change > max(least, near * float(np.abs(x).max())):
            return x
    raise Singular


def best_rows(parts: Sequence[StateBlock], x: Floats, right: Floats, near: float) -> Ints:
    """Return, for each state, the first row whose value is within ``near`` of the best. ``right``: b, for each row."""
    found = []
    for part in parts:
        worth = part.row_values(x, right)
        if part.starts is None:
            found.append(part.row + arange(len(worth)))
            continue
        counts = np.diff(np.append(part.starts, len(worth)))
        top = worth >= repeat(reduceat(np.maximum, worth, part.starts), counts) - near
        place = np.where(top, arange(len(worth)), len(worth))
        found.append(part.row + reduceat(np.minimum, place, part.starts))
    return np.concatenate(found)
