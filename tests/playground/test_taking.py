"""What a reader takes away of a changed game: the same files as in a terminal, which the program takes as they are."""

from __future__ import annotations

import os
import subprocess
import sys
from base64 import b64decode
from pathlib import Path
from typing import Any

import pytest

from oddsmith.base.files import find_ruleset, folder_files, write_folder_files
from oddsmith.browser.packing import ruleset_archive
from tests.node import ROOT
from tests.playground.conftest import PIGLET, use
from tests.playground.odds import WITHOUT, files, module

CHANGED = PIGLET.replace("default: 2", "default: 3", 1)


def run(*words: str, cwd: Path) -> str:
    """What the program says in a folder."""
    done = subprocess.run(
        [sys.executable, "-m", "oddsmith", *words],
        cwd=cwd, capture_output=True, text=True, check=True, timeout=120,
        env={**os.environ, "PYTHONPATH": str(ROOT / "solver")},
    )  # fmt: skip
    return done.stdout


def test_a_project_is_checked_as_it_is(tmp_path: Path) -> None:
    told, data = ruleset_archive("project", CHANGED)
    assert told == {"name": "piglet.zip"}
    write_folder_files(tmp_path, files(data))
    assert (tmp_path / "games" / "piglet.yaml").read_text("utf-8") == CHANGED
    workflow = (tmp_path / ".github" / "workflows" / "shelf.yml").read_bytes()
    assert workflow == (ROOT / "docs" / "shelf" / "workflow.yml").read_bytes()
    page = (tmp_path / "games" / "piglet.md").read_text("utf-8")
    assert "The game is over when your score is 3." in page
    run("check", "games/piglet.yaml", cwd=tmp_path)


def test_a_module_has_the_files_that_the_terminal_writes(tmp_path: Path) -> None:
    (tmp_path / "game.yaml").write_text(CHANGED, "utf-8")
    run("foundry", "game.yaml", "--rules-only", "-o", "modules", cwd=tmp_path)
    told, data = ruleset_archive("foundry", CHANGED)
    assert told == {"name": "oddsmith-piglet.zip"}
    assert files(data) == folder_files(tmp_path / "modules" / "oddsmith-piglet")
    assert data == (tmp_path / "modules" / "oddsmith-piglet.zip").read_bytes()


def test_a_module_with_odds_is_that_of_a_terminal_without_charts_and_algebra(tmp_path: Path) -> None:
    path, settings = find_ruleset("rogues-gambit"), {"seats": 2, "values": {"coins_each": 4}}
    program = (
        f"import sys; sys.modules |= dict.fromkeys({WITHOUT}); from pathlib import Path\n"
        "from oddsmith.browser import BrowserSolver\n"
        f"text, settings, proving = Path({str(path)!r}).read_text('utf-8'), {settings}, BrowserSolver()\n"
        "parts = list(proving.solve(text, settings, lambda part: None))\n"
        "told, data = proving.foundry_module(text, settings, lambda part: parts.append(part))\n"
        "assert told == {'name': 'oddsmith-rogues-gambit.zip'}, told\n"
        "done = [part['progress'][1:] for part in parts if 'progress' in part]\n"
        "assert [place for place, _ in done] == list(range(done[0][1])), done\n"
        "Path('module.zip').write_bytes(data)"
    )
    subprocess.run(
        [sys.executable, "-c", program],
        cwd=tmp_path, check=True, timeout=120, env={**os.environ, "PYTHONPATH": str(ROOT / "solver")},
    )  # fmt: skip
    made = files((tmp_path / "module.zip").read_bytes())
    assert made == module(path.read_text("utf-8"), **settings)  # type: ignore[arg-type]
    assert any(name.endswith(".policy.gz") for name in made)


@pytest.mark.parametrize("kind", ["foundry", "project"])
def test_nothing_is_made_of_what_is_no_ruleset(kind: str) -> None:
    for text in ("", "a: [", PIGLET.replace("then:", "thn:")):
        told, data = ruleset_archive(kind, text)
        assert "Mend them first" in told["failed"]
        assert data == b""


@pytest.mark.browser
def test_a_browser_makes_the_same_archives(base: str) -> None:
    found: Any = use(
        base,
        ["open", "game=piglet"],
        ["replace", "default: 2", "default: 3"],
        ["take", "Open as a project"],
        ["take", "Open in Foundry, rules alone"],
        ["replace", "then:", "thn:"],
        ["press", "Open in Foundry, rules alone"],
    )
    assert found["errors"] == []
    *_, project, module, _, refused = found["steps"]
    for kind, step in (("project", project), ("foundry", module)):
        told, data = ruleset_archive(kind, CHANGED)
        assert step["name"] == told["name"]
        assert files(b64decode(step["bytes"])) == files(data)
    assert "no odds: this module is made from the rules alone" in module["told"]
    assert "Mend them first" in refused["told"]
