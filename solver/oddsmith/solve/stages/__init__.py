"""Games larger than memory, solved by stages that play runs through and never comes back to.

``growing`` finds them in the rules, ``walking`` goes forward through their states, ``staged`` solves them backward.
"""

from oddsmith.solve.stages.growing import find_stages
from oddsmith.solve.stages.kept import Shelf
from oddsmith.solve.stages.staged import Staged, kept_by_stages, solve_by_stages

__all__ = ["Shelf", "Staged", "find_stages", "kept_by_stages", "solve_by_stages"]
