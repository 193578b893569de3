"""One strongly connected component in floats: what a policy is worth, and which action is best against it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csc_matrix, identity
from scipy.sparse.linalg import splu

from oddsmith.solve.arena import Arena, Floats, Ints, ranges

DENSE = 300  # unknowns up to which a dense solve is quicker than a sparse one


class Component:
    """A component with the values of everything below it known.

    ``states``: its states in the arena, ascending. Rows and edges are numbered locally; ``constant`` (rows, seats) holds
    what a row brings from payoffs and from states outside.
    """

    def __init__(self, arena: Arena, states: Ints, values: Floats) -> None:
        self.arena, self.states = arena, states
        counts = arena.state_rows[states + 1] - arena.state_rows[states]
        self.rows = ranges(arena.state_rows[states], counts)
        self.first_row = np.concatenate([[0], np.cumsum(counts)])
        self.row_state = np.repeat(np.arange(len(states)), counts)
        lengths = arena.row_edges[self.rows + 1] - arena.row_edges[self.rows]
        edges = ranges(arena.row_edges[self.rows], lengths)
        edge_row = np.repeat(np.arange(len(self.rows)), lengths)
        target, by, probability = arena.target[edges], arena.by[edges], arena.probability[edges]
        place = np.searchsorted(states, target)
        inside = (target >= 0) & (states[np.minimum(place, len(states) - 1)] == target)
        self.edge_row, self.to, self.by = edge_row[inside], place[inside], by[inside]
        self.probability = probability[inside]
        brought = arena.pay[arena.payoff[edges]]
        outside = ~inside & (target >= 0)
        seats = (np.arange(arena.seats) - by[outside, None]) % arena.seats
        brought[outside] += values[target[outside, None], seats]
        self.constant = np.zeros((len(self.rows), arena.seats))
        np.add.at(self.constant, edge_row, brought * probability[:, None])
        leaves = np.zeros(len(self.rows), dtype=bool)
        leaves[edge_row[~inside]] = True
        self.leaves = leaves
        self.mover = arena.mover[states]
        self.mixture: tuple[int, tuple[int, int], float] | None = None
        self.fixed = np.where(arena.fixed[states] >= 0, arena.fixed[states] - self.rows[self.first_row[:-1]], -1)

    @cached_property
    def spins(self) -> Floats:
        """Per inner edge and frequency: how a turn of the seats shows after a Fourier transform over seats."""
        n = self.arena.seats
        return np.exp(-2j * np.pi * np.outer(np.arange(n // 2 + 1), self.by) / n)

    def first_options(self) -> Ints:
        """The first option everywhere, except where play would then never leave: there, the first that heads out."""
        chosen = self.first_row[:-1] + np.maximum(self.fixed, 0)
        while True:
            stuck = ~self.reaches_exit(chosen)
            if not stuck.any():
                return chosen
            better = False
            for row in np.flatnonzero(stuck[self.row_state]):
                state = self.row_state[row]
                followers = self.to[self.edge_row == row]
                if stuck[state] and self.fixed[state] < 0 and (self.leaves[row] or (~stuck[followers]).any()):
                    chosen[state], better = row, True
                    stuck[state] = False
            if not better:
                raise EndlessError(int(self.states[np.flatnonzero(stuck)[0]]))

    def can_stay(self) -> NDArray[np.bool_]:
        """The states from which the players together can keep play in the component for ever."""
        stay = np.ones(len(self.states), dtype=bool)
        while True:
            safe = ~self.leaves
            safe[self.edge_row[~stay[self.to]]] = False
            if not self.fixed.max(initial=-1) < 0:
                prescribed = self.fixed[self.row_state]
                safe &= (prescribed < 0) | (np.arange(len(self.rows)) - self.first_row[self.row_state] == prescribed)
            left = np.zeros(len(self.states), dtype=bool)
            left[self.row_state[safe]] = True
            left &= stay
            if (left == stay).all():
                return stay
            stay = left

    def reaches_exit(self, chosen: Ints) -> NDArray[np.bool_]:
        """Which states leave the component with positive chance under a policy."""
        use = chosen[self.row_state[self.edge_row]] == self.edge_row
        source, target = self.row_state[self.edge_row[use]], self.to[use]
        found = self.leaves[chosen].copy()
        while True:
            more = found.copy()
            more[source[found[target]]] = True
            if (more == found).all():
                return found
            found = more

    def values(self, chosen: Ints) -> Floats:
        """What a policy (one local row per state) is worth: shape (states, seats).

        Seats that only turn make the linear system fall apart, by a Fourier transform over the seats, into one system of
        the size of the component per frequency.
        """
        if self.mixture is not None:
            return self._mixed_values(chosen)
        n, count = self.arena.seats, len(self.states)
        found = self.constant[chosen]
        use = np.flatnonzero(chosen[self.row_state[self.edge_row]] == self.edge_row)
        if not len(use):
            return found
        source, target = self.row_state[self.edge_row[use]], self.to[use]
        active, local = np.unique(source, return_inverse=True)
        place = np.full(count, -1)
        place[active] = np.arange(len(active))
        right = np.fft.rfft(found, axis=1)
        solved = right.copy()
        for frequency in range(n // 2 + 1):
            share = self.probability[use] * self.spins[frequency, use]
            known = place[target] < 0
            b = right[active, frequency].copy()
            np.add.at(b, local[known], share[known] * right[target[known], frequency])
            solved[active, frequency] = _solve(len(active), local[~known], place[target[~known]], share[~known], b)
        return np.fft.irfft(solved, n, axis=1)

    @contextmanager
    def mixed(self, state: int, pair: tuple[int, int], p: float) -> Iterator[None]:
        """Within, a state that takes either row of the pair takes the first with probability p, else the second."""
        self.mixture = (state, pair, p)
        try:
            yield
        finally:
            self.mixture = None

    def _mixed_values(self, chosen: Ints) -> Floats:
        """Values where one state mixes: both rows, weighted; the small components in which this happens are solved densely."""
        assert self.mixture is not None
        state, pair, p = self.mixture
        rows = [chosen.copy(), chosen.copy()]
        rows[0][state], rows[1][state] = pair
        use = [np.flatnonzero(r[self.row_state[self.edge_row]] == self.edge_row) for r in rows]
        n, count = self.arena.seats, len(self.states)
        constant = p * self.constant[rows[0]] + (1 - p) * self.constant[rows[1]]
        right = np.fft.rfft(constant, axis=1)
        solved = np.empty_like(right)
        for frequency in range(n // 2 + 1):
            matrix = np.eye(count, dtype=complex)
            for edges, times in zip(use, (p, 1 - p), strict=True):
                share = times * self.probability[edges] * self.spins[frequency, edges]
                np.subtract.at(matrix, (self.row_state[self.edge_row[edges]], self.to[edges]), share)
            solved[:, frequency] = np.linalg.solve(matrix, right[:, frequency])
        return np.fft.irfft(solved, n, axis=1)

    def action_values(self, values: Floats) -> Floats:
        """What every row is worth to its mover if play goes on as the values say, once: shape (rows,)."""
        mover = self.mover[self.row_state]
        found = self.constant[np.arange(len(self.rows)), mover].copy()
        seat = (mover[self.edge_row] - self.by) % self.arena.seats
        np.add.at(found, self.edge_row, self.probability * values[self.to, seat])
        return found * self.arena.sign

    def best_rows(self, worth: Floats, tolerance: float) -> Ints:
        """The first best row of every state; near ties count as ties (exact arithmetic decides later)."""
        best = np.maximum.reduceat(worth, self.first_row[:-1])
        good = worth >= best[self.row_state] - tolerance
        rows = np.flatnonzero(good)
        first = np.full(len(self.states), -1)
        first[self.row_state[rows[::-1]]] = rows[::-1]
        return np.where(self.fixed >= 0, self.first_row[:-1] + self.fixed, first)


Spun = NDArray[np.complexfloating[Any, Any]]
"""Values after a Fourier transform over the seats."""


class EndlessError(Exception):
    """Play can never leave this state's component, whatever anybody does (or as its named policies prescribe)."""

    def __init__(self, state: int) -> None:
        super().__init__(state)
        self.state = state


def _solve(count: int, row: Ints, column: Ints, share: Spun, right: Spun) -> Spun:
    """Solve x = A x + b for a small or sparse A."""
    if count <= DENSE:
        matrix = np.zeros((count, count), dtype=share.dtype)
        np.subtract.at(matrix, (row, column), share)
        matrix[np.arange(count), np.arange(count)] += 1
        return np.linalg.solve(matrix, right)
    system = identity(count, dtype=share.dtype, format="csc") - csc_matrix((share, (row, column)), shape=(count, count))
    return splu(system.tocsc()).solve(right)
