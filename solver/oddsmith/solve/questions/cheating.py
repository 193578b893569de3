"""Cheating: the value to a seat that alone rolls loaded dice, and plays best with them.

The others do not know: they keep to the solution, or to the policies that they play there. A loaded die has the
faces of a fair one. So both games have the same positions and transitions, and only the chances differ. The cheat
solves a Markov decision process, with the chances of the loaded dice where the cheat is to move and of the fair ones
elsewhere.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from oddsmith.base.errors import MeasureError
from oddsmith.base.exact import Number
from oddsmith.base.progress import silent
from oddsmith.graph import Explorer
from oddsmith.graph.reductions import StateSharing
from oddsmith.ruleset import with_loaded_dice
from oddsmith.ruleset.model import Cheat
from oddsmith.solve.arenas.arena import Arena
from oddsmith.solve.questions.played import policy_on_finer_graph
from oddsmith.solve.solution import Solution
from oddsmith.solve.values.arena_solver import ArenaSolver


def solve_with_cheat(solution: Solution, cheat: Cheat, seat: int = 1) -> Solution:
    """Solve the game in which a seat (from 1) rolls loaded dice, and the others keep to ``solution``.

    The values are those of the cheat's best play. Raises MeasureError where seats mix actions, TooManyStatesError.
    """
    if solution.mixtures:
        raise MeasureError("players mix actions there, so what a cheat gets is not worked out")
    own, reduction = solution.graph, solution.graph.codec.reduction
    # What fair dice make alike, loaded ones may tell apart; so both games are laid out as far as either does.
    sharing = StateSharing(symmetry=bool(reduction.orbits), finer_than=reduction)
    explorer = Explorer(with_loaded_dice(own.game, cheat), own.objective, tuple(own.watched), sharing)
    fair = policy_on_finer_graph(solution, explorer.codec.reduction).by_seat()
    odd = Arena.of(explorer.explore()[0]).by_seat()
    arena, free = fair.arena, fair.arena.mover == seat - 1
    same = ("state_rows", "row_edges", "target", "payoff", "payoffs", "scale")
    assert all(np.array_equal(getattr(arena, name), getattr(odd, name)) for name in same), "dice change what can happen"
    theirs = free[arena.row_state]
    arena = replace(
        arena,
        denominator=np.where(theirs, odd.denominator, arena.denominator),
        weight=np.where(theirs[arena.edge_row], odd.weight, arena.weight),
        fixed=np.where(free, -1, fair.rows),
    )
    return Solution(fair.graph, ArenaSolver(arena, unique_values=True).solve(silent), "named")


def share_found_out(honest: Number, cheated: Number, caught: Number) -> Number | None:
    """Return the share of games found out at which cheating just breaks even; None where cheating never pays.

    A cheat who is found out gets ``caught`` instead of ``cheated``, which is more; ``honest`` is the value of fair
    play.
    """
    if cheated.upper <= honest.lower or caught.upper >= honest.lower:
        return None
    return (cheated - honest) / (cheated - caught)
