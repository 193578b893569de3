"""A policy on a graph: on the graph of its solution, or on the graph of another payoff, which may distinguish more
states.

The policy is that of the solution in either case. Each state of the finer graph takes the action of the state that
stands for it in the solution's graph. There is exactly one such state, because the finer graph distinguishes all states
that the solution's graph does.

An entry can be split in two by a condition, so that a question counts the entry only at times when the condition holds.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from math import lcm
from typing import Any, Self

import numpy as np

from oddsmith.base.arrays import Ints, Mask, arange, cumsum, reduceat
from oddsmith.base.errors import MeasureError, TooManyStatesError
from oddsmith.expr import FLAG, Expr
from oddsmith.graph import Explorer, StateGraph, StateMap, TakenActions, reachable_mask
from oddsmith.graph.columns import DICE_ROLLED_BIT, Reduction
from oddsmith.graph.reductions import ReductionOptions
from oddsmith.ruleset.model import Payoff, Ruleset
from oddsmith.solve.arenas.arena import Arena
from oddsmith.solve.questions.mass_flow import NOWHERE, MarkovChain
from oddsmith.solve.solution import Solution
from oddsmith.solve.values.mixing import Mixture, mixed_rows

MAX_RAISED = 200_000_000  # transitions looked at, until a sum that falls is not made to rise


@dataclass(frozen=True)
class SplitEntry:
    """A ruleset in which one entry is split in two, and which plays like the original.

    ``original_option_indices``: a map from the phase and the index of the second part of a split option to the index of
    its first part; empty if the entry is no option.
    """

    ruleset: Ruleset
    original_option_indices: Mapping[tuple[str, int], int]


def split_entry(ruleset: Ruleset, phase_and_entry: tuple[str, str], condition: Expr) -> SplitEntry:
    """Split an entry in two: one part keeps its name and applies if the condition holds, the other part has no name.

    ``phase_and_entry``: the phase and the name of the entry; ``condition``: the condition. In rolls and cases the first
    entry that applies is taken, so the other part follows at once. Options are identified by their indices, so the
    other part of an option comes last.
    """
    phase = ruleset.phases[phase_and_entry[0]]
    place = next(place for place, entry in enumerate(phase.entries) if entry.name == phase_and_entry[1])
    entry = phase.entries[place]
    both = replace(entry, when=Expr("and", FLAG, (entry.when, condition), span=condition.span))
    before, after = phase.entries[:place], phase.entries[place + 1 :]
    if phase.kind == "choose":
        other = Expr(
            "and", FLAG, (entry.when, Expr("not", FLAG, (condition,), span=condition.span)), span=condition.span
        )
        entries = (*before, both, *after, replace(entry, name="", when=other))
        again = {(phase.name, len(phase.entries)): place}
    else:
        entries, again = (*before, both, replace(entry, name=""), *after), {}
    return SplitEntry(replace(ruleset, phases={**ruleset.phases, phase.name: replace(phase, entries=entries)}), again)


class Play(ABC):
    """Play under a policy, as a Markov chain with questions about its transitions."""

    @property
    @abstractmethod
    def seats(self) -> int:
        """The number of seats."""

    @property
    @abstractmethod
    def turn_end_mask(self) -> Mask:
        """The mask of transitions that end a turn."""

    @property
    @abstractmethod
    def roll_mask(self) -> Mask:
        """The mask of transitions on which dice are rolled."""

    @abstractmethod
    def entry_mask(self, entry: tuple[str, str]) -> Mask:
        """Return the mask of transitions that take an entry."""

    @abstractmethod
    def mover_mask(self, seat: int) -> Mask:
        """Return the mask of transitions from positions in which a seat (from 1) is to move."""

    @abstractmethod
    def by_seat(self) -> Self:
        """Return the same play with seats numbered from seat 1, not from the mover."""

    @property
    @abstractmethod
    def scale(self) -> int:
        """The number of units in a payoff of 1."""

    @abstractmethod
    def payoff_units(self, seat: int) -> Ints:
        """Return the units that each transition pays to a seat (from 1)."""

    @abstractmethod
    def chain(self, increments: Ints, avoided: Mask | None = None) -> MarkovChain:
        """Return the chain of the states that play reaches.

        ``increments``: the amount that each transition adds to a sum. ``avoided``: a mask of transitions; plays that
        take one of these transitions are left out.
        """

    def counting_play(self, hit_mask: Mask) -> Self:  # noqa: ARG002 - only an arena pays
        """Return the play in an arena that pays 1 to every seat for each transition of ``hit_mask``, and nothing else."""
        return self

    def exact_mean_and_mean_square(
        self,
        increments: Ints,  # noqa: ARG002 - nothing is known at once
        condition_mask: Mask | None = None,  # noqa: ARG002
    ) -> tuple[Fraction, Fraction] | None:
        """Return the means of a sum and of its square as fractions, if play can compute them; else None.

        ``increments``: the amount that each transition adds. ``condition_mask``: a mask of transitions; only plays that
        take one of them count. Raises ZeroDivisionError if there are no such plays.
        """
        return None

    @abstractmethod
    def may_decrease(self, increments: Ints) -> bool:
        """Return whether a sum may decrease before the end, if each transition adds its ``increments`` to the sum."""

    @abstractmethod
    def nonnegative_increments(self, increments: Ints) -> Ints | None:
        """Return other steps that give the same sums at the end, but never decrease a sum before it; None if none are
        found.
        """


MIXED_BITS = 160  # of the probability with which a player mixes


@dataclass(frozen=True, eq=False)
class PlayedPolicy(Play):
    """A policy on a graph.

    ``rows``: one row for every state of ``arena``. ``mixtures``: the mixed actions by state. ``solution_states``: the
    number of every state in the graph of the solution; None if that is the same graph.
    """

    graph: StateGraph
    arena: Arena
    rows: Ints
    mixtures: Mapping[int, Mixture] = field(default_factory=dict)
    solution_states: Ints | None = None

    @staticmethod
    def of(solution: Solution) -> PlayedPolicy:
        """Return the policy of a solution on its own graph. Raises MeasureError."""
        refuse_unless_seat_1_begins(solution.graph.first_mover)
        return PlayedPolicy(solution.graph, solution.solved.arena, solution.solved.rows, solution.mixtures)

    @cached_property
    def graph_edges(self) -> Ints:
        """The number in the graph of each transition of the arena."""
        graph, arena = self.graph, self.arena
        if arena.copies_per_state == 1:
            return arange(len(graph.target))
        rows = _graph_rows_of_arena_rows(graph, arena, arange(len(arena.row_state)))
        return graph.row_edges[rows[arena.edge_row]] + arange(len(arena.edge_row)) - arena.row_edges[arena.edge_row]

    @cached_property
    def policy_edges(self) -> Ints:
        """The transitions of the arena that the policy may take, ascending."""
        taken = np.zeros(len(self.arena.row_edges) - 1, dtype=bool)
        taken[self.rows] = True
        taken[mixed_rows(self.mixtures)] = True
        return np.flatnonzero(taken[self.arena.edge_row])

    # --- what transitions are asked about

    @property
    def seats(self) -> int:
        """The number of seats."""
        return self.arena.seats

    @property
    def scale(self) -> int:
        """The number of units in a payoff of 1."""
        return self.arena.scale

    def payoff_units(self, seat: int) -> Ints:
        """Return the units that each transition pays to a seat (from 1)."""
        return np.array([kind[seat - 1] for kind in self.arena.payoffs], dtype=np.int64)[self.arena.payoff]

    @cached_property
    def turn_end_mask(self) -> Mask:
        """The mask of transitions that end a turn."""
        return np.asarray(self.graph.turn_over[self.graph_edges])

    @cached_property
    def roll_mask(self) -> Mask:
        """The mask of transitions on which dice are rolled."""
        return np.asarray((self.graph.event_bits[self.graph_edges] & DICE_ROLLED_BIT) > 0)

    def entry_mask(self, entry: tuple[str, str]) -> Mask:
        """Return the mask of transitions that take an entry. Raises KeyError if the graph does not mark this entry."""
        return np.asarray((self.graph.event_bits[self.graph_edges] & self.graph.watched[entry]) > 0)

    def mover_mask(self, seat: int) -> Mask:
        """Return the mask of transitions from states in which a seat (from 1) is to move.

        In an arena with seats relative to the mover, the mover is seat 1.
        """
        return np.asarray(self.arena.mover[self.arena.row_state[self.arena.edge_row]] == seat - 1)

    # --- the same play elsewhere

    def by_seat(self) -> PlayedPolicy:
        """Return the policy in an arena that has every state once for each seat to move."""
        arena, n = self.arena, self.graph.seats
        if arena.copies_per_state == n:
            return self
        own = arena.with_copy_per_seat()
        mixtures = {
            copy: mixture.with_renumbered_rows(int(own.state_rows[copy] - arena.state_rows[state]).__add__)
            for state, mixture in self.mixtures.items()
            for copy in own.arena_states_of(np.array([state])).tolist()
        }
        return PlayedPolicy(self.graph, own, own.rows_by_seat(self.rows, arena), mixtures, self.solution_states)

    def counting_play(self, hit_mask: Mask) -> PlayedPolicy:
        """Return the policy in an arena that pays 1 to every seat for each transition of ``hit_mask``, and nothing
        else.
        """
        nothing, one = (0,) * self.arena.seats, (1,) * self.arena.seats
        arena = replace(self.arena, payoff=hit_mask.astype(np.int64), payoffs=(nothing, one), scale=1, objective_sign=1)
        return replace(self, arena=arena)

    # --- as a chain

    def chain(self, increments: Ints, avoided: Mask | None = None) -> MarkovChain:
        """Return the chain of the policy on the states that play reaches.

        ``increments``: the amount that each transition of the arena adds to the sum. ``avoided``: a mask of
        transitions; plays that take one of these transitions are left out.
        """
        arena, edges = self.arena, self.policy_edges
        source, target = arena.row_state[arena.edge_row[edges]], arena.target[edges].astype(np.int64)
        increments = increments[edges]
        if avoided is not None:
            target, increments = np.where(avoided[edges], -1, target), np.where(avoided[edges], NOWHERE, increments)
        inner = target >= 0
        met = reachable_mask(source[inner], target[inner], arena.state_count, np.array([0]))
        place = np.append(cumsum(met) - 1, -1)  # the last is the end
        weight, denominator = self._weights_and_denominators(edges)
        live = met[source]
        source, target = place[source[live]], place[target[live]]
        return MarkovChain(denominator[met], *_merged_transitions(source, target, weight[live], increments[live]))

    @cached_property
    def inner_edges(self) -> Ints:
        """The transitions between states that play may take; transitions to the end are left out."""
        edges, arena = self.policy_edges, self.arena
        edges = edges[arena.target[edges] >= 0]
        source = arena.row_state[arena.edge_row[edges]]
        return edges[reachable_mask(source, arena.target[edges], arena.state_count, np.array([0]))[source]]

    def may_decrease(self, increments: Ints) -> bool:
        """Return whether a sum may decrease between states, if each transition adds its ``increments`` to the sum."""
        return bool((increments[self.inner_edges] < 0).any())

    def nonnegative_increments(self, increments: Ints) -> Ints | None:
        """Return other steps that give the same sums at the end, but never decrease a sum between states.

        Returns None if play can come back to a state with a smaller sum, or if the search takes too long. The height of
        a state is the most that a sum may have decreased along a path to it. The new steps add the change of height,
        which is 0 over any complete play: a potential, as in Johnson (1977) for shortest paths.
        """
        arena, edges, height = self.arena, self.inner_edges, np.zeros(self.arena.state_count, dtype=np.int64)
        source, target = arena.row_state[arena.edge_row], arena.target
        for _ in range(min(arena.state_count, MAX_RAISED // (len(edges) + 1)) + 1):
            raised = height.copy()
            np.maximum.at(raised, target[edges], height[source[edges]] - increments[edges])
            if (raised == height).all():
                height -= height[0]
                return np.asarray(increments + np.where(target < 0, 0, height[target]) - height[source])
            height = raised
        return None

    def _weights_and_denominators(self, edges: Ints) -> tuple[Any, Any]:
        """Return the weights of transitions, and the denominators of states.

        If players mix actions, the weights are lower bounds.
        """
        arena = self.arena
        weight, denominator = arena.weight[edges].astype(np.int64), arena.denominator[self.rows].astype(np.int64)
        if not self.mixtures:
            return weight, denominator
        weight, denominator = weight.astype(object), denominator.astype(object)
        for state, mixture in self.mixtures.items():
            common = lcm(*arena.denominator[list(mixture.rows)].tolist())
            denominator[state] = common << MIXED_BITS
            for row, chance in mixture.row_probabilities.items():
                of_row = arena.edge_row[edges] == row
                weight[of_row] *= common // int(arena.denominator[row]) * int(chance.lower * (1 << MIXED_BITS) // 1)
        return weight, denominator


def can_pass_phase_twice(rules: Ruleset, phase: str) -> bool:
    """Return whether one step may pass a phase of cases before its roll and again after it.

    If it may, a mark on a transition does not tell how often the entries of the phase were taken.
    """
    if rules.phases[phase].kind != "cases":
        return False
    rolls = [
        name for name in _phases_within_one_step(rules, phase, across_turns=False) if rules.phases[name].kind == "roll"
    ]
    again = any(phase in _phases_within_one_step(rules, roll, across_turns=True) for roll in rolls)
    choices = [name for name, one in rules.phases.items() if one.kind == "choose"]
    return again and any(phase in _phases_within_one_step(rules, choice, across_turns=False) for choice in choices)


def _phases_within_one_step(rules: Ruleset, phase: str, across_turns: bool) -> set[str]:
    """Return all phases to which one step from ``phase`` may lead.

    If that is a phase of cases, the phases to which its cases lead are included as well. ``across_turns``: whether to
    include the phase in which another turn begins.
    """
    phases: set[str] = set()
    stack = [phase]
    while stack:
        for entry in rules.phases[stack.pop()].entries:
            then = entry.then.phase if entry.then.kind == "phase" else rules.first_phase_of_turn
            if then in phases or entry.then.kind == "end" or (entry.then.kind != "phase" and not across_turns):
                continue
            phases.add(then)
            if rules.phases[then].kind == "cases":
                stack.append(then)
    return phases


def policy_on_other_graph(
    solution: Solution,
    payoff: Payoff,
    marked_entries: Iterable[tuple[str, str]] = (),
    pay_at_end: bool = False,
    max_states: int | None = None,
    policy_actions_only: bool = True,
    split: SplitEntry | None = None,
) -> PlayedPolicy:
    """Return the policy of a solution on the graph of another payoff, or of an entry that is split in two.

    ``marked_entries``: further entries whose transitions are marked. ``pay_at_end``: whether the payoff is paid only at
    the end. ``max_states``: the most states that the graph may have. ``policy_actions_only``: whether the graph has
    only the actions of the policy. ``split``: the split entry. Raises RulesetError if a tally would have to be part of
    the state, PlayError, MeasureError and TooManyStatesError.
    """
    refuse_unless_seat_1_begins(solution.graph.first_mover)
    game, reduction = solution.graph.game, solution.graph.codec.reduction
    payoffs = {**game.ruleset.payoffs, payoff.name: payoff}
    rules = split.ruleset if split else game.ruleset
    changed = replace(game, ruleset=replace(rules, payoffs=payoffs))
    # The policy may look at more than this payoff does, so the graph tells apart whatever that of the solution does.
    sharing = ReductionOptions(symmetry=bool(reduction.orbits), at_end=pay_at_end, finer_than=reduction)
    within = StateMap(solution.graph, split.original_option_indices if split else None)
    rows = np.append(solution.solved.rows, np.array(mixed_rows(solution.mixtures), dtype=np.int64))
    taken = (
        TakenActions(within, _graph_rows_of_arena_rows(solution.graph, solution.solved.arena, rows))
        if policy_actions_only
        else None
    )
    explorer = Explorer(changed, payoff.name, [*solution.graph.watched, *marked_entries], sharing, taken)
    graph, all_of_it = explorer.explore(max_states=max_states)
    if not all_of_it:
        raise TooManyStatesError(f"played for {payoff.name}, the game has more than {max_states:,} positions")
    return _policy_on_graph(solution, graph, within)


def policy_on_finer_graph(solution: Solution, reduction: Reduction) -> PlayedPolicy:
    """Return the policy of a solution on a graph in which positions share a state only if ``reduction`` permits it.

    Raises TooManyStatesError.
    """
    own = solution.graph
    if reduction == own.codec.reduction:
        return PlayedPolicy.of(solution)
    sharing = ReductionOptions(symmetry=bool(reduction.orbits), finer_than=reduction)
    graph = Explorer(own.game, own.objective, tuple(own.watched), sharing).explore()[0]
    return _policy_on_graph(solution, graph, StateMap(own))


def refuse_unless_seat_1_begins(first_seat: int) -> None:
    """Raise MeasureError unless seat 1 begins, as arenas assume. ``first_seat``: the seat that begins, from 0.

    The command ``check`` reports other games with OD428.
    """
    if first_seat:
        raise MeasureError("turns pass before anybody rolls or chooses, so no question by seat has an answer")


def _graph_rows_of_arena_rows(graph: StateGraph, arena: Arena, arena_rows: Ints) -> Ints:
    """Return the rows of the graph that correspond to the given rows of its arena."""
    state = arena.row_state[arena_rows]
    return np.asarray(graph.state_rows[state // arena.copies_per_state] + arena_rows - arena.state_rows[state])


def _policy_on_graph(solution: Solution, graph: StateGraph, state_map: StateMap) -> PlayedPolicy:
    """Return the policy of a solution on a graph that distinguishes at least the states of the solution's graph.

    ``state_map``: maps states of that graph to those of the solution's graph.
    """
    own, theirs = solution.graph, solution.solved.arena
    arena = Arena.of(graph).with_copy_per_seat() if theirs.copies_per_state > 1 else Arena.of(graph)
    if np.array_equal(graph.keys, own.keys) and np.array_equal(graph.row_action, own.row_action):
        return PlayedPolicy(graph, arena, solution.solved.rows, solution.mixtures)
    place = state_map.state_indices(graph.codec, graph.keys)
    renamed = np.array([*(state_map.actions[key] for key in graph.actions), -1])
    action = renamed[graph.row_action[_graph_rows_of_arena_rows(graph, arena, arange(len(arena.row_state)))]]
    theirs_action = own.row_action[_graph_rows_of_arena_rows(own, theirs, arange(len(theirs.row_state)))]
    copies = theirs.arena_states_of(place)
    rows = np.flatnonzero(action == theirs_action[solution.solved.rows][copies][arena.row_state])
    assert len(rows) == arena.state_count

    def mixture_on_graph(mixture: Mixture, copy: int) -> Mixture:
        own_rows = arange(arena.state_rows[copy], arena.state_rows[copy + 1])
        return mixture.with_renumbered_rows(lambda row: int(own_rows[action[own_rows] == theirs_action[row]][0]))

    mixtures = {
        copy: mixture_on_graph(solution.mixtures[number], copy)
        for copy, number in enumerate(copies.tolist())
        if number in solution.mixtures
    }
    return PlayedPolicy(graph, arena, rows, mixtures, place)


def _merged_transitions(source: Ints, target: Ints, weight: Any, increment: Ints) -> tuple[Ints, Ints, Any, Ints]:
    """Return the transitions, in which those that agree in all but their weight are merged."""
    order = np.lexsort((increment, target, source))
    columns = np.stack([source, target, increment])[:, order]
    new = np.ones(len(order), dtype=bool)
    new[1:] = (columns[:, 1:] != columns[:, :-1]).any(axis=0)
    starts = np.flatnonzero(new)
    source, target, increment = columns[:, starts]
    return source, target, reduceat(np.add, weight[order], starts), increment
