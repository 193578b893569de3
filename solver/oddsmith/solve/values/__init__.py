"""Finding best play and proving its values, component by component.

``Solver`` takes an ``Arena`` of states, actions and transitions. Floating point proposes a policy (``component``,
``search``, ``mixing``); whole numbers decide. ``bounds`` proves an interval for every value, ``exactly`` finds the
fractions themselves.
"""

from oddsmith.solve.values.arena import Arena, strong_parts
from oddsmith.solve.values.arena_solver import Solved, Solver, values_of, values_under
from oddsmith.solve.values.bounds import Known, ProvenBounds, Unproven
from oddsmith.solve.values.component import NeverEnds
from oddsmith.solve.values.exactly import ExactValues, Kernel
from oddsmith.solve.values.grid import UNKNOWN, among, bits_of, near
from oddsmith.solve.values.levels import layers, levels
from oddsmith.solve.values.mixing import Mixture
from oddsmith.solve.values.search import NoPureEquilibrium

__all__ = [
    "UNKNOWN",
    "Arena",
    "ExactValues",
    "Kernel",
    "Known",
    "Mixture",
    "NeverEnds",
    "NoPureEquilibrium",
    "ProvenBounds",
    "Solved",
    "Solver",
    "Unproven",
    "among",
    "bits_of",
    "layers",
    "levels",
    "near",
    "strong_parts",
    "values_of",
    "values_under",
]
