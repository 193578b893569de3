"""Files: shipped rulesets by name, and writing whole or not at all."""

from __future__ import annotations

import os
import tempfile
from dataclasses import dataclass
from pathlib import Path

from oddsmith.errors import OddsmithError, did_you_mean
from oddsmith.ruleset.schema import data_folder


class UnknownRuleset(OddsmithError):
    """No file and no shipped ruleset of that name."""


def shipped() -> list[str]:
    """The ids of the rulesets that come with the program."""
    return sorted(path.stem for path in data_folder("rulesets").glob("*.yaml"))


def find_ruleset(name: str | Path) -> Path:
    """The file of a ruleset: a path, or the id of a shipped one. Raises UnknownRuleset."""
    path = Path(name)
    if path.suffix in (".yaml", ".yml") or path.exists():
        if path.exists():
            return path
        raise UnknownRuleset(f"there is no file {name}")
    inside = data_folder("rulesets") / f"{name}.yaml"
    if str(name) in shipped():
        return inside
    raise UnknownRuleset(
        f"there is no file and no shipped ruleset {name}: {did_you_mean(str(name), shipped(), 'rulesets')}"
    )


def write_whole(path: Path, data: bytes) -> None:
    """Write a file so that it is there whole or not at all, also when the program is stopped."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(data)
        umask = os.umask(0)
        os.umask(umask)
        Path(temporary).chmod(0o666 & ~umask)
        Path(temporary).replace(path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise


@dataclass(frozen=True)
class Folder:
    """Bytes kept by name in a folder, whole or not at all."""

    path: Path

    def get(self, name: str) -> bytes | None:
        """What is kept under a name."""
        try:
            return self._place(name).read_bytes()
        except FileNotFoundError:
            return None

    def put(self, name: str, data: bytes) -> None:
        """Keep it. Of several who write at the same time the last one stays."""
        write_whole(self._place(name), data)

    def has(self, name: str) -> bool:
        """Whether something is kept under a name."""
        return self._place(name).is_file()

    def _place(self, name: str) -> Path:
        return self.path / name[:2] / name[2:]


def write_all(folder: Path, files: dict[str, bytes]) -> None:
    """Write many files below a folder, each whole; what is there already and the same is left alone."""
    for name, data in sorted(files.items()):
        path = folder / name
        if not path.is_file() or path.read_bytes() != data:
            write_whole(path, data)


def folder_files(folder: Path) -> dict[str, bytes]:
    """All files below a folder, by their path in it."""
    found = sorted(path for path in folder.rglob("*") if path.is_file() and not path.name.startswith("."))
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in found}


def replace_all(folder: Path, files: dict[str, bytes]) -> None:
    """Write many files below a folder that only this program writes, and remove what it still holds of an earlier time."""
    write_all(folder, files)
    for name in folder_files(folder):
        if name not in files:
            (folder / name).unlink()
