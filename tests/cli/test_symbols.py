"""``solve --symbol`` and ``solve --break-even`` as their users meet them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.open_games import HEAD, HOLD
from tests.terminal import run

PIG = str(Path(__file__).resolve().parents[1] / "samples" / "pig.yaml")

PRINTED = """\
Made, 1 seat, points (exact)
  bonus from 0 to 1
    seat 1: bonus/8 + 9/8
  bonus from 1 to 4/3
    seat 1: bonus/4 + 1
  bonus from 4/3 to 12
    seat 1: bonus
the best action changes in some position at 3 values of bonus
  1
    decide: stash=2: Stop instead of Toss
  4/3
    decide: stash=0: Stop instead of Toss
  2
    decide: stash=1: Stop instead of Toss
every decision is proved for every bonus in the range
"""


@pytest.fixture
def game(tmp_path: Path) -> str:
    path = tmp_path / "made.yaml"
    path.write_text(HEAD + HOLD, encoding="utf-8")
    return str(path)


def test_a_symbol_for_people(game: str) -> None:
    done = run("solve", game, "--symbol", "bonus", "--set", "bend=2")
    assert done.returncode == 0, done.stderr
    assert done.stdout == PRINTED


def test_a_symbol_for_machines(game: str) -> None:
    done = run("solve", game, "--symbol", "bend=2..3", "--json")
    data = json.loads(done.stdout)
    assert data["symbol"] == {"name": "bend", "low": "2", "high": "3"}
    assert [piece["low"]["exact"] for piece in data["pieces"]] == ["2", "8/3", "14/5"]


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (("--symbol", "luck"), 1, "has no parameter luck"),
        (("--symbol", "bend=3..2"), 2, "NAME=LOW..HIGH"),
        (("--symbol", "bend=1..0.5"), 2, "NAME=LOW..HIGH"),
        (("--symbol", "bend=0..4"), 1, "stays within 1..6"),
        (("--symbol", "bend", "--break-even"), 2, "formulas only"),
        (("--symbol", "bend", "--alike"), 2, "leave out --policy and --alike"),
    ],
)
def test_what_cannot_be_is_said(game: str, words: tuple[str, ...], code: int, said: str) -> None:
    done = run("solve", game, *words)
    assert done.returncode == code
    assert said in done.stderr
    assert "Traceback" not in done.stderr


def test_break_even() -> None:
    done = run("solve", PIG, "--objective", "points", "--set", "target=30", "--seats", "1", "--break-even")
    assert done.returncode == 0, done.stderr
    assert "decide: Throw again once and then Bank is better than Bank at once" in done.stdout
    assert "  while pot < 20  where" in done.stdout
    data = json.loads(run("solve", PIG, "--objective", "points", "--seats", "1", "--break-even", "--json").stdout)
    assert data["break_even"][0]["formulas"][0]["gain"] == "10/3 - pot/6"
