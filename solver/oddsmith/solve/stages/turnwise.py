"""Games in which a turn is the same on every sheet: forward through their sheets, and backward with a turn in columns.

Every play has as many turns as any other, and what is done at the border of a turn is certain: it leads to the beginning of
a turn on another sheet. So the sheets that a turn begins with lie in layers, by how many turns have been played. Of a layer
only its sheets are kept, and what they are worth. What lies within their turns is worked out again where it is asked for.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import lcm
from time import perf_counter

import numpy as np

from oddsmith.arrays import Ints, arange, cumsum, repeat
from oddsmith.errors import DisagreementError, TooFineError
from oddsmith.graph import Explorer, KeyIndex, different
from oddsmith.progress import Progress
from oddsmith.sharing import Share, completed
from oddsmith.solve.arenas import Arena
from oddsmith.solve.numbers import FixedPoint, Limbs
from oddsmith.solve.stages.columns import MOST_WHOLE, Begins, Columns, look_ahead, step_of, work_out
from oddsmith.solve.stages.inner import Inner
from oddsmith.solve.stages.kept import Around, Contents, Record, Records, Told, joined, known_of
from oddsmith.solve.stages.sheet import Turn
from oddsmith.solve.stages.walking import EXPLORING, PROGRAM, programs
from oddsmith.solve.values import Known, Mixture, Solver, bits_of, near

SHEETS = 1 << 16  # looked at together
VALUES = 1 << 27  # limbs that turns on several sheets have at a time
LEAST_PLACES = 60  # binary places
FOLLOWED = 1 << 20  # transitions of turns that are followed together
TIMES = 3  # of their values is what turns on several sheets need while they are compared


@dataclass
class Sheets:
    """The sheets of a game by layers: the keys of the beginnings of turns.

    ``actions``: how many there are at the borders of each layer. ``back``: the number of the sheet of its layer that each sheet
    of a layer may lead to, -1 where there is none; no layers where turns never lead back. ``paid``, ``ends``: numbers of
    payoffs on the way and at the end.
    """

    layers: list[KeyIndex] = field(default_factory=list)
    actions: list[int] = field(default_factory=list)
    back: list[Ints] = field(default_factory=list)
    paid: set[int] = field(default_factory=set)
    ends: set[int] = field(default_factory=set)

    @property
    def count(self) -> int:
        """How many sheets there are."""
        return sum(layer.count for layer in self.layers)

    def find(self, keys: Ints) -> Iterator[tuple[int, Ints, Ints]]:
        """The layers of some sheets, each with the places of its sheets and their numbers there.

        DisagreementError where walking forward did not meet one.
        """
        left = arange(keys.shape[1])
        for number, layer in enumerate(self.layers):
            if len(left):
                numbers = layer.known(keys[:, left])
                if (numbers >= 0).any():
                    yield number, left[numbers >= 0], numbers[numbers >= 0]
                left = left[numbers < 0]
        if len(left):
            raise DisagreementError("play comes to a sheet that walking forward did not meet")

    def contents(self) -> Contents:
        """The sheets as they are kept."""
        counts = [[layer.count for layer in self.layers], self.actions]
        sheets = np.concatenate([layer.keys.filled for layer in self.layers], axis=1)
        back = {"back": np.concatenate(self.back)} if self.back else {}
        return Contents({}, {"layers": np.array(counts, dtype=np.int64), "sheets": sheets} | back)

    @staticmethod
    def of_contents(kept: Contents) -> Sheets:
        """The inverse, without the numbers of payoffs."""
        counts, actions = kept.columns["layers"]
        ends = cumsum(counts)[:-1].tolist()
        layers = [KeyIndex.of(keys) for keys in np.split(kept.columns["sheets"], ends, axis=1)]
        back = np.split(kept.columns["back"], ends) if "back" in kept.columns else []
        return Sheets(layers, actions.tolist(), back)


def walk_turns(turn: Turn, tell: Progress, share: Share) -> Sheets | None:
    """The sheets of a game; None where a turn may end in several ways by chance, or plays differ in their turns.

    PlayError where a rule breaks. SolveError where a process that shares the work ends.
    """
    edges, found = turn.explorer.edges, Sheets()
    found.paid.update(different(turn.graph.payoff).tolist())
    sheets = turn.explorer.start
    while sheets.shape[1]:
        layer, after, actions, ends = KeyIndex.of(sheets), KeyIndex.of(sheets[:, :0]), 0, set[int]()
        done = found.count
        found.layers.append(layer)
        step = step_of(turn, layer.count, SHEETS, share)
        parts = [(turn, sheets[:, first : first + step]) for first in range(0, layer.count, step)]
        for (_, part), ahead in completed(share, look_ahead, parts):
            if ahead.thrown:
                return None
            actions += ahead.actions
            found.paid.update(map(edges.number, ahead.paid))
            ends.update(map(edges.number, ahead.ends))
            if ahead.keys.shape[1]:
                after.add(ahead.keys)
            done += part.shape[1]
            tell(EXPLORING, done, found.count + after.count)
        found.actions.append(actions)
        found.ends |= ends
        keys = after.keys.filled
        sheets = keys[:, np.lexsort(keys[::-1])]
        if (ends and after.count) or (turn.begins(sheets) != sheets).any():
            return None
        if any((before.known(sheets) >= 0).any() for before in found.layers):
            return None
    turn.compare(found.layers[-1].keys.filled[:, -1:])
    return found


class Turnwise:
    """Solves the layers of a game from the last to the first.

    ``memory``: bytes that it may need. With few it works on fewer sheets at a time.
    """

    more = 0  # columns besides those of the seats
    times = 2

    def __init__(self, turn: Turn, sheets: Sheets, records: Records, memory: int | None, share: Share) -> None:
        self.turn, self.sheets, self.records, self.share = turn, sheets, records, share
        self.order: Sequence[int] = range(len(sheets.layers) - 1, -1, -1)
        self.states = sheets.count * turn.states
        self.apart = self.together = max(1, FOLLOWED // len(turn.graph.target))
        self.how = f"turns, the same {turn.states:,} positions on each of {sheets.count:,} sheets"
        explorer = turn.explorer
        arena = Arena.of(turn.graph, turn.border.shape[1])
        payoffs = list(explorer.edges.payoffs)
        flat = [value for payoff in payoffs for value in payoff]
        self.scale = lcm(*(value.denominator for value in flat))
        self.seats, self.sign = arena.seats, arena.sign
        times = int(arena.denominator.max())
        self.point = FixedPoint.of(max(LEAST_PLACES, self._spare(arena) + records.digits * 10 // 3), times)
        pay, exact = self.point.of_fractions(flat)
        pay = pay.reshape(-1, len(payoffs), self.seats).transpose(0, 2, 1).copy()
        self.rounded = 0 if exact else 1
        self.widest = (MOST_WHOLE - 1) // times
        if int(np.abs(pay[0]).max(initial=0)) > self.widest:
            raise TooFineError
        pay = np.concatenate([pay, self.point.zeros(self.more, len(payoffs))], axis=1)
        self.inner = Inner(turn, arena, self.point, pay, self.rounded)
        self.columns = Columns(turn, self.inner, self.point, pay, not pay[1:].any(), self.seats, self.sign, self.more)
        self.width = self.seats + self.more
        self.program = PROGRAM + programs(share.jobs)
        room = VALUES if memory is None else min(VALUES, ((memory - self.program) // 8 - self._held()) // TIMES)
        self.step = max(1, room // share.jobs // (self.point.count * self.width * self.inner.count))
        self._last: tuple[int, Ints, Known] | None = None

    def _spare(self, arena: Arena) -> int:  # noqa: ARG002 - in few layers little adds up
        """Binary places beyond those of the digits that are wanted."""
        return 20

    def contents(self) -> Contents:
        """The turn and all sheets."""
        turn, sheets = self.turn.contents(), self.sheets.contents()
        return Contents(turn.about | sheets.about, turn.columns | sheets.columns)

    @classmethod
    def of_contents(
        cls, explorer: Explorer, kept: Contents, records: Records, memory: int | None, share: Share
    ) -> Turnwise:
        """The inverse, for an explorer that has met no other payoffs."""
        return cls(Turn.of_contents(explorer, kept), Sheets.of_contents(kept), records, memory, share)

    def largest(self) -> tuple[int, int, int]:
        """The layer that needs most memory, its states, and about how many bytes it needs."""
        layer = max(self.order, key=lambda each: self.sheets.layers[each].count)
        count = self.sheets.layers[layer].count
        at_once = min(self.step * self.share.jobs, count)
        values = self.inner.count * self.point.count * self.width * at_once
        return layer, count * self.turn.states, self.program + 8 * (TIMES * values + self._held())

    def work(self, stage: int) -> int:
        """How many sheets a layer has."""
        return self.sheets.layers[stage].count

    def _held(self) -> int:
        """How many numbers stand for the sheets of all layers: their keys, and what they are worth."""
        return self.sheets.count * (3 * len(self.turn.border) + self.point.count * self.width)

    def find(self, key: Ints) -> int | None:
        """The number of a state on its sheet."""
        begin = self.turn.begins(key)
        if all(layer.known(begin)[0] < 0 for layer in self.sheets.layers):
            return None
        place = int(self.turn.places(key)[0])
        return None if place < 0 else place

    def around(self, keys: Ints) -> Around:
        """Some states as a game of their own, whose ends pay what comes next."""
        graph, beside = self.turn.explorer.around(keys)
        known = self._within(beside) if beside.shape[1] else None
        arena = Arena.of(graph, beside.shape[1])
        solved = Solver(arena, unique_values=True, digits=self.records.digits, known=known).solve()
        return Around(graph, beside, solved.bounds, solved.rows[: graph.states], frozenset(solved.undecided))

    def known(self, keys: Ints) -> tuple[Known, Known]:
        """Values and turns of beginnings of turns, by their keys."""
        found = self.sheets.find(keys)
        return known_of(keys.shape[1], [(here, self.records.needed(layer), numbers) for layer, here, numbers in found])

    def stage(self, keys: Ints) -> Ints:
        """The layers of some states."""
        found = np.empty(keys.shape[1], dtype=np.int64)
        for layer, here, _ in self.sheets.find(self.turn.begins(keys)):
            found[here] = layer
        return found

    def positions(self, stage: int, held: Mapping[int, int] | None = None) -> Iterator[Ints]:
        """The keys of all states of a layer, some sheets at a time, sheet by sheet; without sheets that hold other codes."""
        sheets, keys = self.sheets.layers[stage].keys.filled, self.turn.keys
        for where, code in (held or {}).items():
            if where in self.turn.cells:
                sheets = sheets[:, self.turn.explorer.codec.decode(sheets)[0][where] == code]
        for first in range(0, sheets.shape[1], self.together):
            shifts = self.turn.shifts(sheets[:, first : first + self.together])
            yield (keys[:, None, :] + shifts[:, :, None]).reshape(len(keys), -1)

    def _within(self, keys: Ints) -> Known:
        """Values of positions, by their keys: of beginnings of turns those that are kept, of others by solving their turns."""
        own = (self.turn.begins(keys) == keys).all(axis=0)
        begins, others = np.flatnonzero(own), np.flatnonzero(~own)
        places = self.turn.places(keys)
        parts = [(begins, self.known(keys[:, begins])[0], arange(len(begins)))] if len(begins) else []
        for here, known, first in self._by_turns(keys[:, others]):
            parts.append((others[here], known, first + places[others[here]]))
        return joined(keys.shape[1], parts)

    def picks(self, keys: Ints) -> Ints:
        """The places of the actions that are taken in some different states."""
        places = self.turn.places(keys)
        count = self.turn.graph.states
        inner, border = np.flatnonzero(places < count), np.flatnonzero(places >= count)
        found = np.zeros(len(places), dtype=np.int64)
        if len(border):
            found[border] = self._border_picks(keys[:, border])
        for here, known, first in self._by_turns(keys[:, inner]):
            reach = 2 * int(known.radius.max())  # units that actions may lie apart between which the first is taken
            found[inner[here]] = self.columns.picks(known, first, places[inner[here]], reach)
        return found

    def mixtures(self, keys: Ints) -> dict[int, Mixture]:  # noqa: ARG002 - values are the only ones, so nothing is mixed
        """No state mixes actions."""
        return {}

    def _border_picks(self, keys: Ints) -> Ints:
        around = self.around(keys)
        picks: Ints = around.rows - around.graph.state_rows[:-1]
        return picks

    def _by_turns(self, keys: Ints) -> Iterator[tuple[Ints, Known, Ints]]:
        """What the turns on the sheets of some positions are worth: for some of the keys at a time, by their places.

        Then the values of the turns on their sheets, and where among these the turn of each begins.
        """
        for layer, here, numbers in self.sheets.find(self.turn.begins(keys)):
            sheets, which = np.unique(numbers, return_inverse=True)
            for low in range(0, len(sheets), self.step):
                part = np.flatnonzero((which >= low) & (which < low + self.step))
                known, first = self._turns_of(layer, sheets[low : low + self.step])
                yield here[part], known, first[which[part] - low]

    def _turns_of(self, layer: int, sheets: Ints) -> tuple[Known, Ints]:
        """What the positions of turns on some sheets of a layer are worth, and where the turn on each sheet begins.

        The last turns are remembered: who plays or asks on comes back to them.
        """
        if self._last is None or self._last[0] != layer or not np.isin(sheets, self._last[1]).all():
            later, radius, exponents = self.later(layer)
            x = self.columns.turns(self.sheets.layers[layer].keys.filled[:, sheets], later, radius)
            x = x[:, : self.seats].transpose(0, 3, 2, 1).reshape(self.point.count, -1, self.seats)
            self._last = layer, sheets, self._as_known(x, radius, exponents)
        _, held, known = self._last
        return known, np.searchsorted(held, sheets) * self.turn.states

    def later(self, layer: int) -> tuple[Begins | None, int, Ints]:
        """The beginnings of the turns after a layer, and at the borders of that one the radius, and its turns' exponents."""
        later = self.records.needed(layer + 1) if layer + 1 < len(self.sheets.layers) else None
        radius = (int(later.values.radius.max()) if later else 0) + self.rounded
        exponents = self.inner.exponents + (later.values.exponents.max(axis=0) if later else 0)
        return Begins(later.keys, later.values.x) if later else None, radius, exponents

    def ahead(self, layer: int) -> range:
        """The layers of those beginnings."""
        return range(layer + 1, min(layer + 2, len(self.sheets.layers)))

    def _as_known(self, x: Limbs, radius: int, exponents: Ints) -> Known:
        """Limbs of shape (limbs, positions, seats), for a radius at the borders, and exponents, that are the same for all."""
        radii = np.full(x.shape[1], radius + self.inner.radius, dtype=np.int64)
        rows = repeat(exponents[None, :].astype(np.int16), x.shape[1], axis=0)
        return Known(x, radii, self.point, self.inner.primes, rows, self.scale)

    def solve(self, stage: int, tell: Progress) -> Record:
        """The record of a layer."""
        started, layer = perf_counter(), stage
        later, radius, exponents = self.later(layer)
        keys, turn = self.sheets.layers[layer].keys.filled, self.turn
        count = keys.shape[1]
        settled = bool(
            near(
                np.array([4 * (radius + self.inner.radius)]),
                bits_of(self.inner.primes, exponents[None, :], self.scale),
                self.point.places,
            )[0]
        )
        x, undecided = self._worked_out(self.columns, keys, later, radius, tell)
        if int(np.abs(x[0]).max(initial=0)) > self.widest or 4 * (radius + self.inner.radius) >> self.point.bits:
            raise TooFineError
        left = len(self.sheets.layers) - layer
        return Record(
            keys,
            self._as_known(x, radius, exponents),
            _whole(left, count),
            np.zeros(count, dtype=np.uint16),
            Told(
                count * turn.states,
                count * len(turn.graph.target) + self.sheets.actions[layer],
                1,
                0 if settled else undecided,
                perf_counter() - started,
            ),
        )

    def _worked_out(
        self, columns: Columns, keys: Ints, later: Begins | None, radius: int, tell: Progress
    ) -> tuple[Limbs, int]:
        """What turns on the sheets of a layer bring, shape (limbs, sheets, columns); in how many positions actions are not told
        apart."""
        count, undecided, done = keys.shape[1], 0, 0
        x = columns.point.zeros(count, columns.seats + columns.more)
        step = step_of(self.turn, count, self.step, self.share)
        parts = [(columns, keys[:, first : first + step], later, radius, first) for first in range(0, count, step)]
        for (_, part, _, _, first), (values, near_ties) in completed(self.share, work_out, parts):
            x[:, first : first + step] = values
            undecided += near_ties
            done += part.shape[1]
            tell("solving", done * self.turn.states, count * self.turn.states)
        return x, undecided


def _whole(number: int, count: int) -> Known:
    """A whole number as the value of so many states, for one seat."""
    point = FixedPoint(30, 2)
    x = point.zeros(count, 1)
    x[0] = number
    zeros = np.zeros(count, dtype=np.int64)
    return Known(x, zeros, point, (), np.zeros((count, 1), dtype=np.int16), 1)
