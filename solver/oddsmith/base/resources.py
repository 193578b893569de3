"""The resources that ship with the program: schemas, rulesets, starters, the site, texts beside the code, and the code
itself.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

VERSION = "0.1.0"  # of the program; a test compares what must say it elsewhere
PACKAGE = Path(__file__).resolve().parents[1]
SCHEMA = "ruleset.schema.json"


def missing_extra_text(what: str, extra: str) -> str:
    """Return the sentence for a user who lacks an extra of the package."""
    return f"{what} needs the extra `{extra}`: pip install 'oddsmith[{extra}]'"


def data_folder(name: str) -> Path:
    """Return a folder that ships with the program. A wheel has it inside the package, a checkout beside ``solver/``."""
    packed = PACKAGE / "_data" / name
    return packed if packed.is_dir() else PACKAGE.parent.parent / name


def schema_text(name: str) -> str:
    """Return the text of a schema, by the name of its file."""
    return (data_folder("schemas") / name).read_text(encoding="utf-8")


def starters() -> list[str]:
    """Return the names of the starters: rulesets of common kinds of games, from which to write a new one."""
    return sorted(path.stem for path in (data_folder("rulesets") / "starters").glob("*.yaml"))


def starter_text(shape: str) -> str:
    """Return the text of a starter ruleset. ``shape``: its name."""
    return (data_folder("rulesets") / "starters" / f"{shape}.yaml").read_text(encoding="utf-8")


def style_text(name: str) -> str:
    """Return a style sheet of the site's theme."""
    return (data_folder("site") / "theme" / "assets" / name).read_text(encoding="utf-8")


def package_text(path: str) -> str:
    """Return a text that lies beside the code, by its path below the package."""
    return (PACKAGE / path).read_text(encoding="utf-8")


def package_code(parts: Sequence[str]) -> Iterator[tuple[str, bytes]]:
    """Yield every Python file of the named files and folders of the package: its path below the package, and its bytes."""
    for part in parts:
        path = PACKAGE / part
        for file in sorted(path.rglob("*.py")) if path.is_dir() else [path]:
            yield file.relative_to(PACKAGE).as_posix(), file.read_bytes()


def library_files(name: str, kinds: Sequence[str]) -> Iterator[tuple[str, bytes]]:
    """Yield the files of an installed library in pure Python that end in one of ``kinds``, without tests, and its
    licences.
    """
    from importlib.metadata import distribution

    for file in sorted(distribution(name).files or []):
        path = file.as_posix()
        if (
            "/tests/" not in path
            and (path.endswith(tuple(kinds)) or "/licenses/" in path)
            and not path.startswith("..")
        ):
            yield path, file.read_binary()


def shelf_workflow() -> bytes:
    """Return the workflow file with which a host of repositories builds a site from the rulesets of a repository."""
    return (data_folder("docs") / "shelf" / "workflow.yml").read_bytes()


def licence() -> bytes:
    """Return the project's licence."""
    from importlib.metadata import distribution

    text = distribution("oddsmith").read_text("licenses/LICENSE")
    assert text is not None, "every installed package has its licence beside it"
    return text.encode()
