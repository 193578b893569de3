"""Whole accounts of rulesets for tests: one with signs that mean something elsewhere, a bet, a race, a bag."""

from __future__ import annotations

from functools import cache

from oddsmith.report.answers import Account, account
from oddsmith.ruleset.reading.build import load
from tests.cases import RULESETS, SAMPLES, TESTS

PATHS = {
    "hostile": TESTS / "publish" / "hostile.yaml",
    "bet": RULESETS / "craps.yaml",
    "race": SAMPLES / "piglet.yaml",
    "bag": SAMPLES / "marbles.yaml",
    "dice-only": SAMPLES / "snakes-and-ladders.yaml",
    "choices": SAMPLES / "hot-purse.yaml",
}


@cache
def accounts(name: str) -> Account:
    """One of them, solved once for all tests."""
    return account(load(PATHS[name])[0])
