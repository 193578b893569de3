"""Short plays with the proven action of every decision, by which a module tests itself where it runs.

Each is a transcript (docs/reference/transcripts.md) with two keys more. ``setting``: which one of the game's book it is.
``best``: for each choice in order the place of the proven action among the legal ones; null where there is nothing to
choose, where chance decides, and where the table of proven play does not reach.
"""

from __future__ import annotations

from random import Random
from typing import Any

from oddsmith.publish.pages import playable
from oddsmith.report.answers import Account, Answer
from oddsmith.ruleset import Action, Rules, State, Writer, by_chance, canonical, moves
from oddsmith.solve import Solution

PLAYS = 3  # of each setting: one by best play, the others at random
BYTES = 60_000  # of all plays of a ruleset, about


def checks(account: Account) -> list[dict[str, Any]]:
    """The plays of every setting that has a table of proven play, as plain data; the same for the same rules."""
    answers = playable(account)
    share = BYTES // (PLAYS * max(1, len(answers)))
    return [_play(answer, number, share) for answer in answers for number in range(PLAYS)]


def _play(answer: Answer, number: int, size: int) -> dict[str, Any]:
    """A play up to its end, or until its log is of about so many bytes."""
    solution, rules = answer.solved(), Rules(answer.game)
    random = Random(f"{answer.game.ruleset.id} {answer.slug} {number}")  # noqa: S311 - a play to be repeated
    writer, best, end = Writer(rules), list[int | None](), rules.start()

    def choose(state: State, actions: list[Action]) -> int:
        place = _proven(solution, state, actions)
        best.append(place)
        return random.randrange(len(actions)) if place is None or number > 0 else place

    for move in moves(rules, choose, by_chance(random)):
        writer.add(move)
        end = move.step.state
        size -= len(canonical(writer.log[-1]))
        if size <= 0:
            break
    return {**writer.data(end), "setting": answer.slug, "best": best}


def _proven(solution: Solution, state: State, actions: list[Action]) -> int | None:
    """The place of the action that is proven best, if there is just one and a choice at all."""
    found = solution.find(state) if len(actions) > 1 else None
    if found is None or found in solution.mixtures:
        return None
    return solution.best_row(found, state.mover) - int(solution.graph.state_rows[found])
