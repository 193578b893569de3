"""Prescriptions of rules with thresholds: the row that a rule prescribes in every state."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from oddsmith.base.arrays import Ints
from oddsmith.report.policy.thresholds import SolvedStrategy


def threshold_prescriber(strategy: SolvedStrategy) -> Callable[[int | Ints], Ints]:
    """Return a function that turns a threshold of a strategy into a prescription: the row of every state, shape
    (states,).

    The function takes one threshold for all decisions, or an array with one for each decision. A row of -1 leaves the
    choice to the solution. It stands in other phases, and where neither option is legal. Work that all prescriptions
    share is done only once, because searches compute hundreds of them.
    """
    decisions, down = strategy.decisions, strategy.down
    assert down is not None
    graph = decisions.solution.graph
    copies = decisions.solution.solved.arena.copies_per_state
    states, values = decisions.states[::copies], down.column[::copies]
    legal = {option: rows_of_option(strategy, option, states) for option in (strategy.below, strategy.above)}

    def prescription(threshold: int | Ints) -> Ints:
        rows_of = np.full(graph.state_count, -1, dtype=np.int64)
        first = np.where(values >= threshold, legal[strategy.above], legal[strategy.below])
        other = np.where(values >= threshold, legal[strategy.below], legal[strategy.above])
        rows_of[states] = np.where(first >= 0, first, other)
        return rows_of

    return prescription


def rows_of_option(strategy: SolvedStrategy, option: int, states: Ints) -> Ints:
    """Return the row of an option in each of ``states``; -1 if the option is not legal there."""
    graph = strategy.decisions.solution.graph
    name = strategy.options[option]
    phase = graph.game.ruleset.phases[strategy.phase]
    rows = np.flatnonzero(np.isin(graph.row_state, states) & (graph.row_action >= 0))
    _, first, which = np.unique(graph.row_labels[rows], return_index=True, return_inverse=True)

    def option_name(row: int) -> str:
        entry = phase.entries[graph.actions[int(graph.row_action[row])][1]]
        return entry.name if strategy.decisions.coarse else graph.action_name(row)

    fits = np.array([option_name(row) == name for row in rows[first].tolist()], dtype=bool)[which]
    row_of = np.full(graph.state_count, -1, dtype=np.int64)
    chosen = rows[fits][::-1]
    row_of[graph.row_state[chosen]] = chosen
    return row_of[states]
