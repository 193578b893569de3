"""The filters of the list of games: by keyboard, in the address, and out of the way where no script runs."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.browser.conftest import served
from tests.chromium import ROOT
from tests.node import NODE

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def seen(browser: None, site: Path) -> dict[str, Any]:
    with served(site) as base:
        command = [str(NODE), str(ROOT / "tests" / "browser" / "filters.mjs"), f"{base}games/"]
        done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr[-4000:]
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def test_a_choice_narrows_the_list_and_is_announced_and_linked(seen: dict[str, Any]) -> None:
    every, chosen, value = seen["first"]["games"], seen["chosen"], seen["value"]
    fitting = [seats for seats in every if value in seats.split()]
    assert value
    assert 0 < len(fitting) < len(every)
    assert chosen["games"] == fitting
    assert chosen["said"] == f"{len(fitting)} of {len(every)} games shown"
    assert chosen["hash"] == f"#seats={value}"
    assert seen["linked"] == chosen


def test_everything_comes_back(seen: dict[str, Any]) -> None:
    assert seen["reset"] == seen["first"]
    assert seen["nonsense"]["games"] == seen["first"]["games"]


def test_without_scripts_every_game_is_there_and_no_form(seen: dict[str, Any]) -> None:
    assert seen["plain"]["games"] == seen["first"]["games"]
    assert (seen["first"]["form"], seen["plain"]["form"]) == (True, False)
