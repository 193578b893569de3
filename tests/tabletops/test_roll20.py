"""The Mod script for Roll20 in a stand-in for its sandbox: it plays to the end by the rules, for those who may."""

from __future__ import annotations

import json
import subprocess
from base64 import b64encode
from fractions import Fraction
from functools import cache
from typing import Any

import pytest
from jsonschema import Draft7Validator

from oddsmith.base.errors import OddsmithError, TooManyStatesError
from oddsmith.base.files import folder_files
from oddsmith.publish.markup.html import title_text
from oddsmith.report.answers import answers_of, solving
from oddsmith.report.english.prose import capital
from oddsmith.report.english.words import plain_name
from oddsmith.ruleset.model.ruleset import Ruleset
from oddsmith.ruleset.transcript import read_transcript, verify_transcript
from oddsmith.solve import Solution
from oddsmith.tabletops import roll20
from oddsmith.tabletops.roll20 import Roll20Mod, build_mod
from oddsmith.tabletops.solved import roll_tables
from tests.chromium import ROOT, missing
from tests.foundry.accounts import PATHS, accounts
from tests.node import NODE, answers

HOSTILE = "[x](!boom) @{a|b} [[1d6]] <b>&{template:x} %{y} #z ?{q}"


@cache
def made(name: str) -> Roll20Mod:
    return build_mod(accounts(name), folder_files(ROOT / "site"), b"MIT")


def rules(name: str) -> Ruleset:
    return accounts(name).ruleset


def script(name: str) -> str:
    return made(name).files[f"oddsmith-{rules(name).id}.js"].decode()


def run(name: str, scene: str, text: str = "", **job: Any) -> Any:
    """What a scene of roll20.mjs gives; in none may a text get out of its place."""
    if not NODE.exists():
        missing("Node is not set up")
    job = {"script": text or script(name), "game": rules(name).id, "scene": scene, "names": {"ann": HOSTILE}, **job}
    (found,) = answers(ROOT / "tests" / "tabletops" / "roll20.mjs", job, timeout=120)
    assert found["commands"] == []
    assert found["foreign"] == []
    assert found["speakers"] == ["Tavern"]
    assert all(line.startswith("!oddsmith ") for line in found["logged"]), found["logged"]
    return found


def ending(name: str, transcript: Any) -> str:
    """How the end is told: who won, and what everybody got of what the game is solved for unless that is the win itself."""
    main = accounts(name).main
    paid, names = transcript["payoffs"][main.setting.objective], transcript["names"]
    worth = [Fraction(one) for one in paid]
    best = max(worth) if accounts(name).ruleset.payoffs[main.setting.objective].goal == "max" else min(worth)
    winners = [name for name, got in zip(names, worth, strict=True) if got == best]
    who = f"{winners[0]} wins." if len(winners) == 1 else f"{', '.join(winners)} share the win."
    if main.values_are_shares:
        return f"The game is over. {who}"
    who = "" if len(names) == 1 or main.unit.chance else f"{who} "
    told = [{"1": "yes", "0": "no"}[one] if main.unit.chance and not main.values_are_shares else one for one in paid]
    each = ", ".join(f"{one} {what}" for one, what in zip(names, told, strict=True))
    return f"The game is over. {who}{capital(plain_name(main.setting.objective))}: {each}."


def checked(name: str, transcript: Any) -> None:
    """Python comes to the same end."""
    found = verify_transcript(read_transcript(json.dumps(transcript).encode()), rules(name))
    assert found.payoffs is not None
    assert found.entry_count == len(transcript["log"])


@pytest.mark.parametrize("name", sorted(PATHS))
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_people_play_to_the_end_and_python_comes_to_the_same(name: str, seed: int) -> None:
    found = run(name, "played", seed=seed)
    checked(name, found["transcript"])
    assert found["reloaded"] is not False
    (end,) = [text for head, text in found["end"]["rows"] if head == "End"]
    assert end == ending(name, found["transcript"])
    if accounts(name).main.setting.seats > 1:
        assert found["transcript"]["names"][1] == HOSTILE


