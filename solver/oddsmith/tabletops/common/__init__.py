"""What all virtual tabletops share: a game's files for the table, and tables to roll on."""

from typing import TYPE_CHECKING

from oddsmith.faces import later
from oddsmith.tabletops.common.rolltables import RollTable, left_out_of, lists, tables_of
from oddsmith.tabletops.common.shared import generator, plain, refuse_twice

if TYPE_CHECKING:
    from oddsmith.tabletops.common.solved import left_out, played, roll_tables

__all__ = [
    "RollTable",
    "generator",
    "left_out",
    "left_out_of",
    "lists",
    "plain",
    "played",
    "refuse_twice",
    "roll_tables",
    "tables_of",
]

__getattr__ = later(__name__, dict.fromkeys(("left_out", "played", "roll_tables"), "solved"))
