"""Computing an expression for one state: ``compiled`` makes a function of a moment of play, which defines what it means."""

from oddsmith.expr.evaluation.scalar import ALONE, ARITHMETIC, Compiled, Layout, Moment, cell_of, compiled, equal

__all__ = ["ALONE", "ARITHMETIC", "Compiled", "Layout", "Moment", "cell_of", "compiled", "equal"]
