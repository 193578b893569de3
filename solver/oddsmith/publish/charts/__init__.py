"""Charts of a game's page, as pictures within it that need no script."""

from oddsmith.publish.charts.bars import of_law, of_shares, of_values
from oddsmith.publish.charts.boundary import of_strips, of_table
from oddsmith.publish.charts.drawing import Drawing
from oddsmith.publish.charts.figures import figure
from oddsmith.publish.charts.lines import Series, line_chart, of_thresholds

__all__ = [
    "Drawing",
    "Series",
    "figure",
    "line_chart",
    "of_law",
    "of_shares",
    "of_strips",
    "of_table",
    "of_thresholds",
    "of_values",
]
