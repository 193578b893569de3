"""Games that cannot end, found on the graph and told as a play; and states in words."""

from __future__ import annotations

import numpy as np

from oddsmith.errors import PlayError, Problem
from oddsmith.graph.reach import reachable
from oddsmith.graph.stategraph import StateGraph
from oddsmith.graph.story import way_to
from oddsmith.ruleset import Game, Rules, State


def refuse_endless(graph: StateGraph) -> None:
    """PlayError where play can come to a state from which nobody can ever end the game."""
    inner = graph.target >= 0
    ends = reachable(graph.target[inner], graph.edge_state[inner], graph.states, np.unique(graph.edge_state[~inner]))
    if ends.all():
        return
    number = int(np.flatnonzero(~ends)[0])
    rules = Rules(graph.game)
    state, play = way_to(rules, graph.codec, graph.keys, graph.parent, number)
    where = graph.game.ruleset.phases[state.phase].location
    message = f"from {describe(graph, graph.state(number))} the game can never end, whatever anybody does"
    problem = Problem("OD541", where, message, "give it a way to `then: end` or let end_when come true")
    raise PlayError(problem, play, graph.game.ruleset.source)


def describe(graph: StateGraph, state: State) -> str:
    """A state in words: ``decide: hoard=35, stash=15``; what is at its start, or carried, is left out."""
    game = graph.game
    shown = []
    for where, cell in enumerate(game.cells):
        value = state.cells[where]
        if where in graph.codec.carried or (value == game.start[where] and cell.variable.name not in _shown(game)):
            continue
        label = cell.variable.name
        if cell.index:
            names = [
                f"seat {item + 1}" if cell.variable.per_seat and at == 0 else str(item)
                for at, item in enumerate(cell.index)
            ]
            label += f"[{', '.join(names)}]"
        value = f"seat {value + 1}" if cell.variable.kind == "seat" else game.show(value)
        shown.append(f"{label}={value}")
    out = [str(seat + 1) for seat in range(game.seats) if state.out >> seat & 1]
    return f"{state.phase}: " + ", ".join(shown) + (f", out: seat {', '.join(out)}" if out else "")


def _shown(game: Game) -> set[str]:
    """Single numbers are always shown."""
    return {name for name, variable in game.ruleset.state.items() if variable.kind == "number" and not variable.dims}
