"""The command line in this process: a new one would import everything again. ``tests/robust`` starts real ones."""

from __future__ import annotations

import io
import signal
import subprocess
from contextlib import chdir, redirect_stderr, redirect_stdout
from contextvars import copy_context
from pathlib import Path

import pytest

from oddsmith.cli import main


def run(*words: str, cwd: Path | None = None, given: str = "", **env: str) -> subprocess.CompletedProcess[str]:
    """How a command ends that is started from a terminal that is none."""
    out, err = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8") for _ in range(2))
    interrupted = signal.getsignal(signal.SIGINT)  # a command that is broken off lets the next one end its process
    with pytest.MonkeyPatch.context() as patch, chdir(cwd or Path.cwd()), redirect_stdout(out), redirect_stderr(err):
        patch.setattr("sys.stdin", io.StringIO(given))
        for name, value in env.items():
            patch.setenv(name, value)
        try:
            with pytest.raises(SystemExit) as end:
                copy_context().run(main, list(words))  # limits that it sets are its own
        finally:
            signal.signal(signal.SIGINT, interrupted)
    code = end.value.code
    assert isinstance(code, int)
    return subprocess.CompletedProcess(words, code, shown(out), shown(err))


def shown(stream: io.TextIOWrapper) -> str:
    """What was written to a stream, as text and as bytes."""
    stream.flush()
    stream.seek(0)
    return stream.read()


def committed(folder: Path) -> None:
    """Make a git repository of a folder, in which all its files are committed."""
    who = ("-c", "user.name=nobody", "-c", "user.email=nobody@example.org")
    for words in (("init", "-q"), ("add", "."), (*who, "commit", "-q", "-m", "as it was")):
        subprocess.run(["git", "-C", str(folder), *words], check=True, capture_output=True)  # noqa: S607 - git is meant
