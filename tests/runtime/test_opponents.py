"""How non-players play: named policies as Python follows them, and what the others ask of chance."""

from __future__ import annotations

from itertools import chain
from pathlib import Path
from typing import Any

import pytest

from oddsmith.report.answers.accounts import settings_to_solve
from oddsmith.ruleset.binding import bind
from oddsmith.ruleset.bundle import bundle
from oddsmith.ruleset.rules import Rules
from oddsmith.solve.policies import NamedPolicy
from tests import node
from tests.cases import cases_of, names, ruleset
from tests.runtime.positions import as_data, decisions

POSITIONS = 200


def answers(*jobs: dict[str, Any]) -> list[Any]:
    """What JavaScript answers to jobs (opponents.mjs)."""
    return node.answers(Path(__file__).with_name("opponents.mjs"), *jobs)


@pytest.mark.parametrize("name", [name for name in names() if ruleset(name).policies])
def test_named_policies_prescribe_the_same(name: str) -> None:
    book = ruleset(name)
    shown = (bind(book, each) for part in settings_to_solve(book, include_full=False) for each in part)
    games = chain((bind(book),), (case.game for case in cases_of(name)), shown)  # not every size leaves a choice
    game, states = next((game, met) for game in games if (met := decisions(game, "who sits there", POSITIONS)))
    rules = Rules(game)
    common = {
        "job": "prescribed",
        "bundle": bundle(game.ruleset),
        "seats": game.seats,
        "parameters": dict(game.parameters),
    }
    policies = list(game.ruleset.policies)
    found = answers(*({**common, "policy": policy, "states": list(map(as_data, states))} for policy in policies))
    for policy, got in zip(policies, found, strict=True):
        prescription = NamedPolicy(game, policy)
        assert got == [prescription.choose_action_index(state, rules.actions(state)) for state in states], policy


def picked(**job: Any) -> list[Any]:
    """The place, and the bounds that chance was asked for."""
    (found,) = answers({"job": "picked", "actions": 3, "drawn": [], **job})
    return list(found)


def test_best_play_needs_chance_only_where_it_mixes() -> None:
    assert picked(kind="best", table=2) == [2, []]
    assert picked(kind="best", table=[1000, 1, 2], drawn=[999]) == [1, [2**32]]
    assert picked(kind="best", table=[1000, 1, 2], drawn=[1000]) == [2, [2**32]]
    assert picked(kind="best", table=None, drawn=[1]) == [1, [3]]  # a position that the table does not know


def test_a_mixture_plays_well_so_often_and_else_at_random() -> None:
    assert picked(kind="mixture", best=[3, 4], table=2, drawn=[2]) == [2, [4]]
    assert picked(kind="mixture", best=[3, 4], table=2, drawn=[3, 0]) == [0, [4, 3]]
    assert picked(kind="random", table=2, drawn=[1]) == [1, [3]]
    assert picked(kind="random", table=0, actions=1) == [0, []]
