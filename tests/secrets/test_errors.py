"""Errors of play in games with secrets: the play that leads there."""

from __future__ import annotations

import pytest

import oddsmith
from oddsmith.base.errors import PlayError
from oddsmith.ruleset.extensive_form import TreeBuilder

BOAST = """\
format: 1
id: boast
title: Boast
summary: A hidden die, a boast, and a doubt.
seats: 2
sides: [boaster, doubter]
state:
  die: {max: 6}
  gain: {min: -2, max: 2}
payoffs:
  coins: gain if seat == boaster else -gain
turn: go on
phases:
  go on:
    cases:
      - {when: die == 0, then: roll}
      - {then: answer}
  roll:
    roll: {thrown: d6}
    seen_by: mover
    do: set die to thrown
    then: speak
  speak:
    choose:
      - {name: Give up, do: set gain to -1, then: end}
      - {name: Boast, then: pass}
  answer:
    label: Is it a six?
    choose:
      - {name: Believe, do: set gain to 1, then: end}
      - {name: Doubt, do: set gain to 2 if die == 6 else -2, then: end}
"""
DOUBT = "{name: Doubt, do"
AT_ONCE = """\
format: 1
id: at-once
title: At Once
summary: Both choose at once, and one has seen a die.
seats: 2
state:
  die: {max: 6}
  gain: {min: -2, max: 6}
payoffs:
  coins: gain
turn: roll
phases:
  roll:
    roll: {thrown: d6}
    seen_by: next
    do: set die to thrown
    then: bid
  bid:
    label: How much?
    choose_together: {way: "[1, 2]"}
    do: set gain to sum(way[p] for p in everyone)
    then: end
"""


def broken(text: str) -> PlayError:
    """The error that `check` finds."""
    with pytest.raises(PlayError) as refused:
        TreeBuilder(oddsmith.loads(text).at().game, "coins").check(None)
    return refused.value


def test_random_plays_tell_both_plays_too() -> None:
    builder = TreeBuilder(oddsmith.loads(BOAST.replace(DOUBT, "{name: Doubt, when: die > 3, do")).at().game, "coins")
    with pytest.raises(PlayError) as refused:
        builder.compare_random_choices(400, seed=1)
    first, second = refused.value.play
    high, low = (int(words.rpartition(" ")[2]) for words in first.split("; in the other play"))
    assert low <= 3 < high
    assert second == "boaster chooses Boast"


PLAYS = {
    "an option": (
        BOAST.replace("set gain to 1,", "add die to gain,"),
        ("boaster in roll: thrown 5", "boaster chooses Boast", "doubter chooses Believe"),
    ),
    "a roll": (BOAST.replace("set die to thrown", "add thrown + 1 to die"), ("boaster in roll: thrown 6",)),
    "a payoff": (
        BOAST.replace("coins: gain", "coins: gain + 0 * max(x for x in [1, 2, 3, 4, 6] if x == die)"),
        ("boaster in roll: thrown 5", "boaster chooses Give up"),
    ),
    "no option": (
        BOAST.replace("{name: Give up,", "{name: Give up, when: die > 1,").replace("Boast,", "Boast, when: die > 2,"),
        ("boaster in roll: thrown 1",),
    ),
    "choices at once": (
        AT_ONCE.replace("sum(way[p] for p in everyone)", "3 * sum(way[p] for p in everyone)"),
        ("seat 1 in roll: thrown 1", "at once in bid: seat 1 1, seat 2 2"),
    ),
    "an offer": (
        AT_ONCE.replace('"[1, 2]"', '"span(1, 2 if seat == mover else die - 1)"'),
        ("seat 1 in roll: thrown 1",),
    ),
}


@pytest.mark.parametrize(("text", "play"), PLAYS.values(), ids=PLAYS)
def test_errors_of_play_tell_the_play_that_leads_there(text: str, play: tuple[str, ...]) -> None:
    """As in an open game, which the same rules are where everybody sees everything."""
    assert broken(text).play == play
    with pytest.raises(PlayError) as refused:
        oddsmith.loads(text).solve()
    assert refused.value.play == play


def test_the_play_leads_through_earlier_subgames() -> None:
    """Two rounds, after each of which all is shown: the second begins a subgame of its own."""
    text = AT_ONCE.replace("gain: {min: -2, max: 6}", "gain: {min: -2, max: 6}\n  round: {max: 2}")
    text = text.replace(
        "do: set gain to sum", "do:\n      - add 1 to round\n      - add 4 * round to gain\n      - set die to 0 * sum"
    )
    text = text.replace("    then: end", "    then: pass").replace("turn: roll", "turn: roll\nend_when: round == 2")
    error = broken(text)
    assert error.problem.code == "OD521"
    assert len(error.play) == 4
    assert [words.partition(":")[0] for words in error.play] == [
        "seat 1 in roll",
        "at once in bid",
        "seat 2 in roll",
        "at once in bid",
    ]
