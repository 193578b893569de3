"""What is broken, endless or too large, and browsers that lack something: a plain sentence each, and the text is kept."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from oddsmith.graph.first_positions import MAX_POSITIONS
from tests.browser.conftest import served
from tests.playground.conftest import PIGLET, use
from tests.playground.test_page import address

pytestmark = pytest.mark.browser
STARVED = """
const begin = WebAssembly.instantiateStreaming;
WebAssembly.instantiateStreaming = () => begin(Promise.reject(new RangeError("Out of memory: Cannot allocate Wasm memory")));
"""
ENDLESS = PIGLET.replace("do: add 1 to row", "do: add 0 to row", 1)
UNENDED = PIGLET.replace("end_when: score == target\n", "", 1)
LARGE = PIGLET.replace("{default: 2, min: 2, max: 20,", "{default: 2000, min: 2, max: 2000,", 1)


@pytest.fixture(scope="module")
def starved(site: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The same site in a browser that has no memory left for the interpreter."""
    copy = tmp_path_factory.mktemp("starved") / "site"
    shutil.copytree(site, copy, copy_function=os.link)
    program = copy / "playground" / "python" / "pyodide.mjs"
    text = STARVED + program.read_text("utf-8")
    program.unlink()  # the original has another name, and stays
    program.write_text(text, "utf-8")
    with served(copy) as found:
        yield found


def test_a_text_that_is_broken_endless_or_large_is_told_and_kept(base: str) -> None:
    later = address({"format": 2, "text": ""})
    found = use(
        base,
        ["open", "game=piglet"],
        ["write", f"{PIGLET}a: ["],
        ["reload"],
        ["open", later],
        ["open", "ruleset=" + "A" * 40_000],
        ["open", "game=piglet"],
        ["write", ENDLESS],
        ["write", UNENDED],
        ["write", LARGE],
        ["take", "Open in Foundry, rules alone"],
        ["type", "# the last words"],
        ["close"],
    )
    _, broken, reloaded, other, long, back, endless, unended, large, module, _, closed = found["steps"]
    assert broken["problems"].startswith("1 error")
    assert broken["status"] == "There are problems, at the lines below the text."
    assert reloaded["text"] == back["text"] == f"{PIGLET}a: ["
    assert "another version of this page" in other["told"]
    assert "too long, so it was not read" in long["told"]
    assert endless["status"] == "The text is read, but a rule breaks in play, as told below it."
    assert "the game can never end, whatever anybody does" in endless["problems"]
    assert endless["rules"].startswith("Piglet")
    assert unended["status"] == "There are problems, at the lines below the text."
    assert "nothing ends this game\n\nOD436. write end_when" in unended["problems"]
    assert large["problems"].startswith(f"No errors in the first {MAX_POSITIONS:,} positions\n")
    assert large["status"] == (
        f"Checked: the first {MAX_POSITIONS:,} positions at 2 seats are sound. There are more; solving looks at all of them."
    )
    assert module["name"] == "oddsmith-piglet.zip"
    assert closed["text"] == f"{LARGE}# the last words"
    assert "Here is your text as you left it." in closed["told"]


def test_without_webassembly_the_text_is_kept_and_the_page_says_what_is_missing(base: str) -> None:
    found = use(
        base, ["open", "game=piglet"], ["replace", "default: 2", "default: 4"], ["reload"], without="WebAssembly"
    )
    for step in found["steps"]:
        assert step["status"].startswith("Nothing is checked here: this browser does not run WebAssembly.")
    assert "default: 4" in found["steps"][-1]["text"]


def test_with_too_little_memory_the_text_is_kept_and_the_page_says_so(starved: str) -> None:
    found = use(
        starved,
        ["open", "game=piglet"],
        ["write", PIGLET.replace("default: 2", "default: 4", 1)],
        ["press", "Open in Foundry, rules alone"],
        ["press", "Try again"],
        ["close"],
    )
    for step in found["steps"]:
        assert step["status"].startswith(
            "Nothing is checked here: this browser has too little memory for Python. Your text"
        )
    assert "Python does not run here" in found["steps"][2]["told"]
    assert "default: 4" in found["steps"][-1]["text"]
