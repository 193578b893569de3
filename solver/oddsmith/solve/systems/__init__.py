"""The linear systems of a policy: the value of every state, for all seats at once.

``LinearSystem`` solves one in floats, and ``LowRankUpdate`` those of policies that differ from it in a few states.
``Lifting`` finds its solution in fractions. ``elimination_order`` gives an order of elimination. ``iterate_values`` is for
systems too large for elimination.
"""

from oddsmith.solve.systems.linear_systems import Singular
from oddsmith.solve.systems.value_iteration import blocks, iterate_values

__all__ = ["Singular", "blocks", "iterate_values"]
