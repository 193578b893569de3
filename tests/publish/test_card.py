"""The table card: everything that it owes a reader, escaped, and no more tables than a sheet holds."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest

import oddsmith
from oddsmith.publish.pages.card import COLUMNS, ROOM, card_page
from oddsmith.report.answers.answers import Account, account
from oddsmith.ruleset.bundle import sha256
from tests.publish.test_html import read

ROOT = Path(__file__).resolve().parents[2]
HOSTILE = ROOT / "tests" / "publish" / "hostile.yaml"
SAMPLES = sorted((ROOT / "tests" / "samples").glob("*.yaml"))


@cache
def solved(path: Path) -> Account:
    return account(oddsmith.load(path).ruleset)


@pytest.mark.parametrize("path", [*SAMPLES, HOSTILE], ids=lambda path: path.stem)
def test_a_card_has_its_parts_and_fits(path: Path) -> None:
    card = card_page(solved(path)).decode()
    tags = read(card.partition("<body>")[2]).tags
    assert tags.count("h1") == tags.count("main") == tags.count("footer") == 1
    assert not {"svg", "details", "script"} & set(tags)
    assert sha256(solved(path).ruleset) in card
    assert f"games&#47;{path.stem}&#47;".replace("-", "&#45;") in card
    rows = [row for table in card.split("<table")[1:] for row in table.split("<tr")[1:]]
    assert len(rows) <= 2 * ROOM
    assert all(row.count("<th") + row.count("<td") <= COLUMNS for row in rows)


def test_it_tells_what_the_rule_costs_and_which_odds_are_wrong() -> None:
    told = set()
    for path in SAMPLES:
        each, card = solved(path), card_page(solved(path)).decode()
        wrong = any(not verdict.right for verdict in each.verdicts)
        assert ("Wrong in print" in card) == wrong
        ladder = each.main.ladder if each.main.solution else None
        rung = ladder and ladder.rung("number")
        costs = bool(rung and rung.loss)
        assert ("the short rule costs" in card) == costs
        told |= {("wrong", wrong), ("costs", costs)}
    assert told == {("wrong", True), ("wrong", False), ("costs", True), ("costs", False)}


def test_a_hostile_title_stays_text() -> None:
    card = card_page(solved(HOSTILE)).decode()
    assert card.count("<script") == 1  # the card's own
    assert "document.title='owned'</script>" not in card


def test_the_grade_leads_to_where_grades_are_explained() -> None:
    path = SAMPLES[0]
    assert 'href="../../grades/"' in card_page(solved(path), "../../grades/").decode().replace("&#47;", "/")
    assert 'href="index.html#method"' in card_page(solved(path)).decode()


def test_the_cards_colours_are_black_white_and_grey() -> None:
    css = (ROOT / "site" / "theme" / "assets" / "card.css").read_text("utf-8")
    colours = re.findall(r"#[0-9a-f]{3,8}\b", css)
    assert colours
    assert all(len(set(colour[1:])) == 1 for colour in colours)
    assert not re.search(r"\b(rgb|hsl|var)\(", css)
