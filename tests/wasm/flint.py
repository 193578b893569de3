"""A stand-in for the part of python-flint that solving takes, for an interpreter that has no wheel of it."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import gcd
from typing import Any


class fmpz(int):  # noqa: N801 - the names are those of the library
    """A whole number. What is computed from it is one of these again."""

    def gcd(self, other: int) -> fmpz:
        return fmpz(gcd(self, other))

    def lcm(self, other: int) -> fmpz:
        return fmpz(self * other // (gcd(self, other) or 1))

    def factor(self) -> list[tuple[fmpz, int]]:
        found, left, prime = [], int(self), 2
        while left > 1:
            if prime * prime > left:
                prime = left
            count = 0
            while left % prime == 0:
                left, count = left // prime, count + 1
            if count:
                found.append((fmpz(prime), count))
            prime += 1
        return found


class fmpq(Fraction):  # noqa: N801
    """A fraction. What is computed from it is one of these again."""

    def __new__(cls, top: Any = 0, bottom: Any = 1) -> fmpq:
        return super().__new__(cls, Fraction(top) / Fraction(bottom))

    @property
    def p(self) -> fmpz:
        return fmpz(self.numerator)

    @property
    def q(self) -> fmpz:
        return fmpz(self.denominator)

    def numer(self) -> fmpz:
        return self.p

    def denom(self) -> fmpz:
        return self.q


def _closed(kind: type, base: type, made: type) -> None:
    """Let the operations of a class give members of it."""
    names = ["add", "sub", "mul", "floordiv", "mod", "truediv", "pow", "lshift", "rshift", "and", "or", "neg", "abs"]
    for name in [f"__{side}{each}__" for each in names for side in ("", "r")]:
        original = getattr(base, name, None)
        if original is None:
            continue

        def operate(*values: Any, _original: Any = original) -> Any:
            found = _original(*values)
            return made(found) if isinstance(found, base) else found

        setattr(kind, name, operate)


_closed(fmpz, int, fmpz)
_closed(fmpq, Fraction, fmpq)
fmpq.__hash__ = Fraction.__hash__  # type: ignore[method-assign]


class fmpq_mat:  # noqa: N801
    """A matrix of fractions."""

    def __init__(self, rows: Any, columns: int = 0, entries: Sequence[Any] = ()) -> None:
        listed = rows if isinstance(rows, list) else [entries[i * columns : (i + 1) * columns] for i in range(rows)]
        self.rows = [[fmpq(each) for each in row] for row in listed]

    def tolist(self) -> list[list[fmpq]]:
        return self.rows

    def entries(self) -> list[fmpq]:
        return [each for row in self.rows for each in row]

    def __mul__(self, other: fmpq_mat) -> fmpq_mat:
        columns = list(zip(*other.rows, strict=True))
        sums = [[sum(x * y for x, y in zip(row, column, strict=True)) for column in columns] for row in self.rows]
        return fmpq_mat(sums)

    def inv(self) -> fmpq_mat:
        size = len(self.rows)
        work: list[list[Any]] = [[*row, *(fmpq(int(i == j)) for j in range(size))] for i, row in enumerate(self.rows)]
        for i in range(size):
            pivot = next(k for k in range(i, size) if work[k][i])
            work[i], work[pivot] = work[pivot], work[i]
            work[i] = [each / work[i][i] for each in work[i]]
            for k in range(size):
                if k != i and work[k][i]:
                    work[k] = [x - work[k][i] * y for x, y in zip(work[k], work[i], strict=True)]
        return fmpq_mat([row[size:] for row in work])


class fmpz_poly:  # noqa: N801
    """Named by modules that solving imports, and not used by it."""


class fmpq_poly:  # noqa: N801
    """A matrix modulo a number, for the same games."""


class arb:  # noqa: N801
    """The same: mixed play alone takes balls."""


class arb_mat:  # noqa: N801
    """A matrix modulo a number, for the same games."""


ctx = None


class fmpz_mat:  # noqa: N801
    """A matrix that only games with secrets take, which are not solved in a browser: there is no other use for it here."""


class nmod_mat:  # noqa: N801
    """A matrix modulo a number, for the same games."""
