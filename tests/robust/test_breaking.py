"""Stopped or refused at any operation on files, a command loses nothing and leaves nothing half written; done again, it ends
with the same bytes."""

from __future__ import annotations

import json
import os
import random
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

HERE = Path(__file__).parent
PENNY = str(HERE / "penny.yaml")
COMMANDS = {
    "certificate": ["solve", PENNY, "--certificate", "proof.jsonl.gz"],
    "export": ["export", PENNY, "-o", "table.csv"],
    "publish": ["publish", PENNY, "-o", "site", "--store", "store", "--jobs", "1", "--at-once"],
    "foundry": ["foundry", PENNY, "-o", "modules", "--store", "store", "--url", "https://example.org/modules"],
    "owlbear": ["tabletop", "owlbear", PENNY, "-o", "room", "--store", "store"],
    "roll20": ["tabletop", "roll20", PENNY, "-o", "mod", "--store", "store"],
}
CODES = {"kill": -9, "interrupt": 130, "full": 1, "denied": 1}
KNOWN_BY = ("README.md", "module.json")  # without them a folder would be taken for somebody else's
FEW = 1, 1  # operations at which a command is stopped in the short run, from an empty folder and from a full one
MANY = 400  # operations beyond which the long run takes every seventh
Tree = dict[str, bytes]


@dataclass
class Runs:
    """The process that runs the commands, and the folder in which their folders are."""

    process: subprocess.Popen[str]
    folder: Path
    made: int = 0

    def run(self, words: list[str], folder: Path, **how: Any) -> dict[str, Any]:
        """What came of a command in a folder."""
        assert self.process.stdin
        assert self.process.stdout
        self.process.stdin.write(json.dumps({"words": words, "folder": str(folder), **how}) + "\n")
        self.process.stdin.flush()
        found: dict[str, Any] = json.loads(self.process.stdout.readline())
        return found

    def new(self, like: Path | None = None) -> Path:
        """A new folder, empty or with what another one holds."""
        self.made += 1
        path = self.folder / str(self.made)
        if like:
            shutil.copytree(like, path, symlinks=True)
        else:
            path.mkdir()
        return path


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Runs]:
    folder = tmp_path_factory.mktemp("runs")
    fixed = {
        "XDG_STATE_HOME": str(folder / "state"),
        "OPENBLAS_NUM_THREADS": "1",
        "PYTHONPATH": os.pathsep.join(sys.path),
    }
    process = subprocess.Popen(
        [sys.executable, str(HERE / "breaking.py")],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, **fixed},
    )
    with process:
        yield Runs(process, folder)
        assert process.stdin
        process.stdin.close()


@dataclass(frozen=True)
class Case:
    """A command, a folder from which it starts, what that holds and what it holds afterwards."""

    words: list[str]
    before: Path
    old: Tree
    after: Tree
    steps: int


@pytest.fixture(scope="module", params=COMMANDS)
def cases(request: pytest.FixtureRequest, runs: Runs) -> list[Case]:
    """A command in an empty folder, and over what an earlier version of it left: much of it other, some gone, answers kept."""
    words = COMMANDS[request.param]
    empty, whole = runs.new(), runs.new()
    first = runs.run(words, whole)
    assert first["code"] == 0, first["err"]
    after = tree(whole)
    free = [name for name in sorted(after) if not name.startswith("store/") and Path(name).name not in KNOWN_BY]
    for name in free[::2]:
        (whole / name).write_bytes(b"old " + after[name])
    for name in free[1::6]:
        (whole / name).unlink()
    told = runs.run(words, runs.new(whole))
    assert told["code"] == 0, told["err"]
    return [Case(words, empty, {}, after, first["steps"]), Case(words, whole, tree(whole), after, told["steps"])]


def tree(folder: Path) -> Tree:
    """Every file below a folder, hidden ones too."""
    found = sorted(path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in found}


def check(runs: Runs, case: Case, how: str, at: int) -> None:
    """What must hold of a run that was stopped in some way at an operation."""
    folder = runs.new(case.before)
    done = runs.run(case.words, folder, how=how, at=at)
    note = f"{case.words[0]}, {how} at {at} of {case.steps}: {done}"
    found = tree(folder)
    assert done["code"] == CODES[how] or (how != "kill" and done["code"] == 0 and found == case.after), note
    assert "Traceback" not in done["err"], note
    assert "fault of ours" not in done["err"], note
    if done["code"] == 1:
        assert re.search(r"(?m)^oddsmith: .* cannot be written: \S", done["err"]), note
    hidden = {name for name in found if name.split("/")[-1].startswith(".")}
    assert how == "kill" or not hidden, note
    for name in found.keys() - hidden:
        assert found[name] in (case.old.get(name), case.after.get(name)), f"{name}, {note}"
    kept = {name for name in case.old if name in case.after}
    assert kept <= found.keys(), note
    again = runs.run(case.words, folder)
    assert again["code"] == 0, f"{again}, after {note}"
    assert tree(folder) == case.after, note
    shutil.rmtree(folder)


@pytest.mark.parametrize("how", CODES)
def test_a_command_that_is_stopped_can_be_done_again(runs: Runs, cases: list[Case], how: str) -> None:
    for case, count in zip(cases, FEW, strict=True):
        assert case.steps >= 3
        chance = random.Random(f"{case.words[0]} {how} {len(case.old)}")  # noqa: S311 - the same in every run
        for at in sorted(chance.sample(range(1, case.steps + 1), count)):
            check(runs, case, how, at)


@pytest.mark.long
@pytest.mark.parametrize("how", CODES)
def test_a_command_can_be_stopped_anywhere(runs: Runs, cases: list[Case], how: str) -> None:
    for case in cases:
        for at in range(1, case.steps + 1, 1 if case.steps < MANY else 7):
            check(runs, case, how, at)


@pytest.mark.parametrize("room", [0, 100])
def test_a_file_without_room_is_not_there(runs: Runs, room: int) -> None:
    """A file that breaks off half way, rather than one that is refused from the start."""
    for name in ("certificate", "export"):
        folder = runs.new()
        done = runs.run(COMMANDS[name], folder, room=room)
        assert done["code"] == 1, done
        assert re.search(r"(?m)^oddsmith: .* cannot be written: File too large$", done["err"]), done
        assert tree(folder) == {}
