"""Passes propose the play that policy iteration comes to: in every game the same rows and the same proven values."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from oddsmith import load
from oddsmith.solve.arenas import gauss_seidel as passes
from oddsmith.solve.arenas.component import Component
from oddsmith.solve.values import arena_solver
from oddsmith.solve.values.arena_solver import SolvedArena

GAMES: list[tuple[str, dict[str, Any]]] = [
    ("pig", {"seats": 2, "target": 15}),
    ("pig", {"seats": 2, "target": 30, "policies": {2: "hold at 20"}}),
    ("pig", {"seats": 1, "target": 30}),
    ("rogues-gambit", {"seats": 2, "coins_each": 6}),
]


class Looked:
    """How a game was solved: how often policies of components were valued, and how often passes proposed one."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, serves: bool) -> None:
        self.valued = self.proposed = 0
        assessed, policy = Component.evaluate_policy, passes.GaussSeidel.find_policy

        def counted(component: Component, *arguments: Any) -> Any:
            self.valued += 1
            return assessed(component, *arguments)

        def found(each: passes.GaussSeidel) -> Any:
            self.proposed += 1
            return policy(each)

        monkeypatch.setattr(Component, "evaluate_policy", counted)
        monkeypatch.setattr(passes.GaussSeidel, "find_policy", found)
        monkeypatch.setattr(
            arena_solver,
            "is_gauss_seidel_quicker",
            lambda one: serves and one.elimination_order is not None and one.elimination_order.cut_count > 0,
        )

    def solved(self, game: str, settings: dict[str, Any]) -> SolvedArena:
        """A game of the shelf, solved."""
        settings = dict(settings)
        policies = settings.pop("policies", None)
        return load(game).at(**settings).solve(policies=policies).solution.solved


@pytest.mark.parametrize(("game", "settings"), GAMES)
def test_passes_cost_no_round_and_change_no_answer(game: str, settings: dict[str, Any]) -> None:
    with pytest.MonkeyPatch.context() as patch:
        plain = Looked(patch, serves=False)
        without = plain.solved(game, settings)
    with pytest.MonkeyPatch.context() as patch:
        quick = Looked(patch, serves=True)
        found = quick.solved(game, settings)
    assert quick.proposed > plain.proposed == 0
    assert quick.valued <= plain.valued
    assert np.array_equal(found.rows, without.rows)
    assert np.array_equal(found.bounds.middle, without.bounds.middle)
    assert np.array_equal(found.bounds.radius, without.bounds.radius)
