"""The extension for Owlbear Rodeo: what the folder holds, and two people at a table in a stand-in for a room."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from oddsmith.base.errors import OddsmithError
from oddsmith.base.files import folder_files, write_folder_files
from oddsmith.report.answers.accounts import RulesetAnswers
from oddsmith.ruleset.transcript import read_transcript, verify_transcript
from oddsmith.tabletops.owlbear import HOSTED, build_extension, hosted_extension
from oddsmith.tabletops.solved import virtual_tabletop_files
from tests.browser.conftest import served
from tests.cases import RULESETS, SAMPLES, TESTS, account_of, ruleset
from tests.chromium import ROOT
from tests.node import answers, picture

GAMES = ("samples/pig.yaml", "publish/hostile.yaml")
SECRET = (RULESETS / "cups-and-coins.yaml", TESTS / "secrets/games/kuhn-poker.yaml")
MORE = ("craps", "marbles", "snakes-and-ladders", "hot-purse")
NAME = "<img src=x onerror=alert(1)>"


@cache
def accounts() -> tuple[RulesetAnswers, ...]:
    paths = [*(TESTS / path for path in GAMES), *(SAMPLES / f"{name}.yaml" for name in MORE), *SECRET]
    return tuple(map(account_of, paths))


@cache
def files(url: str = "") -> dict[str, bytes]:
    return build_extension(accounts(), url, folder_files(ROOT / "site"), b"MIT")


# --- the folder


def test_scripts_are_the_projects_own_byte_by_byte_and_all_that_they_import_is_there() -> None:
    scripts = {name: data for name, data in files().items() if name.startswith("scripts/")}
    for name, data in scripts.items():
        assert data == (ROOT / "site" / name.removeprefix("scripts/")).read_bytes()
        for target in re.findall(r'^import .* from "(.+)";', data.decode(), flags=re.MULTILINE):
            assert target.startswith("."), f"{name} imports {target} from elsewhere"
            place = (Path("/") / name).parent / target
            assert str(place.resolve().relative_to("/")) in scripts


def test_the_manifest_leads_to_files_that_are_there() -> None:
    for url, base in (
        ("", "/"),
        ("https://example.org/t", "https://example.org/t/"),
        ("https://example.org/t/", "https://example.org/t/"),
    ):
        found = json.loads(files(url)["manifest.json"])
        assert found["manifest_version"] == 1
        for address in (found["icon"], found["action"]["icon"], found["action"]["popover"]):
            assert address.startswith(base)
            assert address.removeprefix(base) in files(url)


def test_the_page_has_no_script_of_its_own_and_may_load_none_from_elsewhere() -> None:
    page = files()["index.html"].decode()
    assert re.findall(r"<script[^>]*>(.*?)</script>", page, flags=re.DOTALL) == [""]
    assert "script-src 'self'" in page
    assert not re.search(r"\son\w+=|style=|https?://", page)


def test_the_same_games_give_the_same_files_and_each_game_stands_there_once() -> None:
    assert build_extension(accounts(), "", folder_files(ROOT / "site"), b"MIT") == files()
    with pytest.raises(OddsmithError, match="two of the rulesets"):
        build_extension([*accounts(), accounts()[0]], "", folder_files(ROOT / "site"), b"MIT")


def test_the_folder_says_what_was_not_tried() -> None:
    assert b"not in a real room" in files()["README.md"]
    assert b"not in a real room" in files()["index.html"]
    assert "friends" in files()["index.html"].decode()


@cache
def hosted() -> dict[str, bytes]:
    """A site with the extension that it hosts, and what a site has beside it: games, and scripts of tables."""
    own = folder_files(ROOT / "site")
    beside = {f"assets/{name}": data for name, data in own.items() if name.startswith(("room/", "runtime/"))}
    for each in accounts():
        beside |= virtual_tabletop_files(each)
    return beside | hosted_extension([each.ruleset for each in accounts()], "https://example.org/t", own)


def test_a_site_hosts_one_extension_with_all_its_games_and_nothing_twice() -> None:
    found = json.loads(hosted()[f"{HOSTED}/manifest.json"])
    for address in (found["icon"], found["action"]["popover"]):
        assert address.removeprefix("https://example.org/t/") in hosted()
    games = json.loads(hosted()[f"{HOSTED}/games.json"])["games"]
    assert [each["id"] for each in games] == [each.ruleset.id for each in accounts()]
    assert all(each["book"].removeprefix("../../") in hosted() for each in games)
    page = hosted()[f"{HOSTED}/index.html"].decode()
    for address in re.findall(r'(?:src|href)="([^"]+)"', page):
        assert str((Path("/") / HOSTED / address).resolve().relative_to("/")) in hosted()
    assert sum(name.startswith(HOSTED) for name in hosted()) == 4


# --- the room


@pytest.fixture(scope="module")
def base(browser: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder = tmp_path_factory.mktemp("room")
    found = {f"ext/{name}": data for name, data in files().items()}
    found |= {name: (ROOT / "tests" / "tabletops" / name).read_bytes() for name in ("room.html", "room.mjs")}
    write_folder_files(folder, found)
    with served(folder) as address:
        yield address


def use(base: str, scene: str, query: str = "gm=Keeper&player=Ann", **job: Any) -> Any:
    """What a scene of owlbear.mjs shows; in none may anything break, run out of the page or come from elsewhere."""
    job = {"base": base, "scene": scene, "query": query, **picture(f"owlbear-{scene}"), **job}
    (found,) = answers(ROOT / "tests" / "tabletops" / "owlbear.mjs", job, timeout=150)
    assert found["errors"] == []
    assert found["foreign"] == []
    assert found["refused"] == []
    assert found["serious"] == []
    assert not any(found["wide"])
    return found


@pytest.mark.browser
@pytest.mark.parametrize("look", ["width=320", "width=400&dark=1"])
def test_two_people_play_to_the_end_by_keyboard_and_a_page_loaded_anew_shows_the_same(base: str, look: str) -> None:
    found = use(base, "played", f"gm=Keeper&player=Ann&{look}", seed=5)
    assert found["turns"][0] == found["turns"][1]
    assert found["turns"][0].startswith("The game is over.")
    assert found["stories"][0] == found["stories"][1]
    assert len(found["stories"][0]) >= found["rounds"] > 3, "what leaves no choice needs no key"
    assert found["reloaded"]["before"] == found["reloaded"]["after"] != []
    assert found["held"] == ["turn"]
    assert found["link"] == "pig.json"
    checked = verify_transcript(read_transcript(json.dumps(found["transcript"]).encode()), accounts()[0].ruleset)
    assert checked.payoffs is not None


@pytest.mark.browser
def test_a_room_plays_by_the_extension_that_a_site_hosts(
    browser: None, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("site")
    room = {name: (ROOT / "tests" / "tabletops" / name).read_bytes() for name in ("room.html", "room.mjs")}
    write_folder_files(folder, hosted() | room)
    with served(folder) as address:
        found = use(address, "alone", f"gm=Keeper&ext={HOSTED}/index.html", game="craps", seed=2)
    assert found["turn"].startswith("The game is over.")


@pytest.mark.browser
@pytest.mark.parametrize("game", MORE)
def test_one_person_plays_to_the_end_by_touch_with_non_players_and_python_comes_to_the_same(
    base: str, game: str
) -> None:
    found = use(base, "alone", "gm=Keeper", game=ruleset(game).id, seed=2)
    assert found["turn"].startswith("The game is over.")
    assert (
        verify_transcript(read_transcript(json.dumps(found["transcript"]).encode()), ruleset(game)).payoffs is not None
    )


@pytest.mark.browser
def test_two_people_play_a_game_with_secrets_and_neither_sees_under_the_other_cup(base: str) -> None:
    found = use(base, "bluffed", game="cups-and-coins", seed=5)
    assert [1, 1] in found["cups"]
    assert found["end"] == [0, 0]
    assert found["size"] < 4000
    assert (
        verify_transcript(read_transcript(json.dumps(found["transcript"]).encode()), ruleset("cups-and-coins")).payoffs
        is not None
    )


@pytest.mark.browser
def test_two_people_draw_cards_that_nobody_deals_and_neither_sees_that_of_the_other(base: str) -> None:
    found = use(base, "bluffed", game="kuhn-poker", seed=5)
    keeper, ann = found["told"][-1]
    assert [line.startswith("Keeper draws ") for line in (keeper[0], ann[0])] == [True, False]
    assert [line.startswith("Ann draws ") for line in (keeper[1], ann[1])] == [False, True]
    assert (ann[0], keeper[1]) == ("Keeper: a draw that stays covered.", "Ann: a draw that stays covered.")
    assert keeper[0][-2] != ann[1][-2]
    assert found["end"] == [0, 0]
    assert found["size"] < 6000
    played = verify_transcript(read_transcript(json.dumps(found["transcript"]).encode()), account_of(SECRET[1]).ruleset)
    assert played.payoffs is not None


@pytest.mark.browser
@pytest.mark.parametrize(
    "entry",
    [
        {"seat": 2, "choose": "fly", "with": {}},
        {"seat": 1, "choose": "Bank", "with": {}},
        {"seat": 2, "throw": [["die", {"hand": [["d6", 6]]}]]},
        {"seat": 2, "throw": [["die", {"hand": [["d6", 7]]}]]},
        {"more": 1},
        None,
        "Bank",
    ],
    ids=json.dumps,
)
def test_an_entry_that_cannot_be_is_shown_and_taken_back(base: str, entry: Any) -> None:
    found = use(base, "forged", entry=entry)
    for alert in found["alerts"]:
        assert alert.startswith("Entry 4: this move is not possible. Somebody changed the log by hand (")
    assert found["choices"] == []
    assert found["same"]


@pytest.mark.browser
def test_what_is_no_table_is_told_and_breaks_nothing(base: str) -> None:
    found = use(base, "garbage")
    assert found["choices"] == []
    assert all(text.startswith(("There is no table", "The table cannot be opened: ")) for text in found["found"])


@pytest.mark.browser
def test_who_looks_on_has_no_buttons_and_only_the_game_master_takes_back_and_hands_over(base: str) -> None:
    found = use(base, "rights", "gm=Keeper&player=Ann&player=Ben")
    assert found["lobby"] == found["watcher"] == []
    assert not {"Take back", "Give", "Close the table"} & set(found["player"])
    assert any("% to win" in text for text in found["fresh"])
    assert not any("%" in text for text in found["later"])
    assert {text.split(":")[0] for text in found["fresh"]} == set(found["later"])
    assert found["lines"] == 0
    assert [seat["kind"] for seat in found["seats"]] == ["npc", "npc"]
    assert [seat["name"] for seat in found["seats"]] == ["Keeper", "Ann"]


@pytest.mark.browser
def test_a_player_leaves_in_mid_game_and_another_comes_in(base: str) -> None:
    found = use(base, "left", "gm=Keeper&player=Ann&player=Ben")
    assert found["given"] == {"kind": "npc", "user": None, "name": "Ann", "skill": 1}
    assert found["before"] == found["after"] == []
    assert found["open"]
    assert [(seat["kind"], seat["name"]) for seat in found["seats"]] == [("user", "Keeper"), ("user", "Ben")]


@pytest.mark.browser
def test_of_two_who_write_at_once_the_second_adds_a_move_to_it_or_is_told_and_shown_what_the_first_wrote(
    base: str,
) -> None:
    """Another name leaves the moves as they are; another table does not."""
    found = use(base, "raced", "gm=Keeper&gm=Keeper")
    assert found["added"] == [True, "Someone"]
    assert found["same"]
    assert "Someone" in found["board"]


@pytest.mark.browser
def test_a_size_that_nobody_solved_is_opened_by_the_form_and_claims_nothing(base: str) -> None:
    tried = [[3, 999], [99, 20], ["", 20], [3, 20]]
    found = use(base, "sized", game="pig", tried=tried, seed=4)
    assert found["about"] == accounts()[0].ruleset.summary
    assert found["fields"][0].startswith("Players (")
    assert found["fields"][1].startswith("Target (")
    assert (found["wrong"], found["written"]) == ([1, 1, 1], 1)
    assert found["note"][0].startswith("This setting was not solved, so it has no odds and no advice.")
    assert found["seen"] == 2
    assert (found["setting"], found["seats"]) == ("=3 target=20", 3)
    assert "Not solved: no odds, no advice" in found["facts"]
    assert "Any legal action" in found["ways"]
    assert not any("%" in text or "Best play" in text for text in found["ways"])
    assert "What each action is worth" not in found["panels"]
    checked = verify_transcript(read_transcript(json.dumps(found["transcript"]).encode()), accounts()[0].ruleset)
    assert checked.payoffs is not None


@pytest.mark.browser
def test_a_game_that_outgrows_the_room_is_not_written_and_that_is_told(base: str) -> None:
    found = use(base, "outgrown")
    assert found["after"] == found["rev"]
    assert "outgrown" in found["alert"]
    assert "of the 16 kB" in found["notice"]


@pytest.mark.browser
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_advice_is_what_was_proven_and_hostile_texts_stay_texts(base: str, scheme: str) -> None:
    dark = "&dark=1" if scheme == "dark" else ""
    found = use(
        base, "middle", f"gm=Keeper&player={NAME.replace(' ', '%20')}&width=320{dark}", game="hostile", scheme=scheme
    )
    assert "percentage points" in found["advice"]
    assert "best" in found["advice"]
    assert found["choices"][0].startswith("<b>Stop</b>")
    assert f"{NAME} \N{EN DASH} to move" in found["text"]
    assert found["title"] == "Tavern games"
