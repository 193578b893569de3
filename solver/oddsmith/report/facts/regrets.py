"""Computes the cells of a map over two variables: the best option, its value, and the cost of the second best option."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from oddsmith.base.arrays import Ints, cumsum, repeat
from oddsmith.base.exact import Number
from oddsmith.graph import concatenated_ranges
from oddsmith.report.policy.thresholds import ACTION_VARIES, SolvedStrategy, ThresholdTable

MIN_MAP_COLUMNS = 5
"""The least number of columns of a map, which are the lines of its table. A table with fewer is easier to read than a
map.
"""
PLACES = 40  # decimal places within which a cell has its numbers
Cell = tuple[int, int]
"""The value of the variable across, and that of the stopping variable."""


@dataclass(frozen=True)
class MapCell:
    """A cell of a map: the best option, its value, and the cost and the name of the best other option.

    ``played``: whether best play reaches the cell. Several positions may share a cell. Then ``worth`` and ``costs`` are
    the least and the greatest of their numbers, ``other`` names all second-best options, and ``option`` is
    ACTION_VARIES if the best options differ.
    """

    option: int
    played: bool
    worth: tuple[Number, Number]
    costs: tuple[Number, Number]
    other: tuple[str, ...]


MapCells = Mapping[Cell, MapCell]
"""The cells of a table that contain a decision."""


def map_cells_of_tables(strategy: SolvedStrategy) -> tuple[MapCells, ...]:
    """Return a map for each table of the strategy. A map is empty if its table is too small, or if it does not have
    exactly two variables.
    """
    drawn = strategy.down is not None and len(strategy.across) == 1
    return tuple(
        map_cells(strategy, each) if drawn and len(each.lines) >= MIN_MAP_COLUMNS else {} for each in strategy.tables
    )


def _decision_mask_of_table(strategy: SolvedStrategy, table: ThresholdTable) -> NDArray[np.bool_]:
    """Return the mask of those decisions of a strategy that belong to the table ``table``."""
    mine = np.zeros(len(strategy.decisions.states), dtype=bool)
    for where in table.where:
        fits = np.ones(len(mine), dtype=bool)
        for feature, value in zip(strategy.split, where, strict=True):
            fits &= np.isin(
                feature.column, [code for code in np.unique(feature.column) if feature.code_text(code) == value]
            )
        mine |= fits
    return mine


def map_cells(strategy: SolvedStrategy, table: ThresholdTable) -> dict[Cell, MapCell]:
    """Return the map of the table ``table``: its cells, by the values of its two variables.

    Only values of the stopping variable in the table's window are included. Numbers come from the proven bounds of all
    decisions in a cell.
    """
    assert strategy.down is not None
    low, below = strategy.shown_range(table)
    shown = (strategy.down.column >= low) & (strategy.down.column < below)
    mine = np.flatnonzero(_decision_mask_of_table(strategy, table) & shown)
    across, down = (feature.column[mine].tolist() for feature in (strategy.across[0], strategy.down))
    choice, played = strategy.decisions.choice[mine].tolist(), strategy.decisions.played[mine].tolist()
    found: dict[Cell, MapCell] = {}
    for *at, option, good, (worth, costs, other) in zip(
        across, down, choice, played, _values_and_second_best(strategy, mine), strict=True
    ):
        spot = MapCell(option, good, (worth, worth), (costs, costs), (other,))
        cell = (at[0], at[1])
        found[cell] = _merge_cells(found[cell], spot) if cell in found else spot
    return found


def _merge_cells(first: MapCell, second: MapCell) -> MapCell:
    """Merge two map cells of the same place. If best play reaches only one of them, return that one."""
    if first.played != second.played:
        return first if first.played else second
    option = first.option if first.option == second.option else ACTION_VARIES
    ends = [
        (min(a[0], b[0], key=float), max(a[1], b[1], key=float))
        for a, b in ((first.worth, second.worth), (first.costs, second.costs))
    ]
    return MapCell(option, first.played, ends[0], ends[1], tuple(sorted({*first.other, *second.other})))


def _values_and_second_best(strategy: SolvedStrategy, decision_indices: Ints) -> Iterator[tuple[Number, Number, str]]:
    """Yield for each decision its value to the mover, the cost of the second-best option, and the name of that option.

    ``decision_indices``: the indices of the decisions. Actions with the name of the best action do not count as second best.
    """
    decisions = strategy.decisions
    solved, graph = decisions.solution.solved, decisions.solution.graph
    arena, unit = solved.arena, solved.bounds.unit
    states = decisions.states[decision_indices]
    numbers = arena.arena_state_of(states, decisions.movers[decision_indices])
    counts = arena.state_rows[numbers + 1] - arena.state_rows[numbers]
    rows = concatenated_ranges(arena.state_rows[numbers], counts)
    worth = list(solved.bounds.row_intervals(rows, repeat(arena.mover[numbers], counts)))
    entries = graph.game.ruleset.phases[decisions.phase].entries

    def option_name(row: int) -> str:
        return (
            entries[graph.actions[int(graph.row_action[row])][1]].name if decisions.coarse else graph.action_name(row)
        )

    ends = pairwise([0, *cumsum(counts).tolist()])
    for (start, end), number, state in zip(ends, numbers.tolist(), states.tolist(), strict=True):
        first, taken = int(graph.state_rows[state]), int(solved.rows[number] - arena.state_rows[number])
        names = [option_name(first + k) for k in range(end - start)]
        others = [k for k in range(end - start) if names[k] != names[taken]]
        second = max(others, key=lambda k: worth[start + k][0] * arena.objective_sign, default=taken)
        (low, high), (least, most) = worth[start + taken], worth[start + second]
        under, over = (low - most, high - least) if arena.objective_sign > 0 else (least - high, most - low)
        # The solver compared all that nobody prescribed: what bounds do not tell from the best was found to be as good.
        tied = under <= 0 and arena.prescribed_row[number] < 0 and number not in solved.undecided_states
        costs = Number.of(0) if tied else Number(max(under, 0) * unit, max(over, 0) * unit)
        yield Number(low * unit, high * unit).rounded_outward(PLACES), costs.rounded_outward(PLACES), names[second]
