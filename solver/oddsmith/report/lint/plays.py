"""Finds the shortest play that shows a finding, move by move, with the reference implementation of the rules."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np

from oddsmith.base.arrays import Ints, Mask, bincount, cumsum, repeat
from oddsmith.base.errors import DisagreementError
from oddsmith.graph import (
    StateGraph,
    chosen_action,
    concatenated_ranges,
    play_along,
    shortest_path,
    steps_in_words,
    takes_option,
)
from oddsmith.report.lint.finding import Moves
from oddsmith.ruleset import Rules, State

if TYPE_CHECKING:
    from oddsmith.solve import Solution

MAX_NODES = 20_000_000  # positions, once for each turn, among which a long play is looked for
MAX_ENDS_TRIED = 200  # ends of a game, the nearest first, among which one is looked for


class ShortestPlays:
    """Finds shortest plays in a graph."""

    def __init__(self, graph: StateGraph) -> None:
        self.graph, self.rules = graph, Rules(graph.game)

    def play_to_state(self, state: int) -> Moves:
        """Return the moves of a shortest play to a state."""
        return self._state_and_play_to(state)[1]

    def _state_and_play_to(self, state_index: int) -> tuple[State, Moves]:
        """Return a state and the moves of a shortest play to it. ``state_index``: its number in the graph."""
        return play_along(self.rules, self.graph.codec, self.graph.keys, shortest_path(self.graph.parent, state_index))

    def state_and_play_through(self, transitions: Sequence[int]) -> tuple[State, Moves]:
        """Follow transitions from the start. Return the state at their end, and the moves."""
        graph = self.graph
        options = []
        for edge in transitions:
            action = int(graph.row_action[graph.edge_row[edge]])
            phase, entry, _ = graph.actions[action] if action >= 0 else ("", 0, ())
            options.append(graph.game.ruleset.phases[phase].entries[entry].name if phase else "")
        chain = [0, *(int(graph.target[edge]) for edge in transitions)]
        return play_along(self.rules, graph.codec, graph.keys, chain, options)

    def play_to_choice(self, state_index: int, row: int) -> Moves:
        """Return the moves of a shortest play to a state, followed by the choice of the graph's row ``row``."""
        graph = self.graph
        state, moves = self._state_and_play_to(state_index)
        phase, entry, _ = graph.actions[int(graph.row_action[row])]
        option, called = graph.game.ruleset.phases[phase].entries[entry].name, graph.action_name(row)
        texts = [words for words, _ in steps_in_words(self.rules, state)]
        mine = [words for words in texts if chosen_action(words) == called]
        # The state may stand for others too, in which members go by other names.
        return (*moves, next(words for words in mine or texts if takes_option(words, option)))

    def play_to_ending_won_by(self, transitions: Sequence[int], seat: int) -> Moves | None:
        """Follow transitions, then find a move that ends the game with a better payoff for a seat (from 0) than for any
        other. Return all moves; None if there is no such move.
        """
        graph = self.graph
        state, moves = self.state_and_play_through(transitions)
        sign = 1 if graph.game.ruleset.payoffs[graph.objective].goal == "max" else -1
        for words, ended in self._ending_moves(state):
            paid = [sign * value for value in self.rules.payoffs(ended, graph.objective)]
            if paid[seat] > max((each for other, each in enumerate(paid) if other != seat), default=paid[seat] - 1):
                return (*moves, *words)
        return None

    def _ending_moves(self, state: State) -> list[tuple[Moves, State]]:
        """Return the ways in which one step of the graph can end the game: a move, or a choice with the roll that
        follows it. Each is a pair of its moves and the final state.
        """
        found: list[tuple[Moves, State]] = []
        for words, step in steps_in_words(self.rules, state):
            if not step.state.phase:
                found.append(((words,), step.state))
            elif self.rules.phase(state).kind == "choose" and self.rules.phase(step.state).kind == "roll":
                rolls = steps_in_words(self.rules, step.state)
                found += [((words, then), last.state) for then, last in rolls if not last.state.phase]
        return found


