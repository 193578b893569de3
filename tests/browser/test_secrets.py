"""A game with secrets on its page, by touch in a real browser: a screen shows what its seat may know, and no more."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from oddsmith.base.files import write_folder_files
from oddsmith.base.resources import data_folder
from oddsmith.publish.site import mkdocs_config, site_pages
from tests.browser.conftest import runtime, served
from tests.cases import RULESETS, account_of
from tests.chromium import ROOT
from tests.node import answers, picture

pytestmark = pytest.mark.browser
COVERED = "covered"


@pytest.fixture(scope="module")
def base(browser: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Where a site with two games with secrets is served."""
    folder = tmp_path_factory.mktemp("secrets")
    games = [account_of(RULESETS / f"{name}.yaml") for name in ("cups-and-coins", "two-lanterns", "mia")]
    write_folder_files(folder / "docs", site_pages(games, {}) | runtime())
    (folder / "mkdocs.yml").write_bytes(mkdocs_config("Secrets", theme_folder=str(data_folder("site") / "theme")))
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "-f", str(folder / "mkdocs.yml")]
    subprocess.run(command, check=True, timeout=120)
    with served(folder / "site") as address:
        yield address


def played(base: str, name: str, **job: Any) -> list[Any]:
    """What the screen showed at each step."""
    steps: list[Any] = looked(base, name, **job)["steps"]
    return steps


def looked(base: str, name: str, **job: Any) -> Any:
    """All that a browser saw."""
    job = {"base": base, "page": f"games/{name}/index.html", **picture(f"secrets-{name}"), **job}
    (found,) = answers(Path(ROOT) / "tests" / "browser" / "secrets.mjs", job, timeout=240)
    assert found["errors"] == []
    assert found["problems"] == []
    return found


def of(step: Any, player: str, thing: str) -> str:
    """What a step shows of a player's thing."""
    (place,) = [each for each in step["things"] if each["whose"].startswith(player)]
    return str(dict(place["things"])[thing])


def test_the_dice_of_the_other_stay_covered_until_the_end(base: str) -> None:
    *before, last = played(base, "cups-and-coins", take=["Roll", "Check", "Call"])
    assert len(before) > 1
    rolled = [step for step in before if any("stays covered" in line for line in step["story"])]
    assert rolled
    assert {of(step, "Player 2", "cup") for step in rolled} == {COVERED}
    assert all(of(step, "Player 1", "cup").isdigit() for step in rolled)
    assert of(last, "Player 2", "cup").isdigit()
    assert any(said.startswith(("You gave nothing away in", "You gave away")) for said in last["said"])
    assert not any("covered" in line for line in last["story"])


def test_chances_are_shown_and_drawn(base: str) -> None:
    steps = played(base, "cups-and-coins", hints=True, take=["Roll", "Draw for me"])[:3]
    decisions = [step for step in steps if step["advice"]]
    assert decisions
    for step in decisions:
        chances = [
            0.0 if often == "never" else float(often.split("\N{NO-BREAK SPACE}")[0]) for _, often, _ in step["advice"]
        ]
        assert abs(sum(chances) - 100) < 0.2
    assert any("drawn" in text for step in steps for text in step["buttons"])


def test_two_people_at_one_screen_pass_it_on(base: str) -> None:
    steps = played(base, "cups-and-coins", seats=[0, 0], take=["I am", "Roll", "Bet", "Call"])
    passed = [step for step in steps if any(text.startswith("I am") for text in step["buttons"])]
    assert len(passed) >= 3
    for step in passed:
        assert {of(step, player, "cup") for player in ("Player 1", "Player 2")} <= {COVERED, "none"}
    seen = [tuple(of(step, player, "cup") for player in ("Player 1", "Player 2")) for step in steps[:-1]]
    assert not any(one.isdigit() and other.isdigit() for one, other in seen)
    assert any(COVERED in pair and any(each.isdigit() for each in pair) for pair in seen)


def test_choices_at_once_are_shown_together(base: str) -> None:
    steps = played(base, "two-lanterns", take=["Roll", "Stay", "Leave"], seed=4)
    chosen = [line for line in steps[-1]["story"] if "tay" in line or "eave" in line]
    assert len(chosen) >= 2
    assert all("stays covered" not in line for line in steps[-1]["story"])


def test_a_roll_under_the_cup_of_the_other_is_not_in_the_page(base: str) -> None:
    *before, last = played(base, "mia", seats=[1, 0], take=["Look"])
    assert last["story"][0].startswith("Player 1 rolls")
    assert before
    assert {step["story"][0] for step in before} == {"Player 1: a roll that stays covered."}


def test_the_trainer_asks_for_bluffs_and_tells_what_answers_cost(base: str) -> None:
    *questions, end = looked(base, "cups-and-coins", take=["Roll", "Check", "Fold"], train=True)["trained"]
    assert len(questions) == 10
    assert re.match(r"\d of 10 right\. You gave away [\d.]+", end)
    for each in questions:
        assert "What you know:" in each["question"]
        best = max(float(brings.split()[0].replace("\N{MINUS SIGN}", "-")) for _, _, brings in each["rows"])
        (taken,) = [row for row in each["rows"] if f"“{row[0]}”" in each["answer"]]
        cost = re.search(r"costs ([\d.]+)", each["answer"])
        brings = float(taken[2].split()[0].replace("\N{MINUS SIGN}", "-"))
        assert abs(best - brings - (float(cost[1]) if cost else 0)) < 0.011
