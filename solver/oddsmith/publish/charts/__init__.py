"""Charts of a game's page: inline SVG that needs no script."""

from oddsmith.publish.charts.bars import draw_distribution, draw_option_shares, draw_values
from oddsmith.publish.charts.boundary import draw_map, draw_strips
from oddsmith.publish.charts.drawing import Drawing
from oddsmith.publish.charts.figures import figure
from oddsmith.publish.charts.lines import Series, draw_lines, draw_thresholds

__all__ = [
    "Drawing",
    "Series",
    "draw_distribution",
    "draw_lines",
    "draw_map",
    "draw_option_shares",
    "draw_strips",
    "draw_thresholds",
    "draw_values",
    "figure",
]
