"""Data that ships with the program: schemas, rulesets, starter rulesets, the site's files, texts in the package, and
its code.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

VERSION = "0.1.0"  # of the program; a test compares what must say it elsewhere
PACKAGE = Path(__file__).resolve().parents[1]
SCHEMA = "ruleset.schema.json"


def missing_extra_text(feature: str, extra: str) -> str:
    """Return a sentence that tells the user to install an optional extra of the package.

    ``feature``: what needs the extra.
    """
    return f"{feature} needs the extra `{extra}`: pip install 'oddsmith[{extra}]'"


def data_folder(name: str) -> Path:
    """Return the path of a folder that ships with the program.

    In a wheel it is inside the package, in a checkout next to ``solver/``.
    """
    packed = PACKAGE / "_data" / name
    return packed if packed.is_dir() else PACKAGE.parent.parent / name


def schema_text(name: str) -> str:
    """Return the text of a schema. ``name``: the name of its file."""
    return (data_folder("schemas") / name).read_text(encoding="utf-8")


def starter_names() -> list[str]:
    """Return the names of the starters: rulesets of common kinds of games, from which a user writes a new one."""
    return sorted(path.stem for path in (data_folder("rulesets") / "starters").glob("*.yaml"))


def starter_text(starter: str) -> str:
    """Return the text of a starter ruleset. ``starter``: the name of the starter."""
    return (data_folder("rulesets") / "starters" / f"{starter}.yaml").read_text(encoding="utf-8")


def style_text(name: str) -> str:
    """Return the text of a style sheet of the site's theme. ``name``: the name of its file."""
    return (data_folder("site") / "theme" / "assets" / name).read_text(encoding="utf-8")


def package_text(path: str) -> str:
    """Return the text of a file in the package. ``path``: its path relative to the package."""
    return (PACKAGE / path).read_text(encoding="utf-8")


def package_code_files(paths: Sequence[str]) -> Iterator[tuple[str, bytes]]:
    """Yield the Python files of the package that ``paths`` names: files, or folders with all files below them.

    Each is a pair: its path relative to the package, and its bytes.
    """
    for part in paths:
        path = PACKAGE / part
        for file in sorted(path.rglob("*.py")) if path.is_dir() else [path]:
            yield file.relative_to(PACKAGE).as_posix(), file.read_bytes()


def library_files(library: str, suffixes: Sequence[str]) -> Iterator[tuple[str, bytes]]:
    """Yield files of an installed pure-Python library, each as a pair: its path and its bytes.

    These are the files whose names end in one of ``suffixes``, and all licences. Tests are left out.
    """
    from importlib.metadata import distribution

    for file in sorted(distribution(library).files or []):
        path = file.as_posix()
        if (
            "/tests/" not in path
            and (path.endswith(tuple(suffixes)) or "/licenses/" in path)
            and not path.startswith("..")
        ):
            yield path, file.read_binary()


def site_workflow_bytes() -> bytes:
    """Return the bytes of a workflow file for a git host, which builds a site from the rulesets of a repository."""
    return (data_folder("docs") / "shelf" / "workflow.yml").read_bytes()


def licence_bytes() -> bytes:
    """Return the text of the project's licence, as bytes."""
    from importlib.metadata import distribution

    text = distribution("oddsmith").read_text("licenses/LICENSE")
    assert text is not None, "every installed package has its licence beside it"
    return text.encode()
