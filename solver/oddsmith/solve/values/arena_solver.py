"""Solving an arena: from the last components to the first, floats propose a policy, whole numbers verify it.

*One-shot deviations.* Let v be the values of a policy under which play ends. It is shown in every state that no row is
worth more to the mover than the one chosen, if play goes on by the policy after it. That is enough. Let a player depart as
often as it likes, in a way that ends in finite expected time, while the others keep to the policy. What it has got so far
plus the v of where play stands then never rises in expectation, and what a step changes is bounded, so by optional stopping
the whole is worth no more than v at the start. With one seat the policy is therefore optimal (Bellman's equation); with two
whose sum is constant v is what each can secure, and so the only value; with more seats the policy is an equilibrium from
every state on (the one-shot deviation principle: Osborne and Rubinstein, A Course in Game Theory, section 6.1). Play without
an end in finite expected time is left out of the comparison: who may bet at even odds for ever without a limit will be a
coin ahead some day. ``lingering`` says where the players could keep the game from ending.

*Comparing rows.* v is known as an interval for every state (``bounds``). One float step over its middles gives what rows
are worth up to ``ProvenBounds.error``; rows that lie further below the best than two of these are out. Of those left, rows
whose upper bound is below another's lower bound are out. What remains is compared in fractions. Only where these are too
long to be had, two rows that no bound tells apart are left in their order, and the state is ``undecided``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from itertools import product

import numpy as np

from oddsmith.arrays import Floats, Ints
from oddsmith.exact import Number
from oddsmith.graph import ranges
from oddsmith.progress import Progress
from oddsmith.solve.values.arena import Arena
from oddsmith.solve.values.bounds import ProvenBounds, Unproven
from oddsmith.solve.values.component import Component, NeverEnds
from oddsmith.solve.values.exactly import MAX_UNKNOWNS, ExactValues
from oddsmith.solve.values.levels import by_label, layers
from oddsmith.solve.values.mixing import Mixed, Mixture, find_mixture
from oddsmith.solve.values.search import NoPureEquilibrium, policy_iteration, sweeps, tolerance
from oddsmith.solve.values.shared import TooLong

PRECISION = 256  # binary places: some 77 decimal digits
LEAST_PRECISION = 90
LARGE_COMPONENT = 20_000  # states from which on its progress is told
LARGE = 3_000_000  # values from which on the least precision is the default
MAX_REPAIRS = 50
MANY_DECISIONS = 1_000  # of a component, from which on all its states respond at once at first
MAX_TRIED = 50_000  # policies of all components together, up to which equilibria are counted
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
    bounds: ProvenBounds
    exact: ExactValues
    ties: list[Tie] = field(default_factory=list)
    undecided: list[int] = field(default_factory=list)
    mixtures: dict[int, Mixture] = field(default_factory=dict)
    lingering: list[int] = field(default_factory=list)


def precision_of(arena: Arena, digits: int | None) -> int:
    """Binary places: for the wanted decimal digits, else as many as the size of the game affords."""
    wanted = PRECISION if arena.states * arena.seats <= LARGE else LEAST_PRECISION
    return wanted if digits is None else max(LEAST_PRECISION, 48 + digits * 10 // 3)


class Solver:
    """Solves an arena.

    ``unique_values``: every equilibrium has the same values (one seat, or two of constant sum), so any way to one serves.
    ``prefer``: the rows to start from (-1: none is preferred). ``mix``: where best responses cycle, one state may mix.
    ``courtesy``: which of several rows to take that are worth exactly the same to the mover: the first (0), the one that
    gives the others most together (1), or least (-1). ``digits``: how many decimal digits the proven bounds should have.
    """

    def __init__(
        self,
        arena: Arena,
        unique_values: bool,
        prefer: Ints | None = None,
        mix: bool = False,
        courtesy: int = 0,
        digits: int | None = None,
    ) -> None:
        self.arena, self.unique_values, self.mix, self.courtesy = arena, unique_values, mix, courtesy
        self.equilibria: int | None = 1
        self.apart, self.tried = 0.0, 0.0
        self.prefer, self.rows = prefer, np.full(arena.states, -1)
        self.bounds = ProvenBounds(arena, precision_of(arena, digits))
        self.exact = ExactValues(arena, self.rows)
        self.ties: dict[int, Tie] = {}
        self.undecided, self.lingering = list[int](), list[int]()
        self.mixtures: dict[int, Mixture] = {}

    def solve(self, progress: Progress | None = None) -> Solved:
        """Raises NoPureEquilibrium (with arena states), NeverEnds or Unproven (with a state)."""
        self.progress, self.done = progress, 0
        for states, cyclic in layers(self.arena):
            if not cyclic:
                self._solve_layer(states)
            else:
                self._solve_beside(states)
            self.done += len(states)
            if progress:
                progress("solving", self.done, self.arena.states)
        return Solved(
            self.arena,
            self.rows,
            self.bounds,
            self.exact,
            list(self.ties.values()),
            self.undecided,
            self.mixtures,
            self.lingering,
        )

    def _within(self, states: Ints) -> Callable[[float], None]:
        """A function that takes the share of a component that is done, and tells it where the component is large."""

        def tell(share: float) -> None:
            if self.progress and len(states) > LARGE_COMPONENT:
                self.progress("solving", self.done + int(share * len(states)), self.arena.states)

        return tell

    # --- acyclic states, many at once

    def _solve_layer(self, states: Ints) -> None:
        arena = self.arena
        counts = arena.state_rows[states + 1] - arena.state_rows[states]
        chosen = np.where(arena.fixed[states] >= 0, arena.fixed[states], arena.state_rows[states])
        several = (counts > 1) & (arena.fixed[states] < 0)
        if several.any():
            chosen[several] = self._best(states[several])
        self.rows[states] = chosen
        self.bounds.fill(states, chosen)

    def _best(self, states: Ints) -> Ints:
        """The first best row of each state: by floats where they settle it, else by bounds, ties decided exactly."""
        arena = self.arena
        counts = arena.state_rows[states + 1] - arena.state_rows[states]
        rows = ranges(arena.state_rows[states], counts)
        starts = np.concatenate([[0], np.cumsum(counts)[:-1]])
        worth = self._floats(rows, np.repeat(arena.mover[states], counts))
        best = np.maximum.reduceat(worth, starts)
        rivals = worth >= np.repeat(best - 2 * self._slip(rows), counts)
        chosen = np.empty(len(states), dtype=np.int64)
        chosen[np.repeat(np.arange(len(states)), counts)[rivals]] = rows[rivals]
        open_states = np.flatnonzero(np.add.reduceat(rivals, starts) > 1)
        doubtful = rivals & np.isin(np.repeat(np.arange(len(states)), counts), open_states)
        pairs = (
            dict(zip(rows[doubtful].tolist(), self._intervals(rows[doubtful]), strict=True)) if len(open_states) else {}
        )
        for place in open_states.tolist():
            part = slice(starts[place], starts[place] + counts[place])
            intervals = {row: pairs[row] for row in rows[part][rivals[part]].tolist()}
            chosen[place] = self._choose(int(states[place]), intervals)
        return chosen

    def _intervals(self, rows: Ints) -> Iterator[tuple[int, int]]:
        """Bounds of what rows are worth to their movers, in units, larger being better."""
        movers = self.arena.mover[self.arena.row_state[rows]]
        for low, high in self.bounds.intervals(rows, movers):
            yield (low, high) if self.arena.sign > 0 else (-high, -low)

    def _floats(self, rows: Ints, movers: Ints) -> Floats:
        """What rows are worth to seats by the values as floats, larger being better."""
        arena = self.arena
        lengths = arena.row_edges[rows + 1] - arena.row_edges[rows]
        edges = ranges(arena.row_edges[rows], lengths)
        seat, target = np.repeat(movers, lengths), arena.target[edges]
        held = np.where(target >= 0, self.bounds.values[target, (seat - arena.by[edges]) % arena.seats], 0.0)
        brought = (held + arena.pay[arena.payoff[edges], seat]) * arena.weight[edges]
        starts = np.concatenate([[0], np.cumsum(lengths)[:-1]])
        return np.add.reduceat(brought, starts) / arena.denominator[rows] * arena.sign

    def _slip(self, rows: Ints) -> float:
        """By how much the floats of rows may be off."""
        edges = ranges(self.arena.row_edges[rows], self.arena.row_edges[rows + 1] - self.arena.row_edges[rows])
        return self.bounds.error(np.maximum(self.arena.target[edges], 0))

    def _choose(self, state: int, pairs: dict[int, tuple[int, int]]) -> int:
        """The first best of some rows of a state, given their bounds."""
        seat, sign = int(self.arena.mover[state]), self.arena.sign
        best = max(low for low, _ in pairs.values())
        rivals = [row for row, (_, high) in pairs.items() if high >= best]
        if all(self._same_row(rivals[0], row) for row in rivals[1:]):
            return rivals[0]
        try:
            shares = {row: self.exact.row_values(row) for row in rivals}
        except TooLong:
            self.undecided.append(state)
            return rivals[0]
        worth = {row: shared.fraction(seat) * sign for row, shared in shares.items()}
        top = max(worth.values())
        tied = tuple(row for row in rivals if worth[row] == top)
        others = [other for other in range(self.arena.seats) if other != seat]
        if len(tied) > 1:
            to_others = {tuple(shares[row].fraction(other) for other in others) for row in tied}
            self.ties[state] = Tie(state, tied, len(to_others) > 1)
        if len(tied) > 1 and self.courtesy:
            kindness = [sum(shares[row].fraction(other) for other in others) * sign for row in tied]
            return tied[kindness.index(max(kindness) if self.courtesy > 0 else min(kindness))]
        return tied[0]

    def _same_row(self, a: int, b: int) -> bool:
        """Whether two actions lead to the same results with the same chances."""
        arena = self.arena
        one, two = (slice(int(arena.row_edges[row]), int(arena.row_edges[row + 1])) for row in (a, b))
        columns = (arena.target, arena.weight, arena.by, arena.payoff)
        return bool(arena.denominator[a] == arena.denominator[b]) and all(
            np.array_equal(column[one], column[two]) for column in columns
        )

    # --- cyclic components

    def _solve_beside(self, states: Ints) -> None:
        """Solve the components of one level at once, or one by one where one of them has no pure equilibrium."""
        parts = by_label(states, self.arena.components[states])
        if len(parts) > 1:
            component = Component(self.arena, states, self.bounds.values)
            try:
                self._prove(component, self._propose(component))
            except (NoPureEquilibrium, NeverEnds):
                pass  # alone, each says where
            else:
                self._count(component, parts)
                return
        for members in parts:
            self._solve_component(members)

    def _solve_component(self, states: Ints) -> None:
        component = Component(self.arena, states, self.bounds.values)
        try:
            chosen = self._propose(component)
        except NoPureEquilibrium as none:
            if none.endless and self.unique_values:
                raise NeverEnds(int(states[none.states[0]])) from None
            if not (self.mix and self._solve_mixed(component, none)):
                raise NoPureEquilibrium(states[none.states], none.chosen, none.endless) from None
            return
        self._prove(component, chosen)
        self._count(component, [states])

    def _propose(self, component: Component) -> Ints:
        """A policy in floats."""
        start = component.first_options()
        if not len(component.free):
            return start
        if self.prefer is not None and (self.prefer[component.states] >= 0).all():
            start = np.searchsorted(component.rows, self.prefer[component.states])
        if self.unique_values or np.bincount(component.label[component.free]).max() > MANY_DECISIONS:
            settled = policy_iteration(component, start)
            if settled is not None:
                return settled[0]
        return sweeps(component, start)[0]

    def _prove(self, component: Component, chosen: Ints) -> None:
        """Bound the values of a policy and repair its decisions until no other row is better.

        Floats chose the policy, so a decision may be off where two rows are nearly worth the same. Each repair takes rows that
        are better for certain, or as good and earlier in their state; the bounds are then those of another policy.
        """
        states = component.states
        if len(component.free):
            self.lingering += states[component.can_stay()][:1].tolist()
        wrong: dict[int, int] = {}
        for _ in range(MAX_REPAIRS):
            self.rows[states] = component.rows[chosen]
            self.exact.forget(states)
            try:
                self.bounds.fill_component(component, chosen, self._within(states))
            except Unproven:
                raise NeverEnds(int(states[0])) from None
            if component.turning(chosen).method in ("sparse LU", "Krylov"):
                sizes = np.bincount(component.label) * self.arena.seats
                self.exact.opaque[states] = sizes[component.label] > MAX_UNKNOWNS
            wrong = self._deviations(component, chosen)
            if not self._repair(component, chosen, wrong):
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
            tie = self.ties.get(int(component.states[state]))
            if tie is None or int(component.rows[before]) not in tie.rows:
                raise NeverEnds(int(component.states[state]))
            chosen[state] = before
        return changed

    def _count(self, component: Component, parts: list[Ints]) -> None:
        """How many equilibria some components have, and how far their values lie apart, while all of them are small."""
        if self.unique_values:
            return
        options = np.where(component.fixed >= 0, 1, np.diff(component.first_row)).astype(float)
        policies = np.exp(np.minimum(np.bincount(component.label, np.log(options)), 50.0))
        self.tried += policies.sum()
        if policies.max() > MAX_POLICIES + 0.5 or self.tried > MAX_TRIED:
            self.equilibria = None
        for number, states in enumerate(parts):
            if self.equilibria is not None and policies[number] > 1.5:
                self._try_all(component if len(parts) == 1 else Component(self.arena, states, self.bounds.values))

    def _try_all(self, component: Component) -> None:
        """Every policy of a small component (floats: told, never printed)."""
        assert self.equilibria is not None
        options = np.where(component.fixed >= 0, 1, np.diff(component.first_row))
        near, seen = tolerance(component), set[bytes]()
        low = high = self.bounds.values[component.states]
        for pick in product(*(range(int(count)) for count in options)):
            chosen = component.first_row[:-1] + np.array(pick)
            if not component.reaches_exit(chosen).all():
                continue
            values, worth = component.assessed(chosen)
            if (worth[chosen] >= np.maximum.reduceat(worth, component.first_row[:-1]) - near).all():
                seen.add(np.round(values / (100 * near)).tobytes())
                low, high = np.minimum(low, values), np.maximum(high, values)
        self.equilibria *= max(len(seen), 1)
        self.apart = max(self.apart, float((high - low).max()))

    def _solve_mixed(self, component: Component, none: NoPureEquilibrium) -> bool:
        """Whether a mixture in one state was found and proved."""
        mixed = find_mixture(self.arena, self.bounds, component, none)
        if mixed is None:
            return False
        states = component.states
        self.lingering += states[component.can_stay()][:1].tolist()
        self.rows[states] = mixed.rows
        self.bounds.put(states, mixed.low, mixed.high)
        self.exact.opaque[mixed.state] = True
        chosen = np.searchsorted(component.rows, mixed.rows)
        mixing = int(np.searchsorted(states, mixed.state))
        if self._deviations(component, chosen, mixing) or self._better_third(mixed):
            return False
        self.mixtures[mixed.state] = mixed.mixture
        return True

    def _better_third(self, mixed: Mixed) -> bool:
        """Whether the mixing state has an action that may be better than the two it mixes."""
        rows = range(int(self.arena.state_rows[mixed.state]), int(self.arena.state_rows[mixed.state + 1]))
        worth = dict(zip(rows, self._intervals(np.array(rows)), strict=True))
        least = min(worth[row][0] for row in mixed.mixture.rows)
        return any(high > least for row, (_, high) in worth.items() if row not in mixed.mixture.rows)

    def _deviations(self, component: Component, chosen: Ints, mixing: int = -1) -> dict[int, int]:
        """States (local) that would rather take another row (local): empty when every decision is proved."""
        free = component.free[component.free != mixing]
        if not len(free):
            return {}
        best = np.searchsorted(component.rows, self._best(component.states[free]))
        other = best != chosen[free]
        return dict(zip(free[other].tolist(), best[other].tolist(), strict=True))


def values_under(
    arena: Arena, rows: Ints, patience: float | None = None, digits: int | None = None
) -> tuple[Number, ...]:
    """What each seat gets from the start under one row per state: fractions, or proven bounds where those are too long.

    ``patience``: the seconds that fractions may take, by a guess; by default as long as the arena takes to solve.
    ``digits``: how many decimal digits the bounds should have.
    """
    exact = ExactValues(arena, rows)
    try:
        return tuple(map(Number.of, exact.value(0, exact.patience if patience is None else patience)))
    except TooLong:
        pass
    return Solver(replace(arena, fixed=rows), unique_values=True, digits=digits).solve().bounds.numbers(0)
