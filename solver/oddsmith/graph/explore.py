"""From the start to every state that play can reach, breadth first, in blocks of columns."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from fractions import Fraction
from math import lcm

import numpy as np

from oddsmith.errors import OddsmithError
from oddsmith.expr.columns import Column
from oddsmith.graph.carry import Coefficients, carried, refuse_free_tallies
from oddsmith.graph.codec import Codec
from oddsmith.graph.expand import ROLLED, Block, Expander, Trouble
from oddsmith.graph.stategraph import StateGraph
from oddsmith.graph.story import tell
from oddsmith.ruleset.game import Game
from oddsmith.ruleset.rules import Rules

Progress = Callable[[int, int], None]
CHUNK = 1 << 16  # states expanded at a time, so that memory for what is on its way stays bounded
MAX_STATES = 4_000_000  # some 2 kB each while exploring
DENSE = 1 << 25  # keys up to this box are looked up in a table, beyond it by sorting


class TooManyStates(OddsmithError):
    """The game is too large to be solved whole."""


class KeyIndex:
    """Numbers keys in the order in which they come: a table over the whole box, or sorted keys where it is too large."""

    def __init__(self, box: int) -> None:
        self.table = np.full(box, -1, dtype=np.int32) if box <= DENSE else None
        self.numbers: dict[bytes, int] = {}
        self.keys: list[Column] = []
        self.count = 0

    def add(self, keys: Column) -> tuple[Column, Column]:
        """The numbers of keys (shape (n, words)), and the positions among them of those seen for the first time."""
        distinct, first, inverse = np.unique(keys, axis=0, return_index=True, return_inverse=True)
        inverse = inverse.reshape(-1)
        if self.table is not None:
            numbers = self.table[distinct[:, 0]].astype(np.int64)
        else:
            numbers = np.array([self.numbers.get(key.tobytes(), -1) for key in distinct], dtype=np.int64)
        fresh = np.flatnonzero(numbers < 0)
        fresh = fresh[np.argsort(first[fresh])]  # in the order of the rows, not of the keys
        numbers[fresh] = np.arange(self.count, self.count + len(fresh))
        new = distinct[fresh]
        if self.table is not None:
            self.table[new[:, 0]] = numbers[fresh]
        else:
            self.numbers.update((key.tobytes(), self.count + place) for place, key in enumerate(new))
        self.count += len(fresh)
        self.keys.append(new)
        return numbers[inverse], first[fresh]


@dataclass
class _Edges:
    """Transitions gathered so far, as lists of columns."""

    parts: list[Column] = field(default_factory=list)
    payoffs: dict[tuple[Fraction, ...], int] = field(default_factory=dict)

    def payoff(self, values: tuple[Fraction, ...]) -> int:
        return self.payoffs.setdefault(values, len(self.payoffs))


class Explorer:
    """Explores one game under one objective."""

    def __init__(self, game: Game, objective: str, watch: Iterable[tuple[str, str]] = (), carry: bool = True) -> None:
        self.game, self.objective, self.rules = game, objective, Rules(game)
        nothing: tuple[frozenset[int], Coefficients] = (frozenset(), ({},) * game.seats)
        kept, self.coefficients = carried(game, objective) if carry else nothing
        refuse_free_tallies(game, objective, kept)
        self.carried = sorted(kept)
        phases = tuple(name for name, phase in game.ruleset.phases.items() if phase.kind != "cases")
        self.codec = Codec(game, kept, phases)
        self.watched = {entry: ROLLED << number for number, entry in enumerate(dict.fromkeys(watch), 1)}
        self.expander = Expander(game, self.codec, self.watched)
        self.edges = _Edges()
        self.edges.payoff((Fraction(0),) * game.seats)

    def explore(self, progress: Progress | None = None, limit: int | None = None) -> tuple[StateGraph, bool]:
        """The graph, and whether it is whole: with a ``limit`` exploring stops beyond so many states.

        Raises PlayError, with the play that leads there, where a rule breaks, and TooManyStates.
        """
        index = KeyIndex(self.codec.box)
        start = self.codec.seen_from_mover(self.rules.start())
        first = self.codec.keys(self.codec.columns([start]), self.codec.phases.index(start.phase), start.out)
        index.add(first)
        self.index, parents, done = index, [np.array([-1])], 0
        while done < index.count and (limit is None or done < limit):
            keys = np.concatenate(index.keys) if len(index.keys) > 1 else index.keys[0]
            index.keys = [keys]
            todo = np.arange(done, min(index.count, done + CHUNK))
            try:
                parents += self._expand(keys[todo], done)
            except Trouble as trouble:
                raise tell(self.rules, self.codec, keys, np.concatenate(parents), trouble.row) from None
            done += len(todo)
            if index.count > MAX_STATES:
                raise TooManyStates(self._too_many())
            if progress:
                progress(done, index.count)
        whole = done == index.count
        return self._graph(np.concatenate(index.keys), np.concatenate(parents), done), whole

    def _too_many(self) -> str:
        """Which variable multiplies the states most, in words."""
        sizes: dict[str, int] = {}
        for cell, radix in zip(self.game.cells, self.codec.radices, strict=True):
            sizes[cell.variable.name] = sizes.get(cell.variable.name, 1) * radix
        worst = max(sizes, key=lambda name: sizes[name])
        return (
            f"{self.game.ruleset.id} with {self.game.seats} seats has over {MAX_STATES:,} states when it is played for "
            f"{self.objective}: more than are solved in one go. {worst} multiplies them most (it can stand in up to "
            f"{sizes[worst]:,} ways): try fewer seats, smaller parameters, or another objective"
        )

    def _expand(self, keys: Column, base: int) -> list[Column]:
        """Expand states; the parents of the states found are returned."""
        cells, phase, out = self.codec.decode(keys)
        for where in self.carried:
            cells[where] = 0
        parents = []
        for number, mask in sorted(set(zip(phase.tolist(), out.tolist(), strict=True))):
            rows = np.flatnonzero((phase == number) & (out == mask))
            block = Block(
                self.codec.phases[number], mask, cells[:, rows], rows + base, -1, np.ones(len(rows), dtype=np.int64)
            )  # fmt: skip
            parents += [self._arrive(arrived) for arrived in self.expander.expand(block)]
        return parents

    def _arrive(self, block: Block) -> Column:
        count = len(block.row)
        fresh = np.zeros(0, dtype=np.int64)
        if block.phase:
            payoff = self._carried_payoff(block)
            phase = self.codec.phases.index(block.phase)
            target, fresh = self.index.add(self.codec.keys(block.cells, phase, block.out))
        else:
            payoff, target = self._final_payoff(block), np.full(count, -1)
        shared = [block.order, block.choice, block.by, block.marks, int(block.turn_over)]
        columns = [block.row, target, block.weight, payoff, *(np.full(count, value) for value in shared)]
        self.edges.parts.append(np.stack(columns))
        return np.asarray(block.row[fresh], dtype=np.int64)

    # --- payoffs, seats counted from the mover of the source

    def _carried_payoff(self, block: Block) -> Column:
        """What the carried cells bring on the way."""
        if not block.cells[self.carried].any():
            return np.zeros(len(block.row), dtype=np.int64)
        distinct, inverse = np.unique(block.cells[self.carried], axis=1, return_inverse=True)
        numbers = []
        for column in distinct.T:
            held = dict(zip(self.carried, column.tolist(), strict=True))
            mine = [sum(times * held[where] for where, times in seat.items()) for seat in self.coefficients]
            numbers.append(self.edges.payoff(self._turned(tuple(map(Fraction, mine)), block.by)))
        return np.array(numbers, dtype=np.int64)[inverse.reshape(-1)]

    def _final_payoff(self, block: Block) -> Column:
        distinct, inverse = np.unique(block.cells, axis=1, return_inverse=True)
        numbers = []
        for column in distinct.T:
            cells = tuple(self.codec.value(where, int(code)) for where, code in enumerate(column))
            m = self.game.moment(cells, 0, block.out)
            paid = []
            for m.seat in range(self.game.seats):
                paid.append(Fraction(self.rules.pay[self.objective](m)))
            numbers.append(self.edges.payoff(self._turned(tuple(paid), block.by)))
        return np.array(numbers, dtype=np.int64)[inverse.reshape(-1)]

    def _turned(self, paid: tuple[Fraction, ...], by: int) -> tuple[Fraction, ...]:
        return tuple(paid[(seat - by) % len(paid)] for seat in range(len(paid)))

    # --- the graph

    def _graph(self, keys: Column, parents: Column, states: int) -> StateGraph:
        """Rows in order of state and action; transitions that agree in everything are one."""
        row, target, weight, payoff, order, choice, by, marks, turn_over = np.concatenate(self.edges.parts, axis=1)
        target = np.where(target >= states, -1, target)  # beyond the limit of a sample
        order = np.lexsort((turn_over, marks, payoff, by, target, order, row))
        same = np.stack([row, choice, target, by, payoff, marks, turn_over])[:, order]
        new = np.ones(len(order), dtype=bool)
        new[1:] = (same[:, 1:] != same[:, :-1]).any(axis=0)
        starts = np.flatnonzero(new)
        row, choice, target, by, payoff, marks, turn_over = same[:, starts]
        weight = np.add.reduceat(weight[order], starts)
        new_row = np.ones(len(row), dtype=bool)
        new_row[1:] = (row[1:] != row[:-1]) | (choice[1:] != choice[:-1])
        row_starts = np.flatnonzero(new_row)
        scale = lcm(*(value.denominator for values in self.edges.payoffs for value in values))
        return StateGraph(
            self.game, self.objective, self.codec, keys[:states],
            np.searchsorted(row[row_starts], np.arange(states + 1)), choice[row_starts], np.append(row_starts, len(row)),
            np.add.reduceat(weight, row_starts), target, weight, by, payoff, marks, turn_over.astype(bool),
            tuple(tuple(int(value * scale) for value in values) for values in self.edges.payoffs), scale,
            tuple(self.expander.actions), parents[:states], self.watched,
        )  # fmt: skip


def explore(game: Game, objective: str, progress: Progress | None = None, **how: object) -> StateGraph:
    """The whole state graph of a game under an objective."""
    return Explorer(game, objective, **how).explore(progress)[0]  # type: ignore[arg-type]
