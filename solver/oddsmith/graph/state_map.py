"""States and actions of one graph, mapped to a coarser graph of the same game."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from oddsmith.base.arrays import Ints, arange
from oddsmith.graph.columns.codec import Codec
from oddsmith.graph.columns.expand import Action
from oddsmith.graph.index import KeyIndex
from oddsmith.graph.reachability import unique

if TYPE_CHECKING:
    from oddsmith.graph.stategraph import StateGraph


class StateMap:
    """Finds the states of a coarser graph for keys of another codec.

    ``again``: for each entry of the other game that is a copy, given by phase and index, the index of its original.
    """

    def __init__(self, graph: StateGraph, again: Mapping[tuple[str, int], int] | None = None) -> None:
        self.graph, self.codec, self.again = graph, graph.codec, again or {}

    @cached_property
    def index(self) -> KeyIndex:
        """An index from every key of the graph to its state."""
        index = KeyIndex(self.codec.possible_keys, self.codec.words_per_key)
        index.add(self.graph.keys)
        return index

    @cached_property
    def actions(self) -> Mapping[Action, int]:
        """The index of every action of the graph."""
        known = {key: number for number, key in enumerate(self.graph.actions)}
        copies = {
            (phase, second, binding): known[phase, first, binding]
            for (phase, second), first in self.again.items()
            for name, entry, binding in self.graph.actions
            if (name, entry) == (phase, first)
        }
        return {**known, **copies}

    def state_indices(self, codec: Codec, keys: Ints) -> Ints:
        """Return the numbers of states, all of which are in the graph. ``keys``: shape (words, states), of another codec."""
        if self.codec.reduction.orbits:
            found = [self.graph.index_of(codec.state(key)) for key in keys.T]
            return np.array(found, dtype=np.int64)
        own = recoded_keys(codec, keys, self.codec)
        numbers, new = self.index.add(own)
        assert not len(new)
        return numbers


def recoded_keys(codec: Codec, keys: Ints, own: Codec) -> Ints:
    """Return keys of one codec, shape (words, states), as keys of another codec of the same game.

    The other codec distinguishes no more states. Members of an orbit stay in their order.
    """
    cells, phase, out = codec.decode(keys)
    found = np.empty((own.words_per_key, keys.shape[1]), dtype=np.int64)
    masks = int(out.max(initial=0)) + 1
    for number, mask in (divmod(code, masks) for code in unique(phase * masks + out).tolist()):
        rows = np.flatnonzero((phase == number) & (out == mask))
        phase_there = own.phases.index(codec.phases[number])

        def read(where: int, rows: Ints = rows) -> Ints:
            return np.asarray(cells[where, rows])

        found[:, rows] = own.keys(read, len(rows), phase_there, mask)
    return found


@dataclass(frozen=True)
class TakenActions:
    """Rows of a graph that a policy takes, one or more in every state, given to explore a finer graph with these alone."""

    within: StateMap
    rows: Ints

    @cached_property
    def actions(self) -> Ints:
        """The actions that are taken in each state, shape (states, most actions); -2 fills rows with fewer actions."""
        graph = self.within.graph
        rows = unique(self.rows)
        states = np.searchsorted(graph.state_rows, rows, side="right") - 1
        place = arange(len(rows)) - np.searchsorted(states, states)
        actions = np.full((graph.states, int(place.max()) + 1), -2, dtype=np.int64)
        actions[states, place] = graph.row_action[rows]
        return actions
