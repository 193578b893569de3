"""Pages that are one file each, with their styles in them: what changed between two games, and a grid of settings."""

from oddsmith.publish.standalone.changes import changes_page
from oddsmith.publish.standalone.grid import grid_page

__all__ = ["changes_page", "grid_page"]
