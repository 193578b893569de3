"""A limit that only bounds a game is named where it is why best play stops, however rules keep to it."""

from __future__ import annotations

import re
from fractions import Fraction
from html import unescape
from typing import Any

import pytest

import oddsmith
from oddsmith.base.exact import Number
from oddsmith.base.location import Source
from oddsmith.publish.sections.first_screen import page_head_html
from oddsmith.publish.sections.strategy import strategy_html
from oddsmith.report.answers.accounts import answers_of
from oddsmith.report.policy.outline import StoppingLimit, stopping_limits
from oddsmith.report.policy.thresholds import strategies_by_phase
from oddsmith.ruleset.reading.build import read_ruleset

GAME = """\
format: 1
id: rolling
title: Rolling
summary: Stop with the pot, or roll for one more coin, up to so many times.
seats: 1
parameters:
  longest: {default: 6, min: 1, max: 60}
state:
  rolled: {max: longest}
  pot: {max: longest}
payoffs:
  coins: pot
turn: decide
phases:
  decide:
    choose:
      - {name: Stop, then: end}
      - {name: Roll, when: rolled < longest, then: roll}
  roll:
    roll: {die: d6}
    outcomes:
      - name: Coin
        when: die > 2
        do:
          - add 1 to rolled
          - add 1 to pot
        then: decide
      - name: Nothing
        do: add 1 to rolled
        then: decide
"""
PARAMETER = "parameters:\n  longest: {default: 6, min: 1, max: 60}\n"
RISK = (
    GAME.replace("  rolled: {max: longest}\n", "")
    .replace("when: rolled < longest, ", "")
    .replace("          - add 1 to rolled\n          - add 1 to pot", "          - set pot to min(pot + 1, longest)")
    .replace("add 1 to rolled\n        then: decide", "set pot to 0\n        then: end")
    .replace("die > 2", "die > 1")
)
"""A 1 takes the pot; beyond the limit a roll brings nothing, so that stopping is right there. Without it, five is enough."""
CUT = (
    RISK.replace("longest: {default: 6", "cap: {default: 15").replace("longest", "cap").replace("pot + 1", "pot + die")
)
"""Twenty is enough where nothing is cut; below, it does not pay to roll where most of what may come is cut."""
CUTS = {
    "a parameter": CUT,
    "a constant": CUT.replace("parameters:\n  cap: {default: 15, min: 1, max: 60}\n", "constants: {cap: 15}\n"),
    "a number": CUT.replace("parameters:\n  cap: {default: 15, min: 1, max: 60}\n", "").replace("cap", "15"),
    "the end of the game": CUT + "end_when: pot == cap\n",
    "a test": CUT.replace(
        "set pot to min(pot + die, cap)",
        "if: pot + die > cap\n            do: set pot to cap\n            else: add die to pot",
    ),
}
KINDS = {
    "the option is gone": GAME,
    "the game is over": GAME.replace("when: rolled < longest, ", "") + "end_when: rolled == longest\n",
    "what is left runs out": GAME
    .replace("rolled: {max", "rolled: {start: longest, max")
    .replace("rolled < longest", "rolled > 0")
    .replace("add 1 to rolled", "add -1 to rolled"),
}  # fmt: skip


def found(text: str, **values: Any) -> tuple[StoppingLimit, ...]:
    solution = oddsmith.loads(text).at(**values).solve().solution
    return stopping_limits(solution, strategies_by_phase(solution))


@pytest.mark.parametrize("kind", KINDS)
def test_a_limit_that_is_why_best_play_stops_is_told_with_what_a_higher_one_brings(kind: str) -> None:
    (limit,) = found(KINDS[kind])
    assert (limit.name, limit.number, limit.higher_limit) == ("longest", 6, 12)
    assert (limit.value, limit.value_with_higher_limit) == (Number.of(4), Number.of(8)), (
        "two of three rolls bring a coin"
    )
    lines = list(oddsmith.loads(KINDS[kind]).solve().outline().lines(4))
    said = "Best play never takes Stop before longest (6): that limit is why it stops."
    assert f"  {said} With 12 in its place, best play gets 8 instead of 4." in lines


def test_a_higher_limit_is_one_that_the_ruleset_allows() -> None:
    (limit,) = found(GAME.replace("max: 60", "max: 7"))
    assert (limit.higher_limit, limit.value_with_higher_limit) == (7, Number.of(Fraction(14, 3)))
    (limit,) = found(GAME.replace("max: 60", "max: 6"))
    assert limit.words == "Best play never takes Stop before longest (6): that limit is why it stops."


