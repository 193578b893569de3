"""Computing an expression for whole columns of states at once; must agree with ``evaluation``, which defines what it means.

A room of its own, because reading and playing a ruleset need no columns, and so wait for no library of arrays.
"""

from oddsmith.expr.columns.columns import evaluate

__all__ = ["evaluate"]
