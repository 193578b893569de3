"""Evaluation of folded expressions for many states at once.

The values of a cell in all states are a column of whole numbers.

It must agree with ``evaluation`` in every state.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from oddsmith.base.arrays import Mask
from oddsmith.expr.functions import division_by_0_failure
from oddsmith.expr.tree import Expr

LeafReader = Callable[[Expr], Any]
"""A function that returns the values of a leaf: a column, or one value for all states. Words are coded as numbers."""


def evaluate(tree: Expr, leaf_values: LeafReader, live_states: Mask | None, cache: dict[Any, Any] | None = None) -> Any:
    """Return the values of a folded tree: an array with a value for each state, or one value for all states.

    ``leaf_values``: gives the values of a leaf. ``live_states``: a mask of the states whose values are used; None for
    all states. ``cache``: the results so far for the same states. `and`, `or` and `if` evaluate their later arguments
    only for the states that need them. Raises RuleFailure if a rule cannot be carried out in a live state.
    """
    cache = {} if cache is None else cache

    def visit(node: Expr, live_states: Mask | None) -> Any:
        if not node.breaks:
            if node not in cache:
                cache[node] = _cached_program(node).evaluate(leaf_values)
            return cache[node]
        key = (id(node), id(live_states))
        if key not in cache:
            cache[key] = (compute(node, live_states), node, live_states)  # keeping both keeps their ids their own
        return cache[key][0]

    def compute(node: Expr, live_states: Mask | None) -> Any:
        op = node.op
        if op == "broken":
            if live_states is None or live_states.any():
                raise node.value
            return np.int64(0)
        if op in ("and", "or"):
            left = visit(node.args[0], live_states)
            more = (
                live_states
                if not node.args[1].breaks
                else _restricted_mask(live_states, left if op == "and" else np.logical_not(left))
            )
            return _OPERATORS[op](left, visit(node.args[1], more))
        if op == "if":
            test, a, b = node.args
            held = visit(test, live_states)
            then = visit(a, _restricted_mask(live_states, held) if a.breaks else live_states)
            return np.where(
                held, then, visit(b, _restricted_mask(live_states, np.logical_not(held)) if b.breaks else live_states)
            )
        args = [visit(arg, live_states) for arg in node.args]
        if op in ("//", "%"):
            nought = np.equal(args[1], 0)
            if np.any(nought if live_states is None else nought & live_states):
                raise division_by_0_failure()
            args[1] = np.where(nought, 1, args[1])  # where nobody looks
        return _numpy_function(node)(*args)

    return visit(tree, live_states)


class _ColumnProgram:
    """The steps that evaluate a tree that cannot break a rule.

    ``leaves``: the different leaves of the tree. ``steps``: for each other different node, a function and the indices
    of its arguments. The indices count the values of the leaves first, then those of the steps before.
    """

    __slots__ = ("leaves", "steps")

    def __init__(self, tree: Expr) -> None:
        nodes = list(dict.fromkeys(_postorder_nodes(tree)))
        self.leaves = [node for node in nodes if not node.args]
        inner = [node for node in nodes if node.args]
        places = {node: place for place, node in enumerate([*self.leaves, *inner])}
        self.steps = [(_numpy_function(node), [places[arg] for arg in node.args]) for node in inner]

    def evaluate(self, leaf_values: LeafReader) -> Any:
        """Return the values of the tree, as ``evaluate`` does. ``leaf_values``: gives the values of a leaf."""
        # Two of Python's own numbers would give one that knows no width.
        values = [np.int64(value) if type(value) is int else value for value in map(leaf_values, self.leaves)]
        for function, places in self.steps:
            values.append(function(*[values[place] for place in places]))
        return values[-1]


def _cached_program(tree: Expr) -> _ColumnProgram:
    """Return the program of a tree, which the tree keeps."""
    try:
        found: _ColumnProgram = tree.program
    except AttributeError:
        found = _ColumnProgram(tree)
        object.__setattr__(tree, "program", found)
    return found


def _postorder_nodes(tree: Expr) -> Iterator[Expr]:
    """Yield the nodes of a tree, each after its arguments. A shared node comes only once."""
    met, ways = set[int](), [(tree, False)]
    while ways:
        node, ready = ways.pop()
        if ready:
            yield node
        elif id(node) not in met:
            met.add(id(node))
            ways.append((node, True))
            ways += [(arg, False) for arg in reversed(node.args)]


def _numpy_function(node: Expr) -> Callable[..., Any]:
    """Return the NumPy function that computes a node from its arguments."""
    return _CALLS[node.value] if node.op == "call" else _OPERATORS[node.op]


def _restricted_mask(live_states: Mask | None, condition: Any) -> Any:
    """Return the mask of the live states in which ``condition`` holds. ``live_states``: a mask; None for all states."""
    return np.atleast_1d(condition) if live_states is None else live_states & condition


_OPERATORS: dict[str, Callable[..., Any]] = {
    "+": np.add, "-": np.subtract, "*": np.multiply, "//": np.floor_divide, "%": np.mod, "neg": np.negative,
    "==": np.equal, "!=": np.not_equal, "<": np.less, "<=": np.less_equal, ">": np.greater, ">=": np.greater_equal,
    "not": np.logical_not, "and": np.logical_and, "or": np.logical_or, "if": np.where,
}  # fmt: skip
_CALLS: dict[str, Callable[..., Any]] = {"min": np.minimum, "max": np.maximum, "abs": np.abs}
