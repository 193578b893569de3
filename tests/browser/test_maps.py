"""The map that one can touch: what it says at a finger and at an arrow key is what the solution says."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

import oddsmith
from tests.chromium import ROOT
from tests.node import NODE

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def seen(small: tuple[str, Path]) -> dict[str, Any]:
    command = [str(NODE), str(ROOT / "tests" / "browser" / "maps.mjs"), f"{small[0]}games/rogues-gambit/"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr[-4000:]
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def sentence(hoard: int, stash: int) -> str:
    """What the solution says of a position, in the words of the map."""
    best, second = oddsmith.load("rogues-gambit").at(seats=2).solve().advise(f"hoard={hoard},stash={stash}")[:2]
    return (
        f"hoard {hoard}, stash {stash}: {best.action}, worth {best.value.decimal(2)} coins from here. "
        f"{second.action} costs {second.loss.decimal(2)} coins."
    )


def test_a_pointer_and_arrow_keys_choose_cells_and_each_is_told(seen: dict[str, Any]) -> None:
    hoard, stash = seen["pointed"]["at"]
    assert "arrow keys" in seen["before"]
    assert seen["pointed"]["said"].startswith(sentence(hoard, stash))
    assert seen["right"].startswith(sentence(hoard + 1, stash))
    assert seen["up"].startswith(sentence(hoard + 1, stash + 1))
    assert seen["edge"].startswith(
        f"hoard {hoard - 4}, stash {stash + 1}: "
    )  # five at a time, and no further than the edge
    assert seen["role"] == "status"


def test_buttons_reach_the_cells_that_are_too_narrow_for_a_finger(seen: dict[str, Any]) -> None:
    names = [f"{axis}: one {way}" for axis in ("hoard", "stash") for way in ("less", "more")]
    assert [name for name, _ in seen["sizes"]] == names
    assert all(size >= 44 for _, size in seen["sizes"])
    assert seen["within"] <= 0
    hoard, stash = seen["pointed"]["at"]
    assert seen["down"].startswith(f"hoard {hoard - 4}, stash {stash}: ")
    assert seen["more"].startswith(f"hoard {hoard - 3}, stash {stash}: ")
    assert seen["less"] == seen["down"]


def test_without_scripts_it_is_a_picture(seen: dict[str, Any]) -> None:
    assert seen["without"] == ["img", 0]
