"""One play of a solved game with hidden information: how each step changes the values, and what the chooser could know.

Values are those for an observer who sees everything: the expectation under the plans of both seats at a node. A node is
a position together with what every seat has observed.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from oddsmith.base.exact import Number
from oddsmith.ruleset import (
    IndexedMove,
    InformationSet,
    Node,
    ObservedMove,
    ObservedPosition,
    PlayedMove,
    SubgameTraversal,
    TreeBuilder,
    index_of_chance_move,
)
from oddsmith.solve.extensive.solver import PlannedChoice, SecretSolution


@dataclass(frozen=True)
class TracedStep:
    """A step of a play: a result of chance, or a choice of one seat.

    ``seat``: the seat that chose, from 0; None if chance decided. ``position``: the position before the step.
    ``event``: what happened. ``taken_index``: its index among all that could happen. ``move``: the move that the step belongs
    to. ``subgame_root``: the position in which the subgame began. ``choice``: the plan at the information set; None if chance
    decided. ``values_after``: the value to each seat after the step.
    """

    seat: int | None
    position: ObservedPosition
    event: ObservedMove
    taken_index: int
    move: PlayedMove
    subgame_root: ObservedPosition
    choice: PlannedChoice | None
    values_after: tuple[Number, ...]


def trace_play(solution: SecretSolution, moves: Sequence[PlayedMove]) -> list[TracedStep]:
    """Return the steps of a play from the start of a solved game.

    A move in which several seats choose simultaneously has one step for each of them.
    """
    tracer = _PlayTracer(solution)
    for move in moves:
        if move.simultaneous_choices:
            for _, item in move.simultaneous_choices:
                tracer.record_step(tracer.possible_labels.index(item), move)
        elif move.action is not None:
            tracer.record_step(tracer.possible_labels.index(move.action), move)
        else:
            assert move.chance_result is not None
            tracer.record_step(index_of_chance_move(tracer.moves, move.chance_result, move.step), move)
    return tracer.steps


class _PlayTracer:
    """Follows one play, and records its steps."""

    def __init__(self, solution: SecretSolution) -> None:
        self.solution, self.builder = solution, TreeBuilder(solution.game, solution.objective)
        self.steps: list[TracedStep] = []
        self.begin_subgame(next(iter(solution.subgames)))

    def begin_subgame(self, subgame_root: ObservedPosition) -> None:
        """Begin the subgame of the position ``subgame_root``."""
        self.root, self.situation = subgame_root, subgame_root
        self.walk = _ExpectedPayoffs(self.builder, self.solution, subgame_root)
        self.common, self.node = 0, self.walk.start
        self.moves = self.builder.observer.possible_moves(subgame_root)

    @property
    def possible_labels(self) -> list[Hashable]:
        """The labels of everything that can happen next."""
        return [each.label for each in self.moves.moves]

    def record_step(self, taken_index: int, move: PlayedMove) -> None:
        """Follow one of the things that can happen next, and record the step. ``taken_index``: its index."""
        before, moves, root, walk = self.situation, self.moves, self.root, self.walk
        choice = None if moves.seat is None else self.planned_choice(moves.seat)
        event = moves.moves[taken_index]
        after = self.builder.indexed_moves(self.node[0]).moves[taken_index]
        self.common, self.node = walk.successor_node(self.common, self.node, after)
        self.situation = event.successor
        values = walk.node_values(self.node)
        self.steps.append(TracedStep(moves.seat, before, event, taken_index, move, root, choice, values))
        if self.node in walk.ends and self.situation in self.solution.subgames:
            self.begin_subgame(self.situation)
        else:
            self.moves = self.builder.observer.possible_moves(self.situation)

    def planned_choice(self, seat: int) -> PlannedChoice:
        """Return the plan at the information set of the current node. ``seat``: the seat that moves."""
        place = self.walk.places[seat][self.node[1 + seat]]
        return next(each for each in self.solution.planned_choices(self.root, seat) if each.information_set is place)


class _ExpectedPayoffs(SubgameTraversal[None]):
    """The expected payoffs of the seats at all nodes of a subgame, under the plans of all seats.

    At an information set that a seat's plan never reaches, the seat takes every action with the same probability.
    """

    def __init__(self, tree_builder: TreeBuilder, solution: SecretSolution, subgame_root: ObservedPosition) -> None:
        super().__init__(tree_builder, subgame_root)
        self.solution, solved = solution, solution.subgames[subgame_root]
        self.plans = solved.equilibrium.plans
        self.places: list[Mapping[int, InformationSet]] = [
            {self.history_index_of(each): each for each in own} for own in solved.subgame.information_sets
        ]
        self.start: Node = (tree_builder.position_index(subgame_root), *(0,) * self.seats)
        self.edges: dict[Node, list[tuple[Fraction, Node]]] = {}
        self.ends: dict[Node, ObservedPosition] = {}
        self.traverse(None)
        followed = range(1 if solution.has_constant_sum else self.seats)
        self._bounds = [
            [self._seat_expectations(bound, seat) for bound in (solution.lower_value_bound, solution.upper_value_bound)]
            for seat in followed
        ]

    def node_values(self, node: Node) -> tuple[Number, ...]:
        """Return the expected payoff of each seat at a node."""
        found = tuple(Number(*(bound[node] for bound in own)) for own in self._bounds)
        return found if len(found) == self.seats else (found[0], -found[0] + self.solution.payoff_sum)

    def visit_end(self, situation: ObservedPosition, group: Mapping[Node, None]) -> None:
        self.ends |= dict.fromkeys(group, situation)

    def visit_node(self, common: int, node: Node, carried: None, after: dict[int, dict[Node, None]]) -> None:
        seat, _, nexts = self.tree_builder.indexed_moves(node[0])
        if not nexts:
            self.ends[node] = self.tree_builder.situations[node[0]]
            return
        edges = []
        for each, chance in zip(nexts, self._move_probabilities(seat, node, nexts), strict=True):
            there, reached = self.successor_node(common, node, each)
            after.setdefault(there, {})[reached] = carried
            edges.append((chance, reached))
        self.edges[node] = edges

    def _move_probabilities(self, seat: int | None, node: Node, moves: Sequence[IndexedMove]) -> list[Fraction]:
        """Return the probability of each of ``moves``, which are all moves that can happen at a node."""
        if seat is None:
            return [each.probability for each in moves]
        place, plan = self.places[seat][node[1 + seat]], self.plans[seat]
        before = plan[place.parent_sequence]
        return [plan[each] / before if before else Fraction(1, len(moves)) for each in place.sequences]

    def _seat_expectations(
        self, end_value: Callable[[ObservedPosition, int], Fraction], seat: int
    ) -> dict[Node, Fraction]:
        """Return the expected payoff of a seat at every node.

        ``end_value``: a function that returns the value to a seat of a position in which the subgame ends.
        """
        found = {node: end_value(situation, seat) for node, situation in self.ends.items()}
        for node in reversed(self.edges):  # levels come one after the other
            found[node] = sum((chance * found[after] for chance, after in self.edges[node] if chance), Fraction(0))
        return found
