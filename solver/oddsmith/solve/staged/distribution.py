"""Distributions of sums in a game solved by stages: best play as one Markov chain.

Only the positions that best play reaches are in the chain, with one action each. So the chain may fit into memory even
if the game does not. The errors of its probability mass are bounded as for all other games.

If a turn is the same on every sheet (the part of the state that stays fixed during a turn), mass flows through turns,
sheet by sheet. Sheets are then the states of a chain, and turns its transitions. Turns on many sheets are solved
together once more, and an observer records which actions are taken. A probability of 1 flows from the beginning of
every turn along these actions to the turn end, and from there to the sheet of the next turn. Sheets are never all in
memory together: in one layer at a time, every sheet has its mass for each sum so far, and the turns on it are solved
when that mass flows on.

Masses are floats, and nothing is ever subtracted: see ``FloatDistribution`` for the error bound that follows. The bound
fails only for numbers that are too small to be floats of full precision. An operation then loses less than 2^-1000, and
all such operations together lose less than ``MIN_CHANCE``.

If a turn may leave the sheet as it was, mass moves within a layer until less than ``TAIL`` of it is left, which counts
as lost. Then the number of turns of a play has no upper bound. So the distribution of the number of turns is computed
as well. The longest plays, of probability at most ``TAIL``, count as lost. All other plays pass a bounded number of
roundings.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from fractions import Fraction
from math import ceil, gcd
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix

from oddsmith.base.arrays import Ints, Mask, arange, bincount, cumsum, reduceat
from oddsmith.base.errors import DisagreementError, DistributionError, RulesetError, Signal
from oddsmith.base.exact import Number
from oddsmith.base.executors import Executor, Resources, SerialExecutor, completed_tasks
from oddsmith.base.progress import Progress, ignore_progress
from oddsmith.graph import KeyIndex, NextStates, StateGraph, unique
from oddsmith.graph.columns import DICE_ROLLED_BIT
from oddsmith.ruleset.model import Payoff
from oddsmith.solve.arenas.arena import Arena
from oddsmith.solve.numbers import Limbs
from oddsmith.solve.questions.distribution import BestPlay, SumAlongPlay, SumDistributions
from oddsmith.solve.questions.played import PlayedPolicy, SplitEntry, refuse_unless_seat_1_begins
from oddsmith.solve.questions.sums import FloatDistribution
from oddsmith.solve.staged.along import Entry, PolicyExplorer, PolicyPart
from oddsmith.solve.staged.by_turn import LayerSolver
from oddsmith.solve.staged.staged import Staged
from oddsmith.solve.staged.turn import (
    MAX_WHOLE,
    BestActions,
    InnerTurnSolver,
    TurnGraph,
    TurnSolver,
    TurnStartValues,
    turn_end_successors,
)

Floats = NDArray[np.float64]

SEAT_BITS = 31  # bits of what one mover adds, in a number that says it for all movers


@dataclass(frozen=True, eq=False)
class SumIncrements:
    """The amounts that transitions add to a sum, for every seat that may be to move, packed into one integer.

    ``amount_by_payoff``: the amount by number of payoff. ``counted_bit``: the bit of a counted entry;
    ``counted_amount``: the amount that this entry adds. ``turn_end_amount``: the amount that the end of a turn adds.
    ``avoided_bit``: the bit of an entry; plays that take this entry are left out.
    """

    amount_by_payoff: Ints
    counted_bit: int
    counted_amount: int
    turn_end_amount: int
    avoided_bit: int

    def packed_amounts(self, payoff_indices: Ints, event_bits: Any, ends_turn: bool) -> Ints:
        """Return the amounts that the given transitions add, as packed integers.

        ``payoff_indices``: the numbers of their payoffs; ``event_bits``: the bits of their entries; ``ends_turn``:
        whether they end a turn.
        """
        found: Ints = (
            self.amount_by_payoff[payoff_indices]
            + self.counted_amount * (np.asarray(event_bits) & self.counted_bit != 0)
            + self.turn_end_amount * ends_turn
        )
        return found

    @staticmethod
    def unpacked_amount(packed_amount: int, mover: int) -> int:
        """Return the amount that a packed integer has for one mover (from 0)."""
        for _ in range(mover):
            packed_amount = (packed_amount - SumIncrements.unpacked_amount(packed_amount, 0)) >> SEAT_BITS
        return (packed_amount + (1 << SEAT_BITS - 1)) % (1 << SEAT_BITS) - (1 << SEAT_BITS - 1)


@dataclass(frozen=True, eq=False)
class _ChainLayer:
    """The transition distributions of a layer of a turn.

    ``action_distributions``: the distribution of each action of every position, shape (positions, actions).
    ``transitions_by_amount``: for each added amount, the weights with which mass goes from distributions to positions,
    shape (positions, distributions).
    """

    states: Ints
    action_distributions: Ints
    denominator: Floats
    transitions_by_amount: list[tuple[int, csr_matrix]]


@dataclass(frozen=True, eq=False)
class TurnChain:
    """The Markov chain within a turn, under the policy.

    ``max_roundings``: the most rounding errors along one path through a turn. ``min_path_probability``: a lower bound
    of the probability of such a path. ``other_payoff_turn``: the same turn with another payoff, if a question is about
    another payoff; the end of the game then adds the number of that payoff.
    """

    solver: TurnSolver
    increments: SumIncrements
    layers: Sequence[_ChainLayer]
    max_roundings: int
    min_path_probability: float
    other_payoff_turn: TurnGraph | None = None


def turn_chain(schedule: LayerSolver, increments: SumIncrements) -> TurnChain:
    """Return the Markov chain within a turn, for the schedule of a game whose turns are the same on every sheet.

    Transitions that add different amounts by ``increments`` stay apart, even if they lead to the same position.
    """
    graph, border = schedule.turn.inner_graph, schedule.turn.turn_end_keys.shape[1]
    added = (graph.event_bits & increments.avoided_bit != 0).astype(np.int64) + 2 * increments.packed_amounts(
        graph.payoff.astype(np.int64), graph.event_bits, ends_turn=False
    )
    pairs, which = np.unique(np.stack([graph.payoff.astype(np.int64), added]), axis=1, return_inverse=True)
    apart = replace(schedule.turn, inner_graph=replace(graph, payoff=which.reshape(-1)))
    pay = schedule.columns.payoffs[:, :1]  # the mover's column, by which actions are compared
    inner = InnerTurnSolver(
        apart, Arena.of(apart.inner_graph, border), schedule.point, pay[:, :, pairs[0]], schedule.rounded
    )
    layers, came = list[_ChainLayer](), np.zeros(inner.count, dtype=np.int64)
    for each in inner.layers:
        distribution, target, pair, weight = each.transitions
        pushes = list[tuple[int, csr_matrix]]()
        for code in unique(pairs[1][pair]).tolist():
            if code & 1:  # taken by no play that counts
                continue
            some = pairs[1][pair] == code
            shape = inner.count, len(each.denominator)
            pushes.append(
                (code >> 1, csr_matrix((weight[some].astype(float), (target[some], distribution[some])), shape=shape))
            )
            came += bincount(target[some], minlength=inner.count) + 1
        layers.append(_ChainLayer(each.states, each.distribution_table, each.denominator.astype(float), pushes))
    # A path passes a distribution of each layer, which is a sum over positions, and a place, a sum over distributions.
    gathered = [int(bincount(np.concatenate(list(each.distributions_by_action))).max()) for each in inner.layers]
    arrived = [int(came[each.states].max()) for each in inner.layers]
    roundings = sum(gathered) + sum(arrived) + int(came.max()) + 4 * (len(layers) + 1)
    least = float(np.prod([1 / layer.denominator.max() for layer in layers]))
    return TurnChain(
        replace(schedule.columns, payoffs=pay, inner=inner, columns=(0,)), increments, layers, roundings, least
    )


# --- turns on some sheets


@dataclass(frozen=True, eq=False)
class TurnExits:
    """The ways in which turns on given sheets end, one item of each array per way.

    ``start_index``: the index of the sheet among the given ones. ``destination``: the number of the next sheet times
    the number of seats, plus the seat shift; -1 for the end of the game. ``packed_amount``: the amount added, packed as
    in ``SumIncrements``. ``probability``: the probability. ``max_merged_terms``: the most terms that were summed for
    one probability.
    """

    start_index: Ints
    destination: Ints
    packed_amount: Ints
    probability: Floats
    max_merged_terms: int

    def subset(self, selection: Ints | Mask) -> TurnExits:
        """Return the exits that are selected by indices or a mask."""
        return TurnExits(
            self.start_index[selection],
            self.destination[selection],
            self.packed_amount[selection],
            self.probability[selection],
            self.max_merged_terms,
        )


ExitsTask = tuple[TurnChain, Ints, TurnStartValues | None, int, Ints]
"""A task for ``turn_exits``: the chain, the keys of sheets, the values of later turns, the error of those values, and
the numbers of the sheets.
"""


def turn_exits(task: ExitsTask) -> TurnExits:
    """Return the exits of the turns that begin on given sheets."""
    turns, sheets, later, radius, _ = task
    seen = _ExitRecorder(turns, sheets, later, 2 * radius)
    turns.solver.solve(sheets, later, radius, seen)
    return seen.recorded_exits()


class PaidBeforeEnd(Signal):
    """Raised if a payoff other than the objective is paid before the end."""


class _ExitRecorder:
    """Records which actions are taken while turns are solved, and lets mass flow along them to the exits."""

    def __init__(
        self, chain: TurnChain, start_keys: Ints, next_start_values: TurnStartValues | None, tie_tolerance: int
    ) -> None:
        self.turns, self.later, self.reach = chain, next_start_values, tie_tolerance
        self.others = turn_end_successors(chain.other_payoff_turn, start_keys) if chain.other_payoff_turn else None
        shape = chain.solver.turn.turn_end_keys.shape[1], start_keys.shape[1]
        self.landing, self.code = np.full(shape, -1, dtype=np.int64), np.zeros(shape, dtype=np.int64)
        self.counts = np.ones(shape, dtype=bool)
        self.place, self.held = -1, self._initial_best_actions()
        self.parts, self.merged = list[tuple[Ints, Ints, Ints, Floats]](), 1

    def _initial_best_actions(self) -> BestActions:
        columns = self.turns.solver
        x = columns.point.zeros(1, self.landing.shape[1])
        x[0] = -columns.sign * MAX_WHOLE  # worse than anything
        return BestActions(columns.point, x, self.reach, columns.sign)

    def observe_turn_end_action(self, turn_end_index: int, successors: NextStates, action_values: Limbs) -> None:
        """Record, on each sheet, this action at a turn-end position if it is certainly better than the one recorded so
        far.

        ``turn_end_index``: the index of the turn-end position. ``successors``: what follows the action on the sheets.
        ``action_values``: its values, shape (limbs, columns, sheets).
        """
        if turn_end_index != self.place:
            self.place, self.held = turn_end_index, self._initial_best_actions()
        other = next(self.others)[1] if self.others else None
        if other and not (
            arrays_are_equal(other.source, successors.source)
            and arrays_are_equal(other.keys, successors.keys)
            and other.seat_shift == successors.seat_shift
        ):
            raise DisagreementError("a turn does not lead to the same where another payoff is paid")
        better = self.held.update_if_certain(successors.source, action_values[:, :1])
        where = turn_end_index, successors.source[better]
        if not better.any():
            return
        adds, seats = self.turns.increments, self.turns.solver.seats
        self.landing[where] = -1
        if successors.keys is not None and self.later is not None:
            self.landing[where] = self.later.state_numbers(successors.keys[:, better]) * seats + successors.seat_shift
        self.code[where] = (
            other.paid[better]
            if other
            else adds.packed_amounts(successors.paid[better], successors.marks, ends_turn=True)
        )
        if other and other.keys is not None and other.paid.any():
            raise PaidBeforeEnd
        self.counts[where] = not successors.marks & adds.avoided_bit

    def observe_inner_actions(self, first_turn_index: int, taken_actions: Sequence[Ints]) -> None:
        """Let a mass of 1 flow through each turn of a block, from its beginning to its end, and record how it ends.

        A block is a range of turns that differ only in what lasts beyond a turn, each of which is called a sheet.
        ``first_turn_index``: the index of the block's first turn. ``taken_actions``: for each layer of positions within
        the turn, the indices of the actions that are taken, shape (positions, turns).
        """
        inner, count = self.turns.solver.inner, taken_actions[0].shape[1]
        start = np.zeros((inner.count, count))
        start[inner.places[0]] = 1
        mass = {0: start}
        for layer, pick in zip(reversed(self.turns.layers), reversed(taken_actions), strict=True):
            distribution = layer.action_distributions[arange(len(pick))[:, None], pick] * count + arange(count)
            size = len(layer.denominator) * count
            for code, held in list(mass.items()):
                gathered = bincount(distribution.reshape(-1), held[layer.states].reshape(-1), size).reshape(-1, count)
                share = gathered / layer.denominator[:, None]
                for more, push in layer.transitions_by_amount:
                    mass.setdefault(code + more, np.zeros_like(start))
                    mass[code + more] += push @ share
        self._record_merged_exits(
            [self._exits_of_block(first_turn_index, code, held[inner.inner_count :]) for code, held in mass.items()]
        )

    def _exits_of_block(
        self, first_turn_index: int, packed_amount: int, turn_end_mass: Floats
    ) -> tuple[Ints, Ints, Ints, Floats]:
        """Return the exits at the turn ends of a block of sheets, as four arrays: the first four fields of
        ``TurnExits``.

        ``first_turn_index``: the index of the first sheet. ``packed_amount``: the amount that was added within the
        turn. ``turn_end_mass``: the mass at each turn-end position, shape (turn-end positions, sheets).
        """
        here = np.s_[:, first_turn_index : first_turn_index + turn_end_mass.shape[1]]
        place, sheet = np.nonzero((turn_end_mass > 0) & self.counts[here])
        found = (
            self.landing[here][place, sheet],
            self.code[here][place, sheet] + packed_amount,
            turn_end_mass[place, sheet],
        )
        return sheet + first_turn_index, *found

    def _record_merged_exits(self, exit_columns: Sequence[tuple[Ints, Ints, Ints, Floats]]) -> None:
        """Record exits, given as columns of ``TurnExits``, after merging those that agree in all but their probability."""
        sheet, landing, code, chance = map(np.concatenate, zip(*exit_columns, strict=True))
        order = np.lexsort((code, landing, sheet))
        exits = np.stack([sheet, landing, code])[:, order]
        starts = np.flatnonzero(np.append(True, (exits[:, 1:] != exits[:, :-1]).any(axis=0)))[: len(order)]
        if len(starts):
            self.merged = max(self.merged, int(np.diff(np.append(starts, len(order))).max()))
        summed = reduceat(np.add, chance[order], starts) if len(starts) else chance
        self.parts.append((*exits[:, starts], summed))

    def recorded_exits(self) -> TurnExits:
        """Return all recorded exits."""
        sheet, landing, code, chance = (np.concatenate(each) for each in zip(*self.parts, strict=True))
        return TurnExits(sheet, landing, code, chance, self.merged)


def arrays_are_equal(one: Ints | None, other: Ints | None) -> bool:
    """Return whether two arrays are equal, or both are None."""
    return one is other or (one is not None and other is not None and np.array_equal(one, other))


SHEETS_PER_BATCH = 1 << 13  # whose turns are followed together
MAX_SUMS = 20_000  # different sums that masses may have
MIN_FULL_EXPONENT = -1000  # binary exponent down to which floats have their full precision, and to spare
MIN_CHANCE = Fraction(1, 1 << 900)
TAIL = 2.0**-80
MAX_ROUNDS = 20_000  # that mass goes within a layer
MIN_DISTANCE_FROM_ONE = 1e-6  # from 1: how near the chance to come back twice may be


class PropagationTooSlow(Signal):
    """Raised if mass moves too often within a layer, or if there are too many sums."""


class _LayerMasses:
    """The mass of each row by sum: ``x`` of shape (rows, sums). Its first column is for the sum ``first``, which may be
    below 0.
    """

    def __init__(self, row_count: int) -> None:
        self.x, self.first = np.zeros((row_count, 0)), 0
        self.added = np.zeros(row_count, dtype=np.int64)

    def make_room_for_sums(self, first_sum: int, end_sum: int) -> None:
        """Make room for the sums from ``first_sum`` up to, but not including, ``end_sum``. Raises PropagationTooSlow."""
        if not self.x.shape[1]:
            self.first = first_sum
        before, after = max(0, self.first - first_sum), max(0, end_sum - self.first - self.x.shape[1])
        if before or after:
            if before + after + self.x.shape[1] > MAX_SUMS:
                raise PropagationTooSlow
            self.x = np.pad(self.x, ((0, 0), (before, after)))
            self.first -= before

    def add(self, rows: Ints, first_sum: int, masses: Floats) -> None:
        """Add masses ``masses`` to the given rows, for consecutive sums from ``first_sum`` on. There must be room for
        these sums.
        """
        self.x[rows, first_sum - self.first : first_sum - self.first + masses.shape[1]] += masses

    def add_exits(self, rows: Ints, first_sum: int, exits: TurnExits, start_masses: Floats) -> None:
        """Add to the given rows the masses that arrive there by exits. Raises PropagationTooSlow.

        ``rows``: the row of each exit. ``first_sum``: the sum of the first column of ``start_masses``.
        ``start_masses``: the masses of the sheets.
        """
        rows, place, adds = np.unique(rows, return_inverse=True, return_counts=True)
        moves = csr_matrix(
            (exits.probability, (place.reshape(-1), exits.start_index)), shape=(len(rows), len(start_masses))
        )
        self.make_room_for_sums(first_sum, first_sum + start_masses.shape[1])
        self.add(rows, first_sum, np.asarray(moves @ start_masses))
        self.added[rows] += adds + 1

    def trim_empty_sums(self) -> None:
        """Remove the sums without mass at both ends."""
        held = np.flatnonzero(self.x.any(axis=0))
        if len(held):
            self.first += int(held[0])
            self.x = self.x[:, held[0] : held[-1] + 1]


@dataclass(frozen=True, eq=False)
class EndMass:
    """The mass that reached the end of the game.

    ``mass_by_sum``: the mass by sum. ``max_roundings``: the most rounding errors along one path. ``lost_mass``: as in
    ``FloatDistribution``. ``expected_turns_bound``: an upper bound of the expected number of turns from any position.
    ``max_abs_sum``: the largest absolute sum of a play when it ended, or when the calculation stopped following it.
    """

    mass_by_sum: dict[int, Fraction]
    max_roundings: int
    lost_mass: Fraction
    expected_turns_bound: float
    max_abs_sum: int


class _MassPropagation:
    """The masses for one kind of sum, as they move from layer to layer.

    ``sum_encodes_payoff``: whether a sum encodes the number of a payoff and the mover.
    """

    def __init__(self, schedule: LayerSolver, sum_encodes_payoff: bool) -> None:
        self.seats, self.numbered, self.layers = schedule.seats, sum_encodes_payoff, schedule.turn_starts.layers
        self.waiting, self.ended = dict[int, _LayerMasses](), dict[int, Fraction]()
        self.lost, self.reached, self.smallest = Fraction(0), 0, 1.0
        first = self.masses_at(0)
        first.make_room_for_sums(0, 1)
        first.add(arange(1), 0, np.ones((1, 1)))

    def masses_at(self, layer: int) -> _LayerMasses:
        """Return the masses that have arrived at a layer."""
        if layer not in self.waiting:
            self.waiting[layer] = _LayerMasses(self.seats * self.layers[layer].count)
        return self.waiting[layer]

    def propagate_one_turn(
        self, masses: _LayerMasses, start_numbers: Ints, exits: TurnExits, next_layers: range
    ) -> int:
        """Move the mass of given sheets one turn on, and return the most terms that were summed for a final mass.

        ``masses``: the masses of the layer of the sheets. ``exits``: the exits of the sheets. ``next_layers``: the
        layers whose sheets are numbered one after another in ``exits``. Raises PropagationTooSlow.
        """
        most, starts = 0, cumsum([0, *(self.seats * self.layers[layer].count for layer in next_layers)])
        which = np.where(exits.destination < 0, -1, np.searchsorted(starts, exits.destination, side="right") - 1)
        for mover in range(self.seats):
            held = masses.x[start_numbers * self.seats + mover]
            if not held.any() or not len(exits.packed_amount):
                continue
            self.smallest = min(self.smallest, float(held[held > 0].min()) * float(exits.probability.min(initial=1)))
            for code, some in _indices_by_number(exits.packed_amount):
                first = masses.first + (0 if self.numbered else SumIncrements.unpacked_amount(code, mover))
                for place, part in _indices_by_number(which[some]):
                    here = exits.subset(some[part])
                    if place < 0:
                        begin = code * self.seats + mover if self.numbered else first
                        most = max(most, len(part))
                        self._add_end_mass(begin, here.probability @ held[here.start_index])
                    else:
                        rows = here.destination - starts[place]
                        rows += (rows % self.seats + mover) % self.seats - rows % self.seats
                        self.masses_at(next_layers[place]).add_exits(rows, first, here, held)
        return most

    def _add_end_mass(self, first_sum: int, masses: Floats) -> None:
        for total, each in enumerate(masses.tolist(), first_sum):
            if each:
                self.ended[total] = self.ended.get(total, Fraction(0)) + Fraction(each)

    def propagate_within_layer(
        self, layer: int, start_numbers: Ints, exits_within: TurnExits, next_layers: range
    ) -> None:
        """Let mass move between the turns of a layer until at most ``TAIL`` of it still moves.

        A layer holds turns that may lead to one another. ``start_numbers``: as for ``propagate_one_turn``, like
        ``next_layers``. ``exits_within``: the ends of turns after which the next turn is in the same layer. Raises
        PropagationTooSlow.
        """
        moving = total = self.masses_at(layer)
        del self.waiting[layer]
        for _ in range(MAX_ROUNDS):
            self.propagate_one_turn(moving, start_numbers, exits_within, next_layers)
            moving = self.waiting.pop(layer, _LayerMasses(0))
            moving.trim_empty_sums()
            left = float(moving.x.sum())
            if left <= TAIL:
                self.lost += 2 * Fraction(left)
                self.reached = max(self.reached, abs(moving.first), abs(moving.first + moving.x.shape[1]))
                self.waiting[layer] = total
                return
            total.make_room_for_sums(moving.first, moving.first + moving.x.shape[1])
            total.add(arange(len(total.x)), moving.first, moving.x)
            total.added += moving.added + 1
        raise PropagationTooSlow


def propagate_to_end(schedule: LayerSolver, chain: TurnChain, executor: Executor, progress: Progress) -> EndMass:
    """Return the mass that flows along best play from the first sheet to the end. Raises PaidBeforeEnd and
    PropagationTooSlow.
    """
    asked, returning, done = (
        _MassPropagation(schedule, chain.other_payoff_turn is not None),
        bool(schedule.turn_starts.return_targets),
        0,
    )
    streams = [asked, _MassPropagation(schedule, sum_encodes_payoff=False)] if returning else [asked]
    each_turn, most, lasting, step = 0, 0, 0.0, min(SHEETS_PER_BATCH, schedule.step)
    for number, layer in enumerate(schedule.turn_starts.layers):
        masses, keys = asked.masses_at(number), layer.keys.filled
        sheets = np.flatnonzero(masses.x.any(axis=1).reshape(-1, schedule.seats).any(axis=1))
        if returning:
            back = schedule.turn_starts.return_targets[number][sheets]
            sheets = unique(np.concatenate([sheets, back[back >= 0]]))
        (later, radius, _), ahead = schedule.next_values_radius_and_exponents(number), schedule.next_layers(number)
        begins = TurnStartValues(later.keys, later.values[:, :, : schedule.seats]) if later else None
        parts = [sheets[first : first + step] for first in range(0, len(sheets), step)]
        tasks = [(chain, keys[:, part], begins, radius, part) for part in parts]
        merged, found = 1, _results_in_order(completed_tasks(executor, turn_exits, tasks), parts)
        if returning and parts:
            found, longest = _propagate_within_layer(number, [*found], streams, ahead)
            lasting += longest
        for part, leaving in found:
            counted = leaving.max_merged_terms + asked.propagate_one_turn(masses, part, leaving, ahead)
            if returning:
                streams[1].propagate_one_turn(
                    streams[1].masses_at(number), part, _exits_counting_turns(leaving, schedule.seats), ahead
                )
            merged = max(merged, counted)
            done += len(part)
            progress("following play", done, schedule.turn_starts.turn_start_count)
        done = sum(
            each.count for each in schedule.turn_starts.layers[: number + 1]
        )  # play reaches only some of the sheets
        passed = chain.max_roundings + merged + int(masses.added.max(initial=0)) + 2
        each_turn, most = max(each_turn, passed), most + passed
        for stream in streams:
            stream.waiting.pop(number, None)
        schedule.records.drop(number + 1)
    lost = Fraction(0) if min(stream.smallest for stream in streams) > 2.0**MIN_FULL_EXPONENT else MIN_CHANCE
    reached = max([asked.reached, *map(abs, asked.ended)])
    if not returning:
        return EndMass(asked.ended, most, lost, len(schedule.turn_starts.layers), reached)
    longest, beyond = _turns_bound_and_lost_mass(streams[1])
    return EndMass(asked.ended, each_turn * longest, lost + asked.lost + beyond, lasting, reached)


def _turns_bound_and_lost_mass(turn_counting: _MassPropagation) -> tuple[int, Fraction]:
    """Return an upper bound of the number of turns of nearly all plays, and an upper bound of the mass lost in longer
    plays.
    """
    beyond = turn_counting.lost
    for count in sorted(turn_counting.ended, reverse=True):
        if beyond + turn_counting.ended[count] > TAIL:
            return count, 4 * beyond
        beyond += turn_counting.ended[count]
    return 1, 4 * beyond


def _exits_counting_turns(exits: TurnExits, seats: int) -> TurnExits:
    """Return the exits with an added amount of 1 for every turn, whoever moves, in place of their own amounts.

    ``exits``: the exits.
    """
    return replace(
        exits, packed_amount=np.full_like(exits.packed_amount, sum(1 << SEAT_BITS * mover for mover in range(seats)))
    )


def _propagate_within_layer(
    layer: int,
    exits_by_batch: Sequence[tuple[Ints, TurnExits]],
    propagations: Sequence[_MassPropagation],
    next_layers: range,
) -> tuple[Iterator[tuple[Ints, TurnExits]], float]:
    """Let mass move between the sheets of a layer, for as long as it stays there.

    Return the exits that leave the layer, and an upper bound of the expected number of turns before that. ``layer``:
    the number of the layer. ``exits_by_batch``: the sheets in batches, each with the exits of its sheets.
    ``propagations``: two flows of mass; in the first each exit adds its own amount to the sum, in the second it adds
    one, to count turns. ``next_layers``: as for ``propagate_one_turn``. Raises PropagationTooSlow.
    """
    seats, layers = propagations[0].seats, propagations[0].layers
    first = seats * sum(layers[earlier].count for earlier in next_layers if earlier < layer)
    end = first + seats * layers[layer].count
    sheets = np.concatenate([part for part, _ in exits_by_batch])
    own, begin = list[TurnExits](), 0
    for part, leaving in exits_by_batch:
        inside = leaving.subset((leaving.destination >= first) & (leaving.destination < end))
        own.append(replace(inside, start_index=inside.start_index + begin))
        begin += len(part)
    sheet, landing, code, chance = (
        np.concatenate([getattr(each, name) for each in own])
        for name in ("start_index", "destination", "packed_amount", "probability")
    )
    comes_back = bincount(sheet, chance, len(sheets))
    to = np.searchsorted(sheets, (landing - first) // seats)
    twice = float((comes_back[sheet] * comes_back[to]).max(initial=0))
    if twice > 1 - MIN_DISTANCE_FROM_ONE:
        raise PropagationTooSlow
    back = TurnExits(sheet, landing, code, chance, max_merged_terms=1)
    for stream, each in zip(propagations, (back, _exits_counting_turns(back, seats)), strict=True):
        stream.propagate_within_layer(layer, sheets, each, next_layers)
    rest = (
        (part, each.subset((each.destination < first) | (each.destination >= end))) for part, each in exits_by_batch
    )
    return rest, 2 / (1 - twice - MIN_DISTANCE_FROM_ONE / 2)


def _results_in_order(
    completed: Iterator[tuple[ExitsTask, TurnExits]], batches: Sequence[Ints]
) -> Iterator[tuple[Ints, TurnExits]]:
    """Yield the results of the parts in the order of ``batches``. So sums do not depend on the number of worker
    processes.

    ``completed``: the results as they are completed, each with its task.
    """
    early = dict[int, TurnExits]()
    for part in batches:
        while int(part[0]) not in early:
            (*_, other), leaving = next(completed)
            early[int(other[0])] = leaving
        yield part, early.pop(int(part[0]))


def _indices_by_number(numbers: Ints) -> Iterator[tuple[int, Ints]]:
    """Yield each distinct number of an array with the indices at which it occurs."""
    order = np.argsort(numbers, kind="stable")
    found, starts = np.unique(numbers[order], return_index=True)
    return zip(found.tolist(), np.split(order, starts[1:]), strict=True)


MAX_TOTAL = 20_000  # how large a sum may be, in its units
MAX_POSITIONS = 10_000_000  # positions that best play may reach, where they are followed together
BY_POSITIONS = MAX_POSITIONS  # positions up to which play that returns to a sheet is followed position by position


def distribution_by_turns(
    staged: Staged,
    quantity: SumAlongPlay,
    given_entry: Entry | None,
    progress: Progress | None = None,
    executor: Executor | None = None,
) -> SumDistributions | None:
    """Return the distribution of a sum along best play, turn by turn; None if it cannot be found by turns.

    ``given_entry``: only the plays that take this entry count. Raises StagesNotStoredError and SolveError.
    """
    schedule, own = staged.schedule, staged.game.ruleset.payoffs[staged.objective]
    if not isinstance(schedule, LayerSolver) or (
        schedule.turn_starts.return_targets and staged.state_count <= BY_POSITIONS
    ):
        return None
    watch = [entry for entry in (quantity.counted_entry, given_entry) if entry]
    if watch:
        schedule = type(schedule)(
            schedule.turn.with_marked_entries(watch),
            schedule.turn_starts,
            schedule.records,
            Resources(executor=schedule.share),
        )
    with suppress(PaidBeforeEnd, PropagationTooSlow):
        if quantity.payoff not in {None, own}:
            return _distribution_of_end_payoff(staged, schedule, quantity, given_entry, progress or ignore_progress)
        return _distribution_along_play(
            staged, schedule, quantity, given_entry, progress or ignore_progress, executor or SerialExecutor()
        )
    return None


def _distribution_along_play(
    staged: Staged,
    schedule: LayerSolver,
    quantity: SumAlongPlay,
    given_entry: Entry | None,
    progress: Progress,
    executor: Executor,
) -> SumDistributions | None:
    """Return the distribution of a sum that changes along play; None if the sum may take too many values."""
    units, scale = _payoff_units(schedule, quantity)
    size = np.abs(units).max(axis=1) if quantity.payoff else np.ones(len(units), dtype=np.int64)
    of_turn = int(size[schedule.turn.inner_graph.payoff].max()) * len(schedule.inner.layers) + int(size.max())
    most = of_turn * len(schedule.turn_starts.layers)
    if most > MAX_TOTAL and not schedule.turn_starts.return_targets:
        return None
    flows = [
        propagate_to_end(schedule, turn_chain(schedule, adds), executor, progress)
        for adds in _sum_increments(schedule, quantity, given_entry, units)
    ]
    if (
        schedule.turn_starts.return_targets
    ):  # the sums of lost plays when they were lost, and what these plays may add: see ``mean_and_deviation_of``
        most = max(each.max_abs_sum + of_turn * (ceil(2 * each.expected_turns_bound) + 1) for each in flows)
    distributions = [
        FloatDistribution(each.mass_by_sum, each.max_roundings, each.lost_mass, omits_plays=place > 0)
        for place, each in enumerate(flows)
    ]
    mean = _value_of_followed_play(staged, schedule, quantity.seat or 0, flows[0]) * scale if quantity.payoff else None
    if not (quantity.payoff or quantity.counted_entry or quantity.counts_rolls) and quantity.seat is None:
        mean = staged.mean_turns
    return SumDistributions(distributions, scale, mean, most)


def _value_of_followed_play(staged: Staged, schedule: LayerSolver, seat: int, end_mass: EndMass) -> Number:
    """Return the value to a seat (from 0) of the play whose mass flows.

    That is the value of the game, unless there are two actions that the bounds do not tell apart. The action taken is
    then at most ``near`` units worse, because the error of each of the two is at most half of that. A path through a
    turn has one decision for each layer and one at the turn end.
    """
    value, near = staged.values[seat], 2 * (schedule.next_values_radius_and_exponents(0)[1] + schedule.inner.radius)
    decisions = ceil(end_mass.expected_turns_bound) * (len(schedule.inner.layers) + 1)
    lost = Fraction(2 * near * decisions if staged.undecided_count else 0, 1 << schedule.point.binary_places)
    return Number(value.lower - lost, value.upper + lost)


def _distribution_of_end_payoff(
    staged: Staged, schedule: LayerSolver, quantity: SumAlongPlay, given_entry: Entry | None, progress: Progress
) -> SumDistributions | None:
    """Return the distribution of another payoff that is paid only at the end; None if that payoff needs other states."""
    own = schedule.turn.explorer
    try:
        explorer = PolicyExplorer(staged, quantity.payoff).explorer
    except RulesetError:  # whoever follows positions tells why
        return None
    alike = arrays_are_equal(explorer.start_key, own.start_key) and explorer.codec.left_out == own.codec.left_out
    if not alike or explorer.graph_of_states(schedule.turn.inner_graph.keys)[0].payoff.any():
        return None
    flows, nothing = list[EndMass](), np.zeros((len(own.edges.payoffs), schedule.seats), dtype=np.int64)
    for adds in _sum_increments(
        schedule, replace(quantity, payoff=staged.game.ruleset.payoffs[staged.objective]), given_entry, nothing
    ):
        turns = replace(turn_chain(schedule, adds), other_payoff_turn=replace(schedule.turn, explorer=explorer))
        flows.append(
            propagate_to_end(schedule, turns, SerialExecutor(), progress)
        )  # numbers of payoffs mean something in this process alone
    units, scale = explorer.payoffs
    distributions, seat = list[FloatDistribution](), quantity.seat or 0
    for place, each in enumerate(flows):
        mass = dict[int, Fraction]()
        for number, chance in each.mass_by_sum.items():
            paid, mover = divmod(number, schedule.seats)
            total = units[paid][(seat - mover) % schedule.seats]
            mass[total] = mass.get(total, Fraction(0)) + chance
        distributions.append(FloatDistribution(mass, each.max_roundings, each.lost_mass, omits_plays=place > 0))
    return SumDistributions(distributions, Fraction(scale), None, max(abs(unit) for kind in units for unit in kind))


def _payoff_units(schedule: LayerSolver, quantity: SumAlongPlay) -> tuple[Ints, Fraction]:
    """Return the payoffs to the seat in question in units, and the number of units in 1.

    The array has the shape (payoffs, seats); its second index is the mover.
    """
    units, scale = schedule.turn.explorer.payoffs
    if quantity.payoff is None:
        return np.zeros((len(units), schedule.seats), dtype=np.int64), Fraction(1)
    common, seats = gcd(*(unit for kind in units for unit in kind)) or 1, range(schedule.seats)
    seat = quantity.seat or 0
    brought = [[kind[(seat - mover) % schedule.seats] // common for mover in seats] for kind in units]
    return np.array(brought, dtype=np.int64), Fraction(scale, common)


def _sum_increments(
    schedule: LayerSolver, quantity: SumAlongPlay, given_entry: Entry | None, payoff_units: Ints
) -> list[SumIncrements]:
    """Return the increments of transitions.

    The list has one item for all plays and, if there is a condition ``given_entry``, another for the plays that do not
    meet it.
    """
    seats, watched = range(schedule.seats), schedule.turn.explorer.watched
    one = sum(1 << SEAT_BITS * mover for mover in seats if quantity.seat in {None, mover})
    paid = (payoff_units << SEAT_BITS * arange(schedule.seats)).sum(axis=1)
    mark = (
        watched[quantity.counted_entry] if quantity.counted_entry else DICE_ROLLED_BIT if quantity.counts_rolls else 0
    )
    turn = one if quantity.payoff is None and not mark else 0
    avoided = [0, *([watched[given_entry]] if given_entry else [])]
    return [SumIncrements(paid, mark, one if mark else 0, turn, avoid) for avoid in avoided]


def best_play(
    staged: Staged, progress: Progress | None = None, executor: Executor | None = None, split: SplitEntry | None = None
) -> BestPlay:
    """Return best play of a game solved by stages, on all positions that it reaches.

    ``progress``: receives the progress as play is followed. ``executor``: distributes the work on sheets. ``split``: an
    entry that is split in two. The methods of the result may also raise PlayError, DistributionError and
    StagesNotStoredError.
    """

    def play_of(payoff: Payoff, marked_entries: Sequence[Entry], pay_at_end: bool) -> PlayedPolicy:
        refuse_unless_seat_1_begins(staged.explorer.rules.start().mover)
        parts, count = list[PolicyPart](), 0
        for part in PolicyExplorer(staged, payoff, marked_entries, pay_at_end, split).policy_parts(progress):
            parts.append(part)
            count += part.graph.state_count
            if count > MAX_POSITIONS:
                message = f"best play comes to over {MAX_POSITIONS:,} positions, which are too many to follow together"
                raise DistributionError(message)
        graph = join_policy_parts(parts)
        rows, states = (
            cumsum([len(part.graph.denominator) for part in parts]),
            cumsum([part.graph.state_count for part in parts]),
        )
        mixtures = {
            int(state) - part.graph.state_count + own: mixture.with_renumbered_rows(
                int(row - len(part.graph.denominator)).__add__
            )
            for part, row, state in zip(parts, rows, states, strict=True)
            for own, mixture in part.mixtures.items()
        }
        return PlayedPolicy(graph, Arena.of(graph), graph.state_rows[:-1], mixtures)

    def distribution_of(quantity: SumAlongPlay, given_entry: Entry | None) -> SumDistributions | None:
        return None if split else distribution_by_turns(staged, quantity, given_entry, progress, executor)

    return BestPlay(staged.game, staged.objective, play_of, distribution_of)


def join_policy_parts(parts: Sequence[PolicyPart]) -> StateGraph:
    """Join parts to one graph with the rows that are taken. The position that starts the game comes first.

    Later parts must know the payoffs of all earlier ones. The graph does not name the actions.
    """
    last, keys = parts[-1].graph, np.concatenate([part.graph.keys for part in parts], axis=1)
    index, targets, before = KeyIndex.of(keys), list[Ints](), 0
    tags, tag = dict[tuple[int, int, bool], int](), list[Ints]()
    for part in parts:
        graph, target = part.graph, part.graph.target.astype(np.int64)
        boundary = index.find(part.boundary_keys)
        if (boundary < 0).any():
            raise DisagreementError("best play leads to a position that was not followed")
        place = np.concatenate([arange(graph.state_count) + before, boundary, [-1]])  # the last is the end
        targets.append(place[target])
        tag.append(np.array([tags.setdefault(each, len(tags)) for each in graph.tags], dtype=np.int64)[graph.tag])
        before += graph.state_count
    lengths, rows = (
        np.concatenate([np.diff(getattr(part.graph, name)) for part in parts]) for name in ("row_edges", "state_rows")
    )
    denominator, weight, payoff = (
        np.concatenate([getattr(part.graph, name) for part in parts]) for name in ("denominator", "weight", "payoff")
    )
    return replace(
        last,
        keys=keys,
        state_rows=np.concatenate([[0], cumsum(rows)]),
        row_action=np.zeros(len(lengths), dtype=np.int64),
        row_edges=np.concatenate([[0], cumsum(lengths)]),
        denominator=denominator,
        target=np.concatenate(targets).astype(np.int32),
        weight=weight,
        payoff=payoff,
        tag=np.concatenate(tag),
        tags=tuple(tags),
        parent=np.full(before, -1, dtype=np.int64),
    )
