"""From rules to a graph of everything that can happen.

``Explorer`` starts from the first position and applies the rules to blocks of states until nothing new comes. The
result is a ``StateGraph``: states, actions and weighted transitions in compressed rows. Three sub-rooms: ``columns``
applies the rules to many states at once, ``reductions`` proves which positions may share a state, ``exchange`` hands
graphs to other programs. ``walk`` looks at the first positions by the one-state rules; a browser does that without arrays.
"""

from typing import TYPE_CHECKING

from oddsmith.faces import later
from oddsmith.graph.story import along, cell_name, chain_to, chosen, describe, steps, takes
from oddsmith.graph.walking import walk

if TYPE_CHECKING:
    from oddsmith.graph.agree import refuse_disagreement
    from oddsmith.graph.endless import refuse_endless
    from oddsmith.graph.explore import Explorer, Following
    from oddsmith.graph.index import Growing, KeyIndex, narrow
    from oddsmith.graph.reach import different, grouped, in_sum, ranges, reachable, sums_to_the_end
    from oddsmith.graph.reductions import Sharing
    from oddsmith.graph.stategraph import StateGraph
    from oddsmith.graph.variables import Plain, Variables, named_values, seats_out
    from oddsmith.graph.within import Taken, Within, recoded

__all__ = [
    "Explorer",
    "Following",
    "Growing",
    "KeyIndex",
    "Plain",
    "Sharing",
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
    "named_values",
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
    "agree": ("refuse_disagreement",),
    "endless": ("refuse_endless",),
    "explore": ("Explorer", "Following"),
    "index": ("Growing", "KeyIndex", "narrow"),
    "reach": ("different", "grouped", "in_sum", "ranges", "reachable", "sums_to_the_end"),
    "reductions": ("Sharing",),
    "stategraph": ("StateGraph",),
    "variables": ("Plain", "Variables", "named_values", "seats_out"),
    "within": ("Taken", "Within", "recoded"),
}
__getattr__ = later(__name__, {name: home for home, names in _HOMES.items() for name in names})