@pytest.mark.parametrize("one", ["Ann", "name", "Turn", "Seat 1", "What to do", "7", "__proto__"])
def test_no_row_is_lost_whatever_players_are_called(one: str) -> None:
    found = run("choices", "played", names={"gm": one, "ann": one}, seed=4)
    log = found["transcript"]["log"]
    told = {head: text for rows in found["rows"] for head, text in rows if head.startswith("Move ")}
    assert sorted(told, key=lambda head: int(head.split()[1])) == [f"Move {place + 1}" for place in range(len(log))]
    for place, entry in enumerate(log):
        assert told[f"Move {place + 1}"].startswith(found["transcript"]["names"][entry["seat"] - 1])
    assert found["transcript"]["names"][:2] == [f"{one} (seat 1)", f"{one} (seat 2)"]
    robbed = [(place, entry["with"]["victim"]) for place, entry in enumerate(log) if entry.get("choose") == "Rob"]
    assert robbed
    for place, victim in robbed:
        assert told[f"Move {place + 1}"].endswith(f": Rob: {found['transcript']['names'][victim]}.")
    seats = [text for head, text in found["end"]["rows"] if head.startswith("Seat ")]
    assert [text.split(":")[0] for text in seats] == found["transcript"]["names"]
    assert found["end"]["buttons"]


SIZES = {
    "race": ("open 2 target=9", {"target": 9}, 2),
    "choices": ("open 3 coins_each=3", {"coins_each": 3}, 3),
}


@pytest.mark.parametrize("name", sorted(SIZES))
def test_a_size_that_nobody_solved_is_played_without_odds_and_advice(name: str) -> None:
    words, parameters, seats = SIZES[name]
    found = run(name, "watched", open=words)
    checked(name, found["transcript"])
    assert found["transcript"]["seats"] == seats
    assert parameters.items() <= found["transcript"]["parameters"].items()
    for card in (found["lobby"], found["ways"]):
        (note,) = [text for head, text in card["rows"] if head == "Note"]
        assert note.startswith("This setting was not solved, so it has no odds and no advice.")
    ways = [each["label"] for each in found["ways"]["buttons"]]
    assert "Any legal action" in ways
    assert not any("%" in text or "Best play" in text for text in ways)
    assert found["advice"] == "There is nothing to choose now."


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
      import {{ decodeBase64, TextDecoder }} from {json.dumps((ROOT / "site" / "roll20" / "bytes.mjs").as_uri())};
      const parts = {json.dumps([b64encode(part).decode() for part in parts])}.map(decodeBase64);
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
    for what, each in found["found"].items():
        assert each["same"], what
        assert len(each["why"]) == 1, what
        assert each["why"][0].endswith("."), what
        # Ann's name cannot stand in a command: everybody reads it then.
        assert each["to"] == [{"gm": '"Keeper"', "ben": '"Ben"', "ann": None}[each["asked"]]], what
    assert found["found"]["wrong player"]["why"] == ["It is not your turn."]
    assert found["found"]["outsider"]["why"] == ["It is not your turn."]
    assert "Limits: seats 2; goal from 4 to 8. <b>Low</b> goals only. Leave" in found["found"]["open 999"]["why"][0]


@pytest.mark.parametrize(
    ("name", "to"), [("Ann Lee-O'Hara", '"Ann Lee-O\'Hara"'), ('Ann "x" Lee', None), ("Ann\n/w gm", None), ("", None)]
)
def test_who_asked_for_what_is_refused_hears_it_alone_where_the_name_fits(name: str, to: str | None) -> None:
    found = run("hostile", "refused", names={"ann": name})
    assert found["found"]["npc"]["to"] == [to]


