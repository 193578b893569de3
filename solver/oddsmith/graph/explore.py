"""Exploration of every state that play can reach from the start: breadth first, in blocks of states as columns."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction
from functools import cached_property
from math import lcm
from operator import mul
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from oddsmith.base.arrays import Ints, Whole, bincount, reduceat, repeat
from oddsmith.base.errors import Problem, RuleFailure, RulesetError, SecretsError, Severity, TooManyStatesError
from oddsmith.base.exact import plural
from oddsmith.base.limits import hint_to_raise_limit, limits
from oddsmith.base.progress import Progress
from oddsmith.base.systems import memory_size
from oddsmith.expr import variables_in
from oddsmith.graph.columns.block import PositionBlock, RuleFailureInBlock, SourceStates
from oddsmith.graph.columns.codec import Codec
from oddsmith.graph.columns.expand import DICE_ROLLED_BIT, Expander
from oddsmith.graph.columns.symbolic import SymbolicRules
from oddsmith.graph.cross_check import refuse_disagreement
from oddsmith.graph.estimate import SizeEstimate, estimate_size, lower_bound_from_single_plays, sample_plays
from oddsmith.graph.index import (
    ChunkedColumn,
    GrowingArray,
    KeyIndex,
    compress_keys,
    merge_transitions,
    to_narrowest_type,
    unique_columns,
)
from oddsmith.graph.reachability import stable_argsort
from oddsmith.graph.reductions.reduce import ReductionOptions, find_reduction
from oddsmith.graph.state_map import TakenActions
from oddsmith.graph.stategraph import StateGraph
from oddsmith.graph.witness import error_with_play
from oddsmith.ruleset import Game, Rules
from oddsmith.ruleset.checking import refuse_expressions_out_of_range

LIMITED_CHUNK = 1 << 11  # states expanded at a time of which only a limited number are
MAX_NEIGHBOURS_PER_STATE = 20  # times as many states as are to be expanded, found beside them, end that
VAST_POSITIONS = 10**16  # positions that there may be, beyond which a shorter look at plays is enough to refuse a game
MAX_STAGED_POSITIONS = 10**13  # positions that there may be, beyond which nobody finds them stage by stage either
LARGE_SAMPLED_POSITIONS = (
    200_000  # positions that a sample shows: games of which it shows as many have over ten million
)
STATES_PER_CHUNK = 1 << 16  # states expanded at a time, so that memory for what is on its way stays bounded
STATES_BEFORE_SAMPLING = 1 << 16  # states that are found before random plays are asked how many there may be
EDGES_BEFORE_SAMPLING = (
    1 << 21
)  # transitions found, at which they are asked too; at once where there may be far too many
FEW_NEW_STATES = 100  # new states of a step: where many steps in a row find no more, the time goes into Python
MEMORY_SHARE = 0.6  # of the machine's memory that may be filled


class _TransitionCollector:
    """The transitions found so far, in columns.

    The transitions of a chunk of states are added block by block. ``merge_chunk`` then sorts them by state and action.

    ``earlier``: an earlier collection, whose numbers of payoffs are kept. A tag is the number of a tuple: (index among
    the state's actions, action, seat shift, event bits, whether the turn ends).
    """

    def __init__(self, earlier: _TransitionCollector | None = None) -> None:
        self.target, self.weight, self.payoff, self.tag = (ChunkedColumn() for _ in range(4))
        self.denominator, self.action, self.per_row, self.per_state = (ChunkedColumn() for _ in range(4))
        self.payoffs: dict[tuple[Fraction, ...], int] = earlier.payoffs if earlier else {}
        self.tags: dict[tuple[int, int, int, int, bool], int] = {}
        self.pending: list[tuple[Whole, Whole, Whole, Whole, int]] = []

    def payoff_index(self, payoff_vector: tuple[Fraction, ...]) -> int:
        """Return the index of a vector of payoffs, one for each seat. A new vector receives the next index."""
        return self.payoffs.setdefault(payoff_vector, len(self.payoffs))

    def add(self, block: PositionBlock, source_rows: Ints, targets: Ints, payoff_indices: Ints) -> None:
        """Add the transitions of one block.

        ``source_rows``: their source states, counted from the first state of the chunk. ``targets``: their target
        states. ``payoff_indices``: the indices of their payoffs.
        """
        tag = (block.action_index, block.action, block.seat_shift, block.marks, block.turn_over)
        assert STATES_PER_CHUNK <= 1 << 16
        number = self.tags.setdefault(tag, len(self.tags))
        narrowed = (
            source_rows.astype(np.uint16),
            targets.astype(np.int32),
            block.weight,
            payoff_indices.astype(np.int32),
        )
        self.pending.append((*narrowed, number))

    def merge_chunk(self) -> None:
        """Sort the transitions of a chunk of states, and merge those that differ only in their weights."""
        counts = [len(part[0]) for part in self.pending]
        row, target, weight, payoff = (np.concatenate([part[i] for part in self.pending]) for i in range(4))
        table = np.array(list(self.tags))
        tag = repeat(to_narrowest_type(np.array([part[4] for part in self.pending])), counts)
        places = int(table[:, 0].max()) + 1
        # Two packings into words of 64 bits make this quick. The upper half of a word is the number of the row in the
        # chunk: the state's number times `places`, plus the index of the action. With the index of the transition in the
        # lower half, plain sorting is stable. With the target + 1 in the lower half, equal neighbours show which rows may
        # hold a transition twice. Both need fewer than 2^31 states, which no memory holds, and row numbers below 2^31. If
        # states have more than 2^15 actions, row numbers can be larger, and their ranks replace them.
        key = row if places == 1 else to_narrowest_type(compress_keys(row.astype(np.int64) * places + table[tag, 0]))
        order = merge_transitions(key, target, weight, payoff, tag, stable_argsort(key))
        row, key, weight, tag = row[order], key[order], weight[order], tag[order]
        rows = np.flatnonzero(np.append(True, key[1:] != key[:-1]))
        for array, values in (
            (self.target, target[order]),
            (self.weight, weight),
            (self.payoff, payoff[order]),
            (self.tag, tag),
            (self.denominator, reduceat(np.add, weight, rows)),
            (self.action, table[tag[rows], 1]),
            (self.per_row, np.diff(np.append(rows, len(key)))),
            (self.per_state, bincount(row[rows])),
        ):
            array.append(values)
        self.pending = []

    @property
    def count(self) -> int:
        """The number of transitions so far, without those of the current chunk."""
        return sum(map(len, self.tag.parts))

    @property
    def memory_bytes(self) -> int:
        """The memory in use, in bytes."""
        return sum(part.bytes for part in vars(self).values() if isinstance(part, ChunkedColumn))


class NextStates(NamedTuple):
    """A block of successors of some positions, with the transitions that lead to them.

    ``keys``: the keys of the successors, shape (words, successors); None if the game is over. ``source``: the index of
    the position before each. ``paid``: the index of each transition's payoff in ``Explorer.payoffs``. ``seat_shift``:
    the number of seats by which the mover moves on. ``marks``: a bit for each watched entry that the transitions pass,
    and ``DICE_ROLLED_BIT`` if dice were rolled. ``rolled_or_drawn``: whether anything was rolled or drawn.
    """

    keys: Ints | None
    source: Ints
    paid: Ints
    seat_shift: int
    marks: int
    rolled_or_drawn: bool


class Explorer:
    """Explores the states of one game under one objective.

    ``watched_entries``: entries whose transitions are marked. ``sharing``: which positions may share a state.
    ``taken``: the only actions to explore, taken from another graph that distinguishes no more states than this one;
    None for all actions. ``allow_secrets``: whether a game with secrets is allowed, although its states do not say who
    knows what. Raises SecretsError for a game with secrets that is not allowed. Raises RulesetError for what ``check``
    finds wrong with the game at its settings, and for a tally that would have to be part of the state.
    """

    def __init__(
        self,
        game: Game,
        objective: str,
        watched_entries: Iterable[tuple[str, str]] = (),
        sharing: ReductionOptions | None = None,
        taken: TakenActions | None = None,
        allow_secrets: bool = False,
    ) -> None:
        if game.ruleset.has_secrets and not allow_secrets:
            raise SecretsError(game.ruleset.id)
        refuse_expressions_out_of_range(game)
        self.taken = taken
        self.game, self.objective, self.rules = game, objective, Rules(game)
        phases = tuple(name for name, phase in game.ruleset.phases.items() if phase.kind != "cases")
        reduction = find_reduction(game, objective, phases, sharing or ReductionOptions())
        self.carried = sorted(reduction.carried)
        self.codec = Codec(game, reduction, phases)
        self.watched = {
            entry: DICE_ROLLED_BIT << number for number, entry in enumerate(dict.fromkeys(watched_entries), 1)
        }
        numbers = taken.within.actions if taken else None
        self.expander = Expander(game, self.codec, SymbolicRules(game, reduction.safe), self.watched, numbers)
        self.edges = _TransitionCollector()
        self.paid: dict[tuple[int, ...], int] = {}
        self.slow = False
        self.edges.payoff_index((Fraction(0),) * game.seats)

    @cached_property
    def estimate(self) -> SizeEstimate:
        """The estimate of the number of states, which is an upper bound."""
        return estimate_size(self.codec)

    def explore(
        self, progress: Progress | None = None, max_states: int | None = None, bytes_per_transition: int = 0
    ) -> tuple[StateGraph, bool]:
        """Return the graph, and whether it has all states that play can reach.

        ``max_states``: if it is given, exploring stops once that many states are expanded, or far more are found.
        ``bytes_per_transition``: the number of bytes that each transition will need later, which the memory must hold
        too.

        Raises PlayError if a rule breaks, with the play that leads there. Raises TooManyStatesError if memory does not
        suffice, or if random plays suggest that it will not; they are asked once many states were found. Raises
        RulesetError for a game that goes on and on; with a ``max_states``, exploring of such a game just stops, and
        ``slow`` is set.
        """
        thin, chunk = 0, STATES_PER_CHUNK if max_states is None else min(STATES_PER_CHUNK, LIMITED_CHUNK)
        index = KeyIndex(self.codec.possible_key_count, self.codec.words_per_key)
        index.add(self.start_key)
        parents = GrowingArray((), np.int32)
        parents.append(np.array([-1]))
        self.index, done, is_size_known = index, 0, max_states is not None
        while done < index.count and (
            max_states is None or (done < max_states and index.count < max_states * MAX_NEIGHBOURS_PER_STATE)
        ):
            if not is_size_known and self._is_sampled_at(index.count):
                self.refuse_too_large()
                is_size_known = True
            end = min(index.count, done + chunk, max_states or index.count)
            try:
                for parent in self._expand(index.keys.filled[:, done:end]):
                    parents.append(parent + done)
            except RuleFailureInBlock as trouble:
                row = done + trouble.row
                raise error_with_play(
                    self.rules, self.codec, index.keys.filled, parents.filled, row, self.objective
                ) from None
            self.edges.merge_chunk()
            thin += end - done < FEW_NEW_STATES
            done = end
            self.slow = thin > limits().steps and self.estimate.upper_bound > limits().states
            if self.slow:
                if max_states is None:
                    raise RulesetError([self.endless_looking_problem()], self.game.ruleset.source)
                break
            if (
                self.edges.memory_bytes + index.keys.array.nbytes + bytes_per_transition * self.edges.count
                > MEMORY_SHARE * memory_size()
            ):
                raise TooManyStatesError(self.too_many_positions_message(index.count))
            if progress:
                progress("exploring", done, index.count)
        whole, graph = done == index.count, self._make_graph(index.keys.filled[:, :done], parents.filled[:done])
        graph.target[graph.target >= done] = -1  # beyond the limit of a sample
        if whole:
            refuse_disagreement(graph, has_all_actions=self.taken is None)
        return graph, whole

    def _is_sampled_at(self, state_count: int) -> bool:
        """Return whether random plays are asked how many states there may be, once ``state_count`` states were found."""
        if self.estimate.upper_bound > MAX_STAGED_POSITIONS:
            return True
        return state_count > STATES_BEFORE_SAMPLING or self.edges.count > EDGES_BEFORE_SAMPLING

    def graph_of_states(self, keys: Ints) -> tuple[StateGraph, Ints]:
        """Return a graph that has only the given states, and the keys of their successors outside it.

        The successors are numbered after the given states.

        ``keys``: the keys of the states, all different, shape (words, states). Raises RuleFailureInBlock if a rule
        breaks.
        """
        self.edges, self.index = (
            _TransitionCollector(self.edges),
            KeyIndex(self.codec.possible_key_count, self.codec.words_per_key),
        )
        self.index.add(keys)
        count = keys.shape[1]
        for first in range(0, count, STATES_PER_CHUNK):
            for _ in self._expand(keys[:, first : first + STATES_PER_CHUNK]):
                pass
            self.edges.merge_chunk()
        return self._make_graph(keys, np.full(count, -1, dtype=np.int64)), self.index.keys.filled[:, count:]

    def successors(self, keys: Ints) -> Iterator[NextStates]:
        """Yield the successors of some states, block by block.

        ``keys``: shape (words, states). Raises RuleFailureInBlock if a rule breaks.
        """
        for block, source in self._successor_blocks(keys):
            after = block.keys(self.codec.phases.index(block.phase)) if block.phase else None
            yield NextStates(
                after, source, self.payoff_indices(block), block.seat_shift, block.marks, block.rolled_or_drawn
            )

    @property
    def payoffs(self) -> tuple[tuple[tuple[int, ...], ...], int]:
        """A pair: the payoff vectors met so far, and ``scale``. The vectors are in order of their indices, in units of
        ``1 / scale``.
        """
        scale = lcm(*(value.denominator for values in self.edges.payoffs for value in values))
        return tuple(tuple(int(value * scale) for value in values) for values in self.edges.payoffs), scale

    @cached_property
    def start_key(self) -> Ints:
        """The key of the first state, shape (words, 1)."""
        start = self.codec.key(self.codec.canonical_state(self.rules.start()))
        assert start is not None
        return start.reshape(-1, 1)

    def too_many_positions_message(self, count: int, memory_text: str = "this machine's memory") -> str:
        """Return the message for a game whose first ``count`` positions already fill the memory.

        ``memory_text``: the memory in words.
        """
        worst = self.estimate.worst
        return (
            f"{self.game.ruleset.id} with {plural(self.game.seats, 'seat')} needs more than {memory_text} when it is played "
            f"for {self.objective}: {count:,} positions were found, and there are more. {worst} multiplies them most (it can "
            f"have up to {self.estimate.value_counts[worst]:,} values): try fewer seats, smaller parameters, or another "
            "objective"
        )

    def exceeds_limits(self, staged: bool = False) -> bool:
        """Return whether the game is probably too large to explore.

        This is so if the upper bound on its states exceeds the limit, and random plays suggest more than
        ``sampled_states_limit`` states. ``staged``: whether to take the higher limit of games that are solved stage by
        stage.
        """
        return (
            self.estimate.upper_bound > max(limits().states, MAX_STAGED_POSITIONS * staged)
            and self.sampled_lower_bound > self.sampled_states_limit
        )

    @property
    def sampled_states_limit(self) -> int:
        """The largest number of states that random plays may suggest for a game whose upper bound is over the limit.
        Beyond it, the game is too large.
        """
        return limits().states // (10 if self.estimate.upper_bound > VAST_POSITIONS else 1)

    def refuse_too_large(self, staged: bool = False) -> None:
        """Raise TooManyStatesError for a game that is probably too large to explore.

        ``staged``: as for ``exceeds_limits``.
        """
        if self.exceeds_limits(staged):
            hopeless = self.exceeds_limits(staged=True)
            hint = (
                self.estimate.smaller_hint
                if hopeless
                else f"{self.estimate.smaller_hint}, {hint_to_raise_limit('states')}"
            )
            raise TooManyStatesError(
                f"{self._too_large_sentence('is too large')}: {hint}", may_be_solved_by_stages=not hopeless
            )

    def _too_large_sentence(self, predicate: str) -> str:
        """Return the sentence that says that the game is too large. ``predicate``: its predicate, such as ``is too
        large``.
        """
        name = f"{self.game.ruleset.id} with {plural(self.game.seats, 'seat')}"
        return f"{name} {predicate}: {self.estimate.too_large_message(self.sampled_lower_bound)}"

    def endless_looking_problem(self, severity: Severity = "error") -> Problem:
        """Return the problem of a game whose exploration goes on and on, with few new states at each step."""
        size, rules = self.estimate, self.game.ruleset
        message = (
            f"{rules.id} goes on and on: after {limits().steps:,} rolls and choices in a row there are still new positions, "
            f"{self.index.count:,} so far, of {size}. {size.worst} multiplies them most"
        )
        hint = f"let {size.worst} have fewer values, {hint_to_raise_limit('steps')}"
        return Problem("OD433", rules.state[size.worst].location, message, hint, severity)

    def too_large_warning(self) -> Problem | None:
        """Return the warning for a game that is perhaps too large: its upper bound is high, and random plays rarely
        reach the same state. Return None for other games.
        """
        size, rules = self.estimate, self.game.ruleset
        if size.upper_bound <= limits().states or self.sampled_lower_bound < LARGE_SAMPLED_POSITIONS:
            return None
        message, where = self._too_large_sentence("is perhaps too large to solve"), rules.state[size.worst].location
        return Problem("OD434", where, message, size.smaller_hint, "warning")

    @cached_property
    def sampled_lower_bound(self) -> int:
        """A lower bound on the number of states, suggested by random plays and not proved."""

        def successors(keys: Ints) -> Iterable[tuple[Ints, Ints]]:
            for block, source in self._successor_blocks(keys):  # nothing is asked of payoffs
                if block.phase:
                    yield block.keys(self.codec.phases.index(block.phase)), source

        try:
            found = sample_plays(self.start_key[:, 0], successors, self.sampled_states_limit)
        except RuleFailureInBlock:
            return 1  # exploring says how play gets there
        if found is None:
            return lower_bound_from_single_plays(self.rules, self.codec, self.sampled_states_limit)
        values = self.codec.decode(found.keys)[0]
        return found.extrapolated_bound(
            max(
                (
                    float(np.ptp(values[where])) / (cell.most - cell.least)
                    for where, cell in enumerate(self.game.cells)
                    if cell.variable.name == self.estimate.worst and cell.most > cell.least
                ),
                default=1.0,
            )
        )

    def _expand(self, keys: Ints) -> Iterable[Ints]:
        """Add the transitions from some states. Yield, for each block of successors, the index in ``keys`` of the
        parent of each new state.
        """
        return (self._add_successors(block, source) for block, source in self._successor_blocks(keys))

    def _successor_blocks(self, keys: Ints) -> Iterable[tuple[PositionBlock, Ints]]:
        """Yield the successors of states in blocks.

        Each is a pair: the block, and the index in ``keys`` of the source of each position.
        """
        cells, phase, out = self.codec.decode(keys)
        taken = self.taken.actions[self.taken.within.state_indices(self.codec, keys)].T if self.taken else None
        group = phase * (1 << self.game.seats) + out
        for number in np.unique(group).tolist():
            rows = np.flatnonzero(group == number)
            name = self.codec.phases[number >> self.game.seats]
            base = SourceStates(self.codec, cells[:, rows], None if taken is None else taken[:, rows])
            weight, gone = np.ones(len(rows), dtype=np.int64), number & ((1 << self.game.seats) - 1)
            block = PositionBlock(name, gone, base, None, tuple(range(len(cells))), {}, weight)
            try:
                for arrived in self.expander.expand(block):
                    yield arrived, rows[arrived.sources]
            except RuleFailureInBlock as trouble:
                raise RuleFailureInBlock(int(rows[trouble.row])) from None

    def _add_successors(self, block: PositionBlock, source_indices: Ints) -> Ints:
        """Add the transitions to a block of successors. Return, for each new state, the index of its source.

        ``source_indices``: the index of the source of each successor. If the block is at the end of the game, no state
        is new.
        """
        if not block.phase:
            self.edges.add(
                block, source_indices, np.full(block.count, -1, dtype=np.int64), self._final_payoff_indices(block)
            )
            return source_indices[:0]
        target, fresh = self.index.add(block.keys(self.codec.phases.index(block.phase)))
        self.edges.add(block, source_indices, target, self._carried_payoff_indices(block))
        return source_indices[fresh]

    # --- payoffs, seats counted from the mover of the source

    def payoff_indices(self, block: PositionBlock) -> Ints:
        """Return the index in ``payoffs`` of the payoff of each transition of a block."""
        return self._carried_payoff_indices(block) if block.phase else self._final_payoff_indices(block)

    def _carried_payoff_indices(self, block: PositionBlock) -> Ints:
        """Return for each position the index of the payoff vector that its changes of carried cells give."""
        touched = [where for where in self.carried if where in block.new]
        if not touched:
            return np.zeros(block.count, dtype=np.int64)
        columns, inverse = unique_columns(np.array([block.cell_column(where) for where in touched]))
        numbers = []
        for column in columns.T.tolist():
            grown = dict(zip(touched, column, strict=True))
            worth = (self.codec.reduction.unit_payoffs[where] for where in grown)
            paid = (sum(map(mul, seat, grown.values()), Fraction(0)) for seat in zip(*worth, strict=True))
            numbers.append(self.edges.payoff_index(self._payoffs_from_source_mover(tuple(paid), block.seat_shift)))
        return np.array(numbers, dtype=np.int64)[inverse]

    def _final_payoff_indices(self, block: PositionBlock) -> Ints:
        """Return for each position at an end of the game the index of its payoff vector."""
        columns, inverse = unique_columns(
            np.array([block.cell_column(where) for where in self._payoff_cells]).reshape(-1, block.count)
        )
        numbers = []
        for place, column in enumerate(columns.T.tolist()):
            key = (block.out, block.seat_shift, *column)
            if key not in self.paid:
                try:
                    paid = self._payoffs_at_end(column, block.out)
                except RuleFailure:
                    raise RuleFailureInBlock(int(block.sources[np.argmax(inverse == place)])) from None
                self.paid[key] = self.edges.payoff_index(self._payoffs_from_source_mover(paid, block.seat_shift))
            numbers.append(self.paid[key])
        return np.array(numbers, dtype=np.int64)[inverse]

    @cached_property
    def _payoff_cells(self) -> list[int]:
        """The cells that the payoffs of the objective read."""
        names = variables_in(self.game.ruleset.payoffs[self.objective].value)
        return [where for name in names for where in self.game.cell_indices_of(name)]

    def _payoffs_at_end(self, cell_codes: list[int], out_mask: int) -> tuple[Fraction, ...]:
        """Return the payoff of every seat at an end of the game.

        ``cell_codes``: the codes of the cells that payoffs read. ``out_mask``: the seats that are out, as bits.
        """
        cells = list(self.game.start)
        for where, code in zip(self._payoff_cells, cell_codes, strict=True):
            value = self.codec.decode_value(where, code)
            cells[where] = value + self.game.start[where] if where in self.codec.carried else value
        context = self.game.context(cells, 0, out_mask)
        paid = []
        for seat in range(self.game.seats):
            context.seat = seat
            paid.append(Fraction(self.rules.pay[self.objective](context)))
        return tuple(paid)

    def _payoffs_from_source_mover(self, payoffs: tuple[Fraction, ...], seat_shift: int) -> tuple[Fraction, ...]:
        """Return payoffs with seats counted from the mover of the source state.

        ``payoffs``: the payoffs, counted from the next mover, ``seat_shift`` seats after the mover of the source.
        """
        return tuple(payoffs[(seat - seat_shift) % len(payoffs)] for seat in range(len(payoffs)))

    # --- the graph

    def _make_graph(self, keys: Ints, parents: NDArray[Any]) -> StateGraph:
        """Return the graph of the transitions found.

        ``keys``: the keys of its states. ``parents``: the state from which each was first found, or -1.
        """
        edges = self.edges
        target = edges.target.join().astype(np.int32, copy=False)
        return StateGraph(
            self.game, self.objective, self.codec, keys, _range_offsets(edges.per_state), edges.action.join(),
            _range_offsets(edges.per_row), edges.denominator.join().astype(np.int64), target, edges.weight.join(),
            edges.payoff.join(), edges.tag.join(),
            tuple((seat_shift, marks, over) for _, _, seat_shift, marks, over in edges.tags), *self.payoffs,
            tuple(self.expander.actions), parents, self.watched, self.rules.start().mover,
        )  # fmt: skip


def _range_offsets(counts: ChunkedColumn) -> Ints:
    """Return the index at which each of several consecutive ranges begins, and the end of the last one.

    ``counts``: their lengths.
    """
    return np.concatenate([[0], np.cumsum(counts.join(), dtype=np.int64)])
