"""Named policies of a ruleset: what they prescribe in one state, and as one row for every state of a graph."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from oddsmith.arrays import Ints, arange, cumsum, reduceat, repeat
from oddsmith.errors import UnknownPolicyError, did_you_mean
from oddsmith.expr import NUMBER, Expr, const
from oddsmith.expr.analysis import View, fold
from oddsmith.expr.evaluation import Moment, compiled
from oddsmith.graph import StateGraph, ranges
from oddsmith.graph.columns import Base, Block, Divider, Symbolic
from oddsmith.ruleset import Action, Game, State
from oddsmith.ruleset.model import Choice, Entry


def unknown_policy(game: Game, name: str) -> UnknownPolicyError:
    """The error that says which policies there are."""
    return UnknownPolicyError(
        f"{game.ruleset.id} has no policy {name}: {did_you_mean(name, game.ruleset.policies, 'policies')}"
    )


class Prescription:
    """A named policy that answers for one state."""

    def __init__(self, game: Game, name: str) -> None:
        if name not in game.ruleset.policies:
            raise unknown_policy(game, name)
        self.game, self.name = game, name
        policy = game.ruleset.policies[name]
        self.lines = {
            phase: [(line, compiled(line.when), compiled(line.prefer) if line.prefer else None) for line in lines]
            for phase, lines in policy.items()
        }

    def pick(self, state: State, actions: list[Action]) -> int:
        """The place of the prescribed action: the first line that fits a legal instance; else the first option."""
        m = self.game.moment(state.cells, state.mover, state.out)
        for line, when, prefer in self.lines.get(state.phase, []):
            fitting = [place for place, action in enumerate(actions) if self._fits(line, when, action, m)]
            if not fitting:
                continue
            if prefer is None:
                return fitting[0]
            worth = []
            for place in fitting:
                m.local = dict(actions[place].binding)
                worth.append(prefer(m))
            return fitting[worth.index(max(worth))]
        return 0

    def _fits(self, line: Choice, when: object, action: Action, m: Moment) -> bool:
        if action.name != line.option:
            return False
        m.local = dict(action.binding)
        return bool(when(m))  # type: ignore[operator]


def rows_of(graph: StateGraph, name: str) -> Ints:
    """The row that a named policy takes in every state, shape (states,).

    Raises UnknownPolicyError where the ruleset has none of that name, and PlayError where the policy breaks a rule.
    """
    if name not in graph.game.ruleset.policies:
        raise unknown_policy(graph.game, name)
    lines = graph.game.ruleset.policies[name]
    chosen = graph.state_rows[:-1].copy()
    several = np.diff(graph.state_rows) > 1
    cells, phases, out = graph.codec.decode(graph.keys)
    divider = Divider(graph.codec, Symbolic(graph.game))
    for phase, choices in lines.items():
        if phase not in graph.codec.phases:
            continue
        deciding = several & (phases == graph.codec.phases.index(phase))
        for mask in np.unique(out[deciding]).tolist():
            states = np.flatnonzero(deciding & (out == mask))
            base = Base(graph.codec, cells[:, states])
            block = Block(phase, mask, base, None, graph.codec.rotation(0), {}, np.ones(len(states), dtype=np.int64))
            _prescribe(graph, divider, block, states, choices, chosen)
    return chosen


def _prescribe(
    graph: StateGraph, divider: Divider, block: Block, states: Ints, choices: tuple[Choice, ...], taken_rows: Ints
) -> None:
    """Put the prescribed rows of some states into ``taken_rows``: the first line that fits a legal instance."""
    first, counts = graph.state_rows[states], graph.state_rows[states + 1] - graph.state_rows[states]
    rows, at = ranges(first, counts), repeat(arange(len(states)), counts)
    action = graph.row_action[rows]
    entries = graph.game.ruleset.phases[block.phase].entries
    left = np.ones(len(states), dtype=bool)
    for choice in choices:
        worth = np.full(len(rows), -np.inf)  # of the instances that fit
        for number in np.unique(action).tolist():
            _, entry, binding = graph.actions[number]
            if entries[entry].name == choice.option:
                instances = np.flatnonzero((action == number) & left[at])
                local = _bind(entries[entry], binding)
                fits = _column(divider, block.take(at[instances]), choice.when, local).astype(bool)
                prefer = choice.prefer or const(0, NUMBER)
                worth[instances[fits]] = _column(divider, block.take(at[instances[fits]]), prefer, local)
        best = reduceat(np.maximum, worth, np.concatenate([[0], cumsum(counts)[:-1]]))
        taken = np.flatnonzero((worth == best[at]) & (worth > -np.inf))[::-1]
        taken_rows[states[at[taken]]] = rows[taken]  # of equals the first one writes last
        left &= best == -np.inf


def _bind(entry: Entry, binding: tuple[tuple[str, Any], ...]) -> dict[str, Expr]:
    """The loop names of an option's instance as constants."""
    types = {name: items.type.item or NUMBER for name, items in entry.loops}
    return {name: const(value, types[name]) for name, value in binding}


def _column(divider: Divider, block: Block, tree: Expr, local: dict[str, Expr]) -> Ints:
    """An expression of a policy for a block of states. PlayError where it cannot be computed."""
    values = np.zeros(block.count, dtype=np.int64)

    def make(view: View) -> Expr:
        view.local = dict(local)
        return fold(tree, view)

    if block.count:
        numbered = replace(block, new={**block.new, -1: arange(block.count)})
        for part, folded in divider.divide(numbered, (tree, tuple(local.items())), make):
            values[part.new[-1]] = part.column(folded)
    return values
