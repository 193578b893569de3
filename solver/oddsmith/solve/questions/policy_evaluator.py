"""Policy evaluation: the value of a game if some seats play by prescriptions while the others keep to the solution."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csc_matrix, csr_matrix, identity, tril, triu
from scipy.sparse.csgraph import breadth_first_order
from scipy.sparse.linalg import LinearOperator, bicgstab, splu

from oddsmith.base.arrays import Floats, Ints, arange, bincount, cumsum, reduceat, repeat
from oddsmith.base.errors import TooFineError
from oddsmith.base.exact import Number
from oddsmith.graph import concatenated_ranges
from oddsmith.ruleset.model import Payoff
from oddsmith.solve.arenas.arena import Arena, strong_component_labels
from oddsmith.solve.questions.played import PlayedPolicy, policy_on_other_graph
from oddsmith.solve.solution import Solution
from oddsmith.solve.values.policy_evaluation import start_values, values_of_first_states

RANDOM = -2
"""Stands in a prescription in place of a row. It means a random choice: every legal action with the same chance."""

MAX_DIRECT = 20_000
"""The most states of a component for which a direct solver is used: elimination in the order of the components then has
little fill-in.
"""
ZERO_TOLERANCE = 1e-12  # relative size below which floats count as 0
RANKING_TOLERANCE = 1e-9  # the error that ranking prescriptions may have, relative
SETTLED = 1e-6  # the error beyond which iterations found nothing
MAX_ITERATIONS = 5_000
DIGITS = 15  # decimal digits of proven bounds
MAX_DENOMINATOR_BITS = 60  # bits of a denominator
TIME_LIMIT = 0.02  # estimated seconds that a fraction may take: many prescriptions are evaluated


class PolicyEvaluator:
    """Computes what policies of one seat or of all seats are worth if everything else is played as a solution says.

    A policy is given as a *prescription*: an array with one item for each state of the solution's graph. The item is
    the row (the action) to take there, -1 for the action of the solution, or ``RANDOM`` for any legal action.
    ``payoff``: the payoff to count, by default that of the solution; ``max_states``: the most states that the graph of
    this payoff may have. Raises the errors of ``policy_on_other_graph``, and ValueError if seats mix actions.
    """

    def __init__(self, solution: Solution, payoff: Payoff | None = None, max_states: int | None = None) -> None:
        if solution.mixtures:
            raise ValueError("where seats mix actions there is no single row to keep to")
        self.solution = solution
        self.played = (
            PlayedPolicy.of(solution)
            if payoff is None
            else policy_on_other_graph(solution, payoff, max_states=max_states, policy_actions_only=False)
        )

    @cached_property
    def by_seat(self) -> PlayedPolicy:
        """The solution's policy in an arena in which every seat may play differently."""
        return self.played.by_seat()

    @cached_property
    def solution_value(self) -> Number:
        """The value for seat 1 when all seats keep to the solution."""
        return self.values_under({})[0]

    def value_if_alone(
        self,
        prescription: Ints,
        seat: int = 1,
        solution_row_probability: Fraction = Fraction(0),
        time_limit: float = TIME_LIMIT,
    ) -> Number:
        """Return the value for a seat if it alone plays by a prescription; see ``values_under``.

        ``solution_row_probability``: the chance that a state marked ``RANDOM`` takes the solution's row instead.
        """
        return start_values(
            _single_seat_chain(self._reachable_chain({seat: prescription}, solution_row_probability), seat),
            time_limit,
            DIGITS,
        )[0]

    def values_in_every_seat(
        self, prescription: Ints, solution_row_probability: Fraction = Fraction(0)
    ) -> tuple[Number, ...]:
        """Return for each seat its value if it alone plays by a prescription; see ``value_if_alone``."""
        n = self.played.graph.seats
        if self.played.arena.copies_per_state > 1:  # seats do not all play alike
            return tuple(self.value_if_alone(prescription, seat, solution_row_probability) for seat in range(1, n + 1))
        # To play in another seat is to play in seat 1 while another seat begins: one chain, which starts in n states.
        chain = self._reachable_chain({1: prescription}, solution_row_probability, start_count=n)
        found = values_of_first_states(_single_seat_chain(chain, 1), n, TIME_LIMIT, DIGITS)
        return tuple(found[-seat % n][0] for seat in range(n))

    @property
    def sign(self) -> int:
        """1 if the payoff is maximized, -1 if it is minimized."""
        return self.played.arena.objective_sign

    def values_under(self, prescriptions: Mapping[int, Ints], time_limit: float = TIME_LIMIT) -> tuple[Number, ...]:
        """Return the value for each seat if some seats (from 1) play by prescriptions.

        ``prescriptions``: the prescription of each of these seats. ``time_limit``: the seconds that computing fractions
        may take. Raises NeverEnds if play then may never end, or ZeroDivisionError if fractions meet a singular system
        for that reason.
        """
        return start_values(self._reachable_chain(prescriptions), time_limit, DIGITS)

    def estimate_value(self, prescription: Ints) -> float:
        """Estimate the value for seat 1 if it alone plays by a prescription.

        The estimate is a float, and only good enough to rank prescriptions.
        """
        picks = self._row_probabilities(prescription)
        moves = picks @ self._transition_matrix
        return float(_expected_totals(moves, picks @ self._row_payoffs, _reachable_from_start(moves))[0])

    def expected_visits(self, prescription: Ints) -> Floats:
        """Estimate how often seat 1 moves in each state of the solution's graph, if it alone plays by a prescription.

        The result has the shape (states,).
        """
        moves = self._row_probabilities(prescription) @ self._transition_matrix
        once = np.eye(1, moves.shape[0])[0]
        found = _expected_totals(moves, once, _reachable_from_start(moves), backward=True)[:-1]
        return np.asarray(found[:: self.played.graph.seats])

    def row_losses(self) -> Floats:
        """Estimate how much each row of the solution's graph costs seat 1 against the best row, shape (rows,).

        All seats play by the solution after that row.
        """
        n, arena = self.played.graph.seats, self.by_seat.arena
        picks, gains = (
            self._row_probabilities(np.full(self.played.graph.state_count, -1, dtype=np.int64)),
            self._row_payoffs,
        )
        moves = picks @ self._transition_matrix
        by_row = self.sign * (
            gains + self._transition_matrix @ _expected_totals(moves, picks @ gains, arange(moves.shape[0]))
        )
        mine = arange(0, arena.state_count, n)
        rows = concatenated_ranges(arena.state_rows[mine], np.diff(arena.state_rows)[mine])
        best = by_row[self.by_seat.rows[arena.row_state[rows]]]
        lost = best - by_row[rows]
        return np.where(lost > ZERO_TOLERANCE * (1.0 + np.abs(best)), lost, 0.0)

    def solution_if_all_follow(self, prescription: Ints) -> Solution:
        """Return a solution in which all seats play by a prescription.

        Its values and proofs are still those of the original solution. Answers to questions about it are fractions only
        if these are found quickly. Raises ValueError if the prescription has random choices, or if the payoff needs
        another graph.
        """
        if self.played.solution_states is not None or (prescription == RANDOM).any():
            raise ValueError("a solution has one row of its own graph for every state")
        arena = self.played.arena
        place = np.where(prescription >= 0, prescription - self.solution.graph.state_rows[:-1], -1).repeat(
            arena.copies_per_state
        )
        rows = np.where(place >= 0, arena.state_rows[:-1] + place, self.played.rows)
        return replace(self.solution, solved=replace(self.solution.solved, rows=rows), time_limit=TIME_LIMIT)

    # --- all rows, in floats

    @cached_property
    def _transition_matrix(self) -> csr_matrix:
        """The transition matrix, shape (rows, states + 1), in floats. The last state is the end."""
        arena = self.by_seat.arena
        target = np.where(arena.target < 0, arena.state_count, arena.target)
        shape = len(arena.row_edges) - 1, arena.state_count + 1
        return csr_matrix((arena.probability, target, arena.row_edges), shape=shape)

    @cached_property
    def _row_payoffs(self) -> Floats:
        """The expected immediate payoff of each row to seat 1, in floats."""
        arena = self.by_seat.arena
        found: Floats = bincount(
            arena.edge_row, arena.probability * arena.float_payoffs[arena.payoff, 0], len(arena.row_state)
        )
        return found

    def _row_probabilities(self, prescription: Ints) -> csr_matrix:
        """Return the probability of each row in each state if seat 1 alone plays by a prescription, shape (states + 1,
        rows).
        """
        arena = self.by_seat.arena
        rows, free = self._prescribed_rows({1: prescription}, self.by_seat)
        first, count = np.where(free, arena.state_rows[:-1], rows), np.where(free, np.diff(arena.state_rows), 1)
        ends = np.concatenate([[0], cumsum(count), [count.sum()]])  # no row is taken at the end
        shape = arena.state_count + 1, len(arena.row_state)
        return csr_matrix((1 / repeat(count, count), concatenated_ranges(first, count), ends), shape=shape)

    # --- one row per state

    def _reachable_chain(
        self, prescriptions: Mapping[int, Ints], solution_row_probability: Fraction = Fraction(0), start_count: int = 1
    ) -> Arena:
        """Return the chain of the reachable states under prescriptions.

        ``solution_row_probability``: as for ``value_if_alone``. ``start_count``: the number of seats that may begin.
        """
        chain = self._full_chain(prescriptions, solution_row_probability)
        return chain.policy_chain(arange(chain.state_count), start_count)

    def _full_chain(self, prescriptions: Mapping[int, Ints], solution_row_probability: Fraction = Fraction(0)) -> Arena:
        """Return the chain of all states under prescriptions, including those that are not reachable."""
        same = len(prescriptions) == self.played.graph.seats and all(
            prescription is prescriptions[1] for prescription in prescriptions.values()
        )
        together = not prescriptions or (same and self.played.arena.copies_per_state == 1)
        played = self.played if together else self.by_seat
        return chain_with_random_rows(
            played.arena, *self._prescribed_rows(prescriptions, played), solution_row_probability
        )

    def _prescribed_rows(
        self, prescriptions: Mapping[int, Ints], played: PlayedPolicy
    ) -> tuple[Ints, NDArray[np.bool_]]:
        """Return the row of every state, and a mask of the states with a random choice.

        If the arena does not distinguish seats, all seats play alike.
        """
        arena, rows = played.arena, played.rows.copy()
        free = np.zeros(arena.state_count, dtype=bool)
        for seat, prescription in sorted(prescriptions.items())[: arena.copies_per_state]:
            theirs = arange(seat - 1, arena.state_count, arena.copies_per_state)
            place = prescription - self.solution.graph.state_rows[:-1]  # of the row among those of its state
            option = np.where(prescription >= 0, place, prescription)
            option = option if played.solution_states is None else option[played.solution_states]
            rows[theirs] = np.where(option >= 0, arena.state_rows[theirs] + option, rows[theirs])
            free[theirs] = option == RANDOM
        return rows, free


