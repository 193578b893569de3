"""Cheating: the value of a game to a seat that cheats and plays best with its cheat.

A seat that cheats rolls loaded dice, repeats a roll or draw in secret (several tries), or sees a result before it
chooses (a peek). The other seats do not know: they keep to the solution, or to the policies that they play there. A
loaded die has the faces of a fair one. So both games have the same positions and transitions, and only the chances
differ. The cheat solves a Markov decision process, with the chances of the loaded dice in states in which the cheat is
to move and of the fair dice elsewhere.

A cheat with several tries shows the result that is worth most. So the ranking of the results is a part of the policy.
It is found by policy iteration: rank the results by their values, solve, and rank again, until the order stays the
same. With k tries, the i-th result, counted from the worst, has the chance F(i)^k - F(i - 1)^k. F(i) is the chance that
one try gives one of the i worst results. Results whose proven bounds overlap count as equally good, and keep their
order.

A cheat who peeks sees what its options will roll or draw before choosing; see ``peeking``.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import accumulate, pairwise

import numpy as np

from oddsmith.base.arrays import Ints, Mask, arange, bincount
from oddsmith.base.errors import MeasureError
from oddsmith.base.exact import Number
from oddsmith.base.progress import ignore_progress
from oddsmith.graph import Explorer, StateGraph
from oddsmith.graph.reductions import ReductionOptions
from oddsmith.ruleset import with_loaded_dice
from oddsmith.ruleset.model import Cheat, Phase, Ruleset
from oddsmith.solve.arenas.arena import Arena
from oddsmith.solve.questions.peeking import foreseen_results, peeking_arena
from oddsmith.solve.questions.played import policy_on_finer_graph
from oddsmith.solve.solution import Solution
from oddsmith.solve.values.arena_solver import ArenaSolver, SolvedArena

MAX_ROUNDS = 100
"""The most rounds of ranking and solving; policy iteration needs only a few."""
MAX_DENOMINATOR = 1 << 40
CHEAT = 0
"""The seat that cheats, from 0."""


def solve_with_cheat(solution: Solution, cheat: Cheat) -> Solution:
    """Solve the game in which seat 1 cheats, and the others keep to ``solution``.

    The values are those of the cheat's best play. Raises MeasureError if seats mix actions, and TooManyStatesError.
    """
    if solution.mixtures:
        raise MeasureError("players mix actions there, so what a cheat gets is not worked out")
    own, reduction = solution.graph, solution.graph.codec.reduction
    # What fair dice make alike, loaded ones may tell apart; so both games are laid out as far as either does.
    sharing = ReductionOptions(symmetry=bool(reduction.orbits), finer_than=reduction)
    explorer = Explorer(with_loaded_dice(own.game, cheat), own.objective, tuple(own.watched), sharing)
    fair = policy_on_finer_graph(solution, explorer.codec.reduction).by_seat()
    arena, free = fair.arena, fair.arena.mover == CHEAT
    if cheat.weights:
        odd = Arena.of(explorer.explore()[0]).with_copy_per_seat()
        same = ("state_rows", "row_edges", "target", "payoff", "payoffs", "scale")
        assert all(np.array_equal(getattr(arena, name), getattr(odd, name)) for name in same), (
            "dice change what can happen"
        )
        theirs = free[arena.row_state]
        arena = replace(
            arena,
            denominator=np.where(theirs, odd.denominator, arena.denominator),
            weight=np.where(theirs[arena.edge_row], odd.weight, arena.weight),
        )
    arena = replace(arena, prescribed_row=np.where(free, -1, fair.rows))
    rolled = (
        _rows_that_cheat_rolls(fair.graph, sharing, arena, free, cheat)
        if cheat.try_count > 1 or cheat.sees_results_first
        else arange(0)
    )
    if cheat.sees_results_first:
        arena, rolled = peeking_arena(arena, foreseen_results(arena, rolled, fair.graph, explorer.game)), arange(0)
    return Solution(fair.graph, _solve_with_tries(arena, rolled, cheat.try_count), "named")


def _rows_that_cheat_rolls(
    fair_graph: StateGraph, reduction_options: ReductionOptions, arena: Arena, cheat_states: Mask, cheat: Cheat
) -> Ints:
    """Return the rows on which the cheat rolls or draws, including options whose choice rolls at once.

    ``cheat_states``: the mask of the states in which the cheat is to move.
    """
    rules = fair_graph.game.ruleset
    entries = [
        (phase.name, entry.name)
        for phase in rules.phases.values()
        if _rolls_or_draws_with_cheat(rules, phase, cheat)
        for entry in phase.entries
    ]
    graph = Explorer(
        fair_graph.game, fair_graph.objective, (*fair_graph.watched, *entries), reduction_options
    ).explore()[0]
    assert np.array_equal(graph.keys, fair_graph.keys), "what is watched changes no state"
    bits = sum({graph.watched[entry] for entry in entries}, start=0)
    passed = bincount(graph.edge_row, graph.event_bits & bits != 0, len(graph.row_edges) - 1) > 0
    own = arena.row_state
    rows = graph.state_rows[own // arena.copies_per_state] + arange(len(own)) - arena.state_rows[own]
    return np.flatnonzero(passed[rows] & cheat_states[own])


def _rolls_or_draws_with_cheat(rules: Ruleset, phase: Phase, cheat: Cheat) -> bool:
    """Return whether a phase rolls the die of the cheat, or draws from its bag."""
    for throw in phase.rolls_and_draws:
        held = rules.state[throw.name].dice if throw.kind != "draw" and throw.is_kept else ()
        if throw.kind == "draw" and throw.bag == cheat.bag:
            return True
        if cheat.die in {term.die for term in (*throw.dice, *held)}:
            return True
    return False


def _solve_with_tries(arena: Arena, rolled_rows: Ints, try_count: int) -> SolvedArena:
    """Solve an arena in which the cheat tries several times in the given rows, and shows the best result.

    ``try_count``: the number of tries. Raises MeasureError.
    """
    if len(rolled_rows) and int(arena.denominator[rolled_rows].max()) ** try_count > MAX_DENOMINATOR:
        raise MeasureError("a roll there has so many results that the best of several tries is not worked out")
    order = [list(range(arena.row_edges[row], arena.row_edges[row + 1])) for row in rolled_rows.tolist()]
    for _ in range(MAX_ROUNDS):
        solved = ArenaSolver(_best_of_tries_arena(arena, rolled_rows, order, try_count), unique_values=True).solve(
            ignore_progress
        )
        ranked = list(_ranked_edges(solved, order))
        if ranked == order:
            return solved
        order = ranked
    raise MeasureError("the best of several tries is not settled there")  # no order comes twice in exact numbers


def _ranked_edges(solved: SolvedArena, edges_by_row: list[list[int]]) -> Iterator[list[int]]:
    """Yield, for each row, its transitions in order from the worst for the cheat to the best.

    ``edges_by_row``: the transitions of each row; those whose bounds overlap keep their order.
    """
    arena, bounds = solved.arena, solved.bounds
    pay = [bounds.point.units_of_limbs(column) for column in bounds.pay[:, :, CHEAT].T.tolist()]

    def edge_bounds(edge: int) -> tuple[int, int]:
        """Return lower and upper bound of the value of a transition, in units."""
        target, paid = int(arena.target[edge]), pay[int(arena.payoff[edge])]
        if target < 0:
            return paid, paid
        middle, radius = (
            bounds.point.units_of_limbs(bounds.middle[:, target, CHEAT].tolist()),
            int(bounds.radius[target]),
        )
        return paid + middle - radius, paid + middle + radius

    for edges in edges_by_row:
        known = {edge: edge_bounds(edge) for edge in edges}
        rank = {edge: at for at, edge in enumerate(edges)}
        found = sorted(edges, key=lambda edge: (arena.objective_sign * sum(known[edge]), rank[edge]))
        # A run of results whose bounds meet counts as one.
        runs = [[found[0]]]
        for one, other in pairwise(found):
            apart = known[one][1] < known[other][0] or known[other][1] < known[one][0]
            runs.append([other]) if apart else runs[-1].append(other)
        yield [edge for run in runs for edge in sorted(run, key=rank.__getitem__)]


def _best_of_tries_arena(
    one_try_arena: Arena, rolled_rows: Ints, ranked_edges: list[list[int]], try_count: int
) -> Arena:
    """Return an arena in which the best of several tries is shown.

    ``ranked_edges``: the transitions of each of the given rows, the worst first. ``one_try_arena``: the arena with one
    try.
    """
    weight, denominator = one_try_arena.weight.astype(np.int64), one_try_arena.denominator.copy()
    denominator[rolled_rows] **= try_count
    for edges in ranked_edges:
        powers = [total**try_count for total in accumulate(one_try_arena.weight[edges].tolist())]
        weight[edges] = [after - before for before, after in pairwise([0, *powers])]
    return replace(one_try_arena, weight=weight, denominator=denominator)


def break_even_detection_share(fair_value: Number, undetected_value: Number, detected_value: Number) -> Number | None:
    """Return the share of games found out at which cheating just breaks even.

    ``fair_value``: the value of fair play. A cheat who is not found out receives ``undetected_value``, and one who is
    found out receives ``detected_value``. Returns None if cheating never pays, or if it may pay even when it is found
    out.
    """
    if undetected_value.upper <= fair_value.lower or detected_value.upper >= fair_value.lower:
        return None
    return (undetected_value - fair_value) / (undetected_value - detected_value)
