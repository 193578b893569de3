"""Pages of games with secrets in several settings, and of those that cannot be solved."""

from __future__ import annotations

import json
from pathlib import Path

import oddsmith
from oddsmith.publish.pages import play_files
from oddsmith.publish.pages.page import game_page
from oddsmith.publish.sections import other_secret_settings_html
from oddsmith.publish.site import game_files
from oddsmith.report.answers import RulesetAnswers, answers_of, growing_answers
from oddsmith.tabletops.foundry.odds import odds_pages
from tests.terminal import run

RULESETS = Path(__file__).parents[2] / "rulesets"
"""The folder of the shipped rulesets."""


def cups(publish: str) -> str:
    """Return the rules of Cups and Coins with other keys under ``publish``."""
    text = (RULESETS / "cups-and-coins.yaml").read_text("utf-8")
    head, _, _ = text.partition("\npublish:")
    return f"{head}\npublish:\n  seats: [2]\n{publish}"


def liars(seats: int) -> str:
    """Return the rules of Liar's Dice for a usual number of seats, with few estimated games."""
    text = (
        (RULESETS / "liars-dice.yaml")
        .read_text("utf-8")
        .replace("max: 6, default: 2}", f"max: 6, default: {seats}}}", 1)
    )
    text = text.replace("sides: {default: 6", "sides: {default: 3", 1)
    head, _, _ = text.partition("\nclaims:")
    policy = 'policy: "count your own dice", games: 1000'
    return f"{head}\npublish:\n  seats: [{seats}]\n  estimated:\n    - {{seats: [{seats}], {policy}}}\n"


def test_each_setting_has_its_value_its_table_and_its_files() -> None:
    """With a bet of one coin, the first player loses 7/144 coins a game; with four coins, 83/1080."""
    account = answers_of(oddsmith.loads(cups("  parameters:\n    bet: [1, 4]\n")).ruleset)
    values = [str(each.values[0].exact) for each in account.secrets]
    assert values == ["-2/27", "-7/144", "-83/1080"]
    assert account.main_secret_answer is account.secrets[0]
    shown = "".join(other_secret_settings_html(account))
    assert shown.count("<details") == 3 + shown.count("Less often")
    assert all(f"Bet {each}&#58; " in shown for each in ("1 coin", "4 coins"))
    assert "7&#47;144" in shown
    assert "83&#47;1080" in shown
    pages = game_files(account)
    for slug in ("2-seats-coins", "2-seats-coins-bet-1", "2-seats-coins-bet-4"):
        assert f"games/cups-and-coins/{slug}.csv" in pages
        assert f"games/cups-and-coins/{slug}.jsonl.gz" in pages
        assert f"games/cups-and-coins/play/{slug}.plan.gz" in pages
    settings = json.loads(play_files(account)["play.json"])["settings"]
    assert [each["parameters"]["bet"] for each in settings] == [2, 1, 4]
    page = game_page(account, {}).decode()
    assert page.count(".jsonl.gz&") == 3, "the checker lists the certificates of all settings"
    assert "Bet 4 coins&#58; " in "".join(each.html for each in odds_pages(account))


def test_the_usual_number_of_players_comes_first() -> None:
    text = (Path(__file__).parent / "games" / "volunteers.yaml").read_text("utf-8")
    account = answers_of(
        oddsmith.loads(f"{text.replace('default: 2}', 'default: 3}', 1)}publish:\n  seats: [2, 3]\n").ruleset
    )
    assert [each.setting.seats for each in account.secrets] == [3, 2]
    assert account.main_secret_answer is account.secrets[0]
    assert [each["seats"] for each in json.loads(play_files(account)["play.json"])["settings"]] == [3, 2]


def test_a_game_that_cannot_be_solved_is_estimated() -> None:
    account = answers_of(oddsmith.loads(liars(3)).ruleset)
    assert account.main_secret_answer is None
    assert account.opening_estimate is not None
    assert account.opening_estimate.setting.seats == 3
    page = game_page(account, {}).decode()
    assert "stimated" in page
    assert "count your own dice" in page


def test_a_setting_that_is_refused_is_told() -> None:
    """Three players are refused, and estimated; the page opens with two."""
    text = liars(2).replace("seats: [2]\n  estimated", "seats: [2, 3]\n  parameters:\n    sides: [2]\n  estimated", 1)
    text = text.replace("seats: [2], policy", "seats: [3], policy")
    account = answers_of(oddsmith.loads(text).ruleset)
    assert account.main_secret_answer is not None
    assert account.opening_estimate is None
    assert [each.setting.seats for each in account.secrets] == [2, 2]
    assert [each.setting.seats for each in account.estimates] == [3]
    assert "3 players" in game_page(account, {}).decode()


def test_answers_grow_from_the_main_game_on() -> None:
    steps = list(growing_answers(oddsmith.loads(cups("  parameters:\n    bet: [1, 4]\n")).ruleset))
    assert [len(each.secrets) for each in steps] == [1, 2, 3]
    last: RulesetAnswers = steps[-1]
    assert [each.values[0].exact for each in last.secrets] == [
        each.values[0].exact for each in answers_of(last.ruleset).secrets
    ]


def test_publish_in_a_terminal_estimates_what_it_cannot_solve(tmp_path: Path) -> None:
    file = tmp_path / "liars.yaml"
    file.write_text(liars(3), encoding="utf-8")
    done = run("publish", str(file), "-o", str(tmp_path / "site"))
    assert done.returncode == 0, done.stderr
    page = (tmp_path / "site" / "docs" / "games" / "liars-dice.md").read_text("utf-8")
    assert "estimated" in page
