"""Errors of play in games with secrets: where they are in the file, and the play that leads there."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

import oddsmith
from oddsmith.api.checking import check_source
from oddsmith.base.errors import PlayError, RulesetError, SolveError
from oddsmith.base.location import Source
from oddsmith.ruleset.extensive_form import TreeBuilder
from oddsmith.solve.policies import refuse_reads_of_unseen

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
        TreeBuilder(oddsmith.loads(text).at().game, "coins").explore_or_compare_samples(None)
    return refused.value


@dataclass(frozen=True)
class Looking:
    """Rules in which a choice looks at what its player has not seen. ``at``: what it looks at, which is there once."""

    text: str
    at: str
    play: tuple[str, ...]


def boast(doubt: str, at: str, one: str, other: str) -> Looking:
    play = f"boaster in roll: thrown {one}; in the other play thrown {other}", "boaster chooses Boast"
    return Looking(BOAST.replace(DOUBT, doubt), at, play)


LOOKING = {
    "part of a test": boast('{name: Doubt, when: "gain < 2 and die > 4", do', "die > 4", "5", "1"),
    "a call": boast('{name: Doubt, when: "max(die, 3) > 3", do', "die, 3", "4", "1"),
    "a list": boast('{name: Doubt, for: {x: "[1, 2] if die > 3 else [2, 3]"}, do', "die > 3", "1", "4"),
    "a test of a loop name": boast('{name: Doubt, for: {x: "[1, 2]"}, when: x < die, do', "die, do", "2", "1"),
    "the order of a list": boast('{name: Doubt, for: {x: "[1, 2] if die > 3 else [2, 1]"}, do', "die > 3", "1", "4"),
    "a list of choices at once": Looking(
        AT_ONCE.replace('"[1, 2]"', '"[1, 2] if die > 3 else [1]"'),
        "die > 3",
        ("seat 1 in roll: thrown 4; in the other play thrown 1",),
    ),
    "a later choice at once": Looking(
        AT_ONCE.replace("seen_by: next", "seen_by: mover").replace(
            '"[1, 2]"', '"[1, 2] if seat == mover or die > 3 else [1]"'
        ),
        "die > 3",
        ("seat 1 in roll: thrown 4; in the other play thrown 1", "at once in bid: seat 1 1"),
    ),
}


@pytest.mark.parametrize("looking", LOOKING.values(), ids=LOOKING)
def test_the_error_points_at_what_the_player_has_not_seen(looking: Looking) -> None:
    assert looking.text.count(looking.at) == 1
    error = broken(looking.text)
    assert error.problem.code == "OD536"
    before = looking.text.partition(looking.at)[0]
    assert error.problem.location.line == before.count("\n") + 1
    assert error.problem.location.column == len(before) - before.rfind("\n")
    assert error.play == looking.play


def test_random_plays_tell_both_plays_too() -> None:
    builder = TreeBuilder(oddsmith.loads(BOAST.replace(DOUBT, "{name: Doubt, when: die > 3, do")).at().game, "coins")
    with pytest.raises(PlayError) as refused:
        builder.compare_random_choices(400, seed=1)
    first, second = refused.value.play
    high, low = (int(words.rpartition(" ")[2]) for words in first.split("; in the other play"))
    assert low <= 3 < high
    assert second == "boaster chooses Boast"


POLICY = """\
policies:
  seer:
    answer:
      - option: Doubt
        when: die == 0
      - option: Believe
        when: 2 * die > 6
        prefer: 0
      - option: Doubt
"""


def test_a_policy_is_wrong_in_the_line_that_looks() -> None:
    text = BOAST + POLICY
    with pytest.raises(
        PlayError, match="seer lets the doubter choose Doubt in one position and Believe in another"
    ) as told:
        refuse_reads_of_unseen(oddsmith.loads(text).at().game, "coins", ["seer"])
    where = told.value.problem.location
    assert text.split("\n")[where.line - 1][where.column - 1 :] == "die > 6"
    assert told.value.play == ("boaster in roll: thrown 1; in the other play thrown 4", "boaster chooses Boast")


def test_a_preference_must_not_look_either() -> None:
    text = BOAST.replace(DOUBT, '{name: Doubt, for: {x: "[1, 2]"}, do')
    text += "policies:\n  seer:\n    answer:\n      - {option: Doubt, prefer: x if die > 2 else -x}\n"
    with pytest.raises(PlayError, match="choose Doubt 1 in one position and Doubt 2 in another") as told:
        refuse_reads_of_unseen(oddsmith.loads(text).at().game, "coins", ["seer"])
    where = told.value.problem.location
    assert text.split("\n")[where.line - 1][where.column - 1 :].startswith("die > 2 else")


def test_a_policy_that_breaks_is_an_error_of_the_ruleset() -> None:
    text = BOAST + (
        "policies:\n  seer:\n    answer:\n"
        '      - {option: Believe, when: "max(x for x in span(3, 4) if x == die) > 2"}\n'
    )
    with pytest.raises(PlayError, match="max of nothing") as told:
        refuse_reads_of_unseen(oddsmith.loads(text).at().game, "coins", ["seer"])
    assert told.value.problem.location.line == text[: text.index("max(")].count("\n") + 1
    assert told.value.play == ("boaster in roll: thrown 1", "boaster chooses Boast")


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


@pytest.mark.parametrize(
    ("text", "name"),
    [
        (BOAST.replace("seen_by: mover", "seen_by: mover if thrown == 3 else next"), "thrown"),
        (
            AT_ONCE.replace("    do: set gain", "    who: everyone if size(way) == 2 else others\n    do: set gain"),
            "way",
        ),
    ],
)
def test_who_sees_or_chooses_is_settled_before_it_happens(text: str, name: str) -> None:
    with pytest.raises(RulesetError, match=f"there is nothing called {name} here"):
        oddsmith.loads(text)


def test_payoffs_of_different_sums_are_warned_of_with_two_plays() -> None:
    unequal = BOAST.replace("else -gain", "else 0")
    (warned,) = check_source(Source("boast.yaml", unequal)).problems
    assert (warned.code, warned.severity) == ("OD615", "warning")
    assert warned.location.line == unequal[: unequal.index("coins:")].count("\n") + 1
    told = "(boaster in roll: thrown 1; boaster chooses Give up), and to"
    assert told in warned.message, warned.message
    assert not check_source(Source("boast.yaml", BOAST)).problems
    with pytest.raises(SolveError, match="adds up to"):
        oddsmith.loads(unequal).solve()
