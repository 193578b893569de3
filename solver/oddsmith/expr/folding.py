"""Folding, that is, partial evaluation: known values are substituted into an expression until only arithmetic is left.

The fixed names are known, and so are the seats (the mover is seat 0), and the cells and local names that are constants
in a :class:`PartialPosition`. Loops, lists, hands and groups of seats disappear. Constants, cells, arithmetic,
comparisons and logic remain, which can be evaluated on columns of numbers. If folding needs the value of an unknown
cell, it raises :class:`UnknownCellsNeeded`, which names the cells.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import reduce
from typing import Any, NamedTuple

from oddsmith.base.dice import Hand
from oddsmith.base.errors import RuleFailure, Signal
from oddsmith.base.limits import limits
from oddsmith.expr.evaluation import ARITHMETIC, NOBODY_IN_HINT, Layout, are_equal, variable_cell_index
from oddsmith.expr.functions import (
    FUNCTIONS,
    hand_without,
    items_or_faces,
    look_up,
    refuse_too_long_list,
    refuse_too_many_rounds,
)
from oddsmith.expr.tree import FALSE, FLAG, NUMBER, TRUE, Expr, Type, const


class UnknownCellsNeeded(Signal):
    """Raised if an expression cannot be folded before the values of some cells are known. ``cells``: their indices."""

    def __init__(self, cells: frozenset[int]) -> None:
        super().__init__(cells)
        self.cells = cells


class FoldCache(NamedTuple):
    """A cache of folded trees that all partly known positions of one game share.

    ``reads``: by the identity of each tree, a pair: the tree, and the local names that it reads. The names are None if
    it also reads a position. ``found``: the folded tree, by the identity of a tree and the values of its local names.
    """

    reads: dict[int, tuple[Expr, tuple[str, ...] | None]]
    found: dict[tuple[int, tuple[Any, ...]], Expr]


@dataclass(slots=True)
class PartialPosition:
    """A partly known position, called a view. ``cells``: an expression for each cell, a constant if the cell is known.

    ``static``: the values of parameters, constants, maps and lists, by name. ``seats_out``: for each seat, an
    expression for whether it is out. ``seat``: the seat for which expressions are evaluated. ``local``: an expression
    for each local name. ``rounds``: the number of rounds that loops have made so far. ``memory``: the cache of folded
    trees, or None.
    """

    static: Mapping[str, Any]
    layout: Mapping[str, Layout]
    seats: int
    cells: list[Expr]
    seats_out: list[Expr]
    seat: int = 0
    local: dict[str, Expr] = field(default_factory=dict)
    rounds: int = 0
    memory: FoldCache | None = None

    def seats_in_order(self, start: int, skip: int = 0) -> tuple[int, ...]:
        """Return the seats that are not out, in play order from the seat ``start``.

        ``skip``: the number of seats, out or not, that are left out at the beginning.

        Raises UnknownCellsNeeded if it is not known who is out.
        """
        order = [(start + step) % self.seats for step in range(skip, self.seats)]
        return tuple(seat for seat in order if not constant_value(self.seats_out[seat]))

    def neighbour(self, direction: int) -> int:
        """Return the nearest seat after the mover (``direction`` 1) or before it (-1) that is not out; the mover, if
        all others are out.

        Raises UnknownCellsNeeded if it is not known who is out, and RuleFailure if all seats are out.
        """
        for distance in range(1, self.seats):
            seat = direction * distance % self.seats
            if not constant_value(self.seats_out[seat]):
                return seat
        if constant_value(self.seats_out[0]):
            raise RuleFailure("OD505", "there is no next player, because nobody is in", NOBODY_IN_HINT)
        return 0


def constant_value(tree: Expr) -> Any:
    """Return the value of a constant tree.

    Raises UnknownCellsNeeded for any other tree, and RuleFailure if the tree certainly breaks a rule.
    """
    if tree.op == "const":
        return tree.value
    if tree.op == "broken":
        raise tree.value
    cells = frozenset(node.value for node in tree.walk() if node.op == "cell")
    for node in () if cells else tree.walk():
        if node.op == "broken":  # nothing that is still open could keep play from coming to it
            raise node.value
    raise UnknownCellsNeeded(cells)


def fold(tree: Expr, view: PartialPosition) -> Expr:
    """Return a tree simplified with all known values of a view; a ``broken`` node if it certainly breaks a rule.

    Raises UnknownCellsNeeded if it cannot be folded before other cells are known.
    """
    rule = _FOLDS.get(tree.op)
    try:
        if tree.op in _CACHED and view.memory:
            return _fold_cached(tree, view.memory, view)
        if rule is not None:
            return rule(tree, view)
        return _apply_operator(tree, tuple([fold(arg, view) for arg in tree.args]))
    except RuleFailure as failure:
        return Expr("broken", tree.type, (), failure, tree.span)


def _fold_cached(tree: Expr, cache: FoldCache, view: PartialPosition) -> Expr:
    """Return a folded tree. It is cached if it reads nothing but local names, and their values are known."""
    kept = cache.reads.get(id(tree))
    if kept is None:
        names = local_names_read(tree)
        kept = cache.reads[id(tree)] = (tree, None if names is None else tuple(sorted(names)))
    values = None if kept[1] is None else [view.local[name] for name in kept[1]]
    if values is None or any(value.op != "const" for value in values):
        return _FOLDS[tree.op](tree, view)
    key = (id(tree), tuple([value.value for value in values]))
    if key not in cache.found:
        view.memory = None  # its parts are done with it
        try:
            cache.found[key] = _FOLDS[tree.op](tree, view)
        finally:
            view.memory = cache
    return cache.found[key]


def local_names_read(tree: Expr) -> set[str] | None:
    """Return the local names that a tree reads, except those of its own loops; None if it also reads a position."""
    if tree.op in _OF_POSITIONS:
        return None
    read = [local_names_read(arg) for arg in tree.args]
    names = {tree.value} if tree.op == "local" else set[str]()
    for place, some in enumerate(read):
        if some is None:
            return None
        names |= some - {tree.value[0]} if tree.op == "each" and place else some
    return names


def simplify_root(tree: Expr) -> Expr:
    """Fold the operator at the root of a tree, whose arguments must be folded already.

    Return a constant if all arguments are constants, and otherwise the tree itself.
    """
    return _apply_operator(tree, tree.args)


def _apply_operator(tree: Expr, args: tuple[Expr, ...]) -> Expr:
    """Return the node of the operator of ``tree`` with folded arguments ``args``.

    If all of them are constants, the result is the constant that the operator gives.
    """
    for arg in args:
        if arg.op != "const":
            break
    else:
        return const(_COMPUTE[tree.op](*[arg.value for arg in args]), tree.type)
    for arg in args:
        if arg.type.kind in ("hand", "list") or arg.op == "listed":
            constant_value(arg)  # nothing but constants may stay a hand or a list
    return _refuse_large_tree(tree if args is tree.args else tree.with_args(args))


def _refuse_large_tree(tree: Expr) -> Expr:
    """Return a tree unchanged. Raises UnknownCellsNeeded if it is too large and reads cells.

    Most of such a tree disappears when more cells are known.
    """
    if tree.size > limits().tree:
        cells = frozenset(node.value for arg in tree.args for node in arg.walk() if node.op == "cell")
        if cells:
            raise UnknownCellsNeeded(cells)
    return tree


_COMPUTE: dict[str, Callable[..., Any]] = {
    **ARITHMETIC,
    "+": lambda a, b: a + b,
    "-": lambda a, b: hand_without(a, b) if isinstance(a, Hand) else a - b,
    "neg": lambda a: -a,
    "==": are_equal,
    "!=": lambda a, b: not are_equal(a, b),
    "<": lambda a, b: a < b,  # of numbers: seats are folded so that the mover is 0
    "not": lambda a: not a,
    "face": lambda hand: hand[0][0],
}


def _fold_static_name(tree: Expr, view: PartialPosition) -> Expr:
    """Fold the name of a parameter, constant, map or list."""
    return const(view.static[tree.value], tree.type)


def _seat_group_fold(
    seats_of_view: Callable[[PartialPosition], tuple[int, ...]],
) -> Callable[[Expr, PartialPosition], Expr]:
    """Return a function that folds a group of seats to a constant. ``seats_of_view``: a function from a view to the
    seats of the group.
    """
    return lambda tree, view: const(seats_of_view(view), tree.type)


def _fold_variable(tree: Expr, view: PartialPosition) -> Expr:
    """Return the value of a variable as a constant if the view knows it; otherwise the variable, with folded indices."""
    keys: list[tuple[Any, ...]] = [()]
    several = False
    for arg in tree.args:
        index = constant_value(fold(arg, view))
        several = several or arg.type.kind == "list"
        items = index if arg.type.kind == "list" else (index,)
        keys = [(*key, item) for key in keys for item in items]
    cells = [view.cells[variable_cell_index(view.layout, tree.value, key)] for key in keys]
    if several:
        return _list_node(cells, tree.type)
    if cells[0].type.kind == "hand":
        constant_value(cells[0])
    return cells[0]


def _list_node(items: Sequence[Expr], type_: Type) -> Expr:
    """Return the node of a list of folded items; a constant, if all items are constants."""
    if all(item.op == "const" for item in items):
        return const(tuple(item.value for item in items), type_)
    return Expr("listed", type_, tuple(items))


def item_trees(tree: Expr) -> list[Expr]:
    """Return the items of a folded list, or the faces of a folded hand, each as a tree."""
    if tree.op == "listed":
        return list(tree.args)
    item = tree.type.item or NUMBER
    return [const(value, item) for value in items_or_faces(constant_value(tree))]


def _fold_and(tree: Expr, view: PartialPosition) -> Expr:
    """Fold ``and``."""
    left = fold(tree.args[0], view)
    return conjunction(left, fold(tree.args[1], view)) if left != FALSE else FALSE


def _fold_or(tree: Expr, view: PartialPosition) -> Expr:
    """Fold ``or``."""
    left = fold(tree.args[0], view)
    return disjunction(left, fold(tree.args[1], view)) if left != TRUE else TRUE


def conjunction(a: Expr, b: Expr) -> Expr:
    """Return ``a and b``, simplified."""
    if a == FALSE or b == TRUE:
        return a
    return b if a == TRUE else _refuse_large_tree(Expr("and", FLAG, (a, b)))


def disjunction(a: Expr, b: Expr) -> Expr:
    """Return ``a or b``, simplified."""
    if a == TRUE or b == FALSE:
        return a
    return b if a == FALSE else _refuse_large_tree(Expr("or", FLAG, (a, b)))


def negation(a: Expr) -> Expr:
    """Return ``not a``, simplified."""
    return simplify_root(Expr("not", FLAG, (a,)))


def conditional(test: Expr, then: Expr, other: Expr) -> Expr:
    """Return ``then if test else other``, simplified."""
    if test.op == "const":
        return then if test.value else other
    if then == other and not test.breaks:  # else it has to be asked
        return then
    if then.type.kind in ("hand", "list"):
        constant_value(test)
    return _refuse_large_tree(Expr("if", then.type, (test, then, other)))


def _fold_conditional(tree: Expr, view: PartialPosition) -> Expr:
    """Fold a conditional."""
    test = fold(tree.args[0], view)
    if test.op == "const":
        return fold(tree.args[1] if test.value else tree.args[2], view)
    return conditional(test, fold(tree.args[1], view), fold(tree.args[2], view))


def _fold_list(tree: Expr, view: PartialPosition) -> Expr:
    """Fold a list of expressions."""
    return _list_node([fold(arg, view) for arg in tree.args], tree.type)


def _fold_lookup(tree: Expr, view: PartialPosition) -> Expr:
    """Fold the value of a map at a key."""
    table = view.static[tree.args[0].value]
    key = constant_value(fold(tree.args[1], view))
    if key not in table and len(tree.args) == 3:
        return fold(tree.args[2], view)
    value = look_up(table, key)
    return const(value, tree.type)


def _fold_loop(tree: Expr, view: PartialPosition) -> Expr:
    """Fold a loop to the list of its elements."""
    name, flat = tree.value[0], tree.value[1] == "flat"
    items: list[Expr] = []
    outer = view.local
    for item in item_trees(fold(tree.args[0], view)):
        view.local = {**outer, name: item}
        view.rounds += 1
        refuse_too_many_rounds(view.rounds)
        if all(constant_value(fold(test, view)) for test in tree.args[2:]):
            element = fold(tree.args[1], view)
            items.extend(item_trees(element) if flat else [element])
            refuse_too_long_list(len(items), "a list made by loops")
    view.local = outer
    return _list_node(items, tree.type)


def _fold_in(tree: Expr, view: PartialPosition) -> Expr:
    """Fold ``in`` to a disjunction of equalities."""
    item, items = fold(tree.args[0], view), item_trees(fold(tree.args[1], view))
    result = FALSE
    for other in items:
        result = disjunction(result, simplify_root(Expr("==", FLAG, (item, other))))
    return result


def _fold_less(tree: Expr, view: PartialPosition) -> Expr:
    """Fold ``<``. Seats are compared as numbers, because the mover is seat 0."""
    left, right = fold(tree.args[0], view), fold(tree.args[1], view)
    return simplify_root(Expr("<", FLAG, (left, right)))


def _fold_equality(tree: Expr, view: PartialPosition) -> Expr:
    """Fold ``==`` or ``!=``. Lists are compared item by item."""
    left, right = fold(tree.args[0], view), fold(tree.args[1], view)
    if "listed" in (left.op, right.op):
        a, b = item_trees(left), item_trees(right)
        result = TRUE if len(a) == len(b) else FALSE
        for x, y in zip(a, b, strict=False):
            result = conjunction(result, simplify_root(Expr("==", FLAG, (x, y))))
        return result if tree.op == "==" else negation(result)
    return simplify_root(tree.with_args((left, right)))


def _fold_call(tree: Expr, view: PartialPosition) -> Expr:
    """Fold a call of a function of the language."""
    name = tree.value
    args = [fold(arg, view) for arg in tree.args]
    if all(arg.op == "const" for arg in args):
        function = FUNCTIONS[name]
        if function.default and len(args) == 2 and args[0].type.kind in ("list", "hand"):
            return const(function.compute(args[0].value, default=args[1].value), tree.type)
        return const(function.compute(*(arg.value for arg in args)), tree.type)
    if name == "abs":
        return tree.with_args(tuple(args))
    if name in ("min", "max"):
        items = args if args[0].type.kind not in ("list", "hand") else item_trees(args[0]) or args[1:]
        return reduce(lambda one, two: _min_or_max_node(name, one, two), items)
    build = _UNROLLED.get(name)
    if build is None:
        for arg in args:
            constant_value(arg)
    assert build is not None
    return build(*args)


def _min_or_max_node(name: str, a: Expr, b: Expr) -> Expr:
    """Return the minimum or maximum of two trees. ``name``: ``min`` or ``max``."""
    if a.op == b.op == "const":
        return const(FUNCTIONS[name].compute(a.value, b.value), NUMBER)
    return Expr("call", NUMBER, (a, b), name)


def _sum_node(items: Sequence[Expr]) -> Expr:
    """Return the sum of folded numbers."""
    return reduce(lambda a, b: simplify_root(Expr("+", NUMBER, (a, b))), items, const(0, NUMBER))


def _count_node(items: Expr, *item: Expr) -> Expr:
    """Return a tree for the number of times that ``item`` is in a folded list or hand. Without ``item``, it counts true
    flags.
    """
    tests = [simplify_root(Expr("==", FLAG, (x, item[0]))) for x in item_trees(items)] if item else item_trees(items)
    return _sum_node([conditional(test, const(1, NUMBER), const(0, NUMBER)) for test in tests])


def _all_equal_node(items: Expr) -> Expr:
    """Return a tree for whether all items of a folded list or hand are equal."""
    found = item_trees(items)
    return reduce(conjunction, (simplify_root(Expr("==", FLAG, (found[0], item))) for item in found[1:]), TRUE)


_UNROLLED: dict[str, Callable[..., Expr]] = {
    "sum": lambda items: _sum_node(item_trees(items)),
    "size": lambda items: const(len(item_trees(items)), NUMBER),
    "count": _count_node,
    "any": lambda items: reduce(disjunction, item_trees(items), FALSE),
    "all": lambda items: reduce(conjunction, item_trees(items), TRUE),
    "all_equal": _all_equal_node,
}

_FOLDS: dict[str, Callable[[Expr, PartialPosition], Expr]] = {
    "const": lambda tree, view: tree, "cell": lambda tree, view: tree, "broken": lambda tree, view: tree,
    "parameter": _fold_static_name, "constant": _fold_static_name, "map": _fold_static_name, "list": _fold_static_name,
    "local": lambda tree, view: view.local[tree.value],
    "state": _fold_variable, "and": _fold_and, "or": _fold_or, "if": _fold_conditional, "listed": _fold_list,
    "lookup": _fold_lookup, "each": _fold_loop,
    "in": _fold_in, "call": _fold_call, "==": _fold_equality, "!=": _fold_equality, "<": _fold_less,
    "seats": lambda tree, view: const(view.seats, NUMBER),
    "mover": lambda tree, view: const(0, tree.type),
    "seat": lambda tree, view: const(view.seat, tree.type),
    "next": lambda tree, view: const(view.neighbour(1), tree.type),
    "previous": lambda tree, view: const(view.neighbour(-1), tree.type),
    "everyone": _seat_group_fold(lambda view: view.seats_in_order(view.seat)),
    "others": _seat_group_fold(lambda view: view.seats_in_order(view.seat, 1)),
    "table": _seat_group_fold(lambda view: tuple((view.seat + step) % view.seats for step in range(view.seats))),
}  # fmt: skip

_CACHED = frozenset({"and", "or", "if", "call", "in", "each"})
"""The operators whose folded trees are cached. All others fold as fast as the cache is searched."""
_OF_POSITIONS = frozenset({"state", "cell", "broken", "seat", "next", "previous", "everyone", "others", "table"})
"""The operators that depend on the position, so that a cache by local names is not enough; and ``broken``."""
