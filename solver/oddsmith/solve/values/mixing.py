"""Mixed play of one state: where no pure equilibrium exists, the mover mixes two actions so that both are worth the same.

Let state m take row 1 with probability p, else row 2, all other states being as they are. By Cramer's rule values are
rational functions of p, continuous where play ends; so is the difference of what the two rows are worth to the mover, play
going on so. In equilibrium it is 0. Floats find about where. Then two rationals p1 < p2 are found at which the difference has
opposite signs for certain: values in fractions, once from the lower and once from the upper bounds of what lies outside. By
the intermediate value theorem there is a root between. It is an algebraic number and is never computed, only enclosed.

*Values for every p between.* With Q1, Q2 what the rows are worth at p1, and N(p) the expected visits to m from m, moving p1 by
w changes the value of a state by w (Q1 - Q2) times the visits to m from it, which are at most N(p). N(p) is 1 over 1 - the
chance to return, which is linear in p, so N is at most its larger value at the two ends. Hence every value at the root
lies within (p2 - p1) abs(Q1 - Q2) max(N(p1), N(p2)) of the bounds at p1. The bracket is so small that some 70 digits stand.
All other states are then checked like any pure decision, and the mixing state for a third action that may be better.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from flint import fmpq, fmpz

from oddsmith.arrays import Ints
from oddsmith.exact import Number
from oddsmith.solve.numbers import Shared
from oddsmith.solve.systems import Singular
from oddsmith.solve.values.arena import Arena
from oddsmith.solve.values.bounds import ProvenBounds
from oddsmith.solve.values.component import Component
from oddsmith.solve.values.exactly import ExactValues, Kernel
from oddsmith.solve.values.search import NoPureEquilibrium, sweeps

STEPS = 60  # of the bisection in floats
WIDEST = 1 << 62  # units that values may lie apart where play lasts so long that the probability hardly fixes them
GUARD_BITS = 24  # by which the final bracket of the probability is wider than a unit


@dataclass(frozen=True, slots=True)
class Mixture:
    """Two rows of an arena state and the proven probability of the first."""

    rows: tuple[int, int]
    first: Number


@dataclass(frozen=True, slots=True)
class Mixed:
    """A component solved by mixing in one state: the rows of all others, and bounds of every value."""

    state: int
    mixture: Mixture
    rows: Ints
    low: list[list[int]]
    high: list[list[int]]


class _Mixing(ExactValues):
    """Values of a component when one state mixes two rows; what lies outside comes from the bounds."""

    def __init__(self, arena: Arena, rows: Ints, state: int, pair: tuple[int, int], p: Fraction) -> None:
        super().__init__(arena, rows)
        self.state, self.pair, self.p = state, pair, fmpq(p.numerator, p.denominator)

    def pure_row(self, row: int) -> tuple[Kernel, list[fmpq]]:
        """A row as it stands in the arena."""
        return super()._row(row)

    def _row(self, row: int) -> tuple[Kernel, list[fmpq]]:
        if row != int(self.rows[self.state]):
            return super()._row(row)
        kernel: Kernel = {}
        paid = [fmpq(0)] * self.arena.seats
        for number, times in zip(self.pair, (self.p, 1 - self.p), strict=True):
            arrivals, pays = super()._row(number)
            for key, share in arrivals.items():
                kernel[key] = kernel.get(key, fmpq(0)) + times * share
            paid = [old + times * new for old, new in zip(paid, pays, strict=True)]
        return kernel, paid

    def _taken(self, states: Ints) -> tuple[Ints, Ints]:
        pure, rows = super()._taken(states[states != self.state])
        if len(pure) == len(states):
            return pure, rows
        return np.append(pure, (self.state, self.state)), np.append(rows, self.pair)


def find_mixture(arena: Arena, bounds: ProvenBounds, component: Component, none: NoPureEquilibrium) -> Mixed | None:
    """A mixed equilibrium of a component in which one of the cycling states mixes two actions; None if there is none."""
    for local in none.states.tolist():
        rows = range(int(component.first_row[local]), int(component.first_row[local + 1]))
        for a in rows:
            for b in rows[rows.index(a) + 1 :]:
                mixed = _try(arena, bounds, component, local, (a, b), none.chosen)
                if mixed is not None:
                    return mixed
    return None


def _try(
    arena: Arena, bounds: ProvenBounds, component: Component, local: int, pair: tuple[int, int], chosen: Ints
) -> Mixed | None:
    guess = _bisect(component, local, pair, chosen)
    if guess is None:
        return None
    near, others = guess
    state = int(component.states[local])
    rows = _whole(arena, component, others)
    own = (int(component.rows[pair[0]]), int(component.rows[pair[1]]))
    game = _Bracket(arena, bounds, component, rows, state, own)
    bracket = game.close(Fraction(near))
    if bracket is None:
        return None
    low, high = game.values(*bracket)
    if max(b - a for floors, roofs in zip(low, high, strict=True) for a, b in zip(floors, roofs, strict=True)) > WIDEST:
        return None
    return Mixed(state, Mixture(own, Number(*bracket)), component.rows[others], low, high)


def _whole(arena: Arena, component: Component, others: Ints) -> Ints:
    """Rows of the whole arena of which only the component's are meant."""
    rows = arena.state_rows[:-1].copy()
    rows[component.states] = component.rows[others]
    return rows


