"""Games for two in which a turn is the same on every sheet, and may leave the sheet as it was.

Whoever rolls badly writes nothing down, and the other player is on turn with the same sheets. So what a turn is worth on a
sheet rests on what the other player's turn is worth there, and that on the first again. Sheets lie in layers by what only
grows. Of its own layer each leads to one sheet at the most, from which play may come back to it.

Let x be what is assumed of the sheets of a layer, T x what the best turns then bring, and p the chance that these come back
to the layer. Newton's method, first in floats, takes x to a point where T x and x differ by a unit or so. Then d is sought
for each sheet, such that no turn from it brings more than x + d if the other player is held at x - d, and the best turn
brings at least x - d if the other player has x + d. Whoever takes such turns is worth x - d at each of them, or later, in the
mean of all plays. He leaves the layer at last, whatever the other does, because p is below 1. So nobody gets less than x - d,
and as both together always get the same, nobody gets more than x + d. What is proposed for d is a few times what a turn may be
off by, with what comes of it while both come back: d = slack + p d', where d' is that of the sheet that the turn leads to.
Where another turn is worth the same and comes back more often, p is its chance.

Nothing of this serves where a turn that always comes back may be as good as any other. Such games are solved position by
position.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from time import perf_counter
from typing import Any

import numpy as np

from oddsmith.arrays import Ints
from oddsmith.errors import Signal, TooFineError
from oddsmith.graph import KeyIndex, different
from oddsmith.graph.columns import Stages
from oddsmith.progress import Progress
from oddsmith.sharing import Share
from oddsmith.solve.arenas import Arena, layers
from oddsmith.solve.numbers import Floating, Limbs
from oddsmith.solve.stages.columns import Begins, Columns, following, in_floats, remembered
from oddsmith.solve.stages.kept import Record, Records, Told
from oddsmith.solve.stages.sheet import Turn
from oddsmith.solve.stages.turnwise import SHEETS, Sheets, Turnwise
from oddsmith.solve.stages.walking import EXPLORING, note
from oddsmith.solve.values import UNKNOWN, Known

BACK, TURNS = 2, 3  # columns: the chance to come back to the layer, and the turns that come after it
MOST_ROUNDS = 40  # of Newton's method
MOST_TRIES = 5  # of proving, with wider and wider bounds
FLOATS = 44  # binary places to which floats come
CLOSE = 36  # binary places from which on a step of Newton's method is most likely the last


class Unsettled(Signal):
    """Turns in columns do not settle what a layer is worth."""


def walk_returning(turn: Turn, stages: Stages, tell: Progress) -> Sheets | None:
    """The sheets of a game for two by what only grows; None where a turn may end in several ways by chance, or where it does
    not lead back as told above.

    PlayError where a rule breaks.
    """
    found, open_ = Sheets(), dict[int, KeyIndex]()
    found.paid.update(different(turn.graph.payoff).tolist())
    note(open_, stages, turn.explorer, turn.explorer.start, 0)
    while open_:
        now = min(open_)
        index, returns, actions, first = open_[now], list[tuple[Ints, Ints]](), 0, 0
        while first < index.count:
            some = index.keys.filled[:, first : first + SHEETS].copy()
            for _, each in following(turn, some):
                actions += len(each.source)
                (found.ends if each.keys is None else found.paid).update(different(each.paid).tolist())
                if each.thrown:
                    return None
                if each.keys is not None:
                    _, own, numbers = note(open_, stages, turn.explorer, each.keys, now)
                    if (turn.begins(each.keys) != each.keys).any() or (len(own) and not each.by):
                        return None
                    returns.append((first + each.source[own], numbers))
            first += some.shape[1]
            tell(EXPLORING, found.count + first, found.count + sum(each.count for each in open_.values()))
        back = _back(index.count, returns)
        if back is None:
            return None
        found.layers.append(open_.pop(now))
        found.actions.append(actions)
        found.back.append(back)
    turn.compare(found.layers[-1].keys.filled[:, -1:])
    return found


def _back(count: int, returns: Sequence[tuple[Ints, Ints]]) -> Ints | None:
    """The one sheet of a layer of so many that each of its sheets leads to, from which play may come back, or -1; None where
    there are others."""
    back = np.full(count, -1, dtype=np.int64)
    for source, number in returns:
        if ((back[source] >= 0) & (back[source] != number)).any():
            return None
        back[source] = number
    leads = np.flatnonzero(back >= 0)
    to = back[back[leads]]
    return back if ((to == leads) | (to < 0)).all() else None


@dataclass(frozen=True, eq=False)
class _Later:
    """The sheets of later layers: what they are worth, and by how many units values and turns may be off."""

    begins: Begins
    radius: int
    radius_turns: int


@dataclass(frozen=True, eq=False)
class _Brought:
    """What the best turns bring on the sheets of a layer, in units.

    ``values``: of the mover; ``chance``: to come back to the layer; ``turns``: to come before it is left. ``undecided``: in how
    many positions two actions are not told apart.
    """

    values: Sequence[int]
    chance: Sequence[int]
    turns: Sequence[int]
    undecided: int


@dataclass(frozen=True, eq=False)
class _Found:
    """A layer that is solved, in units: values of the mover, turns to come, by how much they may be off."""

    x: Sequence[int]
    turns: Sequence[int]
    radius: int
    radius_turns: int
    undecided: int


class Returning(Turnwise):
    """Solves the layers of such a game from the last to the first."""

    more = 2
    times = 4

    def __init__(self, turn: Turn, sheets: Sheets, records: Records, memory: int | None, share: Share) -> None:
        super().__init__(turn, sheets, records, memory, share)
        self.apart = self.states  # ways from several sheets meet
        pay = self.columns.pay.copy()
        pay[0, TURNS] = 1
        self.columns = replace(self.columns, pay=pay)
        self.narrow, self.floating = self.columns.narrow, self.columns.in_floats
        self.taking = replace(self.columns, first=True)
        self.one = 1 << self.point.places
        self.off_by = self.inner.radius + self.rounded  # units that what a turn brings may be off by
        sums = (sum(each, Fraction(0)) for each in turn.explorer.edges.payoffs)
        self.total = next((each for each in sums if each), Fraction(0)) * self.one
        self._all: tuple[int, Begins] | None = None  # the sheets of all layers from one on

    def _spare(self, arena: Arena) -> int:
        """Every layer adds the depth of a turn to what values may be off by, many times where play comes back nearly always."""
        return super()._spare(arena) + (len(self.sheets.layers) * len(list(layers(arena)))).bit_length()

    def solve(self, stage: int, tell: Progress) -> Record:
        """The record of a layer. Unsettled."""
        started, keys = perf_counter(), self.sheets.layers[stage].keys.filled
        later = self._later_sheets(stage)
        found = self._settled(stage, later, tell)
        count, turn = keys.shape[1], self.turn
        told = count * turn.states, count * len(turn.graph.target) + self.sheets.actions[stage]
        begins = self._assumed(keys, found.x, 0, found.turns)
        self._all = stage, _together([begins, later.begins])
        return Record(
            keys,
            self._same(begins.x[:, :, : self.seats], found.radius, self.scale),
            self._same(begins.x[:, :, TURNS:], found.radius_turns, 1),
            np.zeros(count, dtype=np.uint16),
            Told(*told, self._component(stage), found.undecided, perf_counter() - started),
        )

    def _settled(self, stage: int, later: _Later, tell: Progress) -> _Found:
        """Newton's method, from what floats propose to what is proven. Unsettled."""
        keys, back = self.sheets.layers[stage].keys.filled, self.sheets.back[stage]
        rounds, slack, tries, before = _Rounds(tell), 4 * self.off_by + 2, 0, None
        x, others = self._proposed(keys, back, later, rounds), [0] * keys.shape[1]
        found = self._brought(self.columns, keys, x, later, 0, rounds.next())
        for _ in range(MOST_ROUNDS):
            x, furthest = self._mended(x, found, back, before)
            if self._ends(found) and furthest <= self.one >> CLOSE:
                chances = [*map(max, found.chance, others)]
                widths = newton([slack] * len(x), chances, back, self.one, 1)
                if tries == MOST_TRIES or 4 * (later.radius + 2 * max(widths) + self.off_by) >> self.point.bits:
                    break
                proven = self._proven(stage, later, x, widths, rounds)
                if proven is not None:
                    return proven
                slack, tries = 2 * slack, tries + 1
                least = [each - width for each, width in zip(x, widths, strict=True)]
                held = self._brought(self.columns, keys, least, later, 0, rounds.next())
                others = [*map(max, held.chance, others)]
            before = furthest
            found = self._brought(self.columns, keys, x, later, 0, rounds.next())
        raise Unsettled

    def _proposed(self, keys: Ints, back: Ints, later: _Later, rounds: _Rounds) -> list[int]:
        """What Newton's method comes to in floats, which may be anything: it only is where the method goes on."""
        x, before = [int(self.total / 2)] * keys.shape[1], None
        for _ in range(MOST_ROUNDS):
            found = self._brought(self.floating, keys, x, later, 0, rounds.next())
            try:
                x, furthest = self._mended(x, found, back, before)
            except TooFineError:  # where play comes back nearly always, floats know too little
                break
            if furthest <= self.one >> FLOATS or (before is not None and 2 * furthest > before):
                break
            before = furthest
        return x

    def _mended(self, x: list[int], found: _Brought, back: Ints, before: int | None) -> tuple[list[int], int]:
        """A step of the method from x, and by how much at most what turns bring differs from x. ``before``: the same one step
        earlier. Where Newton's steps do not help, x becomes what turns bring."""
        off = [one - other for one, other in zip(found.values, x, strict=True)]
        furthest = max(map(abs, off))
        slow = not self._ends(found) or (before is not None and 2 * furthest > before)
        step = off if slow else newton(off, found.chance, back, self.one, -1)
        return self._held_by_limbs([each + one for each, one in zip(x, step, strict=True)]), furthest

    def _proven(self, stage: int, later: _Later, x: list[int], widths: Sequence[int], rounds: _Rounds) -> _Found | None:
        """Values that are proven to lie within these widths of x, as told above; None where they are not."""
        keys, back, off_by = self.sheets.layers[stage].keys.filled, self.sheets.back[stage], self.off_by
        least, most = ([each + sign * width for each, width in zip(x, widths, strict=True)] for sign in (-1, 1))
        held = self._brought(self.narrow, keys, least, later, 0, rounds.next())
        if any(value + off_by > each for value, each in zip(held.values, most, strict=True)):
            return None
        widest = max(widths)
        got = self._brought(self.columns, keys, most, later, 2 * widest, rounds.next())
        if not self._ends(got) or any(value - off_by < each for value, each in zip(got.values, least, strict=True)):
            return None
        near = widest + self.rounded  # as in ``later``, so that the same actions are taken afterwards
        taken = self._brought(self.taking, keys, x, later, near, rounds.next()) if got.undecided else got
        if not self._ends(taken):
            raise Unsettled
        turns, wide = self._turns(taken, back)
        return _Found(x, turns, later.radius + widest, later.radius_turns + wide, got.undecided)

    def _turns(self, found: _Brought, back: Ints) -> tuple[list[int], int]:
        """How many turns are to come, and by how many units that may be off, as each turn and its chance may be."""
        turns = self._held_by_limbs(newton(found.turns, found.chance, back, self.one, 1))
        off = [self.off_by * (2 + max(turns) // self.one) + 2] * len(turns)
        return turns, max(newton(off, [chance + self.off_by for chance in found.chance], back, self.one, 1)) + 2

    def _brought(
        self, how: Columns, keys: Ints, x: Sequence[int], later: _Later, width: int, tell: Progress
    ) -> _Brought:
        """What the best turns bring if a layer is worth x, which may be off by ``width`` more than later sheets are."""
        held = _together([self._assumed(keys, x, self.one, None), later.begins])
        floats = isinstance(how.point, Floating)
        given = in_floats(self.point, held.x) if floats else held.x[:, :, : how.seats + how.more]
        values, undecided = self._worked_out(how, keys, Begins(held.keys, given), later.radius + width, tell)
        places = (0, BACK, TURNS) if how.more else (0,)
        units = self._floored if floats else self._joined
        brought, *counted = (units(values[:, :, at]) for at in places)
        chance, turns = counted or ((), ())
        return _Brought(brought, chance, turns, undecided)

    def _joined(self, limbs: Limbs) -> list[int]:
        return [*map(self.point.join, limbs.T.tolist())]

    def _floored(self, floats: Any) -> list[int]:
        return [int(each * self.one) for each in floats[0].tolist()]

    def _ends(self, found: _Brought) -> bool:
        """Whether all who take these turns leave the layer at last."""
        return max(found.chance) + self.off_by < self.one

    def _held_by_limbs(self, units: list[int]) -> list[int]:
        """TooFineError where values go beyond what limbs hold."""
        if max(map(abs, units)) // self.one >= self.widest:
            raise TooFineError
        return units

    def _assumed(self, keys: Ints, x: Sequence[int], back: int, turns: Sequence[int] | None) -> Begins:
        """What is held of some sheets, in units: values of the mover, the chance that they count as, and turns to come."""
        limbs = self.point.zeros(len(x), self.width)
        for place, each in enumerate(x):
            columns = (each, int(self.total) - each, back, turns[place] if turns else 0)
            limbs[:, place] = np.array([self.point.split(units) for units in columns], dtype=np.int64).T
        return Begins(keys, limbs)

    def _same(self, x: Limbs, radius: int, scale: int) -> Known:
        """Limbs of shape (limbs, positions, seats) with one radius."""
        count = x.shape[1]
        unknown = np.full((count, 1), UNKNOWN, dtype=np.int16)
        return Known(x.copy(), np.full(count, radius, dtype=np.int64), self.point, (), unknown, scale)

    # --- what is solved

    def _later_sheets(self, stage: int) -> _Later:
        """All sheets of later layers."""
        first, last = stage + 1, len(self.sheets.layers)
        if self._all is None or self._all[0] > first:
            solved = [self._assumed_again(self.records.needed(layer)) for layer in range(first, last)]
            self._all = first, _together([self._assumed(self.turn.keys[:, :0], [], 0, None), *solved])
        if first == last:
            return _Later(self._all[1], 0, 0)
        record = self.records.needed(first)
        return _Later(self._all[1], int(record.values.radius[0]), int(record.turns.radius[0]))

    def _assumed_again(self, record: Record) -> Begins:
        x = self.point.zeros(record.keys.shape[1], self.width)
        x[:, :, : self.seats], x[:, :, TURNS:] = record.values.x, record.turns.x
        return Begins(record.keys, x)

    def later(self, layer: int) -> tuple[Begins | None, int, Ints]:
        """What the borders of a layer that is solved lead to."""
        later = self._later_sheets(layer - 1)
        return later.begins, later.radius + self.rounded, self.inner.exponents

    def ahead(self, layer: int) -> range:
        """The layers of those beginnings: this one, all after it, and perhaps some before."""
        self._later_sheets(layer - 1)
        assert self._all
        return range(self._all[0], len(self.sheets.layers))

    def _as_known(self, x: Limbs, radius: int, exponents: Ints) -> Known:  # noqa: ARG002 - cycles have no common denominator
        return self._same(x, radius + self.inner.radius, self.scale)

    def _border_picks(self, keys: Ints) -> Ints:
        first = int(self.stage(keys).min())
        begins, radius, _ = self.later(first)
        return self.columns.border_picks(keys, begins, 2 * radius)

    def _component(self, stage: int) -> int:
        """How many positions the largest component of a layer has: those of two turns from which play may come back."""
        layer, back, turn = self.sheets.layers[stage], self.sheets.back[stage], self.turn
        leads = np.zeros((self.inner.count, layer.count), dtype=bool)
        for place, each in remembered(turn, layer.keys.filled):
            if each.keys is not None:
                leads[self.inner.inner + place, each.source] |= layer.known(each.keys) >= 0
        kinds, which = np.unique(leads, axis=1, return_inverse=True)
        sizes = (self.inner.members @ self.inner.leading(kinds))[which.reshape(-1)]
        mutual = np.flatnonzero((back >= 0) & (back[back] >= 0))
        return int((sizes[mutual] + np.where(back[mutual] == mutual, 0, sizes[back[mutual]])).max(initial=1))


def newton(off: Sequence[int], chance: Sequence[int], back: Ints, one: int, sign: int) -> list[int]:
    """The solution d of d = off + sign * p * d[back], in units, for chances p. Two sheets may lead to each other.

    What leads to no sheet has the chance 0, and where two lead to each other the product of their chances is below 1.
    """
    found = []
    for place, (own, to) in enumerate(zip(off, back.tolist(), strict=True)):
        p, other = chance[place], to if to >= 0 else place
        found.append((own * one + sign * p * off[other]) * one // max(one * one - p * chance[other], 1))
    return found


def _together(parts: Sequence[Begins]) -> Begins:
    keys, x = zip(*((each.keys, each.x) for each in parts), strict=True)
    return Begins(np.concatenate(keys, axis=1), np.concatenate(x, axis=1))


class _Rounds:
    """Progress of a layer. Each round counts as half of what is left, because nobody knows how many there will be."""

    def __init__(self, tell: Progress) -> None:
        self.tell, self.number = tell, 0

    def next(self) -> Progress:
        """Progress within the next round."""
        rounds, self.number = self.number, self.number + 1
        return lambda what, done, all_: self.tell(what, int((1 - 0.5 ** (rounds + done / all_)) * all_), all_)