def _single_seat_chain(chain: Arena, seat: int) -> Arena:
    """Return a copy of a chain for one seat, with the payoffs of the given seat (from 1)."""
    payoffs = tuple((kind[seat - 1],) for kind in chain.payoffs)
    return replace(chain, seats=1, payoffs=payoffs, mover=np.zeros_like(chain.mover))


def _reachable_from_start(transition_matrix: csr_matrix) -> Ints:
    """Return the states that are reachable from the start, ascending.

    ``transition_matrix``: the transition matrix; the start is state 0.
    """
    return np.sort(breadth_first_order(transition_matrix, 0, return_predecessors=False)).astype(np.int64)


def _expected_totals(transition_matrix: csr_matrix, amounts: Floats, states: Ints, backward: bool = False) -> Floats:
    """Estimate, for each state, the expected total of ``amounts`` over that state and all states that follow it.

    With ``backward``, the total is over all states that precede it. ``transition_matrix``: the transition
    probabilities, with the end as last state. ``states``: the states that count, ascending, which lead to no others;
    the result is 0 for all other states. The result is NaN if play may never end, or if no iteration settles.
    """
    found, inner = np.zeros(transition_matrix.shape[0]), transition_matrix[states][:, states]
    source, target = repeat(arange(len(states)), np.diff(inner.indptr)), inner.indices.astype(np.int64)
    parts = strong_component_labels(len(states), source, target)
    sizes = bincount(parts)
    closed = np.ones(len(sizes), dtype=bool)
    closed[parts[source[parts[source] != parts[target]]]] = False
    if closed.sum() > (
        states[-1] == len(found) - 1
    ):  # SuperLU may crash on what is singular, so it is found beforehand
        return np.full(len(found), np.nan)
    # Triangular but for the cycles, and in these what is found later comes first: almost no fill.
    order = np.lexsort((-arange(len(states)), parts))
    system = identity(len(states), format="csr") - inner[order][:, order]
    system = (system.T if backward else system).tocsc()
    if sizes.max() > MAX_DIRECT:
        found[states[order]] = _solve_by_iteration(system, amounts[states[order]])
    else:  # no pivots are looked for: a row of what is left over never adds up to less than nothing
        found[states[order]] = splu(system, permc_spec="NATURAL", diag_pivot_thresh=0.0).solve(amounts[states[order]])
    return found


