"""How long work tells how far it has come."""

from __future__ import annotations

from collections.abc import Callable

Progress = Callable[[str, int, int], None]
"""Takes what is being done, how much of it is done, and how much there is so far."""


def silent(what: str, done: int, total: int) -> None:
    """Tell nobody."""
