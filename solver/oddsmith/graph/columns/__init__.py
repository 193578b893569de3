"""The rules for many states at once, in columns of whole numbers.

``Codec`` turns states into keys and back. ``Symbolic`` writes what each entry does as expressions of the cells before
it. ``Expander`` takes one step of play for a block of states. ``Stages`` tells by keys what play never comes back to.
"""

from oddsmith.graph.columns.block import Base, Block, Trouble
from oddsmith.graph.columns.codec import Codec, GivenCell, Reduction, rotation
from oddsmith.graph.columns.divide import Divider
from oddsmith.graph.columns.effects import Check
from oddsmith.graph.columns.expand import ROLLED, Action, Expander
from oddsmith.graph.columns.stages import Stages, find_stages
from oddsmith.graph.columns.symbolic import Branch, Chance, Symbolic

__all__ = [
    "ROLLED",
    "Action",
    "Base",
    "Block",
    "Branch",
    "Chance",
    "Check",
    "Codec",
    "Divider",
    "Expander",
    "GivenCell",
    "Reduction",
    "Stages",
    "Symbolic",
    "Trouble",
    "find_stages",
    "rotation",
]
