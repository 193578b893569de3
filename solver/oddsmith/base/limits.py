"""The limits on the work that the program accepts. Each of them can be raised."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, fields, replace


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits on the work that the program accepts. Each is the largest number allowed.

    ``values``: keys and values in a file. ``items``: items of a list, and combinations of loop values. ``rounds``:
    rounds of nested loops, in one expression at one position. ``hands``: hands that one roll can show. ``kept``: hands
    that a variable can hold. ``entries``: entries of rules that are evaluated for each value of a variable separately,
    because they cannot be evaluated for all values at once. ``tree``: nodes of an expression that is evaluated for many
    positions at once; a larger expression is evaluated for fewer positions at a time. ``steps``: steps of exploration
    that find few new states, in a game that may have more than ``states`` states. ``states``: states of a game.
    ``turns``: turns after which a game is stopped. ``moves``: moves of one simulated game.
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
    """Return the limits in force."""
    return _CURRENT.get()


def set_limits(new_limits: Limits) -> None:
    """Replace the limits in force."""
    _CURRENT.set(new_limits)


@contextmanager
def limited(**changes: int) -> Iterator[None]:
    """Change some limits within a context: ``with oddsmith.limited(turns=5_000): ...``.

    An error about a limit names the limit. The page about limits lists all of them.
    """
    token = _CURRENT.set(replace(limits(), **changes))
    try:
        yield
    finally:
        _CURRENT.reset(token)


NAMES = tuple(field.name for field in fields(Limits))


def hint_to_raise_limit(name: str) -> str:
    """Return the end of a hint: how to raise a limit tenfold on the command line. ``name``: the name of the limit."""
    return f"or raise the limit: oddsmith --limit {name}={10 * getattr(limits(), name)} ..."
