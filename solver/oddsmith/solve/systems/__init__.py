"""The linear systems of a policy: what every state is worth, for all seats at once.

``Turning`` solves one in floats, and ``Revised`` those of policies that differ from it in a few states. ``lift`` finds its
solution in fractions. ``elimination_order`` says in which order to eliminate. ``settle`` serves systems too large for that.
"""

from oddsmith.solve.systems.lifting import NotLifted, lift
from oddsmith.solve.systems.revised import Choices, Revised
from oddsmith.solve.systems.sweeping import Block, best_rows, blocks, settle
from oddsmith.solve.systems.turning import Order, Singular, Turning, elimination_order, order_of_few

__all__ = [
    "Block",
    "Choices",
    "NotLifted",
    "Order",
    "Revised",
    "Singular",
    "Turning",
    "best_rows",
    "blocks",
    "elimination_order",
    "lift",
    "order_of_few",
    "settle",
]