def _solve_by_iteration(system: csc_matrix, right_side: Floats) -> Floats:
    """Return the solution of a large linear system by iteration; an array of NaN if that does not converge.

    The preconditioner is one triangle of the matrix: first the one with more entries, then the other.
    """
    for triangle in sorted((tril(system, format="csc"), triu(system, format="csc")), key=lambda each: -each.nnz):
        solved = splu(triangle, permc_spec="NATURAL", diag_pivot_thresh=0.0).solve
        found, open_ = bicgstab(
            system, right_side, rtol=RANKING_TOLERANCE, maxiter=MAX_ITERATIONS, M=LinearOperator(system.shape, solved)
        )
        if not open_ and np.linalg.norm(system @ found - right_side) <= SETTLED * np.linalg.norm(right_side):
            return np.asarray(found)
    return np.full(len(right_side), np.nan)


def chain_with_random_rows(
    arena: Arena, rows: Ints, random_states: NDArray[np.bool_], solution_row_probability: Fraction = Fraction(0)
) -> Arena:
    """Return a chain with one row per state: the given row or, if the state is in ``random_states``, a random row.

    ``solution_row_probability``: the chance that a free state takes the given row instead.
    """
    low, high = (
        np.where(random_states, arena.state_rows[:-1], rows),
        np.where(random_states, arena.state_rows[1:], rows + 1),
    )
    taken = concatenated_ranges(low, high - low)
    edges, _ = arena.edges_of(taken)
    count = high - low
    common = reduceat(np.lcm, arena.denominator[taken], cumsum(count) - count)
    # A wrapped product would be a wrong chance, so the sizes are looked at in floats first.
    if (np.log2(common) + np.log2(count * solution_row_probability.denominator)).max() > MAX_DENOMINATOR_BITS:
        raise TooFineError
    several = repeat(count > 1, count)
    share = np.where(several, solution_row_probability.denominator - solution_row_probability.numerator, 1)
    share += np.where(
        several & (taken == repeat(rows, count)), solution_row_probability.numerator * repeat(count, count), 0
    )
    scale = np.ones(len(arena.row_edges) - 1, dtype=np.int64)
    scale[taken] = repeat(common, count) // arena.denominator[taken] * share
    denominator = common * np.where(count > 1, count * solution_row_probability.denominator, 1)
    counts = np.concatenate([[0], cumsum(arena.row_edges[high] - arena.row_edges[low])])
    single = arange(arena.state_count + 1)
    return replace(
        arena,
        state_rows=single,
        row_edges=counts,
        denominator=denominator,
        target=arena.target[edges],
        weight=arena.weight[edges] * scale[arena.edge_row[edges]],
        seat_shift=arena.seat_shift[edges],
        payoff=arena.payoff[edges],
        prescribed_row=np.full(arena.state_count, -1, dtype=np.int64),
    )
