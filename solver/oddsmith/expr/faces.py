"""Hands that read as numbers: a hand of one die as its face, and what is built of such hands as a calculation with faces."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from oddsmith.expr.tree import EXACT, NUMBER, Expr, Type, list_of


def as_wanted(tree: Expr, *wanted: Type) -> Expr | None:
    """A tree as a number or as a list of numbers, if one is wanted and each of its hands certainly holds one die; else None.

    ``a + b`` and ``a - b`` are then a sum and a difference, and a choice of two hands is one of two numbers.
    """
    if NUMBER in wanted or EXACT in wanted:
        return _number(tree)
    listed = list_of(NUMBER) in wanted and tree.op in ("listed", "each") and tree.type.item is not None
    return _list(tree) if listed else None


def alike(items: Sequence[Expr]) -> list[Expr]:
    """Several trees that must be of one type: where one of them is a number, all hands that can be are numbers too."""
    if not any(item.type.kind in ("number", "exact") for item in items):
        return list(items)
    return [as_wanted(item, NUMBER) or item for item in items]


def _number(tree: Expr) -> Expr | None:
    if tree.type.kind != "hand":
        return None
    if tree.op in ("+", "-", "if"):
        kept = tree.args[:1] if tree.op == "if" else ()
        parts = [_number(part) for part in tree.args[len(kept) :]]
        found = [part for part in parts if part is not None]
        return replace(tree, type=NUMBER, args=(*kept, *found)) if len(found) == len(parts) else None
    return Expr("face", NUMBER, (tree,), None, tree.span) if tree.type.single else None


def _list(tree: Expr) -> Expr | None:
    places = range(len(tree.args)) if tree.op == "listed" else (1,)  # a loop has its items, an element, and tests
    parts = {place: _number(tree.args[place]) for place in places}
    if None in parts.values():
        return None
    args = tuple(parts.get(place) or arg for place, arg in enumerate(tree.args))
    return replace(tree, type=list_of(NUMBER), args=args)
