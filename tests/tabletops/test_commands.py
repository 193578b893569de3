"""``oddsmith tabletop``: it writes a whole folder, again the same, and never over another's."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from oddsmith.base.files import folder_files
from oddsmith.cli import main
from tests.cases import SAMPLES

PIG = str(SAMPLES / "pig.yaml")


def run(*arguments: str) -> int:
    with pytest.raises(SystemExit) as left:
        main(list(arguments))
    return int(left.value.code or 0)


@pytest.mark.parametrize(("verb", "wanted"), [("owlbear", "manifest.json"), ("roll20", "oddsmith-pig.js")])
def test_a_folder_is_written_whole_and_again_the_same(verb: str, wanted: str, tmp_path: Path) -> None:
    folder, store = tmp_path / "out", str(tmp_path / "store")
    assert run("tabletop", verb, PIG, "-o", str(folder), "--store", store) == 0
    first = folder_files(folder)
    assert wanted in first
    (folder / "old.txt").write_text("of an earlier time")
    assert run("tabletop", verb, PIG, "-o", str(folder), "--store", store) == 0
    assert folder_files(folder) == first


@pytest.mark.parametrize("verb", ["owlbear", "roll20"])
def test_a_folder_of_somebody_else_is_left_alone(verb: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "README.md").write_text("mine")
    assert run("tabletop", verb, PIG, "-o", str(tmp_path)) == 1
    assert "did not write" in capsys.readouterr().err
    assert [path.name for path in tmp_path.iterdir()] == ["README.md"]


def test_the_address_of_an_extension_stands_in_its_manifest(tmp_path: Path) -> None:
    folder = tmp_path / "out"
    assert run("tabletop", "owlbear", PIG, "-o", str(folder), "--url", "https://example.org/t") == 0
    found = json.loads((folder / "manifest.json").read_text("utf-8"))
    assert found["action"]["popover"] == "https://example.org/t/index.html"
