"""The rules for many states at once, in columns of whole numbers.

``Codec`` turns states into keys and back. ``Symbolic`` writes what each entry does as expressions of the cells before
it. ``Expander`` takes one step of play for a block of states. ``Stages`` tells by keys what play never comes back to.
What finds reductions loads no arrays.
"""

from typing import TYPE_CHECKING

from oddsmith.faces import later
from oddsmith.graph.columns.effects import Check
from oddsmith.graph.columns.reduction import GivenCell, Reduction, Seen, rotation
from oddsmith.graph.columns.symbolic import Branch, Chance, Symbolic

if TYPE_CHECKING:
    from oddsmith.graph.columns.block import Base, Block, Trouble
    from oddsmith.graph.columns.codec import Codec
    from oddsmith.graph.columns.divide import Divider
    from oddsmith.graph.columns.expand import ROLLED, Action, Expander
    from oddsmith.graph.columns.stages import Stages, find_stages

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
    "Seen",
    "Stages",
    "Symbolic",
    "Trouble",
    "find_stages",
    "rotation",
]

_HOMES = {
    "block": ("Base", "Block", "Trouble"),
    "codec": ("Codec",),
    "divide": ("Divider",),
    "expand": ("ROLLED", "Action", "Expander"),
    "stages": ("Stages", "find_stages"),
}
__getattr__ = later(__name__, {name: home for home, names in _HOMES.items() for name in names})
