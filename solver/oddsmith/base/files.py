"""Files: shipped rulesets by name, atomic writing, and zip archives."""

from __future__ import annotations

import gzip
import io
import mmap
import os
import stat
import subprocess
import tempfile
import zipfile
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from fnmatch import fnmatchcase
from hashlib import sha256
from pathlib import Path
from typing import BinaryIO

from oddsmith.base.errors import UnknownRulesetError, UnwritableError, did_you_mean
from oddsmith.base.resources import data_folder
from oddsmith.base.systems import (
    finish_writing,
    is_private_file,
    lock_file,
    open_without_links,
    others_can_write,
    remove_if_not_open,
    set_file_mode,
    state_folder,
)

UNFINISHED_SUFFIX = ".part"
"""The suffix of the name of a file that is still being written. Such a name begins with a dot."""
KEY_BYTES = 32


def shipped_rulesets() -> list[str]:
    """Return the ids of the rulesets that come with the program, in alphabetical order."""
    return sorted(path.stem for path in data_folder("rulesets").glob("*.yaml"))


def is_shipped_ruleset(ruleset_id: str, text: str) -> bool:
    """Return whether the ruleset that comes with the program under an id has just this text."""
    return (
        ruleset_id in shipped_rulesets() and (data_folder("rulesets") / f"{ruleset_id}.yaml").read_text("utf-8") == text
    )


def shipped_answer_files(ruleset_id: str) -> dict[str, bytes]:
    """Return the stored answers for a ruleset that come with the program: the bytes of each file by the file's name."""
    return {path.name: path.read_bytes() for path in sorted((data_folder("answers") / ruleset_id).glob("*.json.gz"))}


def find_ruleset(name: str | Path) -> Path:
    """Return the path of a ruleset's file. ``name``: the path, or the id of a shipped ruleset.

    If a folder has the name of a shipped ruleset, the shipped ruleset is meant. Raises UnknownRulesetError if there is
    no file.
    """
    if "\n" in str(name):
        raise UnknownRulesetError("this is no name of a file but a text: oddsmith.loads reads the text of a ruleset")
    path = Path(name)
    if str(name) in shipped_rulesets() and (path.is_dir() or not path.exists()):
        return data_folder("rulesets") / f"{name}.yaml"
    if path.exists():
        return path
    if path.suffix in (".yaml", ".yml"):
        raise UnknownRulesetError(f"there is no file {name}")
    raise UnknownRulesetError(
        f"there is no file and no shipped ruleset {name}: {did_you_mean(str(name), shipped_rulesets(), 'rulesets')}"
    )


def text_at_revision(revision: str, path: Path) -> str:
    """Return the text of a file at a revision of its git repository.

    Raises UnknownRulesetError if git does not find it.
    """
    command = ["git", "-C", str(path.parent), "show", f"{revision}:./{path.name}"]
    try:
        done = subprocess.run(command, capture_output=True, check=False)  # noqa: S603 - no shell, and git is meant
    except OSError as error:
        raise UnknownRulesetError(f"git cannot be asked for {revision}:{path}: {error.strerror}") from None
    if done.returncode:
        why = done.stderr.decode(errors="replace").strip().removeprefix("fatal: ")
        raise UnknownRulesetError(f"there is no {revision}:{path}: {why}")
    return done.stdout.decode()


# --- one file


def read_named_file(path: Path) -> bytes:
    """Return the bytes of a file that the user named. Raises OSError."""
    return path.read_bytes()


def path_or_bytes(path: Path) -> Path | bytes:
    """Return the path of a regular file, which can be opened again; for any other file, such as a pipe, return its
    bytes. Raises OSError.
    """
    if path.is_file():
        return path
    return read_named_file(path)


