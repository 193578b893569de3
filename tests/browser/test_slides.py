"""The map with a slider: by keyboard it comes to every value, draws what the page itself drew, and fetches only when moved."""

from __future__ import annotations

import json
import subprocess
from typing import Any

import pytest

import oddsmith
from oddsmith.library.site import about_one_game
from tests.browser.conftest import served, small_site
from tests.chromium import ROOT
from tests.node import NODE

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def seen(browser: None, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    folder = tmp_path_factory.mktemp("slides")
    rules = about_one_game(oddsmith.load("piglet").ruleset, 2, "win", [], {"target": 14})
    built = small_site(folder, "Slides", [rules])
    with served(built) as base:
        command = [str(NODE), str(ROOT / "tests" / "browser" / "slides.mjs"), f"{base}games/{rules.id}/"]
        done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr[-4000:]
    found: dict[str, Any] = json.loads(done.stdout)
    found["data"] = json.loads((built / "games" / rules.id / found["file"]).read_text("utf-8"))
    return found


def test_the_maps_are_fetched_when_the_slider_is_moved(seen: dict[str, Any]) -> None:
    assert not seen["early"]
    assert seen["home"] == seen["data"]["slides"][0]["words"] != seen["before"]
    assert seen["value"] == "0"
    assert seen["moved"] != seen["first"]


def test_back_at_its_first_value_it_shows_the_picture_of_the_page(seen: dict[str, Any]) -> None:
    assert seen["back"] == seen["before"]
    assert seen["again"] == seen["first"]
    assert {"od-f0", "od-f1"} <= set(seen["first"].split())


def test_it_is_no_wider_than_the_page_and_hidden_without_scripts(seen: dict[str, Any]) -> None:
    assert seen["wide"] == 0
    assert seen["without"] is False
