"""Table cards on paper: one sheet of A4 and one of Letter each, as the browser prints them."""

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
        return look_at(base, pages, viewports=[], shots=None, formats=["A4", "Letter"])


def test_every_game_has_a_card_of_one_sheet(cards: list[Look], site: Path) -> None:
    games = {path.parent.name for path in site.glob("games/*/index.html")}
    assert {look["page"].split("/")[1] for look in cards} == games
    assert {look["page"]: look["sheets"] for look in cards if look["sheets"] != {"A4": 1, "Letter": 1}} == {}


def test_nothing_of_a_card_is_wider_than_its_sheet(cards: list[Look]) -> None:
    assert {look["page"]: look["beyondSheet"] for look in cards if look["beyondSheet"]} == {}


def test_sheets_are_counted(browser: None, tmp_path: Path) -> None:
    """A page that is too long by a little for Letter, and one that is for both."""
    (tmp_path / "a.html").write_text(TALL.format(height="10mm"), "utf-8")
    (tmp_path / "b.html").write_text(TALL.format(height="288mm"), "utf-8")
    (tmp_path / "c.html").write_text(TALL.format(height="500mm"), "utf-8")
    with served(tmp_path) as base:
        looks = look_at(base, ["a.html", "b.html", "c.html"], viewports=[], shots=None, formats=["A4", "Letter"])
    assert [look["sheets"] for look in looks] == [
        {"A4": 1, "Letter": 1},
        {"A4": 1, "Letter": 2},
        {"A4": 2, "Letter": 2},
    ]
