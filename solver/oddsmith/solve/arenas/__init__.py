"""The arena that a game is solved on, level by level, and the play that floats propose for its components.

``component_policy``, ``gauss_seidel`` and ``tracing`` propose; nothing here is proved. ``solve.values`` proves it.
"""

from oddsmith.solve.arenas.arena import Arena, strongly_connected
from oddsmith.solve.arenas.component import NeverEnds

__all__ = ["Arena", "NeverEnds", "strongly_connected"]
