"""What a game is like, in three measured numbers: how long it lasts, how much it swings, what skill is worth in it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np

from oddsmith.exact import Number
from oddsmith.report.facts.key_facts import Facts
from oddsmith.report.strategy import Ladder
from oddsmith.solve import Solution
from oddsmith.solve.numbers import TooLong
from oddsmith.solve.questions import Played, given
from oddsmith.solve.values import values_under

MOMENT_STATES = 10_000  # up to which pay on the way is squared as well, in fractions


@dataclass(frozen=True)
class Character:
    """``turns``: the mean length. ``swing``: variance of what seat 1 gets over the square of its mean, under best play.

    ``skill``: what seat 1 loses by any legal action at random while the others play best, over the size of what best play
    brings; where random play may never end, what the worst of the named policies loses. None: not known.
    """

    turns: Number | None
    swing: Number | None
    skill: Number | None


def character(solution: Solution, facts: Facts, ladder: Ladder) -> Character:
    """The character of a solved game."""
    best = solution.values[0]
    rungs = [rung.loss for rung in ladder.rungs if rung.kind in ("random", "named") and rung.loss is not None]
    loss = rungs[0] if rungs else None if solution.graph.decisions else Number.of(0)
    return Character(facts.lengths.get("turns"), _swing(solution), None if loss is None else _share(loss, best))


def _share(part: Number, whole: Number) -> Number | None:
    """A part of the size of a whole; None where that may be 0."""
    low, high = min(abs(whole.lower), abs(whole.upper)), max(abs(whole.lower), abs(whole.upper))
    if whole.lower <= 0 <= whole.upper:
        return None
    return Number(max(part.lower, Fraction(0)) / high, max(part.upper, Fraction(0)) / low)


def _swing(solution: Solution) -> Number | None:
    mean, square = solution.values[0], _square(solution)
    if square is None or mean.lower <= 0 <= mean.upper:
        return None
    ends = mean.lower * mean.lower, mean.upper * mean.upper
    return Number(max(square.lower / max(ends) - 1, Fraction(0)), square.upper / min(ends) - 1)


def _square(solution: Solution) -> Number | None:
    """The mean of the square of what seat 1 gets; None where it is not known, or would take long."""
    if solution.mixtures or solution.graph.first:
        return None
    played = Played.of(solution)
    arena, rows = played.arena, played.rows
    pays = np.array([any(units) for units in arena.payoffs])[arena.payoff]
    if not (pays & (arena.target >= 0)).any():  # all is paid at the end: its square is a payoff like any other
        squares = tuple(tuple(unit * unit for unit in units) for units in arena.payoffs)
        if all(unit in (0, arena.scale) for units in arena.payoffs for unit in units):
            return solution.values[0]
        return values_under(replace(arena, payoffs=squares, scale=arena.scale**2), rows)[0]
    if arena.states > MOMENT_STATES:
        return None
    try:
        return Number.of(given(arena, rows, None)[2][0])
    except TooLong:
        return None
