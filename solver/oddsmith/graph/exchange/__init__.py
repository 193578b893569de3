"""A graph for other programs: Storm's DRN with exact rationals, GraphML, DOT, and networkx."""

from oddsmith.graph.exchange.export import dot, drn, graphml

__all__ = ["dot", "drn", "graphml"]
