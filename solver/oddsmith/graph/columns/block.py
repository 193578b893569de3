"""Blocks of positions within one transition. A cell is read from the source state until an effect writes it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from oddsmith.base.arrays import Ints, Mask, arange
from oddsmith.base.errors import RuleFailure, Signal
from oddsmith.expr import Expr, evaluate
from oddsmith.graph.columns.codec import Codec


class RuleFailureInBlock(Signal):
    """Raised if a rule breaks for one source state. ``row``: the index of this state in the block.

    The rules for one state then say which rule breaks, and how play gets there.
    """

    def __init__(self, row: int) -> None:
        super().__init__(row)
        self.row = row


@dataclass(eq=False)
class SourceStates:
    """The states from which a block starts.

    ``cells``: the codes of their cells, shape (cells, states). ``sums``: a cache of keys. ``taken``: the only actions
    to explore in each state, shape (largest number of actions, states); None for all actions. ``movers``: the seat to
    move in each state, numbered from the first seat; None if it is not needed.
    """

    codec: Codec
    cells: Ints
    taken: Ints | None = None
    movers: Ints | None = None
    sums: dict[tuple[tuple[int, ...], int], Ints] = field(default_factory=dict)

    def keys(self, cell_order: tuple[int, ...], phase_number: int) -> Ints:
        """Return the keys that the states would have in the phase with this number if nobody were out, shape (words,
        states).

        ``cell_order``: for each cell, the cell from which its value is taken.
        """
        if (cell_order, phase_number) not in self.sums:
            count = self.cells.shape[1]
            self.sums[cell_order, phase_number] = self.codec.keys(
                lambda where: self.cells[cell_order[where]], count, phase_number, 0
            )
        return self.sums[cell_order, phase_number]


@dataclass(frozen=True, eq=False)
class PositionBlock:
    """Positions in one phase with the same seats out, reached from source states within one transition.

    ``phase``: their phase; empty at the end of the game. ``out``: the seats that are out, as bits. ``base``: the source
    states. ``at``: the index in ``base`` of each position's source; None if they are all states in order. ``new``: the
    columns of the cells that were written since. Each other cell is cell ``order[cell]`` of the source. ``weight``: the
    integer weight of each position. ``seat_shift``: the number of seats by which the mover has moved on. ``turn_over``:
    whether the turn has ended. ``marks``: the event bits of the transition so far. ``rolled_or_drawn``: whether
    anything was rolled or drawn. ``action``: the number of the action taken; -1 for none. ``action_index``: its index
    among the actions of its state. ``slots``: the constants of the class of rolls of each position. ``merges_roll``: in
    a phase of cases, whether a roll that follows belongs to the same transition as the choice before. ``seen``: a cache
    of the values of trees. ``held``: a cache of columns.
    """

    phase: str
    out: int
    base: SourceStates
    at: Ints | None
    order: tuple[int, ...]
    new: Mapping[int, Ints]
    weight: Ints
    seat_shift: int = 0
    turn_over: bool = False
    marks: int = 0
    rolled_or_drawn: bool = False
    action: int = -1
    action_index: int = 0
    slots: Ints | None = None
    merges_roll: bool = False
    seen: dict[Any, Any] = field(default_factory=dict, init=False)
    held: dict[int, Ints] = field(default_factory=dict, init=False)

    @property
    def count(self) -> int:
        """The number of positions."""
        return len(self.weight)

    @property
    def sources(self) -> Ints:
        """The index of the source of each position."""
        return arange(self.count) if self.at is None else self.at

    def take(self, indices: Ints) -> PositionBlock:
        """Return a block of the positions with the indices ``indices``."""
        return self.with_fields(
            at=indices if self.at is None else self.at[indices],
            weight=self.weight[indices],
            new={where: column[indices] for where, column in self.new.items()},
            slots=None if self.slots is None else self.slots[:, indices],
        )

    def select(self, mask: Mask) -> PositionBlock | None:
        """Return a block of the positions for which ``mask`` is true; None if there are none."""
        if mask.all():
            return self
        rows = np.flatnonzero(mask)
        return self.take(rows) if len(rows) else None

    def cell_column(self, cell: int) -> Ints:
        """Return the column of a cell: the code of its value in each position."""
        if cell in self.new:
            return self.new[cell]
        if cell not in self.held:
            column = self.base.cells[self.order[cell]]
            self.held[cell] = column if self.at is None else column[self.at]
        return self.held[cell]

    def leaf_values(self, node: Expr) -> Any:
        """Return the values of a leaf of a folded tree: a column, or one value for all positions."""
        if node.op == "cell":
            column = self.cell_column(node.value)
            return column != 0 if node.type.kind == "flag" else column
        if node.op == "slot":
            assert self.slots is not None
            return self.slots[node.value]
        return self.base.codec.code_of_word[node.value] if isinstance(node.value, str) else node.value

    def column(self, tree: Expr, live_positions: Mask | None = None) -> Any:
        """Return the values of a folded tree: a column, or one value for all positions.

        ``live_positions``: a mask of the positions whose values are used. Raises RuleFailureInBlock if a rule breaks.
        """
        try:
            return evaluate(tree, self.leaf_values, live_positions, self.seen)
        except RuleFailure:
            held = (
                np.ones(self.count, dtype=bool)
                if live_positions is None
                else np.broadcast_to(live_positions, self.count)
            )
            raise RuleFailureInBlock(int(self.sources[np.flatnonzero(held)[0]])) from None

    def condition_mask(self, condition: Expr) -> Mask:
        """Return a mask of the positions in which a condition holds."""
        mask: Mask = self.as_column(self.column(condition)).astype(bool, copy=False)
        return mask

    def as_column(self, values: Any) -> Any:
        """Return values as a column with an entry for each position. A single value is repeated."""
        if isinstance(values, np.ndarray) and values.ndim:
            return values
        return np.full(self.count, values)

    def with_fields(self, **changes: Any) -> PositionBlock:
        """Return a copy with some fields replaced.

        It is faster than ``dataclasses.replace``, because every step of play needs it.
        """
        other = object.__new__(PositionBlock)
        other.__dict__.update(self.__dict__, seen={}, held={})
        other.__dict__.update(changes)
        return other

    # --- keys

    def keys(self, phase_number: int) -> Ints:
        """Return the keys of the positions in the phase with this number, shape (words, positions).

        It starts from the keys of the sources, and replaces the digits of the written cells one by one. After each
        replacement a key is that of cells within their ranges, so nothing leaves 64 bits.
        """
        codec = self.base.codec
        keys: Ints = self.base.keys(self.order, phase_number)
        keys = keys.copy() if self.at is None else keys[:, self.at]
        word, times = codec.digit_words_and_factors[-1]
        keys[word] += (self.out >> 1) * times
        new = {**self.new, **self._sorted_member_columns(phase_number)}
        for where in codec.cells_in_keys[phase_number]:
            if where in new:
                word, times = codec.digit_words_and_factors[where]
                old = codec.digits_of_cell(where, self.base.cells[self.order[where]])
                keys[word] += times * (
                    codec.digits_of_cell(where, new[where]) - (old if self.at is None else old[self.at])
                )
        return keys

    def _sorted_member_columns(self, phase_number: int) -> dict[int, Ints]:
        """Return the columns of the cells of exchangeable members, by cell, after the members of each position are
        sorted.

        Only groups of members with a cell that was written or moved are included.
        """
        ordered: dict[int, Ints] = {}
        for members in self.base.codec.orbits[self.base.codec.phases[phase_number]]:
            cells = [where for member in members for where in member]
            if all(where not in self.new and self.order[where] == where for where in cells):
                continue
            if len(members[0]) == 1 and len(members) == 2:
                a, b = self.cell_column(cells[0]), self.cell_column(cells[1])
                ordered[cells[0]], ordered[cells[1]] = np.minimum(a, b), np.maximum(a, b)
                continue
            columns = np.array([[self.cell_column(where) for where in member] for member in members])
            rank = np.lexsort(columns.transpose(1, 0, 2)[::-1], axis=0)
            moved = np.take_along_axis(columns, rank[:, None, :], axis=0)
            ordered.update({where: moved[i, j] for i, member in enumerate(members) for j, where in enumerate(member)})
        return ordered
