"""A game as a tree in the EFG format, which Gambit and OpenSpiel read. A position has one node for every way in which
play can reach it. The tree has the information sets of every seat. ``docs/exporting.md`` describes it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator, Sequence
from fractions import Fraction
from itertools import count

from oddsmith.base.errors import ExportError
from oddsmith.base.exact import fraction_text, plural, quoted_line
from oddsmith.base.progress import Progress, ignore_progress
from oddsmith.report.english.options import OptionWords
from oddsmith.ruleset import Game, ObservedMove, ObservedPosition, Observer, PossibleMoves, TreeBuilder, label_in_words
from oddsmith.solve.extensive import learned_fact_texts

MAX_NODES = 200_000
"""The most nodes of a tree; programs that read EFG cannot use a larger one."""


def game_tree_efg(game: Game, objective: str, progress: Progress = ignore_progress) -> bytes:
    """Return the tree of an unsolved game in the EFG format. Choices with one action and chance nodes with one result
    are left out. If less is better, payoffs have the opposite sign.

    Raises ExportError beyond MAX_NODES nodes. Raises PlayError if a rule breaks, or if the actions of a seat depend on
    something that it has not seen.
    """
    if game.ruleset.has_secrets:
        TreeBuilder(game, objective, progress).explore(MAX_NODES)
    tree = _EfgTree(game, objective, progress)
    nodes = list(tree.node_lines())
    seats = " ".join(quoted_line(game.ruleset.seat_name(seat)) for seat in range(game.seats))
    setting = ", ".join(f"{name}={value}" for name, value in sorted(game.parameters.items()))
    sign = f"; less {objective} is better, so its sign is changed" if tree.sign < 0 else ""
    about = f"{game.ruleset.id}, {plural(game.seats, 'seat')}, {objective}{f', {setting}' if setting else ''}{sign}"
    head = f"EFG 2 R {quoted_line(game.ruleset.title)} {{ {seats} }}"
    return "\n".join([head, quoted_line(about), *nodes, ""]).encode()


class _ObservationHistories:
    """Numbers the sequences of observations that seats have made. Number 0 is the empty sequence."""

    def __init__(self) -> None:
        self.numbers: dict[tuple[int, Hashable], int] = {}
        self.steps: list[tuple[int, Hashable]] = [(-1, ())]

    def extended(self, history: int, observation: Hashable) -> int:
        """Return the number of the sequence ``history`` with one more observation."""
        step = (history, observation)
        found = self.numbers.setdefault(step, len(self.steps))
        if found == len(self.steps):
            self.steps.append(step)
        return found

    def observations_of(self, history: int) -> list[Hashable]:
        """Return the observations of a sequence, in order."""
        found = list[Hashable]()
        while history:
            history, learned = self.steps[history]
            found.append(learned)
        return found[::-1]


class _EfgTree:
    """The nodes of a tree, as lines of the EFG format. Each node comes before the nodes below it."""

    def __init__(self, game: Game, objective: str, progress: Progress) -> None:
        self.game, self.objective, self.progress = game, objective, progress
        self.observer, self.say = Observer(game), OptionWords(game, game.ruleset.player_name)
        self.sign = -1 if game.ruleset.payoffs[objective].goal == "min" else 1
        self.histories, self.chances = _ObservationHistories(), count(1)
        self.information_sets: list[dict[int, tuple[int, str]]] = [{} for _ in range(game.seats)]
        self.worded: list[Counter[str]] = [Counter() for _ in range(game.seats)]
        self.outcomes: dict[tuple[Fraction, ...], int] = {}

    def node_lines(self) -> Iterator[str]:
        """Yield the nodes in the order of the format."""
        above = set[ObservedPosition]()
        todo: list[tuple[ObservedPosition, tuple[int, ...] | None]] = [(self.observer.start(), (0,) * self.game.seats)]
        nodes = 0
        while todo:
            situation, seen = todo.pop()
            if seen is None:  # all below it is written
                above.remove(situation)
                continue
            if situation in above:
                raise self._export_error("no end, because play can come back to where it was")
            moves = self.observer.possible_moves(situation)
            if len(moves.moves) != 1:
                nodes += 1
                if nodes > MAX_NODES:
                    raise self._export_error(f"over {MAX_NODES:,} nodes: choose a smaller setting")
                if nodes % 4096 == 0:
                    self.progress("writing the tree", nodes, 0)
                yield self._node_line(situation, seen, moves)
            above.add(situation)
            todo.append((situation, None))
            below = (
                (each.successor, tuple(map(self.histories.extended, seen, each.observations))) for each in moves.moves
            )
            todo += reversed(list(below))

    def _export_error(self, reason: str) -> ExportError:
        return ExportError(f"the tree of {self.game.ruleset.id} has {reason}")

    def _node_line(self, situation: ObservedPosition, histories: Sequence[int], moves: PossibleMoves) -> str:
        if not moves.moves:
            return self._end_line(situation)
        phase = situation.state.phase
        words = [self.say(label_in_words(self.game, situation, each.label), phase) for each in moves.moves]
        names = [quoted_line(each) for each in _numbered_duplicates(words)]
        if moves.seat is None:
            number = next(self.chances)
            label, branches = quoted_line(f"{phase} {number}"), _names_with_chances(names, moves.moves)
            return f'c "" {number} {label} {{ {branches} }} 0'
        place, label = self._information_set(moves.seat, histories[moves.seat], situation)
        return f'p "" {moves.seat + 1} {place} {label} {{ {" ".join(names)} }} 0'

    def _information_set(self, seat: int, history: int, situation: ObservedPosition) -> tuple[int, str]:
        """Return the number and the label of an information set. ``history``: the number of the seat's observations.

        The label is the phase and what the seat has seen, in words. A label that was used before gets a number, because
        Gambit requires different labels.
        """
        known = self.information_sets[seat]
        if history not in known:
            steps = self.histories.observations_of(history)
            what = [words for step in steps for words in learned_fact_texts(self.game, seat, situation, step)]
            words = ", ".join([situation.state.phase, *self.say.worded_each(what)])
            self.worded[seat][words] += 1
            again = self.worded[seat][words]
            known[history] = len(known) + 1, quoted_line(words if again == 1 else f"{words} ({again})")
        return known[history]

    def _end_line(self, situation: ObservedPosition) -> str:
        paid = self.observer.rules.payoffs(situation.state, self.objective)
        number = self.outcomes.setdefault(paid, len(self.outcomes) + 1)
        return f't "" {number} "" {{ {", ".join(fraction_text(self.sign * each) for each in paid)} }}'


def _names_with_chances(names: Sequence[str], results: Sequence[ObservedMove]) -> str:
    return " ".join(f"{name} {fraction_text(each.probability)}" for name, each in zip(names, results, strict=True))


def _numbered_duplicates(names: Sequence[str]) -> list[str]:
    """Return the names with a number added to each name that occurs more than once, so that no two are the same."""
    return [
        f"{name} ({names[: place + 1].count(name)})" if names.count(name) > 1 else name
        for place, name in enumerate(names)
    ]
