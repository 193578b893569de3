"""Games larger than memory, solved by stages that play runs through and never comes back to.

They are found in the rules (``graph.columns``). ``walking`` goes forward through their states, ``staged`` solves them backward,
and ``along`` asks about them afterwards.
"""

from oddsmith.solve.stages.columns import MOST_WHOLE, Begins, Columns, following
from oddsmith.solve.stages.inner import Best, Inner
from oddsmith.solve.stages.kept import Around, Bytes, Contents, Shelf, joined
from oddsmith.solve.stages.sheet import Turn
from oddsmith.solve.stages.staged import Effort, Staged, effort_by_stages, kept_by_stages, solve_by_stages
from oddsmith.solve.stages.turnwise import Turnwise
from oddsmith.solve.stages.walking import walk

__all__ = [
    "MOST_WHOLE",
    "Around",
    "Begins",
    "Best",
    "Bytes",
    "Columns",
    "Contents",
    "Effort",
    "Inner",
    "Shelf",
    "Staged",
    "Turn",
    "Turnwise",
    "effort_by_stages",
    "following",
    "joined",
    "kept_by_stages",
    "solve_by_stages",
    "walk",
]