class WatchedFile:
    """A file that is watched for changes. ``text``: the text that the last check read."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.stamp: tuple[int, int] | None = None
        self.text = ""

    def has_changed(self) -> bool:
        """Return whether the text has changed since the last call. The first call compares it with an empty text.

        A file that is missing or empty counts as unchanged, because many editors empty a file before they write it.
        """
        with suppress(OSError, UnicodeDecodeError):
            about = self.path.stat()
            stamp = (about.st_mtime_ns, about.st_size)
            if stamp != self.stamp and (text := self.path.read_text("utf-8")):
                self.stamp, before, self.text = stamp, self.text, text
                return text != before
        return False


def write_named_file(path: Path, data: bytes) -> None:
    """Write a file that the user named. A link is followed, and a device such as /dev/null is written directly.

    Raises UnwritableError.
    """
    write_file_parts(path, [data])


def write_file_parts(path: Path, parts: Iterable[bytes]) -> None:
    """Write a file from parts, in this order.

    A regular file appears once all parts are written, or not at all. Raises UnwritableError.
    """
    if path.exists() and not path.is_file():
        with _os_errors_as_unwritable(path), path.open("wb") as stream:
            stream.writelines(parts)
        return
    _write_parts_atomically(path.resolve(), parts)


def write_atomically(path: Path, data: bytes) -> None:
    """Write a file that appears whole or not at all, even if the program is stopped.

    A link at the path is replaced by the file. Raises UnwritableError.
    """
    _write_parts_atomically(path, [data])


def _write_parts_atomically(path: Path, parts: Iterable[bytes | memoryview]) -> None:
    """Write a file from parts so that it appears whole or not at all. Raises UnwritableError."""
    with _os_errors_as_unwritable(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        _remove_unfinished_files(path)
        with _unfinished_file(path, 0o666) as (stream, part):
            stream.writelines(parts)
            finish_writing(stream)
            part.replace(path)


def _write_private_file_if_missing(path: Path, data: bytes) -> None:
    """Write a file that only its owner may read. If another process wrote the file first, leave it as it is."""
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    with _unfinished_file(path, 0o600) as (stream, part), suppress(FileExistsError):
        stream.write(data)
        finish_writing(stream)
        os.link(part, path)


def read_regular_file(path: Path) -> tuple[bytes, os.stat_result] | None:
    """Return the bytes and the status of a regular file; None if there is no such file. A link counts as none."""
    found = _open_regular_file(path)
    if found is None:
        return None
    with found[0] as stream:
        return stream.read(), found[1]


def _open_regular_file(path: Path) -> tuple[BinaryIO, os.stat_result] | None:
    """Return a regular file opened for reading, and its status; None if there is no such file. A link counts as none."""
    try:
        handle = open_without_links(path)
    except OSError:
        return None
    about = os.fstat(handle)
    if not stat.S_ISREG(about.st_mode):
        os.close(handle)
        return None
    return os.fdopen(handle, "rb"), about


def user_key() -> bytes:
    """Return the user's key, with which stored answers are sealed. If there is none, write a new key first.

    The key is in the folder for a user's state and not in the folder of the answers, so it is not copied with them.
    Raises UnwritableError if the key cannot be written, or if other users could have read or written it.
    """
    try:
        path = state_folder() / "oddsmith" / "store.key"
        if not path.is_symlink() and not path.exists():
            _write_private_file_if_missing(path, os.urandom(KEY_BYTES))
    except (OSError, RuntimeError) as error:  # the latter where nobody knows whose home it is
        raise UnwritableError(
            f"the key of answers cannot be kept: {error}; name a folder of yours by XDG_STATE_HOME"
        ) from None
    kept = read_regular_file(path)
    if kept is None or len(kept[0]) != KEY_BYTES or not is_private_file(kept[1]):
        raise UnwritableError(
            f"{path} is not a key that only you could read: remove it, and answers that are kept are made again"
        )
    return kept[0]


@contextmanager
def _os_errors_as_unwritable(path: Path) -> Iterator[None]:
    """Turn an OSError inside the context into an UnwritableError that gives the system's reason."""
    try:
        yield
    except OSError as error:
        raise UnwritableError(f"{path} cannot be written: {error.strerror or error}") from error


@contextmanager
def _unfinished_file(path: Path, mode: int) -> Iterator[tuple[BinaryIO, Path]]:
    """Yield a new file, opened for writing in the folder of ``path``, and its path.

    Remove it at the end unless it was renamed.

    The file is locked while it is open. So an unfinished file without a lock was left by a process that was killed.
    ``mode``: the permissions of the file.
    """
    umask = os.umask(0)
    os.umask(umask)
    handle, part = _locked_temporary_file(path)
    try:
        with os.fdopen(handle, "wb") as stream:
            set_file_mode(handle, mode & ~umask)
            yield stream, part
    finally:
        part.unlink(missing_ok=True)


def _locked_temporary_file(path: Path) -> tuple[int, Path]:
    """Return the handle and the path of a new, locked file in the folder of ``path``."""
    while True:
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.", suffix=UNFINISHED_SUFFIX)
        lock_file(handle)
        if os.fstat(handle).st_nlink:
            return handle, Path(name)
        os.close(handle)  # another found it before it was locked, and removed it


def _remove_unfinished_files(path: Path) -> None:
    """Remove the unfinished files of ``path`` that processes left in its folder when they were killed."""
    for name in os.listdir(path.parent):  # noqa: PTH208 - names will do
        if name.startswith(f".{path.name}.") and name.endswith(UNFINISHED_SUFFIX):
            with suppress(OSError):  # in use, or gone by now
                remove_if_not_open(path.parent / name)


# --- folders


@dataclass(frozen=True)
class Folder:
    """A folder as a store of bytes by file name. Files are written whole or not at all, and no link is followed."""

    path: Path

    def get(self, name: str) -> bytes | None:
        """Return the bytes of a file; None if there is no such file."""
        found = read_regular_file(self.path / name)
        return found and found[0]

    def memory_map(self, name: str) -> bytes | memoryview | None:
        """Return the bytes of a file as a memory map; None if there is no such file.

        The system reads pages when they are needed, and drops them when memory is short. A file that other users could
        change is read at once instead.
        """
        found = _open_regular_file(self.path / name)
        if found is None:
            return None
        with found[0] as stream:
            if not found[1].st_size or others_can_write(found[1]):
                return stream.read()
            return memoryview(mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ))

    def put(self, name: str, *parts: bytes | memoryview) -> None:
        """Write a file from parts, in this order. If several processes write it at the same time, the last one wins."""
        _write_parts_atomically(self.path / name, parts)


