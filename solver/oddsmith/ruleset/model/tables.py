"""Tables to roll on, as the author wrote them: nothing is played by them."""

from __future__ import annotations

from dataclasses import dataclass

from oddsmith.expr import Expr
from oddsmith.location import Location
from oddsmith.ruleset.model.phases import Term


@dataclass(frozen=True, slots=True)
class TableDice:
    """What a table rolls: dice, and a number that is added to them, if there is one."""

    terms: tuple[Term, ...]
    location: Location
    plus: Expr | None = None


@dataclass(frozen=True, slots=True)
class TableRow:
    """One thing that a table can say.

    ``results``: the first and the last result of the dice that it is for. None where the next result is meant, or where the
    weight says all.
    """

    text: str
    location: Location
    results: tuple[int, int] | None = None
    weight: int = 1


@dataclass(frozen=True, slots=True)
class Table:
    """A table to roll on: rows for the results of dice, rows with weights, or the outcomes of a phase.

    ``dice``: None where the weights say all. ``phase``: whose outcomes it has; such a table has no rows of its own.
    """

    name: str
    location: Location
    rows: tuple[TableRow, ...] = ()
    dice: TableDice | None = None
    phase: str = ""
