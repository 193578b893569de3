"""Two builds of one commit give the same bytes, whatever the hash seed, the zone, the language, the folder and the umask."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from tests.reproducible.__main__ import digest

ROOT = Path(__file__).resolve().parents[2]
HERE = {"PYTHONHASHSEED": "0", "TZ": "UTC", "LC_ALL": "C.UTF-8"}
THERE = {"PYTHONHASHSEED": "4242", "TZ": "Asia/Kathmandu", "LC_ALL": "C"}


def start(folder: Path, about: dict[str, str], umask: int) -> subprocess.Popen[str]:
    """Make everything of a small game in a folder."""
    words = [sys.executable, "-m", "tests.reproducible", str(folder), str(ROOT / "tests" / "publish" / "alone.yaml")]
    where = {**os.environ, "PYTHONPATH": f"{ROOT / 'solver'}{os.pathsep}{ROOT}", **about}
    return subprocess.Popen(words, env=where, umask=umask, cwd=folder.parent, stdout=subprocess.PIPE, text=True)


def test_a_game_is_the_same_bytes_whatever_the_machine_is_set_to(tmp_path: Path) -> None:
    other = tmp_path / "a longer path, with spaces" / "and one more"
    other.mkdir(parents=True)
    running = [start(tmp_path / "here", HERE, 0o022), start(other / "there", THERE, 0o077)]
    said = [each.communicate()[0] for each in running]
    assert [each.returncode for each in running] == [0, 0]
    assert said[0] == said[1]
    assert said[0].count("\n") == 2
    assert any(path.is_file() for path in (tmp_path / "here").rglob("*.drn"))


def test_the_digest_sees_each_byte_and_each_name() -> None:
    files = {"a": b"1", "b": b"2"}
    assert digest(files) == digest(dict(reversed(files.items())))
    changed = [{"a": b"1", "b": b"3"}, {"a": b"1", "c": b"2"}, {"a": b"1"}, {"a": b"2", "b": b"1"}]
    assert len({digest(each) for each in [files, *changed]}) == 5
