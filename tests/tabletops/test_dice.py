"""Dice that everybody's browser makes together: nobody can choose them, and whoever tries is found out."""

from __future__ import annotations

import hashlib
import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from oddsmith.publish.pages.playing import play_files
from oddsmith.ruleset.bundle import sha256
from oddsmith.ruleset.model.ruleset import Ruleset
from oddsmith.ruleset.reading.build import load_ruleset
from oddsmith.ruleset.transcript import read_transcript, verify_transcript
from tests.cases import SAMPLES, account_of
from tests.chromium import missing
from tests.node import NODE, answers

HERE = Path(__file__).parent
SOUND = ["", ""]
WAITS = "The roll waits for the number of {}, which was promised."


@cache
def game() -> tuple[Ruleset, Any]:
    ruleset = load_ruleset(SAMPLES / "pig.yaml")[0]
    return ruleset, json.loads(play_files(account_of(SAMPLES / "pig.yaml"))["play.json"])


def made(scene: str, **job: Any) -> Any:
    if not NODE.exists():
        missing("Node is not set up")
    ruleset, book = game()
    given = {
        "book": book,
        "rules": sha256(ruleset),
        "setting": "=4 target=20",
        "cheat": "",
        "at": 2,
        "scene": scene,
        **job,
    }
    return answers(HERE / "dice.mjs", given)[0]


def test_dice_are_unbiased_and_come_of_a_seed_that_other_programs_find_too() -> None:
    """The words that would favour low faces are left out; the seed is a hash of plain text, and AES makes its words."""
    found = made("law")
    assert (found["found"], found["spent"]) == ([5, 1], True)
    text = json.dumps(["oddsmith dice 1", "seed", "a" * 64, 0, [[-1, "b" * 64], [2, "c" * 64]]], separators=(",", ":"))
    assert found["seed"] == hashlib.sha256(text.encode()).hexdigest()
    assert found["same"]


def test_everybody_has_a_part_in_every_roll_and_finds_it_right() -> None:
    found = made("whole")
    assert found["faults"] == SOUND
    assert found["makers"] == 3
    assert found["checked"] == [[found["rolls"]] * 2] * 2
    assert found["rolls"] > 5
    assert verify_transcript(read_transcript(json.dumps(found["transcript"]).encode()), game()[0]).payoffs is not None


@pytest.mark.parametrize(
    ("cheat", "why", "stopped"),
    [
        ("chosen", "otherDice", False),
        ("silent", "otherDice", False),
        ("late", "numberOther", False),
        ("forged", "listOther", True),
        ("nobody", "listStrange", True),
        ("without", "listStrange", True),
    ],
)
def test_a_game_master_who_cheats_is_found_out_by_every_browser(cheat: str, why: str, stopped: bool) -> None:
    """Where the cheat shows before numbers do, nobody gives theirs, and there is no roll."""
    found = made("whole", cheat=cheat)
    assert found["faults"] == [why] * 2
    assert found["checked"] == [[2, 2], [2, 2]]
    assert found["waits"].startswith(WAITS.format("Ann, Ben")) is stopped


@pytest.mark.parametrize(("then", "waits"), [("forgotten", "Ann, Ben"), ("reloaded", "Ann, Ben"), ("dropped", "Ann")])
def test_a_roll_whose_numbers_were_asked_for_is_not_made_anew(then: str, waits: str) -> None:
    found = made("anew", then=then)
    assert found["second"].startswith(WAITS.format(waits))
    assert found["faults"] == ["begunAnew"] * 2
    assert found["log"] == []


def test_the_table_goes_on_while_a_roll_waits_and_the_roll_falls_as_the_seats_stood_when_it_began() -> None:
    found = made("meanwhile")
    assert found["first"].startswith(WAITS.format("Ben"))
    assert found["between"] == [0, 2, True]
    assert found["seats"] == ["cid", "ann", "ben", None]
    assert {entry["seat"] for entry in found["log"]} == {1}
    assert (found["faults"], found["checked"]) == (SOUND, [[1, 1]] * 2)


@pytest.mark.parametrize("then", ["undo", "hand", "close"])
def test_a_roll_ends_at_once_when_its_moves_or_its_promises_are_no_more(then: str) -> None:
    """No number is shown to anybody, and what was promised still stands for whoever is left."""
    found = made("ended", then=then)
    assert found["first"].startswith(WAITS.format("Ben"))
    assert found["over"][:3] == [None, [], 0]
    assert (found["over"][3] < 0) is (then != "hand")
    assert found["faults"] == SOUND


def test_what_was_begun_with_one_choice_cannot_be_avoided_by_another_that_needs_no_dice() -> None:
    found = made("otherwise")
    assert found["first"].startswith(WAITS.format("Ben"))
    assert found["ignored"] == [found["first"], 0]
    assert found["second"] == [found["first"], 0]  # also where the game master's page was loaded anew in between
    assert found["added"] == 1
    assert found["faults"] == ["otherDice"] * 2


def test_a_seat_that_is_given_away_after_the_page_was_loaded_anew_leaves_the_roll_that_was_begun() -> None:
    found = made("handed")
    assert found["first"].startswith(WAITS.format("Ann"))
    assert found["kind"] == "npc"
    assert found["made"] == found["chosen"]
    assert found["faults"] == SOUND


@pytest.mark.parametrize(
    ("then", "parts"), [("given", [[1, 1], [1, 0]]), ("back", [[1, 1]] * 2), ("restored", [[1, 1]] * 2)]
)
def test_a_roll_waits_for_a_number_that_was_promised_until_its_browser_is_back_or_its_seat_is_given_away(
    then: str, parts: list[list[int]]
) -> None:
    found = made("anew", then=then)
    assert found["first"].startswith(WAITS.format("Ben"))
    assert (found["second"], found["checked"]) == ("", parts)
    assert found["faults"] == SOUND


def test_a_number_that_does_not_fit_its_hash_is_none() -> None:
    found = made("spoilt")
    assert found["first"].startswith(WAITS.format("Ben"))
    assert found["log"] == []


def test_a_move_that_is_taken_back_and_made_again_falls_the_same() -> None:
    found = made("undone")
    assert (found["between"], found["same"], found["faults"]) == (0, True, SOUND)


def test_a_browser_that_sleeps_is_left_out_and_not_waited_for_again_until_it_answers() -> None:
    found = made("sleeps")
    assert found["makers"] == [[2, True], [2, True], [2, False], [3, False]]
    assert found["faults"] == SOUND
    assert [all_rolls - own for all_rolls, own in found["checked"]] == [0, 3]
