"""What hosts of the repository read has the shape that they want, and runs what the pages for people say."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from ruamel.yaml import YAML

from tests.docs.blocks import ROOT

GITHUB = ROOT / ".github"
WORKFLOWS = [*sorted((GITHUB / "workflows").glob("*.yml")), ROOT / "docs" / "shelf" / "workflow.yml"]
FORMS = sorted(path for path in (GITHUB / "ISSUE_TEMPLATE").glob("*.yml") if path.stem != "config")
SHAPES = {
    "github-workflows": WORKFLOWS,
    "github-issue-forms": FORMS,
    "github-issue-config": [GITHUB / "ISSUE_TEMPLATE" / "config.yml"],
    "dependabot": [GITHUB / "dependabot.yml"],
    "citation-file-format": [ROOT / "CITATION.cff"],
}
MAKEFILE = (ROOT / "Makefile").read_text("utf-8")


def tool(name: str, *words: str | Path) -> subprocess.CompletedProcess[str]:
    """How a tool ends that is installed beside Python."""
    command = [str(Path(sys.executable).parent / name), *map(str, words)]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)


@pytest.mark.parametrize("shape", SHAPES)
def test_a_file_has_the_shape_that_its_host_wants(shape: str) -> None:
    assert SHAPES[shape]
    done = tool("check-jsonschema", "--builtin-schema", f"vendor.{shape}", *SHAPES[shape])
    assert done.returncode == 0, done.stdout + done.stderr


def test_workflows_may_do_little_and_name_what_they_use_by_its_hash() -> None:
    done = tool("zizmor", "--offline", "--no-progress", "--pedantic", GITHUB, *WORKFLOWS[-1:])
    assert done.returncode == 0, done.stdout + done.stderr


def test_what_is_loose_is_found(tmp_path: Path) -> None:
    """The tools look: they refuse a workflow with a tag in place of a hash, and one without steps."""
    loose = tmp_path / "loose.yml"
    loose.write_text(re.sub(r"@[0-9a-f]{40} # ", "@", WORKFLOWS[0].read_text("utf-8")), "utf-8")
    assert "unpinned-uses" in tool("zizmor", "--offline", "--no-progress", loose).stdout
    loose.write_text("name: none\non: push\njobs: {one: {}}\n", "utf-8")
    assert tool("check-jsonschema", "--builtin-schema", "vendor.github-workflows", loose).returncode == 1


def steps() -> Iterator[tuple[str, str]]:
    """What the workflows of this repository run, line by line, each with the file."""
    for path in WORKFLOWS[:-1]:
        for job in YAML(typ="safe", pure=True).load(path.read_text("utf-8"))["jobs"].values():
            for step in job["steps"]:
                yield from ((path.name, line) for line in step.get("run", "").splitlines())


def test_workflows_run_the_commands_that_people_are_told() -> None:
    told = "".join((ROOT / name).read_text("utf-8") for name in ("README.md", "CONTRIBUTING.md"))
    targets = set(re.findall(r"^([a-z-]+):.*## ", MAKEFILE, re.MULTILINE))
    made = set()
    for file, line in steps():
        if file == "weekly.yml" and "$TARGET" in line:
            continue
        if target := re.match(r"make ([a-z-]+)", line):
            made.add(target[1])
        else:
            assert line.startswith(("build/venv/bin/oddsmith ", "test -f ")), (file, line)
            assert line.startswith("test") or re.sub(r"build/venv/bin/(oddsmith \w+).*", r"\1", line) in told
    weekly = YAML(typ="safe", pure=True).load((GITHUB / "workflows" / "weekly.yml").read_text("utf-8"))
    made.update(weekly["jobs"]["weekly"]["strategy"]["matrix"]["target"])
    assert made <= targets
    assert {target for target in made if f"make {target}" not in told} == set()


def test_the_systems_and_pythons_that_are_tried_are_those_that_are_promised() -> None:
    tests = YAML(typ="safe", pure=True).load((GITHUB / "workflows" / "tests.yml").read_text("utf-8"))
    matrix = tests["jobs"]["systems"]["strategy"]["matrix"]
    project = (ROOT / "pyproject.toml").read_text("utf-8")
    assert matrix["python"] == re.findall(r"Python :: (3\.\d+)", project)
    assert f'requires-python = ">={matrix["python"][0]}"' in project
    assert [name.partition("-")[0] for name in matrix["system"]] == ["ubuntu", "macos", "windows"]


def test_the_container_of_developers_sets_itself_up_as_a_checkout_does() -> None:
    container = json.loads((ROOT / ".devcontainer" / "devcontainer.json").read_text("utf-8"))
    assert container["postCreateCommand"] == "make setup"
    assert re.search(r"^setup:", MAKEFILE, re.MULTILINE)
