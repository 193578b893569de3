"""States as numbers: each cell is a column of whole numbers, and each state has a key in mixed radix.

States are seen from the seat to move: the mover is seat 0, the next in play order seat 1, and so on. Positions that
differ only in what a reduction leaves out have the same key. A carried cell, or a cell that is never read again before
it is set, counts as at its start. A cell that follows from a conserved sum is left out. The members of a symmetric
family are sorted.

*Packing.* A cell that can hold r values is a digit from 0 to r - 1. The phase and the set of seats that are out are
digits too. A word of a key is the sum of its digits, each times the product of the radices before it in the word. So
the word is below the product of all its radices, and division gives the digits back. A digit starts a new word if that
product would reach 2^62. So no word, and no partial sum of a word, leaves 64 bits. Cells that a key leaves out have the
radix 1, or the digit 0.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cache, cached_property
from itertools import product
from math import prod
from typing import Any

import numpy as np

from oddsmith.base.arrays import Ints
from oddsmith.base.dice import Hand, distribution_of_equal_dice
from oddsmith.graph.columns.reduction import MoverFrame, Reduction
from oddsmith.ruleset import Cell, Game, State

WORD_BITS = 62


class Codec:
    """Encodes the states of a game as keys of 62-bit words, and decodes them."""

    def __init__(self, game: Game, reduction: Reduction, phases: tuple[str, ...]) -> None:
        self.game, self.reduction, self.phases = game, reduction, phases
        self.carried, self.mover_frame = reduction.carried, MoverFrame(game, reduction)
        self.given = {one.cell: one for one in reduction.implied_cells}
        names = {word for cell in game.cells for word in cell.variable.words}
        names |= {item for dims in game.layout.values() for dim in dims.dims for item in dim if isinstance(item, str)}
        self.code_of_word: Mapping[str, int] = {word: number for number, word in enumerate(sorted(names))}
        self.hands = {
            where: _code_of_each_hand(cell) for where, cell in enumerate(game.cells) if cell.variable.kind == "hand"
        }
        self.radices = [self._radix(where, cell) for where, cell in enumerate(game.cells)]
        self.start = tuple(self.encode_value(where, value) for where, value in enumerate(game.start))
        self.left_out = {phase: reduction.left_out_cells(phase) for phase in phases}
        self.orbits = {phase: self._orbit_members_in_keys(phase) for phase in phases}

    def _radix(self, cell_index: int, cell: Cell) -> int:
        """Return the radix of the digit of a cell: its number of values, or 1 if keys do not hold it."""
        if cell_index in self.carried or cell_index in self.given:
            return 1
        return len(self.hands[cell_index]) if cell_index in self.hands else cell.most - cell.least + 1

    def _orbit_members_in_keys(self, phase: str) -> list[list[tuple[int, ...]]]:
        """Return the groups of exchangeable members in a phase.

        Each member is the tuple of its cells that keys of the phase hold.
        """
        left = self.left_out[phase]
        held = [
            [tuple(where for where in member if where not in left) for member in orbit]
            for orbit in self.reduction.orbits
        ]
        return [orbit for orbit in held if orbit[0]]

    @cached_property
    def all_radices(self) -> list[int]:
        """The radix of every digit of a key: first those of the cells, then that of the phase, then that of the seats
        that are out.

        The mover is never out, so only the other seats count in the last.
        """
        return [*self.radices, len(self.phases), 2 ** (self.game.seats - 1) if self.game.has_elimination else 1]

    @cached_property
    def digit_words_and_factors(self) -> list[tuple[int, int]]:
        """For each digit, the index of the word that holds it, and its factor in that word."""
        places, word, size = [], 0, 1
        for radix in self.all_radices:
            if size * radix >= 2**WORD_BITS:
                word, size = word + 1, 1
            places.append((word, size))
            size *= radix
        return places

    @property
    def words_per_key(self) -> int:
        """The number of words of a key."""
        return self.digit_words_and_factors[-1][0] + 1

    @property
    def possible_key_count(self) -> int:
        """The number of possible keys."""
        return prod(self.all_radices)

    # --- plain values and columns

    def encode_value(self, cell_index: int | None, value: Any) -> int:
        """Return the code of a plain value. ``cell_index``: the cell that holds it, which may be None unless the value
        is a hand.
        """
        if isinstance(value, Hand):
            assert cell_index is not None
            return self.hands[cell_index][value]
        return self.code_of_word[value] if isinstance(value, str) else int(value)

    def decode_value(self, cell_index: int, code: int) -> Any:
        """Return the plain value of a code in the cell ``cell_index``. It is the inverse of :meth:`encode_value`."""
        kind = self.game.cells[cell_index].variable.kind
        if cell_index in self.hands:
            return self._hands_by_cell[cell_index][code]
        if kind == "word":
            return self._words_by_code[code]
        return bool(code) if kind == "flag" else int(code)

    @cached_property
    def _hands_by_cell(self) -> dict[int, list[Hand]]:
        """For each cell that holds a hand, its possible hands in the order of their codes."""
        return {where: list(hands) for where, hands in self.hands.items()}

    @cached_property
    def _words_by_code(self) -> list[str]:
        """The words in the order of their codes."""
        return list(self.code_of_word)

    def cell_columns(self, states: list[State]) -> Ints:
        """Return the codes of the cells of some states, shape (cells, states). The states must be seen from their
        movers.
        """
        rows = [[self.encode_value(where, value) for where, value in enumerate(state.cells)] for state in states]
        return np.array(rows, dtype=np.int64).reshape(len(states), len(self.game.cells)).T.copy()

    # --- keys

    @cached_property
    def cells_in_keys(self) -> dict[int, list[int]]:
        """The cells that keys of each phase hold, by the number of the phase."""
        in_keys = [where for where in range(len(self.radices)) if where not in self.given]
        return {
            number: [where for where in in_keys if where not in self.left_out[phase]]
            for number, phase in enumerate(self.phases)
        }

    def digits_of_cell(self, cell_index: int, codes: Any) -> Any:
        """Return the digits of the cell ``cell_index`` for a column of its codes."""
        cell = self.game.cells[cell_index]
        if cell.variable.kind == "word":
            return self._word_digits(cell_index)[codes]
        return codes - cell.least if cell.least else codes

    @cache  # noqa: B019 - a codec lives as long as its graph
    def _word_digits(self, cell_index: int) -> Ints:
        """Return the digits of a cell that holds a word, by the code of the word."""
        table = np.zeros(len(self.code_of_word), dtype=np.int64)
        for digit, word in enumerate(self.game.cells[cell_index].variable.words):
            table[self.code_of_word[word]] = digit
        return table

    def keys(self, read_column: Callable[[int], Ints], count: int, phase_number: int, out_mask: int) -> Ints:
        """Return the keys of positions in canonical form, shape (words, positions).

        ``read_column``: gives the column of a cell. ``count``: the number of positions. ``phase_number``: the number of
        their phase. ``out_mask``: the seats that are out, as bits.
        """
        keys = np.zeros((self.words_per_key, count), dtype=np.int64)
        for digit, value in ((-2, phase_number), (-1, out_mask >> 1)):
            word, times = self.digit_words_and_factors[digit]
            keys[word] += value * times
        for where in self.cells_in_keys[phase_number]:
            word, times = self.digit_words_and_factors[where]
            keys[word] += self.digits_of_cell(where, read_column(where)) * times
        return keys

    def digit_columns(self, keys: Ints) -> list[Ints]:
        """Return the digits of keys of shape (words, states): a column for each cell, one for the phase, and one for
        the seats that are out.
        """
        return [
            keys[word] // times % radix
            for (word, times), radix in zip(self.digit_words_and_factors, self.all_radices, strict=True)
        ]

    def decode(self, keys: Ints) -> tuple[Ints, Ints, Ints]:
        """Return the states of keys of shape (words, states) as three arrays: the codes of the cells, shape (cells,
        states), the numbers of the phases, and the seats that are out, as bits.
        """
        digits = self.digit_columns(keys)
        cells = np.empty((len(self.radices), keys.shape[1]), dtype=np.int64)
        for where, cell in enumerate(self.game.cells):
            if cell.variable.kind == "word":
                codes = np.array([self.code_of_word[word] for word in cell.variable.words], dtype=np.int64)
                cells[where] = codes[digits[where]]
            else:
                cells[where] = digits[where] + cell.least
        phase, out = digits[-2], digits[-1] << 1
        for number, name in enumerate(self.phases):
            in_phase = phase == number
            if self.left_out[name] and in_phase.any():
                for where in self.left_out[name]:
                    cells[where, in_phase] = 0 if where in self.carried else self.start[where]
        for one in self.reduction.implied_cells:
            cells[one.cell] = one.total - cells[list(one.others)].sum(axis=0)
        return cells, phase, out

    # --- seats

    def cell_rotation(self, seat_shift: int) -> tuple[int, ...]:
        """Return for each cell the cell whose value it takes when the seat ``seat_shift`` places on becomes the mover."""
        return self.mover_frame.orders[seat_shift]

    def canonical_state(self, state: State) -> State:
        """Return the canonical form of a state of the rules, which is the same for all states with the same key.

        Its mover is seat 0, exchangeable members are sorted, and cells that its key leaves out have fixed values.
        """
        seen = self.mover_frame.with_mover_as_first_seat(state)
        orbits = self.orbits.get(state.phase)
        if not orbits:
            return seen
        cells = list(seen.cells)
        for orbit in orbits:
            members = sorted(orbit, key=lambda member: [self.encode_value(where, cells[where]) for where in member])
            held = [[cells[where] for where in member] for member in members]
            for member, values in zip(orbit, held, strict=True):
                for where, value in zip(member, values, strict=True):
                    cells[where] = value
        return replace(seen, cells=tuple(cells))

    def state(self, key: Ints) -> State:
        """Return the state of one key, seen from the mover."""
        return self.states(key.reshape(-1, 1))[0]

    def states(self, keys: Ints) -> list[State]:
        """Return the states of keys of shape (words, states). They are seen from their movers."""
        cells, phase, out = self.decode(keys)
        return [
            State(self.phases[at], 0, gone, tuple(self.decode_value(where, code) for where, code in enumerate(column)))
            for column, at, gone in zip(cells.T.tolist(), phase.tolist(), out.tolist(), strict=True)
        ]

    def key(self, state: State) -> Ints | None:
        """Return the key of a state in canonical form, shape (words,); None if a value of the state is impossible."""
        if state.phase not in self.phases:
            return None
        try:
            cells = self.cell_columns([state])
        except (KeyError, ValueError):
            return None
        for where, cell in enumerate(self.game.cells):
            kind = cell.variable.kind
            if kind == "number" and where not in self.carried and not cell.least <= cells[where, 0] <= cell.most:
                return None
        for one in self.reduction.implied_cells:
            if cells[one.cell, 0] != one.total - cells[list(one.others), 0].sum():
                return None
        key: Ints = self.keys(cells.__getitem__, 1, self.phases.index(state.phase), state.seats_out_bits)[:, 0]
        return key


def _code_of_each_hand(cell: Cell) -> dict[Hand, int]:
    """Return every hand that a cell can hold, with its code: its index in an order by size and then by faces."""
    per_die: list[list[Hand]] = []
    for die, count in cell.dice:
        per_die.append([hand for size in range(count + 1) for hand, _ in distribution_of_equal_dice(size, die).hands])
    hands: dict[Hand, None] = {}
    for parts in product(*per_die):
        hand = Hand()
        for part in parts:
            hand = hand + part
        hands[hand] = None
    return {hand: number for number, hand in enumerate(sorted(hands, key=lambda hand: (len(hand), hand)))}
