"""Proven bounds at any precision: whole numbers in units of 2^-bits, below and above the true value of every state.

A component is solved in floats and refined by exact residuals (iterative refinement; Wan 2006 for the exact use of it).
A slack vector d > 0 with d - P d >= 1/2, checked in integers, then proves that play leaves the component and bounds the
error of every value by ``2 * d * max|residual|``.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csc_matrix, identity
from scipy.sparse.linalg import splu

from oddsmith.exact import Number
from oddsmith.solve.arena import Arena, Floats, Ints, ranges

BITS = 256  # of the fixed point: some 77 decimal digits
SLACK_BITS = 24
DENSE = 300
Objects = NDArray[np.object_]


class UnprovenError(Exception):
    """No slack vector was found: play may never leave the component of these states."""


class Bounds:
    """Lower and upper values of all states of an arena under its policy, filled from the last states to the first."""

    def __init__(self, arena: Arena) -> None:
        self.arena = arena
        shape = (arena.states, arena.seats)
        self.low: Objects = np.zeros(shape, dtype=object)
        self.high: Objects = np.zeros(shape, dtype=object)

    @cached_property
    def pay(self) -> tuple[Objects, Objects]:
        """Payoffs in units of 2^-bits, rounded down and up."""
        scale = self.arena.scale
        low = [[(units << BITS) // scale for units in kind] for kind in self.arena.payoffs]
        high = [[-((-units << BITS) // scale) for units in kind] for kind in self.arena.payoffs]
        return np.array(low, dtype=object), np.array(high, dtype=object)

    def floats(self, states: Ints) -> Floats:
        """The middle of the bounds, as floats: to propose with."""
        middle = (self.low[states] + self.high[states]) >> 1
        return np.array([[int(v >> (BITS - 80)) * 2.0**-80 for v in row] for row in middle], dtype=float)

    def rows(self, rows: Ints, seats: Ints | None = None) -> tuple[Objects, Objects]:
        """What rows are worth by the bounds of their targets: shape (rows,) for one seat each, (rows, seats) for all."""
        arena = self.arena
        lengths = arena.row_edges[rows + 1] - arena.row_edges[rows]
        edges = ranges(arena.row_edges[rows], lengths)
        starts = np.concatenate([[0], np.cumsum(lengths)[:-1]])
        target, by, kind = arena.target[edges], arena.by[edges], arena.payoff[edges]
        weight = arena.weight[edges].astype(object)
        denominator = arena.denominator[rows].astype(object)
        if seats is None:
            every = np.arange(arena.seats)[None, :]
            where, seat = target[:, None], (every - by[:, None]) % arena.seats
            weight, denominator, kinds, mine = weight[:, None], denominator[:, None], kind[:, None], every
        else:
            own = np.repeat(seats, lengths)
            where, seat, kinds, mine = target, (own - by) % arena.seats, kind, own
        inner = where >= 0
        low = np.where(inner, self.low[where, seat], 0) + self.pay[0][kinds, mine]
        high = np.where(inner, self.high[where, seat], 0) + self.pay[1][kinds, mine]
        below = np.add.reduceat(low * weight, starts) // denominator
        above = -(-np.add.reduceat(high * weight, starts) // denominator)
        return below, above

    def fill(self, states: Ints, rows: Ints) -> None:
        """Set states whose rows lead only to states that are filled already."""
        self.low[states], self.high[states] = self.rows(rows)

    def fill_component(self, states: Ints, rows: Ints) -> None:
        """Set the states of a component under one row each. UnprovenError where play may never leave it."""
        arena = self.arena
        system = _System(arena, states, rows)
        quiet = np.setdiff1d(np.arange(len(states)), system.active)
        if len(quiet):
            self.fill(states[quiet], rows[quiet])
        if len(system.active):
            active, chosen = states[system.active], rows[system.active]
            self.low[active] = self.high[active] = 0
            low, high = self.rows(chosen)  # the constants: everything in the component still counts nothing
            x, error = system.refine(low)
            wide = int((high - low).max()) + 1
            slack = system.slack()
            reach = np.array([-(-2 * d * (error + wide) >> SLACK_BITS) for d in slack], dtype=object)[:, None]
            self.low[active], self.high[active] = x - reach, x + reach

    def numbers(self, state: int) -> tuple[Number, ...]:
        """The bounds of a state as numbers, per seat."""
        pairs = zip(self.low[state], self.high[state], strict=True)
        return tuple(Number(Fraction(low, 1 << BITS), Fraction(high, 1 << BITS)) for low, high in pairs)

    @property
    def width(self) -> int:
        """The widest bounds, in units of 2^-bits."""
        return int((self.high - self.low).max(initial=0))


class _System:
    """x = P x + b on the states of a component that stay in it for a step under their rows."""

    def __init__(self, arena: Arena, states: Ints, rows: Ints) -> None:
        self.seats = arena.seats
        lengths = arena.row_edges[rows + 1] - arena.row_edges[rows]
        edges = ranges(arena.row_edges[rows], lengths)
        source = np.repeat(np.arange(len(states)), lengths)
        target = arena.target[edges]
        place = np.searchsorted(states, target)
        inside = (target >= 0) & (states[np.minimum(place, len(states) - 1)] == target)
        self.active = np.unique(source[inside])
        number = np.full(len(states), -1)
        number[self.active] = np.arange(len(self.active))
        both = inside.copy()
        both[inside] = number[place[inside]] >= 0
        self.quiet_edges = inside & ~both
        self.source, self.to = number[source[both]], number[place[both]]
        self.by, self.weight = arena.by[edges][both], arena.weight[edges][both]
        self.denominator = arena.denominator[rows[self.active]]
        self.share = self.weight / self.denominator[self.source]

    @cached_property
    def solvers(self) -> list[Callable[[Any], Any]]:
        """A float solver of (I - P) per frequency of the turning seats."""
        count = len(self.active)
        found: list[Callable[[Any], Any]] = []
        for frequency in range(self.seats // 2 + 1):
            share = self.share * np.exp(-2j * np.pi * frequency * self.by / self.seats)
            system = identity(count, dtype=complex) - csc_matrix((share, (self.source, self.to)), shape=(count, count))
            if count <= DENSE:
                found.append(_inverse(system.toarray()).__matmul__)
            else:
                found.append(_factored(csc_matrix(system)))
        return found

    def solve(self, right: Floats) -> Floats:
        """(I - P)^-1 of a right side of shape (active, seats), in floats."""
        spun = np.fft.rfft(right, axis=1)
        solved = np.stack([solve(spun[:, k]) for k, solve in enumerate(self.solvers)], axis=1)
        return np.fft.irfft(solved, self.seats, axis=1)

    def apply(self, x: Objects) -> Objects:
        """D (I - P) x, exact, for whole numbers x."""
        seat = (np.arange(self.seats)[None, :] - self.by[:, None]) % self.seats
        moved = x[self.to[:, None], seat] * self.weight.astype(object)[:, None]
        found: Objects = x * self.denominator.astype(object)[:, None]
        np.subtract.at(found, self.source, moved)
        return found

    def refine(self, right: Objects) -> tuple[Objects, int]:
        """x with (I - P) x = right but for an error that is returned, both in units of 2^-bits."""
        denominator = self.denominator.astype(object)[:, None]
        x: Objects = np.zeros(right.shape, dtype=object)
        error: int | None = None
        while True:
            rest = right * denominator - self.apply(x)
            size = max(abs(int(value)) for value in rest.flat)
            worst = -(-size // int(self.denominator.min()))
            if size == 0 or (error is not None and worst >= error):
                return x, worst
            if error is not None and worst <= len(self.active) + 2:
                return x, worst
            error = worst
            shift = max(0, size.bit_length() - 60)
            scaled = np.array([[float(int(v) >> shift) for v in row] for row in rest]) / self.denominator[:, None]
            step = self.solve(scaled)
            if not np.isfinite(step).all():
                raise UnprovenError
            fine = 2.0**10
            x = x + np.array([[(int(v * fine) << shift) >> 10 for v in row] for row in step], dtype=object)

    def slack(self) -> list[int]:
        """d in units of 2^-SLACK_BITS with D d - W d >= D / 2 in every state, checked in integers."""
        size = 2.0**SLACK_BITS
        solved = self.solvers[0](np.ones(len(self.active), dtype=complex)).real
        if not np.isfinite(solved).all() or (solved <= 0).any() or solved.max() > 2.0**60:
            raise UnprovenError
        d = np.array([int(value * size) for value in solved], dtype=object)
        left = d * self.denominator.astype(object)
        np.subtract.at(left, self.source, d[self.to] * self.weight.astype(object))
        if not (2 * left >= self.denominator.astype(object) * int(size)).all():
            raise UnprovenError
        return [int(value) for value in d]


def _inverse(matrix: NDArray[Any]) -> NDArray[Any]:
    try:
        return np.linalg.inv(matrix)
    except np.linalg.LinAlgError:
        raise UnprovenError from None


def _factored(matrix: csc_matrix) -> Callable[[Any], Any]:
    try:
        return splu(matrix).solve
    except RuntimeError:  # SciPy's word for a singular matrix
        raise UnprovenError from None
