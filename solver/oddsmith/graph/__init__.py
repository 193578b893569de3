"""From rules to a graph of everything that can happen.

``Explorer`` starts from the first position and applies the rules to blocks of states until nothing new comes. The
result is a ``StateGraph``: states, actions and weighted transitions in compressed rows. Three sub-rooms: ``columns``
applies the rules to many states at once, ``reductions`` proves which positions may share a state, ``exchange`` hands
graphs to other programs. ``walk`` looks at the first positions by the one-state rules; a browser does that without arrays.
"""

from typing import TYPE_CHECKING

from oddsmith.base.lazy import later
from oddsmith.graph.first_positions import walk
from oddsmith.graph.witness import along, cell_name, chain_to, chosen, describe, refuse_endless, steps, takes

if TYPE_CHECKING:
    from oddsmith.graph.cross_check import refuse_disagreement
    from oddsmith.graph.explore import Explorer, Following
    from oddsmith.graph.index import Growing, KeyIndex, narrow
    from oddsmith.graph.reachability import different, grouped, in_sum, ranges, reachable, sums_to_the_end
    from oddsmith.graph.state_map import Taken, Within, recoded
    from oddsmith.graph.stategraph import StateGraph
    from oddsmith.graph.variables import Plain, Variables, seats_out

__all__ = [
    "Explorer",
    "Following",
    "Growing",
    "KeyIndex",
    "Plain",
    "StateGraph",
    "Taken",
    "Variables",
    "Within",
    "along",
    "cell_name",
    "chain_to",
    "chosen",
    "describe",
    "different",
    "grouped",
    "in_sum",
    "narrow",
    "ranges",
    "reachable",
    "recoded",
    "refuse_disagreement",
    "refuse_endless",
    "seats_out",
    "steps",
    "sums_to_the_end",
    "takes",
    "walk",
]

_HOMES = {
    "cross_check": ("refuse_disagreement",),
    "explore": (
        "Explorer",
        "Following",
    ),
    "index": (
        "Growing",
        "KeyIndex",
        "narrow",
    ),
    "reachability": (
        "different",
        "grouped",
        "in_sum",
        "ranges",
        "reachable",
        "sums_to_the_end",
    ),
    "state_map": (
        "Taken",
        "Within",
        "recoded",
    ),
    "stategraph": ("StateGraph",),
    "variables": (
        "Plain",
        "Variables",
        "seats_out",
    ),
}
__getattr__ = later(__name__, {name: home for home, names in _HOMES.items() for name in names})
