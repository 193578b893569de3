"""networkx runs on the arrays of a StateGraph as they are, and finds what it finds on a plain copy."""

from __future__ import annotations

from typing import Any

import networkx as nx
import pytest

from oddsmith.graph.export.networkx_backend import Backend
from oddsmith.graph.stategraph import StateGraph
from tests.cases import Case, cases, explored, size

SMALL = [case for case in cases() if size(case, case.objectives[0])["states"] <= 400]
each_game = pytest.mark.parametrize("case", SMALL, ids=str)


@pytest.fixture(autouse=True)
def without_conversion(monkeypatch: pytest.MonkeyPatch) -> None:
    """The backend is there, and nothing is ever converted."""
    assert "oddsmith" in nx.config.backends, (
        "networkx finds the backend once the package is installed: pip install -e ."
    )

    def refused(*arguments: Any, **options: Any) -> None:
        raise AssertionError("a StateGraph was converted")

    monkeypatch.setattr(Backend, "convert_to_nx", staticmethod(refused))
    monkeypatch.setattr(Backend, "convert_from_nx", staticmethod(refused))


def both(case: Case) -> tuple[StateGraph, Any]:
    """The arrays, and a plain copy without the node that stands for the end."""
    graph = explored(case, case.objectives[0])
    plain = graph.to_networkx()
    plain.remove_node("end")
    return graph, plain


@each_game
def test_strong_components_are_the_same(case: Case) -> None:
    graph, plain = both(case)
    found = [frozenset(states) for states in nx.strongly_connected_components(graph)]
    assert set(found) == {frozenset(states) for states in nx.strongly_connected_components(plain)}
    assert nx.number_strongly_connected_components(graph) == len(found)
    place = {state: number for number, states in enumerate(found) for state in states}
    assert all(place[target] <= place[source] for source, target in plain.edges()), "successors first"


@each_game
def test_condensations_are_the_same(case: Case) -> None:
    graph, plain = both(case)
    found, wanted = nx.condensation(graph), nx.condensation(plain)

    def shape(condensed: Any) -> tuple[set[frozenset[int]], set[tuple[frozenset[int], frozenset[int]]]]:
        members = {node: frozenset(states) for node, states in condensed.nodes(data="members")}
        return set(members.values()), {(members[a], members[b]) for a, b in condensed.edges()}

    assert shape(found) == shape(wanted)
    members = found.nodes(data="members")
    assert all(state in members[number] for state, number in found.graph["mapping"].items())
    assert sorted(found.graph["mapping"]) == list(range(graph.state_count))


@each_game
def test_topological_order_where_there_is_one(case: Case) -> None:
    graph, plain = both(case)
    if not nx.is_directed_acyclic_graph(plain):
        with pytest.raises(nx.NetworkXUnfeasible):
            list(nx.topological_sort(graph))
        return
    place = {state: number for number, state in enumerate(nx.topological_sort(graph))}
    assert sorted(place) == list(range(graph.state_count))
    assert all(place[source] < place[target] for source, target in plain.edges())


def test_some_games_have_cycles_and_some_have_none() -> None:
    cyclic = {nx.is_directed_acyclic_graph(both(case)[1]) for case in SMALL}
    assert cyclic == {True, False}


@each_game
def test_who_comes_before_and_after_is_the_same(case: Case) -> None:
    graph, plain = both(case)
    for state in range(0, graph.state_count, max(1, graph.state_count // 12)):
        assert nx.ancestors(graph, state) == nx.ancestors(plain, state)
        assert nx.descendants(graph, state) == nx.descendants(plain, state)
    assert nx.descendants(graph, 0) == set(range(1, graph.state_count)), "all states are reached from the start"


def test_what_is_not_in_the_backend_says_so() -> None:
    graph = explored(SMALL[0], SMALL[0].objectives[0])
    with pytest.raises((NotImplementedError, AssertionError)):
        nx.pagerank(graph)


def test_a_plain_copy_tells_everything() -> None:
    case = next(case for case in SMALL if case.name == "rogues-gambit")
    graph = explored(case, "coins")
    plain = graph.to_networkx()
    assert len(plain) == graph.state_count + 1
    assert plain.number_of_edges() == len(graph.target)
    assert plain.nodes[0]["state"] == graph.state(0)
    edge = plain.get_edge_data(0, "end")[0]
    assert edge == {"action": "roll", "probability": edge["probability"], "seats_on": 0, "payoff": edge["payoff"]}
    assert len(edge["payoff"].split()) == 2
