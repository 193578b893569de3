"""Golden plays: ``python -m tests.playthroughs.write`` writes those that are missing, with ``--all`` every one anew.

A file is one play of one game, one line a step, so that any engine can replay it without a random generator:

    game: pig; seats 2; target 6           the ruleset, the number of seats, every parameter
    at: throw; seat 1; score 0 0; pot 0    the position: phase, who moves, who is out, every variable as seats stand
    roll: die [d6:3] -> throw: Safe        what was thrown, and the entries that were taken
    option: Bank -> decide: Bank           what was chosen, with the values of its loop names
    turn over                              after a step that ended a turn
    end: win 1 0                           the payoffs of every seat, or `stop` where the play goes on

Hands are dice as die:face, ascending, in brackets. Seats count from 1.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from random import Random
from typing import Any

from oddsmith.base.dice import Hand
from oddsmith.base.exact import fraction_text
from oddsmith.ruleset.binding import bind
from oddsmith.ruleset.game import Game
from oddsmith.ruleset.rules import Action, ChanceResult, Rules, State
from oddsmith.ruleset.simulation import GameSimulator
from tests.cases import names, ruleset

HERE = Path(__file__).resolve().parent
MOST = 60  # steps of one play
SEED = "a golden play"


def word(game: Game, value: Any, seat: bool = False) -> str:
    """A value as the files have it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, Hand):
        named = {die.kind: die.name for die in game.dice.values()}
        return "[" + " ".join(f"{named[kind]}:{face}" for face, kind in value) + "]"
    return str(value + 1 if seat else value)


def game_line(game: Game) -> str:
    """The first line."""
    return "; ".join(
        [
            f"game: {game.ruleset.id}",
            f"seats {game.seats}",
            *(f"{k} {word(game, v)}" for k, v in game.parameters.items()),
        ]
    )


def position_line(game: Game, state: State) -> str:
    """A position, seats as they sit."""
    out = " ".join(str(seat + 1) for seat in range(game.seats) if state.seats_out_bits >> seat & 1)
    parts = [f"at: {state.phase}", f"seat {state.mover + 1}", *([f"out {out}"] if out else [])]
    for name, variable in game.ruleset.state.items():
        values = [word(game, state.cells[where], variable.kind == "seat") for where in game.cell_indices_of(name)]
        parts.append(" ".join([name, *values]))
    return "; ".join(parts)


def step_line(
    game: Game, thrown: ChanceResult | None, action: Action | None, events: tuple[tuple[str, str], ...]
) -> str:
    """What chance or a player did, and the entries taken."""
    taken = ", ".join(f"{phase}: {entry}" for phase, entry in events)
    if action is not None:
        seats = _seat_loops(game, action, events[0][0])
        shown = [action.name, *(f"{name} {word(game, value, name in seats)}" for name, value in action.binding)]
        return f"option: {'; '.join(shown)} -> {taken}"
    assert thrown is not None
    return f"roll: {'; '.join(f'{name} {word(game, value)}' for name, value in thrown.values)} -> {taken}"


def _seat_loops(game: Game, action: Action, phase: str) -> set[str]:
    """The loop names of an option that stand for seats."""
    loops = game.ruleset.phases[phase].entries[action.entry_index].loops
    return {name for name, items in loops if items.type.item is not None and items.type.item.kind == "seat"}


def end_line(payoffs: Mapping[str, tuple[Any, ...]]) -> str:
    """What every seat gets, per objective."""
    return "end: " + "; ".join(" ".join([name, *map(fraction_text, paid)]) for name, paid in payoffs.items())


def play(game: Game) -> Iterator[str]:
    """The lines of one play, everybody choosing at random."""
    rules = Rules(game)
    player, random = GameSimulator(rules), Random(f"{SEED} of {game.ruleset.id}")  # noqa: S311
    place = player.first_position()
    yield game_line(game)
    for _ in range(MOST):
        yield position_line(game, place.state)
        move, place = player.play_move(place, lambda state, actions: random.randrange(len(actions)), random)
        yield step_line(game, move.chance_result, move.action, move.step.events)
        if move.step.turn_over:
            yield "turn over"
        if not place.state.phase:
            yield position_line(game, place.state)
            yield end_line({name: rules.payoffs(place.state, name) for name in game.ruleset.payoffs})
            return
    yield position_line(game, place.state)
    yield "stop"


if __name__ == "__main__":
    for name in names():
        path = HERE / f"{name}.txt"
        if "--all" in sys.argv or not path.exists():
            path.write_text("\n".join(play(bind(ruleset(name)))) + "\n", "utf-8")
