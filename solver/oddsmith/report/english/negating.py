"""Conditions that do not hold, with the negation as far inside as it goes: people read "no box is open", not "not any"."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from oddsmith.expr import FLAG, OPPOSITE, Expr
from oddsmith.location import Span, text_of

NOWHERE = Span(text_of(""), 0, 0)


def negated(tree: Expr, named: Callable[[Expr], bool]) -> Expr:
    """A condition that holds where another does not. It is a ``not`` only where nothing says it better.

    ``named``: whether a condition is called by a name, which is negated as a whole. The file has no text for what is made here.
    """

    def flipped(inner: Expr) -> Expr:
        return negated(inner, named)

    if named(tree):
        return Expr("not", FLAG, (tree,))
    if tree.op in OPPOSITE:
        return replace(tree, op=OPPOSITE[tree.op], span=NOWHERE)
    match tree.op:
        case "not":
            return tree.args[0]
        case "and":
            return replace(tree, op="or", args=tuple(map(flipped, tree.args)), span=NOWHERE)
        case "or":
            return replace(tree, op="and", args=tuple(map(flipped, tree.args)), span=NOWHERE)
        case "if":
            test, yes, no = tree.args
            return replace(tree, args=(test, flipped(yes), flipped(no)), span=NOWHERE)
        case "call" if tree.value in ("any", "all") and tree.args[0].op == "each":
            args = (_each(tree.args[0], flipped), *tree.args[1:])
            return replace(tree, value="all" if tree.value == "any" else "any", args=args, span=NOWHERE)
    return Expr("not", FLAG, (tree,))


def _each(loop: Expr, flipped: Callable[[Expr], Expr]) -> Expr:
    """A loop, or one in another, over what does not hold."""
    items, inner, *tests = loop.args
    body = _each(inner, flipped) if inner.op == "each" else flipped(inner)
    return replace(loop, args=(items, body, *tests), span=NOWHERE)
