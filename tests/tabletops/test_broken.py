"""Sizes at which the rules break in mid play, and what hostile hands write: the table stands, and says what happened."""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from oddsmith.base.files import folder_files
from oddsmith.publish.pages.playing import play_files
from oddsmith.report.answers.accounts import RulesetAnswers, answers_of
from oddsmith.report.english import game_bundle, unsolved_setting_data
from oddsmith.ruleset import bind
from oddsmith.ruleset.bundle import sha256
from oddsmith.ruleset.model import Setting
from oddsmith.ruleset.reading.build import load_ruleset
from oddsmith.ruleset.transcript import read_transcript, verify_transcript
from oddsmith.tabletops.roll20 import build_mod
from tests.cases import RULESETS
from tests.chromium import ROOT, missing
from tests.node import NODE, answers

HERE = Path(__file__).parent
END = "The rules do not go on from here at this size. The game ends without a result."


@cache
def narrow() -> RulesetAnswers:
    """A game that is sound as it opens, and breaks at smaller sizes."""
    return answers_of(load_ruleset(HERE / "narrow.yaml")[0])


def book() -> dict[str, Any]:
    """What it is played by, afresh."""
    found: dict[str, Any] = json.loads(play_files(narrow())["play.json"])
    return found


def room(scene: str, play: dict[str, Any] | None = None, **job: Any) -> Any:
    """What a scene of shared.mjs gives."""
    if not NODE.exists():
        missing("Node is not set up")
    return answers(
        HERE / "shared.mjs", {"book": play or book(), "rules": sha256(narrow().ruleset), "scene": scene, **job}
    )[0]


def chat(**job: Any) -> Any:
    """What the scene of roll20.mjs gives in which the rules break."""
    if not NODE.exists():
        missing("Node is not set up")
    script = build_mod(narrow(), folder_files(ROOT / "site"), b"MIT").files["oddsmith-narrow.js"].decode()
    job = {"script": script, "game": "narrow", "scene": "broken", **job}
    (found,) = answers(HERE / "roll20.mjs", job)
    assert all(line.startswith("!oddsmith ") for line in found["logged"]), found["logged"]
    return found


def unpayable() -> dict[str, Any]:
    """The same game, where at the end nobody can be paid."""
    play = book()
    play["bundle"]["payoffs"][0][1]["value"] = ["/", 1, 0]
    return play


BROKEN = {
    "throw": ("=2 room=1", None),
    "no option": ("=2 patience=2", None),
    "payoff": ("=2 room=5", unpayable()),
}


@pytest.mark.parametrize("npc", [False, True], ids=["people", "non-player"])
@pytest.mark.parametrize("what", BROKEN)
@pytest.mark.parametrize("seed", [1, 2])
def test_a_room_ends_where_the_rules_break_and_only_undo_leads_back(what: str, npc: bool, seed: int) -> None:
    setting, play = BROKEN[what]
    found = room("broken", play, setting=setting, npc=npc, seed=seed)
    end = found["end"]
    assert (end["broken"], end["fault"], end["told"]) == (True, "", END)
    assert end["phase"]
    assert found["can"] == {"acts": False, "stands": False, "closable": True}
    assert found["refused"] == ["You cannot do this now."] * 2
    assert found["same"]
    assert found["back"] == {"broken": False, "log": end["own"], "over": False}
    checked = verify_transcript(read_transcript(json.dumps(found["transcript"]).encode()), narrow().ruleset)
    assert checked.payoffs is None


@pytest.mark.parametrize("name", ["cup", "claim"])
def test_a_game_with_secrets_ends_where_the_rules_break(name: str) -> None:
    rules = load_ruleset(RULESETS / "mia.yaml")[0]
    play = game_bundle(rules, [unsolved_setting_data(bind(rules, Setting(2)), next(iter(rules.payoffs)), "here")])
    next(variable for each, variable in play["bundle"]["state"] if each == name)["max"] = 1
    found = room("covered", play, setting="here")
    assert found == {
        "broken": True,
        "fault": "",
        "told": END,
        "refused": "You cannot do this now.",
        "same": True,
        "again": {"broken": False, "log": 0},
    }


def test_a_game_with_secrets_says_for_good_that_something_was_made_anew() -> None:
    rules = load_ruleset(RULESETS / "mia.yaml")[0]
    play = game_bundle(rules, [unsolved_setting_data(bind(rules, Setting(2)), next(iter(rules.payoffs)), "here")])
    first, *later = room("anew", play, setting="here")["found"]
    assert first == ""
    assert [text.partition(".")[0] for text in later] == ["Moves were taken back"] * 2


@pytest.mark.parametrize("words", ["open 2 room=1", "open 2 patience=2"])
@pytest.mark.parametrize("seed", [1, 2])
def test_a_chat_ends_where_the_rules_break_and_nobody_throws_again(words: str, seed: int) -> None:
    found = chat(open=words, seed=seed)
    assert [text for head, text in found["end"]["rows"] if head == "End"] == [END]
    assert [each["label"] for each in found["end"]["buttons"]] == ["Play again", "More for the game master"]
    assert found["kept"]["broken"] is True
    assert found["refused"] == ["The game is over.", "There is nothing to go on with."]
    assert found["same"]
    assert found["back"] == {"broken": False, "log": len(found["kept"]["log"]) - 1}, (
        "with the choice that led to the throw"
    )
    assert found["again"] == {"broken": False, "log": 0}
    assert found["closed"]
    assert (
        verify_transcript(read_transcript(json.dumps(found["transcript"]).encode()), narrow().ruleset).payoffs is None
    )


def test_a_choice_that_leads_straight_to_a_throw_throws_and_both_are_taken_back_together() -> None:
    found = room("straight", setting="=2 room=5")
    assert found["made"] == [[1, "choose"], [1, "throw"]], "the other player decides, so nothing more is thrown"
    assert found["then"] == [*found["made"], [2, "choose"], [2, "throw"]]
    assert found["back"] == found["made"]
    assert found["none"] == []


def test_nobody_but_the_game_master_has_a_size_laid_out() -> None:
    found = room("granted")["found"]
    assert found == [["Only the game master can open a table", 0], ["The rules have no such size", 1]]


def test_a_table_that_is_large_for_a_room_says_so() -> None:
    small, large = room("weighs", setting="=2 room=5")["found"]
    assert small == ""
    assert re.fullmatch(r"This table takes 4\.\d kB of the 16 kB that all extensions of a room share\.", large)


def test_a_hostile_log_makes_no_page_deaf() -> None:
    found = room("hostile", setting="=2 room=5")["found"]
    assert [bool(fault) for fault in found] == [True, False, True, False]
    assert found[0].startswith("The table cannot be opened: ")


def test_what_fails_once_is_told_and_stops_nothing_after_it() -> None:
    found = room("deaf")
    assert found == {"found": [1, 3], "drawings": 3, "complaint": "This did not work: no hearing."}
