"""From rules to a graph of everything that can happen.

``Explorer`` starts from the first position and applies the rules to blocks of states until nothing new comes. The
result is a ``StateGraph``: states, actions and weighted transitions in compressed rows. Three sub-rooms: ``columns``
applies the rules to many states at once, ``reductions`` proves which positions may share a state, ``exchange`` hands
graphs to other programs.
"""

from oddsmith.graph.agree import refuse_disagreement
from oddsmith.graph.endless import refuse_endless
from oddsmith.graph.explore import Explorer, Following
from oddsmith.graph.index import Growing, KeyIndex, narrow
from oddsmith.graph.reach import different, grouped, in_sum, ranges, reachable, sums_to_the_end
from oddsmith.graph.reductions import Sharing
from oddsmith.graph.stategraph import StateGraph
from oddsmith.graph.story import along, chain_to, chosen, steps, takes
from oddsmith.graph.variables import Plain, Variables, named_values, seats_out
from oddsmith.graph.within import Taken, Within, recoded
from oddsmith.graph.words import cell_name, describe

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
]
