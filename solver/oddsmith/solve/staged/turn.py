"""Exploring and solving a turn that is the same on every sheet.

The sheet is the part of the state that changes only at the end of a turn.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from copy import copy
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from itertools import groupby
from math import lcm
from operator import itemgetter
from typing import Any, Protocol
from uuid import uuid4

import numpy as np
from flint import fmpz
from numpy.typing import NDArray
from scipy.sparse import csr_matrix

from oddsmith.base.arrays import Ints, Mask, arange, bincount, cumsum, reduceat, repeat
from oddsmith.base.errors import DisagreementError
from oddsmith.base.exact import fraction_from_text, fraction_text
from oddsmith.base.executors import Executor
from oddsmith.graph import Explorer, KeyIndex, NextStates, StateGraph, concatenated_ranges, refuse_disagreement, unique
from oddsmith.graph.columns import Codec, RuleFailureInBlock
from oddsmith.graph.reductions import variables_in
from oddsmith.ruleset import Game
from oddsmith.ruleset.model import Phase, ToPhase, every_effect, variable_read_by
from oddsmith.solve.arenas.arena import Arena, groups_in_solving_order
from oddsmith.solve.numbers import FixedPoint, FloatingPoint, Limbs
from oddsmith.solve.staged.forward import report_rule_failures
from oddsmith.solve.staged.store import ColumnFile, KeyedStates
from oddsmith.solve.values.bounds import KnownValues

MAX_INNER = 1 << 18  # positions of one turn on one sheet
GRAPH_COLUMNS = (
    "keys", "state_rows", "row_edges", "denominator", "target", "weight", "payoff", "tag",
)  # fmt: skip
"""The columns of the graph that are stored."""


@dataclass(frozen=True, eq=False)
class TurnGraph:
    """A turn on the first sheet.

    ``cells``: the cells of the sheet. ``graph``: the inner positions of the turn, in which nothing depends on the
    sheet; the first of them begins the turn. ``border``: the keys of the positions that look at the sheet, numbered
    after the inner ones.
    """

    explorer: Explorer
    cells: tuple[int, ...]
    graph: StateGraph
    border: Ints

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the turn for another process, which builds an explorer of its own."""
        explorer, name = self.explorer, (self._name, len(self.explorer.edges.payoffs))
        return _rebuild_turn, (name, explorer.game, explorer.objective, list(explorer.watched), self.column_file())

    @cached_property
    def _name(self) -> str:
        return uuid4().hex

    @property
    def states(self) -> int:
        """The number of positions of a turn on one sheet."""
        count: int = self.graph.states + self.border.shape[1]
        return count

    def column_file(self) -> ColumnFile:
        """Return the turn as a column file, without the names of its actions.

        The file has the payoffs that the explorer has found so far, in the order of their numbers.
        """
        payoffs = [[fraction_text(each) for each in paid] for paid in self.explorer.edges.payoffs]
        columns = {name: getattr(self.graph, name) for name in GRAPH_COLUMNS}
        columns |= {"cells": np.array(self.cells, dtype=np.int64), "border": self.border}
        return ColumnFile({"tags": self.graph.tags, "payoffs": payoffs}, columns)

    @staticmethod
    def from_column_file(explorer: Explorer, stored: ColumnFile) -> TurnGraph:
        """Return the turn from its column file. The ``explorer`` may not have found any other payoffs."""
        for paid in stored.about["payoffs"]:  # in their order, so that each gets its number again
            explorer.edges.payoff_index(tuple(map(fraction_from_text, paid)))
        columns, (payoffs, scale) = stored.columns, explorer.payoffs
        keys, state_rows, row_edges, denominator, target, weight, payoff, tag = (
            columns[name] for name in GRAPH_COLUMNS
        )
        graph = StateGraph(
            explorer.game, explorer.objective, explorer.codec, keys, state_rows, np.zeros_like(denominator), row_edges,
            denominator, target, weight, payoff, tag, tuple((by, marks, over) for by, marks, over in stored.about["tags"]),
            payoffs, scale, (), np.full(keys.shape[1], -1, dtype=np.int64),
        )  # fmt: skip
        return TurnGraph(explorer, tuple(columns["cells"].tolist()), graph, columns["border"])

    def with_marked_entries(self, entries: Sequence[tuple[str, str]]) -> TurnGraph:
        """Return a copy of the turn in which transitions that take any of the given entries are marked."""
        explorer = Explorer(self.explorer.game, self.explorer.objective, entries)
        for paid in self.explorer.edges.payoffs:
            explorer.edges.payoff_index(paid)
        graph, border = explorer.neighbourhood(self.graph.keys)
        if not np.array_equal(border, self.border):
            raise DisagreementError("a turn has another border when its entries are watched")
        return TurnGraph(explorer, self.cells, graph, border)

    @cached_property
    def keys(self) -> Ints:
        """The keys of all positions of the turn, shape (words, states)."""
        return np.concatenate([self.graph.keys, self.border], axis=1)

    def position_numbers(self, keys: Ints) -> Ints:
        """Return the number of each position in the turn, whatever its sheet; -1 for a position that lies in no turn."""
        return self._index.find(keys - self.key_shifts(keys))

    @cached_property
    def _index(self) -> KeyIndex:
        return KeyIndex.of(self.keys)

    def key_shifts(self, sheets: Ints) -> Ints:
        """Return the differences between the keys of a position on other sheets and its key on the first sheet.

        ``sheets``: a key of each other sheet, shape (words, sheets), which is also the shape of the result.
        """
        other: Ints = self._sheet_digits(sheets) - self._sheet_digits(self.explorer.start)
        return other

    def turn_start_keys(self, keys: Ints) -> Ints:
        """Return the keys of the positions that begin the turns on the sheets of given positions, shape (words,
        positions).
        """
        found: Ints = self.explorer.start + self.key_shifts(keys)
        return found

    def check_sheet(self, begin: Ints) -> None:
        """Check that the turn on another sheet is the same as on the first, and that it agrees with the rules.

        ``begin``: the key of the position that begins the turn there. Raises DisagreementError if a check fails.
        """
        keys = self.keys + self.key_shifts(begin)
        inner = self.graph.states
        for part, first in ((keys[:, :inner], 0), (keys[:, inner:], inner)):
            graph, boundary = self.explorer.neighbourhood(part)
            refuse_disagreement(graph, boundary=boundary)
            if not first and not (_graphs_are_equal(graph, self.graph) and np.array_equal(boundary, keys[:, inner:])):
                raise DisagreementError("a turn is not the same on every sheet")

    def _sheet_digits(self, keys: Ints) -> Ints:
        """Return the part of each key that encodes the cells of the sheet, shape (words, keys)."""
        codec = self.explorer.codec
        cells, found = codec.decode(keys)[0], np.zeros_like(keys)
        cells_in_keys = codec.cells_in_keys[codec.phases.index(codec.game.ruleset.turn)]
        for where in self.cells:
            if where in cells_in_keys:
                word, times = codec.places[where]
                found[word] += codec.digit(where, cells[where]) * times
        return found


