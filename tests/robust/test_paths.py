"""Where files go: below the folder that was named, through no link that lies in it, and over nothing of anybody else's."""

from __future__ import annotations

import fcntl
import json
import tempfile
from pathlib import Path

import pytest

from oddsmith.base.errors import RulesetError, UnwritableError
from oddsmith.base.files import (
    UNFINISHED_SUFFIX,
    replace_folder_files,
    write_atomically,
    write_folder_files,
    write_named_file,
)
from oddsmith.base.location import Source
from oddsmith.cli import main
from oddsmith.ruleset.reading.build import read_ruleset

PENNY_FILE = str(Path(__file__).parent / "penny.yaml")
PENNY = Path(PENNY_FILE).read_text(encoding="utf-8")


@pytest.mark.parametrize(
    "name", ["../penny", "/penny", "a/b", "a\\b", ".", "..", "", "penny\n", "penny\0", "penny.", "Penny", "-o", "péñny"]
)
def test_an_id_is_small_letters_digits_and_hyphens(name: str) -> None:
    with pytest.raises(RulesetError) as refused:
        read_ruleset(Source("penny.yaml", PENNY.replace("id: penny", f"id: {json.dumps(name)}")))
    assert {problem.location.line for problem in refused.value.problems} == {2}


@pytest.mark.parametrize("old", ["turn: decide", "then: toss", "  toss:", "win:"])
def test_no_name_ends_in_a_line_feed(old: str) -> None:
    head, _, name = old.rpartition(" ")
    quoted = json.dumps(f"{name.strip(':')}\n") + ":" * name.endswith(":")
    changed = PENNY.replace(old, f"{head} {quoted}", 1)
    assert changed != PENNY
    with pytest.raises(RulesetError):
        read_ruleset(Source("penny.yaml", changed))


def test_nothing_is_written_through_a_folder_that_is_a_link(tmp_path: Path) -> None:
    folder, elsewhere = tmp_path / "site", tmp_path / "elsewhere"
    folder.mkdir()
    elsewhere.mkdir()
    (folder / "games").symlink_to(elsewhere)
    with pytest.raises(UnwritableError, match="is a link to another place"):
        write_folder_files(folder, {"games/penny.md": b"mine", "games/a/b.md": b"mine"})
    assert list(elsewhere.iterdir()) == []


def test_a_full_disk_leaves_no_part_of_a_new_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "site").mkdir()
    (tmp_path / "site" / "mine.md").write_bytes(b"mine")

    def write(path: Path, data: bytes) -> None:
        if path.name == "c.md":
            raise UnwritableError(f"{path} cannot be written: the disk is full")
        write_atomically(path, data)

    monkeypatch.setattr("oddsmith.base.files.write_atomically", write)
    for folder in ("site", "new"):
        with pytest.raises(UnwritableError, match="the disk is full"):
            write_folder_files(tmp_path / folder, {"a.md": b"a", "b/b.md": b"b", "b/c.md": b"c", "mine.md": b"mine"})
    assert [path.name for path in tmp_path.rglob("*")] == ["site", "mine.md"]


def test_a_folder_that_is_named_itself_may_be_a_link(tmp_path: Path) -> None:
    (tmp_path / "disk").mkdir()
    (tmp_path / "site").symlink_to(tmp_path / "disk")
    write_folder_files(tmp_path / "site", {"a/b.md": b"mine"})
    assert (tmp_path / "disk" / "a" / "b.md").read_bytes() == b"mine"


@pytest.mark.parametrize("same", [True, False])
def test_a_file_that_is_a_link_is_replaced(tmp_path: Path, same: bool) -> None:
    folder, elsewhere = tmp_path / "site", tmp_path / "elsewhere"
    folder.mkdir()
    theirs = b"mine" if same else b"theirs"
    elsewhere.write_bytes(theirs)
    for name in ("page.md", "old.md"):
        (folder / name).symlink_to(elsewhere)
    replace_folder_files(folder, {"page.md": b"mine"}, "page.md")
    assert not (folder / "page.md").is_symlink()
    assert (folder / "page.md").read_bytes() == b"mine"
    assert not (folder / "old.md").exists()
    assert elsewhere.read_bytes() == theirs


def test_a_file_that_is_named_is_written_through_its_link(tmp_path: Path) -> None:
    (tmp_path / "table.csv").symlink_to(tmp_path / "disk.csv")
    for data in (b"one", b"two"):
        write_named_file(tmp_path / "table.csv", data)
        assert (tmp_path / "table.csv").is_symlink()
        assert (tmp_path / "disk.csv").read_bytes() == data
    write_named_file(Path("/dev/null"), b"much")
    assert not Path("/dev/null").is_file()


def test_what_a_killed_process_left_is_removed_and_what_another_writes_is_not(tmp_path: Path) -> None:
    path = tmp_path / "table.csv"
    left = tmp_path / f".table.csv.abc{UNFINISHED_SUFFIX}"
    left.write_bytes(b"ha")
    other = tmp_path / f".other.csv.abc{UNFINISHED_SUFFIX}"
    other.write_bytes(b"ha")
    with tempfile.NamedTemporaryFile(dir=tmp_path, prefix=".table.csv.", suffix=UNFINISHED_SUFFIX) as busy:
        fcntl.flock(busy, fcntl.LOCK_EX)
        write_atomically(path, b"whole")
        assert {found.name for found in tmp_path.iterdir()} == {path.name, other.name, Path(busy.name).name}


def test_the_file_by_which_a_folder_is_known_comes_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Killed after any file, the folder is known again as one that may be written."""
    written = []
    monkeypatch.setattr("oddsmith.base.files.write_atomically", lambda path, _: written.append(path.name))
    replace_folder_files(tmp_path, {"a": b"", "README.md": b"", "z": b""}, "README.md")
    assert written == ["README.md", "a", "z"]


def test_what_the_system_refuses_is_said_in_a_line(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "folder.yaml").mkdir()
    (tmp_path / "latin.yaml").write_bytes("format: 1\nid: caf\xe9\n".encode("latin-1"))
    for words, said in {
        f"check --fix {tmp_path}/folder.yaml": "folder.yaml: Is a directory",
        f"check --fix {tmp_path}/latin.yaml": "this is not text in UTF-8",
        f"export {PENNY_FILE} --format dot -o {tmp_path}/latin.yaml/x": "x cannot be written: ",
    }.items():
        with pytest.raises(SystemExit) as end:
            main(words.split())
        shown = capfd.readouterr().err
        assert (end.value.code, said in shown, "fault of ours" in shown) == (1, True, False), shown


@pytest.mark.parametrize(
    "words",
    [
        ["publish", "--all"],
        ["tabletop", "owlbear", "piglet"],
        ["tabletop", "roll20", "piglet"],
        ["foundry", "piglet", "--id", "mine"],
    ],
)
def test_a_folder_of_anybody_else_is_left_alone(words: list[str], tmp_path: Path) -> None:
    theirs = tmp_path / "mine" / "games" / "index.md"
    theirs.parent.mkdir(parents=True)
    theirs.write_bytes(b"# Games\n\nthat I like\n")
    with pytest.raises(SystemExit) as end:
        main([*words, "-o", str(tmp_path if "foundry" in words else tmp_path / "mine")])
    assert end.value.code == 1
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == [theirs]
