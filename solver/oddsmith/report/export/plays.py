"""Short plays that can be repeated, and what best play does in each of their decisions."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from random import Random
from typing import Any

from oddsmith.ruleset import Action, Game, Rules, State, TranscriptWriter, by_chance, canonical_bytes, played_moves
from oddsmith.solve import Solution
from oddsmith.solve.staged import Staged

PLAYS = 3  # of a setting: one by best play, the others at random
CLEAR = Fraction(1, 10_000)  # what tells two actions apart for everybody
BYTES = 60_000  # of all plays of a ruleset, about
Proven = tuple[int | None, ...]
"""The index of the proven action among the legal ones, for each choice of a play in order; None where there is only one
action, where play mixes, and where no action is clearly the best.
"""


def proven_plays(solution: Solution, slug: str) -> list[Proven]:
    """Return the proven action of each decision in the plays of a setting, up to the longest log. ``slug``: the
    setting's.
    """

    def place(state: State, actions: list[Action]) -> int | None:
        found = solution.find(state) if len(actions) > 1 else None
        if found is None or found in solution.mixtures:
            return None
        return solution.best_row(found, state.mover) - int(solution.graph.state_rows[found])

    return _proven_plays(solution.graph.game, slug, place)


def proven_plays_by_stages(staged: Staged, slug: str) -> list[Proven]:
    """Return the proven actions in the plays of a game that was solved by stages; None where two actions are nearly
    equal.
    """

    def place(state: State, actions: list[Action]) -> int | None:
        if len(actions) < 2 or staged.chances(state):
            return None
        best, *others = staged.advise(state)
        return best.row if all(each.loss.lower > CLEAR for each in others) else None

    return _proven_plays(staged.game, slug, place)


def _proven_plays(game: Game, slug: str, place: Callable[[State, list[Action]], int | None]) -> list[Proven]:
    numbers = range(PLAYS)
    return [tuple(played_transcript(game, slug, number, BYTES // PLAYS, place)["best"]) for number in numbers]


def played_transcript(
    game: Game, slug: str, number: int, size: int, place: Callable[[State, list[Action]], int | None]
) -> dict[str, Any]:
    """Play to the end, or until the log has about ``size`` bytes: return a transcript with ``setting`` and ``best``.

    Play number 0 takes every action that is proven. All else is chance, the same for the same rules.
    """
    rules = Rules(game)
    random = Random(f"{game.ruleset.id} {slug} {number}")  # noqa: S311 - a play to be repeated
    writer, best, end = TranscriptWriter(rules), list[int | None](), rules.start()

    def choose(state: State, actions: list[Action]) -> int:
        found = place(state, actions)
        best.append(found)
        return random.randrange(len(actions)) if found is None or number > 0 else found

    for move in played_moves(rules, choose, by_chance(random)):
        writer.add(move)
        end = move.step.state
        size -= len(canonical_bytes(writer.log[-1]))
        if size <= 0:
            break
    return {**writer.data(end), "setting": slug, "best": best}
