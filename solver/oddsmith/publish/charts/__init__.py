"""Charts of a game's page, as pictures within it that need no script."""

from oddsmith.publish.charts.bars import bars, compared
from oddsmith.publish.charts.boundary import boundary, is_drawn, window
from oddsmith.publish.charts.drawing import CARD, Size
from oddsmith.publish.charts.emblem import emblem, icon, link_picture
from oddsmith.publish.charts.lines import Series, by_number, by_standing, by_threshold, lines, risk_by_number
from oddsmith.publish.charts.multiples import multiples, sliced, slides, slides_file
from oddsmith.publish.charts.regrets import Touched, cells_file
from oddsmith.publish.charts.risk import by_roll, by_stake
from oddsmith.publish.charts.taken import by_share

__all__ = [
    "CARD",
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
    "icon",
    "is_drawn",
    "lines",
    "link_picture",
    "multiples",
    "risk_by_number",
    "sliced",
    "slides",
    "slides_file",
    "window",
]
