"""Finding the policy of one component in floats; exact arithmetic verifies it afterwards.

*Policy iteration* (Howard 1960), for one seat. Let v = P v + b be the values of a policy under which play ends. Let
another policy, with P' and b', take in every state a row that is worth at least as much if v is the value of what
follows: b' + P' v >= v. If play still ends, its values are v' = (I - P')^-1 b', and v' - v = (I - P')^-1 (b' + P' v -
v) >= 0, because that inverse has no negative entry. So no value falls, at least one rises, no policy recurs, and there
are finitely many policies. For two seats with a constant sum the same steps mostly converge, but they may cycle. No
proof depends on convergence, because the result is verified. In very large components policies are evaluated to a few
digits at first, from the values of the policy before (modified policy iteration: Puterman and Shin 1978).

*Sweeps* are used if values depend on which equilibrium is found, because the procedure then has to be fixed. A sweep
starts from the first row of every state. It goes through the states in the order of exploring. Each state takes the
first row that is a best response to the current policy, which includes the changes of this sweep. After each change the
values are computed anew. A policy that a sweep does not change is a best response to itself in every state, and so an
equilibrium. The first such policy is taken. If a policy recurs, best responses cycle, and NoPureEquilibrium is raised.
In very large components all states respond at the same time at first, as in policy iteration, because a sweep solves a
linear system for every change. If a policy recurs, sweeps start from that policy.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from hashlib import sha256

import numpy as np

from oddsmith.base.arrays import Floats, Ints, Mask, arange
from oddsmith.base.errors import Signal
from oddsmith.solve.arenas.arena import states_by_label
from oddsmith.solve.arenas.component import MAX_EQUATION_ERROR, Component
from oddsmith.solve.systems.linear_systems import SingularSystem

EQUAL_ACTIONS_TOLERANCE = 1e-11  # relative difference of values below which two actions count as equal in floats
MAX_SWEEPS = 200


class NoPureEquilibrium(Signal):
    """Raised if best responses cycle, with the states whose action changes and the policy at that point.

    ``is_endless``: True if the best responses do not cycle, but play by them would never end. ``is_unproved``: True if a
    policy that floats proposed could not be proved; ``cycling_states`` are then states of the arena, otherwise states of the
    component.
    """

    def __init__(
        self, cycling_states: Ints, chosen_rows: Ints, is_endless: bool = False, is_unproved: bool = False
    ) -> None:
        super().__init__(cycling_states)
        self.states, self.chosen_rows, self.is_endless, self.is_unproved = (
            cycling_states,
            chosen_rows,
            is_endless,
            is_unproved,
        )


def value_tolerance(component: Component) -> float:
    """Return the difference of values below which two actions count as equal in floats.

    Exact arithmetic decides later.
    """
    return EQUAL_ACTIONS_TOLERANCE * (1.0 + float(np.abs(component.constant).max(initial=0.0)))


def policy_iteration(
    component: Component, chosen_rows: Ints, report_kept: Callable[[int], None]
) -> tuple[Ints, Floats | None]:
    """Return a policy without better rows, and its values, by policy iteration: all states take better rows at the same
    time.

    If a policy recurs, that policy is returned, and None in place of values. If play would not end, or after
    ``MAX_SWEEPS`` policies, the first policy is returned, and None. ``chosen_rows``: the first policy, a local row for
    every state, under which play ends. ``report_kept``: a function that receives, for each policy, the number of states
    that keep their row.
    """
    first_rows, is_rough, seen = chosen_rows, True, set[bytes]()
    for _ in range(MAX_SWEEPS):
        digest = sha256(chosen_rows.tobytes()).digest()
        if digest in seen:
            return chosen_rows, None
        seen.add(digest)
        try:
            values, worth = component.evaluate_policy(chosen_rows, is_rough)
        except SingularSystem:
            return first_rows, None
        error = component.equation_error(chosen_rows, values, worth)
        near = value_tolerance(component) + error * (1.0 + float(np.abs(values).max()))
        best = component.best_rows(worth, near)
        better = worth[best] > worth[chosen_rows] + near
        if not better.any():
            if not is_rough or error <= MAX_EQUATION_ERROR:
                return _take_first_on_ties(component, chosen_rows, best, values)
            is_rough = False
            seen.clear()
            continue
        changed = np.where(better, best, chosen_rows)
        if not component.states_reaching_exit(changed).all():
            return first_rows, None
        report_kept(len(better) - int(better.sum()))
        chosen_rows = changed
    return first_rows, None


def _take_first_on_ties(
    component: Component, chosen_rows: Ints, first_rows: Ints, values: Floats
) -> tuple[Ints, Floats]:
    """Return the policy that takes the first row on ties and its values, if play still ends and the values are the
    same.

    Otherwise returns the policy ``chosen_rows`` and its values.
    """
    if (first_rows != chosen_rows).any() and component.states_reaching_exit(first_rows).all():
        again = component.policy_values(first_rows)
        if np.abs(again - values).max() <= 100 * value_tolerance(component):
            return first_rows, again
    return chosen_rows, values


def best_response_sweeps(component: Component, chosen_rows: Ints) -> tuple[Ints, Floats]:
    """Return the first fixed point of best responses, one state at a time, and its values.

    Raises NoPureEquilibrium if a policy recurs. Components side by side are swept together, with the same results as
    alone. States that mix continue to mix. A response by which play would never end is not taken: if it is certainly
    better than the current row, NoPureEquilibrium is raised with ``endless``; if not, the current row stays.
    """
    sweeps = _SweepState(component, chosen_rows)
    moving = np.ones(component.parts, dtype=bool)
    while len(wrong := sweeps.improvable_states(moving)):
        for part in np.unique(component.label[wrong]).tolist():
            sweeps.record_policy(part)
        moving = sweeps.sweep(moving)
    endless = np.flatnonzero(sweeps.worth[sweeps.best] > sweeps.worth[sweeps.chosen] + sweeps.near)
    if len(endless):
        raise NoPureEquilibrium(endless, sweeps.chosen, is_endless=True)
    return sweeps.chosen, sweeps.values


def simultaneous_best_responses(component: Component, chosen_rows: Ints, component_mask: Mask) -> Ints:
    """Return the fixed point of simultaneous best responses in the components of the mask ``component_mask``.

    In each round all their states take the first row that is a best response to the previous policy. Components in
    which this does not converge keep the policy ``chosen_rows``.
    """
    near, found, settled = value_tolerance(component), chosen_rows.copy(), np.zeros(component.parts, dtype=bool)
    work, going = _ActiveComponents.with_all_components(component).restricted_to(component_mask), component_mask.copy()
    for _ in range(MAX_SWEEPS):
        if not going.any():
            break
        try:
            _, worth = work.component.evaluate_policy(work.local_rows(found))
        except SingularSystem:
            break
        best = work.rows[work.component.best_rows(worth, near)]
        moving = np.zeros(component.parts, dtype=bool)
        label = component.label[work.states]
        moving[label[best != found[work.states]]] = True
        settled |= going & ~moving
        going &= moving
        own = going[label]
        found[work.states[own]] = best[own]
        stuck = np.zeros(component.parts, dtype=bool)
        stuck[label[~work.component.states_reaching_exit(work.local_rows(found))]] = True
        going &= ~stuck
        back = work.states[stuck[label]]
        found[back] = chosen_rows[back]
        work = work.restricted_to(going)
    unsettled = ~settled[component.label]
    found[unsettled] = chosen_rows[unsettled]
    return found


class _SweepState:
    """The state of best-response sweeps over many components at once: the current policy and its values.

    ``values``: the values of the policy. ``worth``: the value of every row to its mover if play goes on by the policy.
    ``best``: the best response of each state. ``moving``: a superset of the components that the last sweep changed; the
    values of all others stay as they are.
    """

    def __init__(self, component: Component, chosen_rows: Ints) -> None:
        self.component, self.chosen, self.near = component, chosen_rows.copy(), value_tolerance(component)
        groups = (
            states_by_label(arange(len(chosen_rows)), component.label)
            if component.parts > 1
            else [arange(len(chosen_rows))]
        )
        self.members = groups
        self.seen: list[dict[bytes, int]] = [{} for _ in groups]
        self.history: list[list[Ints]] = [[] for _ in groups]
        self.worth = np.empty(len(component.rows))
        self.values = np.empty((len(chosen_rows), component.arena.seats))
        self.best = chosen_rows.copy()
        self.moving = _ActiveComponents.with_all_components(component)
        self._update_best_responses(self.moving)

    def improvable_states(self, active_components: Mask) -> Ints:
        """Return the states whose action is not a best response, in the components of the mask ``active_components``."""
        return np.flatnonzero((self.best != self.chosen) & active_components[self.component.label])

    def record_policy(self, component_index: int) -> None:
        """Record the current policy of a component. Raises NoPureEquilibrium if that policy was recorded before.

        ``component_index``: the index of the component.
        """
        members, seen, history = (
            self.members[component_index],
            self.seen[component_index],
            self.history[component_index],
        )
        policy = self.chosen[members]
        if policy.tobytes() in seen or len(history) > MAX_SWEEPS:
            loop = np.array(history[seen.get(policy.tobytes(), 0) :])
            raise NoPureEquilibrium(members[(loop != loop[0]).any(axis=0)], self.chosen)
        seen[policy.tobytes()] = len(history)
        history.append(policy.copy())

    def sweep(self, active_components: Mask) -> Mask:
        """Let every state of the components ``active_components`` respond, one after another. Returns a mask of the components
        that changed.
        """
        label, swept = self.component.label, self.chosen.copy()
        last = np.full(self.component.parts, -1, dtype=np.int64)  # the state of each that was looked at last
        self.moving = work = self.moving.restricted_to(active_components)
        while True:
            wrong = self.improvable_states(active_components)
            wrong = wrong[wrong > last[label[wrong]]]
            if not len(wrong):
                break
            parts, first = np.unique(label[wrong], return_index=True)
            now = wrong[first]
            before, last[parts] = self.chosen[now], now
            self.chosen[now] = self.best[now]
            going = np.zeros(self.component.parts, dtype=bool)
            going[parts] = True
            work = work.restricted_to(going)
            stuck = np.isin(
                parts, label[work.states[~work.component.states_reaching_exit(work.local_rows(self.chosen))]]
            )
            self.chosen[now[stuck]] = before[stuck]
            if not stuck.all():
                self._update_best_responses(work)
        changed = np.zeros(self.component.parts, dtype=bool)
        changed[label[self.chosen != swept]] = True
        return changed

    def _update_best_responses(self, active_components: _ActiveComponents) -> None:
        """Evaluate the current policy in some components, and update their best responses.

        ``active_components``: these components.
        """
        part, chosen = active_components.component, active_components.local_rows(self.chosen)
        values, worth = part.evaluate_policy(chosen)
        best = part.best_rows(worth, self.near)
        frozen = list(part.mixed)
        best[frozen] = chosen[frozen]
        (
            self.values[active_components.states],
            self.worth[active_components.rows],
            self.best[active_components.states],
        ) = values, worth, active_components.rows[best]


@dataclass(frozen=True, eq=False)
class _ActiveComponents:
    """Some of the components: ``component_mask`` is their mask, and ``states`` and ``rows`` are their indices in the full
    numbering.
    """

    component: Component
    component_mask: Mask
    states: Ints
    rows: Ints

    @staticmethod
    def with_all_components(component: Component) -> _ActiveComponents:
        """Return the object in which all parts of the component are active."""
        every = np.ones(component.parts, dtype=bool)
        return _ActiveComponents(component, every, arange(len(component.states)), arange(len(component.rows)))

    def local_rows(self, chosen_rows: Ints) -> Ints:
        """Return a policy of all components as local rows of the active components."""
        return (
            chosen_rows
            if len(self.states) == len(chosen_rows)
            else np.searchsorted(self.rows, chosen_rows[self.states])
        )

    def restricted_to(self, component_mask: Mask) -> _ActiveComponents:
        """Return the active components that are also in the mask ``component_mask``.

        Returns all active components if at most half of their states would be left out, or some states mix.
        """
        within = component_mask[self.component_mask]
        own = within[self.component.label]
        if self.component.mixed or 2 * int(own.sum()) >= len(own):
            return self
        rows = self.rows[own[self.component.row_state]]
        return _ActiveComponents(
            self.component.restricted_to(within), self.component_mask & component_mask, self.states[own], rows
        )
