"""What one game costs and brings: payoffs as coins won or lost."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from oddsmith.errors import ContestError
from oddsmith.exact import fraction_text
from oddsmith.outcomes import Distribution
from oddsmith.report.book import coins
from oddsmith.ruleset import Game


@dataclass(frozen=True)
class Stake:
    """What a game costs: ``paid`` by everybody before it. What it brings is its payoff times ``factor``, less that.

    ``rules``: the rules themselves say so, since coins go to and fro. ``pot``: the winner takes what all paid. ``need``: the
    coins that a game is entered with: what it costs, or the most that it can lose, if that is more; 0 where it is nothing.
    """

    paid: Fraction
    factor: Fraction
    rules: bool = False
    pot: bool = False
    need: Fraction = Fraction(0)


@dataclass(frozen=True)
class Brought:
    """What one game brings, each amount with a chance that is at most the true one.

    ``ends``: the least and the greatest that is possible; None where it is not known.
    """

    chances: dict[Fraction, Fraction]
    ends: tuple[Fraction, Fraction] | None

    @property
    def exact(self) -> bool:
        """Whether the chances are the true ones."""
        return sum(self.chances.values()) == 1

    @staticmethod
    def of(law: Distribution, stake: Stake, seats: int) -> Brought:
        """From the law of a payoff and what the game costs. Raises ContestError where too little of it is known."""
        known = [(each.value, each.chance.lower) for each in law.outcomes if each.value is not None]
        chances = {value * stake.factor - stake.paid: chance for value, chance in known if chance}
        if not chances:
            raise ContestError(f"too little is known of {law.what}: take smaller settings")
        if stake.pot or stake.rules:
            return Brought(chances, (-stake.paid, (seats - 1) * stake.paid))
        return Brought(chances, (min(chances), max(chances)) if law.beyond.upper == 0 else None)


def stake_of(game: Game, objective: str, asked: int | None) -> Stake:
    """What a game costs: what the rules say, or what was asked for; 1 for a pot, and else nothing. Raises ContestError."""
    payoff, held = game.ruleset.payoffs[objective], coins(game.ruleset).get(objective)
    if payoff.goal == "min" and asked:
        raise ContestError(f"{objective} is to be low, so no stake can be won or lost by it: leave out the stake")
    if held is not None and game.seats > 1:
        total = sum(game.start[cell] for name in held for cell in game.cells_of(name))
        paid = Fraction(total, game.seats)
        if asked is not None:
            raise ContestError(f"each player already brings {fraction_text(paid)} to this game: leave out the stake")
        return Stake(paid, factor=Fraction(1), rules=True)
    pot = payoff.is_share and game.seats > 1
    paid = Fraction(asked if asked is not None else int(pot))
    return Stake(paid, factor=game.seats * paid if pot else Fraction(1), pot=pot)
