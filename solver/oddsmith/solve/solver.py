"""Solving a game: from the last components to the first, floats propose a policy, whole numbers verify it.

Every decision is proved by a one-shot deviation: no action is worth more to the mover than the chosen one, if play goes
on by the policy. That makes the policy optimal for one seat (Bellman), a saddle point for two seats of constant sum, and
an equilibrium in every state for more.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from itertools import product

import numpy as np

from oddsmith.exact import Number
from oddsmith.solve.arena import Arena, Floats, Ints, ranges
from oddsmith.solve.bounds import Bounds, Objects, UnprovenError
from oddsmith.solve.component import Component, EndlessError
from oddsmith.solve.exactly import ExactValues, TooLong
from oddsmith.solve.mixing import Mixed, Mixture, find_mixture
from oddsmith.solve.search import NoPureEquilibrium, policy_iteration, sweeps, tolerance

Progress = Callable[[int, int], None]
MAX_REPAIRS = 50
MAX_POLICIES = 256  # of a component, up to which all are tried to count the equilibria


@dataclass
class Tie:
    """A state where several actions are worth exactly the same to the mover. ``matters``: not so to the others."""

    state: int
    rows: tuple[int, ...]
    matters: bool


@dataclass
class Solved:
    """An arena with a proved policy: one row per state, and bounds of every value.

    ``lingering``: states, one of each component, where the players together could keep the game from ending.
    """

    arena: Arena
    rows: Ints
    bounds: Bounds
    exact: ExactValues
    ties: list[Tie] = field(default_factory=list)
    undecided: list[int] = field(default_factory=list)
    mixtures: dict[int, Mixture] = field(default_factory=dict)
    lingering: list[int] = field(default_factory=list)


class Solver:
    """Solves an arena. ``howard``: values do not depend on which equilibrium is found (one seat, or constant sum of two).

    ``prefer``: rows to start from where they exist (-1 elsewhere). ``mix``: where best responses cycle, let one state mix.
    ``courtesy``: on a tie take the first option (0), the one best for the others together (1), or the worst (-1).
    """

    def __init__(
        self, arena: Arena, howard: bool, prefer: Ints | None = None, mix: bool = False, courtesy: int = 0
    ) -> None:
        self.arena, self.howard, self.mix, self.courtesy = arena, howard, mix, courtesy
        self.equilibria: int | None = 1
        self.apart = 0.0
        self.prefer = prefer
        self.values: Floats = np.zeros((arena.states, arena.seats))
        self.rows = np.full(arena.states, -1)
        self.bounds = Bounds(arena)
        self.exact = ExactValues(arena, self.rows)
        self.ties: list[Tie] = []
        self.undecided: list[int] = []
        self.lingering: list[int] = []
        self.mixtures: dict[int, Mixture] = {}

    def solve(self, progress: Progress | None = None) -> Solved:
        """Raises NoPureEquilibrium (with arena states), EndlessError or UnprovenError (with a state)."""
        done = 0
        for states, cyclic in layers(self.arena):
            if cyclic:
                self._solve_component(states)
            else:
                self._solve_layer(states)
            done += len(states)
            if progress:
                progress(done, self.arena.states)
        return Solved(
            self.arena, self.rows, self.bounds, self.exact, self.ties, self.undecided, self.mixtures, self.lingering
        )

    # --- acyclic states, many at once

    def _solve_layer(self, states: Ints) -> None:
        arena = self.arena
        rows = ranges(arena.state_rows[states], arena.state_rows[states + 1] - arena.state_rows[states])
        self._settle(states, self._first_best(states, rows))

    def _first_best(self, states: Ints, rows: Ints) -> Ints:
        """The first row of each state whose lower bound no upper bound of another exceeds, ties decided exactly."""
        counts = self.arena.state_rows[states + 1] - self.arena.state_rows[states]
        if (counts == 1).all():
            return rows
        chosen = np.empty(len(states), dtype=np.int64)
        low, high = self._worth(rows)
        starts = np.concatenate([[0], np.cumsum(counts)])
        for place, state in enumerate(states.tolist()):
            a, b = starts[place], starts[place + 1]
            chosen[place] = rows[a]
            if b > a + 1:
                chosen[place] = self._choose(state, rows[a:b], low[a:b], high[a:b])
        return chosen

    def _worth(self, rows: Ints) -> tuple[Objects, Objects]:
        """Bounds of what rows are worth to the movers of their states, larger being better."""
        arena = self.arena
        mover = arena.mover[arena.row_state[rows]]
        low, high = self.bounds.rows(rows, mover)
        return (low, high) if arena.sign > 0 else (-high, -low)

    def _choose(self, state: int, rows: Ints, low: Objects, high: Objects) -> int:
        fixed = int(self.arena.fixed[state])
        if fixed >= 0:
            return fixed
        best = max(low.tolist())
        rivals = [int(row) for row, top in zip(rows, high, strict=True) if top >= best]
        if len(rivals) == 1:
            return rivals[0]
        seat = int(self.arena.mover[state])
        if all(self._same_row(rivals[0], row) for row in rivals[1:]):
            return rivals[0]
        try:
            worth = [self.exact.row_value(row, seat) * self.arena.sign for row in rivals]
        except TooLong:
            self.undecided.append(state)
            return rivals[0]
        top = max(worth)
        tied = tuple(row for row, value in zip(rivals, worth, strict=True) if value == top)
        if len(tied) > 1:
            self._note_tie(state, tied)
        if len(tied) > 1 and self.courtesy:
            others = [other for other in range(self.arena.seats) if other != seat]
            kind = [sum(self.exact.row_value(row, other) for other in others) * self.arena.sign for row in tied]
            return tied[kind.index(max(kind) if self.courtesy > 0 else min(kind))]
        return tied[0]

    def _note_tie(self, state: int, tied: tuple[int, ...]) -> None:
        others = [seat for seat in range(self.arena.seats) if seat != int(self.arena.mover[state])]
        matters = any(len({self.exact.row_value(row, seat) for row in tied}) > 1 for seat in others)
        self.ties = [tie for tie in self.ties if tie.state != state]
        self.ties.append(Tie(state, tied, matters))

    def _same_row(self, a: int, b: int) -> bool:
        """Whether two actions lead to the same results with the same chances."""
        arena = self.arena
        one, two = (slice(int(arena.row_edges[row]), int(arena.row_edges[row + 1])) for row in (a, b))
        columns = (arena.target, arena.weight, arena.by, arena.payoff)
        return bool(arena.denominator[a] == arena.denominator[b]) and all(
            np.array_equal(column[one], column[two]) for column in columns
        )

    def _settle(self, states: Ints, chosen: Ints) -> None:
        self.rows[states] = chosen
        self.bounds.fill(states, chosen)
        self.values[states] = self.bounds.floats(states)

    # --- cyclic components

    def _solve_component(self, states: Ints) -> None:
        component = Component(self.arena, states, self.values)
        self.lingering += states[component.can_stay()][:1].tolist()
        start = component.first_options()
        if self.prefer is not None and (self.prefer[states] >= 0).all():
            start = np.searchsorted(component.rows, self.prefer[states])
        try:
            chosen = self._propose(component, start)
        except NoPureEquilibrium as none:
            if not (self.mix and self._solve_mixed(component, none)):
                raise NoPureEquilibrium(states[none.states], none.chosen) from None
            return
        wrong: dict[int, int] = {}
        for _ in range(MAX_REPAIRS):
            rows = component.rows[chosen]
            self.rows[states] = rows
            self.exact.forget(states)
            try:
                self.bounds.fill_component(states, rows)
            except UnprovenError:
                raise EndlessError(int(states[0])) from None
            wrong = self._deviations(component, chosen)
            if not self._repair(component, chosen, wrong):
                self.values[states] = self.bounds.floats(states)
                self._count(component)
                return
        raise NoPureEquilibrium(states[sorted(wrong)], chosen)

    def _repair(self, component: Component, chosen: Ints, wrong: dict[int, int]) -> bool:
        """Take the better rows; whether any was. A mere tie is not taken where play would then never end."""
        changed = False
        for state, row in wrong.items():
            before = chosen[state]
            chosen[state] = row
            if component.reaches_exit(chosen).all():
                changed = True
                continue
            tie = next((tie for tie in self.ties if tie.state == int(component.states[state])), None)
            if tie is None or int(component.rows[before]) not in tie.rows:
                raise EndlessError(int(component.states[state]))
            chosen[state] = before
        return changed

    def _count(self, component: Component) -> None:
        """How many equilibria a small component has, and how far their values lie apart (floats: told, never printed)."""
        options = np.where(component.fixed >= 0, 1, np.diff(component.first_row))
        if self.howard or self.equilibria is None or np.prod(options.astype(float)) > MAX_POLICIES:
            self.equilibria = 1 if self.howard else None
            return
        near, seen = tolerance(component), set[bytes]()
        low = high = self.values[component.states]
        for pick in product(*(range(int(count)) for count in options)):
            chosen = component.first_row[:-1] + np.array(pick)
            if not component.reaches_exit(chosen).all():
                continue
            values = component.values(chosen)
            worth = component.action_values(values)
            if (worth[chosen] >= np.maximum.reduceat(worth, component.first_row[:-1]) - near).all():
                seen.add(np.round(values / (100 * near)).tobytes())
                low, high = np.minimum(low, values), np.maximum(high, values)
        self.equilibria *= max(len(seen), 1)
        self.apart = max(self.apart, float((high - low).max()))

    def _propose(self, component: Component, start: Ints) -> Ints:
        if self.howard:
            found = policy_iteration(component, start)
            if found is not None:
                return found[0]
        return sweeps(component, start)[0]

    def _solve_mixed(self, component: Component, none: NoPureEquilibrium) -> bool:
        """Whether a mixture in one state was found and proved."""
        found = find_mixture(self.arena, self.bounds, component, none)
        if found is None:
            return False
        states = component.states
        self.rows[states] = found.rows
        self.bounds.low[states], self.bounds.high[states] = (
            np.array(found.low, object),
            np.array(found.high, object),
        )
        self.exact.opaque.add(found.state)
        chosen = np.searchsorted(component.rows, found.rows)
        mixing = int(np.searchsorted(states, found.state))
        if self._deviations(component, chosen, mixing) or self._better_third(found):
            return False
        self.mixtures[found.state] = found.mixture
        self.values[states] = self.bounds.floats(states)
        return True

    def _better_third(self, found: Mixed) -> bool:
        """Whether the mixing state has an action that may be better than the two it mixes."""
        rows = np.arange(self.arena.state_rows[found.state], self.arena.state_rows[found.state + 1])
        low, high = self._worth(rows)
        mixed = min(value for row, value in zip(rows, low, strict=True) if row in found.mixture.rows)
        return any(value > mixed for row, value in zip(rows, high, strict=True) if row not in found.mixture.rows)

    def _deviations(self, component: Component, chosen: Ints, mixing: int = -1) -> dict[int, int]:
        """States (local) that would rather take another row (local): empty when every decision is proved."""
        several = np.flatnonzero(np.diff(component.first_row) > 1)
        several = several[several != mixing]
        if not len(several):
            return {}
        rows = ranges(component.first_row[several], np.diff(component.first_row)[several])
        low, high = self._worth(component.rows[rows])
        wrong: dict[int, int] = {}
        start = 0
        for state in several.tolist():
            count = int(component.first_row[state + 1] - component.first_row[state])
            part = slice(start, start + count)
            best = self._choose(int(component.states[state]), component.rows[rows[part]], low[part], high[part])
            local = int(np.searchsorted(component.rows, best))
            if local != chosen[state]:
                wrong[state] = local
            start += count
        return wrong


def values_under(arena: Arena, rows: Ints, exact: bool = True) -> tuple[Number, ...]:
    """What each seat gets from the start under one row per state: fractions, or proven bounds where they are too long."""
    if exact:
        try:
            return tuple(map(Number.of, ExactValues(arena, rows).value(0)))
        except TooLong:
            pass
    bounds = Solver(replace(arena, fixed=rows), howard=True).solve().bounds
    return bounds.numbers(0)


def layers(arena: Arena) -> Iterator[tuple[Ints, bool]]:
    """States in the order of solving: single states that depend on nothing open, in one batch; then each cycle by itself."""
    labels = arena.components
    count = int(labels.max()) + 1
    inner = arena.target >= 0
    source, target = arena.row_state[arena.edge_row[inner]], arena.target[inner]
    size = np.bincount(labels, minlength=count)
    loops = np.zeros(count, dtype=bool)
    loops[labels[source[source == target]]] = True
    cyclic = (size > 1) | loops
    members = np.split(np.argsort(labels, kind="stable"), np.cumsum(size)[:-1])
    level = np.zeros(count, dtype=np.int64)
    pairs = np.unique(np.stack([labels[source], labels[target]]), axis=1)
    pairs = pairs[:, pairs[0] != pairs[1]]
    starts = np.searchsorted(pairs[0], np.arange(count + 1))
    for number in range(count):  # successors come first, so their levels are known
        below = pairs[1, starts[number] : starts[number + 1]]
        if len(below):
            level[number] = level[below].max() + 1
    for depth in range(int(level.max()) + 1):
        here = np.flatnonzero(level == depth)
        single = [members[number] for number in here[~cyclic[here]]]
        if single:
            yield np.sort(np.concatenate(single)), False
        for number in here[cyclic[here]]:
            yield np.sort(members[number]), True
