"""From the rules of a game to the graph of all its states.

``Explorer`` starts from the first position and applies the rules to blocks of states until no new state is found. The
result is a ``StateGraph``: states, actions and weighted transitions in compressed rows. There are three subpackages:
``columns`` applies the rules to many states at once, ``reductions`` proves which positions may share a state, and
``export`` writes graphs for other programs. ``search_first_positions`` tries the first positions by the rules for one
state, without arrays, so that a browser can do it.
"""

from typing import TYPE_CHECKING

from oddsmith.base.lazy import lazy_getattr
from oddsmith.graph.first_positions import search_first_positions
from oddsmith.graph.witness import (
    cell_name,
    chosen_action,
    describe,
    play_along,
    rule_error_in_state,
    shortest_path,
    steps_in_words,
    takes_option,
)

if TYPE_CHECKING:
    from oddsmith.graph.cross_check import refuse_disagreement
    from oddsmith.graph.explore import Explorer, NextStates
    from oddsmith.graph.index import GrowingArray, KeyIndex, to_narrowest_type
    from oddsmith.graph.position_map import PositionMap
    from oddsmith.graph.reachability import (
        concatenated_ranges,
        group_by,
        path_independent_payoffs,
        payoff_sums,
        reachable_mask,
        unique,
    )
    from oddsmith.graph.reductions.carry import cells_added_up
    from oddsmith.graph.state_map import StateMap, TakenActions, recoded_keys
    from oddsmith.graph.stategraph import StateGraph, refuse_endless
    from oddsmith.graph.variables import ExportedVariables, Plain, seats_out_text

__all__ = [
    "Explorer",
    "ExportedVariables",
    "GrowingArray",
    "KeyIndex",
    "NextStates",
    "Plain",
    "PositionMap",
    "StateGraph",
    "StateMap",
    "TakenActions",
    "cell_name",
    "cells_added_up",
    "chosen_action",
    "concatenated_ranges",
    "describe",
    "group_by",
    "path_independent_payoffs",
    "payoff_sums",
    "play_along",
    "reachable_mask",
    "recoded_keys",
    "refuse_disagreement",
    "refuse_endless",
    "rule_error_in_state",
    "search_first_positions",
    "seats_out_text",
    "shortest_path",
    "steps_in_words",
    "takes_option",
    "to_narrowest_type",
    "unique",
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
        "to_narrowest_type",
    ),
    "position_map": ("PositionMap",),
    "reachability": (
        "unique",
        "group_by",
        "payoff_sums",
        "concatenated_ranges",
        "reachable_mask",
        "path_independent_payoffs",
    ),
    "reductions.carry": ("cells_added_up",),
    "state_map": (
        "TakenActions",
        "StateMap",
        "recoded_keys",
    ),
    "stategraph": ("StateGraph", "refuse_endless"),
    "variables": (
        "Plain",
        "ExportedVariables",
        "seats_out_text",
    ),
}
__getattr__ = lazy_getattr(__name__, {name: home for home, names in _HOMES.items() for name in names})
