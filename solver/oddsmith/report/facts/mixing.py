"""Positions in which best play leaves the choice to chance."""

from __future__ import annotations

from dataclasses import dataclass

from oddsmith.exact import Number
from oddsmith.report.english import plain_name
from oddsmith.ruleset import Game, State
from oddsmith.solve import Solution

MOST = 12  # positions that are told


@dataclass(frozen=True)
class Mixed:
    """``number``: of the position; ``where``: the position in words; ``chances``: of the actions, in the same order."""

    number: int
    where: str
    actions: tuple[str, ...]
    chances: tuple[Number, ...]


def mixed(solution: Solution) -> list[Mixed]:
    """The first positions in which the mover mixes actions."""
    arena, graph = solution.solved.arena, solution.graph
    found = []
    for number, mixture in sorted(solution.mixtures.items())[:MOST]:
        state = number // arena.copies
        first = int(graph.state_rows[state]) - int(arena.state_rows[number])
        names = tuple(graph.action_name(row + first) for row in mixture.rows)
        found.append(Mixed(number, _position(graph.game, graph.state(state)), names, tuple(mixture.chances.values())))
    return found


def _position(game: Game, state: State) -> str:
    """A position in words: the phase, and what lies otherwise than at the start."""
    changed = [
        f"{plain_name(cell.shown)} {game.stands(where, value)}"
        for where, (cell, value) in enumerate(zip(game.cells, state.cells, strict=True))
        if value != game.start[where]
    ]
    return ", ".join([plain_name(state.phase), *changed])
