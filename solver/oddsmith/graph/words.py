"""A state in words, as messages and pages have it."""

from __future__ import annotations

from oddsmith.graph.stategraph import StateGraph
from oddsmith.ruleset import Game, State


def describe(graph: StateGraph, state: State) -> str:
    """A state in words: ``decide: hoard=35, stash=15``; what is at its start, or carried, is left out."""
    game = graph.game
    shown, sides = _shown(game), game.ruleset.sides
    parts = [f"mover={game.seat_in(state.cells, state.mover)}"] if sides else []
    for where, cell in enumerate(game.cells):
        value = state.cells[where]
        label = cell.variable.name
        usual = value == game.start[where] and label not in shown and not (sides and cell.variable.per_seat)
        if usual or label in sides or where in graph.codec.carried:
            continue
        if cell.index:
            names = [
                game.seat_in(state.cells, item) if cell.variable.per_seat and at == 0 else str(item)
                for at, item in enumerate(cell.index)
            ]
            label += f"[{', '.join(names)}]"
        value = game.seat_in(state.cells, value) if cell.variable.kind == "seat" else game.show(value)
        parts.append(f"{label}={value}")
    out = [game.seat_in(state.cells, seat) for seat in range(game.seats) if state.out >> seat & 1]
    parts += [f"out: {', '.join(out)}"] * bool(out)
    return f"{state.phase}: {', '.join(parts)}" if parts else state.phase


def _shown(game: Game) -> set[str]:
    """Single numbers are always shown."""
    return {name for name, variable in game.ruleset.state.items() if variable.kind == "number" and not variable.dims}
