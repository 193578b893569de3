"""From a game to its solution: the value of the game for every seat, the best action in every state, and the proof.

Begin with ``solve``, which returns a ``Solution``. ``search`` looks for best play in a graph. ``arenas`` holds games as
arrays and proposes policies in floats. ``values`` proves these policies, with the arrays of exact ``numbers`` and with
the linear ``systems`` of policies. ``questions`` computes probabilities, distributions and lengths of games from a
solution. ``parameter`` solves a game as a function of one number in its rules. ``staged`` solves games larger than
memory. ``extensive`` solves games with hidden information and simultaneous choices. ``estimates`` simulates games that
are too large to be solved.
"""

from typing import TYPE_CHECKING

from oddsmith.base.lazy import lazy_getattr

if TYPE_CHECKING:
    from oddsmith.solve.estimates import DEFAULT_GAMES, Estimate, EstimatedLength, EstimatedMean, estimate
    from oddsmith.solve.game_solver import entries_in_questions, objective_name, solve, solve_with_all_seats_free
    from oddsmith.solve.looking_ahead import SmallerGameValues
    from oddsmith.solve.numbers import FractionTooLong
    from oddsmith.solve.policies import (
        NamedPolicy,
        PolicyLineEvaluator,
        policy_rows,
        refuse_reads_of_unseen,
        rows_of_policy,
    )
    from oddsmith.solve.solution import Advice, PlayKind, Solution, loss_of, setting_json

__all__ = [
    "DEFAULT_GAMES",
    "Advice",
    "Estimate",
    "EstimatedLength",
    "EstimatedMean",
    "FractionTooLong",
    "NamedPolicy",
    "PlayKind",
    "PolicyLineEvaluator",
    "SmallerGameValues",
    "Solution",
    "entries_in_questions",
    "estimate",
    "loss_of",
    "objective_name",
    "policy_rows",
    "refuse_reads_of_unseen",
    "rows_of_policy",
    "setting_json",
    "solve",
    "solve_with_all_seats_free",
]

_HOMES = {
    "estimates": (
        "DEFAULT_GAMES",
        "Estimate",
        "EstimatedLength",
        "EstimatedMean",
        "estimate",
    ),
    "game_solver": (
        "objective_name",
        "solve",
        "solve_with_all_seats_free",
        "entries_in_questions",
    ),
    "looking_ahead": ("SmallerGameValues",),
    "numbers": ("FractionTooLong",),
    "policies": (
        "NamedPolicy",
        "PolicyLineEvaluator",
        "policy_rows",
        "refuse_reads_of_unseen",
        "rows_of_policy",
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
