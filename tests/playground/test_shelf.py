"""The workflow that ships for a group's own site, and goes along with every project, builds that site."""

from __future__ import annotations

import io
import os
import shlex
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

from ruamel.yaml import YAML

from oddsmith.base.files import find_ruleset
from oddsmith.browser.packing import WORKFLOW, ruleset_archive
from tests.node import ROOT
from tests.playground.conftest import PIGLET, pyodide

__all__ = ["pyodide"]


def test_its_steps_build_a_site_with_a_page_to_change_games(pyodide: Path, tmp_path: Path) -> None:
    _, project = ruleset_archive("project", PIGLET)
    with zipfile.ZipFile(io.BytesIO(project)) as archive:
        archive.extractall(tmp_path)
    workflow = YAML(typ="safe", pure=True).load((tmp_path / WORKFLOW).read_text("utf-8"))
    steps = workflow["jobs"]["shelf"]["steps"]
    (publish,) = (step["run"] for step in steps if step.get("run", "").startswith("oddsmith "))
    shutil.copy(find_ruleset("craps"), tmp_path / "games")
    (tmp_path / "package").symlink_to(pyodide)
    words = shlex.split(publish)
    files = sorted(path.relative_to(tmp_path).as_posix() for path in tmp_path.glob(words[2]))
    command = [sys.executable, "-m", "oddsmith", words[1], *files, *words[3:]]
    subprocess.run(
        command, check=True, cwd=tmp_path, timeout=180, env={**os.environ, "PYTHONPATH": str(ROOT / "solver")}
    )
    (site,) = (Path(step["with"]["path"]) for step in steps if "path" in step.get("with", {}))
    page = (tmp_path / site / "games" / "piglet" / "index.html").read_text("utf-8")
    assert "playground/index.html#game=piglet" in page
    assert (tmp_path / site / "playground" / "python" / "pyodide.asm.wasm").exists()
    version = (pyodide / "package.json").read_text("utf-8")
    assert any("pyodide@314.0.7" in step.get("run", "") for step in steps)
    assert '"version": "314.0.7"' in version
