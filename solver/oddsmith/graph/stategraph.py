"""The state graph: the states of a game, their actions, and the weighted transitions of each action, in compressed
rows.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from oddsmith.base.arrays import Ints, Whole, arange, repeat
from oddsmith.base.errors import PlayError
from oddsmith.base.exact import fraction_text, plural, short_repr
from oddsmith.graph.columns.codec import Codec
from oddsmith.graph.columns.expand import Action
from oddsmith.graph.reachability import reachable_mask, unique
from oddsmith.graph.variables import ExportedVariables, named_values
from oddsmith.graph.witness import endless_problem, play_to
from oddsmith.ruleset import Game, Rules, State

if TYPE_CHECKING:
    import networkx as nx
    from scipy.sparse import csr_matrix


@dataclass(frozen=True, eq=False)
class StateGraph:
    """All states of a game that play can reach, under one objective, seen from the seat to move.

    State ``s`` has the rows ``state_rows[s]:state_rows[s + 1]``, one per action (one for a roll). Row ``r`` has the
    transitions ``row_edges[r]:row_edges[r + 1]``. A transition leads with probability ``weight / denominator[row]`` to
    the state ``target``; -1 means that the game is over. The mover then moves on by ``seat_shift`` seats.

    ``row_action``: the index in ``actions`` of each row's action; negative for a roll. ``payoff``: the index in
    ``payoffs`` of each transition's immediate payoffs. These are the payoffs of all seats, counted from the mover of
    the source, in units of ``1 / scale``. ``tag``: the index in ``tags`` of each transition's triple (seat shift, event
    bits, whether the turn ends). The event bits are a bit for each entry of ``watched`` that the transition passes, and
    ``DICE_ROLLED_BIT`` if dice are rolled. ``keys``: the keys of the states, shape (words, states). ``parent``: the
    state from which each state was first found, or -1. ``first_mover``: the seat that moves in state 0, in which play
    starts; it is 0 unless turns pass before anybody chooses or rolls. Columns of whole numbers have the narrowest type
    that holds them.
    """

    __networkx_backend__ = "oddsmith"

    game: Game
    objective: str
    codec: Codec
    keys: Ints
    state_rows: Ints
    row_action: Ints
    row_edges: Ints
    denominator: Ints
    target: NDArray[np.int32]
    weight: NDArray[Any]
    payoff: NDArray[Any]
    tag: NDArray[Any]
    tags: tuple[tuple[int, int, bool], ...]
    payoffs: tuple[tuple[int, ...], ...]
    scale: int
    actions: tuple[Action, ...]
    parent: Ints
    watched: Mapping[tuple[str, str], int] = field(default_factory=dict)
    first_mover: int = 0
    graph: dict[str, Any] = field(default_factory=dict)

    def __repr__(self) -> str:
        sizes = (self.state_count, "state"), (len(self.row_action), "action"), (len(self.target), "transition")
        counted = ", ".join(plural(count, what) for count, what in sizes)
        return short_repr(self, f"{self.game.ruleset.id}, {plural(self.seats, 'seat')}, {self.objective}: {counted}")

    # --- what the tags of transitions stand for

    @cached_property
    def seat_shift(self) -> Whole:
        """The number of seats by which the mover moves on, for each transition, in 8 bits."""
        seat_shift: Whole = np.array([tag[0] for tag in self.tags], dtype=np.int8)[self.tag]
        return seat_shift

    @cached_property
    def event_bits(self) -> Ints:
        """For each transition, a bit for each watched entry that it passes, and ``DICE_ROLLED_BIT`` if dice are rolled."""
        return self.tag_column(1)

    @cached_property
    def turn_over(self) -> NDArray[np.bool_]:
        """Whether the turn ends, for each transition."""
        return self.tag_column(2).astype(bool)

    def tag_column(self, component_index: int, transitions: slice = slice(None)) -> Ints:
        """Return one component of the tag of each transition in ``transitions``.

        ``component_index``: 0 for the seat shift, 1 for the event bits, 2 for whether the turn ends.
        """
        found: Ints = np.array([tag[component_index] for tag in self.tags], dtype=np.int64)[self.tag[transitions]]
        return found

    # --- sizes

    @property
    def state_count(self) -> int:
        """The number of states."""
        return len(self.state_rows) - 1

    @property
    def seats(self) -> int:
        """The number of seats."""
        return self.game.seats

    @cached_property
    def decision_count(self) -> int:
        """The number of states with more than one action."""
        return int((np.diff(self.state_rows) > 1).sum())

    @cached_property
    def edge_row(self) -> Ints:
        """The row of each transition."""
        return repeat(arange(len(self.row_action)), np.diff(self.row_edges))

    @cached_property
    def row_state(self) -> Ints:
        """The state of each row."""
        return repeat(arange(self.state_count), np.diff(self.state_rows))

    @property
    def edge_state(self) -> Ints:
        """The source state of every transition.

        It is not cached, because it is as large as the graph and quickly computed.
        """
        return repeat(arange(self.state_count), np.diff(self.row_edges[self.state_rows]))

    @cached_property
    def matrix(self) -> csr_matrix:
        """The successor relation as a sparse matrix of shape (states, states). It has an entry where a transition leads
        from one state to another; the values of entries mean nothing.
        """
        from scipy.sparse import csr_matrix

        inner = self.target >= 0
        ones = np.ones(np.count_nonzero(inner), dtype=np.int8)
        matrix = csr_matrix(
            (ones, (self.edge_state[inner], self.target[inner])), shape=(self.state_count, self.state_count)
        )
        matrix.sum_duplicates()
        return matrix

    @cached_property
    def components(self) -> Ints:
        """The strongly connected component of every state, numbered so that successors come first."""
        from scipy.sparse.csgraph import connected_components

        count, labels = connected_components(self.matrix, directed=True, connection="strong")
        inner = self.target >= 0
        source, target = labels[self.edge_state[inner]], labels[self.target[inner]]
        if (source >= target).all():  # SciPy's order, seen always, promised never
            return labels.astype(np.int64)
        import networkx as nx

        condensed = nx.DiGraph()
        condensed.add_nodes_from(range(count))
        condensed.add_edges_from({(int(a), int(b)) for a, b in zip(target, source, strict=True) if a != b})
        new_label = np.empty(count, dtype=np.int64)
        new_label[list(nx.topological_sort(condensed))] = arange(count)
        return new_label[labels]

    # --- states and actions in words

    def state(self, number: int) -> State:
        """Return the state with a number, with seats counted from the mover."""
        return self.codec.state(self.keys[:, number])

    @cached_property
    def _numbers_by_key(self) -> dict[bytes, int]:
        """The number of each state, by the bytes of its key."""
        return {key.tobytes(): number for number, key in enumerate(np.ascontiguousarray(self.keys.T))}

    def index_of(self, state: State) -> int | None:
        """Return the number of a state, whichever seat is its mover; None if play cannot reach it."""
        key = self.codec.key(self.codec.canonical_state(state))
        return None if key is None else self._numbers_by_key.get(key.tobytes())

    def action_name(self, row: int) -> str:
        """Return the name of a row's action: its option, with the values of its loop names."""
        seen = int(self.row_labels[row])
        if seen not in self._action_names:
            self._action_names[seen] = self._action_in_words(*divmod(seen, self.seats))
        return self._action_names[seen]

    @cached_property
    def _action_names(self) -> dict[int, str]:
        """The names of actions found so far, by the row label."""
        return {}

    def _action_in_words(self, action: int, first_side_seat: int) -> str:
        """Return the name of an action. ``first_side_seat``: the seat of the first side."""
        if action < 0:
            return "roll"
        phase, entry, binding = self.actions[action]
        return self.game.option_text(self.game.ruleset.phases[phase].entries[entry], binding, first_side_seat)

    @cached_property
    def row_labels(self) -> Ints:
        """For each row, a number that determines the name of its action.

        It combines the action with the seat of the first side, because names depend on sides.
        """
        seen: Ints = self.row_action.astype(np.int64) * self.seats + self.first_side[self.row_state]
        return seen

    @cached_property
    def first_side(self) -> Ints:
        """The seat of the first side in each state, counted from the mover; all 0 if the ruleset has no sides."""
        sides = self.game.ruleset.sides
        if not sides:
            return np.zeros(self.state_count, dtype=np.int64)
        cells, _, _ = self.codec.decode(self.keys)
        found: Ints = cells[self.game.cell_indices_of(sides[0]).start].astype(np.int64)
        return found

    def rows(self, state: int) -> range:
        """Return the numbers of the rows of a state."""
        return range(int(self.state_rows[state]), int(self.state_rows[state + 1]))

    def edges(self, row: int) -> range:
        """Return the numbers of the transitions of a row."""
        return range(int(self.row_edges[row]), int(self.row_edges[row + 1]))

    # --- networkx

    def __len__(self) -> int:
        return self.state_count

    def __iter__(self) -> Iterator[int]:
        return iter(range(self.state_count))

    def __contains__(self, node: object) -> bool:
        return isinstance(node, int | np.integer) and 0 <= int(node) < self.state_count

    def is_directed(self) -> bool:
        """Return True, for networkx: transitions have a direction."""
        return True

    def is_multigraph(self) -> bool:
        """Return True, for networkx: several actions may lead to one state."""
        return True

    def successors(self, node: int) -> Iterator[int]:
        """Return an iterator over the successors of a state."""
        matrix = self.matrix
        return iter(matrix.indices[matrix.indptr[node] : matrix.indptr[node + 1]].tolist())

    def number_of_nodes(self) -> int:
        """Return the number of states, for networkx."""
        return self.state_count

    def to_networkx(self) -> nx.MultiDiGraph:
        """Return a plain networkx graph.

        Nodes are state numbers and ``"end"``. Their attributes are ``state``, ``phase``, ``out`` (seats that are out)
        and the variables by name, such as ``hoard`` or ``purse[1]``. Seats are counted from the mover. Variables that
        nothing reads again before they are set are left out. Edges carry ``action``, ``probability`` (text of an exact
        fraction), ``seats_on`` (the number of seats by which the mover moves on) and ``payoff`` (text, a payoff for
        each seat from the mover on).
        """
        import networkx as nx

        plain = nx.MultiDiGraph(ruleset=self.game.ruleset.id, objective=self.objective)
        shown = ExportedVariables(self.game, self.codec, ("state", "phase", "out"))
        for number in range(self.state_count):
            state = self.state(number)
            plain.add_node(number)
            plain.nodes[number].update({"state": state, **named_values(state, shown)})
        plain.add_node("end", phase="end")
        for row in range(len(self.row_action)):
            name, source = self.action_name(row), int(self.row_state[row])
            for edge in self.edges(row):
                target = int(self.target[edge])
                probability = Fraction(int(self.weight[edge]), int(self.denominator[row]))
                paid = [fraction_text(Fraction(units, self.scale)) for units in self.payoffs[int(self.payoff[edge])]]
                plain.add_edge(
                    source,
                    "end" if target < 0 else target,
                    action=name,
                    probability=fraction_text(probability),
                    seats_on=int(self.seat_shift[edge]),
                    payoff=" ".join(paid),
                )
        return plain


def refuse_endless(graph: StateGraph, is_partial: bool = False) -> None:
    """Raise PlayError if play can reach a state from which nobody can ever end the game.

    ``is_partial``: whether the graph has only some states of a game. The states outside it are then assumed to reach
    the end, and the error shows no play.
    """
    inner = (graph.target >= 0) & (graph.target < graph.state_count)
    source = graph.edge_state
    ends = reachable_mask(graph.target[inner], source[inner], graph.state_count, unique(source[~inner]))
    if ends.all():
        return
    number = int(np.flatnonzero(~ends)[0])
    play = play_to(Rules(graph.game), graph.codec, graph.keys, graph.parent, number)[1] if not is_partial else ()
    problem = endless_problem(graph.game, graph.state(number), graph.codec.carried)
    raise PlayError(problem, play, graph.game.ruleset.source)
