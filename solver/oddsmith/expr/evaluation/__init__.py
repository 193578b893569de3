"""Computing an expression: for one state, or for many at once.

``compiled`` makes a Python function of a moment of play; it defines what an expression means. ``evaluate`` does the
same for whole columns of states, and must agree with it.
"""

from oddsmith.expr.evaluation.columns import Broken, Column, Mask, evaluate
from oddsmith.expr.evaluation.scalar import ALONE, Compiled, Layout, Moment, compiled, equal

__all__ = ["ALONE", "Broken", "Column", "Compiled", "Layout", "Mask", "Moment", "compiled", "equal", "evaluate"]
