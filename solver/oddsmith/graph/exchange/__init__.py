"""A graph for other programs: Storm's DRN with exact rationals, GraphML, DOT, and networkx."""

from oddsmith.graph.exchange.export import Plain, Variables, dot, drn, graphml, seats_out

__all__ = ["Plain", "Variables", "dot", "drn", "graphml", "seats_out"]
