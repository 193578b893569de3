"""A map from the positions of a game to those of a smaller game of the same rules: other parameters, or fewer seats."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from oddsmith.base.arrays import Ints, Mask
from oddsmith.graph.columns.codec import Codec
from oddsmith.ruleset import Cell

_IMPOSSIBLE = np.iinfo(np.int64).min  # stands for a value that a cell of the smaller game cannot have


@dataclass(frozen=True)
class PositionMap:
    """Finds the positions of a smaller game to which positions of a larger one correspond.

    Every cell of the smaller game has the value of the cell with the same name and indices. ``shifts``: by how much the
    numbers of some variables are larger in the larger game. Cells of the larger game that the smaller one does not have
    must hold their start values, unless they belong to a seat that is left out.
    """

    codec: Codec
    smaller: Codec
    shifts: Mapping[str, int]

    @cached_property
    def is_applicable(self) -> bool:
        """Whether each cell of the smaller game has a counterpart, and the same variables are carried as payoffs."""
        game, own = self.codec.game, self.smaller.game
        found = all((cell.variable.name, cell.indices) in self._cells_by_name for cell in own.cells)
        carried = [
            {codec.game.cells[where].variable.name for where in codec.carried} for codec in (self.codec, self.smaller)
        ]
        return found and carried[0] == carried[1] and game.seats >= own.seats

    @cached_property
    def _cells_by_name(self) -> dict[tuple[str, tuple[Any, ...]], int]:
        """The cells of the larger game, by the name of the variable and the indices."""
        return {(cell.variable.name, cell.indices): where for where, cell in enumerate(self.codec.game.cells)}

    def smaller_keys(self, keys: Ints, staying_choices: Iterable[Sequence[int]]) -> Iterator[tuple[Ints, Mask]]:
        """Yield, for each choice of the seats that stay, the keys of the positions in the smaller game, shape
        (words, positions), and a mask of the positions that exist there.

        ``keys``: the keys of the positions, shape (words, positions). ``staying_choices``: the seats that stay, in
        ascending order, counted from the mover. If the mover does not stay, the first of them moves in the smaller
        game. That is possible only at the start of a turn.
        """
        cells, phases, out = self.codec.decode(keys)
        turn = self.codec.game.ruleset.first_phase_of_turn
        starts = phases == (self.codec.phases.index(turn) if turn in self.codec.phases else -1)
        for staying in staying_choices:
            own, possible = self._smaller_cells(cells, staying)
            own_out = np.zeros_like(out)
            for place, each in enumerate(staying):
                own_out |= (out >> each & 1) << place
            if 0 not in staying:
                possible = possible & starts & (own_out & 1 == 0)
            yield self._encoded_keys(own, phases, own_out, possible)

    def _smaller_cells(self, cells: Ints, staying_seats: Sequence[int]) -> tuple[Ints, Mask]:
        """Return the cells of the smaller game, and a mask of the positions in which all other cells hold their start
        values.

        ``cells``: those of the larger game, shape (cells, positions). ``staying_seats``: the seats that stay, in order
        of play from the mover.
        """
        game, own = self.codec.game, self.smaller.game
        found, read = np.empty((len(own.cells), cells.shape[1]), dtype=np.int64), set()
        for where, cell in enumerate(own.cells):
            place = self._cells_by_name[cell.variable.name, _indices_in_larger_game(cell, staying_seats)]
            read.add(place)
            found[where] = self._translated_codes(where, cell, place, cells[place], staying_seats)
        left = [
            where
            for where, cell in enumerate(game.cells)
            if where not in read
            and not _belongs_to_left_out_seat(cell, staying_seats)
            and where not in self.codec.carried
        ]
        return found, (cells[left] == np.array(self.codec.start)[left, None]).all(axis=0)

    def _translated_codes(
        self, cell_index: int, cell: Cell, larger_cell_index: int, codes: Ints, staying_seats: Sequence[int]
    ) -> Ints:
        """Return a column of the larger game in the codes of the cell ``cell_index`` of the smaller one.

        ``larger_cell_index``: the cell of the larger game. ``staying_seats``: the seats that stay. An impossible value
        becomes ``_IMPOSSIBLE``.
        """
        kind = cell.variable.kind
        if kind == "seat":
            seats = np.full(self.codec.game.seats, _IMPOSSIBLE)
            seats[list(staying_seats)] = range(len(staying_seats))
            found: Ints = seats[codes]
        elif kind in ("word", "hand"):
            found = self._code_table(cell_index, kind, larger_cell_index)[codes]
        elif kind == "flag":
            found = codes
        else:
            shifted = codes - self.shifts.get(cell.variable.name, 0)
            found = np.where((shifted < cell.least) | (shifted > cell.most), _IMPOSSIBLE, shifted)
        return found

    def _code_table(self, cell_index: int, kind: str, larger_cell_index: int) -> Ints:
        """Return the code of each word, or of each hand, in the cell ``cell_index`` of the smaller game, by its code in
        the larger one.
        """
        own: Mapping[Any, int] = self.smaller.code_of_word if kind == "word" else self.smaller.hands[cell_index]
        known: Mapping[Any, int] = self.codec.code_of_word if kind == "word" else self.codec.hands[larger_cell_index]
        possible = set(self.smaller.game.cells[cell_index].variable.words) if kind == "word" else own.keys()
        return np.array([own[each] if each in possible else _IMPOSSIBLE for each in known], dtype=np.int64)

    def _encoded_keys(self, cells: Ints, phases: Ints, out_masks: Ints, possible_mask: Mask) -> tuple[Ints, Mask]:
        """Return the keys of positions of the smaller game, and a mask of the positions that it can have.

        ``cells``, ``phases``, ``out_masks``: the positions, with the numbers of phases of the larger game.
        ``possible_mask``: a mask of the positions to encode.
        """
        codec = self.smaller
        found, held = np.zeros((codec.words_per_key, len(phases)), dtype=np.int64), np.zeros_like(possible_mask)
        for number, mask in set(zip(phases.tolist(), out_masks.tolist(), strict=True)):
            rows = np.flatnonzero(possible_mask & (phases == number) & (out_masks == mask))
            phase, here = codec.phases.index(self.codec.phases[number]), cells[:, rows]
            needed = [*codec.cells_in_keys[phase], *(one.cell for one in codec.reduction.implied_cells)]
            good = (here[needed] != _IMPOSSIBLE).all(axis=0)
            for one in codec.reduction.implied_cells:
                good &= here[one.cell] + here[list(one.others)].sum(axis=0) == one.total
            rows, here = rows[good], here[:, good]
            held[rows] = True
            found[:, rows] = codec.keys(here.__getitem__, len(rows), phase, mask)
        return found, held


def _indices_in_larger_game(cell: Cell, staying_seats: Sequence[int]) -> tuple[Any, ...]:
    """Return the indices that a cell of the smaller game has in the larger one. ``staying_seats``: the seats that stay,
    by their numbers in the smaller game.
    """
    dims = cell.variable.index_lists
    return tuple(staying_seats[each] if dim == "seat" else each for dim, each in zip(dims, cell.indices, strict=True))


def _belongs_to_left_out_seat(cell: Cell, staying_seats: Sequence[int]) -> bool:
    """Return whether a cell of the larger game belongs to a seat that does not stay."""
    return any(
        dim == "seat" and each not in staying_seats
        for dim, each in zip(cell.variable.index_lists, cell.indices, strict=True)
    )
