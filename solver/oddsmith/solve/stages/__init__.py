"""Games larger than memory, solved by stages that play runs through and never comes back to.

``growing`` finds them in the rules, ``walking`` goes forward through their states, ``staged`` solves them backward,
and ``along`` asks about them afterwards.
"""

from oddsmith.solve.stages.growing import find_stages
from oddsmith.solve.stages.kept import Around, Bytes, Contents, Shelf, joined
from oddsmith.solve.stages.staged import Staged, kept_by_stages, solve_by_stages
from oddsmith.solve.stages.walking import walk

__all__ = [
    "Around",
    "Bytes",
    "Contents",
    "Shelf",
    "Staged",
    "find_stages",
    "joined",
    "kept_by_stages",
    "solve_by_stages",
    "walk",
]
