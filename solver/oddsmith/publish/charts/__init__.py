"""Charts of a game's page, as pictures within it that need no script."""

from oddsmith.publish.charts.bars import draw_shares, of_law, of_values
from oddsmith.publish.charts.boundary import draw_strips, draw_table
from oddsmith.publish.charts.drawing import Drawing
from oddsmith.publish.charts.figures import figure
from oddsmith.publish.charts.lines import Series, draw_thresholds, line_chart

__all__ = [
    "Drawing",
    "Series",
    "draw_shares",
    "draw_strips",
    "draw_table",
    "draw_thresholds",
    "figure",
    "line_chart",
    "of_law",
    "of_values",
]
