"""Gauss-Seidel policy iteration for one component: every state responds to the responses of its successors.

In the order of elimination, the value of a state is a linear function of the values of the cut states. The values of
the cut states are guessed at first, and corrected after each pass.
"""

from __future__ import annotations

from itertools import pairwise, product

import numpy as np

from oddsmith.base.arrays import Floats, Ints, arange, bincount, cumsum, reduceat, repeat, take
from oddsmith.graph import concatenated_ranges
from oddsmith.solve.arenas.component import Component

MAX_COLUMNS = 12  # of a linear function: seats, and seats for each cut state
MIN_WAVE_STATES = 24  # states of a wave on average, from which on a pass is quicker than an elimination
MAX_PASSES = 12
SETTLED_TOLERANCE = 1e-4  # a relative change of the cut states' values, below which hardly a decision changes


def is_gauss_seidel_quicker(component: Component) -> bool:
    """Return whether Gauss-Seidel passes are quicker than policy iteration for a component."""
    order = component.elimination_order
    if order is None or not order.cut_count:
        return False
    columns = component.arena.seats * (1 + order.cut_count)
    return columns <= MAX_COLUMNS and len(component.states) >= MIN_WAVE_STATES * len(order.wave_sizes)


class GaussSeidel:
    """Gauss-Seidel policy iteration for one component, whose rows and transitions it holds in an order of elimination."""

    def __init__(self, component: Component, tolerance: float) -> None:
        """``tolerance``: rows whose values differ by less than this count as equal, and the first of them is taken."""
        order = component.elimination_order
        assert order is not None
        self.component, self.tolerance = component, tolerance
        seats, self.cuts = component.arena.seats, order.cut_count
        self.seats, self.columns = seats, seats * (1 + order.cut_count)
        states, count = order.states, len(order.states)
        rows_of = np.diff(component.first_row)[states]
        self.rows = concatenated_ranges(component.first_row[states], rows_of)
        self.row_state = repeat(arange(count), rows_of)  # by place in the order
        self.first_row = np.concatenate([[0], cumsum(rows_of)])
        begins = component.choice_rows.first_edge
        counts = begins[self.rows + 1] - begins[self.rows]
        edges = concatenated_ranges(begins[self.rows], counts)
        # A row that leads nowhere inside has one transition that counts nothing, so that every row has some to add up.
        self.first_edge = np.concatenate([[0], cumsum(np.maximum(counts, 1))])
        kept = np.ones(int(self.first_edge[-1]), dtype=bool)
        kept[self.first_edge[:-1][counts == 0]] = False
        self.source, self.share = np.zeros(len(kept), dtype=np.int64), np.zeros(len(kept))
        self.source[kept] = order.state_ranks[component.to[edges]] * seats + component.seat_shift[edges]
        self.share[kept] = component.probability[edges]
        self.constant = component.constant[self.rows]
        fixed = component.fixed[states][self.row_state]
        place = arange(len(self.rows)) - self.first_row[:-1][self.row_state]
        self.barred = np.where((fixed >= 0) & (place != fixed), -np.inf, 0.0)
        self.stops = np.concatenate([[0], cumsum(order.wave_sizes)]).tolist()
        self.part, self.mover = component.label[states], component.mover[states]
        waves = np.array(order.wave_sizes[-order.cut_count :])
        self.cut, self.cut_part = repeat(arange(order.cut_count), waves), self.part[-int(waves.sum()) :]
        # By how many seats play moved on decides which seat a column is about.
        turned = (arange(seats)[None, :] - arange(seats)[:, None]) % seats
        self.turned = (turned[:, None, :] + seats * arange(1 + self.cuts)[None, :, None]).reshape(seats, -1)

    def find_policy(self) -> Ints | None:
        """Return the policy that the passes find, as a local row for each state; None if play by it may never end."""
        cut_values, chosen = self._initial_cut_values(), self.first_row[:-1]
        for _ in range(MAX_PASSES):
            before = cut_values
            chosen, functions = self._best_rows_in_waves(cut_values)
            try:
                cut_values = self._solve_cut_values(functions)
            except np.linalg.LinAlgError:  # NumPy's word for a singular matrix
                return None
            if np.abs(cut_values - before).max() <= SETTLED_TOLERANCE * (1.0 + np.abs(cut_values).max()):
                break
        found = np.empty(len(self.part), dtype=np.int64)
        found[self.component.row_state[self.rows[chosen]]] = self.rows[chosen]
        return found if self.component.states_reaching_exit(found).all() else None

    def _initial_cut_values(self) -> Floats:
        """Return a first guess of the values of the cut states, shape (parts, cuts, seats).

        The guess is the mean constant of all rows that may leave the component.
        """
        away = np.flatnonzero(self.component.leaves[self.rows] & (self.barred == 0))
        parts = self.component.parts
        part = self.part[self.row_state[away]]
        number = np.maximum(bincount(part, minlength=parts), 1)
        means = np.stack([bincount(part, column, parts) / number for column in self.constant[away].T], axis=1)
        return repeat(means[:, None, :], self.cuts, axis=1)

    def _best_rows_in_waves(self, cut_values: Floats) -> tuple[Ints, Floats]:
        """Let each state choose its best row, given the values of the cut states.

        Returns the index of the row of each state, and the values of the cut states as linear functions of their own
        guessed values. States choose wave by wave; each wave uses the functions of the waves before it.
        """
        seats, starts = self.seats, self.first_row
        weights = self._mover_coefficients(cut_values)[self.row_state]
        functions = np.zeros(
            (len(self.part), seats, self.columns)
        )  # of each state, as it counts after each number of turns
        flat = functions.reshape(-1, self.columns)
        first_cut = len(self.stops) - 1 - self.cuts
        for cut, (first, stop) in enumerate(
            pairwise(self.stops[first_cut:]), 1
        ):  # a cut state is worth what it is worth
            functions[first:stop, :, cut * seats : (cut + 1) * seats] = np.eye(seats)
        chosen, of_cuts = starts[:-1].copy(), []
        for wave, (first, stop) in enumerate(pairwise(self.stops)):
            low, high = int(starts[first]), int(starts[stop])
            edges = slice(int(self.first_edge[low]), int(self.first_edge[high]))
            brought = take(flat, self.source[edges], axis=0)
            brought *= self.share[edges, None]
            rows = reduceat(np.add, brought, self.first_edge[low:high] - edges.start)
            rows[:, :seats] += self.constant[low:high]
            if high - low > stop - first:
                worth = (
                    np.einsum("ij,ij->i", rows, weights[low:high]) * self.component.arena.objective_sign
                    + self.barred[low:high]
                )
                state = self.row_state[low:high] - first
                least = reduceat(np.maximum, worth, starts[first:stop] - low) - self.tolerance
                good = np.flatnonzero(worth >= least[state])[::-1]
                chosen[first + state[good]] = good + low  # the first of them is written last
            own = rows[chosen[first:stop] - low]
            if wave < first_cut:
                functions[first:stop] = own[:, self.turned]
            else:
                of_cuts.append(own)
        return chosen, np.concatenate(of_cuts)

    def _mover_coefficients(self, cut_values: Floats) -> Floats:
        """Return the coefficients that turn a state's linear function into the value for its mover, shape (states,
        columns).
        """
        seats, shape = self.seats, (len(self.part), 1 + self.cuts, self.seats)
        weights = np.zeros(shape)
        weights[arange(shape[0]), 0, self.mover] = 1.0
        turned = (self.mover[:, None] - arange(seats)) % seats
        for cut in range(self.cuts):
            weights[:, 1 + cut] = cut_values[self.part[:, None], cut, turned]
        return weights.reshape(shape[0], -1)

    def _solve_cut_values(self, linear_functions: Floats) -> Floats:
        """Return the values of the cut states, shape (parts, cuts, seats), by solving the equations of their linear
        functions.
        """
        seats, size = self.seats, self.cuts * self.seats
        parts = self.component.parts
        system = np.zeros((parts, size, size))
        system[:, arange(size), arange(size)] = 1.0
        right = np.zeros((parts, size, 1))
        for seat in range(seats):
            unknown = self.cut * seats + seat
            right[self.cut_part, unknown, 0] = linear_functions[:, seat]
            for other, turns in product(range(self.cuts), range(seats)):
                column = other * seats + (seat - turns) % seats
                system[self.cut_part, unknown, column] -= linear_functions[:, seats * (1 + other) + turns]
        return np.asarray(np.linalg.solve(system, right), dtype=np.float64).reshape(parts, self.cuts, seats)
