"""Charts of a game's page: inline SVG that needs no script."""

from oddsmith.publish.charts.bars import draw_distribution, draw_shares, draw_values
from oddsmith.publish.charts.boundary import draw_map, draw_strips
from oddsmith.publish.charts.drawing import Drawing
from oddsmith.publish.charts.figures import figure
from oddsmith.publish.charts.lines import Series, draw_thresholds, line_chart

__all__ = [
    "Drawing",
    "Series",
    "draw_distribution",
    "draw_map",
    "draw_shares",
    "draw_strips",
    "draw_thresholds",
    "draw_values",
    "figure",
    "line_chart",
]
