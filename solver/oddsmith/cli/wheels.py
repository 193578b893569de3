"""``python -m oddsmith.cli.wheels FOLDER ...``: what solving in a browser takes that folders of Pyodide have not.

Each line is an address with its hash, as pip reads it. With these files in a folder more, a site solves with what lies on it.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from oddsmith.base.files import folder_files
from oddsmith.browser import PYODIDE, playground_files


def wanted(pyodide: Mapping[str, bytes]) -> list[str]:
    """The packages that a site made of these files would let its readers load from elsewhere."""
    needs = json.loads(playground_files(pyodide)["playground/python/solving.json"])
    return [f"{address} --hash=sha256:{digest}" for address, digest in sorted(needs["network"].items())]


def main(folders: Sequence[str]) -> None:
    """Print them."""
    files: dict[str, bytes] = {}
    for each in folders:
        files |= folder_files(Path(each), PYODIDE)
    print(*wanted(files), sep="\n")


if __name__ == "__main__":
    main(sys.argv[1:])
