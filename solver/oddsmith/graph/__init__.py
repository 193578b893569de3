"""From rules to a graph of everything that can happen.

``Explorer`` starts from the first position and applies the rules to blocks of states until no new state is found. The
result is a ``StateGraph``: states, actions and weighted transitions in compressed rows. Three sub-rooms: ``columns``
applies the rules to many states at once, ``reductions`` proves which positions may share a state, ``export`` hands
graphs to other programs. ``walk_first_positions`` looks at the first positions by the one-state rules; a browser does
that without arrays.
"""

from typing import TYPE_CHECKING

from oddsmith.base.lazy import later
from oddsmith.graph.first_positions import walk_first_positions
from oddsmith.graph.witness import (
    cell_name,
    chain_to,
    chosen,
    describe,
    error_in,
    play_along,
    steps_in_words,
    takes_option,
)

if TYPE_CHECKING:
    from oddsmith.graph.cross_check import refuse_disagreement
    from oddsmith.graph.endless import refuse_endless
    from oddsmith.graph.explore import Explorer, NextStates
    from oddsmith.graph.index import Growing, KeyIndex, narrow
    from oddsmith.graph.reachability import concatenated_ranges, group_by, in_sum, reachable, sums_to_the_end, unique
    from oddsmith.graph.state_map import StateMap, TakenActions, recoded
    from oddsmith.graph.stategraph import StateGraph
    from oddsmith.graph.variables import Plain, Variables, seats_out

__all__ = [
    "Explorer",
    "Growing",
    "KeyIndex",
    "NextStates",
    "Plain",
    "StateGraph",
    "StateMap",
    "TakenActions",
    "Variables",
    "cell_name",
    "chain_to",
    "chosen",
    "concatenated_ranges",
    "describe",
    "error_in",
    "group_by",
    "in_sum",
    "narrow",
    "play_along",
    "reachable",
    "recoded",
    "refuse_disagreement",
    "refuse_endless",
    "seats_out",
    "steps_in_words",
    "sums_to_the_end",
    "takes_option",
    "unique",
    "walk_first_positions",
]

_HOMES = {
    "endless": ("refuse_endless",),
    "cross_check": ("refuse_disagreement",),
    "explore": (
        "Explorer",
        "NextStates",
    ),
    "index": (
        "Growing",
        "KeyIndex",
        "narrow",
    ),
    "reachability": (
        "unique",
        "group_by",
        "in_sum",
        "concatenated_ranges",
        "reachable",
        "sums_to_the_end",
    ),
    "state_map": (
        "TakenActions",
        "StateMap",
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
