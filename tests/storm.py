"""Models in Storm, a probabilistic model checker that shares no code with this project, in exact arithmetic."""

from __future__ import annotations

import os
import platform
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from oddsmith.solve.solution import Solution
from tests.drn import read_drn

try:
    import stormpy
except ImportError:
    if os.environ.get("CI") and (platform.system(), platform.machine()) == ("Linux", "x86_64"):
        raise  # the wheel is there for this platform: its absence is a fault of the set-up
    stormpy = None

THERE = stormpy is not None
needs_storm = pytest.mark.skipif(not THERE, reason="Storm has no wheel for this platform")


class Model:
    """A model that Storm has read."""

    def __init__(self, data: bytes, folder: Path) -> None:
        read_drn(data)  # strictly, for Storm would not see a wrong sum
        file = folder / "model.drn"
        file.write_bytes(data)
        self.found: Any = stormpy.build_model_from_drn[stormpy.Rational](str(file))

    def ask(self, question: str) -> Fraction:
        """The exact answer in the first state."""
        asked = stormpy.parse_properties(question)[0]
        result = stormpy.model_checking(self.found, asked, only_initial_states=True)
        return Fraction(str(result.get_value(self.found.initial_states[0])))

    def collected(self, reward: str, goal: str = "") -> Fraction:
        """What is collected on average until the end."""
        try:
            return self.ask(f'R{{"{reward}"}}{goal}=? [F "done"]')
        except RuntimeError as error:
            assert "is empty" in str(error)  # Storm has no answer where a reward is 0 everywhere
            return Fraction(0)


def goal_of(solution: Solution) -> str:
    goal = solution.graph.game.ruleset.payoffs[solution.graph.objective].goal
    return "max" if goal == "max" else "min"
