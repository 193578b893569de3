"""Modules whose scripts are joined to one, and a module of all games: each is found and played by touch in a narrow
window.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from oddsmith.api.modules import MAX_SHARED_TABLE_BYTES
from oddsmith.api.site import shipped_answer_store
from oddsmith.base.files import shipped_rulesets
from oddsmith.report.answers.accounts import answers_of, settings_to_solve
from oddsmith.ruleset.model.ruleset import Ruleset
from oddsmith.ruleset.reading.build import load_ruleset
from oddsmith.tabletops.foundry.documents import GameContent
from oddsmith.tabletops.foundry.journal import unsolved_game_content
from oddsmith.tabletops.foundry.odds import solved_game_content
from tests.cases import RULESETS
from tests.foundry.joining import bundled, plain, with_bundle
from tests.foundry.windows import pages, use

OTHERS = {"lang/de.json", "lang/en.json", "lang/fr.json", "styles/module.css", "LICENSE"}


def test_a_bundle_stands_in_place_of_the_scripts_that_it_was_made_of_and_of_no_others() -> None:
    joined, apart = with_bundle(bundled()), plain()
    assert joined.keys() == OTHERS | {"scripts/foundry/main.mjs"}
    assert joined["scripts/foundry/main.mjs"] == bundled()
    assert all(joined[name] == apart[name] for name in OTHERS)
    stale = bundled().replace(b"SHA-256 ", b"SHA-256 0", 1)
    assert with_bundle(stale) == apart
    assert len(apart) > 50


def test_a_bundle_can_be_read() -> None:
    """What is used stands under the name of its file, with the names that its author gave to things."""
    text = bundled().decode()
    files = re.findall("^// site/(.*)$", text, re.MULTILINE)
    assert {f"scripts/{name}" for name in files} <= plain().keys()
    assert len(files) > 50
    assert "function foundryHost(" in text


ENAMEL_LETTERS = "rgb(255, 246, 227)"
"""The colour of the letters on what moves a game."""


def content(rules: Ruleset) -> GameContent:
    """What the module of all games holds of one: with its odds where they come with the program, so that nothing is
    solved.
    """
    known = shipped_answer_store()
    todo = [each for part in settings_to_solve(rules, False) for each in part]
    estimates = [known.known_estimate(rules, each) for each in rules.edition.estimated_games]
    if all(known.has_answer(rules, each) for each in todo) and all(estimates):
        return solved_game_content(answers_of(rules, store=known), MAX_SHARED_TABLE_BYTES)
    return unsolved_game_content(rules)


@pytest.fixture(scope="module")
def games() -> list[GameContent]:
    rulesets = [load_ruleset(RULESETS / f"{name}.yaml")[0] for name in shipped_rulesets()]
    return [content(each) for each in rulesets]


@pytest.fixture(scope="module")
def base(browser: None, games: list[GameContent], tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with pages(tmp_path_factory.mktemp("tavern"), {"tavern": games}, with_bundle(bundled())) as address:
        yield address


@pytest.fixture(scope="module")
def apart(browser: None, games: list[GameContent], tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The same with each script by itself: the page of a player needs some of them for its game master."""
    with pages(tmp_path_factory.mktemp("apart"), {"tavern": games}) as address:
        yield address


@pytest.mark.browser
@pytest.mark.parametrize("width", [480, 360])
def test_a_player_and_a_game_master_play_every_shipped_game_with_a_reload_in_the_middle(
    apart: str, games: list[GameContent], width: int
) -> None:
    found = use(apart, "tavern together", "user=ann&seed=3", width=width, touched=True)
    assert [each["id"] for each in found["played"]] == [each.ruleset.id for each in games]
    for each in found["played"]:
        assert each["moves"] > 0, each["id"]
        assert each["out"] == [], each["id"]
        assert each["denied"] == [], each["id"]
        assert each["apart"] == [], each["id"]
    assert any(each["drawn"] for each in found["played"])
    assert sum(each["over"] for each in found["played"]) > len(games) / 4


@pytest.mark.browser
@pytest.mark.parametrize("width", [480, 360])
def test_every_shipped_game_is_chosen_and_played_by_touch(base: str, games: list[GameContent], width: int) -> None:
    found = use(base, "tavern games", "user=gm&away=ann&seed=3", width=width, touched=True)
    titles = [each.ruleset.title for each in games]
    shipped_answers = [each for each in games if not each.ruleset.has_secrets]
    assert sum(each.knowledge == "solved" for each in shipped_answers) > len(shipped_answers) / 2
    assert found["offered"] == titles
    assert found["hall"] == []
    cards = [(each.ruleset.id, each.ruleset.title, each.ruleset.summary) for each in games]
    assert [(card[0], card[1], card[3]) for card in found["icons"]] == [
        (f"quick {name}", *told) for name, *told in cards
    ]
    players = {name: card[2] for (name, *_), card in zip(cards, found["icons"], strict=True)}
    assert (players["craps"], players["mia"], players["farkle"]) == ("One player", "2 players", "1\N{EN DASH}4 players")
    assert [each["title"] for each in found["tables"]] == titles
    shown = {each["title"]: each for each in found["tables"]}
    assert [shown[title]["places"] for title in ("Farkle", "Hold the Pot", "Pig")] == [6, 3, 0]
    assert shown["Snakes and Ladders"]["arrows"] == 19  # heads of snakes and feet of ladders
    assert {"100", "99", "10"} <= set(shown["Snakes and Ladders"]["told"].split())
    assert shown["Burglar & The Dragon"]["boxes"] == [[str(number), "0"] for number in (3, 4, 5, 6, 8, 9, 10, 11)]
    for each in found["tables"]:
        assert each["out"] == [], each["title"]
        assert each["small"] == [], each["title"]
        assert each["board"], each["title"]
        assert "no dice" not in each["told"], each["title"]  # the places of the dice are drawn
        assert not re.search(r"\d: \d", each["told"]), each["title"]  # numbered numbers lie in boxes
        assert each["letters"] == ENAMEL_LETTERS, each["title"]
        assert each["choices"] > 0, each["title"]
