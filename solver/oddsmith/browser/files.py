"""The files of the playground (the page on which a reader changes a game): the page, the interpreter, the packages for
solving, and archives of this program.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from fnmatch import fnmatchcase
from hashlib import sha256
from typing import Any

from oddsmith.base.errors import InputError
from oddsmith.base.files import folder_files, zip_archive
from oddsmith.base.resources import (
    PACKAGE,
    VERSION,
    data_folder,
    library_files,
    licence_bytes,
    package_code_files,
    package_text,
    site_workflow_bytes,
    starter_names,
    starter_text,
)

LOCK = "pyodide-lock.json"
PROGRAM = ("pyodide.asm.mjs", "pyodide.asm.js")
"""The script of the interpreter, by its present name and by its former one."""
INTERPRETER = ("pyodide.mjs", "pyodide.asm.wasm", "python_stdlib.zip", LOCK)
"""The other files of Pyodide that a browser loads."""
SOLVING = ("numpy", "scipy", "python-flint")
"""The packages that solving needs in addition; they are compiled, so a browser needs special wheels."""
FLINT = "python_flint-*.whl"
"""The wheel of python-flint, which is on PyPI and not in Pyodide."""
PYODIDE = ("package.json", *INTERPRETER, *PROGRAM, FLINT, "numpy-*", "scipy-*", "openblas-*", "libopenblas-*")
"""The files that are read from a folder of Pyodide, which may contain many more."""
NETWORK = "https://cdn.jsdelivr.net/pyodide/"
"""The delivery network of Pyodide, from which browsers load packages that a site lacks."""

UNKNOWN = "unknown"
"""The version of a folder of Pyodide that does not state its version."""

LIBRARIES = ("attrs", "jsonschema", "jsonschema-specifications", "referencing", "ruamel.yaml", "threadpoolctl")
"""The packages of pure Python that reading and solving need, in the versions that are installed here."""

ROOMS = (
    "__init__.py", "api", "base", "browser", "design", "editor", "expr", "graph", "proof", "publish/__init__.py",
    "publish/markup", "publish/pages/__init__.py", "publish/pages/rules.py", "report", "rolls", "ruleset", "solve",
)  # fmt: skip
"""The parts of this program that go into the first archive."""

TABLETOP = (
    "tabletops/__init__.py", "tabletops/roll_tables.py", "tabletops/shared.py", "tabletops/solved.py", "tabletops/foundry",
    "publish/pages", "publish/sections",
)  # fmt: skip
"""The parts of this program that make modules for Foundry. They are loaded in a second archive, with the scripts of
modules, once somebody wants a module.
"""
ANSWER = "answer"
"""The folder of the scripts that show answers."""

TEXTS = ("ruleset/checking/codes.yaml", "rolls/rolls.peg", "rolls/anydice.peg")
"""Data files in the folders of the code."""

_DATA = f"{PACKAGE.name}/_data"


def playground_files(pyodide_files: Mapping[str, bytes], network_url: str = NETWORK) -> dict[str, bytes]:
    """Return the files of the playground, by path below the root of a site.

    ``pyodide_files``: the files of the npm package ``pyodide``, or of the release archive, and the wheel of
    python-flint. Packages for solving among them become part of the site. Other packages are loaded from
    ``network_url`` once a reader agrees. Raises InputError if files are missing or their hashes differ from the lock
    file.
    """
    from oddsmith.publish import PLAYGROUND

    program = [name for name in PROGRAM if name in pyodide_files] or PROGRAM[:1]
    interpreter = (*INTERPRETER, *program)
    missing = [name for name in interpreter if name not in pyodide_files]
    if missing:
        raise InputError(
            f"the folder of Pyodide has no {missing[0]}: name the folder of the unpacked npm package `pyodide`"
        )
    site = folder_files(data_folder("site"), (f"{PLAYGROUND}/*", f"{ANSWER}/*"))
    pages = {name: data for name, data in site.items() if name.endswith(".html")}
    scripts = {f"assets/{name}": data for name, data in site.items() if name.endswith((".mjs", ".css"))}
    python = {name: pyodide_files[name] for name in interpreter} | _solving_files(pyodide_files, network_url)
    python["oddsmith.zip"] = zip_archive(dict(_program_archive_files()))
    python["foundry.zip"] = zip_archive(dict(_foundry_archive_files()))
    python["VERSION"] = f"Pyodide {_pyodide_version(pyodide_files)}\n".encode()
    pages[f"{PLAYGROUND}/starters.json"] = _json_bytes([_starter_entry(shape) for shape in starter_names()])
    return pages | scripts | {f"{PLAYGROUND}/python/{name}": data for name, data in python.items()}


def _starter_entry(starter: str) -> dict[str, str]:
    """Return a ruleset to start from, with its kind of game and a line about it."""
    text = starter_text(starter).partition("\n")[2]  # without the line that names the schema
    summary = text.partition("\nsummary: ")[2].partition("\n")[0]
    return {"kind": starter.replace("-", " ").capitalize(), "about": summary, "text": text}


# --- what solving takes


def _solving_files(pyodide_files: Mapping[str, bytes], network_url: str) -> dict[str, bytes]:
    """Return the files that a browser needs for solving, by name: those packages that are in ``pyodide_files``, a lock
    file that names all packages, and ``solving.json`` for the page.

    ``solving.json`` has two keys. ``packages`` lists the packages that solving needs; it is empty if the site cannot
    offer to solve. ``network`` maps the addresses of packages that the site lacks to their hashes.
    """
    lock = json.loads(pyodide_files[LOCK])
    wheel = next((name for name in sorted(pyodide_files) if fnmatchcase(name, FLINT)), None)
    if wheel:
        lock["packages"].setdefault("python-flint", _flint_lock_entry(wheel, pyodide_files[wheel]))
    needed = _needed_packages(lock["packages"])
    version = _pyodide_version(pyodide_files)
    home = f"{network_url}v{version}/full/"
    files, elsewhere = {}, {}
    for entry in needed.values():
        name = entry["file_name"]
        if name in pyodide_files:
            files[name] = _verified_bytes(name, pyodide_files[name], entry["sha256"])
        else:
            entry["file_name"] = home + name
            elsewhere[home + name] = entry["sha256"]
    known = needed and not (elsewhere and version == UNKNOWN)
    needs = {"packages": list(SOLVING) if known else [], "network": elsewhere}
    return {**files, LOCK: _json_bytes(lock | {"packages": needed}), "solving.json": _json_bytes(needs)}


def _needed_packages(packages: Mapping[str, Any]) -> dict[str, Any]:
    """Return the entries of the packages for solving and of all their dependencies, by name; empty if one of them is
    not in ``packages``.
    """
    found: dict[str, Any] = {}
    coming = list(SOLVING)
    while coming:
        name = coming.pop()
        if name not in packages:
            return {}
        if name not in found:
            found[name] = dict(packages[name])
            coming += found[name]["depends"]
    return found


def _flint_lock_entry(wheel: str, data: bytes) -> dict[str, Any]:
    """Return the entry of python-flint for a lock file."""
    return {
        "name": "python-flint", "version": wheel.split("-")[1], "file_name": wheel, "sha256": sha256(data).hexdigest(),
        "install_dir": "site", "package_type": "package", "imports": ["flint"], "depends": [], "unvendored_tests": False,
    }  # fmt: skip


def _verified_bytes(name: str, data: bytes, expected_sha256: str) -> bytes:
    if sha256(data).hexdigest() != expected_sha256:
        raise InputError(f"{name} in the folder of Pyodide is not the file that {LOCK} names: unpack the archive again")
    return data


def _pyodide_version(pyodide_files: Mapping[str, bytes]) -> str:
    if "package.json" in pyodide_files:
        return str(json.loads(pyodide_files["package.json"])["version"])
    return str(json.loads(pyodide_files[LOCK])["info"].get("version", UNKNOWN))


def _json_bytes(data: Any) -> bytes:
    return json.dumps(data, sort_keys=True).encode()


# --- what is ours


def _program_archive_files() -> Iterator[tuple[str, bytes]]:
    for path, data in _code_files(ROOMS):
        yield path, data
        if path.endswith("browser/rpds.py"):
            yield "rpds.py", data
    for name in TEXTS:
        yield f"{PACKAGE.name}/{name}", package_text(name).encode()
    yield f"{_DATA}/docs/shelf/workflow.yml", site_workflow_bytes()
    for folder in ("schemas", "rulesets"):
        yield from ((f"{_DATA}/{folder}/{name}", data) for name, data in folder_files(data_folder(folder)).items())
    for name in LIBRARIES:
        yield from library_files(name, (".py", ".json"))


def _foundry_archive_files() -> Iterator[tuple[str, bytes]]:
    """Yield the files of the archive with which a browser makes modules for Foundry, each with its path: code, the
    scripts of modules, and the version and the licence of this program.
    """
    yield from _code_files(TABLETOP)
    for folder in ("foundry", "runtime", "bundled"):
        for name, data in folder_files(data_folder("site") / folder).items():
            is_script = name.endswith((".mjs", ".js")) and not name.startswith("rolls/")
            if is_script or name == "module.css" or name.startswith("lang/"):
                yield f"{_DATA}/site/{folder}/{name}", data
    named = f"oddsmith-{VERSION}.dist-info"
    yield f"{named}/METADATA", f"Metadata-Version: 2.1\nName: oddsmith\nVersion: {VERSION}\n".encode()
    yield f"{named}/licenses/LICENSE", licence_bytes()


def _code_files(paths: Sequence[str]) -> Iterator[tuple[str, bytes]]:
    """Yield the code files of the given parts of this program, by path in an archive."""
    yield from ((f"{PACKAGE.name}/{path}", data) for path, data in package_code_files(paths))
