"""What holds for all tests."""

from __future__ import annotations

import gc
import signal
from collections.abc import Iterator
from math import inf
from typing import Any

import pytest

from tests.cases import Case, is_large
from tests.chromium import browser, site
from tests.rooms import ByRoom, late, rank

# For all rooms: files that took such a fixture from elsewhere would each start a browser of their own.
__all__ = ["browser", "site"]

gc.disable()  # what is collected here is kept to the end: looking through it takes a third of the time


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """Rooms are shared out among the workers, in the order in which their tests stand."""
    config.option.loadscopereorder = False  # by how many tests a room has
    return ByRoom(config, log)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Rooms that take long come first. Games that take long, and what ``late`` says, wait for the long run."""
    items.sort(key=lambda item: rank(item.path.parent.name))
    for item in late(items):
        item.add_marker(pytest.mark.long)
    for item in items:
        values = (
            item.callspec.params.values() if isinstance(item, pytest.Function) and hasattr(item, "callspec") else ()
        )
        if any(isinstance(value, Case) and is_large(value) for value in values):
            item.add_marker(pytest.mark.long)


def pytest_collection_finish() -> None:
    """From here on there is garbage, none of it among the tests themselves."""
    gc.freeze()
    gc.enable()


@pytest.fixture(scope="session", autouse=True)
def interrupts_are_heard() -> None:
    """By the commands that tests start, even if the tests run where interrupts are ignored, as in a shell's background."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(scope="session", autouse=True)
def no_lines_about_progress() -> Iterator[None]:
    """What a command says on a slow machine beside its answer is said in one test alone."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("oddsmith.cli.common.SECONDS_BETWEEN_REPORTS", inf)
        yield


@pytest.fixture(scope="session", autouse=True)
def own_state(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """The key of kept answers is one for the tests, not that of whoever runs them."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_STATE_HOME", str(tmp_path_factory.mktemp("state")))
        yield
