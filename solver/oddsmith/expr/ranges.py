"""Proved ranges: an interval for every expression, narrowed by the tests that guard it (interval arithmetic)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from math import inf
from typing import Any

from oddsmith.errors import Problem
from oddsmith.expr.parse import MAX_NUMBER
from oddsmith.expr.tree import NUMBER, Expr

Bound = int | float  # whole numbers, or plus and minus infinity


@dataclass(frozen=True, slots=True)
class Range:
    """Bounds of a number (a flag counts as 0..1). For lists and hands: of the items, with the bounds of the size."""

    low: Bound
    high: Bound
    least: int = 0
    most: int = 0

    def joined(self, other: Range) -> Range:
        """The smallest range holding both."""
        return Range(
            min(self.low, other.low), max(self.high, other.high), min(self.least, other.least), max(self.most, other.most)
        )


ANY_FLAG, ALWAYS, NEVER = Range(0, 1), Range(1, 1), Range(0, 0)
UNKNOWN = Range(-inf, inf)


@dataclass(frozen=True)
class Bounds:
    """What is known where an expression stands: ranges of names, and of expressions that a test has narrowed."""

    static: Mapping[str, Any]
    variables: Mapping[str, Range]
    sizes: Mapping[str, int]
    seats: int
    local: Mapping[str, Range] = field(default_factory=dict)
    narrowed: Mapping[Expr, Range] = field(default_factory=dict)

    def with_local(self, name: str, range_: Range) -> Bounds:
        """With one more name."""
        return replace(self, local={**self.local, name: range_})


Report = Callable[[Problem], None]


class Ranger:
    """Computes ranges and reports what they cannot exclude: a zero divisor, a number beyond 2^53."""

    def __init__(self, report: Report) -> None:
        self.report = report

    def range(self, tree: Expr, bounds: Bounds) -> Range:
        """The range of an expression."""
        if tree in bounds.narrowed:
            return bounds.narrowed[tree]
        found = self._of(tree, bounds)
        if tree.type == NUMBER and (found.high > MAX_NUMBER or found.low < -MAX_NUMBER):
            self._problem("OD412", tree, f"`{tree.span.words}` can go beyond 2^53", "use smaller numbers")
            return Range(max(found.low, -MAX_NUMBER), min(found.high, MAX_NUMBER))
        return found

    def _problem(self, code: str, tree: Expr, message: str, hint: str = "") -> None:
        self.report(Problem(code, tree.span.location, message, hint))

    def _of(self, tree: Expr, b: Bounds) -> Range:
        match tree.op:
            case "const":
                return _of_value(tree.value)
            case "parameter" | "constant" | "list" | "map":
                return _of_value(b.static[tree.value])
            case "seats":
                return Range(b.seats, b.seats)
            case "state":
                for arg in tree.args:
                    self.range(arg, b)
                found = b.variables[tree.value]
                size = 1
                for arg in tree.args:
                    size *= self.range(arg, b).most if arg.type.kind == "list" else 1
                return Range(found.low, found.high, 0, size) if tree.type.kind == "list" else found
            case "local":
                return b.local.get(tree.value, UNKNOWN)
            case "everyone" | "others" | "table":
                least = b.seats if tree.op == "table" else 0
                return Range(0, b.seats - 1, least, b.seats - (tree.op == "others"))
            case "and" | "or":
                return self._logic(tree, b)
            case "if":
                test = self.range(tree.args[0], b)
                then = self.range(tree.args[1], self.narrow(tree.args[0], True, b))
                other = self.range(tree.args[2], self.narrow(tree.args[0], False, b))
                return then if test == ALWAYS else other if test == NEVER else then.joined(other)
            case "listed":
                items = [self.range(arg, b) for arg in tree.args]
                low = min((item.low for item in items), default=0)
                return Range(low, max((item.high for item in items), default=0), len(items), len(items))
            case "each":
                return self._each(tree, b)
        args = [self.range(arg, b) for arg in tree.args]
        if tree.op in ("lookup",):
            values = [_of_value(value) for value in b.static[tree.args[0].value].values()]
            found = values[0] if values else args[-1]
            for value in [*values, *args[2:]]:
                found = found.joined(value)
            return found
        if tree.op == "call":
            return _call(tree, args)
        if tree.op in ("//", "%", "/") and args[1].low <= 0 <= args[1].high:
            divisor = tree.args[1].span.words
            hint = "guard it: a // b if b > 0 else 0"
            self._problem("OD411", tree.args[1], f"the divisor `{divisor}` can be 0", hint)
            return UNKNOWN if tree.type != NUMBER else Range(-MAX_NUMBER, MAX_NUMBER)
        if tree.type.kind == "hand" and tree.op in ("+", "-"):
            most = args[0].most + (args[1].most if tree.op == "+" else 0)
            joined = args[0].joined(args[1])
            return Range(joined.low, joined.high, 0, most)
        if tree.op in ("==", "!=", "<", "in") and any(a.type.kind not in ("number", "exact") for a in tree.args):
            return ANY_FLAG
        rule = _RULES.get(tree.op)
        return rule(*args) if rule else UNKNOWN

    def _logic(self, tree: Expr, b: Bounds) -> Range:
        left = self.range(tree.args[0], b)
        right = self.range(tree.args[1], self.narrow(tree.args[0], tree.op == "and", b))
        pick = min if tree.op == "and" else max
        return Range(pick(left.low, right.low), pick(left.high, right.high))

    def _each(self, tree: Expr, b: Bounds) -> Range:
        items = self.range(tree.args[0], b)
        inner = b.with_local(tree.value[0], replace(items, least=0, most=0) if tree.args[0].type.kind != "hand" else items)
        if tree.args[0].type.item is not None and tree.args[0].type.item.kind == "hand":
            inner = b.with_local(tree.value[0], replace(items, most=int(items.most).bit_length()))
        sure = items.least
        for test in tree.args[2:]:
            if self.range(test, inner) != ALWAYS:
                sure = 0
            inner = self.narrow(test, True, inner)
        element = self.range(tree.args[1], inner)
        times = (element.least, element.most) if tree.value[1] == "flat" else (1, 1)
        return Range(element.low, element.high, sure * times[0], items.most * times[1])

    def narrow(self, test: Expr, truth: bool, b: Bounds) -> Bounds:
        """The bounds where the test is known to be true (or false)."""
        if test.op == "not":
            return self.narrow(test.args[0], not truth, b)
        if test.op in ("and", "or"):
            if truth == (test.op == "and"):
                return self.narrow(test.args[1], truth, self.narrow(test.args[0], truth, b))
            return b
        if test.op not in _OPPOSITE or test.args[0].type.kind not in ("number", "exact"):
            return b
        op = test.op if truth else _OPPOSITE[test.op]
        for here, there, sense in ((0, 1, op), (1, 0, _MIRROR[op])):
            tree = test.args[here]
            if tree.op == "const":
                continue
            mine, other = self.range(tree, b), self.range(test.args[there], b)
            low, high = mine.low, mine.high
            if sense in ("<", "<="):
                high = min(high, other.high - (sense == "<"))
            elif sense in (">", ">="):
                low = max(low, other.low + (sense == ">"))
            elif sense == "==":
                low, high = max(low, other.low), min(high, other.high)
            elif other.low == other.high:
                low, high = low + (other.low == low), high - (other.low == high)
            if low <= high and (low, high) != (mine.low, mine.high):
                b = replace(b, narrowed={**b.narrowed, tree: replace(mine, low=low, high=high)})
        return b


_OPPOSITE = {"<": ">=", ">=": "<", ">": "<=", "<=": ">", "==": "!=", "!=": "=="}
_MIRROR = {"<": ">", ">": "<", "<=": ">=", ">=": "<=", "==": "==", "!=": "!="}


def _of_value(value: Any) -> Range:
    if isinstance(value, tuple):
        items = [_of_value(item) for item in value]
        low = min((item.low for item in items), default=0)
        return Range(low, max((item.high for item in items), default=0), len(items), len(items))
    if isinstance(value, int):
        return Range(int(value), int(value))
    return UNKNOWN


def _compare(always: Callable[[Range, Range], bool], never: Callable[[Range, Range], bool]) -> Callable[..., Range]:
    return lambda a, b: ALWAYS if always(a, b) else NEVER if never(a, b) else ANY_FLAG


def _product(a: Range, b: Range) -> Range:
    ends = [0 if 0 in (x, y) else x * y for x in (a.low, a.high) for y in (b.low, b.high)]
    return Range(min(ends), max(ends))


def _floored(a: Range, b: Range) -> Range:
    ends = [x // y for x in (a.low, a.high) for y in (b.low, b.high)]
    return Range(min(ends), max(ends))


def _modulo(a: Range, b: Range) -> Range:
    if 0 <= a.low and a.high < b.low:
        return a
    return Range(0, b.high - 1) if b.low > 0 else Range(b.low + 1, 0)


_RULES: dict[str, Callable[..., Range]] = {
    "+": lambda a, b: Range(a.low + b.low, a.high + b.high),
    "-": lambda a, b: Range(a.low - b.high, a.high - b.low),
    "neg": lambda a: Range(-a.high, -a.low),
    "*": _product, "//": _floored, "%": _modulo,
    "not": lambda a: Range(1 - a.high, 1 - a.low),
    "<": _compare(lambda a, b: a.high < b.low, lambda a, b: a.low >= b.high),
    "<=": _compare(lambda a, b: a.high <= b.low, lambda a, b: a.low > b.high),
    ">": _compare(lambda a, b: a.low > b.high, lambda a, b: a.high <= b.low),
    ">=": _compare(lambda a, b: a.low >= b.high, lambda a, b: a.high < b.low),
    "==": _compare(lambda a, b: a.low == a.high == b.low == b.high, lambda a, b: a.high < b.low or a.low > b.high),
    "!=": _compare(lambda a, b: a.high < b.low or a.low > b.high, lambda a, b: a.low == a.high == b.low == b.high),
    "in": lambda a, b: NEVER if b.most == 0 or a.high < b.low or a.low > b.high else ANY_FLAG,
    "face": lambda a: Range(a.low, a.high),
}  # fmt: skip


def _call(tree: Expr, args: list[Range]) -> Range:
    first = args[0]
    match tree.value:
        case "sum":
            low, high = min(first.low * first.least, first.low * first.most), max(first.high * first.most, first.high * first.least)
            return Range(low if first.most else 0, high if first.most else 0)
        case "min" | "max" if tree.args[0].type.kind in ("list", "hand"):
            return Range(first.low, first.high) if len(args) == 1 else Range(first.low, first.high).joined(args[1])
        case "min":
            return Range(min(arg.low for arg in args), min(arg.high for arg in args))
        case "max":
            return Range(max(arg.low for arg in args), max(arg.high for arg in args))
        case "abs":
            low = 0 if first.low <= 0 <= first.high else min(abs(first.low), abs(first.high))
            return Range(low, max(abs(first.low), abs(first.high)))
        case "size":
            return Range(first.least, first.most)
        case "count":
            return Range(0, first.most)
        case "sorted":
            return first
        case "distinct":
            return replace(first, least=min(first.least, 1))
        case "span":
            most = max(0, int(min(args[1].high - args[0].low + 1, MAX_NUMBER)))
            return Range(args[0].low, args[1].high, max(0, int(max(args[1].low - args[0].high + 1, 0))), most)
        case "rank":
            return Range(first.low, first.high)
        case "subsets":
            return Range(first.low, first.high, 1, 2**first.most)
        case "all_equal" | "any" | "all" | "has_run":
            return ANY_FLAG
    return UNKNOWN
