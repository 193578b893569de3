"""Play by the plans of a solution, in a game with hidden information, as a Markov chain that questions are asked about.

A node is a position together with what every seat has observed since the subgame began, so the probabilities of what
follows are known there. A subgame has no cycles, so sums within it are computed level by level, in fractions. What
remains is a small Markov chain whose states are the subgames.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from itertools import count
from math import lcm
from typing import Any

import numpy as np
from flint import fmpq

from oddsmith.base.arrays import Ints, Mask
from oddsmith.ruleset import (
    Action,
    CountedEvents,
    Node,
    ObservedPosition,
    Rules,
    State,
    Step,
    SubgameTraversal,
    TreeBuilder,
)
from oddsmith.ruleset.model import Payoff
from oddsmith.solve.extensive.solver import SecretSolution, SolvedSubgame
from oddsmith.solve.questions.distribution import BestPlay
from oddsmith.solve.questions.mass_flow import NOWHERE, MarkovChain
from oddsmith.solve.questions.played import Play, SplitEntry
from oddsmith.solve.systems.lifting import expected_visits

END = -1
"""The target of a transition that ends the game."""
NEVER = -1
"""The number of a node that play never reaches."""


@dataclass(frozen=True, eq=False)
class PlayedPlans(Play):
    """Play by the plans of a solution: its transitions, subgame by subgame and level by level.

    ``start_nodes``: the node in which each subgame begins. The other fields have one entry for each transition.
    ``subgame``: the index of its subgame. ``source``: the node that it leaves. ``target``: the node that it leads to,
    or ``END`` if it leaves the subgame. ``next_subgame``: the index of the subgame that begins with it, or ``END``.
    ``end_index``: the index in ``end_positions`` of the position in which the transition ends the game, or ``END``.
    ``event_index``: the index in ``events`` of what happens on it. ``mover``: the seat to move before it, from 0.
    """

    solution: SecretSolution
    payoff: Payoff
    start_nodes: Sequence[int]
    subgame: Ints
    source: Ints
    target: Ints
    next_subgame: Ints
    end_index: Ints
    event_index: Ints
    mover: Ints
    probability: Sequence[fmpq]
    events: Sequence[CountedEvents]
    end_positions: Sequence[ObservedPosition]

    @staticmethod
    def of(solution: SecretSolution, split_entry: SplitEntry | None = None) -> PlayedPlans:
        """Return the play of a solution.

        ``split_entry``: an entry of the rules that is split in two, so that one part of it can be counted; None for no entry.
        """
        return _PlayRecorder(solution, split_entry).record_play()

    # --- what transitions are asked about

    @property
    def seats(self) -> int:
        """The number of seats."""
        return self.solution.game.seats

    def by_seat(self) -> PlayedPlans:
        """Return the same play: seats are already numbered from seat 1."""
        return self

    def _transition_mask(self, event_flags: Sequence[bool]) -> Mask:
        return np.array(event_flags, dtype=bool)[self.event_index]

    @property
    def turn_end_mask(self) -> Mask:
        """The transitions that end a turn, as a mask."""
        return self._transition_mask([each.turn_over for each in self.events])

    @property
    def roll_mask(self) -> Mask:
        """The transitions on which dice are rolled, as a mask."""
        return self._transition_mask([each.dice_rolled for each in self.events])

    def entry_mask(self, entry: tuple[str, str]) -> Mask:
        """Return, as a mask, which transitions take an entry."""
        return self._transition_mask([entry in each.entries for each in self.events])

    def mover_mask(self, seat: int) -> Mask:
        """Return, as a mask, which transitions leave positions in which a seat (from 1) is to move."""
        return np.asarray(self.mover == seat - 1)

    @cached_property
    def _end_payoffs(self) -> list[tuple[Fraction, ...]]:
        game = self.solution.game
        payoffs = {**game.ruleset.payoffs, self.payoff.name: self.payoff}
        rules = Rules(replace(game, ruleset=replace(game.ruleset, payoffs=payoffs)))
        return [rules.payoffs(end.state, self.payoff.name) for end in self.end_positions]

    @cached_property
    def scale(self) -> int:
        """The number of units in a payoff of 1."""
        return lcm(*(worth.denominator for paid in self._end_payoffs for worth in paid))

    def payoff_units(self, seat: int) -> Ints:
        """Return the payoff of each transition to a seat (from 1), in units of ``1 / scale``."""
        units = [int(paid[seat - 1] * self.scale) for paid in self._end_payoffs]
        return np.where(self.end_index >= 0, np.array([*units, 0], dtype=np.int64)[self.end_index], 0)

    def may_decrease(self, step: Ints) -> bool:  # noqa: ARG002 - whatever is asked
        """Return False: no sum falls before the end, because payoffs are paid only at the end, and counts rise."""
        return False

    def nonnegative_increments(self, step: Ints) -> Ints:
        """Return the increments as they are, because none is negative before the end."""
        return step

    # --- as a chain

    def chain(self, step: Ints, avoid: Mask | None = None) -> MarkovChain:
        """Return the Markov chain of the subgames that play reaches.

        ``step``: the amount that each transition adds to a sum. ``avoid``: plays that take one of these transitions are
        left out.
        """
        laws = self._exit_distributions(step, avoid)
        met, number = [0], {0: 0}
        for place in met:  # which grows
            for into, _ in laws[place]:
                if into != END and into not in number:
                    number[into] = len(met)
                    met.append(into)
        denominator = [lcm(*(int(chance.q) for chance in laws[place].values())) for place in met]
        rows = [
            (number[place], number.get(into, END), int(chance * below), total)
            for place, below in zip(met, denominator, strict=True)
            for (into, total), chance in laws[place].items()
        ]
        source, target, weight, total = zip(*rows, strict=True)
        whole = (np.array(each, dtype=np.int64) for each in (source, target, total))
        ints = dict(zip(("source", "target", "increment"), whole, strict=True))
        return MarkovChain(_object_array(denominator), weight=_object_array(weight), **ints)

    def _exit_distributions(self, increments: Ints, excluded: Mask | None) -> list[dict[tuple[int, int], fmpq]]:
        """Return, for each subgame, the joint distribution of what follows it and of the sum of ``increments`` on the way.

        The keys are pairs: the index of the next subgame, or ``END``; and the sum. Plays that take a transition of
        ``excluded`` have the key (``END``, ``NOWHERE``).
        """
        found: list[dict[tuple[int, int], fmpq]] = [{} for _ in self.start_nodes]
        mass = {start: {0: fmpq(1)} for start in self.start_nodes}
        left_out = np.zeros(len(self.source), dtype=bool) if excluded is None else excluded
        columns = (self.subgame, self.source, self.target, self.next_subgame, increments, left_out)
        source, sums = NEVER, dict[int, fmpq]()
        for chance, subgame, at, target, into, more, out in zip(
            self.probability, *(column.tolist() for column in columns), strict=True
        ):
            if at != source:  # a level of a subgame never leads back
                source, sums = at, mass.pop(at, {})
            law = found[subgame]
            if not sums:  # the ways there are left out
                continue
            if out:
                key = (END, NOWHERE)
                law[key] = law.get(key, 0) + sum(sums.values(), fmpq(0)) * chance
            elif target == END:
                for total, part in sums.items():
                    key = (into, total + more)
                    law[key] = law.get(key, 0) + part * chance
            else:
                there = mass.setdefault(target, {})
                for total, part in sums.items():
                    there[total + more] = there.get(total + more, 0) + part * chance
        return found

    def exact_mean_and_mean_square(self, step: Ints, taken: Mask | None = None) -> tuple[Fraction, Fraction]:
        """Return the mean of a sum and the mean of its square, over all plays or over those that take a transition of
        ``taken``.

        ``step``: the amount that each transition adds to the sum. Raises ZeroDivisionError if no play takes one.
        """
        whole = _sum_moments(self.chain(step))
        if taken is not None:
            without = _sum_moments(self.chain(step, taken))
            whole = [one - other for one, other in zip(whole, without, strict=True)]
        return whole[1] / whole[0], whole[2] / whole[0]

    def chance_to_hit_before(self, hit: Mask, over: Mask) -> Fraction:
        """Return the probability that play takes a transition of ``hit`` no later than its first transition of
        ``over``.
        """
        ends = replace(
            self, target=np.where(over, END, self.target), next_subgame=np.where(over, END, self.next_subgame)
        )
        return 1 - _sum_moments(ends.chain(np.zeros(len(hit), dtype=np.int64), hit))[0]


def to_best_play(plans: PlayedPlans) -> BestPlay:
    """Return play by the plans of a solution in the form that ``questions.distribution`` takes."""
    solution = plans.solution
    # Every entry is known, and all is paid at the end.
    return BestPlay(solution.game, solution.objective, lambda payoff, _watch, _whole: replace(plans, payoff=payoff))


def _object_array(values: Sequence[int]) -> Any:
    found = np.empty(len(values), dtype=object)
    found[:] = values
    return found


def _sum_moments(chain: MarkovChain) -> list[Fraction]:
    """Return three moments of a chain: the expectations of 1, of the sum and of its square, over the plays not left
    out.

    They come from power series in x up to x^2, in which a step s is the factor exp(s x).
    """
    places = range(chain.states)
    onward: list[list[dict[int, Fraction]]] = [[{} for _ in places] for _ in range(3)]
    ending = [[Fraction(0)] * chain.states for _ in range(3)]
    for source, target, weight, step in zip(
        chain.source.tolist(), chain.target.tolist(), chain.weight, chain.increment.tolist(), strict=True
    ):
        if step == NOWHERE:
            continue
        chance = Fraction(weight, chain.denominator[source])
        for order, part in enumerate((chance, chance * step, chance * step * step / 2)):
            if target == END:
                ending[order][source] += part
            else:
                onward[order][source][target] = onward[order][source].get(target, Fraction(0)) + part
    visits: list[list[Fraction]] = []
    for order in range(3):
        begins = [Fraction(int(order == 0 and place == 0)) for place in places]
        for lower, before in enumerate(visits):
            for source, each in enumerate(onward[order - lower]):
                for target, part in each.items():
                    begins[target] += before[source] * part
        visits.append(expected_visits(onward[0], begins))
    series = [
        sum(
            (visits[low][place] * ending[order - low][place] for low in range(order + 1) for place in places),
            Fraction(0),
        )
        for order in range(3)
    ]
    return [series[0], series[1], 2 * series[2]]


class _RulesWithSplitEntry(Rules):
    """The rules of a game in which one entry is split in two. The legal actions are those of the original game."""

    def __init__(self, rules: Rules, split_entry: SplitEntry) -> None:
        super().__init__(replace(rules.game, ruleset=split_entry.ruleset))
        self.plain = rules
        self.other = {(phase, first): again for (phase, again), first in split_entry.original_option_indices.items()}

    def actions(self, state: State) -> list[Action]:
        return self.plain.actions(state)

    def choose(self, state: State, action: Action) -> Step:
        other = self.other.get((state.phase, action.entry_index))
        if other is not None:
            m = self.context(state)
            m.local = dict(action.binding)
            if not self.entries[state.phase][action.entry_index].when(m):
                action = replace(action, entry_index=other)
        return super().choose(state, action)


class _PlayRecorder:
    """Follows play by the plans of a solution through all subgames, and records its transitions."""

    def __init__(self, solution: SecretSolution, split_entry: SplitEntry | None) -> None:
        rules = _RulesWithSplitEntry(Rules(solution.game), split_entry) if split_entry else None
        self.solution, self.builder = solution, TreeBuilder(solution.game, solution.objective, rules=rules)
        self.nodes = count()
        self.leaves: dict[int, ObservedPosition] = {}
        self.events: dict[CountedEvents, int] = {}
        self.rows: list[tuple[int, int, int, int, int]] = []
        self.chances: list[fmpq] = []

    def record_play(self) -> PlayedPlans:
        """Record play through all subgames, and return it."""
        solution, starts = self.solution, list[int]()
        for number, solved in enumerate(solution.subgames.values()):
            starts.append(next(self.nodes))
            _SubgameRecorder(self, number, solved).traverse(starts[-1])
        subgame, source, target, event, mover = np.array(self.rows, dtype=np.int64).T
        places = {root: number for number, root in enumerate(solution.subgames)}
        left = [self.leaves.get(node) for node in target.tolist()]
        over = dict.fromkeys(each for each in left if each is not None and each not in places)
        ends = {leaf: number for number, leaf in enumerate(over)}
        into, end = ([END if each is None else known.get(each, END) for each in left] for known in (places, ends))
        return PlayedPlans(
            solution,
            solution.game.ruleset.payoffs[solution.objective],
            starts,
            subgame,
            source,
            np.where([each is None for each in left], target, END),
            np.array(into, dtype=np.int64),
            np.array(end, dtype=np.int64),
            event,
            mover,
            self.chances,
            list(self.events),
            list(ends),
        )


class _SubgameRecorder(SubgameTraversal[int]):
    """Follows play through one subgame. Each node carries its number, or ``NEVER`` if play never reaches it."""

    def __init__(self, play_recorder: _PlayRecorder, subgame_index: int, solved_subgame: SolvedSubgame) -> None:
        super().__init__(play_recorder.builder, solved_subgame.subgame.root)
        self.keeper, self.number, self.plans = play_recorder, subgame_index, solved_subgame.equilibrium.plans
        self.places = [
            {self.history_index_of(each): each for each in own} for own in solved_subgame.subgame.information_sets
        ]

    def visit_end(self, situation: ObservedPosition, group: Mapping[Node, int]) -> None:
        self.keeper.leaves |= {number: situation for number in group.values() if number != NEVER}

    def visit_node(self, common: int, node: Node, carried: int, after: dict[int, dict[Node, int]]) -> None:
        seat, labels, nexts = self.tree_builder.indexed_moves(node[0])
        if carried != NEVER and not nexts:
            self.keeper.leaves[carried] = self.tree_builder.situations[node[0]]
        chances = [Fraction(int(carried != NEVER))] * len(labels)
        if seat is not None and carried != NEVER:
            place, plan = self.places[seat][node[1 + seat]], self.plans[seat]
            chances = [plan[each] / plan[place.parent_sequence] for each in place.sequences]
        for each, chance in zip(nexts, chances, strict=True):
            there, reached = self.successor_node(common, node, each)
            group = after.setdefault(there, {})
            number = group.setdefault(reached, NEVER)
            if chance:
                if number == NEVER:
                    number = group[reached] = next(self.keeper.nodes)
                self.record_transitions(node[0], carried, number, chance, each.events)

    def record_transitions(
        self,
        position_index: int,
        source_node: int,
        target_node: int,
        probability: Fraction,
        event_probabilities: Mapping[CountedEvents, Fraction],
    ) -> None:
        """Record the transitions from one node to another, one for each of ``event_probabilities``. ``source_node``,
        ``target_node``: their numbers.
        """
        keeper, mover = self.keeper, self.tree_builder.situations[position_index].state.mover
        for event, part in event_probabilities.items():
            number = keeper.events.setdefault(event, len(keeper.events))
            keeper.rows.append((self.number, source_node, target_node, number, mover))
            weight = probability * part
            keeper.chances.append(fmpq(weight.numerator, weight.denominator))
