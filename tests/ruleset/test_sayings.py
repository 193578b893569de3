"""What is told of keys that the language has not, of names that are taken, and of what nothing changes."""

from __future__ import annotations

import os
from fractions import Fraction
from pathlib import Path

import pytest

import oddsmith
from oddsmith.api.checking import check_source
from oddsmith.base.errors import OddsmithError, Problem, RulesetError
from oddsmith.base.location import Source
from oddsmith.ruleset.reading.format import formatted_text

DOCS = Path(__file__).resolve().parents[2] / "docs"
GAME = """\
format: 1
id: sayings
title: Sayings
summary: A die is rolled.
seats: 2
state:
  x: {max: 40}
payoffs:
  p: x
turn: roll
phases:
  roll:
    roll: {a: d6}
    do: set x to a
    then: end
"""


def problems(text: str) -> list[Problem]:
    """What is refused."""
    with pytest.raises(RulesetError) as refused:
        oddsmith.loads(text)
    return list(refused.value.problems)


@pytest.mark.parametrize(
    ("old", "new", "key", "meant"),
    [
        ("{max: 40}", "{max: 40, hidden: true}", "hidden", "seen_by"),
        ("{max: 40}", "{max: 40, secret: true}", "secret", "seen_by"),
        ("{a: d6}", "{a: d6, secret: true}", "secret", "seen_by"),
        ("    then: end", "    then: end\n    hidden: true", "hidden", "seen_by"),
        ("    then: end", "    then: end\n    simultaneous: true", "simultaneous", "choose_together"),
        ("seats: 2", "seats: 2\nsimultaneous: true", "simultaneous", "choose_together"),
        ("seats: 2", "seats: 2\nsecrets: true", "secrets", "seen_by"),
        ("    then: end", "    then: end\n    visible_to: mover", "visible_to", "seen_by"),
    ],
)
def test_a_word_that_people_try_leads_to_the_key_that_is_meant(old: str, new: str, key: str, meant: str) -> None:
    (problem,) = [each for each in problems(GAME.replace(old, new)) if each.message == f"there is no key `{key}`"]
    assert f"`{meant}: " in problem.hint
    line = GAME.replace(old, new).splitlines()[problem.location.line - 1]
    assert line[problem.location.column - 1 :].startswith(key)


@pytest.mark.parametrize(
    ("old", "new", "unknown", "meant"),
    [
        ("{max: 40}", "{max: 40, seen_by: mover}", "seen_by", "seen_by"),
        ("{max: 40}", "{max: 40, choose_together: {way: [stay]}}", "choose_together", "choose_together"),
        ("seats: 2", "seats: 2\nseen_by: mover", "seen_by", "seen_by"),
        ("    then: end", "    then: end\n    choose_together: {way: [stay]}", "roll", "choose_together"),
    ],
)
def test_a_key_of_secrets_in_another_place_says_where_it_stands(old: str, new: str, unknown: str, meant: str) -> None:
    (problem,) = [each for each in problems(GAME.replace(old, new)) if f"unknown key `{unknown}`" in each.message]
    assert f"`{meant}: " in problem.hint
    assert "the page on secrets and choices at once, docs/secrets.md," in problem.hint


@pytest.mark.parametrize(
    ("key", "value", "cannot"),
    [
        *(
            (key, value, "the language has no real time")
            for key, value in (("timer", 30), ("seconds", 5), ("clock", 60))
        ),
        *((key, "mover", "the language has no real time") for key in ("real_time", "first_to_press")),
        ("time", "real", "the language has no real time"),
        ("teams", "[1, 2]", "the language has no teams"),
        ("partners", "next", "the language has no teams"),
        ("forget", "x", "nobody forgets"),
        ("hide", "x", "nobody forgets"),
    ],
)
@pytest.mark.parametrize(("old", "new"), [("seats: 2", "seats: 2\n{}"), ("    then: end", "    then: end\n    {}")])
def test_what_cannot_be_said_is_named_with_its_page(old: str, new: str, key: str, value: object, cannot: str) -> None:
    (problem,) = problems(GAME.replace(old, new.format(f"{key}: {value}")))
    assert problem.message == f"there is no key `{key}`"
    assert problem.hint.startswith(cannot)
    assert "docs/secrets.md" in problem.hint
    assert "## What cannot be said" in (DOCS / "secrets.md").read_text("utf-8")


