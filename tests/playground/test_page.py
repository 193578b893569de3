"""The page on which games are changed, in a real browser that reaches no other host."""

from __future__ import annotations

import base64
import json
import zlib
from hashlib import sha256
from typing import Any

import pytest

from tests.node import picture
from tests.playground.conftest import PIGLET, use

pytestmark = pytest.mark.browser
SOUND = "Checked: every position at 2 seats is sound."
UNLINTED = "No errors\n\nNot asked: it takes what only solving loads. Solve asks it too."
"""What is said where nothing may be loaded unasked."""
LINE = PIGLET[: PIGLET.index("then: pass")].count("\n") + 1


def address(data: object) -> str:
    """What a link holds behind its sign."""
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    packed = packer.compress(json.dumps(data).encode()) + packer.flush()
    return "ruleset=" + base64.urlsafe_b64encode(packed).decode().rstrip("=")


def test_a_changed_game_is_checked_told_played_kept_and_shared(base: str) -> None:
    found = use(
        base,
        ["open", "game=piglet"],
        ["replace", "then: pass", "then: pas"],
        ["key", "Enter"],
        ["replace", "default: 2", "default: 3"],
        ["play"],
        ["reload"],
        ["press", "Copy a link"],
        **picture("playground"),
    )
    begun, broken, completed, changed, played, again, _ = found["steps"]
    assert found["errors"] == []
    assert begun["text"] == PIGLET
    assert (begun["status"], begun["problems"], begun["changes"]) == (SOUND, UNLINTED, [])
    assert broken["problems"].startswith(f"1 error\n{LINE}:15\nthere is no phase pas")
    assert (broken["marks"], broken["offers"]) == (1, ["pass"])
    assert (completed["text"], completed["marks"], completed["offers"]) == (PIGLET, 0, [])
    assert "The game is over when your score is 3." in changed["rules"]
    assert len(changed["changes"]) == 2
    assert (changed["frames"], played["frames"]) == (0, 1)
    assert "Roll" in played["board"]
    assert again["text"] == PIGLET.replace("default: 2", "default: 3", 1)
    assert "Here is your text as you left it." in again["told"]
    opened = use(base, ["open", found["copied"].partition("#")[2]])["steps"][0]
    assert (opened["text"], opened["frames"]) == (again["text"], 0)
    assert opened["changes"] == changed["changes"]


SHORT = sha256(PIGLET.encode()).hexdigest()[:12]
UNREAD = {
    "ruleset=AAAA": "This link is broken",
    address({"format": 2, "text": ""}): "another version of this page",
    address({"format": 1, "text": "x" * 200_001}): "too large, so it was not opened",
    address({"format": 1, "text": "x" * 3_000_000}): "too large, so it was not opened",
    "ruleset=" + "A" * 40_000: "too long, so it was not read",
    address({"format": 1, "game": "piglet", "of": "0" * 12, "edits": []}): "another version of “piglet”",
    address({"format": 1, "game": "nosuch", "of": SHORT, "edits": []}): "which this site does not have",
    address({"format": 1, "game": "../piglet", "of": SHORT, "edits": []}): "This link is broken",
    address({"format": 1, "game": "piglet", "of": SHORT, "edits": [[9000, 1, []]]}): "This link is broken",
    "game=nosuch": "This site has no such game",
}
HOSTILE = PIGLET.replace("title: Piglet", "title: '<img src=x onerror=alert(1)>'", 1)


@pytest.fixture(scope="module")
def followed(base: str) -> list[Any]:
    """What links show, one after the other in one visit; the last has a text in which somebody hid a script."""
    steps: list[Any] = use(base, *(["open", link] for link in (*UNREAD, address({"format": 1, "text": HOSTILE}))))[
        "steps"
    ]
    return steps


def test_a_link_that_cannot_be_read_is_refused_with_a_reason(followed: list[Any]) -> None:
    for told, (link, reason) in zip(followed[:-1], UNREAD.items(), strict=True):
        assert reason in told["told"], link[:60]
        assert (told["text"], told["frames"]) == ("", 0)


def test_a_text_from_a_link_stays_text(followed: list[Any]) -> None:
    assert followed[-1]["rules"].startswith("<img src=x onerror=alert(1)>")


def test_what_was_loaded_once_is_there_without_a_network(base: str) -> None:
    steps = [
        ["open", "game=piglet"],
        ["keep"],
        ["reload"],
        ["offline"],
        ["reload"],
        ["replace", "then: pass", "then: pas"],
    ]
    found = use(base, *steps, **picture("playground"), viewport={"width": 390, "height": 844, "isMobile": True})
    assert found["steps"][-2]["status"] == SOUND
    assert found["steps"][-1]["problems"].startswith(f"1 error\n{LINE}:15\n")
