"""Whole processes: interrupted, killed, without a reader, two at one store, in other surroundings."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.robust.test_breaking import PENNY, Tree, tree

# Small ones first, then some that take seconds: whoever waits for the first answer comes while others are sought.
NAMES = [PENNY, "../other.yaml", "snakes-and-ladders", "craps"]
GAMES = ["publish", *NAMES, "-o", "site", "--store", "store", "--at-once", "--jobs", "2"]
PATIENCE = 200  # seconds until something is taken for stuck


def started(words: list[str], folder: Path, **env: str) -> subprocess.Popen[bytes]:
    """A command on its way, in a group of processes of its own."""
    found = {name: value for name, value in os.environ.items() if name != "SOURCE_DATE_EPOCH"}
    found |= {"PYTHONPATH": os.pathsep.join(sys.path), "XDG_STATE_HOME": str(folder.parent / "state"), **env}
    return subprocess.Popen(
        [sys.executable, "-m", "oddsmith", *words],
        cwd=folder,
        env=found,
        start_new_session=True,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )


def ended(process: subprocess.Popen[bytes]) -> tuple[int, bytes, bytes]:
    """The exit code of a command, and what it printed."""
    out, err = process.communicate(timeout=PATIENCE)
    return process.returncode, out, err


def wait(until: Callable[[], bool]) -> None:
    """Until something is so."""
    end = time.monotonic() + PATIENCE
    while not until():
        assert time.monotonic() < end, "this takes too long"
        time.sleep(0.02)


def group(number: int) -> set[int]:
    """The processes of a group that run."""
    found = set()
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            state, _, of = path.read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()[:3]
        except (FileNotFoundError, ProcessLookupError):
            continue
        if int(of) == number and state not in "ZX":
            found.add(int(path.parent.name))
    return found


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("processes")
    text = Path(PENNY).read_text(encoding="utf-8")
    (folder / "other.yaml").write_text(text.replace("id: penny", "id: other"), encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def whole(place: Path) -> Tree:
    """What the command leaves that nothing happens to."""
    folder = place / "whole"
    folder.mkdir()
    code, _, err = ended(started(GAMES, folder))
    assert code == 0, err
    return tree(folder)


@pytest.mark.parametrize(
    ("number", "said"),
    [(signal.SIGINT, (130, b"interrupted")), (signal.SIGTERM, (143, b"stopped"))],
    ids=["interrupt", "stop"],
)
def test_whoever_ends_it_ends_all_processes_and_keeps_what_was_solved(
    place: Path, whole: Tree, number: signal.Signals, said: tuple[int, bytes]
) -> None:
    folder = place / said[1].decode()
    folder.mkdir()
    process = started(GAMES, folder)
    wait(
        lambda: (
            (folder / "store").is_dir() and any(not path.name.startswith(".") for path in (folder / "store").iterdir())
        )
    )
    os.kill(process.pid, number)
    code, out, err = ended(process)
    assert (code, out, err.split()) == (said[0], b"", [said[1]])
    wait(lambda: not group(process.pid))
    found = tree(folder)
    assert found
    assert found.items() <= whole.items()
    code, _, err = ended(started(GAMES, folder))
    assert code == 0, err
    assert tree(folder) == whole


@pytest.mark.long
def test_helpers_go_when_the_process_that_started_them_is_killed(place: Path) -> None:
    folder = place / "killed"
    folder.mkdir()
    process = started(GAMES, folder)
    wait(lambda: len(group(process.pid)) >= 3)
    process.kill()
    assert ended(process)[0] == -signal.SIGKILL
    wait(lambda: not group(process.pid))


@pytest.mark.long
def test_a_helper_that_is_killed_is_told_of(place: Path) -> None:
    folder = place / "helpless"
    folder.mkdir()
    process = started(GAMES, folder)

    def helpers() -> set[int]:
        """The processes that solve; another one only keeps books on what they share."""
        found = group(process.pid) - {process.pid}
        return {one for one in found if b"spawn_main" in Path(f"/proc/{one}/cmdline").read_bytes()}

    wait(lambda: len(helpers()) == 2)
    os.kill(min(helpers()), signal.SIGKILL)
    code, _, err = ended(process)
    assert code == 1
    assert err.startswith(b"oddsmith: something outside ended a process that was solving")
    assert err.count(b"\n") == 1
    wait(lambda: not group(process.pid))


@pytest.mark.long
def test_two_processes_at_one_store_and_one_folder(place: Path, whole: Tree) -> None:
    folder = place / "shared"
    folder.mkdir()
    words = [*GAMES[:-1], "1"]
    for process in [started(words, folder), started(words, folder)]:
        code, _, err = ended(process)
        assert code == 0, err
    assert tree(folder) == whole


@pytest.mark.parametrize(
    "words",
    [
        ["solve", PENNY],
        pytest.param(["export", PENNY, "--format", "csv"], marks=pytest.mark.long),
        pytest.param(["--help"], marks=pytest.mark.long),
    ],
)
def test_a_reader_may_go_at_any_time(words: list[str], tmp_path: Path) -> None:
    process = started(words, tmp_path)
    assert process.stdout
    process.stdout.close()
    assert process.stderr
    with process.stderr as stream:
        err = stream.read()
    assert (process.wait(PATIENCE), err) == (0, b"")


def test_a_full_disk_behind_standard_output(tmp_path: Path) -> None:
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    with Path("/dev/full").open("wb") as full:
        found = subprocess.run(
            [sys.executable, "-m", "oddsmith", "--help"], stdout=full, stderr=subprocess.PIPE, check=False, env=env
        )
    assert found.returncode == 1
    assert found.stderr == b"oddsmith: standard output cannot be written: No space left on device\n"


SURROUNDINGS = {
    "hash seed": {"PYTHONHASHSEED": "7"},
    "no locale": {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
    "Turkish": {"LC_ALL": "tr_TR.UTF-8", "LANG": "tr_TR.UTF-8"},
    "Latin": {"PYTHONIOENCODING": "iso-8859-9"},
    "clock": {"TZ": "Pacific/Kiritimati", "SOURCE_DATE_EPOCH": "4000000000"},
}
ALL = {name: value for env in reversed(SURROUNDINGS.values()) for name, value in env.items()} | {"PYTHONIOENCODING": ""}


@pytest.mark.parametrize(
    "name",
    ["all", *(pytest.param(name, marks=pytest.mark.long) for name in SURROUNDINGS)],
)
def test_surroundings_change_no_byte(name: str, place: Path, whole: Tree) -> None:
    folder = place / name
    folder.mkdir()
    env = ALL if name == "all" else SURROUNDINGS[name]
    code, _, err = ended(started([*GAMES[:-1], "1"], folder, **env))
    assert code == 0, err
    assert tree(folder) == whole
    code, out, err = ended(started(["solve", PENNY], folder, **env))
    assert code == 0, err
    assert re.match(rb"Pass the penny (\\u2013|\xe2\x80\x93) heads wins, 2 seats, win \(exact\)\n", out), out