def test_limits_that_are_no_parameters_are_found() -> None:
    (limit,) = found(GAME.replace(PARAMETER, "constants: {longest: 6}\n"))
    assert (limit.name, limit.number, limit.value_with_higher_limit) == ("longest", 6, Number.of(8))
    (limit,) = found(GAME.replace(PARAMETER, "").replace("longest", "6"))
    assert (limit.name, limit.number, limit.value_with_higher_limit) == ("the top of rolled", 6, Number.of(8))


def test_what_stops_of_its_own_accord_has_no_limit_to_blame() -> None:
    assert [limit.number for limit in found(RISK, longest=4)] == [4]
    assert found(RISK, longest=5) == ()
    assert found(RISK, longest=9) == ()


@pytest.mark.parametrize("kind", CUTS)
def test_a_limit_at_which_gains_are_cut_is_told(kind: str) -> None:
    (limit,) = found(CUTS[kind])
    name = "the top of pot" if kind == "a number" else "cap"
    assert (limit.name, limit.number, limit.higher_limit) == (name, 15, 30)
    assert limit.value == Number.of(best(15)), "stops from 13 on"
    assert limit.value_with_higher_limit == Number.of(best(30)), "stops from 20 on"
    assert limit.words.startswith(
        f"Best play takes Stop only at {name} (15), or where going on may reach it: that limit is why it stops. With 30"
    )


def best(cap: int) -> Fraction:
    """What best play of the game with cut gains gets."""
    worth = dict[int, Fraction]()
    for pot in range(cap, -1, -1):
        onward = [worth[min(cap, pot + die)] for die in range(2, 7)] if pot < cap else [Fraction(0)]
        worth[pot] = max(Fraction(pot), Fraction(sum(onward), 6))
    return worth[0]


def test_gains_that_are_cut_while_nobody_has_a_chance_are_told() -> None:
    text = CUT.replace("die > 1", "die > 0").replace("Roll, then", "Roll, when: pot < cap, then")
    (limit,) = found(text)
    assert limit.words == (
        "Best play never takes Stop before cap (15): that limit is why it stops. "
        "With 30 in its place, best play gets 30 instead of 15."
    )


def test_where_play_would_stop_though_nothing_was_cut_the_limit_is_not_told() -> None:
    assert [limit.number for limit in found(CUT, cap=19)] == [19]
    for cap in (20, 25, 26, 40):
        assert found(CUT, cap=cap) == ()
    for before, after in (("coins: pot", "coins: pot * cap"), ("coins: pot", "coins: 1 if pot == cap else 0")):
        assert found(CUT.replace(before, after)) == ()


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("coins: pot", "coins: 1 if rolled == longest else 0"),  # a goal, which is what people play for
        ("coins: pot", "coins: pot * longest"),  # a number that the payoff is counted in
        ("die > 2", "die > 9"),  # as good as stopping
        ("{name: Stop, then: end}", "{name: Stop, when: rolled == longest, then: end}"),  # nothing is left out
        ("coins: pot", "coins: {value: pot, goal: min}"),  # stops at once
    ],
)
def test_numbers_that_do_more_than_bound_a_game_are_no_such_limits(before: str, after: str) -> None:
    assert before in GAME
    assert found(GAME.replace(before, after)) == ()


def test_the_page_says_why_play_stops() -> None:
    for text, told in ((GAME, True), (GAME.replace("coins: pot", "coins: pot * longest"), False)):
        shown = unescape(re.sub("<[^>]*>", "", page_head_html(answers_of(read_ruleset(Source("game.yaml", text))[0]))))
        assert ("before longest (6): that limit is why it stops. With 12 in its place" in shown) == told


def test_no_full_stop_stands_behind_the_end_mark_of_an_option() -> None:
    text = RISK.replace("Stop,", "Stop!,").replace("Roll,", '"Roll again?",')
    main = answers_of(read_ruleset(Source("game.yaml", text))[0])
    shown = unescape(re.sub("<[^>]*>", "", f"{page_head_html(main)} {strategy_html(main.main)}"))
    assert "Stop! when pot is 5 or more; else Roll again? " in shown
    assert not re.findall(r"[?!]\.", shown)
