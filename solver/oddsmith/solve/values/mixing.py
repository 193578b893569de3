"""Mixed play: if sweeps of best responses cycle, some states mix rows that are equally good for the mover.

Floats propose the mixtures of some states and the pure rows of all others (``solve.arenas``). This module proves that
probabilities near the proposed ones make the mover indifferent between the mixed rows, and encloses these probabilities
and every value.

*Reducing to the states that mix.* Let some states mix, let n be the number of seats, and let every other state take one
row. From a row, play comes after some steps to a mixing state, or leaves the component. So the value of the row to each
seat is K y + g. Here y are the values of the mixing states, K are the expected arrivals there (by state and by seat
shift on the way), and g is the expected payoff on the way plus the value outside. K is found in fractions. g is
computed once from the lower and once from the upper bounds outside, which encloses it, because no arrival counts less
than 0.

*The values for every p in a box.* Each mixing state has a last row, and p holds the probabilities of all its other
rows. Let dK and dg be the differences between another row and the last row of its state. Then y = K y + g + sum of p
(dK y + dg), with K and g of the last rows. Ball arithmetic (FLINT's ``arb``) solves that for the whole box (an interval
for each probability) in place of p. If the system has no unique solution for all of the box, nothing is proved. If it
has one, play certainly leaves the component: otherwise 1 would be an eigenvalue of the transition probabilities.

*A root in the box.* Let D(p) be, for each other row, the difference between its value to the mover and that of the last
row of its state. A root of D is wanted. Its derivatives follow from those of y, by the same system. Let p' be the
middle of a box X, let Y be nearly the inverse of the derivatives there, and let J enclose the derivatives on all of X.
If p' - Y D(p') + (1 - Y J) (X - p') lies within the interior of X, there is exactly one root in X, and it lies in that
set (Krawczyk 1969). Numbers that are known only between bounds, such as g, may have any value between them: this holds
for each such value. If all probabilities in X are above 0, and so are the remaining probabilities of the last rows, the
mixture exists. Its probabilities are algebraic numbers, and are never computed exactly.

All other states are then checked like any pure decision. The mixing states are checked for a further action that may be
better.

If the chances are known already, for example if something is counted along such play, one box holds them, and the same
system bounds the values.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate
from typing import Any

import numpy as np
from flint import arb, arb_mat, ctx, fmpq, fmpz

from oddsmith.base.arrays import Ints
from oddsmith.base.exact import Number
from oddsmith.solve.arenas.arena import Arena
from oddsmith.solve.arenas.component import Component, LocalMixtures, PolicyCandidate
from oddsmith.solve.numbers import CommonDenominator, FractionTooLong, ball_end
from oddsmith.solve.values.bounds import ProvenBounds
from oddsmith.solve.values.fractions import ExactRow, ExactValues

TIME_LIMIT = 60.0  # estimated seconds that fractions may take where play ends too rarely for floats
MAX_NEWTON_STEPS = 40  # steps to a root at most; each should double the digits
MAX_BOXES = 8  # boxes that are tried, each about twice as wide as the one before
GUARD_BITS = 64  # that balls have beyond the places of the bounds
MAX_SUM_WIDTH = 1 << 60
"""The most units that sums of a row may lie apart. Where play lasts long, the probability hardly fixes them."""


Units = list[list[int]]
"""For each state, in order, and for each seat: a whole number of units of the bounds."""


class BoundsTooWide(FractionTooLong):
    """Raised if chances are not known well enough for values of this precision, or to prove that play ends."""


@dataclass(frozen=True, slots=True)
class Mixture:
    """A mixed action: two or more rows, ascending, each with its proven chance.

    The middles of the chances add up to 1.
    """

    row_probabilities: Mapping[int, Number]

    @property
    def rows(self) -> tuple[int, ...]:
        """The rows, ascending."""
        return tuple(self.row_probabilities)

    @property
    def rows_by_probability(self) -> list[int]:
        """The rows in descending order of chance; equally likely rows keep their order."""
        return sorted(self.row_probabilities, key=lambda row: -self.row_probabilities[row].middle)

    def row_at_quantile(self, quantile: float) -> int:
        """Return the row that ``quantile``, a number from 0 to 1, selects by the cumulative chances of the rows."""
        ends = accumulate(map(float, self.row_probabilities.values()))
        return next((row for row, end in zip(self.rows, ends, strict=True) if quantile < end), self.rows[-1])

    def with_renumbered_rows(self, new_row: Callable[[int], int]) -> Mixture:
        """Return the mixture with new row numbers. ``new_row``: a function from old row numbers to new ones."""
        return Mixture(dict(sorted((new_row(row), chance) for row, chance in self.row_probabilities.items())))


def mixed_rows(mixtures: Mapping[int, Mixture]) -> list[int]:
    """Return the rows of all mixtures, state by state."""
    return [row for mixture in mixtures.values() for row in mixture.rows]


@dataclass(frozen=True, slots=True)
class MixedComponent:
    """A component in which some states mix.

    ``mixtures``: the mixed action of each mixing state. ``chosen_rows``: the row of every state; it counts only for states
    that do not mix. ``lower_bounds``, ``upper_bounds``: bounds of every value.
    """

    mixtures: Mapping[int, Mixture]
    chosen_rows: Ints
    lower_bounds: Units
    upper_bounds: Units


def prove_mixture(
    arena: Arena, bounds: ProvenBounds, component: Component, candidate: PolicyCandidate
) -> MixedComponent | None:
    """Return the proved mixtures near a candidate, with bounds of all values; None if they are not proved to exist."""
    try:
        with ctx.workprec(bounds.point.binary_places + GUARD_BITS):
            return _MixingSystem(arena, bounds, component, candidate).prove_mixtures()
    except (FractionTooLong, ZeroDivisionError):  # a system without a unique solution for all of the box
        return None


def local_mixtures(component: Component, mixtures: Mapping[int, Mixture]) -> LocalMixtures:
    """Return mixtures keyed by local states and local rows, with chances as floats."""
    return {
        int(np.searchsorted(component.states, state)): {
            int(np.searchsorted(component.rows, row)): float(chance) for row, chance in each.row_probabilities.items()
        }
        for state, each in sorted(mixtures.items())
    }


def mixed_bounds(
    arena: Arena, bounds: ProvenBounds, component: Component, chosen_rows: Ints, mixtures: Mapping[int, Mixture]
) -> tuple[Units, Units]:
    """Return lower and upper bounds of all values of a component, in units, under mixtures with known chances.

    ``chosen_rows``: the local rows of all states. ``mixtures``: by state of the arena. Raises BoundsTooWide, FractionTooLong.
    """
    guess = PolicyCandidate(chosen_rows, local_mixtures(component, mixtures))
    try:
        with ctx.workprec(bounds.point.binary_places + GUARD_BITS):
            mixing = _MixingSystem(arena, bounds, component, guess)
            known = [mixtures[mixing.states[place]].row_probabilities[row] for place, row in mixing.free]
            return mixing.bounds_with([_ball_around(chance) for chance in known])
    except ZeroDivisionError:
        raise BoundsTooWide from None


def bounds_by_fractions(
    arena: Arena, bounds: ProvenBounds, component: Component, chosen_rows: Ints
) -> tuple[Units, Units]:
    """Return lower and upper bounds of all values of a component under a policy, in units, by elimination in fractions.

    It serves if play ends too rarely for floats. ``chosen_rows``: the local rows of all states, by which play must end.
    Raises FractionTooLong.
    """
    rows, states = arena.state_rows[:-1].copy(), component.states.tolist()  # of which only the component's are meant
    rows[component.states] = component.rows[chosen_rows]
    walks = [_ValuesWithGivenStates(arena, rows, held, True) for held in _outside_bounds(arena, bounds, component)]
    for walk in walks:
        walk.compute_values(states, TIME_LIMIT)
    low, high = (
        _rounded_values(walk, states, 1 << bounds.point.binary_places, side) for side, walk in enumerate(walks)
    )
    return low, high


def _outside_bounds(arena: Arena, bounds: ProvenBounds, component: Component) -> list[dict[int, CommonDenominator]]:
    """Return the lower bounds, and the upper bounds, of all states outside that a component leads to."""
    edges, _ = arena.edges_of(component.rows)
    outside = set(arena.target[edges].tolist()) - set(component.states.tolist()) - {-1}
    units, one = {state: bounds.unit_bounds(state) for state in outside}, fmpz(1) << bounds.point.binary_places
    return [
        {state: CommonDenominator(tuple(fmpz(pair[side]) for pair in pairs), one) for state, pairs in units.items()}
        for side in (0, 1)
    ]


def _rounded_values(exact_values: ExactValues, states: Sequence[int], units_in_one: int, side: int) -> Units:
    """Return the values of ``states`` in units of ``1 / units_in_one``, rounded down (``side`` 0) or up (1).

    ``exact_values``: their exact values.
    """
    seats = range(exact_values.arena.seats)
    return [
        [_round_down_or_up(exact_values.known[state].fraction(seat) * units_in_one, side) for seat in seats]
        for state in states
    ]


class _ValuesWithGivenStates(ExactValues):
    """Exact values of an arena in which the values of some states are given.

    ``counts_payoffs``: whether payoffs on the way to these states count.
    """

    def __init__(
        self, arena: Arena, rows: Ints, given_values: Mapping[int, CommonDenominator], counts_payoffs: bool
    ) -> None:
        super().__init__(arena, rows)
        self.paying = counts_payoffs
        self.set_values(given_values)

    def _exact_row(self, row: int) -> ExactRow:
        kernel, paid = super()._exact_row(row)
        return kernel, paid if self.paying else [fmpq(0)] * self.arena.seats


class _MixingSystem:
    """The linear system of a component, reduced to the states that mix. Matrices have one row for each such state and
    seat.
    """

    def __init__(self, arena: Arena, bounds: ProvenBounds, component: Component, candidate: PolicyCandidate) -> None:
        self.arena, self.component, self.guess = arena, component, candidate
        self.rows = arena.state_rows[:-1].copy()  # of which only the component's are meant
        self.rows[component.states] = component.rows[candidate.chosen_rows]
        self.states = [int(component.states[local]) for local in candidate.mixtures]
        self.mixed = [{int(component.rows[row]): p for row, p in mix.items()} for mix in candidate.mixtures.values()]
        self.last = [max(mix) for mix in self.mixed]
        self.free = [(place, row) for place, mix in enumerate(self.mixed) for row in mix if row != self.last[place]]
        self.one, self.widest = fmpz(1) << bounds.point.binary_places, MAX_SUM_WIDTH // bounds.times
        self.outside = _outside_bounds(arena, bounds, component)
        self.size = len(self.states) * arena.seats
        self.movers = [
            at * arena.seats + int(arena.mover[self.states[place]]) for at, (place, _) in enumerate(self.free)
        ]
        arrivals, brought = self._expected_arrivals(), self._constant_balls()
        rows, others = [row for _, row in self.free], [self.last[place] for place, _ in self.free]
        self.kernel, self.brought = _stack_row_matrices(arrivals, self.last), _stack_row_matrices(brought, self.last)
        self.kernels = _stack_row_matrices(arrivals, rows) - _stack_row_matrices(arrivals, others)
        self.more = _stack_row_matrices(brought, rows) - _stack_row_matrices(brought, others)

    def _as_common_denominator(self, units: Sequence[int]) -> CommonDenominator:
        return CommonDenominator(tuple(map(fmpz, units)), self.one)

    def _values_given_mixing(
        self, mixing_values: Mapping[int, CommonDenominator], side: int | None
    ) -> _ValuesWithGivenStates:
        """Return exact values for which the values of the mixing states are given.

        ``mixing_values``: the given values; 0 for states that are missing. ``side``: whether states outside have their lower
        (0) or upper (1) bounds; None to count arrivals and no payoffs.
        """
        nothing = self._as_common_denominator([0] * self.arena.seats)
        outside = dict.fromkeys(self.outside[0], nothing) if side is None else self.outside[side]
        held = {**outside, **dict.fromkeys(self.states, nothing), **mixing_values}
        return _ValuesWithGivenStates(self.arena, self.rows, held, side is not None)

    def _expected_arrivals(self) -> dict[int, list[list[fmpq]]]:
        """Return the expected arrivals from each mixed row at the mixing states: K of the module's docstring.

        There is one line for each seat, with an entry for each mixing state and seat there.
        """
        n = self.arena.seats
        found = {row: [[fmpq(0)] * self.size for _ in range(n)] for mix in self.mixed for row in mix}
        once = CommonDenominator((self.one, *[fmpz(0)] * (n - 1)), self.one)
        for to, state in enumerate(self.states):
            walk = self._values_given_mixing({state: once}, None)
            for row, lines in found.items():
                arriving = walk.row_values(row)
                for seat in range(n):
                    for turned in range(n):
                        lines[seat][to * n + (seat - turned) % n] = fmpq(
                            arriving.numerators[turned], arriving.denominator
                        )
        return found

    def _constant_balls(self) -> dict[int, list[list[arb]]]:
        """Return, for each mixed row, its expected payoff before play meets a mixing state, with the values outside.

        This is g of the module's docstring: a list of one ball for each seat.
        """
        walks = [self._values_given_mixing({}, side) for side in (0, 1)]
        ends = {row: [walk.row_values(row) for walk in walks] for mix in self.mixed for row in mix}
        return {
            row: [
                [
                    arb(fmpq(low.numerators[seat], low.denominator)).union(
                        arb(fmpq(high.numerators[seat], high.denominator))
                    )
                ]
                for seat in range(self.arena.seats)
            ]
            for row, (low, high) in ends.items()
        }

    def values_and_gaps(self, probabilities: Sequence[arb]) -> tuple[arb_mat, arb_mat, arb_mat]:
        """Return the values of the mixing states, the gaps D, and the derivatives of D, for given chances.

        A gap is how much more a mixed row is worth to its mover than the last mixed row of its state.
        ``probabilities``: the chance of every mixed row except the last of each state. Raises ZeroDivisionError if the
        values may not be unique.
        """
        n, size, many = self.arena.seats, self.size, len(probabilities)
        share = arb_mat(size, many * n)  # of what a row brings each seat more than the last of its state
        for at, (place, _) in enumerate(self.free):
            for seat in range(n):
                share[place * n + seat, at * n + seat] = probabilities[at]
        system = arb_mat(size, size, 1) - self.kernel - share * self.kernels
        values = system.solve(self.brought + share * self.more)
        differ = self.kernels * values + self.more
        moved = arb_mat(size, many)
        for at, (place, _) in enumerate(self.free):
            for seat in range(n):
                moved[place * n + seat, at] = differ[at * n + seat, 0]
        slopes = self.kernels * system.solve(moved)
        return (
            values,
            arb_mat([[differ[line, 0]] for line in self.movers]),
            arb_mat([[slopes[line, column] for column in range(many)] for line in self.movers]),
        )

    def mixed_row_probabilities(self, probabilities: Sequence[arb]) -> list[dict[int, arb]]:
        """Return the chance of every mixed row, state by state; the last row of a state has the remaining chance."""
        chances: list[dict[int, arb]] = [{} for _ in self.mixed]
        for (place, row), chance in zip(self.free, probabilities, strict=True):
            chances[place][row] = chance
        for shares, last in zip(chances, self.last, strict=True):
            shares[last] = 1 - sum(shares.values(), arb(0))
        return chances

    def are_probabilities_positive(self, probabilities: Sequence[arb]) -> bool:
        """Return whether all chances are certainly above 0."""
        return all(chance > 0 for shares in self.mixed_row_probabilities(probabilities) for chance in shares.values())

    def proven_root(self) -> list[arb] | None:
        """Return intervals of the probabilities that together contain exactly one root; None if that is not proved."""
        middle = [arb(self.mixed[place][row]) for place, row in self.free]
        for _ in range(MAX_NEWTON_STEPS):
            _, differ, slopes = self.values_and_gaps(middle)
            step = slopes.solve(differ)
            if all(value.contains(0) for value in step.entries()):
                break
            middle = [(p - s).mid() for p, s in zip(middle, step.entries(), strict=True)]
            if not self.are_probabilities_positive(middle):
                return None
        _, differ, slopes = self.values_and_gaps(middle)
        inverse, many = slopes.mid().inv().mid(), len(middle)
        start = [p - s for p, s in zip(middle, (inverse * differ).entries(), strict=True)]
        reached = start
        for _ in range(MAX_BOXES):
            box = [
                arb(p, 2 * (near - p).abs_upper() + arb(2) ** -ctx.prec)
                for p, near in zip(middle, reached, strict=True)
            ]
            rest = arb_mat(many, many, 1) - inverse * self.values_and_gaps(box)[2]
            wide = rest * arb_mat([[x - p] for x, p in zip(box, middle, strict=True)])
            reached = [a + b for a, b in zip(start, wide.entries(), strict=True)]
            if all(x.contains_interior(near) for x, near in zip(box, reached, strict=True)):
                return reached
        return None

    def bounds_with(self, probability_balls: Sequence[arb]) -> tuple[Units, Units]:
        """Return lower and upper bounds of all values that hold for all probabilities in the intervals ``probability_balls``.

        Raises BoundsTooWide if the bounds are too far apart.
        """
        values, n, states = (
            self.values_and_gaps(probability_balls)[0].entries(),
            self.arena.seats,
            self.component.states.tolist(),
        )
        bounds = list[Units]()
        for side in (0, 1):
            units = [_ball_end_in_units(value, side, int(self.one)) for value in values]
            held = {
                state: self._as_common_denominator(units[place * n : place * n + n])
                for place, state in enumerate(self.states)
            }
            walk = self._values_given_mixing(held, side)
            walk.compute_values(states)
            bounds.append(_rounded_values(walk, states, int(self.one), side))
        low, high = bounds
        ends = (pair for floors, roofs in zip(low, high, strict=True) for pair in zip(floors, roofs, strict=True))
        if max(b - a for a, b in ends) > self.widest:
            raise BoundsTooWide
        return low, high

    def prove_mixtures(self) -> MixedComponent | None:
        """Return the mixtures and bounds of all values; None if no root is proved."""
        boxes = self.proven_root()
        if boxes is None or not self.are_probabilities_positive(boxes):
            return None
        bounds = self.bounds_with(boxes)
        numbers: list[dict[int, Number]] = [{} for _ in self.states]
        for (place, row), box in zip(self.free, boxes, strict=True):
            numbers[place][row] = Number(ball_end(box, 0), ball_end(box, 1))
        for chances, last in zip(numbers, self.last, strict=True):
            chances[last] = 1 - sum(chances.values(), Number.of(0))
        mixtures = {state: Mixture(dict(sorted(own.items()))) for state, own in zip(self.states, numbers, strict=True)}
        return MixedComponent(mixtures, self.component.rows[self.guess.chosen_rows], *bounds)


def _stack_row_matrices(row_matrices: Mapping[int, list[list[Any]]], rows: Sequence[int]) -> arb_mat:
    """Return a matrix of the lines of ``rows``, one row after another."""
    return arb_mat([line for row in rows for line in row_matrices[row]])


def _ball_around(number: Number) -> arb:
    """Return a ball that contains a number, which is known between two fractions."""
    low, high = (arb(fmpq(end.numerator, end.denominator)) for end in (number.lower, number.upper))
    return low.union(high)


def _round_down_or_up(value: Fraction, side: int) -> int:
    """Return a value rounded down (``side`` 0) or up (1) to a whole number."""
    return -int(-value // 1) if side else int(value // 1)


def _ball_end_in_units(ball: arb, side: int, units_in_one: int) -> int:
    return _round_down_or_up(ball_end(ball, side) * units_in_one, side)
