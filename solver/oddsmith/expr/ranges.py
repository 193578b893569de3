"""Proved ranges: an interval for every expression, narrowed by the conditions under which the expression is evaluated."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from math import inf
from typing import Any, ClassVar

from oddsmith.base.errors import Problem
from oddsmith.base.limits import limits
from oddsmith.expr.intervals import (
    ALWAYS,
    ANY_FLAG,
    NEVER,
    RULES,
    UNKNOWN,
    ZERO,
    Bound,
    Interval,
    bound_product,
    call_range,
    division_range_except_by_0,
    hand_operation_range,
    hull,
    value_range,
)
from oddsmith.expr.parse import MAX_NUMBER
from oddsmith.expr.tree import MIRROR, NUMBER, OPPOSITE, Expr


@dataclass(frozen=True, eq=False)
class Bounds:
    """The known ranges of names and expressions at one place of the rules.

    ``static``: the values of parameters, constants, maps and lists, by name. ``variables``: the range of each variable.
    ``members``: the keys of each dimension of a variable, none for the dimension of seats. ``kinds``: the number of
    kinds of dice. ``least_in``: the least number of seats that are still in. ``local``: the range of each local name.
    ``cells``: the ranges of the cells in folded expressions. ``lets``: for each name of a `let`, its expression, as
    long as it still has the value of the name. ``narrowed``: ranges of expressions that follow from tests.
    """

    static: Mapping[str, Any]
    variables: Mapping[str, Interval]
    members: Mapping[str, tuple[tuple[Any, ...], ...]]
    seats: int
    kinds: int = 1
    least_in: int = 0
    local: Mapping[str, Interval] = field(default_factory=dict)
    cells: Mapping[int, Interval] = field(default_factory=dict)
    lets: Mapping[str, Expr] = field(default_factory=dict)
    narrowed: Mapping[Expr, Interval] = field(default_factory=dict)

    def with_local(self, name: str, range_: Interval) -> Bounds:
        """Return the bounds with the range of one more local name."""
        return replace(self, local={**self.local, name: range_})

    def without_trees_containing(self, is_affected: Callable[[Expr], bool]) -> Bounds:
        """Return the bounds without the ranges and `let` expressions of trees that contain a node for which
        ``is_affected`` is true.
        """
        kept = {tree: found for tree, found in self.narrowed.items() if not any(map(is_affected, tree.walk()))}
        lets = {name: tree for name, tree in self.lets.items() if not any(map(is_affected, tree.walk()))}
        same = len(kept) == len(self.narrowed) and len(lets) == len(self.lets)
        return self if same else replace(self, narrowed=kept, lets=lets)


ProblemSink = Callable[[Problem], None]


class RangeAnalyzer:
    """Computes ranges, and reports errors that they prove or cannot rule out (the codes OD41x).

    The range of a tree under the same bounds is cached, because nested tests would take exponential time otherwise. If
    a test shows that play never evaluates a part of a tree, its range is not computed.
    """

    def __init__(self, report: ProblemSink) -> None:
        self.report = report
        # The keys are identities; the values hold what they identify, so that none is handed out again.
        self.ranges: dict[tuple[int, int], tuple[Interval, Expr, Bounds]] = {}
        self.narrowings: dict[tuple[int, int, bool], tuple[Bounds, Expr, Bounds]] = {}

    def range(self, tree: Expr, bounds: Bounds) -> Interval:
        """Return the range of an expression under some bounds."""
        key = (id(tree), id(bounds))
        if key not in self.ranges:
            self.ranges[key] = (self._checked_range(tree, bounds), tree, bounds)
        return self.ranges[key][0]

    def narrow(self, test: Expr, truth: bool, bounds: Bounds) -> Bounds:
        """Return the bounds that hold if a test has a given truth value."""
        key = (id(test), id(bounds), truth)
        if key not in self.narrowings:
            self.narrowings[key] = (self._narrow_uncached(test, truth, bounds), test, bounds)
        return self.narrowings[key][0]

    def iterable_range(self, tree: Expr, bounds: Bounds) -> Interval:
        """Return the range of a list that a loop runs over, and report the list if it may be too long."""
        found = self.range(tree, bounds)
        self._report_long_list(tree, found)
        return found

    def _report_long_list(self, tree: Expr, size_range: Interval) -> None:
        """Report a list that may be too long. ``size_range``: its range."""
        if size_range.most > limits().items:
            much = "without end" if size_range.most == inf else f"{size_range.most:,} items long"
            most = f"a loop can run over at most {limits().items:,} items"
            hint = f"{most}: bound the list, as in span(1, min(chips, 10))"
            self._report_problem("OD415", tree, f"the list `{tree.span.covered_text}` can be {much}", hint)

    def _checked_range(self, tree: Expr, bounds: Bounds) -> Interval:
        """Return the range of an expression, and report a number that can be too large."""
        if bounds.narrowed and tree in bounds.narrowed:
            return bounds.narrowed[tree]
        reach = self._computed_range(tree, bounds)
        # Only tallies are unbounded; play watches them.
        if tree.type == NUMBER and any(MAX_NUMBER < abs(bound) < inf for bound in (reach.low, reach.high)):
            words = tree.span.covered_text
            self._report_problem("OD412", tree, f"`{words}` can go beyond 2^53", "lower the max of what it is made of")
            return Interval(max(reach.low, -MAX_NUMBER), min(reach.high, MAX_NUMBER))
        return reach

    def _report_problem(self, code: str, tree: Expr, message: str, hint: str = "") -> None:
        """Report a problem at the location of a tree."""
        self.report(Problem(code, tree.span.location, message, hint))

    def _computed_range(self, tree: Expr, bounds: Bounds) -> Interval:
        """Return the range of an expression that follows from its arguments."""
        special = self._special.get(tree.op)
        if special is not None:
            return special(self, tree, bounds)
        args = [self.range(arg, bounds) for arg in tree.args]
        if tree.op in ("//", "%", "/") and args[1].low <= 0 <= args[1].high:
            divisor = tree.args[1].span.covered_text
            hint = f"guard it: {tree.span.covered_text} if {divisor} > 0 else 0"
            self._report_problem("OD411", tree.args[1], f"the divisor `{divisor}` can be 0", hint)
            return division_range_except_by_0(tree.op, *args)
        if tree.type.kind == "hand" and tree.op in ("+", "-"):
            return hand_operation_range(tree.op, *args)
        if tree.op in ("==", "!=", "<", "in") and any(a.type.kind not in ("number", "exact") for a in tree.args):
            return self._non_number_comparison_range(tree, bounds)
        if tree.op == "-" and self._is_provably_at_most(tree.args[1], tree.args[0], bounds):
            return Interval(max(0, args[0].low - args[1].high), args[0].high - args[1].low)
        plain = RULES.get(tree.op)
        return plain(*args) if plain else UNKNOWN

    def _is_provably_at_most(self, smaller: Expr, larger: Expr, bounds: Bounds) -> bool:
        """Return whether the form of ``smaller`` shows that it is at most ``larger``: as its quotient, its remainder,
        or a ``min`` with it.
        """
        smaller = bounds.lets.get(smaller.value, smaller) if smaller.op == "local" else smaller
        if smaller.op in ("//", "%") and smaller.args[0] == larger:
            return self.range(larger, bounds).low >= 0 and self.range(smaller.args[1], bounds).low >= 1
        # Beside a list stands what is taken where it is empty.
        of_list = any(arg.type.kind in ("list", "hand") for arg in smaller.args)
        return smaller.op == "call" and smaller.value == "min" and larger in smaller.args and not of_list

    def _non_number_comparison_range(self, tree: Expr, bounds: Bounds) -> Interval:
        """Return the range of the truth value of a comparison of values that are not numbers.

        Only fixed values and the sizes of hands can decide it. Otherwise both truth values are possible.
        """
        left, right = (_fixed_value(arg, bounds) for arg in tree.args)
        if tree.op in ("==", "!=") and left is not None and right is not None:
            return ALWAYS if (left == right) == (tree.op == "==") else NEVER
        if tree.op in ("==", "!=") and "hand" in (tree.args[0].type.kind, tree.args[1].type.kind):
            a, c = (self.range(arg, bounds) for arg in tree.args)
            if a.least > c.most or c.least > a.most:  # another number of dice
                return NEVER if tree.op == "==" else ALWAYS
        if tree.op == "in" and tree.args[0].type.kind == "number":
            return RULES["in"](*(self.range(arg, bounds) for arg in tree.args))
        return ANY_FLAG

    def _static_name_range(self, tree: Expr, bounds: Bounds) -> Interval:
        """Return the range of a parameter, constant, list or map."""
        return value_range(bounds.static[tree.value])

    def _variable_range(self, tree: Expr, bounds: Bounds) -> Interval:
        """Return the range of a variable, and report impossible indices."""
        known = bounds.variables[tree.value]
        least: Bound = 1
        most: Bound = 1
        for arg, items in zip(tree.args, bounds.members[tree.value], strict=True):
            index = self.range(arg, bounds)
            several = arg.type.kind == "list"
            least, most = (least * index.least, most * index.most) if several else (least, most)
            self._check_index(tree, arg, index, items)
        if tree.type.kind != "list":
            return known
        return Interval(known.low, known.high, least, most, (known.least, known.most))

    def _check_index(self, variable: Expr, index: Expr, index_range: Interval, valid_indices: tuple[Any, ...]) -> None:
        """Report an index that can never be valid. ``index_range``: its range. ``valid_indices``: the valid indices in
        its dimension.
        """
        numbers = [item for item in valid_indices if isinstance(item, int)]
        several = index.type.kind == "list"
        if (
            not numbers
            or (several and index_range.most == 0)
            or any(index_range.low <= item <= index_range.high for item in numbers)
        ):
            return
        shown = f"{min(numbers)}..{max(numbers)}" if len(numbers) > 1 else str(numbers[0])
        message = f"`{index.span.covered_text}` can never be an index of {variable.value}"
        self._report_problem("OD413", index, message, f"its indices are {shown}")

    def _seat_group_range(self, tree: Expr, bounds: Bounds) -> Interval:
        """Return the range of a group of seats."""
        least = {"table": bounds.seats, "everyone": bounds.least_in}.get(tree.op, 0)
        return Interval(0, bounds.seats - 1, least, bounds.seats - (tree.op == "others"))

    def _conditional_range(self, tree: Expr, bounds: Bounds) -> Interval:
        """Return the range of a conditional."""
        test = self.range(tree.args[0], bounds)
        if test == ALWAYS:
            return self.range(tree.args[1], self.narrow(tree.args[0], True, bounds))
        other = self.range(tree.args[2], self.narrow(tree.args[0], False, bounds))
        if test == NEVER:
            return other
        return self.range(tree.args[1], self.narrow(tree.args[0], True, bounds)).hull(other)

    def _list_range(self, tree: Expr, bounds: Bounds) -> Interval:
        """Return the range of a list of expressions."""
        items = [self.range(arg, bounds) for arg in tree.args]
        if not items:
            return ZERO
        found = hull(items)
        return Interval(found.low, found.high, len(items), len(items), (found.least, found.most))

    def _lookup_range(self, tree: Expr, bounds: Bounds) -> Interval:
        """Return the range of a map's value at a key, and report an impossible key."""
        key = self.range(tree.args[1], bounds)
        if tree.args[0].op == "local":  # what seats chose at once
            return self.range(tree.args[0], bounds)
        table = bounds.static[tree.args[0].value]
        fits = [value for at, value in table.items() if isinstance(at, str) or key.low <= at <= key.high]
        values = [value_range(value) for value in fits] + [self.range(arg, bounds) for arg in tree.args[2:]]
        if not values:
            words = tree.args[1].span.covered_text
            hint = f"its keys are {', '.join(map(str, table))}; or write lookup(map, key, otherwise)"
            self._report_problem("OD413", tree.args[1], f"`{words}` can never be a key of {tree.args[0].value}", hint)
            return UNKNOWN
        return hull(values)

    def _and_or_range(self, tree: Expr, bounds: Bounds) -> Interval:
        """Return the range of ``and`` or ``or``."""
        left = self.range(tree.args[0], bounds)
        if left == (NEVER if tree.op == "and" else ALWAYS):
            return left
        right = self.range(tree.args[1], self.narrow(tree.args[0], tree.op == "and", bounds))
        pick = min if tree.op == "and" else max
        return Interval(pick(left.low, right.low), pick(left.high, right.high))

    def _loop_range(self, tree: Expr, bounds: Bounds) -> Interval:
        """Return the range of a loop's list."""
        items = self.iterable_range(tree.args[0], bounds)
        if items.most == 0:
            return ZERO
        item = Interval(items.low, items.high, *items.inner)
        inner = bounds.with_local(tree.value[0], item)
        sure = items.least
        for test in tree.args[2:]:
            passed = self.range(test, inner)
            if passed == NEVER:
                return ZERO
            sure = sure if passed == ALWAYS else 0
            inner = self.narrow(test, True, inner)
        element = self.range(tree.args[1], inner)
        if tree.value[1] == "flat":
            return replace(element, least=sure * element.least, most=bound_product(items.most, element.most))
        return Interval(element.low, element.high, sure, items.most, (element.least, element.most))

    def _function_call_range(self, tree: Expr, bounds: Bounds) -> Interval:
        """Return the range of a function call, and report wrong ranks and long lists."""
        args = [self.range(arg, bounds) for arg in tree.args]
        if tree.value == "rank" and args[1].low > args[0].most:
            message = f"`{tree.span.covered_text}` asks for die {int(args[1].low)} of at most {args[0].most}"
            self._report_problem("OD413", tree.args[1], message, "rank counts from 1, the highest die first")
        reach = call_range(tree, args)
        if tree.value == "subsets" and args[0].most < inf:
            different = (args[0].high - args[0].low + 1) * bounds.kinds  # like dice are alike: fewer sub-hands
            reach = replace(reach, most=min(reach.most, int((args[0].most / different + 1) ** different) + 1))
        if tree.value in ("span", "subsets"):
            self._report_long_list(tree, reach)
        return reach

    def _narrow_uncached(self, test: Expr, truth: bool, bounds: Bounds) -> Bounds:
        """Return the bounds that hold if a test has the truth value ``truth``. It does what ``narrow`` does, without
        its cache.
        """
        if test.op == "not":
            return self.narrow(test.args[0], not truth, bounds)
        if test.op in ("and", "or"):
            if truth == (test.op == "and"):
                return self.narrow(test.args[1], truth, self.narrow(test.args[0], truth, bounds))
            return bounds
        if test.op == "const":
            return bounds
        known = dict(bounds.narrowed)
        known[test] = ALWAYS if truth else NEVER
        if test.op in OPPOSITE:
            known[replace(test, op=OPPOSITE[test.op])] = NEVER if truth else ALWAYS
        if test.op in OPPOSITE and test.args[0].type.kind in ("number", "exact"):
            op = test.op if truth else OPPOSITE[test.op]
            left, right = (self.range(arg, bounds) for arg in test.args)
            known.update(_implied_range(test.args[0], left, op, right))
            known.update(_implied_range(test.args[1], right, MIRROR[op], left))
        elif test.op == "in" and truth and test.args[0].type.kind == "number":
            item, items = (self.range(arg, bounds) for arg in test.args)
            known.update(
                _implied_range(test.args[0], item, ">=", items) | _implied_range(test.args[0], item, "<=", items)
            )
        return replace(bounds, narrowed=known)

    _special: ClassVar[dict[str, Callable[[RangeAnalyzer, Expr, Bounds], Interval]]] = {
        "const": lambda ranger, tree, b: value_range(tree.value),
        **dict.fromkeys(("parameter", "constant", "list", "map"), _static_name_range),
        "seats": lambda ranger, tree, b: Interval(b.seats, b.seats),
        "local": lambda ranger, tree, b: b.local.get(tree.value, UNKNOWN),
        "cell": lambda ranger, tree, b: b.cells.get(tree.value, UNKNOWN),
        **dict.fromkeys(("mover", "seat", "next", "previous"), lambda ranger, tree, b: Interval(0, b.seats - 1)),
        **dict.fromkeys(("everyone", "others", "table"), _seat_group_range),
        **dict.fromkeys(("and", "or"), _and_or_range),
        "state": _variable_range,
        "if": _conditional_range,
        "listed": _list_range,
        "lookup": _lookup_range,
        "each": _loop_range,
        "call": _function_call_range,
    }