def _bisect(component: Component, local: int, pair: tuple[int, int], chosen: Ints) -> tuple[float, Ints] | None:
    """The probability of the first row at which both are worth the same, in floats, and the others' best rows there."""
    low, high, others = 0.0, 1.0, chosen
    for _ in range(STEPS):
        p = (low + high) / 2
        try:
            with component.mixed(local, pair, p):
                others, values = sweeps(component, others, frozen=local)
                worth = component.action_values(values)
        except (NoPureEquilibrium, Singular):  # so play may never end, whatever the probability
            return None
        if worth[pair[0]] > worth[pair[1]]:
            low = p
        else:
            high = p
    return ((low + high) / 2, others) if low > 0 and high < 1 else None


class _Bracket:
    """The difference of two rows of one state as a function of the probability of the first, with certain signs."""

    def __init__(
        self,
        arena: Arena,
        bounds: ProvenBounds,
        component: Component,
        rows: Ints,
        state: int,
        pair: tuple[int, int],
    ) -> None:
        self.arena, self.component, self.rows, self.state, self.pair = arena, component, rows, state, pair
        own = set(component.states.tolist())
        edges = [
            edge for row in component.rows for edge in range(int(arena.row_edges[row]), int(arena.row_edges[row + 1]))
        ]
        outside = {int(arena.target[edge]) for edge in edges} - own - {-1}
        self.places = bounds.point.places
        one = fmpz(1) << self.places
        held = {s: bounds.units(s) for s in outside}
        self.known = [
            {s: Shared(tuple(fmpz(pair[side]) for pair in pairs), one) for s, pairs in held.items()} for side in (0, 1)
        ]

    def at(self, p: Fraction, side: int) -> _Mixing:
        """Values for a probability, from the lower (0) or upper (1) bounds of what lies outside."""
        values = _Mixing(self.arena, self.rows, self.state, self.pair, p)
        values.hold(self.known[side])
        return values

    def sign(self, p: Fraction) -> int:
        """1 where the first row is better for certain, -1 where the second is, 0 where the bounds leave it open."""
        seat = int(self.arena.mover[self.state])
        low, high = self.at(p, 0), self.at(p, 1)
        worth = [(_plain(low, row, seat), _plain(high, row, seat)) for row in self.pair]
        if self.arena.sign < 0:
            worth = [(-b, -a) for a, b in worth]
        return (worth[0][0] > worth[1][1]) - (worth[1][0] > worth[0][1])

    def close(self, near: Fraction) -> tuple[Fraction, Fraction] | None:
        """Two probabilities around the root, as close as the bounds allow."""
        step = Fraction(1, 1 << 36)
        low, high = near - step, near + step
        if low <= 0 or high >= 1 or self.sign(low) <= 0 or self.sign(high) >= 0:
            return None
        while high - low > Fraction(1 << GUARD_BITS, 1 << self.places):
            middle = (low + high) / 2
            sign = self.sign(middle)
            if sign == 0:
                break
            low, high = (middle, high) if sign > 0 else (low, middle)
        return low, high

    def values(self, low: Fraction, high: Fraction) -> tuple[list[list[int]], list[list[int]]]:
        """Bounds of all states of the component for every probability between, in units of the fixed point, per seat."""
        states = [int(state) for state in self.component.states]
        below, above = self.at(low, 0), self.at(low, 1)
        below.ensure(states)
        above.ensure(states)
        seats = range(self.arena.seats)
        differ = max(abs(_plain(above, self.pair[0], s) - _plain(below, self.pair[1], s)) for s in seats)
        differ = max(differ, *(abs(_plain(below, self.pair[0], s) - _plain(above, self.pair[1], s)) for s in seats))
        reach = (high - low) * differ * max(self.visits(low), self.visits(high))
        one = 1 << self.places
        floors = [[int((below.known[s].fraction(k) - reach) * one // 1) for k in seats] for s in states]
        roofs = [[-int(-(above.known[s].fraction(k) + reach) * one // 1) for k in seats] for s in states]
        return floors, roofs

    def visits(self, p: Fraction) -> Fraction:
        """Expected visits to the mixing state, from it, before the component is left."""
        nothing = Shared((fmpz(0),) * self.arena.seats, fmpz(1))
        counting = _Counting(self.arena, self.rows, self.state, self.pair, p)
        counting.hold(dict.fromkeys(self.known[0], nothing))
        return counting.value(self.state)[0]


class _Counting(_Mixing):
    """Pays 1 to everybody for every visit to the mixing state, and nothing else."""

    def _row(self, row: int) -> tuple[Kernel, list[fmpq]]:
        kernel, _ = super()._row(row)
        visits = row == int(self.rows[self.state])
        return kernel, [fmpq(int(visits))] * self.arena.seats


def _plain(values: _Mixing, row: int, seat: int) -> Fraction:
    """What a pure row is worth to a seat."""
    targets = [int(t) for t in values.arena.target[values.edges(row)] if t >= 0]
    values.ensure(targets)
    return values.combine(values.pure_row(row)).fraction(seat)
