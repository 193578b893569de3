"""Whatever is fed to the program is answered or refused in words: no traceback, no hang, bounded memory."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests.fuzz.feeding import KINDS, ROOT, fed

SLICE = {
    "ruleset": 60,
    "state": 100,
    "words": 25,
    "question": 200,
    "transcript": 100,
    "language": 100,
    "certificate": 25,
    "typed": 60,
}
LONG = {
    "ruleset": 60_000,
    "state": 10_000,
    "words": 6_000,
    "question": 10_000,
    "transcript": 10_000,
    "language": 7_000,
    "certificate": 7_000,
    "typed": 10_000,
}
SHARE = 2_000  # files of one process of the long run


@pytest.mark.parametrize("kind", KINDS)
def test_a_slice_of_files_with_slips_is_answered_or_refused(kind: str) -> None:
    assert set(SLICE) == set(KINDS)
    ways = [fed(kind, seed) for seed in range(SLICE[kind])]
    assert len(set(ways)) > 1, "the slips are so small, or so large, that all files go the same way"


@pytest.mark.long
@pytest.mark.parametrize(
    ("kind", "first"), [(kind, first) for kind, count in LONG.items() for first in range(0, count, SHARE)]
)
def test_100_000_files_with_slips_are_answered_or_refused(kind: str, first: int) -> None:
    """In processes of their own, with bounded memory, and with a time after which a file counts as a hang."""
    count = min(SHARE, LONG[kind] - first)
    words = [sys.executable, "-m", "tests.fuzz", kind, str(1_000_000 + first), str(count)]
    done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-10_000:]
