"""Opponents that a table can offer, each with what it gets when everybody else plays best: computed, never guessed."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from oddsmith.exact import Number
from oddsmith.solve.arena import Ints
from oddsmith.solve.component import EndlessError
from oddsmith.solve.follow import RANDOM, Follower
from oddsmith.solve.policies import rows_of
from oddsmith.solve.solution import Solution

MOST = 1_000_000  # positions with every seat told apart, up to which opponents are valued
MOST_EXACT = 5_000  # of them, up to which in fractions; beyond, by proven bounds
STEADY = (Fraction(3, 4), Fraction(1, 2))  # the mixtures: how many of their decisions are the solution's


@dataclass(frozen=True)
class Opponent:
    """``kind``: ``best``, ``random``, ``named`` or ``mixture``; ``policy``: the ruleset's name of it; ``steady``: the chance
    that a decision of a mixture is the solution's, else any legal action. ``values``: what it gets in each seat.
    """

    name: str
    kind: str
    policy: str = ""
    steady: Fraction | None = None
    values: tuple[Number, ...] = ()


def opponents(solution: Solution) -> tuple[Opponent, ...]:
    """From the best to the plainest; without values where play may never end or the game is too large."""
    graph = solution.graph
    free = np.where(np.diff(graph.state_rows) > 1, RANDOM, -1)
    if not (free == RANDOM).any():
        return (Opponent("Plays along", "best", values=solution.values),)
    found = [Opponent("Best play", "best", values=solution.values)]
    follower = None if solution.mixtures or graph.states * graph.seats > MOST else Follower(solution)
    for steady in STEADY:
        name = f"Best play in {steady.numerator} of {steady.denominator} decisions"
        found.append(Opponent(name, "mixture", steady=steady, values=_values(follower, free, steady)))
    for policy in graph.game.ruleset.policies:
        values = _values(follower, rows_of(graph, policy)) if follower else ()
        found.append(Opponent(policy[:1].upper() + policy[1:], "named", policy, values=values))
    found.append(Opponent("Any legal action", "random", values=_values(follower, free)))
    return tuple(found)


def _values(follower: Follower | None, plan: Ints, steady: Fraction = Fraction(0)) -> tuple[Number, ...]:
    """What each seat gets if it alone plays so."""
    if follower is None:
        return ()
    try:
        seats = range(1, follower.played.graph.seats + 1)
        exact = follower.apart.arena.states <= MOST_EXACT
        return tuple(follower.alone(plan, seat, exact, steady) for seat in seats)
    except (EndlessError, ZeroDivisionError):
        return ()
