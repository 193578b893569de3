"""Hypergammon is worth what GNU Backgammon's makehyper says."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

import oddsmith
from tests.agreement.makehyper import Side, kept
from tests.staged import by_stages

RULES = Path(__file__).with_name("hypergammon.yaml")
NEAR = 1e-6  # makehyper computes in floats of 32 bits, and cuts each of its chances off to 24


@pytest.mark.parametrize(
    ("checkers", "start"),
    [
        (1, "0.452773137042"),
        pytest.param(2, "0.152243912484", marks=pytest.mark.long),
    ],
)
def test_every_position_is_worth_what_makehyper_says(checkers: int, start: str, tmp_path: Path) -> None:
    found = by_stages(oddsmith.load(RULES), checkers=checkers, store=tmp_path / "kept")
    assert found.values[0].decimal(12) == start
    found.write_table(tmp_path / "table.csv", "phase=throw")
    with (tmp_path / "table.csv").open(encoding="utf-8", newline="") as file:
        ours = {
            (_side(row, 1, checkers), _side(row, 2, checkers)): float(row["value_1_decimal"])
            for row in csv.DictReader(file)
        }
    theirs = {pair: points for pair, points in kept().items() if len(pair[0]) == checkers and pair in ours}
    assert len(theirs) > 300
    assert all(abs(ours[pair] - points) < NEAR for pair, points in theirs.items())


def _side(row: dict[str, str], seat: int, checkers: int) -> Side:
    return tuple(int(row[f"at[{seat}, {man}]"]) for man in range(1, checkers + 1))
