"""What is estimated of policies in large components, where iterations take the place of elimination."""

from __future__ import annotations

import numpy as np
import pytest

from oddsmith.ruleset.binding import bind
from oddsmith.ruleset.model import Setting
from oddsmith.solve.game_solver import solve
from oddsmith.solve.policies import policy_rows
from oddsmith.solve.questions import policy_evaluator
from oddsmith.solve.questions.policy_evaluator import PolicyEvaluator
from tests.cases import ruleset


@pytest.mark.parametrize(
    ("name", "seats", "values", "policy"),
    [
        ("hold-the-pot", 2, {"goal": 2, "throws": 2}, "stop when ahead"),
        ("rogues-gambit", 2, {"coins_each": 6}, "hold at 20"),
    ],
)
def test_losses_and_visits_add_up_to_what_a_policy_costs(
    name: str, seats: int, values: dict[str, int], policy: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A policy costs what each of its moves loses, as often as play by it comes there: proven, and from iterations."""
    monkeypatch.setattr(policy_evaluator, "MAX_DIRECT", 1)
    solution = solve(bind(ruleset(name), Setting(seats, values=values)))
    rows, player = policy_rows(solution.graph, policy), PolicyEvaluator(solution)
    cost = float((player.solution_value - player.value_if_alone(rows)).middle) * player.sign
    assert cost > 0.001
    assert float((player.row_losses()[rows] * player.expected_visits(rows)).sum()) == pytest.approx(cost, rel=1e-5)
    assert player.estimate_value(rows) == pytest.approx(float(player.value_if_alone(rows).middle), rel=1e-6)


def test_what_does_not_settle_is_not_a_number(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(policy_evaluator, "MAX_DIRECT", 1)
    monkeypatch.setattr(policy_evaluator, "MAX_ITERATIONS", 1)
    solution = solve(bind(ruleset("rogues-gambit"), Setting(2, values={"coins_each": 6})))
    found = PolicyEvaluator(solution).expected_visits(policy_rows(solution.graph, "hold at 20"))
    assert np.isnan(found).any()
