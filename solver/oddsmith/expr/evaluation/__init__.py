"""Computing an expression for one state: ``compiled`` makes a Python function of a moment of play,
which defines what it means.
"""

from oddsmith.expr.evaluation.scalar import ALONE, Compiled, Layout, Moment, compiled, equal

__all__ = ["ALONE", "Compiled", "Layout", "Moment", "compiled", "equal"]
