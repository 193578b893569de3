"""Finding the best row of a state, given bounds of the values of all its successors."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from oddsmith.base.arrays import Floats, Ints, Mask, arange, cumsum, reduceat, repeat
from oddsmith.graph import concatenated_ranges, unique
from oddsmith.solve.arenas.arena import Arena
from oddsmith.solve.numbers import FractionTooLong, Limbs
from oddsmith.solve.values.bounds import ProvenBounds
from oddsmith.solve.values.fractions import ExactValues
from oddsmith.solve.values.grid import leaves_one_multiple


@dataclass
class Tie:
    """A state with several actions of the same value to the mover.

    ``affects_other_seats``: whether the values of these actions to another seat differ.
    """

    state: int
    best_rows: tuple[int, ...]
    affects_other_seats: bool


@dataclass(frozen=True)
class _RivalRows:
    """Rows whose values floats cannot distinguish from the best value of their state, grouped by state.

    ``group_starts``: the index of the first row of each group.
    """

    states: Ints
    rows: Ints
    group_starts: Ints

    @staticmethod
    def of(states: Ints, rows: Ints, group_of_row: Ints) -> _RivalRows:
        """Return the rows, grouped by state.

        ``group_of_row``: for each row, the index of its state in ``states``, ascending.
        """
        return _RivalRows(states, rows, np.searchsorted(group_of_row, arange(len(states))))

    @cached_property
    def group_of_row(self) -> Ints:
        """For each row, the index of its state in ``states``: the group of the row."""
        return repeat(arange(len(self.states)), np.diff(np.append(self.group_starts, len(self.rows))))

    def holds_for_all_rows(self, mask: Mask) -> Mask:
        """Return, for each state, whether ``mask``, a mask over the rows, is True for all its rows."""
        held: Mask = reduceat(np.logical_and, mask, self.group_starts)
        return held


class BestRowDecider:
    """Finds the best rows of an arena while its ``bounds`` and ``exact_values`` values are being filled.

    ``tie_break``: which of several rows of the same value to the mover counts as best: the first (0), or the one that
    is best (1) or worst (-1) for all other seats together. ``ties``: the ties met so far, by state. ``undecided``: by
    state, the rows that may have the same value, because no bound distinguishes them.

    ``solve.staged.turn.BestActions`` compares actions in the same way, but for many sheets at once.
    """

    def __init__(self, arena: Arena, bounds: ProvenBounds, exact_values: ExactValues, tie_break: int) -> None:
        self.arena, self.bounds, self.exact, self.tie_break = arena, bounds, exact_values, tie_break
        self.ties: dict[int, Tie] = {}
        self.undecided: dict[int, tuple[int, ...]] = {}

    def best_rows(self, states: Ints) -> Ints:
        """Return the best row of each state, with ties broken by ``tie_break``."""
        arena = self.arena
        counts = arena.state_rows[states + 1] - arena.state_rows[states]
        rows = concatenated_ranges(arena.state_rows[states], counts)
        starts = cumsum(counts) - counts
        worth = self._float_values(rows, repeat(arena.mover[states], counts))
        best = reduceat(np.maximum, worth, starts)
        rivals = worth >= repeat(best - 2 * self._float_error(rows), counts)
        owner = repeat(arange(len(states)), counts)
        chosen = np.empty(len(states), dtype=np.int64)
        chosen[owner[rivals]] = rows[rivals]
        several = reduceat(np.add, rivals, starts) > 1
        if several.any():
            unresolved = rivals & several[owner]
            place = cumsum(several) - 1
            chosen[several] = self._best_rows_by_bounds(
                _RivalRows.of(states[several], rows[unresolved], place[owner[unresolved]])
            )
        return chosen

    def forget_decisions(self, states: Ints) -> None:
        """Remove the ties and undecided rows of states whose policy was rejected."""
        gone = set(states.tolist())
        self.ties = {state: tie for state, tie in self.ties.items() if state not in gone}
        self.undecided = {state: rows for state, rows in self.undecided.items() if state not in gone}

    def _float_values(self, rows: Ints, movers: Ints) -> Floats:
        """Return the value of each row to a seat, computed in floats; the sign is such that larger is better.

        ``movers``: the seat for each row.
        """
        arena = self.arena
        edges, lengths = arena.edges_of(rows)
        seat, target = repeat(movers, lengths), arena.target[edges]
        held = np.where(target >= 0, self.bounds.values[target, (seat - arena.seat_shift[edges]) % arena.seats], 0.0)
        brought = (held + arena.float_payoffs[arena.payoff[edges], seat]) * arena.weight[edges]
        starts = cumsum(lengths) - lengths
        return reduceat(np.add, brought, starts) / arena.denominator[rows] * arena.objective_sign

    def _float_error(self, rows: Ints) -> float:
        """Return a bound of the error of ``_float_values``."""
        edges, _ = self.arena.edges_of(rows)
        return self.bounds.float_error(np.maximum(self.arena.target[edges], 0))

    # --- by bounds

    def _best_rows_by_bounds(self, rivals: _RivalRows) -> Ints:
        """Return the best row of each state, compared by bounds, with ties broken by ``tie_break``."""
        worth, radius = self.bounds.row_values(rivals.rows, self.arena.mover[self.arena.row_state[rivals.rows]])
        top = self._highest_rows(worth * self.arena.objective_sign, rivals)
        reach = 2 * reduceat(np.maximum, radius, rivals.group_starts)[rivals.group_of_row]
        left = ~self.bounds.point.differ_by_more_than(worth[:, top][:, rivals.group_of_row], worth, reach)
        rivals = _RivalRows.of(rivals.states, rivals.rows[left], rivals.group_of_row[left])
        reach, owner = reach[left], rivals.group_of_row
        chosen = rivals.rows[rivals.group_starts]
        alike = rivals.holds_for_all_rows(self._same_transitions_mask(chosen[owner], rivals.rows))
        one_grid = rivals.holds_for_all_rows(self._certainly_equal_on_grid(rivals, reach)) & ~alike
        settled = self._certainly_pay_the_same(rivals, self.arena.mover[rivals.states]) & ~alike & ~one_grid
        matters = self._matters_to_others(rivals, reach, one_grid | settled)
        level = one_grid | (settled & matters)
        slow = ~alike & ~level
        if self.tie_break:
            together = self._certainly_pay_the_same(rivals, np.full(len(rivals.states), self.arena.seats))
            some = np.flatnonzero(level & matters & ~together)
            kindest, found = self._best_rows_for_others(rivals, some)
            chosen[some] = kindest
            slow[some[~found]] = True
        ends = np.append(rivals.group_starts, len(rivals.rows))
        for place in np.flatnonzero(level & ~slow).tolist():
            tied = tuple(rivals.rows[ends[place] : ends[place + 1]].tolist())
            self.ties[int(rivals.states[place])] = Tie(int(rivals.states[place]), tied, bool(matters[place]))
        self._compute_fractions_of_targets(rivals.rows[slow[owner]])
        for place in np.flatnonzero(slow).tolist():
            state = int(rivals.states[place])
            chosen[place] = self._best_row_by_fractions(state, rivals.rows[ends[place] : ends[place + 1]].tolist())
        return chosen

    def _highest_rows(self, row_values: Limbs, rivals: _RivalRows) -> Ints:
        """Return, for each state, the index of a row in ``rivals`` whose middle is highest.

        Limbs are compared one by one, the most significant first.
        """
        leading = np.ones(len(rivals.rows), dtype=bool)
        for limb in row_values:
            most = reduceat(np.maximum, np.where(leading, limb, np.iinfo(np.int64).min), rivals.group_starts)
            leading &= limb == most[rivals.group_of_row]
        places = np.flatnonzero(leading)
        return places[np.searchsorted(rivals.group_of_row[places], arange(len(rivals.states)))]

    def _same_transitions_mask(self, first_rows: Ints, second_rows: Ints) -> Mask:
        """Return, as a mask, which pairs of rows have the same transitions with the same probabilities."""
        arena = self.arena
        many = np.diff(arena.row_edges)
        same: Mask = (arena.denominator[first_rows] == arena.denominator[second_rows]) & (
            many[first_rows] == many[second_rows]
        )
        some = np.flatnonzero(same)
        if not len(some):
            return same
        (a, lengths), (b, _) = (arena.edges_of(rows[some]) for rows in (first_rows, second_rows))
        equal = np.ones(len(a), dtype=bool)
        for column in (arena.target, arena.weight, arena.seat_shift, arena.payoff):
            equal &= column[a] == column[b]
        same[some] = reduceat(np.logical_and, equal, cumsum(lengths) - lengths)
        return same

    def _certainly_equal_on_grid(self, rivals: _RivalRows, max_difference_units: Ints) -> Mask:
        """Return, as a mask, which rows certainly have the same value as the best row of their state.

        They do if both values lie on one grid and are closer together than its spacing. ``max_difference_units``: for
        each row, the units by which its middle may differ from that of the best row if the values are the same.
        """
        grid, point = self.bounds.grid, self.bounds.point
        common = reduceat(np.maximum, grid.row_exponents(rivals.rows), rivals.group_starts, axis=0)
        closer = leaves_one_multiple(
            max_difference_units, grid.denominator_bits(common)[rivals.group_of_row], point.binary_places
        )
        closer &= max_difference_units < 1 << point.bits_per_limb
        return closer

    def _certainly_pay_the_same(self, rivals: _RivalRows, seats: Ints) -> Mask:
        """Return, as a mask, in which states all rows certainly pay a seat the same amount in every play.

        ``seats``: one seat for each state, or the number of seats for the sum over all seats.
        """
        same, units = self.bounds.deterministic.row_payoff_units(rivals.rows, seats[rivals.group_of_row])
        return rivals.holds_for_all_rows(same & (units == units[rivals.group_starts][rivals.group_of_row]))

    def _matters_to_others(self, rivals: _RivalRows, max_difference_units: Ints, equal_states: Mask) -> Mask:
        """Return, as a mask, in which states rows of equal value to the mover certainly differ in value to another
        seat.

        ``equal_states``: the states whose rows have equal value to the mover; the result is False for all others.
        """
        matters = np.zeros(len(equal_states), dtype=bool)
        some = np.flatnonzero(equal_states[rivals.group_of_row])
        if self.arena.seats == 1 or not len(some):
            return matters
        worth, _ = self.bounds.row_values(rivals.rows[some])
        owner = rivals.group_of_row[some]
        first = np.searchsorted(owner, owner)
        other = self.bounds.point.differ_by_more_than(worth[:, first], worth, max_difference_units[some, None])
        matters[owner[other.any(axis=1)]] = True
        return matters

    def _best_rows_for_others(self, rivals: _RivalRows, group_indices: Ints) -> tuple[Ints, Mask]:
        """Return, for some states, the row that is best for all other seats together, and a mask that says where this
        is certain.

        If ``tie_break`` is -1, it is the row that is worst for them. ``group_indices``: the indices of the states. The
        result is certain if all rows that may be as good have the same transitions.
        """
        own = np.flatnonzero(np.isin(rivals.group_of_row, group_indices))
        tied = _RivalRows.of(
            rivals.states[group_indices], rivals.rows[own], np.searchsorted(group_indices, rivals.group_of_row[own])
        )
        if not len(own):
            return tied.rows, np.zeros(0, dtype=bool)
        worth, radius = self.bounds.row_values(tied.rows)
        mover = self.arena.mover[tied.states][tied.group_of_row]
        worth *= (arange(self.arena.seats) != mover[:, None]) * self.arena.objective_sign * self.tie_break
        together = worth.sum(axis=2)
        self.bounds.point.carry_limbs(together)
        top = self._highest_rows(together, tied)
        reach = 2 * self.arena.seats * reduceat(np.maximum, radius, tied.group_starts)[tied.group_of_row]
        left = ~self.bounds.point.differ_by_more_than(together[:, top][:, tied.group_of_row], together, reach)
        near = _RivalRows.of(tied.states, tied.rows[left], tied.group_of_row[left])
        first = near.rows[near.group_starts]
        return first, near.holds_for_all_rows(self._same_transitions_mask(first[near.group_of_row], near.rows))

    # --- by fractions

    def _compute_fractions_of_targets(self, rows: Ints) -> None:
        """Compute the exact values of all targets of ``rows`` together, if that is possible."""
        target = self.arena.target[self.arena.edges_of(rows)[0]]
        target = unique(target[target >= 0])
        with suppress(FractionTooLong):  # each row will say whether that is for its own sake
            self.exact.compute_values(target[~self.exact.fraction_unavailable[target]].tolist())

    def _best_row_by_fractions(self, state: int, rival_rows: list[int]) -> int:
        """Return the best of several rows of a state, compared as fractions, with ties broken by ``tie_break``."""
        seat, sign = int(self.arena.mover[state]), self.arena.objective_sign
        try:
            shares = {row: self.exact.row_values(row) for row in rival_rows}
        except FractionTooLong:
            self._record_undecided(state, rival_rows)
            return rival_rows[0]
        worth = {row: shared.fraction(seat) * sign for row, shared in shares.items()}
        top = max(worth.values())
        tied = tuple(row for row in rival_rows if worth[row] == top)
        others = [other for other in range(self.arena.seats) if other != seat]
        if len(tied) > 1:
            to_others = {tuple(shares[row].fraction(other) for other in others) for row in tied}
            self.ties[state] = Tie(state, tied, len(to_others) > 1)
        if len(tied) > 1 and self.tie_break:
            kindness = [sum(shares[row].fraction(other) for other in others) * sign for row in tied]
            return tied[kindness.index(max(kindness) if self.tie_break > 0 else min(kindness))]
        return tied[0]

    def _record_undecided(self, state: int, rival_rows: list[int]) -> None:
        """Record a state with several rows that no bound distinguishes. Its policy takes the first of them.

        The state is recorded as undecided, unless all rows certainly have the same value to the mover; then it is a
        tie, in which the first row may be taken. If ``tie_break`` is not 0, another row than the first may be the one
        to take, so the rows also have to have the same values to all other seats.
        """
        mover, first = int(self.arena.mover[state]), rival_rows[0]
        alike = [
            {seat for seat in range(self.arena.seats) if self.exact.certainly_have_same_value(seat, first, row)}
            for row in rival_rows[1:]
        ]
        matters = any(len(seats) < self.arena.seats for seats in alike)
        if not all(mover in seats for seats in alike) or (matters and self.tie_break):
            self.undecided[state] = tuple(rival_rows)
        else:
            self.ties[state] = Tie(state, tuple(rival_rows), matters)
