"""A table of the values of all positions in which turns begin, for the engine in JavaScript.

The engine computes the rest of a turn when it needs it. The table is for games in which turns are alike on every sheet
(the part of a position that stays fixed during a turn). It holds the value of each sheet, and the graph of one turn, in
which positions of equal value are merged. It does not say where the last actions of a turn lead: the engine applies the
rules to them. ``site/runtime/table/turns.mjs`` reads it.

Values are rounded to units. So the error of each value is less than one unit, and the same holds for the values within
a turn. If two actions differ by at most two units, the table cannot tell which is better.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import chain
from math import prod
from typing import Any

import numpy as np

from oddsmith.base.arrays import Ints, bincount
from oddsmith.report.policy.table_bytes import (
    MAX_RANK,
    Range,
    carried_cell_payoffs,
    difference_bytes,
    digit_ranges,
    position_ranks,
    rank_run_bytes,
    table_file_bytes,
    table_header,
    varint_bytes,
)  # fmt: skip
from oddsmith.solve.staged import LayerSolver, Staged

VERSION = 1
FINE_PLACES, COARSE_PLACES, MANY_SHEETS = (
    9,
    6,
    100_000,
)  # decimal places of values, and the number of sheets from which on they are fewer


def turn_table(staged: Staged) -> bytes | None:
    """Return the bytes of the table of a game that was solved turn by turn.

    Return None if the game was not solved turn by turn, if it has symmetric members, or if a rank is too large for
    JavaScript.
    """
    if not isinstance(staged.schedule, LayerSolver):
        return None
    table = _TurnTableWriter(staged, staged.schedule)
    told_apart = [table.sheet_cell_ranges, *(block.turn_cell_ranges for block in table.phase_blocks)]
    if any(prod(radix for _, _, radix in each) >= MAX_RANK for each in told_apart) or table.has_symmetric_positions:
        return None
    return table_file_bytes(table.header, table.body)


@dataclass(frozen=True)
class _TurnPhaseBlock:
    """The positions of a turn in one phase.

    ``turn_cell_ranges``: the ranges of the cells that distinguish these positions. ``turn_and_sheet_cell_ranges``: the
    ranges of these cells and of the cells of the sheet. ``ranks``: the ranks of the positions, ascending.
    ``merged_positions``: by position, the index of the merged position to which it belongs.
    """

    phase: str
    turn_cell_ranges: list[Range]
    turn_and_sheet_cell_ranges: list[Range]
    ranks: Ints
    merged_positions: Ints


@dataclass(frozen=True)
class _TurnTableWriter:
    staged: Staged
    schedule: LayerSolver

    @cached_property
    def sheet_cell_ranges(self) -> list[Range]:
        """The ranges of the cells of the sheet that are in the keys of positions in which turns begin."""
        codec, cells = self.staged.explorer.codec, self.schedule.turn.fixed_cells
        begins = codec.cells_in_keys[codec.phases.index(self.staged.game.ruleset.first_phase_of_turn)]
        return digit_ranges(
            [where for where in begins if where in cells], codec.digit_columns(self.schedule.turn_starts.keys)
        )

    @cached_property
    def phase_blocks(self) -> list[_TurnPhaseBlock]:
        """The blocks of positions of a turn, one for each phase."""
        codec, turn, found = self.staged.explorer.codec, self.schedule.turn, []
        digits, sheet = (
            self.staged.explorer.codec.digit_columns(turn.keys),
            {each[0]: each for each in self.sheet_cell_ranges},
        )
        for number, phase in enumerate(codec.phases):
            states = np.flatnonzero(digits[-2] == number)
            if not len(states):
                continue
            own, cells = [each[states] for each in digits], codec.cells_in_keys[number]
            inside = digit_ranges([where for where in cells if where not in turn.fixed_cells], own)
            known = sheet | {each[0]: each for each in inside}
            numbers = position_ranks(inside, own)
            order = np.argsort(numbers)
            places = self.schedule.inner.places[states[order]]
            held = [known[where] for where in cells if where in known]
            found.append(_TurnPhaseBlock(phase, inside, held, numbers[order], places))
        return found

    @property
    def has_symmetric_positions(self) -> bool:
        """Whether some states stand for several symmetric positions, which the engine in JavaScript cannot handle."""
        orbits = self.staged.explorer.codec.orbits
        return any(orbits[block.phase] for block in self.phase_blocks)

    @property
    def header(self) -> dict[str, Any]:
        """The header of the table: its game, and the numbers that are needed to read the table."""
        staged, inner = self.staged, self.schedule.inner
        phases = staged.game.ruleset.phases
        return table_header(staged.game, staged.objective, "turns", VERSION, staged.explorer.codec) | {
            "play": staged.kind,
            "grade": staged.grade,
            "values": [value.decimal() for value in staged.values],
            "copies": 1,
            "has": carried_cell_payoffs(staged.explorer.codec),
            "unit": self._decimal_places,
            "total": _numerator_and_denominator(self._constant_sum),
            "sheet": self.sheet_cell_ranges,
            "paid": [_numerator_and_denominator(paid[0]) for paid in self._turn_payoffs],
            "places": inner.count,
            "inner": inner.inner_count,
            "turn": [{"name": block.phase, "cells": block.turn_cell_ranges} for block in self.phase_blocks],
            "phases": [
                {"name": block.phase, "cells": block.turn_and_sheet_cell_ranges, "out": 1, "orbits": []}
                for block in self.phase_blocks
                if phases[block.phase].kind == "choose"
            ],
        }

    @property
    def body(self) -> bytes:
        """The body of the table: the sheets with their values, the positions of a turn, and the graph of a turn."""
        keys = self.schedule.turn_starts.keys
        places = position_ranks(self.sheet_cell_ranges, self.staged.explorer.codec.digit_columns(keys))
        order = np.argsort(places)
        sheets = rank_run_bytes(places[order]) + difference_bytes(self._rounded_sheet_values(keys[:, order]))
        positions = [
            rank_run_bytes(block.ranks) + difference_bytes(block.merged_positions.tolist())
            for block in self.phase_blocks
        ]
        return b"".join([sheets, *positions, *self._turn_graph_bytes()])

    @property
    def _decimal_places(self) -> int:
        """The number of decimal places of the values."""
        return COARSE_PLACES if self.schedule.turn_starts.turn_start_count > MANY_SHEETS else FINE_PLACES

    @property
    def _constant_sum(self) -> Fraction:
        """The sum over all seats of the first payoff for which this sum is not 0; 0 if there is none. With two seats,
        it is the constant sum of the game.
        """
        sums = (sum(paid, Fraction(0)) for paid in self.staged.explorer.edges.payoffs)
        return next((each for each in sums if each), Fraction(0))

    @property
    def _turn_payoffs(self) -> list[tuple[Fraction, ...]]:
        """The payoffs that may be paid within a turn."""
        payoffs = list(self.staged.explorer.edges.payoffs)
        return payoffs[: int(self.schedule.turn.inner_graph.payoff.max(initial=0)) + 1]

    def _rounded_sheet_values(self, keys: Ints) -> Iterator[int]:
        """Yield the value of each sheet, rounded to a whole number of units. ``keys``: the keys of the sheets. The
        bounds of the values are narrower than one unit.
        """
        known = self.schedule.values_and_remaining_turns(keys)[0]
        point, times = known.point, 10**self._decimal_places
        assert 2 * times * int(known.radius.max()) < 1 << point.binary_places
        half = 1 << (point.binary_places - 1)
        for limbs in known.middle[:, :, 0].T.tolist():
            yield (point.units_of_limbs(limbs) * times + half) >> point.binary_places

    def _turn_graph_bytes(self) -> Iterator[bytes]:
        """Yield the layers of a turn as bytes: the positions of each layer, their distributions, and the edges of the
        distributions.
        """
        several = len(self._turn_payoffs) > 1
        for layer in self.schedule.inner.layers:
            row, target, payoff, weight = layer.transitions
            lengths = bincount(row, minlength=len(layer.denominator))
            yield varint_bytes(
                [
                    len(layer.states),
                    len(layer.distributions_by_action),
                    *map(len, layer.distributions_by_action),
                    len(layer.denominator),
                ]
            )
            yield difference_bytes(layer.states.tolist())
            yield difference_bytes(chain.from_iterable(slot.tolist() for slot in layer.distributions_by_action))
            yield varint_bytes(layer.denominator.tolist()) + varint_bytes(lengths.tolist())
            yield difference_bytes(target.tolist()) + varint_bytes(weight.tolist())
            if several:
                yield varint_bytes(payoff.tolist())


def _numerator_and_denominator(number: Fraction) -> list[int]:
    return [number.numerator, number.denominator]
