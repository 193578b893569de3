"""A site on which games can be changed."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from oddsmith.api.loaded import LoadedRuleset
from oddsmith.api.site import build_html, successive_sites
from oddsmith.base.files import find_ruleset, folder_files, write_folder_files
from oddsmith.cli.finishing import finish_site
from tests.browser.conftest import served
from tests.chromium import missing
from tests.node import NODE, ROOT, answers
from tests.playground.narrow import WHEEL, Network, archive, site_of, wheel

PYODIDE = ROOT / "build" / "pyodide" / "node_modules" / "pyodide"
PIGLET = find_ruleset("piglet").read_text("utf-8")


@pytest.fixture(scope="session")
def pyodide() -> Path:
    """The folder of the interpreter for browsers."""
    if not (PYODIDE / "pyodide.mjs").exists() or not NODE.exists():
        missing("Pyodide is not set up: run `make site`")
    return PYODIDE


@pytest.fixture(scope="session")
def network() -> Iterator[Network]:
    """Another host, from which a site without NumPy would load it; what it gives is something else."""
    with Network() as other:
        yield other


@pytest.fixture(scope="session")
def site(browser: None, pyodide: Path, network: Network, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A site with one game, which readers can change. It solves only with what another host has."""
    folder = tmp_path_factory.mktemp("playground")
    files = site_of(folder_files(pyodide) | {WHEEL: wheel()}, network.address)
    *_, files = successive_sites([LoadedRuleset.open("piglet").ruleset], files, only_last=True)
    write_folder_files(folder, files)
    place = build_html(folder).parent
    finish_site(place, ROOT / "CHANGELOG.md", "", 1_800_000_000)
    return place


@pytest.fixture(scope="session")
def base(browser: None, site: Path) -> Iterator[str]:
    """The address of that site."""
    with served(site) as address:
        yield address


@pytest.fixture(scope="session")
def whole(browser: None, site: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of the same site with all that solving takes, from a folder like the release archive of Pyodide."""
    files = site_of(archive())
    folder = tmp_path_factory.mktemp("whole") / "site"
    shutil.copytree(site, folder)
    write_folder_files(folder, files)
    with served(folder) as address:
        yield address


def use(base: str, *steps: list[str], **job: Any) -> Any:
    """What the page shows after each step; nothing went wrong in it, and it asked nobody else, unless it may ``elsewhere``."""
    job = {"base": base, "steps": steps, **job}
    (found,) = answers(ROOT / "tests" / "browser" / "playground.mjs", job, timeout=400)
    assert found["serious"] == []
    assert job.get("elsewhere") or found["foreign"] == []
    assert found["wide"] <= 0
    return found
