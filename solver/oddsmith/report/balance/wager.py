"""What a bet costs whoever makes it: the edge of the house, the swing, the payout that would be fair, and the risk of ruin.

A bet is a game for one player that can lose something; what it can lose at most is the stake. Everything is a fraction.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from oddsmith.errors import InputError
from oddsmith.exact import Number
from oddsmith.outcomes import Distribution
from oddsmith.solve import Solution
from oddsmith.solve.questions import distribution

STATES = 20_000  # up to which the whole law of what a bet brings is worked out here
PURSES = (10, 20, 50)  # stakes


@dataclass(frozen=True)
class Wager:
    """``edge``: what is lost on average, as a share of the stake. ``fair``: what a win would have to pay for each unit staked.

    ``ruin``: for purses of that many stakes, the chance to lose them all before they are doubled; empty where the payout is not
    even (the classical ruin of the gambler: Feller, An Introduction to Probability Theory, volume 1, chapter XIV). ``law``: of
    what the bet brings.
    """

    stake: Fraction
    win: Fraction
    push: Fraction
    edge: Fraction
    spread: Number | None
    fair: Fraction | None
    ruin: tuple[tuple[int, Fraction], ...]
    law: Distribution


def wager(solution: Solution) -> Wager | None:
    """The game as a bet under its best play; None where nothing can be lost, or the law is not known exactly."""
    graph = solution.graph
    if graph.seats != 1 or graph.states > STATES or min(unit for units in graph.payoffs for unit in units) >= 0:
        return None
    try:
        law = distribution(solution, "payoff")
    except InputError:
        return None
    chances = {outcome.value: outcome.chance.exact for outcome in law.outcomes}
    known = {value: chance for value, chance in chances.items() if value is not None and chance is not None}
    if law.beyond.exact != 0 or len(known) < len(chances) or not known or min(known) >= 0:
        return None
    stake = -min(known)
    mean = sum((value * chance for value, chance in known.items()), Fraction(0))
    win = sum((chance for value, chance in known.items() if value > 0), Fraction(0))
    lost = sum((value * chance for value, chance in known.items() if value < 0), Fraction(0))
    even = set(known) <= {-stake, Fraction(0), stake} and win > 0
    ratio = known[-stake] / win if even else Fraction(0)
    ruin = tuple((purse, ratio**purse / (1 + ratio**purse)) for purse in PURSES) if even else ()
    fair = -lost / win / stake if win else None
    return Wager(stake, win, known.get(Fraction(0), Fraction(0)), -mean / stake, law.spread, fair, ruin, law)
