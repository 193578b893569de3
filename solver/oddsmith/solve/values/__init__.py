"""Finding best play and proving its values, component by component.

``Solver`` takes an ``Arena`` of states, actions and transitions. Floating point proposes a policy (``component``,
``search``, ``mixing``); whole numbers decide. ``bounds`` proves an interval for every value, ``exactly`` finds the
fractions themselves.
"""

from oddsmith.solve.values.arena import Arena
from oddsmith.solve.values.arena_solver import Solved, Solver, values_under
from oddsmith.solve.values.bounds import Unproven
from oddsmith.solve.values.component import NeverEnds
from oddsmith.solve.values.exactly import ExactValues, Kernel
from oddsmith.solve.values.fixed import FixedPoint
from oddsmith.solve.values.levels import levels
from oddsmith.solve.values.mixing import Mixture
from oddsmith.solve.values.search import NoPureEquilibrium
from oddsmith.solve.values.shared import TooLong

__all__ = [
    "Arena",
    "ExactValues",
    "FixedPoint",
    "Kernel",
    "Mixture",
    "NeverEnds",
    "NoPureEquilibrium",
    "Solved",
    "Solver",
    "TooLong",
    "Unproven",
    "levels",
    "values_under",
]
