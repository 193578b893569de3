"""Node, and in it Foundry's own command line tool, asked to unpack and to pack; what is not set up skips its tests."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from oddsmith.base.files import write_folder_files
from tests.chromium import ROOT, missing
from tests.node import NODE

HERE = Path(__file__).resolve().parent


def official(verb: str, folder: Path, packs: Mapping[str, Mapping[str, bytes]]) -> dict[str, dict[str, Any]]:
    """``extract``: the documents in the databases of packs; ``compile``: the records that their JSON files make; by key."""
    if not (ROOT / "node_modules" / "@foundryvtt").is_dir():
        missing("Foundry's tool is not set up: run `make browser`")
    for name, files in packs.items():
        write_folder_files(folder / name, dict(files))
    found: dict[str, dict[str, Any]] = json.loads(node("official.mjs", verb, str(folder), *packs))
    return found


def node(script: str, *words: str) -> str:
    """What a script of this folder prints."""
    if not NODE.exists():
        missing("Node is not set up: run `make setup`")
    done = subprocess.run(
        [str(NODE), str(HERE / script), *words], capture_output=True, text=True, check=False, timeout=120
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def by_key(documents: Mapping[str, bytes]) -> dict[str, Any]:
    return {document["_key"]: document for document in map(json.loads, documents.values())}
