"""Distributions and stopped games on the command line: what people read, and what machines do."""

from __future__ import annotations

import json
import re
from fractions import Fraction
from itertools import pairwise

import pytest

from oddsmith.base.exact import fraction_from_text
from oddsmith.cli.distributions import MAX_LINES
from tests.terminal import run

GAME = ("solve", "rogues-gambit", "--seats", "2", "--set", "coins_each=6")


def test_machines_get_every_outcome() -> None:
    asked = ("turns", "coins seat 2", "winner", "count throw/Made a Meal seat 1 given throw/Trifecta")
    done = run(
        *GAME, "--json", "--digits", "6", "--turns", "3", *(word for what in asked for word in ("--distribution", what))
    )
    data = json.loads(done.stdout)
    assert [each["what"] for each in data["distributions"]] == [
        "turns",
        "coins of seat 2",
        "winner",
        "count throw/Made a Meal of seat 1 given throw/Trifecta",
    ]
    for each in data["distributions"]:
        assert set(each) == {"what", "grade", "mean", "spread", "quantiles", "outcomes", "beyond"}
        low, high = (
            sum((fraction_from_text(part[end]) for part in [*each["outcomes"], each["beyond"]]), Fraction(0))
            for end in ("lower", "upper")
        )
        assert low <= 1 <= high
    coins, winners = data["distributions"][1], data["distributions"][2]
    assert coins["mean"]["exact"] == data["values"][1]["exact"]
    assert [outcome["outcome"] for outcome in winners["outcomes"]] == ["1", "2"]
    assert all(outcome["at_most"] is None for outcome in winners["outcomes"])
    assert coins["outcomes"][-1]["at_most"]["exact"] == "1"
    assert set(coins["quantiles"]) == {"0.1", "0.5", "0.9", "0.99"}
    assert data["horizon"]["turns"] == 3
    assert [value["seat"] for value in data["horizon"]["policy"]] == [1, 2]
    assert "distributions" not in json.loads(run(*GAME, "--json").stdout)


def test_people_get_a_short_table() -> None:
    done = run("solve", "rogues-gambit", "--seats", "2", "--digits", "4", "--distribution", "coins")
    lines = done.stdout.split("\n")
    start = next(number for number, line in enumerate(lines) if line.startswith("coins of seat 1, mean 27.3470, "))
    table = [
        match for line in lines[start + 1 :] if (match := re.match(r" +(\d+)(?: to (\d+))?  +\S+ %  +(.*)$", line))
    ]
    assert len(table) <= MAX_LINES
    assert table[0][1] == "0"
    assert table[-1][2] == "50"
    assert table[-1][3] == "always"
    for before, after in pairwise(table):
        assert int(after[1]) == int(before[2] or before[1]) + 1
    assert lines[start + len(table) + 1] == "  half of all plays: at most 26; nine in ten: at most 50"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--distribution", "coin"), "did you mean coins"),
        (("--distribution", "turns seat 7"), "there is no seat 7"),
        (("--distribution", "turns given throw/Meal"), "the phase throw has no entry Meal"),
    ],
)
def test_what_is_not_understood_is_said(words: tuple[str, ...], said: str) -> None:
    done = run(*GAME, *words)
    assert done.returncode == 1
    assert said in done.stderr
    assert "Traceback" not in done.stderr
    assert run(*GAME, "--turns", "0").returncode == 2
