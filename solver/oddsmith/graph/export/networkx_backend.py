"""A networkx backend: algorithms of networkx run on a :class:`StateGraph` without conversion."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from typing import Any

import numpy as np

from oddsmith.base.arrays import bincount
from oddsmith.graph.stategraph import StateGraph


class Backend:
    """The algorithms of networkx that run on a state graph, under networkx's names.

    For any other algorithm, convert the graph with ``graph.to_networkx()`` first.
    """

    @staticmethod
    def convert_from_nx(graph: Any, **options: Any) -> Any:
        """Raise NotImplementedError, because state graphs come only from rulesets."""
        raise NotImplementedError("a StateGraph is explored from a ruleset, not converted from a networkx graph")

    @staticmethod
    def convert_to_nx(result: Any, *, name: str | None = None) -> Any:
        """Return a StateGraph as a plain networkx graph, and any other result as it is."""
        return result.to_networkx() if isinstance(result, StateGraph) else result

    @staticmethod
    def strongly_connected_components(G: StateGraph) -> Iterator[set[int]]:  # noqa: N803 - networkx's name
        """Yield each strongly connected component as a set of states. Components come after those that they lead to."""
        labels = G.components
        order = np.argsort(labels, kind="stable")
        cuts = np.flatnonzero(np.diff(labels[order])) + 1
        return (set(part.tolist()) for part in np.split(order, cuts))

    @staticmethod
    def number_strongly_connected_components(G: StateGraph) -> int:  # noqa: N803
        """Return the number of strongly connected components."""
        return int(G.components.max()) + 1

    @staticmethod
    def condensation(G: StateGraph, scc: Any = None) -> Any:  # noqa: N803
        """Return the graph of the strongly connected components as a plain networkx DiGraph, with `members` and
        `mapping` as in networkx.
        """
        import networkx as nx

        labels = G.components
        matrix = G.matrix.tocoo()
        source, target = labels[matrix.row], labels[matrix.col]
        pairs = np.unique(np.stack([source, target], axis=1)[source != target], axis=0)
        condensed = nx.DiGraph()
        members = list(Backend.strongly_connected_components(G))
        condensed.add_nodes_from((number, {"members": states}) for number, states in enumerate(members))
        condensed.add_edges_from(map(tuple, pairs.tolist()))
        condensed.graph["mapping"] = dict(enumerate(labels.tolist()))
        return condensed

    @staticmethod
    def topological_sort(G: StateGraph) -> Iterator[int]:  # noqa: N803
        """Yield the states, each before its successors. Raises NetworkXUnfeasible if there is a cycle."""
        import networkx as nx

        incoming = bincount(G.matrix.indices, minlength=G.state_count)
        ready = deque(np.flatnonzero(incoming == 0).tolist())
        seen = 0
        while ready:
            state = ready.popleft()
            seen += 1
            yield state
            for follower in G.successors(state):
                incoming[follower] -= 1
                if incoming[follower] == 0:
                    ready.append(follower)
        if seen < G.state_count:
            raise nx.NetworkXUnfeasible("the game has cycles")

    @staticmethod
    def ancestors(G: StateGraph, source: int) -> set[int]:  # noqa: N803
        """Return all other states from which the state ``source`` can be reached."""
        return Backend._reachable_others(G.matrix.T.tocsr(), source)

    @staticmethod
    def descendants(G: StateGraph, source: int) -> set[int]:  # noqa: N803
        """Return all other states that can be reached from the state ``source``."""
        return Backend._reachable_others(G.matrix, source)

    @staticmethod
    def _reachable_others(matrix: Any, source: int) -> set[int]:
        """Return all other nodes that can be reached from a node. ``matrix``: the successor relation."""
        from scipy.sparse.csgraph import breadth_first_order

        order = breadth_first_order(matrix, source, return_predecessors=False)
        return set(order.tolist()) - {source}


backend = Backend()


def info() -> dict[str, Any]:
    """Return the description of this backend that networkx shows."""
    return {
        "backend_name": "oddsmith",
        "project": "oddsmith",
        "package": "oddsmith.graph",
        "short_summary": "State graphs of dice games in compressed rows",
        "functions": {},
    }
