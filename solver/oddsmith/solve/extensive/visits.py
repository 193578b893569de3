"""The expected number of visits to each state of a Markov chain, in fractions. The chain may have cycles."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

from flint import fmpq, fmpq_mat

if TYPE_CHECKING:
    import networkx as nx

Followed = Sequence[Mapping[int, Fraction]]
"""A Markov chain: for each state, by index, the states that follow it, with their probabilities."""


def expected_visits(followed: Followed, begins: Sequence[Fraction]) -> list[Fraction]:
    """Return the expected number of visits to each state.

    ``followed``: the chain. ``begins``: the expected number of times that play begins in each state.
    """
    import networkx as nx  # which a browser lacks, where other games are solved

    leads = nx.DiGraph()
    leads.add_nodes_from(range(len(followed)))
    for place, each in enumerate(followed):
        leads.add_edges_from((place, after, {"chance": chance}) for after, chance in each.items() if chance)
    found = list(begins)
    condensed = nx.condensation(leads)
    for component in nx.topological_sort(condensed):
        members = sorted(condensed.nodes[component]["members"])
        if any(leads.has_edge(one, other) for one in members for other in members):
            _solve_cycle(leads, members, found)
        for one in members:
            for other, edge in leads[one].items():
                if other not in members:
                    found[other] += found[one] * edge["chance"]
    return found


def _solve_cycle(leads: nx.DiGraph, members: Sequence[int], found: list[Fraction]) -> None:
    """Replace, for the states of a component with cycles, the visits from outside by all visits, in ``found``."""
    size = len(members)
    system = [[Fraction(int(i == j)) for j in range(size)] for i in range(size)]
    for i, one in enumerate(members):
        for j, other in enumerate(members):
            if leads.has_edge(other, one):
                system[i][j] -= leads[other][one]["chance"]
    entries = [fmpq(each.numerator, each.denominator) for row in system for each in row]
    right = [fmpq(found[one].numerator, found[one].denominator) for one in members]
    solved = fmpq_mat(size, size, entries).solve(fmpq_mat(size, 1, right))
    for row, one in enumerate(members):
        found[one] = Fraction(int(solved[row, 0].p), int(solved[row, 0].q))
