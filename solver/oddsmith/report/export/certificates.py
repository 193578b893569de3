"""Writes a solution as a certificate, for a checker that trusts neither the solver nor its graph.
``docs/certificates.md`` defines the format.

The values of a certificate are exact if all of them together are short enough. Otherwise they are bounds that no action
exceeds. Computed values have small errors, which differ between states. So a slack, called *room*, is added to each
value for every step that play can still take. The room falls by at least a unit with each step, and a unit is more than
the error of a value.

``longest_play`` finds how much room is needed: how long play can last while all players take only actions that are as
good as those of the policy. Its nodes are states as one seat sees them. A row of a node leads to other nodes or to the
end, with a probability for each. An *end component* (de Alfaro 1997) is a set of nodes that play need never leave,
because its nodes have rows that lead only to nodes of the set. Steps within an end component can go on for ever and so
cannot count. All nodes of an end component have the same number of steps.

Nothing that is computed here proves anything; ``proof.values`` says what each number is for. An *entry* is a state with
the seat to move; its number is ``state * copies + mover``. If seats play differently, there is one copy of each state
per seat that may be to move.

A game that was solved by stages is written from the last stage to the first. A stage is dropped from memory once no
stage that is still to be written leads to it. All values are bounds. The greatest error is fixed before the first line
is written, so the solution must be known to more digits than the certificate states.
"""

from __future__ import annotations

import hashlib
import json
import warnings
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from itertools import chain
from math import ceil, gcd, isqrt, lcm
from typing import Any

import numpy as np
from scipy.sparse import csr_matrix, diags, identity, vstack
from scipy.sparse.csgraph import connected_components
from scipy.sparse.linalg import MatrixRankWarning, spsolve

from oddsmith.base.arrays import Floats, Ints, Mask, arange, bincount, reduceat, repeat
from oddsmith.base.errors import DisprovedError, UncertifiableError
from oddsmith.base.progress import Progress, ignore_progress
from oddsmith.graph import KeyIndex, StateGraph, concatenated_ranges
from oddsmith.proof import (
    FORMAT,
    MAX_JSON_INTEGER,
    MAX_VALUE_WIDTH,
    NEVER_ENDS,
    Row,
    ValueTable,
    action_data,
    canonical_steps_data,
    position_data,
    setting_data,
    start_data,
)
from oddsmith.ruleset import Action, CanonicalForm, Game, Rules, State
from oddsmith.solve import Solution
from oddsmith.solve.staged import Neighbourhood, Staged, explore_stages, find_stages
from oddsmith.solve.systems import SingularSystem, iterate_values, state_blocks
from oddsmith.solve.values import Mixture, ProvenBounds, binary_places_for_digits, mixed_rows

MAX_CHANGES = 200  # of rows for others, until play that lasts longest is given up
MIN_LENGTH_GAIN = 0.01  # of a step: play that lasts longer by less is not looked for
MIN_FALL = 0.55  # of a step, by which the steps fall at least along every row: more than half, with room for rounding
ENDING_TOLERANCE = 1e-12  # a row whose chances sum to less than 1 by more may end


@dataclass(frozen=True, eq=False)
class NodeRows:
    """The rows of all nodes, as arrays.

    ``probabilities``: the transition probabilities, shape (rows, nodes). ``step_counts``: the number of steps that one
    use of each row counts, at least 1. ``node_of_row``: the node that each row belongs to.
    """

    probabilities: csr_matrix
    step_counts: Floats
    node_of_row: Ints

    @property
    def node_count(self) -> int:
        """The number of nodes."""
        return int(self.probabilities.shape[1])

    @cached_property
    def components_and_inner_rows(self) -> tuple[Ints, Mask]:
        """A pair: the number of the end component of each node, and the mask of the rows that lead only to nodes of
        their own end component. A node that lies in no end component has a number of its own.
        """
        return _end_components_and_inner_rows(self)

    @property
    def every_end_component_is_one_node(self) -> bool:
        """Whether every end component is a single node."""
        return _is_every_component_single(self.components_and_inner_rows[0])


@dataclass(frozen=True, eq=False)
class LongestPlay:
    """The longest play from each node. ``steps_to_end``: the expected number of steps from each node.
    ``component_of_node``: the number of the end component of each node; a node that lies in none has a number of its
    own.
    """

    steps_to_end: Floats
    component_of_node: Ints

    @property
    def every_end_component_is_one_node(self) -> bool:
        """Whether every end component is a single node."""
        return _is_every_component_single(self.component_of_node)


def longest_play(rows: NodeRows) -> LongestPlay:
    """Find the greatest expected number of steps from each node over all policies. Raises UncertifiableError if play
    may not end.
    """
    component, inner = rows.components_and_inner_rows
    count = int(component.max()) + 1
    kept = np.flatnonzero(~inner)
    where = csr_matrix((np.ones(rows.node_count), (arange(rows.node_count), component)), shape=(rows.node_count, count))
    chances, right, own = (
        (rows.probabilities[kept] @ where).tocsr(),
        rows.step_counts[kept],
        component[rows.node_of_row[kept]],
    )
    found, first = np.unique(own, return_index=True)
    if len(found) < count:
        raise UncertifiableError("play may last for ever: a certificate cannot prove that it ends")
    taken = first.copy()
    for _ in range(MAX_CHANGES):
        steps = mean_steps_to_end(chances[taken], right[taken])
        if not np.isfinite(steps).all():
            break
        worth = chances @ steps + right
        better = np.flatnonzero(worth > steps[own] + MIN_LENGTH_GAIN)
        if not len(better):
            if (steps[own] - chances @ steps - (right - 1)).min() < MIN_FALL:
                break
            return LongestPlay(steps[component], component)
        better = better[np.argsort(worth[better], kind="stable")]
        taken[own[better]] = better  # of several the last, which is the best
    raise UncertifiableError("play lasts too long, or for ever: a certificate cannot prove that it ends")


def _is_every_component_single(component_of_node: Ints) -> bool:
    return int(component_of_node.max(initial=-1)) + 1 == len(component_of_node)