_SENT: dict[tuple[str, int], TurnGraph] = {}
"""The turn that this process received last, by name and number of payoffs.

Payoffs are only ever added: while their number stays the same, so do they.
"""


def _rebuild_turn(
    name: tuple[str, int], game: Game, objective: str, watched: Sequence[tuple[str, str]], stored: ColumnFile
) -> TurnGraph:
    if name not in _SENT:
        _SENT.clear()
        _SENT[name] = TurnGraph.from_column_file(Explorer(game, objective, watched), stored)
    return _SENT[name]


def _graphs_are_equal(one: StateGraph, other: StateGraph) -> bool:
    """Return whether two graphs agree in all but the keys of their states."""
    columns = ("state_rows", "row_edges", "denominator", "target", "weight", "payoff", "seat_shift")
    return all(np.array_equal(getattr(one, column), getattr(other, column)) for column in columns)


def find_turn_graph(explorer: Explorer, grows: frozenset[str]) -> TurnGraph | None:
    """Return the turn of a game if it is the same on every sheet, else None.

    The result is None if the turn depends on the sheet, has cycles or too many positions, or may end the game. It is
    also None if seats may go out, or if a symmetry or a dependence joins cells of the sheet with other cells.

    ``grows``: the variables that only grow or only fall.
    """
    game, codec = explorer.game, explorer.codec
    if game.ruleset.turn not in codec.phases:  # its cases may begin turns in several phases
        return None
    inner = _independent_phases(game, grows)
    if (
        game.ruleset.turn not in inner
        or game.has_elimination
        or codec.phases[_phase_number(codec, explorer.start)] not in inner
    ):
        return None
    seen = variables_in(game.ruleset.out_when, game.ruleset.end_when)  # everywhere, also in the turn
    seen = seen.union(*(_variables_of(game.ruleset.phases[name]) for name in inner))
    cells = frozenset(where for name in game.ruleset.state if name not in seen for where in game.cell_indices_of(name))
    cells -= codec.carried
    joined = [frozenset(where for member in orbit for where in member) for orbit in codec.reduction.orbits]
    joined += [frozenset((one.cell, *one.others)) for one in codec.given.values()]
    if any(each & cells and not each <= cells for each in joined):
        return None
    found = _inner_graph(explorer, frozenset(codec.phases.index(name) for name in inner if name in codec.phases))
    if found is None:
        return None
    graph, border = found
    if (graph.target < 0).any():  # the game may end in the turn, and what it then pays depends on the sheet
        return None
    if any(cyclic for _, cyclic in groups_in_solving_order(Arena.of(graph, border.shape[1]))):
        return None
    phases = {
        codec.phases[_phase_number(codec, key[:, None])] for key in np.concatenate([graph.keys, border], axis=1).T
    }
    if len({cells & codec.left_out[phase] for phase in phases}) != 1:
        return None
    return TurnGraph(explorer, tuple(sorted(cells)), graph, border)


def _phase_number(codec: Codec, key: Ints) -> int:
    phase: Ints = codec.decode(key)[1]
    return int(phase[0])


def _inner_graph(explorer: Explorer, inner: frozenset[int]) -> tuple[StateGraph, Ints] | None:
    """Return the graph of the inner positions of the first sheet, and the keys of its border.

    Returns None if there are too many positions or a rule fails; solving position by position then reports the error.
    ``inner``: the numbers of the inner phases.
    """
    index, done = KeyIndex.of(explorer.start), 0
    with suppress(RuleFailureInBlock):
        while done < index.count <= MAX_INNER:
            boundary = explorer.neighbourhood(index.keys.filled[:, done:].copy())[1]
            done = index.count
            index.add(boundary[:, np.isin(explorer.codec.decode(boundary)[1], list(inner))])
        return explorer.neighbourhood(index.keys.filled.copy()) if index.count <= MAX_INNER else None
    return None


def _independent_phases(game: Game, grows: frozenset[str]) -> frozenset[str]:
    """Return the phases that use none of the variables ``grows``, and lead only to each other or to choices.

    ``grows``: the variables that only grow or only fall.
    """
    phases = game.ruleset.phases
    over = variables_in(game.ruleset.out_when, game.ruleset.end_when)
    if over & grows:
        return frozenset()
    inner = {
        name for name, phase in phases.items() if not (_variables_of(phase) | over) & grows and _stays_in_turn(phase)
    }
    while True:
        left = {
            name
            for name in inner
            if all(then in inner or phases[then].kind == "choose" for then in _next_phases(phases[name]))
        }
        if left == inner:
            return frozenset(inner)
        inner = left


def _stays_in_turn(phase: Phase) -> bool:
    return all(isinstance(entry.then, ToPhase) for entry in phase.entries)


def _next_phases(phase: Phase) -> Iterator[str]:
    return (entry.then.phase for entry in phase.entries if isinstance(entry.then, ToPhase))