@pytest.mark.parametrize(
    ("effect", "hint"),
    [
        ("forget x", "nobody forgets"),
        ("hide x from next", "nobody forgets"),
        ("wait 3 seconds", "the language has no real time"),
        ("show x to next", "write: reveal x to next"),
    ],
)
def test_what_no_effect_can_do_is_named(effect: str, hint: str) -> None:
    (problem,) = problems(GAME.replace("set x to a", effect))
    assert problem.hint.startswith(hint)
    assert ("docs/secrets.md" in problem.hint) == (not hint.startswith("write"))


def test_a_misspelt_key_is_no_word_for_what_cannot_be_said() -> None:
    (problem,) = problems(GAME.replace("seats: 2", "seats: 2\ntime: Dice"))
    assert problem.hint == "did you mean title?"


def test_such_a_word_may_be_the_name_of_a_variable_or_a_phase() -> None:
    named = GAME.replace("x: {max: 40}", "x: {max: 40}\n  secret: {max: 6}").replace("{a: d6}", "{hidden: d6}")
    book = oddsmith.loads(named.replace("set x to a", "[set x to hidden, set secret to hidden]"))
    assert set(book.ruleset.state) == {"x", "secret"}


def test_a_name_that_is_taken_says_by_what_and_where() -> None:
    (problem,) = problems(GAME.replace("set x to a", "set x to sum(k + a for a in [1, 2] for k in [3])"))
    assert (
        problem.message == "the name a already means something here: the name of a roll, a `let` or a loop in <text>:13"
    )
    (problem,) = problems(GAME.replace("{a: d6}", "{x: d6}"))[:1]
    assert problem.code == "OD344"
    (problem,) = problems(GAME.replace("set x to a", "set x to sum(x for x in [1, 2])"))
    assert problem.message.endswith("already means something here: the variable in <text>:7")


@pytest.mark.parametrize(
    ("variable", "hint"),
    [
        ("skill: {max: 3, start: 2}", "make it a parameter or a constant"),
        ("skill: {each: seat, max: 3, start: 2}", "say what it is under `define:`, such as skill(a): ..."),
    ],
)
def test_what_nothing_changes_is_asked_for_what_can_be(variable: str, hint: str) -> None:
    text = GAME.replace("x: {max: 40}", f"x: {{max: 40}}\n  {variable}").replace("set x to a", "set x to a + skill")
    (warning,) = [each for each in check_source(Source("game.yaml", text)).problems if each.code == "OD602"]
    assert warning.hint == hint


@pytest.mark.parametrize("about", ["Coins, which a one takes, alas.", "Gold, silver, copper.", "max(gold, silver)"])
def test_a_comma_that_cuts_a_text_in_braces_is_mended(about: str) -> None:
    cut = GAME.replace("{max: 40}", f"{{max: 40, about: {about}}}")
    assert [(each.code, each.hint) for each in problems(cut)] == [("OD110", f'write about: "{about}"')]
    assert oddsmith.loads(formatted_text(cut)).ruleset.state["x"].about == about


def test_a_comma_is_left_where_it_is_not_sure_what_was_meant() -> None:
    text = GAME.replace("{max: 40}", "{max: 40, about:word}")
    assert formatted_text(text) == text


def test_rows_for_results_that_stand_in_a_list_lose_their_dashes() -> None:
    table = "tables:\n  Mood:\n    dice: d6\n    rows:\n      - 1-3: Sad\n      - 4-6: Glad\n"
    found = problems(GAME + table)
    assert {(each.code, each.hint) for each in found} == {
        ("OD203", "a row for some results stands without a dash: `2-3: Attacks`")
    }
    assert oddsmith.loads(GAME + table.replace("- ", "")).ruleset.tables


def test_a_name_for_files_is_no_longer_than_files_may_be_named() -> None:
    (problem,) = problems(GAME.replace("id: sayings", f"id: {'a' * 61}"))
    assert (problem.code, problem.hint) == ("OD205", "files are named by it")
    assert oddsmith.loads(GAME.replace("id: sayings", f"id: {'a' * 60}")).ruleset.id == "a" * 60


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no pipes with names")
def test_a_pipe_that_nobody_writes_to_is_refused_at_once(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "game.yaml")
    with pytest.raises(RulesetError, match="not a regular file"):
        oddsmith.load(tmp_path / "game.yaml")


@pytest.mark.parametrize("words", ["exactly", "at least"])
def test_a_total_that_is_asked_in_dice_says_how_to_ask(words: str) -> None:
    with pytest.raises(OddsmithError, match="does not say how many"):
        oddsmith.roll(f"{words} 7 in 3d6")
    chance = oddsmith.roll(f"{words} 7 on 3d6").chance
    assert chance is not None
    assert chance.exact == Fraction({"exactly": 15, "at least": 196}[words], 216)
