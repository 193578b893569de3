"""The extension for VS Code: its manifest is true, it starts the real server, and what is packaged is what lies here."""

from __future__ import annotations

import json
import re
import sys
import tomllib
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest

import oddsmith
from oddsmith.cli import cli
from tests.chromium import missing
from tests.lsp.editor import ROOT
from tests.node import answers

FOLDER = ROOT / "site" / "vscode"
PACKAGE = ROOT / "build" / "vscode" / "oddsmith.vsix"
SCRIPT = (FOLDER / "extension.js").read_text("utf-8")
HERE = Path(__file__).parent


@pytest.fixture(scope="module")
def manifest() -> dict[str, Any]:
    return dict(json.loads((FOLDER / "package.json").read_text("utf-8")))


def test_the_manifest_names_what_is_there(manifest: dict[str, Any]) -> None:
    gives = manifest["contributes"]
    language, grammar = gives["languages"][0], gives["grammars"][0]
    for name in (manifest["main"], language["configuration"], grammar["path"]):
        json_or_script = (FOLDER / name).read_text("utf-8")
        assert name.endswith(".js") or json.loads(json_or_script)
    assert json.loads((FOLDER / grammar["path"]).read_text("utf-8"))["scopeName"] == grammar["scopeName"]
    assert {event.partition(":")[2] for event in manifest["activationEvents"]} == set(
        re.findall(r'language: "(\w+)"', SCRIPT)
    )
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    assert (manifest["version"], manifest["license"]) == (oddsmith.__version__, project["license"])


def test_what_the_script_asks_for_is_declared(manifest: dict[str, Any]) -> None:
    gives = manifest["contributes"]
    declared = gives["configuration"]["properties"]
    asked = {f"oddsmith.{name}" for name in re.findall(r'settings\.get\("(\w+)"', SCRIPT)}
    assert asked == declared.keys()
    assert {command["command"] for command in gives["commands"]} == set(
        re.findall(r'registerCommand\("([\w.]+)"', SCRIPT)
    )
    program, verb = declared["oddsmith.command"]["default"]
    assert (program, verb in cli.commands) == ("oddsmith", True)
    # A folder that somebody sends must not say which program runs.
    assert declared["oddsmith.command"]["scope"] == "machine"


def test_the_versions_of_its_types_and_of_vs_code_fit(manifest: dict[str, Any]) -> None:
    """The packager refuses types that are newer than the oldest VS Code that is served."""
    assert manifest["engines"]["vscode"].lstrip("^") == manifest["devDependencies"]["@types/vscode"]
    lock = json.loads((FOLDER / "package-lock.json").read_text("utf-8"))
    root = lock["packages"].pop("")
    assert (root["dependencies"], root["devDependencies"]) == (manifest["dependencies"], manifest["devDependencies"])
    assert all("integrity" in each and "resolved" not in each for each in lock["packages"].values())


def test_it_starts_the_real_server_and_ends_it() -> None:
    command = [sys.executable, "-m", "oddsmith", "lsp"]
    started, gone = answers(
        HERE / "host.mjs",
        {"oddsmith.command": command, "oddsmith.answers": "beside"},
        {"oddsmith.command": ["no-such-oddsmith", "lsp"]},
    )
    assert [each["server"] for each in started["started"]] == ["oddsmith", "oddsmith"]  # restarted once
    assert started["started"][0]["options"]["initializationOptions"] == {"answers": "beside"}
    assert started["ended"] == [0, 0]
    assert started["commands"] == ["oddsmith.restart"]
    assert "shown" not in started
    assert "no-such-oddsmith" in gone["shown"]
    assert "pip install 'oddsmith[lsp]'" in gone["shown"]
    assert "started" not in gone


def test_what_is_packaged_is_what_lies_here() -> None:
    if not PACKAGE.exists():
        missing("the extension is not packaged: run `make vscode`")
    with ZipFile(PACKAGE) as archive:
        names = archive.namelist()
        assert archive.read("extension/extension.js").decode() == SCRIPT
        assert "extension/node_modules/vscode-languageclient/package.json" in names
        assert archive.read("extension/LICENSE.txt") == (ROOT / "LICENSE").read_bytes()
    rooms = {name.split("/")[2] for name in names if name.startswith("extension/node_modules/")}
    assert rooms & {"@vscode", "@types", "typescript"} == set()
    assert not [name for name in names if name.endswith(("package-lock.json", ".npmrc", ".map"))]
