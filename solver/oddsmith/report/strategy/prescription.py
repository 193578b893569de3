"""Rules with thresholds as plans: the row that they prescribe in every state."""

from __future__ import annotations

import numpy as np

from oddsmith.arrays import Ints
from oddsmith.report.strategy.thresholds import Strategy


def plan(strategy: Strategy, number: int | Ints) -> Ints:
    """The row of every state under a rule with one threshold, or one for each decision.

    -1, which is the solution's own, where neither option is legal and in other phases.
    """
    decisions, down = strategy.decisions, strategy.down
    assert down is not None
    graph = decisions.solution.graph
    rows_of = np.full(graph.states, -1, dtype=np.int64)
    copies = decisions.solution.solved.arena.copies
    states, values = decisions.states[::copies], down.column[::copies]
    legal = {option: rows_of_option(strategy, option, states) for option in (strategy.below, strategy.above)}
    first = np.where(values >= number, legal[strategy.above], legal[strategy.below])
    other = np.where(values >= number, legal[strategy.below], legal[strategy.above])
    rows_of[states] = np.where(first >= 0, first, other)
    return rows_of


def rows_of_option(strategy: Strategy, option: int, states: Ints) -> Ints:
    """The row of an option in each state, -1 where it is not legal."""
    graph = strategy.decisions.solution.graph
    name = strategy.options[option]
    numbers = [number for number, _ in enumerate(graph.actions) if _name(strategy, number) == name]
    fits = np.isin(graph.row_action, numbers)
    row_of = np.full(graph.states, -1, dtype=np.int64)
    rows = np.flatnonzero(fits)[::-1]
    row_of[graph.row_state[rows]] = rows
    return row_of[states]


def _name(strategy: Strategy, number: int) -> str:
    graph = strategy.decisions.solution.graph
    phase, entry, binding = graph.actions[number]
    if phase != strategy.decisions.phase:
        return ""
    option = graph.game.ruleset.phases[phase].entries[entry]
    return option.name if strategy.decisions.coarse else graph.game.called(option, binding)
