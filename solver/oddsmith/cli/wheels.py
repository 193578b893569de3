"""``python -m oddsmith.cli.wheels FOLDER ...``: list the packages for solving in a browser that folders of Pyodide
lack.

Each line is an address with its hash, as pip reads it. With these files in a further folder, a site can solve without
another host.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from oddsmith.base.files import folder_files
from oddsmith.browser import PYODIDE, playground_files


def missing_wheel_lines(pyodide_files: Mapping[str, bytes]) -> list[str]:
    """Return the packages that a site made of these files would load from elsewhere, as lines for pip."""
    needs = json.loads(playground_files(pyodide_files)["playground/python/solving.json"])
    return [f"{address} --hash=sha256:{digest}" for address, digest in sorted(needs["network"].items())]


def main(folders: Sequence[str]) -> None:
    """Print the packages that some folders lack."""
    files: dict[str, bytes] = {}
    for each in folders:
        files |= folder_files(Path(each), PYODIDE)
    print(*missing_wheel_lines(files), sep="\n")


if __name__ == "__main__":
    main(sys.argv[1:])
