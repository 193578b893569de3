"""Games larger than memory, solved by stages that play runs through and never comes back to.

They are found in the rules (``graph.columns``). ``walking`` goes forward through their states, ``staged`` solves them backward,
and ``along`` asks about them afterwards.
"""

from oddsmith.solve.staged.distribution import best_play
from oddsmith.solve.staged.find import find_stages
from oddsmith.solve.staged.forward import walk
from oddsmith.solve.staged.measure import measures
from oddsmith.solve.staged.staged import DIGITS, Effort, Staged, effort_by_stages, kept_by_stages, solve_by_stages
from oddsmith.solve.staged.store import Around, Bytes, Shelf

__all__ = [
    "DIGITS",
    "Around",
    "Bytes",
    "Effort",
    "Shelf",
    "Staged",
    "best_play",
    "effort_by_stages",
    "find_stages",
    "kept_by_stages",
    "measures",
    "solve_by_stages",
    "walk",
]
