"""Finding best play and proving its values, component by component.

``Solver`` takes an ``Arena`` of states, actions and transitions. Floating point proposes a policy (``component``,
``search``, ``mixing``, ``linear``); whole numbers decide. ``bounds`` proves an interval for every value, ``exactly``
and ``lifting`` find the fractions themselves.
"""

from oddsmith.solve.values.arena import Arena, Ints
from oddsmith.solve.values.arena_solver import Progress, Solved, Solver, levels, values_under
from oddsmith.solve.values.bounds import UnprovenError
from oddsmith.solve.values.component import EndlessError
from oddsmith.solve.values.exactly import ExactValues, Kernel, TooLong
from oddsmith.solve.values.fixed import Point
from oddsmith.solve.values.mixing import Mixture
from oddsmith.solve.values.search import NoPureEquilibrium

__all__ = [
    "Arena",
    "EndlessError",
    "ExactValues",
    "Ints",
    "Kernel",
    "Mixture",
    "NoPureEquilibrium",
    "Point",
    "Progress",
    "Solved",
    "Solver",
    "TooLong",
    "UnprovenError",
    "levels",
    "values_under",
]
