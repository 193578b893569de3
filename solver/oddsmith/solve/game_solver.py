"""``solve``: explores a game, and searches its graph for best play. The search is imported only after exploring."""

from __future__ import annotations

from collections.abc import Mapping
from time import perf_counter
from typing import TYPE_CHECKING

from threadpoolctl import threadpool_limits

from oddsmith.base.errors import ObjectiveError, did_you_mean
from oddsmith.base.progress import Progress, silent
from oddsmith.graph import Explorer, refuse_endless
from oddsmith.graph.reductions import ReductionOptions
from oddsmith.ruleset import Game

if TYPE_CHECKING:
    from oddsmith.solve.solution import Solution

BYTES = 330  # that solving takes for every transition at the most, as measured
Report = Progress
"""The name under which other rooms import ``Progress``."""


def solve(
    game: Game,
    objective: str | None = None,
    policies: Mapping[int, str] | None = None,
    progress: Progress | None = None,
    alike: bool = False,
    digits: int | None = None,
    symmetry: bool = True,
) -> Solution:
    """Solve a game.

    ``objective``: the name of a payoff, by default the first. ``policies``: the named policy that a seat (from 1)
    plays; the other seats play their best against that. ``progress``: receives the progress of the work. ``alike``: if no
    pure play that is the same for every seat is an equilibrium, look for a mixed one at once, not for one in which play
    depends on the seat. ``digits``: how many decimal digits proven values should have (by default 77, or some 20 where
    the game is large). ``symmetry``: whether members of a family that the rules do not tell apart may share a state.

    Raises PlayError where a rule breaks in play or the game can never end, ObjectiveError, UnknownPolicyError, and
    SolveError where there is no answer of that kind.
    """
    objective = objective_of(game, objective)
    tell = progress or silent
    started = perf_counter()
    explorer = Explorer(game, objective, watched_entries(game), ReductionOptions(symmetry=symmetry))
    tell(explorer.estimate.progress_text, 0, 1)
    graph = explorer.explore(tell, room=BYTES)[0]
    explored = perf_counter()
    refuse_endless(graph)
    from oddsmith.solve.search import PlaySearch, note_on_endless_play

    with threadpool_limits(1):  # many small systems: threads only get in one another's way
        solution = PlaySearch(graph, tell, alike, digits).solve(dict(policies or {}))
        solved = perf_counter()
        _ = solution.values
    solution.notes += note_on_endless_play(solution)
    now = perf_counter()
    solution.seconds = {"explore": explored - started, "solve": solved - explored, "verify": now - solved}
    return solution


def solve_without_policies(solution: Solution, progress: Progress | None = None) -> Solution:
    """Solve the game of a solution again without prescribed policies, on the same graph. Raises SolveError."""
    from oddsmith.solve.search import PlaySearch

    with threadpool_limits(1):
        return PlaySearch(solution.graph, progress or silent, alike=False, digits=None).solve({})


def watched_entries(game: Game) -> list[tuple[str, str]]:
    """Return the entries that measures and claims ask about.

    An entry that a question counts only under a condition is left out, because it has a graph of its own."""
    rules = game.ruleset
    asked = [*rules.measures.values(), *(claim.ask for claim in rules.claims)]
    entries = [(None if each.when else each.at, each.given) for each in asked]
    return [entry for pair in entries for entry in pair if entry is not None]


def objective_of(game: Game, name: str | None = None) -> str:
    """Return the name of the objective, by default the first. Raises ObjectiveError where the game has none of that name."""
    known = game.ruleset.payoffs
    if name and name not in known:
        raise ObjectiveError(f"{game.ruleset.id} has no objective {name}: {did_you_mean(name, known, 'objectives')}")
    return name or next(iter(known))
