"""Reachability on arrays of transitions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from oddsmith.base.arrays import Mask, Whole, arange, bincount, cumsum, repeat


def concatenated_ranges(starts: Whole, lengths: Whole) -> Whole:
    """Return the numbers of several ranges, concatenated.

    ``starts``, ``lengths``: the first number of each range, and how many it has.
    """
    ends = cumsum(lengths)
    numbers: Whole = arange(ends[-1] if len(ends) else 0) + repeat(starts - ends + lengths, lengths)
    return numbers


def unique(values: Whole) -> Whole:
    """Return the different values, ascending.

    ``np.unique`` would hash whole numbers, which takes several times as long.
    """
    values = np.sort(values)
    new: Whole = values[np.append(True, values[1:] != values[:-1])[: len(values)]]
    return new


def stable_argsort(keys: Whole) -> Whole:
    """Return the indices that sort keys in ascending order. Equal keys stay in their order.

    It sorts words of 64 bits, each made of a key and its index of at most 31 bits. This is three times as fast as a
    stable sort.
    """
    order: Whole = np.sort(keys.astype(np.int64) << 32 | arange(len(keys))) & 0xFFFFFFFF
    return order


def group_by(keys: Whole, key_count: int) -> tuple[Whole, Whole]:
    """Return two arrays for keys from 0 to below ``key_count``: the indices that sort the keys, and where each key
    begins.

    Equal keys stay in their order. The second array has ``count + 1`` entries; the last is the number of keys.
    """
    return stable_argsort(keys), np.concatenate([[0], cumsum(bincount(keys, minlength=key_count))])


def bfs_layers(source: Whole, target: Whole, node_count: int, seeds: Whole) -> Iterator[tuple[Whole, Whole]]:
    """Yield the layers of a breadth-first search from some nodes, the ``seeds``. The seeds are not a layer.

    ``source``, ``target``: the nodes of each transition. ``node_count``: the number of nodes. A layer is a pair: the
    nodes that are first met at one step, and for each of them the index of a transition to it.
    """
    order, first = group_by(source, node_count)
    met = np.zeros(node_count, dtype=bool)
    met[seeds] = True
    wave = seeds
    while len(wave):
        edges = order[concatenated_ranges(first[wave], first[wave + 1] - first[wave])]
        edges = edges[~met[target[edges]]]
        wave, place = np.unique(target[edges], return_index=True)
        met[wave] = True
        yield wave, edges[place]


def reachable_mask(source: Whole, target: Whole, node_count: int, seeds: Whole) -> Mask:
    """Return a mask of the nodes, of ``node_count`` in all, that are reachable from the ``seeds``. The seeds are
    included.
    """
    met = np.zeros(node_count, dtype=bool)
    met[seeds] = True
    for nodes, _ in bfs_layers(source, target, node_count, seeds):
        met[nodes] = True
    return met


def payoff_sums(payoffs: Sequence[Sequence[int]], max_addends: int) -> Whole:
    """Return the sum over all seats of each payoff vector.

    They are in 64 bits if the sum of ``max_addends`` of them cannot overflow, else they are Python integers.
    """
    sums = [sum(each) for each in payoffs]
    wide = max(map(abs, sums), default=0) * (max_addends + 1) >= 1 << 62
    return np.array(sums, dtype=object if wide else np.int64)


def path_independent_payoffs(source: Whole, target: Whole, state_count: int, payoffs: Whole) -> Whole | None:
    """Return for each state the total payoff from it to the end, if the total is the same along every path; else None.

    ``payoffs``: the payoff of each transition. ``target`` -1 is the end, which every state must reach. The total t(s)
    is taken from one shortest path of each state. Then t(s) = paid + t(target) is tested on all transitions. If it
    holds, each step pays t(s) - t(target), so the payoffs along any path to the end add up to t(s). If it fails for one
    transition, two paths differ.
    """
    inner = target >= 0
    if not payoffs[inner].any() and (payoffs[~inner] == payoffs[~inner][0]).all():
        return np.full(state_count, payoffs[~inner][0], dtype=payoffs.dtype)
    total = np.zeros(state_count + 1, dtype=payoffs.dtype)  # the last one is the end
    onwards = np.where(inner, target, state_count)
    for states, edges in bfs_layers(onwards, source, state_count + 1, np.array([state_count])):
        total[states] = payoffs[edges] + total[onwards[edges]]
    return total[:-1] if (total[source] == payoffs + total[onwards]).all() else None
