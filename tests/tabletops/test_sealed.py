"""Games with secrets at the table by link: nobody can look, choose what falls, or change what was chosen."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from oddsmith.base.errors import TranscriptError
from oddsmith.report.english import game_bundle, unsolved_setting
from oddsmith.ruleset import bind, sha256
from oddsmith.ruleset.model import Setting
from oddsmith.ruleset.model.ruleset import Ruleset
from oddsmith.ruleset.reading.build import load
from oddsmith.ruleset.transcript import read_transcript, verify_transcript
from tests.cases import RULESETS
from tests.node import answers

HERE = Path(__file__).parent
GAMES = ("mia", "cups-and-coins", "liars-dice", "blind-auction", "two-lanterns")
SMALLER = {"liars-dice": {"sides": 3}}


def rules_of(name: str) -> Ruleset:
    """The rules of a shipped game."""
    return load(RULESETS / f"{name}.yaml")[0]


def ask(name: str, scene: str, **job: Any) -> Any:
    """What a scene of sealed.mjs shows of a game."""
    rules = rules_of(name)
    setting = unsolved_setting(
        bind(rules, Setting(2, values=SMALLER.get(name) or {})), next(iter(rules.payoffs)), "here"
    )
    job = {"book": game_bundle(rules, [setting]), "setting": "here", "scene": scene, "rules": sha256(rules), **job}
    return answers(HERE / "sealed.mjs", job, timeout=300)[0]


@pytest.mark.parametrize("name", GAMES)
def test_two_browsers_play_a_whole_game_and_agree(name: str) -> None:
    found = ask(name, "played", seed=4)
    assert found["same"]
    for master, ann in found["views"]:
        assert (master["busy"], master["waits"]) == (ann["busy"], ann["waits"])
        both = zip(master["cells"], ann["cells"], strict=True)
        if master["phase"] == ann["phase"]:
            assert all(one == other or "covered" in (one, other) for one, other in both)
    last = found["views"][-1]
    assert last[0] == last[1]
    assert "covered" not in last[0]["cells"]
    assert not any(last[0]["covered"])
    assert (
        verify_transcript(read_transcript(json.dumps(found["transcript"]).encode()), rules_of(name)).payoffs is not None
    )


def test_a_transcript_of_choices_at_once_is_checked() -> None:
    written = ask("blind-auction", "played", seed=4)["transcript"]
    number, bid = next((place, entry) for place, entry in enumerate(written["log"]) if "choose" in entry)
    for wrong, said in (
        ({**bid, "seat": 3 - bid["seat"]}, "is to move here"),
        ({**bid, "with": {"bid": 9}}, "bid cannot be 9 here"),
        ({**bid, "with": {"bid": True}}, "bid cannot be true here"),
        ({**bid, "choose": "offer"}, "there must be a choice of bid here"),
    ):
        log = [*written["log"][:number], wrong, *written["log"][number + 1 :]]
        with pytest.raises(TranscriptError, match=f"entry {number + 1}.*{said}"):
            verify_transcript(read_transcript(json.dumps({**written, "log": log}).encode()), rules_of("blind-auction"))


def test_what_lies_under_the_cup_of_the_other_is_not_known() -> None:
    views = ask("cups-and-coins", "played", seed=4)["views"]
    rolled = [pair for pair in views if pair[0]["phase"] in ("open", "answer")]
    assert rolled
    for master, ann in rolled:
        assert [cell == "covered" for cell in master["cells"][:2]] == [False, True]
        assert [cell == "covered" for cell in ann["cells"][:2]] == [True, False]


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("seed", [1, 2])
def test_no_entry_can_be_changed(name: str, seed: int) -> None:
    """Whoever saw the game believes nothing; whoever did not believes at most another choice that all could see."""
    found = ask(name, "forged", seed=seed)
    assert found["honest"] == {"what": "nothing", "said": "", "noticed": False, "open": False, "over": True}
    assert len(found["found"]) > 20
    assert all(each["noticed"] or each["said"] for each in found["found"])
    assert all(each["said"] or each["open"] for each in found["found"])


def test_a_roll_falls_as_often_as_it_should() -> None:
    counts = ask("two-lanterns", "fair", times=600)
    assert len(counts) == 6
    assert all(60 < count < 145 for count in counts.values())


@pytest.mark.parametrize("name", GAMES)
def test_what_is_covered_is_not_opened_in_another_game(name: str) -> None:
    found = ask(name, "switched", seed=3)
    opened = {what: {keys for keys in found[what] if keys != "promise,seat"} for what in found}
    assert opened["own"]
    assert not any("salt" in keys or keys == "number,seat" for keys in opened["rules"] | opened["setting"])


def test_a_browser_keeps_the_secrets_of_several_tables() -> None:
    found = ask("mia", "several", seed=3)
    assert not any(found["lost"])
    assert found["differ"]
    assert found["kept"] == [True, False]


def test_a_table_that_loses_what_it_had_is_noticed() -> None:
    assert ask("mia", "grows", seed=3) == [True, True, False, True, False, True]
