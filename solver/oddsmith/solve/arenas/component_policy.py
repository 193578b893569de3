"""Finding the policy of one component in floats; exact arithmetic verifies it afterwards.

*Policy iteration* (Howard 1960), for one seat. Let v = P v + b be the values of a policy under which play ends, and let
another, P' and b', take in every state a row that is worth at least as much, if v is what follows: b' + P' v >= v. If play
still ends, its values are v' = (I - P')^-1 b', and v' - v = (I - P')^-1 (b' + P' v - v) >= 0, for that inverse has no entry
below 0. So no value falls, one rises, no policy comes back, and there are finitely many. For two seats of constant sum the
same steps mostly come to rest, but they may cycle; nothing rests on it, for whatever it comes to is verified.

*Sweeps*, where values depend on which equilibrium is found: then the way to it has to be laid down. Start from the first
option everywhere. Go through the states in their order, which is that of exploring; each takes the first action that is
best against the policy as it stands, changes of this sweep included; after each change the values are those of the new
policy. A policy that a sweep does not change is a best response to itself in every state, and so an equilibrium; the first
is taken. A policy that comes back shows a cycle: raises NoPureEquilibrium. In very large components all states respond at once,
as in policy iteration, if that settles, for a sweep solves a system for every change.
"""

from __future__ import annotations

import numpy as np

from oddsmith.base.arrays import Floats, Ints, arange, bincount
from oddsmith.base.errors import Signal
from oddsmith.solve.arenas.component import Component
from oddsmith.solve.systems.linear_systems import Singular

TOLERANCE = 1e-11
MAX_SWEEPS = 200


class NoPureEquilibrium(Signal):
    """Best responses cycle: the arena states that change their minds, and the policy they started from.

    ``endless``: the best responses of these states do not cycle, but with each of them play would never end.
    """

    def __init__(self, states: Ints, chosen: Ints, endless: bool = False) -> None:
        super().__init__(states)
        self.states, self.chosen, self.endless = states, chosen, endless


def tolerance(component: Component) -> float:
    """Below this difference two actions count as equal until exact arithmetic looks."""
    return TOLERANCE * (1.0 + float(np.abs(component.constant).max(initial=0.0)))


def policy_iteration(component: Component, chosen: Ints) -> tuple[Ints, Floats] | None:
    """All states take better rows at once, until none has any; None where that does not settle, or play would not end.

    ``chosen``: a local row for every state, under which play ends.
    """
    near = tolerance(component)
    for _ in range(MAX_SWEEPS):
        try:
            values, worth = component.evaluate(chosen)
        except Singular:
            return None
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
    """The policy with the first option on ties, where play still ends."""
    if (first != chosen).any() and component.reaches_exit(first).all():
        again = component.values(first)
        if np.abs(again - values).max() <= 100 * tolerance(component):
            return first, again
    return chosen, values


def best_response_sweeps(component: Component, chosen: Ints) -> tuple[Ints, Floats]:
    """The first fixed point of best responses, one state at a time.

    Raises NoPureEquilibrium where a policy comes back. Components that lie side by side are swept in step, each as it would
    be alone. States that mix go on mixing. A response after which play would never end is not taken: a tie loses nothing by
    that, and where it would certainly be better, NoPureEquilibrium says ``endless``.
    """
    near, frozen = tolerance(component), list(component.mixed)
    chosen, label = chosen.copy(), component.label
    members = [np.flatnonzero(label == part) for part in range(component.parts)] if component.parts > 1 else [...]
    seen: list[dict[bytes, int]] = [{} for _ in range(component.parts)]
    history: list[list[Ints]] = [[] for _ in range(component.parts)]

    def respond() -> tuple[Floats, Floats, Ints]:
        values, worth = component.evaluate(chosen)
        best = component.best_rows(worth, near)
        best[frozen] = chosen[frozen]
        return values, worth, best

    def remember(part: int) -> None:
        policy = chosen[members[part]]
        if policy.tobytes() in seen[part] or len(history[part]) > MAX_SWEEPS:
            loop = np.array(history[part][seen[part].get(policy.tobytes(), 0) :])
            states = arange(len(chosen))[members[part]]
            raise NoPureEquilibrium(states[(loop != loop[0]).any(axis=0)], chosen)
        seen[part][policy.tobytes()] = len(history[part])
        history[part].append(policy.copy())

    values, worth, best = respond()
    moving = np.ones(component.parts, dtype=bool)
    while ((best != chosen) & moving[label]).any():
        for part in np.unique(label[(best != chosen) & moving[label]]).tolist():
            remember(part)
        swept = chosen.copy()
        last = np.full(component.parts, -1, dtype=np.int64)  # the state of each that was looked at last
        while True:
            wrong = np.flatnonzero((best != chosen) & moving[label] & (arange(len(chosen)) > last[label]))
            if not len(wrong):
                break
            parts, first = np.unique(label[wrong], return_index=True)
            changed = wrong[first]
            before, last[parts] = chosen[changed], changed
            chosen[changed] = best[changed]
            stuck = np.isin(parts, label[~component.reaches_exit(chosen)])
            chosen[changed[stuck]] = before[stuck]
            if not stuck.all():
                values, worth, best = respond()
        moving = bincount(label[chosen != swept], minlength=component.parts) > 0
    endless = np.flatnonzero(worth[best] > worth[chosen] + near)
    if len(endless):
        raise NoPureEquilibrium(endless, chosen, endless=True)
    return chosen, values
