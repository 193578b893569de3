"""What a policy is worth as a function of the symbol: the chain that it makes of the game, solved part by part.

Every strongly connected part is a linear system over the rational functions; states are eliminated one by one, those first
that join the fewest others (Daws, Symbolic and parametric model checking of discrete-time Markov chains, 2004).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import TypeAlias

import networkx as nx
import numpy as np

from oddsmith.arrays import Ints
from oddsmith.errors import SymbolError
from oddsmith.graph import reachable
from oddsmith.solve.parameter.algebraic import Ratio, total
from oddsmith.solve.parameter.family import Family
from oddsmith.solve.questions import RANDOM

MAX_PART = 300  # states that can all reach one another under a policy

Node: TypeAlias = tuple[int, int]
"""A state, and a seat counted from its mover."""


class Chain:
    """The values of all states under one row per state. SymbolError where a part is too large, or play may never end.

    ``paid``: what rows pay, if not what the family says. ``alone``: a prescription (see ``questions.Follower``) by which a seat
    plays alone. The value of a state to a seat is then what that seat gets if it is the one.
    """

    def __init__(
        self, family: Family, rows: Ints, paid: Sequence[Sequence[Ratio]] | None = None, alone: Ints | None = None
    ) -> None:
        self.family, self.seats = family, family.graph.seats
        self.paid = family.paid if paid is None else paid
        self.value: dict[Node, Ratio] = {}
        taken = {
            (state, seat): [row] if seat or alone is None else self._prescribed(state, row, int(alone[state]))
            for state, row in enumerate(rows.tolist())
            for seat in range(self.seats)
        }
        steps = {node: self._mixed([self.step(row, node[1]) for row in those]) for node, those in taken.items()}
        gains = {
            node: self._mixed([{node: self.paid[row][node[1]]} for row in those])[node] for node, those in taken.items()
        }
        follow = nx.DiGraph()
        follow.add_nodes_from(steps)
        follow.add_edges_from((node, there) for node, step in steps.items() for there in step)
        parts = nx.condensation(follow)
        for number in reversed(list(nx.topological_sort(parts))):
            try:
                self._solve_part(parts.nodes[number]["members"], steps, gains)
            except ZeroDivisionError:
                raise SymbolError("play in that way may never end") from None

    def _prescribed(self, state: int, best: int, row: int) -> list[int]:
        """The rows that a prescription may take in a state, each with the same chance."""
        return list(self.family.graph.rows(state)) if row == RANDOM else [best if row < 0 else row]

    @staticmethod
    def _mixed(parts: Sequence[Mapping[Node, Ratio]]) -> dict[Node, Ratio]:
        """The mean of functions of nodes."""
        if len(parts) == 1:
            return dict(parts[0])
        share = Ratio.constant(Fraction(1, len(parts)))
        mean = dict[Node, Ratio]()
        for node, amount in (item for part in parts for item in part.items()):
            mean[node] = mean.get(node, Ratio()) + amount * share
        return mean

    def step(self, row: int, seat: int) -> dict[Node, Ratio]:
        """Where a row leads a seat, with the chances."""
        family, step = self.family, dict[Node, Ratio]()
        for edge in range(int(family.row_edges[row]), int(family.row_edges[row + 1])):
            if family.target[edge] >= 0:
                target = (int(family.target[edge]), int(seat - family.by[edge]) % self.seats)
                step[target] = step[target] + family.chance[edge] if target in step else family.chance[edge]
        return step

    def worth(self, row: int, seat: int = 0) -> Ratio:
        """What a row is worth to a seat if play goes on by the policy."""
        parts = (chance * self.value[there] for there, chance in self.step(row, seat).items())
        return self.paid[row][seat] + total(parts)

    def _solve_part(self, part: set[Node], steps: dict[Node, dict[Node, Ratio]], gains: dict[Node, Ratio]) -> None:
        states = len({state for state, _ in part})
        if states > MAX_PART:
            raise SymbolError(
                f"{states} positions can all reach one another, and with a symbol at most {MAX_PART} are solved together"
            )
        inside, constant = dict[Node, dict[Node, Ratio]](), dict[Node, Ratio]()
        for node in sorted(part):
            outside = (chance * self.value[there] for there, chance in steps[node].items() if there not in part)
            constant[node] = gains[node] + total(outside)
            inside[node] = {there: chance for there, chance in steps[node].items() if there in part}
        order = list(_eliminate(inside, constant))
        for node in reversed(order):
            self.value[node] = constant[node] + total(c * self.value[there] for there, c in inside[node].items())


def _eliminate(inside: dict[Node, dict[Node, Ratio]], constant: dict[Node, Ratio]) -> Iterator[Node]:
    """Nodes in an order in which each, once its turn has come, depends on later ones only."""
    before: dict[Node, set[Node]] = {node: set() for node in inside}
    for node, step in inside.items():
        for target in step:
            before[target].add(node)
    left = set(inside)
    while left:
        node = min(left, key=lambda n: (len(before[n]) * len(inside[n]), n))
        left.remove(node)
        step = inside[node]
        if node in step:
            again = (Ratio.constant(1) - step.pop(node)).inverse()
            constant[node] = constant[node] * again
            for target in step:
                step[target] = step[target] * again
        before[node].discard(node)
        for target in step:
            before[target].discard(node)
        for source in before.pop(node):
            share = inside[source].pop(node)
            constant[source] = constant[source] + share * constant[node]
            for target, chance in step.items():
                joined = inside[source].get(target, Ratio()) + share * chance
                inside[source][target] = joined
                before[target].add(source)
        yield node


def ends_surely(family: Family, rows: Ints, point: Fraction) -> bool:
    """Whether play by a policy still ends at a bound of the symbol, where some chances may vanish.

    Asked of every state that play of any kind can still come to there.
    """
    graph = family.graph
    source, target = graph.row_state[family.arena.payoff], family.target
    possible = np.array([chance.at(point) > 0 for chance in family.chance])
    inner = possible & (target >= 0)
    chosen = possible & np.isin(family.arena.payoff, rows)
    reached = reachable(source[inner], target[inner], graph.states, np.array([0]))
    ends = reachable(
        target[chosen & inner], source[chosen & inner], graph.states, np.unique(source[chosen & (target < 0)])
    )
    return bool(ends[reached].all())
