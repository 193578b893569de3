"""Games with secrets over a grid of settings, and the setting at which one is fair."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import oddsmith
from tests.terminal import run

GAMES = Path(__file__).with_name("games")


def test_a_sweep_gives_the_published_values() -> None:
    found = oddsmith.sweep(GAMES / "liars-dice.yaml", {"sides": [2, 3, 4], "wild": [False, True]})
    exact = [Fraction(str(record["value_1_exact"])) for record in found.records()]
    assert exact == [Fraction(value) for value in ("0", "1", "-1/9", "1/3", "-1/8", "0")]
    assert {record["grade"] for record in found.records()} == {"exact"}


def test_fair_says_which_setting_comes_nearest() -> None:
    done = run("fair", "cups-and-coins", "--vary", "bet=1..3", "--even")
    assert "no bet from 1 to 3" in done.stdout
    assert "bet 1 comes nearest: seat 2 gets 0.097222 more" in done.stdout