def test_a_player_leaves_in_mid_game_and_another_comes_in() -> None:
    found = run("choices", "left", seed=5)
    assert found["given"]["kind"] == "npc"
    assert found["mine"] == ["This is not your seat."]
    assert found["again"] == ["This seat is taken."]
    assert any(each["command"].endswith(" sit 1") for each in found["freed"]["buttons"])
    assert (found["back"]["user"], found["back"]["name"]) == ("ben", "Ben")
    assert found["same"]
    checked("choices", found["transcript"])


def test_the_same_people_play_again_and_buttons_of_the_last_table_do_nothing() -> None:
    found = run("race", "again")
    assert found["early"] == ["The game is not over."]
    assert found["outsider"] == ["Only a player at the table can start another game."]
    assert found["over"]["buttons"][0] == {"label": "Play again", "command": "!oddsmith piglet again"}
    assert found["fresh"] == {"same": True, "log": 0, "turn": "Keeper"}
    assert found["asked"]["rows"][1] == ["Close", "The game is not over. Closing the table loses it."]
    assert (found["asked"]["to"], found["stays"], found["closed"]) == ("gm", True, True)
    assert (found["old"], found["grown"]) == (["This button belongs to an earlier move."], 0)


def test_a_table_of_other_rules_says_how_to_close_it() -> None:
    found = run("race", "changed")
    assert found["told"] == [
        "This table was opened with other rules. The game master can close it: !oddsmith piglet close"
    ]
    assert found["left"] is None


def test_a_game_that_is_too_long_is_refused_and_leaves_the_table_as_it_was() -> None:
    short = script("race").replace("const LONGEST = 5000;", "const LONGEST = 3;")
    assert short != script("race")
    found = run("race", "full", text=short)
    assert found["same"]
    assert found["told"][0].startswith("The game has become too long")


def test_the_game_master_takes_back_hands_over_and_closes() -> None:
    found = run("hostile", "kept")
    odds = [each["label"] for each in found["ways"]["buttons"]]
    assert len(odds) == len(accounts("hostile").main.opponents)
    assert all("% to win, " in text for text in odds)
    later = [each["label"] for each in found["later"]["buttons"]]
    assert later == [text.split(":")[0] for text in odds]
    assert (found["given"]["kind"], found["freed"]) == ("npc", {"kind": "user", "user": None, "name": "", "skill": 0})
    assert found["after"] < found["before"]
    assert found["more"]["to"] == found["advice"]["to"] == "gm"
    assert found["advice"]["rows"][1][1] in found["choices"]
    assert any(head == "End" for head, _ in found["end"]["rows"])
    assert found["left"] is None
    assert any(each["command"].endswith("setting 0") for each in found["open"]["buttons"])


@pytest.mark.parametrize("name", ["bet", "bag", "hostile", "omens"])
def test_random_tables_have_the_exact_chances_and_are_made_once(name: str) -> None:
    found = run(name, "tables")
    assert found["again"] == 0
    tables = roll_tables(accounts(name))
    assert [each["name"] for each in found["made"]] == [f"{rules(name).id}-{table.slug}" for table in tables]
    for each, table in zip(found["made"], tables, strict=True):
        total = sum(weight for _, weight in each["items"])
        ways = sum(line.weight for line in table.lines)
        for (text, weight), line in zip(each["items"], table.lines, strict=True):
            plain = line.text
            assert weight * ways == line.weight * total
            assert not set(text) & set("<>[]{}@%|`*")
            assert plain.isascii() is False or (text == plain) == (not set(plain) & set('<>[]{}@%|`*#&"\\=$~^_'))


def test_the_copy_list_has_every_item_with_its_weight() -> None:
    text = made("bet").files["tables.txt"].decode()
    for table in roll_tables(accounts("bet")):
        assert f"\n{rules('bet').id}-{table.slug}\n" in text
        for line in table.lines:
            assert f"\t{line.text}\n" in text


