"""Short sample plays that can be reproduced, and the action of best play in each of their decisions."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from random import Random
from typing import Any

from oddsmith.ruleset import (
    Action,
    Game,
    Rules,
    State,
    TranscriptWriter,
    canonical_bytes,
    played_moves,
    random_result_picker,
)
from oddsmith.solve import Solution
from oddsmith.solve.staged import Staged

PLAYS_PER_SETTING = 3  # of a setting: one by best play, the others at random
MIN_LOSS = Fraction(1, 10_000)  # what tells two actions apart for everybody
MAX_PLAYS_BYTES = 60_000  # of all plays of a ruleset, about
Proven = tuple[int | None, ...]
"""The index of the proven best action among the legal ones, for each choice of a play in order; None if there is only
one action, if best play mixes there, or if no action is clearly the best.
"""


def proven_plays(solution: Solution, slug: str) -> list[Proven]:
    """Return for each sample play of a setting the proven action of each decision, as its index among the legal
    actions. It is None if there is only one action, or if best play mixes.

    A sample play is cut off when its log has the maximum size. ``slug``: the short name of the setting.
    """

    def proven_index(state: State, actions: list[Action]) -> int | None:
        found = solution.state_index(state) if len(actions) > 1 else None
        if found is None or found in solution.mixtures:
            return None
        return solution.best_row(found, state.mover) - int(solution.graph.state_rows[found])

    return _proven_plays(solution.graph.game, slug, proven_index)


def proven_actions_in_staged_game(staged: Staged, slug: str) -> list[Proven]:
    """Return for each sample play of a game that was solved by stages the proven action of each decision, as its index
    among the legal actions. It is None if there is only one action, or if two actions are nearly equal.

    ``slug``: the short name of the setting.
    """

    def proven_index(state: State, actions: list[Action]) -> int | None:
        if len(actions) < 2 or staged.action_probabilities(state):
            return None
        best, *others = staged.advise(state)
        return best.row if all(each.loss.lower > MIN_LOSS for each in others) else None

    return _proven_plays(staged.game, slug, proven_index)


def _proven_plays(game: Game, slug: str, proven_index: Callable[[State, list[Action]], int | None]) -> list[Proven]:
    numbers = range(PLAYS_PER_SETTING)
    return [
        tuple(played_transcript(game, slug, number, MAX_PLAYS_BYTES // PLAYS_PER_SETTING, proven_index)["best"])
        for number in numbers
    ]


def played_transcript(
    game: Game, slug: str, play_number: int, max_bytes: int, proven_index: Callable[[State, list[Action]], int | None]
) -> dict[str, Any]:
    """Play a game to the end, or until the log has about ``max_bytes`` bytes. Return its transcript with two more keys:
    ``setting``, which is ``slug``, and ``best``, the index of the proven action in each decision, or None.

    ``proven_index``: returns that index for a state and its legal actions. Play ``play_number`` 0 takes every proven action.
    All other choices and all rolls are random, with a seed that depends only on the ruleset, the setting and the
    number.
    """
    rules = Rules(game)
    random = Random(f"{game.ruleset.id} {slug} {play_number}")  # noqa: S311 - a play to be repeated
    writer, best, end = TranscriptWriter(rules), list[int | None](), rules.start()

    def choose(state: State, actions: list[Action]) -> int:
        found = proven_index(state, actions)
        best.append(found)
        return random.randrange(len(actions)) if found is None or play_number > 0 else found

    for move in played_moves(rules, choose, random_result_picker(random)):
        writer.add(move)
        end = move.step.state
        max_bytes -= len(canonical_bytes(writer.log[-1]))
        if max_bytes <= 0:
            break
    return {**writer.data(end), "setting": slug, "best": best}
