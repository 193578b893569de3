"""The list of games: cards that say what filters ask, and a form for what the games differ in."""

from __future__ import annotations

import re
from fractions import Fraction
from pathlib import Path

import pytest

from oddsmith.api.site import ruleset_about_one_setting
from oddsmith.base.exact import Number
from oddsmith.publish.pages.listing import (
    LENGTH,
    RISK,
    SCALES,
    SKILL,
    GameScale,
    bands_by_scale,
    filter_form_html,
    game_cards_html,
)
from oddsmith.report.answers.accounts import RulesetAnswers, answers_of
from oddsmith.ruleset.model import Setting
from tests.cases import SAMPLES, account_of

ROOT = Path(__file__).resolve().parents[2]


def solved(name: str) -> RulesetAnswers:
    return account_of(SAMPLES / f"{name}.yaml")


@pytest.mark.parametrize(
    ("scale", "number", "name"),
    [
        (LENGTH, Fraction(499, 100), "short game"), (LENGTH, Fraction(5), "medium length"), (LENGTH, Fraction(15), "long game"),
        (RISK, Fraction(0), "low risk"), (RISK, Fraction(1, 4), "medium risk"), (RISK, Fraction(101, 100), "high risk"),
        (SKILL, Fraction(0), "mostly luck"), (SKILL, Fraction(1, 10), "luck and skill"), (SKILL, Fraction(3), "mostly skill"),
    ],
)  # fmt: skip
def test_bands_begin_at_their_bounds(scale: GameScale, number: Fraction, name: str) -> None:
    assert scale in SCALES
    assert scale.band_name(Number.of(number)) == name


def test_what_is_not_known_has_no_band() -> None:
    assert RISK.band_name(None) == ""
    assert RISK.band_name(Number(Fraction(99, 100), Fraction(101, 100))) == ""  # the bounds leave it open


def test_craps_is_all_luck_and_swings_as_a_coin_does() -> None:
    each = solved("craps")
    mean = each.main.values[0].lower  # of what is 1 or -1, whose square is 1
    assert each.main.profile.skill == Number.of(0)
    assert each.main.profile.swing == Number.of(1 / mean**2 - 1)
    assert bands_by_scale(each)["skill"] == "mostly luck"


def test_a_form_asks_for_what_the_games_differ_in() -> None:
    games = [solved("craps"), solved("pig")]
    both = filter_form_html(games) + game_cards_html(games, "", "h2")
    one = filter_form_html(games[:1])
    assert re.search(r"<form [^>]*hidden", both)
    assert 'name="skill"' in both
    assert "<form" not in one
    for key in re.findall(r'<select name="([^"]+)"', both):
        offered = set(
            re.findall(r'<option value="([^"]+)"', both.partition(f'name="{key}"')[2].partition("</select>")[0])
        )
        worn = {word for words in re.findall(f'data-{key}="([^"]*)"', both) for word in words.split() if word}
        assert offered == worn


def test_a_card_says_for_how_many_a_game_is_and_how_long_it_takes_as_it_is_usually_played() -> None:
    def told(each: RulesetAnswers) -> str:
        return re.sub("<[^>]*>", "", game_cards_html([each], "", "h2")).split("\n")[-1]

    shorter = ruleset_about_one_setting(solved("pig").ruleset, Setting(2, values={"target": 8}))
    assert told(solved("craps")) == "One player\u00a0· 1 minute\u00a0· mostly luck"
    assert told(solved("pig")) == "1 to 4 players\u00a0· 1 minute with 2 players\u00a0· luck and skill"
    assert "minute" not in told(answers_of(shorter)), "a smaller game says nothing of the usual one"


def test_a_line_on_a_card_says_for_whom_it_holds() -> None:
    def lines(each: RulesetAnswers) -> list[str]:
        return re.findall("<p(?: [^>]*)?>([^<]*)", game_cards_html([each], "", "h2", "line"))

    assert lines(solved("pig"))[1] == "This is for 2 players."
    assert not any(line.startswith("This is for") for line in lines(solved("craps"))), (
        "there is only one number of players"
    )
