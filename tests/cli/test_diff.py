"""``oddsmith diff``: files, settings, and revisions of git."""

from __future__ import annotations

import json
from pathlib import Path

from oddsmith.base.files import find_ruleset
from tests.terminal import committed, run


def farther() -> str:
    text = find_ruleset("piglet").read_text()
    changed = text.replace("target: {default: 2,", "target: {default: 3,")
    assert changed != text
    return changed


def test_a_setting_of_the_second_game() -> None:
    done = run("diff", "rogues-gambit", "--seats", "2", "--set", "coins_each=5", "--to", "coins_each=6")
    assert done.returncode == 0
    assert done.stdout.startswith("coins_each: 5 → 6\nseat 1: ")
    assert "loses" in done.stdout.splitlines()[-1]
    assert run("diff", "rogues-gambit").returncode == 2


def test_two_files_and_json(tmp_path: Path) -> None:
    other = tmp_path / "other.yaml"
    other.write_text(farther())
    data = json.loads(run("diff", "piglet", str(other), "--json").stdout)
    assert [choice["phase"] for choice in data["choices"]] == ["decide"]
    assert data["values"][0]["before"]["exact"] == "4/7"
    assert data["values"][0]["after"]["exact"] != "4/7"


def test_a_revision_of_git(tmp_path: Path) -> None:
    file = tmp_path / "mine.yaml"
    file.write_text(find_ruleset("piglet").read_text())
    committed(tmp_path)
    file.write_text(farther())
    done = run("diff", f"HEAD:{file}", str(file))
    assert done.returncode == 0
    assert done.stdout.startswith("target: 2 → 3\n")
    missing = run("diff", f"elsewhere:{file}", str(file))
    assert missing.returncode == 1
    assert "there is no elsewhere:" in missing.stderr
