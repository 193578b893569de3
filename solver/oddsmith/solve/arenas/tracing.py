"""Proposing mixed play of a component in floats: a path from play at random to an equilibrium.

Let every state take each row with a probability in proportion to e^z. Let z be the ``keenness`` times the value of the
row to the mover. At keenness 0 that is play at random. From there a path of such play leads on. As keenness grows
without bound, the path approaches an equilibrium (McKelvey and Palfrey 1995, Quantal response equilibria for normal
form games; for games with states Eibelshaeuser and Poensgen 2019). Keenness may fall along the path, so the path is
followed by its length: a step along the tangent, then Newton's method back to the path (Turocy 2005). On the path every
row has a positive probability, so play always ends.

A row counts a little less than the row before it in its state. So among rows of the same value the first one is taken,
as everywhere, and different paths do not meet. No proof depends on this, because ``mixing`` proves the result.

The module also proposes simpler mixed play if best responses cycle: one or several cycling states mix two rows each.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import combinations
from typing import Any

import numpy as np

from oddsmith.base.arrays import Floats, Ints, arange, reduceat, repeat
from oddsmith.solve.arenas.component import Component, LocalMixtures, PolicyCandidate
from oddsmith.solve.arenas.component_policy import NoPureEquilibrium, best_response_sweeps
from oddsmith.solve.systems.linear_systems import SingularSystem

MAX_UNKNOWNS = 700  # rows, and values of states and seats, of a component that is looked at: matrices are dense
NUDGE = 1e-6  # of the size of values, by which a row counts less than the one before
FIRST_KEENNESS, LAST_KEENNESS = -6.0, 18.5  # natural logarithms of the keenness at both ends, for values of size 1
MAX_STEPS = 3_000
FIRST_STEP, MIN_STEP, MAX_STEP_GROWTH = (
    0.1,
    1e-9,
    1.5,
)  # lengths of steps, and by how much one may be longer than the one before
MAX_CORRECTIONS, CORRECTION_TOLERANCE = 6, 1e-8  # of Newton's method after a step, and its accuracy
MIN_TAKEN_CHANCE = 1e-6  # the chance of a row from which on it counts as taken


def candidate_by_path_following(component: Component) -> PolicyCandidate | None:
    """Return the candidate at the end of the path; None if the path is lost or the component is too large."""
    if max(len(component.rows), len(component.states) * component.arena.seats) > MAX_UNKNOWNS:
        return None
    try:
        with np.errstate(all="ignore"):  # a step that leads nowhere is taken back
            chances = _QuantalResponsePath(component).end_probabilities()
    except np.linalg.LinAlgError:
        return None
    return None if chances is None else _candidate_from_probabilities(component, chances)


def _candidate_from_probabilities(component: Component, row_probabilities: Floats) -> PolicyCandidate:
    """Return the candidate that takes the rows whose probability is not negligible.

    ``row_probabilities``: those of all rows.
    """
    taken = np.flatnonzero(row_probabilities > MIN_TAKEN_CHANCE)
    chosen, mixed = component.first_row[:-1].copy(), dict[int, dict[int, float]]()
    for state, rows in enumerate(np.split(taken, np.searchsorted(taken, component.first_row[1:-1]))):
        chosen[state] = rows[0]
        if len(rows) > 1:
            mixed[state] = dict(
                zip(rows.tolist(), (row_probabilities[rows] / row_probabilities[rows].sum()).tolist(), strict=True)
            )
    return PolicyCandidate(chosen, mixed)


class _QuantalResponsePath:
    """The path from random play to an equilibrium. A point consists of z for every row, and the logarithm of the
    keenness.
    """

    def __init__(self, component: Component) -> None:
        self.component = component
        self.states, self.seats = len(component.states), component.arena.seats
        rows = arange(len(component.rows))
        self.moves = np.zeros(
            (len(rows), self.seats, self.states, self.seats)
        )  # from a row's seats to those of a state
        for seat in range(self.seats):
            there: Any = (component.edge_row, seat, component.to, (seat - component.seat_shift) % self.seats)
            np.add.at(self.moves, there, component.probability)
        self.first = component.first_row[:-1][component.row_state]
        self.mover = component.mover[component.row_state]
        self.own = self.moves[rows, self.mover].reshape(len(rows), -1)
        self.free = component.fixed[component.row_state] < 0
        self.prescribed = rows - self.first == component.fixed[component.row_state]
        self.scale = 1.0 + float(np.abs(component.constant).max(initial=0.0))
        self.nudge = NUDGE * (rows - self.first)
        self.alike = component.row_state[:, None] == component.row_state[None, :]

    def row_probabilities(self, logits: Floats) -> Floats:
        """Return the probability of every row in its state: in proportion to e^z, or as prescribed.

        ``logits``: a number for each row.
        """
        starts, counts = self.component.first_row[:-1], np.diff(self.component.first_row)
        grown = np.exp(logits - repeat(reduceat(np.maximum, logits, starts), counts))
        share: Floats = grown / repeat(reduceat(np.add, grown, starts), counts)
        return np.where(self.free, share, self.prescribed)

    def residual(self, point: Floats) -> tuple[Floats, Floats]:
        """Return the residual of a point and its matrix of derivatives.

        The residual has an entry for each row: z less the keenness times the value of the row to its mover, compared
        with the first row of its state. It is 0 on the path. ``point``: z for every row, then the logarithm of the
        keenness.
        """
        component, z, keen = self.component, point[:-1], np.exp(point[-1])
        source, size, many = component.row_state, self.states * self.seats, len(component.rows)
        chances = self.row_probabilities(z)
        moves = np.zeros((self.states, self.seats, self.states, self.seats))
        brought = np.zeros((self.states, self.seats))
        np.add.at(moves, source, chances[:, None, None, None] * self.moves)
        np.add.at(brought, source, chances[:, None] * component.constant)
        visits = np.linalg.inv(np.eye(size) - moves.reshape(size, size))
        values = visits @ brought.reshape(-1)
        worth = component.constant + (self.moves.reshape(-1, size) @ values).reshape(many, self.seats)
        sign = component.arena.objective_sign / self.scale
        own = worth[arange(many), self.mover] * sign - self.nudge
        ahead = own - own[self.first]
        # A row that gains chance brings, per visit to its state, what it is worth.
        through = visits.reshape(size, self.states, self.seats)[:, source, :]
        moved = self.own @ np.einsum("xri,ri->xr", through, worth) * sign
        spread = self.alike * (np.diag(chances) - np.outer(chances, chances))
        spread[~self.free] = 0.0
        slopes = np.eye(many) - keen * (moved - moved[self.first]) @ spread
        return z - keen * ahead, np.column_stack([slopes, -keen * ahead])

    def end_probabilities(self) -> Floats | None:
        """Return the probabilities of all rows at the end of the path; None if the path is lost."""
        point = np.append(np.zeros(len(self.component.rows)), FIRST_KEENNESS)
        ahead = np.zeros(len(point))
        ahead[-1] = 1.0
        start = self._correct_to_path(point, ahead)
        if start is None:
            return None
        point, slopes = start
        ahead, length = _tangent(slopes, ahead), FIRST_STEP
        for _ in range(MAX_STEPS):
            if point[-1] >= LAST_KEENNESS:
                return self.row_probabilities(point[:-1])
            tried = self._correct_to_path(point + length * ahead, ahead)
            if tried is None or np.linalg.norm(tried[0] - point - length * ahead) > length / 2:
                length /= 2
                if length < MIN_STEP:
                    return None
                continue
            point, slopes = tried
            ahead, length = _tangent(slopes, ahead), length * MAX_STEP_GROWTH
        return None

    def _correct_to_path(self, point: Floats, direction: Floats) -> tuple[Floats, Floats] | None:
        """Return the point of the path near ``point`` in the plane perpendicular to ``direction``, and the derivatives
        there.

        Returns None if Newton's method fails.
        """
        for _ in range(MAX_CORRECTIONS):
            try:
                off, slopes = self.residual(point)
                step = np.linalg.solve(np.vstack([slopes, direction]), np.append(off, 0.0))
            except np.linalg.LinAlgError:
                return None
            point = point - step
            if np.abs(step).max() < CORRECTION_TOLERANCE * (1.0 + np.abs(point).max()):
                return point, slopes
        return None


def _tangent(jacobian: Floats, previous_direction: Floats) -> Floats:
    """Return the direction of the path that makes an angle of at most 90 degrees with the direction ``previous_direction``.

    ``jacobian``: the derivatives of the residual.
    """
    end = np.zeros(len(previous_direction))
    end[-1] = 1.0
    found = np.linalg.solve(np.vstack([jacobian, previous_direction]), end)
    direction: Floats = found / np.linalg.norm(found)
    return direction


BISECTION_STEPS = 60  # of the bisection
MAX_TOGETHER = 8  # cycling states that are looked at together
MAX_BEST_RESPONSE_ROUNDS = 20  # of best responses to states that mix together
MAX_NEWTON_STEPS, NEWTON_TOLERANCE, DERIVATIVE_DISTANCE = (
    30,
    1e-11,
    1e-6,
)  # its steps, the last of them, and how far apart chances are for a derivative


def mixed_candidates(component: Component, no_equilibrium: NoPureEquilibrium) -> Iterator[PolicyCandidate]:
    """Yield candidates for mixed play.

    In the first candidates one cycling state mixes two rows. In the next one all cycling states mix. The last one is
    the end of a path from random play. ``no_equilibrium``: says which states cycle, and has the policy at that point.
    """
    for local in no_equilibrium.states.tolist():
        rows = range(int(component.first_row[local]), int(component.first_row[local + 1]))
        for pair in combinations(rows, 2):
            guess = _mix_two_rows(component, local, pair, no_equilibrium.chosen_rows)
            if guess is not None:
                yield guess
    together = _mix_cycling_states(component, no_equilibrium)
    if together is not None:
        yield together
    traced = candidate_by_path_following(component)
    if traced is not None:
        yield traced


def _mix_two_rows(
    component: Component, local_state: int, row_pair: tuple[int, int], chosen_rows: Ints
) -> PolicyCandidate | None:
    """Return the candidate in which one state mixes two rows of the same value to its mover; None if none is found.

    The probability is found by bisection. All other states play best responses. ``local_state``: the local state. ``row_pair``:
    its two local rows. ``chosen_rows``: the policy of all other states to start from.
    """
    low, high, p, others = 0.0, 1.0, 0.5, chosen_rows
    for _ in range(BISECTION_STEPS):
        try:
            with component.with_mixtures(_two_row_mixture(local_state, row_pair, p)):
                others, values = best_response_sweeps(component, others)
                worth = component.action_values(values)
        except (NoPureEquilibrium, SingularSystem):  # so play may never end, whatever the probability
            return None
        if worth[row_pair[0]] > worth[row_pair[1]]:
            low = p
        else:
            high = p
        p = (low + high) / 2
    return PolicyCandidate(others, _two_row_mixture(local_state, row_pair, p)) if low > 0 and high < 1 else None


def _two_row_mixture(local_state: int, row_pair: tuple[int, int], first_probability: float) -> LocalMixtures:
    """Return the mixture of two rows of a state, in which the first row has probability ``first_probability``.

    ``local_state``: the local state. ``row_pair``: the two local rows.
    """
    return {local_state: dict(zip(row_pair, (first_probability, 1 - first_probability), strict=True))}


def _mix_cycling_states(component: Component, no_equilibrium: NoPureEquilibrium) -> PolicyCandidate | None:
    """Return the candidate in which every cycling state mixes its two best rows, so that they have the same value to
    its mover.

    All other states play best responses. Returns None if no such candidate is found.
    """
    if not 1 < len(no_equilibrium.states) <= MAX_TOGETHER:
        return None
    try:
        _, worth = component.evaluate_policy(no_equilibrium.chosen_rows)
        first = component.first_row
        ranges = [arange(first[local], first[local + 1]) for local in no_equilibrium.states.tolist()]
        pairs = np.array([np.sort(rows[np.argsort(-worth[rows], kind="stable")[:2]]) for rows in ranges])
        p, others = np.full(len(pairs), 0.5), no_equilibrium.chosen_rows
        for _ in range(MAX_BEST_RESPONSE_ROUNDS):
            found = _indifferent_probabilities(component, no_equilibrium.states, pairs, others, p)
            if found is None:
                return None
            p = found
            with component.with_mixtures(_two_row_mixtures(no_equilibrium.states, pairs, p)):
                best, _ = best_response_sweeps(component, others)
            if np.array_equal(best, others):
                return PolicyCandidate(others, _two_row_mixtures(no_equilibrium.states, pairs, p))
            others = best
    except (NoPureEquilibrium, SingularSystem):
        pass
    return None


def _indifferent_probabilities(
    component: Component, states: Ints, row_pairs: Ints, other_rows: Ints, probabilities: Floats
) -> Floats | None:
    """Return the probabilities at which both rows of each pair have the same value, by Newton's method.

    ``other_rows``: the local rows of the states that do not mix. ``probabilities``: the probabilities to start from.
    Returns None if no solution between 0 and 1 is found.
    """

    def value_gaps(pair_probabilities: Floats) -> Floats:
        with component.with_mixtures(_two_row_mixtures(states, row_pairs, pair_probabilities)):
            worth = component.action_values(component.policy_values(other_rows))
        gap: Floats = worth[row_pairs[:, 0]] - worth[row_pairs[:, 1]]
        return gap

    for _ in range(MAX_NEWTON_STEPS):
        now = value_gaps(probabilities)
        slopes = np.column_stack(
            [
                (value_gaps(probabilities + DERIVATIVE_DISTANCE * one) - now) / DERIVATIVE_DISTANCE
                for one in np.eye(len(probabilities))
            ]
        )
        try:
            step = np.linalg.solve(slopes, now)
        except np.linalg.LinAlgError:
            return None
        ahead = np.clip(
            probabilities - step, probabilities / 4, (3 + probabilities) / 4
        )  # at most three quarters of the way to either end
        done, probabilities = np.abs(step).max() < NEWTON_TOLERANCE, ahead
        if done:
            return probabilities
    return None


def _two_row_mixtures(states: Ints, row_pairs: Ints, first_probabilities: Floats) -> LocalMixtures:
    """Return mixtures of two rows for several states.

    ``first_probabilities``: the probability of the first row of each pair.
    """
    found: dict[int, Mapping[int, float]] = {}
    for local, (one, two), chance in zip(
        states.tolist(), row_pairs.tolist(), first_probabilities.tolist(), strict=True
    ):
        found |= _two_row_mixture(local, (one, two), chance)
    return found
