"""Policy iteration in components whose systems are solved by iterations, and where policies come back in a circle."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import oddsmith
from oddsmith.base.arrays import Floats, Ints
from oddsmith.solve.arenas import component_policy
from oddsmith.solve.arenas.component import Component
from oddsmith.solve.systems.linear_systems import LinearSystem
from oddsmith.solve.values import arena_solver

GAMES: list[tuple[str, dict[str, Any]]] = [
    ("wizards-and-thieves", {"seats": 3, "coins_each": 10, "ante": 3}),
    ("rogues-gambit", {"seats": 2, "coins_each": 6}),
    ("royal-game-of-ur", {"pieces": 2}),
]

CHICKEN = """\
format: 1
id: chicken
title: Chicken
summary: Two players hold on to a firework. Whoever lets go first gets less, and if nobody does, it goes off.
seats: 2
state:
  got: {each: seat, max: 2, start: 0}
payoffs:
  value: got
turn: hold
phases:
  hold:
    choose:
      - name: Stamp it out
        then: end
      - name: Hold on
        then: burn
      - name: Let go
        do:
          - add 1 to got
          - for: others
            do: add 2 to got
        then: end
  burn:
    roll: {fuse: d6}
    outcomes:
      - name: Bang
        when: fuse == 1
        then: end
      - name: Still burning
        then: pass
"""


@pytest.mark.parametrize(("game", "settings"), GAMES)
def test_rough_evaluation_finds_the_same_policy(
    game: str, settings: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    exact = oddsmith.load(game).at(**settings).solve().solution.solved
    evaluated, ways = Component.evaluate_policy, list[bool]()

    def recorded(component: Component, chosen_rows: Ints, is_rough: bool = False) -> tuple[Floats, Floats]:
        found = evaluated(component, chosen_rows, is_rough)
        ways.append(is_rough and found[0] is component.iterated)
        return found

    monkeypatch.setattr(arena_solver, "is_gauss_seidel_quicker", lambda component: False)
    monkeypatch.setattr(arena_solver, "MANY_DECISIONS", 10)
    monkeypatch.setattr(Component, "evaluate_policy", recorded)
    monkeypatch.setattr(LinearSystem, "method", "Krylov")
    found = oddsmith.load(game).at(**settings).solve().solution.solved
    assert any(ways)
    assert not all(ways)
    assert np.array_equal(found.rows, exact.rows)
    assert np.allclose(found.bounds.values, exact.bounds.values, rtol=0, atol=1e-12)


def test_sweeps_begin_where_policies_come_back(monkeypatch: pytest.MonkeyPatch) -> None:
    """Both hold on if the other lets go, and let go if the other holds on. At the same time, they change for ever."""
    begun, swept = list[list[int]](), component_policy.best_response_sweeps

    def recorded(component: Component, chosen_rows: Ints) -> tuple[Ints, Floats]:
        begun.append((chosen_rows - component.first_row[:-1]).tolist())
        return swept(component, chosen_rows)

    monkeypatch.setattr(arena_solver, "MANY_DECISIONS", 0)
    monkeypatch.setattr(arena_solver, "best_response_sweeps", recorded)
    solved = oddsmith.loads(CHICKEN).solve()
    assert begun[-1] == [2, 2]  # both let go: play began with the first option of both
    assert [value.exact for value in solved.values] == [Fraction(5, 3), Fraction(5, 6)]
