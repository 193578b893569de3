"""The part of a turn that is the same on every sheet, in games where what was rolled is written down when a turn ends.

The *inner* phases are those that look at nothing that only grows or only falls, and that lead only to phases. What no inner
phase reads or writes is the *sheet*. While play is in inner phases the sheet stays what it is, and nothing depends on it:
with another sheet, the same rolls and choices lead to the same positions with that other sheet, for the same payments. So
the graph of the inner positions is explored once, for one sheet. The *border* is where it leads: there a sheet is looked at.

A key is a sum of digits. So the key of a position with another sheet is its key, less the digits of its sheet, plus those of
the other. That needs a sheet whose cells do not follow from cells of the turn and do not stand in order with them, and of
which the keys of all phases of the turn tell the same cells.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from typing import Any
from uuid import uuid4

import numpy as np

from oddsmith.arrays import Ints
from oddsmith.errors import DisagreementError
from oddsmith.exact import fraction_from_text, fraction_text
from oddsmith.graph import Explorer, KeyIndex, StateGraph, refuse_disagreement
from oddsmith.graph.columns import Codec, Trouble
from oddsmith.graph.reductions import reads
from oddsmith.ruleset import Game
from oddsmith.ruleset.model import Phase, ToPhase, every_effect, looked_at
from oddsmith.solve.arenas import Arena, layers
from oddsmith.solve.stages.kept import Contents

MOST_INNER = 1 << 18  # positions of one turn on one sheet
COLUMNS = (
    "keys", "state_rows", "row_edges", "denominator", "target", "weight", "payoff", "tag",
)  # fmt: skip
"""What is kept of the graph."""


@dataclass(frozen=True, eq=False)
class Turn:
    """A turn on the first sheet. ``cells``: those of the sheet. ``graph``: of the inner positions, the first of which begins
    the turn. ``border``: the keys of the positions where the sheet is looked at, which are numbered after them.
    """

    explorer: Explorer
    cells: tuple[int, ...]
    graph: StateGraph
    border: Ints

    def __reduce__(self) -> tuple[Any, ...]:
        """For another process: what looks at rules is made there again."""
        explorer, name = self.explorer, (self._name, len(self.explorer.edges.payoffs))
        return _again, (name, explorer.game, explorer.objective, list(explorer.watched), self.contents())

    @cached_property
    def _name(self) -> str:
        return uuid4().hex

    @property
    def states(self) -> int:
        """How many positions a turn has on one sheet."""
        count: int = self.graph.states + self.border.shape[1]
        return count

    def contents(self) -> Contents:
        """The turn as it is kept: without the names of its actions, and with the payoffs met so far, by their numbers."""
        payoffs = [[fraction_text(each) for each in paid] for paid in self.explorer.edges.payoffs]
        columns = {name: getattr(self.graph, name) for name in COLUMNS}
        columns |= {"cells": np.array(self.cells, dtype=np.int64), "border": self.border}
        return Contents({"tags": self.graph.tags, "payoffs": payoffs}, columns)

    @staticmethod
    def of_contents(explorer: Explorer, kept: Contents) -> Turn:
        """The inverse, for an explorer that has met no other payoffs."""
        for paid in kept.about["payoffs"]:  # in their order, so that each gets its number again
            explorer.edges.number(tuple(map(fraction_from_text, paid)))
        columns, (payoffs, scale) = kept.columns, explorer.payoffs
        keys, state_rows, row_edges, denominator, target, weight, payoff, tag = (columns[name] for name in COLUMNS)
        graph = StateGraph(
            explorer.game, explorer.objective, explorer.codec, keys, state_rows, np.zeros_like(denominator), row_edges,
            denominator, target, weight, payoff, tag, tuple((by, marks, over) for by, marks, over in kept.about["tags"]),
            payoffs, scale, (), np.full(keys.shape[1], -1, dtype=np.int64),
        )  # fmt: skip
        return Turn(explorer, tuple(columns["cells"].tolist()), graph, columns["border"])

    def watching(self, entries: Sequence[tuple[str, str]]) -> Turn:
        """The same turn, in which transitions that take some entries are marked."""
        explorer = Explorer(self.explorer.game, self.explorer.objective, entries)
        for paid in self.explorer.edges.payoffs:
            explorer.edges.number(paid)
        graph, border = explorer.around(self.graph.keys)
        if not np.array_equal(border, self.border):
            raise DisagreementError("a turn has another border when its entries are watched")
        return Turn(explorer, self.cells, graph, border)

    @cached_property
    def keys(self) -> Ints:
        """The keys of all positions of the turn, shape (words, states)."""
        return np.concatenate([self.graph.keys, self.border], axis=1)

    def places(self, keys: Ints) -> Ints:
        """The numbers of positions in the turn, whatever their sheets, -1 where they lie in no turn."""
        return self._index.known(keys - self.shifts(keys))

    @cached_property
    def _index(self) -> KeyIndex:
        return KeyIndex.of(self.keys)

    def shifts(self, sheets: Ints) -> Ints:
        """What keys of the first sheet change by for other sheets, given by keys: shape (words, sheets)."""
        other: Ints = self._digits(sheets) - self._digits(self.explorer.start)
        return other

    def begins(self, keys: Ints) -> Ints:
        """The beginnings of the turns on the sheets of some positions, shape (words, keys)."""
        found: Ints = self.explorer.start + self.shifts(keys)
        return found

    def compare(self, begin: Ints) -> None:
        """Explore the turn on another sheet, and derive some of its positions again, by the key of its beginning.

        DisagreementError where it is not the same turn, or not what the rules give.
        """
        keys = self.keys + self.shifts(begin)
        inner = self.graph.states
        for part, first in ((keys[:, :inner], 0), (keys[:, inner:], inner)):
            graph, beside = self.explorer.around(part)
            refuse_disagreement(graph, beside=beside)
            if not first and not (_same(graph, self.graph) and np.array_equal(beside, keys[:, inner:])):
                raise DisagreementError("a turn is not the same on every sheet")

    def _digits(self, keys: Ints) -> Ints:
        """What the cells of the sheet add to keys, shape (words, keys)."""
        codec = self.explorer.codec
        cells, found = codec.decode(keys)[0], np.zeros_like(keys)
        told = codec.kept[codec.phases.index(codec.game.ruleset.turn)]
        for where in self.cells:
            if where in told:
                word, times = codec.places[where]
                found[word] += codec.digit(where, cells[where]) * times
        return found


_SENT: dict[tuple[str, int], Turn] = {}
"""The turn that this process was sent last. Payoffs are only ever added, so their number tells whether it is still the same."""


def _again(
    name: tuple[str, int], game: Game, objective: str, watched: Sequence[tuple[str, str]], kept: Contents
) -> Turn:
    if name not in _SENT:
        _SENT.clear()
        _SENT[name] = Turn.of_contents(Explorer(game, objective, watched), kept)
    return _SENT[name]


def _same(one: StateGraph, other: StateGraph) -> bool:
    """Whether two graphs agree in all but the keys of their states."""
    columns = ("state_rows", "row_edges", "denominator", "target", "weight", "payoff", "by")
    return all(np.array_equal(getattr(one, column), getattr(other, column)) for column in columns)


def find_turn(explorer: Explorer, grows: frozenset[str]) -> Turn | None:
    """The turn of a game; None where it depends on the sheet, where it has cycles, or is no turn by ``sheet``'s terms.

    ``grows``: the variables that only grow or only fall.
    """
    game, codec = explorer.game, explorer.codec
    if game.ruleset.turn not in codec.phases:  # its cases may begin turns in several phases
        return None
    inner = _inner(game, grows)
    if game.ruleset.turn not in inner or game.drops or codec.phases[_phase(codec, explorer.start)] not in inner:
        return None
    seen = reads(game.ruleset.out_when, game.ruleset.end_when)  # everywhere, also in the turn
    seen = seen.union(*(_seen(game.ruleset.phases[name]) for name in inner))
    cells = frozenset(where for name in game.ruleset.state if name not in seen for where in game.cells_of(name))
    cells -= codec.carried
    joined = [frozenset(where for member in orbit for where in member) for orbit in codec.reduction.orbits]
    joined += [frozenset((one.cell, *one.others)) for one in codec.given.values()]
    if any(each & cells and not each <= cells for each in joined):
        return None
    found = _explored(explorer, frozenset(codec.phases.index(name) for name in inner if name in codec.phases))
    if found is None:
        return None
    graph, border = found
    if (graph.target < 0).any():  # the game may end in the turn, and what it then pays depends on the sheet
        return None
    if any(cyclic for _, cyclic in layers(Arena.of(graph, border.shape[1]))):
        return None
    phases = {codec.phases[_phase(codec, key[:, None])] for key in np.concatenate([graph.keys, border], axis=1).T}
    if len({cells & codec.left_out[phase] for phase in phases}) != 1:
        return None
    return Turn(explorer, tuple(sorted(cells)), graph, border)


def _phase(codec: Codec, key: Ints) -> int:
    phase: Ints = codec.decode(key)[1]
    return int(phase[0])


def _explored(explorer: Explorer, inner: frozenset[int]) -> tuple[StateGraph, Ints] | None:
    """The graph of the inner positions of the first sheet, and the keys of its border; None where there are too many, or where
    a rule breaks, which whoever looks at positions one by one will tell."""
    index, done = KeyIndex.of(explorer.start), 0
    with suppress(Trouble):
        while done < index.count <= MOST_INNER:
            beside = explorer.around(index.keys.filled[:, done:].copy())[1]
            done = index.count
            index.add(beside[:, np.isin(explorer.codec.decode(beside)[1], list(inner))])
        return explorer.around(index.keys.filled.copy()) if index.count <= MOST_INNER else None
    return None


def _inner(game: Game, grows: frozenset[str]) -> frozenset[str]:
    """The phases that look at nothing that grows and lead only to phases, or straight through others of that kind."""
    phases = game.ruleset.phases
    over = reads(game.ruleset.out_when, game.ruleset.end_when)
    if over & grows:
        return frozenset()
    inner = {name for name, phase in phases.items() if not (_seen(phase) | over) & grows and _stays(phase)}
    while True:
        left = {
            name
            for name in inner
            if all(then in inner or phases[then].kind == "choose" for then in _leads_to(phases[name]))
        }
        if left == inner:
            return frozenset(inner)
        inner = left


def _stays(phase: Phase) -> bool:
    return all(isinstance(entry.then, ToPhase) for entry in phase.entries)


def _leads_to(phase: Phase) -> Iterator[str]:
    return (entry.then.phase for entry in phase.entries if isinstance(entry.then, ToPhase))


def _seen(phase: Phase) -> frozenset[str]:
    """The variables that a phase reads or writes."""
    names = {looked_at(throw) for throw in phase.throws} | {throw.name for throw in phase.throws if throw.kept}
    names |= reads(*(term.count for throw in phase.throws for term in throw.dice))
    for entry in phase.entries:
        names |= reads(*entry.reads)
        for effect in every_effect(entry.do):
            names |= reads(*effect.reads) | {place.name for place in effect.writes}
    return frozenset(names)
