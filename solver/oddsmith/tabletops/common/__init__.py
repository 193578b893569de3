"""What all virtual tabletops share: a game's files for the table, and tables to roll on."""

from oddsmith.tabletops.common.rolltables import RollTable, left_out, roll_tables
from oddsmith.tabletops.common.shared import generator, plain, played, refuse_twice

__all__ = ["RollTable", "generator", "left_out", "plain", "played", "refuse_twice", "roll_tables"]
