"""A game as a tree in the EFG format, which Gambit and OpenSpiel read: every position as often as play can come to it."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import count

from oddsmith.base.exact import fraction_text
from oddsmith.graph.stategraph import StateGraph

Paid = tuple[Fraction, ...]


def efg(graph: StateGraph) -> str:
    """The tree of a game that cannot come back to where it was.

    Payoffs are what a seat gets beyond an equal share of what all get, because OpenSpiel wants sums of nothing.
    """
    seats = " ".join(f'"seat {seat + 1}"' for seat in range(graph.seats))
    return "\n".join([f'EFG 2 R "{graph.game.ruleset.id}" {{ {seats} }}', '""', *_Tree(graph).lines()]) + "\n"


def nodes(text: str) -> int:
    """How many nodes the tree of an EFG file has, which has a line for each, and two before them."""
    return len(text.splitlines()) - 2


def levelled(text: str) -> str:
    """The same EFG file with what each seat gets beyond an equal share of what all get."""
    return "\n".join(_levelled_end(line) if line.startswith("t ") else line for line in text.split("\n"))


def _levelled_end(line: str) -> str:
    head, inside = line.rstrip(" }").split("{")
    paid = [Fraction(each) for each in inside.split(",")]
    return f"{head}{{ {', '.join(fraction_text(each - sum(paid, Fraction(0)) / len(paid)) for each in paid)} }}"


class _Tree:
    """The nodes of a tree, each a line, before those below it."""

    def __init__(self, graph: StateGraph) -> None:
        self.graph, self.numbers = graph, count(1)
        self.sets = [count(1) for _ in range(graph.seats)]  # OpenSpiel wants the decisions of each seat numbered from 1

    def lines(self) -> Iterator[str]:
        state, mover = divmod(self.graph.first_mover, self.graph.seats)
        yield from self._state(state, mover, (Fraction(0),) * self.graph.seats)

    def _state(self, state: int, mover: int, paid: Paid) -> Iterator[str]:
        rows = list(self.graph.rows(state))
        if len(rows) > 1:
            options = " ".join(f'"{option}"' for option in range(1, len(rows) + 1))
            yield f'p "" {mover + 1} {next(self.sets[mover])} "" {{ {options} }} 0'
        for row in rows:
            yield from self._row(row, mover, paid)

    def _row(self, row: int, mover: int, paid: Paid) -> Iterator[str]:
        graph, edges = self.graph, list(self.graph.edges(row))
        if len(edges) > 1:
            bottom = int(graph.denominator[row])
            chances = [fraction_text(Fraction(int(graph.weight[edge]), bottom)) for edge in edges]
            faces = " ".join(f'"{place}" {chance}' for place, chance in enumerate(chances, 1))
            yield f'c "" {next(self.numbers)} "" {{ {faces} }} 0'
        for edge in edges:
            yield from self._edge(edge, mover, paid)

    def _edge(self, edge: int, mover: int, paid: Paid) -> Iterator[str]:
        graph, n = self.graph, self.graph.seats
        units, target = graph.payoffs[int(graph.payoff[edge])], int(graph.target[edge])
        paid = tuple(had + Fraction(units[(seat - mover) % n], graph.scale) for seat, had in enumerate(paid))
        if target >= 0:
            yield from self._state(target, (mover + int(graph.seat_shift[edge])) % n, paid)
            return
        beyond = ", ".join(fraction_text(had - sum(paid, Fraction(0)) / n) for had in paid)
        yield f't "" {next(self.numbers)} "" {{ {beyond} }}'
