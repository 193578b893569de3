"""Whole accounts of rulesets for tests: one with signs that mean something elsewhere, a bet, a race, a bag, tables."""

from __future__ import annotations

from oddsmith.report.answers.accounts import RulesetAnswers
from tests.cases import RULESETS, SAMPLES, TESTS, account_of

PATHS = {
    "hostile": TESTS / "publish" / "hostile.yaml",
    "bet": RULESETS / "craps.yaml",
    "race": SAMPLES / "piglet.yaml",
    "bag": SAMPLES / "marbles.yaml",
    "dice-only": SAMPLES / "snakes-and-ladders.yaml",
    "omens": TESTS / "publish" / "omens.yaml",
    "choices": SAMPLES / "hot-purse.yaml",
}


def accounts(name: str) -> RulesetAnswers:
    """One of them, solved once for all tests."""
    return account_of(PATHS[name])