def _variables_of(phase: Phase) -> frozenset[str]:
    """Return the variables that a phase reads or writes."""
    names = {variable_read_by(throw) for throw in phase.rolls_and_draws} | {
        throw.name for throw in phase.rolls_and_draws if throw.kept
    }
    names |= variables_in(*(term.count for throw in phase.rolls_and_draws for term in throw.dice))
    for entry in phase.entries:
        names |= variables_in(*entry.reads)
        for effect in every_effect(entry.do):
            names |= variables_in(*effect.reads) | {place.name for place in effect.writes}
    return frozenset(names)


SHEETS_PER_BLOCK, MIN_SHEETS_PER_BLOCK = 256, 16  # sheets at a time
COMPARED = 1 << 17  # actions on a block of sheets, so that what is compared stays close to the processor

Words = Sequence[NDArray[Any]]
"""Numbers as words that compare like the numbers if the first words that differ decide."""


def words_of_limbs(point: FixedPoint | FloatingPoint, x: Limbs) -> Words:
    """Return normalized numbers as words, each made of two limbs, the most significant word first.

    The last word may have one limb. Floats have a single word.
    """
    pairs = [x[place : place + 2] for place in range(0, point.limb_count, 2)]
    return [(each[0] << point.bits_per_limb) + each[1] if len(each) > 1 else each[0] for each in pairs]


def clamped_difference(point: FixedPoint | FloatingPoint, one: Words, other: Words) -> NDArray[Any]:
    """Return ``one - other`` in units of the last word, or a larger number of the same sign if the two are far apart.

    They are far apart if the words before the last differ by more than one unit. The result then exceeds the error of
    any bounds, which is less than one unit of the limb before the last.
    """
    apart = one[0] - other[0]
    for place in range(1, len(one)):
        limbs = min(2, point.limb_count - 2 * place)
        np.minimum(np.maximum(apart, -2, out=apart), 2, out=apart)
        apart *= 1 << point.bits_per_limb * limbs
        apart += one[place]
        apart -= other[place]
    return apart


class BestActions:
    """The values of the best action found so far in each position, compared for the mover.

    ``x``: these values, in normalized limbs (see ``solve.numbers``) of shape (limbs, columns, ...); column 0 is the
    mover's. ``near``: the mask of positions with two actions that the bounds do not tell apart. ``reach``: values that
    differ by at most this number of units may be equal. ``sign``: 1 to maximize, -1 to minimize.
    """

    def __init__(self, point: FixedPoint | FloatingPoint, x: Limbs, reach: int, sign: int) -> None:
        self.point, self.x, self.reach, self.sign = point, x, reach, sign
        self.near = np.zeros(x.shape[2:], dtype=bool)

    def update(self, where: Ints, worth: Limbs) -> Mask:
        """Compare one more action in each of the positions ``where`` with the best so far, and keep the better one.

        Returns the mask, over ``where``, of positions in which the new action is kept. ``worth``: its values, shape
        (limbs, columns, positions, ...).
        """
        better, near = self._compare(where, worth)
        self.x[:, :, where] = np.where(better, worth, self.x[:, :, where])
        # What came near to a value that is beaten by far is beaten by far as well.
        self.near[where] = near | (self.near[where] & ~better)
        return better

    def update_if_certain(self, where: Ints, worth: Limbs) -> Mask:
        """Compare one more action in each of the positions ``where``, and keep it only if it is certainly better.

        Returns the mask, over ``where``, of positions in which the new action is kept. ``worth``: as for ``update``.
        """
        better, near = self._compare(where, worth)
        better &= ~near
        self.x[:, :, where[better]] = worth[:, :, better]
        return better

    def _compare(self, where: Ints, worth: Limbs) -> tuple[Mask, Mask]:
        """Return two masks over ``where``: whether the action is better than the best so far, and whether both may be
        equal.
        """
        words, held = words_of_limbs(self.point, worth[:, 0]), words_of_limbs(self.point, self.x[:, 0, where])
        apart = clamped_difference(self.point, words, held) * self.sign
        return apart > 0, np.abs(apart) <= self.reach


@dataclass(frozen=True, eq=False)
class TurnLayer:
    """Inner positions that lead only to earlier layers, in descending order of their numbers of actions.

    Each position represents all positions that equal it. ``distributions``: transition weights, shape (distributions,
    positions). ``denominator``: the denominator of each distribution; ``pay``: its payoff times the denominator, limbs
    of shape (limbs, columns, distributions, 1). ``slots``: for the first, second, ... action, the distributions of the
    positions that have that action. ``edges``: the distribution, target, payoff and weight of every transition, shape
    (4, transitions).
    """

    states: Ints
    distributions: csr_matrix
    denominator: Ints
    pay: Limbs
    slots: Sequence[Ints]
    edges: Ints

    @cached_property
    def certain_targets(self) -> Ints | None:
        """The target of each distribution if all of them lead to one position each, and pay nothing; else None."""
        certain = (self.denominator == 1).all() and not self.pay.any()
        return self.distributions.indices.astype(np.int64) if certain else None

    @cached_property
    def action_distributions(self) -> Ints:
        """The distribution of every action: first those of the first actions of all positions, then of the second ones,
        and so on.
        """
        return np.concatenate(self.slots)

    @cached_property
    def comparison_rounds(self) -> Sequence[tuple[Ints, Ints]]:
        """The comparisons that find the best action of each position, round by round, as in a knockout tournament.

        A round is two arrays of indices into ``action_distributions``. The better action of each pair takes the place
        on the left, which is that of the earlier action. In the end the best one is at the place of the position's
        first action.
        """
        starts, step, found = self.action_starts, 1, []
        while step < len(self.slots):
            pairs = [
                (one, one + step, arange(len(self.slots[one + step])))
                for one in range(0, len(self.slots) - step, 2 * step)
            ]
            left = np.concatenate([starts[one] + places for one, _, places in pairs])
            right = np.concatenate([starts[other] + places for _, other, places in pairs])
            found.append((left, right))
            step *= 2
        return found

    @cached_property
    def action_starts(self) -> Ints:
        """The index in ``action_distributions`` at which the first actions begin, then the second actions, and so on."""
        starts: Ints = cumsum([0, *map(len, self.slots[:-1])])
        return starts

    def renumbered(self, rows: Ints, count: int) -> TurnLayer:
        """Return a copy of the layer in which positions have other numbers.

        ``rows``: the new number of each representative. ``count``: all new numbers are below this.
        """
        old = self.distributions
        distributions = csr_matrix((old.data, rows[old.indices], old.indptr), shape=(old.shape[0], count))
        return replace(self, states=rows[self.states], distributions=distributions)

    @cached_property
    def distribution_table(self) -> Ints:
        """The distribution of each action of every position, shape (positions, actions).

        It is 0 if the position has fewer actions.
        """
        found = np.zeros((len(self.states), len(self.slots)), dtype=np.int64)
        for place, slot in enumerate(self.slots):
            found[: len(slot), place] = slot
        return found


