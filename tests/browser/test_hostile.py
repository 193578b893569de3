"""A ruleset whose every text is an attack: the page shows the texts, and nothing in them comes alive."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import oddsmith
from oddsmith.publish import mkdocs_config, publish
from oddsmith.ruleset.schema import data_folder
from tests.browser.conftest import ROOT, Look, look_at, runtime, served
from tests.browser.test_site import (
    Law,
    accessible,
    complaints,
    no_console_errors,
    no_failed_requests,
    no_other_host,
    no_sideways_scrolling,
)

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def looks(browser: None, tmp_path_factory: pytest.TempPathFactory) -> list[Look]:
    folder: Path = tmp_path_factory.mktemp("hostile")
    rules = oddsmith.load(ROOT / "tests" / "publish" / "hostile.yaml").ruleset
    for name, data in (publish([rules]) | runtime()).items():
        target = folder / "docs" / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(data)
    (folder / "mkdocs.yml").write_bytes(mkdocs_config(rules.title, theme=str(data_folder("site") / "theme")))
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "-f", str(folder / "mkdocs.yml")]
    subprocess.run(command, check=True, timeout=120)
    with served(folder / "site") as base:
        pages = ["games/hostile/index.html", "games/index.html", "index.html"]
        return look_at(base, pages, shots=str(folder / "shots"), print=False)


@pytest.mark.parametrize(
    "law",
    [no_sideways_scrolling, no_console_errors, no_failed_requests, no_other_host, accessible],
    ids=lambda law: law.__name__,
)
def test_hostile_texts_break_no_law(looks: list[Look], law: Law) -> None:
    assert complaints(looks, law) == []


def test_no_script_of_a_ruleset_runs(looks: list[Look]) -> None:
    assert {look["title"] for look in looks if look["title"] == "owned"} == set()
    game = [look for look in looks if "hostile" in look["page"]]
    assert all("document.title" in look["title"] for look in game)