def _implied_range(tree: Expr, tree_range: Interval, operator: str, other_range: Interval) -> dict[Expr, Interval]:
    """Return the range of a tree that follows from a comparison with another value, as a dictionary with the tree as
    its only key. It is empty if that range is not narrower than before.

    ``tree_range``: the range of the tree before. ``operator``: the operator, with the tree on its left.
    ``other_range``: the range of the other value.
    """
    if tree.op == "const":
        return {}
    low, high = tree_range.low, tree_range.high
    if operator in ("<", "<="):
        high = min(high, other_range.high - (operator == "<"))
    elif operator in (">", ">="):
        low = max(low, other_range.low + (operator == ">"))
    elif operator == "==":
        low, high = max(low, other_range.low), min(high, other_range.high)
    elif other_range.low == other_range.high:
        low, high = low + (other_range.low == low), high - (other_range.low == high)
    fresh = low <= high and (low, high) != (tree_range.low, tree_range.high)
    return {tree: replace(tree_range, low=low, high=high)} if fresh else {}


def _fixed_value(tree: Expr, bounds: Bounds) -> Any:
    """Return the value of a constant or a parameter; None for all other expressions."""
    if tree.op in ("parameter", "constant"):
        return bounds.static[tree.value]
    return tree.value if tree.op == "const" else None
