"""The site as a place: light at the first visit, found by words, there without a network, large enough for a thumb."""

from __future__ import annotations

import gzip
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from oddsmith.base.files import folder_files, shipped_rulesets
from oddsmith.publish.finishing import offline_file_hashes
from tests.browser.conftest import served
from tests.chromium import ROOT, SITE
from tests.node import answers

pytestmark = pytest.mark.browser
HOME, GAME = 60_000, 150_000
"""Bytes over the wire of the home page and of a game page, all that they load included."""
SCREENS = 5
"""Of a phone, which a game page may fill before anything is unfolded."""
KEPT = 4_500_000
"""Bytes over the wire of all that is kept for use without a network. Half of them are what games need to be played."""


def visit(site: Path, **job: Any) -> Any:
    with served(site) as base:
        (found,) = answers(ROOT / "tests" / "browser" / "place.mjs", {"base": base, **job}, timeout=400)
    assert found["errors"] == []
    return found


@cache
def weight(name: str) -> int:
    """Bytes over the wire, as every server can compress them."""
    path = SITE / name.partition("?")[0]
    return len(gzip.compress((path / "index.html" if path.is_dir() else path).read_bytes(), 6, mtime=0))


@pytest.fixture(scope="module")
def loads(browser: None, site: Path) -> dict[str, Any]:
    """What first visits of the home page and of every game page fetch and fill, by page."""
    pages = ["", *(f"games/{name}/" for name in shipped_rulesets())]
    return dict(zip(pages, visit(site, loads=pages)["loads"], strict=True))


def test_a_first_visit_is_light_and_loads_no_table(loads: dict[str, Any]) -> None:
    for page, load in loads.items():
        files = load["files"]
        assert {page, "assets/oddsmith.css"} <= set(files)
        assert sum(map(weight, files)) < (GAME if page else HOME), page
        assert not [name for name in files if "/workers/" in name or "/runtime/" in name], page
        assert not [name for name in files if "play" in name.removeprefix(page)], page
        assert ("assets/page/door.mjs" in files) == (page != "")


def test_a_game_page_fills_five_screens_of_a_phone_at_most(loads: dict[str, Any]) -> None:
    screens = {page: load["screens"] for page, load in loads.items() if page}
    assert {page: count for page, count in screens.items() if count > SCREENS} == {}
    assert min(screens.values()) > 1


def test_the_home_page_has_the_reader_s_colours_and_waits_for_a_touch_to_load_more(browser: None, site: Path) -> None:
    touched = visit(site, touched=True)["touched"]
    assert touched == {"dark": "slate", "before": 0, "after": 1, "light": "default", "toggles": 1}


def test_a_game_is_found_by_what_people_call_it_and_the_index_waits_for_that(browser: None, site: Path) -> None:
    wanted = {
        "pig": "pig", "left center right": "chip-passing", "can't stop": "column-race", "chutes": "snakes-and-ladders",
        "made a meal": "rogues-gambit", "bust chance": "pig",
    }  # fmt: skip
    for each in visit(site, searches=list(wanted))["searches"]:
        assert (each["before"], each["after"]) == (0, 1)
        assert f"/games/{wanted[each['words']]}/" in each["found"][0]["page"], each["words"]
        if each["words"] == "bust chance":
            assert " Bust 1 16.67 % 1/6 " in each["found"][0]["text"], "no two cells are read as one number"


def test_the_whole_site_is_there_without_a_network(browser: None, site: Path) -> None:
    found = visit(site, offline=["", "games/piglet/"])["offline"]
    assert found["nowhere"] is None
    assert found["title"].startswith("Piglet")
    assert found["over"].startswith("The game is over.")
    assert found["proof"] == "The table proves its values."
    assert found["kept"] == len(offline_file_hashes(folder_files(site)))


def test_what_is_kept_has_every_page_and_all_that_pages_load(browser: None, site: Path) -> None:
    kept = offline_file_hashes(folder_files(site))
    pages = ["", "games/", "games/rogues-gambit/", "stories/dragons-lair/", "games/pig/card.html"]
    for load in visit(site, loads=pages)["loads"]:
        assert {name.partition("?")[0] for name in load["files"]} <= kept.keys()
    assert sum(map(weight, kept)) < KEPT


def test_what_stands_alone_is_large_enough_for_a_thumb(browser: None, site: Path) -> None:
    pages = [
        "",
        "games/",
        "games/rogues-gambit/",
        "games/hold-the-pot/",
        "stories/dragons-lair/",
        "games/pig/card.html",
    ]
    for each in visit(site, targets=pages)["targets"]:
        assert each["small"] == [], each["name"]
