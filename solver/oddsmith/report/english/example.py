"""An example turn from a real play: the rules, best play and dice with a fixed seed, told move by move."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import Any

from oddsmith.dice import Hand
from oddsmith.report.english.words import plain_name
from oddsmith.ruleset import Game, Rules, State
from oddsmith.solve import Advice, Solution

SEEDS = 60  # plays looked at for one that shows much in little room
MOVES = 9  # the most moves that are told
TURNS = 3


@dataclass(frozen=True)
class Move:
    """One step. ``seat`` counts from 1; ``shown``: what was thrown; ``took``: the outcome or option; ``now``: what changed.

    ``advice``: what every action was worth, the best first.
    """

    seat: int
    phase: str
    shown: str
    took: str
    now: str
    advice: tuple[Advice, ...] = ()


def example(solution: Solution) -> list[Move]:
    """The first turns of a play, chosen among a few dozen for telling most different things; empty where nothing happens."""
    plays = [_play(solution, seed) for seed in range(1, SEEDS + 1)]
    return max(plays, key=_worth) if plays else []


def _worth(moves: list[Move]) -> tuple[int, int, int]:
    """How much a play shows: different choices, then a few different throws, then brevity."""
    chosen = {(move.phase, move.took) for move in moves if move.advice}
    thrown = {(move.phase, move.took) for move in moves if not move.advice}
    return len(chosen), min(len(thrown), 2), -len(moves)


def _play(solution: Solution, seed: int) -> list[Move]:
    game = solution.graph.game
    rules, random = Rules(game), Random(seed)  # noqa: S311 - dice of an example, not secrets
    state, moves, turns = rules.start(), list[Move](), 0
    while state.phase and turns < TURNS and len(moves) < MOVES:
        before = state
        if rules.phase(state).kind == "choose":
            number = solution.find(state)
            if number is None:
                break
            place = solution.best_row(number, state.mover) - int(solution.graph.state_rows[number])
            action = rules.actions(state)[place]
            step = rules.choose(state, action)
            advice = tuple(solution.advise(number, state.mover))
            name = solution.graph.action_name(solution.best_row(number, state.mover))
            moves.append(
                Move(state.mover + 1, plain_name(before.phase), "", name, _changed(game, before, step.state), advice)
            )
        else:
            thrown = rules.throw(state, lambda throw, law: _pick(random, law))
            step = rules.resolve(state, thrown)
            shown = ", ".join(_thrown(game, name, value) for name, value in thrown.values)
            took = next((name for _, name in step.events if name), "")
            moves.append(
                Move(state.mover + 1, plain_name(before.phase), shown, took, _changed(game, before, step.state))
            )
        turns += step.turn_over
        state = step.state
    return moves


def _pick(random: Random, law: Any) -> Any:
    values, weights = zip(*law, strict=True)
    return random.choices(values, weights)[0]


def _thrown(game: Game, name: str, value: Any) -> str:
    return game.show(value) if isinstance(value, Hand) else f"{plain_name(name)} {game.show(value)}"


def _changed(game: Game, before: State, after: State) -> str:
    """The variables that a move changed, with their new values."""
    found = []
    for where, cell in enumerate(game.cells):
        if before.cells[where] != after.cells[where] and cell.variable.kind != "hand":
            index = list(cell.index)
            owner = f"seat {index.pop(0) + 1}’s " if cell.variable.per_seat else ""
            member = "".join(f" {item}" for item in index)
            value = after.cells[where]
            shown = f"seat {value + 1}" if cell.variable.kind == "seat" else game.show(value)
            found.append(f"{owner}{plain_name(cell.variable.name)}{member} {shown}")
    return ", ".join(found[:4]) + (" …" if len(found) > 4 else "")
