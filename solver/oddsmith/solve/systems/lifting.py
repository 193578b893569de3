"""Exact solution of an integer system by floats: numeric lifting and rational reconstruction (Wan 2006).

The unknown is x with A x = b, and A = D - W has whole entries. As in ``bounds``, floats give about thirty binary places
of every unknown at a time, and the residual of b stays exact in 64-bit integers. So the number of places is unlimited:
x is known to within about 2^-m for any m. Cramer's rule says that x = p / q for whole p and one q, at most the
determinant.

*Reconstruction.* Let u be an unknown to within 2^-m. If a fraction with denominator q is as near to it and q < 2^(m /
2), it is a convergent of the continued fraction of u (Hardy and Wright, theorem 184: a fraction within 1 / 2q^2 of u is
a convergent). Euclid's algorithm on u and 2^m runs through the convergents; it is stopped halfway. The unknowns are
taken one after the other, each multiplied by the common denominator q so far. In most cases the product is already a
whole number, to within the error, and no further reconstruction is needed.

*Proof.* The equation A p = q b is checked in integers. Play leaves the component, so A has an inverse, and the p / q
that satisfies the equation is the solution, however it was found. A wrong guess costs more places, but never gives a
wrong number.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np
from flint import fmpq, fmpq_mat, fmpz
from scipy.sparse import csr_matrix

from oddsmith.base.arrays import Ints, bincount
from oddsmith.base.errors import Signal
from oddsmith.solve.systems.linear_systems import LinearSystem, SingularSystem, elimination_order

if TYPE_CHECKING:
    import networkx as nx

LIMB_PLACES = 32  # binary places of one limb
MAX_PLACES = 40  # of a denominator
FIRST_LIMBS = 16  # limbs after the point, to begin with
MAX_SOLVES_PER_LIMB = 8  # solves for one limb, before giving up


class LiftingFailed(Signal):
    """Raised if floats do not solve the system well enough, or the fraction would be longer than allowed."""


class LiftingSolver:
    """Solves D x - W x = b, where transitions may rotate the seats. b and x hold Python integers.

    ``denominator``: D, shape (states,). ``weights_by_seat_shift``: the parts of W, by seat shift. ``float_system``: the same
    system in floats.
    """

    def __init__(
        self, denominator: Ints, weights_by_seat_shift: dict[int, csr_matrix], float_system: LinearSystem
    ) -> None:
        self.denominator, self.weights_by_seat_shift, self.system = denominator, weights_by_seat_shift, float_system
        largest = int(denominator.max()).bit_length()
        self.places = LIMB_PLACES if largest <= 20 else LIMB_PLACES // 2

    def solve(self, right_side: Sequence[Sequence[int]], max_bits: int) -> tuple[list[list[int]], int]:
        """Return the numerators p, for each state and seat, and the common denominator q of the solution x = p / q.

        ``right_side``: b, for each state and seat. Raises LiftingFailed if q would have more than ``max_bits`` bits.
        """
        whole = self._limbs_of_integers(right_side)
        limbs, rest = list[Ints](), np.zeros(whole.shape[1:], dtype=np.int64)
        for more in whole:
            rest = self._append_limb(limbs, (rest << self.places) + more)
        count = FIRST_LIMBS
        while True:
            while len(limbs) < len(whole) + count:
                rest = self._append_limb(limbs, rest << self.places)
            fractions = self._reconstruct_solution(self._integers_of_limbs(limbs), count * self.places)
            if fractions is not None and self._is_exact_solution(*fractions, right_side):
                return fractions
            if count * self.places > 2 * max_bits + 64:
                raise LiftingFailed(f"a denominator of over {max_bits:,} bits")
            count += count // 2

    # --- binary places

    def _limbs_of_integers(self, right_side: Sequence[Sequence[int]]) -> Ints:
        """Return limbs of whole numbers, shape (limbs, states, seats), the highest first; only the highest limb may be
        negative.
        """
        width = self.places // 8
        count = max(int(value).bit_length() for row in right_side for value in row) // self.places + 1
        data = b"".join(
            int(value).to_bytes(count * width, "little", signed=True) for row in right_side for value in row
        )
        limbs = np.frombuffer(data, dtype=f"<u{width}").reshape(len(right_side), -1, count)
        found: Ints = np.moveaxis(limbs, 2, 0)[::-1].astype(np.int64)
        found[0] = (found[0] ^ (1 << (self.places - 1))) - (1 << (self.places - 1))
        return found

    def _float_solution(self, right_side: np.ndarray[tuple[int, int], np.dtype[np.float64]]) -> Ints:
        try:
            step = np.rint(self.system.solve(right_side))
        except SingularSystem:
            raise LiftingFailed("the system is singular") from None
        if not np.isfinite(step).all() or np.abs(step).max(initial=0.0) * 2 * self.denominator.max() > 2.0**62:
            raise LiftingFailed("the system is too ill-conditioned")
        return step.astype(np.int64)

    def _multiply_by_matrix(self, x: Ints) -> Ints:
        product: Ints = x * self.denominator[:, None]
        for turn, moves in self.weights_by_seat_shift.items():
            product -= moves @ (np.roll(x, turn, axis=1) if turn else x)
        return product

    def _append_limb(self, limbs: list[Ints], residual: Ints) -> Ints:
        """Append the next limb of x to ``limbs``, and return the residual in units of that limb.

        ``residual``: the residual that this limb has to solve. Raises LiftingFailed if floats do not solve it well enough.
        """
        enough, limb = 2 * int(self.denominator.max()), np.zeros(residual.shape, dtype=np.int64)
        for _ in range(MAX_SOLVES_PER_LIMB):
            step = self._float_solution(residual / self.denominator[:, None])
            limb += step
            residual = residual - self._multiply_by_matrix(step)
            if np.abs(residual).max() <= enough:
                limbs.append(limb)
                return residual
        raise LiftingFailed("floats do not solve the system well enough")

    def _integers_of_limbs(self, limbs: list[Ints]) -> list[int]:
        """Return every unknown as a whole number, in units of the last place."""
        stack = np.stack([limb.reshape(-1) for limb in limbs[1:]])
        over = np.zeros(stack.shape[1], dtype=np.int64)
        for j in range(len(stack) - 1, -1, -1):
            stack[j] += over
            over = stack[j] >> self.places
            stack[j] -= over << self.places
        kind = "<u4" if self.places == 32 else "<u2"
        data = np.ascontiguousarray(stack[::-1].T.astype(kind))
        bits = self.places * len(stack)
        heads = (limbs[0].reshape(-1) + over.astype(object)).tolist()
        return [(head << bits) + int.from_bytes(row.tobytes(), "little") for head, row in zip(heads, data, strict=True)]

    # --- fractions

    def _reconstruct_solution(self, units: list[int], binary_places: int) -> tuple[list[list[int]], int] | None:
        """Return the numerators of all unknowns and their common denominator, found by rational reconstruction.

        Returns None if more places are needed. ``units``: the unknowns in units of ``2^-binary_places``.
        """
        q, mask, half = fmpz(1), (1 << binary_places) - 1, 1 << (binary_places - 1)
        near = 1 << (
            binary_places // 2 + binary_places // 8 + LIMB_PLACES
        )  # what is left of a whole number: far more than the error
        tops: list[int] = []
        for unit in map(fmpz, units):
            times = int(unit * q)
            rest = times & mask
            if min(rest, mask - rest) > near:
                factor = reconstruct_denominator(rest, binary_places)
                q *= factor
                if q.bit_length() > binary_places // 2 - LIMB_PLACES:
                    return None
                tops = [top * factor for top in tops]
                times *= factor
            tops.append((times + half) >> binary_places)
        seats = len(units) // len(self.denominator)
        return [tops[i : i + seats] for i in range(0, len(tops), seats)], int(q)

    def _is_exact_solution(
        self, numerators: list[list[int]], common_denominator: int, right_side: Sequence[Sequence[int]]
    ) -> bool:
        """Return whether x = p / q solves the system exactly: whether (D - W) p = q b. ``right_side``: b."""
        tops = np.array(numerators, dtype=object)
        product = tops * self.denominator.astype(object)[:, None]
        for turn, moves in self.weights_by_seat_shift.items():
            held, coo = np.roll(tops, turn, axis=1), moves.tocoo()
            np.subtract.at(product, coo.row, held[coo.col] * coo.data.astype(object)[:, None])
        return bool((product == np.array(right_side, dtype=object).reshape(product.shape) * common_denominator).all())


def prepare_lifting(
    denominator: list[int], weight_entries: list[tuple[int, int, int, int]], seats: int
) -> LiftingSolver:
    """Return the system with the matrix D - W, prepared for lifting. Raises LiftingFailed.

    ``denominator``: D, for each state. ``weight_entries``: the entries of W as (state, target, seat shift, weight).
    """
    count = len(denominator)
    if max(denominator).bit_length() > MAX_PLACES:
        raise LiftingFailed(f"a denominator of over {MAX_PLACES} bits")
    bottom = np.array(denominator, dtype=np.int64)
    source, target, seat_shift, weight = np.array(weight_entries, dtype=np.int64).T
    moves = {
        int(turn): csr_matrix(
            (weight[seat_shift == turn], (source[seat_shift == turn], target[seat_shift == turn])), shape=(count, count)
        )
        for turn in np.flatnonzero(bincount(seat_shift))
    }
    label = np.zeros(count, dtype=np.int64)
    system = LinearSystem(
        count,
        seats,
        (source, target, seat_shift, weight / bottom[source]),
        lambda: elimination_order(count, source, target, label),
    )
    if system.is_low_precision:
        raise LiftingFailed("a system with too much fill")
    return LiftingSolver(bottom, moves, system)


def reconstruct_denominator(units: int, binary_places: int) -> int:
    """Return the denominator of the simplest fraction within about ``2**-(binary_places / 2)`` of the given number.

    The number is ``units / 2**binary_places``.
    """
    a, b, s, t = 1 << binary_places, units, 0, 1
    stop = 1 << (binary_places // 2)
    while b > stop:
        times, rest = divmod(a, b)
        a, b, s, t = b, rest, t, s + times * t
    return t


# --- visits to the states of a Markov chain, which may have cycles


MarkovTransitions = Sequence[Mapping[int, Fraction]]
"""A Markov chain: for each state, by index, the states that follow it, with their probabilities."""


def expected_visits(transitions: MarkovTransitions, expected_beginnings: Sequence[Fraction]) -> list[Fraction]:
    """Return the expected number of visits to each state.

    ``transitions``: the chain. ``expected_beginnings``: the expected number of times that play begins in each state.
    """
    import networkx as nx  # which a browser lacks, where other games are solved

    leads = nx.DiGraph()
    leads.add_nodes_from(range(len(transitions)))
    for place, each in enumerate(transitions):
        leads.add_edges_from((place, after, {"chance": chance}) for after, chance in each.items() if chance)
    found = list(expected_beginnings)
    condensed = nx.condensation(leads)
    for component in nx.topological_sort(condensed):
        members = sorted(condensed.nodes[component]["members"])
        if any(leads.has_edge(one, other) for one in members for other in members):
            _solve_cyclic_component(leads, members, found)
        for one in members:
            for other, edge in leads[one].items():
                if other not in members:
                    found[other] += found[one] * edge["chance"]
    return found


def _solve_cyclic_component(transition_graph: nx.DiGraph, members: Sequence[int], visits: list[Fraction]) -> None:
    """Replace, for the states of a component with cycles, the visits from outside by all visits, in ``visits``."""
    size = len(members)
    system = [[Fraction(int(i == j)) for j in range(size)] for i in range(size)]
    for i, one in enumerate(members):
        for j, other in enumerate(members):
            if transition_graph.has_edge(other, one):
                system[i][j] -= transition_graph[other][one]["chance"]
    entries = [fmpq(each.numerator, each.denominator) for row in system for each in row]
    right = [fmpq(visits[one].numerator, visits[one].denominator) for one in members]
    solved = fmpq_mat(size, size, entries).solve(fmpq_mat(size, 1, right))
    for row, one in enumerate(members):
        visits[one] = Fraction(int(solved[row, 0].p), int(solved[row, 0].q))
