"""A head start for the second of two players that makes the game as even as it can be, read off the solved table."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction

from oddsmith.exact import Number
from oddsmith.report.english import names_several, plain_name
from oddsmith.solve import Solution


@dataclass(frozen=True)
class Handicap:
    """The second player starts with ``name`` at ``start`` instead of ``usual``; ``values`` are then those of both seats."""

    name: str
    start: int
    usual: int
    values: tuple[Number, ...]

    @property
    def words(self) -> str:
        """The start in words, as what somebody begins with."""
        if names_several(self.name):
            return f"{self.start} {self.name} instead of {self.usual}"
        return f"{'an' if self.name[0] in 'aeiou' else 'a'} {self.name} of {self.start} instead of {self.usual}"


def handicap(solution: Solution) -> Handicap | None:
    """The most even start, where only a number of the second player is another; None where none makes the gap half as wide.

    Play must come to a position like that start by itself, for only such positions are solved.
    """
    graph = solution.graph
    game = graph.game
    if graph.seats != 2 or graph.first != 0 or solution.solved.arena.copies > 1:
        return None
    first = graph.state(0)
    left_out = graph.codec.left_out[first.phase]
    best: Handicap | None = None
    least = _gap(solution.state_values(0)) / 2
    for where, cell in enumerate(game.cells):
        if cell.variable.kind != "number" or cell.index != (1,) or not cell.variable.per_seat or where in left_out:
            continue
        usual = first.cells[where]
        for start in range(cell.least, cell.most + 1):
            number = graph.number(replace(first, cells=(*first.cells[:where], start, *first.cells[where + 1 :])))
            if start == usual or number is None:
                continue
            values = solution.state_values(number)
            if _gap(values) < least:
                least = _gap(values)
                best = Handicap(plain_name(cell.variable.name), start, usual, values)
    return best


def _gap(values: tuple[Number, ...]) -> Fraction:
    return abs(values[0].middle - values[1].middle)
