"""A state in words, as messages and pages have it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from oddsmith.graph.stategraph import StateGraph
from oddsmith.ruleset import Game, State

if TYPE_CHECKING:
    from oddsmith.graph.explore import Explorer


def describe(graph: StateGraph | Explorer, state: State) -> str:
    """A state in words: ``decide: hoard=35, stash=15``; what is at its start, or carried, is left out."""
    game = graph.game
    shown, sides = _shown(game), game.ruleset.sides
    parts = [f"mover={game.seat_in(state.cells, state.mover)}"] if sides else []
    for where, cell in enumerate(game.cells):
        value = state.cells[where]
        name = cell.variable.name
        usual = value == game.start[where] and name not in shown and not (sides and cell.variable.per_seat)
        if usual or name in sides or where in graph.codec.carried:
            continue
        value = game.seat_in(state.cells, value) if cell.variable.kind == "seat" else game.show(value)
        parts.append(f"{cell_name(game, state.cells, where)}={value}")
    out = [game.seat_in(state.cells, seat) for seat in range(game.seats) if state.out >> seat & 1]
    parts += [f"out: {', '.join(out)}"] * bool(out)
    return f"{state.phase}: {', '.join(parts)}" if parts else state.phase


def cell_name(game: Game, cells: Sequence[Any], where: int) -> str:
    """What a cell of a position is called: ``purse[seat 1]``."""
    cell = game.cells[where]
    names = [
        game.seat_in(cells, item) if cell.variable.per_seat and at == 0 else str(item)
        for at, item in enumerate(cell.index)
    ]
    return f"{cell.variable.name}[{', '.join(names)}]" if names else cell.variable.name


def _shown(game: Game) -> set[str]:
    """Single numbers are always shown."""
    return {name for name, variable in game.ruleset.state.items() if variable.kind == "number" and not variable.dims}
