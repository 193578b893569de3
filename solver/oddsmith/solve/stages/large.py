"""A large stage with cycles, solved in sweeps over one number for each state.

It must have one seat, or two whose values always add up to the same: then a state has one value, that of its mover, and a
transition on which the turn passes brings the mover the sum less the value of the other. So a row is worth
(W x + b) / D to the mover: D its denominator, W its weights, with a minus sign where the turn passes, and b what comes from
payoffs, states outside and that sum.

``systems.sweeping`` proposes values and rows, ``values.refining`` finds and encloses the values of these rows, as
``values.bounds`` does for a component. There, below P may be read as acting on states, so the slack is that of abs(W).
Then each decision is compared by ``values.deciding``. Whatever needs columns of 64 bits is done for a stretch of states at a
time, which counts as a game of its own whose ends are the states that it leads to.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction

import numpy as np
from scipy.sparse import csr_matrix, vstack

from oddsmith.arrays import Floats, Ints, arange, cumsum, reduceat, repeat
from oddsmith.graph import StateGraph, narrow
from oddsmith.progress import Progress
from oddsmith.solve.arenas import Arena, Ways
from oddsmith.solve.numbers import FixedPoint, Limbs
from oddsmith.solve.systems import Block, Singular, best_rows, blocks, settle
from oddsmith.solve.values import (
    UNKNOWN,
    Decider,
    ExactValues,
    Known,
    Mixture,
    ProvenBounds,
    System,
    Unproven,
    precision_of,
)

STRETCH = 1 << 16  # states at a time
SETTLED = 1e-13  # of the largest value: a sweep that changes values by less is the last
LOOSE = 0.05  # the same in units, where whole numbers are wanted: they are rounded, or have a half to spare
EQUAL = 1e-11  # of the largest value: rows whose values differ by less are proposed in their order
MOST_ROUNDS = 50


@dataclass(frozen=True, eq=False)
class Swept:
    """A stage that is solved: the row of each state, values and turns, and how many states are undecided.

    ``waiting``: whether one of two players of constant sum could keep play in the stage for ever while the other plays so.
    ``mixtures``: what states mix instead of taking one row.
    """

    rows: Ints
    values: Known
    turns: Known
    undecided: int
    waiting: bool
    mixtures: Mapping[int, Mixture] = field(default_factory=dict)


@dataclass(frozen=True, eq=False)
class _Asked:
    """What is asked of each state: its value, or how many turns are to come.

    ``outside``: the answers of the states that are numbered after those of the graph. ``total``: what all seats of a state
    get in sum.
    """

    seats: int
    outside: Known | None
    total: Fraction
    turns: bool


class LargeStage:
    """Solves one stage. ``known``, ``turns``: values and turns of the states outside. ``total``: of all seats in sum."""

    def __init__(
        self,
        graph: StateGraph,
        known: Known | None,
        turns: Known | None,
        total: Fraction,
        digits: int | None,
        tell: Progress,
    ) -> None:
        self.graph, self.count, self.tell = graph, graph.states, tell
        precision = precision_of(graph.states * graph.seats, digits)
        self.point = FixedPoint.of(precision, int(graph.denominator.max()))
        self.worth = _Asked(graph.seats, self._moved(known), total, turns=False)
        self.turns = _Asked(1, self._moved(turns), Fraction(0), turns=True)

    def _moved(self, known: Known | None) -> Known | None:
        """What is known, in this point."""
        if known is None or known.point == self.point:
            return known
        x, radius = self.point.taken(known.x, known.radius, known.point)
        return replace(known, x=x, radius=radius, point=self.point)

    def solve(self) -> Swept:
        """Unproven where no proof is found: there may be another way."""
        try:
            rows = self._propose()
            for _ in range(MOST_ROUNDS):
                policy = _Policy(self, rows)
                x, radius = policy.prove(self.worth, self.tell)
                better, undecided = self._check(x, radius, rows)
                if not len(better):
                    values = self._kept(x, radius, self.worth)
                    turns = self._kept(*policy.prove(self.turns, self.tell), self.turns)
                    return Swept(rows, values, turns, undecided, self._waiting(rows))
                rows[self._owner(better)] = better
        except Singular:
            pass
        raise Unproven

    def _waiting(self, taken: Ints) -> bool:
        """Whether one of two seats could keep play in the stage for ever while the other takes these rows."""
        graph = self.graph
        if graph.seats == 1:
            return False
        inside = (graph.target >= 0) & (graph.target < self.count)
        leaves = reduceat(np.logical_or, ~inside, graph.row_edges[:-1])
        edges = (graph.edge_row[inside], graph.target[inside], graph.by[inside])
        ways = Ways(self.count, graph.row_state, leaves, *edges)
        if not ways.staying(np.ones_like(leaves)).any():
            return False
        own = np.zeros_like(leaves)
        own[taken] = True
        return bool(ways.waiting(own).any())

    def _owner(self, rows: Ints) -> Ints:
        """The states of some rows."""
        return np.searchsorted(self.graph.state_rows, rows, side="right") - 1

    # --- stretch by stretch

    def stretches(self, asked: _Asked) -> Iterator[tuple[int, Arena, Ints]]:
        """The first state of each stretch, its arena, and the numbers of the states that it leads to."""
        graph = self.graph
        for first in range(0, self.count, STRETCH):
            last = min(first + STRETCH, self.count)
            arena, seen = Arena.stretch(graph, first, last)
            if asked.turns:
                edges = graph.row_edges[graph.state_rows[[first, last]]]
                arena = arena.counting([graph.tagged(2, slice(*edges)).astype(bool)])
            yield first, arena, seen

    def bounds(
        self, asked: _Asked, arena: Arena, seen: Ints, x: Limbs | None = None, radius: Ints | None = None
    ) -> ProvenBounds:
        """Bounds of what a stretch leads to. ``x``: what a state of the stage brings its mover; by default nothing."""
        own = seen < self.count
        outside, inside = seen[~own] - self.count, seen[own]
        value, reach = self.point.zeros(len(seen), asked.seats), np.zeros(len(seen), dtype=np.int64)
        primes = asked.outside.primes if asked.outside else ()
        exponents = np.full((len(seen), max(len(primes), 1)), UNKNOWN, dtype=np.int16)
        if x is not None and radius is not None:
            value[:, own, 0], reach[own] = x[:, inside], radius[inside]
        if asked.seats == 2:
            sums, exact = self.point.of_fractions([asked.total])
            if not exact:
                raise Unproven
            value[:, own, 1] = sums - value[:, own, 0]
            self.point.carry(value)
        if asked.outside is not None:
            value[:, ~own], reach[~own] = asked.outside.x[:, outside], asked.outside.radius[outside]
            exponents[~own] = asked.outside.exponents[outside]
        bounds = ProvenBounds(arena, self.point.places, primes)
        if bounds.point != self.point:
            raise Unproven
        scale = asked.outside.scale if asked.outside else arena.scale
        bounds.take(
            arange(arena.states - len(seen), arena.states), Known(value, reach, self.point, primes, exponents, scale)
        )
        return bounds

    def weights(self, arena: Arena, seen: Ints, rows: Ints) -> csr_matrix:
        """W of some rows of a stretch, shape (rows, states of the stage)."""
        edges, lengths = arena.edges_of(rows)
        target = arena.target[edges] - (arena.states - len(seen))
        number = np.append(seen, self.count)[np.where(target >= 0, target, len(seen))]
        own = number < self.count
        weight = np.where(arena.by[edges] % arena.seats == 1, -arena.weight[edges], arena.weight[edges])
        ends = np.concatenate([[0], cumsum(own)])[np.concatenate([[0], cumsum(lengths)])]
        data, places = weight[own].astype(np.int32), number[own].astype(np.int32)
        return csr_matrix((data, places, ends.astype(np.int32)), shape=(len(rows), self.count))

    # --- propose and check

    def _propose(self) -> Ints:
        """The best row of each state, by floats."""
        graph, parts, sign = self.graph, list[Block](), 1
        right = np.empty(int(graph.state_rows[-1]))
        for first, arena, seen in self.stretches(self.worth):
            own = arange(len(arena.row_edges) - 1)
            bounds, low, sign = self.bounds(self.worth, arena, seen), int(graph.state_rows[first]), arena.sign
            brought = bounds.sums(own, own * 0)[0]
            self.point.carry(brought)
            right[low : low + len(own)] = self.point.floats(brought) / arena.denominator * sign
            chances = _chances(self.weights(arena, seen, own), arena.denominator)
            parts += blocks(first, graph.state_rows[first : first + arena.states - len(seen) + 1], chances)
            self.tell("solving", first // 4, self.count)
        x = settle(parts, right, SETTLED)
        return best_rows(parts, x, right, EQUAL * float(np.abs(x).max()))

    def _check(self, x: Limbs, radius: Ints, rows: Ints) -> tuple[Ints, int]:
        """Rows that are better than those taken, and in how many states no bound tells two rows apart."""
        found, undecided = [rows[:0]], 0
        for first, arena, seen in self.stretches(self.worth):
            bounds, low = self.bounds(self.worth, arena, seen, x, radius), int(self.graph.state_rows[first])
            exact = ExactValues(arena, np.full(arena.states, -1, dtype=np.int64), bounds)
            exact.opaque[arena.states - len(seen) :] = True
            decider = Decider(arena, bounds, exact, 0)
            several = np.flatnonzero(np.diff(arena.state_rows) > 1)
            if len(several):
                best, taken = decider.best(several), rows[first + several] - low
                pairs = np.stack([best, taken])[:, best != taken]
                worth, reach = bounds.rows(pairs.reshape(-1), np.zeros(pairs.size, dtype=np.int64))
                one, two = np.split(worth, 2, axis=1)
                found.append(low + pairs[0, self.point.beyond(one, two, reach.reshape(2, -1).sum(axis=0))])
            undecided += len(decider.undecided)
            self.tell("solving", self.count * 3 // 4 + first // 4, self.count)
        return np.concatenate(found), undecided

    def _kept(self, x: Limbs, radius: Ints, asked: _Asked) -> Known:
        """What there is to keep. What the other seat gets is the sum less what the mover gets."""
        sums, _ = self.point.of_fractions([asked.total])
        seats = [x]
        if asked.seats == 2:
            seats.append(sums - x)
            self.point.carry(seats[1])
        exponents = np.full((self.count, 1), UNKNOWN, dtype=np.int16)
        scale = asked.outside.scale if asked.outside else self.graph.scale
        return Known(narrow(np.stack(seats, axis=2)), radius, self.point, (), exponents, 1 if asked.turns else scale)


class _Policy:
    """W and D of the rows that are taken."""

    def __init__(self, stage: LargeStage, rows: Ints) -> None:
        self.stage, self.rows, parts = stage, rows, []
        self.denominator = stage.graph.denominator[rows]
        for first, arena, seen in stage.stretches(stage.worth):
            parts.append(stage.weights(arena, seen, self._of(first, arena, seen)))
        self.weights = vstack(parts, format="csr")
        self.slack = self._system(abs(self.weights)).slack(1)

    def _of(self, first: int, arena: Arena, seen: Ints) -> Ints:
        """The rows that are taken in a stretch, as its own rows."""
        return self.rows[first : first + arena.states - len(seen)] - int(self.stage.graph.state_rows[first])

    def prove(self, asked: _Asked, tell: Progress) -> tuple[Limbs, Ints]:
        """What each state is worth to its mover, in carried limbs, and the radii of that."""
        stage = self.stage
        right, widest, rounded = stage.point.zeros(stage.count, 1), 0, 0
        for first, arena, seen in stage.stretches(asked):
            bounds, rows = stage.bounds(asked, arena, seen), self._of(first, arena, seen)
            total, _, outer = bounds.sums(rows, rows * 0)
            right[:, first : first + len(rows), 0] = total
            widest, rounded = max(widest, int(outer.max())), max(rounded, bounds.rounded)
        system = self._system(abs(self.weights) if asked.turns else self.weights)
        x, error = system.refine(
            right, stage.point, lambda share: tell("solving", int(stage.count * share), stage.count)
        )
        stage.point.carry(x)
        return x[:, :, 0], widest + self.slack.times(int(error.max()) + rounded)

    def _system(self, weights: csr_matrix) -> System:
        chances = _chances(weights, self.denominator)
        parts = list(blocks(0, arange(self.stage.count + 1), chances))

        def solve(right: Floats) -> Floats:
            return settle(parts, right[:, 0], SETTLED, LOOSE)[:, None]

        return System(self.denominator, {0: weights}, solve)


def _chances(weights: csr_matrix, denominator: Ints) -> csr_matrix:
    """Weights over denominators, in floats."""
    shares = weights.data / repeat(denominator, np.diff(weights.indptr))
    return csr_matrix((shares, weights.indices, weights.indptr), shape=weights.shape)
