"""Many states at once: folded expressions over columns of whole numbers. Must agree with the scalar rules everywhere."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from oddsmith.base.arrays import Mask
from oddsmith.expr.functions import division_by_0
from oddsmith.expr.tree import Expr

Read = Callable[[Expr], Any]
"""What a leaf stands for: a column, or one value for all states. Words are numbers here."""


def evaluate(tree: Expr, read: Read, live: Mask | None, seen: dict[Any, Any] | None = None) -> Any:
    """The values of a folded tree, one per state, or one value for all.

    ``live`` marks the states whose value will be used (None: all); `and`, `or` and `if` look at the rest only where it
    counts. ``seen`` keeps what was computed for the same states. Raises Broken where a live state meets a rule that
    cannot be carried out.
    """
    seen = {} if seen is None else seen

    def visit(node: Expr, live: Mask | None) -> Any:
        if node.op == "broken":
            if live is None or live.any():
                raise node.value
            return np.int64(0)
        if not node.args:
            value = read(node)
            return np.int64(value) if type(value) is int else value  # two of Python's own give the machine's width
        key = (id(node), id(live))
        if key not in seen:
            seen[key] = (compute(node, live), node, live)  # keeping both keeps their ids their own
        return seen[key][0]

    def compute(node: Expr, live: Mask | None) -> Any:
        op = node.op
        if op in ("and", "or"):
            left = visit(node.args[0], live)
            more = live if not node.args[1].breaks else _where(live, left if op == "and" else np.logical_not(left))
            right = visit(node.args[1], more)
            return np.logical_and(left, right) if op == "and" else np.logical_or(left, right)
        if op == "if":
            test, a, b = node.args
            held = visit(test, live)
            then = visit(a, _where(live, held) if a.breaks else live)
            return np.where(held, then, visit(b, _where(live, np.logical_not(held)) if b.breaks else live))
        args = [visit(arg, live) for arg in node.args]
        if op in ("//", "%"):
            nought = np.equal(args[1], 0)
            if np.any(nought if live is None else nought & live):
                raise division_by_0()
            args[1] = np.where(nought, 1, args[1])  # where nobody looks
        function = _CALLS[node.value] if op == "call" else _OPERATORS[op]
        return function(*args)

    return visit(tree, live)


def _where(live: Mask | None, test: Any) -> Any:
    return np.atleast_1d(test) if live is None else live & test


_OPERATORS: dict[str, Callable[..., Any]] = {
    "+": np.add, "-": np.subtract, "*": np.multiply, "//": np.floor_divide, "%": np.mod, "neg": np.negative,
    "==": np.equal, "!=": np.not_equal, "<": np.less, "<=": np.less_equal, ">": np.greater, ">=": np.greater_equal,
    "not": np.logical_not,
}  # fmt: skip
_CALLS: dict[str, Callable[..., Any]] = {"min": np.minimum, "max": np.maximum, "abs": np.abs}
