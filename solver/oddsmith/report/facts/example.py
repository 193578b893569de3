"""An example turn from a real play, move by move: everybody plays optimally, with dice from a fixed seed."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import Any

from oddsmith.base.dice import Hand
from oddsmith.report.english.words import plain_name
from oddsmith.ruleset import Game, PlayedMove, Rules, State, played_moves, random_result_picker
from oddsmith.solve import Advice, Solution

MAX_SEEDS_TRIED = 60  # plays looked at for one that shows much in little room
MAX_MOVES_SHOWN = 9  # the most moves that are told
MAX_TURNS_SHOWN = 3


@dataclass(frozen=True)
class ExampleMove:
    """A move in words. ``seat``: counted from 1; ``shown``: the roll; ``took``: the outcome or option; ``now``: the
    changes.

    ``advice``: the value of every action, the best first.
    """

    seat: int
    phase: str
    shown: str
    took: str
    now: str
    advice: tuple[Advice, ...] = ()


def example_moves(solution: Solution) -> list[ExampleMove]:
    """Return the first moves of one play of best play. A few dozen plays are simulated, and the one that shows the most
    different things is taken.
    """
    plays = [_moves_of_example_play(solution, seed) for seed in range(1, MAX_SEEDS_TRIED + 1)]
    return max(plays, key=_sort_key_of_play) if plays else []


def _sort_key_of_play(moves: list[ExampleMove]) -> tuple[int, int, int]:
    """Return a sort key for a play by how much it shows: the number of different choices, then up to two different
    rolls, then brevity.
    """
    chosen = {(move.phase, move.took) for move in moves if move.advice}
    thrown = {(move.phase, move.took) for move in moves if not move.advice}
    return len(chosen), min(len(thrown), 2), -len(moves)


def _moves_of_example_play(solution: Solution, seed: int) -> list[ExampleMove]:
    """Return the first moves of a play in which everybody plays optimally."""
    rules, random = Rules(solution.graph.game, with_words=True), Random(seed)  # noqa: S311 - dice of an example, not secrets
    found, turns = list[ExampleMove](), 0
    for move in played_moves(
        rules, lambda state, _: _state_and_best_action(solution, state)[1], random_result_picker(random)
    ):
        found.append(_example_move(solution, rules, move))
        turns += move.step.turn_over
        if turns == MAX_TURNS_SHOWN or len(found) == MAX_MOVES_SHOWN:
            break
    return found


def _state_and_best_action(solution: Solution, state: State) -> tuple[int, int]:
    """Return the number of a state, and the index of its best action among the legal ones."""
    number = solution.state_index(state)
    assert number is not None  # best play comes to nothing that was not explored
    return number, solution.best_row(number, state.mover) - int(solution.graph.state_rows[number])


def _example_move(solution: Solution, rules: Rules, move: PlayedMove) -> ExampleMove:
    game, state = rules.game, move.state
    seat, phase, now = state.mover + 1, plain_name(state.phase), _changes_text(game, state, move.step.state)
    if move.chance_result is None:
        assert move.action is not None
        number, _ = _state_and_best_action(solution, state)
        offered = rules.action_in_words(state, move.action)
        return ExampleMove(seat, phase, "", offered, now, tuple(solution.advise(number, state.mover)))
    shown = ", ".join(_roll_text(game, name, value) for name, value in move.chance_result.values)
    return ExampleMove(seat, phase, shown, move.step.in_words, now)


def _roll_text(game: Game, name: str, value: Any) -> str:
    return game.value_text(value) if isinstance(value, Hand) else f"{plain_name(name)} {game.value_text(value)}"


def _changes_text(game: Game, before: State, after: State) -> str:
    """Return the variables that a move changed, with their new values, as one text."""
    changes = []
    for where, cell in enumerate(game.cells):
        if before.cells[where] != after.cells[where] and cell.variable.kind != "hand" and not cell.variable.is_hidden:
            index = list(cell.indices)
            owner = f"{game.ruleset.seat_name(index.pop(0))}’s " if cell.variable.is_per_seat else ""
            member = "".join(f" {item}" for item in index)
            value = after.cells[where]
            name = f"{owner}{cell.variable.label or plain_name(cell.variable.name)}{member}"
            seat = cell.variable.kind == "seat"
            changes.append(
                f"{name} {game.ruleset.seat_name(value)}" if seat else game.cell_in_words(where, value, name)
            )
    return ", ".join(changes[:4]) + (" …" if len(changes) > 4 else "")
