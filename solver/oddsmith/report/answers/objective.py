"""What follows from the objective of an answer, whatever the kind of the answer."""

from __future__ import annotations

from typing import Protocol

from oddsmith.report.facts.unit import Unit
from oddsmith.ruleset import Game
from oddsmith.ruleset.model import Payoff, Setting


class _OfGame(Protocol):
    """An answer about a game at a setting."""

    @property
    def game(self) -> Game: ...
    @property
    def setting(self) -> Setting: ...


def _objective_of(answer: _OfGame) -> Payoff:
    return answer.game.ruleset.payoffs[answer.setting.objective]


class WithObjective:
    """The properties of an answer that follow from its objective. The answer has a game and a setting."""

    @property
    def unit(self: _OfGame) -> Unit:
        """The unit of the values."""
        return Unit.of(_objective_of(self))

    @property
    def is_payoff_minimized(self: _OfGame) -> bool:
        """Whether the payoff is minimized, such as a number of turns."""
        return _objective_of(self).goal == "min"
