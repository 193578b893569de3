"""Which positions may share one state, and why.

``find_reduction`` is the way in. ``carry`` finds cells that are payoff and not state, and cells that follow from a sum;
``liveness`` those that nothing reads again; ``symmetry`` members of a family that the rules do not tell apart. Each proves
what it assumes; ``docs/how-it-is-proved.md`` has the arguments.
"""

from oddsmith.graph.reductions.carry import conserved
from oddsmith.graph.reductions.liveness import reads
from oddsmith.graph.reductions.reduce import Sharing, find_reduction

__all__ = ["Sharing", "conserved", "find_reduction", "reads"]
