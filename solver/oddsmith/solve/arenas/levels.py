"""The order in which an arena is solved: from the ends of the game backwards, in levels.

Let the components of the arena (its strongly connected parts) be the nodes of a graph without cycles. The level of a
component is the length of the longest way from it to one that leads nowhere else. A transition that leaves a component
goes to a lower level: so when a level is solved, in ascending order, everything that it leads to is known. Components of
one level do not lead to one another, so they may be solved together without one changing the answer of another.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from oddsmith.arrays import Ints, bincount
from oddsmith.graph import different, grouped, ranges
from oddsmith.solve.arenas.arena import Arena


def layers(arena: Arena) -> Iterator[tuple[Ints, bool]]:
    """States in the order of solving, all of a level at once: those on no cycle, then those of components with cycles.

    What a state of a level can lead to lies in levels before, or in its own component.
    """
    labels = arena.components
    count = int(labels.max()) + 1
    inner = arena.target >= 0
    source, target = arena.row_state[arena.edge_row[inner]], arena.target[inner]
    cyclic = bincount(labels, minlength=count) > 1
    cyclic[labels[source[source == target]]] = True
    leaving = np.flatnonzero(labels[source] != labels[target])
    pairs = different(labels[source[leaving]] * count + labels[target[leaving]])
    del inner, source, target, leaving  # as large as the game
    level = levels(count, pairs // count, pairs % count)
    order = np.argsort(level[labels] * 2 + cyclic[labels], kind="stable")
    key = (level[labels] * 2 + cyclic[labels])[order]
    for states in np.split(order, np.flatnonzero(np.diff(key)) + 1):
        yield states, bool(cyclic[labels[states[0]]])


def levels(count: int, source: Ints, target: Ints) -> Ints:
    """Per node of an acyclic graph (pairs sorted by source), the length of the longest way from it."""
    open_ways = bincount(source, minlength=count)
    order, first = grouped(target, count)
    before = source[order]
    level = np.zeros(count, dtype=np.int64)
    ready, depth = np.flatnonzero(open_ways == 0), 0
    while len(ready):
        level[ready] = depth
        touched = before[ranges(first[ready], first[ready + 1] - first[ready])]
        np.subtract.at(open_ways, touched, 1)
        touched = different(touched)
        ready, depth = touched[open_ways[touched] == 0], depth + 1
    return level


def by_label(states: Ints, labels: Ints) -> list[Ints]:
    """States apart by their components, in the order of the labels, ascending in each."""
    order = np.argsort(labels, kind="stable")
    return np.split(states[order], np.flatnonzero(np.diff(labels[order])) + 1)
