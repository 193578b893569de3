"""Solves a setting: in one graph, or turn by turn if the graph is too large. If neither is possible, the answer has the
reason.
"""

from __future__ import annotations

from oddsmith.base.errors import InputError, RulesetError, TooManyStatesError
from oddsmith.base.progress import Progress, ignore_progress
from oddsmith.report.answers.answers import Answer
from oddsmith.report.answers.large import LargeAnswer
from oddsmith.report.facts.key_facts import without_seconds
from oddsmith.ruleset import bind
from oddsmith.ruleset.model import Ruleset, Setting
from oddsmith.solve import Solution, solve
from oddsmith.solve.staged import BlobStore, solve_by_turns

MAX_TURN_SECONDS = 60.0  # seconds that solving turn by turn may take, by a guess, where nobody asked for more
ENDLESS = "OD433"  # of a game that goes on and on: each step finds new positions
MAX_FRACTION_SECONDS = 60.0  # seconds that a fraction of the main game may take, by a guess


def _with_exact_values_if_quick(solution: Solution) -> Solution:
    """Return the solution with exact values if computing them is estimated to take at most ``MAX_FRACTION_SECONDS``;
    otherwise return the solution as it is.
    """
    patient = solution.with_fractions(MAX_FRACTION_SECONDS)
    return patient if patient.grade == "exact" else solution


def solved_answer(
    ruleset: Ruleset,
    setting: Setting,
    stage_store: BlobStore | None = None,
    max_seconds: float = MAX_TURN_SECONDS,
    progress: Progress = ignore_progress,
) -> Answer:
    """Return the answer for a setting, solved or with the reason why it cannot be solved.

    A game that is too large for one graph is solved turn by turn. This needs turns that are alike on every sheet (the
    part of a position that stays fixed during a turn), and an estimated time of at most ``max_seconds``.
    ``stage_store``: keeps the results of solving turn by turn. ``progress``: receives the progress of solving in one
    graph.
    """
    game, main = bind(ruleset, setting), setting == ruleset.edition.main_setting
    try:
        return answer_from_solution(ruleset, setting, solve(game, setting.objective, progress=progress))
    except InputError as error:
        if isinstance(error, TooManyStatesError) and error.may_be_solved_by_stages:
            staged = solve_by_turns(game, setting.objective, stage_store, max_seconds)
            if staged is not None:
                return LargeAnswer(setting, game, None, main=main, staged=staged)
        problems = error.problems if isinstance(error, RulesetError) else ()
        why = "; ".join(problem.message for problem in problems) or str(error)
        return Answer(setting, game, None, why, main, is_too_large(error))


def is_too_large(error: InputError) -> bool:
    """Whether a game was refused only because of its size. Such a game can still be played."""
    endless = isinstance(error, RulesetError) and any(problem.code == ENDLESS for problem in error.problems)
    return endless or isinstance(error, TooManyStatesError)


def answer_from_solution(ruleset: Ruleset, setting: Setting, solution: Solution) -> Answer:
    """Return the answer for a setting, built from its solution."""
    known, main = without_seconds(solution), setting == ruleset.edition.main_setting
    return Answer(setting, bind(ruleset, setting), _with_exact_values_if_quick(known) if main else known, main=main)
