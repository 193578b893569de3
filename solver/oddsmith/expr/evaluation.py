"""Evaluation in one state: each expression becomes a Python function of its context.

This defines the meaning of expressions.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache
from typing import Any

from oddsmith.base.dice import Hand
from oddsmith.base.errors import RuleFailure
from oddsmith.expr.functions import (
    FUNCTIONS,
    checked_division,
    hand_without,
    items_or_faces,
    look_up,
    refuse_too_long_list,
    refuse_too_many_rounds,
)
from oddsmith.expr.tree import Expr

NOBODY_IN_HINT = "say what to take then: ... if size(everyone) > 0 else ..."


@dataclass(frozen=True, slots=True)
class Layout:
    """The cells of a variable among the cells of a state.

    ``first``: the index of its first cell. ``dims``: for each dimension, the position of each key.
    """

    first: int
    dims: tuple[Mapping[Any, int], ...] = ()

    def cell_index(self, keys: tuple[Any, ...]) -> int:
        """Return the index of the cell with these keys, one for each dimension.

        Raises KeyError if a dimension lacks its key.
        """
        if len(keys) == 1:  # nearly all families have one, and play asks for them all the time
            return self.first + self.dims[0][keys[0]]
        where = 0
        for dim, index in zip(self.dims, keys, strict=True):
            where = where * len(dim) + dim[index]
        return self.first + where


@dataclass(slots=True)
class EvaluationContext:
    """The context in which an expression is evaluated. Seats are numbered from 0 in play order.

    ``static``: the values of parameters, constants, maps and lists, by name. ``cells``: the values of the cells of the
    state. ``mover``: the seat to move. ``seat``: the seat for which the expression is evaluated. ``out``: the seats
    that are out, as bits. ``local``: the values of local names. ``rounds``: the number of rounds that loops have made
    so far. ``shown``: the values that effects have revealed, each as a pair: the seats that see it, or None for all
    seats, and the value.
    """

    static: Mapping[str, Any]
    layout: Mapping[str, Layout]
    seats: int
    cells: list[Any] = field(default_factory=list)
    mover: int = 0
    seat: int = 0
    out: int = 0
    local: dict[str, Any] = field(default_factory=dict)
    rounds: int = 0
    shown: tuple[tuple[frozenset[int] | None, Any], ...] = ()

    def seats_in_order(self, start: int, skip: int = 0) -> tuple[int, ...]:
        """Return the seats that are not out, in play order from the seat ``start``.

        ``skip``: the number of seats, out or not, that are left out at the beginning.
        """
        return _seats_in_order(self.seats, self.out, start, skip)

    def neighbour(self, direction: int) -> int:
        """Return the nearest seat after the mover (``direction`` 1) or before it (-1) that is not out; the mover, if
        all others are out.

        Raises RuleFailure if all seats are out.
        """
        for distance in range(1, self.seats):
            seat = (self.mover + direction * distance) % self.seats
            if not self.out >> seat & 1:
                return seat
        if self.out >> self.mover & 1:
            raise RuleFailure("OD505", "there is no next player, because nobody is in", NOBODY_IN_HINT)
        return self.mover


@cache
def _seats_in_order(seat_count: int, out_mask: int, start: int, skip: int) -> tuple[int, ...]:
    """Return the seats that are not out, in play order from the seat ``start``.

    ``seat_count``: the number of all seats. ``out_mask``: the seats that are out, as bits. ``skip``: the number of
    seats, out or not, that are left out at the beginning.
    """
    order = ((start + step) % seat_count for step in range(skip, seat_count))
    return tuple(seat for seat in order if not out_mask >> seat & 1)


def variable_cell_index(layouts: Mapping[str, Layout], name: str, keys: tuple[Any, ...]) -> int:
    """Return the index of a cell of the variable ``name`` among the cells of a state.

    ``layouts``: the cells of each variable. ``keys``: the key of the cell in each dimension. Raises RuleFailure if
    there is no such cell.
    """
    try:
        return layouts[name].cell_index(keys)
    except KeyError as missing:
        message = f"{name} has no member {missing.args[0]}"
        raise RuleFailure("OD506", message, "test that it is in the list first") from None


Compiled = Callable[[EvaluationContext], Any]


def compiled_function(tree: Expr) -> Compiled:
    """Return an expression as a Python function of its context."""
    maker = _MAKERS.get(tree.op)
    if maker is not None:
        return maker(tree)
    args = [compiled_function(arg) for arg in tree.args]
    binary = _BINARY[tree.op]
    left, right = args
    return lambda m: binary(left(m), right(m))


def are_equal(a: Any, b: Any) -> bool:
    """Return whether two values are equal in the language.

    A hand equals any hand or list with the same faces, in any order.
    """
    if isinstance(a, Hand) or isinstance(b, Hand):
        return sorted(items_or_faces(a)) == sorted(items_or_faces(b))
    return bool(a == b)


def contains_item(item: Any, items: Sequence[Any]) -> bool:
    """Return whether one of ``items`` equals ``item`` in the language."""
    return item in items or (isinstance(item, tuple) and any(are_equal(item, one) for one in items))


ARITHMETIC: dict[str, Callable[[Any, Any], Any]] = {
    "*": lambda a, b: a * b,
    "//": checked_division(lambda a, b: a // b),
    "%": checked_division(lambda a, b: a % b),
    "/": checked_division(lambda a, b: Fraction(1, b) * a),
    ">": lambda a, b: a > b,
    "<=": lambda a, b: a <= b,
    ">=": lambda a, b: a >= b,
}
"""The operators with two arguments that are computed in the same way for all types."""

_BINARY: dict[str, Callable[[Any, Any], Any]] = {**ARITHMETIC, "in": lambda a, b: contains_item(a, items_or_faces(b))}


def _compile_static_name(tree: Expr) -> Compiled:
    """Compile the name of a parameter, constant, map or list."""
    name = tree.value
    return lambda m: m.static[name]


def _compile_local_name(tree: Expr) -> Compiled:
    """Compile a local name."""
    name = tree.value
    return lambda m: m.local[name]


def _compile_constant(tree: Expr) -> Compiled:
    """Compile a constant."""
    value = tree.value
    return lambda m: value


def _compile_variable(tree: Expr) -> Compiled:
    """Compile a variable. If an index is a list, the value is the tuple of the values of the cells with these indices."""
    name = tree.value
    if not tree.args:
        return lambda m: m.cells[m.layout[name].first]
    indices = [compiled_function(arg) for arg in tree.args]
    lists = [arg.type.kind == "list" for arg in tree.args]
    if not any(lists):
        where = compile_cell_index(name, indices)
        return lambda m: m.cells[where(m)]

    def family_values(context: EvaluationContext) -> tuple[Any, ...]:
        keys: list[tuple[Any, ...]] = [()]
        for index, is_list in zip(indices, lists, strict=True):
            found = index(context)
            keys = [(*key, item) for key in keys for item in (found if is_list else (found,))]
        return tuple(context.cells[variable_cell_index(context.layout, name, key)] for key in keys)

    return family_values


def compile_cell_index(name: str, compiled_keys: Sequence[Compiled]) -> Callable[[EvaluationContext], int]:
    """Return a function from a context to the index of a cell of the variable ``name``.

    ``compiled_keys``: functions that give the key in each dimension. The returned function raises RuleFailure if there
    is no such cell.
    """
    if len(compiled_keys) == 1:
        (index,) = compiled_keys
        return lambda m: variable_cell_index(m.layout, name, (index(m),))
    return lambda m: variable_cell_index(m.layout, name, tuple(index(m) for index in compiled_keys))


def _compile_sum_or_difference(tree: Expr) -> Compiled:
    """Compile ``+`` or ``-``, of numbers or of hands."""
    left, right = (compiled_function(arg) for arg in tree.args)
    if tree.type.kind != "hand":
        return (lambda m: left(m) + right(m)) if tree.op == "+" else (lambda m: left(m) - right(m))
    if tree.op == "+":
        return lambda m: left(m) + right(m)
    return lambda m: hand_without(left(m), right(m))


def _compile_equality(tree: Expr) -> Compiled:
    """Compile ``==`` or ``!=``."""
    left, right = (compiled_function(arg) for arg in tree.args)
    if not {"hand", "list"} & {arg.type.kind for arg in tree.args}:
        return (lambda m: bool(left(m) == right(m))) if tree.op == "==" else (lambda m: bool(left(m) != right(m)))
    if tree.op == "==":
        return lambda m: are_equal(left(m), right(m))
    return lambda m: not are_equal(left(m), right(m))


def _compile_less(tree: Expr) -> Compiled:
    """Compile ``<``. Seats are compared by their distance from the mover in play order."""
    left, right = (compiled_function(arg) for arg in tree.args)
    if tree.args[0].type.kind == "seat":
        return lambda m: (left(m) - m.mover) % m.seats < (right(m) - m.mover) % m.seats
    return lambda m: left(m) < right(m)


def _compile_and(tree: Expr) -> Compiled:
    """Compile ``and``."""
    left, right = (compiled_function(arg) for arg in tree.args)
    return lambda m: left(m) and right(m)


def _compile_or(tree: Expr) -> Compiled:
    """Compile ``or``."""
    left, right = (compiled_function(arg) for arg in tree.args)
    return lambda m: left(m) or right(m)


def _compile_conditional(tree: Expr) -> Compiled:
    """Compile a conditional."""
    test, then, other = (compiled_function(arg) for arg in tree.args)
    return lambda m: then(m) if test(m) else other(m)


def _unary_compiler(operator: Callable[[Any], Any]) -> Callable[[Expr], Compiled]:
    """Return a function that compiles an operator with one argument. ``operator``: the operator as a function of
    values.
    """

    def compile_unary(tree: Expr) -> Compiled:
        arg = compiled_function(tree.args[0])
        return lambda m: operator(arg(m))

    return compile_unary


def _compile_list(tree: Expr) -> Compiled:
    """Compile a list of expressions."""
    items = [compiled_function(arg) for arg in tree.args]
    return lambda m: tuple(item(m) for item in items)


def _compile_lookup(tree: Expr) -> Compiled:
    """Compile a value of a map at a key."""
    table, *rest = (compiled_function(arg) for arg in tree.args)
    return lambda m: look_up(table(m), *(item(m) for item in rest))


def _compile_loop(tree: Expr) -> Compiled:
    """Compile a loop over a list or a hand. Its value is the tuple of its elements."""
    items, element, *tests = (compiled_function(arg) for arg in tree.args)
    name, flat = tree.value[0], tree.value[1] == "flat"

    def loop_values(context: EvaluationContext) -> tuple[Any, ...]:
        listed: list[Any] = []
        for item in items_or_faces(items(context)):
            context.local[name] = item
            context.rounds += 1
            refuse_too_many_rounds(context.rounds)
            if all(test(context) for test in tests):
                if flat:
                    listed.extend(element(context))
                    refuse_too_long_list(len(listed), "a list made by loops")
                else:
                    listed.append(element(context))
        context.local.pop(name, None)
        return tuple(listed)

    return loop_values


def _compile_call(tree: Expr) -> Compiled:
    """Compile a call of a function of the language."""
    if tree.value == "share":
        return _compile_share(compiled_function(tree.args[0]))
    function = FUNCTIONS[tree.value]
    args = [compiled_function(arg) for arg in tree.args]
    if function.default and len(args) == 2 and tree.args[0].type.kind in ("list", "hand"):
        items, default = args
        return lambda m: function.compute(items(m), default=default(m))
    return lambda m: function.compute(*(arg(m) for arg in args))


def _compile_share(argument: Compiled) -> Compiled:
    """Compile ``share(...)``: the seats with the greatest value divide 1 equally, and all others have 0."""

    def share_of_seat(context: EvaluationContext) -> Fraction:
        mine, values = context.seat, []
        for seat in range(context.seats):
            context.seat = seat
            values.append(argument(context))
        context.seat = mine
        best = max(values)
        return Fraction(int(values[mine] == best), values.count(best))

    return share_of_seat


_MAKERS: dict[str, Callable[[Expr], Compiled]] = {
    "const": _compile_constant, "parameter": _compile_static_name, "constant": _compile_static_name,
    "map": _compile_static_name, "list": _compile_static_name,
    "local": _compile_local_name,
    "state": _compile_variable, "+": _compile_sum_or_difference, "-": _compile_sum_or_difference,
    "==": _compile_equality, "!=": _compile_equality, "<": _compile_less,
    "and": _compile_and, "or": _compile_or, "if": _compile_conditional, "listed": _compile_list,
    "lookup": _compile_lookup, "each": _compile_loop, "call": _compile_call,
    "neg": _unary_compiler(lambda value: -value),
    "not": _unary_compiler(lambda value: not value),
    "face": _unary_compiler(lambda hand: hand[0][0]),
    "mover": lambda tree: lambda m: m.mover,
    "seat": lambda tree: lambda m: m.seat,
    "seats": lambda tree: lambda m: m.seats,
    "next": lambda tree: lambda m: m.neighbour(1),
    "previous": lambda tree: lambda m: m.neighbour(-1),
    "everyone": lambda tree: lambda m: m.seats_in_order(m.seat),
    "others": lambda tree: lambda m: m.seats_in_order(m.seat, 1),
    "table": lambda tree: lambda m: tuple((m.seat + step) % m.seats for step in range(m.seats)),
}  # fmt: skip
