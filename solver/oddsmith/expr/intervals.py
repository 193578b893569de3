"""Interval arithmetic for the operators and functions of the language."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import ceil, comb, floor, inf
from typing import Any

from oddsmith.expr.tree import Expr

Bound = int | float  # whole numbers, or plus and minus infinity


@dataclass(frozen=True, slots=True)
class Interval:
    """Bounds of a value. For a number, they bound the number; a flag counts as 0 or 1. For a list or hand, they bound
    its items or faces, and its size.

    ``low``, ``high``: bounds of the number, or of each item. ``least``, ``most``: bounds of the size. ``inner``: if
    items are hands or lists, bounds of their sizes.
    """

    low: Bound
    high: Bound
    least: Bound = 0
    most: Bound = 0
    inner: tuple[Bound, Bound] = (0, 0)

    def hull(self, other: Interval) -> Interval:
        """Return the smallest interval that contains this interval and ``other``."""
        return Interval(
            min(self.low, other.low),
            max(self.high, other.high),
            min(self.least, other.least),
            max(self.most, other.most),
            (min(self.inner[0], other.inner[0]), max(self.inner[1], other.inner[1])),
        )


ANY_FLAG, ALWAYS, NEVER = Interval(0, 1), Interval(1, 1), Interval(0, 0)
UNKNOWN = Interval(-inf, inf, 0, inf)
ZERO = Interval(0, 0)


def value_range(value: Any) -> Interval:
    """Return the range of a plain value.

    The range of an integer or a flag is this value alone. The range of a tuple bounds its items and its size. The range
    of any other value is UNKNOWN.
    """
    if isinstance(value, tuple):
        items = [item for item in value if isinstance(item, int)]
        if len(items) < len(value):
            return Interval(-inf, inf, len(value), len(value))
        return Interval(min(items, default=0), max(items, default=0), len(items), len(items))
    return Interval(int(value), int(value)) if isinstance(value, int) else UNKNOWN


def _are_surely_equal(a: Interval, b: Interval) -> bool:
    """Return whether both intervals contain only one value, which is the same."""
    return a.low == a.high == b.low == b.high


def _are_surely_unequal(a: Interval, b: Interval) -> bool:
    """Return whether two intervals have no value in common."""
    return a.high < b.low or a.low > b.high


def _comparison_rule(
    always_holds: Callable[[Interval, Interval], bool], never_holds: Callable[[Interval, Interval], bool]
) -> Callable[..., Interval]:
    """Return a function from the ranges of two values to the range of the truth value of a comparison.

    ``always_holds``: tells whether the comparison holds for all values of two ranges. ``never_holds``: tells whether it
    holds for none.
    """
    return lambda a, b: ALWAYS if always_holds(a, b) else NEVER if never_holds(a, b) else ANY_FLAG


def bound_product(a: Bound, b: Bound) -> Bound:
    """Return the product of two bounds. 0 times infinity is 0."""
    return 0 if 0 in (a, b) else a * b  # nothing, however often; Python's 0 * inf is no number


def _product_range(a: Interval, b: Interval) -> Interval:
    """Return the range of a product."""
    ends = [bound_product(x, y) for x in (a.low, a.high) for y in (b.low, b.high)]
    return Interval(min(ends), max(ends))


def _floor_quotient_range(a: Interval, b: Interval) -> Interval:
    """Return the range of a quotient rounded down."""
    if inf in (a.high, -a.low, b.high, -b.low):
        return UNKNOWN
    ends = [x // y for x in (a.low, a.high) for y in (b.low, b.high)]
    return Interval(min(ends), max(ends))


def _quotient_range(a: Interval, b: Interval) -> Interval:
    """Return the range of an exact quotient, with its bounds rounded outward to whole numbers."""
    if inf in (a.high, -a.low, b.high, -b.low):
        return UNKNOWN
    ends = [Fraction(x) / Fraction(y) for x in (a.low, a.high) for y in (b.low, b.high)]
    return Interval(floor(min(ends)), ceil(max(ends)))


def division_range_except_by_0(op: str, a: Interval, b: Interval) -> Interval:
    """Return the range of a division (``//``, ``/`` or ``%``) over all divisors in ``b`` other than 0.

    The caller reports that the divisor may be 0.
    """
    if op == "/":
        return UNKNOWN
    if op == "%":
        return Interval(min(b.low, 0), max(b.high, 0))
    if b.low >= 0:
        return Interval(min(a.low, 0), max(a.high, 0))
    end = max(abs(a.low), abs(a.high))
    return Interval(-end, end)


def _remainder_range(a: Interval, b: Interval) -> Interval:
    """Return the range of a remainder."""
    if a.low >= 0 and a.high < b.low:
        return a
    return Interval(0, b.high - 1) if b.low > 0 else Interval(b.low + 1, 0)


def hand_operation_range(op: str, a: Interval, b: Interval) -> Interval:
    """Return the range of the sum of two hands (``+``), or of the first hand without the dice of the second (``-``)."""
    if op == "-":
        return Interval(a.low, a.high, max(0, a.least - b.most), max(0, a.most - b.least))
    faces = a if b.most == 0 else b if a.most == 0 else a.hull(b)
    return Interval(faces.low, faces.high, a.least + b.least, a.most + b.most)


RULES: dict[str, Callable[..., Interval]] = {
    "+": lambda a, b: Interval(a.low + b.low, a.high + b.high),
    "-": lambda a, b: Interval(a.low - b.high, a.high - b.low),
    "neg": lambda a: Interval(-a.high, -a.low),
    "*": _product_range,
    "//": _floor_quotient_range,
    "/": _quotient_range,
    "%": _remainder_range,
    "not": lambda a: Interval(1 - a.high, 1 - a.low),
    "<": _comparison_rule(lambda a, b: a.high < b.low, lambda a, b: a.low >= b.high),
    "<=": _comparison_rule(lambda a, b: a.high <= b.low, lambda a, b: a.low > b.high),
    ">": _comparison_rule(lambda a, b: a.low > b.high, lambda a, b: a.high <= b.low),
    ">=": _comparison_rule(lambda a, b: a.low >= b.high, lambda a, b: a.high < b.low),
    "==": _comparison_rule(_are_surely_equal, _are_surely_unequal),
    "!=": _comparison_rule(_are_surely_unequal, _are_surely_equal),
    "in": lambda a, b: NEVER if b.most == 0 or _are_surely_unequal(a, b) else ANY_FLAG,
    "face": lambda a: Interval(a.low, a.high),
}


def hull(ranges: Sequence[Interval]) -> Interval:
    """Return the smallest interval that contains one or more intervals."""
    found = ranges[0]
    for other in ranges[1:]:
        found = found.hull(other)
    return found


_Rule = Callable[[Expr, Sequence[Interval]], Interval]


def call_range(tree: Expr, argument_ranges: Sequence[Interval]) -> Interval:
    """Return the range of a function call. ``argument_ranges``: the ranges of the arguments."""
    return _CALLS[tree.value](tree, argument_ranges)


def _min_or_max_rule(python_function: Callable[[Iterable[Bound]], Bound]) -> _Rule:
    """Return the rule for the range of ``min`` or ``max``. ``python_function``: Python's function."""

    def rule(tree: Expr, argument_ranges: Sequence[Interval]) -> Interval:
        if tree.args[0].type.kind in ("list", "hand"):
            # The default counts where nothing is there.
            items = hull(argument_ranges) if argument_ranges[0].least == 0 else argument_ranges[0]
            return Interval(items.low, items.high)
        return Interval(
            python_function(arg.low for arg in argument_ranges), python_function(arg.high for arg in argument_ranges)
        )

    return rule


def _rule_of_argument_ranges(range_function: Callable[..., Interval]) -> _Rule:
    """Return the rule of a function whose range depends only on the ranges of its arguments. ``range_function``: gives
    it from these.
    """
    return lambda tree, args: range_function(*args)


def _sum_range(items: Interval) -> Interval:
    """Return the range of the sum of a list or hand."""
    ends = [bound_product(end, size) for end in (items.low, items.high) for size in (items.least, items.most)]
    return Interval(min(ends), max(ends))


def _abs_range(a: Interval) -> Interval:
    """Return the range of an absolute value."""
    low = 0 if a.low <= 0 <= a.high else min(abs(a.low), abs(a.high))
    return Interval(low, max(abs(a.low), abs(a.high)))


def _span_range(a: Interval, b: Interval) -> Interval:
    """Return the range of the list from one number to another."""
    return Interval(a.low, b.high, max(0, b.low - a.high + 1), max(0, b.high - a.low + 1))


def _subsets_range(hand: Interval, size: Interval | None = None) -> Interval:
    """Return the range of the list of a hand's sub-hands: bounds of their faces, of their number, and of their sizes.

    ``size``: the range of the sizes of the sub-hands in the list; None for all sizes.
    """
    most = int(min(hand.most, 64))  # 2^64 is far beyond any length that is allowed
    if size is None:
        return Interval(hand.low, hand.high, 1, 2**most, (0, hand.most))
    count = max((comb(most, k) for k in range(most + 1) if size.low <= k <= size.high), default=0)
    least = int(size.low == size.high and 0 <= size.low <= hand.least)
    return Interval(hand.low, hand.high, least, count, (max(0, size.low), min(size.high, hand.most)))


_CALLS: Mapping[str, _Rule] = {
    "sum": _rule_of_argument_ranges(_sum_range),
    "abs": _rule_of_argument_ranges(_abs_range),
    "span": _rule_of_argument_ranges(_span_range),
    "subsets": _rule_of_argument_ranges(_subsets_range),
    "min": _min_or_max_rule(min),
    "max": _min_or_max_rule(max),
    "size": _rule_of_argument_ranges(lambda items: Interval(items.least, items.most)),
    "count": _rule_of_argument_ranges(lambda items, item=None: Interval(0, items.most)),
    "sorted": _rule_of_argument_ranges(lambda items: items),
    "distinct": _rule_of_argument_ranges(lambda items: replace(items, least=min(items.least, 1))),
    "rank": _rule_of_argument_ranges(lambda hand, i: Interval(hand.low, hand.high)),
    "share": _rule_of_argument_ranges(lambda value: Interval(0, 1)),
    **dict.fromkeys(("all_equal", "any", "all", "has_run"), lambda tree, args: ANY_FLAG),
}
