"""Cover and icon of a module as WebP files: drawn alike each time, and taken only for the picture that they show."""

from __future__ import annotations

import json
from pathlib import Path

import matplotlib.image
import pytest

from oddsmith.api.loaded import LoadedRuleset
from oddsmith.api.modules import TITLE, game_module_options, odds_module_options, odds_scripts
from oddsmith.base.files import shipped_rulesets
from oddsmith.tabletops.foundry import build_games_module, build_odds_module, unsolved_game_content
from oddsmith.tabletops.foundry.art import EDGE, WOOD, raster_file_name
from oddsmith.tabletops.foundry.module import module_pictures
from tests.browser.covers import draw, pictures_to_draw
from tests.foundry.joining import plain

MOST = 50_000  # bytes of a cover
NEAR = 8  # of 255, by which a colour may be off


def colour(code: str) -> list[int]:
    return [int(code[at : at + 2], 16) for at in (1, 3, 5)]


@pytest.mark.browser
def test_cover_and_icon_are_drawn_alike_each_time_and_small(browser: None, tmp_path: Path) -> None:
    pictures = pictures_to_draw()
    assert draw(pictures, tmp_path / "one") == [(1000, 525), (512, 512)] * 2
    draw(pictures, tmp_path / "two")
    one, two = ({path.name: path.read_bytes() for path in (tmp_path / folder).iterdir()} for folder in ("one", "two"))
    assert one == two
    assert set(one) == set(pictures)
    assert all(2_000 < len(data) < MOST for data in one.values())
    cover, icon, *_ = (matplotlib.image.imread(tmp_path / "one" / name).astype(int) for name in pictures)
    assert cover.shape[:2] == (525, 1000)
    assert abs(cover[10, 10, :3] - colour(WOOD)).max() < NEAR
    assert abs(cover[127, 10, :3] - colour(EDGE)).max() < NEAR
    assert icon[0, 0, 3] == 0, "the corners of an icon are round"


def test_the_module_of_all_games_takes_what_was_drawn_for_it() -> None:
    games = [unsolved_game_content(LoadedRuleset.open(name).ruleset) for name in shipped_rulesets()]
    games = [each for each in games if each.ruleset.needs_no_dealer]
    options, drawn = (
        game_module_options([each.ruleset for each in games], {}),
        dict.fromkeys(pictures_to_draw(), b"WebP"),
    )
    assert options.title == TITLE
    files = build_games_module(games, options, plain(), drawn)
    assert files["art/cover.webp"] == files["art/icon.webp"] == b"WebP"
    assert not {"art/cover.svg", "art/icon.svg"} & set(files)
    told = json.loads(files["module.json"])
    home = f"modules/{options.id}/art"
    assert [each["url"] for each in told["media"]] == [f"{home}/{name}.webp" for name in ("cover", "icon", "cover")]
    assert {each["thumbnail"] for each in told["media"]} == {f"{home}/icon.webp"}
    assert {each["banner"] for each in told["packs"]} == {f"{home}/cover.webp"}


def test_the_module_of_odds_takes_what_was_drawn_for_it_and_has_pictures_without() -> None:
    for drawn, end in ((dict.fromkeys(pictures_to_draw(), b"WebP"), "webp"), ({}, "svg")):
        files = build_odds_module(odds_module_options({}), odds_scripts(), drawn)
        media = json.loads(files["module.json"])["media"]
        assert [each["url"] for each in media] == [
            f"modules/oddsmith-odds/art/{name}.{end}" for name in ("cover", "icon", "cover")
        ]
        assert {path for path in files if path.startswith("art/")} == {f"art/cover.{end}", f"art/icon.{end}"}


def test_a_picture_of_other_games_is_not_taken() -> None:
    game = unsolved_game_content(LoadedRuleset.open("piglet").ruleset)
    options = game_module_options([game.ruleset], {})
    other = module_pictures("Another title", [game.ruleset])["art/cover.svg"]
    files = build_games_module([game], options, plain(), {raster_file_name(other): b"WebP"})
    assert "art/cover.webp" not in files
    assert json.loads(files["module.json"])["media"][0]["url"].endswith("art/cover.svg")
