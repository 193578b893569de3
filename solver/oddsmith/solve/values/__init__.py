"""Finding best play and proving its values, component by component.

``ArenaSolver`` solves an ``Arena`` of states, rows and transitions. Floats propose a policy (``solve.arenas``), and
computations in whole numbers decide (``deciding``, and ``mixing`` for mixed play). ``bounds`` proves an interval for
every value. ``fractions`` finds exact values.
"""

from oddsmith.solve.values.arena_solver import ArenaSolver, binary_places_for_digits
from oddsmith.solve.values.bounds import ProvenBounds
from oddsmith.solve.values.mixing import Mixture, mixed_rows
from oddsmith.solve.values.policy_evaluation import policy_values, start_values

__all__ = [
    "ArenaSolver",
    "Mixture",
    "ProvenBounds",
    "binary_places_for_digits",
    "mixed_rows",
    "policy_values",
    "start_values",
]
