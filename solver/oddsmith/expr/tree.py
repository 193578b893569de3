"""Typed expression trees.

All nodes have one class and differ by ``op``, so code for trees is a table with an entry for each ``op``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, get_args

from oddsmith.base.location import Span, text_without_file

Op = Literal[
    "const", "parameter", "constant", "map", "list", "state", "local",
    "mover", "seat", "next", "previous", "others", "everyone", "table", "seats",
    "+", "-", "*", "//", "%", "/", "neg", "==", "!=", "<", "<=", ">", ">=", "in", "and", "or", "not", "if",
    "listed", "lookup", "each", "face", "call",
    "cell", "broken", "slot", "before",
]  # fmt: skip
"""The kinds of nodes. Code for trees is a table with these keys, and a test checks that each table has all of them.

Rulesets never contain the kinds of the last line: ``cell`` and ``broken`` come from folding, ``slot`` from comparing the
entries of rolls, and ``before`` stands in bundles for ``<`` between seats.
"""
LANGUAGE: tuple[Op, ...] = tuple(op for op in get_args(Op) if op not in ("cell", "broken", "slot", "before"))

OPPOSITE: Mapping[Op, Op] = {"<": ">=", ">=": "<", ">": "<=", "<=": ">", "==": "!=", "!=": "=="}
MIRROR: Mapping[Op, Op] = {"<": ">", ">": "<", "<=": ">=", ">=": "<=", "==": "==", "!=": "!="}

JOINING = frozenset({"+", "*", "and", "or", "min", "max"})
"""The operators and functions that are associative and commutative."""

Kind = Literal["number", "flag", "word", "seat", "hand", "list", "map", "exact"]


@dataclass(frozen=True, slots=True)
class Type:
    """The type of an expression.

    ``item``: the type of a list's items, or of a map's values. ``key``: the type of a map's keys. ``words``: the
    possible words. ``single``: whether a hand certainly has exactly one die. The kind ``exact`` stands for rational
    numbers, which occur in payoffs and claims.
    """

    kind: Kind
    item: Type | None = None
    key: Type | None = None
    words: frozenset[str] = frozenset()
    single: bool = False

    def __str__(self) -> str:
        if self.kind == "list":
            return f"list of {self.item}s" if self.item else "list"
        return {"flag": "flag (true or false)", "exact": "fraction"}.get(self.kind, self.kind)

    def accepts(self, other: Type) -> bool:
        """Return whether a value of the type ``other`` can be used if a value of this type is expected."""
        if self.kind == "list" and other.kind == "list":
            return self.item is None or other.item is None or self.item.accepts(other.item)
        return self.kind == other.kind


NUMBER, FLAG, SEAT, HAND, EXACT = Type("number"), Type("flag"), Type("seat"), Type("hand"), Type("exact")


def list_of(item: Type | None) -> Type:
    """Return the type of a list. ``item``: the type of its items; None for the empty list, which fits every list type."""
    return Type("list", item=item)


def word_type(*words: str) -> Type:
    """Return the type of a word that is one of these."""
    return Type("word", words=frozenset(words))


class CachedProperties:
    """Cached properties of a tree, computed when they are first needed. Pickling leaves them out.

    ``hashed``: the hash of the tree. ``program``: the steps that evaluate it for many states at once.
    """

    __slots__ = ("hashed", "program")
    hashed: int
    program: Any


@dataclass(frozen=True, slots=True)
class Expr(CachedProperties):
    """A node of an expression tree.

    ``op``: its kind. ``args``: its arguments. ``value``: what the kind needs besides arguments. ``size``: the number of
    nodes that ``walk`` yields. ``breaks``: whether the evaluation of a folded tree may break a rule, because of a
    ``broken`` node or a divisor that may be 0.

    ====================================  ============================================  ======================
    op                                    value                                         args
    ====================================  ============================================  ======================
    const                                 int, bool, str, tuple or Fraction
    parameter constant map list           name
    state                                 variable name                                 one per index
    local                                 name of a let, roll, draw or loop
    mover seat next previous              (seats of the context)
    others everyone table                 (groups of the context)
    seats
    ``+ - * // % / neg``                                                                1 or 2
    ``== != < <= > >= in``                                                              2
    and or not if                                                                       2, 1, 3
    listed                                                                              items
    lookup                                                                              map, key[, otherwise]
    each                                  name of the loop                              iterable, element, *tests
    face                                                                                a hand of one die
    call                                  function name                                 arguments
    ====================================  ============================================  ======================
    """

    op: Op
    type: Type
    args: tuple[Expr, ...] = ()
    value: Any = None
    span: Span = field(default=Span(text_without_file(""), 0, 0), compare=False, repr=False)
    size: int = field(init=False, compare=False, repr=False)
    breaks: bool = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        size, breaks = 1, self.op == "broken" or (self.op in ("//", "%") and _divisor_may_be_0(self.args[1]))
        for arg in self.args:
            size += arg.size
            breaks = breaks or arg.breaks
        object.__setattr__(self, "size", size)
        object.__setattr__(self, "breaks", breaks)

    def __hash__(self) -> int:
        try:
            return self.hashed
        except AttributeError:  # trees are deep, and looked up often
            object.__setattr__(self, "hashed", hash((self.op, self.type, self.args, self.value)))
            return self.hashed

    def with_args(self, args: tuple[Expr, ...]) -> Expr:
        """Return a copy of the node with ``args`` as its arguments."""
        return Expr(self.op, self.type, args, self.value, self.span)

    @property
    def is_commutative(self) -> bool:
        """Whether the order of the arguments does not matter."""
        return self.function_or_operator in JOINING or self.op in ("==", "!=")

    @property
    def flattened_arguments(self) -> tuple[Expr, ...]:
        """The arguments; for an associative operator, also those of nested nodes with the same operator."""
        if self.function_or_operator not in JOINING:
            return self.args
        return tuple(
            part
            for arg in self.args
            for part in (arg.flattened_arguments if arg.function_or_operator == self.function_or_operator else (arg,))
        )

    @property
    def function_or_operator(self) -> Any:
        """The name of the function, if the node is a call; else its operator."""
        return self.value if self.op == "call" else self.op

    def walk(self) -> Iterator[Expr]:
        """Yield this node and all nodes below it."""
        yield self
        for arg in self.args:
            yield from arg.walk()

    def transform(self, replace_node: Callable[[Expr], Expr]) -> Expr:
        """Return the tree after ``replace_node`` has replaced each node, from the leaves up."""
        return replace_node(
            self.with_args(tuple(arg.transform(replace_node) for arg in self.args)) if self.args else self
        )

    def to_json(self) -> Any:
        """Return the node as plain data for JSON: nested lists ``[op, value?, arg...]``.

        A constant is its value, or ``["word", value]``.
        """
        if self.op == "const" and not isinstance(self.value, tuple):
            return ["word", self.value] if isinstance(self.value, str) else self.value
        head = [self.op] if self.value is None else [self.op, self.value]
        return [*head, *(arg.to_json() for arg in self.args)]


def _divisor_may_be_0(divisor: Expr) -> bool:
    """Return whether a divisor may be 0, because it is 0 or not a constant."""
    return divisor.op != "const" or divisor.value == 0


def variables_in(*trees: Expr | None) -> frozenset[str]:
    """Return the variables that some expressions read. None stands for no expression."""
    return frozenset(node.value for tree in trees if tree is not None for node in tree.walk() if node.op == "state")


def const(value: Any, type_: Type, span: Span | None = None) -> Expr:
    """Return the node of a constant. ``span``: its text, if it has one."""
    return Expr("const", type_, value=value) if span is None else Expr("const", type_, value=value, span=span)


TRUE = const(True, FLAG)
FALSE = const(False, FLAG)
