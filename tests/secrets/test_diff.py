"""Two games side by side, of which one has secrets at least: rules, values and lengths."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path

import pytest

import oddsmith
from oddsmith.base.errors import ExportError
from oddsmith.base.exact import Number
from oddsmith.solve.extensive import PlayedPlans, expected_turns_and_rolls
from tests.secrets.test_measures import BOAST
from tests.terminal import run


def test_a_difference_has_rules_values_and_lengths() -> None:
    book = oddsmith.load("cups-and-coins")
    before, after = book.at(bet=1).solve(), book.at(bet=3).solve()
    found = oddsmith.diff(before, after)
    assert [each.words for each in found.rules] == ["bet: 1 \u2192 3"]
    assert found.values == tuple(zip(before.values, after.values, strict=True))
    both = [expected_turns_and_rolls(PlayedPlans.of(book.at(bet=bet).solve_secrets())) for bet in (1, 3)]
    assert found.lengths == {name: (both[0][name], both[1][name]) for name in ("turns", "rolls")}
    assert found.lengths["turns"][0] != found.lengths["turns"][1]
    assert found.choices == ()
    assert found.loyal_value is None


def test_what_a_secret_is_worth_is_a_difference() -> None:
    """Where the doubter sees the die, a boast of less than a six is doubted, and one of a six believed."""
    shown = oddsmith.loads(BOAST.replace("    seen_by: mover\n", ""))
    assert not shown.ruleset.has_secrets
    found = oddsmith.diff(oddsmith.loads(BOAST).solve(), shown.solve())
    open_value = Fraction(5, 6) * -1 + Fraction(1, 6) * 1
    assert found.values[0] == (Number.of(Fraction(-5, 9)), Number.of(open_value))
    assert found.lengths["rolls"] == (Number.of(1), Number.of(1))
    assert found.lengths["turns"][1] == Number.of(Fraction(7, 6))


def test_the_command_says_what_is_not_compared(tmp_path: Path) -> None:
    page = tmp_path / "changes.html"
    done = run("diff", "cups-and-coins", "--to", "bet=3", "-o", str(page))
    assert done.returncode == 0, done.stderr
    assert "turns: 4.361111 \u2192 4.362222 (+0.001111)" in done.stdout
    notes = [line for line in done.stdout.splitlines() if line.startswith("note: ")]
    assert len(notes) == 2
    assert "decisions are not compared" in notes[0]
    assert "other best play may have others" in notes[1]
    assert "decisions are not compared" in page.read_text("utf-8")
    data = json.loads(run("diff", "cups-and-coins", "--to", "bet=3", "--json").stdout)
    assert data["values"][0]["before"]["exact"] == "-2/27"
    assert data["notes"] == [line.removeprefix("note: ") for line in notes]


def test_export_refuses_positions_of_a_game_with_secrets_and_writes_nothing(tmp_path: Path) -> None:
    for name in ("best.dot", "best.drn", "best.prism"):
        done = run("export", "cups-and-coins", "-o", str(tmp_path / name))
        assert done.returncode == 1
        assert "has positions that everybody sees" in done.stderr
    assert list(tmp_path.iterdir()) == []
    with pytest.raises(ExportError):
        oddsmith.load("cups-and-coins").solve().export("graphml")
