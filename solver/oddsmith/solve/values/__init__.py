"""Finding best play and proving its values, component by component.

``ArenaSolver`` takes an ``Arena`` of states, actions and transitions. Floating point proposes a policy
(``solve.arenas``); whole numbers decide (``deciding``, and ``mixing`` for mixed play). ``bounds`` proves an interval
for every value, ``fractions`` finds the exact values.
"""

from oddsmith.solve.values.arena_solver import ArenaSolver, precision_of
from oddsmith.solve.values.bounds import ProvenBounds
from oddsmith.solve.values.mixing import Mixture, mixed_rows
from oddsmith.solve.values.policy_evaluation import policy_values, start_values

__all__ = ["ArenaSolver", "Mixture", "ProvenBounds", "mixed_rows", "policy_values", "precision_of", "start_values"]
