"""The unit in which the values of an objective are counted."""

from __future__ import annotations

from dataclasses import dataclass

from oddsmith.ruleset.model import Payoff


@dataclass(frozen=True)
class Unit:
    """The unit of values.

    ``name``: the word that follows a number; empty for shares of one win. ``chance``: whether values are probabilities,
    shown in percent.
    """

    name: str
    chance: bool

    @staticmethod
    def of(payoff: Payoff) -> Unit:
        """Return the unit of a payoff: the unit that the ruleset names, else the name of the payoff."""
        name = payoff.unit[1] if payoff.unit else payoff.name.replace("_", " ")
        return Unit("" if payoff.is_share else name, payoff.has_probability_as_mean)

    @property
    def column_heading(self) -> str:
        """The heading of a column of values in this unit."""
        return self.name or "chance of winning"

    @property
    def axis_name(self) -> str:
        """The name of a chart axis of values in this unit."""
        return f"{self.column_heading}{' (%)' * self.chance}"

    @property
    def chart_scale(self) -> int:
        """The factor by which values are multiplied in a chart."""
        return 100 if self.chance else 1
