"""A graph for other programs: Storm's DRN with exact rationals, GraphML, DOT, and networkx."""

from oddsmith.graph.exchange.export import ExportError, Plain, Variables, dot, drn, graphml, seats_out

__all__ = ["ExportError", "Plain", "Variables", "dot", "drn", "graphml", "seats_out"]
