"""Positions to ask both engines about."""

from __future__ import annotations

from random import Random

from oddsmith.ruleset.game import Game
from oddsmith.ruleset.rules import Rules, State
from oddsmith.ruleset.simulation import GameSimulator


def decisions(game: Game, seed: str, most: int) -> list[State]:
    """Decisions of random plays, with more than one action."""
    player, random = GameSimulator(Rules(game)), Random(seed)  # noqa: S311 - games, not secrets
    found: dict[State, None] = {}
    place = player.first_position()
    for _ in range(20 * most):
        if not place.state.phase:
            place = player.first_position()
        if place.actions is not None and len(place.actions) > 1:
            found[place.state] = None
        _, place = player.play_move(place, lambda _, actions: random.randrange(len(actions)), random)
    return list(found)[:most]


def as_data(state: State) -> dict[str, object]:
    """A state as the scripts of these tests read it."""
    cells = [{"hand": [list(die) for die in value]} if isinstance(value, tuple) else value for value in state.cells]
    return {"phase": state.phase, "mover": state.mover, "out": state.seats_out_bits, "cells": cells}
