"""What a ruleset requires of its settings: refused with its sentence where it is asked for, an error where it is its own."""

from __future__ import annotations

import pytest

from oddsmith.base.errors import Problem, SettingError, SymbolError
from oddsmith.base.location import Source
from oddsmith.ruleset.binding import bind
from oddsmith.ruleset.bundle import bundle
from oddsmith.ruleset.checking.check import check_at_many_settings
from oddsmith.ruleset.model import Setting
from oddsmith.ruleset.model.ruleset import Ruleset
from oddsmith.ruleset.reading.build import read_ruleset
from oddsmith.solve.parameter.dependence import parameter_degrees
from tests.ruleset.finding import laid_over

REQUIRE = "require:\n  - {that: coins_each >= ante, about: Everybody can pay the ante.}\n"


def rules(extra: str = "", coins: int = 10) -> Ruleset:
    text = f"""
parameters:
  ante: {{default: 2, min: 1, max: 5}}
  coins_each: {{default: {coins}, min: 1, max: 12}}
{extra}
state:
  pot: {{start: ante * seats, max: 15}}
  purse: {{each: seat, start: coins_each - ante, max: 12}}
payoffs:
  win: purse
"""
    return read_ruleset(Source("game.yaml", laid_over(text)))[0]


def errors(ruleset: Ruleset) -> list[Problem]:
    return [problem for problem in check_at_many_settings(ruleset) if problem.severity == "error"]


def test_a_limit_that_depends_on_another_parameter_is_told_and_mended_as_the_hint_says() -> None:
    (problem,) = errors(rules())
    assert problem.code == "OD426"
    assert "starts at -1, below its min of 0 (with coins_each 1)" in problem.message
    assert "with coins_each 1, ante 2 it starts as `coins_each - ante`" in problem.hint
    requirement = problem.hint.partition("require: [{that: ")[2].partition(", about")[0]
    assert requirement == "coins_each - ante >= 0"
    assert errors(rules(f"require: [{{that: {requirement}, about: So.}}]")) == []


def test_settings_that_do_not_meet_it_are_refused_with_its_sentence() -> None:
    ruleset = rules(REQUIRE)
    assert errors(ruleset) == []
    wanted = r"base cannot be played with coins_each 1, ante 2: Everybody can pay the ante \(`coins_each >= ante`\)"
    with pytest.raises(SettingError, match=wanted):
        bind(ruleset, Setting(values={"coins_each": 1}))
    assert bind(ruleset, Setting(values={"coins_each": 1, "ante": 1})).parameters["coins_each"] == 1


@pytest.mark.parametrize(("extra", "coins"), [("", 1), ("variants: {poor: {set: {coins_each: 1}}}\n", 10)])
def test_a_ruleset_must_meet_its_own_requirements(extra: str, coins: int) -> None:
    assert {problem.code for problem in errors(rules(REQUIRE + extra, coins))} == {"OD430"}


def test_the_number_of_players_may_be_asked() -> None:
    ruleset = rules("require:\n  - {that: coins_each > 4 * seats, about: There is enough for all.}\n")
    assert errors(ruleset) == []
    with pytest.raises(SettingError, match="with coins_each 10, seats 3: There is enough for all"):
        bind(ruleset, Setting(3))


def test_rules_without_requirements_keep_their_bundle() -> None:
    assert "require" not in bundle(rules())
    (found,) = bundle(rules(REQUIRE))["require"]
    assert found == {
        "that": [">=", ["parameter", "coins_each"], ["parameter", "ante"]],
        "about": "Everybody can pay the ante.",
    }


def test_what_is_required_does_not_stay_a_symbol() -> None:
    ruleset = rules("require:\n  - {that: ante < 9, about: Low stakes.}\n")
    with pytest.raises(SymbolError, match="is what a setting must meet"):
        parameter_degrees(bind(ruleset), "win", "ante")
