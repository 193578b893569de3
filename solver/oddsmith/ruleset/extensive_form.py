"""Splits a game with secrets into games in extensive form: one for each position that is common knowledge.

A *subgame* begins at a position if the observations that all seats share leave no other position possible (Selten
1965). Play in it does not depend on how the position was reached. So each subgame is solved once, and in other subgames
its root is a leaf with its value. In a game without secrets, every position begins a subgame. In a game of cards, a
subgame is the play from the deal to the showdown.

Inside a subgame every seat has information sets (histories of its observations) and sequences (of its own choices), as
in von Stengel, Efficient Computation of Behavior Strategies, 1996. A leaf is stored with the sequences of the seats
that lead to it, and with the product of the probabilities of chance along the path.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial
from random import Random
from typing import Any, Generic, NamedTuple, TypeVar

from oddsmith.base.errors import PlayError, RuleFailure, Signal, TooManyStatesError
from oddsmith.base.limits import hint_to_raise_limit, limits
from oddsmith.base.location import Location
from oddsmith.base.progress import Progress, ignore_progress
from oddsmith.ruleset.differences import location_of_differing_offer, location_of_differing_policy_line
from oddsmith.ruleset.game import Game
from oddsmith.ruleset.moves_in_words import plays_side_by_side
from oddsmith.ruleset.observations import CountedEvents, ObservedPosition, Observer, label_in_words, move_in_words
from oddsmith.ruleset.play import Choose
from oddsmith.ruleset.rules import Action, Rules

MOVES_OF_NODE = 10
"""The number of moves for each node of a limit, at which following play stops."""
COMPARED_CHOICES = 400
"""The number of random choices that are compared in a game that is too large to be followed whole."""
SAMPLED_MOVES = 60_000
"""The number of moves that are followed to compare random choices."""

ROOT = 0
"""The empty sequence: no choice so far."""


class ChoiceSequence(NamedTuple):
    """A sequence of a seat's own choices, given by the last of them: an information set, and the action chosen there.

    Both are indices. The empty sequence has the information set -1.
    """

    information_set: int
    action: int


@dataclass(slots=True)
class InformationSet:
    """Positions that a seat cannot distinguish.

    ``parent_sequence``: the index of the seat's sequence that leads here. ``labels``: the actions. ``first_sequence``:
    the index of the sequence that ends with the first action; the sequences of the other actions follow it.
    ``situation``: one of the positions. ``observations``: what the seat has observed since the subgame began, step by
    step. ``policy_actions``: for each named policy, the index of the action that it chooses. ``chance_probabilities``:
    for each sequence of the other seat, the product of the probabilities of chance on the paths that lead here.
    """

    parent_sequence: int
    labels: tuple[Hashable, ...]
    first_sequence: int
    situation: ObservedPosition
    observations: tuple[Hashable, ...]
    policy_actions: dict[str, int]
    chance_probabilities: dict[int, Fraction] = field(default_factory=dict)

    @property
    def sequences(self) -> range:
        """The indices of the sequences that end with a choice at this information set."""
        return range(self.first_sequence, self.first_sequence + len(self.labels))


class Leaf(NamedTuple):
    """The end of a subgame: the sequences of the seats that lead to it, the probability of chance, and the position."""

    sequences: tuple[int, ...]
    chance_probability: Fraction
    situation: ObservedPosition


@dataclass(slots=True)
class Subgame:
    """A game in extensive form. ``root``: the position in which it begins.

    ``information_sets``, ``sequences``: one list for each seat, with parents before children. ``leaves``: its ends.
    """

    root: ObservedPosition
    information_sets: list[list[InformationSet]]
    sequences: list[list[ChoiceSequence]]
    leaves: list[Leaf] = field(default_factory=list)


class IndexedMove(NamedTuple):
    """A possible move of chance or of a seat, with indices in place of objects.

    ``probability``: its probability if chance decides, else 1. ``successor``: the index of the position after it.
    ``observations``: for each seat, the index of its observation. ``shared_observation``: the index of the observation
    that all seats share. ``events``: the events that measures count, with their probabilities.
    """

    probability: Fraction
    successor: int
    observations: tuple[int, ...]
    shared_observation: int
    events: Mapping[CountedEvents, Fraction]


class IndexedMoves(NamedTuple):
    """The possible moves in a position, with indices.

    ``seat``: the seat that chooses; None if chance decides. ``labels``: the actions, or results of chance. ``moves``:
    the move for each label.
    """

    seat: int | None
    labels: tuple[Hashable, ...]
    moves: tuple[IndexedMove, ...]


PathStep = tuple[int, int]
"""A step on a path: the index of the position before the move, and the index of the move among those possible there."""
Result = TypeVar("Result")

Node = tuple[int, ...]
"""The index of a position, and for each seat the index of the history of its observations."""


class _NodeLimitReached(Signal):
    """Raised when the number of nodes reaches the limit of ``TreeBuilder.explore``."""


class TreeBuilder:
    """Builds the subgames of a game.

    ``policies``: the named policies, by name. ``rules``: the rules of the game; None to compile them anew.
    ``ends_by_sum``: what ``explore`` met, an end of the game for each sum of the payoffs of all seats. Its methods
    raise PlayError if the actions of a seat, or the choice of a policy, depend on something that the seat has not seen.
    """

    def __init__(
        self,
        game: Game,
        objective: str,
        progress: Progress | None = None,
        policies: Mapping[str, Choose] | None = None,
        rules: Rules | None = None,
    ) -> None:
        self.game, self.objective, self.progress, self.nodes = game, objective, progress or ignore_progress, 0
        self.policies = policies or {}
        self.limit: int | None = None
        self.observer = Observer(game, rules)
        self.situations: list[ObservedPosition] = []
        self.learned: list[Hashable] = []
        self._reached_from: list[int] = []
        self._numbers: dict[ObservedPosition, int] = {}
        self._learned: dict[Hashable, int] = {}
        self._ways: dict[int, IndexedMoves] = {}
        self._moves = 0
        self.ends_by_sum: dict[Fraction, ObservedPosition] = {}

    def position_index(self, situation: ObservedPosition, predecessor_index: int = -1) -> int:
        """Return the index of a position; a new position receives the next index.

        ``predecessor_index``: the index of the position before it; -1 if that is not known.
        """
        number = _index_adding_new(situation, self._numbers, self.situations)
        if number == len(self._reached_from):
            self._reached_from.append(predecessor_index)
        return number

    def observation_index(self, observation: Hashable) -> int:
        """Return the index of an observation; a new observation receives the next index."""
        return _index_adding_new(observation, self._learned, self.learned)

    def indexed_moves(self, position_index: int) -> IndexedMoves:
        """Return the possible moves in the position with the index ``position_index``. The result is cached."""
        found = self._ways.get(position_index)
        if found is None:
            moves = self.call_adding_play_to_error(
                position_index, self.observer.possible_moves, self.situations[position_index]
            )
            nexts = tuple(
                IndexedMove(
                    each.probability,
                    self.position_index(each.successor, position_index),
                    tuple(map(self.observation_index, each.observations)),
                    self.observation_index(each.shared_observations),
                    each.events,
                )
                for each in moves.moves
            )
            self._moves += len(moves.moves)
            found = self._ways[position_index] = IndexedMoves(
                moves.seat, tuple(each.label for each in moves.moves), nexts
            )
        return found

    def explore(self, node_limit: int | None) -> tuple[int, bool]:
        """Follow play through all reachable subgames. Return the number of nodes, and whether these are all nodes.

        ``node_limit``: the number of nodes at which it stops, or earlier if nodes have very many moves; None for no
        limit. Raises PlayError if a rule breaks, and TooManyStatesError above the limit of the program.
        """
        first = self.observer.start()
        todo, met = [first], {first}
        self.limit = node_limit
        while todo:
            try:
                made = self.subgame(todo.pop())
            except _NodeLimitReached:
                return self.nodes, False
            for leaf in made.leaves:
                if not leaf.situation.state.phase:
                    self.ends_by_sum.setdefault(sum(self.payoffs(leaf.situation), Fraction(0)), leaf.situation)
                elif leaf.situation not in met:
                    met.add(leaf.situation)
                    todo.append(leaf.situation)
        return self.nodes, True

    def explore_or_compare_samples(self, node_limit: int | None) -> tuple[int, bool]:
        """Follow play as ``explore`` does, and return the same. At the limit, compare random choices as well."""
        nodes, whole = self.explore(node_limit)
        if not whole:
            self.compare_random_choices(COMPARED_CHOICES, seed=0)
        return nodes, whole

    def payoffs(self, situation: ObservedPosition) -> tuple[Fraction, ...]:
        """Return the payoff of each seat at an end of the game."""
        number = self.position_index(situation)
        return self.call_adding_play_to_error(number, self.observer.rules.payoffs, situation.state, self.objective)

    def play_to_end(self, end: ObservedPosition) -> tuple[str, ...]:
        """Return a play from the start to an end of the game that was met, in words, move by move."""
        return self.play_to_position(self.position_index(end))

    def call_adding_play_to_error(
        self, position_index: int, function: Callable[..., Result], *arguments: Any
    ) -> Result:
        """Return the result of ``function`` for its arguments. A PlayError that it raises is given the play that leads
        there.

        ``position_index``: the index of the position in which the step is made.
        """
        try:
            return function(*arguments)
        except PlayError as error:
            play = self.play_to_position(position_index)
            if self.situations[position_index].simultaneous_choices and error.play:
                play = play[:-1]  # the move that breaks a rule names the earlier simultaneous choices as well
            error.play = (*play, *error.play)
            raise

    def play_to_position(self, position_index: int) -> tuple[str, ...]:
        """Return a play from the start to the position with the index ``position_index``, in words, move by move."""
        path = list[PathStep]()
        while (before := self._reached_from[position_index]) >= 0:
            nexts = self.indexed_moves(before).moves
            path.append((before, next(place for place, each in enumerate(nexts) if each.successor == position_index)))
            position_index = before
        return self.path_in_words(path[::-1])

    def path_in_words(self, path: Iterable[PathStep]) -> tuple[str, ...]:
        """Return a path in words, move by move. Choices that are made simultaneously are one move."""
        moves = list[str]()
        for number, place in path:
            situation, (seat, labels, _) = self.situations[number], self.indexed_moves(number)
            if situation.simultaneous_choices and moves:
                moves.pop()
            moves.append(move_in_words(self.game, situation, seat, labels[place]))
        return tuple(moves)

    def subgame(self, root: ObservedPosition) -> Subgame:
        """Return the subgame that begins in a position."""
        return _SubgameBuilder(self, root).build()

    def policy_actions(self, position_index: int, labels: tuple[Hashable, ...]) -> dict[str, int]:
        """Return for each named policy the index of the action that it chooses.

        ``position_index``: the index of the position. ``labels``: the actions there. The map is empty for simultaneous
        choices, and if there is only one action.
        """
        actions = [label for label in labels if isinstance(label, Action)]
        if len(actions) < 2:
            return {}
        state = self.situations[position_index].state
        return {
            name: self.call_adding_play_to_error(position_index, pick, state, actions)
            for name, pick in self.policies.items()
        }

    def compare_random_choices(self, max_comparisons: int, seed: int) -> None:
        """Compare the choices in random pairs of positions that a seat cannot distinguish.

        The first position of a pair comes from a game with random moves. For the second, chance and other seats play
        once more such that the seat makes the same observations. ``max_comparisons``: the greatest number of
        comparisons; there are fewer if positions have very many moves. Raises PlayError if actions or choices of a
        policy differ.
        """
        rng, most = Random(seed), self._moves + SAMPLED_MOVES  # noqa: S311 - a sample, not a secret
        compared = plays = 0
        while compared < max_comparisons and plays < max_comparisons and self._moves < most:
            plays += 1
            path: list[PathStep] = []
            number = self.position_index(self.observer.start())
            while (moves := self.indexed_moves(number)).moves and compared < max_comparisons:
                if moves.seat is not None and len(moves.labels) > 1:
                    compared += 1
                    other = self.random_indistinguishable_path(path, moves.seat, rng)
                    there = self.position_after_path(other) if other else number
                    if other and there != number:
                        choice = self.situations[number], moves.labels, self.policy_actions(number, moves.labels)
                        told = partial(map, self.path_in_words, (tuple(path), other))
                        self.refuse_differing_choices(moves.seat, choice, there, told)
                place = rng.choices(range(len(moves.moves)), [float(each.probability) for each in moves.moves])[0]
                path.append((number, place))
                number = moves.moves[place].successor

    def position_after_path(self, path: list[PathStep]) -> int:
        """Return the index of the position after the last step of a path."""
        number, place = path[-1]
        return self.indexed_moves(number).moves[place].successor

    def random_indistinguishable_path(self, path: Iterable[PathStep], seat: int, rng: Random) -> list[PathStep]:
        """Return a random path from the start on which a seat makes the same observations as on a given path.

        Return an empty list if the random moves lead to other observations.
        """
        number, found = self.position_index(self.observer.start()), list[PathStep]()
        for before, taken in path:
            seen, nexts = self.indexed_moves(before).moves[taken].observations[seat], self.indexed_moves(number).moves
            fitting = [place for place, each in enumerate(nexts) if each.observations[seat] == seen]
            if not fitting:
                return []
            place = rng.choices(fitting, [float(nexts[each].probability) for each in fitting])[0]
            found.append((number, place))
            number = nexts[place].successor
        return found

    def refuse_differing_choices(
        self,
        seat: int,
        first_choice: tuple[ObservedPosition, tuple[Hashable, ...], Mapping[str, int]],
        other_index: int,
        plays_in_words: Callable[[], Iterable[tuple[str, ...]]],
    ) -> None:
        """Raise PlayError if the actions, or the choices of a policy, differ in two positions that a seat cannot
        distinguish.

        ``first_choice``: a position, its actions and its ``policy_actions``. ``other_index``: the index
        of the other position. ``plays_in_words``: returns for each of the two positions a play that leads there, in
        words.
        """
        situation, labels, picks = first_choice
        actions, found = self.indexed_moves(other_index).labels, picks
        same = labels is actions or labels == actions
        if same and picks:
            found = self.policy_actions(other_index, labels)
        if not same or picks != found:
            here, there = plays_in_words()
            choices = (
                _ChoiceAfterPlay(situation, labels, picks, here),
                _ChoiceAfterPlay(self.situations[other_index], actions, found, there),
            )
            raise (
                _policy_depends_on_unseen_error(self.game, seat, *choices)
                if same
                else _actions_depend_on_unseen_error(self.game, seat, *choices)
            )

    def count_node(self) -> None:
        """Count a node.

        Raises _NodeLimitReached at the limit of ``explore``, and TooManyStatesError above the limit of the program.
        """
        if self.limit is not None and (self.nodes >= self.limit or self._moves >= MOVES_OF_NODE * self.limit):
            raise _NodeLimitReached("so many positions are enough")
        self.nodes += 1
        if self.nodes > limits().states:
            message = f"play with secrets has over {limits().states:,} positions; {hint_to_raise_limit('states')}"
            raise TooManyStatesError(message)
        if self.nodes % 4096 == 0:
            self.progress("following what seats see", self.nodes, 0)


class _ChoiceAfterPlay(NamedTuple):
    """A choice in one of two positions that its player cannot distinguish.

    ``situation``: the position. ``labels``: the actions. ``policy_actions``: for each named policy, the index of the
    action that it chooses. ``play``: a play that leads there, in words.
    """

    situation: ObservedPosition
    labels: tuple[Hashable, ...]
    policy_actions: Mapping[str, int]
    play: tuple[str, ...]


def _policy_depends_on_unseen_error(
    game: Game, seat: int, first_choice: _ChoiceAfterPlay, second_choice: _ChoiceAfterPlay
) -> PlayError:
    """Return the error for a policy whose choice depends on something that its player has not seen."""
    phase, name = (
        first_choice.situation.state.phase,
        next(
            name
            for name in first_choice.policy_actions
            if first_choice.policy_actions[name] != second_choice.policy_actions[name]
        ),
    )
    first, second = (
        label_in_words(game, each.situation, each.labels[each.policy_actions[name]])
        for each in (first_choice, second_choice)
    )
    message = (
        f"in {phase}, {name} lets {game.ruleset.player_name(seat)} choose {first} in one position and {second} in another, "
        "and the player cannot tell these apart by what was seen"
    )
    actions = [label for label in first_choice.labels if isinstance(label, Action)]
    where = location_of_differing_policy_line(
        game, name, first_choice.situation.state, second_choice.situation.state, actions
    )
    return _error_with_both_plays(
        game,
        "OD537",
        message,
        "let its lines look only at what the player has seen",
        where,
        first_choice,
        second_choice,
    )


def _actions_depend_on_unseen_error(
    game: Game, seat: int, first_choice: _ChoiceAfterPlay, second_choice: _ChoiceAfterPlay
) -> PlayError:
    """Return the error for actions that depend on something that the player who chooses has not seen."""
    phase, player = first_choice.situation.state.phase, game.ruleset.player_name(seat)
    differing = [
        label
        for label in (*first_choice.labels, *second_choice.labels)
        if (label in first_choice.labels) != (label in second_choice.labels)
    ]
    if differing:
        label = differing[0]
        first_choice, second_choice = (
            (first_choice, second_choice) if label in first_choice.labels else (second_choice, first_choice)
        )
        offered = label_in_words(game, first_choice.situation, label)
        message = f"in {phase}, {player} may choose {offered} in one position and not in another"
    else:
        label = next(
            each for each, there in zip(first_choice.labels, second_choice.labels, strict=True) if each != there
        )
        message = f"in {phase}, {player} has the same choices in two positions, in another order"
    where = location_of_differing_offer(game, first_choice.situation.state, second_choice.situation.state, label, seat)
    message += ", and cannot tell these apart by what was seen"
    hint = "let `when` and lists look only at what the seat has seen, or `reveal` to it what it needs to know"
    return _error_with_both_plays(game, "OD536", message, hint, where, first_choice, second_choice)


def _error_with_both_plays(
    game: Game,
    code: str,
    message: str,
    hint: str,
    location: Location,
    first_choice: _ChoiceAfterPlay,
    second_choice: _ChoiceAfterPlay,
) -> PlayError:
    """Return the error for choices that differ in two positions, with the plays that lead there side by side."""
    positions = " / ".join(
        filter(None, (_position_in_words(game, each.situation) for each in (first_choice, second_choice)))
    )
    error = game.play_error(RuleFailure(code, message, f"{hint}; the two positions: {positions}"), location)
    error.play = plays_side_by_side(first_choice.play, second_choice.play)
    return error


def _index_adding_new(item: Any, index_by_item: dict[Any, int], items: list[Any]) -> int:
    """Return the index of an object. A new object is added to both collections, and receives the next index.

    ``index_by_item``: the indices by object; ``items``: the objects by index.
    """
    found = index_by_item.get(item)
    if found is None:
        found = index_by_item[item] = len(items)
        items.append(item)
    return found


PathValue = TypeVar("PathValue")


class SubgameTraversal(ABC, Generic[PathValue]):
    """Follows play from the root of a subgame, level by level, until the position is common knowledge again.

    A node is a position with the history of what each seat has observed. It has one value, which stands for all paths
    that lead to it.
    """

    def __init__(self, tree_builder: TreeBuilder, root: ObservedPosition) -> None:
        self.tree_builder, self.root, self.seats = tree_builder, root, tree_builder.game.seats
        self.history_indices: dict[tuple[int, int], int] = {}
        self.histories: list[tuple[int, int]] = [(-1, -1)]

    def traverse(self, root_value: PathValue) -> None:
        """Follow everything that can happen. ``root_value`` is the value at the root."""
        root: Node = (self.tree_builder.position_index(self.root), *(0,) * self.seats)
        level: dict[int, dict[Node, PathValue]] = {0: {root: root_value}}
        first = True
        while level:
            after: dict[int, dict[Node, PathValue]] = {}
            for common, each in level.items():
                situations = {node[0] for node in each}
                if len(situations) == 1 and not first:
                    self.visit_end(self.tree_builder.situations[situations.pop()], each)
                    continue
                for node, one in each.items():
                    self.tree_builder.count_node()
                    self.visit_node(common, node, one, after)
            level, first = after, False

    @abstractmethod
    def visit_end(self, situation: ObservedPosition, value_by_node: Mapping[Node, PathValue]) -> None:
        """Process a position that is common knowledge, in which the next subgame begins or the game ends.

        ``value_by_node``: the nodes with this position, with their values.
        """

    @abstractmethod
    def visit_node(
        self, shared_history: int, node: Node, node_value: PathValue, successors: dict[int, dict[Node, PathValue]]
    ) -> None:
        """Add the successors of a node to ``successors``, which maps the indices of shared histories to nodes with
        values.

        ``shared_history``: the index of the history that all seats share at the node. ``node_value``: the value of the
        node.
        """

    def successor_node(self, shared_history: int, node: Node, move: IndexedMove) -> tuple[int, Node]:
        """Return the index of the history that all seats share after a move, and the node after it.

        ``shared_history``: the index of the shared history before the move.
        """
        known = (self.history_index(had, new) for had, new in zip(node[1:], move.observations, strict=True))
        return self.history_index(shared_history, move.shared_observation), (move.successor, *known)

    def history_index(self, parent_history: int, observation_index: int) -> int:
        """Return the index of a history of observations. A new history receives the next index.

        ``parent_history``: the index of the history without its last observation. ``observation_index``: the index of
        this observation.
        """
        key = (parent_history, observation_index)
        found = self.history_indices.get(key)
        if found is None:
            found = self.history_indices[key] = len(self.histories)
            self.histories.append(key)
        return found

    def history_index_of(self, information_set: InformationSet) -> int:
        """Return the index of the history of observations at an information set."""
        history = 0
        for observation in information_set.observations:
            history = self.history_index(history, self.tree_builder.observation_index(observation))
        return history


Reached = tuple[tuple[int, ...], Fraction]
"""The sequences of the seats that lead to a node, and the product of the probabilities of chance on the paths to it."""


class _SubgameBuilder(SubgameTraversal[Reached]):
    def __init__(self, tree_builder: TreeBuilder, root: ObservedPosition) -> None:
        super().__init__(tree_builder, root)
        self.places: list[dict[int, InformationSet]] = [{} for _ in range(self.seats)]
        self.made = Subgame(root, [[] for _ in range(self.seats)], [[ChoiceSequence(-1, 0)] for _ in range(self.seats)])

    def build(self) -> Subgame:
        self.traverse(((ROOT,) * self.seats, Fraction(1)))
        return self.made

    def visit_end(self, situation: ObservedPosition, value_by_node: Mapping[Node, Reached]) -> None:
        chances: dict[tuple[int, ...], Fraction] = {}
        for sequences, chance in value_by_node.values():
            chances[sequences] = chances[sequences] + chance if sequences in chances else chance
        self.made.leaves += [Leaf(sequences, chance, situation) for sequences, chance in chances.items()]

    def visit_node(
        self, shared_history: int, node: Node, node_value: Reached, successors: dict[int, dict[Node, Reached]]
    ) -> None:
        sequences, chance = node_value
        seat, labels, nexts = self.tree_builder.indexed_moves(node[0])
        if not nexts:
            self.made.leaves.append(Leaf(sequences, chance, self.tree_builder.situations[node[0]]))
            return
        chosen, first = sequences, 0
        if seat is not None:
            place = self.information_set(seat, node, sequences[seat], labels)
            other = sequences[1 - seat] if len(sequences) == 2 else ROOT
            place.chance_probabilities[other] = (
                place.chance_probabilities[other] + chance if other in place.chance_probabilities else chance
            )
            first = place.first_sequence
        for number, each in enumerate(nexts):
            if seat is not None:
                chosen = (*sequences[:seat], first + number, *sequences[seat + 1 :])
            there, reached = self.successor_node(shared_history, node, each)
            odds, group = (
                chance if each.probability == 1 else chance * each.probability,
                successors.setdefault(there, {}),
            )
            group[reached] = (chosen, odds + group[reached][1] if reached in group else odds)

    def information_set(
        self, seat: int, node: Node, parent_sequence: int, labels: tuple[Hashable, ...]
    ) -> InformationSet:
        """Return the information set of a choice, which is created at its first node.

        Raises PlayError if the actions, or the choices of a policy, differ within the information set.
        """
        known = node[1 + seat]
        found, situation = self.places[seat].get(known), self.tree_builder.situations[node[0]]
        if found is None:
            own, sequences = self.made.information_sets[seat], self.made.sequences[seat]
            found = InformationSet(
                parent_sequence,
                labels,
                len(sequences),
                situation,
                self.observations_of_history(known),
                self.tree_builder.policy_actions(node[0], labels),
            )
            sequences += [ChoiceSequence(len(own), action) for action in range(len(labels))]
            own.append(found)
            self.places[seat][known] = found
        else:
            choice = found.situation, found.labels, found.policy_actions
            self.tree_builder.refuse_differing_choices(
                seat, choice, node[0], partial(self.plays_to_two_nodes, seat, node, found)
            )
        return found

    def plays_to_two_nodes(self, seat: int, node: Node, information_set: InformationSet) -> list[tuple[str, ...]]:
        """Return plays to two nodes of one information set, in words: to its first node, and to ``node``."""
        owner, known = self.tree_builder, node[1 + seat]
        numbers = owner.position_index(information_set.situation), node[0]
        paths = _NodeSearch(self, seat, known, numbers).paths_to_positions()
        before = owner.play_to_position(owner.position_index(self.root))
        return [(*before, *owner.path_in_words(paths[number])) for number in numbers]

    def observations_of_history(self, history_index: int) -> tuple[Hashable, ...]:
        """Return the observations of a history, the earliest first. ``history_index``: the index of the history."""
        steps: list[Hashable] = []
        while history_index > 0:
            history_index, learned = self.histories[history_index]
            steps.append(self.tree_builder.learned[learned])
        return tuple(reversed(steps))


_Path = tuple["_Path", PathStep] | None
"""A path from the root of a subgame: the path before its last step, and this step; None for the empty path."""


class _AllNodesFound(Signal):
    """Raised when ``_NodeSearch`` has found all nodes."""


class _NodeSearch(SubgameTraversal[_Path]):
    """Searches a subgame again for nodes at which a seat has the same observations.

    ``earlier_traversal``: the walk that met these nodes. ``history_index``: the index of the history of these
    observations. ``position_indices``: the indices of the positions of the nodes.
    """

    def __init__(
        self, earlier_traversal: SubgameTraversal[Any], seat: int, history_index: int, position_indices: Iterable[int]
    ) -> None:
        super().__init__(earlier_traversal.tree_builder, earlier_traversal.root)
        self.history_indices, self.histories = (
            earlier_traversal.history_indices,
            earlier_traversal.histories,
        )  # so that histories have the same indices
        self.seat, self.history_index_of_seat, self.missing = seat, history_index, set(position_indices)
        self.found: dict[int, _Path] = {}

    def paths_to_positions(self) -> dict[int, list[PathStep]]:
        """Return a shortest path from the root to a node with each position, by the index of the position."""
        self.tree_builder.limit, self.tree_builder.nodes = None, 0  # all these nodes were counted before
        with suppress(_AllNodesFound):
            self.traverse(None)
        return {number: _path_as_list(path) for number, path in self.found.items()}

    def visit_end(self, situation: ObservedPosition, value_by_node: Mapping[Node, _Path]) -> None:
        pass

    def visit_node(
        self, shared_history: int, node: Node, node_value: _Path, successors: dict[int, dict[Node, _Path]]
    ) -> None:
        if node[0] in self.missing and node[1 + self.seat] == self.history_index_of_seat:
            self.missing.remove(node[0])
            self.found[node[0]] = node_value
            if not self.missing:
                raise _AllNodesFound("all nodes are found")
        for place, each in enumerate(self.tree_builder.indexed_moves(node[0]).moves):
            there, reached = self.successor_node(shared_history, node, each)
            successors.setdefault(there, {}).setdefault(reached, (node_value, (node[0], place)))


def _path_as_list(path: _Path) -> list[PathStep]:
    steps: list[PathStep] = []
    while path is not None:
        path, step = path
        steps.append(step)
    return steps[::-1]


def _position_in_words(game: Game, situation: ObservedPosition) -> str:
    """Return a position in words: the values of the cells that differ from the start."""
    cells = zip(range(len(game.cells)), situation.state.cells, game.start, strict=True)
    return ", ".join(
        game.cell_in_words(where, value, game.cells[where].name_with_sides)
        for where, value, start in cells
        if value != start
    )
