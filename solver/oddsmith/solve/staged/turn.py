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
from oddsmith.expr import variables_in
from oddsmith.graph import (
    Explorer,
    KeyIndex,
    NextStates,
    StateGraph,
    concatenated_ranges,
    refuse_disagreement,
    unique,
)
from oddsmith.graph.columns import Codec, RuleFailureInBlock
from oddsmith.ruleset import Game
from oddsmith.ruleset.model import Phase, ToPhase, effects_in_preorder, variable_read_by
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

    ``fixed_cells``: the cells of the sheet. ``inner_graph``: the inner positions of the turn, in which nothing depends
    on the sheet; the first of them begins the turn. ``turn_end_keys``: the keys of the positions that look at the
    sheet, numbered after the inner ones.
    """

    explorer: Explorer
    fixed_cells: tuple[int, ...]
    inner_graph: StateGraph
    turn_end_keys: Ints

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the turn for another process, which builds an explorer of its own."""
        explorer, name = self.explorer, (self._name, len(self.explorer.edges.payoffs))
        return _rebuild_turn, (name, explorer.game, explorer.objective, list(explorer.watched), self.to_column_file())

    @cached_property
    def _name(self) -> str:
        return uuid4().hex

    @property
    def states(self) -> int:
        """The number of positions of a turn on one sheet."""
        count: int = self.inner_graph.state_count + self.turn_end_keys.shape[1]
        return count

    def to_column_file(self) -> ColumnFile:
        """Return the turn as a column file, without the names of its actions.

        The file has the payoffs that the explorer has found so far, in the order of their numbers.
        """
        payoffs = [[fraction_text(each) for each in paid] for paid in self.explorer.edges.payoffs]
        columns = {name: getattr(self.inner_graph, name) for name in GRAPH_COLUMNS}
        columns |= {"cells": np.array(self.fixed_cells, dtype=np.int64), "border": self.turn_end_keys}
        return ColumnFile({"tags": self.inner_graph.tags, "payoffs": payoffs}, columns)

    @staticmethod
    def from_column_file(explorer: Explorer, stored: ColumnFile) -> TurnGraph:
        """Return the turn that a column file stores.

        ``explorer``: an explorer that has found no payoffs but those of the file.
        """
        for paid in stored.metadata["payoffs"]:  # in their order, so that each gets its number again
            explorer.edges.payoff_index(tuple(map(fraction_from_text, paid)))
        columns, (payoffs, scale) = stored.columns, explorer.payoffs
        keys, state_rows, row_edges, denominator, target, weight, payoff, tag = (
            columns[name] for name in GRAPH_COLUMNS
        )
        graph = StateGraph(
            explorer.game, explorer.objective, explorer.codec, keys, state_rows, np.zeros_like(denominator), row_edges,
            denominator, target, weight, payoff, tag, tuple((by, marks, over) for by, marks, over in stored.metadata["tags"]),
            payoffs, scale, (), np.full(keys.shape[1], -1, dtype=np.int64),
        )  # fmt: skip
        return TurnGraph(explorer, tuple(columns["cells"].tolist()), graph, columns["border"])

    def with_marked_entries(self, entries: Sequence[tuple[str, str]]) -> TurnGraph:
        """Return a copy of the turn in which transitions that take any of the given entries are marked."""
        explorer = Explorer(self.explorer.game, self.explorer.objective, entries)
        for paid in self.explorer.edges.payoffs:
            explorer.edges.payoff_index(paid)
        graph, border = explorer.graph_of_states(self.inner_graph.keys)
        if not np.array_equal(border, self.turn_end_keys):
            raise DisagreementError("a turn has another border when its entries are watched")
        return TurnGraph(explorer, self.fixed_cells, graph, border)

    @cached_property
    def keys(self) -> Ints:
        """The keys of all positions of the turn, shape (words, states)."""
        return np.concatenate([self.inner_graph.keys, self.turn_end_keys], axis=1)

    def position_numbers(self, keys: Ints) -> Ints:
        """Return the number of each position in the turn, whatever its sheet; -1 for a position that lies in no turn."""
        return self._index.find(keys - self.shifts_from_first_turn(keys))

    @cached_property
    def _index(self) -> KeyIndex:
        return KeyIndex.of(self.keys)

    def shifts_from_first_turn(self, keys: Ints) -> Ints:
        """Return the differences between the keys of a position on other sheets and its key on the first sheet.

        ``keys``: a key of each other sheet, shape (words, sheets), which is also the shape of the result.
        """
        other: Ints = self._fixed_cell_digits(keys) - self._fixed_cell_digits(self.explorer.start_key)
        return other

    def turn_start_keys(self, keys: Ints) -> Ints:
        """Return the keys of the positions that begin the turns on the sheets of given positions, shape (words,
        positions).
        """
        found: Ints = self.explorer.start_key + self.shifts_from_first_turn(keys)
        return found

    def check_turn_is_same(self, start_key: Ints) -> None:
        """Check that the turn on another sheet is the same as on the first, and that it agrees with the rules.

        ``start_key``: the key of the position that begins the turn there. Raises DisagreementError if a check fails.
        """
        keys = self.keys + self.shifts_from_first_turn(start_key)
        inner = self.inner_graph.state_count
        for part, first in ((keys[:, :inner], 0), (keys[:, inner:], inner)):
            graph, boundary = self.explorer.graph_of_states(part)
            refuse_disagreement(graph, boundary_keys=boundary)
            if not first and not (
                _graphs_are_equal(graph, self.inner_graph) and np.array_equal(boundary, keys[:, inner:])
            ):
                raise DisagreementError("a turn is not the same on every sheet")

    def _fixed_cell_digits(self, keys: Ints) -> Ints:
        """Return the part of each key that encodes the cells of the sheet, shape (words, keys)."""
        codec = self.explorer.codec
        cells, found = codec.decode(keys)[0], np.zeros_like(keys)
        cells_in_keys = codec.cells_in_keys[codec.phases.index(codec.game.ruleset.first_phase_of_turn)]
        for where in self.fixed_cells:
            if where in cells_in_keys:
                word, times = codec.digit_words_and_factors[where]
                found[word] += codec.digits_of_cell(where, cells[where]) * times
        return found


