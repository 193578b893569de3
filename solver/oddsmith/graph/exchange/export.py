"""A state graph for other programs: Storm's DRN with exact rationals, GraphML, and DOT for Graphviz.

The layout of DRN is Storm's (https://www.stormchecker.org/documentation/background/drn.html). It has neither payoffs on
transitions nor several movers: payoffs become the expected reward of a choice, and a state stands once for each seat that
may be to move there.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from io import BytesIO
from typing import Any
from urllib.parse import quote

import numpy as np

from oddsmith.arrays import Ints, arange, repeat
from oddsmith.errors import ExportError
from oddsmith.exact import fraction_text
from oddsmith.graph import Plain, StateGraph, Variables, describe, named_values, ranges, reachable
from oddsmith.graph.columns import ROLLED
from oddsmith.ruleset import sha256

GRAPHML_MOST = 100_000  # transitions, beyond which nothing that reads GraphML is of use
DOT_MOST = 2_000  # transitions, beyond which no picture is


def _one_line(text: str) -> str:
    return " ".join(text.split())


# --- Storm


def drn(graph: StateGraph, played: Ints | None = None, seat: int = 0) -> bytes:
    """The graph in Storm's format: a Markov chain (DTMC), or an MDP where the choices of one ``seat`` (from 1) are left open.

    ``played``: the row that is taken, of shape (states, seats): per state and seat to move; not needed where the only seat is
    open. Holds what play can come to. Rewards: ``seat_1``, ... what each seat gets, ``turns``, ``rolls``, and ``count_1``, ...
    for each watched entry; labels: ``init``, ``done``, and ``mover_1``, ... where there are several seats.
    """
    return "\n".join(_Storm(graph, played, seat).lines()).encode() + b"\n"


@dataclass(frozen=True)
class _Storm:
    """What is written of a graph. An entry is ``state * seats + mover``."""

    graph: StateGraph
    played: Ints | None
    seat: int

    @cached_property
    def rows(self) -> tuple[Ints, Ints]:
        """The rows that may be taken, and the entry of each."""
        graph, n = self.graph, self.graph.seats
        entry = arange(graph.states * n)
        state, is_open = entry // n, entry % n == self.seat - 1
        one = graph.state_rows[:-1].repeat(n) if self.played is None else self.played.reshape(-1)
        counts = np.where(is_open, np.diff(graph.state_rows)[state], 1)
        rows = ranges(np.where(is_open, graph.state_rows[state], one), counts)
        return rows, repeat(entry, counts)

    @cached_property
    def entries(self) -> Ints:
        """The entries that play can come to, ascending."""
        graph, n = self.graph, self.graph.seats
        rows, entry = self.rows
        lengths = np.diff(graph.row_edges)[rows]
        edges, source = ranges(graph.row_edges[rows], lengths), repeat(entry, lengths)
        inner = graph.target[edges] >= 0
        edges, source = edges[inner], source[inner]
        target = graph.target[edges].astype(np.int64) * n + (source + graph.by[edges]) % n
        return np.flatnonzero(reachable(source, target, graph.states * n, np.array([graph.first])))

    @cached_property
    def rewards(self) -> dict[str, str]:
        """The reward models and what they mean."""
        graph = self.graph
        seats = {
            f"seat_{seat + 1}": f"{graph.objective} of {graph.game.ruleset.seat(seat)}" for seat in range(graph.seats)
        }
        counts = {
            f"count_{number}": f"how often {entry} of {phase} is taken"
            for number, (phase, entry) in enumerate(graph.watched, 1)
        }
        return {**seats, "turns": "turns", "rolls": "steps on which dice are rolled", **counts}

    def lines(self) -> Iterator[str]:
        """The file, line by line."""
        graph, n = self.graph, self.graph.seats
        rows, entry = self.rows
        first = np.searchsorted(entry, self.entries)
        last = np.searchsorted(entry, self.entries, side="right")
        place = dict(zip(self.entries.tolist(), range(len(self.entries)), strict=True))
        end, nothing = len(place), ", ".join("0" for _ in self.rewards)
        yield from self._head(int((last - first).sum()) + 1)
        for number, here in enumerate(self.entries.tolist()):
            state, mover = divmod(here, n)
            labels = ["init"] * (here == graph.first) + [f"mover_{mover + 1}"] * (n > 1)
            yield " ".join([f"state {number} [{nothing}]", *labels])
            yield f"// state {state} of the graph, {_one_line(describe(graph, graph.state(state)))}"
            for row in rows[first[number] : last[number]].tolist():
                yield from self._choice(row, mover, place, end)
        yield from (f"state {end} [{nothing}] done", f"\taction end [{nothing}]", f"\t\t{end} : 1")

    def _head(self, choices: int) -> Iterator[str]:
        graph, game = self.graph, self.graph.game
        settings = [f"{name} {game.show(value)}" for name, value in game.parameters.items()]
        goal = game.ruleset.payoffs[graph.objective].goal
        notes = [
            ", ".join(
                [f"{game.ruleset.id}, {game.seats} seats, {graph.objective} ({goal})", *game.variants, *settings]
            ),
            f"rules {sha256(game.ruleset)}",
            *(f"{name}: {meaning}" for name, meaning in self.rewards.items()),
            f'ask R{{"seat_{self.seat or 1}"}}{goal if self.seat else ""}=? [F "done"], and the like',
        ]
        if any(units < 0 for kind in graph.payoffs for units in kind):
            notes.append("some payoffs are negative: ask in exact arithmetic, because Storm then goes wrong in floats")
        yield from (f"// {_one_line(note)}" for note in notes)
        yield from (f"@type: {'MDP' if self.seat else 'DTMC'}", "@value_type: rational")
        yield from ("@reward_models", " ".join(self.rewards))
        yield from ("@nr_states", str(len(self.entries) + 1), "@nr_choices", str(choices), "@model")

    def _choice(self, row: int, mover: int, place: dict[int, int], end: int) -> Iterator[str]:
        """A row: what it pays on average, and where it leads, ways to one place together."""
        graph, n = self.graph, self.graph.seats
        part, bottom = slice(graph.row_edges[row], graph.row_edges[row + 1]), int(graph.denominator[row])
        targets, by, weights = (column[part].tolist() for column in (graph.target, graph.by, graph.weight))
        assert sum(weights) == bottom, "Storm would not notice"
        ways: dict[int, int] = {}
        for target, turned, weight in zip(targets, by, weights, strict=True):
            to = end if target < 0 else place[target * n + (mover + turned) % n]
            ways[to] = ways.get(to, 0) + weight
        rewards = ", ".join(map(fraction_text, self._rewards(part, mover, weights, bottom)))
        yield f"\taction {quote(graph.action_name(row).replace(' ', '_'), safe=_SAFE)} [{rewards}]"
        yield from (f"\t\t{to} : {fraction_text(Fraction(ways[to], bottom))}" for to in sorted(ways))

    def _rewards(self, part: slice, mover: int, weights: list[int], bottom: int) -> Iterator[Fraction]:
        graph, n = self.graph, self.graph.seats
        paid = [graph.payoffs[kind] for kind in graph.payoff[part].tolist()]
        for seat in range(n):
            units = sum(weight * kind[(seat - mover) % n] for weight, kind in zip(weights, paid, strict=True))
            yield Fraction(units, bottom * graph.scale)
        turns, marks = graph.turn_over[part].tolist(), graph.marks[part].tolist()
        yield Fraction(sum(weight for weight, over in zip(weights, turns, strict=True) if over), bottom)
        for bit in (ROLLED, *graph.watched.values()):
            yield Fraction(sum(weight for weight, mark in zip(weights, marks, strict=True) if mark & bit), bottom)


_SAFE = "'(),:=+*!?<>&"  # of the characters that are no letters, what an action of DRN may be called by


# --- networkx's writers, and Graphviz


def graphml(graph: StateGraph) -> bytes:
    """The graph in GraphML, by networkx: nodes with phase and variables, edges as ``StateGraph.to_networkx`` has them.

    Raises ExportError beyond GRAPHML_MOST transitions.
    """
    import networkx as nx

    plain = _small(graph, GRAPHML_MOST, "GraphML")
    shown = Variables(graph.game, graph.codec, ("phase", "out"))
    for number in range(graph.states):
        node: dict[str, Any] = plain.nodes[number]
        node.clear()
        node |= {name: _xml(value) for name, value in named_values(graph.state(number), shown).items()}
    for _, _, edge in plain.edges(data=True):
        edge["action"] = _xml(edge["action"])
    stream = BytesIO()
    nx.write_graphml_xml(plain, stream)
    return stream.getvalue() + b"\n"


def dot(graph: StateGraph) -> bytes:
    """The graph for Graphviz, which draws it. Raises ExportError beyond DOT_MOST transitions."""
    plain = _small(graph, DOT_MOST, "DOT")
    lines = [f"digraph {_quoted(graph.game.ruleset.id)} {{", "  node [shape=box];"]
    lines += [f"  {number} [label={_quoted(describe(graph, graph.state(number)))}];" for number in range(graph.states)]
    lines.append('  end [label="the end", shape=oval];')
    for source, target, edge in plain.edges(data=True):
        chance = "" if edge["probability"] == "1" else f" {edge['probability']}"
        named = {"label": edge["action"] + chance, **edge}
        shown = ", ".join(f"{name}={_quoted(str(value))}" for name, value in named.items())
        lines.append(f"  {source} -> {target} [{shown}];")
    return "\n".join([*lines, "}"]).encode() + b"\n"


def _small(graph: StateGraph, most: int, what: str) -> Any:
    """A plain networkx graph, where it is not too large for a format."""
    count = len(graph.target)
    if count > most:
        raise ExportError(
            f"this game has {count:,} transitions, and {what} is of no use beyond {most:,}: take fewer seats or smaller "
            "parameters, or write DRN, or a table as CSV, Parquet or JSON"
        )
    return graph.to_networkx()


_NO_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def _xml(value: Plain) -> Plain:
    """Text without the characters that XML cannot hold."""
    return _NO_XML.sub("\ufffd", value) if isinstance(value, str) else value


def _quoted(text: str) -> str:
    """Text as Graphviz reads it, nothing in it being an escape of its own."""
    escaped = _one_line(text).replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
