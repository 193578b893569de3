"""The unit in which the values of an objective are counted."""

from __future__ import annotations

from dataclasses import dataclass

from oddsmith.ruleset.model import Payoff


@dataclass(frozen=True)
class Unit:
    """The unit of values.

    ``name``: a word after a number; empty for shares of one win. ``chance``: whether values are chances, shown in percent.
    """

    name: str
    chance: bool

    @staticmethod
    def of(payoff: Payoff) -> Unit:
        """Return the unit of a payoff: its name, unless the ruleset names another."""
        name = payoff.unit[1] if payoff.unit else payoff.name.replace("_", " ")
        return Unit("" if payoff.is_share else name, payoff.pays_chances)

    @property
    def heading(self) -> str:
        """The heading of a column of such values."""
        return self.name or "chance of winning"

    @property
    def axis(self) -> str:
        """The name of an axis of such values."""
        return f"{self.heading}{' (%)' * self.chance}"

    @property
    def scale(self) -> int:
        """The factor by which values are drawn."""
        return 100 if self.chance else 1
