"""Solving an arena from the ends of the game backwards: floats propose a policy, and whole numbers verify it.

*One-shot deviations.* Let v be the values of a policy under which play ends. It is shown in every state that no row has
a larger value to the mover than the chosen row, if play then goes on by the policy. That is sufficient. Let a player
deviate as often as it likes, in a way that ends in finite expected time, while the others keep to the policy. Add what
the player has received so far to v of the current state. This sum never rises in expectation, and each step changes it
by a bounded amount, so by optional stopping the total payoff is at most v of the start. With one seat the policy is
therefore optimal (Bellman's equation). With two seats of constant sum, v is what each can secure, and so it is the only
value. With more seats the policy is an equilibrium from every state on (the one-shot deviation principle: Osborne and
Rubinstein, A Course in Game Theory, section 6.1). Play that does not end in finite expected time is not compared: a
player who may bet at even odds for ever will at some time be a coin ahead. ``lingering`` lists states in which the
players together could keep the game from ending.

Two seats of constant sum have only one value if neither seat alone can keep the game from ending (``waiting``) while
the other plays the policy: whatever a seat does, play then ends, and brings that seat no more than the value.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product

import numpy as np

from oddsmith.base.arrays import Ints, arange, bincount, reduceat
from oddsmith.base.progress import Progress
from oddsmith.solve.arenas.arena import Arena, groups_in_solving_order, states_by_label
from oddsmith.solve.arenas.component import Component, NeverEnds, PolicyCandidate, RarelyEnds
from oddsmith.solve.arenas.component_policy import (
    NoPureEquilibrium,
    best_response_sweeps,
    policy_iteration,
    simultaneous_best_responses,
    value_tolerance,
)
from oddsmith.solve.arenas.gauss_seidel import GaussSeidel, is_gauss_seidel_quicker
from oddsmith.solve.arenas.tracing import mixed_candidates
from oddsmith.solve.numbers import FractionTooLong
from oddsmith.solve.systems.linear_systems import SingularSystem
from oddsmith.solve.values.bounds import KnownValues, ProvenBounds
from oddsmith.solve.values.deciding import BestRowDecider, Tie
from oddsmith.solve.values.fractions import MAX_UNKNOWNS, ExactValues
from oddsmith.solve.values.mixing import Mixture, bounds_by_fractions, local_mixtures, mixed_bounds, prove_mixture
from oddsmith.solve.values.refining import Unproven

DEFAULT_PLACES = 256  # binary places: some 77 decimal digits
MIN_PRECISION = 90
SPARE_PLACES = 48  # binary places beyond the digits that are wanted
LARGE_COMPONENT = 20_000  # states of a component from which on its progress is reported
LARGE_GAME_VALUES = 3_000_000  # values from which on the least precision is the default
MAX_REPAIRS = 50
MANY_DECISIONS = 1_000  # decisions of a component from which on all its states respond at once at first
MANY_OF_LARGE = 12  # the same in a large game
LARGE_GAME = 1_000_000  # states of a large game
MAX_TRIED = 50_000  # policies of all components together, up to which equilibria are counted
MAX_POLICIES = 256  # of a component, up to which all are tried to count the equilibria


@dataclass
class SolvedArena:
    """An arena with a proved policy: one row for each state, and bounds of every value.

    ``ties``: the states with several best rows. ``undecided_states``: states whose rows no bound distinguishes.
    ``mixtures``: the mixed actions of the states that mix. ``endless_play_states``: some of the states in which the
    players together could keep the game from ending. ``waiting_states``: some of the states in which one of two players
    of constant sum could do so alone, while the other plays the policy.
    """

    arena: Arena
    rows: Ints
    bounds: ProvenBounds
    exact: ExactValues
    ties: list[Tie] = field(default_factory=list)
    undecided_states: list[int] = field(default_factory=list)
    mixtures: dict[int, Mixture] = field(default_factory=dict)
    endless_play_states: list[int] = field(default_factory=list)
    waiting_states: list[int] = field(default_factory=list)


def binary_places_for_digits(value_count: int, digits: int | None) -> int:
    """Return the number of binary places for ``digits`` decimal digits.

    If ``digits`` is None, it depends on the number of values that the arena has.
    """
    wanted = DEFAULT_PLACES if value_count <= LARGE_GAME_VALUES else MIN_PRECISION
    return wanted if digits is None else max(MIN_PRECISION, SPARE_PLACES + digits * 10 // 3)


class ArenaSolver:
    """Solves an arena.

    ``unique_values``: whether every equilibrium has the same values (one seat, or two with a constant sum), so that any
    of them will do. ``start_rows``: the rows to start from (-1: no preferred row). ``mixing``: whether states may mix
    if best responses cycle; or the given mixtures of some states, if the arena prescribes play in all others.
    ``tie_break``: as for ``BestRowDecider``. ``digits``: the wanted decimal digits of the bounds. ``known_values``: the
    values of the last states of the arena, which have no rows.

    Before solving, the caller may set ``counting``, to count the equilibria of small components, and ``large``, if the
    game has more than ``LARGE_GAME`` states.
    """

    def __init__(
        self,
        arena: Arena,
        unique_values: bool,
        start_rows: Ints | None = None,
        mixing: bool | Mapping[int, Mixture] = False,
        tie_break: int = 0,
        digits: int | None = None,
        known_values: KnownValues | None = None,
    ) -> None:
        self.counting, self.large, self.counted = False, False, list[Ints]()
        self.arena, self.unique_values, self.mix = arena, unique_values, mixing is True
        self.given_mixtures = mixing if isinstance(mixing, Mapping) else {}
        self.equilibria: int | None = 1
        self.apart, self.tried = 0.0, 0.0
        self.start_rows, self.rows = start_rows, np.full(arena.state_count, -1, dtype=np.int64)
        self.bounds = ProvenBounds(
            arena,
            binary_places_for_digits(arena.state_count * arena.seats, digits),
            known_values.primes if known_values else (),
        )
        self.exact = ExactValues(arena, self.rows, self.bounds)
        self.decider = BestRowDecider(arena, self.bounds, self.exact, tie_break)
        self.endless_play_states, self.waiting_states = list[int](), list[int]()
        self.mixtures: dict[int, Mixture] = {}
        if known_values is not None:
            boundary = arange(arena.state_count - len(known_values.radius), arena.state_count)
            self.bounds.set_known(boundary, known_values)
            self.exact.fraction_unavailable[boundary] = True

    def solve(self, progress: Progress | None = None) -> SolvedArena:
        """Solve the arena.

        Raises NoPureEquilibrium (with states of the arena), NeverEnds (with a state), Unproven, and FractionTooLong for given
        mixtures.
        """
        self.progress, self.done = progress, 0
        for states, cyclic in groups_in_solving_order(self.arena):
            free = self._bound_given_mixtures(states) if self.given_mixtures else states
            if not cyclic:
                self._solve_acyclic_group(free)
            elif len(free):
                self._solve_components_together(free)
            self.done += len(states)
            if progress:
                progress("solving", self.done, self.arena.state_count)
        self._count_equilibria()
        return SolvedArena(
            self.arena,
            self.rows,
            self.bounds,
            self.exact,
            list(self.decider.ties.values()),
            list(self.decider.undecided),
            self.mixtures,
            self.endless_play_states,
            self.waiting_states,
        )

    def _bound_given_mixtures(self, states: Ints) -> Ints:
        """Bound the values of the components of one level that contain given mixtures.

        Returns the states of all other components of the level, ascending.
        """
        free = [states[:0]]
        for members in states_by_label(states, self.arena.components[states]):
            mixtures = {state: self.given_mixtures[state] for state in members.tolist() if state in self.given_mixtures}
            if not mixtures:
                free.append(members)
                continue
            component = Component(self.arena, members, self.bounds.values)
            with component.with_mixtures(local_mixtures(component, mixtures)):
                chosen = component.leaving_policy()
            found = mixed_bounds(self.arena, self.bounds, component, chosen, mixtures)
            self.rows[members] = component.rows[chosen]
            self.bounds.set_bounds(members, *found)
            self.exact.fraction_unavailable[list(mixtures)] = True
        return np.sort(np.concatenate(free))

    def _component_progress(self, states: Ints) -> Callable[[float], None]:
        """Return a function that reports progress within a large component; it takes the share that is done."""

        def report_share(share: float) -> None:
            if self.progress and len(states) > LARGE_COMPONENT:
                self.progress("solving", self.done + int(share * len(states)), self.arena.state_count)

        return report_share

    def _policy_progress(self, component: Component) -> Callable[[int], None]:
        """Return a function that reports how many states of a large component keep their action; it takes their number."""
        count = len(component.states)

        def report_kept(kept: int) -> None:
            if self.progress and count > LARGE_COMPONENT:
                self.progress("choosing actions", kept, count)

        return report_kept

    # --- acyclic states, many at once

    def _solve_acyclic_group(self, states: Ints) -> None:
        arena = self.arena
        counts = arena.state_rows[states + 1] - arena.state_rows[states]
        states, counts = states[counts > 0], counts[counts > 0]
        chosen = np.where(arena.prescribed_row[states] >= 0, arena.prescribed_row[states], arena.state_rows[states])
        several = (counts > 1) & (arena.prescribed_row[states] < 0)
        if several.any():
            chosen[several] = self.decider.best_rows(states[several])
        self.rows[states] = chosen
        self.bounds.fill_acyclic(states, chosen)

    # --- cyclic components

    def _solve_components_together(self, states: Ints) -> None:
        """Solve the components of one level together. Components without a pure equilibrium are solved one by one."""
        parts = states_by_label(states, self.arena.components[states])
        while len(parts) > 1:
            together = np.sort(np.concatenate(parts))
            component = Component(self.arena, together, self.bounds.values)
            try:
                self._prove_policy(component, self._propose_policy(component))
            except NoPureEquilibrium as none:
                at = none.states if none.is_unproved else together[none.states]
                failing = np.isin([self.arena.components[each[0]] for each in parts], self.arena.components[at])
            except NeverEnds:
                break  # alone, each says where
            else:
                self._record_for_counting(component, parts)
                return
            for members in (each for each, alone in zip(parts, failing.tolist(), strict=True) if alone):
                self._solve_component(members)
            parts = [each for each, alone in zip(parts, failing.tolist(), strict=True) if not alone]
        for members in parts:
            self._solve_component(members)

    def _solve_component(self, states: Ints) -> None:
        component = Component(self.arena, states, self.bounds.values)
        try:
            chosen = self._propose_policy(component)
        except NoPureEquilibrium as none:
            if none.is_endless and self.unique_values:
                raise NeverEnds(int(states[none.states[0]])) from None
            if not (self.mix and self._try_mixed_candidates(component, none)):
                raise NoPureEquilibrium(states[none.states], none.chosen_rows, none.is_endless) from None
            return
        self._prove_policy(component, chosen)
        self._record_for_counting(component, [states])

    def _propose_policy(self, component: Component) -> Ints:
        """Propose a policy in floats: one local row for each state. Raises NoPureEquilibrium, NeverEnds."""
        start = component.leaving_policy()
        if not len(component.free_states):
            return start
        if self.start_rows is not None and (self.start_rows[component.states] >= 0).all():
            start = np.searchsorted(component.rows, self.start_rows[component.states])
        decisions = bincount(component.label[component.free_states], minlength=component.parts)
        if self.unique_values or decisions.max() > MANY_DECISIONS:
            found = (
                GaussSeidel(component, value_tolerance(component)).find_policy()
                if is_gauss_seidel_quicker(component)
                else None
            )
            first = start if found is None else found
            reached, values = policy_iteration(component, first, self._policy_progress(component))
            if values is not None:
                return reached
            start = start if reached is first else reached
        elif self.large:
            start = simultaneous_best_responses(component, start, decisions > MANY_OF_LARGE)
        try:
            return best_response_sweeps(component, start)[0]
        except SingularSystem:
            return start  # in floats, play never ends: repairs begin from here

    def _prove_policy(self, component: Component, chosen_rows: Ints) -> None:
        """Bound the values of a policy, and improve the policy until no other row is better.

        Floats chose the policy, so a choice between rows of nearly the same value may be wrong. Each improvement takes
        rows that are certainly better, or as good and earlier in their state; the values of the new policy are then
        bounded anew. Raises NoPureEquilibrium, NeverEnds.
        """
        states = component.states
        wrong: dict[int, int] = {}
        for _ in range(MAX_REPAIRS):
            self.rows[states] = component.rows[chosen_rows]
            self.exact.forget_values(states)
            try:
                self.bounds.fill_component(component, chosen_rows, self._component_progress(states))
            except Unproven:
                self._bound_policy_by_fractions(component, chosen_rows)
            else:
                self._mark_long_fractions_unavailable(component, chosen_rows)
            wrong = self._possible_deviations(component, chosen_rows)
            if not self._improve_policy(component, chosen_rows, wrong):
                self._record_endless_play(component, chosen_rows)
                return
        raise NoPureEquilibrium(states[sorted(wrong)], chosen_rows, is_unproved=True)

    def _bound_policy_by_fractions(self, component: Component, chosen_rows: Ints) -> None:
        """Bound the values of a policy by which play ends too rarely for floats. Raises NeverEnds if play may not end
        at all.
        """
        ending = component.states_reaching_exit(chosen_rows)
        if not ending.all():
            raise NeverEnds(int(component.states[np.flatnonzero(~ending)[0]]))
        try:
            found = bounds_by_fractions(self.arena, self.bounds, component, chosen_rows)
        except FractionTooLong:
            raise RarelyEnds(int(component.states[0])) from None
        self.bounds.set_bounds(component.states, *found)

    def _mark_long_fractions_unavailable(self, component: Component, chosen_rows: Ints) -> None:
        """Mark values in large components as unavailable as fractions if they depend on too many unknowns."""
        if component.linear_system(chosen_rows).has_large_component:
            sizes = bincount(component.label) * self.arena.seats
            self.exact.fraction_unavailable[component.states] = sizes[component.label] > MAX_UNKNOWNS

    def _record_endless_play(self, component: Component, chosen_rows: Ints) -> None:
        """Record states of the component in which players, together or alone, could keep the game from ending."""
        if not len(component.free_states):
            return
        states, stay = component.states, component.states_that_can_stay()
        self.endless_play_states += states[stay][:1].tolist()
        if stay.any() and self.unique_values and self.arena.seats == 2:
            self.waiting_states += states[component.states_where_one_seat_can_stay(chosen_rows)][:1].tolist()

    def _improve_policy(self, component: Component, chosen_rows: Ints, better_rows: dict[int, int]) -> bool:
        """Let the policy take the better rows ``better_rows``, as in policy iteration. Returns whether any row was changed.

        A row that may be only as good is not taken if play would then never end. Raises NeverEnds, NoPureEquilibrium.
        """
        changed = False
        for state, row in better_rows.items():
            before = chosen_rows[state]
            chosen_rows[state] = row
            if component.states_reaching_exit(chosen_rows).all():
                changed = True
                continue
            own = int(component.states[state])
            tie = self.decider.ties.get(own)
            if int(component.rows[before]) not in (tie.best_rows if tie else self.decider.undecided.get(own, ())):
                if self.unique_values:
                    raise NeverEnds(own)
                raise NoPureEquilibrium(component.states[[state]], chosen_rows, is_endless=True, is_unproved=True)
            chosen_rows[state] = before
        return changed

    def _record_for_counting(self, component: Component, component_states: list[Ints]) -> None:
        """Record components whose equilibria will be counted at the end; nothing is counted if there are too many
        policies.
        """
        if not self.counting:
            return
        options = np.where(component.fixed >= 0, 1, np.diff(component.first_row)).astype(float)
        policies = np.exp(np.minimum(bincount(component.label, np.log(options)), 50.0))
        self.tried += policies.sum()
        if policies.max() > MAX_POLICIES + 0.5 or self.tried > MAX_TRIED:
            self.equilibria = None
        self.counted += [
            states for states, number in zip(component_states, policies.tolist(), strict=True) if number > 1.5
        ]

    def _count_equilibria(self) -> None:
        """Count the equilibria of the recorded components, unless there are too many policies."""
        for states in self.counted:
            if self.equilibria is None:
                return
            self._count_by_trying_policies(Component(self.arena, states, self.bounds.values))

    def _count_by_trying_policies(self, component: Component) -> None:
        """Count the equilibria of a small component by evaluating every policy in floats."""
        assert self.equilibria is not None
        options = np.where(component.fixed >= 0, 1, np.diff(component.first_row))
        near, seen = value_tolerance(component), set[bytes]()
        low = high = self.bounds.values[component.states]
        for pick in product(*(range(int(count)) for count in options)):
            chosen = component.first_row[:-1] + np.array(pick)
            if not component.states_reaching_exit(chosen).all():
                continue
            try:
                values, worth = component.evaluate_policy(chosen)
            except SingularSystem:  # play ends, too rarely for floats
                self.equilibria = None
                return
            if (worth[chosen] >= reduceat(np.maximum, worth, component.first_row[:-1]) - near).all():
                seen.add(np.round(values / (100 * near)).tobytes())
                low, high = np.minimum(low, values), np.maximum(high, values)
        self.equilibria *= max(len(seen), 1)
        self.apart = max(self.apart, float((high - low).max()))

    def _try_mixed_candidates(self, component: Component, no_equilibrium: NoPureEquilibrium) -> bool:
        """Try to find and prove mixed play in a component. Returns whether that succeeded."""
        for guess in mixed_candidates(component, no_equilibrium):
            if self._try_to_prove_candidate(component, guess):
                return True
            self.exact.forget_values(component.states)
            self.decider.forget_decisions(component.states)
        return False

    def _try_to_prove_candidate(self, component: Component, candidate: PolicyCandidate) -> bool:
        """Return whether a candidate is proved to be an equilibrium; if so, its values are set."""
        states = component.states
        if not candidate.mixtures:
            try:
                self._prove_policy(component, candidate.chosen_rows.copy())
            except (NoPureEquilibrium, NeverEnds):
                return False
            self._record_for_counting(component, [states])
            return True
        mixed = prove_mixture(self.arena, self.bounds, component, candidate)
        if mixed is None:
            return False
        self.rows[states] = mixed.chosen_rows
        self.bounds.set_bounds(states, mixed.lower_bounds, mixed.upper_bounds)
        own = list(mixed.mixtures)
        self.exact.fraction_unavailable[own] = True
        if self._possible_deviations(
            component, candidate.chosen_rows, list(candidate.mixtures)
        ) or self._mixture_may_improve(mixed.mixtures):
            self.exact.fraction_unavailable[own] = False
            return False
        self._record_endless_play(component, candidate.chosen_rows)
        self.mixtures.update(mixed.mixtures)
        return True

    def _mixture_may_improve(self, mixtures: Mapping[int, Mixture]) -> bool:
        """Return whether an action outside the mixture of a mixing state may be better."""
        return any(self._state_may_improve(state, mixture.rows) for state, mixture in mixtures.items())

    def _state_may_improve(self, state: int, mixed_rows: Sequence[int]) -> bool:
        arena = self.arena
        rows = arange(arena.state_rows[state], arena.state_rows[state + 1])
        mover = int(arena.mover[state])
        bounds = self.bounds.row_intervals(rows, np.full(len(rows), mover, dtype=np.int64))
        worth = {
            row: sorted((low * arena.objective_sign, high * arena.objective_sign))
            for row, (low, high) in zip(rows.tolist(), bounds, strict=True)
        }
        least = min(worth[row][0] for row in mixed_rows)
        may = [row for row, (_, high) in worth.items() if high > least]
        return not all(any(self.exact.certainly_have_same_value(mover, row, own) for own in mixed_rows) for row in may)

    def _possible_deviations(
        self, component: Component, chosen_rows: Ints, skipped_states: Sequence[int] = ()
    ) -> dict[int, int]:
        """Return the local states in which another row may be better than the chosen one, each with that local row.

        The result is empty if every choice is proved. ``skipped_states``: local states that are not checked.
        """
        free = component.free_states[~np.isin(component.free_states, np.array(skipped_states, dtype=np.int64))]
        if not len(free):
            return {}
        best = np.searchsorted(component.rows, self.decider.best_rows(component.states[free]))
        other = best != chosen_rows[free]
        return dict(zip(free[other].tolist(), best[other].tolist(), strict=True))
