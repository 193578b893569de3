"""Numbers for keys, in the order in which the keys are added, and arrays that grow.

Keys are compared exactly, never by a hash alone. If few keys are possible, a table holds the number of each of them.
Otherwise numbers are kept in sorted runs, each at least twice as long as the next. So a key is looked up in a
logarithmic number of runs, and merged a logarithmic number of times. Each key has a hash of 64 bits. The hash of a key
of one word is the key itself. For a longer key each step of the hash can be undone if the other words are known. So
keys that differ in one word have different hashes, and others have equal hashes by chance only. Each match of hashes is
compared word by word. If two different keys have equal hashes, all keys are hashed again with another seed.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from oddsmith.base.arrays import Ints, Whole, arange, reduceat

MAX_TABLE_KEYS = (
    1 << 28
)  # possible keys up to which a table holds them all; the system fills it only where it is touched


def to_narrowest_type(values: NDArray[Any]) -> NDArray[Any]:
    """Return whole numbers as an array of the narrowest type that holds them."""
    low, high = (int(values.min()), int(values.max())) if len(values) else (0, 0)
    kinds = (np.uint8, np.uint16) if low >= 0 else (np.int8, np.int16)
    kind = next((kind for kind in (*kinds, np.int32) if high <= np.iinfo(kind).max), np.int64)
    return values.astype(kind, copy=False)


class ChunkedColumn:
    """A long array in parts, each of the narrowest type that holds its values."""

    def __init__(self) -> None:
        self.parts: list[NDArray[Any]] = []
        self.bytes = 0

    def append(self, values: NDArray[Any]) -> None:
        """Add values at the end."""
        self.parts.append(to_narrowest_type(values))
        self.bytes += self.parts[-1].nbytes

    def join(self) -> NDArray[Any]:
        """Return all values as one array, and drop the parts."""
        whole = np.concatenate(self.parts)
        self.parts = []
        return whole


class GrowingArray:
    """An array that grows at its end along the last axis."""

    def __init__(self, shape: tuple[int, ...], dtype: type[np.integer[Any]]) -> None:
        self.array: NDArray[Any] = np.empty((*shape, 1024), dtype=dtype)
        self.count = 0

    def append(self, values: NDArray[Any]) -> None:
        """Add values at the end."""
        end = self.count + values.shape[-1]
        if end > self.array.shape[-1]:
            wider = np.empty((*self.array.shape[:-1], max(end, self.array.shape[-1] * 3 // 2)), dtype=self.array.dtype)
            wider[..., : self.count] = self.array[..., : self.count]
            self.array = wider
        self.array[..., self.count : end] = values
        self.count = end

    @property
    def filled(self) -> NDArray[Any]:
        """The values added so far."""
        return self.array[..., : self.count]


class KeyIndex:
    """Assigns consecutive numbers to keys.

    ``possible_key_count``: the number of possible keys. ``words_per_key``: the number of integers in a key.
    ``share_table_with``: another index whose table this index uses too. Then no key of one index may be looked up in
    the other.
    """

    def __init__(self, possible_key_count: int, words_per_key: int, share_table_with: KeyIndex | None = None) -> None:
        self.table: NDArray[np.int32] | None = None  # number + 1; 0 is unknown
        if possible_key_count <= MAX_TABLE_KEYS and words_per_key == 1:
            self.table = (
                np.zeros(possible_key_count, dtype=np.int32) if share_table_with is None else share_table_with.table
            )
        self.keys = GrowingArray((words_per_key,), np.int64)
        self.runs: list[tuple[Ints, Ints]] = []
        self.seed = 1

    @staticmethod
    def of(keys: Ints) -> KeyIndex:
        """Return an index of some keys that uses no table. ``keys``: shape (words, n)."""
        index = KeyIndex(MAX_TABLE_KEYS + 1, len(keys))
        if keys.shape[1]:
            index.add(keys)
        return index

    @property
    def count(self) -> int:
        """The number of keys."""
        return self.keys.count

    def add(self, keys: Ints) -> tuple[Ints, Ints]:
        """Add keys, shape (words, n). Return the number of each key, and the indices of the keys that are new."""
        return self._add_by_runs(keys) if self.table is None else self._add_by_table(keys, self.table)

    def find(self, keys: Ints) -> Ints:
        """Return the number of each key; -1 for a key that was not added."""
        if self.table is not None:
            found: Ints = self.table[keys[0]].astype(np.int64) - 1
            return found
        if not self.count:
            return np.full(keys.shape[1], -1, dtype=np.int64)
        numbers = self._numbers_of_hashes(self._hashes(keys))
        same: Ints = (self.keys.filled[:, numbers] == keys).all(axis=0)
        return np.where(same, numbers, -1)

    def _add_by_table(self, keys: Ints, table: NDArray[np.int32]) -> tuple[Ints, Ints]:
        """Add keys as ``add`` does, with a table of the number of each possible key."""
        numbers = table[keys[0]]
        unknown = np.flatnonzero(numbers == 0)
        if not len(unknown):
            return numbers.astype(np.int64) - 1, unknown
        new = keys[0, unknown]
        order = np.arange(1, len(new) + 1, dtype=np.int32)
        table[new[::-1]] = order[::-1]  # of equal keys the first one writes last
        first = table[new] == order
        fresh = unknown[first]
        table[new[first]] = arange(self.count + 1, self.count + len(fresh) + 1)
        numbers[unknown] = table[new]
        self.keys.append(keys[:, fresh])
        return numbers.astype(np.int64) - 1, fresh

    def _add_by_runs(self, keys: Ints) -> tuple[Ints, Ints]:
        """Add keys as ``add`` does, with sorted runs of hashes."""
        while True:
            distinct, first, inverse = np.unique(self._hashes(keys), return_index=True, return_inverse=True)
            numbers = self._numbers_of_hashes(distinct)
            known = numbers >= 0
            if (keys[:, first[inverse]] == keys).all() and (
                self.keys.filled[:, numbers[known]] == keys[:, first[known]]
            ).all():
                break
            self.seed += 1
            self.runs = [_sorted_run(self._hashes(self.keys.filled), arange(self.count))] if self.count else []
        fresh = np.flatnonzero(~known)
        fresh = fresh[np.argsort(first[fresh])]  # in the order in which they come
        numbers[fresh] = arange(self.count, self.count + len(fresh))
        if len(fresh):
            self.runs.append(_sorted_run(distinct[fresh], numbers[fresh]))
            while len(self.runs) > 1 and len(self.runs[-2][0]) < 2 * len(self.runs[-1][0]):
                one, two = self.runs.pop(), self.runs.pop()
                self.runs.append(_sorted_run(np.concatenate([one[0], two[0]]), np.concatenate([one[1], two[1]])))
        self.keys.append(keys[:, first[fresh]])
        return numbers[inverse], first[fresh]

    def _numbers_of_hashes(self, hashes: Ints) -> Ints:
        """Return the number of the key that has each hash; -1 if there is none."""
        numbers = np.full(len(hashes), -1, dtype=np.int64)
        for held, given in self.runs:
            place = np.minimum(np.searchsorted(held, hashes), len(held) - 1)
            numbers = np.where(held[place] == hashes, given[place], numbers)
        return numbers

    def _hashes(self, keys: Ints) -> Ints:
        """Return the hash of each key. The hash of a key of one word is the key itself."""
        if len(keys) == 1:
            word: Ints = keys[0]
            return word
        random = np.random.default_rng(self.seed)
        mixed = np.zeros(keys.shape[1], dtype=np.uint64)
        for word in keys:
            mixed = (mixed ^ word.astype(np.uint64)) * np.uint64(int(random.integers(1 << 62)) * 2 + 1)
            mixed ^= mixed >> np.uint64(29)
        hashes: Ints = mixed.view(np.int64)
        return hashes


def _sorted_run(hashes: Ints, key_numbers: Ints) -> tuple[Ints, Ints]:
    """Return hashes in ascending order, and the number of the key of each."""
    order = np.argsort(hashes, kind="stable")
    return hashes[order], key_numbers[order]


def unique_columns(columns: Ints) -> tuple[Ints, Ints]:
    """Return the different columns of an array of shape (k, n), and for each of its n columns the index among these.

    If the product of the rows' ranges fits 62 bits, columns are compared as numbers in mixed radix. Otherwise NumPy
    compares whole columns.
    """
    if columns.shape[1] == 1:
        return columns, np.zeros(1, dtype=np.int64)
    low = columns.min(axis=1)
    size = 1
    packed = np.zeros(columns.shape[1], dtype=np.int64)
    for column, least, span in zip(columns, low, (columns.max(axis=1) - low + 1).tolist(), strict=True):
        packed = packed * span + (column - least)
        size *= span
    if size >= 1 << 62:
        different, inverse = np.unique(columns, axis=1, return_inverse=True)
        return different, inverse.reshape(-1)
    _, first, inverse = np.unique(packed, return_index=True, return_inverse=True)
    return columns[:, first], inverse


def compress_keys(keys: Whole) -> Whole:
    """Return numbers below 2^31 in the same order as some keys: the keys themselves if all are below 2^31, else their
    ranks.
    """
    return keys if keys.max(initial=0) < 1 << 31 else np.unique(keys, return_inverse=True)[1]


def merge_transitions(row_key: Whole, target: Whole, weight: Whole, payoff: Whole, tag: Whole, order: Whole) -> Whole:
    """Add the weights of equal transitions to the first of them, in place. Return ``order`` without the others.

    ``row_key``: the row of each transition. ``order``: the indices of the transitions, in an order in which rows
    ascend. Transitions are equal if they differ only in their weights.
    """
    pairs = np.sort(row_key.astype(np.int64) << 32 | (target + 1))
    twice = pairs[1:][pairs[1:] == pairs[:-1]] >> 32
    if not len(twice):
        return order
    maybe_repeated = np.zeros(int(pairs[-1] >> 32) + 1, dtype=bool)
    maybe_repeated[twice] = True
    some = np.flatnonzero(maybe_repeated[row_key])
    some = some[np.lexsort((tag[some], payoff[some], target[some], row_key[some]))]
    same = np.stack([row_key[some], target[some], payoff[some], tag[some]])
    new = np.append(True, (same[:, 1:] != same[:, :-1]).any(axis=0))
    starts = np.flatnonzero(new)
    weight[some[starts]] = reduceat(np.add, weight[some], starts)
    keep = np.ones(len(row_key), dtype=bool)
    keep[some[~new]] = False
    return order[keep[order]]
