"""A state in words, as messages and pages have it."""

from __future__ import annotations

from oddsmith.graph.stategraph import StateGraph
from oddsmith.ruleset import Game, State


def describe(graph: StateGraph, state: State) -> str:
    """A state in words: ``decide: hoard=35, stash=15``; what is at its start, or carried, is left out."""
    game = graph.game
    parts = []
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
        parts.append(f"{label}={value}")
    out = [str(seat + 1) for seat in range(game.seats) if state.out >> seat & 1]
    return f"{state.phase}: " + ", ".join(parts) + (f", out: seat {', '.join(out)}" if out else "")


def _shown(game: Game) -> set[str]:
    """Single numbers are always shown."""
    return {name for name, variable in game.ruleset.state.items() if variable.kind == "number" and not variable.dims}
