"""The search for best play in a graph.

It tries the solution concepts that a game may have, one after another, and proves the first solution that it finds.
"""

from __future__ import annotations

from dataclasses import replace

from oddsmith.base.arrays import Ints, arange
from oddsmith.base.errors import SolveError
from oddsmith.base.exact import Number
from oddsmith.base.progress import Progress
from oddsmith.graph import StateGraph, describe, path_independent_payoffs, payoff_sums
from oddsmith.solve.arenas.arena import Arena
from oddsmith.solve.arenas.component import NeverEnds, RarelyEnds
from oddsmith.solve.arenas.component_policy import NoPureEquilibrium
from oddsmith.solve.policies import policy_rows
from oddsmith.solve.solution import PlayKind, Solution
from oddsmith.solve.values.arena_solver import LARGE_GAME, ArenaSolver
from oddsmith.solve.values.mixing import Mixture


class BestPlaySearch:
    """Tries the solution concepts that a game may have, in a fixed order."""

    def __init__(self, graph: StateGraph, progress: Progress, same_for_all_seats: bool, digits: int | None) -> None:
        self.graph, self.progress, self.same_for_all_seats, self.digits = graph, progress, same_for_all_seats, digits

    def solve(self, policies: dict[int, str]) -> Solution:
        """Return the first solution found. Raises SolveError if none is found.

        ``policies``: the named policies that some seats (from 1) play.
        """
        graph = self.graph
        for seat in policies:
            if not 1 <= seat <= graph.seats:
                raise SolveError(f"there is no seat {seat}: the seats are 1 to {graph.seats}")
        arena = Arena.of(graph)
        names = set(policies.values())
        if len(names) == 1 and len(policies) == graph.seats:
            arena = replace(arena, prescribed_row=policy_rows(graph, names.pop()))
        elif policies:
            return self._solve_against_policies(arena.with_copy_per_seat(), policies)
        kind: PlayKind = "named" if policies else "optimal"
        if not policies and graph.seats > 1:
            kind = "zero-sum" if graph.seats == 2 and has_constant_sum(graph) else "symmetric"
        symmetric = kind == "symmetric"
        solver = ArenaSolver(arena, unique_values=not symmetric, digits=self.digits)
        solver.counting, solver.large = symmetric, graph.state_count > LARGE_GAME
        try:
            solved = solver.solve(self.progress)
        except NoPureEquilibrium as none:
            by_seat = None if self.same_for_all_seats else self._solve_seat_dependent(arena, solver.rows, none)
            return by_seat or self._solve_mixed(arena, none)
        except NeverEnds as endless:
            raise _endless_error(graph, arena, endless) from None
        solution = Solution(graph, solved, kind, named_policies=policies)
        if symmetric:
            solution.equilibria = solver.equilibria
            if (solver.equilibria or 1) > 1:
                apart = f"in a single position their values differ by up to {solver.apart:.3g}"
                solution.notes = (f"There are {solver.equilibria} pure equilibria, and {apart}.",)
        if solution.tie_count and not policies:
            solution.tie_range = self._value_range_over_ties(solution, solver.unique_values)
        return solution

    def _value_range_over_ties(self, solution: Solution, unique_values: bool) -> tuple[tuple[Number, Number], ...]:
        """Return the least and the greatest value of each seat under three ways to break ties.

        The three are the way of the solution, a way in favour of the other seats, and a way against them. Each further
        search starts from the policy of the solution, because policies that break ties in another way differ little
        from it.
        """
        outcomes, solved = [solution.values], solution.solved
        for tie_break in (1, -1):
            solver = ArenaSolver(solved.arena, unique_values, solved.rows, tie_break=tie_break, digits=self.digits)
            try:
                other = solver.solve(self.progress)
            except (NoPureEquilibrium, NeverEnds):
                continue
            outcomes.append(Solution(solution.graph, other, solution.kind).values)
        seats = zip(*outcomes, strict=True)
        return tuple((min(seat, key=lambda v: v.lower), max(seat, key=lambda v: v.upper)) for seat in seats)

    def _solve_against_policies(self, arena: Arena, policies: dict[int, str]) -> Solution:
        """Solve the game in which some seats play named policies and the others best responses. Raises SolveError."""
        graph = self.graph
        rows = {name: policy_rows(graph, name) - graph.state_rows[:-1] for name in set(policies.values())}
        fixed = arena.prescribed_row.copy()
        for seat, name in policies.items():
            own = arange(seat - 1, arena.state_count, graph.seats)
            fixed[own] = arena.state_rows[own] + rows[name]
        arena = replace(arena, prescribed_row=fixed)
        free = graph.seats - len(policies)
        try:
            solved = ArenaSolver(arena, unique_values=free <= 1, digits=self.digits).solve(self.progress)
        except NoPureEquilibrium as none:
            state, mover = arena.state_and_mover(int(none.states[0]))
            shown = describe(graph, graph.state(state))
            moves = graph.game.ruleset.seat_name(mover)
            raise SolveError(f"the free seats have no pure equilibrium at {shown}, {moves} to move") from None
        except NeverEnds as endless:
            raise _endless_error(graph, arena, endless) from None
        return Solution(graph, solved, "named", named_policies=policies)

    def _solve_seat_dependent(self, arena: Arena, rows: Ints, no_equilibrium: NoPureEquilibrium) -> Solution | None:
        """Look for a pure equilibrium in which play depends on the seat. Returns None if none is found."""
        own = arena.with_copy_per_seat()
        try:
            solver = ArenaSolver(own, unique_values=False, start_rows=own.rows_by_seat(rows, arena), digits=self.digits)
            solved = solver.solve(self.progress)
        except NoPureEquilibrium:
            return None
        except NeverEnds as endless:
            raise _endless_error(self.graph, own, endless) from None
        note = (
            "No single way of playing suits every seat here, so what is best depends on the seat "
            f"({_cycling_clause(self.graph, no_equilibrium)}). "
            "solve --alike looks further for play that is the same for every seat."
        )
        return Solution(self.graph, solved, "pure-by-seat", notes=(note,))

    def _solve_mixed(self, arena: Arena, no_equilibrium: NoPureEquilibrium) -> Solution:
        """Look for an equilibrium in which all seats play alike and actions are mixed in some states. Raises
        SolveError.
        """
        graph = self.graph
        try:
            solver = ArenaSolver(arena, unique_values=False, mixing=True, digits=self.digits)
            solver.large = graph.state_count > LARGE_GAME
            solved = solver.solve(self.progress)
        except NoPureEquilibrium as again:
            looked_for = (
                "pure, or with actions mixed" if self.same_for_all_seats else "pure, with actions mixed, or by seat"
            )
            rest = (
                " Play that depends on the seat was not looked for: leave out --alike."
                if self.same_for_all_seats
                else ""
            )
            raise SolveError(
                f"{_no_pure_play_text(graph, again)} No equilibrium was found, {looked_for}.{rest}"
            ) from None
        except NeverEnds as endless:
            raise _endless_error(graph, arena, endless) from None
        if not solved.mixtures:  # best responses cycle, and yet pure play was found by other means
            return Solution(graph, solved, "symmetric")
        shares = [
            f"{describe(graph, graph.state(state))}: {_mixture_text(graph, mixture)}"
            for state, mixture in sorted(solved.mixtures.items())
        ]
        return Solution(graph, solved, "mixed", notes=(_no_pure_play_text(graph, no_equilibrium), *shares))


