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
    number of states of each stage. ``entered``: the number of states that play enters from other stages; they are the
    first ones. ``steps``: the number of transitions of each stage, where equal transitions of one roll count
    separately. ``furthest``: the last stage to which each stage leads. ``largest``: the size of the largest component
    of each stage; ``circling``: the number of its states on cycles. ``paid``, ``ends``: the numbers of the payoffs that
    are paid before the end and at the end. ``table``: the number of bytes that are in use in a table of all possible
    keys. ``entries_only``: whether ``keys`` has only the states that are entered.
    """

    keys: dict[int, Ints] = field(default_factory=dict)
    sizes: dict[int, int] = field(default_factory=dict)
    entered: dict[int, int] = field(default_factory=dict)
    steps: dict[int, int] = field(default_factory=dict)
    furthest: dict[int, int] = field(default_factory=dict)
    largest: dict[int, int] = field(default_factory=dict)
    circling: dict[int, int] = field(default_factory=dict)
    paid: set[int] = field(default_factory=set)
    ends: set[int] = field(default_factory=set)
    table: int = 0
    entries_only: bool = False

    @property
    def states(self) -> int:
        """The number of states."""
        return sum(self.sizes.values())

    @property
    def stored_states(self) -> int:
        """The number of states whose keys and values are stored."""
        return sum(self.entered.values()) if self.entries_only else self.states

    def store_keys(self, stage: int, keys: Ints) -> None:
        """Store the keys of a stage. In a large game store only those of entered states, if these are fewer than half."""
        if not self.entries_only and self.states > MAX_STATES_KEPT and 2 * sum(self.entered.values()) < self.states:
            self.entries_only = True
            self.keys = {each: held[:, : self.entered[each]].copy() for each, held in self.keys.items()}
        self.keys[stage] = (keys[:, : self.entered[stage]] if self.entries_only else keys).copy()


def explore_stages(
    explorer: Explorer, stages: StageMap, progress: Progress, memory: int | None = None
) -> ExploredStages:
    """Explore every reachable state, stage by stage.

    This checks the order of stages at every transition; it does not rely on the proof from the rules alone. Raises
    PlayError if a rule fails, DisagreementError if play would return to an earlier stage, and TooManyStatesError if the
    states alone fill ``memory``, in bytes.
    """
    found, done, room = ExploredStages(), 0, machine() if memory is None else memory
    open_: dict[int, KeyIndex] = {}
    shared_table = KeyIndex(explorer.codec.possible_key_count, explorer.codec.words_per_key)
    index_by_stage(open_, stages, explorer, explorer.start, 0, shared_table)
    left = 1
    filled = np.zeros(0 if shared_table.table is None else len(shared_table.table) // ENTRIES_PER_PAGE + 1, dtype=bool)
    while open_:
        now = min(open_)
        index, first, ways, within = open_[now], 0, 0, GrowingArray((2,), np.int32)
        found.entered[now] = index.count
        while first < index.count:
            some = index.keys.filled[:, first : first + STATES_PER_CHUNK]
            with report_rule_failures(explorer, some):
                for each in explorer.successors(some):
                    ways += len(each.source)
                    (found.ends if each.keys is None else found.paid).update(unique(each.paid).tolist())
                    if each.keys is not None:
                        reached, own, target, new = index_by_stage(
                            open_, stages, explorer, each.keys, now, shared_table
                        )
                        left += new
                        found.furthest[now] = max(found.furthest.get(now, now), reached)
                        within.append(np.stack([first + each.source[own], target]))
            first += some.shape[1]
            progress(EXPLORING, done + first, done + left)
            count = left + (found.stored_states if found.entries_only else done)
            if (
                count * BYTES_PER_KEY_WORD * len(explorer.start)
                + within.count * BYTES_PER_INNER_TRANSITION
                + found.table
                > room
            ):
                raise TooManyStatesError(explorer.too_many_message(done + left, size_text(room)))
        found.sizes[now], found.steps[now] = index.count, ways
        found.store_keys(now, open_.pop(now).keys.filled)
        found.largest[now], found.circling[now] = strong_component_sizes(index.count, *within.filled)
        done, left = done + index.count, left - index.count
        if len(filled):
            filled[index.keys.filled[0] // ENTRIES_PER_PAGE] = True
            found.table = int(np.count_nonzero(filled)) * ENTRIES_PER_PAGE * 4
    return found


def memory_of_workers(jobs: int) -> int:
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


def index_by_stage(
    open_: dict[int, KeyIndex],
    stages: StageMap,
    explorer: Explorer,
    keys: Ints,
    now: int,
    shared_table: KeyIndex | None = None,
) -> tuple[int, Ints, Ints, int]:
    """Add keys to the key indices of their stages, none of which comes before ``now``.

    Returns four things: the last of these stages, the indices of the keys of stage ``now`` among the given keys, their
    numbers in that stage, and the number of keys that are new, in all stages together. ``shared_table``: an index whose
    table all key indices may share, provided that no index is asked for keys of another stage.
    """
    stage = stages.of(keys)
    if stage.min() < now:
        raise DisagreementError(f"play goes back to a stage before ({stages})")
    own, new = arange(0), 0
    numbers = own
    for each in unique(stage).tolist():
        if each not in open_:
            open_[each] = KeyIndex(explorer.codec.possible_key_count, explorer.codec.words_per_key, shared_table)
        here, before = np.flatnonzero(stage == each), open_[each].count
        given = open_[each].add(keys[:, here])[0]
        new += open_[each].count - before
        if each == now:
            own, numbers = here, given
    return int(stage.max()), own, numbers, new


def keys_within_stage(explorer: Explorer, stages: StageMap, entries: Ints) -> tuple[Ints, Ints]:
    """Return the keys of all states of a stage that play reaches from the states ``entries``, which come first.

    Returns also the keys of the states of later stages that follow these states.
    """
    index, outside, first = KeyIndex.of(entries), KeyIndex.of(entries[:, :0]), 0
    stage = int(stages.of(entries[:, :1])[0])
    while first < index.count:
        some = index.keys.filled[:, first : first + STATES_PER_CHUNK]
        first += some.shape[1]
        for each in explorer.successors(some):
            if each.keys is not None:
                own = stages.of(each.keys) == stage
                index.add(each.keys[:, own])
                outside.add(each.keys[:, ~own])
    return index.keys.filled, outside.keys.filled


def constant_payoff_sum(explorer: Explorer, paid: Iterable[int], ends: Iterable[int]) -> Fraction | None:
    """Return the sum over all seats of the payoffs of a play, if it is the same for all plays; else None.

    ``paid``, ``ends``: the numbers of the payoffs before the end and at the end. The result is a number if all payoffs
    at the end have the same sum over the seats, and all other payoffs have the sum 0.
    """
    sums = {number: sum(paid, Fraction(0)) for paid, number in explorer.edges.payoffs.items()}
    found = {sums[number] for number in ends}
    return None if len(found) != 1 or any(sums[number] for number in paid) else found.pop()


class _PaidBefore:
    """For each state of a stage, the sum of the payoffs to all seats before it, in whole units."""

    def __init__(self, keys: Ints, kind: np.dtype[Any]) -> None:
        self.index, self.fresh = KeyIndex.of(keys), list[Ints]()
        self.paid, self.met = np.zeros(self.index.count, dtype=kind), np.zeros(self.index.count, dtype=bool)

    def record_and_check_equal(self, keys: Ints, paid: Ints) -> bool:
        """Record the sums paid before the states with the given keys.

        Returns whether each of these states has the same sum on all paths recorded so far.
        """
        place = self.index.find(keys)
        new = unique(place[~self.met[place]])
        self.paid[place[~self.met[place]]] = paid[~self.met[place]]
        self.met[new] = True
        self.fresh.append(new)
        return bool((self.paid[place] == paid).all())


def remaining_sum_is_constant(explorer: Explorer, stages: StageMap, found: ExploredStages) -> bool:
    """Return whether the state alone determines the sum over all seats of the payoffs that remain.

    It does if all paths to a state pay the same sum, and all complete plays pay the same sum. The remaining sum is the
    difference of these two.
    """
    sums = payoff_sums(explorer.payoffs[0], found.states)
    if found.entries_only:
        found.keys = {stage: keys_within_stage(explorer, stages, keys)[0] for stage, keys in found.keys.items()}
    begin = int(stages.of(explorer.start)[0])
    open_ = {begin: _PaidBefore(found.keys[begin], sums.dtype)}
    open_[begin].record_and_check_equal(explorer.start, np.zeros(1, dtype=sums.dtype))
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
                    stage = stages.of(each.keys)
                    for then in unique(stage).tolist():
                        if then not in open_:
                            open_[then] = _PaidBefore(found.keys[then], sums.dtype)
                        if not open_[then].record_and_check_equal(each.keys[:, stage == then], paid[stage == then]):
                            return False
        del open_[now]
    return len(ended) == 1
