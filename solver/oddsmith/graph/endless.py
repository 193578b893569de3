"""Games that cannot end, found on the graph and shown as a play."""

from __future__ import annotations

import numpy as np

from oddsmith.base.errors import PlayError
from oddsmith.graph.reachability import reachable, unique
from oddsmith.graph.stategraph import StateGraph
from oddsmith.graph.witness import endless_problem, play_to
from oddsmith.ruleset import Rules


def refuse_endless(graph: StateGraph, part: bool = False) -> None:
    """Raise PlayError where play can reach a state from which nobody can ever end the game.

    ``part``: whether the graph has only some states of a game. The states outside it are then assumed to reach the end,
    and the error shows no play.
    """
    inner = (graph.target >= 0) & (graph.target < graph.states)
    source = graph.edge_state
    ends = reachable(graph.target[inner], source[inner], graph.states, unique(source[~inner]))
    if ends.all():
        return
    number = int(np.flatnonzero(~ends)[0])
    play = play_to(Rules(graph.game), graph.codec, graph.keys, graph.parent, number)[1] if not part else ()
    problem = endless_problem(graph.game, graph.state(number), graph.codec.carried)
    raise PlayError(problem, play, graph.game.ruleset.source)