class ShortestBestPlays:
    """Finds shortest plays in which everybody plays by a solution."""

    def __init__(self, solution: Solution) -> None:
        from oddsmith.solve.questions import PlayedPolicy

        self.solution, self.played = solution, PlayedPolicy.of(solution)
        self.plays = ShortestPlays(solution.graph)

    @property
    def _continuing_transitions(self) -> Ints:
        """The transitions of the arena that play takes and that do not end the game."""
        taken = self.played.policy_edges
        return taken[self.played.arena.target[taken] >= 0]

    def play_after(self, turns: int, target_states: Mask) -> Moves | None:
        """Find a shortest play of ``turns`` turns to one of the ``target_states`` of the arena; None if there is none,
        or if the search would take long.
        """
        arena = self.played.arena
        count = arena.state_count
        if count * (turns + 1) > MAX_NODES:
            return None
        edges = self._continuing_transitions
        source, target = arena.row_state[arena.edge_row[edges]], arena.target[edges]
        over = self.played.turn_end_mask[edges]
        search = BreadthFirstSearch(source, target, count, turns, over)
        for nodes in search.layers(0):
            arrived = nodes[(nodes >= count * turns) & target_states[nodes % count]]
            if len(arrived):
                return self.plays.state_and_play_through(
                    self._graph_transitions_of_path(edges, search.transitions_to(int(arrived[0])))
                )[1]
        return None

    def play_to_ending_won_by(self, seat: int) -> Moves | None:
        """Return a shortest play that ends with a better payoff for a seat (from 0) than for any other. Return None if
        none is found. Only a limited number of ends is tried, the nearest first.
        """
        arena, tried = self.played.arena, 0
        edges, taken = self._continuing_transitions, self.played.policy_edges
        search = BreadthFirstSearch(arena.row_state[arena.edge_row[edges]], arena.target[edges], arena.state_count)
        ending = np.zeros(arena.state_count, dtype=bool)
        ending[arena.row_state[arena.edge_row[taken[arena.target[taken] < 0]]]] = True
        for nodes in search.layers(0):
            for node in nodes[ending[nodes]].tolist():
                play = self.plays.play_to_ending_won_by(
                    self._graph_transitions_of_path(edges, search.transitions_to(node)), seat
                )
                tried += 1
                if play is not None or tried == MAX_ENDS_TRIED:
                    return play
        return None

    def _graph_transitions_of_path(self, transitions: Ints, path: Sequence[int]) -> list[int]:
        """Return the transitions of the graph for a path in the arena. ``path``: for each transition of the path, its
        index in ``transitions``.
        """
        found: list[int] = self.played.graph_edges[transitions[np.array(path, dtype=np.int64)]].tolist()
        return found


class BreadthFirstSearch:
    """A breadth-first search along transitions between numbered nodes.

    The nodes may be on several floors: floor 0, and ``floors_above`` copies above it. Node i has the number i + k *
    ``node_count`` on floor k. A transition leads to the same floor, or if it is in the mask ``leads_to_next_floor``, to
    the next floor.
    """

    def __init__(
        self,
        sources: Ints,
        targets: Ints,
        node_count: int,
        floors_above: int = 0,
        leads_to_next_floor: Mask | None = None,
    ) -> None:
        self.source, self.node_count, self.floors_above = sources, node_count, floors_above
        self.target = targets if leads_to_next_floor is None else targets + leads_to_next_floor * node_count
        self.came = np.full(node_count * (floors_above + 1), -1, dtype=np.int32)

    def layers(self, start: int) -> Iterator[Ints]:
        """Yield the numbers of the nodes at distance 0, 1, 2, ... from the start. If there are several floors, the
        search does not go on from nodes on the highest floor.
        """
        order = np.argsort(self.source, kind="stable")
        first = np.concatenate([[0], cumsum(bincount(self.source, minlength=self.node_count))])
        met = np.zeros(len(self.came), dtype=bool)
        met[start] = True
        wave = np.array([start])
        while len(wave):
            yield wave
            wave = wave[wave < self.node_count * max(self.floors_above, 1)]
            low = wave % self.node_count
            lengths = first[low + 1] - first[low]
            ways = order[concatenated_ranges(first[low], lengths)]
            nodes = repeat(wave - low, lengths) + self.target[ways]
            new = ~met[nodes]
            wave, place = np.unique(nodes[new], return_index=True)
            met[wave] = True
            self.came[wave] = ways[new][place]

    def transitions_to(self, node: int) -> list[int]:
        """Return the transitions on the path from the start to a node."""
        places: list[int] = []
        while self.came[node] >= 0:
            places.append(int(self.came[node]))
            node += int(self.source[places[-1]] - self.target[places[-1]])
        return places[::-1]


def nearest_state_and_cycle(graph: StateGraph, transitions: Ints) -> tuple[int, list[int]]:
    """Return the state nearest to the start through which a cycle leads, and the transitions of a shortest such cycle.

    ``transitions``: the transitions that may be used. None of them ends the game, and they contain a cycle.
    """
    from oddsmith.solve.arenas import strong_component_labels

    source, target = graph.edge_state[transitions], graph.target[transitions].astype(np.int64)
    part = strong_component_labels(graph.state_count, source, target)
    transitions = transitions[part[source] == part[target]]
    source, target = graph.edge_state[transitions], graph.target[transitions].astype(np.int64)
    start = int(source.min())  # numbers ascend with how far states are from the start
    search = BreadthFirstSearch(source, target, graph.state_count)
    for nodes in search.layers(start):
        back = np.flatnonzero((target == start) & np.isin(source, nodes))
        if len(back):
            return start, transitions[[*search.transitions_to(int(source[back[0]])), back[0]]].tolist()
    raise DisagreementError("play that goes in a circle does not come back")


def shortest_path_to_state(graph: StateGraph, state: int) -> list[int]:
    """Return the transitions of a shortest path from the start to a state."""
    chain = shortest_path(graph.parent, state)
    found = []
    for one, two in itertools.pairwise(chain):
        edges = range(int(graph.row_edges[graph.state_rows[one]]), int(graph.row_edges[graph.state_rows[one + 1]]))
        found.append(next(edge for edge in edges if graph.target[edge] == two))
    return found
