"""What a game is worth when seats play by prescription, well or badly, while the others keep to the solution.

A prescription names a row for every state, or leaves it to the solution (-1) or to chance (``RANDOM``). Once every seat's
play is settled, what is left is a chain, whose values are exact or proven like any others."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csc_matrix, identity
from scipy.sparse.linalg import bicgstab, splu

from oddsmith.arrays import Floats, Ints, arange, bincount, cumsum, reduceat, repeat
from oddsmith.errors import TooFineError
from oddsmith.exact import Number
from oddsmith.graph import ranges
from oddsmith.ruleset.model import Payoff
from oddsmith.solve import Solution
from oddsmith.solve.questions.played import Played, elsewhere
from oddsmith.solve.values import Arena, strong_parts, values_of

RANDOM = -2
"""As the row of a prescription: every legal action with the same chance."""

MOST_DIRECT = 20_000
"""States of one component up to which an elimination in the order of the components fills in little enough."""
CLOSE = 1e-9  # the error that ranking prescriptions may have, relative
DIGITS = 15  # decimal digits of proven bounds
LONGEST = 60  # bits of a denominator
PATIENCE = 0.02  # seconds that a fraction may take: what is asked here is asked of many prescriptions


class Follower:
    """Plays prescriptions against a solution. One holds a row of the solution's graph for each of its states, -1 or ``RANDOM``.

    ``payoff``: what is counted, if not what the solution is for; ``most``: how many states the graph of that may have.
    Raises what ``played.elsewhere`` raises, and ValueError where seats mix actions.
    """

    def __init__(self, solution: Solution, payoff: Payoff | None = None, most: int | None = None) -> None:
        if solution.mixtures:
            raise ValueError("where seats mix actions there is no single row to keep to")
        self.solution = solution
        self.played = Played.of(solution) if payoff is None else elsewhere(solution, payoff, most=most, alone=False)

    @cached_property
    def apart(self) -> Played:
        """The play in the arena in which every seat may play its own way."""
        return self.played.by_seat()

    @cached_property
    def best(self) -> Number:
        """What seat 1 gets when everybody keeps to the solution."""
        return self.values({})[0]

    def alone(
        self, prescription: Ints, seat: int = 1, steady: Fraction = Fraction(0), patience: float = PATIENCE
    ) -> Number:
        """What a seat gets if it alone plays by a prescription; see ``values``."""
        chain = self._chain({seat: prescription}, steady)
        payoffs = tuple((kind[seat - 1],) for kind in chain.payoffs)
        own = replace(chain, seats=1, payoffs=payoffs, mover=np.zeros_like(chain.mover))
        return values_of(own, patience, DIGITS)[0]

    @property
    def sign(self) -> int:
        """1 where more is better, -1 where less is."""
        return self.played.arena.sign

    def values(self, prescriptions: Mapping[int, Ints], patience: float = PATIENCE) -> tuple[Number, ...]:
        """What each seat gets if some seats (from 1) play by prescriptions.

        Raises NeverEnds or, where fractions meet a singular system, ZeroDivisionError if play then never ends.
        ``patience``: the seconds that fractions may take.
        """
        return values_of(self._chain(prescriptions), patience, DIGITS)

    def estimate(self, prescription: Ints, seat: int = 1) -> float:
        """About what a seat gets if it alone plays by a prescription: to rank prescriptions, never to print."""
        chain = self._chain({seat: prescription})
        return float(_through(chain, _gains(chain, seat))[0])

    def visits(self, prescription: Ints, seat: int = 1) -> Floats:
        """About how often a seat that alone plays by a prescription decides in each state of the solution's graph."""
        whole = self._collapsed({seat: prescription})
        met = np.flatnonzero(whole.met(arange(whole.states)))
        chain = whole.under(arange(whole.states))
        found = np.zeros(whole.states)
        found[met] = _through(chain, np.eye(1, chain.states)[0], backward=True)
        return np.asarray(found[seat - 1 :: self.played.graph.seats])

    def losses(self, seat: int = 1) -> Floats:
        """About what each row of the solution's graph costs a seat that plays on, like all others, by the solution."""
        n, arena = self.played.graph.seats, self.apart.arena
        chain = collapse(arena, self.apart.rows, np.zeros(arena.states, dtype=bool))
        worth = np.append(_through(chain, _gains(chain, seat)), 0.0)  # the last is the end
        brings = arena.pay[arena.payoff, seat - 1] + worth[arena.target]
        by_row = self.sign * bincount(arena.edge_row, arena.probability * brings, len(arena.row_state))
        mine = arange(seat - 1, arena.states, n)
        rows = ranges(arena.state_rows[mine], np.diff(arena.state_rows)[mine])
        best = by_row[self.apart.rows[arena.row_state[rows]]]
        return np.asarray(np.maximum(best - by_row[rows], 0.0))

    def everybody(self, prescription: Ints) -> Solution:
        """The solution, but that all seats play by a prescription. Its values and proofs are still the solution's.

        Answers to questions about it are fractions only where those cost nothing.
        """
        if self.played.place is not None or (prescription == RANDOM).any():
            raise ValueError("a solution has one row of its own graph for every state")
        arena = self.played.arena
        place = np.where(prescription >= 0, prescription - self.solution.graph.state_rows[:-1], -1).repeat(arena.copies)
        rows = np.where(place >= 0, arena.state_rows[:-1] + place, self.played.rows)
        return replace(self.solution, solved=replace(self.solution.solved, rows=rows), patience=PATIENCE)

    # --- one row per state

    def _chain(self, prescriptions: Mapping[int, Ints], steady: Fraction = Fraction(0)) -> Arena:
        """The chain of what play comes to.

        ``steady``: the chance that a choice that is left to chance is the solution's after all.
        """
        chain = self._collapsed(prescriptions, steady)
        return chain.under(arange(chain.states))

    def _collapsed(self, prescriptions: Mapping[int, Ints], steady: Fraction = Fraction(0)) -> Arena:
        """The same with all states, also those that play never comes to."""
        n = self.played.graph.seats
        same = len(prescriptions) == n and all(
            prescription is prescriptions[1] for prescription in prescriptions.values()
        )
        together = not prescriptions or (same and self.played.arena.copies == 1)
        played = self.played if together else self.apart
        arena, rows = played.arena, played.rows.copy()
        free = np.zeros(arena.states, dtype=bool)
        for seat, prescription in sorted(prescriptions.items())[: 1 if together else n]:
            theirs = arange(arena.states) if together else arange(seat - 1, arena.states, n)
            place = prescription - self.solution.graph.state_rows[:-1]  # of the row among those of its state
            option = np.where(prescription >= 0, place, prescription)
            option = option if played.place is None else option[played.place]
            rows[theirs] = np.where(option >= 0, arena.state_rows[theirs] + option, rows[theirs])
            free[theirs] = option == RANDOM
        return collapse(arena, rows, free, steady)


