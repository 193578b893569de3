"""How play tables draw the board of a game. Play does not use it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from oddsmith.expr import Expr


@dataclass(frozen=True, slots=True)
class BoardRow:
    """A row of squares from left to right; None is a gap. ``seat`` owns the squares, counted from 0; None: everybody does."""

    squares: tuple[int | str | None, ...]
    seat: int | None = None


@dataclass(frozen=True, slots=True)
class PlayBoard:
    """The board on which a variable is seen.

    ``rows``: where its squares lie. ``length``: the steps of a column, which is a ``square`` too. ``across``: the variable that
    says how far from the left a piece stands, where the board is a grid of so many ``columns``; ``laid``: what lies under it.
    ``marks``: what stands on squares for which something holds.
    """

    variable: str
    rows: tuple[BoardRow, ...] = ()
    length: Expr | None = None
    across: str = ""
    columns: int = 0
    laid: str = ""
    marks: Mapping[str, Expr] = field(default_factory=dict)
