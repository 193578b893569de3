"""Games that cannot end, found on the graph and told as a play."""

from __future__ import annotations

import numpy as np

from oddsmith.errors import PlayError, Problem
from oddsmith.graph.reach import different, reachable
from oddsmith.graph.stategraph import StateGraph
from oddsmith.graph.story import way_to
from oddsmith.graph.words import describe
from oddsmith.ruleset import Rules


def refuse_endless(graph: StateGraph) -> None:
    """PlayError where play can come to a state from which nobody can ever end the game."""
    inner = graph.target >= 0
    ends = reachable(graph.target[inner], graph.edge_state[inner], graph.states, different(graph.edge_state[~inner]))
    if ends.all():
        return
    number = int(np.flatnonzero(~ends)[0])
    rules = Rules(graph.game)
    state, play = way_to(rules, graph.codec, graph.keys, graph.parent, number)
    where = graph.game.ruleset.phases[state.phase].location
    message = f"from {describe(graph, graph.state(number))} the game can never end, whatever anybody does"
    problem = Problem("OD541", where, message, "give it a way to `then: end`, or let end_when come true")
    raise PlayError(problem, play, graph.game.ruleset.source)
