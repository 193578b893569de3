"""Solving a game stage by stage: each stage is explored again and solved as a game of its own."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import islice
from time import perf_counter
from typing import Any
from uuid import uuid4

import numpy as np
from scipy.sparse import csr_matrix, vstack
from threadpoolctl import threadpool_limits

from oddsmith.base.arrays import Floats, Ints, arange, cumsum, reduceat, repeat
from oddsmith.base.errors import SolveError
from oddsmith.base.executors import Resources, completed_tasks
from oddsmith.base.progress import Progress, ignore_progress
from oddsmith.base.systems import memory_size as machine
from oddsmith.graph import (
    Explorer,
    StateGraph,
    describe,
    refuse_disagreement,
    refuse_endless,
    to_narrowest_type,
    unique,
)
from oddsmith.ruleset import Game
from oddsmith.solve.arenas.arena import Arena, strong_component_sizes
from oddsmith.solve.arenas.component import InternalRows, NeverEnds
from oddsmith.solve.arenas.component_policy import NoPureEquilibrium
from oddsmith.solve.game_solver import BYTES_PER_TRANSITION
from oddsmith.solve.numbers import FixedPoint, FractionTooLong, Limbs
from oddsmith.solve.solution import PlayKind
from oddsmith.solve.staged.find import StageMap, find_stages
from oddsmith.solve.staged.forward import (
    PROGRAM_BYTES,
    ExploredStages,
    constant_payoff_sum,
    explore_stages,
    keys_within_stage,
    worker_memory_bytes,
)
from oddsmith.solve.staged.store import (
    ColumnFile,
    Neighbourhood,
    SolvedStage,
    SolvedStates,
    StageRecords,
    StageSummary,
    join_values_and_turns,
)
from oddsmith.solve.systems.linear_systems import SingularSystem
from oddsmith.solve.systems.value_iteration import StateBlock, best_rows, iterate_values, state_blocks
from oddsmith.solve.values.arena_solver import LARGE_GAME, ArenaSolver, binary_places_for_digits
from oddsmith.solve.values.bounds import KnownValues, ProvenBounds
from oddsmith.solve.values.deciding import BestRowDecider
from oddsmith.solve.values.fractions import ExactValues
from oddsmith.solve.values.grid import UNKNOWN_EXPONENT
from oddsmith.solve.values.mixing import Mixture
from oddsmith.solve.values.policy_evaluation import bounded_policy_values
from oddsmith.solve.values.refining import IntegerSystem, Unproven

STATES_PER_STRETCH = 1 << 16  # states at a time
SETTLED_TOLERANCE = 1e-13  # of the largest value: a sweep that changes values by less is the last
SETTLED_UNITS = 0.05  # the same in units, where whole numbers are wanted: they are rounded, or have a half to spare
EQUAL_ROWS_TOLERANCE = 1e-11  # of the largest value: rows whose values differ by less are proposed in their order
MAX_ROUNDS = 50


@dataclass(frozen=True, eq=False)
class StageOutcome:
    """A solved stage.

    ``policy_rows``: the row that each state takes; ``values``, ``remaining_turns``: the values and the expected
    remaining turns of each state; ``undecided_count``: the number of undecided states. ``one_seat_can_stay_forever``:
    whether, in a game of two players with a constant sum, one player could keep play in the stage for ever while the
    other plays by the policy. ``mixtures``: the mixed actions by state.
    """

    policy_rows: Ints
    values: KnownValues
    remaining_turns: KnownValues
    undecided_count: int
    one_seat_can_stay_forever: bool
    mixtures: Mapping[int, Mixture] = field(default_factory=dict)


@dataclass(frozen=True, eq=False)
class _StateQuantity:
    """A quantity that every state has: its value, or its expected number of remaining turns.

    ``seat_count``: the number of seats for which there is a quantity. ``boundary_values``: the quantity of the boundary
    states, which are numbered after those of the graph. ``sum_over_seats``: the sum of the quantity over all seats.
    ``is_turn_count``: whether the quantity is the number of turns.
    """

    seat_count: int
    boundary_values: KnownValues | None
    sum_over_seats: Fraction
    is_turn_count: bool


class LargeStageSolver:
    """Solves one stage by sweeps of value iteration, and proves the result.

    ``graph``: the states of the stage. ``boundary_values``, ``boundary_turns``: the values and the remaining turns of
    the boundary. ``value_sum``: the sum of all seats' values. ``digits``: the number of decimal digits that the values
    should have.
    """

    def __init__(
        self,
        graph: StateGraph,
        boundary_values: KnownValues | None,
        boundary_turns: KnownValues | None,
        value_sum: Fraction,
        digits: int | None,
        progress: Progress,
    ) -> None:
        self.graph, self.count, self.tell = graph, graph.state_count, progress
        precision = binary_places_for_digits(graph.state_count * graph.seats, digits)
        self.point = FixedPoint.of(precision, int(graph.denominator.max()))
        self.worth = _StateQuantity(
            graph.seats, self._convert_to_own_precision(boundary_values), value_sum, is_turn_count=False
        )
        self.turns = _StateQuantity(1, self._convert_to_own_precision(boundary_turns), Fraction(0), is_turn_count=True)

    def _convert_to_own_precision(self, known_values: KnownValues | None) -> KnownValues | None:
        """Convert known values to the fixed point of this stage."""
        if known_values is None or known_values.point == self.point:
            return known_values
        x, radius = self.point.convert(known_values.middle, known_values.radius, known_values.point)
        return replace(known_values, middle=x, radius=radius, point=self.point)

    def solve(self) -> StageOutcome:
        """Solve the stage. Raises Unproven if no proof is found; another method may then find one."""
        try:
            rows = self._best_rows_in_floats()
            for _ in range(MAX_ROUNDS):
                policy = _PolicyLinearSystem(self, rows)
                x, radius = policy.proven_values(self.worth, self.tell)
                better, undecided = self._better_rows_and_undecided_count(x, radius, rows)
                if not len(better):
                    values = self._values_of_all_seats(x, radius, self.worth)
                    turns = self._values_of_all_seats(*policy.proven_values(self.turns, self.tell), self.turns)
                    return StageOutcome(rows, values, turns, undecided, self._one_seat_can_stay_forever(rows))
                rows[self._states_of_rows(better)] = better
        except SingularSystem:
            pass
        raise Unproven

    def _one_seat_can_stay_forever(self, policy_rows: Ints) -> bool:
        """Return whether one of two seats could keep play in the stage for ever while the other takes the rows
        ``policy_rows``.
        """
        graph = self.graph
        if graph.seats == 1:
            return False
        inside = (graph.target >= 0) & (graph.target < self.count)
        leaves = reduceat(np.logical_or, ~inside, graph.row_edges[:-1])
        edges = (graph.edge_row[inside], graph.target[inside], graph.seat_shift[inside])
        ways = InternalRows(self.count, graph.row_state, leaves, *edges)
        if not ways.states_that_can_stay(np.ones_like(leaves)).any():
            return False
        own = np.zeros_like(leaves)
        own[policy_rows] = True
        return bool(ways.states_where_one_seat_can_stay(own).any())

    def _states_of_rows(self, rows: Ints) -> Ints:
        """Return the state of each of the given rows."""
        return np.searchsorted(self.graph.state_rows, rows, side="right") - 1

    # --- block by block

    def arena_blocks(self, quantity: _StateQuantity) -> Iterator[tuple[int, Arena, Ints]]:
        """Yield blocks of consecutive states.

        Each item is the first state of the block, its arena, and the numbers of the successors of the block.
        ``quantity``: the quantity that the arena pays: values, or turns.
        """
        graph = self.graph
        for first in range(0, self.count, STATES_PER_STRETCH):
            last = min(first + STATES_PER_STRETCH, self.count)
            arena, seen = Arena.acyclic_block(graph, first, last)
            if quantity.is_turn_count:
                edges = graph.row_edges[graph.state_rows[[first, last]]]
                arena = arena.counting_arena([graph.tag_column(2, slice(*edges)).astype(bool)])
            yield first, arena, seen

    def successor_bounds(
        self,
        quantity: _StateQuantity,
        arena: Arena,
        successor_states: Ints,
        values: Limbs | None = None,
        radius: Ints | None = None,
    ) -> ProvenBounds:
        """Return proven bounds of the successors of a block.

        ``arena``, ``successor_states``: the arena of the block, and the numbers of its successors. ``values``: the
        values of the states of the stage for their mover, 0 by default; ``radius``: the errors of these values.
        ``quantity``: the quantity that is bounded.
        """
        own = successor_states < self.count
        outside, inside = successor_states[~own] - self.count, successor_states[own]
        value, reach = (
            self.point.zeros(len(successor_states), quantity.seat_count),
            np.zeros(len(successor_states), dtype=np.int64),
        )
        deterministic = np.zeros((len(successor_states), quantity.seat_count + 1), dtype=bool)
        primes = quantity.boundary_values.primes if quantity.boundary_values else ()
        exponents = np.full((len(successor_states), max(len(primes), 1)), UNKNOWN_EXPONENT, dtype=np.int16)
        if values is not None and radius is not None:
            value[:, own, 0], reach[own] = values[:, inside], radius[inside]
        if quantity.seat_count == 2:
            sums, exact = self.point.limbs_of_fractions([quantity.sum_over_seats])
            if not exact:
                raise Unproven
            value[:, own, 1] = sums - value[:, own, 0]
            self.point.carry_limbs(value)
        if quantity.boundary_values is not None:
            value[:, ~own], reach[~own] = (
                quantity.boundary_values.middle[:, outside],
                quantity.boundary_values.radius[outside],
            )
            exponents[~own] = quantity.boundary_values.exponents[outside]
            deterministic[~own] = quantity.boundary_values.is_deterministic[outside]
        bounds = ProvenBounds(arena, self.point.binary_places, primes)
        if bounds.point != self.point:
            raise Unproven
        scale = quantity.boundary_values.scale if quantity.boundary_values else arena.scale
        bounds.set_known(
            arange(arena.state_count - len(successor_states), arena.state_count),
            KnownValues(value, reach, self.point, primes, exponents, scale, deterministic),
        )
        return bounds

    def weight_matrix(self, arena: Arena, successor_states: Ints, rows: Ints) -> csr_matrix:
        """Return the weight matrix W of the given rows of a block, shape (rows, states of the stage).

        ``arena``, ``successor_states``: the arena of the block, and the numbers of its successors.
        """
        edges, lengths = arena.edges_of(rows)
        target = arena.target[edges] - (arena.state_count - len(successor_states))
        number = np.append(successor_states, self.count)[np.where(target >= 0, target, len(successor_states))]
        own = number < self.count
        weight = np.where(arena.seat_shift[edges] % arena.seats == 1, -arena.weight[edges], arena.weight[edges])
        ends = np.concatenate([[0], cumsum(own)])[np.concatenate([[0], cumsum(lengths)])]
        data, places = weight[own].astype(np.int32), number[own].astype(np.int32)
        return csr_matrix((data, places, ends.astype(np.int32)), shape=(len(rows), self.count))

    # --- propose and check

    def _best_rows_in_floats(self) -> Ints:
        """Return the best row of each state, as found in floats."""
        graph, parts, sign = self.graph, list[StateBlock](), 1
        right = np.empty(int(graph.state_rows[-1]))
        for first, arena, seen in self.arena_blocks(self.worth):
            own = arange(len(arena.row_edges) - 1)
            bounds, low, sign = (
                self.successor_bounds(self.worth, arena, seen),
                int(graph.state_rows[first]),
                arena.objective_sign,
            )
            brought = bounds.weighted_row_sums(own, own * 0)[0]
            self.point.carry_limbs(brought)
            right[low : low + len(own)] = self.point.to_floats(brought) / arena.denominator * sign
            chances = _transition_matrix(self.weight_matrix(arena, seen, own), arena.denominator)
            parts += state_blocks(first, graph.state_rows[first : first + arena.state_count - len(seen) + 1], chances)
            self.tell("solving", first // 4, self.count)
        x = iterate_values(parts, right, SETTLED_TOLERANCE)
        return best_rows(parts, x, right, EQUAL_ROWS_TOLERANCE * float(np.abs(x).max()))

    def _better_rows_and_undecided_count(self, values: Limbs, radius: Ints, policy_rows: Ints) -> tuple[Ints, int]:
        """Return the rows that are proven better than the rows taken.

        Returns also the number of states in which the bounds do not tell the best two rows apart. ``values``,
        ``radius``: the values under the rows taken, and their errors.
        """
        found, undecided = [policy_rows[:0]], 0
        for first, arena, seen in self.arena_blocks(self.worth):
            bounds, low = (
                self.successor_bounds(self.worth, arena, seen, values, radius),
                int(self.graph.state_rows[first]),
            )
            exact = ExactValues(arena, np.full(arena.state_count, -1, dtype=np.int64), bounds)
            exact.fraction_unavailable[arena.state_count - len(seen) :] = True
            decider = BestRowDecider(arena, bounds, exact, 0)
            several = np.flatnonzero(np.diff(arena.state_rows) > 1)
            if len(several):
                best, taken = decider.best_rows(several), policy_rows[first + several] - low
                pairs = np.stack([best, taken])[:, best != taken]
                worth, reach = bounds.row_values(pairs.reshape(-1), np.zeros(pairs.size, dtype=np.int64))
                one, two = np.split(worth, 2, axis=1)
                found.append(low + pairs[0, self.point.differ_by_more_than(one, two, reach.reshape(2, -1).sum(axis=0))])
            undecided += len(decider.undecided)
            self.tell("solving", self.count * 3 // 4 + first // 4, self.count)
        return np.concatenate(found), undecided

    def _values_of_all_seats(self, mover_values: Limbs, radius: Ints, quantity: _StateQuantity) -> KnownValues:
        """Return the values to store, for all seats. The value of the other seat is the sum less the value of the
        mover.

        ``mover_values``: the values of the states for their movers; ``radius``: their errors.
        """
        sums, _ = self.point.limbs_of_fractions([quantity.sum_over_seats])
        seats = [mover_values]
        if quantity.seat_count == 2:
            seats.append(sums - mover_values)
            self.point.carry_limbs(seats[1])
        exponents = np.full((self.count, 1), UNKNOWN_EXPONENT, dtype=np.int16)
        scale = quantity.boundary_values.scale if quantity.boundary_values else self.graph.scale
        deterministic = np.zeros((self.count, quantity.seat_count + 1), dtype=bool)
        mover_values = to_narrowest_type(np.stack(seats, axis=2))
        return KnownValues(
            mover_values, radius, self.point, (), exponents, 1 if quantity.is_turn_count else scale, deterministic
        )


class _PolicyLinearSystem:
    """The weight matrix W and the diagonal matrix D of denominators of the rows that a fixed policy takes."""

    def __init__(self, stage: LargeStageSolver, policy_rows: Ints) -> None:
        self.stage, self.rows, parts = stage, policy_rows, []
        self.denominator = stage.graph.denominator[policy_rows]
        for first, arena, seen in stage.arena_blocks(stage.worth):
            parts.append(stage.weight_matrix(arena, seen, self._rows_in_block(first, arena, seen)))
        self.weights = vstack(parts, format="csr")
        self.slack = self._integer_system(abs(self.weights)).slack_vector(1)

    def _rows_in_block(self, first_state: int, arena: Arena, successor_states: Ints) -> Ints:
        """Return the rows of a block that the policy takes, by their numbers in the block.

        ``first_state``: the first state of the block. ``arena``, ``successor_states``: the arena of the block, and the
        numbers of its successors.
        """
        return self.rows[first_state : first_state + arena.state_count - len(successor_states)] - int(
            self.stage.graph.state_rows[first_state]
        )

    def proven_values(self, quantity: _StateQuantity, progress: Progress) -> tuple[Limbs, Ints]:
        """Return the value of each state for its mover in normalized limbs, and the radii of the errors.

        ``quantity``: the quantity that is the value.
        """
        stage = self.stage
        right, widest, rounded = stage.point.zeros(stage.count, 1), 0, 0
        for first, arena, seen in stage.arena_blocks(quantity):
            bounds, rows = stage.successor_bounds(quantity, arena, seen), self._rows_in_block(first, arena, seen)
            total, _, outer = bounds.weighted_row_sums(rows, rows * 0)
            right[:, first : first + len(rows), 0] = total
            widest, rounded = max(widest, int(outer.max())), max(rounded, bounds.rounded)
        system = self._integer_system(abs(self.weights) if quantity.is_turn_count else self.weights)
        x, error = system.refine_solution(
            right, stage.point, lambda share: progress("solving", int(stage.count * share), stage.count)
        )
        stage.point.carry_limbs(x)
        return x[:, :, 0], widest + self.slack.error_bound(int(error.max()) + rounded)

    def _integer_system(self, weights: csr_matrix) -> IntegerSystem:
        chances = _transition_matrix(weights, self.denominator)
        parts = list(state_blocks(0, arange(self.stage.count + 1), chances))

        def solve(right_side: Floats) -> Floats:
            return iterate_values(parts, right_side[:, 0], SETTLED_TOLERANCE, SETTLED_UNITS)[:, None]

        return IntegerSystem(self.denominator, {0: weights}, solve)


def _transition_matrix(weights: csr_matrix, denominator: Ints) -> csr_matrix:
    """Return weights divided by denominators as floats."""
    shares = weights.data / repeat(denominator, np.diff(weights.indptr))
    return csr_matrix((shares, weights.indices, weights.indptr), shape=weights.shape)


MIN_PART = 500_000  # transitions of a part of a stage, about, where there is more than one
MIN_SWEPT_TRANSITIONS = 1_000_000
"""The number of transitions from which on a part is solved in sweeps, if its component is large as well."""
LARGE_COMPONENT = 20_000  # states that can come back to one another, in such a part
SWEEP_BYTES = 270_000_000  # bytes that sweeps take whatever their size, as measured on the Royal Game of Ur
SWEEP_BYTES_PER_TRANSITION = 110  # bytes that sweeps take for every transition
ACYCLIC_BYTES_PER_TRANSITION = 180
"""Bytes that solving takes for every transition between states that play never comes back to."""
INDEX_BYTES_PER_WORD, STORED_BYTES_PER_STATE = (
    18,
    50,
)  # bytes of a solved position: for every word of its key, and for all but keys and values
SECONDS_PER_STAGE, SECONDS_PER_TRANSITION = (
    6e-2,
    4e-6,
)  # seconds of a stage and of a transition, as measured on games of many kinds
PER_CYCLE = 14e-6  # further seconds of a transition where policy iteration compares actions on cycles
POSITIONS_PER_BATCH = 1 << 14  # positions of a stage in one batch


class StageSolver:
    """Solves one stage after another.

    ``explored``: the explored stages; ``kind``: the kind of the solution; ``records``: the solved stages.
    ``resources``: the memory that solving may use, and the executor of the work on the parts of a stage.
    """

    def __init__(
        self,
        explorer: Explorer,
        stages: StageMap,
        explored: ExploredStages,
        kind: PlayKind,
        records: StageRecords,
        resources: Resources = Resources(),
    ) -> None:
        self.explorer, self.stages, self.found, self.records = explorer, stages, explored, records
        self.share, self._name = resources.executor, uuid4().hex
        self.kind, self.memory = kind, machine() if resources.memory is None else resources.memory
        self.order: Sequence[int] = sorted(explored.sizes, reverse=True)
        self.states, self.stage_kind_text, self.batch_size = explored.states, str(stages), explored.states
        self.sweeps = self._constant_value_sum() is not None  # whether large stages may be solved in sweeps
        self.widest = {
            stage: max(self._expected_state_count(stage, keys) for keys in self._keys_of_parts(stage))
            for stage in explored.keys
        }
        self.solved = dict[tuple[int, int], SolvedStage]()  # parts that were solved again, with all their states

    def to_column_file(self) -> ColumnFile:
        """Return the schedule as a column file, with only the sizes of the stages.

        The keys of the states are in the records of the solved stages.
        """
        found = self.found
        columns = (
            found.sizes,
            found.entered_counts,
            found.transition_counts,
            found.largest_component_sizes,
            found.cyclic_state_counts,
            self.widest,
        )
        stored = [self.order, *([column[stage] for stage in self.order] for column in columns)]
        about = {"sweeps": self.sweeps, "table": found.table_bytes, "entries_only": found.has_only_entered_keys}
        return ColumnFile(about, {"stages": np.array(stored, dtype=np.int64)})

    @staticmethod
    def from_column_file(
        explorer: Explorer,
        stages: StageMap,
        stored: ColumnFile,
        kind: PlayKind,
        records: StageRecords,
        resources: Resources,
    ) -> StageSolver:
        """Return the schedule from its column file. It explores the game again if a stage is still to be solved."""
        order, *columns = stored.columns["stages"].tolist()
        sizes, entered, steps, largest, circling, widest = (dict(zip(order, each, strict=True)) for each in columns)
        explored = ExploredStages(
            sizes=sizes,
            entered_counts=entered,
            transition_counts=steps,
            largest_component_sizes=largest,
            cyclic_state_counts=circling,
            table_bytes=stored.metadata["table"],
            has_only_entered_keys=stored.metadata["entries_only"],
        )
        schedule = StageSolver(explorer, stages, explored, kind, records, resources)
        schedule.widest, schedule.sweeps = widest, stored.metadata["sweeps"]
        return schedule

    def largest_stage_size_and_bytes(self) -> tuple[int, int, int]:
        """Return the stage whose largest part needs the most memory, its number of states, and an estimate of the bytes
        that it needs.
        """
        needed, stage = max((self._bytes_needed(stage, self.widest[stage]), stage) for stage in self.order)
        return stage, self.found.sizes[stage], needed + self.held_memory_bytes

    @property
    def held_memory_bytes(self) -> int:
        """An estimate of the bytes of the program, of the keys of all states, and of the solved stages in memory."""
        words, kept = len(self.explorer.start_key), self.found.stored_states
        solved = 0 if self.records.store else kept
        limbs = FixedPoint.of(binary_places_for_digits(0, self.records.digits), 1).limb_count
        values = INDEX_BYTES_PER_WORD * words + STORED_BYTES_PER_STATE + 8 * limbs * (self.explorer.game.seats + 1)
        return PROGRAM_BYTES + self.found.table_bytes + kept * 8 * words + solved * values

    def _bytes_needed(self, stage: int, state_count: int) -> int:
        """Estimate the bytes that ``state_count`` states of a stage need while they are solved."""
        size = self.found.sizes[stage]
        steps, circling = (
            column[stage] * state_count // size
            for column in (self.found.transition_counts, self.found.cyclic_state_counts)
        )
        whole = bytes_to_solve_at_once(steps, state_count, circling)
        swept = self.sweeps and uses_sweeps(
            steps, whole, self.found.largest_component_sizes[stage], self.memory - self.held_memory_bytes
        )
        return SWEEP_BYTES + steps * SWEEP_BYTES_PER_TRANSITION if swept else whole

    @property
    def estimated_seconds(self) -> float:
        """An estimate of the seconds that solving takes."""
        total, found, codec = 0.0, self.found, self.explorer.codec
        choices = any(codec.game.ruleset.phases[name].kind == "choose" for name in codec.phases)
        for stage in self.order:
            several = found.sizes[stage] > self.widest[stage]
            steps, circling = found.transition_counts[stage], found.cyclic_state_counts[stage] / found.sizes[stage]
            each = steps * (SECONDS_PER_TRANSITION + PER_CYCLE * circling * (self.sweeps and choices))
            total += SECONDS_PER_STAGE + each / (self.share.jobs if several else 1)
        return total

    def transition_count_of_stage(self, stage: int) -> int:
        """Return the number of transitions from the states of a stage."""
        return self.found.transition_counts[stage]

    def state_number_in_stage(self, key: Ints) -> int | None:
        """Return the number of a state in its stage; None if the state is not found.

        If the stored stage lacks the state, the part of the stage that has the state is solved again, and its number in
        that part is returned.
        """
        stage = int(self.stages.stages_of(key)[0])
        record = self.records.get(stage)
        number = -1 if record is None else int(record.index.find(key)[0])
        if number < 0 and record is not None and self.found.has_only_entered_keys:
            place = int(self._part_indices(stage, key)[0])
            number = -1 if place < 0 else int(self._solve_part_again(stage, place).index.find(key)[0])
        return None if number < 0 else number

    def neighbourhood(self, keys: Ints) -> Neighbourhood:
        """Return the neighbourhood of the given states, with the row that each took when it was solved."""
        graph, boundary = self.explorer.graph_of_states(keys)
        arena = Arena.of(graph, boundary.shape[1])
        neighbourhood = self.values_and_remaining_turns(np.concatenate([keys, boundary], axis=1))[0]
        bounds = ProvenBounds(arena, neighbourhood.point.binary_places, neighbourhood.primes)
        bounds.set_known(arange(arena.state_count), neighbourhood)
        parts = ((here, self.records.require(stage)) for stage, here in self._indices_by_stage(keys))
        undecided = [state for here, record in parts if record.summary.undecided for state in here.tolist()]
        begins, mixed = graph.state_rows[:-1], self.mixtures(keys)
        mixtures = {state: mixture.with_renumbered_rows(int(begins[state]).__add__) for state, mixture in mixed.items()}
        return Neighbourhood(
            graph, boundary, bounds, begins + self.action_indices(keys), frozenset(undecided), mixtures
        )

    def action_indices(self, keys: Ints) -> Ints:
        """Return the index of the action that each of the given distinct states took when it was solved."""
        found = np.zeros(keys.shape[1], dtype=np.int64)
        for here, record, numbers in self._solved_parts_with(keys):
            found[here] = record.action_indices[numbers]
        return found

    def mixtures(self, keys: Ints) -> dict[int, Mixture]:
        """Return the stored mixed actions of distinct states, by the index of the state among ``keys``."""
        found = dict[int, Mixture]()
        for here, record, numbers in self._solved_parts_with(keys):
            places = zip(here.tolist(), numbers.tolist(), strict=True) if record.mixtures else ()
            found |= {place: record.mixtures[number] for place, number in places if number in record.mixtures}
        return found

    def stages_of(self, keys: Ints) -> Ints:
        """Return the stage of each of the given states."""
        return self.stages.stages_of(keys)

    def key_batches(self, stage: int, required_cell_codes: Mapping[int, int] | None = None) -> Iterator[Ints]:  # noqa: ARG002 - all are known
        """Yield the keys of all states of a stage in batches."""
        for part in self._keys_of_parts(stage):
            keys = keys_within_stage(self.explorer, self.stages, part)[0] if self.found.has_only_entered_keys else part
            for first in range(0, keys.shape[1], POSITIONS_PER_BATCH):
                yield keys[:, first : first + POSITIONS_PER_BATCH]

    def _indices_by_stage(self, keys: Ints) -> Iterator[tuple[int, Ints]]:
        """Yield the stages of the given keys, each with the indices of its keys."""
        stage = self.stages.stages_of(keys)
        return ((each, np.flatnonzero(stage == each)) for each in unique(stage).tolist())

    def values_and_remaining_turns(self, keys: Ints) -> tuple[KnownValues, KnownValues]:
        """Return the values and the remaining turns of states of solved stages, given by their keys."""
        return join_values_and_turns(keys.shape[1], list(self._solved_parts_with(keys)))

    def _solved_parts_with(self, keys: Ints) -> Iterator[tuple[Ints, SolvedStage, Ints]]:
        """Yield the solved stages or parts that have the given states.

        Each item is the indices of states among ``keys``, the solved stage or part, and the numbers of these states in
        it.
        """
        for stage, here in self._indices_by_stage(keys):
            record = self.records.require(stage)
            if not self.found.has_only_entered_keys:
                yield here, record, record.state_numbers(keys[:, here])
                continue
            numbers = record.index.find(keys[:, here])
            kept = numbers >= 0
            if kept.any():
                yield here[kept], record, numbers[kept]
            others = here[~kept]
            places = self._part_indices(stage, keys[:, others])
            for place in unique(places).tolist():
                own = others[places == place]
                part = self._solve_part_again(stage, place)
                yield own, part, part.state_numbers(keys[:, own])

    def _stored_keys(self, stage: int) -> Ints:
        """Return the stored keys of a stage."""
        keys = self.found.keys.get(stage)
        return self.records.require(stage).keys if keys is None else keys

    def _part_indices(self, stage: int, keys: Ints) -> Ints:
        """Return for each of the given states the index of the part of the stage that may have it; -1 if no part may."""
        names, places = self._part_numbers_and_indices(stage)
        found, wanted = np.full(keys.shape[1], -1, dtype=np.int64), self.stages.part_numbers(keys)
        at = np.minimum(np.searchsorted(names, wanted), len(names) - 1)
        same = names[at] == wanted
        found[same] = places[at[same]]
        return found

    def _solve_part_again(self, stage: int, part_index: int) -> SolvedStage:
        """Return a part of a stage with all its states, solved as it was before. The parts of one stage are cached.

        ``part_index``: the index of the part.
        """
        if (stage, part_index) not in self.solved:
            if any(other != stage for other, _ in self.solved):
                self.solved.clear()
            keys = next(islice(self._keys_of_parts(stage), part_index, None))
            part = replace(self._new_part(part_index, keys), returns_all_states=True)
            self.solved[stage, part_index] = part.solve(self.values_and_remaining_turns)
        return self.solved[stage, part_index]

    def solve(self, stage: int, progress: Progress) -> SolvedStage:
        """Solve a stage. Raises SolveError."""
        if stage not in self.found.keys:
            self.found = explore_stages(self.explorer, self.stages, progress, self.memory)
        parts = [self._new_part(place, keys) for place, keys in enumerate(self._keys_of_parts(stage))]
        jobs = self.share.jobs
        sizes = sorted(self._bytes_needed(stage, self._expected_state_count(stage, part.keys)) for part in parts)
        at_once = worker_memory_bytes(jobs) + sum(sizes[-jobs:])
        if len(parts) > 1 and jobs > 1 and at_once <= self.memory - self.held_memory_bytes:
            return SolvedStage.join(self._solve_in_processes(stage, parts, progress))
        records, done, size = list[SolvedStage](), 0, self.found.sizes[stage]
        for part in parts:
            records.append(part.solve(self.values_and_remaining_turns, _progress_of_part(progress, done, size)))
            done += records[-1].summary.states
        return SolvedStage.join(records)

    def _keys_of_parts(self, stage: int) -> Iterator[Ints]:
        """Yield the stored keys of each part of a stage.

        A stage with many transitions is split into parts that do not lead to one another; any other stage is a single
        part.
        """
        keys = self._stored_keys(stage)
        if self.found.transition_counts[stage] < 2 * MIN_PART:  # it stays whole, and nothing need be looked at
            yield keys
            return
        names, places = self._part_numbers_and_indices(stage)
        together = places[np.searchsorted(names, self.stages.part_numbers(keys))]
        for each in range(places[-1] + 1):
            yield keys[:, together == each]

    def _part_numbers_and_indices(self, stage: int) -> tuple[Ints, Ints]:
        """Return the part numbers of the states of a stage, ascending, and for each the index of the part in which it
        is solved.
        """
        keys, several = self._stored_keys(stage), max(self.found.transition_counts[stage] // MIN_PART, 1)
        names, sizes = np.unique(self.stages.part_numbers(keys), return_counts=True)
        places = (cumsum(sizes) - sizes) * several // keys.shape[1]  # small ones are taken as one
        return names, np.unique(places, return_inverse=True)[1]

    def _expected_state_count(self, stage: int, part_keys: Ints) -> int:
        """Return the number of states of a part of a stage: an estimate if not all keys of the stage are stored.

        ``part_keys``: the stored keys of the part.
        """
        expected: int = self.found.sizes[stage] * part_keys.shape[1] // self._stored_keys(stage).shape[1]
        return expected

    def _new_part(self, part_index: int, part_keys: Ints) -> StagePart:
        room, found, records = self.memory - self.held_memory_bytes, self.found, self.records
        return StagePart(
            self._name, part_index, self.explorer, self.stages, part_keys, self.kind, self._constant_value_sum(),
            records.digits, room, not found.has_only_entered_keys, found.has_only_entered_keys,
            found.states > LARGE_GAME,
        )  # fmt: skip

    def _constant_value_sum(self) -> Fraction | None:
        """Return the sum over all seats of the value of a state; None if it varies or if there are more than two seats."""
        seats = self.explorer.game.seats
        two = seats == 2
        return (
            constant_payoff_sum(self.explorer, self.found.interim_payoff_indices, self.found.final_payoff_indices)
            if two
            else Fraction(0)
            if seats == 1
            else None
        )

    def _solve_in_processes(self, stage: int, parts: Sequence[StagePart], progress: Progress) -> list[SolvedStage]:
        """Solve the parts of a stage in several processes. Each process receives the known values of the successors of
        its part.
        """
        sent, records = list[StagePart](), dict[int, SolvedStage]()
        for part, (inside, boundary) in completed_tasks(self.share, StagePart.state_and_successor_keys, parts):
            later = SolvedStates(boundary, *self.values_and_remaining_turns(boundary)) if boundary.shape[1] else None
            sent.append(replace(part, known_state_keys=inside, solved_successors=later))
        for part, record in completed_tasks(self.share, StagePart.solve, sent):
            records[part.part_index] = record
            progress("solving", sum(each.summary.states for each in records.values()), self.found.sizes[stage])
        return [records[place] for place in range(len(parts))]


def _progress_of_part(progress: Progress, states_done: int, stage_size: int) -> Progress:
    """Return a progress callback for one part of a stage that reports to the progress of the stage.

    ``states_done`` of the ``stage_size`` states of the stage belong to parts that were finished before.
    """
    return lambda what, some, _: progress(what, min(states_done + some, stage_size), stage_size)


@dataclass(frozen=True, eq=False)
class StagePart:
    """A set of states of a stage, from which no transition leads to a state of the stage outside the set.

    ``game_id``: the name of the game; ``part_index``: the index of the part among the parts. ``keys``: the keys of all
    states of the part, or only of those that enter the stage if ``has_only_entered_keys``. ``value_sum``: the sum of
    all seats' values; None if it varies or is not used. ``returns_all_states``: whether the result has all states of
    the part, or only those of ``keys``. ``is_large_game``: as for ``ArenaSolver``. ``known_state_keys``: the keys of
    all states of the part; None if they are not found yet. ``solved_successors``: the solved successors, if the part is
    solved in another process.
    """

    game_id: str
    part_index: int
    explorer: Explorer
    stages: StageMap
    keys: Ints
    kind: PlayKind
    value_sum: Fraction | None
    digits: int
    memory_bytes: int
    returns_all_states: bool
    has_only_entered_keys: bool
    is_large_game: bool
    known_state_keys: Ints | None = None
    solved_successors: SolvedStates | None = None

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the part for another process, which builds an explorer and stages of its own."""
        explorer = self.explorer
        rest = (
            self.keys, self.kind, self.value_sum, self.digits, self.memory_bytes, self.returns_all_states,
            self.has_only_entered_keys, self.is_large_game, self.known_state_keys, self.solved_successors,
        )  # fmt: skip
        return _rebuild_part, (
            self.game_id,
            self.part_index,
            explorer.game,
            explorer.objective,
            list(explorer.edges.payoffs),
            rest,
        )

    @property
    def all_state_keys(self) -> Ints:
        """The keys of all states of the part."""
        if not self.has_only_entered_keys:
            return self.keys
        return (
            keys_within_stage(self.explorer, self.stages, self.keys)[0]
            if self.known_state_keys is None
            else self.known_state_keys
        )

    def state_and_successor_keys(self) -> tuple[Ints | None, Ints]:
        """Return the keys of all states of the part (None if ``keys`` has them), and the keys of their successors in
        later stages.
        """
        inside, boundary = keys_within_stage(self.explorer, self.stages, self.keys)
        return inside if self.has_only_entered_keys else None, boundary

    def solve(
        self,
        values_and_turns_of: Callable[[Ints], tuple[KnownValues, KnownValues]] | None = None,
        progress: Progress = ignore_progress,
    ) -> SolvedStage:
        """Solve the part. Raises SolveError.

        ``values_and_turns_of``: returns values and remaining turns of later states by their keys; by default, those of
        ``solved_successors`` are used.
        """
        started = perf_counter()
        if values_and_turns_of is None and self.solved_successors is not None:
            values_and_turns_of = self.solved_successors.values_and_remaining_turns
        states = self.all_state_keys
        graph, boundary = self.explorer.graph_of_states(states)
        refuse_disagreement(graph, boundary_keys=boundary)
        values, turns = values_and_turns_of(boundary) if values_and_turns_of and boundary.shape[1] else (None, None)
        inside = np.flatnonzero((graph.target >= 0) & (graph.target < graph.state_count))
        largest, circling = strong_component_sizes(graph.state_count, graph.edge_state[inside], graph.target[inside])
        whole = bytes_to_solve_at_once(len(graph.target), graph.state_count, circling)
        swept = self.value_sum is not None and uses_sweeps(len(graph.target), whole, largest, self.memory_bytes)
        with threadpool_limits(1):
            solved = self._solve_in_sweeps(graph, values, turns, progress) if swept else None
            solved = solved or self._solve_as_arena(graph, values, turns, progress)
        offset = (solved.policy_rows - graph.state_rows[:-1]).astype(np.uint16)
        size = (graph.state_count, len(graph.target), largest)
        first = (-graph.state_rows).tolist()
        mixtures = {
            state: mixture.with_renumbered_rows(first[state].__add__) for state, mixture in solved.mixtures.items()
        }
        summary = StageSummary(
            *size, solved.undecided_count, perf_counter() - started, solved.one_seat_can_stay_forever, len(mixtures)
        )
        record = SolvedStage(states, solved.values, solved.remaining_turns, offset, summary, mixtures)
        return record if self.returns_all_states else record.with_first_states(self.keys.shape[1])

    def _solve_in_sweeps(
        self,
        graph: StateGraph,
        boundary_values: KnownValues | None,
        boundary_turns: KnownValues | None,
        progress: Progress,
    ) -> StageOutcome | None:
        """Solve the part in sweeps; return None if the sweeps prove nothing."""
        assert self.value_sum is not None
        with suppress(Unproven):
            return LargeStageSolver(
                graph, boundary_values, boundary_turns, self.value_sum, self.digits, progress
            ).solve()
        return None

    def _solve_as_arena(
        self,
        graph: StateGraph,
        boundary_values: KnownValues | None,
        boundary_turns: KnownValues | None,
        progress: Progress,
    ) -> StageOutcome:
        """Solve the part as an arena. Raises SolveError.

        The remaining turns are the value of a game with one seat that receives 1 for each turn.
        """
        arena = Arena.of(graph, 0 if boundary_values is None else len(boundary_values.radius))
        mixtures = dict[int, Mixture]()
        what = "No best play is found that cannot go on for ever"
        try:
            alike = self.kind == "symmetric"
            solver = ArenaSolver(arena, not alike, mixing=alike, digits=self.digits, known_values=boundary_values)
            solver.large = self.is_large_game
            solved = solver.solve(progress)
            counting, mixtures = (
                replace(arena.counting_arena([graph.turn_over]), prescribed_row=solved.rows),
                solved.mixtures,
            )
            what = "Play comes back nearly always, so too little is proved of how long it lasts"
            length = bounded_policy_values(counting, mixtures, self.digits, boundary_turns).bounds
        except FractionTooLong:
            raise SolveError(self._message_with_states(graph, sorted(mixtures), what)) from None
        except NoPureEquilibrium as none:
            what = "No play that is the same for every seat is found, pure or mixed"
            raise SolveError(self._message_with_states(graph, none.states, what)) from None
        except NeverEnds as endless:
            refuse_endless(graph, is_partial=True)
            raise SolveError(self._message_with_states(graph, [endless.state], what)) from None
        own = arange(graph.state_count)
        values, boundary_turns = (bounds.known_values(own) for bounds in (solved.bounds, length))
        return StageOutcome(
            solved.rows[own],
            values,
            boundary_turns,
            len(solved.undecided_states),
            bool(solved.waiting_states),
            mixtures,
        )

    @staticmethod
    def _message_with_states(graph: StateGraph, states: Sequence[int] | Ints, message: str) -> str:
        shown = "; ".join(describe(graph, graph.state(int(state))) for state in list(states)[:3])
        return f"{message}: see {shown}"


