"""Exploring the positions that the policy of a game solved by stages reaches, part by part, with the rows that it
takes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

import numpy as np

from oddsmith.base.arrays import Ints, Whole, arange, cumsum
from oddsmith.base.errors import DisagreementError
from oddsmith.base.progress import Progress, ignore_progress
from oddsmith.graph import Explorer, KeyIndex, StateGraph, concatenated_ranges, recoded_keys, unique
from oddsmith.graph.reductions import ReductionOptions
from oddsmith.ruleset.model import Payoff
from oddsmith.solve.arenas.arena import Arena
from oddsmith.solve.questions.played import PlayedPolicy, SplitEntry
from oddsmith.solve.staged.staged import Staged
from oddsmith.solve.values.mixing import Mixture

Entry = tuple[str, str]


@dataclass(frozen=True, eq=False)
class PolicyStates:
    """Positions of one stage that the policy reaches.

    ``keys``: their keys; ``action_indices``: the index of the action that each takes; ``mixtures``: the mixed actions
    by position. ``entered_count``: the number of positions that play enters from earlier stages; these come first.
    """

    stage: int
    keys: Ints
    action_indices: Whole
    mixtures: Mapping[int, Mixture]
    entered_count: int


@dataclass(frozen=True, eq=False)
class PolicyPart:
    """Positions of one stage, and the later positions to which the policy leads from them.

    ``policy_states``: the positions. ``graph``: has only the rows that are taken. ``boundary_keys``: the keys of the
    positions of later stages, numbered after those of the part. ``mixtures``: the mixed actions by position.
    """

    policy_states: PolicyStates
    graph: StateGraph
    boundary_keys: Ints
    mixtures: Mapping[int, Mixture]

    @property
    def played_policy(self) -> PlayedPolicy:
        """The policy in an arena in which the positions of the boundary have no rows."""
        boundary = self.boundary_keys.shape[1]
        rows = np.append(self.graph.state_rows[:-1], np.full(boundary, -1, dtype=np.int64))
        return PlayedPolicy(self.graph, Arena.of(self.graph, boundary), rows, self.mixtures)


class PolicyExplorer:
    """Explores the positions that the policy reaches.

    ``payoff``: the payoff to count, by default the one that the game was solved for. ``marked_entries``: entries whose
    transitions are marked. ``pay_at_end``: whether the payoff is paid only at the end. ``split``: an entry that is
    split in two. Raises RulesetError if a tally would have to be part of the state.
    """

    def __init__(
        self,
        staged: Staged,
        payoff: Payoff | None = None,
        marked_entries: Iterable[Entry] = (),
        pay_at_end: bool = False,
        split: SplitEntry | None = None,
    ) -> None:
        self.schedule, self.codec, game = staged.schedule, staged.explorer.codec, staged.game
        self.solved_by, self.copies = staged.explorer, split.original_option_indices if split else {}
        name, sharing, rules = staged.objective, None, split.ruleset if split else game.ruleset
        if pay_at_end or split or payoff not in {None, rules.payoffs[name]}:
            payoff = payoff or rules.payoffs[name]
            name = payoff.name
            game = replace(game, ruleset=replace(rules, payoffs={**rules.payoffs, name: payoff}))
            own = self.codec.reduction
            sharing = ReductionOptions(symmetry=bool(own.orbits), at_end=pay_at_end, finer_than=own)
        self.explorer = Explorer(game, name, marked_entries, sharing)
        self.same = sharing is None

    def policy_parts(self, progress: Progress | None = None) -> Iterator[PolicyPart]:
        """Yield every part that play reaches, beginning with the first stage."""
        schedule, tell, done = self.schedule, progress or ignore_progress, 0
        open_: dict[int, KeyIndex] = {}
        self._add_keys_by_stage(open_, self.explorer.start_key)
        while open_:
            stage = min(open_)
            arrived = open_.pop(stage).keys.filled
            for first in range(0, arrived.shape[1], schedule.batch_size):
                part = self._explore_within_stage(stage, arrived[:, first : first + schedule.batch_size])
                if part.boundary_keys.shape[1]:
                    self._add_keys_by_stage(open_, part.boundary_keys)
                done += part.graph.state_count
                tell("following play", done, max(done, schedule.states))
                yield part
            schedule.records.drop(stage)

    def explore_again(self, policy_states: PolicyStates) -> PolicyPart:
        """Return the part that consists of the given states, after exploring it once more."""
        return PolicyPart(
            policy_states,
            *_graph_of_taken_rows(
                *self.explorer.graph_of_states(policy_states.keys), policy_states.action_indices, policy_states.mixtures
            ),
        )

    def convert_to_solution_keys(self, keys: Ints) -> Ints:
        """Convert keys of ``self.explorer`` to keys of the explorer with which the game was solved."""
        codec = self.explorer.codec
        if self.same or codec.orbits == self.codec.orbits:
            return keys if self.same else recoded_keys(codec, keys, self.codec)
        # Members that are alike there may stand in any order here.
        found = [self.codec.key(self.codec.canonical_state(state)) for state in codec.states(keys)]
        return np.array(found, dtype=np.int64).reshape(-1, self.codec.words_per_key).T

    def _add_keys_by_stage(self, key_indexes: dict[int, KeyIndex], keys: Ints) -> None:
        stage = self.schedule.stages_of(self.convert_to_solution_keys(keys))
        for each in unique(stage).tolist():
            if each not in key_indexes:
                key_indexes[each] = KeyIndex.of(keys[:, :0])
            key_indexes[each].add(keys[:, stage == each])

    def _explore_within_stage(self, stage: int, entered_keys: Ints) -> PolicyPart:
        """Explore all positions of a stage that play reaches from the ``entered_keys`` ones, and the successors of
        these positions.
        """
        index, offsets, mixtures = KeyIndex.of(entered_keys), list[Ints](), dict[int, Mixture]()
        while (done := sum(map(len, offsets))) < index.count:
            new = index.keys.filled[:, done:]
            graph, boundary = self.explorer.graph_of_states(new)
            offset, mixed = self._action_indices(new, graph)
            offsets.append(offset)
            mixtures |= {done + place: mixture for place, mixture in mixed.items()}
            boundary = _graph_of_taken_rows(graph, boundary, offset, mixed)[1]
            boundary = (
                boundary[:, self.schedule.stages_of(self.convert_to_solution_keys(boundary)) == stage]
                if boundary.shape[1]
                else boundary
            )
            if boundary.shape[1]:
                index.add(boundary)
        offset = np.concatenate(offsets).astype(np.uint16)
        return self.explore_again(
            PolicyStates(stage, index.keys.filled.copy(), offset, mixtures, entered_keys.shape[1])
        )

    def _action_indices(self, keys: Ints, graph: StateGraph) -> tuple[Ints, Mapping[int, Mixture]]:
        """Return the index of the action that the policy takes in each of the given positions, and their mixed actions.

        ``graph``: a graph of these positions. Several of them may have been a single position when the game was solved.
        """
        own = self.convert_to_solution_keys(keys)
        if self.same:
            return self.schedule.action_indices(own), self.schedule.mixtures(own)
        distinct, which = np.unique(own, axis=1, return_inverse=True)
        which, picks, mixed = (
            which.reshape(-1),
            self.schedule.action_indices(distinct),
            self.schedule.mixtures(distinct),
        )
        mixtures = {place: mixed[one] for place, one in enumerate(which.tolist()) if one in mixed} if mixed else {}
        if not self.copies:
            return picks[which], mixtures
        neighbourhood = self.solved_by.graph_of_states(distinct)[0]
        known = {action: number for number, action in enumerate(neighbourhood.actions)}
        copies = ((phase, self.copies.get((phase, entry), entry), binding) for phase, entry, binding in graph.actions)
        named = np.array([*(known.get(each, -2) for each in copies), -1])  # a roll has no action: its number is -1
        begins, action = neighbourhood.state_rows[which], named[graph.row_action]
        taken = neighbourhood.row_action[begins + picks[which]]
        rows = np.flatnonzero(action == taken[graph.row_state])
        if not np.array_equal(graph.row_state[rows], arange(graph.state_count)):
            raise DisagreementError("an action is not found again where its entry is split in two")

        def mixture_on_graph(state: int, mixture: Mixture) -> Mixture:
            own, first = action[graph.rows(state)].tolist(), int(begins[state])
            return mixture.with_renumbered_rows(lambda place: own.index(neighbourhood.row_action[first + place]))

        return rows - graph.state_rows[:-1], {
            state: mixture_on_graph(state, mixture) for state, mixture in mixtures.items()
        }


def _graph_of_taken_rows(
    graph: StateGraph, boundary_keys: Ints, action_indices: Whole, mixtures: Mapping[int, Mixture]
) -> tuple[StateGraph, Ints, Mapping[int, Mixture]]:
    """Return a graph with only the rows that are taken, the keys of its boundary, and the mixed actions by state.

    ``action_indices``: the index of the row that each state takes. ``mixtures``: the mixed actions; a state that mixes
    takes all rows of its mixture.
    """
    first = graph.state_rows[:-1]
    own, states = np.ones(graph.state_count, dtype=bool), list(mixtures)
    own[states] = False
    mixed = [int(first[state]) + row for state in states for row in mixtures[state].rows]
    rows = np.sort(np.append((first + action_indices)[own], np.array(mixed, dtype=np.int64)))
    lengths = graph.row_edges[rows + 1] - graph.row_edges[rows]
    edges = concatenated_ranges(graph.row_edges[rows], lengths)
    target, count = graph.target[edges].astype(np.int64), graph.state_count
    met = np.zeros(count + boundary_keys.shape[1], dtype=bool)
    met[:count] = True
    met[target[target >= 0]] = True
    place = cumsum(met) - 1
    cut = replace(
        graph,
        state_rows=np.searchsorted(rows, graph.state_rows),
        row_action=graph.row_action[rows],
        row_edges=np.concatenate([[0], cumsum(lengths)]),
        denominator=graph.denominator[rows],
        target=np.where(target < 0, -1, place[target]).astype(np.int32),
        weight=graph.weight[edges],
        payoff=graph.payoff[edges],
        tag=graph.tag[edges],
    )
    left = {
        state: Mixture(dict(zip(cut.rows(state), each.row_probabilities.values(), strict=True)))
        for state, each in mixtures.items()
    }
    return cut, boundary_keys[:, met[count:]], left
