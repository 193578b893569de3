"""Finding best play and proving its values, component by component.

``Solver`` takes an ``Arena`` of states, actions and transitions. Floating point proposes a policy (``solve.arenas``,
``mixing``); whole numbers decide. ``bounds`` proves an interval for every value, ``exactly`` finds the
fractions themselves.
"""

from oddsmith.solve.values.arena_solver import Solved, Solver, precision_of
from oddsmith.solve.values.bounds import Known, ProvenBounds
from oddsmith.solve.values.deciding import Decider
from oddsmith.solve.values.exactly import ExactValues, Kernel
from oddsmith.solve.values.grid import UNKNOWN, among, bits_of, near
from oddsmith.solve.values.mixing import Mixture, rows_mixed
from oddsmith.solve.values.refining import System, Unproven
from oddsmith.solve.values.under import most_under, values_from, values_mixing, values_of, values_under

__all__ = [
    "UNKNOWN",
    "Decider",
    "ExactValues",
    "Kernel",
    "Known",
    "Mixture",
    "ProvenBounds",
    "Solved",
    "Solver",
    "System",
    "Unproven",
    "among",
    "bits_of",
    "most_under",
    "near",
    "precision_of",
    "rows_mixed",
    "values_from",
    "values_mixing",
    "values_of",
    "values_under",
]
