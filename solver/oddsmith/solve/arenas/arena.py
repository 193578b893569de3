"""The arena: a stochastic game as arrays, with the seat that moves in each state and the seat shift of each transition.

In a *relative* arena the mover is seat 0 of every state, a transition rotates the seats by ``seat_shift``, and all
seats play alike. In an arena *by seat* every state exists once for each possible mover, seats do not rotate, and each
seat may play differently.

The value of seat j in a state is the expectation, over transitions, of the payoff plus the value of seat j -
``seat_shift`` in the target. Seats are counted modulo their number.

An arena is solved from the ends of the game backwards, in levels. The strongly connected components of the arena are
the nodes of an acyclic graph. The level of a component is the length of the longest path in that graph that begins at
it. A transition that leaves a component goes to a lower level. So if levels are solved in ascending order, the values
of all successors are known. Components of the same level do not lead to one another, so they may be solved together
with the same results.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from scipy.sparse import csr_matrix
from scipy.sparse.csgraph import connected_components

from oddsmith.base.arrays import Floats, Ints, Mask, Whole, arange, bincount, cumsum, repeat
from oddsmith.graph import StateGraph, concatenated_ranges, group_by, reachable_mask, unique

MAX_KEPT = 2_000_000  # transitions of an arena by seat that is kept beside the relative one


@dataclass(frozen=True, eq=False)
class Arena:
    """A stochastic game: states, rows and transitions in compressed rows, as in ``StateGraph``.

    ``mover``: the seat that decides, for each state. ``payoffs``: whole units of ``1 / scale``, shape (kinds, seats).
    ``payoff``: for each transition, its kind, which is an index into ``payoffs``. ``prescribed_row``: for each state, the row
    that a named policy prescribes, or -1 if none is prescribed. ``objective_sign``: 1 if movers maximize the payoff, -1 if they
    minimize it. ``copies_per_state``: the number of arena states that stand for one state of the graph; see ``arena_state_of``.
    """

    seats: int
    state_rows: Ints
    row_edges: Ints
    denominator: Ints
    target: Whole
    weight: Whole
    seat_shift: Whole
    payoff: Whole
    payoffs: tuple[tuple[int, ...], ...]
    scale: int
    mover: Ints
    prescribed_row: Ints
    objective_sign: int
    components: Ints
    copies_per_state: int = 1

    @staticmethod
    def of(graph: StateGraph, boundary_states: int = 0) -> Arena:
        """Return the relative arena of a graph.

        ``boundary_states``: the number of states with known values and without rows that come after the states of the graph.
        """
        goal, count = graph.game.ruleset.payoffs[graph.objective].goal, graph.state_count + boundary_states
        rows = (
            np.append(graph.state_rows, repeat(graph.state_rows[-1:], boundary_states))
            if boundary_states
            else graph.state_rows
        )
        inner = graph.target >= 0
        return Arena(
            graph.seats, rows, graph.row_edges, graph.denominator, graph.target,
            graph.weight, graph.seat_shift, graph.payoff, graph.payoffs, graph.scale,
            np.zeros(count, dtype=np.int64), np.full(count, -1, dtype=np.int64), 1 if goal == "max" else -1,
            strong_component_labels(count, graph.edge_state[inner], graph.target[inner])
            if boundary_states else graph.components,
        )  # fmt: skip

    @staticmethod
    def acyclic_block(graph: StateGraph, first_state: int, end_state: int) -> tuple[Arena, Ints]:
        """Return the arena of the states from ``first_state`` up to but not ``end_state`` of a graph, and its successors' graph
        indices.

        The successors are numbered after these states and have no rows. A successor that is itself one of these states
        occurs a second time, so the arena has no cycle.
        """
        rows = graph.state_rows[first_state : end_state + 1]
        edges = graph.row_edges[rows[0] : rows[-1] + 1]
        part, goal = slice(edges[0], edges[-1]), graph.game.ruleset.payoffs[graph.objective].goal
        target, count = graph.target[part].astype(np.int64), end_state - first_state
        seen = unique(target[target >= 0])
        return Arena(
            graph.seats, np.append(rows, repeat(rows[-1:], len(seen))) - rows[0], edges - edges[0],
            graph.denominator[rows[0] : rows[-1]], np.where(target < 0, -1, count + np.searchsorted(seen, target)),
            graph.weight[part].astype(np.int64), graph.tag_column(0, part), graph.payoff[part].astype(np.int64),
            graph.payoffs, graph.scale, np.zeros(count + len(seen), dtype=np.int64),
            np.full(count + len(seen), -1, dtype=np.int64), 1 if goal == "max" else -1,
            np.concatenate([arange(len(seen), len(seen) + count), arange(len(seen))]),
        ), seen  # fmt: skip

    def arena_state_of(self, state: Any, mover: Any) -> Any:
        """Return the arena state that stands for a state of the graph with ``mover`` to move.

        Arguments may be arrays.
        """
        return state * self.copies_per_state + mover % self.copies_per_state

    def arena_states_of(self, states: Ints) -> Ints:
        """Return all arena states that stand for ``states`` of the graph, ordered by state of the graph and then by
        mover.
        """
        return (states[:, None] * self.copies_per_state + arange(self.copies_per_state)).reshape(-1)

    def state_and_mover(self, arena_state: int) -> tuple[int, int]:
        """Return the state of the graph that an arena state stands for, and its mover (0 in a relative arena)."""
        return divmod(arena_state, self.copies_per_state)

    @property
    def state_count(self) -> int:
        """The number of states."""
        return len(self.state_rows) - 1

    @cached_property
    def edge_row(self) -> Whole:
        """The row that each transition belongs to, in 32 bits."""
        return repeat(np.arange(len(self.row_edges) - 1, dtype=np.int32), np.diff(self.row_edges))

    @cached_property
    def row_state(self) -> Ints:
        """The state that each row belongs to."""
        return repeat(arange(self.state_count), np.diff(self.state_rows))

    @cached_property
    def probability(self) -> Floats:
        """The probability of each transition, shape (transitions,), rounded to a float. No proof rests on it."""
        return self.weight / self.denominator[self.edge_row]

    @cached_property
    def float_payoffs(self) -> Floats:
        """The payoffs of each kind of transition as floats, shape (kinds, seats)."""
        return np.array(self.payoffs, dtype=float).reshape(len(self.payoffs), self.seats) / self.scale

    def with_copy_per_seat(self) -> Arena:
        """Return the arena in which every seat may play differently.

        It is cached if the game is small, because many questions need it.
        """
        return self._cached_copy_per_seat if len(self.target) * self.seats <= MAX_KEPT else self._make_copy_per_seat()

    @cached_property
    def _cached_copy_per_seat(self) -> Arena:
        return self._make_copy_per_seat()

    def _make_copy_per_seat(self) -> Arena:
        n = self.seats
        assert self.copies_per_state == 1
        rows = repeat(np.diff(self.state_rows), n)
        pick_rows = concatenated_ranges(repeat(self.state_rows[:-1], n), rows)
        edges = np.diff(self.row_edges)[pick_rows]
        pick_edges = concatenated_ranges(self.row_edges[:-1][pick_rows], edges)
        mover = np.tile(arange(n), self.state_count)
        edge_mover = repeat(repeat(mover, rows), edges)
        target = self.target[pick_edges].astype(np.int64)
        payoffs = tuple(tuple(kind[(k - seat) % n] for k in range(n)) for kind in self.payoffs for seat in range(n))
        target = np.where(target < 0, -1, target * n + (edge_mover + self.seat_shift[pick_edges]) % n)
        state_rows = np.concatenate([[0], cumsum(rows)])
        row_edges = np.concatenate([[0], cumsum(edges)])
        inner = target >= 0
        source = repeat(repeat(arange(self.state_count * n), rows), edges)
        labels = strong_component_labels(self.state_count * n, source[inner], target[inner])
        # The order of the relative components stays.
        pairs = self.components.repeat(n) * (labels.max(initial=0) + 1) + labels
        components = np.unique(pairs, return_inverse=True)[1].reshape(-1)
        return replace(
            self,
            state_rows=state_rows,
            row_edges=row_edges,
            denominator=self.denominator[pick_rows],
            target=target,
            weight=self.weight[pick_edges],
            seat_shift=np.zeros(len(target), dtype=np.int64),
            payoff=self.payoff[pick_edges].astype(np.int64) * n + edge_mover,
            payoffs=payoffs,
            mover=mover,
            prescribed_row=np.full(self.state_count * n, -1, dtype=np.int64),
            components=components,
            copies_per_state=n,
        )

    def rows_by_seat(self, rows: Ints, relative_arena: Arena) -> Ints:
        """Return the rows of this arena by seat that correspond to ``rows`` of the relative arena, one for each state.

        -1 stands for no row.
        """
        steps = np.where(rows >= 0, rows - relative_arena.state_rows[:-1], -1).repeat(self.copies_per_state)
        return np.where(steps >= 0, self.state_rows[:-1] + steps, -1)

    def counting_arena(self, counted_transitions: Sequence[Mask]) -> Arena:
        """Return an arena that counts transitions: seat i is paid 1 for every transition of the mask
        ``counted_transitions[i]``.

        Seats do not shift.
        """
        kinds = range(1 << len(counted_transitions))  # bit by bit, which of the seats are paid
        payoff = np.zeros(len(self.target), dtype=np.int64)
        for seat, hit in enumerate(counted_transitions):
            payoff |= hit.astype(np.int64) << seat
        return replace(
            self,
            seats=len(counted_transitions),
            mover=np.zeros_like(self.mover),
            seat_shift=np.zeros_like(self.seat_shift),
            payoff=payoff,
            payoffs=tuple(tuple(kind >> seat & 1 for seat in range(len(counted_transitions))) for kind in kinds),
            scale=1,
            objective_sign=1,
        )

    def edges_of(self, rows: Ints) -> tuple[Ints, Ints]:
        """Return the transitions of ``rows``, row by row, and the number of transitions of each row."""
        lengths = self.row_edges[rows + 1] - self.row_edges[rows]
        return concatenated_ranges(self.row_edges[rows], lengths), lengths

    def reachable_states(self, rows: Ints, extra_rows: Sequence[int] = (), start_count: int = 1) -> Mask:
        """Return, as a mask, which states are reachable under a policy, which is given as one row for each state.

        ``extra_rows``: further rows that may be taken. ``start_count``: play may start in this many first states.
        """
        taken = np.zeros(len(self.row_edges) - 1, dtype=bool)
        taken[rows] = True
        taken[list(extra_rows)] = True
        use = taken[self.edge_row] & (self.target >= 0)
        return reachable_mask(
            self.row_state[self.edge_row[use]], self.target[use], self.state_count, arange(start_count)
        )

    def policy_chain(self, rows: Ints, start_count: int = 1) -> Arena:
        """Return the Markov chain of a policy, given as one row for each state, on the states that it can reach.

        Play may start in the first ``start_count`` states, which remain the first states of the chain.
        """
        reached = self.reachable_states(rows, start_count=start_count)
        states, number = np.flatnonzero(reached), cumsum(reached) - 1
        rows = rows[states]
        edges, lengths = self.edges_of(rows)
        target = self.target[edges]
        target = np.where(target < 0, -1, number[target])
        inner = target >= 0
        return replace(
            self,
            state_rows=arange(len(states) + 1),
            row_edges=np.concatenate([[0], cumsum(lengths)]),
            denominator=self.denominator[rows],
            target=target,
            weight=self.weight[edges],
            seat_shift=self.seat_shift[edges],
            payoff=self.payoff[edges],
            mover=self.mover[states],
            prescribed_row=np.full(len(states), -1, dtype=np.int64),
            components=strong_component_labels(len(states), repeat(arange(len(states)), lengths)[inner], target[inner]),
        )


def strong_component_labels(node_count: int, source: Whole, target: Whole) -> Ints:
    """Return the strongly connected component of each of ``node_count`` nodes. Components are numbered with successors
    first.

    ``source``, ``target``: the ends of the edges.
    """
    matrix = csr_matrix((np.ones(len(source), dtype=np.int8), (source, target)), shape=(node_count, node_count))
    labels = connected_components(matrix, directed=True, connection="strong")[1].astype(np.int64)
    assert (labels[source] >= labels[target]).all()  # SciPy's order, seen always, promised never
    return labels


def strong_component_sizes(node_count: int, source: Whole, target: Whole) -> tuple[int, int]:
    """Return the size of the largest strongly connected component of a graph, and the number of nodes that lie in
    components of more than one node.

    ``source``, ``target``: the ends of the edges.
    """
    sizes = bincount(strong_component_labels(node_count, source, target))
    return int(sizes.max(initial=0)), int(sizes[sizes > 1].sum())


def groups_in_solving_order(arena: Arena) -> Iterator[tuple[Ints, bool]]:
    """Yield groups of states in the order of solving, level by level. The states on no cycle are the first group of a
    level.

    Each group comes with a flag: whether its states are on cycles. The successors of a state lie in earlier groups or
    in its own component.
    """
    labels = arena.components
    count = int(labels.max()) + 1
    inner = arena.target >= 0
    source, target = arena.row_state[arena.edge_row[inner]], arena.target[inner]
    cyclic = bincount(labels, minlength=count) > 1
    cyclic[labels[source[source == target]]] = True
    leaving = np.flatnonzero(labels[source] != labels[target])
    pairs = unique(labels[source[leaving]] * count + labels[target[leaving]])
    del inner, source, target, leaving  # as large as the game
    level = longest_path_lengths(count, pairs // count, pairs % count)
    order = np.argsort(level[labels] * 2 + cyclic[labels], kind="stable")
    key = (level[labels] * 2 + cyclic[labels])[order]
    for states in np.split(order, np.flatnonzero(np.diff(key)) + 1):
        yield states, bool(cyclic[labels[states[0]]])


def longest_path_lengths(node_count: int, source: Ints, target: Ints) -> Ints:
    """Return, for each node of an acyclic graph, the length of the longest path that begins there.

    ``source``, ``target``: the ends of the edges.
    """
    open_ways = bincount(source, minlength=node_count)
    order, first = group_by(target, node_count)
    before = source[order]
    level = np.zeros(node_count, dtype=np.int64)
    ready, depth = np.flatnonzero(open_ways == 0), 0
    while len(ready):
        level[ready] = depth
        touched = before[concatenated_ranges(first[ready], first[ready + 1] - first[ready])]
        np.subtract.at(open_ways, touched, 1)
        touched = unique(touched)
        ready, depth = touched[open_ways[touched] == 0], depth + 1
    return level


def states_by_label(states: Ints, labels: Ints) -> list[Ints]:
    """Return the states grouped by label, one array for each label, in ascending order of the labels.

    States of the same label keep their order.
    """
    order = np.argsort(labels, kind="stable")
    return np.split(states[order], np.flatnonzero(np.diff(labels[order])) + 1)
