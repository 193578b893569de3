"""What holds for all tests."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from math import inf

import pytest


@pytest.fixture(scope="session", autouse=True)
def interrupts_are_heard() -> None:
    """By the commands that tests start, even if the tests run where interrupts are ignored, as in a shell's background."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(scope="session", autouse=True)
def no_lines_about_progress() -> Iterator[None]:
    """What a command says on a slow machine beside its answer is said in one test alone."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("oddsmith.cli.shared.common.EVERY", inf)
        yield


@pytest.fixture(scope="session", autouse=True)
def own_state(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """The key of kept answers is one for the tests, not that of whoever runs them."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_STATE_HOME", str(tmp_path_factory.mktemp("state")))
        yield
