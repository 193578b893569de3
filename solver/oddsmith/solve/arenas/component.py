"""Strongly connected components in floats: the values of a policy, best responses to it, and whether play can stay
inside.

Components that do not lead to one another may be treated together, side by side, as one ``Component``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache, cached_property, partial

import numpy as np
from numpy.typing import NDArray

from oddsmith.base.arrays import Floats, Ints, Mask, Whole, arange, bincount, cumsum, reduceat, repeat
from oddsmith.base.errors import Signal
from oddsmith.graph import concatenated_ranges, group_by, reachable_mask, unique
from oddsmith.solve.arenas.arena import Arena
from oddsmith.solve.systems.linear_systems import MAX_CORRECTIONS, EliminationOrder, LinearSystem, elimination_order
from oddsmith.solve.systems.low_rank_update import ChoiceRows, LowRankUpdate


@dataclass(frozen=True, eq=False)
class InternalRows:
    """The rows of a set of states, and those of their transitions that stay in the set.

    ``row_state``: the state of each row. ``can_leave``: whether the row may lead out of the set or to the end of the game.
    ``edge_row``: the row of each transition. ``target``: its target. ``seat_shift``: its seat shift.
    """

    state_count: int
    row_state: Ints
    can_leave: Mask
    edge_row: Ints
    target: Whole
    seat_shift: Ints

    def states_that_can_stay(self, allowed_rows: Mask) -> Mask:
        """Return, as a mask, the states from which play can stay in the set for ever by rows of the mask ``allowed_rows``.

        They are the largest set of states in which every state has a safe row that cannot leave the set.
        """
        allowed_rows = allowed_rows & ~self.can_leave
        order, first = group_by(self.target, self.state_count)
        left = bincount(self.row_state[allowed_rows], minlength=self.state_count)
        gone = np.flatnonzero(left == 0)
        while len(gone):
            rows = unique(self.edge_row[order[concatenated_ranges(first[gone], first[gone + 1] - first[gone])]])
            rows = rows[allowed_rows[rows]]
            allowed_rows[rows] = False
            states, lost = np.unique(self.row_state[rows], return_counts=True)
            left[states] -= lost
            gone = states[left[states] == 0]
        stays: Mask = left > 0
        return stays

    def states_where_one_seat_can_stay(self, other_seat_rows: Mask) -> Mask:
        """Return, as a mask, the states of a two-player game from which one seat alone can keep play from ending.

        The other seat takes rows of the mask ``other_seat_rows``. Internally each state occurs twice: once with the seat that
        keeps play from ending to move, and once with the other seat to move.
        """
        over = (self.seat_shift % 2).astype(np.int64) * self.state_count
        twice = InternalRows(
            2 * self.state_count,
            np.concatenate([self.row_state, self.row_state + self.state_count]),
            np.tile(self.can_leave, 2),
            np.concatenate([self.edge_row, self.edge_row + len(self.can_leave)]),
            np.concatenate([self.target + over, self.target + self.state_count - over]),
            np.tile(self.seat_shift, 2),
        )
        stays = twice.states_that_can_stay(np.concatenate([np.ones_like(other_seat_rows), other_seat_rows]))
        return stays[: self.state_count] | stays[self.state_count :]


MAX_EQUATION_ERROR = 1e-13  # relative error of an equation, above which the values of a policy are computed anew


LocalMixtures = Mapping[int, Mapping[int, float]]
"""For each local state that mixes, its local rows, ascending, with their probabilities."""


@dataclass(frozen=True, slots=True)
class PolicyCandidate:
    """A proposed policy of a component.

    ``chosen_rows``: a local row for every state. ``mixtures``: the mixed actions of the states that mix.
    """

    chosen_rows: Ints
    mixtures: LocalMixtures


class NeverEnds(Signal):
    """Raised if play never leaves a component, whatever the players do, or by best or prescribed play.

    ``state``: a state of the arena from which play never ends.
    """

    def __init__(self, state: int) -> None:
        super().__init__(state)
        self.state = state


class RarelyEnds(NeverEnds):
    """Raised if play ends so rarely that its value is not found in reasonable time."""


class Component:
    """One or more strongly connected components of an arena, with known values of all their successors outside.

    The components must not lead to one another. ``states``: their states in the arena, ascending. ``parts``: the number
    of components. ``label``: the index of the component of each state. States, rows and transitions are numbered
    locally: row ``first_row[s]`` is the first row of local state s. ``constant``: the part of the value of a row that
    comes from payoffs and from states outside, shape (rows, seats).
    """

    def __init__(self, arena: Arena, states: Ints, known_values: Floats) -> None:
        self.arena, self.states = arena, states
        names, self.label = np.unique(arena.components[states], return_inverse=True)
        self.parts = len(names)
        counts = arena.state_rows[states + 1] - arena.state_rows[states]
        self.rows = concatenated_ranges(arena.state_rows[states], counts)
        self.first_row = np.concatenate([[0], cumsum(counts)])
        self.row_state = repeat(arange(len(states)), counts)
        lengths = arena.row_edges[self.rows + 1] - arena.row_edges[self.rows]
        edges = concatenated_ranges(arena.row_edges[self.rows], lengths)
        edge_row = repeat(np.arange(len(self.rows), dtype=np.int32), lengths)  # there may be many transitions
        target, starts = arena.target[edges], np.concatenate([[0], cumsum(lengths)[:-1]])
        place = np.minimum(np.searchsorted(states, target), len(states) - 1)
        inside = states[place] == target
        self.leaves = reduceat(np.logical_or, ~inside, starts)
        self.edge_row: Whole = edge_row[inside]
        self.to: Whole = place[inside].astype(np.int32)
        del place
        weight = arena.weight[edges]
        self.weight = weight[inside]
        probability = weight / arena.denominator[self.rows][edge_row]
        self.probability = probability[inside]
        del edge_row, weight
        seat_shift, payoff, outside = (
            arena.seat_shift[edges],
            arena.payoff[edges],
            np.flatnonzero(~inside & (target >= 0)),
        )
        self.seat_shift, far, turned = seat_shift[inside], target[outside], seat_shift[outside]
        del edges, target, inside, seat_shift
        self.constant = np.empty((len(self.rows), arena.seats))
        for seat in range(arena.seats):
            brought = arena.float_payoffs[:, seat][payoff]
            brought[outside] += known_values[far, (seat - turned) % arena.seats]
            brought *= probability
            self.constant[:, seat] = reduceat(np.add, brought, starts)
        self.mover = arena.mover[states]
        self.mixed: LocalMixtures = {}
        self.fixed = np.where(
            arena.prescribed_row[states] >= 0, arena.prescribed_row[states] - self.rows[self.first_row[:-1]], -1
        )
        self.kept: tuple[bytes, LinearSystem] | None = None
        self.revised: LowRankUpdate | None = None
        self.iterated: Floats | None = None  # the values of the policy that was evaluated last, if by iterations

    def restricted_to(self, component_mask: Mask) -> Component:
        """Return the components of the mask ``component_mask``, with states and rows numbered anew. No state may mix."""
        assert not self.mixed
        own, found = component_mask[self.label], object.__new__(Component)
        rows = own[self.row_state]
        edges = rows[self.edge_row]
        place, number = cumsum(own) - 1, cumsum(rows) - 1
        found.arena, found.states, found.parts = self.arena, self.states[own], int(component_mask.sum())
        found.label = (cumsum(component_mask) - 1)[self.label[own]]
        found.rows, found.leaves, found.constant = self.rows[rows], self.leaves[rows], self.constant[rows]
        found.row_state = place[self.row_state[rows]]
        found.first_row = np.concatenate([[0], cumsum(np.diff(self.first_row)[own])])
        found.edge_row, found.to = number[self.edge_row[edges]], place[self.to[edges]]
        found.weight, found.probability, found.seat_shift = (
            column[edges] for column in (self.weight, self.probability, self.seat_shift)
        )
        found.mover, found.fixed = self.mover[own], self.fixed[own]
        found.mixed, found.kept, found.revised, found.iterated = {}, None, None, None
        return found

    @cached_property
    def free_states(self) -> Ints:
        """The states that have a choice and no prescribed row."""
        return np.flatnonzero((np.diff(self.first_row) > 1) & (self.fixed < 0))

    @property
    def elimination_order(self) -> EliminationOrder | None:
        """An order of elimination that serves every policy; None if too many cut states would be needed."""
        return self.find_elimination_order()

    @cached_property
    def find_elimination_order(self) -> Callable[[], EliminationOrder | None]:
        """The function that computes ``elimination_order``.

        It does not refer to the component, so a linear system may keep it without keeping the component.
        """
        return cache(partial(_elimination_order, self.row_state, self.edge_row, self.to, self.label))

    @cached_property
    def internal_rows(self) -> InternalRows:
        """The rows of the component, and the transitions that stay in it."""
        return InternalRows(len(self.states), self.row_state, self.leaves, self.edge_row, self.to, self.seat_shift)

    @cached_property
    def choice_rows(self) -> ChoiceRows:
        """The rows that policies choose from, in the form that ``LowRankUpdate`` takes."""
        first = np.searchsorted(self.edge_row, arange(len(self.rows) + 1))
        # What leads from one to another, as where a whole game is looked at, has to be corrected together.
        apart = bool((self.label[self.row_state[self.edge_row]] == self.label[self.to]).all())
        label, parts = (self.label, self.parts) if apart else (np.zeros_like(self.label), 1)
        return ChoiceRows(first, self.to, self.seat_shift, self.probability, label, parts, self.constant)

    def taken_edges(self, chosen_rows: Ints) -> Ints | slice:
        """Return the transitions within the components that a policy takes, as an index of their columns.

        ``chosen_rows``: the policy, one local row for each state. If no state has a choice, the index is a slice of all
        transitions, by which columns are not copied.
        """
        if len(self.rows) == len(self.states):
            return slice(None)
        return np.flatnonzero(self.row_probabilities(chosen_rows)[self.edge_row])

    def edge_states(self, edges: Ints | slice) -> Ints:
        """Return the states from which some transitions within the components lead."""
        rows: Ints = self.edge_row[edges]
        return rows if len(self.rows) == len(self.states) else self.row_state[rows]

    def row_probabilities(self, chosen_rows: Ints) -> Floats:
        """Return the probability of each row under a policy and the current mixtures, shape (rows,)."""
        row_probabilities = np.zeros(len(self.rows))
        row_probabilities[chosen_rows] = 1.0
        for state, chances in self.mixed.items():
            row_probabilities[chosen_rows[state]] = 0.0
            row_probabilities[list(chances)] = list(chances.values())
        return row_probabilities

    # --- whether play ends

    def leaving_policy(self) -> Ints:
        """Return a policy under which play leaves the component: the first row of each state, or the prescribed one.

        If play would never leave by these rows, states take the first row that leads out. Raises NeverEnds if no row
        does.
        """
        chosen = self.first_row[:-1] + np.maximum(self.fixed, 0)
        stuck = ~self.states_reaching_exit(chosen)
        while stuck.any():
            heads_out = self.leaves.copy()
            heads_out[self.edge_row[~stuck[self.to]]] = True
            rows = np.flatnonzero(heads_out & (stuck & (self.fixed < 0))[self.row_state])
            if not len(rows):
                raise NeverEnds(int(self.states[np.flatnonzero(stuck)[0]]))
            chosen[self.row_state[rows[::-1]]] = rows[::-1]
            stuck = ~self.states_reaching_exit(chosen)
        return chosen

    def states_that_can_stay(self) -> NDArray[np.bool_]:
        """Return, as a mask, the states from which the players together can keep play in the component for ever."""
        prescribed = self.fixed[self.row_state]
        allowed = (prescribed < 0) | (arange(len(self.rows)) - self.first_row[self.row_state] == prescribed)
        return self.internal_rows.states_that_can_stay(allowed)

    def states_where_one_seat_can_stay(self, chosen_rows: Ints) -> NDArray[np.bool_]:
        """Return, as a mask, the states of a two-player game from which one seat alone can stay while the other plays a
        policy.
        """
        return self.internal_rows.states_where_one_seat_can_stay(self.row_probabilities(chosen_rows) > 0)

    def states_reaching_exit(self, chosen_rows: Ints) -> NDArray[np.bool_]:
        """Return, as a mask, the states from which a policy leaves the component with positive probability."""
        use = self.taken_edges(chosen_rows)
        source = self.edge_states(use)
        leaving = self.row_state[(self.row_probabilities(chosen_rows) > 0) & self.leaves]
        return reachable_mask(self.to[use], source, len(self.states), np.unique(leaving))

    # --- what a policy is worth

    def linear_system(self, chosen_rows: Ints) -> LinearSystem:
        """Return the linear system of a policy."""
        if self.kept is None or self.kept[0] != chosen_rows.tobytes():
            use = self.taken_edges(chosen_rows)
            edges = (self.edge_states(use), self.to[use], self.seat_shift[use], self.probability[use])
            few = not len(self.free_states)  # with choices, policies are tried one after another and share eliminations
            system = LinearSystem(len(self.states), self.arena.seats, edges, self.find_elimination_order, few)
            self.kept = (chosen_rows.tobytes(), system)
        return self.kept[1]

    def policy_values(self, chosen_rows: Ints, is_rough: bool = False) -> Floats:
        """Return the values of a policy, shape (states, seats). Raises SingularSystem if play may never end.

        ``is_rough``: whether five digits of the difference to the policy that was evaluated before are enough. That is
        quicker in very large components, and changes nothing in all others.
        """
        if self.mixed:
            return self._mixed_values(chosen_rows)
        if self.revised is None or not self.revised.is_quicker_for(chosen_rows):
            system = self.linear_system(chosen_rows)
            if system.is_low_precision:
                corrections = 1 if is_rough else MAX_CORRECTIONS
                self.iterated = system.solve_to_precision(self.constant[chosen_rows], self.iterated, corrections)
                return self.iterated
            self.revised = LowRankUpdate(self.choice_rows, chosen_rows, system)
        return self.revised.values_of(chosen_rows)

    def evaluate_policy(self, chosen_rows: Ints, is_rough: bool = False) -> tuple[Floats, Floats]:
        """Return the values of a policy, and the value of every row to its mover if play then goes on by the policy.

        ``is_rough``: as for ``policy_values``. Raises SingularSystem if play may never end.
        """
        values = self.policy_values(chosen_rows, is_rough)
        worth = self.action_values(values)
        may_be_rough = self.mixed or (is_rough and values is self.iterated)
        if not may_be_rough and self.equation_error(chosen_rows, values, worth) > MAX_EQUATION_ERROR:
            self.revised = None  # the corrections cancel one another: solve anew
            values = self.policy_values(chosen_rows)
            worth = self.action_values(values)
        return values, worth

    def equation_error(self, chosen_rows: Ints, values: Floats, row_values: Floats) -> float:
        """Return the largest difference between a mover's value of a state and that of the row it takes, relative to the
        largest value.

        ``values``, ``row_values``: what ``evaluate_policy`` returns for the policy ``chosen_rows``.
        """
        own = values[arange(len(chosen_rows)), self.mover] * self.arena.objective_sign
        return float(np.abs(own - row_values[chosen_rows]).max() / (1.0 + np.abs(values).max()))

    @contextmanager
    def with_mixtures(self, mixtures: LocalMixtures) -> Iterator[None]:
        """Within this context, let some states mix rows; the rows that a policy has in these states are then ignored.

        ``mixtures``: the mixed actions, by local state.
        """
        self.mixed = mixtures
        try:
            yield
        finally:
            self.mixed = {}

    def _mixed_values(self, chosen_rows: Ints) -> Floats:
        """Return the values of a policy under the current mixtures. Raises SingularSystem if play may never end."""
        share, use = self.row_probabilities(chosen_rows), self.taken_edges(chosen_rows)
        weight = share[self.edge_row[use]] * self.probability[use]
        edges = (self.edge_states(use), self.to[use], self.seat_shift[use], weight)
        constant = reduceat(np.add, share[:, None] * self.constant, self.first_row[:-1])
        return LinearSystem(len(self.states), self.arena.seats, edges, self.find_elimination_order).solve_to_precision(
            constant
        )

    def action_values(self, values: Floats) -> Floats:
        """Return the value of every row to its mover if ``values`` are the values of its targets, shape (rows,).

        The sign is such that larger is better.
        """
        mover = self.mover[self.row_state]
        seat = (mover[self.edge_row] - self.seat_shift) % self.arena.seats
        worth = self.constant[arange(len(self.rows)), mover]
        worth = worth + bincount(self.edge_row, self.probability * values[self.to, seat], len(self.rows))
        signed: Floats = worth * self.arena.objective_sign
        return signed

    def best_rows(self, row_values: Floats, tolerance: float) -> Ints:
        """Return the first best row of every state, or the prescribed row.

        Rows within ``tolerance`` of the best count as best, because exact arithmetic decides later. ``row_values``: the
        value of every row to its mover, as ``action_values`` returns it.
        """
        best = reduceat(np.maximum, row_values, self.first_row[:-1])
        good = row_values >= best[self.row_state] - tolerance
        rows = np.flatnonzero(good)
        first = np.full(len(self.states), -1, dtype=np.int64)
        first[self.row_state[rows[::-1]]] = rows[::-1]
        return np.where(self.fixed >= 0, self.first_row[:-1] + self.fixed, first)


def _elimination_order(row_state: Ints, edge_row: Ints, target: Ints, component_label: Ints) -> EliminationOrder | None:
    return elimination_order(len(component_label), row_state[edge_row], target, component_label)
