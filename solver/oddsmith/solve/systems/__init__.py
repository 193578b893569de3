"""The linear systems of a policy: what every state is worth, for all seats at once.

``Turning`` solves one in floats, and ``Revised`` those of policies that differ from it in a few states. ``lift`` finds its
solution in fractions. ``elimination_order`` says in which order to eliminate. ``iterate_values`` serves systems too large for that.
"""

from oddsmith.solve.systems.linear_systems import Singular
from oddsmith.solve.systems.value_iteration import blocks, iterate_values

__all__ = ["Singular", "blocks", "iterate_values"]
