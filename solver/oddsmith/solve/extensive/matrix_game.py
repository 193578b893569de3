"""Solving a matrix game in whole numbers: its value, and a mixed action for each player that secures the value.

All entries are made positive. The column player then looks for weights y with the largest sum such that A y <= 1, and
the row player for weights x with the least sum such that x A >= 1 (Dantzig 1951). The simplex method with whole numbers
and one common denominator (Edmonds 1967; Bland's rule prevents cycling) finds both at the same time: the weights of the
row player are in the last line of the tableau, in the slack columns.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import lcm

Row = Sequence[Fraction]


def matrix_game(matrix: Sequence[Row]) -> tuple[Fraction, list[Fraction], list[Fraction]]:
    """Return the value to the row player, and the mixed actions of the row player and of the column player.

    ``matrix``: the payoffs to the row player, with at least one row and one column.
    """
    if saddle := _saddle_point(matrix):
        return saddle
    scale = lcm(*(entry.denominator for row in matrix for entry in row))
    whole = [[int(entry * scale) for entry in row] for row in matrix]
    shift = 1 - min(map(min, whole))
    rows, columns = len(whole), len(whole[0])
    # A tableau over one denominator: the columns, a slack for each row, the right side; the aim is the last line.
    table = [
        [*(entry + shift for entry in row), *(int(place == number) for place in range(rows)), 1]
        for number, row in enumerate(whole)
    ]
    table.append([-1] * columns + [0] * (rows + 1))
    basis, below = list(range(columns, columns + rows)), 1
    while (entering := next((place for place in range(columns + rows) if table[-1][place] < 0), None)) is not None:
        leaving = _leaving_row(table, basis, entering)
        below = _pivot(table, leaving, entering, below)
        basis[leaving] = entering
    total = Fraction(table[-1][-1], below)
    weights = [Fraction(0)] * (columns + rows)
    for number, place in enumerate(basis):
        weights[place] = Fraction(table[number][-1], below)
    own = [Fraction(table[-1][columns + number], below) / total for number in range(rows)]
    return (1 / total - shift) / scale, own, [weight / total for weight in weights[:columns]]


def _saddle_point(matrix: Sequence[Row]) -> tuple[Fraction, list[Fraction], list[Fraction]] | None:
    """Return the value and the pure actions of a saddle point, as weights; None if there is no saddle point."""
    lowest = [min(row) for row in matrix]
    highest = [max(column) for column in zip(*matrix, strict=True)]
    value = max(lowest)
    if value != min(highest):
        return None
    row, column = lowest.index(value), highest.index(value)
    own = [Fraction(int(place == row)) for place in range(len(lowest))]
    return value, own, [Fraction(int(place == column)) for place in range(len(highest))]


def _leaving_row(table: Sequence[Sequence[int]], basis: Sequence[int], entering: int) -> int:
    """Return the row of the variable that leaves the basis: the one that first falls to 0 as the entering variable
    grows.

    If there are several, it is the variable with the lowest number.
    """
    found, best = -1, Fraction(0)
    for number in range(len(basis)):
        if table[number][entering] > 0:
            ratio = Fraction(table[number][-1], table[number][entering])
            if found < 0 or (ratio, basis[number]) < (best, basis[found]):
                found, best = number, ratio
    return found


def _pivot(table: list[list[int]], row: int, column: int, below: int) -> int:
    """Exchange a variable of the basis in place, and return the new denominator.

    ``below``: the old denominator; divisions by it leave no remainder.
    """
    pivot, kept = table[row][column], table[row]
    for number, line in enumerate(table):
        if number != row:
            factor = line[column]
            table[number] = [(value * pivot - factor * other) // below for value, other in zip(line, kept, strict=True)]
    return pivot
