"""A fixed slice of the changes to the checker is seen by the suite; ``make mutants`` makes all of them."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize(
    ("module", "place"),
    [
        ("tests.mutants", "proof.values.ValueTable.check_value_follows"),
        ("tests.mutants", "proof.values.ValueTable.distance_to_end"),
        ("tests.mutants.script", "ending: "),
        ("tests.mutants.script", "seatsTotal: "),
    ],
)
def test_the_suite_sees_what_is_changed(module: str, place: str) -> None:
    command = [sys.executable, "-m", module, "--only", place]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert not done.stdout.startswith("0 mutants")
