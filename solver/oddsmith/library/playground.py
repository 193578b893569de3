"""The files of the playground: its page, the interpreter, and one archive with all the Python that runs there."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Iterator, Mapping

from oddsmith.errors import InputError
from oddsmith.files import folder_files
from oddsmith.resources import PACKAGE, data_folder, library_files, package_code, package_text

INTERPRETER = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip", "pyodide-lock.json")
"""The files of the npm package ``pyodide`` that a browser loads."""

LIBRARIES = ("attrs", "jsonschema", "jsonschema-specifications", "referencing", "ruamel.yaml")
"""What reading a ruleset takes: packages of pure Python, in the versions that are installed here."""

ROOMS = (
    "__init__.py", "answering", "arrays.py", "certify", "derive", "dice.py", "errors.py", "exact.py", "expr", "files.py",
    "frames.py", "graph", "library", "limits.py", "location.py", "outcomes.py", "playground", "progress.py", "report",
    "resources.py", "ruleset", "simulate.py", "solve", "systems.py",
)  # fmt: skip
"""What goes along of the program itself."""

TEXTS = ("ruleset/checking/codes.yaml",)
"""Data that lie beside the code."""

_DAY = (2026, 1, 1, 0, 0, 0)  # any date: two builds give the same bytes


def playground_files(pyodide: Mapping[str, bytes]) -> dict[str, bytes]:
    """The files of the playground, by path below the root of a site, from the files of an unpacked npm package ``pyodide``.

    Raises InputError where that is something else.
    """
    from oddsmith.publish import PLAYGROUND

    missing = [name for name in INTERPRETER if name not in pyodide]
    if missing:
        raise InputError(
            f"the folder of Pyodide has no {missing[0]}: name the folder of the unpacked npm package `pyodide`"
        )
    version = json.loads(pyodide["package.json"])["version"] if "package.json" in pyodide else "unknown"
    site = folder_files(data_folder("site") / PLAYGROUND)
    pages = {f"{PLAYGROUND}/{name}": data for name, data in site.items() if name.endswith(".html")}
    scripts = {f"assets/{PLAYGROUND}/{name}": data for name, data in site.items() if name.endswith((".mjs", ".css"))}
    python = {f"{PLAYGROUND}/python/{name}": pyodide[name] for name in INTERPRETER}
    archive = {
        f"{PLAYGROUND}/python/oddsmith.zip": _archive(),
        f"{PLAYGROUND}/python/VERSION": f"Pyodide {version}\n".encode(),
    }
    return pages | scripts | python | archive


def _archive() -> bytes:
    """The program and what it needs to read rulesets, as a browser unpacks it."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in sorted(dict(_contents()).items()):
            archive.writestr(zipfile.ZipInfo(name, _DAY), data, zipfile.ZIP_DEFLATED)
    return packed.getvalue()


def _contents() -> Iterator[tuple[str, bytes]]:
    for path, data in package_code(ROOMS):
        yield f"{PACKAGE.name}/{path}", data
        if path == "playground/rpds.py":
            yield "rpds.py", data
    for name in TEXTS:
        yield f"{PACKAGE.name}/{name}", package_text(name).encode()
    for folder in ("schemas", "rulesets"):
        yield from (
            (f"{PACKAGE.name}/_data/{folder}/{name}", data) for name, data in folder_files(data_folder(folder)).items()
        )
    for name in LIBRARIES:
        yield from library_files(name, (".py", ".json"))
