"""Games put to OpenSpiel, a collection of games and solvers by other people: its own games by name, ours as EFG files.

Reads a list of games as JSON, and prints its version and what the first player gets at the start, by value iteration in floats.
"""

from __future__ import annotations

import json
import sys
from importlib.metadata import version
from types import SimpleNamespace
from typing import Any

# Value iteration imports a solver of linear programs that it needs only where players move at once.
sys.modules.setdefault("cvxpy", SimpleNamespace(ECOS=None))  # type: ignore[arg-type]

import pyspiel  # noqa: E402
from open_spiel.python.algorithms import value_iteration  # noqa: E402

CLOSE = 1e-13  # the change of a value below which it stops


def value(terms: str) -> float:
    """What the first player gets on average, if both play best."""
    game = pyspiel.load_game(terms)
    values = value_iteration.value_iteration(game, depth_limit=-1, threshold=CLOSE, cyclic_game=True)

    def worth(state: Any) -> float:
        if not state.is_chance_node():
            return float(values[str(state)])
        return float(sum(chance * worth(state.child(outcome)) for outcome, chance in state.chance_outcomes()))

    return worth(game.new_initial_state())


if __name__ == "__main__":
    found = [repr(value(each)) for each in json.load(sys.stdin)]
    json.dump({"version": version("open_spiel"), "answers": found}, sys.stdout)
