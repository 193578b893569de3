"""The compact tables of optimal play: what JavaScript reads in them is what the solver decided."""

from __future__ import annotations

import base64
from typing import Any

import numpy as np
import pytest

from oddsmith.base.dice import Hand
from oddsmith.report.policy.policy_table import (
    MAX_TRAINED_DECISIONS,
    PLACES,
    action_value_table,
    policy_table,
    training_table,
)
from oddsmith.ruleset.bundle import bundle
from oddsmith.ruleset.rules import State
from oddsmith.solve.solution import Solution
from tests.cases import Case, smallest, solved
from tests.runtime.positions import as_data, decisions
from tests.runtime.test_engine import answers

POSITIONS = 300
SIGHT = 10.0**-PLACES


def positions(solution: Solution) -> list[State]:
    """Decisions of random plays."""
    return decisions(solution.graph.game, "where do I stand", POSITIONS)


@pytest.mark.parametrize("case", smallest(), ids=str)
def test_play_and_values_are_the_solver_s(case: Case) -> None:
    solution = solved(case, case.objectives[0])
    policy, values, training = policy_table(solution), action_value_table(solution), training_table(solution)
    assert policy is not None
    assert training == training_table(solution)
    assert policy == policy_table(solution)
    states = positions(solution)
    job = {
        "job": "policy",
        "bundle": bundle(case.game.ruleset),
        "seats": case.seats,
        "parameters": dict(case.game.parameters),
        "policy": base64.b64encode(policy).decode(),
        "values": base64.b64encode(values).decode() if values else None,
        "training": base64.b64encode(training).decode() if training else None,
        "states": [as_data(state) for state in states],
    }
    (found,) = answers(job)
    check_training(solution, found["trained"])
    for state, (best, advice, asked) in zip(states, found["states"], strict=True):
        number = solution.state_index(state)
        assert number is not None
        first = int(solution.graph.state_rows[number])
        assert best == solution.best_row(number, state.mover) - first, state
        assert asked == best, state
        if values is not None:
            check_worth(solution, state, number, advice)


def check_training(solution: Solution, found: list[dict[str, Any]]) -> None:
    """A trainer asks about decisions of the game in which something is lost, with what their actions are worth."""
    if not found:
        free = np.flatnonzero(np.diff(solution.graph.state_rows) > 1).tolist()
        assert not any(one.loss.upper for number in free for one in solution.advise(number))
    assert len(found) <= MAX_TRAINED_DECISIONS
    for one in found:
        cells = [Hand(map(tuple, value)) if isinstance(value, list) else value for value in one["cells"]]
        state = State(one["phase"], one["mover"], one["out"], tuple(cells))
        number = solution.state_index(state)
        assert number is not None, one
        assert any(told["loss"] for told in one["worth"])
        check_worth(solution, state, number, one["worth"])


def check_worth(solution: Solution, state: State, number: int, told: list[dict[str, Any]]) -> None:
    first = int(solution.graph.state_rows[number])
    wanted = {one.row - first: one for one in solution.advise(number, state.mover)}
    assert len(told) == len(wanted)
    for one in told:
        sure = wanted[one["action"]]
        assert abs(one["value"] * SIGHT - float(sure.value)) <= 1.01 * SIGHT, state
        assert (one["loss"] == 0) == (float(sure.loss) == 0), state


def test_a_position_that_cannot_be_is_not_in_the_table() -> None:
    case = Case("pig", 2, {"target": 6})
    solution = solved(case, case.objectives[0])
    policy = policy_table(solution)
    assert policy is not None
    real = next(state for state in positions(solution) if state.mover == 1)
    states = [as_data(real), {**as_data(real), "cells": [99] * len(real.cells)}, {**as_data(real), "phase": "nowhere"}]
    job = {
        "job": "policy",
        "bundle": bundle(case.game.ruleset),
        "seats": 2,
        "parameters": dict(case.game.parameters),
        "policy": base64.b64encode(policy).decode(),
        "values": None,
        "states": states,
    }
    (found,) = answers(job)
    assert [best is None for best, *_ in found["states"]] == [False, True, True]
