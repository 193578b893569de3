"""States as numbers: every cell a column of whole numbers, every state one key in mixed radix.

States are seen from the seat to move: the mover is seat 0, the next in play order seat 1, and so on.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from oddsmith.dice import Hand, same_dice
from oddsmith.expr.columns import Column
from oddsmith.ruleset.effects import changes
from oddsmith.ruleset.game import Cell, Game
from oddsmith.ruleset.rules import State

WORD_BITS = 62


class Codec:
    """Turns states of a game into keys and back. ``carried`` cells are payoff, not state: they count as 0."""

    def __init__(self, game: Game, carried: frozenset[int], phases: tuple[str, ...]) -> None:
        self.game, self.carried, self.phases = game, carried, phases
        names = {word for cell in game.cells for word in cell.variable.words}
        names |= {item for dims in game.layout.values() for dim in dims.dims for item in dim if isinstance(item, str)}
        self.words: Mapping[str, int] = {word: number for number, word in enumerate(sorted(names))}
        self.hands = {where: _all_hands(cell) for where, cell in enumerate(game.cells) if cell.variable.kind == "hand"}
        self.radices = [self._radix(where, cell) for where, cell in enumerate(game.cells)]

    def _radix(self, where: int, cell: Cell) -> int:
        if where in self.carried:
            return 1
        return len(self.hands[where]) if where in self.hands else cell.most - cell.least + 1

    @cached_property
    def drops(self) -> bool:
        """Whether a seat can ever go out."""
        rules = self.game.ruleset
        effects = [effect for phase in rules.phases.values() for entry in phase.entries for effect in changes(entry.do)]
        return rules.out_when.op != "const" or any(effect.kind == "drop" for effect in effects)

    @cached_property
    def layout(self) -> list[list[tuple[int, int]]]:
        """Words of the key: which digit goes where, as (digit, radix). Digits: cells, then the phase, then who is out."""
        radices = [*self.radices, len(self.phases), 2**self.game.seats if self.drops else 1]
        words: list[list[tuple[int, int]]] = [[]]
        size = 1
        for digit, radix in enumerate(radices):
            if size * radix >= 2**WORD_BITS:
                words.append([])
                size = 1
            size *= radix
            words[-1].append((digit, radix))
        return words

    @property
    def box(self) -> int:
        """The number of keys there could be."""
        size = 1
        for radix in (*self.radices, len(self.phases), 2**self.game.seats if self.drops else 1):
            size *= radix
        return size

    # --- plain values and columns

    def code(self, where: int, value: Any) -> int:
        """A plain value of a cell as a number."""
        if where in self.hands:
            return self.hands[where][value]
        return self.words[value] if isinstance(value, str) else int(value)

    def value(self, where: int, code: int) -> Any:
        """The inverse of :meth:`code`."""
        kind = self.game.cells[where].variable.kind
        if where in self.hands:
            return self._hand_list[where][code]
        if kind == "word":
            return self._word_list[code]
        return bool(code) if kind == "flag" else int(code)

    @cached_property
    def _hand_list(self) -> dict[int, list[Hand]]:
        return {where: list(hands) for where, hands in self.hands.items()}

    @cached_property
    def _word_list(self) -> list[str]:
        return list(self.words)

    def columns(self, states: list[State]) -> Column:
        """States (seen from their movers) as columns of shape (cells, states)."""
        rows = [[self.code(where, value) for where, value in enumerate(state.cells)] for state in states]
        return np.array(rows, dtype=np.int64).reshape(len(states), len(self.game.cells)).T.copy()

    # --- keys

    def keys(self, cells: Column, phase: NDArray[Any] | int, out: NDArray[Any] | int) -> Column:
        """Keys of shape (states, words of the key)."""
        count = cells.shape[1]
        digits: list[Any] = [self._digit(where, cells[where]) for where in range(len(self.radices))]
        digits += [phase, out if self.drops else 0]
        found = np.zeros((count, len(self.layout)), dtype=np.int64)
        for number, word in enumerate(self.layout):
            for digit, radix in word:
                found[:, number] = found[:, number] * radix + digits[digit]
        return found

    def _digit(self, where: int, column: Column) -> Any:
        cell = self.game.cells[where]
        if where in self.carried:
            return 0
        if cell.variable.kind == "word":
            return self._word_digits(where)[column]
        return column - cell.least

    def _word_digits(self, where: int) -> Column:
        table = np.zeros(len(self.words), dtype=np.int64)
        for digit, word in enumerate(self.game.cells[where].variable.words):
            table[self.words[word]] = digit
        return table

    def decode(self, keys: Column) -> tuple[Column, Column, Column]:
        """Cells of shape (cells, states), phase numbers, and who is out."""
        digits: dict[int, Column] = {}
        for number, word in enumerate(self.layout):
            rest = keys[:, number]
            for digit, radix in reversed(word):
                rest, digits[digit] = np.divmod(rest, radix)
        cells = np.empty((len(self.radices), len(keys)), dtype=np.int64)
        for where, cell in enumerate(self.game.cells):
            column = digits[where]
            if where in self.carried:
                column = np.zeros(len(keys), dtype=np.int64)
            elif cell.variable.kind == "word":
                column = np.array([self.words[word] for word in cell.variable.words], dtype=np.int64)[column]
            else:
                column = column + cell.least
            cells[where] = column
        return cells, digits[len(self.radices)], digits[len(self.radices) + 1]

    # --- seats

    def rotated(self, cells: Column, by: int) -> Column:
        """The same positions seen from the seat ``by`` places after the mover."""
        if by == 0:
            return cells
        found = cells[self._rotation(by)]
        for where, cell in enumerate(self.game.cells):
            if cell.variable.kind == "seat":
                found[where] = (found[where] - by) % self.game.seats
        return found

    def _rotation(self, by: int) -> list[int]:
        order = list(range(len(self.game.cells)))
        for name, variable in self.game.ruleset.state.items():
            if variable.per_seat:
                cells = self.game.cells_of(name)
                each = len(cells) // self.game.seats
                for place, where in enumerate(cells):
                    order[where] = cells[(place + by * each) % len(cells)]
        return order

    def seen_from_mover(self, state: State) -> State:
        """A state of the rules with its seats counted from the mover."""
        seats, by = self.game.seats, state.mover
        cells = [state.cells[where] for where in self._rotation(by)]
        for where, cell in enumerate(self.game.cells):
            if cell.variable.kind == "seat":
                cells[where] = (cells[where] - by) % seats
            if where in self.carried:
                cells[where] = 0
        return State(state.phase, 0, rotated_mask(state.out, by, seats), tuple(cells))

    def state(self, key: Column) -> State:
        """The state of one key, seen from the mover."""
        cells, phase, out = self.decode(key.reshape(1, -1))
        values = tuple(self.value(where, int(cells[where, 0])) for where in range(len(self.radices)))
        return State(self.phases[int(phase[0])], 0, int(out[0]), values)


def rotated_mask(mask: int, by: int, seats: int) -> int:
    """A set of seats as bits, counted from the seat ``by`` places on."""
    return ((mask >> by) | (mask << (seats - by))) & ((1 << seats) - 1)


def _all_hands(cell: Cell) -> dict[Hand, int]:
    """Every hand that a cell can hold, numbered."""
    per_die: list[list[Hand]] = []
    for die, count in cell.dice:
        per_die.append([hand for size in range(count + 1) for hand, _ in same_dice(size, die).hands])
    found: dict[Hand, None] = {}
    for parts in product(*per_die):
        hand = Hand()
        for part in parts:
            hand = hand + part
        found[hand] = None
    return {hand: number for number, hand in enumerate(sorted(found, key=lambda hand: (len(hand), hand)))}
