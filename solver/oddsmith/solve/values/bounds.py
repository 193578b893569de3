"""Proven bounds at any precision: for every state, a fixed-point number and a radius that enclose the true value.

Numbers count units of ``2^-places``. For a component under a policy, let P be the probabilities from state to state
within it, D their denominators, and W = D P, which is whole. Let b be the expected immediate payoff plus the value of
successors outside. The true values satisfy v = P v + b. Transitions may rotate seats, but all seats of a state share
one radius, so below P may be read as acting on states.

``refining`` finds x with D (I - P) x = D b - r for a small residual r. It also finds d with d - P d >= 1/2, which
proves that play leaves the component and that (I - P)^-1 has no negative entry.

*The radius.* Let b~ be the approximation of b that is used. The error e = x - v solves (I - P) e = (b~ - b) - r / D.
The right side has two parts.

* The residual divided by D, and the unit by which a payoff may have been rounded down. Let ``worst`` bound both in
  every state. Since 1 <= 2 (I - P) d, this part of abs(e) is at most (I - P)^-1 worst <= 2 d worst: such an error is
  made anew in every step.
* The radii of the states outside, which are at most ``widest``. A state that leaves with probability l in the next step
  receives at most widest l of them, and l <= (I - P) 1. So this part is at most widest: play leaves only once.

Components that are treated side by side have a ``worst`` and a ``widest`` each. For a state on no cycle one step is
enough: its radius is the mean of the radii of the targets, plus one unit each for the division and for the payoffs,
which are rounded down.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from flint import fmpz
from scipy.sparse import csr_matrix

from oddsmith.base.arrays import Floats, Ints, Mask, arange, bincount, cumsum, reduceat, repeat
from oddsmith.base.errors import TooFineError
from oddsmith.base.exact import Number
from oddsmith.solve.arenas.arena import Arena
from oddsmith.solve.arenas.component import Component
from oddsmith.solve.numbers import CommonDenominator, FixedPoint, Limbs, in_lowest_terms
from oddsmith.solve.systems.linear_systems import SingularSystem
from oddsmith.solve.values.grid import Exponents, ValueGrid, bits_of_denominators, denominator_of, leaves_one_multiple
from oddsmith.solve.values.refining import IntegerSystem, SlackVector, Unproven

TRANSITIONS_PER_BATCH = 1 << 18  # transitions looked at in one go, times seats


@dataclass(frozen=True)
class KnownValues:
    """The values of solved states, as fixed-point bounds that can be stored.

    ``middle``: the middles, normalized limbs of shape (limbs, states, seats). ``radius``: shape (states,), in units of
    ``point``. ``exponents``: for each state, the exponents of ``primes`` in the denominator of its grid (see
    ``ValueGrid``); usable if the arena has the same ``scale``. ``is_deterministic``: as ``DeterministicPayoffs.known``.
    """

    middle: Limbs
    radius: Ints
    point: FixedPoint
    primes: tuple[int, ...]
    exponents: Exponents
    scale: int
    is_deterministic: Mask

    def subset(self, states: Ints) -> KnownValues:
        """Return the values of ``states`` only, in that order."""
        x, radius, exponents = self.middle[:, states], self.radius[states], self.exponents[states]
        return KnownValues(x, radius, self.point, self.primes, exponents, self.scale, self.is_deterministic[states])

    def state_numbers(self, index: int) -> tuple[Number, ...]:
        """Return the values of one state for each seat. They are exact if the bounds leave only one possible value."""
        bits = bits_of_denominators(self.primes, self.exponents[index : index + 1], self.scale)
        if leaves_one_multiple(self.radius[index : index + 1], bits, self.point.binary_places)[0]:
            times = denominator_of(self.primes, self.exponents[index], self.scale)
            return tuple(
                Number.of(Fraction(high * times >> self.point.binary_places, times))
                for _, high in _unit_bounds(self, index)
            )
        unit = Fraction(1, 1 << self.point.binary_places)
        return tuple(Number(low * unit, high * unit) for low, high in _unit_bounds(self, index))


def _unit_bounds(bounds: ProvenBounds | KnownValues, state: int) -> list[tuple[int, int]]:
    """Return, for each seat, the lower and the upper bound of its value in a state, in units."""
    radius = int(bounds.radius[state])
    middle = [bounds.point.units_of_limbs(column) for column in bounds.middle[:, state].T.tolist()]
    return [(value - radius, value + radius) for value in middle]


class ProvenBounds:
    """Bounds of the values of all states of an arena under a policy, filled from the ends of the game backwards.

    ``middle``: the middles, normalized limbs of shape (limbs, states, seats). ``radius``: in units, shape (states,).
    ``values``: the middles as floats. ``methods``: the number of components solved by each method.
    """

    def __init__(self, arena: Arena, min_binary_places: int, extra_primes: Sequence[int] = ()) -> None:
        """``extra_primes``: further primes, which occur in the denominators of values that were solved before."""
        self.arena = arena
        self.point = FixedPoint.of(min_binary_places, int(arena.denominator.max(initial=1)))
        self.middle = self.point.zeros(arena.state_count, arena.seats)
        self.radius = np.zeros(arena.state_count, dtype=np.int64)
        self.values: Floats = np.zeros((arena.state_count, arena.seats))
        self.grid = ValueGrid(arena, extra_primes)
        self.deterministic = DeterministicPayoffs(arena)
        self.methods: dict[str, int] = {}
        flat = [Fraction(units, arena.scale) for kind in arena.payoffs for units in kind]
        # Sums of a row are at most this many times what is summed: its weights add up to its denominator.
        self.times = int(arena.denominator.max(initial=1))
        self.widest_pay = max((abs(int(value)) for value in flat), default=0) + 1
        if self.widest_pay * self.times >> 62:
            raise TooFineError
        pay, exact = self.point.limbs_of_fractions(flat)
        self.pay = pay.reshape(self.point.limb_count, len(arena.payoffs), arena.seats)
        self.rounded = 0 if exact else 1  # units that payoffs are too small by, at most
        self.scale = max((abs(float(value)) for value in flat), default=0.0)
        self.largest = 0.0  # of the values so far
        self.steps = int(np.diff(arena.row_edges).max(initial=1)) + 16

    # --- one step

    def weighted_row_sums(self, rows: Ints, seats: Ints | None = None) -> tuple[Limbs, Ints, Ints]:
        """Return three arrays about the rows: values times denominators, weighted sums of radii, and largest radii.

        The values are limbs that are not normalized, shape (limbs, rows[, seats]). The other two have the shape
        (rows,): the sum of the radii of a row's targets, each times its weight, and the largest of these radii.
        ``seats``: one seat for each row; None for all seats of every row.
        """
        arena = self.arena
        shape = (len(rows), arena.seats) if seats is None else (len(rows),)
        total = self.point.zeros(*shape)
        radius, widest = np.zeros(len(rows), dtype=np.int64), np.zeros(len(rows), dtype=np.int64)
        lengths = arena.row_edges[rows + 1] - arena.row_edges[rows]
        ends = cumsum(lengths)
        first, most = 0, TRANSITIONS_PER_BATCH // (arena.seats if seats is None else 1)
        while first < len(rows):
            last = max(first + 1, int(np.searchsorted(ends, (ends[first - 1] if first else 0) + most, "right")))
            self._add_weighted_row_sums(
                rows[first:last],
                None if seats is None else seats[first:last],
                slice(first, last),
                (total, radius, widest),
            )
            first = last
        return total, radius, widest

    def _add_weighted_row_sums(
        self, rows: Ints, seats: Ints | None, row_slice: slice, sums: tuple[Limbs, Ints, Ints]
    ) -> None:
        arena = self.arena
        edges, lengths = arena.edges_of(rows)
        starts = np.concatenate([[0], cumsum(lengths)[:-1]])
        target, seat_shift, kind, weight = (
            arena.target[edges],
            arena.seat_shift[edges],
            arena.payoff[edges].astype(np.int64),
            arena.weight[edges],
        )
        inner = target >= 0
        reach = np.where(inner, self.radius[target], 0)
        total, radius, widest = sums
        radius[row_slice] = reduceat(np.add, reach * weight, starts)
        widest[row_slice] = reduceat(np.maximum, reach, starts)
        if seats is None:
            paid_to = arange(arena.seats)[None, :]
            target, seat_shift, kind, weight = (column[:, None] for column in (target, seat_shift, kind, weight))
            inner = inner[:, None]
        else:
            paid_to = repeat(seats, lengths)
        # Places in flat columns, one set for all limbs. That of an end is any: it counts nothing.
        held, paid = target * arena.seats + (paid_to - seat_shift) % arena.seats, kind * arena.seats + paid_to
        for j in range(self.point.limb_count):
            brought = self.middle[j].reshape(-1)[held]
            brought *= inner
            brought += self.pay[j].reshape(-1)[paid]
            brought *= weight
            total[j, row_slice] = reduceat(np.add, brought, starts)

    def row_values(self, rows: Ints, seats: Ints | None = None) -> tuple[Limbs, Ints]:
        """Return the values of rows, shape (limbs, rows[, seats]), and their radii, from the bounds of their targets.

        ``seats``: one seat for each row; None for all seats of every row.
        """
        total, radius, _ = self.weighted_row_sums(rows, seats)
        denominator = self.arena.denominator[rows]
        worth = self.point.divide(total, denominator if seats is not None else denominator[:, None])
        return worth, -(-radius // denominator) + 1 + self.rounded

    def row_intervals(self, rows: Ints, seats: Ints) -> Iterator[tuple[int, int]]:
        """Yield the lower and the upper bound of the value of each row for one seat, in units. ``seats``: one for each
        row.
        """
        worth, radius = self.row_values(rows, seats)
        for limbs, reach in zip(worth.T.tolist(), radius.tolist(), strict=True):
            middle = self.point.units_of_limbs(limbs)
            yield middle - reach, middle + reach

    def row_numbers(self, rows: Ints, seats: Ints) -> list[Number]:
        """Return bounds of the value of each row for one seat. ``seats``: one for each row."""
        return [Number(low * self.unit, high * self.unit) for low, high in self.row_intervals(rows, seats)]

    # --- filling

    def fill_acyclic(self, states: Ints, rows: Ints) -> None:
        """Set the bounds of states under one row each, if all targets of these rows have bounds already."""
        self.middle[:, states], self.radius[states] = self.row_values(rows)
        self.grid.fill_acyclic(states, rows, self)
        self._fill_floats(states)
        self._fill_deterministic(states, rows)

    def fill_component(self, component: Component, chosen_rows: Ints, report_share: Callable[[float], None]) -> None:
        """Set the bounds of the states of a component under one local row each. Raises Unproven if play may never leave
        it.

        ``report_share``: a function that receives the share of the work that is done.
        """
        states, rows = component.states, component.rows[chosen_rows]
        self.middle[:, states] = 0
        self.radius[states] = 0
        right, _, outer = self.weighted_row_sums(rows)  # D b: everything in the component still counts nothing
        system, floats = self._integer_system(component, chosen_rows), component.linear_system(chosen_rows)

        def enclose() -> tuple[Limbs, Ints, SlackVector]:
            return *system.refine_solution(right, self.point, report_share), system.slack_vector(self.arena.seats)

        try:
            try:
                x, error, slack = enclose()
            except Unproven:
                if not floats.raise_precision():
                    raise
                x, error, slack = enclose()
        except SingularSystem:
            raise Unproven from None
        if floats.is_low_precision:
            floats.forget_factors()  # they may be large
        widest = np.zeros(component.parts, dtype=np.int64)
        np.maximum.at(widest, component.label, outer)
        worst = np.zeros(component.parts, dtype=np.int64)
        np.maximum.at(worst, component.label, error + self.rounded)
        self.radius[states] = widest[component.label] + slack.error_bound(worst[component.label])
        self.point.carry_limbs(x)
        self.middle[:, states] = x
        self.grid.fill_component(states, rows, component.label, self)
        self._fill_floats(states)
        self._fill_deterministic(states, rows)
        self.methods[floats.method] = self.methods.get(floats.method, 0) + component.parts

    def _integer_system(self, component: Component, chosen_rows: Ints) -> IntegerSystem:
        """Return the matrix D (I - P) of a component under a policy.

        P: the transition probabilities from state to state. D: their denominators. ``chosen_rows``: the policy, one local
        row for each state.
        """
        use, count = component.taken_edges(chosen_rows), len(component.states)
        columns = component.weight[use], component.edge_states(use), component.to[use]
        seat_shift = component.seat_shift[use]
        moves = {}
        for turn in np.flatnonzero(bincount(seat_shift)).tolist():
            own = seat_shift == turn
            weight, source, target = (column[own] for column in columns)
            moves[turn] = csr_matrix((weight, (source, target)), shape=(count, count))
        return IntegerSystem(
            self.arena.denominator[component.rows[chosen_rows]], moves, component.linear_system(chosen_rows).solve
        )

    def set_bounds(self, states: Ints, lower_bounds: list[list[int]], upper_bounds: list[list[int]]) -> None:
        """Set bounds that were computed elsewhere, in units, for each state and seat.

        ``lower_bounds``, ``upper_bounds``: the lower and the upper bounds.
        """
        for state, floors, roofs in zip(states.tolist(), lower_bounds, upper_bounds, strict=True):
            middle = [(a + b) // 2 for a, b in zip(floors, roofs, strict=True)]
            self.middle[:, state] = np.array([self.point.limbs_of_units(value) for value in middle]).T
            self.radius[state] = max(max(m - a, b - m) for m, a, b in zip(middle, floors, roofs, strict=True))
        self.grid.mark_unknown(states)
        self.deterministic.mark_unknown(states)
        self._fill_floats(states)

    def set_known(self, states: Ints, known_values: KnownValues) -> None:
        """Set the bounds of states that were solved before."""
        self.middle[:, states], self.radius[states] = self.point.convert(
            known_values.middle, known_values.radius, known_values.point
        )
        self._fill_floats(states)
        if known_values.scale == self.arena.scale:
            self.grid.set_known(states, known_values.primes, known_values.exponents)
            self.deterministic.set_known(states, known_values.is_deterministic, self.values[states])

    def known_values(self, states: Ints) -> KnownValues:
        """Return the values of ``states`` in a form that can be stored."""
        primes, scale = tuple(self.grid.primes), self.arena.scale
        exponents, deterministic = self.grid.exponents[states], self.deterministic.known[states]
        return KnownValues(
            self.middle[:, states], self.radius[states], self.point, primes, exponents, scale, deterministic
        )

    def _fill_deterministic(self, states: Ints, rows: Ints) -> None:
        """Record which values do not depend on chance.

        If that holds for every seat of a state, its values are whole units of ``1 / scale``.
        """
        self.deterministic.fill_acyclic(states, rows, self.values[states])
        self.grid.exponents[states[self.deterministic.known[states].all(axis=1)]] = self.grid.end

    def _fill_floats(self, states: Ints) -> None:
        """Set the values as floats. Raises TooFineError if a later sum of these values could exceed 64 bits.

        Every limb except the first is below ``2**bits``, and ``FixedPoint.of`` leaves room for a denominator times a
        limb. The first limb is the whole part of a value, and a radius has only one limb, so these two are checked
        here.
        """
        whole = int(np.abs(self.middle[0, states]).max(initial=0)) + self.widest_pay
        if max(whole, int(self.radius[states].max(initial=0))) * self.times >> 62:
            raise TooFineError
        self.values[states] = middles = self.point.to_floats(self.middle[:, states])
        self.largest = max(self.largest, float(np.abs(middles).max(initial=0.0)))

    # --- reading

    @property
    def unit(self) -> Fraction:
        """One unit, as a fraction."""
        return Fraction(1, 1 << self.point.binary_places)

    def unit_bounds(self, state: int) -> list[tuple[int, int]]:
        """Return, for each seat, the lower and the upper bound of its value in a state, in units."""
        return _unit_bounds(self, state)

    def state_numbers(self, state: int) -> tuple[Number, ...]:
        """Return, for each seat, the bounds of its value in a state as a number."""
        return tuple(Number(low * self.unit, high * self.unit) for low, high in self.unit_bounds(state))

    def least_and_greatest_value(self) -> tuple[Number, Number]:
        """Return bounds of the least and of the greatest value of any state for any seat."""
        middles = self.middle.reshape(self.point.limb_count, -1)  # normalized, so the first limb that differs decides
        reach, found = int(self.radius.max(initial=0)), []
        for best in (np.min, np.max):
            places = arange(middles.shape[1])
            for limb in middles:
                places = places[limb[places] == best(limb[places])]
            middle, own = (
                self.point.units_of_limbs(middles[:, places[0]].tolist()),
                int(self.radius[places[0] // self.arena.seats]),
            )
            low, high = (reach, own) if best is np.min else (own, reach)
            found.append(Number((middle - low) * self.unit, (middle + high) * self.unit))
        return found[0], found[1]

    def states_with_one_value(self, states: Ints) -> Mask:
        """Return, as a mask, which states have bounds that leave only one possible value."""
        return leaves_one_multiple(
            self.radius[states], self.grid.denominator_bits(self.grid.exponents[states]), self.point.binary_places
        )

    def grid_denominator_bits(self, state: int) -> int:
        """Return the number of bits of the denominator of a state's grid: the binary places that determine its value.

        It is ``UNBOUNDED_BITS`` if the grid of the state is unknown.
        """
        return int(self.grid.denominator_bits(self.grid.exponents[state : state + 1])[0])

    def exact_value(self, state: int) -> CommonDenominator:
        """Return the exact value of a state whose bounds leave only one possible value."""
        times, places = self.grid.grid_denominator(state), self.point.binary_places
        units = self.unit_bounds(state)
        tops = [high * times >> places for _, high in units]
        assert all(low * times <= top << places for top, (low, _) in zip(tops, units, strict=True))
        return in_lowest_terms(tuple(map(fmpz, tops)), fmpz(times))

    def float_error(self, states: Ints) -> float:
        """Return a bound of the error of row values that are computed in floats from ``values``.

        ``states``: the targets of the rows. The error of a sum of n products is at most about n rounding errors of
        2^-53 of the largest possible term. ``steps`` allows for twice the length of the longest row, and for the
        conversion from limbs to floats. The second term is the error of the middles themselves.
        """
        return (
            self.steps * 2.0**-52 * (self.largest + self.scale)
            + float(self.radius[states].max(initial=0) + 2) * 2.0**-self.point.binary_places
        )


# --- components without chance


MAX_UNITS = 1 << 40  # whole numbers that floats hold, with places to spare
UNIT_TOLERANCE = 2.0**-10  # of a unit
ASSUMED_PER_BLOCK = 1 << 18  # payoffs that are looked at together


class DeterministicPayoffs:
    """Which payoffs do not depend on chance: the seats that, from a state on, receive the same in every play by the
    policy.

    It is filled from the ends of the game backwards. ``known``: a mask of these seats, shape (states, seats + 1); the
    last column is for the sum over all seats. ``units``: their payoffs, in units of ``1 / scale`` of the arena.
    """

    def __init__(self, arena: Arena) -> None:
        self.arena = arena
        most = max((abs(units) for kind in arena.payoffs for units in kind), default=0)
        self.serves = most < MAX_UNITS
        self.known = np.zeros((arena.state_count, arena.seats + 1), dtype=bool)
        self.units = np.zeros((arena.state_count, arena.seats + 1), dtype=np.int64)
        paid = np.array(arena.payoffs if self.serves else [], dtype=np.int64).reshape(-1, arena.seats)
        self.paid = np.concatenate([paid, paid.sum(axis=1, keepdims=True)], axis=1)

    def fill_acyclic(self, states: Ints, rows: Ints, values: Floats) -> None:
        """Set the columns of ``states`` under one row each.

        ``values``: the values of these states as floats, shape (states, seats).
        """
        if not self.serves:
            return
        self._assume_deterministic(states, values)
        place, column = np.nonzero(self.known[states])
        changed = True
        while changed:
            changed = False
            for first in range(0, len(place), ASSUMED_PER_BLOCK):
                block = slice(first, first + ASSUMED_PER_BLOCK)
                disproved = self._disprove(states[place[block]], rows[place[block]], column[block])
                changed |= disproved and len(place) > ASSUMED_PER_BLOCK  # one block alone is done at once

    def _disprove(self, states: Ints, rows: Ints, seat_columns: Ints) -> bool:
        """Mark payoffs as depending on chance where targets are paid differently, until nothing changes in these states.

        ``states``, ``rows``, ``seat_columns``: the states, the row of each, and a seat of each, as for
        ``row_payoff_units``. Returns whether any were marked.
        """
        arena, columns = self.arena, self.known.shape[1]
        known, units = self.known.reshape(-1), self.units.reshape(-1)
        places = states * columns + seat_columns
        known_count = np.count_nonzero(known[places])
        edges, lengths = arena.edges_of(rows)
        source, own, target = repeat(places, lengths), repeat(seat_columns, lengths), arena.target[edges]
        to = np.where(target >= 0, target * columns + self._seat_columns_at_targets(own, edges), -1)
        after = np.where(to >= 0, units[to], 0)
        known[source[self.paid[arena.payoff[edges], own] + after != units[source]]] = False
        source, to = source[to >= 0], to[to >= 0]
        while True:
            stays = known[source]
            source, to = source[stays], to[stays]
            lost = source[~known[to]]
            if not len(lost):
                return bool(np.count_nonzero(known[places]) < known_count)
            known[lost] = False

    def set_known(self, states: Ints, is_known: Mask, values: Floats) -> None:
        """Set states that were solved before. ``is_known``: their mask. ``values``: their values as floats."""
        if self.serves:
            self._assume_deterministic(states, values)
            self.known[states] &= is_known

    def mark_unknown(self, states: Ints) -> None:
        """Mark the payoffs of ``states`` as depending on chance."""
        self.known[states] = False

    def row_payoff_units(self, rows: Ints, seat_columns: Ints) -> tuple[Mask, Ints]:
        """Return, as a mask, which rows pay the same in every play by the policy after them, and the units that they
        pay.

        ``seat_columns``: for each row, the seat that is paid, or the number of seats for the sum over all seats.
        """
        arena = self.arena
        if not self.serves:
            return np.zeros(len(rows), dtype=bool), np.zeros(len(rows), dtype=np.int64)
        edges, lengths = arena.edges_of(rows)
        own, target = repeat(seat_columns, lengths), arena.target[edges]
        column, inner = self._seat_columns_at_targets(own, edges), target >= 0
        units = self.paid[arena.payoff[edges], own] + np.where(inner, self.units[target, column], 0)
        first = cumsum(lengths) - lengths
        alike = (~inner | self.known[target, column]) & (units == repeat(units[first], lengths))
        return reduceat(np.logical_and, alike, first), units[first]

    def _seat_columns_at_targets(self, seat_columns: Ints, edges: Ints) -> Ints:
        """Return ``seat_columns`` as counted from the movers of the targets of transitions; the column for all seats stays
        the same.
        """
        seats = self.arena.seats
        turned: Ints = np.where(seat_columns == seats, seats, (seat_columns - self.arena.seat_shift[edges]) % seats)
        return turned

    def _assume_deterministic(self, states: Ints, values: Floats) -> None:
        """Assume that every value that is nearly a whole number of units does not depend on chance."""
        units = np.concatenate([values, values.sum(axis=1, keepdims=True)], axis=1) * self.arena.scale
        whole = np.rint(units)
        nearly = (np.abs(units - whole) < UNIT_TOLERANCE) & (np.abs(whole) < MAX_UNITS)
        self.known[states] = nearly
        self.units[states] = np.where(nearly, whole, 0.0).astype(np.int64)
