"""One server for the tests of a file."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.lsp.editor import Editor


@pytest.fixture(scope="module")
def editor() -> Iterator[Editor]:
    """An editor that knows everything the server offers."""
    one = Editor()
    yield one
    one.close()
