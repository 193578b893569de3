"""Node, for what tests ask of JavaScript."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
NODE = ROOT / "build" / "venv" / "bin" / "node"


def answers(script: Path, *jobs: Any, timeout: int = 200) -> list[Any]:
    """What a script answers: it reads jobs as lines of JSON, and writes answers so."""
    done = subprocess.run(
        [str(NODE), str(script)],
        input="\n".join(map(json.dumps, jobs)),
        capture_output=True,
        text=True,
        timeout=timeout,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-4000:]
    return [json.loads(line) for line in done.stdout.splitlines()]
