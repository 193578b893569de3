"""The values of policies that differ from one another in a few states, from one factorization.

Let A x = b be the system of a policy, and let another policy take other rows in k states of a component. Its system has
other equations for these k states and the same equations for all others. Let e_j be 1 in the equation of the j-th of
these states and 0 elsewhere, and u_j = A^-1 e_j. Every x = A^-1 b + y_1 u_1 + ... + y_k u_k satisfies all equations
that did not change. The new equations, a_i x = b_i, form a system of k unknowns: for each i, the sum over j of (a_i
u_j) y_j is b_i - a_i A^-1 b. (Woodbury 1950; Golub and Van Loan, Matrix Computations, section 2.1.4.)

Components that are solved together share the vectors u_j, because no equation of one component has an unknown of
another. If seats rotate, there is such a system for each frequency.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from oddsmith.base.arrays import Floats, Ints, arange, bincount, cumsum, reduceat
from oddsmith.graph import concatenated_ranges
from oddsmith.solve.systems.linear_systems import LinearSystem, SingularSystem

MAX_CHANGES = 24  # changes of one component, after which its system is factorized anew
MAX_AT_ONCE = 4  # new ones of one component: a factorization costs less than more of them
MAX_NUMBERS = 4 << 20  # numbers in all vectors u_j together
FrequencyColumns = NDArray[Any]
"""Floats, or complex numbers if the seats were transformed; states are the last axis."""


@dataclass(frozen=True, eq=False)
class ChoiceRows:
    """The rows that the states of components side by side may take, with the transitions that stay inside.

    ``first_edge``: the index of the first transition of each row, shape (rows + 1,). ``target``, ``seat_shift``,
    ``probability``: the target, seat shift and probability of each transition. ``component_label``: the component of
    each state. ``component_count``: the number of components. ``constants``: the part of the values of rows that comes
    from payoffs and from states outside, shape (rows, seats).
    """

    first_edge: Ints
    target: Ints
    seat_shift: Ints
    probability: Floats
    component_label: Ints
    component_count: int
    constants: Floats


class LowRankUpdate:
    """The factorized system of one policy, which gives the values of policies that differ from it in a few states."""

    def __init__(self, choice_rows: ChoiceRows, chosen_rows: Ints, system: LinearSystem) -> None:
        self.choice_rows, self.base, self.system = choice_rows, chosen_rows.copy(), system
        self.seats, self.count = choice_rows.constants.shape[1], len(choice_rows.component_label)
        # Seats that stay where they are have the same system, each with its own right side.
        self.turns = bool(choice_rows.seat_shift.any())
        self.systems = self.seats // 2 + 1 if self.turns else 1
        self.values = system.solve_to_precision(choice_rows.constants[chosen_rows])
        self.x = self._to_frequencies(self.values)
        room = MAX_NUMBERS // (self.systems * self.count)
        self.most = min(MAX_CHANGES, room)
        self.answers: FrequencyColumns = np.zeros((self.systems, 0, self.count), dtype=self.x.dtype)
        self.slot = np.full(self.count, -1, dtype=np.int64)  # of the states whose vector is known
        self.held = np.zeros(choice_rows.component_count, dtype=np.int64)  # vectors of each component

    def is_quicker_for(self, chosen_rows: Ints) -> bool:
        """Return whether this update finds the values of the policy ``chosen_rows`` faster than a new factorization does."""
        changed = np.flatnonzero(chosen_rows != self.base)
        new = bincount(
            self.choice_rows.component_label[changed[self.slot[changed] < 0]],
            minlength=self.choice_rows.component_count,
        )
        return bool(new.max(initial=0) <= MAX_AT_ONCE and (self.held + new).max(initial=0) <= self.most)

    def values_of(self, chosen_rows: Ints) -> Floats:
        """Return the values of a policy that differs from the factorized one in few states, shape (states, seats).

        Raises SingularSystem if play may never end.
        """
        changed = np.flatnonzero(chosen_rows != self.base)
        if not len(changed):
            return self.values
        self._compute_update_vectors(changed[self.slot[changed] < 0])
        by_part = np.argsort(self.choice_rows.component_label[changed], kind="stable")
        changed = changed[by_part]
        _, starts, part, counts = np.unique(
            self.choice_rows.component_label[changed], return_index=True, return_inverse=True, return_counts=True
        )
        place = arange(len(changed)) - starts[part]
        slots = np.zeros((len(starts), counts.max()), dtype=np.int64)
        slots[part, place] = self.slot[changed]
        rows = chosen_rows[changed]
        spin, own = self._transformed_probabilities(rows)
        right = self._to_frequencies(self.choice_rows.constants[rows]) - self._equation_left_sides(
            self.x, changed, own, spin
        )
        matrix = np.zeros((self.systems, *slots.shape, slots.shape[1]), dtype=self.x.dtype)
        matrix[..., arange(slots.shape[1]), arange(slots.shape[1])] = 1
        left = self._equation_left_sides(self.answers, changed, own, spin[:, None])
        there = arange(slots.shape[1]) < counts[part][:, None]
        matrix[:, part, place] = np.where(there, left[:, slots[part].T, arange(len(changed))].swapaxes(1, 2), 0)
        column = np.zeros((len(self.x), *slots.shape, 1), dtype=self.x.dtype)
        column[:, part, place, 0] = right
        try:
            solved = np.linalg.solve(matrix, column)[..., 0]
        except np.linalg.LinAlgError:
            raise SingularSystem from None
        times = np.zeros((len(self.x), self.answers.shape[1], self.choice_rows.component_count), dtype=self.x.dtype)
        times[:, slots[part, place], self.choice_rows.component_label[changed]] = solved[:, part, place]
        if self.choice_rows.component_count == 1:
            return self._from_frequencies(self.x + (times.swapaxes(1, 2) @ self.answers)[:, 0])
        x = self.x.copy()
        for slot in range(times.shape[1]):  # one at a time: all of them together are many numbers
            x += self.answers[:, slot] * times[:, slot][..., self.choice_rows.component_label]
        return self._from_frequencies(x)

    def _compute_update_vectors(self, states: Ints) -> None:
        """Compute the vectors u_j of some states, for one state of each component at a time."""
        label = self.choice_rows.component_label
        while len(states):
            parts, first = np.unique(label[states], return_index=True)
            now, slots = states[first], self.held[parts]
            more = int(slots.max()) + 1 - self.answers.shape[1]
            if more > 0:
                empty = np.zeros((self.systems, more, self.count), dtype=self.x.dtype)
                self.answers = np.concatenate([self.answers, empty], axis=1)
            right = np.zeros(self.count)
            right[now] = 1.0
            slot_of = np.full(self.choice_rows.component_count, -1, dtype=np.int64)
            slot_of[parts] = slots
            inside = np.flatnonzero(slot_of[label] >= 0)
            for frequency in range(self.systems):
                self.answers[frequency, slot_of[label[inside]], inside] = self.system.solver_at_frequency(frequency)(
                    right
                )[inside]
            self.slot[now] = slots
            self.held[parts] += 1
            states = np.delete(states, first)

    def _transformed_probabilities(self, rows: Ints) -> tuple[FrequencyColumns, tuple[Ints, Ints]]:
        """Return the probabilities of the transitions of ``rows`` in each system, and a pair: these transitions, and
        the number of transitions of each row.
        """
        counts = self.choice_rows.first_edge[rows + 1] - self.choice_rows.first_edge[rows]
        edges = concatenated_ranges(self.choice_rows.first_edge[rows], counts)
        share = np.stack(
            [
                self.system.shift_factor(frequency, self.choice_rows.seat_shift[edges])
                for frequency in range(self.systems)
            ]
        )
        return share * self.choice_rows.probability[edges], (edges, counts)

    def _equation_left_sides(
        self, x: FrequencyColumns, states: Ints, edges_and_counts: tuple[Ints, Ints], probabilities: FrequencyColumns
    ) -> FrequencyColumns:
        """Return the left sides of the equations of some states under their new rows.

        A left side is x of the state minus the expected x of its successors. ``edges_and_counts``: the transitions of
        the new rows, and the number of transitions of each row. ``probabilities``: the probabilities of these
        transitions.
        """
        edges, counts = edges_and_counts
        left: FrequencyColumns = x[..., states].copy()
        leading = np.flatnonzero(counts)  # the others leave at once
        starts = (cumsum(counts) - counts)[leading]
        if len(edges):
            left[..., leading] -= reduceat(
                np.add, x[..., self.choice_rows.target[edges]] * probabilities, starts, axis=-1
            )
        return left

    def _to_frequencies(self, x: Floats) -> FrequencyColumns:
        """Return right sides or values, given with shape (rows, seats), in the form of the systems: shape (systems,
        rows).

        If seats do not rotate, the systems are those of the seats.
        """
        if not self.turns:
            return np.ascontiguousarray(x.T)
        rotated = np.fft.rfft(x, axis=1).T
        return np.ascontiguousarray(rotated.real if self.seats <= 2 else rotated)

    def _from_frequencies(self, x: FrequencyColumns) -> Floats:
        """Return values in the form of the systems as values of shape (rows, seats): the inverse of ``_to_frequencies``."""
        return np.fft.irfft(x.T, self.seats, axis=1) if self.turns else np.ascontiguousarray(x.T)
