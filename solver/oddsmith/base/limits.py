"""Limits on the work that is accepted: all of them stand here, and each can be raised."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, fields, replace


@dataclass(frozen=True, slots=True)
class Limits:
    """The most of each thing that is accepted.

    ``values``: keys and values of a file. ``items``: items of a list, and combinations of the names of a loop.
    ``rounds``: rounds of nested loops, for one expression in one position. ``hands``: hands that one roll can show.
    ``kept``: hands that a variable of the state can hold. ``entries``: entries that are worked out one by one, since a
    hand or a word decides what they do. ``tree``: parts of an expression that is evaluated for many positions at once;
    beyond it the positions are split. ``steps``: steps that a game may go on with few new states in each, where it may
    have more than ``states``. ``turns``: turns after which a game is stopped. ``moves``: moves of one game that is
    simulated.
    """

    values: int = 5_000
    items: int = 10_000
    rounds: int = 100_000
    hands: int = 600_000
    kept: int = 100_000
    entries: int = 1_000_000
    tree: int = 2_000
    steps: int = 1_000
    states: int = 100_000_000
    turns: int = 1_000
    moves: int = 10_000_000


USUAL = Limits()
_CURRENT = ContextVar("limits", default=USUAL)


def limits() -> Limits:
    """Return the limits that hold now."""
    return _CURRENT.get()


def set_limits(new: Limits) -> None:
    """Let other limits hold from now on."""
    _CURRENT.set(new)


@contextmanager
def limited(**changes: int) -> Iterator[None]:
    """Change some limits within a context: ``with oddsmith.limited(turns=5_000): ...``.

    A refusal names the limit that it keeps to; all of them stand on the page about limits.
    """
    token = _CURRENT.set(replace(limits(), **changes))
    try:
        yield
    finally:
        _CURRENT.reset(token)


NAMES = tuple(field.name for field in fields(Limits))


def raising_hint(name: str) -> str:
    """Return how a limit is raised, as the end of a hint."""
    return f"or raise the limit: oddsmith --limit {name}={10 * getattr(limits(), name)} ..."
