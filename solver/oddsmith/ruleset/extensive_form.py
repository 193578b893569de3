"""A game with secrets as games in extensive form: one for each position that everybody knows.

A *subgame* begins where what all seats have seen in common leaves one position only (Selten 1965). What happens in it does
not depend on how play came there, so each is solved once, and the others count it as an end with its value. In a game
without secrets every position begins one; a hand of cards is one from the deal to the showdown.

Inside a subgame every seat has information sets (histories of what it saw) and sequences (its own choices so far), as in von
Stengel, Efficient Computation of Behavior Strategies, 1996. What an end pays is kept with the sequences of the seats that
lead to it and the chance that chance plays along.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field
from fractions import Fraction
from typing import NamedTuple

from oddsmith.base.errors import Broken, Signal, TooManyStatesError
from oddsmith.base.limits import limits, raising
from oddsmith.base.progress import Progress, silent
from oddsmith.ruleset.game import Game
from oddsmith.ruleset.observations import Observer, Occurrence, Situation, label_words

ROOT = 0
"""The empty sequence: no choice so far."""


class Sequence(NamedTuple):
    """A seat's own choices so far: the last one, and at which information set. The empty sequence has information set -1."""

    information_set: int
    action: int


@dataclass(slots=True)
class InformationSet:
    """Positions of a seat that it cannot tell apart.

    ``parent``: its sequence before. ``labels``: what it may choose; ``first``: the sequence of the first of these, the others
    follow. ``situation``: one of the positions. ``seen``: what the seat saw since the subgame began, step by step. ``chances``:
    by the sequence of the other seat, the chance that chance plays along.
    """

    parent: int
    labels: tuple[Hashable, ...]
    first: int
    situation: Situation
    seen: tuple[Hashable, ...]
    chances: dict[int, Fraction] = field(default_factory=dict)

    @property
    def sequences(self) -> range:
        """The sequences that end with a choice here."""
        return range(self.first, self.first + len(self.labels))


class Leaf(NamedTuple):
    """Where a subgame ends: the sequences of the seats, the chance that chance plays along, and the position there."""

    sequences: tuple[int, ...]
    chance: Fraction
    situation: Situation


@dataclass(slots=True)
class Subgame:
    """A game in extensive form. ``information_sets`` and ``sequences``: by seat, parents before what follows them."""

    root: Situation
    information_sets: list[list[InformationSet]]
    sequences: list[list[Sequence]]
    leaves: list[Leaf] = field(default_factory=list)


class _Node(NamedTuple):
    situation: Situation
    known: tuple[int, ...]


@dataclass(slots=True)
class _Group:
    """The nodes that are alike in what all seats have seen, each with the seats' sequences and its chance."""

    nodes: dict[_Node, tuple[tuple[int, ...], Fraction]] = field(default_factory=dict)

    def add(self, node: _Node, sequences: tuple[int, ...], chance: Fraction) -> None:
        had = self.nodes.get(node)
        self.nodes[node] = (sequences, chance if had is None else had[1] + chance)


class _Enough(Signal):
    """Raised where as many positions were followed as was asked for."""


class TreeBuilder:
    """Builds the subgames of a game. Raises PlayError where a seat would have to choose by what it has not seen."""

    def __init__(self, game: Game, objective: str, report: Progress | None = None) -> None:
        self.game, self.objective, self.report, self.nodes = game, objective, report or silent, 0
        self.limit: int | None = None
        self.observer = Observer(game)

    def follow(self, limit: int | None) -> tuple[int, bool]:
        """Follow play through the subgames that it can come to: the number of positions, and whether these are all.

        With a ``limit`` it stops where there are so many. Raises what solving the game would raise.
        """
        first = self.observer.start()
        todo, met = [first], {first}
        self.limit = limit
        while todo:
            try:
                made = self.subgame(todo.pop())
            except _Enough:
                return self.nodes, False
            for leaf in made.leaves:
                if not leaf.situation.state.phase:
                    self.observer.rules.payoffs(leaf.situation.state, self.objective)
                elif leaf.situation not in met:
                    met.add(leaf.situation)
                    todo.append(leaf.situation)
        return self.nodes, True

    def subgame(self, root: Situation) -> Subgame:
        """The subgame that begins in a position."""
        return _Builder(self, root).build()

    def met(self) -> None:
        """Count a node. Raises TooManyStatesError beyond the limit of the program, and stops at one that was given."""
        if self.limit is not None and self.nodes >= self.limit:
            raise _Enough("so many positions are enough")
        self.nodes += 1
        if self.nodes > limits().states:
            message = f"play with secrets has over {limits().states:,} positions; {raising('states')}"
            raise TooManyStatesError(message)
        if self.nodes % 4096 == 0:
            self.report("following what seats see", self.nodes, 0)


