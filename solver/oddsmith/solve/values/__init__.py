"""Finding best play and proving its values, component by component.

``Solver`` takes an ``Arena`` of states, actions and transitions. Floating point proposes a policy (``solve.arenas``,
``mixing``); whole numbers decide. ``bounds`` proves an interval for every value, ``exactly`` finds the
fractions themselves.
"""

from oddsmith.solve.values.arena_solver import Solver, precision_of
from oddsmith.solve.values.bounds import ProvenBounds
from oddsmith.solve.values.mixing import Mixture, rows_mixed
from oddsmith.solve.values.policy_evaluation import values_of, values_under

__all__ = ["Mixture", "ProvenBounds", "Solver", "precision_of", "rows_mixed", "values_of", "values_under"]
