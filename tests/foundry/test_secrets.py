"""Games with secrets in the windows of Foundry: against a non-player, by touch, with advice for the own seat."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from oddsmith.report.answers.accounts import answers_of
from oddsmith.tabletops.foundry.odds import solved_game_content
from tests.cases import ruleset
from tests.foundry.windows import pages, use

GAMES = ("cups-and-coins", "mia")


@pytest.fixture(scope="module")
def base(browser: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    games = [solved_game_content(answers_of(ruleset(name))) for name in GAMES]
    with pages(tmp_path_factory.mktemp("hidden"), {"tavern": games}) as address:
        yield address


@pytest.mark.browser
@pytest.mark.parametrize("game", GAMES)
def test_a_game_with_secrets_is_played_against_a_non_player_that_bluffs(base: str, game: str) -> None:
    found = use(base, "hidden played", "user=ann&seed=3", game=game, width=360, touched=True)
    assert any(each["covered"] for each in found["seen"])
    advice = next(each["advice"] for each in found["seen"] if "advice" in each)
    assert "How often" in advice
    assert found["end"]["phase"] == "over"
    assert found["end"]["covered"] == 0
    assert "wins" in found["turn"]


@pytest.mark.browser
def test_a_non_player_waits_for_the_game_master_by_name(base: str) -> None:
    found = use(base, "hidden kept", "user=ann&seed=3", game="cups-and-coins", width=480)
    assert found["gone"] == "The game goes on when these are back in the same browser: Keeper"
    assert "timer" not in found["facts"]
