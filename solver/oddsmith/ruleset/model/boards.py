"""How play tables draw the board of a game. Play does not use it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from oddsmith.expr import Expr


@dataclass(frozen=True, slots=True)
class BoardRow:
    """A row of squares from left to right; None is a gap. ``seat``: the seat that the squares belong to; None: all seats."""

    squares: tuple[int | str | None, ...]
    seat: int | None = None


@dataclass(frozen=True, slots=True)
class PlayBoard:
    """The board that shows a variable.

    ``rows``: its squares, row by row. ``length``: the number of steps of each column, if squares are columns. ``across``: on a
    grid, the variable with the column of a piece. ``columns``: the number of columns of the grid. ``laid``: the variable with
    the word that lies under the piece of a seat. ``marks``: texts for squares, each with the condition under which it is shown.
    """

    variable: str
    rows: tuple[BoardRow, ...] = ()
    length: Expr | None = None
    across: str = ""
    columns: int = 0
    laid: str = ""
    marks: Mapping[str, Expr] = field(default_factory=dict)
