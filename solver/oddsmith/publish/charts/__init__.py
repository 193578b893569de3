"""Charts of a game's page, as pictures within it that need no script."""

from oddsmith.publish.charts.bars import bars
from oddsmith.publish.charts.boundary import boundary
from oddsmith.publish.charts.lines import by_number, by_standing, by_threshold, risk_by_number

__all__ = ["bars", "boundary", "by_number", "by_standing", "by_threshold", "risk_by_number"]
