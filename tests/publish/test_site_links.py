"""The built site: every link leads somewhere. It reads build/site, so `make site` comes first."""

from __future__ import annotations

import re
from functools import cache
from html import unescape
from pathlib import Path
from urllib.parse import unquote

import pytest

SITE = Path(__file__).resolve().parents[2] / "build" / "site"


@cache
def anchors(page: Path) -> set[str]:
    """The places of a page to which an address can lead."""
    return {unescape(name) for name in re.findall(r'\sid="([^"]+)"', page.read_text(encoding="utf-8"))}


def leads_nowhere(page: Path, link: str) -> bool:
    path, _, place = unescape(link).partition("#")
    if re.match(r"[a-z]+:|//", path):
        return False
    path = unquote(path.partition("?")[0])
    target = SITE / path.lstrip("/") if path.startswith("/") else page.parent / path if path else page
    target = (target / "index.html" if target.is_dir() else target).resolve()
    if not target.exists():
        return True
    asked = "=" in place  # a script reads it, and no element has it
    return bool(place) and not asked and target.suffix == ".html" and unquote(place) not in anchors(target)


@pytest.mark.browser
def test_no_link_of_the_site_is_dead() -> None:
    pages = sorted(SITE.rglob("*.html"))
    assert pages, "no built site: make site first"
    dead = [
        f"{page.relative_to(SITE)}: {link}"
        for page in pages
        for link in re.findall(r'(?:href|src)="([^"]*)"', page.read_text(encoding="utf-8"))
        if leads_nowhere(page, link)
    ]
    assert not dead, "\n".join(dead)


@pytest.mark.browser
def test_the_reader_of_links_finds_what_is_dead() -> None:
    card = SITE / "games" / "pig" / "card.html"
    alive, dead = ("index.html#strategy", "../../grades/", "#"), ("index.html#nowhere", "#strategy", "none.html")
    assert [link for link in (*alive, *dead) if leads_nowhere(card, link)] == list(dead)
