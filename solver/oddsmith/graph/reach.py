"""What can be reached from where, on arrays of transitions."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from oddsmith.arrays import Mask, Whole


def ranges(starts: Whole, lengths: Whole) -> Whole:
    """The numbers of several ranges, one after the other."""
    ends = np.cumsum(lengths)
    found: Whole = np.arange(ends[-1] if len(ends) else 0) + np.repeat(starts - ends + lengths, lengths)
    return found


def waves(source: Whole, target: Whole, count: int, seeds: Whole) -> Iterator[tuple[Whole, Whole]]:
    """Breadth first from some seeds: the nodes that each step meets first, and the transition to each."""
    order = np.argsort(source, kind="stable")
    first = np.concatenate([[0], np.cumsum(np.bincount(source, minlength=count))])
    met = np.zeros(count, dtype=bool)
    met[seeds] = True
    here = seeds
    while len(here):
        edges = order[ranges(first[here], first[here + 1] - first[here])]
        edges = edges[~met[target[edges]]]
        here, place = np.unique(target[edges], return_index=True)
        met[here] = True
        yield here, edges[place]


def reachable(source: Whole, target: Whole, count: int, seeds: Whole) -> Mask:
    """Which of ``count`` nodes the transitions lead to from some seeds, those included."""
    found = np.zeros(count, dtype=bool)
    found[seeds] = True
    for nodes, _ in waves(source, target, count, seeds):
        found[nodes] = True
    return found


def sums_to_the_end(source: Whole, target: Whole, count: int, paid: Whole) -> Whole | None:
    """Per state, what is paid from it to the end if that is the same on every way; else None. ``target`` -1: the end.

    Found along one shortest way from every state; then the other transitions must agree. Every state must have a way.
    """
    inner = target >= 0
    if not paid[inner].any() and (paid[~inner] == paid[~inner][0]).all():
        return np.full(count, paid[~inner][0])
    total = np.zeros(count + 1, dtype=paid.dtype)  # the last one is the end
    onwards = np.where(inner, target, count)
    for states, edges in waves(onwards, source, count + 1, np.array([count])):
        total[states] = paid[edges] + total[onwards[edges]]
    return total[:-1] if (total[source] == paid + total[onwards]).all() else None
