"""What is packed is what is in the repository, in the same bytes wherever it is built, and it works without the repository."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest

import oddsmith
from oddsmith.cli import cli
from tests.docs.blocks import ROOT
from tests.packaging.tries import EXTRAS, PENNY, TRIES, WITH_SITE

SETTINGS = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
PROJECT = SETTINGS["project"]
PACKED = {"solver/oddsmith": "oddsmith", **SETTINGS["tool"]["hatch"]["build"]["targets"]["wheel"]["force-include"]}


def wheel(checkout: Path, folder: Path) -> Path:
    """The wheel that a checkout gives."""
    program = "import sys; from hatchling.build import build_wheel; print(build_wheel(sys.argv[1]))"
    done = subprocess.run(
        [sys.executable, "-c", program, str(folder)],
        cwd=checkout,
        env={**os.environ, "SOURCE_DATE_EPOCH": "1767225600"},
        capture_output=True,
        text=True,
        check=True,
    )
    return folder / done.stdout.split()[-1]


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return wheel(ROOT, tmp_path_factory.mktemp("built"))


@pytest.fixture(scope="module")
def unpacked(built: Path) -> Path:
    with zipfile.ZipFile(built) as archive:
        archive.extractall(built.parent / "unpacked")
    return built.parent / "unpacked"


def test_a_wheel_holds_all_that_the_program_reads(unpacked: Path) -> None:
    for folder, place in PACKED.items():
        for path in (ROOT / folder).rglob("*"):
            if path.is_file() and "__pycache__" not in path.parts:
                assert (unpacked / place / path.relative_to(ROOT / folder)).read_bytes() == path.read_bytes()


def test_a_wheel_is_the_same_bytes_from_another_folder_at_another_time(built: Path, tmp_path: Path) -> None:
    copy = tmp_path / "a copy"
    for folder in PACKED:
        shutil.copytree(ROOT / folder, copy / folder, copy_function=shutil.copyfile)
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copyfile(ROOT / name, copy / name)
    for path in copy.rglob("*"):
        os.utime(path, (1, 1))
    assert wheel(copy, tmp_path).read_bytes() == built.read_bytes()


def test_what_was_unpacked_works_without_the_repository(unpacked: Path, tmp_path: Path) -> None:
    """``make dist`` does the same for every command, in an environment that has nothing else."""
    shutil.copy(PENNY, tmp_path)
    program = (
        "import sys; place = sys.argv.pop(1); sys.path.insert(0, place)\n"
        "from oddsmith import cli; assert cli.__file__.startswith(place); cli.main()"
    )
    for verb in ("new", "check", "tabletop"):
        done = subprocess.run(
            [sys.executable, "-P", "-c", program, str(unpacked), *TRIES[verb].split()],
            cwd=tmp_path,
            env={name: value for name, value in os.environ.items() if name != "PYTHONPATH"},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        assert str(ROOT) not in done.stdout
    assert (tmp_path / "room").is_dir()


def test_every_verb_is_tried_once_it_is_installed() -> None:
    assert list(TRIES) == list(cli.commands), (
        "tests/packaging/tries.py: a line for each command, in the order of the help"
    )
    assert TRIES.keys() >= WITH_SITE
    assert PROJECT["optional-dependencies"].keys() >= EXTRAS.keys()


def test_the_version_stands_in_one_place() -> None:
    """Everything else that must say it is held to it here."""
    assert PROJECT["dynamic"] == ["version"]
    extension = json.loads((ROOT / "site" / "vscode" / "package.json").read_text("utf-8"))
    citation = re.search(r"^version: (.*)$", (ROOT / "CITATION.cff").read_text("utf-8"), re.MULTILINE)
    assert citation
    assert oddsmith.__version__ == extension["version"] == citation[1]
