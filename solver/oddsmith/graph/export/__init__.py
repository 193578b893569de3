"""State graphs in the formats of other programs: Storm's DRN, the language of PRISM-games, GraphML, DOT, and networkx."""

from oddsmith.graph.export.model_checkers import drn, prism
from oddsmith.graph.export.networks import dot, graphml

__all__ = ["dot", "drn", "graphml", "prism"]