def _mixture_text(graph: StateGraph, mixture: Mixture) -> str:
    """Return a mixed action in words: each action with its chance, and the last action with the remaining chance."""
    *others, last = mixture.rows
    chances = [f"{graph.action_name(row)} with chance {mixture.row_probabilities[row].percent(4)}" for row in others]
    return f"{', '.join(chances)}, else {graph.action_name(last)}"


def endless_play_notes(solution: Solution) -> tuple[str, ...]:
    """Return a note that the players could keep the game from ending; empty if they could not."""
    if not solution.solved.endless_play_states:
        return ()
    state = solution.graph.state(solution.solved.arena.state_and_mover(solution.solved.endless_play_states[0])[0])
    shown = describe(solution.graph, state)
    return (f"The players could keep the game from ending at {shown}. Ways of playing that never end it are left out.",)


def _no_pure_play_text(graph: StateGraph, no_equilibrium: NoPureEquilibrium) -> str:
    return f"No way of playing without chance suits every seat here: {_cycling_clause(graph, no_equilibrium)}."


def _cycling_clause(graph: StateGraph, no_equilibrium: NoPureEquilibrium) -> str:
    where = "; ".join(describe(graph, graph.state(int(state))) for state in no_equilibrium.states[:3])
    why = "play would never end with the best response at" if no_equilibrium.is_endless else "best responses cycle at"
    return f"{why} {where}"


def has_constant_sum(graph: StateGraph) -> bool:
    """Return whether the sum of the payoffs of all seats, from each state on, is the same however play continues."""
    paid = payoff_sums(graph.payoffs, graph.state_count)[graph.payoff]
    return path_independent_payoffs(graph.edge_state, graph.target, graph.state_count, paid) is not None


def _endless_error(graph: StateGraph, arena: Arena, endless: NeverEnds) -> SolveError:
    shown = describe(graph, graph.state(arena.state_and_mover(endless.state)[0]))
    if isinstance(endless, RarelyEnds):
        return SolveError(f"play from {shown} ends, but so rarely that its value cannot be found in a reasonable time")
    return SolveError(f"best or prescribed play may go on for ever at {shown}: its value is not defined")
