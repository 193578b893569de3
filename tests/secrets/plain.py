"""A plain solver of games with secrets: the whole tree by the plain reader of the rules, and one linear program in floats.

It is written from the language page alone and shares nothing with the engine: what each seat has seen is a list of all that
it saw since the start, no part of the game is cut off, and the program is that of the second seat's plan.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from scipy.optimize import linprog

from tests.reader.play import Position, Reader, Step
from tests.reader.values import Seat

View = tuple[Any, ...]
"""All that a seat has seen."""


class Torn(Exception):
    """Raised where a seat has other options in positions that it cannot tell apart."""


@dataclass
class Tree:
    """The sequences of both seats with what precedes them, and what the first seat gets by pairs of them."""

    reader: Reader
    objective: str
    places: list[dict[View, tuple[int, list[Any]]]] = field(default_factory=lambda: [{}, {}])
    before: list[list[tuple[int, View]]] = field(default_factory=lambda: [[(-1, ())], [(-1, ())]])
    paid: dict[tuple[int, int], float] = field(default_factory=dict)

    def grow(self, position: Position, views: tuple[View, View], last: tuple[int, int], chance: float) -> None:
        """All that can follow a position."""
        if not position.phase:
            worth = float(self.reader.payoffs(position, self.objective)[0])
            self.paid[last] = self.paid.get(last, 0.0) + chance * worth
            return
        kind = self.reader.kind(position)
        if kind == "together":
            self._at_once(position, views, last, chance)
            return
        sees = self.reader.seen_by(position)
        if kind == "chance":
            for fall, odds in self.reader.chances(position).items():
                step = self.reader.resolve(position, fall)
                told: Any = (fall.names, frozenset(sees))
                self.grow(step.position, _after(views, step, dict.fromkeys(sees, told)), last, chance * float(odds))
            return
        options = self.reader.options(position)
        mover = position.mover
        for option, sequence in zip(options, self._choice(mover, views, last, options), strict=True):
            step = self.reader.choose(position, option)
            told = dict.fromkeys({*sees, mover}, (option, frozenset({*sees, mover})))
            self.grow(step.position, _after(views, step, told), _with(last, mover, sequence), chance)

    def _at_once(self, position: Position, views: tuple[View, View], last: tuple[int, int], chance: float) -> None:
        offers = self.reader.offers(position)
        ways: list[tuple[dict[Seat, Any], tuple[int, int]]] = [({}, last)]
        for seat, items in offers.items():
            sequences = self._choice(seat, views, last, items)
            ways = [
                ({**chosen, seat: item}, _with(before, seat, sequence))
                for chosen, before in ways
                for item, sequence in zip(items, sequences, strict=True)
            ]
        for chosen, after in ways:
            step = self.reader.choose_together(position, chosen)
            told = tuple(chosen.items())
            self.grow(step.position, _after(views, step, dict.fromkeys(self.reader.setting.table, told)), after, chance)

    def _choice(self, seat: Seat, views: tuple[View, View], last: tuple[int, int], options: list[Any]) -> list[int]:
        """The sequences of a choice, which are the same wherever the seat has seen the same."""
        number, view = seat.number, views[seat.number]
        known = self.places[number].get(view)
        if known is None:
            first = len(self.before[number])
            self.before[number] += [(last[number], view)] * len(options)
            known = self.places[number][view] = (first, options)
        if known[1] != options:
            raise Torn
        return list(range(known[0], known[0] + len(options)))

    def value(self) -> float:
        """What the first seat gets: the second seat's plan leaves as little as can be."""
        own, other = (len(each) for each in self.before)
        rows = list(self.places[0])
        number = {view: place for place, view in enumerate(rows, 1)}
        count = len(rows) + 1
        # The plan of the second seat, and for each of the first seat's information sets what is still to be had there.
        bound, equal = np.zeros((own, other + count)), np.zeros((len(self.places[1]) + 1, other + count))
        for (sequence, response), worth in self.paid.items():
            bound[sequence, response] += worth
        for sequence, (_, view) in enumerate(self.before[0]):
            bound[sequence, other + (number[view] if sequence else 0)] -= 1
        for view, (first, _) in self.places[0].items():
            bound[self.before[0][first][0], other + number[view]] += 1
        equal[0, 0] = 1
        for place, (first, options) in enumerate(self.places[1].values(), 1):
            equal[place, first : first + len(options)] = 1
            equal[place, self.before[1][first][0]] = -1
        aim = np.zeros(other + count)
        aim[other] = 1
        right = np.zeros(len(equal))
        right[0] = 1
        free: list[Any] = [(0, None)] * other + [(None, None)] * count
        found = linprog(aim, bound, np.zeros(own), equal, right, free)
        return float(found.fun or 0)


def _with(last: tuple[int, int], seat: Seat, sequence: int) -> tuple[int, int]:
    return (sequence, last[1]) if seat.number == 0 else (last[0], sequence)


def _after(views: tuple[View, View], step: Step, told: dict[Seat, Any]) -> tuple[View, View]:
    """What both seats have seen after a step."""
    first, second = (_seen(views[number], step, told.get(Seat(number)), Seat(number)) for number in (0, 1))
    return first, second


def _seen(view: View, step: Step, told: Any, seat: Seat) -> View:
    table = frozenset(map(Seat, (0, 1)))
    shown: Iterator[Any] = ((what, who or table) for who, what in step.shown if who is None or seat in who)
    place = step.position
    return (*view, told, *shown, (place.phase, place.mover, place.out))


def value(reader: Reader, objective: str) -> float:
    """What the first of two seats gets, to about nine digits. Raises Torn."""
    tree = Tree(reader, objective)
    tree.grow(reader.start(), ((), ()), (0, 0), 1.0)
    return tree.value()
