"""What the start of a turn is worth to each of two players by what both have, where one number each says that."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from oddsmith.exact import Number
from oddsmith.report.strategy import label
from oddsmith.solve import Solution

LEAST, MOST = 4, 25  # points of a line
PLACES = 40  # decimal places within which a worth is kept


@dataclass(frozen=True)
class Standing:
    """``yours`` and ``theirs``: what people call the two numbers. ``lines``: for some values of theirs, what the start of your
    turn is worth to you by values of yours, ascending.
    """

    yours: str
    theirs: str
    lines: tuple[tuple[int, tuple[tuple[int, Number], ...]], ...]


def standing(solution: Solution) -> Standing | None:
    """The worth of standings; None where no pair of numbers tells the players apart, or where there are too few of them."""
    if solution.graph.seats != 2 or solution.solved.arena.copies > 1:
        return None
    game = solution.graph.game
    pair = [
        where
        for where, cell in enumerate(game.cells)
        if cell.variable.per_seat and cell.variable.kind == "number" and where not in solution.graph.codec.carried
    ]
    if len(pair) != 2:
        return None
    starts = _starts(solution, pair[0], pair[1])
    theirs = sorted({other for _, other in starts})
    mine = sorted({own for own, _ in starts})
    if len(mine) < LEAST or len(theirs) < LEAST:
        return None
    lines = []
    for other in (theirs[0], theirs[len(theirs) // 2], theirs[-1]):
        across = [own for own in mine[:: -(-len(mine) // MOST)] if (own, other) in starts]
        if len(across) < 2:
            return None
        lines.append(
            (other, tuple((own, solution.state_values(starts[own, other])[0].outward(PLACES)) for own in across))
        )
    yours, others = (label(game, game.cells[where]) for where in pair)
    return Standing(yours, others, tuple(lines))


def _starts(solution: Solution, mine: int, theirs: int) -> dict[tuple[int, int], int]:
    """The states that are like the first one but for what both players have."""
    graph = solution.graph
    begin = graph.state(0)
    cells, phase, out = graph.codec.decode(graph.keys)
    alike = (phase == graph.codec.phases.index(begin.phase)) & (out == 0)
    for where, begun in enumerate(begin.cells):
        if where not in (mine, theirs) and where not in graph.codec.carried:
            alike &= np.isin(
                cells[where], [code for code in np.unique(cells[where]) if graph.codec.value(where, code) == begun]
            )
    states = np.flatnonzero(alike)
    return dict(
        zip(
            zip(cells[mine, states].tolist(), cells[theirs, states].tolist(), strict=True), states.tolist(), strict=True
        )
    )
