"""What tests in a browser share: the browser itself, and the site that was built."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.node import NODE, missing

__all__ = ["CHROMIUM", "ROOT", "SITE", "browser", "missing", "site"]

ROOT = Path(__file__).resolve().parents[1]
SITE = ROOT / "build" / "site"
CHROMIUM = ROOT / "build" / "chromium" / "version"


@pytest.fixture(scope="session")
def browser() -> Iterator[None]:
    """One browser for all scripts of this process; each has its pages, cookies and storage to itself."""
    if not CHROMIUM.exists() or not NODE.exists():
        missing("headless Chromium is not set up: run `make browser`")
    script = ROOT / "tests" / "browser" / "chromium.mjs"
    with (
        subprocess.Popen([str(NODE), str(script), "share"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as shared,
        pytest.MonkeyPatch.context() as patch,
    ):  # fmt: skip
        assert shared.stdin
        assert shared.stdout
        patch.setenv("ODDSMITH_BROWSER", shared.stdout.readline().strip())
        yield
        shared.stdin.close()


@pytest.fixture(scope="session")
def site() -> Path:
    if not (SITE / "index.html").exists():
        missing("build/site is missing: run `make site`")
    return SITE