def write_folder_files(folder: Path, files: Mapping[str, bytes], first_path: str = "") -> None:
    """Write many files below a folder, each whole or not at all.

    ``files``: the bytes of each file by its path below the folder. ``first_path``: the path of the file that is written
    first.

    Files that have the same bytes already are not touched. If a file cannot be written, such as on a full disk, the new
    files before it are removed again. Raises UnwritableError, also if a folder on the path of a file is a link, because
    it could lead out of the folder.
    """
    new = list[Path]()
    try:
        for name, data in sorted(files.items(), key=lambda item: (item[0] != first_path, item[0])):
            path = folder / name
            for above in path.relative_to(folder).parents:
                if (folder / above).is_symlink() and above.name:
                    raise UnwritableError(
                        f"{folder / above} is a link to another place: remove it, or choose another folder"
                    )
            before = read_regular_file(path)
            if before is None or before[0] != data:
                new += [path] if before is None else []
                write_atomically(path, data)
    except UnwritableError:
        _remove_files_and_empty_folders(folder, new[::-1])  # the first last, by which the folder may be recognized
        raise


def _remove_files_and_empty_folders(folder: Path, paths: Sequence[Path]) -> None:
    """Remove files below a folder, and those of their folders that are then empty, up to the folder itself."""
    with suppress(OSError):
        for path in paths:
            path.unlink(missing_ok=True)
    above = {parent for path in paths for parent in path.parents if parent.is_relative_to(folder)}
    for each in sorted(above, key=lambda each: len(each.parts), reverse=True):
        with suppress(OSError):  # it is not empty
            each.rmdir()


def folder_files(folder: Path, patterns: Sequence[str] = ("*",)) -> dict[str, bytes]:
    """Return the bytes of the files below a folder, by path.

    ``patterns``: patterns, one of which the path must fit; a star stands for any characters.
    """
    chosen = [name for name in _relative_paths(folder) if any(fnmatchcase(name, each) for each in patterns)]
    return {name: (folder / name).read_bytes() for name in chosen}


def _relative_paths(folder: Path) -> list[str]:
    """Return the paths of the files below a folder, relative to it and sorted.

    Files whose names begin with a dot are left out.
    """
    found = sorted(path for path in folder.rglob("*") if path.is_file() and not path.name.startswith("."))
    return [path.relative_to(folder).as_posix() for path in found]


def replace_folder_files(folder: Path, files: Mapping[str, bytes], first_path: str) -> None:
    """Write many files below a folder that only this program writes, and remove all other files from it.

    ``files``: the bytes of each file by its path. ``first_path``: the path of the file by which the folder is
    recognized. This file is written first, so that interrupted work can be repeated.
    """
    write_folder_files(folder, files, first_path)
    for name in _relative_paths(folder):
        if name not in files:
            with _os_errors_as_unwritable(folder / name):
                (folder / name).unlink()


def recompressed_gzip(gzip_data: bytes) -> bytes:
    """Return gzip bytes compressed anew in the way that gives the fewest bytes, or as they are if none gives fewer.

    The methods differ in how they look for repetitions. What is close to chance, such as the probabilities of a plan,
    has few that are worth it.
    """
    content = gzip.decompress(gzip_data)
    tried = [gzip_data]
    for strategy in (zlib.Z_DEFAULT_STRATEGY, zlib.Z_FILTERED):
        made = zlib.compressobj(9, zlib.DEFLATED, 16 + zlib.MAX_WBITS, 9, strategy)
        tried.append(made.compress(content) + made.flush())
    return min(tried, key=len)


_DAY = (1980, 1, 1, 0, 0, 0)  # the first that an archive can name


def joined_scripts_header(scripts: Mapping[str, bytes]) -> bytes:
    """Return the first line of a file into which scripts are joined: a comment with a short hash of the scripts.

    ``scripts``: the bytes of each script by its name. The hash is that of all names and contents.
    """
    lines = "".join(f"{sha256(data).hexdigest()}  {name}\n" for name, data in sorted(scripts.items()))
    return f"// SHA-256 {sha256(lines.encode()).hexdigest()[:16]}\n".encode()


def zip_archive(files: Mapping[str, bytes]) -> bytes:
    """Return the bytes of a zip archive.

    ``files``: the bytes of each file by its path. The same files always give the same archive.
    """
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as packed:
        for name, data in sorted(files.items()):
            info = zipfile.ZipInfo(name, _DAY)
            info.compress_type, info.create_system, info.external_attr = zipfile.ZIP_DEFLATED, 3, 0o644 << 16
            packed.writestr(info, data)
    return stream.getvalue()
