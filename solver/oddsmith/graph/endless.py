"""Games that cannot end, found on the graph and told as a play."""

from __future__ import annotations

import numpy as np

from oddsmith.errors import PlayError, Problem
from oddsmith.graph.reach import different, reachable
from oddsmith.graph.stategraph import StateGraph
from oddsmith.graph.story import way_to
from oddsmith.graph.words import describe
from oddsmith.ruleset import Rules


def refuse_endless(graph: StateGraph, part: bool = False) -> None:
    """PlayError where play can come to a state from which nobody can ever end the game.

    ``part``: the states are some of a game, and those that they lead to, numbered after them, lead on. Then no play is told.
    """
    inner = (graph.target >= 0) & (graph.target < graph.states)
    source = graph.edge_state
    ends = reachable(graph.target[inner], source[inner], graph.states, different(source[~inner]))
    if ends.all():
        return
    number = int(np.flatnonzero(~ends)[0])
    told = way_to(Rules(graph.game), graph.codec, graph.keys, graph.parent, number)[1] if not part else ()
    where = graph.game.ruleset.phases[graph.state(number).phase].location
    message = f"from {describe(graph, graph.state(number))} the game can never end, whatever anybody does"
    problem = Problem("OD541", where, message, "give it a way to `then: end`, or let end_when come true")
    raise PlayError(problem, told, graph.game.ruleset.source)
