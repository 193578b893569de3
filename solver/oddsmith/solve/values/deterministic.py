"""Payoffs that no longer depend on chance: from some states on, a seat receives the same in every play by the policy.

A player who can no longer win receives 0, whatever is rolled. Bounds alone never prove that: they come near 0, but the
grid of a component with cycles is finer than they are. It follows from the graph instead. For a seat, let m assign a
whole number of units to every state of a set. Let each transition by the policy from a state s of the set either end
the game or lead to a state of the set, and let its payoff plus the m of its target (0 at the end) equal m of s. Then
the payoff so far plus m of the current state stays constant, so every play that ends pays m of the state where it
began. The largest such set is found as follows: begin with all states whose value is nearly whole, and remove states
that violate the condition until none does.
"""

from __future__ import annotations

import numpy as np

from oddsmith.base.arrays import Floats, Ints, Mask, cumsum, reduceat, repeat
from oddsmith.solve.arenas.arena import Arena

MOST_UNITS = 1 << 40  # whole numbers that floats hold, with places to spare
NEARLY = 2.0**-10  # of a unit


class DeterministicPayoffs:
    """The seats that, from a state on, receive the same in every play by the policy. It is filled from the ends
    backwards.

    ``known``: a mask of these seats, shape (states, seats + 1); the last column is for the sum over all seats.
    ``units``: their payoffs, in units of ``1 / scale`` of the arena.
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
        """Set the columns of ``states`` under one row each.

        ``values``: the values of these states as floats, shape (states, seats).
        """
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
        """Set states that were solved before. ``known``: their mask. ``values``: their values as floats."""
        if self.serves:
            self._guess(states, values)
            self.known[states] &= known

    def forget(self, states: Ints) -> None:
        """Mark the payoffs of ``states`` as depending on chance."""
        self.known[states] = False

    def row_units(self, rows: Ints, columns: Ints) -> tuple[Mask, Ints]:
        """Return, as a mask, which rows pay the same in every play by the policy after them, and the units that they
        pay.

        ``columns``: for each row, the seat that is paid, or the number of seats for the sum over all seats.
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
        """Return ``columns`` as counted from the movers of the targets of transitions; the column for all seats stays
        the same.
        """
        seats = self.arena.seats
        turned: Ints = np.where(columns == seats, seats, (columns - self.arena.seat_shift[edges]) % seats)
        return turned

    def _guess(self, states: Ints, values: Floats) -> None:
        """Assume that every value that is nearly a whole number of units does not depend on chance."""
        units = np.concatenate([values, values.sum(axis=1, keepdims=True)], axis=1) * self.arena.scale
        whole = np.rint(units)
        nearly = (np.abs(units - whole) < NEARLY) & (np.abs(whole) < MOST_UNITS)
        self.known[states] = nearly
        self.units[states] = np.where(nearly, whole, 0.0).astype(np.int64)