class _Builder:
    def __init__(self, owner: TreeBuilder, root: Situation) -> None:
        self.owner, self.observer, self.seats = owner, owner.observer, owner.game.seats
        self.ids: dict[tuple[int, Hashable], int] = {}
        self.seen: list[tuple[int, Hashable]] = [(-1, ())]
        self.places: list[dict[int, int]] = [{} for _ in range(self.seats)]
        self.made = Subgame(root, [[] for _ in range(self.seats)], [[Sequence(-1, 0)] for _ in range(self.seats)])

    def build(self) -> Subgame:
        group = _Group()
        group.add(_Node(self.made.root, (0,) * self.seats), (ROOT,) * self.seats, Fraction(1))
        level = {0: group}
        first = True
        while level:
            after: dict[int, _Group] = {}
            for common, each in level.items():
                situations = {node.situation for node in each.nodes}
                if len(situations) == 1 and not first:
                    self.ended(next(iter(situations)), each)
                else:
                    self.expanded(common, each, after)
            level, first = after, False
        return self.made

    def ended(self, situation: Situation, group: _Group) -> None:
        """All that leads to one position, which begins a subgame of its own or ends the game."""
        chances: dict[tuple[int, ...], Fraction] = {}
        for sequences, chance in group.nodes.values():
            chances[sequences] = chances.get(sequences, Fraction(0)) + chance
        self.made.leaves += [Leaf(sequences, chance, situation) for sequences, chance in chances.items()]

    def expanded(self, common: int, group: _Group, after: dict[int, _Group]) -> None:
        for node, (sequences, chance) in group.nodes.items():
            self.owner.met()
            moves = self.observer.moves(node.situation)
            if not moves.occurrences:
                self.made.leaves.append(Leaf(sequences, chance, node.situation))
                continue
            seat, first = moves.seat, 0
            if seat is not None:
                place = self.place(seat, node, sequences[seat], moves.occurrences)
                other = sequences[1 - seat] if len(sequences) == 2 else ROOT
                place.chances[other] = place.chances.get(other, Fraction(0)) + chance
                first = place.first
            for number, event in enumerate(moves.occurrences):
                known = tuple(self.noted(node.known[each], event.seen[each]) for each in range(self.seats))
                chosen = sequences
                if seat is not None:
                    chosen = (*sequences[:seat], first + number, *sequences[seat + 1 :])
                there = after.setdefault(self.noted(common, ("common", event.common)), _Group())
                there.add(_Node(event.after, known), chosen, chance * event.chance)

    def noted(self, before: int, seen: Hashable) -> int:
        """The number of a history: what was seen before, and then this."""
        key = (before, seen)
        found = self.ids.get(key)
        if found is None:
            found = self.ids[key] = len(self.seen)
            self.seen.append(key)
        return found

    def place(self, seat: int, node: _Node, parent: int, may: tuple[Occurrence, ...]) -> InformationSet:
        """The information set of a seat that chooses, made where it is new. Raises PlayError where its choices differ."""
        labels = tuple(each.label for each in may)
        own = self.made.information_sets[seat]
        number = self.places[seat].get(node.known[seat])
        if number is None:
            self.places[seat][node.known[seat]] = len(own)
            sequences = self.made.sequences[seat]
            own.append(InformationSet(parent, labels, len(sequences), node.situation, self.history(node.known[seat])))
            sequences += [Sequence(len(own) - 1, action) for action in range(len(labels))]
            return own[-1]
        found = own[number]
        if found.labels != labels:
            self.refuse(seat, found, node.situation, labels)
        return found

    def refuse(self, seat: int, found: InformationSet, other: Situation, labels: tuple[Hashable, ...]) -> None:
        """Raises PlayError for choices that depend on what their chooser has not seen."""
        game, phase = self.owner.game, other.state.phase
        alone = next(label for label in (*found.labels, *labels) if (label in found.labels) != (label in labels))
        only = label_words(game, found.situation if alone in found.labels else other, alone)
        message = (
            f"in {phase}, {game.ruleset.player(seat)} may choose {only} in one position and not in another, and cannot tell "
            "these apart by what was seen"
        )
        hint = "let `when` look only at what the seat has seen, or `reveal` to it what it needs to know"
        positions = " / ".join(filter(None, (_position_words(game, each) for each in (found.situation, other))))
        broken = Broken("OD536", message, f"{hint}; the two positions: {positions}")
        raise game.broken(broken, game.ruleset.phases[phase].location)

    def history(self, number: int) -> tuple[Hashable, ...]:
        steps: list[Hashable] = []
        while number > 0:
            number, seen = self.seen[number]
            steps.append(seen)
        return tuple(reversed(steps))


def _position_words(game: Game, situation: Situation) -> str:
    """What a position holds, as far as it is not as at the start."""
    cells = zip(range(len(game.cells)), situation.state.cells, game.start, strict=True)
    return ", ".join(
        game.told(where, value, game.cells[where].seated) for where, value, start in cells if value != start
    )
