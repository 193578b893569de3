"""Bounds of sizes, against counting one by one."""

from __future__ import annotations

from itertools import product

import pytest

from oddsmith.graph.estimate import MOST_COINS, _sums


@pytest.mark.parametrize("spans", [[3], [2, 3], [1, 4, 2], [5, 5, 5]])
@pytest.mark.parametrize("total", [0, 3, 6])
def test_sums_are_counted(spans: list[int], total: int) -> None:
    ways = [sum(pick) for pick in product(*(range(span + 1) for span in spans))]
    assert _sums(spans, total, exactly=True) == ways.count(total)
    assert _sums(spans, total, exactly=False) == sum(way <= total for way in ways)


def test_a_large_total_bounds_nothing() -> None:
    assert _sums([9, 9], MOST_COINS + 1, exactly=True) == 100
