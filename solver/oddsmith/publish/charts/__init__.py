"""Charts of a game's page, as pictures within it that need no script."""

from oddsmith.publish.charts.bars import bars, compared, of_law, of_values
from oddsmith.publish.charts.boundary import boundary, is_drawn, of_strips, of_table
from oddsmith.publish.charts.drawing import CARD, Drawing, Size, shown
from oddsmith.publish.charts.emblem import emblem, icon, link_picture
from oddsmith.publish.charts.figures import figure
from oddsmith.publish.charts.lines import (
    Series,
    by_number,
    by_standing,
    by_threshold,
    lined,
    of_thresholds,
    risk_by_number,
)
from oddsmith.publish.charts.multiples import multiples, sliced, slides, slides_file
from oddsmith.publish.charts.regrets import Touched, cells_file
from oddsmith.publish.charts.risk import by_roll, by_stake
from oddsmith.publish.charts.taken import by_share, of_shares

__all__ = [
    "CARD",
    "Drawing",
    "Series",
    "Size",
    "Touched",
    "bars",
    "boundary",
    "by_number",
    "by_roll",
    "by_share",
    "by_stake",
    "by_standing",
    "by_threshold",
    "cells_file",
    "compared",
    "emblem",
    "figure",
    "icon",
    "is_drawn",
    "lined",
    "link_picture",
    "multiples",
    "of_law",
    "of_shares",
    "of_strips",
    "of_table",
    "of_thresholds",
    "of_values",
    "risk_by_number",
    "shown",
    "sliced",
    "slides",
    "slides_file",
]
