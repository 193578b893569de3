"""The files of the playground: its page, the interpreter, and one archive with all the Python that runs there."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from importlib.metadata import version

from oddsmith.archives import zipped
from oddsmith.errors import InputError
from oddsmith.files import folder_files
from oddsmith.resources import PACKAGE, data_folder, library_files, licence, package_code, package_text, workflow

INTERPRETER = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip", "pyodide-lock.json")
"""The files of the npm package ``pyodide`` that a browser loads."""

LIBRARIES = ("attrs", "jsonschema", "jsonschema-specifications", "referencing", "ruamel.yaml")
"""What reading a ruleset takes: packages of pure Python, in the versions that are installed here."""

ROOMS = (
    "__init__.py", "answering", "archives.py", "arrays.py", "certify", "derive", "dice.py", "editing", "errors.py",
    "exact.py", "expr", "faces.py", "files.py", "frames.py", "graph", "library", "limits.py", "location.py",
    "outcomes.py", "playground", "progress.py", "publish/__init__.py", "publish/markup", "publish/telling", "report",
    "resources.py", "ruleset", "simulate.py", "solve", "systems.py",
)  # fmt: skip
"""What goes along of the program itself."""

TABLETOP = ("tabletops/__init__.py", "tabletops/common", "tabletops/foundry")
"""What else of the program makes modules for Foundry. It is loaded, with their scripts, once somebody wants one."""

TEXTS = ("ruleset/checking/codes.yaml",)
"""Data that lie beside the code."""

_DATA = f"{PACKAGE.name}/_data"


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
    interpreter = json.loads(pyodide["package.json"])["version"] if "package.json" in pyodide else "unknown"
    site = folder_files(data_folder("site") / PLAYGROUND)
    pages = {f"{PLAYGROUND}/{name}": data for name, data in site.items() if name.endswith(".html")}
    scripts = {f"assets/{PLAYGROUND}/{name}": data for name, data in site.items() if name.endswith((".mjs", ".css"))}
    python = {f"{PLAYGROUND}/python/{name}": pyodide[name] for name in INTERPRETER}
    archive = {
        f"{PLAYGROUND}/python/oddsmith.zip": zipped(dict(_contents())),
        f"{PLAYGROUND}/python/foundry.zip": zipped(dict(_module())),
        f"{PLAYGROUND}/python/VERSION": f"Pyodide {interpreter}\n".encode(),
    }
    return pages | scripts | python | archive


def _contents() -> Iterator[tuple[str, bytes]]:
    for path, data in _code(ROOMS):
        yield path, data
        if path.endswith("playground/rpds.py"):
            yield "rpds.py", data
    for name in TEXTS:
        yield f"{PACKAGE.name}/{name}", package_text(name).encode()
    yield f"{_DATA}/docs/shelf/workflow.yml", workflow()
    for folder in ("schemas", "rulesets"):
        yield from ((f"{_DATA}/{folder}/{name}", data) for name, data in folder_files(data_folder(folder)).items())
    for name in LIBRARIES:
        yield from library_files(name, (".py", ".json"))


def _module() -> Iterator[tuple[str, bytes]]:
    """What making a module takes besides: code, the scripts of modules, and what the program says of itself."""
    yield from _code(TABLETOP)
    for folder in ("foundry", "runtime"):
        for name, data in folder_files(data_folder("site") / folder).items():
            if name.endswith(".mjs") or name in ("module.css", "lang/en.json"):
                yield f"{_DATA}/site/{folder}/{name}", data
    named = f"oddsmith-{version('oddsmith')}.dist-info"
    yield f"{named}/METADATA", f"Metadata-Version: 2.1\nName: oddsmith\nVersion: {version('oddsmith')}\n".encode()
    yield f"{named}/licenses/LICENSE", licence()


def _code(parts: Sequence[str]) -> Iterator[tuple[str, bytes]]:
    """Code as it stands in an archive, by path."""
    yield from ((f"{PACKAGE.name}/{path}", data) for path, data in package_code(parts))
