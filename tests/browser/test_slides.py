"""The map with a slider: by keyboard it comes to every value, draws what the page itself drew, and fetches only when moved."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.chromium import ROOT
from tests.node import NODE

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def seen(small: tuple[str, Path]) -> dict[str, Any]:
    base, built = small
    command = [str(NODE), str(ROOT / "tests" / "browser" / "slides.mjs"), f"{base}games/piglet/"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr[-4000:]
    found: dict[str, Any] = json.loads(done.stdout)
    found["data"] = json.loads((built / "games" / "piglet" / found["file"]).read_text("utf-8"))
    return found


def test_the_maps_are_fetched_when_the_slider_is_moved(seen: dict[str, Any]) -> None:
    assert not seen["early"]
    assert seen["home"] == seen["data"]["slides"][0]["words"] != seen["before"]
    assert seen["value"] == "0"
    assert seen["called"]  # what a screen reader says of the slider
    assert seen["moved"] != seen["first"]


def test_back_at_its_first_value_it_shows_the_picture_of_the_page(seen: dict[str, Any]) -> None:
    assert seen["back"] == seen["before"]
    assert seen["again"] == seen["first"]
    assert {"od-f0", "od-f1"} <= set(seen["first"].split())


def test_it_is_no_wider_than_the_page_and_hidden_without_scripts(seen: dict[str, Any]) -> None:
    assert seen["wide"] == 0
    assert seen["without"] is False
