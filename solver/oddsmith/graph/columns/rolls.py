"""Classes of rolls joined where their entries differ in constants only, so that one pass over the columns serves them all."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from oddsmith.arrays import Ints
from oddsmith.expr import Expr, Type
from oddsmith.graph.columns.symbolic import Branch, Chance


@dataclass(frozen=True, slots=True)
class Rolls:
    """Classes of rolls whose entries differ in constants only: in the trees ``slot`` i stands for ``slots[i]``.

    ``weights``: one per class; ``slots``: shape (slots, classes), values as codes of the codec.
    """

    weights: Ints
    slots: Ints
    counts: tuple[Expr, ...]
    thrown: bool
    branches: tuple[Branch, ...]


def group_rolls(chances: Sequence[Chance], code: Callable[[int | None, Any], int]) -> list[Rolls]:
    """Classes of rolls put together where their entries differ in constants only.

    ``code``: the number of a value; of a hand, the number that it has in a cell.
    """
    shapes: dict[Any, list[tuple[Chance, list[int]]]] = {}
    for chance in chances:
        slotted = _Slots(code)
        branches = tuple(slotted.branch(branch) for branch in chance.branches)
        counts = tuple(map(slotted.tree, chance.counts))
        shapes.setdefault((counts, chance.thrown, branches), []).append((chance, slotted.values))
    rolls = []
    for shape, classes in shapes.items():
        weights = np.array([chance.weight for chance, _ in classes], dtype=np.int64)
        slots = np.array([values for _, values in classes], dtype=np.int64).reshape(len(classes), -1).T
        if len(classes) == 1:  # constants are quicker than columns of them
            chance = classes[0][0]
            rolls.append(Rolls(weights, slots[:0], chance.counts, chance.thrown, chance.branches))
        else:
            rolls.append(Rolls(weights, slots, *shape))
    return rolls


class _Slots:
    """Takes the constants out of the entries of one class of rolls."""

    def __init__(self, code: Callable[[int | None, Any], int]) -> None:
        self.code, self.values = code, list[int]()
        self.done: dict[int, tuple[Expr, Expr]] = {}

    def slot(self, type_: Type, value: int) -> Expr:
        self.values.append(value)
        return Expr("slot", type_, value=len(self.values) - 1)

    def tree(self, tree: Expr, where: int | None = None) -> Expr:
        if id(tree) in self.done:  # shared parts stay shared
            return self.done[id(tree)][1]
        if tree.op == "const" and (
            tree.type.kind in ("number", "word", "seat") or (where is not None and tree.type.kind == "hand")
        ):
            return self.slot(tree.type, self.code(where, tree.value))
        replaced = tree.with_args(tuple(map(self.tree, tree.args))) if tree.args else tree
        self.done[id(tree)] = (tree, replaced)
        return replaced

    def branch(self, branch: Branch) -> Branch:
        return replace(
            branch,
            guard=self.tree(branch.guard),
            writes=tuple((where, self.tree(tree, where)) for where, tree in branch.writes),
            gone=tuple(map(self.tree, branch.gone)),
            checks=tuple(replace(one, guard=self.tree(one.guard), value=self.tree(one.value)) for one in branch.checks),
            seat=self.tree(branch.seat) if branch.seat else None,
        )
