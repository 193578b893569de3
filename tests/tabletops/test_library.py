"""The games and sizes that all tabletops share: what the rules allow is there, and of the rest nothing."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

from oddsmith.publish.plan import account
from oddsmith.publish.playing import play_files
from oddsmith.ruleset.build import load
from tests.browser.conftest import ROOT, missing
from tests.cases import SAMPLES
from tests.node import NODE, answers


@cache
def book() -> dict[str, Any]:
    """Pig, without its tables."""
    found: dict[str, Any] = json.loads(play_files(account(load(SAMPLES / "pig.yaml")[0]))["play.json"])
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


def test_a_size_at_which_the_rules_break_as_they_begin_is_not_there() -> None:
    broken = json.loads(json.dumps(book()))
    broken["bundle"]["turn"] = "nowhere"
    assert ask(broken, sizes=["=3 target=50"])["sizes"] == [None]
