"""Differences between Linux, macOS and Windows: locks and owners of files, the folder of a user's state, and memory.

No other module may ask on which system it runs.
"""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO

UNITS = {"KB": 10**3, "MB": 10**6, "GB": 10**9, "TB": 10**12}  # of memory and of files, in bytes


def lock_file(descriptor: int) -> None:
    """Lock an open file until it is closed, so that ``remove_if_not_open`` refuses to remove it.

    On Windows this does nothing, because every open file is locked.
    """
    if sys.platform != "win32":
        import fcntl

        with suppress(OSError):  # some file systems have no locks
            fcntl.flock(descriptor, fcntl.LOCK_EX)


def remove_if_not_open(path: Path) -> None:
    """Remove a file. Raises OSError if a process has locked it, or if there is no such file."""
    if sys.platform == "win32":
        path.unlink()
    else:
        import fcntl

        with path.open("rb") as stream:
            fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
            path.unlink()


def finish_writing(stream: BinaryIO) -> None:
    """Flush a file before it is renamed. On Windows, close the file too, because open files cannot be renamed there."""
    stream.flush()
    if sys.platform == "win32":
        stream.close()


def open_without_links(path: Path) -> int:
    """Open a file for reading, and return its handle.

    Links are not followed, and a pipe does not make it wait. Raises OSError.
    """
    if sys.platform == "win32":
        if path.is_symlink():
            raise OSError(f"{path} is a link")
        return os.open(path, os.O_RDONLY | os.O_BINARY | os.O_NOINHERIT)
    return os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)


def set_file_mode(descriptor: int, mode: int) -> None:
    """Set the permissions of an open file.

    On Windows this does nothing, because permissions follow from the folder there.
    """
    if sys.platform != "win32":
        os.fchmod(descriptor, mode)


def is_private_file(status: os.stat_result) -> bool:
    """Return whether a file belongs to the user, and other users may neither read nor write it.

    ``status``: the file's status.

    It is always true on Windows, where permissions follow from the folder.
    """
    return sys.platform == "win32" or (status.st_uid == os.getuid() and not status.st_mode & 0o077)


def others_can_write(status: os.stat_result) -> bool:
    """Return whether a file belongs to another user, or other users may write to it.

    ``status``: the file's status. It is always true on Windows, where an open file cannot be replaced.
    """
    return sys.platform == "win32" or status.st_uid != os.getuid() or bool(status.st_mode & 0o022)


def state_folder() -> Path:
    """Return the folder where programs store a user's state. Raises RuntimeError if the user has no home folder."""
    local = os.environ.get("LOCALAPPDATA") if sys.platform == "win32" else None
    return Path(os.environ.get("XDG_STATE_HOME") or local or Path("~/.local/state").expanduser())


def memory_size() -> int:
    """Return the size of the machine's memory in bytes."""
    if sys.platform == "win32":
        import ctypes

        status = (ctypes.c_uint64 * 8)(64)  # a MEMORYSTATUSEX: its own length, then the whole memory
        ctypes.windll.kernel32.GlobalMemoryStatusEx(status)
        return status[1]
    return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")


def size_text(byte_count: int) -> str:
    """Return a number of bytes as text with a unit: ``1.0 KB``, ``380.3 MB``, ``2.8 GB``."""
    name = max((name for name in UNITS if byte_count >= UNITS[name]), key=UNITS.__getitem__, default="KB")
    return f"{byte_count / UNITS[name]:,.1f} {name}"
