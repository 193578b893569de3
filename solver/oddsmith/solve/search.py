"""Finding the policy of one component in floats; exact arithmetic verifies it afterwards.

One seat, or two of constant sum: policy iteration (Howard), all states at once. Else, where values depend on which
equilibrium is found: from the first option everywhere, sweep the states in their order one at a time, each to the first
best action against the policy as it stands, and take the first fixed point.
"""

from __future__ import annotations

import numpy as np

from oddsmith.solve.arena import Floats, Ints
from oddsmith.solve.component import Component
from oddsmith.solve.linear import SingularError

TOLERANCE = 1e-11
MAX_SWEEPS = 200


class NoPureEquilibrium(Exception):
    """Best responses cycle: the arena states that change their minds, and the policy they started from."""

    def __init__(self, states: Ints, chosen: Ints) -> None:
        super().__init__(states)
        self.states, self.chosen = states, chosen


def tolerance(component: Component) -> float:
    """Below this difference two actions count as equal until exact arithmetic looks."""
    return TOLERANCE * (1.0 + float(np.abs(component.constant).max(initial=0.0)))


def policy_iteration(component: Component, chosen: Ints) -> tuple[Ints, Floats] | None:
    """Howard's method with all states at once; None where it does not settle (two seats may cycle)."""
    near = tolerance(component)
    for _ in range(MAX_SWEEPS):
        try:
            values = component.values(chosen)
        except SingularError:
            return None
        worth = component.action_values(values)
        best = component.best_rows(worth, near)
        better = worth[best] > worth[chosen] + near
        if not better.any():
            return _settled(component, chosen, best, values)
        changed = np.where(better, best, chosen)
        if not component.reaches_exit(changed).all():
            return None
        chosen = changed
    return None


def _settled(component: Component, chosen: Ints, first: Ints, values: Floats) -> tuple[Ints, Floats]:
    """The same values with the first option on ties, where play still ends."""
    if (first != chosen).any() and component.reaches_exit(first).all():
        again = component.values(first)
        if np.abs(again - values).max() <= 100 * tolerance(component):
            return first, again
    return chosen, values


def sweeps(component: Component, chosen: Ints, frozen: int | None = None) -> tuple[Ints, Floats]:
    """The first fixed point of best responses, one state at a time. Raises NoPureEquilibrium on a repeat.

    ``frozen``: a state that keeps its row whatever is best.
    """
    near = tolerance(component)
    chosen = chosen.copy()

    def respond() -> tuple[Floats, Ints]:
        values = component.values(chosen)
        best = component.best_rows(component.action_values(values), near)
        if frozen is not None:
            best[frozen] = chosen[frozen]
        return values, best

    values, best = respond()
    seen: dict[bytes, int] = {}
    history: list[Ints] = []
    while (best != chosen).any():
        if chosen.tobytes() in seen or len(history) > MAX_SWEEPS:
            loop = np.array(history[seen.get(chosen.tobytes(), 0) :])
            raise NoPureEquilibrium(np.flatnonzero((loop != loop[0]).any(axis=0)), chosen)
        seen[chosen.tobytes()] = len(history)
        history.append(chosen.copy())
        state = -1
        while True:
            wrong = np.flatnonzero(best[state + 1 :] != chosen[state + 1 :])
            if not len(wrong):
                break
            state = state + 1 + int(wrong[0])
            before = chosen[state]
            chosen[state] = best[state]
            if not component.reaches_exit(chosen).all():
                chosen[state] = before
                continue
            values, best = respond()
    return chosen, values