def test_without_room_for_the_table_nobody_is_offered_who_needs_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(roll20, "MAX_TABLE_CHARACTERS", 10)
    small = build_mod(accounts("race"), folder_files(ROOT / "site"), b"MIT")
    assert any("too large" in note for note in small.missing_table_notes)
    assert b"too large" in small.files["README.md"]
    short = small.files["oddsmith-piglet.js"].decode()
    found = run("race", "watched", text=short)
    checked("race", found["transcript"])
    (note,) = [text for head, text in found["lobby"]["rows"] if head == "Note"]
    assert note.startswith("The table of best play is too large")
    assert not any("Best play" in name for name in found["transcript"]["names"])


def test_sizes_too_large_to_be_solved_are_played_without_odds_and_advice(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> Solution:
        raise TooManyStatesError("too many positions")

    monkeypatch.setattr(solving, "solve", refuse)
    estimated = answers_of(rules("race"))
    made_so = build_mod(estimated, folder_files(ROOT / "site"), b"MIT")
    notes = [
        note
        for note in made_so.missing_table_notes
        if "too large to be solved, so there are no odds and no advice" in note
    ]
    assert len(notes) == len(estimated.estimates) > 0
    assert all(note in made_so.files["README.md"].decode() for note in notes)
    found = run("race", "watched", text=made_so.files["oddsmith-piglet.js"].decode())
    checked("race", found["transcript"])
    assert not any("%" in each["label"] or "Best play" in each["label"] for each in found["ways"]["buttons"])


def test_the_script_is_one_file_without_what_a_sandbox_forbids() -> None:
    script = made("hostile").files["oddsmith-hostile.js"].decode()
    assert "</title>" not in script.splitlines()[0]
    for word in ("eval(", "new Function", "fetch(", "require(", "Math.random"):
        assert word not in script


NAMED = {"type": "string", "minLength": 1}
ABOUT = {
    "type": "object",
    "required": ["name", "description", "script", "version", "authors", "roll20userid"],
    "additionalProperties": False,
    "properties": {
        "name": NAMED,
        "description": NAMED,
        "authors": NAMED,
        "script": {"type": "string", "pattern": r"^[^/]+\.js$"},
        "version": {"type": "string", "pattern": r"^[0-9]+(\.[0-9]+)*$"},
        "roll20userid": {"type": "string", "pattern": "^[0-9]+$"},
        "previousversions": {"type": "array"},
        "useroptions": {"type": "array"},
        "dependencies": {"type": "array"},
        "conflicts": {"type": "array"},
        "modifies": {
            "type": "object",
            "additionalProperties": {"enum": ["read", "write", "read, write", "write, read"]},
        },
    },
}
"""What we write of Roll20's schema of ``script.json`` (script.json.schema of its collection), no wider than that."""


@pytest.mark.parametrize("name", ["hostile", "race"])
def test_what_roll20_s_collection_asks_for_is_there_for_who_offers_the_script(name: str) -> None:
    assert "script.json" not in made(name).files  # it must name a user
    found = build_mod(accounts(name), folder_files(ROOT / "site"), b"MIT", "123456").files
    about = json.loads(found["script.json"])
    assert [error.message for error in Draft7Validator(ABOUT).iter_errors(about)] == []
    assert about["script"] in found
    assert about["roll20userid"] == "123456"
    assert title_text(rules(name).title) in about["name"]
    assert f"!oddsmith {rules(name).id} more" in about["description"]
    assert not set(about["name"] + about["description"]) & set("<>")


@pytest.mark.parametrize("user", ["Ann", "12 34", "1.5", "-1", "٣"])
def test_a_user_of_roll20_is_a_number(user: str) -> None:
    with pytest.raises(OddsmithError, match="no user of Roll20"):
        roll20.check_user_name(user)


def test_what_has_no_table_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(roll20, "play_files", lambda _: {})
    with pytest.raises(OddsmithError, match="cannot be played"):
        build_mod(accounts("race"), {}, b"")
