"""The designer's workbench: what differs between two games, and a grid of settings solved by many processes."""

from oddsmith.workbench.comparing import diff
from oddsmith.workbench.crew import crew
from oddsmith.workbench.sweeping import Sweep, sweep

__all__ = ["Sweep", "crew", "diff", "sweep"]
