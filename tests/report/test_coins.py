"""Coins as money: which payoffs are purses of coins, and that nobody leaves with coins that nobody paid in."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

import oddsmith
from oddsmith.report.english.play_bundle import purse_variables
from oddsmith.ruleset.binding import bind
from oddsmith.ruleset.model import Setting
from oddsmith.ruleset.play import played_moves, random_result_picker
from oddsmith.ruleset.rules import Rules
from tests.cases import RULESETS, SAMPLES

FOUND = {
    "rogues-gambit": {"coins": ("purse", "stash", "hoard")},
    "wizards-and-thieves": {"coins": ("purse", "pot")},
    "burglar-and-the-dragon": {"tokens": ("purse", "coffer", "hoard")},
    "hold-the-pot-round": {},  # the bank pays
    "dragons-lair-together": {"coins": ("sack", "bag")},
    "chip-passing": {},  # nobody plays for the chips
    "craps": {},
}
TABLES = [
    SAMPLES / "coffers.yaml",
    SAMPLES / "hot-purse.yaml",
    *(RULESETS / f"{name}.yaml" for name in FOUND if FOUND[name]),
]


@pytest.mark.parametrize("name", FOUND)
def test_coins_are_found_where_they_only_move(name: str) -> None:
    assert purse_variables(oddsmith.load(RULESETS / f"{name}.yaml").ruleset) == FOUND[name]


@pytest.mark.parametrize("path", TABLES, ids=lambda path: path.stem)
def test_nobody_leaves_with_coins_that_nobody_paid_in(path: Path) -> None:
    rules = oddsmith.load(path).ruleset
    random = Random(7)  # noqa: S311 - plays to be repeated
    assert purse_variables(rules)
    for seats in range(max(2, rules.seats[0]), rules.seats[1] + 1):
        game = bind(rules, Setting(seats))
        for name, held in purse_variables(rules).items():
            for _ in range(4):
                played = Rules(game)
                start = played.start()
                total = sum(start.cells[cell] for each in held for cell in game.cell_indices_of(each))
                end = start
                for move in played_moves(
                    played, lambda _, actions: random.randrange(len(actions)), random_result_picker(random)
                ):
                    end = move.step.state
                assert sum(played.payoffs(end, name)) <= total


BROKEN = {
    "they come from the bank": ("do: drop out", "do: [drop out, move 1 from supply to purse]"),
    "they are made": ("do: drop out", "do: [drop out, add 1 to purse]"),
    "a part of the others is made": ("do: drop out", "do: [drop out, set hoard to 1]"),
    "they come anew each turn": ("hoard: {start: 1,", "hoard: {start: 1, resets: turn,"),
    "the payoff is more than the purse": ("coins: purse", "coins: purse + 1"),
    "everybody wants fewest": ("coins: purse", "coins: {value: purse, goal: min}"),
}


@pytest.mark.parametrize("reason", BROKEN)
def test_what_is_no_coin_is_not_taken_for_one(reason: str, tmp_path: Path) -> None:
    text = (SAMPLES / "coffers.yaml").read_text("utf-8")
    old, new = BROKEN[reason]
    assert text.count(old) == 1
    path = tmp_path / "coffers.yaml"
    path.write_text(text.replace(old, new), "utf-8")
    assert purse_variables(oddsmith.load(path).ruleset) == {}
