"""Solving games in which a turn is the same on every sheet: sheets are explored forward, and turns are solved backward,
many sheets at once.

A *sheet* is the part of the state that stays fixed during a turn, as a score sheet does.

In the first kind of game, all plays have the same number of turns, and an action at the end of a turn has a certain
result: it leads to the beginning of a turn on another sheet. So the sheets on which turns begin lie in layers, by the
number of turns played so far. Only the sheets of a layer and their values are stored. The values within their turns are
computed again when they are needed.

In the second kind, for two players, *turns may leave the sheet as it was*. A player who rolls badly writes nothing
down, and the other player moves next with the same sheets. So the value of a turn on a sheet depends on the value of
the other player's turn there, and that value depends on the first again. Sheets lie in layers, by the quantities that
only grow. Each sheet leads to at most one sheet of its own layer, from which play may come back to it.

Let x be assumed values of the sheets of a layer, T x the values of the best turns under this assumption, and p the
probability that these turns come back to the layer. Newton's method, first in floats, takes x to a point at which T x
and x differ by about a unit. Then a bound d is sought for each sheet with two properties. No turn from the sheet is
worth more than x + d if the other player receives x - d. The best turn is worth at least x - d if the other player
receives x + d. A player who takes such turns receives at least x - d, on average over all plays, at each of them or
later. Such a player leaves the layer at last, whatever the other does, because p is below 1. So no player receives less
than x - d. Both together always receive the same, so no player receives more than x + d. The proposal for d is a small
multiple of the error of a turn, accumulated while both players come back: d = slack + p d', in which d' is the bound of
the sheet to which the turn leads. If another turn is worth the same and comes back more often, p is the probability for
that turn.

None of this helps if a turn that always comes back may be as good as any other. Such games are solved position by
position.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from math import lcm
from time import perf_counter
from typing import Any

import numpy as np

from oddsmith.base.arrays import Ints, Mask, arange, cumsum, repeat
from oddsmith.base.errors import DisagreementError, Signal, TooFineError
from oddsmith.base.executors import Executor, Resources, completed_tasks
from oddsmith.base.progress import Progress
from oddsmith.graph import Explorer, KeyIndex, unique
from oddsmith.solve.arenas.arena import Arena, groups_in_solving_order
from oddsmith.solve.numbers import FixedPoint, FloatingPoint, Limbs
from oddsmith.solve.staged.find import StageMap
from oddsmith.solve.staged.forward import EXPLORING, PROGRAM_BYTES, add_keys_by_stage, worker_memory_bytes
from oddsmith.solve.staged.store import (
    ColumnFile,
    Neighbourhood,
    SolvedStage,
    StageRecords,
    StageSummary,
    concatenate_values,
    join_values_and_turns,
)
from oddsmith.solve.staged.turn import (
    MAX_WHOLE,
    InnerTurnSolver,
    TurnGraph,
    TurnSolver,
    TurnStartValues,
    cached_turn_end_successors,
    explore_next_turns,
    to_floats,
    turn_end_successors,
    turn_start_values,
    turns_per_batch,
)
from oddsmith.solve.values.arena_solver import ArenaSolver
from oddsmith.solve.values.bounds import KnownValues
from oddsmith.solve.values.grid import UNKNOWN_EXPONENT, bits_of_denominators, leaves_one_multiple
from oddsmith.solve.values.mixing import Mixture

SHEETS_PER_BATCH = 1 << 16  # looked at together
MAX_LIMBS = 1 << 27  # limbs that turns on several sheets have at a time
MIN_PLACES = 60  # binary places
TRANSITIONS_PER_BATCH = 1 << 20  # transitions of turns that are followed together
SECONDS_PER_LAYER = 3e-2  # these three as measured on Yahtzee and Farkle
SECONDS_PER_POSITION, SECONDS_WITH_LOOPS = 7e-7, 1.5e-7
COMPARISON_MEMORY_FACTOR = 3  # the memory of turns on several sheets while they are compared, in sizes of their values


@dataclass
class TurnStartLayers:
    """The sheets of a game in layers, given by the keys of the positions that begin a turn.

    ``action_counts``: the number of actions at the turn ends of each layer. ``return_targets``: for each sheet of a
    layer, the number of the sheet of that layer to which its turn may lead back, or -1; empty if turns never lead back.
    ``interim_payoff_indices``, ``final_payoff_indices``: the numbers of the payoffs before the end and at the end.
    """

    layers: list[KeyIndex] = field(default_factory=list)
    action_counts: list[int] = field(default_factory=list)
    return_targets: list[Ints] = field(default_factory=list)
    interim_payoff_indices: set[int] = field(default_factory=set)
    final_payoff_indices: set[int] = field(default_factory=set)

    @property
    def turn_start_count(self) -> int:
        """The number of sheets."""
        return sum(layer.count for layer in self.layers)

    @property
    def keys(self) -> Ints:
        """The keys of all sheets, layer by layer."""
        return np.concatenate([layer.keys.filled for layer in self.layers], axis=1)

    def layers_of(self, keys: Ints) -> Iterator[tuple[int, Ints, Ints]]:
        """Yield the layers that have the given sheets.

        Each item is the number of a layer, the indices of its sheets among ``keys``, and their numbers in the layer.
        Raises DisagreementError if exploring did not find a sheet.
        """
        left = arange(keys.shape[1])
        for number, layer in enumerate(self.layers):
            if len(left):
                numbers = layer.find(keys[:, left])
                if (numbers >= 0).any():
                    yield number, left[numbers >= 0], numbers[numbers >= 0]
                left = left[numbers < 0]
        if len(left):
            raise DisagreementError("play comes to a sheet that walking forward did not meet")

    def to_column_file(self) -> ColumnFile:
        """Return the sheets as a column file."""
        counts = [[layer.count for layer in self.layers], self.action_counts]
        back = {"back": np.concatenate(self.return_targets)} if self.return_targets else {}
        return ColumnFile({}, {"layers": np.array(counts, dtype=np.int64), "sheets": self.keys} | back)

    @staticmethod
    def from_column_file(stored: ColumnFile) -> TurnStartLayers:
        """Return the sheets from their column file, without the numbers of payoffs."""
        counts, actions = stored.columns["layers"]
        ends = cumsum(counts)[:-1].tolist()
        layers = [KeyIndex.of(keys) for keys in np.split(stored.columns["sheets"], ends, axis=1)]
        back = np.split(stored.columns["back"], ends) if "back" in stored.columns else []
        return TurnStartLayers(layers, actions.tolist(), back)


def explore_turn_starts(turn: TurnGraph, progress: Progress, executor: Executor) -> TurnStartLayers | None:
    """Explore the sheets of a game, and return them in layers by the number of turns played.

    Returns None if chance decides how a turn ends, if a turn does not lead to the beginning of another, or if plays
    differ in their number of turns. Raises PlayError if a rule fails, and SolveError if a worker process ends.
    """
    edges, found = turn.explorer.edges, TurnStartLayers()
    found.interim_payoff_indices.update(unique(turn.inner_graph.payoff).tolist())
    sheets = turn.explorer.start_key
    while sheets.shape[1]:
        layer, after, actions, ends = KeyIndex.of(sheets), KeyIndex.of(sheets[:, :0]), 0, set[int]()
        done = found.turn_start_count
        found.layers.append(layer)
        step = turns_per_batch(turn, layer.count, SHEETS_PER_BATCH, executor)
        parts = [(turn, sheets[:, first : first + step]) for first in range(0, layer.count, step)]
        for (_, part), ahead in completed_tasks(executor, explore_next_turns, parts):
            if ahead.rolls_at_turn_end:
                return None
            actions += ahead.action_count
            found.interim_payoff_indices.update(map(edges.payoff_index, ahead.interim_payoffs))
            ends.update(map(edges.payoff_index, ahead.final_payoffs))
            if ahead.start_keys.shape[1]:
                after.add(ahead.start_keys)
            done += part.shape[1]
            progress(EXPLORING, done, found.turn_start_count + after.count)
        found.action_counts.append(actions)
        found.final_payoff_indices |= ends
        keys = after.keys.filled
        sheets = keys[:, np.lexsort(keys[::-1])]
        if (ends and after.count) or (turn.turn_start_keys(sheets) != sheets).any():
            return None
        if any((before.find(sheets) >= 0).any() for before in found.layers):
            return None
    turn.check_turn_is_same(found.layers[-1].keys.filled[:, -1:])
    return found


class LayerSolver:
    """Solves the layers of sheets by backward induction, from the last to the first.

    ``resources``: with less memory the solver works on fewer sheets at a time. The executor shares the sheets.
    """

    more = 0  # columns besides those of the seats
    per_position = SECONDS_PER_POSITION

    def __init__(
        self, turn: TurnGraph, turn_starts: TurnStartLayers, records: StageRecords, resources: Resources
    ) -> None:
        self.turn, self.turn_starts, self.records, self.share = turn, turn_starts, records, resources.executor
        self.order: Sequence[int] = range(len(turn_starts.layers) - 1, -1, -1)
        self.states = turn_starts.turn_start_count * turn.states
        self.batch_size = self.together = max(1, TRANSITIONS_PER_BATCH // len(turn.inner_graph.target))
        self.stage_kind_text = (
            f"turns, the same {turn.states:,} positions on each of {turn_starts.turn_start_count:,} sheets"
        )
        explorer = turn.explorer
        arena = Arena.of(turn.inner_graph, turn.turn_end_keys.shape[1])
        payoffs = list(explorer.edges.payoffs)
        flat = [value for payoff in payoffs for value in payoff]
        self.scale = lcm(*(value.denominator for value in flat))
        self.seats, self.sign = arena.seats, arena.objective_sign
        times = int(arena.denominator.max())
        self.point = FixedPoint.of(max(MIN_PLACES, self._extra_bits(arena) + records.digits * 10 // 3), times)
        pay, exact = self.point.limbs_of_fractions(flat)
        pay = pay.reshape(-1, len(payoffs), self.seats).transpose(0, 2, 1).copy()
        self.rounded = 0 if exact else 1
        self.widest = (MAX_WHOLE - 1) // times
        if int(np.abs(pay[0]).max(initial=0)) > self.widest:
            raise TooFineError
        pay = np.concatenate([pay, self.point.zeros(self.more, len(payoffs))], axis=1)
        self.inner = InnerTurnSolver(turn, arena, self.point, pay, self.rounded)
        self.columns = TurnSolver(
            turn, self.inner, self.point, pay, not pay[1:].any(), self.seats, self.sign, tuple(range(pay.shape[1]))
        )
        self.width = self.seats + self.more
        self.program = PROGRAM_BYTES + worker_memory_bytes(self.share.jobs)
        memory = resources.memory
        room = (
            MAX_LIMBS
            if memory is None
            else min(MAX_LIMBS, ((memory - self.program) // 8 - self._held_word_count()) // COMPARISON_MEMORY_FACTOR)
        )
        each, inner = self.point.limb_count * self.width, self.inner
        self.step = max(1, (room // self.share.jobs - each * inner.block * inner.held) // (each * inner.turn_end_count))
        self.step_everywhere = max(1, room // self.share.jobs // (each * inner.count))
        self._last: tuple[int, Ints, KnownValues] | None = None

    def _extra_bits(self, arena: Arena) -> int:  # noqa: ARG002 - in few layers little adds up
        """Return the number of binary places that are needed beyond those of the requested decimal digits."""
        return 20

    def to_column_file(self) -> ColumnFile:
        """Return the turn and all sheets as one column file."""
        turn, sheets = self.turn.to_column_file(), self.turn_starts.to_column_file()
        return ColumnFile(turn.metadata | sheets.metadata, turn.columns | sheets.columns)

    @classmethod
    def from_column_file(
        cls, explorer: Explorer, stored: ColumnFile, records: StageRecords, resources: Resources
    ) -> LayerSolver:
        """Return the schedule from its column file. The ``explorer`` may not have found any other payoffs."""
        return cls(
            TurnGraph.from_column_file(explorer, stored),
            TurnStartLayers.from_column_file(stored),
            records,
            resources,
        )

    def largest_stage_size_and_bytes(self) -> tuple[int, int, int]:
        """Return the layer that needs the most memory, its number of states, and an estimate of the bytes that it
        needs.
        """
        layer = max(self.order, key=lambda each: self.turn_starts.layers[each].count)
        count = self.turn_starts.layers[layer].count
        inner, at_once = self.inner, min(self.step * self.share.jobs, count)
        blocks = min(inner.block * self.share.jobs, count)
        values = self.point.limb_count * self.width * (inner.turn_end_count * at_once + inner.held * blocks)
        return (
            layer,
            count * self.turn.states,
            self.program + 8 * (COMPARISON_MEMORY_FACTOR * values + self._held_word_count()),
        )

    @property
    def estimated_seconds(self) -> float:
        """An estimate of the seconds that solving takes."""
        return SECONDS_PER_LAYER * len(self.order) + self.per_position * self.states / self.share.jobs

    def transition_count_of_stage(self, stage: int) -> int:
        """Return the number of sheets of a layer, to which its work is proportional."""
        return self.turn_starts.layers[stage].count

    def _held_word_count(self) -> int:
        """Return the number of machine words that the keys and values of all sheets take."""
        return self.turn_starts.turn_start_count * (
            3 * len(self.turn.turn_end_keys) + self.point.limb_count * self.width
        )

    def state_number_in_stage(self, key: Ints) -> int | None:
        """Return the number of a state in the turn on its sheet; None if the state is not reachable."""
        begin = self.turn.turn_start_keys(key)
        if all(layer.find(begin)[0] < 0 for layer in self.turn_starts.layers):
            return None
        place = int(self.turn.position_numbers(key)[0])
        return None if place < 0 else place

    def neighbourhood(self, keys: Ints) -> Neighbourhood:
        """Return the neighbourhood of the given states.

        The states are solved as a game that ends at their successors outside the given states. The values of these
        successors are known.
        """
        graph, boundary = self.turn.explorer.graph_of_states(keys)
        known = self._position_values(boundary) if boundary.shape[1] else None
        arena = Arena.of(graph, boundary.shape[1])
        solved = ArenaSolver(arena, unique_values=True, digits=self.records.digits, known_values=known).solve()
        return Neighbourhood(
            graph, boundary, solved.bounds, solved.rows[: graph.state_count], frozenset(solved.undecided_states)
        )

    def values_and_remaining_turns(self, keys: Ints) -> tuple[KnownValues, KnownValues]:
        """Return the values and the remaining turns of positions that begin a turn, given by their keys."""
        found = self.turn_starts.layers_of(keys)
        return join_values_and_turns(
            keys.shape[1], [(here, self.records.require(layer), numbers) for layer, here, numbers in found]
        )

    def stages_of(self, keys: Ints) -> Ints:
        """Return the layer of each of the given states."""
        found = np.empty(keys.shape[1], dtype=np.int64)
        for layer, here, _ in self.turn_starts.layers_of(self.turn.turn_start_keys(keys)):
            found[here] = layer
        return found

    def key_batches(self, stage: int, required_cell_codes: Mapping[int, int] | None = None) -> Iterator[Ints]:
        """Yield the keys of all states of a layer, in batches of sheets.

        ``required_cell_codes``: the codes of given cells, by cell. Sheets with other codes in these cells are skipped.
        """
        sheets, keys = self.turn_starts.layers[stage].keys.filled, self.turn.keys
        for where, code in (required_cell_codes or {}).items():
            if where in self.turn.fixed_cells:
                sheets = sheets[:, self.turn.explorer.codec.decode(sheets)[0][where] == code]
        for first in range(0, sheets.shape[1], self.together):
            shifts = self.turn.shifts_from_first_turn(sheets[:, first : first + self.together])
            yield (keys[:, None, :] + shifts[:, :, None]).reshape(len(keys), -1)

    def _position_values(self, keys: Ints) -> KnownValues:
        """Return the values of positions, given by their keys.

        The value of a position that begins a turn is stored. For any other position, its turn is solved.
        """
        own = (self.turn.turn_start_keys(keys) == keys).all(axis=0)
        begins, others = np.flatnonzero(own), np.flatnonzero(~own)
        places = self.turn.position_numbers(keys)
        parts = (
            [(begins, self.values_and_remaining_turns(keys[:, begins])[0], arange(len(begins)))] if len(begins) else []
        )
        for here, known, first in self._turn_value_batches(keys[:, others]):
            parts.append((others[here], known, first + places[others[here]]))
        return concatenate_values(keys.shape[1], parts)

    def action_indices(self, keys: Ints) -> Ints:
        """Return the index of the action that the policy takes in each of the given distinct states."""
        places = self.turn.position_numbers(keys)
        count = self.turn.inner_graph.state_count
        inner, border = np.flatnonzero(places < count), np.flatnonzero(places >= count)
        found = np.zeros(len(places), dtype=np.int64)
        if len(border):
            found[border] = self._turn_end_action_indices(keys[:, border])
        for here, known, first in self._turn_value_batches(keys[:, inner]):
            reach = 2 * int(known.radius.max())  # units that actions may lie apart between which the first is taken
            found[inner[here]] = self.columns.first_best_inner_actions(known, first, places[inner[here]], reach)
        return found

    def mixtures(self, keys: Ints) -> dict[int, Mixture]:  # noqa: ARG002 - values are the only ones, so nothing is mixed
        """Return an empty mapping: the values are unique, so no state mixes actions."""
        return {}

    def _turn_end_action_indices(self, keys: Ints) -> Ints:
        neighbourhood = self.neighbourhood(keys)
        picks: Ints = neighbourhood.policy_rows - neighbourhood.graph.state_rows[:-1]
        return picks

    def _turn_value_batches(self, keys: Ints) -> Iterator[tuple[Ints, KnownValues, Ints]]:
        """Yield the values of the turns on the sheets of the given positions, for one batch of positions at a time.

        Each item is the indices of the positions among ``keys``, the values of the turns, and for each position the
        index at which its turn begins among these values.
        """
        for layer, here, numbers in self.turn_starts.layers_of(self.turn.turn_start_keys(keys)):
            sheets, which = np.unique(numbers, return_inverse=True)
            for low in range(0, len(sheets), self.step_everywhere):
                part = np.flatnonzero((which >= low) & (which < low + self.step_everywhere))
                known, first = self._cached_turn_values(layer, sheets[low : low + self.step_everywhere])
                yield here[part], known, first[which[part] - low]

    def _cached_turn_values(self, layer: int, start_numbers: Ints) -> tuple[KnownValues, Ints]:
        """Return the values of the positions of turns on given sheets of a layer, and the index at which the turn on
        each sheet begins.

        The last turns are cached, because successive questions often need the same turns.
        """
        if self._last is None or self._last[0] != layer or not np.isin(start_numbers, self._last[1]).all():
            later, radius, exponents = self.next_values_radius_and_exponents(layer)
            x = self.columns.position_values(
                self.turn_starts.layers[layer].keys.filled[:, start_numbers], later, radius
            )
            x = x[:, : self.seats].transpose(0, 3, 2, 1).reshape(self.point.limb_count, -1, self.seats)
            self._last = layer, start_numbers, self._to_known_values(x, radius, exponents)
        _, held, known = self._last
        return known, np.searchsorted(held, start_numbers) * self.turn.states

    def next_values_radius_and_exponents(self, layer: int) -> tuple[TurnStartValues | None, int, Ints]:
        """Return the values where the turns after a layer begin, the error at the turn ends of the layer, and the
        exponents of its turns.

        The error is in units; the exponents are those of the primes of a common denominator.
        """
        later = self.records.require(layer + 1) if layer + 1 < len(self.turn_starts.layers) else None
        radius = (int(later.values.radius.max()) if later else 0) + self.rounded
        exponents = self.inner.exponents + (later.values.exponents.max(axis=0) if later else 0)
        return TurnStartValues(later.keys, later.values.middle) if later else None, radius, exponents

    def next_layers(self, layer: int) -> range:
        """Return the layers in which the next turns begin."""
        return range(layer + 1, min(layer + 2, len(self.turn_starts.layers)))

    def _to_known_values(self, values: Limbs, radius: int, exponents: Ints) -> KnownValues:
        """Return known values from limbs of shape (limbs, positions, seats), with one radius and one set of exponents
        for all.

        ``radius``: the error at the turn ends, in units.
        """
        radii = np.full(values.shape[1], radius + self.inner.radius, dtype=np.int64)
        rows = repeat(exponents[None, :].astype(np.int16), values.shape[1], axis=0)
        return KnownValues(
            values, radii, self.point, self.inner.primes, rows, self.scale, _nothing_deterministic_mask(values)
        )

    def solve(self, stage: int, progress: Progress) -> SolvedStage:
        """Solve a layer."""
        started, layer = perf_counter(), stage
        later, radius, exponents = self.next_values_radius_and_exponents(layer)
        keys, turn = self.turn_starts.layers[layer].keys.filled, self.turn
        count = keys.shape[1]
        settled = bool(
            leaves_one_multiple(
                np.array([4 * (radius + self.inner.radius)]),
                bits_of_denominators(self.inner.primes, exponents[None, :], self.scale),
                self.point.binary_places,
            )[0]
        )
        x, undecided = self._turn_values(self.columns, keys, later, radius, progress)
        if (
            int(np.abs(x[0]).max(initial=0)) > self.widest
            or 4 * (radius + self.inner.radius) >> self.point.bits_per_limb
        ):
            raise TooFineError
        left = len(self.turn_starts.layers) - layer
        return SolvedStage(
            keys,
            self._to_known_values(x, radius, exponents),
            _constant_known_values(left, count),
            np.zeros(count, dtype=np.uint16),
            StageSummary(
                count * turn.states,
                count * len(turn.inner_graph.target) + self.turn_starts.action_counts[layer],
                1,
                0 if settled else undecided,
                perf_counter() - started,
            ),
        )

    def _turn_values(
        self,
        solver: TurnSolver,
        start_keys: Ints,
        next_start_values: TurnStartValues | None,
        radius: int,
        progress: Progress,
    ) -> tuple[Limbs, int]:
        """Return the values of the turns on the sheets of a layer, shape (limbs, sheets, columns).

        Returns also the number of undecided positions. ``solver``: the solver of the turns. ``next_start_values``: the
        values where the next turns begin. ``radius``: the error of these, in units.
        """
        count, undecided, done = start_keys.shape[1], 0, 0
        x = solver.point.zeros(count, len(solver.columns))
        step = turns_per_batch(self.turn, count, self.step, self.share)
        parts = [
            (solver, start_keys[:, first : first + step], next_start_values, radius, first)
            for first in range(0, count, step)
        ]
        for (_, part, _, _, first), (values, near_ties) in completed_tasks(self.share, turn_start_values, parts):
            x[:, first : first + step] = values
            undecided += near_ties
            done += part.shape[1]
            progress("solving", done * self.turn.states, count * self.turn.states)
        return x, undecided


def _constant_known_values(value: int, state_count: int) -> KnownValues:
    """Return known values that are the whole number ``value`` for each of ``state_count`` states, for one seat."""
    point = FixedPoint(30, 2)
    x = point.zeros(state_count, 1)
    x[0] = value
    zeros = np.zeros(state_count, dtype=np.int64)
    return KnownValues(
        x, zeros, point, (), np.zeros((state_count, 1), dtype=np.int16), 1, _nothing_deterministic_mask(x)
    )


def _nothing_deterministic_mask(values: Limbs) -> Mask:
    """Return a mask of shape (states, seats + 1) that marks no value as independent of chance."""
    return np.zeros((values.shape[1], values.shape[2] + 1), dtype=bool)


RETURN_COLUMN, TURNS_COLUMN = 2, 3  # columns: the chance to come back to the layer, and the turns that come after it
MAX_ROUNDS = 40  # of Newton's method
MAX_TRIES = 5  # of proving, with wider and wider bounds
FLOAT_PLACES = 44  # binary places to which floats come
LAST_STEP_PLACES = 36  # binary places from which on a step of Newton's method is most likely the last


class UndeterminedValues(Signal):
    """Raised if solving turns in columns does not determine the values of a layer."""


def explore_cyclic_turn_starts(turn: TurnGraph, stages: StageMap, progress: Progress) -> TurnStartLayers | None:
    """Explore the sheets of a two-player game, and return them in layers, by the quantities that only grow or only
    fall.

    Returns None if chance decides how a turn ends, or if a turn leads back other than to one sheet of its own layer
    (see the module docstring). Raises PlayError if a rule fails.
    """
    found, open_ = TurnStartLayers(), dict[int, KeyIndex]()
    found.interim_payoff_indices.update(unique(turn.inner_graph.payoff).tolist())
    add_keys_by_stage(open_, stages, turn.explorer, turn.explorer.start_key, 0)
    while open_:
        now = min(open_)
        index, returns, actions, first = open_[now], list[tuple[Ints, Ints]](), 0, 0
        while first < index.count:
            some = index.keys.filled[:, first : first + SHEETS_PER_BATCH].copy()
            for _, each in turn_end_successors(turn, some):
                actions += len(each.source)
                (found.final_payoff_indices if each.keys is None else found.interim_payoff_indices).update(
                    unique(each.paid).tolist()
                )
                if each.rolled_or_drawn:
                    return None
                if each.keys is not None:
                    _, own, numbers, _ = add_keys_by_stage(open_, stages, turn.explorer, each.keys, now)
                    if (turn.turn_start_keys(each.keys) != each.keys).any() or (len(own) and not each.seat_shift):
                        return None
                    returns.append((first + each.source[own], numbers))
            first += some.shape[1]
            progress(
                EXPLORING,
                found.turn_start_count + first,
                found.turn_start_count + sum(each.count for each in open_.values()),
            )
        back = _return_targets(index.count, returns)
        if back is None:
            return None
        found.layers.append(open_.pop(now))
        found.action_counts.append(actions)
        found.return_targets.append(back)
    turn.check_turn_is_same(found.layers[-1].keys.filled[:, -1:])
    return found


def _return_targets(start_count: int, return_pairs: Sequence[tuple[Ints, Ints]]) -> Ints | None:
    """Return, for each of the ``start_count`` sheets of a layer, the sheet of the layer to which it leads back, or -1.

    ``return_pairs``: pairs of arrays, of sheets and of the sheets to which these lead back. Returns None if a sheet
    leads back to several sheets, or to a sheet that leads on to a third.
    """
    back = np.full(start_count, -1, dtype=np.int64)
    for source, number in return_pairs:
        if ((back[source] >= 0) & (back[source] != number)).any():
            return None
        back[source] = number
    leads = np.flatnonzero(back >= 0)
    to = back[back[leads]]
    return back if ((to == leads) | (to < 0)).all() else None


@dataclass(frozen=True, eq=False)
class _LaterValues:
    """The values of the sheets of later layers, and the errors of the values and of the turns in units of the fixed
    point.
    """

    start_values: TurnStartValues
    radius: int
    turns_radius: int


@dataclass(frozen=True, eq=False)
class _BestTurnOutcomes:
    """The outcome of the best turns on the sheets of a layer, in units of the fixed point.

    ``values``: the values for the mover; ``return_probability``: the probability to come back to the layer;
    ``turns_in_layer``: the expected turns before play leaves the layer; the last two are empty if the solver does not
    have their columns. ``undecided_count``: the number of positions in which the bounds do not tell the best two
    actions apart.
    """

    values: Sequence[int]
    return_probability: Sequence[int]
    turns_in_layer: Sequence[int]
    undecided_count: int


@dataclass(frozen=True, eq=False)
class _LayerValues:
    """The values of a solved layer, in units of the fixed point.

    ``values``: the values for the mover; ``remaining_turns``: the expected remaining turns; ``radius``,
    ``turns_radius``: the error radii of both; ``undecided_count``: the number of undecided positions.
    """

    values: Sequence[int]
    remaining_turns: Sequence[int]
    radius: int
    turns_radius: int
    undecided_count: int


class CyclicLayerSolver(LayerSolver):
    """Solves the layers of a game whose turns may lead back to their layer, from the last layer to the first."""

    more = 2
    per_position = SECONDS_WITH_LOOPS

    def __init__(
        self, turn: TurnGraph, turn_starts: TurnStartLayers, records: StageRecords, resources: Resources
    ) -> None:
        super().__init__(turn, turn_starts, records, resources)
        self.batch_size = self.states  # paths from several sheets meet
        pay = self.columns.payoffs.copy()
        pay[0, TURNS_COLUMN] = 1
        self.columns = replace(self.columns, payoffs=pay)
        # The opponent's column follows from the mover's, because both together always receive the same.
        self.narrow, self.coming_back = self.columns.with_columns(0), self.columns.with_columns(0, RETURN_COLUMN)
        self.floating, self.counting = (
            self.coming_back.float_solver,
            self.columns.with_columns(0, RETURN_COLUMN, TURNS_COLUMN),
        )
        self.taking = replace(self.counting, extras_use_first_action=True)
        self.one = 1 << self.point.binary_places
        self.off_by = self.inner.radius + self.rounded  # the error of a turn's values in units
        sums = (sum(each, Fraction(0)) for each in turn.explorer.edges.payoffs)
        self.total = next((each for each in sums if each), Fraction(0)) * self.one
        self._all: tuple[int, TurnStartValues] | None = None  # the sheets of all layers from one on

    def _extra_bits(self, arena: Arena) -> int:
        """Return the number of binary places that are needed beyond those of the requested decimal digits.

        Each layer adds the depth of a turn to the error, many times if play nearly always comes back.
        """
        return (
            super()._extra_bits(arena)
            + (len(self.turn_starts.layers) * len(list(groups_in_solving_order(arena)))).bit_length()
        )

    def solve(self, stage: int, progress: Progress) -> SolvedStage:
        """Solve a layer. Raises UndeterminedValues."""
        started, keys = perf_counter(), self.turn_starts.layers[stage].keys.filled
        later = self._later_values(stage)
        found = self._solve_layer_values(stage, later, progress)
        count, turn = keys.shape[1], self.turn
        summary = count * turn.states, count * len(turn.inner_graph.target) + self.turn_starts.action_counts[stage]
        begins = self._assumed_values(keys, found.values, 0, found.remaining_turns)
        self._all = stage, _join_start_values([begins, later.start_values])
        return SolvedStage(
            keys,
            self._known_values_of_one_radius(begins.values[:, :, : self.seats], found.radius, self.scale),
            self._known_values_of_one_radius(begins.values[:, :, TURNS_COLUMN:], found.turns_radius, 1),
            np.zeros(count, dtype=np.uint16),
            StageSummary(
                *summary, self._largest_component_size(stage), found.undecided_count, perf_counter() - started
            ),
        )

    def _solve_layer_values(self, stage: int, later_values: _LaterValues, progress: Progress) -> _LayerValues:
        """Return proven values of a layer, found by Newton's method from values in floats. Raises UndeterminedValues.

        ``later_values``: the sheets of later layers.
        """
        keys, back = self.turn_starts.layers[stage].keys.filled, self.turn_starts.return_targets[stage]
        rounds, slack, tries, before = _RoundProgress(progress), 4 * self.off_by + 2, 0, None
        x, others = self._proposed_values(keys, back, later_values, rounds), [0] * keys.shape[1]
        found = self._best_turns(self.coming_back, keys, x, later_values, 0, rounds.next_progress())
        for _ in range(MAX_ROUNDS):
            x, furthest = self._newton_step(x, found, back, before)
            if self._is_sure_to_leave_layer(found) and furthest <= self.one >> LAST_STEP_PLACES:
                chances = [*map(max, found.return_probability, others)]
                widths = solve_return_system([slack] * len(x), chances, back, self.one, 1)
                if (
                    tries == MAX_TRIES
                    or 4 * (later_values.radius + 2 * max(widths) + self.off_by) >> self.point.bits_per_limb
                ):
                    break
                proven = self._values_if_proven(stage, later_values, x, widths, rounds)
                if proven is not None:
                    return proven
                slack, tries = 2 * slack, tries + 1
                least = [each - width for each, width in zip(x, widths, strict=True)]
                held = self._best_turns(self.coming_back, keys, least, later_values, 0, rounds.next_progress())
                others = [*map(max, held.return_probability, others)]
            before = furthest
            found = self._best_turns(self.coming_back, keys, x, later_values, 0, rounds.next_progress())
        raise UndeterminedValues

    def _proposed_values(
        self, start_keys: Ints, return_targets: Ints, later_values: _LaterValues, rounds: _RoundProgress
    ) -> list[int]:
        """Return the values of the sheets of a layer for their movers, by Newton's method in floats, in units.

        They are only a starting point, and prove nothing. ``return_targets``: the sheet to which each sheet may lead
        back, or -1. ``later_values``: the sheets of later layers.
        """
        x, before = [int(self.total / 2)] * start_keys.shape[1], None
        for _ in range(MAX_ROUNDS):
            found = self._best_turns(self.floating, start_keys, x, later_values, 0, rounds.next_progress())
            try:
                x, furthest = self._newton_step(x, found, return_targets, before)
            except TooFineError:  # where play comes back nearly always, floats know too little
                break
            if furthest <= self.one >> FLOAT_PLACES or (before is not None and 2 * furthest > before):
                break
            before = furthest
        return x

    def _newton_step(
        self, values: list[int], outcomes: _BestTurnOutcomes, return_targets: Ints, previous_residual: int | None
    ) -> tuple[list[int], int]:
        """Return the result of one Newton step from x, and the residual: the largest absolute value of T x - x.

        ``outcomes``: the outcome of the best turns from x. ``previous_residual``: the residual of the previous step. If
        Newton steps do not help, the result is T x. ``return_targets``: as for ``_proposed_values``.
        """
        off = [one - other for one, other in zip(outcomes.values, values, strict=True)]
        furthest = max(map(abs, off))
        slow = not self._is_sure_to_leave_layer(outcomes) or (
            previous_residual is not None and 2 * furthest > previous_residual
        )
        step = off if slow else solve_return_system(off, outcomes.return_probability, return_targets, self.one, -1)
        return self._units_without_overflow([each + one for each, one in zip(values, step, strict=True)]), furthest

    def _values_if_proven(
        self,
        stage: int,
        later_values: _LaterValues,
        values: list[int],
        bound_widths: Sequence[int],
        rounds: _RoundProgress,
    ) -> _LayerValues | None:
        """Return values that are proven to lie within the given widths of x, as the module docstring describes; None if
        they are not.
        """
        keys, back, off_by = (
            self.turn_starts.layers[stage].keys.filled,
            self.turn_starts.return_targets[stage],
            self.off_by,
        )
        least, most = (
            [each + sign * width for each, width in zip(values, bound_widths, strict=True)] for sign in (-1, 1)
        )
        held = self._best_turns(self.narrow, keys, least, later_values, 0, rounds.next_progress())
        if any(value + off_by > each for value, each in zip(held.values, most, strict=True)):
            return None
        widest = max(bound_widths)
        got = self._best_turns(self.counting, keys, most, later_values, 2 * widest, rounds.next_progress())
        if not self._is_sure_to_leave_layer(got) or any(
            value - off_by < each for value, each in zip(got.values, least, strict=True)
        ):
            return None
        near = (
            widest + self.rounded
        )  # as in ``next_values_radius_and_exponents``, so that the same actions are taken afterwards
        taken = (
            self._best_turns(self.taking, keys, values, later_values, near, rounds.next_progress())
            if got.undecided_count
            else got
        )
        if not self._is_sure_to_leave_layer(taken):
            raise UndeterminedValues
        turns, wide = self._remaining_turns_and_error(taken, back)
        return _LayerValues(
            values, turns, later_values.radius + widest, later_values.turns_radius + wide, got.undecided_count
        )

    def _remaining_turns_and_error(self, outcomes: _BestTurnOutcomes, return_targets: Ints) -> tuple[list[int], int]:
        """Return the expected number of remaining turns of each sheet, and the error of these numbers in units.

        ``outcomes``: the outcome of the turns that are taken. ``return_targets``: as for ``_proposed_values``.
        """
        turns = self._units_without_overflow(
            solve_return_system(outcomes.turns_in_layer, outcomes.return_probability, return_targets, self.one, 1)
        )
        off = [self.off_by * (2 + max(turns) // self.one) + 2] * len(turns)
        return turns, max(
            solve_return_system(
                off, [chance + self.off_by for chance in outcomes.return_probability], return_targets, self.one, 1
            )
        ) + 2

    def _best_turns(
        self,
        solver: TurnSolver,
        start_keys: Ints,
        values: Sequence[int],
        later_values: _LaterValues,
        extra_radius: int,
        progress: Progress,
    ) -> _BestTurnOutcomes:
        """Return the outcome of the best turns if the sheets of the layer have the values x.

        ``extra_radius``: the units by which the error of x may exceed that of later sheets. ``solver``: solves the
        turns. ``later_values``: the sheets of later layers.
        """
        held = _join_start_values([self._assumed_values(start_keys, values, self.one, None), later_values.start_values])
        floats = isinstance(solver.point, FloatingPoint)
        given = to_floats(self.point, held.values) if floats else held.values
        turn_values, undecided = self._turn_values(
            solver, start_keys, TurnStartValues(held.keys, given), later_values.radius + extra_radius, progress
        )
        units = self._units_of_floats if floats else self._units_of_limbs
        columns = {column: units(turn_values[:, :, at]) for at, column in enumerate(solver.columns)}
        return _BestTurnOutcomes(columns[0], columns.get(RETURN_COLUMN, ()), columns.get(TURNS_COLUMN, ()), undecided)

    def _units_of_limbs(self, limbs: Limbs) -> list[int]:
        return [*map(self.point.units_of_limbs, limbs.T.tolist())]

    def _units_of_floats(self, floats: Any) -> list[int]:
        return [int(each * self.one) for each in floats[0].tolist()]

    def _is_sure_to_leave_layer(self, outcomes: _BestTurnOutcomes) -> bool:
        """Return whether a player who takes these turns leaves the layer with probability 1.

        ``outcomes``: the outcome of the turns.
        """
        return max(outcomes.return_probability) + self.off_by < self.one

    def _units_without_overflow(self, units: list[int]) -> list[int]:
        """Return the given values. Raises TooFineError if they overflow the limbs."""
        if max(map(abs, units)) // self.one >= self.widest:
            raise TooFineError
        return units

    def _assumed_values(
        self, start_keys: Ints, values: Sequence[int], return_probability: int, remaining_turns: Sequence[int] | None
    ) -> TurnStartValues:
        """Return assumed values of given sheets.

        ``values``: the values for the mover; ``return_probability``: the probability to come back; ``remaining_turns``:
        the expected remaining turns, 0 by default; all in units.
        """
        limbs = self.point.zeros(len(values), self.width)
        for place, each in enumerate(values):
            columns = (
                each,
                int(self.total) - each,
                return_probability,
                remaining_turns[place] if remaining_turns else 0,
            )
            limbs[:, place] = np.array([self.point.limbs_of_units(units) for units in columns], dtype=np.int64).T
        return TurnStartValues(start_keys, limbs)

    def _known_values_of_one_radius(self, values: Limbs, radius: int, scale: int) -> KnownValues:
        """Return known values from limbs of shape (limbs, positions, seats), with one radius for all."""
        count = values.shape[1]
        unknown = np.full((count, 1), UNKNOWN_EXPONENT, dtype=np.int16)
        radii = np.full(count, radius, dtype=np.int64)
        return KnownValues(values.copy(), radii, self.point, (), unknown, scale, _nothing_deterministic_mask(values))

    # --- what is solved

    def _later_values(self, stage: int) -> _LaterValues:
        """Return all sheets of the layers after ``stage``, with their values."""
        first, last = stage + 1, len(self.turn_starts.layers)
        if self._all is None or self._all[0] > first:
            solved = [self._start_values_of_record(self.records.require(layer)) for layer in range(first, last)]
            self._all = first, _join_start_values([self._assumed_values(self.turn.keys[:, :0], [], 0, None), *solved])
        if first == last:
            return _LaterValues(self._all[1], 0, 0)
        record = self.records.require(first)
        return _LaterValues(self._all[1], int(record.values.radius[0]), int(record.remaining_turns.radius[0]))

    def _start_values_of_record(self, record: SolvedStage) -> TurnStartValues:
        x = self.point.zeros(record.keys.shape[1], self.width)
        x[:, :, : self.seats], x[:, :, TURNS_COLUMN:] = record.values.middle, record.remaining_turns.middle
        return TurnStartValues(record.keys, x)

    def next_values_radius_and_exponents(self, layer: int) -> tuple[TurnStartValues | None, int, Ints]:
        """Return the values where the turns after a solved layer begin, the error at the turn ends of the layer, and
        exponents.
        """
        later = self._later_values(layer - 1)
        return later.start_values, later.radius + self.rounded, self.inner.exponents

    def next_layers(self, layer: int) -> range:
        """Return the layers in which the next turns begin: this layer, all later ones, and perhaps some earlier ones."""
        self._later_values(layer - 1)
        assert self._all
        return range(self._all[0], len(self.turn_starts.layers))

    def _to_known_values(self, values: Limbs, radius: int, exponents: Ints) -> KnownValues:  # noqa: ARG002 - cycles have no common denominator
        return self._known_values_of_one_radius(values, radius + self.inner.radius, self.scale)

    def _turn_end_action_indices(self, keys: Ints) -> Ints:
        first = int(self.stages_of(keys).min())
        begins, radius, _ = self.next_values_radius_and_exponents(first)
        return self.columns.turn_end_action_indices(keys, begins, 2 * radius)

    def _largest_component_size(self, stage: int) -> int:
        """Return the size of the largest component of a layer.

        Such a component has the positions of two turns that may lead back to each other.
        """
        layer, back, turn = self.turn_starts.layers[stage], self.turn_starts.return_targets[stage], self.turn
        inner = self.inner
        leads = np.zeros((inner.turn_end_count, layer.count), dtype=bool)
        for place, each in cached_turn_end_successors(turn, layer.keys.filled):
            if each.keys is not None:
                leads[place, each.source] |= layer.find(each.keys) >= 0
        kinds, which = np.unique(leads, axis=1, return_inverse=True)
        reached = np.concatenate([np.zeros((inner.inner_count, kinds.shape[1]), dtype=bool), kinds])
        sizes = (inner.members @ inner.reachable_turn_ends(reached))[which.reshape(-1)]
        mutual = np.flatnonzero((back >= 0) & (back[back] >= 0))
        return int((sizes[mutual] + np.where(back[mutual] == mutual, 0, sizes[back[mutual]])).max(initial=1))


def solve_return_system(
    offsets: Sequence[int], return_probabilities: Sequence[int], return_targets: Ints, units_per_one: int, sign: int
) -> list[int]:
    """Return the solution d of d = off + sign * p * d[back] in units.

    ``return_probabilities``: the probabilities p, in units; ``units_per_one``: the number of units in 1. A sheet that
    leads back to no sheet has p = 0. If two sheets lead to each other, the product of their probabilities is below 1.
    """
    found = []
    for place, (own, to) in enumerate(zip(offsets, return_targets.tolist(), strict=True)):
        p, other = return_probabilities[place], to if to >= 0 else place
        found.append(
            (own * units_per_one + sign * p * offsets[other])
            * units_per_one
            // max(units_per_one * units_per_one - p * return_probabilities[other], 1)
        )
    return found


def _join_start_values(parts: Sequence[TurnStartValues]) -> TurnStartValues:
    keys, x = zip(*((each.keys, each.values) for each in parts), strict=True)
    return TurnStartValues(np.concatenate(keys, axis=1), np.concatenate(x, axis=1))


class _RoundProgress:
    """The progress of a layer. Each round counts as half of the remaining work, because the number of rounds is not
    known.
    """

    def __init__(self, progress: Progress) -> None:
        self.tell, self.number = progress, 0

    def next_progress(self) -> Progress:
        """Return a progress callback for the next round."""
        rounds, self.number = self.number, self.number + 1
        return lambda what, done, all_: self.tell(what, int((1 - 0.5 ** (rounds + done / all_)) * all_), all_)
