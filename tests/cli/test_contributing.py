"""A game that somebody sends is told everything that is missing, and a whole one that nothing is."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import pytest

from oddsmith.ruleset.checking.codes import problem_codes_by_name
from tests.docs.blocks import ROOT
from tests.terminal import run

EXAMPLE = ROOT / "contributed" / "example.yaml"
STORY = EXAMPLE.with_suffix(".md")
FIRST = "# allow: OD721"
# What is taken away, and what stands in its place.
GONE: dict[str, tuple[str, str]] = {
    "OD801": (r"  author: .*\n", ""),
    "OD802": (r"told: \|\n(  .*\n|\n)+", ""),
    "OD803": (r"remember:\n(  .*\n)+", ""),
    "OD804": (r"counted: 4/6", "counted: 5/6"),
    "OD806": (r"id: example", "id: pig"),
    "OD807": (r"\{count: \[decide, Run\]\}", "{ count: [decide, Run] }"),
    "OD808": (r", about: Steps taken\.", ""),
}


def found(path: Path, *more: str) -> list[str]:
    """The codes that are found in a file."""
    done = run("lint", "--format", "json", str(path), *more)
    return [finding["code"] for finding in json.loads(done.stdout)["rulesets"][0]["findings"]]


def changed(folder: Path, pattern: str = "", by: str = "") -> Path:
    """A copy of the example with its story, in which something is replaced."""
    text, count = re.subn(pattern, by, EXAMPLE.read_text("utf-8"))
    assert count
    (folder / "example.yaml").write_text(text, "utf-8")
    shutil.copy(STORY, folder)
    return folder / "example.yaml"


def test_the_example_lacks_nothing() -> None:
    done = run("lint", "--contribute", str(EXAMPLE))
    assert (done.returncode, "nothing is missing" in done.stdout) == (0, True), done.stdout


@pytest.mark.parametrize("code", GONE)
def test_what_is_missing_is_named_at_its_line(code: str, tmp_path: Path) -> None:
    path = changed(tmp_path, *GONE[code])
    assert set(found(path, "--contribute")) == {code}
    assert code not in found(path)


def test_a_claim_whose_source_is_wrong_says_so_as_the_hint_has_it(tmp_path: Path) -> None:
    path = changed(tmp_path, r"counted: 4/6", "counted: 5/6")
    hint = re.search(r"record with `(.*)`", run("lint", "--contribute", str(path)).stdout)
    assert hint
    assert found(changed(tmp_path, r"counted: 4/6", f"counted: 5/6\n    {hint[1]}"), "--contribute") == []


def test_a_game_without_claims_has_no_test(tmp_path: Path) -> None:
    assert found(changed(tmp_path, r"claims:\n(  .*\n)+", ""), "--contribute") == ["OD804"]


@pytest.mark.parametrize("story", [None, "# A game\n\nRun.\n", STORY.read_text("utf-8")[2:]])
def test_a_story_is_wanted_with_a_heading_and_some_length(story: str | None, tmp_path: Path) -> None:
    path = changed(tmp_path, FIRST, FIRST)
    if story is None:
        (tmp_path / STORY.name).unlink()
    else:
        (tmp_path / STORY.name).write_text(story, "utf-8")
    assert found(path, "--contribute") == ["OD805"]


def test_a_comment_says_that_there_is_no_story_to_tell(tmp_path: Path) -> None:
    path = changed(tmp_path, FIRST, f"# allow: OD805 no story\n{FIRST}")
    (tmp_path / STORY.name).unlink()
    assert found(path, "--contribute") == []
    assert found(path) == []  # nor is the allowance idle where nobody asks for a story


def test_what_checking_finds_is_missing_too(tmp_path: Path) -> None:
    assert found(changed(tmp_path, r"turn: decide\n", ""), "--contribute") == ["OD202"]


def test_every_code_of_a_contribution_is_tried() -> None:
    assert {code for code in problem_codes_by_name() if code.startswith("OD8")} == {*GONE, "OD805"}