def _gains(chain: Arena, seat: int) -> Floats:
    """About what a seat gets on average at once in each state of a chain."""
    brings: Floats = chain.probability * chain.pay[chain.payoff, seat - 1]
    found: Floats = bincount(chain.edge_row, brings, chain.states)
    return found


def _through(chain: Arena, amounts: Floats, backward: bool = False) -> Floats:
    """About the total of some amounts over all that follows each state; ``backward``: over all that comes before it.

    Not a number where play may never end.
    """
    if _may_never_end(chain):
        return np.full(chain.states, np.nan)
    inner = chain.target >= 0
    order = np.argsort(chain.components, kind="stable")  # triangular but for the cycles: almost no fill
    place = np.empty(chain.states, dtype=np.int64)
    place[order] = arange(chain.states)
    source, target = place[chain.edge_row[inner]], place[chain.target[inner]]
    moves = csc_matrix((chain.probability[inner], (source, target)), shape=(chain.states,) * 2)
    system = identity(chain.states, format="csc") - moves
    system = (system.T if backward else system).tocsc()
    if bincount(chain.components).max() > MOST_DIRECT:
        return np.asarray(bicgstab(system, amounts[order], rtol=CLOSE, maxiter=5000)[0][place])
    return np.asarray(splu(system, permc_spec="NATURAL").solve(amounts[order])[place])


def _may_never_end(chain: Arena) -> bool:
    """Whether some states lead only to each other. SuperLU may crash on what is singular, so this is found beforehand."""
    taken = chain.probability > 0
    source, target = chain.edge_row[taken], chain.target[taken]
    inner = target >= 0
    parts = strong_parts(chain.states, source[inner], target[inner])
    left = ~inner | (parts[source] != parts[target])
    closed = np.ones(int(parts.max()) + 1, dtype=bool)
    closed[parts[source[left]]] = False
    return bool(closed.any())


def collapse(arena: Arena, rows: Ints, free: NDArray[np.bool_], steady: Fraction = Fraction(0)) -> Arena:
    """One row per state: the given one; where the state is free, that with the chance ``steady``, else any of them."""
    low, high = np.where(free, arena.state_rows[:-1], rows), np.where(free, arena.state_rows[1:], rows + 1)
    taken = ranges(low, high - low)
    edges, _ = arena.edges_of(taken)
    count = high - low
    common = reduceat(np.lcm, arena.denominator[taken], cumsum(count) - count)
    # A wrapped product would be a wrong chance, so the sizes are looked at in floats first.
    if (np.log2(common) + np.log2(count * steady.denominator)).max() > LONGEST:
        raise TooFineError
    several = repeat(count > 1, count)
    share = np.where(several, steady.denominator - steady.numerator, 1)
    share += np.where(several & (taken == repeat(rows, count)), steady.numerator * repeat(count, count), 0)
    scale = np.ones(len(arena.row_edges) - 1, dtype=np.int64)
    scale[taken] = repeat(common, count) // arena.denominator[taken] * share
    denominator = common * np.where(count > 1, count * steady.denominator, 1)
    counts = np.concatenate([[0], cumsum(arena.row_edges[high] - arena.row_edges[low])])
    single = arange(arena.states + 1)
    return replace(
        arena,
        state_rows=single,
        row_edges=counts,
        denominator=denominator,
        target=arena.target[edges],
        weight=arena.weight[edges] * scale[arena.edge_row[edges]],
        by=arena.by[edges],
        payoff=arena.payoff[edges],
        fixed=np.full(arena.states, -1, dtype=np.int64),
    )
