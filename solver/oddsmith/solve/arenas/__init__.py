"""Arenas, which are games as arrays, and policies that are proposed in floats for their components.

``component_policy``, ``gauss_seidel`` and ``tracing`` propose policies. Nothing is proved here; ``solve.values`` does
that.
"""

from oddsmith.solve.arenas.arena import Arena, strong_component_labels
from oddsmith.solve.arenas.component import NeverEnds

__all__ = ["Arena", "NeverEnds", "strong_component_labels"]
