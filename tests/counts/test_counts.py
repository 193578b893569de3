"""Both engines count the same positions, and the same as the day the files were written (see tests.counts.write)."""

from __future__ import annotations

import json

import pytest

from tests.cases import Case, cases, large
from tests.counts.write import HERE, by_depth, graph_by_columns, graph_by_rules

WRITE = "run: python -m tests.counts.write"
each_case = pytest.mark.parametrize(
    "case", [*cases(), *(pytest.param(case, marks=pytest.mark.long) for case in large())], ids=str
)


def test_no_game_is_missing() -> None:
    assert {path.stem for path in HERE.glob("*.json")} == {str(case) for case in [*cases(), *large()]}, WRITE


@each_case
def test_the_rules_count_what_is_written(case: Case) -> None:
    written = json.loads((HERE / f"{case}.json").read_text("utf-8"))
    assert written["parameters"] == dict(case.game.parameters), WRITE
    assert written["play"] == by_depth(case), WRITE
    assert written["total"] == sum(level["states"] for level in written["play"])


@each_case
def test_the_graph_counts_what_is_written(case: Case) -> None:
    written = json.loads((HERE / f"{case}.json").read_text("utf-8"))
    assert written["graph"].keys() == set(case.objectives), WRITE
    for objective, sizes in written["graph"].items():
        assert sizes == graph_by_columns(case, objective), (objective, WRITE)


@each_case
def test_rules_and_columns_count_the_same(case: Case) -> None:
    for objective in case.objectives:
        assert graph_by_rules(case, objective) == graph_by_columns(case, objective), objective
