"""Play of a component that may be an equilibrium where best responses cycle: floats propose, ``solve.values`` proves."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from oddsmith.arrays import Ints
from oddsmith.solve.arenas.component import Component, Guess, Mixes
from oddsmith.solve.arenas.search import NoPureEquilibrium, sweeps
from oddsmith.solve.arenas.tracing import trace
from oddsmith.solve.systems import Singular

STEPS = 60  # of the bisection


def guesses(component: Component, none: NoPureEquilibrium) -> Iterator[Guess]:
    """First with one of the cycling states mixing two rows, then what a path from play at random leads to."""
    for local in none.states.tolist():
        rows = range(int(component.first_row[local]), int(component.first_row[local + 1]))
        for pair in combinations(rows, 2):
            guess = _bisect(component, local, pair, none.chosen)
            if guess is not None:
                yield guess
    traced = trace(component)
    if traced is not None:
        yield traced


def _bisect(component: Component, local: int, pair: tuple[int, int], chosen: Ints) -> Guess | None:
    """One state mixes two rows: the probability at which both are worth the same, and the others' best rows."""
    low, high, p, others = 0.0, 1.0, 0.5, chosen
    for _ in range(STEPS):
        try:
            with component.mixing(_two(local, pair, p)):
                others, values = sweeps(component, others)
                worth = component.action_values(values)
        except (NoPureEquilibrium, Singular):  # so play may never end, whatever the probability
            return None
        if worth[pair[0]] > worth[pair[1]]:
            low = p
        else:
            high = p
        p = (low + high) / 2
    return Guess(others, _two(local, pair, p)) if low > 0 and high < 1 else None


def _two(local: int, pair: tuple[int, int], p: float) -> Mixes:
    """A state mixes two rows, the first with a probability."""
    return {local: dict(zip(pair, (p, 1 - p), strict=True))}
