"""What the second engine works out of a turn is what stages know of it: values, best actions, and what is as good."""

from __future__ import annotations

import base64
from typing import Any

import pytest

import oddsmith
from oddsmith.report.policy.turn_table import turn_table
from oddsmith.ruleset import State
from oddsmith.ruleset.bundle import bundle
from tests.runtime.positions import as_data, decisions
from tests.runtime.test_engine import answers
from tests.solve.test_turns import sheet
from tests.staged import by_stages

POSITIONS = 60
SHOWN, NEAR = 1e-5, 2e-9  # what is shown, and what is told as equally good


def told(game: oddsmith.StagedGame, states: list[dict[str, object]]) -> list[Any]:
    """What the second engine says of some positions."""
    table = turn_table(game.staged)
    assert table is not None
    assert table == turn_table(game.staged)
    job = {
        "job": "turns",
        "bundle": bundle(game.game.ruleset),
        "seats": game.game.seats,
        "parameters": dict(game.game.parameters),
        "turns": base64.b64encode(table).decode(),
        "states": states,
    }
    (found,) = answers(job)
    return list(found)


GAMES: dict[str, tuple[oddsmith.LoadedRuleset, dict[str, Any]]] = {
    "alone": (sheet(), {"seats": 1, "objective": "points"}),
    "two": (sheet(), {"seats": 2, "objective": "win"}),
    "little": (sheet(points="{value: score, goal: min}"), {"seats": 1, "objective": "points"}),
    "yahtzee": (oddsmith.load("yahtzee"), {"upper_boxes": 1}),
    "race": (oddsmith.load("farkle"), {"seats": 2, "objective": "win", "target": 4}),
    "floor": (oddsmith.load("farkle"), {"seats": 2, "objective": "win", "target": 8, "floor": 4, "all_six": False}),
}


def certain(game: oddsmith.StagedGame, state: State) -> float:
    """What the mover has of the payoff already, which values leave out."""
    known = game.staged.explorer.codec.reduction.unit_payoffs.items()
    worth = [(cell, each[0]) for cell, each in known if each[0]]
    assert not worth or game.game.seats == 1
    return float(sum((state.cells[cell] - game.game.start[cell]) * each for cell, each in worth))


@pytest.mark.parametrize("name", GAMES)
def test_a_turn_worked_out_again_is_what_stages_know(name: str) -> None:
    book, setting = GAMES[name]
    game = by_stages(book, **setting)
    states = decisions(game.game, "where do I stand", POSITIONS)
    for state, (best, advice, asked, expected) in zip(states, told(game, list(map(as_data, states))), strict=True):
        wanted = {each.row: each for each in game.staged.advise(state)}
        assert [one["action"] for one in advice] == sorted(wanted)
        assert float(wanted[best].loss) <= NEAR, state
        assert asked == best, state
        assert abs(expected * SHOWN - float(wanted[best].value) - certain(game, state)) <= SHOWN, state
        for one in advice:
            value, loss = float(wanted[one["action"]].value), float(wanted[one["action"]].loss)
            assert abs(one["value"] * SHOWN - value) <= SHOWN, state
            assert (one["loss"] == 0) == (loss <= NEAR), state
            assert one["loss"] == 0 or abs((one["loss"] - 1) * SHOWN - loss) <= SHOWN, state
