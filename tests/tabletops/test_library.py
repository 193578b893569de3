"""The games and sizes that all tabletops share: what the rules allow is there, and of the rest nothing."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

from oddsmith.api.site import shipped_answer_store
from oddsmith.base.location import Source
from oddsmith.publish.pages.playing import play_files
from oddsmith.report.answers.accounts import answers_of
from oddsmith.ruleset.reading.build import read_ruleset
from tests.cases import RULESETS, SAMPLES, account_of
from tests.chromium import ROOT, missing
from tests.node import NODE, answers


@cache
def book() -> dict[str, Any]:
    """Pig, without its tables."""
    found: dict[str, Any] = json.loads(play_files(account_of(SAMPLES / "pig.yaml"))["play.json"])
    return found


def ask(play: dict[str, Any], **job: Any) -> Any:
    if not NODE.exists():
        missing("Node is not set up")
    games = {"games": [{"id": "pig", "title": "Pig", "rules": "hash", "book": "games/pig/play.json"}]}
    files = {"games.json": json.dumps(games), "games/pig/play.json": json.dumps(play)}
    job = {"files": files, "asked": [], "sizes": [], **job}
    return answers(ROOT / "tests" / "tabletops" / "library.mjs", job)[0]


def test_any_size_that_the_rules_allow_is_there_and_no_other() -> None:
    solved = next(each for each in book()["settings"] if each["seats"] == 2 and each["parameters"] == {"target": 10})
    sizes = {
        "=3 target=50": "=3 target=50", "=3 target=50 target=40": "=3 target=40", "=2": solved["slug"],
        "=2 target=10": solved["slug"], "=3": "=3", "=5": None, "=0": None, "=1.5": None, "=": None, "=x": None,
        "=3 target=5": None, "=3 target=101": None, "=3 target=ten": None, "=3 target": None, "=3 fly=1": None,
        "=3 __proto__=1": None, "=3 constructor=1": None, "other": None, "": None,
    }  # fmt: skip
    settings = {each["slug"] for each in book()["settings"]}
    found = ask(book(), sizes=list(sizes))
    for (slug, wanted), got in zip(sizes.items(), found["sizes"], strict=True):
        assert got == wanted or (wanted is None and slug in settings), slug
    assert found["most"] <= 200


def test_games_are_refused_by_what_is_wrong_and_a_file_that_failed_is_asked_for_again() -> None:
    asked = [["pig", "hash", "=3 target=50"], ["pig", "other", "=3"], ["cow", "hash", "=3"], ["pig", "hash", "=9"]]
    found = ask(book(), asked=asked, late=True)
    assert found["first"] == "not now"
    assert found["found"] == [["=3 target=50", 3, {"target": 50}, None], "no rules", "no game", "no game"]
    assert found["loaded"] == ["games.json", "games/pig/play.json"]


def changed(**parts: Any) -> dict[str, Any]:
    """The book, with other parts of its bundle."""
    found: dict[str, Any] = json.loads(json.dumps(book()))
    found["bundle"] |= parts
    return found


def test_a_size_at_which_the_rules_break_as_they_begin_is_not_there() -> None:
    assert ask(changed(turn="nowhere"), sizes=["=3 target=50"])["sizes"] == [None]


def test_a_size_at_which_nobody_has_a_first_choice_is_not_there() -> None:
    stuck = changed()
    for phase in stuck["bundle"]["phases"].values():
        phase |= {"kind": "choose", "throws": []}
        for entry in phase["entries"]:
            entry |= {"when": ["==", ["parameter", "target"], 10], "for": []}
    assert ask(stuck, sizes=["=3 target=50", "=3 target=10"])["sizes"][0] is None


def test_a_value_is_read_as_its_parameter_is_declared() -> None:
    parameters = {
        "mood": {"default": "plain", "one_of": ["plain", "true", "7"], "min": None, "max": None},
        "coins": {"default": 2, "one_of": [2, 7], "min": None, "max": None},
        "late": {"default": False, "one_of": [], "min": None, "max": None},
    }
    told: dict[str, dict[str, Any] | None] = {
        "mood=true": {"mood": "true"}, "mood=7": {"mood": "7"}, "coins=7": {"coins": 7}, "late=true": {"late": True},
        "late=false": {}, "mood=": None, "mood=False": None, "coins=07": None, "late=1": None, "late": None,
    }  # fmt: skip
    play = changed(parameters=book()["bundle"]["parameters"] | parameters)
    found = ask(play, asked=[["pig", "hash", f"=3 target=50 {words}"] for words in told])["found"]
    usual: dict[str, Any] = {"target": 50, "mood": "plain", "coins": 2, "late": False}
    assert [each if isinstance(each, str) else each[2] for each in found] == [
        "no game" if values is None else usual | values for values in told.values()
    ]


def test_tables_with_the_same_bytes_are_one_file() -> None:
    """A house rule of Yahtzee changes no value of the turn that is solved, so two settings have one table."""
    text = (
        (RULESETS / "yahtzee.yaml")
        .read_text("utf-8")
        .replace("  also:\n", "  also:\n    - {variant: forced-jokers}\n", 1)
    )
    rules = read_ruleset(Source("yahtzee.yaml", text))[0]
    files = play_files(answers_of(rules, store=shipped_answer_store()))
    named = [
        path
        for each in json.loads(files["play.json"])["settings"]
        for path in (each["policy"], each["values"], each["training"])
        if path
    ]
    assert set(named) == set(files) - {"play.json"}
    assert len(set(named)) < len(named)
    assert len(set(files.values())) == len(files)
