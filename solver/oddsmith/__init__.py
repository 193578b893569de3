"""Oddsmith: rules of dice games as YAML, exact odds and optimal play, proven.

>>> import oddsmith
>>> solution = oddsmith.load("rogues-gambit").solve(seats=2)
>>> solution.values[0].decimal(6)
'27.346953'
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

    from oddsmith.library import Book

__version__ = "0.1.0"
__all__ = ["__version__", "load"]


def load(name: str | Path) -> Book:
    """The ruleset in a file, or a shipped one by its id. Raises ``oddsmith.errors.RulesetError``."""
    from oddsmith.library import Book

    return Book.open(name)
