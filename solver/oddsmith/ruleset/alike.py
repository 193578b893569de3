"""Draws from one bag that a phase does not tell apart: their order does not matter, so they are counted as a hand.

Two draws in a row are alike if exchanging their names turns every expression of the phase, and every question about it, into
itself. What is drawn is then as likely in either order, for the counts of a bag only fall: a draw of m1, m2, ... items of each
kind has a chance that is the same for all k! / (m1! m2! ...) orders. So one of them stands for all, with their number.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import fields, is_dataclass
from typing import Any

from oddsmith.expr import Expr
from oddsmith.ruleset.model import Draw, Measure, Phase, Ruleset

_BAGS = {
    "sum",
    "min",
    "max",
    "size",
    "sorted",
    "distinct",
    "all_equal",
    "any",
    "all",
    "count",
}  # of lists, in any order
_WORDS = {"location", "span", "say", "does", "words", "name"}


def draws_alike(ruleset: Ruleset) -> Mapping[str, tuple[int, ...]]:
    """By phase, for each throw, its place among those before it that it is alike with, from 1. All others have 1."""
    asked = [*ruleset.measures.values(), *(claim.ask for claim in ruleset.claims)]
    return {name: _places(phase, asked) for name, phase in ruleset.phases.items()}


def in_one_order(
    law: Iterable[tuple[Any, int]], items: Mapping[Any, int], last: Any, run: int
) -> Iterator[tuple[Any, int, int]]:
    """What a draw can give with its weight, and how often in a row that then was drawn: nothing from before the last one.

    ``items``: their places in the bag. ``last``: what the draw before gave, ``run`` times in a row, if it is alike; else None.
    """
    for value, times in law:
        if last is None or items[value] >= items[last]:
            yield value, times, run + 1 if last is not None and value == last else 1


def _places(phase: Phase, asked: Iterable[Measure]) -> tuple[int, ...]:
    places: list[int] = []
    questions = [tree for each in asked for tree in (each.when, each.value) if tree is not None]
    whole = (phase.entries, tuple(questions))
    plain: Any = None
    for number, throw in enumerate(phase.throws):
        before = phase.throws[number - 1] if number else None
        same = False
        if isinstance(throw, Draw) and isinstance(before, Draw) and throw.bag == before.bag:
            plain = plain or _form(whole, {})
            swapped = {throw.name: before.name, before.name: throw.name}
            same = not (throw.kept or before.kept) and _form(whole, swapped) == plain
        places.append(places[-1] + 1 if same else 1)
    return tuple(places)


def _form(thing: Any, renamed: Mapping[str, str]) -> Any:
    """A thing in normal form, with some names of throws exchanged: equal things have equal forms."""
    if isinstance(thing, Expr):
        return _tree(thing, renamed)
    if isinstance(thing, tuple):
        return tuple(_form(part, renamed) for part in thing)
    if is_dataclass(thing):
        parts = (_form(getattr(thing, field.name), renamed) for field in fields(thing) if field.name not in _WORDS)
        return (type(thing).__name__, *parts, getattr(thing, "name", ""))
    return repr(thing)


def _tree(tree: Expr, renamed: Mapping[str, str]) -> Any:
    value = renamed.get(tree.value, tree.value) if tree.op == "local" else tree.value
    args = [_tree(part, renamed) for part in tree.parts]
    if tree.op == "call" and tree.called in _BAGS and tree.args and tree.args[0].op == "listed":
        args[0] = ("listed", "", *sorted(args[0][2:], key=repr))
    if tree.op == "in" and tree.args[1].op == "listed":
        args[1] = ("listed", "", *sorted(args[1][2:], key=repr))
    if tree.unordered:
        args.sort(key=repr)
    return (tree.called, repr(value), *args)
