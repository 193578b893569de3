"""Pages that are one file each, with their styles in them: what changed between two games, and a grid of settings."""

from oddsmith.publish.sheets.changes import changes_sheet
from oddsmith.publish.sheets.grid import grid_sheet

__all__ = ["changes_sheet", "grid_sheet"]
