"""Where the machine counts in 32 bits, as in a browser, games have the same answers as here."""

from __future__ import annotations

import io
import json
import zipfile
from base64 import b64decode
from pathlib import Path
from typing import Any

import oddsmith
from oddsmith.base.files import find_ruleset
from tests.node import ROOT, answers
from tests.playground import odds
from tests.playground.narrow import archive, bundle, site_of

GAMES: list[tuple[str, dict[str, Any]]] = [
    ("piglet", {"target": 5}),
    ("craps", {}),
    ("pig", {"target": 20}),
    ("rogues-gambit", {"seats": 2, "coins_each": 6, "full_belly": "pocketed"}),
    ("rogues-gambit", {"seats": 3, "coins_each": 4}),
    ("burglar-and-the-dragon", {"seats": 2, "tokens_each": 2, "leaving": "allowed", "rounds": 2}),
    ("dragons-lair", {}),
]
"""Of several kinds: one seat, two and three; for one win and for coins; with cycles, in few states and in many."""
PROGRAM = """
import json
import oddsmith

def told(name, settings):
    solved = oddsmith.load(name).solve(**settings)
    values = [[str(each.exact), each.decimal(30)] for each in solved.values]
    lengths = solved.distribution("turns").mean.decimal(20)
    measures = {name: each.decimal(12) for name, each in solved.measures.items()}
    graph = solved.solution.graph
    return [solved.grade, str(solved.kind), values, lengths, measures, graph.state_count, solved.outline(rules=False).to_json()]
"""


MODULE = {"seats": 2, "values": {"coins_each": 4}}
"""The setting of a module with odds. The game has formulas, which such a machine leaves out."""


def test_answers_where_counts_have_32_bits_equal_those_here(tmp_path: Path) -> None:
    site = site_of(archive())
    for name in ("oddsmith.zip", "foundry.zip"):
        with zipfile.ZipFile(io.BytesIO(site[f"playground/python/{name}"])) as ours:
            ours.extractall(tmp_path)
    (tmp_path / "flint.py").write_bytes((ROOT / "tests" / "wasm" / "flint.py").read_bytes())
    check = "import numpy as np; assert np.intp is np.int32 or np.dtype(np.intp).itemsize == 4\n"
    ask = f"\nfor name, settings in json.loads({json.dumps(GAMES)!r}):\n    print(json.dumps(told(name, settings)))\n"
    text = find_ruleset("rogues-gambit").read_text("utf-8")
    ask += (
        "import base64\nfrom oddsmith.browser import BrowserSolver\n"
        f"told, data = BrowserSolver().foundry_module({text!r}, {MODULE}, lambda part: None)\n"
        "print(json.dumps([told, base64.b64encode(data).decode()]))\n"
    )
    job = {"pyodide": str(bundle()), "app": str(tmp_path), "program": check + PROGRAM + ask}
    *found, (said, module) = answers(ROOT / "tests" / "wasm" / "solve.mjs", job, timeout=400)
    here: dict[str, Any] = {"oddsmith": oddsmith}
    exec(PROGRAM, here)  # noqa: S102 - the program above
    assert found == [json.loads(json.dumps(here["told"](name, settings))) for name, settings in GAMES]
    assert said == {"name": "oddsmith-rogues-gambit.zip"}
    assert odds.files(b64decode(module)) == odds.module(text, **MODULE)  # type: ignore[arg-type]
