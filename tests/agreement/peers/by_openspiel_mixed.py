"""Games with secrets put to OpenSpiel, a collection of games and solvers by other people: its own by name, ours as EFG files.

Reads a list of games as JSON, and prints its version and what the first player gets in an equilibrium of each.

What a player knows, the sequence form, both best responses and the value are OpenSpiel's. Its own solver of linear programs
stops at seven digits, so the program goes to that of SciPy. A pair of strategies is an answer only if OpenSpiel finds no
better response to either of them.
"""

from __future__ import annotations

import json
import sys
from importlib.metadata import version
from typing import Any

import numpy as np
import pyspiel
from open_spiel.python.algorithms import expected_game_score, exploitability, sequence_form_utils
from scipy.optimize import linprog
from scipy.sparse import csr_array, hstack

CLOSE = 1e-12  # what both players together may gain by other strategies


def value(terms: str) -> float:
    """What the first player gets, if neither can do better."""
    game = pyspiel.load_game(terms)
    _, numbers, choices, before, paid, _ = sequence_form_utils.construct_vars(game)
    plans = sequence_form_utils.construct_constraint_vars(before, numbers, choices)
    shares = [strategy(paid[0], plans[0], plans[1]), strategy(paid[1].T, plans[1], plans[0])]
    both = sequence_form_utils.sequence_to_policy(shares, game, numbers, choices)
    gained = exploitability.nash_conv(game, both)
    if not abs(gained) < CLOSE:
        raise ArithmeticError(f"{terms}: other strategies gain {gained}")
    return float(expected_game_score.policy_value(game.new_initial_state(), [both, both])[0])


def strategy(paid: Any, own: Any, other: Any) -> Any:
    """The shares of a player's sequences that leave the most against every response. ``paid``: by sequences of both."""
    (rows, right), (their_rows, theirs) = own, other
    size, count = rows.shape[1], len(theirs)
    aim: Any = [*[0] * size, *-theirs]
    left: Any = hstack([csr_array(-paid.T), csr_array(their_rows.T)])
    equal: Any = hstack([csr_array(rows), csr_array((len(right), count))])
    bounds: Any = [*[(0, None)] * size, *[(None, None)] * count]
    found = linprog(aim, left, np.zeros(their_rows.shape[1]), equal, right, bounds, method="highs-ds")
    if found.x is None:
        raise ArithmeticError(found.message)
    return np.maximum(found.x[:size], 0)


if __name__ == "__main__":
    found = [repr(value(each)) for each in json.load(sys.stdin)]
    json.dump({"version": version("open_spiel"), "answers": found}, sys.stdout)
