"""From the rules of a game to the graph of all its states.

``Explorer`` starts from the first position and applies the rules to blocks of states until no new state is found. The
result is a ``StateGraph``: states, actions and weighted transitions in compressed rows. There are three subpackages:
``columns`` applies the rules to many states at once, ``reductions`` proves which positions may share a state, and
``export`` writes graphs for other programs. ``walk_first_positions`` tries the first positions by the rules for one
state, without arrays, so that a browser can do it.
"""

from typing import TYPE_CHECKING

from oddsmith.base.lazy import lazy_getattr
from oddsmith.graph.first_positions import walk_first_positions
from oddsmith.graph.witness import (
    cell_name,
    chosen_action,
    describe,
    error_in,
    play_along,
    shortest_path,
    steps_in_words,
    takes_option,
)

if TYPE_CHECKING:
    from oddsmith.graph.cross_check import refuse_disagreement
    from oddsmith.graph.explore import Explorer, NextStates
    from oddsmith.graph.index import GrowingArray, KeyIndex, narrow
    from oddsmith.graph.position_map import PositionMap
    from oddsmith.graph.reachability import (
        concatenated_ranges,
        group_by,
        path_independent_payoffs,
        payoff_sums,
        reachable,
        unique,
    )
    from oddsmith.graph.state_map import StateMap, TakenActions, recoded_keys
    from oddsmith.graph.stategraph import StateGraph, refuse_endless
    from oddsmith.graph.variables import Plain, Variables, seats_out

__all__ = [
    "Explorer",
    "GrowingArray",
    "KeyIndex",
    "NextStates",
    "Plain",
    "PositionMap",
    "StateGraph",
    "StateMap",
    "TakenActions",
    "Variables",
    "cell_name",
    "chosen_action",
    "concatenated_ranges",
    "describe",
    "error_in",
    "group_by",
    "narrow",
    "path_independent_payoffs",
    "payoff_sums",
    "play_along",
    "reachable",
    "recoded_keys",
    "refuse_disagreement",
    "refuse_endless",
    "seats_out",
    "shortest_path",
    "steps_in_words",
    "takes_option",
    "unique",
    "walk_first_positions",
]

_HOMES = {
    "cross_check": ("refuse_disagreement",),
    "explore": (
        "Explorer",
        "NextStates",
    ),
    "index": (
        "GrowingArray",
        "KeyIndex",
        "narrow",
    ),
    "position_map": ("PositionMap",),
    "reachability": (
        "unique",
        "group_by",
        "payoff_sums",
        "concatenated_ranges",
        "reachable",
        "path_independent_payoffs",
    ),
    "state_map": (
        "TakenActions",
        "StateMap",
        "recoded_keys",
    ),
    "stategraph": ("StateGraph", "refuse_endless"),
    "variables": (
        "Plain",
        "Variables",
        "seats_out",
    ),
}
__getattr__ = lazy_getattr(__name__, {name: home for home, names in _HOMES.items() for name in names})