class InnerSolver:
    """Solves the inner positions of a turn in fixed point.

    ``pay``: payoffs, shape (limbs, columns, payoffs). ``rounded``: the most units by which payoffs are too small.
    ``radius``: the units by which the error at the beginning of a turn exceeds the error at its border. ``primes``,
    ``exponents``: the prime factors of a common denominator of all paths through the turn. ``places``: for each
    position of the turn, the number of its representative. Representatives are numbered from 0: first ``inner`` inner
    positions, then ``border`` of the border, ``count`` in all. ``rows``: where the values of each representative are held
    while turns are solved, in one of ``held`` rows, which serve others as soon as nothing needs them any more.
    """

    def __init__(self, turn: TurnGraph, arena: Arena, point: FixedPoint, pay: Limbs, rounded: int) -> None:
        self.point: FixedPoint | FloatingPoint = point
        self.sign = arena.objective_sign
        graph, like = turn.graph, arange(turn.states)
        ordered = [states[states < graph.states] for states, _ in groups_in_solving_order(arena)]
        merged = [_merge_equal_positions(graph, states, like) for states in ordered if len(states)]
        alone = unique(like)
        self.places, self.count = np.searchsorted(alone, like), len(alone)
        self.inner = int(np.searchsorted(alone, graph.states))
        self.border = self.count - self.inner
        self.members = bincount(self.places)
        self.layers = [_turn_layer(each, self.places, self.count, pay) for each in merged]
        self.rows, self.held = self._assign_rows()
        self.held_layers = [layer.renumbered(self.rows, self.held) for layer in self.layers]
        most = max(len(layer.action_distributions) for layer in self.layers)
        self.block = min(SHEETS_PER_BLOCK, max(MIN_SHEETS_PER_BLOCK, COMPARED // most))
        self.radius = sum(rounded + int((layer.denominator > 1).any()) for layer in self.layers)
        self.primes, self.exponents = _common_denominator([layer.denominator for layer in self.layers])

    def with_payoffs(self, point: FixedPoint | FloatingPoint, pays: Callable[[Any], Any]) -> InnerSolver:
        """Return a solver for the same positions with other payoffs.

        ``point``: the arithmetic of the payoffs. ``pays``: maps the payoffs of the distributions of a layer to the
        other payoffs.
        """
        found = copy(self)

        def with_other_pay(layer: TurnLayer) -> TurnLayer:
            pay = pays(layer.pay)
            return replace(layer, distributions=layer.distributions.astype(pay.dtype, copy=False), pay=pay)

        found.point = point
        found.layers, found.held_layers = ([*map(with_other_pay, layers)] for layers in (self.layers, self.held_layers))
        return found

    def _assign_rows(self) -> tuple[Ints, int]:
        """Return the fields ``rows`` and ``held``: the row of each representative, and the number of rows."""
        needed, begin = np.full(self.count, -1, dtype=np.int64), self.places[0]
        for number, layer in enumerate(self.layers):
            needed[layer.distributions.indices] = number
        needed[begin] = len(self.layers)
        last = np.argsort(needed, kind="stable")
        ends = np.searchsorted(needed[last], arange(len(self.layers) + 1))
        rows, free, held = np.empty(self.count, dtype=np.int64), list[int](), self.border
        rows[self.inner :] = arange(held)
        for number, layer in enumerate(self.layers):
            own = [free.pop() for _ in range(min(len(free), len(layer.states)))]
            more = len(layer.states) - len(own)
            rows[layer.states] = [*own, *range(held, held + more)]
            held += more
            free += rows[last[ends[number] : ends[number + 1]]].tolist()
        return rows, held

    def solve(
        self,
        border: Limbs,
        reach: int,
        seen: Callable[[int, Sequence[Ints]], None] | None = None,
        first_extra: int | None = None,
        everywhere: bool = False,
    ) -> tuple[Limbs, int]:
        """Return the values at the beginning of turns on several sheets, given those at the border.

        ``border``: limbs of shape (limbs, columns, border positions, sheets). The result has the shape (limbs, columns,
        1, sheets) or, with ``everywhere``, the values of all representatives in place of one.

        Returns also the number of undecided positions: those in which the bounds do not tell the best two actions
        apart, if values have an error of up to ``reach`` units. ``seen`` is called for each block of sheets, with the
        index of its first sheet and, for every layer, the indices of the actions taken, shape (positions, sheets). The
        action taken is the first that may be as good as the best. The columns from ``first_extra`` on are the values of
        that action.
        """
        layers, rows, count = self.held_layers, self.rows, self.held
        if everywhere:
            layers, rows, count = self.layers, arange(self.count), self.count
        wanted = rows if everywhere else rows[self.places[:1]]
        limbs, columns, _, sheets = border.shape
        found, undecided = np.empty((limbs, columns, len(wanted), sheets), dtype=border.dtype), 0
        for first in range(0, sheets, self.block):
            some, picks = border[..., first : first + self.block], list[Ints]()
            x = np.empty((count, limbs, columns, some.shape[3]), dtype=border.dtype)
            x[rows[self.inner :]] = some.transpose(2, 0, 1, 3)
            for layer, like in zip(layers, self.layers, strict=True):
                near = self._solve_layer(layer, x, reach, picks if seen else None, first_extra)
                undecided += int(near @ self.members[like.states])
            found[..., first : first + self.block] = x[wanted].transpose(1, 2, 0, 3)
            if seen:
                seen(first, picks)
        return found, undecided

    def reachable_borders(self, x: Mask) -> Mask:
        """Return, for each representative, which kinds of border play may reach from it, shape (representatives,
        kinds).

        ``x``: the same mask, filled in for the border only; it is changed in place.
        """
        for layer in self.layers:
            leads = layer.distributions @ x.astype(np.int64) > 0
            best = leads[layer.slots[0]]
            for distributions in layer.slots[1:]:
                best[: len(distributions)] |= leads[distributions]
            x[layer.states] = best
        return x

    def _solve_layer(
        self, layer: TurnLayer, x: NDArray[Any], reach: int, picks: list[Ints] | None, first_extra: int | None
    ) -> Ints:
        """Fill in the values of a layer, and return for each of its positions the number of sheets on which it is
        undecided.

        ``x``: values of shape (rows, limbs, columns, sheets). ``picks``, ``first_extra``: as in ``solve``.
        """
        worth = x if layer.certain_targets is not None else self._distribution_values(layer, x)
        actions = (
            layer.action_distributions
            if layer.certain_targets is None
            else layer.certain_targets[layer.action_distributions]
        )
        count = len(layer.states)
        if len(layer.slots) == 1:
            x[layer.states] = worth[actions]
            if picks is not None:
                picks.append(np.zeros((count, x.shape[3]), dtype=np.int64))
            return np.zeros(count, dtype=np.int64)
        own = words_of_limbs(self.point, worth[actions, :, 0].transpose(1, 0, 2))
        best, taken, near = self._best_actions(layer, own, reach)
        parts = [(slice(None), taken)]
        if picks is not None or first_extra is not None:
            firsts = self._first_good_actions(layer, own, best, reach)
            if picks is not None:
                picks.append(firsts)
            if first_extra is not None:
                places = layer.action_starts[firsts] + arange(count)[:, None]
                parts = [(slice(first_extra), taken), (slice(first_extra, None), places)]
        flat, size = worth.reshape(-1), worth[0].size
        within = arange(size).reshape(worth.shape[1:])
        for columns, places in parts:
            x[layer.states, :, columns] = flat.take((actions[places] * size)[:, None, None] + within[:, columns])
        return near

    def _distribution_values(self, layer: TurnLayer, x: NDArray[Any]) -> NDArray[Any]:
        """Return the values of the distributions of a layer, shape (distributions, limbs, columns, sheets)."""
        worth = (layer.distributions @ x.reshape(len(x), -1)).reshape(-1, *x.shape[1:])
        limbs = worth.transpose(1, 2, 0, 3)
        limbs += layer.pay
        return self.point.divide(limbs, layer.denominator[:, None]).transpose(2, 0, 1, 3)

    def _best_actions(self, layer: TurnLayer, own: Words, reach: int) -> tuple[Words, Ints, Ints]:
        """Find the best actions of a layer. Returns their values to the mover, their places among the actions, and the
        ties.

        Values and places have the shape (positions, sheets); the ties are, for each position, the number of sheets on
        which it is undecided. ``own``: the values of all actions to the mover.
        """
        best, near = [word.copy() for word in own], np.zeros(own[0].shape, dtype=bool)
        taken = repeat(arange(len(layer.action_distributions))[:, None], own[0].shape[1], axis=1)
        for left, right in layer.comparison_rounds:
            words, held = [word[right] for word in best], [word[left] for word in best]
            apart = clamped_difference(self.point, words, held)
            better = apart > 0 if self.sign > 0 else apart < 0
            for into, word, kept in zip(best, words, held, strict=True):
                into[left] = np.where(better, word, kept)
            taken[left] = np.where(better, taken[right], taken[left])
            if self.point.bits_per_limb:  # floats prove nothing
                # What comes near to a value that is beaten by far is beaten by far as well.
                near[left] = np.where(better, near[right], near[left]) | (np.abs(apart) <= reach)
        count = len(layer.states)
        return [word[:count] for word in best], taken[:count], near[:count].sum(axis=1, dtype=np.int64)

    def _first_good_actions(self, layer: TurnLayer, own: Words, best: Words, reach: int) -> Ints:
        """Return the index of the first action that may be as good as the best, shape (positions, sheets).

        ``own``, ``best``: as in ``_best_actions``.
        """
        found, end = np.zeros(best[0].shape, dtype=np.int64), len(layer.action_distributions)
        position = np.concatenate([arange(len(slot)) for slot in layer.slots])
        good = np.abs(clamped_difference(self.point, own, [word[position] for word in best])) <= reach
        for place in range(len(layer.slots) - 1, -1, -1):
            count = len(layer.slots[place])
            found[:count] = np.where(good[end - count : end], place, found[:count])
            end -= count
        return found


@dataclass(frozen=True, eq=False)
class _MergedPositions:
    """Positions that represent all positions equal to them, and the distributions of their actions in order.

    ``states``: the positions. ``place``, ``distribution``: pairs of the index of a position in ``states`` and a
    distribution that one of its actions has. ``denominator``: the denominator of each distribution; ``ends``: the end
    of its edges in ``edges``. ``edges``: targets, payoffs and weights, shape (3, edges).
    """

    states: Ints
    place: Ints
    distribution: Ints
    denominator: Ints
    ends: Ints
    edges: Ints


def _merge_equal_positions(graph: StateGraph, states: Ints, like: Ints) -> _MergedPositions:
    """Merge equal positions among ``states``, and write the representative of each into ``like``.

    ``like``: the representative of each position of the turn; those of the successors of ``states`` must already be
    there.
    """
    actions = graph.state_rows[states + 1] - graph.state_rows[states]
    distribution, denominator, ends, edges = _distributions(
        graph, concatenated_ranges(graph.state_rows[states], actions), like
    )
    pairs = repeat(arange(len(states)), actions) * len(ends) + distribution
    pairs = pairs[
        np.sort(np.unique(pairs, return_index=True)[1])
    ]  # actions with one distribution are the same, the first counts
    place, distribution = pairs // len(ends), pairs % len(ends)
    first = _first_identical(distribution, cumsum(bincount(place)))
    like[states] = states[first]
    alone = first == arange(len(states))
    own = alone[place]
    return _MergedPositions(states[alone], (cumsum(alone) - 1)[place[own]], distribution[own], denominator, ends, edges)


def _distributions(graph: StateGraph, rows: Ints, like: Ints) -> tuple[Ints, Ints, Ints, Ints]:
    """Return the different distributions of some rows, as four arrays.

    They are: the index of the distribution of each row; for each distribution, its denominator and the end of its
    edges; and all edges one after another, shape (3, edges), with target, payoff and weight. Two rows have the same
    distribution if they lead to the same representatives with the same payoffs and weights. ``like``: the
    representative of each position.
    """
    lengths = graph.row_edges[rows + 1] - graph.row_edges[rows]
    use, row = concatenated_ranges(graph.row_edges[rows], lengths), repeat(arange(len(rows)), lengths)
    edges = np.stack([row, like[graph.target[use]], graph.payoff[use], graph.weight[use]]).astype(np.int64)
    edges = edges[:, np.lexsort(edges[2::-1])]
    new = np.append(True, (edges[:3, 1:] != edges[:3, :-1]).any(axis=0))
    starts = np.flatnonzero(new)
    edges = np.concatenate([edges[:3, starts], reduceat(np.add, edges[3:], starts, axis=1)])
    ends = cumsum(bincount(edges[0]))
    tail = np.stack(
        [rows * 0 - 1, rows * 0, graph.denominator[rows]]
    )  # a mark no edge has, so that denominators count too
    entries = np.insert(edges[1:], ends, tail, axis=1)
    first = _first_identical(entries, ends + arange(len(rows)) + 1)
    alone = first == arange(len(rows))
    own = alone[edges[0]]
    distribution: Ints = (cumsum(alone) - 1)[first]
    return distribution, graph.denominator[rows[alone]], cumsum(bincount(edges[0])[alone]), edges[1:, own]


def _first_identical(columns: Ints, ends: Ints) -> Ints:
    """Return, for each block of columns, the index of the first block that is identical to it.

    ``ends``: the end of each block; the next one begins there.
    """
    data = np.ascontiguousarray(columns.T, dtype=np.int64).tobytes()
    size, found = len(data) // columns.shape[-1], dict[bytes, int]()
    starts = [0, *ends[:-1].tolist()]
    stretches = (data[start * size : end * size] for start, end in zip(starts, ends.tolist(), strict=True))
    return np.array([found.setdefault(each, at) for at, each in enumerate(stretches)], dtype=np.int64)


def _turn_layer(merged: _MergedPositions, places: Ints, count: int, pay: Limbs) -> TurnLayer:
    """Return a layer of merged positions.

    ``places``: the number of the representative of each position; there are ``count`` representatives. ``pay``: shape
    (limbs, columns, payoffs).
    """
    lengths = bincount(merged.place)
    order = np.argsort(-lengths, kind="stable")
    starts = (cumsum(lengths) - lengths)[order]
    slots = [merged.distribution[starts[lengths[order] > each] + each] for each in range(int(lengths.max()))]
    target, payoff, weight = merged.edges
    edges = np.diff(merged.ends, prepend=0)
    row = repeat(arange(len(edges)), edges)
    distributions = csr_matrix((weight, (row, places[target])), shape=(len(edges), count))
    paid = reduceat(np.add, pay[:, :, payoff] * weight, merged.ends - edges, axis=2)
    use = np.stack([row, places[target], payoff, weight])
    return TurnLayer(places[merged.states[order]], distributions, merged.denominator, paid[..., None], slots, use)


def _common_denominator(denominators: Sequence[Ints]) -> tuple[tuple[int, ...], Ints]:
    """Return the primes and exponents of a common denominator of all paths through the given layers.

    It is the product of the least common multiples of the denominators of each layer.
    """
    common = [fmpz(lcm(*map(int, unique(each)))).factor() for each in denominators]
    factors = [{int(prime): int(power) for prime, power in each} for each in common]
    primes = sorted({prime for each in factors for prime in each})
    return tuple(primes), np.array([sum(each.get(prime, 0) for each in factors) for prime in primes], dtype=np.int64)


MAX_WHOLE = 1 << 31  # of what values and their comparison may be, so that two limbs stay within 64 bits
MIN_POSITIONS = 1 << 20  # that one process is sent, unless there are fewer: one sheet may take as long as hundreds
PARTS_PER_PROCESS = 3  # of the work of a layer for each process, so that none waits long for the others

MAX_CACHED_POSITIONS = 1 << 20  # border positions of which it is remembered what follows

Payoff = tuple[Fraction, ...]


@dataclass(frozen=True, eq=False)
class NextTurns:
    """What follows the turns on given sheets.

    ``keys``: the keys of the positions that follow the borders, each once. ``actions``: the number of actions at the
    borders. ``paid``, ``ends``: the payoffs that are paid before the end of the game, and at it. ``thrown``: whether
    anything is rolled or drawn after a border; the other fields are then empty.
    """

    keys: Ints
    actions: int
    paid: set[Payoff]
    ends: set[Payoff]
    thrown: bool


def next_turns(task: tuple[TurnGraph, Ints]) -> NextTurns:
    """Return what follows the turns on given sheets. Raises PlayError if a rule fails.

    ``task``: the turn, and the keys of the sheets.
    """
    turn, sheets = task
    after, actions = KeyIndex.of(sheets[:, :0]), 0
    paid, ends = set[int](), set[int]()
    for _, each in border_successors(turn, sheets):
        actions += len(each.source)
        (ends if each.keys is None else paid).update(unique(each.paid).tolist())
        if each.rolled_or_drawn:
            return NextTurns(sheets[:, :0], 0, set(), set(), thrown=True)
        if each.keys is not None:
            after.add(each.keys)
    payoffs = list(turn.explorer.edges.payoffs)
    return NextTurns(
        after.keys.filled, actions, {payoffs[one] for one in paid}, {payoffs[one] for one in ends}, thrown=False
    )


@dataclass(frozen=True, eq=False)
class TurnStartValues(KeyedStates):
    """Positions that begin turns, given by their keys, with their values.

    ``x``: the values in fixed point, limbs of shape (limbs, positions, seats).
    """

    x: Limbs

    def values_of(self, keys: Ints) -> Limbs:
        """Return the values of the positions with the given keys, shape (limbs, seats, sheets).

        Raises DisagreementError if one of the positions is missing.
        """
        found: Limbs = self.x[:, self.state_numbers(keys)].transpose(0, 2, 1)
        return found


class ActionObserver(Protocol):
    """Observes actions while turns on given sheets are solved: first those at the borders, then those within the turns."""

    def observe_border(self, place: int, each: NextStates, worth: Limbs) -> None:
        """Receive one action of a border position, for several sheets.

        ``place``: the index of the border position. ``each``: what follows the action on the sheets. ``worth``: its
        values, shape (limbs, columns, sheets).
        """

    def observe_inner(self, first: int, picks: Sequence[Ints]) -> None:
        """Receive the actions that are taken within the turns on a block of sheets.

        ``first``: the index of the first sheet. ``picks``: for each layer, the indices of the actions, shape
        (positions, sheets).
        """


@dataclass(frozen=True, eq=False)
class TurnSolver:
    """Solves turns on many sheets at once.

    ``pay``: payoffs, shape (limbs, columns, payoffs). ``whole``: whether all payoffs are whole numbers. ``sign``: 1 to
    maximize, -1 to minimize. ``columns``: the columns that are worked out, ascending, with that of the mover, 0, first.
    Columns from ``seats`` on are not compared, and do not rotate with the seats. ``first``: whether these hold the
    values of the first action that may be as good as the best, instead of those of the best action.
    """

    turn: TurnGraph
    inner: InnerSolver
    point: FixedPoint | FloatingPoint
    pay: Limbs
    whole: bool
    seats: int
    sign: int
    columns: tuple[int, ...]
    first: bool = False

    def with_columns(self, *columns: int) -> TurnSolver:
        """Return a solver that works out only the given columns. This solver must have all columns."""
        some = list(columns)
        inner = self.inner.with_payoffs(self.point, lambda pay: pay[:, some])
        return replace(self, columns=columns, pay=self.pay[:, some], inner=inner)

    @property
    def first_extra(self) -> int:
        """The index of the first column that does not belong to a seat."""
        return sum(column < self.seats for column in self.columns)

    @property
    def float_solver(self) -> TurnSolver:
        """A solver in floats. It proposes values, but proves nothing."""
        point = self.point
        assert isinstance(point, FixedPoint)
        pay = to_floats(point, self.pay)
        inner = self.inner.with_payoffs(FloatingPoint(), lambda pay: to_floats(point, pay))
        return replace(self, point=FloatingPoint(), pay=pay, inner=inner)

    def start_values(self, sheets: Ints, later: TurnStartValues | None, radius: int) -> tuple[Limbs, int]:
        """Return the values at the beginnings of turns on given sheets, shape (limbs, sheets, columns).

        Returns also the number of undecided positions. ``later``: the values where the next turns begin. ``radius``:
        the error of the values at a border, in units.
        """
        values, undecided = self.solve(sheets, later, radius)
        return values[:, :, 0].transpose(0, 2, 1), undecided

    def position_values(self, sheets: Ints, later: TurnStartValues | None, radius: int) -> Limbs:
        """Return the values of all positions of turns on given sheets, shape (limbs, columns, positions of the turn,
        sheets).

        ``later``, ``radius``: as for ``start_values``.
        """
        values: Limbs = self.solve(sheets, later, radius, everywhere=True)[0][:, :, self.inner.places]
        return values

    def solve(
        self,
        sheets: Ints,
        later: TurnStartValues | None,
        radius: int,
        observer: ActionObserver | None = None,
        everywhere: bool = False,
    ) -> tuple[Limbs, int]:
        """Return the values at the beginnings of turns on given sheets, and the number of undecided positions.

        The values have the shape (limbs, columns, 1, sheets) or, with ``everywhere``, those of all representatives in
        place of one. ``later``, ``radius``: as for ``start_values``. ``observer``: receives the actions.
        """
        inner = self.inner
        border = self.point.zeros(len(self.columns), inner.border, sheets.shape[1])
        undecided = self._solve_border(sheets, border, later, 2 * radius, observer)
        first_extra, seen = self.first_extra if self.first else None, observer.observe_inner if observer else None
        values, more = inner.solve(border, 2 * (radius + inner.radius), seen, first_extra, everywhere)
        return values, undecided + more

    def first_best_inner_actions(self, known: KnownValues, first: Ints, places: Ints, reach: int) -> Ints:
        """Return for each of the given inner positions the index of the first action whose value is within ``reach`` of
        the best.

        ``known``: the values of the positions of turns. ``first``: for each given position, the index in ``known`` at
        which its turn begins. ``places``: the numbers of the given positions in the turn.
        """
        graph, point = self.turn.graph, self.point
        assert isinstance(point, FixedPoint)
        actions = graph.state_rows[places + 1] - graph.state_rows[places]
        rows = concatenated_ranges(graph.state_rows[places], actions)
        edges = graph.row_edges[rows + 1] - graph.row_edges[rows]
        use = concatenated_ranges(graph.row_edges[rows], edges)
        target = repeat(repeat(first, actions), edges) + graph.target[use]
        worth = (known.middle[:, target, 0] + self.pay[:, 0, graph.payoff[use]]) * graph.weight[use].astype(np.int64)
        worth = point.divide(reduceat(np.add, worth, cumsum(edges) - edges, axis=1), graph.denominator[rows])
        units = [self.sign * point.units_of_limbs(limbs) for limbs in worth.T.tolist()]
        ends, found = cumsum(actions).tolist(), list[int]()
        for start, end in zip([0, *ends], ends, strict=False):
            least = max(units[start:end]) - reach
            found.append(next(place for place, unit in enumerate(units[start:end]) if unit >= least))
        return np.array(found, dtype=np.int64)

    def _solve_border(
        self, sheets: Ints, x: Limbs, later: TurnStartValues | None, reach: int, observer: ActionObserver | None = None
    ) -> int:
        """Fill in ``x``, the values at borders, and return the number of undecided positions.

        ``x``: shape (limbs, columns, border positions, sheets). ``reach``: values that differ by at most this number of
        units may be equal.
        """
        x[0] = -self.sign * MAX_WHOLE  # worse than anything
        undecided = 0
        for place, actions in groupby(cached_border_successors(self.turn, sheets), itemgetter(0)):
            best = BestActions(self.point, x[:, :, place], reach, self.sign)
            taken = BestActions(self.point, best.x.copy(), reach, self.sign) if self.first else None
            for _, each in actions:
                worth = self._action_values(each, later)
                best.update(each.source, worth)
                if taken:
                    taken.update_if_certain(each.source, worth)
                if observer:
                    observer.observe_border(place, each, worth)
            if taken:
                best.x[:, self.first_extra :] = taken.x[:, self.first_extra :]
            undecided += int(best.near.sum())
        return undecided

    def border_action_indices(self, keys: Ints, later: TurnStartValues | None, reach: int) -> Ints:
        """Return the index of the action that is taken at each of the given border positions.

        That is the first action that no other action certainly beats. ``later``: the values where the next turns begin.
        ``reach``: values that differ by at most this number of units may be equal.
        """
        x = self.point.zeros(len(self.columns), keys.shape[1])
        x[0] = -self.sign * MAX_WHOLE
        best, met = BestActions(self.point, x, reach, self.sign), np.zeros(keys.shape[1], dtype=np.int64)
        found = met.copy()
        for each in self.turn.explorer.successors(keys):
            better = best.update_if_certain(each.source, self._action_values(each, later))
            found[each.source[better]] = met[each.source[better]]
            met[each.source] += 1
        return found

    def _action_values(self, each: NextStates, later: TurnStartValues | None) -> Limbs:
        """Return the values of actions at a border, shape (limbs, columns, actions).

        ``each``: what follows the actions. ``later``: the values where the next turns begin.
        """
        worth = self.pay[:, :, each.paid]
        if each.keys is not None:
            assert later is not None
            seats, shift = self.seats, each.seat_shift
            held = [(column - shift) % seats if column < seats else column for column in self.columns]
            worth += later.values_of(each.keys)[:, held]
            if not self.whole:
                self.point.carry_limbs(worth)
        return worth


def to_floats(point: FixedPoint, x: Limbs) -> Any:
    """Return fixed-point numbers as floats. The result has a single limb."""
    return point.to_floats(x)[None]


StartValuesTask = tuple[TurnSolver, Ints, TurnStartValues | None, int, int]
"""A task for ``turn_start_values``: the solver, the keys of sheets, the values of later turns, the error of those
values, and the index of the first sheet.
"""


def turn_start_values(task: StartValuesTask) -> tuple[Limbs, int]:
    """Return the values at the beginnings of turns on given sheets, as ``TurnSolver.start_values`` does.

    ``task``: see ``StartValuesTask``.
    """
    columns, sheets, later, radius, _ = task
    return columns.start_values(sheets, later, radius)


def sheets_per_batch(turn: TurnGraph, count: int, most: int, executor: Executor) -> int:
    """Return the batch size for ``count`` sheets: at most ``most``, and smaller if several workers share the work."""
    least = -(-MIN_POSITIONS // turn.states)
    return most if executor.jobs == 1 else min(most, max(least, -(-count // (PARTS_PER_PROCESS * executor.jobs))))


def border_successors(turn: TurnGraph, sheets: Ints) -> Iterator[tuple[int, NextStates]]:
    """Yield the successors of the border positions of a turn on given sheets, each with the index of the position in
    the border.

    Raises PlayError if a rule fails.
    """
    shifts = turn.key_shifts(sheets)
    for place in range(turn.border.shape[1]):
        keys = turn.border[:, place : place + 1] + shifts
        with report_rule_failures(turn.explorer, keys):
            for each in turn.explorer.successors(keys):
                yield place, each


_LAST: list[tuple[TurnGraph, Ints, Sequence[tuple[int, NextStates]]]] = []
"""The turn and the sheets that this process explored last, with the successors of their borders."""


def cached_border_successors(turn: TurnGraph, sheets: Ints) -> Iterable[tuple[int, NextStates]]:
    """Return the successors that ``border_successors`` yields, from a cache if they are few.

    The rounds of Newton's method ask for the same sheets again.
    """
    if sheets.shape[1] * turn.border.shape[1] > MAX_CACHED_POSITIONS:
        return border_successors(turn, sheets)
    if not _LAST or _LAST[0][0] is not turn or not np.array_equal(_LAST[0][1], sheets):
        _LAST[:] = [(turn, sheets.copy(), list(border_successors(turn, sheets)))]
    return _LAST[0][2]
