"""The table card: everything that it owes a reader, escaped."""

from __future__ import annotations

import re
from html import unescape
from pathlib import Path

import pytest
import segno

from oddsmith.publish.pages.card import COPIES_PER_SHEET, card_page
from oddsmith.publish.sections.first_screen import line_to_remember_and_value
from oddsmith.publish.site import site_pages
from oddsmith.ruleset.bundle import sha256
from tests.cases import account_of
from tests.publish.test_html import read
from tests.publish.test_remember import GAMBIT

ROOT = Path(__file__).resolve().parents[2]
HOSTILE = ROOT / "tests" / "publish" / "hostile.yaml"
SAMPLES = sorted((ROOT / "tests" / "samples").glob("*.yaml"))


@pytest.mark.parametrize("path", [*SAMPLES, HOSTILE], ids=lambda path: path.stem)
def test_a_card_has_its_parts(path: Path) -> None:
    card = card_page(account_of(path)).decode()
    tags = read(card.partition("<body>")[2]).tags
    assert tags.count("main") == 1
    assert tags.count("article") == tags.count("h1") == tags.count("footer") == COPIES_PER_SHEET
    assert card.count('aria-hidden="true"><header') == COPIES_PER_SHEET - 1  # heard once, however many are printed
    assert tags.count("input") == 2
    assert not {"details", "script"} & set(tags)
    assert sha256(account_of(path).ruleset) in card


def test_it_tells_what_the_rule_costs_and_which_odds_are_wrong() -> None:
    said = set()
    for path in SAMPLES:
        each, card = account_of(path), card_page(account_of(path)).decode()
        wrong = any(not verdict.is_right for verdict in each.verdicts_from("published"))
        assert ("Wrong in print" in card) == wrong
        rule_value = line_to_remember_and_value(each.main)[1] if each.main.result else None
        assert ("against best play" in card) == bool(rule_value)
        said |= {("wrong", wrong), ("costs", bool(rule_value))}
    assert said == {("wrong", True), ("wrong", False), ("costs", True), ("costs", False)}


def test_it_has_the_number_and_the_worth_of_every_table_size() -> None:
    each = account_of(GAMBIT)
    card = unescape(card_page(each).decode().partition("</article>")[0])
    numbers = {answer.setting.seats: answer.rule_comparison.main_rule for answer in each.plain}
    assert len(numbers) == 2
    for seats, rule in numbers.items():
        assert rule
        assert rule.number
        assert f"{seats} players <b>{rule.number.best}</b>" in card
    for answer in each.plain:
        for value in answer.values:
            assert f"<td>{value.decimal(1)}</td>" in card
    chances = [event.chance for table in each.main.chance_tables for event in table.events]
    assert chances
    assert all(f"<td>{100 * float(chance):.1f}</td>" in card for chance in chances)
    assert 'class="od-f0"' in card  # the picture of its strategy


def test_it_says_for_which_rules_it_is() -> None:
    """A page may open with a game that is smaller than the usual one."""
    text = GAMBIT.replace("game: {seats: 2}", "game: {seats: 2, set: {coins_each: 6}}")
    each = account_of(text)
    assert "All this is for 6 coins each (usually 25 coins)." in unescape(card_page(each).decode())


def test_the_code_leads_to_the_page_and_without_an_address_there_is_none() -> None:
    address = "https://example.org/odds/games/piglet/"
    card = card_page(account_of(SAMPLES[0]), address).decode()
    assert (
        card.count(str(segno.make_qr(address, error="m").svg_inline(omitsize=True, svgclass="od-code", lineclass=None)))
        == COPIES_PER_SHEET
    )
    assert unescape(card).count(f"<b>{address}</b>") == COPIES_PER_SHEET
    without = card_page(account_of(SAMPLES[0])).decode()
    assert "od-code" not in without
    assert "http" not in without.partition("<body>")[2]


def test_the_address_of_a_site_reaches_its_cards() -> None:
    name = f"games/{account_of(SAMPLES[0]).ruleset.id}"
    for url in ("https://example.org/odds", "https://example.org/odds/"):
        card = site_pages([account_of(SAMPLES[0])], {}, url=url)[f"{name}/card.html"]
        assert f"<b>https://example.org/odds/{name}/</b>" in unescape(card.decode())


def test_a_hostile_title_stays_text() -> None:
    card = card_page(account_of(HOSTILE)).decode()
    assert "<script" not in card
    assert "document.title='owned'</script>" not in card


def test_the_cards_colours_are_black_white_and_grey() -> None:
    css = (ROOT / "site" / "theme" / "assets" / "card.css").read_text("utf-8")
    colours = re.findall(r"#[0-9a-f]{3,8}\b", css)
    assert colours
    assert all(len(set(colour[1:])) == 1 for colour in colours)
    assert not re.search(r"\b(rgb|hsl|var)\(", css)
