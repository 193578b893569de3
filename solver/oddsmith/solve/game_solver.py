"""``solve`` explores a game and searches its graph for best play. It imports the search only after exploring."""

from __future__ import annotations

from collections.abc import Mapping
from time import perf_counter
from typing import TYPE_CHECKING

from threadpoolctl import threadpool_limits

from oddsmith.base.errors import ObjectiveError, did_you_mean
from oddsmith.base.progress import Progress, ignore_progress
from oddsmith.graph import Explorer, refuse_endless
from oddsmith.graph.reductions import ReductionOptions
from oddsmith.ruleset import Game

if TYPE_CHECKING:
    from oddsmith.solve.solution import Solution

BYTES_PER_TRANSITION = 330  # that solving takes for every transition at the most, as measured


def solve(
    game: Game,
    objective: str | None = None,
    policies: Mapping[int, str] | None = None,
    progress: Progress | None = None,
    same_for_all_seats: bool = False,
    digits: int | None = None,
    merge_symmetric_states: bool = True,
) -> Solution:
    """Solve a game.

    ``objective``: the name of a payoff, by default the first. ``policies``: for some seats, from 1, the named policy
    that the seat plays; the other seats play best responses. ``progress``: a function that receives the progress.
    ``same_for_all_seats``: if no pure policy that is the same for every seat is an equilibrium, look for a mixed
    equilibrium immediately, and not for one in which play depends on the seat. ``digits``: the number of decimal digits
    of proven bounds, by default 77, or about 20 if the game is large. ``merge_symmetric_states``: whether to merge
    states that differ only by a permutation of family members that the rules do not distinguish.

    Raises PlayError if a rule fails in play or the game can never end, ObjectiveError, UnknownPolicyError, and
    SolveError if no solution of this kind exists or is found.
    """
    objective = objective_name(game, objective)
    tell = progress or ignore_progress
    started = perf_counter()
    explorer = Explorer(game, objective, entries_in_questions(game), ReductionOptions(symmetry=merge_symmetric_states))
    tell(explorer.estimate.progress_text, 0, 1)
    graph = explorer.explore(tell, bytes_per_transition=BYTES_PER_TRANSITION)[0]
    explored = perf_counter()
    refuse_endless(graph)
    from oddsmith.solve.search import BestPlaySearch, endless_play_notes

    with threadpool_limits(1):  # many small systems: threads only get in one another's way
        solution = BestPlaySearch(graph, tell, same_for_all_seats, digits).solve(dict(policies or {}))
        solved = perf_counter()
        _ = solution.values
    solution.notes += endless_play_notes(solution)
    now = perf_counter()
    solution.seconds = {"explore": explored - started, "solve": solved - explored, "verify": now - solved}
    return solution


def solve_with_all_seats_free(solution: Solution, progress: Progress | None = None) -> Solution:
    """Solve the game of a solution again, on the same graph, without prescribed policies. Raises SolveError."""
    from oddsmith.solve.search import BestPlaySearch

    with threadpool_limits(1):
        return BestPlaySearch(solution.graph, progress or ignore_progress, same_for_all_seats=False, digits=None).solve(
            {}
        )


def entries_in_questions(game: Game) -> list[tuple[str, str]]:
    """Return the entries of the rules, as (phase, entry), that measures and claims ask about.

    An entry that a question counts only under a condition is left out, because that question has a graph of its own.
    """
    rules = game.ruleset
    asked = [*rules.measures.values(), *(claim.question for claim in rules.claims)]
    entries = [(None if each.when else each.at_entry, each.given_entry) for each in asked]
    return [entry for pair in entries for entry in pair if entry is not None]


def objective_name(game: Game, requested_name: str | None = None) -> str:
    """Return the name of the objective, by default the first. Raises ObjectiveError if the game has no objective
    ``requested_name``.
    """
    known = game.ruleset.payoffs
    if requested_name and requested_name not in known:
        raise ObjectiveError(
            f"{game.ruleset.id} has no objective {requested_name}: {did_you_mean(requested_name, known, 'objectives')}"
        )
    return requested_name or next(iter(known))
