"""The functions of the language: the types of the arguments and of the result of each, and how it is computed on plain
values.

Plain values are int, bool, str for words, int for seats, a :data:`~oddsmith.base.dice.Hand` for hands, tuple for lists,
and Fraction in payoffs. If an argument is a loop, its value is a list like any other.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from oddsmith.base.dice import Hand, sub_hands
from oddsmith.base.errors import RuleFailure, Signal
from oddsmith.base.limits import hint_to_raise_limit, limits
from oddsmith.expr.tree import EXACT, FLAG, HAND, NUMBER, Type, list_of


class ArgumentTypeMismatch(Signal):
    """Raised if an argument has the wrong type.

    ``argument_index``: the index of the argument. ``expected_type``: the allowed types in words.
    """

    def __init__(self, argument_index: int, expected_type: str) -> None:
        super().__init__(expected_type)
        self.argument_index, self.expected_type = argument_index, expected_type


@dataclass(frozen=True, slots=True)
class Function:
    """A function of the language.

    ``signature``: how it is called, as text for people. ``least``, ``most``: the smallest and the largest number of
    arguments. ``result_type``: gives the type of the result for the types of the arguments, or raises
    ArgumentTypeMismatch. ``compute``: the function on plain values. ``default``: whether it takes the argument
    ``default=``, the result for an empty list.
    """

    signature: str
    least: int
    most: int
    result_type: Callable[[list[Type]], Type]
    compute: Callable[..., Any]
    default: bool = False


def _item_type(argument_types: list[Type], index: int = 0, *item_kinds: str) -> Type:
    """Return the type of the items of the argument with the index ``index``, which must be a list or a hand.

    ``argument_types``: the types of all arguments. ``item_kinds``: the allowed kinds of items; if none is given, all
    are allowed. Raises ArgumentTypeMismatch for any other argument.
    """
    found = argument_types[index]
    item = NUMBER if found.kind == "hand" else found.item if found.kind == "list" else None
    if found.kind not in ("hand", "list") or (item is not None and item_kinds and item.kind not in item_kinds):
        raise ArgumentTypeMismatch(
            index, f"a list of {' or '.join(item_kinds) or 'item'}s" + (" or a hand" if "number" in item_kinds else "")
        )
    return item or NUMBER


def _require_type(argument_types: list[Type], index: int, *expected: Type) -> None:
    """Raise ArgumentTypeMismatch unless the argument with the index ``index`` has one of the expected types."""
    if not any(kind.accepts(argument_types[index]) for kind in expected):
        raise ArgumentTypeMismatch(index, " or ".join(f"a {kind}" for kind in expected))


def _sum_type(argument_types: list[Type]) -> Type:
    """Return the result type of ``sum``: the type of the items. Raises ArgumentTypeMismatch unless they are numbers."""
    return _item_type(argument_types, 0, "number", "exact")


def _min_or_max_type(argument_types: list[Type]) -> Type:
    """Return the result type of ``min`` and ``max``, of one list of numbers or of several numbers. Raises
    ArgumentTypeMismatch for other types.
    """
    if len(argument_types) == 1:
        return _sum_type(argument_types)
    for at in range(len(argument_types)):
        _require_type(argument_types, at, NUMBER, EXACT)
    return EXACT if EXACT in argument_types else NUMBER


def _abs_type(argument_types: list[Type]) -> Type:
    """Return the result type of ``abs``: the type of its argument. Raises ArgumentTypeMismatch unless it is a number."""
    _require_type(argument_types, 0, NUMBER, EXACT)
    return argument_types[0]


def _count_type(argument_types: list[Type]) -> Type:
    """Return the result type of ``count``, a whole number. Raises ArgumentTypeMismatch if the arguments do not fit.

    With one argument, it counts the true flags of a list; with two, how often an item occurs in a list or a face in a
    hand.
    """
    if len(argument_types) == 1:
        _item_type(argument_types, 0, "flag")
    elif argument_types[0].kind == "hand":
        _require_type(argument_types, 1, NUMBER)
    else:
        _require_type(argument_types, 1, _item_type(argument_types))
    return NUMBER


def _typing_of_list_function(result_type: Type | None) -> Callable[[list[Type]], Type]:
    """Return the typing rule of a function of one list. ``result_type``: its result type; None for the type of the
    list.
    """

    def result_type_of(argument_types: list[Type]) -> Type:
        item = _item_type(argument_types)
        return list_of(item) if result_type is None else result_type

    return result_type_of


def _sorted_type(argument_types: list[Type]) -> Type:
    """Return the result type of ``sorted`` and ``distinct``: a list of numbers. Raises ArgumentTypeMismatch unless the
    items are numbers.
    """
    return list_of(_item_type(argument_types, 0, "number"))


def _any_or_all_type(argument_types: list[Type]) -> Type:
    """Return the result type of ``any`` and ``all``, a flag. Raises ArgumentTypeMismatch unless the argument is a list
    of flags.
    """
    _item_type(argument_types, 0, "flag")
    return FLAG


def _span_type(argument_types: list[Type]) -> Type:
    """Return the result type of ``span``, a list of numbers. Raises ArgumentTypeMismatch unless both arguments are
    numbers.
    """
    _require_type(argument_types, 0, NUMBER)
    _require_type(argument_types, 1, NUMBER)
    return list_of(NUMBER)


def _subsets_type(argument_types: list[Type]) -> Type:
    """Return the result type of ``sub_hands``, a list of hands. Raises ArgumentTypeMismatch unless it gets a hand and perhaps a
    number.
    """
    _require_type(argument_types, 0, HAND)
    if len(argument_types) > 1:
        _require_type(argument_types, 1, NUMBER)
    return list_of(HAND)


def _typing_of_list_and_number(result_type: Type) -> Callable[[list[Type]], Type]:
    """Return the typing rule of a function of a list of numbers and a number. ``result_type``: its result type."""

    def result_type_of(argument_types: list[Type]) -> Type:
        _item_type(argument_types, 0, "number")
        _require_type(argument_types, 1, NUMBER)
        return result_type

    return result_type_of


def _type_of_share_call(argument_types: list[Type]) -> Type:
    """Return the result type of ``share``, an exact number. Raises ArgumentTypeMismatch unless the argument is a
    number.
    """
    _require_type(argument_types, 0, NUMBER, EXACT)
    return EXACT


def checked_division(divide: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    """Return a division that raises RuleFailure if the divisor is 0. ``divide``: the division itself, of two numbers."""

    def divide_checked(a: Any, b: Any) -> Any:
        if b == 0:
            raise division_by_0_failure()
        return divide(a, b)

    return divide_checked


def division_by_0_failure() -> RuleFailure:
    """Return the RuleFailure signal for a divisor of 0."""
    return RuleFailure("OD411", "a division by 0", "test first that the divisor is not 0")


def items_or_faces(value: Any) -> tuple[Any, ...]:
    """Return the items of a list, or the faces of a hand, as a tuple."""
    return value.faces if isinstance(value, Hand) else tuple(value)


def _min_or_max_function(python_function: Callable[..., Any], name: str) -> Callable[..., Any]:
    """Return the function ``min`` or ``max`` of the language. It raises RuleFailure for an empty list without a
    default.

    ``python_function``: Python's function. ``name``: its name.
    """

    def compute(*values: Any, default: Any = None) -> Any:
        items = items_or_faces(values[0]) if len(values) == 1 else values
        if not items:
            if default is None:
                raise RuleFailure("OD501", f"{name} of nothing", f"give a value for that case: {name}(..., default=0)")
            return default
        return python_function(items)

    return compute


def _count_of(values: Any, *item: Any) -> int:
    """Return how often an item is in a list or hand; without an item, the number of true flags."""
    return items_or_faces(values).count(item[0]) if item else sum(bool(value) for value in values)


def _numbers_from_to(low: int, high: int) -> tuple[int, ...]:
    """Return the whole numbers from ``low`` to ``high``, both included. Raises RuleFailure if there are too many."""
    refuse_too_long_list(high - low + 1, f"the list {low}, {low + 1}, ..., {high}")
    return tuple(range(low, high + 1))


def refuse_too_long_list(length: int, list_in_words: str) -> None:
    """Raise RuleFailure if a list, or the list of all combinations of loop values, is too long.

    ``length``: its length. ``list_in_words``: the list in words.
    """
    if length > limits().items:
        raise RuleFailure(
            "OD421",
            f"{list_in_words} has over {limits().items:,} items",
            f"let it end sooner, {hint_to_raise_limit('items')}",
        )


def refuse_too_many_rounds(loop_rounds: int) -> None:
    """Raise RuleFailure if the loops of one expression have made too many rounds."""
    if loop_rounds > limits().rounds:
        message = f"loops inside loops take over {limits().rounds:,} rounds here"
        raise RuleFailure(
            "OD507",
            message,
            f"loop over fewer items, or over one list after the other, {hint_to_raise_limit('rounds')}",
        )


def _ith_largest(values: Any, i: int) -> Any:
    """Return the ``i``-th largest item or face, counted from 1. Raises RuleFailure if there is none."""
    faces = sorted(items_or_faces(values))
    if not 1 <= i <= len(faces):
        if isinstance(values, Hand):
            raise RuleFailure("OD502", f"rank {i} of a hand of {len(faces)} dice", "test size(hand) first")
        raise RuleFailure("OD502", f"rank {i} of a list of {len(faces)} items", "test its size first")
    return faces[-i]


def _has_run(values: Any, run_length: int) -> bool:
    """Return whether the values contain ``run_length`` consecutive numbers."""
    found = set(items_or_faces(values))
    return any(all(start + step in found for step in range(run_length)) for start in found) or run_length <= 0


def hand_without(hand: Hand, removed: Hand) -> Hand:
    """Return a hand without the dice of another hand, ``removed``. Raises RuleFailure if the hand lacks one of these
    dice.
    """
    left = list(hand)
    for die in removed:
        if die not in left:
            message = f"a hand without a {die[0]} cannot give one away"
            raise RuleFailure("OD503", message, "test that the dice are there first")
        left.remove(die)
    return Hand(left)


def look_up(table: dict[Any, Any], key: Any, *otherwise: Any) -> Any:
    """Return the value of a map at a key. If the key is missing, return ``otherwise``.

    Raises RuleFailure if the key is missing and ``otherwise`` is not given.
    """
    if key in table:
        return table[key]
    if otherwise:
        return otherwise[0]
    raise RuleFailure("OD504", f"the map has no entry for {key}", "use lookup(map, key, otherwise)")


FUNCTIONS: dict[str, Function] = {
    "sum": Function("sum(list)", 1, 1, _sum_type, lambda values: sum(items_or_faces(values))),
    "min": Function("min(list) or min(a, b, ...)", 1, 99, _min_or_max_type, _min_or_max_function(min, "min"), True),
    "max": Function("max(list) or max(a, b, ...)", 1, 99, _min_or_max_type, _min_or_max_function(max, "max"), True),
    "abs": Function("abs(number)", 1, 1, _abs_type, abs),
    "size": Function("size(list)", 1, 1, _typing_of_list_function(NUMBER), len),
    "sorted": Function("sorted(list)", 1, 1, _sorted_type, lambda values: tuple(sorted(items_or_faces(values)))),
    "distinct": Function(
        "distinct(list)", 1, 1, _sorted_type, lambda values: tuple(sorted(set(items_or_faces(values))))
    ),
    "all_equal": Function(
        "all_equal(list)", 1, 1, _typing_of_list_function(FLAG), lambda values: len(set(items_or_faces(values))) <= 1
    ),
    "any": Function("any(flags)", 1, 1, _any_or_all_type, any),
    "all": Function("all(flags)", 1, 1, _any_or_all_type, all),
    "count": Function("count(list, item) or count(flags)", 1, 2, _count_type, _count_of),
    "span": Function("span(first, last)", 2, 2, _span_type, _numbers_from_to),
    "rank": Function("rank(list, i)", 2, 2, _typing_of_list_and_number(NUMBER), _ith_largest),
    "subsets": Function("subsets(hand) or subsets(hand, k)", 1, 2, _subsets_type, sub_hands),
    "has_run": Function("has_run(list, k)", 2, 2, _typing_of_list_and_number(FLAG), _has_run),
    "share": Function("share(number)", 1, 1, _type_of_share_call, Fraction),
}
"""The functions by name. ``evaluation`` computes ``share``, which depends on all seats; ``lookup`` is an operator."""
