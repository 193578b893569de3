"""The site's own search leads players where they want to go, by the words that they type."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from oddsmith.api.loaded import LoadedRuleset
from oddsmith.base.files import shipped_rulesets
from tests.node import ROOT, answers

pytestmark = pytest.mark.browser
WANTED = {
    "roll": (
        "odds of three of a kind", "exploding dice", "exploding", "AnyDice", "chance of at least one six", "4d6 drop lowest",
        "advantage d20", "advantage", "probability calculator", "dice calculator", "dice pool", "average of 2d6",
        "damage calculator", "dice roll chances", "snake eyes", "2d6 probability", "roll20 dice",
    ),
    "games/rogues-gambit": ("how many coins should I keep", "made a meal"),
    "games/farkle": ("farkle", "farkle 10000", "zilch", "10000 dice game", "optimal strategy farkle", "hot dice"),
    "games/craps": ("house edge", "how to win at craps"),
    "games/column-race": ("can't stop",),
    "games/yahtzee": ("yahtzee strategy", "yahtzee expected score", "kniffel strategie"),
    "games/yatzy": ("yatzy odds",),
    "games/chip-passing": ("left center right", "lcr"),
    "games/pig": ("push your luck odds", "best strategy pig dice", "when should I stop rolling", "bust chance"),
    "games/royal-game-of-ur": ("royal game of ur strategy",),
    "games/snakes-and-ladders": ("chutes and ladders how many turns", "chutes"),
    "games/shut-the-box": ("shut the box probability",),
    "games/ship-captain-crew": ("ship captain crew odds",),
    "games/hold-the-pot": ("pass the pot",),
    "games/liars-dice": ("liar's dice", "perudo"),
    "games": ("tavern dice games", "dnd gambling games", "dice game rules"),
    "not-here": (
        "incan gold", "zombie dice", "pass the pigs", "backgammon", "risk", "poker dice", "bunco",
        "three dragon ante",
    ),
    "fair": ("fair", "is my game fair"),
    "reading-the-tables": ("print",),
    "table-by-link": ("play with friends online",),
    "tutorial": ("make my own dice game",),
    "changing-games": ("house rules",),
    "foundry": ("foundry module",),
    "roll20": ("roll20",),
    "owlbear": ("owlbear rodeo",),
}  # fmt: skip
"""The page that comes first, and what people type who want it."""


def found(site: Path, queries: list[str]) -> dict[str, list[str]]:
    """The pages that the search finds for each query, the first first."""
    (told,) = answers(ROOT / "tests" / "browser" / "search.mjs", {"site": str(site), "queries": queries})
    return dict(zip(queries, told, strict=True))


def test_the_first_page_is_the_right_one(site: Path) -> None:
    wanted = {query: f"{page}/" for page, queries in WANTED.items() for query in queries}
    first: dict[str, Any] = {query: pages[:1] for query, pages in found(site, list(wanted)).items()}
    assert first == {query: [page] for query, page in wanted.items()}


def test_every_game_is_found_by_its_title_and_soon_by_its_keywords(site: Path) -> None:
    books = {name: LoadedRuleset.open(name).ruleset for name in shipped_rulesets()}
    first = found(site, [book.title for book in books.values()])
    assert {title: pages[:1] for title, pages in first.items()} == {
        book.title: [f"games/{name}/"] for name, book in books.items()
    }
    keywords = {word: name for name, book in books.items() for word in book.data.get("publish", {}).get("keywords", ())}
    assert keywords
    for word, pages in found(site, list(keywords)).items():
        assert f"games/{keywords[word]}/" in pages[:3], word
