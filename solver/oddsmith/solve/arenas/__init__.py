"""A game as an arena, which is solved level by level, and policies that floats propose for its components.

``component_policy``, ``gauss_seidel`` and ``tracing`` propose policies. Nothing is proved here; ``solve.values`` does that.
"""

from oddsmith.solve.arenas.arena import Arena, strongly_connected
from oddsmith.solve.arenas.component import NeverEnds

__all__ = ["Arena", "NeverEnds", "strongly_connected"]
