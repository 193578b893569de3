"""Payoffs that no longer depend on chance: from some positions on, a seat gets the same in every play by the policy.

A player who cannot win any more gets 0, whatever is rolled. Bounds alone never show that: they come near 0, and the grid of a
component with cycles is finer than they are. But it follows from the graph. Let m give every state of a set, for a seat, a
whole number of units, so that each transition by the policy from the set either leads into the set or ends the game, and
what it pays and the m that it leads to add up to the m that it comes from. Then what the seat has got and the m of where
play stands always add up to the same, so every play that ends pays it m. The largest such set is found by taking away, from
all states whose value is nearly whole, those of which that is not true.
"""

from __future__ import annotations

import numpy as np

from oddsmith.base.arrays import Floats, Ints, Mask, cumsum, reduceat, repeat
from oddsmith.solve.arenas.arena import Arena

MOST_UNITS = 1 << 40  # whole numbers that floats hold, with places to spare
NEARLY = 2.0**-10  # of a unit


class DeterministicPayoffs:
    """The seats that from a state on get the same in every play by the policy, filled from the last states to the
    first.

    ``known``: a mask of these seats, shape (states, seats + 1); the last column is for all seats together. ``units``: their
    payoffs, in units of ``1 / scale`` of the arena.
    """

    def __init__(self, arena: Arena) -> None:
        self.arena = arena
        most = max((abs(units) for kind in arena.payoffs for units in kind), default=0)
        self.serves = most < MOST_UNITS
        self.known = np.zeros((arena.states, arena.seats + 1), dtype=bool)
        self.units = np.zeros((arena.states, arena.seats + 1), dtype=np.int64)
        paid = np.array(arena.payoffs if self.serves else [], dtype=np.int64).reshape(-1, arena.seats)
        self.paid = np.concatenate([paid, paid.sum(axis=1, keepdims=True)], axis=1)

    def fill(self, states: Ints, rows: Ints, values: Floats) -> None:
        """Set some states under one row each. ``values``: their values as floats, shape (states, seats)."""
        if not self.serves:
            return
        arena, columns = self.arena, self.known.shape[1]
        self._guess(states, values)
        place, column = np.nonzero(self.known[states])
        edges, lengths = arena.edges_of(rows[place])
        source = repeat(states[place] * columns + column, lengths)
        own, target = source % columns, arena.target[edges]
        to = np.where(target >= 0, target * columns + self._columns_at_targets(own, edges), -1)
        known, units = self.known.reshape(-1), self.units.reshape(-1)
        after = np.where(to >= 0, units[to], 0)
        gone = self.paid[arena.payoff[edges], own] + after != units[source]
        known[source[gone]] = False
        source, to = source[to >= 0], to[to >= 0]
        while True:
            stays = known[source]
            source, to = source[stays], to[stays]
            lost = source[~known[to]]
            if not len(lost):
                return
            known[lost] = False

    def set_known(self, states: Ints, known: Mask, values: Floats) -> None:
        """Set states that were solved before."""
        if self.serves:
            self._guess(states, values)
            self.known[states] &= known

    def forget(self, states: Ints) -> None:
        """Mark states as depending on chance."""
        self.known[states] = False

    def row_units(self, rows: Ints, columns: Ints) -> tuple[Mask, Ints]:
        """Return which rows pay the same in every play that follows them by the policy, in one column each, and these
        units.
        """
        arena = self.arena
        if not self.serves:
            return np.zeros(len(rows), dtype=bool), np.zeros(len(rows), dtype=np.int64)
        edges, lengths = arena.edges_of(rows)
        own, target = repeat(columns, lengths), arena.target[edges]
        column, inner = self._columns_at_targets(own, edges), target >= 0
        units = self.paid[arena.payoff[edges], own] + np.where(inner, self.units[target, column], 0)
        first = cumsum(lengths) - lengths
        alike = (~inner | self.known[target, column]) & (units == repeat(units[first], lengths))
        return reduceat(np.logical_and, alike, first), units[first]

    def _columns_at_targets(self, columns: Ints, edges: Ints) -> Ints:
        """Return the columns as seats counted from the movers of the targets; the column for all seats remains."""
        seats = self.arena.seats
        turned: Ints = np.where(columns == seats, seats, (columns - self.arena.seat_shift[edges]) % seats)
        return turned

    def _guess(self, states: Ints, values: Floats) -> None:
        """Assume that every value that is nearly whole does not depend on chance."""
        units = np.concatenate([values, values.sum(axis=1, keepdims=True)], axis=1) * self.arena.scale
        whole = np.rint(units)
        nearly = (np.abs(units - whole) < NEARLY) & (np.abs(whole) < MOST_UNITS)
        self.known[states] = nearly
        self.units[states] = np.where(nearly, whole, 0.0).astype(np.int64)
