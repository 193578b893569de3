"""Decisions in which people go wrong often and dearly, for a trainer that cannot ask about all of them.

A person is taken to choose worse actions the less often the more they cost (quantal response: McKelvey and Palfrey, Games
and Economic Behavior 10, 1995). Floats and dice with a fixed seed choose the decisions, and nothing else: what actions are
worth is told by proven values.
"""

from __future__ import annotations

import numpy as np

from oddsmith.arrays import Floats, Ints, arange, bincount, cumsum, repeat
from oddsmith.graph import ranges
from oddsmith.solve import Solution

ASKED = 40  # decisions, for a few trainings that differ
PLAYERS, MOVES = 500, 300  # so many at once, each with so many moves, one play after another
STRAYING = 0.25  # the chance that a move is any legal one, so that play comes to where it should not
CLEAR = 0.25  # the part of losses that are so small that people often do not see them
MET = 2_000  # decisions that play meets most often, among which they are drawn


def hardest(solution: Solution, numbers: Ints) -> Ints:
    """Places in a list of decisions, drawn by how much people lose there in all; empty where nothing can be lost.

    ``numbers``: the decisions as states of the arena, each once.
    """
    random = np.random.default_rng(1)
    met = _met(solution, random)[numbers]
    often = np.argsort(-met, kind="stable")[:MET]
    often = often[met[often] > 0]
    lost = met[often] * _lost(solution, numbers[often])
    found = often[lost > 0]
    # The greatest of u ** (1 / weight) are a sample by weight (Efraimidis and Spirakis 2006).
    keys = np.log(random.random(len(found))) / lost[lost > 0]
    chosen: Ints = random.permutation(found[np.argsort(-keys, kind="stable")[:ASKED]])
    return chosen


def _met(solution: Solution, random: np.random.Generator) -> Ints:
    """How often plays that stray come to each state of the arena."""
    arena, rows = solution.solved.arena, solution.solved.rows
    start = int(arena.copy_of(0, solution.graph.first))
    at = np.full(PLAYERS, start, dtype=np.int64)
    times = np.zeros(arena.states, dtype=np.int64)
    for _ in range(MOVES):
        np.add.at(times, at, 1)
        widths = arena.state_rows[at + 1] - arena.state_rows[at]
        any_row = arena.state_rows[at] + random.integers(widths, dtype=np.int64)
        at = _after(solution, np.where(random.random(PLAYERS) < STRAYING, any_row, rows[at]), random)
        at[at < 0] = start
    return times


def _after(solution: Solution, rows: Ints, random: np.random.Generator) -> Ints:
    """The state that follows each row, by chance; below 0 at the end of a game."""
    arena = solution.solved.arena
    edges, lengths = arena.edges_of(rows)
    ends = cumsum(lengths)
    upto = np.cumsum(arena.weight[edges] / repeat(arena.denominator[rows], lengths), dtype=np.float64)
    before = np.append(0.0, upto[ends[:-1] - 1])
    fallen = np.searchsorted(upto, before + random.random(len(rows)) * (upto[ends - 1] - before), side="right")
    after: Ints = arena.target[edges[np.minimum(fallen, ends - 1)]]
    return after


def _lost(solution: Solution, numbers: Ints) -> Floats:
    """What a person loses on average in each of some decisions."""
    arena, bounds = solution.solved.arena, solution.solved.bounds
    widths = arena.state_rows[numbers + 1] - arena.state_rows[numbers]
    rows = ranges(arena.state_rows[numbers], widths)
    near = bounds.intervals(rows, repeat(arena.mover[numbers], widths))
    worth = np.array([float(low + high) for low, high in near], dtype=np.float64) * arena.sign
    mine = repeat(arange(len(numbers)), widths)
    best = np.full(len(numbers), -np.inf, dtype=np.float64)
    np.maximum.at(best, mine, worth)
    losses = best[mine] - worth
    some = losses[losses > 0]
    odds = np.exp(-losses / (np.quantile(some, CLEAR) if len(some) else 1))
    total: Floats = bincount(mine, losses * odds, len(numbers)) / bincount(mine, odds, len(numbers))
    return total
