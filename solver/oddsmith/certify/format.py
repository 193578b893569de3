"""How a certificate tells of a game: its settings, its actions, and its positions."""

from __future__ import annotations

from typing import Any

from oddsmith.dice import Hand
from oddsmith.ruleset.bundle import sha256
from oddsmith.ruleset.game import Game
from oddsmith.ruleset.rules import Action, State


def setting(game: Game) -> dict[str, Any]:
    """Which game of a ruleset this is."""
    return {
        "id": game.ruleset.id, "sha256": sha256(game.ruleset), "seats": game.seats,
        "parameters": dict(game.parameters), "variants": list(game.variants),
    }  # fmt: skip


def action_of(phase: str, action: Action) -> list[Any]:
    """An action: its phase, the number of its entry there, its name, and the values of its loop names."""
    return [phase, action.entry, action.name, [[name, plain(value)] for name, value in action.binding]]


def plain(value: Any) -> Any:
    """A value of a cell as JSON has it: a hand is a list of pairs of face and kind."""
    return [list(die) for die in value] if isinstance(value, Hand) else value


def position_of(state: State, seats: int) -> dict[str, Any]:
    """A state whose seats are counted from the mover."""
    out = [seat for seat in range(seats) if state.out >> seat & 1]
    return {"phase": state.phase, "out": out, "cells": [plain(value) for value in state.cells]}


def state_of(record: dict[str, Any]) -> State:
    """The inverse of :func:`position_of`. Any of ``values.DAMAGED`` where the record is not as it should be."""
    cells = [Hand((face, kind) for face, kind in cell) if isinstance(cell, list) else cell for cell in record["cells"]]
    return State(record["phase"], 0, sum(1 << seat for seat in record["out"]), tuple(cells))
