"""The designer's workbench: what differs between two games, a grid of settings solved by many processes, what would make a
game fair, and a page on this machine that follows files.
"""

from oddsmith.workbench.answers import Answer, Case, Fair
from oddsmith.workbench.bench import Bench
from oddsmith.workbench.bracketing import Tried
from oddsmith.workbench.comparing import diff
from oddsmith.workbench.desk import application
from oddsmith.workbench.fairness import fair
from oddsmith.workbench.filling import fill
from oddsmith.workbench.sweeping import Sweep, sweep

__all__ = [
    "Answer",
    "Bench",
    "Case",
    "Fair",
    "Sweep",
    "Tried",
    "application",
    "diff",
    "fair",
    "fill",
    "sweep",
]
