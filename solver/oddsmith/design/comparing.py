"""Compares two solved games."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from oddsmith.api import SolvedGame
    from oddsmith.report.policy import Difference


def diff(before: SolvedGame, after: SolvedGame) -> Difference:
    """Compare two solved games: rules, values, lengths, and the positions in which another action is now best.

    ``loyal_value`` is the value of seat 1 in the second game if it alone still plays by the best play of the first
    game, in all positions for which that play has an action. For games with secrets, only rules, values and lengths are
    compared.

    >>> book = oddsmith.load("rogues-gambit")
    >>> oddsmith.diff(book.at(seats=2).solve(), book.at(seats=3).solve()).choices[0].worse_count
    30
    """
    from oddsmith.report.policy import solution_difference, solution_difference_without_decisions

    if "secrets" in (before.method, after.method):
        from oddsmith.api import SecretGame

        found = [each.secret_solution if isinstance(each, SecretGame) else each.solution for each in (before, after)]
        return solution_difference_without_decisions(*found)
    return solution_difference(before.solution, after.solution)
