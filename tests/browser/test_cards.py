"""Table cards on paper: small or large, one sheet of A4 and one of Letter each, as the browser prints them."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.browser.conftest import Look, look_at, served

pytestmark = pytest.mark.browser

TALL = """<!doctype html><title>Tall</title><link rel="icon" href="data:,">
<style>@page {{ margin: 0 }} body {{ margin: 0 }}</style>
<div style="height:{height}">Text</div>"""


@pytest.fixture(scope="module")
def cards(browser: None, site: Path) -> list[Look]:
    pages = sorted(path.relative_to(site).as_posix() for path in site.glob("games/*/card.html"))
    with served(site) as base:
        return look_at(base, pages, viewports=[], formats=["A4", "Letter"])


def test_every_game_has_cards_of_one_sheet_in_both_sizes(cards: list[Look], site: Path) -> None:
    games = {path.parent.name for path in site.glob("games/*/index.html")}
    assert {look["page"].split("/")[1] for look in cards} == games
    wanted = {"A4": [1, 1], "Letter": [1, 1]}
    assert {look["page"]: look["sheets"] for look in cards if look["sheets"] != wanted} == {}


def test_nothing_of_a_card_is_cut_off(cards: list[Look]) -> None:
    assert {look["page"]: look["cut"] for look in cards if look["cut"]} == {}


def test_sheets_are_counted_and_cuts_seen(browser: None, tmp_path: Path) -> None:
    """A page that is too long by a little for A4 on its side, one that is for both, and one with a box that is too small."""
    pages = {"a": TALL.format(height="10mm"), "b": TALL.format(height="212mm"), "c": TALL.format(height="500mm")}
    pages["d"] = TALL.format(height="1mm; overflow: hidden")
    for name, text in pages.items():
        (tmp_path / f"{name}.html").write_text(text, "utf-8")
    with served(tmp_path) as base:
        looks = look_at(base, [f"{name}.html" for name in pages], viewports=[], formats=["A4", "Letter"])
    assert [look["sheets"] for look in looks[:3]] == [
        {"A4": [1], "Letter": [1]},
        {"A4": [2], "Letter": [1]},
        {"A4": [3], "Letter": [3]},
    ]
    assert [bool(look["cut"]) for look in looks] == [False, False, False, True]
