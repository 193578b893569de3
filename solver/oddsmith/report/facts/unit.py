"""What the values of an objective are counted in."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Unit:
    """``name``: a word after a number; empty for shares of one win. ``chance``: whether values are chances, told in percent."""

    name: str
    chance: bool

    @property
    def heading(self) -> str:
        """What a column or an axis of such values is called."""
        return self.name or "chance of winning"