_SENT: dict[tuple[str, int], TurnGraph] = {}
"""The turn that this process received last, by name and number of payoffs.

Payoffs are only ever added: while their number stays the same, so do they.
"""


def _rebuild_turn(
    cache_key: tuple[str, int],
    game: Game,
    objective: str,
    marked_entries: Sequence[tuple[str, str]],
    stored: ColumnFile,
) -> TurnGraph:
    if cache_key not in _SENT:
        _SENT.clear()
        _SENT[cache_key] = TurnGraph.from_column_file(Explorer(game, objective, marked_entries), stored)
    return _SENT[cache_key]


def _graphs_are_equal(one: StateGraph, other: StateGraph) -> bool:
    """Return whether two graphs agree in all but the keys of their states."""
    columns = ("state_rows", "row_edges", "denominator", "target", "weight", "payoff", "seat_shift")
    return all(np.array_equal(getattr(one, column), getattr(other, column)) for column in columns)


def find_turn_graph(explorer: Explorer, monotone_variables: frozenset[str]) -> TurnGraph | None:
    """Return the turn of a game if it is the same on every sheet, else None.

    The result is None if the turn depends on the sheet, has cycles or too many positions, or may end the game. It is
    also None if seats may go out, or if a symmetry or a dependence joins cells of the sheet with other cells.

    ``monotone_variables``: the variables that only grow or only fall.
    """
    game, codec = explorer.game, explorer.codec
    if game.ruleset.first_phase_of_turn not in codec.phases:  # its cases may begin turns in several phases
        return None
    inner = _independent_phases(game, monotone_variables)
    if (
        game.ruleset.first_phase_of_turn not in inner
        or game.has_elimination
        or codec.phases[_phase_number(codec, explorer.start_key)] not in inner
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


def _inner_graph(explorer: Explorer, inner_phases: frozenset[int]) -> tuple[StateGraph, Ints] | None:
    """Return the graph of the inner positions of the first sheet, and the keys of its turn-end positions.

    Returns None if there are too many positions or a rule fails; solving position by position then reports the error.
    ``inner_phases``: the numbers of the inner phases.
    """
    index, done = KeyIndex.of(explorer.start_key), 0
    with suppress(RuleFailureInBlock):
        while done < index.count <= MAX_INNER:
            boundary = explorer.graph_of_states(index.keys.filled[:, done:].copy())[1]
            done = index.count
            index.add(boundary[:, np.isin(explorer.codec.decode(boundary)[1], list(inner_phases))])
        return explorer.graph_of_states(index.keys.filled.copy()) if index.count <= MAX_INNER else None
    return None


def _independent_phases(game: Game, monotone_variables: frozenset[str]) -> frozenset[str]:
    """Return the phases that use none of the variables ``monotone_variables``, and lead only to each other or to
    choices.

    ``monotone_variables``: the variables that only grow or only fall.
    """
    phases = game.ruleset.phases
    over = variables_in(game.ruleset.out_when, game.ruleset.end_when)
    if over & monotone_variables:
        return frozenset()
    inner = {
        name
        for name, phase in phases.items()
        if not (_variables_of(phase) | over) & monotone_variables and _stays_in_turn(phase)
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
        throw.name for throw in phase.rolls_and_draws if throw.is_kept
    }
    names |= variables_in(*(term.count for throw in phase.rolls_and_draws for term in throw.dice))
    for entry in phase.entries:
        names |= variables_in(*entry.expressions_read)
        for effect in effects_in_preorder(entry.do):
            names |= variables_in(*effect.expressions_read) | {place.name for place in effect.variables_written}
    return frozenset(names)


SHEETS_PER_BLOCK, MIN_SHEETS_PER_BLOCK = 256, 16  # sheets at a time
COMPARED = 1 << 17  # actions on a block of sheets, so that what is compared stays close to the processor

Words = Sequence[NDArray[Any]]
"""Numbers as words that compare like the numbers if the first words that differ decide."""


def words_of_limbs(point: FixedPoint | FloatingPoint, limbs: Limbs) -> Words:
    """Return normalized numbers as words, each made of two limbs, the most significant word first.

    The last word may have one limb. Floats have a single word.
    """
    pairs = [limbs[place : place + 2] for place in range(0, point.limb_count, 2)]
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

    ``values``: these values, in normalized limbs (see ``solve.numbers``) of shape (limbs, columns, ...); column 0 is
    the mover's. ``near``: the mask of positions with two actions that the bounds do not tell apart. ``tie_tolerance``:
    values that differ by at most this number of units may be equal. ``sign``: 1 to maximize, -1 to minimize.
    """

    def __init__(self, point: FixedPoint | FloatingPoint, values: Limbs, tie_tolerance: int, sign: int) -> None:
        self.point, self.values, self.tie_tolerance, self.sign = point, values, tie_tolerance, sign
        self.near = np.zeros(values.shape[2:], dtype=bool)

    def update(self, state_indices: Ints, action_values: Limbs) -> Mask:
        """Compare one more action in each of the positions ``state_indices`` with the best so far, and keep the better
        one.

        Returns the mask, over ``state_indices``, of positions in which the new action is kept. ``action_values``: its
        values, shape (limbs, columns, positions, ...).
        """
        better, near = self._is_better_and_is_tie(state_indices, action_values)
        self.values[:, :, state_indices] = np.where(better, action_values, self.values[:, :, state_indices])
        # What came near to a value that is beaten by far is beaten by far as well.
        self.near[state_indices] = near | (self.near[state_indices] & ~better)
        return better

    def update_if_certain(self, state_indices: Ints, action_values: Limbs) -> Mask:
        """Compare one more action in each of the positions ``state_indices``, and keep it only if it is certainly
        better.

        Returns the mask, over ``state_indices``, of positions in which the new action is kept. ``action_values``: as
        for ``update``.
        """
        better, near = self._is_better_and_is_tie(state_indices, action_values)
        better &= ~near
        self.values[:, :, state_indices[better]] = action_values[:, :, better]
        return better

    def _is_better_and_is_tie(self, state_indices: Ints, action_values: Limbs) -> tuple[Mask, Mask]:
        """Return two masks over ``state_indices``: whether the action is better than the best so far, and whether both
        may be equal.
        """
        words, held = (
            words_of_limbs(self.point, action_values[:, 0]),
            words_of_limbs(self.point, self.values[:, 0, state_indices]),
        )
        apart = clamped_difference(self.point, words, held) * self.sign
        return apart > 0, np.abs(apart) <= self.tie_tolerance


@dataclass(frozen=True, eq=False)
class TurnLayer:
    """Inner positions that lead only to earlier layers, in descending order of their numbers of actions.

    Each position represents all positions that equal it. ``distributions``: transition weights, shape (distributions,
    positions). ``denominator``: the denominator of each distribution; ``payoffs``: its payoff times the denominator,
    limbs of shape (limbs, columns, distributions, 1). ``distributions_by_action``: for the first, second, ... action,
    the distributions of the positions that have that action. ``transitions``: the distribution, target, payoff and
    weight of every transition, shape (4, transitions).
    """

    states: Ints
    distributions: csr_matrix
    denominator: Ints
    payoffs: Limbs
    distributions_by_action: Sequence[Ints]
    transitions: Ints

    @cached_property
    def certain_targets(self) -> Ints | None:
        """The target of each distribution if all of them lead to one position each, and pay nothing; else None."""
        certain = (self.denominator == 1).all() and not self.payoffs.any()
        return self.distributions.indices.astype(np.int64) if certain else None

    @cached_property
    def action_distributions(self) -> Ints:
        """The distribution of every action: first those of the first actions of all positions, then of the second ones,
        and so on.
        """
        return np.concatenate(self.distributions_by_action)

    @cached_property
    def pairwise_comparison_rounds(self) -> Sequence[tuple[Ints, Ints]]:
        """The comparisons that find the best action of each position, round by round, as in a knockout tournament.

        A round is two arrays of indices into ``action_distributions``. The better action of each pair takes the place
        on the left, which is that of the earlier action. In the end the best one is at the place of the position's
        first action.
        """
        starts, step, found = self.action_start_indices, 1, []
        while step < len(self.distributions_by_action):
            pairs = [
                (one, one + step, arange(len(self.distributions_by_action[one + step])))
                for one in range(0, len(self.distributions_by_action) - step, 2 * step)
            ]
            left = np.concatenate([starts[one] + places for one, _, places in pairs])
            right = np.concatenate([starts[other] + places for _, other, places in pairs])
            found.append((left, right))
            step *= 2
        return found

    @cached_property
    def action_start_indices(self) -> Ints:
        """The index in ``action_distributions`` at which the first actions begin, then the second actions, and so on."""
        starts: Ints = cumsum([0, *map(len, self.distributions_by_action[:-1])])
        return starts

    def with_new_state_numbers(self, new_numbers: Ints, number_count: int) -> TurnLayer:
        """Return a copy of the layer in which positions have other numbers.

        ``new_numbers``: the new number of each representative. ``number_count``: all new numbers are below this.
        """
        old = self.distributions
        distributions = csr_matrix((old.data, new_numbers[old.indices], old.indptr), shape=(old.shape[0], number_count))
        return replace(self, states=new_numbers[self.states], distributions=distributions)

    @cached_property
    def distribution_table(self) -> Ints:
        """The distribution of each action of every position, shape (positions, actions).

        It is 0 if the position has fewer actions.
        """
        found = np.zeros((len(self.states), len(self.distributions_by_action)), dtype=np.int64)
        for place, slot in enumerate(self.distributions_by_action):
            found[: len(slot), place] = slot
        return found


class InnerTurnSolver:
    """Solves the inner positions of a turn in fixed point.

    ``payoffs``: payoffs, shape (limbs, columns, payoffs). ``rounding_error``: the most units by which payoffs are too
    small. ``radius``: the units by which the error at the beginning of a turn exceeds the error at its turn ends.
    ``primes``, ``exponents``: the prime factors of a common denominator of all paths through the turn. ``places``: for
    each position of the turn, the number of its representative. Representatives are numbered from 0: first
    ``inner_count`` inner positions, then ``turn_end_count`` turn-end positions, ``count`` in all. ``rows``: where the
    values of each representative are held while turns are solved, in one of ``held`` rows, which serve others as soon
    as nothing needs them any more.
    """

    def __init__(self, turn: TurnGraph, arena: Arena, point: FixedPoint, payoffs: Limbs, rounding_error: int) -> None:
        self.point: FixedPoint | FloatingPoint = point
        self.sign = arena.objective_sign
        graph, like = turn.inner_graph, arange(turn.states)
        ordered = [states[states < graph.state_count] for states, _ in groups_in_solving_order(arena)]
        merged = [_merge_equal_positions(graph, states, like) for states in ordered if len(states)]
        alone = unique(like)
        self.places, self.count = np.searchsorted(alone, like), len(alone)
        self.inner_count = int(np.searchsorted(alone, graph.state_count))
        self.turn_end_count = self.count - self.inner_count
        self.members = bincount(self.places)
        self.layers = [_turn_layer(each, self.places, self.count, payoffs) for each in merged]
        self.rows, self.held = self._assign_storage_rows()
        self.held_layers = [layer.with_new_state_numbers(self.rows, self.held) for layer in self.layers]
        most = max(len(layer.action_distributions) for layer in self.layers)
        self.block = min(SHEETS_PER_BLOCK, max(MIN_SHEETS_PER_BLOCK, COMPARED // most))
        self.radius = sum(rounding_error + int((layer.denominator > 1).any()) for layer in self.layers)
        self.primes, self.exponents = _common_denominator_factors([layer.denominator for layer in self.layers])

    def with_payoffs(self, point: FixedPoint | FloatingPoint, convert_payoffs: Callable[[Any], Any]) -> InnerTurnSolver:
        """Return a solver for the same positions with other payoffs.

        ``point``: the arithmetic of the payoffs. ``convert_payoffs``: maps the payoffs of the distributions of a layer
        to the other payoffs.
        """
        found = copy(self)

        def with_other_payoffs(layer: TurnLayer) -> TurnLayer:
            pay = convert_payoffs(layer.payoffs)
            return replace(layer, distributions=layer.distributions.astype(pay.dtype, copy=False), payoffs=pay)

        found.point = point
        found.layers, found.held_layers = (
            [*map(with_other_payoffs, layers)] for layers in (self.layers, self.held_layers)
        )
        return found

    def _assign_storage_rows(self) -> tuple[Ints, int]:
        """Return the fields ``rows`` and ``held``: the row of each representative, and the number of rows."""
        needed, begin = np.full(self.count, -1, dtype=np.int64), self.places[0]
        for number, layer in enumerate(self.layers):
            needed[layer.distributions.indices] = number
        needed[begin] = len(self.layers)
        last = np.argsort(needed, kind="stable")
        ends = np.searchsorted(needed[last], arange(len(self.layers) + 1))
        rows, free, held = np.empty(self.count, dtype=np.int64), list[int](), self.turn_end_count
        rows[self.inner_count :] = arange(held)
        for number, layer in enumerate(self.layers):
            own = [free.pop() for _ in range(min(len(free), len(layer.states)))]
            more = len(layer.states) - len(own)
            rows[layer.states] = [*own, *range(held, held + more)]
            held += more
            free += rows[last[ends[number] : ends[number + 1]]].tolist()
        return rows, held

    def solve(
        self,
        turn_end_values: Limbs,
        tie_tolerance: int,
        observe_block: Callable[[int, Sequence[Ints]], None] | None = None,
        first_extra_column: int | None = None,
        all_positions: bool = False,
    ) -> tuple[Limbs, int]:
        """Return the values at the beginning of turns on several sheets, given those at the turn ends.

        ``turn_end_values``: limbs of shape (limbs, columns, turn-end positions, sheets). The result has the shape
        (limbs, columns, 1, sheets) or, with ``all_positions``, the values of all representatives in place of one.

        Returns also the number of undecided positions: those in which the bounds do not tell the best two actions
        apart, if values have an error of up to ``tie_tolerance`` units. ``observe_block`` is called for each block of
        sheets, with the index of its first sheet and, for every layer, the indices of the actions taken, shape
        (positions, sheets). The action taken is the first that may be as good as the best. The columns from
        ``first_extra_column`` on are the values of that action.
        """
        layers, rows, count = self.held_layers, self.rows, self.held
        if all_positions:
            layers, rows, count = self.layers, arange(self.count), self.count
        wanted = rows if all_positions else rows[self.places[:1]]
        limbs, columns, _, sheets = turn_end_values.shape
        found, undecided = np.empty((limbs, columns, len(wanted), sheets), dtype=turn_end_values.dtype), 0
        for first in range(0, sheets, self.block):
            some, picks = turn_end_values[..., first : first + self.block], list[Ints]()
            x = np.empty((count, limbs, columns, some.shape[3]), dtype=turn_end_values.dtype)
            x[rows[self.inner_count :]] = some.transpose(2, 0, 1, 3)
            for layer, like in zip(layers, self.layers, strict=True):
                near = self._solve_layer(layer, x, tie_tolerance, picks if observe_block else None, first_extra_column)
                undecided += int(near @ self.members[like.states])
            found[..., first : first + self.block] = x[wanted].transpose(1, 2, 0, 3)
            if observe_block:
                observe_block(first, picks)
        return found, undecided

    def reachable_turn_ends(self, reachable: Mask) -> Mask:
        """Return, for each representative, which kinds of turn end play may reach from it, shape (representatives,
        kinds).

        ``reachable``: the same mask, filled in for the turn ends only; it is changed in place.
        """
        for layer in self.layers:
            leads = layer.distributions @ reachable.astype(np.int64) > 0
            best = leads[layer.distributions_by_action[0]]
            for distributions in layer.distributions_by_action[1:]:
                best[: len(distributions)] |= leads[distributions]
            reachable[layer.states] = best
        return reachable

    def _solve_layer(
        self,
        layer: TurnLayer,
        values: NDArray[Any],
        tie_tolerance: int,
        taken_actions: list[Ints] | None,
        first_extra_column: int | None,
    ) -> Ints:
        """Fill in the values of a layer, and return for each of its positions the number of sheets on which it is
        undecided.

        ``values``: values of shape (rows, limbs, columns, sheets). ``taken_actions``, ``first_extra_column``: as in
        ``solve``.
        """
        worth = values if layer.certain_targets is not None else self._distribution_values(layer, values)
        actions = (
            layer.action_distributions
            if layer.certain_targets is None
            else layer.certain_targets[layer.action_distributions]
        )
        count = len(layer.states)
        if len(layer.distributions_by_action) == 1:
            values[layer.states] = worth[actions]
            if taken_actions is not None:
                taken_actions.append(np.zeros((count, values.shape[3]), dtype=np.int64))
            return np.zeros(count, dtype=np.int64)
        own = words_of_limbs(self.point, worth[actions, :, 0].transpose(1, 0, 2))
        best, taken, near = self._best_actions(layer, own, tie_tolerance)
        parts = [(slice(None), taken)]
        if taken_actions is not None or first_extra_column is not None:
            firsts = self._first_near_best_actions(layer, own, best, tie_tolerance)
            if taken_actions is not None:
                taken_actions.append(firsts)
            if first_extra_column is not None:
                places = layer.action_start_indices[firsts] + arange(count)[:, None]
                parts = [(slice(first_extra_column), taken), (slice(first_extra_column, None), places)]
        flat, size = worth.reshape(-1), worth[0].size
        within = arange(size).reshape(worth.shape[1:])
        for columns, places in parts:
            values[layer.states, :, columns] = flat.take((actions[places] * size)[:, None, None] + within[:, columns])
        return near

    def _distribution_values(self, layer: TurnLayer, values: NDArray[Any]) -> NDArray[Any]:
        """Return the values of the distributions of a layer, shape (distributions, limbs, columns, sheets)."""
        worth = (layer.distributions @ values.reshape(len(values), -1)).reshape(-1, *values.shape[1:])
        limbs = worth.transpose(1, 2, 0, 3)
        limbs += layer.payoffs
        return self.point.divide(limbs, layer.denominator[:, None]).transpose(2, 0, 1, 3)

    def _best_actions(self, layer: TurnLayer, action_values: Words, tie_tolerance: int) -> tuple[Words, Ints, Ints]:
        """Find the best actions of a layer. Returns their values to the mover, their places among the actions, and the
        ties.

        Values and places have the shape (positions, sheets); the ties are, for each position, the number of sheets on
        which it is undecided. ``action_values``: the values of all actions to the mover.
        """
        best, near = [word.copy() for word in action_values], np.zeros(action_values[0].shape, dtype=bool)
        taken = repeat(arange(len(layer.action_distributions))[:, None], action_values[0].shape[1], axis=1)
        for left, right in layer.pairwise_comparison_rounds:
            words, held = [word[right] for word in best], [word[left] for word in best]
            apart = clamped_difference(self.point, words, held)
            better = apart > 0 if self.sign > 0 else apart < 0
            for into, word, kept in zip(best, words, held, strict=True):
                into[left] = np.where(better, word, kept)
            taken[left] = np.where(better, taken[right], taken[left])
            if self.point.bits_per_limb:  # floats prove nothing
                # What comes near to a value that is beaten by far is beaten by far as well.
                near[left] = np.where(better, near[right], near[left]) | (np.abs(apart) <= tie_tolerance)
        count = len(layer.states)
        return [word[:count] for word in best], taken[:count], near[:count].sum(axis=1, dtype=np.int64)

    def _first_near_best_actions(
        self, layer: TurnLayer, action_values: Words, best_values: Words, tie_tolerance: int
    ) -> Ints:
        """Return the index of the first action that may be as good as the best, shape (positions, sheets).

        ``action_values``, ``best_values``: as in ``_best_actions``.
        """
        found, end = np.zeros(best_values[0].shape, dtype=np.int64), len(layer.action_distributions)
        position = np.concatenate([arange(len(slot)) for slot in layer.distributions_by_action])
        good = (
            np.abs(clamped_difference(self.point, action_values, [word[position] for word in best_values]))
            <= tie_tolerance
        )
        for place in range(len(layer.distributions_by_action) - 1, -1, -1):
            count = len(layer.distributions_by_action[place])
            found[:count] = np.where(good[end - count : end], place, found[:count])
            end -= count
        return found


@dataclass(frozen=True, eq=False)
class _MergedPositions:
    """Positions that represent all positions equal to them, and the distributions of their actions in order.

    ``states``: the positions. ``state_index``, ``distribution``: pairs of the index of a position in ``states`` and a
    distribution that one of its actions has. ``denominator``: the denominator of each distribution; ``edge_ends``: the
    end of its edges in ``edges``. ``edges``: targets, payoffs and weights, shape (3, edges).
    """

    states: Ints
    state_index: Ints
    distribution: Ints
    denominator: Ints
    edge_ends: Ints
    edges: Ints


def _merge_equal_positions(graph: StateGraph, states: Ints, representatives: Ints) -> _MergedPositions:
    """Merge equal positions among ``states``, and write the representative of each into ``representatives``.

    ``representatives``: the representative of each position of the turn; those of the successors of ``states`` must
    already be there.
    """
    actions = graph.state_rows[states + 1] - graph.state_rows[states]
    distribution, denominator, ends, edges = _distinct_distributions(
        graph, concatenated_ranges(graph.state_rows[states], actions), representatives
    )
    pairs = repeat(arange(len(states)), actions) * len(ends) + distribution
    pairs = pairs[
        np.sort(np.unique(pairs, return_index=True)[1])
    ]  # actions with one distribution are the same, the first counts
    place, distribution = pairs // len(ends), pairs % len(ends)
    first = _first_identical_blocks(distribution, cumsum(bincount(place)))
    representatives[states] = states[first]
    alone = first == arange(len(states))
    own = alone[place]
    return _MergedPositions(states[alone], (cumsum(alone) - 1)[place[own]], distribution[own], denominator, ends, edges)


def _distinct_distributions(graph: StateGraph, rows: Ints, representatives: Ints) -> tuple[Ints, Ints, Ints, Ints]:
    """Return the different distributions of some rows, as four arrays.

    They are: the index of the distribution of each row; for each distribution, its denominator and the end of its
    edges; and all edges one after another, shape (3, edges), with target, payoff and weight. Two rows have the same
    distribution if they lead to the same representatives with the same payoffs and weights. ``representatives``: the
    representative of each position.
    """
    lengths = graph.row_edges[rows + 1] - graph.row_edges[rows]
    use, row = concatenated_ranges(graph.row_edges[rows], lengths), repeat(arange(len(rows)), lengths)
    edges = np.stack([row, representatives[graph.target[use]], graph.payoff[use], graph.weight[use]]).astype(np.int64)
    edges = edges[:, np.lexsort(edges[2::-1])]
    new = np.append(True, (edges[:3, 1:] != edges[:3, :-1]).any(axis=0))
    starts = np.flatnonzero(new)
    edges = np.concatenate([edges[:3, starts], reduceat(np.add, edges[3:], starts, axis=1)])
    ends = cumsum(bincount(edges[0]))
    tail = np.stack(
        [rows * 0 - 1, rows * 0, graph.denominator[rows]]
    )  # a mark no edge has, so that denominators count too
    entries = np.insert(edges[1:], ends, tail, axis=1)
    first = _first_identical_blocks(entries, ends + arange(len(rows)) + 1)
    alone = first == arange(len(rows))
    own = alone[edges[0]]
    distribution: Ints = (cumsum(alone) - 1)[first]
    return distribution, graph.denominator[rows[alone]], cumsum(bincount(edges[0])[alone]), edges[1:, own]


def _first_identical_blocks(columns: Ints, block_ends: Ints) -> Ints:
    """Return, for each block of columns, the index of the first block that is identical to it.

    ``block_ends``: the end of each block; the next one begins there.
    """
    data = np.ascontiguousarray(columns.T, dtype=np.int64).tobytes()
    size, found = len(data) // columns.shape[-1], dict[bytes, int]()
    starts = [0, *block_ends[:-1].tolist()]
    stretches = (data[start * size : end * size] for start, end in zip(starts, block_ends.tolist(), strict=True))
    return np.array([found.setdefault(each, at) for at, each in enumerate(stretches)], dtype=np.int64)


def _turn_layer(
    merged: _MergedPositions, representatives: Ints, representative_count: int, payoffs: Limbs
) -> TurnLayer:
    """Return a layer of merged positions.

    ``representatives``: the number of the representative of each position; there are ``representative_count``
    representatives. ``payoffs``: shape (limbs, columns, payoffs).
    """
    lengths = bincount(merged.state_index)
    order = np.argsort(-lengths, kind="stable")
    starts = (cumsum(lengths) - lengths)[order]
    slots = [merged.distribution[starts[lengths[order] > each] + each] for each in range(int(lengths.max()))]
    target, payoff, weight = merged.edges
    edges = np.diff(merged.edge_ends, prepend=0)
    row = repeat(arange(len(edges)), edges)
    distributions = csr_matrix((weight, (row, representatives[target])), shape=(len(edges), representative_count))
    paid = reduceat(np.add, payoffs[:, :, payoff] * weight, merged.edge_ends - edges, axis=2)
    use = np.stack([row, representatives[target], payoff, weight])
    return TurnLayer(
        representatives[merged.states[order]], distributions, merged.denominator, paid[..., None], slots, use
    )


def _common_denominator_factors(denominators: Sequence[Ints]) -> tuple[tuple[int, ...], Ints]:
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

MAX_CACHED_POSITIONS = 1 << 20  # turn-end positions of which it is remembered what follows

Payoff = tuple[Fraction, ...]


@dataclass(frozen=True, eq=False)
class NextTurns:
    """What follows the turns on given sheets.

    ``start_keys``: the keys of the positions that follow the turn ends, each once. ``action_count``: the number of
    actions at the turn ends. ``interim_payoffs``, ``final_payoffs``: the payoffs that are paid before the end of the
    game, and at it. ``rolls_at_turn_end``: whether anything is rolled or drawn after a turn end; the other fields are
    then empty.
    """

    start_keys: Ints
    action_count: int
    interim_payoffs: set[Payoff]
    final_payoffs: set[Payoff]
    rolls_at_turn_end: bool


def explore_next_turns(task: tuple[TurnGraph, Ints]) -> NextTurns:
    """Return what follows the turns on given sheets. Raises PlayError if a rule fails.

    ``task``: the turn, and the keys of the sheets.
    """
    turn, sheets = task
    after, actions = KeyIndex.of(sheets[:, :0]), 0
    paid, ends = set[int](), set[int]()
    for _, each in turn_end_successors(turn, sheets):
        actions += len(each.source)
        (ends if each.keys is None else paid).update(unique(each.paid).tolist())
        if each.rolled_or_drawn:
            return NextTurns(sheets[:, :0], 0, set(), set(), rolls_at_turn_end=True)
        if each.keys is not None:
            after.add(each.keys)
    payoffs = list(turn.explorer.edges.payoffs)
    return NextTurns(
        after.keys.filled,
        actions,
        {payoffs[one] for one in paid},
        {payoffs[one] for one in ends},
        rolls_at_turn_end=False,
    )


@dataclass(frozen=True, eq=False)
class TurnStartValues(KeyedStates):
    """Positions that begin turns, given by their keys, with their values.

    ``values``: the values in fixed point, limbs of shape (limbs, positions, seats).
    """

    values: Limbs

    def values_of(self, keys: Ints) -> Limbs:
        """Return the values of the positions with the given keys, shape (limbs, seats, sheets).

        Raises DisagreementError if one of the positions is missing.
        """
        found: Limbs = self.values[:, self.state_numbers(keys)].transpose(0, 2, 1)
        return found


class ActionObserver(Protocol):
    """Observes actions while turns on given sheets are solved: first those at the turn ends, then those within the
    turns.
    """

    def observe_turn_end_action(self, turn_end_index: int, successors: NextStates, action_values: Limbs) -> None:
        """Receive one action of a turn-end position, for several sheets.

        ``turn_end_index``: the index of the turn-end position. ``successors``: what follows the action on the sheets.
        ``action_values``: its values, shape (limbs, columns, sheets).
        """

    def observe_inner_actions(self, first_turn_index: int, taken_actions: Sequence[Ints]) -> None:
        """Receive the actions that are taken within the turns of a block.

        ``first_turn_index``: the index of the block's first turn. ``taken_actions``: for each layer of positions within
        the turn, the indices of the actions, shape (positions, turns).
        """


@dataclass(frozen=True, eq=False)
class TurnSolver:
    """Solves turns on many sheets at once.

    ``payoffs``: payoffs, shape (limbs, columns, payoffs). ``payoffs_are_integers``: whether all payoffs are whole
    numbers. ``sign``: 1 to maximize, -1 to minimize. ``columns``: the columns that are worked out, ascending, with that
    of the mover, 0, first. Columns from ``seats`` on are not compared, and do not rotate with the seats.
    ``extras_use_first_action``: whether these hold the values of the first action that may be as good as the best,
    instead of those of the best action.
    """

    turn: TurnGraph
    inner: InnerTurnSolver
    point: FixedPoint | FloatingPoint
    payoffs: Limbs
    payoffs_are_integers: bool
    seats: int
    sign: int
    columns: tuple[int, ...]
    extras_use_first_action: bool = False

    def with_columns(self, *columns: int) -> TurnSolver:
        """Return a solver that works out only the given columns. This solver must have all columns."""
        some = list(columns)
        inner = self.inner.with_payoffs(self.point, lambda pay: pay[:, some])
        return replace(self, columns=columns, payoffs=self.payoffs[:, some], inner=inner)

    @property
    def first_extra_column(self) -> int:
        """The index of the first column that does not belong to a seat."""
        return sum(column < self.seats for column in self.columns)

    @property
    def float_solver(self) -> TurnSolver:
        """A solver in floats. It proposes values, but proves nothing."""
        point = self.point
        assert isinstance(point, FixedPoint)
        pay = to_floats(point, self.payoffs)
        inner = self.inner.with_payoffs(FloatingPoint(), lambda pay: to_floats(point, pay))
        return replace(self, point=FloatingPoint(), payoffs=pay, inner=inner)

    def start_values(
        self, start_keys: Ints, next_start_values: TurnStartValues | None, radius: int
    ) -> tuple[Limbs, int]:
        """Return the values at the beginnings of turns on given sheets, shape (limbs, sheets, columns).

        Returns also the number of undecided positions. ``next_start_values``: the values where the next turns begin.
        ``radius``: the error of the values at a turn end, in units.
        """
        values, undecided = self.solve(start_keys, next_start_values, radius)
        return values[:, :, 0].transpose(0, 2, 1), undecided

    def position_values(self, start_keys: Ints, next_start_values: TurnStartValues | None, radius: int) -> Limbs:
        """Return the values of all positions of turns on given sheets, shape (limbs, columns, positions of the turn,
        sheets).

        ``next_start_values``, ``radius``: as for ``start_values``.
        """
        values: Limbs = self.solve(start_keys, next_start_values, radius, all_positions=True)[0][
            :, :, self.inner.places
        ]
        return values

    def solve(
        self,
        start_keys: Ints,
        next_start_values: TurnStartValues | None,
        radius: int,
        observer: ActionObserver | None = None,
        all_positions: bool = False,
    ) -> tuple[Limbs, int]:
        """Return the values at the beginnings of turns, shape (limbs, columns, 1, sheets), and the number of undecided
        positions.

        With ``all_positions``, the third axis has all representatives of inner positions instead of the beginning alone.
        ``start_keys``: the keys of the beginnings, shape (words, sheets). ``next_start_values``, ``radius``: as for
        ``start_values``. ``observer``: is called with the actions that are taken.
        """
        inner = self.inner
        border = self.point.zeros(len(self.columns), inner.turn_end_count, start_keys.shape[1])
        undecided = self._solve_turn_ends(start_keys, border, next_start_values, 2 * radius, observer)
        first_extra, seen = (
            self.first_extra_column if self.extras_use_first_action else None,
            observer.observe_inner_actions if observer else None,
        )
        values, more = inner.solve(border, 2 * (radius + inner.radius), seen, first_extra, all_positions)
        return values, undecided + more

    def first_best_inner_actions(
        self, known_values: KnownValues, turn_offsets: Ints, position_numbers: Ints, tie_tolerance: int
    ) -> Ints:
        """Return for each of the given inner positions the index of the first action whose value is within
        ``tie_tolerance`` of the best.

        ``known_values``: the values of the positions of turns. ``turn_offsets``: for each given position, the index in
        ``known_values`` at which its turn begins. ``position_numbers``: the numbers of the given positions in the turn.
        """
        graph, point = self.turn.inner_graph, self.point
        assert isinstance(point, FixedPoint)
        actions = graph.state_rows[position_numbers + 1] - graph.state_rows[position_numbers]
        rows = concatenated_ranges(graph.state_rows[position_numbers], actions)
        edges = graph.row_edges[rows + 1] - graph.row_edges[rows]
        use = concatenated_ranges(graph.row_edges[rows], edges)
        target = repeat(repeat(turn_offsets, actions), edges) + graph.target[use]
        worth = (known_values.middle[:, target, 0] + self.payoffs[:, 0, graph.payoff[use]]) * graph.weight[use].astype(
            np.int64
        )
        worth = point.divide(reduceat(np.add, worth, cumsum(edges) - edges, axis=1), graph.denominator[rows])
        units = [self.sign * point.units_of_limbs(limbs) for limbs in worth.T.tolist()]
        ends, found = cumsum(actions).tolist(), list[int]()
        for start, end in zip([0, *ends], ends, strict=False):
            least = max(units[start:end]) - tie_tolerance
            found.append(next(place for place, unit in enumerate(units[start:end]) if unit >= least))
        return np.array(found, dtype=np.int64)

    def _solve_turn_ends(
        self,
        start_keys: Ints,
        turn_end_values: Limbs,
        next_start_values: TurnStartValues | None,
        tie_tolerance: int,
        observer: ActionObserver | None = None,
    ) -> int:
        """Fill in ``turn_end_values``, the values at turn ends, and return the number of undecided positions.

        ``turn_end_values``: shape (limbs, columns, turn-end positions, sheets). ``tie_tolerance``: values that differ
        by at most this number of units may be equal.
        """
        turn_end_values[0] = -self.sign * MAX_WHOLE  # worse than anything
        undecided = 0
        for place, actions in groupby(cached_turn_end_successors(self.turn, start_keys), itemgetter(0)):
            best = BestActions(self.point, turn_end_values[:, :, place], tie_tolerance, self.sign)
            taken = (
                BestActions(self.point, best.values.copy(), tie_tolerance, self.sign)
                if self.extras_use_first_action
                else None
            )
            for _, each in actions:
                worth = self._action_values(each, next_start_values)
                best.update(each.source, worth)
                if taken:
                    taken.update_if_certain(each.source, worth)
                if observer:
                    observer.observe_turn_end_action(place, each, worth)
            if taken:
                best.values[:, self.first_extra_column :] = taken.values[:, self.first_extra_column :]
            undecided += int(best.near.sum())
        return undecided

    def turn_end_action_indices(
        self, keys: Ints, next_start_values: TurnStartValues | None, tie_tolerance: int
    ) -> Ints:
        """Return the index of the action that is taken at each of the given turn-end positions.

        That is the first action that no other action certainly beats. ``next_start_values``: the values where the next
        turns begin. ``tie_tolerance``: values that differ by at most this number of units may be equal.
        """
        x = self.point.zeros(len(self.columns), keys.shape[1])
        x[0] = -self.sign * MAX_WHOLE
        best, met = BestActions(self.point, x, tie_tolerance, self.sign), np.zeros(keys.shape[1], dtype=np.int64)
        found = met.copy()
        for each in self.turn.explorer.successors(keys):
            better = best.update_if_certain(each.source, self._action_values(each, next_start_values))
            found[each.source[better]] = met[each.source[better]]
            met[each.source] += 1
        return found

    def _action_values(self, successors: NextStates, next_start_values: TurnStartValues | None) -> Limbs:
        """Return the values of actions at a turn end, shape (limbs, columns, actions).

        ``successors``: what follows the actions. ``next_start_values``: the values where the next turns begin.
        """
        worth = self.payoffs[:, :, successors.paid]
        if successors.keys is not None:
            assert next_start_values is not None
            seats, shift = self.seats, successors.seat_shift
            held = [(column - shift) % seats if column < seats else column for column in self.columns]
            worth += next_start_values.values_of(successors.keys)[:, held]
            if not self.payoffs_are_integers:
                self.point.carry_limbs(worth)
        return worth


def to_floats(point: FixedPoint, limbs: Limbs) -> Any:
    """Return fixed-point numbers as floats. The result has a single limb."""
    return point.to_floats(limbs)[None]


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


def turns_per_batch(turn: TurnGraph, turn_count: int, max_batch_size: int, executor: Executor) -> int:
    """Return the batch size for ``turn_count`` sheets: at most ``max_batch_size``, and smaller if several workers share
    the work.
    """
    least = -(-MIN_POSITIONS // turn.states)
    return (
        max_batch_size
        if executor.jobs == 1
        else min(max_batch_size, max(least, -(-turn_count // (PARTS_PER_PROCESS * executor.jobs))))
    )


def turn_end_successors(turn: TurnGraph, start_keys: Ints) -> Iterator[tuple[int, NextStates]]:
    """Yield the successors of the turn-end positions of a turn on given sheets, each with its index
    among them.

    Raises PlayError if a rule fails.
    """
    shifts = turn.shifts_from_first_turn(start_keys)
    for place in range(turn.turn_end_keys.shape[1]):
        keys = turn.turn_end_keys[:, place : place + 1] + shifts
        with report_rule_failures(turn.explorer, keys):
            for each in turn.explorer.successors(keys):
                yield place, each


_LAST: list[tuple[TurnGraph, Ints, Sequence[tuple[int, NextStates]]]] = []
"""The turn and the sheets that this process explored last, with the successors of their turn-end positions."""


def cached_turn_end_successors(turn: TurnGraph, start_keys: Ints) -> Iterable[tuple[int, NextStates]]:
    """Return the successors that ``turn_end_successors`` yields, from a cache if they are few.

    The rounds of Newton's method ask for the same sheets again.
    """
    if start_keys.shape[1] * turn.turn_end_keys.shape[1] > MAX_CACHED_POSITIONS:
        return turn_end_successors(turn, start_keys)
    if not _LAST or _LAST[0][0] is not turn or not np.array_equal(_LAST[0][1], start_keys):
        _LAST[:] = [(turn, start_keys.copy(), list(turn_end_successors(turn, start_keys)))]
    return _LAST[0][2]
