"""The Mod script for Roll20 in a stand-in for its sandbox: it plays to the end by the rules, for those who may."""

from __future__ import annotations

import json
import subprocess
from base64 import b64encode
from functools import cache
from typing import Any

import pytest

from oddsmith.errors import OddsmithError
from oddsmith.files import folder_files
from oddsmith.foundry import roll20
from oddsmith.foundry.roll20 import Mod, mod
from oddsmith.foundry.rolltables import roll_tables
from oddsmith.ruleset.model import Ruleset
from oddsmith.ruleset.transcript import read, verify
from tests.browser.conftest import ROOT, missing
from tests.foundry.accounts import PATHS, accounts
from tests.node import NODE, answers

HOSTILE = "[x](!boom) @{a|b} [[1d6]] <b>&{template:x} %{y} #z ?{q}"


@cache
def made(name: str) -> Mod:
    return mod(accounts(name), folder_files(ROOT / "site"), b"MIT")


def rules(name: str) -> Ruleset:
    return accounts(name).ruleset


def run(name: str, scene: str, script: str = "", **job: Any) -> Any:
    """What a scene of roll20.mjs gives; in none may a text get out of its place."""
    if not NODE.exists():
        missing("Node is not set up")
    game = rules(name).id
    text = script or made(name).files[f"oddsmith-{game}.js"].decode()
    job = {"script": text, "game": game, "scene": scene, "names": {"ann": HOSTILE}, **job}
    (found,) = answers(ROOT / "tests" / "tabletops" / "roll20.mjs", job, timeout=120)
    assert found["commands"] == []
    assert found["foreign"] == []
    assert found["speakers"] == ["Tavern"]
    assert all(line.startswith("!tavern ") for line in found["logged"]), found["logged"]
    return found


def checked(name: str, transcript: Any) -> None:
    """Python comes to the same end."""
    found = verify(read(json.dumps(transcript).encode()), rules(name))
    assert found.payoffs is not None
    assert found.entries == len(transcript["log"])


@pytest.mark.parametrize("name", sorted(PATHS))
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_people_play_to_the_end_and_python_comes_to_the_same(name: str, seed: int) -> None:
    found = run(name, "played", seed=seed)
    checked(name, found["transcript"])
    assert found["reloaded"] is not False
    assert any(head == "End" for head, _ in found["end"]["rows"])
    if accounts(name).main.setting.seats > 1:
        assert found["transcript"]["names"][1] == HOSTILE


@pytest.mark.parametrize("name", sorted(PATHS))
@pytest.mark.parametrize("skill", [0, 1, 2])
def test_non_players_play_to_the_end(name: str, skill: int) -> None:
    if skill >= len(accounts(name).main.opponents):
        skill = 0
    checked(name, run(name, "watched", skill=skill, seed=skill)["transcript"])


def test_bytes_and_text_come_through_as_they_were() -> None:
    if not NODE.exists():
        missing("Node is not set up")
    data = bytes(range(256)) + "\u00e9\u2019\U0001f3b2".encode()
    parts = [data[:size] for size in (0, 1, 2, 3, 4, 255, len(data))]
    program = f"""
      import {{ bytesOf, TextDecoder }} from {json.dumps((ROOT / "site" / "roll20" / "bytes.mjs").as_uri())};
      const parts = {json.dumps([b64encode(part).decode() for part in parts])}.map(bytesOf);
      console.log(JSON.stringify([parts.map((part) => [...part]), new TextDecoder().decode(parts.at(-1).slice(256))]));
    """
    done = subprocess.run(
        [str(NODE), "--input-type=module", "-e", program], capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == [[list(part) for part in parts], "\u00e9\u2019\U0001f3b2"]


def test_what_is_not_granted_does_nothing() -> None:
    found = run("hostile", "refused")
    assert found["silent"] == []
    assert found["rev"]
    for what, (*why, same) in found["found"].items():
        assert same, what
        assert len(why) == 1, what
        assert why[0].endswith("."), what
    assert found["found"]["wrong player"] == ["It is not your turn.", True]
    assert found["found"]["outsider"] == ["It is not your turn.", True]


def test_the_game_master_takes_back_hands_over_and_closes() -> None:
    found = run("hostile", "kept")
    odds = [each["label"] for each in found["ways"]["buttons"]]
    assert len(odds) == len(accounts("hostile").main.opponents)
    assert all("% to win, " in text for text in odds)
    assert (found["given"]["kind"], found["freed"]) == ("npc", {"kind": "user", "user": None, "name": "", "skill": 0})
    assert found["after"] < found["before"]
    assert found["more"]["whispered"]
    assert found["advice"]["whispered"]
    assert found["advice"]["rows"][1][1] in found["choices"]
    assert any(head == "End" for head, _ in found["end"]["rows"])
    assert found["left"] is None
    assert any(each["command"].endswith("open 0") for each in found["open"]["buttons"])


@pytest.mark.parametrize("name", ["bet", "bag", "hostile"])
def test_random_tables_have_the_exact_chances_and_are_made_once(name: str) -> None:
    found = run(name, "tables")
    assert found["again"] == 0
    tables = roll_tables(accounts(name))
    assert [each["name"] for each in found["made"]] == [f"{rules(name).id}-{table.slug}" for table in tables]
    for each, table in zip(found["made"], tables, strict=True):
        total = sum(weight for _, weight in each["items"])
        for (text, weight), (first, last, plain) in zip(each["items"], table.results, strict=True):
            assert weight * table.sides == (last - first + 1) * total
            assert not set(text) & set("<>[]{}@%|`*")
            assert plain.isascii() is False or (text == plain) == (not set(plain) & set('<>[]{}@%|`*#&"\\=$~^_'))


def test_the_copy_list_has_every_item_with_its_weight() -> None:
    text = made("bet").files["tables.txt"].decode()
    for table in roll_tables(accounts("bet")):
        assert f"\n{rules('bet').id}-{table.slug}\n" in text
        for _, _, result in table.results:
            assert f"\t{result}\n" in text


def test_without_room_for_the_table_nobody_is_offered_who_needs_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(roll20, "ROOM", 10)
    small = mod(accounts("race"), folder_files(ROOT / "site"), b"MIT")
    assert any("too large" in note for note in small.left_out)
    assert b"too large" in small.files["README.md"]
    script = small.files["oddsmith-piglet.js"].decode()
    found = run("race", "watched", script=script)
    checked("race", found["transcript"])
    assert not any("Best play" in name for name in found["transcript"]["names"])


def test_the_script_is_one_file_without_what_a_sandbox_forbids() -> None:
    script = made("hostile").files["oddsmith-hostile.js"].decode()
    assert "</title>" not in script.splitlines()[0]
    for word in ("eval(", "new Function", "fetch(", "require(", "Math.random"):
        assert word not in script
    about = json.loads(made("hostile").files["script.json"])
    assert about["script"] == "oddsmith-hostile.js"
    assert isinstance(about["previousversions"], list)


def test_what_has_no_table_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(roll20, "play_files", lambda _: {})
    with pytest.raises(OddsmithError, match="cannot be played"):
        mod(accounts("race"), {}, b"")
