"""Many states at once: folded expressions over columns of whole numbers. Must agree with the scalar rules everywhere."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from oddsmith.expr.functions import Broken
from oddsmith.expr.tree import Expr

Column = NDArray[np.int64]
Mask = NDArray[np.bool_]


def evaluate(tree: Expr, cells: Column, words: Mapping[str, int], live: Mask) -> Any:
    """The values of a folded tree, one per state.

    ``cells``: shape (cells, states), words as numbers by ``words``. ``live`` marks the states whose value will be
    used: `and`, `or` and `if` look at the rest only where it counts. Raises Broken where a live state meets a rule that
    cannot be carried out. Returns an array of shape (states,), or one value for all.
    """

    seen: dict[tuple[int, int], tuple[Any, Mask]] = {}

    def visit(node: Expr, live: Mask) -> Any:
        if not node.args:
            return compute(node, live)
        key = (id(node), id(live))  # shared parts are computed once; keeping `live` keeps its id its own
        if key not in seen:
            seen[key] = (compute(node, live), live)
        return seen[key][0]

    def compute(node: Expr, live: Mask) -> Any:
        op = node.op
        if op == "const":
            return words[node.value] if isinstance(node.value, str) else node.value
        if op == "cell":
            column = cells[node.value]
            return column != 0 if node.type.kind == "flag" else column
        if op == "broken":
            if live.any():
                raise node.value
            return 0
        if op in ("and", "or"):
            left = visit(node.args[0], live)
            right = visit(node.args[1], live & (left if op == "and" else np.logical_not(left)))
            return np.logical_and(left, right) if op == "and" else np.logical_or(left, right)
        if op == "if":
            test = visit(node.args[0], live)
            then = visit(node.args[1], live & test)
            return np.where(test, then, visit(node.args[2], live & np.logical_not(test)))
        args = [visit(arg, live) for arg in node.args]
        if op in ("//", "%"):
            args[1] = np.where(np.equal(args[1], 0), 1, args[1])  # only where nobody looks: ranges exclude it
        function = _CALLS[node.value] if op == "call" else _OPERATORS[op]
        return function(*args)

    return visit(tree, live)


_OPERATORS: dict[str, Callable[..., Any]] = {
    "+": np.add, "-": np.subtract, "*": np.multiply, "//": np.floor_divide, "%": np.mod, "neg": np.negative,
    "==": np.equal, "!=": np.not_equal, "<": np.less, "<=": np.less_equal, ">": np.greater, ">=": np.greater_equal,
    "not": np.logical_not,
}  # fmt: skip
_CALLS: dict[str, Callable[..., Any]] = {"min": np.minimum, "max": np.maximum, "abs": np.abs}

__all__ = ["Broken", "Column", "Mask", "evaluate"]
