"""Thresholds say what the policy does: no more, no less."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import numpy as np
import pytest

import oddsmith
from oddsmith.report.policy.decisions import decisions_by_phase, group_numbers
from oddsmith.report.policy.thresholds import ACTION_VARIES, SolvedStrategy, strategies_by_phase
from oddsmith.solve.solution import Solution

ROOT = Path(__file__).resolve().parents[2]
GAMES = [
    "coffers",
    "column-race",
    "farkle-turn",
    "hot-purse",
    "little-poker",
    "marbles",
    "pig",
    "piglet",
    "shut-the-box",
]


@cache
def solution(name: str) -> Solution:
    shipped = name == "rogues-gambit"
    return (
        oddsmith.load(name if shipped else ROOT / "tests" / "samples" / f"{name}.yaml")
        .at(seats=2 if shipped else None)
        .solve()
        .solution
    )


@cache
def found(name: str) -> list[SolvedStrategy]:
    return strategies_by_phase(solution(name))


@pytest.mark.parametrize("name", [*GAMES, "rogues-gambit"])
def test_what_is_left_out_never_changes_a_decision_of_good_play(name: str) -> None:
    for each in decisions_by_phase(solution(name)):
        needed = each.needed_features()
        group = group_numbers([feature.column[each.played] for feature in needed], int(each.played.sum()))
        choice = each.choice[each.played]
        assert all(len(np.unique(choice[group == number])) == 1 for number in np.unique(group))


@pytest.mark.parametrize("name", [*GAMES, "rogues-gambit"])
def test_the_lines_give_back_every_decision_of_good_play(name: str) -> None:
    for strategy in found(name):
        if strategy.down is None:
            continue
        each = strategy.decisions
        told: dict[tuple[tuple[str, ...], tuple[int, ...], int], int] = {}
        for table in strategy.tables:
            for where in table.where:
                for line in table.lines:
                    told |= {
                        (where, line.at, value): run.option
                        for run in line.runs
                        for value in range(run.first, run.last + 1)
                    }
        for state in np.flatnonzero(each.played).tolist():
            where = tuple(feature.code_text(int(feature.column[state])) for feature in strategy.split)
            at = tuple(int(feature.column[state]) for feature in strategy.across)
            assert told[where, at, int(strategy.down.column[state])] == each.choice[state]


@pytest.mark.parametrize("name", [*GAMES, "rogues-gambit"])
def test_segments_and_exceptions_share_out_the_lines(name: str) -> None:
    for strategy in found(name):
        for table in strategy.tables:
            if len(strategy.across) > 1:
                continue
            for line in table.lines:
                if line in table.exceptions:
                    continue
                at = (line.at or (0,))[0]
                segment = next(segment for segment in table.segments if segment.first <= at <= segment.last)
                for run in line.runs:
                    for value in (run.first, run.last):
                        if segment.threshold is None:
                            assert run.option == segment.always
                        else:
                            assert run.option == (strategy.above if value >= segment.threshold else strategy.below)


@pytest.mark.parametrize("name", [*GAMES, "rogues-gambit"])
def test_the_joined_grid_says_what_the_lines_say(name: str) -> None:
    for strategy in found(name):
        for table in strategy.tables:
            if table.grid is None:
                continue
            for line in table.lines:
                at = (line.at or (0,))[0]
                column = next(k for k, (low, high) in enumerate(table.grid.columns) if low <= at <= high)
                for run in line.runs:
                    row = next(k for k, (low, high) in enumerate(table.grid.rows) if low <= run.first <= high)
                    assert table.grid.cells[row, column][0] == run.option


def test_monotony_is_found_and_its_absence_too() -> None:
    (coins,) = found("rogues-gambit")
    assert coins.has_thresholds
    assert coins.threshold_range() == (8, 22)
    assert [feature.key for feature in coins.needed] == ["hoard", "stash"]
    (win,) = strategies_by_phase(oddsmith.load("rogues-gambit").at(seats=2, objective="win").solve().solution)
    assert any(table.exceptions for table in win.tables)
    for table in win.tables:
        for line in table.exceptions:
            runs = [run.option for run in line.runs]
            assert len(runs) > 2 or ACTION_VARIES in runs or runs == [win.above, win.below]


def test_the_rulesets_own_layout_is_taken() -> None:
    (strategy,) = found("pig")
    assert strategy.down is not None
    assert [strategy.down.key, *(feature.key for feature in strategy.across)] == ["pot", "score", "score[next]"]
    assert [feature.name for feature in strategy.across] == ["your score", "the next player\u2019s score"]
