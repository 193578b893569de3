"""Node, for what tests ask of JavaScript."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import Any, NoReturn

import pytest

ROOT = Path(__file__).resolve().parents[1]
NODE = ROOT / "build" / "venv" / "bin" / "node"
SEEDED = ("--import", str(ROOT / "tests" / "seeded.mjs"))  # chance of scripts falls alike in every run


def missing(what: str) -> NoReturn:
    """Skip at a desk, fail in CI: there, a test that did not run would pass for one that did."""
    if os.environ.get("CI") == "true":
        pytest.fail(what)
    pytest.skip(what)


def pictures() -> str:
    """The folder for pictures of scenes when `make shots` asks for them; empty otherwise."""
    folder = os.environ.get("ODDSMITH_SHOTS", "")
    if folder:
        Path(folder).mkdir(parents=True, exist_ok=True)
    return folder and str(Path(folder).resolve())


def picture(name: str) -> dict[str, str]:
    """Where a scene leaves its picture when `make shots` asks for pictures: words of its job; none otherwise."""
    folder = pictures()
    if not folder:
        return {}
    place = Path(folder) / f"{name}-{len(list(Path(folder).glob(f'{name}-*.png'))) + 1}.png"
    place.touch()  # the next one has another name
    return {"shot": str(place)}


def answers(script: Path, *jobs: Any, timeout: int = 200) -> list[Any]:
    """What a script answers: it reads jobs as lines of JSON, and writes answers so."""
    if not NODE.exists():
        missing("Node is not set up: run `make setup`")
    done = subprocess.run(
        [str(NODE), *SEEDED, str(script)],
        input="\n".join(map(json.dumps, jobs)),
        capture_output=True,
        text=True,
        timeout=timeout,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-4000:]
    return [json.loads(line) for line in done.stdout.splitlines()]
