"""Fractions over one denominator, for all seats of a state at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from flint import fmpq, fmpq_mat, fmpz

from oddsmith.errors import Signal

MAX_BITS = 4_000_000  # of a denominator, some 1.2 million digits


class TooLong(Signal):
    """The fraction would be longer than the budget, or its system larger."""


class Dear(TooLong):
    """The fraction would take longer than somebody is ready to wait."""

    def __init__(self) -> None:
        super().__init__("the fraction takes longer than the solution")


@dataclass(frozen=True, slots=True)
class Shared:
    """The values of one state, per seat, over one denominator."""

    tops: tuple[fmpz, ...]
    bottom: fmpz

    @property
    def alike(self) -> bool:
        """Whether all seats are known to get the same: then they have one number between them."""
        return all(top is self.tops[0] for top in self.tops)

    def fraction(self, seat: int) -> Fraction:
        """One seat's value."""
        return Fraction(int(self.tops[seat]), int(self.bottom))


def inverse(matrix: list[list[fmpq]]) -> tuple[list[list[fmpz]], fmpz]:
    """The inverse of a matrix, in whole numbers over one denominator."""
    entries = fmpq_mat(matrix).inv().tolist()
    bottom = lcm([value.q for row in entries for value in row])
    return [[value.p * (bottom // value.q) for value in row] for row in entries], bottom


def lcm(numbers: Sequence[fmpz]) -> fmpz:
    """The least common multiple."""
    common = fmpz(1)
    for number in dict.fromkeys(numbers):
        common = common * (number // common.gcd(number))
    return common


def reduced(tops: tuple[fmpz, ...], bottom: fmpz) -> Shared:
    """Values in lowest terms together. Raises TooLong."""
    shared, different = bottom, list(tops)
    if all(top == tops[0] for top in tops):
        del different[1:]
    for top in different:
        shared = shared.gcd(top)
        if shared == 1:
            break
    if bottom.bit_length() > MAX_BITS:
        raise TooLong(f"a denominator of {bottom.bit_length():,} bits")
    lowest = tuple(top // shared for top in different)
    return Shared(lowest * (len(tops) // len(lowest)), bottom // shared)