def _end_components_and_inner_rows(rows: NodeRows) -> tuple[Ints, Mask]:
    """Return the number of the end component of each node, and the mask of the rows that stay inside an end component."""
    pattern = rows.probabilities.copy()
    pattern.data = np.ones_like(pattern.data)
    inner: Mask = np.asarray(rows.probabilities.sum(axis=1)).reshape(-1) > 1 - ENDING_TOLERANCE
    inner &= rows.step_counts <= 1  # of what is known, something leads on to nodes that are not here
    lines = csr_matrix(
        (np.ones(len(rows.node_of_row)), (rows.node_of_row, arange(len(rows.node_of_row)))), shape=pattern.shape[::-1]
    )
    while True:
        edges = lines @ diags(inner.astype(float)) @ pattern
        component: Ints = connected_components(edges, connection="strong")[1].astype(np.int64)
        width = int(component.max()) + 1
        where = csr_matrix(
            (np.ones(rows.node_count), (arange(rows.node_count), component)), shape=(rows.node_count, width)
        )
        spread = np.diff((pattern @ where).tocsr().indptr)  # how many components a row leads to
        reached = np.zeros(len(rows.node_of_row), dtype=np.int64)
        some = np.diff(pattern.indptr) > 0
        reached[some] = component[pattern.indices[pattern.indptr[:-1][some]]]
        stays = inner & some & (spread == 1) & (reached == component[rows.node_of_row])
        if (stays == inner).all():
            return component, inner
        inner = stays


