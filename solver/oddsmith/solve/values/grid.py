"""The grid of a value: the value is a multiple of a known unit fraction, so bounds that are close enough determine it.

The unit fraction of a state is 1 / (s D): s is the scale of the payoffs, and D a common denominator under the policy.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Protocol

import numpy as np
from flint import fmpz
from numpy.typing import NDArray

from oddsmith.base.arrays import Ints, Mask, Whole, bincount, cumsum, reduceat
from oddsmith.solve.arenas.arena import Arena
from oddsmith.solve.numbers import FixedPoint, Limbs

UNKNOWN_EXPONENT = 1 << 14  # an exponent; sums of two stay within 16 bits
UNBOUNDED_BITS = 1 << 40  # bits
MAX_PRIMES = 12
COARSE_BITS = 60  # of D, beyond which a coarser grid is tried
MAX_BITS = 1 << 12  # of a grid that a component is on, beyond which nothing is tried
STEP_BITS = 28  # of a factor that limbs are multiplied with

Exponents = NDArray[np.int16]


class ValueEnclosures(Protocol):
    """Enclosures of values: middles as limbs, radii in units, and the fixed-point format."""

    middle: Limbs
    radius: Ints
    point: FixedPoint


class ValueGrid:
    """A denominator D for every state of an arena under a policy, as exponents of primes, shape (states, primes)."""

    def __init__(self, arena: Arena, extra_primes: Sequence[int] = ()) -> None:
        """``extra_primes``: further primes, which occur in the denominators of values that were solved before."""
        self.arena = arena
        denominators, self.kind = np.unique(arena.denominator, return_inverse=True)
        factors = [{int(p): int(k) for p, k in fmpz(int(d)).factor()} for d in denominators[: 1 << 12]]
        primes = sorted({p for each in factors for p in each}.union(extra_primes))
        known = len(factors) == len(denominators) and len(primes) <= MAX_PRIMES
        self.primes = primes if known else []
        self.of_row = np.array([[each.get(p, 0) for p in self.primes] for each in factors], dtype=np.int16)
        self.logs = np.log2(np.array(self.primes, dtype=float))
        self.scale_bits = arena.scale.bit_length()
        each = 2 * STEP_BITS / max(len(primes), 1)
        self.most = np.array([int(each / log) if log <= STEP_BITS else 0 for log in self.logs] or [UNKNOWN_EXPONENT])
        width = max(len(self.primes), 1)
        self.exponents: Exponents = np.full((arena.state_count, width), UNKNOWN_EXPONENT, dtype=np.int16)
        self.end = np.full(width, 0 if known else UNKNOWN_EXPONENT, dtype=np.int16)

    def row_exponents(self, rows: Ints) -> Exponents:
        """Return the denominators D of the values of rows, as exponents of primes, shape (rows, primes)."""
        arena = self.arena
        edges, lengths = arena.edges_of(rows)
        target = arena.target[edges]
        held = np.where((target >= 0)[:, None], self.exponents[target], self.end)
        common: Exponents = reduceat(np.maximum, held, cumsum(lengths) - lengths, axis=0)
        if self.primes:
            common += self.of_row[self.kind[rows]]
        return np.minimum(common, UNKNOWN_EXPONENT)

    def fill_acyclic(self, states: Ints, rows: Ints, bounds: ValueEnclosures) -> None:
        """Set the grids of states under one row each, if all targets of these rows have grids already."""
        found = self.row_exponents(rows)
        fine = self.denominator_bits(found)
        some = np.flatnonzero((fine > COARSE_BITS) & (fine < UNBOUNDED_BITS))
        coarse = self._coarser_exponents(found[some])
        on = self._certainly_on_coarse_grid(states[some], coarse, fine[some], bounds)
        found[some[on]] = coarse[on]
        self.exponents[states] = found

    def fill_component(self, states: Ints, rows: Ints, component_label: Ints, bounds: ValueEnclosures) -> None:
        """Set the grids of the states of components under one row for each state. Many grids remain unknown.

        ``component_label``: the component of each state. By Cramer's rule the values are multiples of 1 / (s N D): D is the
        common denominator of the rows, and N is the determinant of the system whose rows are multiplied by their
        denominators. N is at most the product of these denominators, each taken once for each seat (Fischer's
        inequality for M-matrices: Horn and Johnson, Topics in Matrix Analysis, 2.5.4). If a multiple of 1 / (s D) is
        closer to the value than 1 / (s N D), it is the value.
        """
        self.exponents[states] = self.end
        found = np.zeros((int(component_label.max()) + 1, len(self.end)), dtype=np.int16)
        np.maximum.at(found, component_label, self.row_exponents(rows))
        times = self.arena.seats * bincount(component_label, np.log2(self.arena.denominator[rows]))
        fine = self.denominator_bits(found) + np.ceil(times + 1e-6).astype(np.int64)
        coarse = self._coarser_exponents(found)
        on = fine[component_label] < MAX_BITS
        on[on] = self._certainly_on_coarse_grid(
            states[on], coarse[component_label[on]], fine[component_label[on]], bounds
        )
        self.exponents[states] = np.where(on[:, None], coarse[component_label], UNKNOWN_EXPONENT)

    def set_known(self, states: Ints, primes: Sequence[int], exponents: Exponents) -> None:
        """Set the grids of states that were solved before.

        ``exponents``: their exponents of ``primes``, which this grid must have.
        """
        if self.primes:
            self.exponents[states] = convert_exponents(self.primes, primes, exponents)

    def mark_unknown(self, states: Ints) -> None:
        """Mark the grids of ``states`` as unknown."""
        self.exponents[states] = UNKNOWN_EXPONENT

    def _coarser_exponents(self, exponents: Exponents) -> Exponents:
        """Return grids that are no finer than the given ones, and have few enough bits to be tried."""
        coarse: Exponents = np.minimum(exponents, self.most).astype(np.int16)
        return coarse

    def _certainly_on_coarse_grid(
        self, states: Ints, coarse_exponents: Exponents, fine_bits: Ints, bounds: ValueEnclosures
    ) -> Mask:
        """Return, as a mask, which values certainly lie on the coarse grids.

        ``fine_bits``: the bits of a grid that contains both the value and the coarse grid.
        """
        point = bounds.point
        if not len(states) or self.scale_bits > STEP_BITS:
            return np.zeros(len(states), dtype=bool)
        # The first limb may wrap around: only what is below the point counts.
        x = bounds.middle[:, states] * self.arena.scale
        point.carry_limbs(x)
        for prime, held, log in zip(self.primes, coarse_exponents.T, self.logs.tolist(), strict=False):
            most = int(STEP_BITS / log)
            for first in range(0, int(held.max(initial=0)), max(most, 1)):
                x *= (prime ** np.clip(held.astype(np.int64) - first, 0, most))[:, None]
                point.carry_limbs(x)
        # What is 0 but for the radius, or less than 0 by as little, is so in all limbs but the last ones.
        left_open = self.scale_bits + 2 * STEP_BITS + _bit_lengths_of_radii(bounds.radius[states]) + 2
        clear = point.limb_count - 1 - int(-(-left_open.max() // point.bits_per_limb))
        rest = x[1 : max(clear, 0) + 1]
        on: Mask = ((rest == 0).all(axis=0) | (rest == (1 << point.bits_per_limb) - 1).all(axis=0)).all(axis=1)
        on &= fine_bits < clear * point.bits_per_limb
        return on

    def denominator_bits(self, exponents: Exponents) -> Ints:
        """Return an upper bound of the bits of s D for each row of ``exponents``; a huge number if D is unknown."""
        return bits_of_denominators(self.primes, exponents, self.arena.scale)

    def grid_denominator(self, state: int) -> int:
        """Return s D of a state; its D must be known."""
        return denominator_of(self.primes, self.exponents[state], self.arena.scale)


def bits_of_denominators(primes: Sequence[int], exponents: Whole, scale: int) -> Ints:
    """Return an upper bound of the bits of ``scale`` times D, for each row of ``exponents``.

    D is the product of ``primes`` to these exponents. The result is ``UNBOUNDED_BITS`` if D is unknown.
    """
    held = exponents[:, : len(primes)]
    bits: Ints = np.ceil(held @ np.log2(np.array(primes, dtype=float)) + 1e-6).astype(np.int64) + scale.bit_length() + 1
    bits[(exponents >= UNKNOWN_EXPONENT).any(axis=1)] = UNBOUNDED_BITS
    return bits


def denominator_of(primes: Sequence[int], exponents: Whole, scale: int) -> int:
    """Return ``scale`` times D, where D is the product of ``primes`` to the given exponents."""
    return scale * prod(int(p**k) for p, k in zip(primes, exponents.tolist(), strict=False))


def convert_exponents(target_primes: Sequence[int], source_primes: Sequence[int], exponents: Exponents) -> Exponents:
    """Return exponents of the primes ``source_primes`` as exponents of all ``target_primes``.

    A row with an unknown exponent becomes unknown as a whole.
    """
    places = np.array([target_primes.index(prime) for prime in source_primes], dtype=np.int64)
    found: Exponents = np.zeros((len(exponents), len(target_primes)), dtype=np.int16)
    found[:, places] = exponents[:, : len(source_primes)]
    found[(exponents >= UNKNOWN_EXPONENT).any(axis=1)] = UNKNOWN_EXPONENT
    return found


def leaves_one_multiple(radius: Ints, denominator_bits: Ints, binary_places: int) -> Mask:
    """Return, as a mask, whether bounds leave at most one multiple of a unit fraction.

    ``radius``: the radius of the bounds, in units of ``2^-binary_places``. ``denominator_bits``: the bits of the
    denominator of the fraction.
    """
    mask: Mask = denominator_bits + _bit_lengths_of_radii(radius) + 2 < binary_places
    return mask


def _bit_lengths_of_radii(radius: Ints) -> Ints:
    """Return the number of bits that each radius needs."""
    bits: Ints = np.ceil(np.log2(radius + 1.0)).astype(np.int64)
    return bits
