"""A site on which games can be changed."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from oddsmith.cli.finishing import finish
from oddsmith.files import find_ruleset, folder_files, write_all
from oddsmith.library import LoadedRuleset, built, growing_site, playground_files
from tests.browser.conftest import served
from tests.chromium import missing
from tests.node import NODE, ROOT, answers

PYODIDE = ROOT / "build" / "pyodide" / "node_modules" / "pyodide"
PIGLET = find_ruleset("piglet").read_text("utf-8")


@pytest.fixture(scope="session")
def pyodide() -> Path:
    """The folder of the interpreter for browsers."""
    if not (PYODIDE / "pyodide.mjs").exists() or not NODE.exists():
        missing("Pyodide is not set up: run `make site`")
    return PYODIDE


@pytest.fixture(scope="session")
def site(browser: None, pyodide: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A site with one game, which readers can change."""
    folder = tmp_path_factory.mktemp("playground")
    *_, files = growing_site(
        [LoadedRuleset.open("piglet").ruleset], playground_files(folder_files(pyodide)), at_once=True
    )
    write_all(folder, files)
    found = built(folder).parent
    finish(found, ROOT / "CHANGELOG.md", "", 1_800_000_000)
    return found


@pytest.fixture(scope="session")
def base(site: Path) -> Iterator[str]:
    """Its address."""
    with served(site) as address:
        yield address


def use(base: str, *steps: list[str], **job: Any) -> Any:
    """What the page shows after each step; nothing went wrong in it, and it asked nobody else."""
    job = {"base": base, "steps": steps, **job}
    (found,) = answers(ROOT / "tests" / "browser" / "playground.mjs", job, timeout=240)
    assert found["foreign"] == found["serious"] == []
    assert found["wide"] <= 0
    return found