def mean_steps_to_end(transition_matrix: csr_matrix, steps_per_node: Floats) -> Floats:
    """Return the expected number of steps until play ends, by node; not finite if play may not end.

    ``transition_matrix``: the transition matrix, of shape (nodes, nodes). ``steps_per_node``: the number of steps that
    each node counts, shape (nodes,).
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", MatrixRankWarning)
        solved = spsolve((identity(transition_matrix.shape[0]) - transition_matrix).tocsc(), steps_per_node)
    return np.asarray(solved, dtype=float).reshape(-1)


UNIT_BITS = 128  # of a value that is only enclosed: some 38 digits
GRAINS_PER_STEP = 1024  # parts of a step that are told apart
MAX_EXACT_ARENA_STATES = 20_000
EXACT_BITS = 1 << 26  # of all exact values together: 16 MB of text
MAX_NUMBER_BITS = 190_000  # of one of them: checkers refuse over 50,000 digits in base 16
MAX_STEPS = 20_000  # of play, until a linear system is solved instead
MAX_UNFINISHED = 0.4  # of play may still be going on after the steps, at the worst
TIE_TOLERANCE = 1e-7  # of the largest value: closer than this, floats do not decide
SPARE_BITS = 16  # bits by which a fraction is simpler than what comes as near to any number
FINER_UNITS = 1 << 1024  # times as many units to 1, so that what is paid is a whole number of them
CIRCLES = "equally good actions lead round in circles, and what is paid on the way is no short fraction"
TOO_FEW = "too few digits of its values are known for a certificate: ask for more with --digits"


def refuse_inexact_in_json(*numbers: int) -> None:
    """Raise UncertifiableError if a number is too large for readers of JSON to keep exactly."""
    if max(map(abs, numbers)) > MAX_JSON_INTEGER:
        raise UncertifiableError("its weights, payoffs or steps are larger than a certificate can hold")


@dataclass(frozen=True)
class _TableValues:
    """The values and the steps of each entry, as the table of a certificate holds them.

    ``numerators``: by entry, the numerators of the values of the seats, counted from the mover. ``denominators``: by
    entry, their common denominator. ``steps``: by entry, the steps to the end, in grains. ``unit``: the number of units
    in 1. ``residual``: the most by which a played row may fall short of the value of its entry, in units. ``circling``:
    whether equally good actions may lead in a cycle.
    """

    unit: int
    residual: int
    numerators: list[list[int]]
    denominators: list[int]
    steps: list[int]
    circling: bool = False


def transitions_by_row(graph: StateGraph, state: int, transition_columns: Sequence[Ints]) -> Iterator[Row]:
    """Yield for each row of a state the list of its transitions, with weights in lowest terms. A transition is a list:
    its items in ``transition_columns``, then its weight.

    ``transition_columns``: the target, the seat shift and the payoff of all transitions of the graph. Transitions that agree in
    all of them are merged.
    """
    for row in graph.rows(state):
        part = slice(int(graph.row_edges[row]), int(graph.row_edges[row + 1]))
        merged: dict[tuple[int, ...], int] = {}
        for where, weight in zip(
            zip(*(column[part].tolist() for column in transition_columns), strict=True),
            graph.weight[part].tolist(),
            strict=True,
        ):
            merged[where] = merged.get(where, 0) + weight
        shared = gcd(*merged.values())
        yield [[*where, weight // shared] for where, weight in merged.items()]


def mixed_rows_with_shares(mixture: Mixture, first_row: int) -> list[list[Any]]:
    """Return the rows that a state mixes, each with its share: pairs of the number of the row, counted from ``first_row``,
    and a whole number as hexadecimal text. Each share of their sum lies between the proven bounds of the probability.

    ``first_row``: the first row of the state.
    """
    shares = {row: chance.middle for row, chance in mixture.row_probabilities.items()}
    whole = lcm(*(share.denominator for share in shares.values()))
    return [[row - first_row, f"{int(share * whole):x}"] for row, share in shares.items()]


class CertificateBuilder:
    """Builds the table of a certificate for a solution in one graph.

    ``payoffs``: the payoffs that the table uses. ``payoff``: for each transition, the index of its payoff in
    ``payoffs``. ``actions``: the actions that the table uses, with their numbers.
    """

    def __init__(self, solution: Solution) -> None:
        self.solution, self.graph = solution, solution.graph
        self.copies = solution.solved.arena.copies_per_state
        self.named = frozenset(seat - 1 for seat in solution.named_policies)
        self.arena_states = arange(self.graph.state_count * self.copies)
        self.target = self.graph.target.astype(np.int64)
        self.seat_shift = np.where(self.target < 0, 0, self.graph.seat_shift.astype(np.int64))
        kinds, self.payoff = np.unique(self.graph.payoff, return_inverse=True)
        self.payoffs = [self.graph.payoffs[kind] for kind in kinds.tolist()]
        used = np.unique(self.graph.row_action[self.graph.row_action >= 0])
        self.actions = {action: number for number, action in enumerate(used.tolist())}

    # --- rows and what is played

    def actions_and_transitions(self, state: int) -> list[tuple[int, Row]]:
        """Return for each row of a state the number of its action, -1 for chance, and its transitions."""
        graph = self.graph
        actions = (self.actions.get(action, -1) for action in graph.row_action[graph.rows(state)].tolist())
        return list(
            zip(actions, transitions_by_row(graph, state, (self.target, self.seat_shift, self.payoff)), strict=True)
        )

    def played_row_or_shares(self, arena_state: int) -> Any:
        """Return the row that is played in an entry, counted from the first row of its state. If the entry mixes rows,
        return pairs of these rows and their shares instead.
        """
        first = int(self.graph.state_rows[arena_state // self.copies])
        mixture = self.solution.mixtures.get(arena_state)
        return int(self.played_rows[arena_state]) - first if mixture is None else mixed_rows_with_shares(mixture, first)

    @cached_property
    def played_rows(self) -> Ints:
        """For each state in the certificate, the row of the graph that is played; where actions are mixed, the first of
        them.
        """
        arena = self.solution.solved.arena
        rows = (
            self.graph.state_rows[self.arena_states // self.copies] + self.solution.solved.rows - arena.state_rows[:-1]
        )
        for entry, mixture in self.solution.mixtures.items():
            rows[entry] = mixture.rows[0]
        return rows

    def target_entries(self, transitions: Ints, mover_before: Any) -> Ints:
        """Return the entry to which each of some transitions leads; -1 for the end. ``transitions``: the transitions of the
        graph. ``mover_before``: the seat that moves before each of them.
        """
        entry = self.solution.solved.arena.arena_state_of(
            self.target[transitions], mover_before + self.seat_shift[transitions]
        )
        return np.where(self.target[transitions] < 0, -1, entry)

    @cached_property
    def play_matrix(self) -> csr_matrix:
        """The transition matrix of play in floats, of shape (entries, entries)."""
        return self._transition_matrix()

    def _transition_matrix(self, seat: int | None = None) -> csr_matrix:
        """Return the transition matrix of play in floats, shape (entries, entries). With a ``seat``, the shape is
        (entries, entries * seats), and a column is a pair of an entry and the place of this seat from the mover there.
        """
        mixtures = self.solution.mixtures
        mixed = [
            (entry, row, float(share))
            for entry, own in mixtures.items()
            for row, share in own.row_probabilities.items()
        ]
        pure = np.setdiff1d(self.arena_states, list(mixtures))
        chain = self._matrix_of_rows(pure, self.played_rows[pure], np.ones(len(pure)), seat)
        if not mixed:
            return chain
        entries, rows, shares = map(np.array, zip(*mixed, strict=True))
        both: csr_matrix = chain + self._matrix_of_rows(entries, rows, shares, seat)
        return both

    def _matrix_of_rows(
        self, entries: Ints, rows: Ints, probabilities: Any, seat: int | None, line_per_row: bool = False
    ) -> csr_matrix:
        """Return the transition probabilities of rows.

        ``entries``: the entry in which each row is taken. ``probabilities``: the probability with which it is taken there. The
        matrix has a line for each entry, or with ``line_per_row`` a line for each row. With a ``seat``, counted from the
        mover, its columns are pairs of an entry and the place of this seat there.
        """
        graph = self.graph
        lengths = graph.row_edges[rows + 1] - graph.row_edges[rows]
        edges, source = concatenated_ranges(graph.row_edges[rows], lengths), repeat(entries, lengths)
        chance = graph.weight[edges] * repeat(probabilities / graph.denominator[rows], lengths)
        to, seats = self.target_entries(edges, source % self.copies), 1 if seat is None else graph.seats
        inner = to >= 0
        if seat is not None:
            to = to * seats + (seat - self.seat_shift[edges]) % seats
        line, lines = (
            (repeat(arange(len(rows)), lengths), len(rows)) if line_per_row else (source, len(self.arena_states))
        )
        shape = (lines, len(self.arena_states) * seats)
        return csr_matrix((chance[inner], (line[inner], to[inner])), shape=shape)

    # --- that play ends

    @cached_property
    def steps_to_end(self) -> Any:
        """A vector d over entries with d - P d >= 1/2, where P is the transition matrix of play. Such a vector proves
        that play ends.

        The vector is the expected number of steps among the first n, with n so large that from every entry more than
        half of play has ended. If n would be too large, the vector is the expected number of all steps, from a linear
        system. Raises UncertifiableError.
        """
        going: Any = np.ones(len(self.arena_states))
        steps = np.zeros(len(self.arena_states))
        for _ in range(MAX_STEPS):
            steps += going
            going = self.play_matrix @ going
            if going.max() <= MAX_UNFINISHED:
                break
        else:
            steps = mean_steps_to_end(self.play_matrix, np.ones(len(steps)))
        if not (
            np.isfinite(steps).all() and steps.min() >= 0.5 and (steps - self.play_matrix @ steps).min() >= MIN_FALL
        ):
            raise UncertifiableError("play lasts too long, or for ever: a certificate cannot prove that it ends")
        return steps

    def longest_play_with(self, nearly_best_rows: Ints) -> LongestPlay:
        """Find the longest play in which, besides the rows that are played, some other rows may be taken.
        ``nearly_best_rows``: these rows, as pairs of entry and row of the graph, shape (2, rows).

        The result has one number of steps for each entry. If all seats together could make play go on for ever, it has
        one for each pair of entry and seat instead. Then only that seat may take the other rows.
        """
        (entries, rows), ones = nearly_best_rows, np.ones(nearly_best_rows.shape[1])
        beside = self._matrix_of_rows(entries, rows, ones, None, line_per_row=True)
        together = _stack_rows([self.play_matrix, beside], [self.arena_states, entries])
        if together.every_end_component_is_one_node:
            return longest_play(together)
        seats = self.graph.seats
        played = [self._transition_matrix(seat) for seat in range(seats)]
        mine = self._matrix_of_rows(entries, rows, ones, 0, line_per_row=True)
        places = [self.arena_states * seats + seat for seat in range(seats)]
        return longest_play(_stack_rows([*played, mine], [*places, entries * seats]))

    def worst_distances_to_end(self) -> list[int]:
        """Return for each entry the least number of transitions to the end that chance can bring about, if the players
        always take the action that makes it greatest.
        """
        graph = self.graph
        ranks = np.append(
            np.full(len(self.arena_states), NEVER_ENDS, dtype=np.int64), 0
        )  # the last one is what -1 means
        reached = [self.target_entries(arange(len(self.target)), mover) for mover in range(self.copies)]
        while True:
            before = ranks.copy()
            for mover, to in enumerate(reached):
                rows = reduceat(np.minimum, before[to], graph.row_edges[:-1])
                worst = reduceat(np.maximum, rows, graph.state_rows[:-1])
                if mover in self.named:
                    worst = rows[self.played_rows[mover :: self.copies]]
                ranks[mover : -1 : self.copies] = np.minimum(NEVER_ENDS, worst + 1)
            if (ranks == before).all():
                return [int(end) for end in ranks[:-1]]

    # --- values

    def value_table(self, first_mover: int, start_holdings: list[Fraction]) -> ValueTable:
        """Build the table of values.

        ``first_mover``: the seat that moves first. ``start_holdings``: what each seat has at the start. Raises
        UncertifiableError, and DisprovedError if the table contradicts the solution.
        """
        graph, sign, numbers = (
            self.graph,
            self.solution.solved.arena.objective_sign,
            self._exact_values() or self._values_with_slack(),
        )
        table = ValueTable(
            graph.seats, self.copies, sign, self.named, self.payoffs, graph.scale, first_mover, start_holdings,
            numbers.unit, numbers.residual, GRAINS_PER_STEP, numbers.numerators, numbers.denominators, numbers.steps,
            self.worst_distances_to_end(), first_mover % self.copies,
        )  # fmt: skip
        gain = max(
            (
                self._gain_of_row(table, *each)
                for each in self._find_nearly_best_rows(table.values, table.denominators).T.tolist()
            ),
            default=0,
        )
        said = zip(table.game_value_bounds(), self.solution.values, strict=True)
        if gain > TIE_TOLERANCE or any(low > number.upper or number.lower > high for (low, high), number in said):
            raise DisprovedError("the solution is not what its own table proves")
        if gain > 0 or any(high - low > MAX_VALUE_WIDTH for low, high in table.game_value_bounds()):
            raise UncertifiableError(CIRCLES if numbers.circling else TOO_FEW)
        refuse_inexact_in_json(
            int(graph.weight.max()), *chain.from_iterable(self.payoffs), table.payoff_scale, *table.steps
        )
        return table

    def _exact_values(self) -> _TableValues | None:
        """Return all values as fractions. Return None if a value is not known as a fraction, or if all of them together
        would be too long.
        """
        if self.solution.grade != "exact" or len(self.arena_states) > MAX_EXACT_ARENA_STATES:
            return None
        held, size = _TableValues(1, 0, [], [], rounded_up_to_grains(self.steps_to_end)), 0
        for entry in self.arena_states.tolist():
            numbers = [number.exact for number in self.solution.state_values(*divmod(entry, self.copies))]
            known = [number for number in numbers if number is not None]
            over = lcm(*(number.denominator for number in known))
            size += over.bit_length() * (len(known) + 1)
            if len(known) < len(numbers) or size > EXACT_BITS or over.bit_length() > MAX_NUMBER_BITS:
                return None
            held.numerators.append([number.numerator * (over // number.denominator) for number in known])
            held.denominators.append(over)
        return held

    def _values_with_slack(self) -> _TableValues:
        """Return bounds that no row exceeds: the middles of the proven bounds, plus room for each step that play can
        still take.

        The error of a middle is at most half the greatest width of the bounds, plus rounding. The error of a row is at
        most twice that. If a state mixes, the bounds hold for every probability between its proven bounds, and so for
        the one written down.
        """
        one, sign = 1 << UNIT_BITS, self.solution.solved.arena.objective_sign
        values, widest = self._bound_midpoints(one)
        over = [one] * len(values)
        found = self.longest_play_with(self._find_nearly_best_rows(values, over))
        radius = ceil(widest * one) + 2
        finer, spread = level_components(values, found.component_of_node, sign, one, radius)
        off, one, over = 2 * (radius * finer + spread), one * finer, [one * finer] * len(values)
        room = 1 + off // (
            GRAINS_PER_STEP // 2 - 1
        )  # units for each grain of a step, which falls by more than half of them
        rise = np.ceil(found.steps_to_end * GRAINS_PER_STEP)
        add_slack(values, [room * int(rounded) for rounded in rise], sign)
        steps = rounded_up_to_grains(
            found.steps_to_end
            if found.every_end_component_is_one_node and len(rise) == len(self.arena_states)
            else self.steps_to_end
        )
        fall = self._greatest_slack_decrease(rise) * (1 + TIE_TOLERANCE) + 2
        return _TableValues(
            one, ceil(room * fall) + off, values, over, steps, circling=not found.every_end_component_is_one_node
        )

    def _greatest_slack_decrease(self, slack: Floats) -> float:
        """Return the greatest expected decrease of the room in one step of play, over all entries. ``slack``: the room
        in grains, per entry or per entry and seat.
        """
        seats, shared = self.graph.seats, len(slack) == len(self.arena_states)
        if shared:
            return float((slack - self.play_matrix @ slack).max())
        return max(float((slack[seat::seats] - self._transition_matrix(seat) @ slack).max()) for seat in range(seats))

    def _bound_midpoints(self, units_per_one: int) -> tuple[list[list[int]], Fraction]:
        """Return the middles of the proven bounds, and the greatest width of a bound.

        The middles are whole numbers of units, by entry and seat from the mover. ``units_per_one``: the number of units in 1.
        """
        widest, values = Fraction(0), list[list[int]]()
        for entry in self.arena_states.tolist():
            numbers = self.solution.solved.bounds.state_numbers(entry)
            widest = max(widest, *(number.upper - number.lower for number in numbers))
            middles = [round(number.middle * units_per_one) for number in numbers]
            # An arena by seat leaves the seats in their places; here the mover is the first.
            mover = entry % self.copies
            values.append(middles[mover:] + middles[:mover])
        return values, widest

    # --- decisions

    def _find_nearly_best_rows(self, numerators: list[list[int]], denominators: list[int]) -> Ints:
        """Find in floats the rows that are nearly as good as the row that is played, and the rows that are mixed.
        Return their entries and their numbers in the graph, shape (2, rows).

        ``numerators``: the numerators of the values, by entry and seat. ``denominators``: their denominators, by entry.
        """
        graph, found = self.graph, [np.zeros((2, 0), dtype=np.int64)]
        values = np.array(
            [[value / below for value in mine] for mine, below in zip(numerators, denominators, strict=True)],
            dtype=float,
        )
        near = TIE_TOLERANCE * (1 + float(np.abs(values).max()))
        paid = np.array([kind[0] for kind in self.payoffs], dtype=float)[self.payoff] / graph.scale
        chance = graph.weight / graph.denominator[graph.edge_row]
        several = (np.diff(graph.state_rows) > 1)[graph.row_state]
        mixed, sign = mixed_rows(self.solution.mixtures), self.solution.solved.arena.objective_sign
        for mover in sorted(set(range(self.copies)) - self.named):
            to = self.target_entries(arange(len(self.target)), mover)
            brought = np.where(to < 0, 0, values[to, -self.seat_shift % graph.seats]) + paid
            worth = reduceat(np.add, brought * chance, graph.row_edges[:-1])
            near_rows = (worth - values[mover :: self.copies, 0][graph.row_state]) * sign > -near
            near_rows[self.played_rows[mover :: self.copies]] = False
            near_rows[mixed] = True
            rows = np.flatnonzero(near_rows & several)
            found.append(np.array([self.solution.solved.arena.arena_state_of(graph.row_state[rows], mover), rows]))
        return np.concatenate(found, axis=1)

    def _gain_of_row(self, table: ValueTable, arena_state: int, row: int) -> Fraction:
        """Return the value of a row of the graph minus the value of its entry."""
        state, mover = divmod(arena_state, self.copies)
        rows = [table.row_with_entry_targets(row, mover) for _, row in self.actions_and_transitions(state)]
        return table.gain_of_row(arena_state, rows[row - int(self.graph.state_rows[state])])


def _stack_rows(matrices: Sequence[csr_matrix], nodes_of_rows: Sequence[Ints]) -> NodeRows:
    node = np.concatenate(nodes_of_rows)
    return NodeRows(vstack(matrices, format="csr"), np.ones(len(node)), node)


def level_components(
    values: list[list[int]],
    component_of_entry: Ints,
    sign: int,
    units_per_one: int,
    max_error: int,
    max_refinement: int | None = None,
) -> tuple[int, int]:
    """Level the values within each end component, in place. After that, two values in one component differ only by the
    payments made inside the component.

    ``values``: whole numbers of units, shape (entries, seats). ``component_of_entry``: the end component of each entry, or of
    each pair of entry and seat. ``units_per_one``: the number of units in 1. ``max_error``: the greatest error of a value, in
    units. The payment between two values is the simple fraction close to their difference; 0 if no simple fraction is
    close. Units are made finer, so that all payments are whole numbers of them. ``max_refinement``: the greatest factor by
    which they may become finer.

    Return the factor by which the units are finer, and the greatest distance by which a value was moved, in finer
    units. Raises UncertifiableError if the factor would be too great.
    """
    seats, simple, found = (
        len(component_of_entry) // len(values),
        isqrt(units_per_one // (4 * max_error)) >> SPARE_BITS,
        list[dict[Any, Fraction]](),
    )
    order = np.argsort(component_of_entry, kind="stable")
    _, first, count = np.unique(component_of_entry[order], return_index=True, return_counts=True)
    for low, many in zip(first[count > 1].tolist(), count[count > 1].tolist(), strict=True):
        places = [divmod(place, seats) for place in order[low : low + many].tolist()]
        away = {(entry, seat): values[entry][seat] - values[places[0][0]][places[0][1]] for entry, seat in places}
        paid = {place: Fraction(units, units_per_one).limit_denominator(simple) for place, units in away.items()}
        found.append(
            {place: paid[place] * (abs(paid[place] * units_per_one - away[place]) <= 2 * max_error) for place in paid}
        )
    below = lcm(*(each.denominator for paid in found for each in paid.values()))
    finer, spread = below // gcd(below, units_per_one), 0
    if finer > (max_refinement or FINER_UNITS):
        raise UncertifiableError(CIRCLES)
    for mine in values:
        mine[:] = [value * finer for value in mine]
    for paid in found:
        started = [values[entry][seat] - int(each * units_per_one * finer) for (entry, seat), each in paid.items()]
        best = max(started) if sign > 0 else min(started)
        spread = max(spread, *(abs(best - value) for value in started))
        for (entry, seat), each in paid.items():
            values[entry][seat] = best + int(each * units_per_one * finer)
    return finer, spread


def add_slack(values: list[list[int]], slack: list[int], sign: int) -> None:
    """Move values by ``slack``, in place: upwards if more is better, else downwards.

    ``values``: shape (entries, seats). ``slack``: in the units of the values, per entry or per entry and seat. ``sign``:
    -1 if less is better, else 1.
    """
    seats = len(slack) // len(values)
    for entry, mine in enumerate(values):
        mine[:] = [value + sign * slack[entry * seats + seat % seats] for seat, value in enumerate(mine)]


def rounded_up_to_grains(steps: Any) -> list[int]:
    """Convert numbers of steps to whole grains, rounded up. A step has ``GRAINS_PER_STEP`` grains."""
    return [int(step) for step in np.ceil(steps * GRAINS_PER_STEP)]


ZLIB_GZIP_WINDOW = 31  # zlib's name of its format, without a time in it
AT_ONCE = 10_000  # states whose keys are read together
_TEXT = json.JSONEncoder(separators=(",", ":"), ensure_ascii=False)


def certificate(solution: Solution, gzipped: bool = False, progress: Progress | None = None) -> bytes:
    """Return the certificate of a solution as text, or gzipped if ``gzipped``. The same solution gives the same bytes.

    Raises UncertifiableError if play lasts so long that its end cannot be proved in this way.
    """
    return b"".join(certificate_bytes_in_parts(_certificate_records(solution, progress or ignore_progress), gzipped))


def certificate_bytes_in_parts(records: Iterable[dict[str, Any]], gzipped: bool) -> Iterator[bytes]:
    """Yield the bytes of a certificate: a line of JSON for each record, then the checksum. If ``gzipped``, they are
    gzipped.
    """
    digest = hashlib.sha256()
    press = zlib.compressobj(6, wbits=ZLIB_GZIP_WINDOW)
    for record in records:
        line = _record_bytes(record)
        digest.update(line)
        yield press.compress(line) if gzipped else line
    last = _record_bytes({"sha256": digest.hexdigest()})
    yield press.compress(last) + press.flush() if gzipped else last


def _record_bytes(record: dict[str, Any]) -> bytes:
    return _TEXT.encode(record).encode() + b"\n"


def _certificate_records(solution: Solution, progress: Progress) -> Iterator[dict[str, Any]]:
    """Yield the header, then a record for each state."""
    graph, evidence = solution.graph, CertificateBuilder(solution)
    left_out = graph.codec.reduction
    canonical = CanonicalForm(graph.game, left_out.unit_payoffs, left_out.forgotten, left_out.orbits)
    start = start_data(canonical, Rules(graph.game))
    table = evidence.value_table(start["mover"], [Fraction(text) for text in start["held"]])
    actions = [graph.actions[action] for action in evidence.actions]
    policies = {str(seat): name for seat, name in sorted(solution.named_policies.items())}
    claims = {"kind": solution.kind, "policies": policies, "states": graph.state_count}
    yield certificate_header(graph.game, graph.objective, table, actions, claims, canonical)
    for first in range(0, graph.state_count, AT_ONCE):
        progress("certifying", first, graph.state_count)
        for state, position in enumerate(graph.codec.states(graph.keys[:, first : first + AT_ONCE]), first):
            rows = evidence.actions_and_transitions(state)
            play = [evidence.played_row_or_shares(entry) for entry in _entries_of_state(table, state)]
            yield _state_record(table, state, position, rows, play)


def _entries_of_state(table: ValueTable, state: int) -> range:
    return range(state * table.copies_per_state, (state + 1) * table.copies_per_state)


def _state_record(table: ValueTable, state: int, position: State, rows: list[Any], play: list[Any]) -> dict[str, Any]:
    """Return the record of a state. ``rows``: its actions, each with its transitions. ``play``: for each entry, the row
    that is played, or the shares of several rows.
    """
    mine = _entries_of_state(table, state)
    over = {} if table.residual else {"over": [f"{table.denominators[entry]:x}" for entry in mine]}
    ends = [table.distances_to_end[entry] for entry in mine]
    return {
        **position_data(position, table.seats),
        "rows": rows,
        "play": play,
        "values": [[f"{value:x}" for value in table.values[entry]] for entry in mine],
        **over,
        "steps": [table.steps[entry] for entry in mine],
        "ends": [None if end == NEVER_ENDS else end for end in ends],
    }


def certificate_header(
    game: Game,
    objective: str,
    table: ValueTable,
    actions: Iterable[tuple[str, int, tuple[tuple[str, Any], ...]]],
    claims: Mapping[str, Any],
    canonical: CanonicalForm,
) -> dict[str, Any]:
    """Return the header of a certificate: which game it is about, and how to read the records of its states.
    ``claims``: results that are not in the table.
    """
    return {
        "certificate": FORMAT,
        "ruleset": setting_data(game),
        "objective": objective,
        "goal": game.ruleset.payoffs[objective].goal,
        **claims,
        "copies": table.copies_per_state,
        "cells": [cell.name for cell in game.cells],
        "canonical": canonical_steps_data(canonical),
        "start": start_data(canonical, Rules(game)),
        "actions": [
            action_data(phase, Action(entry, game.ruleset.phases[phase].entries[entry].name, binding))
            for phase, entry, binding in actions
        ],
        "payoffs": table.payoffs,
        "scale": table.payoff_scale,
        "unit": f"{table.residual_scale:x}",
        "residual": f"{table.residual:x}",
        "grain": table.step_scale,
    }


MIN_DIGITS = 40  # that a solution should have
MAX_RESIDUAL = 1 << 40  # units of 2^-UNIT_BITS by which what is played may bring less than a value
MAX_MIDDLE_ERROR = 64
"""The most units by which middles may be off in a row. The steps of play make room for it: a unit for each grain."""
SETTLED_TOLERANCE = 1e-9  # of the largest value: a sweep that changes steps by less is the last


def staged_certificate(staged: Staged, gzipped: bool = False, progress: Progress | None = None) -> Iterator[bytes]:
    """Yield the certificate of a game that was solved by stages, part by part. The certificate is text, or gzipped if
    ``gzipped``.

    Raises UncertifiableError if the solution has too few digits, or if play lasts so long that its end cannot be proved
    in this way.
    """
    return certificate_bytes_in_parts(_StageWriter(staged, progress or ignore_progress).records(), gzipped)


def refuse_few_digits(digits: int) -> None:
    """Raise UncertifiableError if ``digits`` decimal digits are too few for a certificate. This is checked before a
    solution that takes hours.
    """
    if binary_places_for_digits(0, digits) <= UNIT_BITS:
        raise _too_few_digits_error()


def _too_few_digits_error() -> UncertifiableError:
    return UncertifiableError(f"{TOO_FEW} {MIN_DIGITS}")


@dataclass
class _StageIndex:
    """The states of one stage, as they are numbered in the file.

    ``first_number``: the number of the first state of the stage; ``least_target``: the lowest number of a state that
    the stage leads to.
    """

    keys: Ints
    first_number: int
    least_target: int
    index: KeyIndex = field(repr=False)

    @property
    def state_count(self) -> int:
        """The number of states of the stage."""
        return int(self.keys.shape[1])


class _StageWriter:
    """Explores all states of a game again, and writes their records stage by stage."""

    def __init__(self, staged: Staged, progress: Progress) -> None:
        self.staged, self.progress, explorer = staged, progress, staged.explorer
        self.codec, left_out = explorer.codec, explorer.codec.reduction
        self.canonical = CanonicalForm(staged.game, left_out.unit_payoffs, left_out.forgotten, left_out.orbits)
        stages = find_stages(self.codec)
        assert stages is not None
        self.stage_of, found = stages.stages_of, explore_stages(explorer, stages, progress)
        self.order, self.stages, first = sorted(found.sizes, reverse=True), dict[int, _StageIndex](), 0
        for each in self.order:
            furthest = found.last_stages_reached.get(each, each)
            least = first if furthest == each else self.stages[furthest].first_number
            self.stages[each] = _StageIndex(found.keys[each], first, least, KeyIndex.of(found.keys[each]))
            first += found.sizes[each]
        self.states, (payoffs, scale) = first, explorer.payoffs
        refuse_inexact_in_json(scale, *chain.from_iterable(payoffs))
        start, goal = start_data(self.canonical, Rules(staged.game)), staged.game.ruleset.payoffs[staged.objective].goal
        held = [Fraction(text) for text in start["held"]]
        self.table = ValueTable(
            staged.game.seats, 1, 1 if goal == "max" else -1, frozenset(), payoffs, scale, start["mover"], held,
            1 << UNIT_BITS, MAX_RESIDUAL, GRAINS_PER_STEP, [], [], [], [], first - self.stages[self.order[-1]].state_count,
        )  # fmt: skip
        self.rises: list[Any] = []  # per state the room that its values make, in grains: for all seats, or for each
        self.actions = {action: number for number, action in enumerate(explorer.expander.actions)}
        self.paid = {tuple(Fraction(units, scale) for units in kind): number for number, kind in enumerate(payoffs)}

    def records(self) -> Iterator[dict[str, Any]]:
        """Yield the header, then a record for each state."""
        staged, order = self.staged, [self.stages[each] for each in self.order]
        claims: dict[str, Any] = {
            "kind": staged.kind,
            "policies": {},
            "states": self.states,
            "stages": [[each.state_count, each.least_target] for each in order],
        }
        yield certificate_header(staged.game, staged.objective, self.table, self.actions, claims, self.canonical)
        for place, stage in enumerate(order, 1):
            yield from self._stage_records(stage)
            gone = min((each.least_target for each in order[place:]), default=0)
            self.table.forget_states(gone)
            self.rises[:gone] = [None] * gone
        if any(high - low > MAX_VALUE_WIDTH for low, high in self.table.game_value_bounds()):
            raise UncertifiableError("play lasts too long for a certificate by stages")

    def _stage_records(self, stage: _StageIndex) -> Iterator[dict[str, Any]]:
        table, around = self.table, self.staged.schedule.neighbourhood(stage.keys)
        refuse_inexact_in_json(int(around.graph.weight.max()))
        lines = _StageTransitions(self, stage, around)
        near_rows, graph = lines.nearly_best_rows(), around.graph
        values = list(_bound_midpoints(around.bounds, stage.state_count))
        steps, rises = lines.steps_to_end_and_slack(near_rows, values)
        table.values.extend(values)
        table.denominators.extend([table.residual_scale] * stage.state_count)
        table.steps.extend(steps)
        table.distances_to_end.extend(lines.worst_distances_to_end())
        self.rises.extend(rises)
        for state, position in enumerate(self.codec.states(stage.keys)):
            number, low = stage.first_number + state, int(graph.state_rows[state])
            self.progress("certifying", number, self.states)
            rows, mixture = list(transitions_by_row(graph, state, lines.columns)), around.mixtures.get(state)
            play = mixed_rows_with_shares(mixture, low) if mixture else int(around.policy_rows[state]) - low
            if any(
                near_rows[low + row] and table.gain_of_row(number, rows[row]) > 0
                for row in range(len(rows))
                if row != play
            ):
                raise _too_few_digits_error()
            numbered = list(zip(lines.action_numbers(state), rows, strict=True))
            yield _state_record(table, number, position, numbered, [play])

    def state_numbers(self, keys: Ints) -> Ints:
        """Return the numbers that states have in the file. ``keys``: the keys of the states, whose stages must have
        been written.
        """
        found, stage = np.empty(keys.shape[1], dtype=np.int64), self.stage_of(keys)
        for each in set(stage.tolist()):
            here = np.flatnonzero(stage == each)
            found[here] = self.stages[each].first_number + self.stages[each].index.find(keys[:, here])
        return found


class _StageTransitions:
    """The transitions of a stage, as the records of its states hold them. ``columns``: target, seat shift and payoff of
    each transition.
    """

    def __init__(self, writer: _StageWriter, stage: _StageIndex, neighbourhood: Neighbourhood) -> None:
        self.writer, self.neighbourhood, self.graph, self.count = (
            writer,
            neighbourhood,
            neighbourhood.graph,
            stage.state_count,
        )
        graph, others = self.graph, writer.state_numbers(neighbourhood.boundary_keys)
        paid = [writer.paid[tuple(Fraction(units, graph.scale) for units in kind)] for kind in graph.payoffs]
        self.local = graph.target.astype(np.int64)  # -1, and the last entry of what is asked of targets, is the end
        number = np.concatenate([stage.first_number + arange(self.count), others, [-1]])
        by = np.where(self.local < 0, 0, graph.seat_shift)
        self.columns = (number[self.local], by, np.array(paid, dtype=np.int64)[graph.payoff])
        self.others: list[int] = others.tolist()

    def action_numbers(self, state: int) -> list[int]:
        """Return the numbers of the actions of a state, by row; -1 for a row of chance."""
        actions = self.graph.row_action[self.graph.rows(state)].tolist()
        return [-1 if action < 0 else self.writer.actions[self.graph.actions[action]] for action in actions]

    def steps_to_end_and_slack(self, nearly_best_rows: Mask, values: list[list[int]]) -> tuple[list[int], list[Any]]:
        """Return two lists over states: the steps to the end, in grains, and the room that the values receive, in
        units. The room is also added to ``values`` in place.

        Usually both lists are equal: they come from the longest play that takes rows of ``nearly_best_rows``. If such play
        could go on for ever, the steps are those of the certified play instead. Then the room of a state is a tuple, by
        seat: it comes from the longest play in which this seat alone takes rows of ``nearly_best_rows``.
        """
        table, rows = self.writer.table, np.flatnonzero(nearly_best_rows)
        every = self._matrix_and_boundary_slack(
            rows, np.ones(len(rows)), arange(len(rows)), self._boundary_slack(1), None
        )
        nodes = NodeRows(*every, self.graph.row_state[rows])
        if not nodes.components_and_inner_rows[1].any():
            steps = self._steps_in_grains(nodes)
            add_slack(values, steps, table.sign)
            return steps, list(steps)
        found = longest_play(self._rows_by_seat(rows))
        if (
            level_components(
                values,
                found.component_of_node,
                table.sign,
                table.residual_scale,
                MAX_MIDDLE_ERROR // 16,
                max_refinement=1,
            )[1]
            > MAX_MIDDLE_ERROR // 4
        ):
            raise _too_few_digits_error()
        rises = rounded_up_to_grains(found.steps_to_end)
        add_slack(values, rises, table.sign)
        taken, shares = self._played_rows_and_shares()
        known = np.array([[table.steps[each]] for each in self.others] + [[0]], dtype=float) / GRAINS_PER_STEP
        played = self._matrix_and_boundary_slack(taken, shares, self.graph.row_state[taken], known, None)
        steps = self._steps_in_grains(NodeRows(*played, arange(self.count)))
        return steps, [tuple(rises[at : at + table.seats]) for at in range(0, len(rises), table.seats)]

    def _rows_by_seat(self, nearly_best_rows: Ints) -> NodeRows:
        """Return rows over nodes that are pairs of state and seat. A seat always has the rows that are played. The
        mover also has ``nearly_best_rows``, which are nearly as good.
        """
        seats, state, (taken, shares) = self.writer.table.seats, self.graph.row_state, self._played_rows_and_shares()
        known, parts = self._boundary_slack(seats), list[tuple[csr_matrix, Floats]]()
        for seat in range(seats):
            parts.append(self._matrix_and_boundary_slack(taken, shares, state[taken], known, seat))
        parts.append(
            self._matrix_and_boundary_slack(
                nearly_best_rows, np.ones(len(nearly_best_rows)), arange(len(nearly_best_rows)), known, 0
            )
        )
        nodes = [arange(self.count) * seats + seat for seat in range(seats)]
        chances, right = zip(*parts, strict=True)
        return NodeRows(
            csr_matrix(vstack(chances)),
            np.concatenate(right),
            np.concatenate([*nodes, state[nearly_best_rows] * seats]),
        )

    def _boundary_slack(self, seats: int) -> Floats:
        """Return the room that the values of the boundary states received, in steps, shape (boundary states + 1,
        seats). If ``seats`` is 1, the single column has the greatest room of all seats. The last line is 0, for the
        end.
        """
        found = [self.writer.rises[each] for each in self.others]
        if seats == 1:
            return np.array([[np.max(each)] for each in found] + [[0]], dtype=float) / GRAINS_PER_STEP
        every = [each if isinstance(each, tuple) else (each,) * seats for each in found]
        return np.array([*every, (0,) * seats], dtype=float) / GRAINS_PER_STEP

    def _matrix_and_boundary_slack(
        self, rows: Ints, probabilities: Floats, line_of_row: Ints, boundary_slack: Floats, seat: int | None
    ) -> tuple[csr_matrix, Floats]:
        """Return a matrix and a vector over lines: the transition probabilities within the stage, and 1 plus the
        expected room at the boundary.

        ``rows``: rows of the graph. ``probabilities``: the probability of each row. ``line_of_row``: the line to which
        each row is added. ``boundary_slack``: the room of the boundary states, in steps. With a ``seat``, counted from
        the mover, the columns are pairs of state and seat; without, they are states.
        """
        graph, seats, count = self.graph, 1 if seat is None else self.writer.table.seats, int(line_of_row.max()) + 1
        lengths = graph.row_edges[rows + 1] - graph.row_edges[rows]
        edges, line = concatenated_ranges(graph.row_edges[rows], lengths), repeat(line_of_row, lengths)
        target, chance = (
            self.local[edges],
            graph.weight[edges] * repeat(probabilities / graph.denominator[rows], lengths),
        )
        place = np.zeros(len(edges), dtype=np.int64) if seat is None else (seat - self.columns[1][edges]) % seats
        own = (target >= 0) & (target < self.count)
        later = boundary_slack[np.where(target < self.count, -1, target - self.count), place]
        following = (chance[own], (line[own], target[own] * seats + place[own]))
        right = 1 + bincount(line, later * chance, count)
        return csr_matrix(following, shape=(count, self.count * seats)), right

    def _steps_in_grains(self, rows: NodeRows) -> list[int]:
        """Return the number of steps to the end from each node, rounded up to grains: a vector d with d - P d >= 1/2,
        for the transition matrix P. The rows must be in the order of their nodes.
        """
        first = np.searchsorted(rows.node_of_row, arange(self.count + 1))
        try:
            steps = iterate_values(
                list(state_blocks(0, first, rows.probabilities)), rows.step_counts, SETTLED_TOLERANCE
            )
        except SingularSystem:
            steps = np.array([np.inf])
        if (
            not np.isfinite(steps).all()
            or (steps[rows.node_of_row] - rows.probabilities @ steps - rows.step_counts + 1).min() < MIN_FALL
        ):
            raise UncertifiableError("play may last for ever: a certificate cannot prove that it ends")
        refuse_inexact_in_json(int(GRAINS_PER_STEP * float(steps.max())) + 1)
        return rounded_up_to_grains(steps)

    def _played_rows_and_shares(self) -> tuple[Ints, Floats]:
        """Return the rows that play takes, and the share of each in its state, as two arrays of the same length.

        If some states mix actions, the rows of all others come first.
        """
        rows, mixtures = self.neighbourhood.policy_rows, self.neighbourhood.mixtures
        pure = np.setdiff1d(arange(self.count), np.array(list(mixtures), dtype=np.int64))
        mixed = [(row, float(chance)) for each in mixtures.values() for row, chance in each.row_probabilities.items()]
        if not mixed:
            return rows, np.ones(self.count)
        others, shares = zip(*mixed, strict=True)
        return np.append(rows[pure], others), np.append(np.ones(len(pure)), shares)

    def worst_distances_to_end(self) -> list[int]:
        """Return for each state the least number of transitions to the end that chance can bring about, if the players
        always take the action that makes it greatest.
        """
        known = [self.writer.table.distances_to_end[each] for each in self.others]
        ranks = np.array([*([NEVER_ENDS] * self.count), *known, 0], dtype=np.int64)
        while True:
            rows = reduceat(np.minimum, ranks[self.local], self.graph.row_edges[:-1])
            worst = np.minimum(NEVER_ENDS, reduceat(np.maximum, rows, self.graph.state_rows[:-1]) + 1)
            if (worst == ranks[: self.count]).all():
                return [int(end) for end in worst]
            ranks[: self.count] = worst

    def nearly_best_rows(self) -> Mask:
        """Find the rows that floats cannot tell from the row that is played, as a mask. The exact arithmetic of the
        table decides about these rows.
        """
        graph, bounds, table = self.graph, self.neighbourhood.bounds, self.writer.table
        values = np.append(bounds.values, np.zeros((1, table.seats)), axis=0)
        paid = np.array([kind[0] for kind in table.payoffs], dtype=float)[self.columns[2]] / table.payoff_scale
        brought = values[self.local, -self.columns[1] % table.seats] + paid
        chance = graph.weight / repeat(graph.denominator, np.diff(graph.row_edges))
        worth: Floats = reduceat(np.add, brought * chance, graph.row_edges[:-1])
        taken = repeat(worth[self.neighbourhood.policy_rows], np.diff(graph.state_rows))
        found: Mask = (worth - taken) * table.sign > -TIE_TOLERANCE * (1 + float(np.abs(values).max()))
        found[self._played_rows_and_shares()[0]] = True
        return found


def _bound_midpoints(bounds: ProvenBounds, state_count: int) -> Iterator[list[int]]:
    """Yield for each state the middles of its bounds, by seat, in units of the table. ``state_count``: the number of states.

    Raises UncertifiableError if a middle is so far from the true value that the error of a row could reach
    ``MAX_MIDDLE_ERROR``.
    """
    point, finer = bounds.point, bounds.point.binary_places - UNIT_BITS
    if finer < 1 or int(bounds.radius[:state_count].max()) * 4 >= (MAX_MIDDLE_ERROR // 4) << finer:
        raise _too_few_digits_error()
    for state in range(state_count):
        yield [point.units_of_limbs(limbs) >> finer for limbs in bounds.middle[:, state].T.tolist()]
