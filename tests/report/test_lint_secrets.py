"""What is odd about a game with secrets: the same findings as elsewhere, where what they say is known to all."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path

import pytest

import oddsmith
from oddsmith.report.lint import Finding, LintReport
from tests.cases import RULESETS
from tests.secrets.test_circles import RULES
from tests.secrets.test_measures import BOAST as WITH_MEASURES

BOAST = WITH_MEASURES.partition("measures:\n")[0]
GAMES = Path(__file__).parents[1] / "secrets" / "games"
ANSWER = "  answer:\n    choose:\n"
assert ANSWER in BOAST


def linted(text: str, **bounds: str) -> LintReport:
    return oddsmith.loads(text).lint(bounds=bounds)


def found(text: str, code: str, **bounds: str) -> list[Finding]:
    return [each for each in linted(text, **bounds).findings if each.code == code]


def test_a_favoured_seat_is_named_with_its_share_of_the_stakes() -> None:
    """The boaster loses 5/9 a game, of four coins between the best and the worst end: 10/36 of the stakes."""
    (finding,) = found(BOAST, "OD721")
    assert "5/9" in finding.problem.message
    assert "27.78 % of what is at stake (4)" in finding.problem.message
    assert not found(BOAST, "OD721", favoured="28%")


def test_a_game_of_alike_seats_has_no_finding() -> None:
    report = oddsmith.load(GAMES / "morra.yaml").lint()
    assert report.findings == ()


def test_what_no_play_takes_is_found_and_what_another_setting_takes_is_not() -> None:
    dead = BOAST.replace(ANSWER, f"{ANSWER}      - {{name: Look, when: die == 7, then: look}}\n")
    dead += "  look:\n    choose:\n      - {name: Nod, then: end}\n"
    assert [each.problem.message for each in found(dead, "OD705")] == ["no play ever takes the option Look"]
    assert [each.problem.message for each in found(dead, "OD704")] == ["no play ever comes to the phase look"]
    varied = dead.replace("die == 7", "die == 8 - side").replace(
        "state:\n", "parameters:\n  side: {default: 1, min: 1, max: 2}\nstate:\n"
    )
    assert not found(varied, "OD705")
    assert not found(varied, "OD704")


def test_a_choice_of_one_option_is_shown_by_a_play() -> None:
    lone = BOAST.replace(
        ANSWER, "  answer:\n    choose:\n      - {name: Wait, then: speak again}\n  speak again:\n    choose:\n"
    )
    (finding,) = found(lone, "OD703")
    assert "nobody ever has a choice in answer" in finding.problem.message
    assert len(finding.play) == 2
    assert finding.play[1].endswith("chooses Boast")


def test_a_long_game_is_found_by_the_play_of_both() -> None:
    """Each round is the last with chance 1/100, so 60 rounds are not enough in 0.99 ** 60 of all games."""
    listed = [
        {"when": f"hand[mover] {sign} hand[next]", "do": f"set gain to {gain}", "then": "toss"}
        for sign, gain in (("==", 1), ("!=", -1))
    ]
    text = (
        RULES.replace("OUTCOMES", json.dumps(listed)).replace("coin: d2", "coin: d100").replace("coin == 1", "coin > 1")
    )
    (finding,) = found(text, "OD731")
    share = float(100 * Fraction(99, 100) ** 60)
    assert finding.problem.message.startswith(f"{share:.2f} % of all games last more than 60 turns under best play")
    assert not found(text, "OD731", turns="300")


def test_coins_that_appear_are_found() -> None:
    text = BOAST.replace("state:\n", "state:\n  pot: {start: 3, max: 9}\n  purse: {max: 9}\n").replace(
        "do: set gain to -1, then: end}", "do: [move 1 from pot to purse, add 1 to purse, set gain to -1], then: end}"
    )
    (finding,) = found(text, "OD711")
    assert finding.play[-1].endswith("chooses Give up")


def test_what_is_meant_is_allowed_and_what_is_not_asked_says_why() -> None:
    meant = BOAST.replace("payoffs:\n", "payoffs:\n  # allow: OD721 the doubter is the house\n")
    report = linted(meant)
    assert [each.code for each in report.allowed] == ["OD721"]
    assert not report.findings
    reasons = {code: each.reason for each in report.skipped_checks for code in each.codes}
    assert set(reasons) == {"OD701", "OD702", "OD732", "OD741", "OD751"}
    assert "depends on what its player has seen" in reasons["OD701"]


def test_a_game_for_many_seats_is_looked_at_as_far_as_it_can_be() -> None:
    report = oddsmith.load("liars-dice").at(seats=3, sides=2).lint()
    reasons = {code: each.reason for each in report.skipped_checks for code in each.codes}
    assert "for one or two seats" in reasons["OD721"]


@pytest.mark.parametrize("name", ["mia", "cups-and-coins", "two-lanterns", "liars-dice"])
def test_shipped_games_have_no_findings(name: str) -> None:
    assert oddsmith.load(RULESETS / f"{name}.yaml").lint().findings == ()
