"""A map from the states and actions of one graph to those of a coarser graph of the same game."""

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
    """Finds the states and actions of a coarser graph that correspond to those of a finer graph.

    ``graph``: the coarser graph. ``copied_entries``: the entries that the finer graph's game has twice, as a map from
    the phase and the index of a copy to the index of the original. The coarser graph's game has the originals only.
    """

    def __init__(self, graph: StateGraph, copied_entries: Mapping[tuple[str, int], int] | None = None) -> None:
        self.graph, self.codec, self.copied_entries = graph, graph.codec, copied_entries or {}

    @cached_property
    def key_index(self) -> KeyIndex:
        """The number of each state of the coarser graph, by its key."""
        index = KeyIndex(self.codec.possible_key_count, self.codec.words_per_key)
        index.add(self.graph.keys)
        return index

    @cached_property
    def actions(self) -> Mapping[Action, int]:
        """The number of each action of the coarser graph. A copied entry has the number of its original."""
        known = {key: number for number, key in enumerate(self.graph.actions)}
        copies = {
            (phase, second, binding): known[phase, first, binding]
            for (phase, second), first in self.copied_entries.items()
            for name, entry, binding in self.graph.actions
            if (name, entry) == (phase, first)
        }
        return {**known, **copies}

    def state_indices(self, codec: Codec, keys: Ints) -> Ints:
        """Return the numbers that some states have in the coarser graph, which must contain all of them.

        ``keys``: their keys by another ``codec``, shape (words, states).
        """
        if self.codec.reduction.orbits:
            found = [self.graph.index_of(codec.state(key)) for key in keys.T]
            return np.array(found, dtype=np.int64)
        own = recoded_keys(codec, keys, self.codec)
        numbers, new = self.key_index.add(own)
        assert not len(new)
        return numbers


def recoded_keys(codec: Codec, keys: Ints, target_codec: Codec) -> Ints:
    """Return keys of one codec as keys of another codec of the same game.

    ``keys``: shape (words, states). ``target_codec``: the other codec.

    The other codec must not distinguish more states. Members of an orbit are not sorted.
    """
    cells, phase, out = codec.decode(keys)
    found = np.empty((target_codec.words_per_key, keys.shape[1]), dtype=np.int64)
    masks = int(out.max(initial=0)) + 1
    for number, mask in (divmod(code, masks) for code in unique(phase * masks + out).tolist()):
        rows = np.flatnonzero((phase == number) & (out == mask))
        phase_there = target_codec.phases.index(codec.phases[number])

        def read_column(cell_index: int, rows: Ints = rows) -> Ints:
            return np.asarray(cells[cell_index, rows])

        found[:, rows] = target_codec.keys(read_column, len(rows), phase_there, mask)
    return found


@dataclass(frozen=True)
class TakenActions:
    """Rows of a graph that a policy takes, one or more in every state. They restrict the exploration of a finer graph.

    ``within``: the map to the graph that has the rows. ``rows``: the rows.
    """

    within: StateMap
    rows: Ints

    @cached_property
    def actions(self) -> Ints:
        """The numbers of the actions that are taken in each state, shape (states, largest number of actions).

        Unused places hold -2.
        """
        graph = self.within.graph
        rows = unique(self.rows)
        states = np.searchsorted(graph.state_rows, rows, side="right") - 1
        place = arange(len(rows)) - np.searchsorted(states, states)
        actions = np.full((graph.state_count, int(place.max()) + 1), -2, dtype=np.int64)
        actions[states, place] = graph.row_action[rows]
        return actions
