"""The rules for many states at once, in columns of whole numbers.

``Codec`` turns states into keys and back. ``SymbolicRules`` writes the effects of each entry as expressions of the
cells before it. ``Expander`` finds all successors of the states of a block, and ``Sampler`` draws one at random for
each state. ``Reduction`` holds the cells that keys leave out; it needs no arrays.
"""

from typing import TYPE_CHECKING

from oddsmith.base.lazy import lazy_getattr

if TYPE_CHECKING:
    from oddsmith.graph.columns.block import PositionBlock, RuleFailureInBlock, SourceStates
    from oddsmith.graph.columns.codec import Codec
    from oddsmith.graph.columns.expand import DICE_ROLLED_BIT, BlockSplitter
    from oddsmith.graph.columns.reduction import Reduction
    from oddsmith.graph.columns.sample import Sampler, UniformIntegers
    from oddsmith.graph.columns.symbolic import Branch, Option, RollClass, SymbolicRules

__all__ = [
    "DICE_ROLLED_BIT",
    "BlockSplitter",
    "Branch",
    "Codec",
    "Option",
    "PositionBlock",
    "Reduction",
    "RollClass",
    "RuleFailureInBlock",
    "Sampler",
    "SourceStates",
    "SymbolicRules",
    "UniformIntegers",
]

_HOMES = {
    "block": (
        "SourceStates",
        "PositionBlock",
        "RuleFailureInBlock",
    ),
    "codec": ("Codec",),
    "expand": (
        "BlockSplitter",
        "DICE_ROLLED_BIT",
    ),
    "reduction": ("Reduction",),
    "sample": (
        "Sampler",
        "UniformIntegers",
    ),
    "symbolic": (
        "Branch",
        "RollClass",
        "Option",
        "SymbolicRules",
    ),
}
__getattr__ = lazy_getattr(__name__, {name: home for home, names in _HOMES.items() for name in names})
