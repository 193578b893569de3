"""The manifest: what we write fits the schema, the schema refuses what Foundry refuses, and so do the options."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft7Validator

from oddsmith.base.errors import OddsmithError
from oddsmith.ruleset.bundle import sha256
from oddsmith.ruleset.model.ruleset import Ruleset
from oddsmith.ruleset.reading.build import load_ruleset
from oddsmith.tabletops.foundry.art import COVER_FILE, ICON_FILE
from oddsmith.tabletops.foundry.documents import GameContent, Known, Pack
from oddsmith.tabletops.foundry.journal import unsolved_game_content
from oddsmith.tabletops.foundry.language import NAME, parse_translation
from oddsmith.tabletops.foundry.manifest import ModuleOptions, games_module_manifest

ROOT = Path(__file__).resolve().parents[2]
RULES = load_ruleset(ROOT / "tests" / "samples" / "piglet.yaml")[0]
HOSTILE = load_ruleset(ROOT / "tests" / "publish" / "hostile.yaml")[0]
PACKS = [Pack("rules", "Rules", "JournalEntry", ()), Pack("macros", "Macros", "Macro", ())]
SCHEMA = json.loads((ROOT / "schemas" / "foundry-manifest.schema.json").read_text("utf-8"))


def content(rules: Ruleset, known: Known = "solved") -> GameContent:
    return replace(unsolved_game_content(rules), knowledge=known)


def made(**options: Any) -> dict[str, Any]:
    named = ModuleOptions(**{"id": "tavern", "title": "Tavern", **options})
    return games_module_manifest(named, [content(RULES)], PACKS, COVER_FILE, ICON_FILE)


def problems(data: dict[str, Any]) -> list[str]:
    return [error.message for error in Draft7Validator(SCHEMA).iter_errors(data)]


def test_the_schema_is_one() -> None:
    Draft7Validator.check_schema(SCHEMA)


@pytest.mark.parametrize("url", ["", "https://example.org/games", "http://localhost:8000/"])
def test_what_we_write_fits(url: str) -> None:
    data = made(url=url, version="2.0.1-beta.3")
    assert problems(data) == []
    assert data["flags"]["tavern"]["rulesSha256"] == [sha256(RULES)]


def test_nothing_is_said_to_be_verified_or_required() -> None:
    data = made()
    assert data["compatibility"] == {"minimum": "13"}
    assert set(data["relationships"]) == {"recommends"}


def test_addresses_stand_there_where_they_are_known_only() -> None:
    assert not {"url", "manifest", "download", "readme", "changelog"} & set(made())
    data = made(url="https://example.org/games/", version="1.2")
    assert data["readme"] == "https://example.org/games/tavern/README.md"
    assert data["changelog"] == "https://example.org/games/tavern/CHANGELOG.md"
    assert data["url"] == data["readme"]  # a folder has no page to show
    assert data["manifest"] == "https://example.org/games/tavern/module.json"  # the same for all versions
    assert data["download"] == "https://example.org/games/tavern-1.2.zip"  # one of its own for each


@pytest.mark.parametrize("online", [True, False])
def test_a_page_about_the_module_stands_beside_its_files_where_these_are(online: bool) -> None:
    page = "https://example.org/games/piglet/"
    data = made(url=f"{page}foundry", page=page, texts_online=online)
    assert problems(data) == []
    assert data["url"] == page
    assert made(page="https://example.org/inn/")["url"] == "https://example.org/inn/"  # also where it comes as a folder
    assert [key in data for key in ("readme", "changelog")] == [online, online]


def test_authors_bugs_and_languages_are_the_maker_s() -> None:
    assert made()["authors"] == [{"name": "the Oddsmith authors"}]
    assert "bugs" not in made()
    known = {NAME: "English", "ODDSMITH.Title": "Tavern games"}
    german = parse_translation("de.json", json.dumps({NAME: "Deutsch"}).encode(), known)
    brazil = parse_translation("pt-BR.json", b"{}", known)
    authors = ("Ann <https://example.org/ann>", "<b>Bob</b>", "Cy <mailto:cy>")
    data = made(authors=authors, bugs="https://example.org/bugs", languages=(german, brazil))
    assert problems(data) == []
    assert data["authors"][0] == {"name": "Ann", "url": "https://example.org/ann"}
    assert not any("url" in each or "<" in each["name"] for each in data["authors"][1:])
    assert data["bugs"] == "https://example.org/bugs"
    assert [(each["lang"], each["name"], each["path"]) for each in data["languages"]] == [
        ("en", "English", "lang/en.json"),
        ("de", "Deutsch", "lang/de.json"),
        ("pt-BR", "pt-BR", "lang/pt-BR.json"),
    ]
    with pytest.raises(OddsmithError, match="for the same language"):
        made(languages=(german, german))


def test_a_hostile_ruleset_stays_text() -> None:
    data = games_module_manifest(
        ModuleOptions("hostile", HOSTILE.title), [content(HOSTILE)], PACKS, COVER_FILE, ICON_FILE
    )
    assert problems(data) == []
    said = data["description"].removeprefix("<p>").removesuffix("</p>")
    assert "<" not in said
    assert made()["description"] == "<p>Games for the tavern table, with exact odds, in any system: Piglet.</p>"


PACK = made()["packs"][0]
WRONG: list[dict[str, Any]] = [
    {"id": "Tavern Games"},
    {"version": "1'0"},
    {"version": 2},
    {"compatibility": {"minimum": 13}},
    {"compatibility": {"minimum": "13", "verified": "14"}},
    {"styles": ["styles/module.css"]},
    {"socket": False},
    {"languages": [{"lang": "en_GB", "name": "English", "path": "lang/en.json"}]},
    {"packs": [PACK | {"path": "packs/rules.db"}]},
    {"packs": [PACK | {"ownership": {}}]},
    {"packs": [PACK | {"type": "Actor"}]},
    {"packs": [PACK | {"banner": "art/cover.svg"}]},
    {"media": [{"type": "cover", "url": "https://example.org/cover.svg"}]},
    {"relationships": {"requires": [{"id": "socketlib", "type": "module"}]}},
    {"download": "https://example.org/tavern.zip"},
    {"scripts": ["old.js"]},
]


@pytest.mark.parametrize("change", WRONG, ids=lambda change: json.dumps(change)[:60])
def test_the_schema_refuses_what_foundry_would_stumble_over(change: dict[str, Any]) -> None:
    assert problems(made() | change)


@pytest.mark.parametrize(
    ("option", "value", "words"),
    [
        ("id", "Tavern", "no id of a module"),
        ("id", "../up", "no id of a module"),
        ("id", "a" * 101, "at most 100"),
        ("id", "", "no id of a module"),
        ("title", " ", "1 to 100 letters"),
        ("title", "a" * 101, "1 to 100 letters"),
        ("version", "1.0'", "no version"),
        ("version", "latest", "no version"),
        ("version", "", "no version"),
        ("version", "1.0\n", "no version"),
        ("url", "example.org", "no address"),
        ("url", "javascript:alert(1)", "no address"),
        ("url", "https://example.org/?a=1", "no address"),
        ("page", "here", "no address"),
        ("bugs", "mailto:ann@example.org", "no address"),
        ("authors", (), "the name of an author"),
        ("authors", ("Ann", " "), "the name of an author"),
        ("authors", ("A" * 101,), "the name of an author"),
    ],
)
def test_options_that_cannot_be_are_refused(option: str, value: object, words: str) -> None:
    with pytest.raises(OddsmithError, match=words):
        made(**{option: value})


@pytest.mark.parametrize(
    ("known", "words"), [("nothing", "without odds"), ("estimated", "with odds, exact or estimated")]
)
def test_a_module_says_what_was_not_solved(known: Known, words: str) -> None:
    options = ModuleOptions("tavern", "Tavern")
    for games in ([content(RULES, known)], [content(HOSTILE), content(RULES, known)]):
        data = games_module_manifest(options, games, PACKS, COVER_FILE, ICON_FILE)
        assert problems(data) == []
        assert f"Games for the tavern table, {words}, in any system" in data["description"]
