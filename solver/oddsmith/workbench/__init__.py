"""The designer's workbench: what differs between two games, a grid of settings solved by many processes, and a page on this
machine that follows files.
"""

from oddsmith.workbench.bench import Bench
from oddsmith.workbench.comparing import diff
from oddsmith.workbench.crew import crew
from oddsmith.workbench.desk import application
from oddsmith.workbench.sweeping import Sweep, sweep

__all__ = ["Bench", "Sweep", "application", "crew", "diff", "sweep"]
