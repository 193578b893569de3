"""Claims about games with secrets are judged by the values, and along the play that was found."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import oddsmith
from oddsmith.base.errors import MeasureError
from oddsmith.report.answers import answers_of, secret
from oddsmith.report.facts import claims as facts_claims
from oddsmith.solve.extensive import SecretSolution, solve_secrets
from oddsmith.tabletops.foundry.odds import odds_pages
from tests.secrets.test_measures import BOAST
from tests.terminal import run

GAIN = "gain if seat == boaster else -gain"
CLAIMS = f"""
claims:
  - quote: The boaster loses five coins in nine games.
    ask: {{mean: {GAIN}, at: end}}
    published: -5/9
  - quote: The doubter wins as much.
    ask: {{mean: {GAIN}, at: end, seat: 2}}
    published: 0.556
  - quote: A bluff comes once in eighteen games.
    ask: {{count: [speak, Boast], when: die < 6}}
    counted: 1/18
  - quote: A boast comes in every third game.
    ask: {{chance: [speak, Boast], in: game}}
    counted: 33 %
    verdict: wrong
"""


@pytest.fixture(scope="module")
def text() -> str:
    return BOAST + CLAIMS


def test_values_are_exact_and_other_numbers_are_those_of_the_play(text: str) -> None:
    found = oddsmith.loads(text).verify()
    assert [each.number.exact for each in found] == [Fraction(-5, 9), Fraction(5, 9), Fraction(1, 18), Fraction(2, 9)]
    assert [each.is_right for each in found] == [True, True, True, False]
    assert all(each.is_as_recorded for each in found)
    assert [
        "the same in all best play" in each.method_in_words and "along" not in each.method_in_words for each in found
    ] == [
        True,
        True,
        False,
        False,
    ]
    assert all("along the play that was found" in each.method_in_words for each in found[2:])


@pytest.mark.parametrize(
    ("amount", "even"),
    [
        (GAIN, True),
        (f"2 * ({GAIN}) - 1", True),
        (f"(1 - ({GAIN})) / 2", True),
        (f"-({GAIN}) * 3", True),
        ("gain", False),
        (f"({GAIN}) * ({GAIN})", False),
        (f"6 / (7 + ({GAIN}))", False),
        (f"max({GAIN}, 0)", False),
    ],
)
def test_the_value_decides_the_mean_of_what_rises_evenly_with_the_payoff(amount: str, even: bool) -> None:
    claims = f'claims:\n  - quote: It is so.\n    ask: {{mean: "{amount}", at: end}}\n    published: 1/2\n'
    (found,) = oddsmith.loads(BOAST + claims).verify()
    assert ("by the value of the game" in found.method_in_words) == even


def test_a_chance_of_one_decision_has_no_number(text: str) -> None:
    lone = text.partition("claims:")[0] + (
        "claims:\n  - quote: A boast is common.\n    ask: {chance: [speak, Boast]}\n    counted: 1/2\n"
    )
    with pytest.raises(MeasureError, match="follows from what it has seen"):
        oddsmith.loads(lone).verify()


def test_a_claim_about_another_setting_is_solved_there() -> None:
    kuhn = (Path(__file__).with_name("games") / "kuhn-poker.yaml").read_text("utf-8")
    worth = "sum(stake[table]) * share(-1 if folded else hand) - stake"
    ask = f"    ask: {{mean: '{worth}', at: end}}\n    of: {{set: {{top: 4}}}}\n"
    claims = f"claims:\n  - quote: With four cards.\n{ask}    published: -1/24\n"
    (found,) = oddsmith.loads(kuhn + claims).verify()
    assert found.is_right
    assert found.number.exact == Fraction(-1, 24)


def test_the_command_line_and_the_page_have_them(text: str, tmp_path: Path) -> None:
    file = tmp_path / "boast.yaml"
    file.write_text(text, encoding="utf-8")
    done = run("verify", str(file), "--expected")
    assert done.returncode == 0, done.stderr
    assert "computed -0.555556 = -5/9" in done.stdout
    done = run("publish", str(file), "-o", str(tmp_path / "site"))
    assert done.returncode == 0, done.stderr
    page = (tmp_path / "site" / "docs" / "games" / "boast.md").read_text("utf-8")
    for shown in (page, "".join(each.html for each in odds_pages(answers_of(oddsmith.loads(text).ruleset)))):
        assert "2 of 2 published numbers are right." in shown
        assert "1 of 2 numbers counted by hand is right." in shown
        assert "Published odds, checked" in shown
        assert "&#45;5&#47;9" in shown


def test_what_a_page_shows_is_solved_once(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The usual game, of which all these claims are, and of a claim's own setting one more."""
    solved = list[str]()

    def counted(*asked: Any) -> SecretSolution:
        solved.append(asked[1])
        return solve_secrets(*asked)

    monkeypatch.setattr(secret, "solve_secrets", counted)
    monkeypatch.setattr(facts_claims, "solve_secrets", counted)
    account = answers_of(oddsmith.loads(text).ruleset)
    assert len(account.verdicts) == 4
    assert solved == ["coins"]
