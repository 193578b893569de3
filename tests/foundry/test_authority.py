"""The authority at work in a double of the tabletop: who may do what, money, and plays that Python verifies."""

from __future__ import annotations

import json
import re
import subprocess
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest

from oddsmith.ruleset.transcript import read_transcript, verify_transcript
from tests.foundry.books import rules_of, write
from tests.node import NODE

HERE = Path(__file__).resolve().parent


def scenes() -> list[str]:
    """The scenes that are written down, so that none goes missing unseen."""
    files = re.findall(r'"\./(\w+\.mjs)"', (HERE / "scenes.mjs").read_text("utf-8"))
    texts = [(HERE / name).read_text("utf-8") for name in files]
    return [name for text in texts for name in re.findall(r"^export async function (\w+)", text, re.MULTILINE)]


@cache
def played() -> dict[str, dict[str, Any]]:
    """What every scene came to (scenes.mjs), by name."""
    with TemporaryDirectory() as folder:
        write(Path(folder))
        command = [str(NODE), str(HERE / "scenes.mjs"), folder]
        done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stderr[-4000:]
    return {scene["name"]: scene for scene in map(json.loads, done.stdout.splitlines())}


@pytest.mark.parametrize("name", scenes())
def test_scene(name: str) -> None:
    error = played()[name]["error"]
    assert error is None, error


def test_plays_of_the_module_are_verified_here() -> None:
    transcripts = [transcript for scene in played().values() for transcript in scene["transcripts"]]
    assert {transcript["game"] for transcript in transcripts} >= {"piglet", "pig", "marbles", "craps", "hold-the-pot"}
    for transcript in transcripts:
        verified = verify_transcript(read_transcript(json.dumps(transcript).encode()), rules_of(transcript["game"]))
        assert verified.entry_count == len(transcript["log"])
        assert (verified.payoffs is None) == (transcript["payoffs"] is None)