def bytes_to_solve_at_once(transition_count: int, state_count: int, cyclic_state_count: int) -> int:
    """Estimate the bytes needed to solve ``state_count`` states at once.

    ``transition_count``: the number of their transitions; ``cyclic_state_count``: the number of states on cycles.
    """
    return (
        transition_count
        * (
            ACYCLIC_BYTES_PER_TRANSITION * (state_count - cyclic_state_count)
            + BYTES_PER_TRANSITION * cyclic_state_count
        )
        // max(state_count, 1)
    )


def uses_sweeps(transition_count: int, bytes_at_once: int, largest_component: int, memory_bytes: int) -> bool:
    """Return whether states are solved in sweeps.

    They are if they have many transitions and a large component, or if only sweeps fit into ``memory_bytes``.
    ``transition_count``: the number of transitions; ``bytes_at_once``: the bytes needed to solve the states at once;
    ``largest_component``: the size of the largest component.
    """
    many = transition_count >= MIN_SWEPT_TRANSITIONS and largest_component >= LARGE_COMPONENT
    return many or bytes_at_once > max(memory_bytes, SWEEP_BYTES + transition_count * SWEEP_BYTES_PER_TRANSITION)


_EXPLORERS: dict[tuple[str, int], tuple[Explorer, StageMap]] = {}
"""The explorer and the stages of the game on which this process worked last, by name and number of payoffs.

Payoffs are only ever added: while their number stays the same, so do they.
"""


def _rebuild_part(
    game_id: str,
    part_index: int,
    game: Game,
    objective: str,
    payoffs: Sequence[tuple[Fraction, ...]],
    other_fields: tuple[Any, ...],
) -> StagePart:
    key = (game_id, len(payoffs))
    if key not in _EXPLORERS:
        _EXPLORERS.clear()
        explorer = Explorer(game, objective)
        stages = find_stages(explorer.codec)
        assert stages is not None
        _EXPLORERS[key] = explorer, stages
        for paid in payoffs:  # in their order, so that each gets its number again
            explorer.edges.payoff_index(paid)
    return StagePart(game_id, part_index, *_EXPLORERS[key], *other_fields)
