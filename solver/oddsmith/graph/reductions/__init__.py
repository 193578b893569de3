"""Which positions may share one state, and why.

``carried`` finds cells that are payoff and not state, ``dead_cells`` those that nothing reads again, ``find`` members
of a family that the rules do not tell apart. Each proves what it assumes; ``docs/how-it-is-proved.md`` has the
arguments.
"""

from oddsmith.graph.reductions.carry import carried, conserved, given_by_sums, refuse_free_tallies, safe
from oddsmith.graph.reductions.liveness import dead_cells, reads
from oddsmith.graph.reductions.symmetry import find

__all__ = ["carried", "conserved", "dead_cells", "find", "given_by_sums", "reads", "refuse_free_tallies", "safe"]
