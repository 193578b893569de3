"""Exploring the stages of a game forward. Every reachable state is stored by its key alone, without its transitions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import numpy as np

from oddsmith.base.arrays import Ints, arange
from oddsmith.base.errors import DisagreementError, PlayError, TooManyStatesError
from oddsmith.base.progress import Progress
from oddsmith.base.systems import memory_size as machine
from oddsmith.base.systems import size_text
from oddsmith.graph import Explorer, GrowingArray, KeyIndex, describe, payoff_sums, steps_in_words, unique
from oddsmith.graph.columns import RuleFailureInBlock
from oddsmith.solve.arenas.arena import strong_component_sizes
from oddsmith.solve.staged.find import StageMap

STATES_PER_CHUNK = 1 << 16  # states expanded at a time
PROGRAM_BYTES = 110_000_000  # bytes of the program itself
BYTES_PER_KEY_WORD = 30  # bytes that a word of a state's key takes at the most, while states are found
BYTES_PER_INNER_TRANSITION = 40
"""Bytes that a transition within its stage takes, until it is known which states come back to one another."""
ENTRIES_PER_PAGE = 1 << 19  # entries of a table that a system fills at a time: NumPy asks for pages of 2 MB
MAX_STATES_KEPT = 4 << 20  # states up to which all of them are kept, and not only those that enter a stage
EXPLORING = "exploring"  # what progress calls it


@dataclass
class ExploredStages:
    """The states of every stage, and the payoffs.

    ``keys``: the keys of each stage, shape (words, states), in the order in which they were found. ``sizes``: the
    number of states of each stage. ``entered_counts``: the number of states that play enters from other stages; they
    are the first ones. ``transition_counts``: the number of transitions of each stage, where equal transitions of one
    roll count separately. ``last_stages_reached``: the last stage to which each stage leads.
    ``largest_component_sizes``: the size of the largest component of each stage; ``cyclic_state_counts``: the number of
    its states on cycles. ``interim_payoff_indices``, ``final_payoff_indices``: the numbers of the payoffs that are paid
    before the end and at the end. ``table_bytes``: the number of bytes that are in use in a table of all possible keys.
    ``has_only_entered_keys``: whether ``keys`` has only the states that are entered.
    """

    keys: dict[int, Ints] = field(default_factory=dict)
    sizes: dict[int, int] = field(default_factory=dict)
    entered_counts: dict[int, int] = field(default_factory=dict)
    transition_counts: dict[int, int] = field(default_factory=dict)
    last_stages_reached: dict[int, int] = field(default_factory=dict)
    largest_component_sizes: dict[int, int] = field(default_factory=dict)
    cyclic_state_counts: dict[int, int] = field(default_factory=dict)
    interim_payoff_indices: set[int] = field(default_factory=set)
    final_payoff_indices: set[int] = field(default_factory=set)
    table_bytes: int = 0
    has_only_entered_keys: bool = False

    @property
    def states(self) -> int:
        """The number of states."""
        return sum(self.sizes.values())

    @property
    def stored_states(self) -> int:
        """The number of states whose keys and values are stored."""
        return sum(self.entered_counts.values()) if self.has_only_entered_keys else self.states

    def store_keys(self, stage: int, keys: Ints) -> None:
        """Store the keys of a stage. In a large game store only those of entered states, if these are fewer than half."""
        if (
            not self.has_only_entered_keys
            and self.states > MAX_STATES_KEPT
            and 2 * sum(self.entered_counts.values()) < self.states
        ):
            self.has_only_entered_keys = True
            self.keys = {each: held[:, : self.entered_counts[each]].copy() for each, held in self.keys.items()}
        self.keys[stage] = (keys[:, : self.entered_counts[stage]] if self.has_only_entered_keys else keys).copy()


def explore_stages(
    explorer: Explorer, stages: StageMap, progress: Progress, memory_bytes: int | None = None
) -> ExploredStages:
    """Explore every reachable state, stage by stage.

    This checks the order of stages at every transition; it does not rely on the proof from the rules alone. Raises
    PlayError if a rule fails, DisagreementError if play would return to an earlier stage, and TooManyStatesError if the
    states alone fill ``memory_bytes``, in bytes.
    """
    found, done, room = ExploredStages(), 0, machine() if memory_bytes is None else memory_bytes
    open_: dict[int, KeyIndex] = {}
    shared_table = KeyIndex(explorer.codec.possible_key_count, explorer.codec.words_per_key)
    add_keys_by_stage(open_, stages, explorer, explorer.start_key, 0, shared_table)
    left = 1
    filled = np.zeros(0 if shared_table.table is None else len(shared_table.table) // ENTRIES_PER_PAGE + 1, dtype=bool)
    while open_:
        now = min(open_)
        index, first, ways, within = open_[now], 0, 0, GrowingArray((2,), np.int32)
        found.entered_counts[now] = index.count
        while first < index.count:
            some = index.keys.filled[:, first : first + STATES_PER_CHUNK]
            with report_rule_failures(explorer, some):
                for each in explorer.successors(some):
                    ways += len(each.source)
                    (found.final_payoff_indices if each.keys is None else found.interim_payoff_indices).update(
                        unique(each.paid).tolist()
                    )
                    if each.keys is not None:
                        reached, own, target, new = add_keys_by_stage(
                            open_, stages, explorer, each.keys, now, shared_table
                        )
                        left += new
                        found.last_stages_reached[now] = max(found.last_stages_reached.get(now, now), reached)
                        within.append(np.stack([first + each.source[own], target]))
            first += some.shape[1]
            progress(EXPLORING, done + first, done + left)
            count = left + (found.stored_states if found.has_only_entered_keys else done)
            if (
                count * BYTES_PER_KEY_WORD * len(explorer.start_key)
                + within.count * BYTES_PER_INNER_TRANSITION
                + found.table_bytes
                > room
            ):
                raise TooManyStatesError(explorer.too_many_positions_message(done + left, size_text(room)))
        found.sizes[now], found.transition_counts[now] = index.count, ways
        found.store_keys(now, open_.pop(now).keys.filled)
        found.largest_component_sizes[now], found.cyclic_state_counts[now] = strong_component_sizes(
            index.count, *within.filled
        )
        done, left = done + index.count, left - index.count
        if len(filled):
            filled[index.keys.filled[0] // ENTRIES_PER_PAGE] = True
            found.table_bytes = int(np.count_nonzero(filled)) * ENTRIES_PER_PAGE * 4
    return found


def worker_memory_bytes(jobs: int) -> int:
    """Return the bytes that the worker processes take, for ``jobs`` of them; 0 for one job, which needs no further
    process.
    """
    return PROGRAM_BYTES * jobs if jobs > 1 else 0


@contextmanager
def report_rule_failures(explorer: Explorer, keys: Ints) -> Iterator[None]:
    """Within this context, in which the states with the given keys are explored, report the failure of a rule as
    PlayError.
    """
    try:
        yield
    except RuleFailureInBlock as trouble:
        state = explorer.codec.state(keys[:, trouble.row])
        try:
            for _ in steps_in_words(explorer.rules, state):
                pass  # raises where a rule breaks
        except PlayError as error:
            # How play comes there is not kept.
            error.play = (f"play comes to {describe(explorer, state)}", *error.play)
            raise
        raise DisagreementError("a rule breaks in columns, and not for the position alone") from None


def add_keys_by_stage(
    key_indexes: dict[int, KeyIndex],
    stages: StageMap,
    explorer: Explorer,
    keys: Ints,
    current_stage: int,
    shared_table: KeyIndex | None = None,
) -> tuple[int, Ints, Ints, int]:
    """Add keys to the key indices of their stages, none of which comes before ``current_stage``.

    Returns four things: the last of these stages, the indices of the keys of stage ``current_stage`` among the given
    keys, their numbers in that stage, and the number of keys that are new, in all stages together. ``shared_table``: an
    index whose table all key indices may share, provided that no index is asked for keys of another stage.
    """
    stage = stages.stages_of(keys)
    if stage.min() < current_stage:
        raise DisagreementError(f"play goes back to a stage before ({stages})")
    own, new = arange(0), 0
    numbers = own
    for each in unique(stage).tolist():
        if each not in key_indexes:
            key_indexes[each] = KeyIndex(explorer.codec.possible_key_count, explorer.codec.words_per_key, shared_table)
        here, before = np.flatnonzero(stage == each), key_indexes[each].count
        given = key_indexes[each].add(keys[:, here])[0]
        new += key_indexes[each].count - before
        if each == current_stage:
            own, numbers = here, given
    return int(stage.max()), own, numbers, new


def keys_within_stage(explorer: Explorer, stages: StageMap, entered_keys: Ints) -> tuple[Ints, Ints]:
    """Return the keys of all states of a stage that play reaches from the states ``entered_keys``, which come first.

    Returns also the keys of the states of later stages that follow these states.
    """
    index, outside, first = KeyIndex.of(entered_keys), KeyIndex.of(entered_keys[:, :0]), 0
    stage = int(stages.stages_of(entered_keys[:, :1])[0])
    while first < index.count:
        some = index.keys.filled[:, first : first + STATES_PER_CHUNK]
        first += some.shape[1]
        for each in explorer.successors(some):
            if each.keys is not None:
                own = stages.stages_of(each.keys) == stage
                index.add(each.keys[:, own])
                outside.add(each.keys[:, ~own])
    return index.keys.filled, outside.keys.filled


def constant_payoff_sum(
    explorer: Explorer, interim_payoff_indices: Iterable[int], final_payoff_indices: Iterable[int]
) -> Fraction | None:
    """Return the sum over all seats of the payoffs of a play, if it is the same for all plays; else None.

    ``interim_payoff_indices``, ``final_payoff_indices``: the numbers of the payoffs before the end and at the end. The
    result is a number if all payoffs at the end have the same sum over the seats, and all other payoffs have the sum 0.
    """
    sums = {
        number: sum(interim_payoff_indices, Fraction(0))
        for interim_payoff_indices, number in explorer.edges.payoffs.items()
    }
    found = {sums[number] for number in final_payoff_indices}
    return None if len(found) != 1 or any(sums[number] for number in interim_payoff_indices) else found.pop()


class _SumsPaidBefore:
    """For each state of a stage, the sum of the payoffs to all seats before it, in whole units."""

    def __init__(self, keys: Ints, dtype: np.dtype[Any]) -> None:
        self.index, self.fresh = KeyIndex.of(keys), list[Ints]()
        self.paid, self.met = np.zeros(self.index.count, dtype=dtype), np.zeros(self.index.count, dtype=bool)

    def record_and_check_equal(self, keys: Ints, paid_sums: Ints) -> bool:
        """Record the sums paid before the states with the given keys.

        Returns whether each of these states has the same sum on all paths recorded so far.
        """
        place = self.index.find(keys)
        new = unique(place[~self.met[place]])
        self.paid[place[~self.met[place]]] = paid_sums[~self.met[place]]
        self.met[new] = True
        self.fresh.append(new)
        return bool((self.paid[place] == paid_sums).all())


def remaining_sum_is_constant(explorer: Explorer, stages: StageMap, explored: ExploredStages) -> bool:
    """Return whether the state alone determines the sum over all seats of the payoffs that remain.

    It does if all paths to a state pay the same sum, and all complete plays pay the same sum. The remaining sum is the
    difference of these two.
    """
    sums = payoff_sums(explorer.payoffs[0], explored.states)
    if explored.has_only_entered_keys:
        explored.keys = {stage: keys_within_stage(explorer, stages, keys)[0] for stage, keys in explored.keys.items()}
    begin = int(stages.stages_of(explorer.start_key)[0])
    open_ = {begin: _SumsPaidBefore(explored.keys[begin], sums.dtype)}
    open_[begin].record_and_check_equal(explorer.start_key, np.zeros(1, dtype=sums.dtype))
    ended = set[int]()
    while open_:
        here = open_[now := min(open_)]
        while here.fresh:
            states = here.fresh.pop()
            for first in range(0, len(states), STATES_PER_CHUNK):
                some = states[first : first + STATES_PER_CHUNK]
                for each in explorer.successors(here.index.keys.filled[:, some]):
                    paid = here.paid[some[each.source]] + sums[each.paid]
                    if each.keys is None:
                        ended.update(unique(paid).tolist())
                        continue
                    stage = stages.stages_of(each.keys)
                    for then in unique(stage).tolist():
                        if then not in open_:
                            open_[then] = _SumsPaidBefore(explored.keys[then], sums.dtype)
                        if not open_[then].record_and_check_equal(each.keys[:, stage == then], paid[stage == then]):
                            return False
        del open_[now]
    return len(ended) == 1
