"""Keys get one number each, however they are looked up."""

from __future__ import annotations

import numpy as np
import pytest

from oddsmith.base.arrays import Ints
from oddsmith.graph.index import MAX_TABLE_KEYS, ChunkedColumn, KeyIndex, to_narrowest_type, unique_columns


def by_dictionary(batches: list[Ints]) -> list[tuple[list[int], list[int]]]:
    """The same, slow and plain."""
    known: dict[tuple[int, ...], int] = {}
    found = []
    for keys in batches:
        numbers, fresh = [], []
        for place, key in enumerate(map(tuple, keys.T.tolist())):
            if key not in known:
                known[key] = len(known)
                fresh.append(place)
            numbers.append(known[key])
        found.append((numbers, fresh))
    return found


def batches(words: int, most: int) -> list[Ints]:
    random = np.random.default_rng(3)
    return [random.integers(0, most, size=(words, 200)) for _ in range(30)]


@pytest.mark.parametrize(("words", "box"), [(1, 500), (1, MAX_TABLE_KEYS * 4), (2, 10**30), (3, 10**40)])
def test_numbers_follow_the_order_in_which_keys_come(words: int, box: int) -> None:
    index, given = KeyIndex(box, words), batches(words, 500 if words == 1 else 9)
    found = [index.add(keys) for keys in given]
    assert [(a.tolist(), b.tolist()) for a, b in found] == by_dictionary(given)
    assert index.count == max(numbers.max() for numbers, _ in found) + 1
    assert (
        np.concatenate([keys[:, fresh] for keys, (_, fresh) in zip(given, found, strict=True)], axis=1)
        == index.keys.filled
    ).all()


def test_keys_that_share_a_fingerprint_are_still_told_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    """The first mixtures throw nearly everything together: another one is chosen, and nothing is lost."""
    mixed = KeyIndex._hashes
    monkeypatch.setattr(
        KeyIndex, "_hashes", lambda self, keys: mixed(self, keys) % 7 if self.seed < 3 else mixed(self, keys)
    )
    index, given = KeyIndex(10**30, 2), batches(2, 9)
    assert [(a.tolist(), b.tolist()) for a, b in map(index.add, given)] == by_dictionary(given)
    assert index.seed == 3


@pytest.mark.parametrize("spread", [9, 2**40])
def test_distinct_columns(spread: int) -> None:
    columns = np.random.default_rng(5).integers(-spread, spread, size=(3, 400))
    columns = np.concatenate([columns, columns[:, :50]], axis=1)
    found, which = unique_columns(columns)
    assert (found[:, which] == columns).all()
    assert len({tuple(column) for column in found.T.tolist()}) == found.shape[1]


def test_columns_are_narrow_and_whole() -> None:
    parts = ChunkedColumn()
    for values in ([1, 2], [300], [70_000], [2**40, -1]):
        parts.append(np.array(values))
    assert parts.bytes == 2 + 2 + 4 + 16
    assert parts.join().tolist() == [1, 2, 300, 70_000, 2**40, -1]
    assert to_narrowest_type(np.array([-5, 200])).tolist() == [-5, 200]
