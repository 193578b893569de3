"""Both engines count the same positions, and the same as the day the files were written (see tests.counts.write)."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.cases import Case, cases, large
from tests.counts.write import HERE, by_depth, graph_by_columns, graph_by_rules

WRITE = "run: python -m tests.counts.write"
MOST = 5_000  # positions that the rules for one state count in the short run: they take their time


def written(case: Case) -> dict[str, Any]:
    counts: dict[str, Any] = json.loads((HERE / f"{case}.json").read_text("utf-8"))
    return counts


def takes_long(case: Case) -> bool:
    return (HERE / f"{case}.json").exists() and written(case)["total"] > MOST


LONG = [pytest.param(case, marks=pytest.mark.long) for case in large()]
each_case = pytest.mark.parametrize("case", [*cases(), *LONG], ids=str)
each_small = pytest.mark.parametrize(
    "case",
    [
        *(pytest.param(case, marks=pytest.mark.long if takes_long(case) else ()) for case in cases()),
        *LONG,
    ],
    ids=str,
)


def test_no_game_is_missing() -> None:
    assert {path.stem for path in HERE.glob("*.json")} == {str(case) for case in [*cases(), *large()]}, WRITE


@each_small
def test_the_rules_count_what_is_written(case: Case) -> None:
    counts = written(case)
    assert counts["parameters"] == dict(case.game.parameters), WRITE
    assert counts["play"] == by_depth(case), WRITE
    assert counts["total"] == sum(level["states"] for level in counts["play"])


@each_case
def test_the_graph_counts_what_is_written(case: Case) -> None:
    graphs = written(case)["graph"]
    assert graphs.keys() == set(case.objectives), WRITE
    for objective, sizes in graphs.items():
        assert sizes == graph_by_columns(case, objective), (objective, WRITE)


@pytest.mark.long  # tests/laws compares every transition
@each_small
def test_rules_and_columns_count_the_same(case: Case) -> None:
    for objective in case.objectives:
        assert graph_by_rules(case, objective) == graph_by_columns(case, objective), objective
