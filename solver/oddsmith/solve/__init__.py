"""From a game to its solution: what it is worth to every seat, what to do in every state, and how sure that is.

Begin with ``solve``, which returns a ``Solution``. ``search`` looks for best play in a graph. ``arenas`` holds games as
arrays and proposes policies in floats. ``values`` proves them, with arrays of exact ``numbers`` and the linear
``systems`` of policies. ``questions`` asks a solution for chances, distributions and lengths. ``parameter`` solves with
one number of the rules left open, ``staged`` solves games larger than memory, and ``extensive`` solves games with
secrets and choices made at once. ``estimates`` simulates a game that is too large for all that.
"""

from typing import TYPE_CHECKING

from oddsmith.base.lazy import lazy_getattr

if TYPE_CHECKING:
    from oddsmith.solve.estimates import GAMES, Estimate, EstimatedLength, EstimatedMean, estimate
    from oddsmith.solve.game_solver import Report, objective_of, solve, solve_without_policies, watched_entries
    from oddsmith.solve.numbers import TooLong
    from oddsmith.solve.policies import NamedPolicy, PolicyColumns, policy_rows, refuse_unseen_reads, rows_of_lines
    from oddsmith.solve.solution import Advice, PlayKind, Solution, loss_of, setting_json

__all__ = [
    "GAMES",
    "Advice",
    "Estimate",
    "EstimatedLength",
    "EstimatedMean",
    "NamedPolicy",
    "PlayKind",
    "PolicyColumns",
    "Report",
    "Solution",
    "TooLong",
    "estimate",
    "loss_of",
    "objective_of",
    "policy_rows",
    "refuse_unseen_reads",
    "rows_of_lines",
    "setting_json",
    "solve",
    "solve_without_policies",
    "watched_entries",
]

_HOMES = {
    "estimates": (
        "GAMES",
        "Estimate",
        "EstimatedLength",
        "EstimatedMean",
        "estimate",
    ),
    "game_solver": (
        "Report",
        "objective_of",
        "solve",
        "solve_without_policies",
        "watched_entries",
    ),
    "numbers": ("TooLong",),
    "policies": (
        "NamedPolicy",
        "PolicyColumns",
        "policy_rows",
        "refuse_unseen_reads",
        "rows_of_lines",
    ),
    "solution": (
        "Advice",
        "PlayKind",
        "Solution",
        "loss_of",
        "setting_json",
    ),
}
__getattr__ = lazy_getattr(__name__, {name: home for home, names in _HOMES.items() for name in names})
