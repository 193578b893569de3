"""The linear systems of a policy, whose solution is the value of every state for all seats.

``LinearSystem`` solves one in floats. ``LowRankUpdate`` solves the systems of policies that differ from it in a few
states. ``LiftingSolver`` finds the solution in fractions, and
``expected_visits`` the visits to the states of a small Markov chain. ``elimination_order`` finds an order of elimination.
``iterate_values`` is for systems that are too large for elimination.
"""

from oddsmith.solve.systems.linear_systems import SingularSystem
from oddsmith.solve.systems.value_iteration import iterate_values, state_blocks

__all__ = ["SingularSystem", "iterate_values", "state_blocks"]
