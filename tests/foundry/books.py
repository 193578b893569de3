"""A module's games for tests: small ones, solved in moments, of every kind of throw and stake."""

from __future__ import annotations

import json
from functools import cached_property
from pathlib import Path
from typing import Any

from oddsmith.report.english.play_bundle import purse_variables
from oddsmith.report.policy.plan_table import plan_table
from oddsmith.report.policy.policy_table import action_value_table, policy_table
from oddsmith.ruleset import Game, bind
from oddsmith.ruleset.bundle import bundle, canonical_bytes, sha256
from oddsmith.ruleset.model import Setting
from oddsmith.ruleset.model.ruleset import Ruleset
from oddsmith.ruleset.reading.build import load_ruleset
from oddsmith.solve.extensive import solve_secrets
from tests.cases import TESTS, Case, solved

PIGLET = Case("piglet", 2, {"target": 2, "bend": 3})
PIG = Case("pig", 3, {"target": 6})
BET = Case("craps", 1)
BAG = Case("marbles", 2)
PLAYED = (
    PIGLET,
    PIG,
    BET,
    BAG,
    Case("left-centre-right", 2, {"coins_each": 2}),
    Case("column-race", 2),
    Case("rogues-gambit", 2, {"coins_each": 6}),
    Case("hold-the-pot", 2, {"goal": 4, "purse_start": 1, "pot_start": 0, "pot_most": 0, "throws": 1}),
    Case("dragons-hoard", 1, {"rounds": 4, "life_points": 1, "colours": 4}),
)


class _CardGame(Case):
    """A game of `tests/secrets/games` in which cards are drawn in secret."""

    @cached_property
    def game(self) -> Game:
        """The game itself."""
        rules = load_ruleset(TESTS / f"secrets/games/{self.name}.yaml")[0]
        return bind(rules, Setting(self.seats, values=dict(self.parameters)))


OPPONENTS: list[dict[str, Any]] = [
    {"kind": "best", "policy": None, "best": None, "odds": []},
    {"kind": "random", "policy": None, "best": None, "odds": []},
    {"kind": "mixture", "policy": None, "best": [1, 2], "odds": []},
]
SECRET = (
    Case("mia", 2),
    Case("cups-and-coins", 2),
    Case("liars-dice", 2, {"sides": 3}),
    Case("blind-auction", 2, {"treasures": 2}),
    Case("two-lanterns", 2),
    _CardGame("kuhn-poker", 2, {"top": 10}),
)


def rules_of(game: str) -> Ruleset:
    """The rules of one of these games."""
    return next(case.game.ruleset for case in (*PLAYED, *SECRET) if case.name == game)


def write(folder: Path) -> None:
    """Put games.json and the books into a folder, as a module has them."""
    listed = []
    for case in (*PLAYED, *SECRET):
        place = folder / "games" / case.name
        (place / "play").mkdir(parents=True)
        (place / "play.json").write_bytes(canonical_bytes((_secret_book if case in SECRET else _book)(case, place)))
        rules = case.game.ruleset
        listed.append(
            {
                "id": rules.id,
                "title": rules.title,
                "about": "",
                "rules": sha256(rules),
                "book": f"games/{case.name}/play.json",
                "journal": "",
                "odds": "",
            }
        )
    (folder / "games.json").write_text(json.dumps({"format": 1, "generator": "tests", "games": listed}), "utf-8")


def _secret_book(case: Case, place: Path) -> dict[str, Any]:
    solution = solve_secrets(case.game, case.objectives[0])
    plan = plan_table(solution, [])
    assert plan is not None
    (place / "play" / "one.plan.gz").write_bytes(plan)
    return _listed(case, OPPONENTS, plan="play/one.plan.gz")


def _book(case: Case, place: Path) -> dict[str, Any]:
    solution = solved(case, case.objectives[0])
    policy, values = policy_table(solution), action_value_table(solution)
    assert policy is not None
    (place / "play" / "one.policy.gz").write_bytes(policy)
    if values:
        (place / "play" / "one.values.gz").write_bytes(values)
    named: list[dict[str, Any]] = [
        {"kind": "named", "policy": name, "best": None, "odds": []} for name in case.game.ruleset.policies
    ]
    kept = "play/one.values.gz" if values else None
    return _listed(case, [*OPPONENTS, *named], policy="play/one.policy.gz", values=kept)


def _listed(case: Case, opponents: list[dict[str, Any]], **tables: str | None) -> dict[str, Any]:
    """A book with one setting, and where its tables lie."""
    rules = case.game.ruleset
    setting = {
        "slug": "one",
        "seats": case.seats,
        "parameters": dict(case.game.parameters),
        "unit": "",
        "objective": case.objectives[0],
        "share": rules.payoffs[case.objectives[0]].is_share,
        "policy": None,
        "values": None,
        "opponents": opponents,
        **tables,
    }
    if case is BET:
        setting["wager"] = setting["prize"] = "1"
    return {
        "bundle": bundle(rules),
        "words": {"phases": {}, "variables": {}},
        "settings": [setting],
        "coins": purse_variables(rules),
    }
