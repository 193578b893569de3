"""Could players keep play among some states for ever?"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from oddsmith.arrays import Ints, Mask, Whole, bincount
from oddsmith.graph import different, grouped, ranges


@dataclass(frozen=True, eq=False)
class Ways:
    """Rows of some states and the transitions that stay among these.

    ``row_state``: the state of each row; ``leaves``: whether the row may lead to other states or to the end. ``edge_row``:
    the row of each transition, ``to``: the state that it leads to, ``by``: how many places the turn moves on.
    """

    count: int
    row_state: Ints
    leaves: Mask
    edge_row: Ints
    to: Whole
    by: Ints

    def staying(self, safe: Mask) -> Mask:
        """The states from which play can stay for ever by safe rows.

        They are the largest set of states each of which has such a row that leads only into the set.
        """
        safe = safe & ~self.leaves
        order, first = grouped(self.to, self.count)
        left = bincount(self.row_state[safe], minlength=self.count)
        gone = np.flatnonzero(left == 0)
        while len(gone):
            rows = different(self.edge_row[order[ranges(first[gone], first[gone + 1] - first[gone])]])
            rows = rows[safe[rows]]
            safe[rows] = False
            states, lost = np.unique(self.row_state[rows], return_counts=True)
            left[states] -= lost
            gone = states[left[states] == 0]
        stays: Mask = left > 0
        return stays

    def waiting(self, taken: Mask) -> Mask:
        """The states of a game for two from which one seat alone can keep play going for ever while the other takes these rows.

        Each state is looked at twice: with the seat that waits to move, and with the other.
        """
        over = (self.by % 2).astype(np.int64) * self.count
        twice = Ways(
            2 * self.count,
            np.concatenate([self.row_state, self.row_state + self.count]),
            np.tile(self.leaves, 2),
            np.concatenate([self.edge_row, self.edge_row + len(self.leaves)]),
            np.concatenate([self.to + over, self.to + self.count - over]),
            np.tile(self.by, 2),
        )
        stays = twice.staying(np.concatenate([np.ones_like(taken), taken]))
        return stays[: self.count] | stays[self.count :]
