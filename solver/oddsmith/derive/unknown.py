"""Values that stand for any value: rules that come to the same whatever such a cell holds may carry them about unseen.

Every way of looking at one raises Seen. So what was derived with such values in some cells is derived for every content
of those cells: the calculation was the same, step by step. (A value is the same as itself without being looked at,
which holds for every content too.)
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any, NoReturn

from oddsmith.errors import Signal


class Seen(Signal):
    """A rule looks at a cell that the state leaves out."""


class Unknown:
    """A value that nobody may look at; ``name``: the cell that holds it."""

    __slots__ = ("name",)

    def __init__(self, name: str) -> None:
        self.name = name

    def looked_at(self, *_: object) -> NoReturn:
        """What every operator does."""
        raise Seen(f"the rules look at {self.name}, which the state leaves out")


_ARITHMETIC = ("add", "sub", "mul", "truediv", "floordiv", "mod", "pow")
_OPERATORS = (
    *("eq", "ne", "lt", "le", "gt", "ge", *_ARITHMETIC, *(f"r{name}" for name in _ARITHMETIC), "neg", "abs"),
    *("bool", "hash", "iter", "len", "getitem", "contains", "index", "int", "float", "round"),
)
for _name in _OPERATORS:
    setattr(Unknown, f"__{_name}__", Unknown.looked_at)


class Amount(Unknown):
    """Unknown numbers, each times a fraction, and a known rest: it may be added to, and multiplied by what is known."""

    __slots__ = ("parts", "rest")

    def __init__(self, name: str, parts: Mapping[int, Fraction | int], rest: Fraction | int = 0) -> None:
        super().__init__(name)
        self.parts, self.rest = parts, rest

    def __add__(self, other: Any) -> Any:
        """The sum; a plain number where no unknown is left."""
        parts, rest = (other.parts, other.rest) if isinstance(other, Amount) else ({}, other)
        sums = {part: self.parts.get(part, 0) + parts.get(part, 0) for part in {**self.parts, **parts}}
        left = {part: times for part, times in sums.items() if times}
        return Amount(self.name, left, self.rest + rest) if left else self.rest + rest

    def __mul__(self, times: Any) -> Any:
        """The multiple; 0 for none."""
        if not times:
            return 0
        return Amount(self.name, {part: each * times for part, each in self.parts.items()}, self.rest * times)

    def __sub__(self, other: Any) -> Any:
        return self + other * -1

    def __rsub__(self, other: Any) -> Any:
        return self * -1 + other

    def __neg__(self) -> Any:
        return self * -1

    __radd__, __rmul__ = __add__, __mul__
