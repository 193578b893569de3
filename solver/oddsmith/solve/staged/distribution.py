"""Distributions of sums in a game solved by stages: best play as one Markov chain.

Only the positions that best play reaches are in the chain, with one action each. So the chain may fit into memory even
if the game does not. The errors of its probability mass are bounded as for all other games.

If a turn is the same on every sheet (the part of the state that stays fixed during a turn), mass flows through turns,
sheet by sheet. Sheets are then the states of a chain, and turns its transitions. Turns on many sheets are solved
together once more, and an observer records which actions are taken. A probability of 1 flows from the beginning of
every turn along these actions to the border, and from there to the sheet of the next turn. Sheets are never all in
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
from oddsmith.solve.questions.distribution import BestPlay, ListedSum, SumAlongPlay
from oddsmith.solve.questions.played import PlayedPolicy, SplitEntry, refuse_unless_seat_1_begins
from oddsmith.solve.questions.sums import FloatDistribution
from oddsmith.solve.staged.along import Entry, PolicyExplorer, PolicyPart
from oddsmith.solve.staged.by_turn import LayerSolver
from oddsmith.solve.staged.staged import Staged
from oddsmith.solve.staged.turn import (
    MAX_WHOLE,
    BestActions,
    InnerSolver,
    TurnGraph,
    TurnSolver,
    TurnStartValues,
    border_successors,
)

Floats = NDArray[np.float64]

SEAT_BITS = 31  # bits of what one mover adds, in a number that says it for all movers


@dataclass(frozen=True, eq=False)
class Increments:
    """The amounts that transitions add to a sum, for every seat that may be to move, packed into one integer.

    ``paid``: the amount by number of payoff. ``mark``: the bit of a counted entry; ``marked``: the amount that this
    entry adds. ``turn``: the amount that the end of a turn adds. ``avoid``: the bit of an entry; plays that take this
    entry are left out.
    """

    paid: Ints
    mark: int
    marked: int
    turn: int
    avoid: int

    def packed_amounts(self, paid: Ints, marks: Any, over: bool) -> Ints:
        """Return the amounts that the given transitions add, as packed integers.

        ``paid``: the numbers of their payoffs; ``marks``: the bits of their entries; ``over``: whether they end a turn.
        """
        found: Ints = self.paid[paid] + self.marked * (np.asarray(marks) & self.mark != 0) + self.turn * over
        return found

    @staticmethod
    def amount_of(code: int, mover: int) -> int:
        """Return the amount that a packed integer has for one mover (from 0)."""
        for _ in range(mover):
            code = (code - Increments.amount_of(code, 0)) >> SEAT_BITS
        return (code + (1 << SEAT_BITS - 1)) % (1 << SEAT_BITS) - (1 << SEAT_BITS - 1)


@dataclass(frozen=True, eq=False)
class _Layer:
    """The transition distributions of a layer of a turn.

    ``distributions``: the distribution of each action of every position, shape (positions, actions). ``pushes``: for
    each added amount, the weights with which mass goes from distributions to positions, shape (positions,
    distributions).
    """

    states: Ints
    distributions: Ints
    denominator: Floats
    pushes: list[tuple[int, csr_matrix]]


@dataclass(frozen=True, eq=False)
class TurnChain:
    """The Markov chain within a turn, under the policy.

    ``roundings``: the most rounding errors along one path through a turn. ``least``: a lower bound of the probability
    of such a path. ``other``: the same turn with another payoff, if a question is about another payoff; the end of the
    game then adds the number of that payoff.
    """

    columns: TurnSolver
    adds: Increments
    layers: Sequence[_Layer]
    roundings: int
    least: float
    other: TurnGraph | None = None


def turn_chain(schedule: LayerSolver, adds: Increments) -> TurnChain:
    """Return the Markov chain within a turn, for the schedule of a game whose turns are the same on every sheet.

    Transitions that add different amounts by ``adds`` stay apart, even if they lead to the same position.
    """
    graph, border = schedule.turn.graph, schedule.turn.border.shape[1]
    added = (graph.event_bits & adds.avoid != 0).astype(np.int64) + 2 * adds.packed_amounts(
        graph.payoff.astype(np.int64), graph.event_bits, over=False
    )
    pairs, which = np.unique(np.stack([graph.payoff.astype(np.int64), added]), axis=1, return_inverse=True)
    apart = replace(schedule.turn, graph=replace(graph, payoff=which.reshape(-1)))
    pay = schedule.columns.pay[:, :1]  # the mover's column, by which actions are compared
    inner = InnerSolver(apart, Arena.of(apart.graph, border), schedule.point, pay[:, :, pairs[0]], schedule.rounded)
    layers, came = list[_Layer](), np.zeros(inner.count, dtype=np.int64)
    for each in inner.layers:
        distribution, target, pair, weight = each.edges
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
        layers.append(_Layer(each.states, each.distribution_table, each.denominator.astype(float), pushes))
    # A path passes a distribution of each layer, which is a sum over positions, and a place, a sum over distributions.
    gathered = [int(bincount(np.concatenate(list(each.slots))).max()) for each in inner.layers]
    arrived = [int(came[each.states].max()) for each in inner.layers]
    roundings = sum(gathered) + sum(arrived) + int(came.max()) + 4 * (len(layers) + 1)
    least = float(np.prod([1 / layer.denominator.max() for layer in layers]))
    return TurnChain(replace(schedule.columns, pay=pay, inner=inner, columns=(0,)), adds, layers, roundings, least)


# --- turns on some sheets


@dataclass(frozen=True, eq=False)
class TurnExits:
    """The ways in which turns on given sheets end, one item of each array per way.

    ``sheet``: the index of the sheet among the given ones. ``landing``: the number of the next sheet times the number
    of seats, plus the seat shift; -1 for the end of the game. ``code``: the amount added, packed as in ``Increments``.
    ``chance``: the probability. ``merged``: the most terms that were summed for one probability.
    """

    sheet: Ints
    landing: Ints
    code: Ints
    chance: Floats
    merged: int

    def subset(self, some: Ints | Mask) -> TurnExits:
        """Return the exits that are selected by indices or a mask."""
        return TurnExits(self.sheet[some], self.landing[some], self.code[some], self.chance[some], self.merged)


ExitsTask = tuple[TurnChain, Ints, TurnStartValues | None, int, Ints]
"""A task for ``turn_exits``: the chain, the keys of sheets, the values of later turns, the error of those values, and
the numbers of the sheets.
"""


def turn_exits(task: ExitsTask) -> TurnExits:
    """Return the exits of the turns that begin on given sheets."""
    turns, sheets, later, radius, _ = task
    seen = _FlowObserver(turns, sheets, later, 2 * radius)
    turns.columns.solve(sheets, later, radius, seen)
    return seen.recorded_exits()


class PaidBeforeEnd(Signal):
    """Raised if a payoff other than the objective is paid before the end."""


class _FlowObserver:
    """Records which actions are taken while turns are solved, and lets mass flow along them to the exits."""

    def __init__(self, turns: TurnChain, sheets: Ints, later: TurnStartValues | None, reach: int) -> None:
        self.turns, self.later, self.reach = turns, later, reach
        self.others = border_successors(turns.other, sheets) if turns.other else None
        shape = turns.columns.turn.border.shape[1], sheets.shape[1]
        self.landing, self.code = np.full(shape, -1, dtype=np.int64), np.zeros(shape, dtype=np.int64)
        self.counts = np.ones(shape, dtype=bool)
        self.place, self.held = -1, self._unset_best_actions()
        self.parts, self.merged = list[tuple[Ints, Ints, Ints, Floats]](), 1

    def _unset_best_actions(self) -> BestActions:
        columns = self.turns.columns
        x = columns.point.zeros(1, self.landing.shape[1])
        x[0] = -columns.sign * MAX_WHOLE  # worse than anything
        return BestActions(columns.point, x, self.reach, columns.sign)

    def observe_border(self, place: int, each: NextStates, worth: Limbs) -> None:
        """Record, on each sheet, this action at a border position if it is certainly better than the one recorded so
        far.

        ``place``: the index of the border position. ``each``: what follows the action on the sheets. ``worth``: its
        values, shape (limbs, columns, sheets).
        """
        if place != self.place:
            self.place, self.held = place, self._unset_best_actions()
        other = next(self.others)[1] if self.others else None
        if other and not (
            arrays_are_equal(other.source, each.source)
            and arrays_are_equal(other.keys, each.keys)
            and other.seat_shift == each.seat_shift
        ):
            raise DisagreementError("a turn does not lead to the same where another payoff is paid")
        better = self.held.update_if_certain(each.source, worth[:, :1])
        where = place, each.source[better]
        if not better.any():
            return
        adds, seats = self.turns.adds, self.turns.columns.seats
        self.landing[where] = -1
        if each.keys is not None and self.later is not None:
            self.landing[where] = self.later.state_numbers(each.keys[:, better]) * seats + each.seat_shift
        self.code[where] = (
            other.paid[better] if other else adds.packed_amounts(each.paid[better], each.marks, over=True)
        )
        if other and other.keys is not None and other.paid.any():
            raise PaidBeforeEnd
        self.counts[where] = not each.marks & adds.avoid

    def observe_inner(self, first: int, picks: Sequence[Ints]) -> None:
        """Let a mass of 1 flow through the turn on each sheet of a block, from the beginning to the border.

        Records the exits of these turns. ``first``: the index of the first sheet. ``picks``: for each layer, the
        indices of the actions that are taken, shape (positions, sheets).
        """
        inner, count = self.turns.columns.inner, picks[0].shape[1]
        start = np.zeros((inner.count, count))
        start[inner.places[0]] = 1
        mass = {0: start}
        for layer, pick in zip(reversed(self.turns.layers), reversed(picks), strict=True):
            distribution = layer.distributions[arange(len(pick))[:, None], pick] * count + arange(count)
            size = len(layer.denominator) * count
            for code, held in list(mass.items()):
                gathered = bincount(distribution.reshape(-1), held[layer.states].reshape(-1), size).reshape(-1, count)
                share = gathered / layer.denominator[:, None]
                for more, push in layer.pushes:
                    mass.setdefault(code + more, np.zeros_like(start))
                    mass[code + more] += push @ share
        self._record_merged_exits([self._sheet_exits(first, code, held[inner.inner :]) for code, held in mass.items()])

    def _sheet_exits(self, first: int, code: int, border: Floats) -> tuple[Ints, Ints, Ints, Floats]:
        """Return the exits at the border of a block of sheets, as four arrays: the first four fields of ``TurnExits``.

        ``first``: the index of the first sheet. ``code``: the amount that was added within the turn. ``border``: the
        mass at each border position, shape (border positions, sheets).
        """
        here = np.s_[:, first : first + border.shape[1]]
        place, sheet = np.nonzero((border > 0) & self.counts[here])
        found = self.landing[here][place, sheet], self.code[here][place, sheet] + code, border[place, sheet]
        return sheet + first, *found

    def _record_merged_exits(self, parts: Sequence[tuple[Ints, Ints, Ints, Floats]]) -> None:
        """Record exits, given as columns of ``TurnExits``, after merging those that agree in all but their probability."""
        sheet, landing, code, chance = map(np.concatenate, zip(*parts, strict=True))
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


class FlowTooSlow(Signal):
    """Raised if mass moves too often within a layer, or if there are too many sums."""


class _Masses:
    """The mass of each row by sum: ``x`` of shape (rows, sums). Its first column is for the sum ``first``, which may be
    below 0.
    """

    def __init__(self, rows: int) -> None:
        self.x, self.first = np.zeros((rows, 0)), 0
        self.added = np.zeros(rows, dtype=np.int64)

    def widen(self, first: int, end: int) -> None:
        """Make room for the sums from ``first`` up to, but not including, ``end``. Raises FlowTooSlow."""
        if not self.x.shape[1]:
            self.first = first
        before, after = max(0, self.first - first), max(0, end - self.first - self.x.shape[1])
        if before or after:
            if before + after + self.x.shape[1] > MAX_SUMS:
                raise FlowTooSlow
            self.x = np.pad(self.x, ((0, 0), (before, after)))
            self.first -= before

    def add(self, rows: Ints, first: int, x: Floats) -> None:
        """Add masses ``x`` to the given rows, for consecutive sums from ``first`` on. There must be room for these
        sums.
        """
        self.x[rows, first - self.first : first - self.first + x.shape[1]] += x

    def add_exits(self, rows: Ints, first: int, leaving: TurnExits, held: Floats) -> None:
        """Add to the given rows the masses that arrive there by exits. Raises FlowTooSlow.

        ``rows``: the row of each exit. ``first``: the sum of the first column of ``held``. ``held``: the masses of the
        sheets.
        """
        rows, place, adds = np.unique(rows, return_inverse=True, return_counts=True)
        moves = csr_matrix((leaving.chance, (place.reshape(-1), leaving.sheet)), shape=(len(rows), len(held)))
        self.widen(first, first + held.shape[1])
        self.add(rows, first, np.asarray(moves @ held))
        self.added[rows] += adds + 1

    def trim(self) -> None:
        """Remove the sums without mass at both ends."""
        held = np.flatnonzero(self.x.any(axis=0))
        if len(held):
            self.first += int(held[0])
            self.x = self.x[:, held[0] : held[-1] + 1]


@dataclass(frozen=True, eq=False)
class EndMass:
    """The mass that reached the end of the game.

    ``mass``: the mass by sum. ``roundings``: the most rounding errors along one path. ``lost``: as in
    ``FloatDistribution``. ``turns``: an upper bound of the expected number of turns from any position. ``reached``: the
    largest absolute sum of a play when it ended, or when the calculation stopped following it.
    """

    mass: dict[int, Fraction]
    roundings: int
    lost: Fraction
    turns: float
    reached: int


class _MassFlow:
    """The masses for one kind of sum, as they move from layer to layer.

    ``numbered``: whether a sum encodes the number of a payoff and the mover.
    """

    def __init__(self, schedule: LayerSolver, numbered: bool) -> None:
        self.seats, self.numbered, self.layers = schedule.seats, numbered, schedule.sheets.layers
        self.waiting, self.ended = dict[int, _Masses](), dict[int, Fraction]()
        self.lost, self.reached, self.smallest = Fraction(0), 0, 1.0
        first = self.masses_at(0)
        first.widen(0, 1)
        first.add(arange(1), 0, np.ones((1, 1)))

    def masses_at(self, layer: int) -> _Masses:
        """Return the masses that have arrived at a layer."""
        if layer not in self.waiting:
            self.waiting[layer] = _Masses(self.seats * self.layers[layer].count)
        return self.waiting[layer]

    def flow_one_turn(self, masses: _Masses, sheets: Ints, leaving: TurnExits, ahead: range) -> int:
        """Move the mass of given sheets one turn on, and return the most terms that were summed for a final mass.

        ``masses``: the masses of the layer of the sheets. ``leaving``: the exits of the sheets. ``ahead``: the layers
        whose sheets are numbered one after another in ``leaving``. Raises FlowTooSlow.
        """
        most, starts = 0, cumsum([0, *(self.seats * self.layers[layer].count for layer in ahead)])
        which = np.where(leaving.landing < 0, -1, np.searchsorted(starts, leaving.landing, side="right") - 1)
        for mover in range(self.seats):
            held = masses.x[sheets * self.seats + mover]
            if not held.any() or not len(leaving.code):
                continue
            self.smallest = min(self.smallest, float(held[held > 0].min()) * float(leaving.chance.min(initial=1)))
            for code, some in _indices_by_number(leaving.code):
                first = masses.first + (0 if self.numbered else Increments.amount_of(code, mover))
                for place, part in _indices_by_number(which[some]):
                    here = leaving.subset(some[part])
                    if place < 0:
                        begin = code * self.seats + mover if self.numbered else first
                        most = max(most, len(part))
                        self._add_end_mass(begin, here.chance @ held[here.sheet])
                    else:
                        rows = here.landing - starts[place]
                        rows += (rows % self.seats + mover) % self.seats - rows % self.seats
                        self.masses_at(ahead[place]).add_exits(rows, first, here, held)
        return most

    def _add_end_mass(self, begin: int, mass: Floats) -> None:
        for total, each in enumerate(mass.tolist(), begin):
            if each:
                self.ended[total] = self.ended.get(total, Fraction(0)) + Fraction(each)

    def flow_within_layer(self, layer: int, sheets: Ints, own: TurnExits, ahead: range) -> None:
        """Let mass move within a layer until at most ``TAIL`` of it still moves.

        ``own``: the exits that lead from sheets of the layer to sheets of the layer. ``ahead``: as for ``flow_one_turn``.
        Raises FlowTooSlow.
        """
        moving = total = self.masses_at(layer)
        del self.waiting[layer]
        for _ in range(MAX_ROUNDS):
            self.flow_one_turn(moving, sheets, own, ahead)
            moving = self.waiting.pop(layer, _Masses(0))
            moving.trim()
            left = float(moving.x.sum())
            if left <= TAIL:
                self.lost += 2 * Fraction(left)
                self.reached = max(self.reached, abs(moving.first), abs(moving.first + moving.x.shape[1]))
                self.waiting[layer] = total
                return
            total.widen(moving.first, moving.first + moving.x.shape[1])
            total.add(arange(len(total.x)), moving.first, moving.x)
            total.added += moving.added + 1
        raise FlowTooSlow


def flow_to_end(schedule: LayerSolver, turns: TurnChain, executor: Executor, progress: Progress) -> EndMass:
    """Return the mass that flows along best play from the first sheet to the end. Raises PaidBeforeEnd and FlowTooSlow."""
    asked, returning, done = _MassFlow(schedule, turns.other is not None), bool(schedule.sheets.back), 0
    streams = [asked, _MassFlow(schedule, numbered=False)] if returning else [asked]
    each_turn, most, lasting, step = 0, 0, 0.0, min(SHEETS_PER_BATCH, schedule.step)
    for number, layer in enumerate(schedule.sheets.layers):
        masses, keys = asked.masses_at(number), layer.keys.filled
        sheets = np.flatnonzero(masses.x.any(axis=1).reshape(-1, schedule.seats).any(axis=1))
        if returning:
            back = schedule.sheets.back[number][sheets]
            sheets = unique(np.concatenate([sheets, back[back >= 0]]))
        (later, radius, _), ahead = schedule.next_turn_values(number), schedule.next_layers(number)
        begins = TurnStartValues(later.keys, later.x[:, :, : schedule.seats]) if later else None
        parts = [sheets[first : first + step] for first in range(0, len(sheets), step)]
        tasks = [(turns, keys[:, part], begins, radius, part) for part in parts]
        merged, found = 1, _results_in_order(completed_tasks(executor, turn_exits, tasks), parts)
        if returning and parts:
            found, longest = _flow_within_layer(number, [*found], streams, ahead)
            lasting += longest
        for part, leaving in found:
            counted = leaving.merged + asked.flow_one_turn(masses, part, leaving, ahead)
            if returning:
                streams[1].flow_one_turn(
                    streams[1].masses_at(number), part, _exits_counting_turns(leaving, schedule.seats), ahead
                )
            merged = max(merged, counted)
            done += len(part)
            progress("following play", done, schedule.sheets.count)
        done = sum(each.count for each in schedule.sheets.layers[: number + 1])  # play reaches only some of the sheets
        passed = turns.roundings + merged + int(masses.added.max(initial=0)) + 2
        each_turn, most = max(each_turn, passed), most + passed
        for stream in streams:
            stream.waiting.pop(number, None)
        schedule.records.drop(number + 1)
    lost = Fraction(0) if min(stream.smallest for stream in streams) > 2.0**MIN_FULL_EXPONENT else MIN_CHANCE
    reached = max([asked.reached, *map(abs, asked.ended)])
    if not returning:
        return EndMass(asked.ended, most, lost, len(schedule.sheets.layers), reached)
    longest, beyond = _turns_bound_and_tail(streams[1])
    return EndMass(asked.ended, each_turn * longest, lost + asked.lost + beyond, lasting, reached)


def _turns_bound_and_tail(turns: _MassFlow) -> tuple[int, Fraction]:
    """Return an upper bound of the number of turns of nearly all plays, and an upper bound of the mass lost in longer
    plays.
    """
    beyond = turns.lost
    for count in sorted(turns.ended, reverse=True):
        if beyond + turns.ended[count] > TAIL:
            return count, 4 * beyond
        beyond += turns.ended[count]
    return 1, 4 * beyond


def _exits_counting_turns(leaving: TurnExits, seats: int) -> TurnExits:
    """Return the exits with an added amount of 1 for every turn, whoever moves, in place of their own amounts.

    ``leaving``: the exits.
    """
    return replace(leaving, code=np.full_like(leaving.code, sum(1 << SEAT_BITS * mover for mover in range(seats))))


def _flow_within_layer(
    number: int, parts: Sequence[tuple[Ints, TurnExits]], streams: Sequence[_MassFlow], ahead: range
) -> tuple[Iterator[tuple[Ints, TurnExits]], float]:
    """Let mass move between the sheets of a layer, for as long as it stays there.

    Return the exits that leave the layer, and an upper bound of the expected number of turns before that. ``number``:
    the number of the layer. ``parts``: the sheets in batches, each with the exits of its sheets. ``streams``: two flows
    of mass; in the first each exit adds its own amount to the sum, in the second it adds one, to count turns.
    ``ahead``: as for ``flow_one_turn``. Raises FlowTooSlow.
    """
    seats, layers = streams[0].seats, streams[0].layers
    first = seats * sum(layers[layer].count for layer in ahead if layer < number)
    end = first + seats * layers[number].count
    sheets = np.concatenate([part for part, _ in parts])
    own, begin = list[TurnExits](), 0
    for part, leaving in parts:
        inside = leaving.subset((leaving.landing >= first) & (leaving.landing < end))
        own.append(replace(inside, sheet=inside.sheet + begin))
        begin += len(part)
    sheet, landing, code, chance = (
        np.concatenate([getattr(each, name) for each in own]) for name in ("sheet", "landing", "code", "chance")
    )
    comes_back = bincount(sheet, chance, len(sheets))
    to = np.searchsorted(sheets, (landing - first) // seats)
    twice = float((comes_back[sheet] * comes_back[to]).max(initial=0))
    if twice > 1 - MIN_DISTANCE_FROM_ONE:
        raise FlowTooSlow
    back = TurnExits(sheet, landing, code, chance, merged=1)
    for stream, each in zip(streams, (back, _exits_counting_turns(back, seats)), strict=True):
        stream.flow_within_layer(number, sheets, each, ahead)
    rest = ((part, each.subset((each.landing < first) | (each.landing >= end))) for part, each in parts)
    return rest, 2 / (1 - twice - MIN_DISTANCE_FROM_ONE / 2)


def _results_in_order(
    found: Iterator[tuple[ExitsTask, TurnExits]], parts: Sequence[Ints]
) -> Iterator[tuple[Ints, TurnExits]]:
    """Yield the results of the parts in the order of ``parts``. So sums do not depend on the number of worker
    processes.

    ``found``: the results as they are completed, each with its task.
    """
    early = dict[int, TurnExits]()
    for part in parts:
        while int(part[0]) not in early:
            (*_, other), leaving = next(found)
            early[int(other[0])] = leaving
        yield part, early.pop(int(part[0]))


def _indices_by_number(code: Ints) -> Iterator[tuple[int, Ints]]:
    """Yield each distinct number of an array with the indices at which it occurs."""
    order = np.argsort(code, kind="stable")
    found, starts = np.unique(code[order], return_index=True)
    return zip(found.tolist(), np.split(order, starts[1:]), strict=True)


MAX_TOTAL = 20_000  # how large a sum may be, in its units
MAX_POSITIONS = 10_000_000  # positions that best play may reach, where they are followed together
BY_POSITIONS = MAX_POSITIONS  # positions up to which play that returns to a sheet is followed position by position


def distribution_by_turns(
    staged: Staged,
    quantity: SumAlongPlay,
    given: Entry | None,
    progress: Progress | None = None,
    executor: Executor | None = None,
) -> ListedSum | None:
    """Return the distribution of a sum along best play, turn by turn; None if it cannot be found by turns.

    ``given``: only the plays that take this entry count. Raises StagesNotStoredError and SolveError.
    """
    schedule, own = staged.schedule, staged.game.ruleset.payoffs[staged.objective]
    if not isinstance(schedule, LayerSolver) or (schedule.sheets.back and staged.states <= BY_POSITIONS):
        return None
    watch = [entry for entry in (quantity.entry, given) if entry]
    if watch:
        schedule = type(schedule)(
            schedule.turn.with_marked_entries(watch),
            schedule.sheets,
            schedule.records,
            Resources(executor=schedule.share),
        )
    with suppress(PaidBeforeEnd, FlowTooSlow):
        if quantity.payoff not in {None, own}:
            return _distribution_at_end(staged, schedule, quantity, given, progress or ignore_progress)
        return _distribution_along_play(
            staged, schedule, quantity, given, progress or ignore_progress, executor or SerialExecutor()
        )
    return None


def _distribution_along_play(
    staged: Staged,
    schedule: LayerSolver,
    asked: SumAlongPlay,
    given: Entry | None,
    progress: Progress,
    executor: Executor,
) -> ListedSum | None:
    """Return the distribution of a sum that changes along play; None if the sum may take too many values."""
    units, scale = _payoff_units(schedule, asked)
    size = np.abs(units).max(axis=1) if asked.payoff else np.ones(len(units), dtype=np.int64)
    of_turn = int(size[schedule.turn.graph.payoff].max()) * len(schedule.inner.layers) + int(size.max())
    most = of_turn * len(schedule.sheets.layers)
    if most > MAX_TOTAL and not schedule.sheets.back:
        return None
    flows = [
        flow_to_end(schedule, turn_chain(schedule, adds), executor, progress)
        for adds in _increments(schedule, asked, given, units)
    ]
    if (
        schedule.sheets.back
    ):  # the sums of lost plays when they were lost, and what these plays may add: see ``moments_of``
        most = max(each.reached + of_turn * (ceil(2 * each.turns) + 1) for each in flows)
    distributions = [
        FloatDistribution(each.mass, each.roundings, each.lost, partial=place > 0) for place, each in enumerate(flows)
    ]
    mean = _value_of_followed_play(staged, schedule, asked.seat or 0, flows[0]) * scale if asked.payoff else None
    if not (asked.payoff or asked.entry or asked.rolls) and asked.seat is None:
        mean = staged.turns
    return ListedSum(distributions, scale, mean, most)


def _value_of_followed_play(staged: Staged, schedule: LayerSolver, seat: int, flowed: EndMass) -> Number:
    """Return the value to a seat (from 0) of the play whose mass flows.

    That is the value of the game, unless there are two actions that the bounds do not tell apart. The action taken is
    then at most ``near`` units worse, because the error of each of the two is at most half of that. A path through a
    turn has one decision for each layer and one at the border.
    """
    value, near = staged.values[seat], 2 * (schedule.next_turn_values(0)[1] + schedule.inner.radius)
    decisions = ceil(flowed.turns) * (len(schedule.inner.layers) + 1)
    lost = Fraction(2 * near * decisions if staged.undecided else 0, 1 << schedule.point.binary_places)
    return Number(value.lower - lost, value.upper + lost)


def _distribution_at_end(
    staged: Staged, schedule: LayerSolver, asked: SumAlongPlay, given: Entry | None, progress: Progress
) -> ListedSum | None:
    """Return the distribution of another payoff that is paid only at the end; None if that payoff needs other states."""
    own = schedule.turn.explorer
    try:
        explorer = PolicyExplorer(staged, asked.payoff).explorer
    except RulesetError:  # whoever follows positions tells why
        return None
    alike = arrays_are_equal(explorer.start, own.start) and explorer.codec.left_out == own.codec.left_out
    if not alike or explorer.neighbourhood(schedule.turn.graph.keys)[0].payoff.any():
        return None
    flows, nothing = list[EndMass](), np.zeros((len(own.edges.payoffs), schedule.seats), dtype=np.int64)
    for adds in _increments(
        schedule, replace(asked, payoff=staged.game.ruleset.payoffs[staged.objective]), given, nothing
    ):
        turns = replace(turn_chain(schedule, adds), other=replace(schedule.turn, explorer=explorer))
        flows.append(
            flow_to_end(schedule, turns, SerialExecutor(), progress)
        )  # numbers of payoffs mean something in this process alone
    units, scale = explorer.payoffs
    distributions, seat = list[FloatDistribution](), asked.seat or 0
    for place, each in enumerate(flows):
        mass = dict[int, Fraction]()
        for number, chance in each.mass.items():
            paid, mover = divmod(number, schedule.seats)
            total = units[paid][(seat - mover) % schedule.seats]
            mass[total] = mass.get(total, Fraction(0)) + chance
        distributions.append(FloatDistribution(mass, each.roundings, each.lost, partial=place > 0))
    return ListedSum(distributions, Fraction(scale), None, max(abs(unit) for kind in units for unit in kind))


def _payoff_units(schedule: LayerSolver, asked: SumAlongPlay) -> tuple[Ints, Fraction]:
    """Return the payoffs to the seat in question in units, and the number of units in 1.

    The array has the shape (payoffs, seats); its second index is the mover.
    """
    units, scale = schedule.turn.explorer.payoffs
    if asked.payoff is None:
        return np.zeros((len(units), schedule.seats), dtype=np.int64), Fraction(1)
    common, seats = gcd(*(unit for kind in units for unit in kind)) or 1, range(schedule.seats)
    seat = asked.seat or 0
    brought = [[kind[(seat - mover) % schedule.seats] // common for mover in seats] for kind in units]
    return np.array(brought, dtype=np.int64), Fraction(scale, common)


def _increments(schedule: LayerSolver, asked: SumAlongPlay, given: Entry | None, units: Ints) -> list[Increments]:
    """Return the increments of transitions.

    The list has one item for all plays and, if there is a condition ``given``, another for the plays that do not meet
    it.
    """
    seats, watched = range(schedule.seats), schedule.turn.explorer.watched
    one = sum(1 << SEAT_BITS * mover for mover in seats if asked.seat in {None, mover})
    paid = (units << SEAT_BITS * arange(schedule.seats)).sum(axis=1)
    mark = watched[asked.entry] if asked.entry else DICE_ROLLED_BIT if asked.rolls else 0
    turn = one if asked.payoff is None and not mark else 0
    avoided = [0, *([watched[given]] if given else [])]
    return [Increments(paid, mark, one if mark else 0, turn, avoid) for avoid in avoided]


def best_play(
    staged: Staged, progress: Progress | None = None, executor: Executor | None = None, split: SplitEntry | None = None
) -> BestPlay:
    """Return best play of a game solved by stages, on all positions that it reaches.

    ``progress``: receives the progress as play is followed. ``executor``: distributes the work on sheets. ``split``: an
    entry that is split in two. The methods of the result may also raise PlayError, DistributionError and
    StagesNotStoredError.
    """

    def played(payoff: Payoff, watch: Sequence[Entry], whole: bool) -> PlayedPolicy:
        refuse_unless_seat_1_begins(staged.explorer.rules.start().mover)
        parts, count = list[PolicyPart](), 0
        for part in PolicyExplorer(staged, payoff, watch, whole, split).policy_parts(progress):
            parts.append(part)
            count += part.graph.states
            if count > MAX_POSITIONS:
                message = f"best play comes to over {MAX_POSITIONS:,} positions, which are too many to follow together"
                raise DistributionError(message)
        graph = join_parts(parts)
        rows, states = (
            cumsum([len(part.graph.denominator) for part in parts]),
            cumsum([part.graph.states for part in parts]),
        )
        mixtures = {
            int(state) - part.graph.states + own: mixture.with_renumbered_rows(
                int(row - len(part.graph.denominator)).__add__
            )
            for part, row, state in zip(parts, rows, states, strict=True)
            for own, mixture in part.mixtures.items()
        }
        return PlayedPolicy(graph, Arena.of(graph), graph.state_rows[:-1], mixtures)

    def distribution(asked: SumAlongPlay, given: Entry | None) -> ListedSum | None:
        return None if split else distribution_by_turns(staged, asked, given, progress, executor)

    return BestPlay(staged.game, staged.objective, played, distribution)


def join_parts(parts: Sequence[PolicyPart]) -> StateGraph:
    """Join parts to one graph with the rows that are taken. The position that starts the game comes first.

    Later parts must know the payoffs of all earlier ones. The graph does not name the actions.
    """
    last, keys = parts[-1].graph, np.concatenate([part.graph.keys for part in parts], axis=1)
    index, targets, before = KeyIndex.of(keys), list[Ints](), 0
    tags, tag = dict[tuple[int, int, bool], int](), list[Ints]()
    for part in parts:
        graph, target = part.graph, part.graph.target.astype(np.int64)
        boundary = index.find(part.boundary)
        if (boundary < 0).any():
            raise DisagreementError("best play leads to a position that was not followed")
        place = np.concatenate([arange(graph.states) + before, boundary, [-1]])  # the last is the end
        targets.append(place[target])
        tag.append(np.array([tags.setdefault(each, len(tags)) for each in graph.tags], dtype=np.int64)[graph.tag])
        before += graph.states
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
