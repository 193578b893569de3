"""What happens around a table, in a real browser: quick games, turns that are told, tables that are shown, people who leave."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.cases import SAMPLES, account_of
from tests.foundry.windows import pages, use

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def base(browser: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    games = [account_of(SAMPLES / name) for name in ("pig.yaml", "piglet.yaml")]
    with pages(tmp_path_factory.mktemp("around"), {"tavern": games}) as address:
        yield address


@pytest.mark.parametrize("user", ["gm", "ann"])
def test_a_quick_game_is_two_clicks_away_and_a_double_click_is_one_game(base: str, user: str) -> None:
    found = use(base, "around quick", f"user={user}", theme="dark", width=360)
    assert found["tables"] == [["play", 0]]
    assert found["seats"] == [["user", user, 0], ["npc", None, 0]]
    assert found["turn"].startswith("Your turn")


def test_a_module_that_was_copied_in_part_says_that_it_does_not_work(base: str) -> None:
    found = use(base, "around lost", "user=gm&lost=games.json", expected="games.json could not be loaded")
    assert found["notes"] == ["error: Something went wrong. The browser's console has the details."]
    assert not found["api"]


BELL = {"icon": "fa-solid fa-bell", "title": "Tavern games: it is your turn"}


def test_whoever_has_no_window_open_is_told_that_it_is_their_turn(base: str) -> None:
    found = use(base, "around turns", "user=ann")
    assert (found["before"]["notices"], found["before"]["sounds"]) == ([], 0)
    assert found["during"] == {"notices": ["info: Pig: it is your turn."], "sounds": 1, **BELL}
    assert found["after"]["icon"] == "fa-solid fa-dice"


def test_whoever_looks_at_the_table_gets_no_notice(base: str) -> None:
    assert use(base, "around turns", "user=ann", open=True)["during"] == {"notices": [], "sounds": 0, **BELL}


@pytest.mark.parametrize("silent", ["turnNotice", "turnSound", "turnBadge"])
def test_each_way_of_telling_can_be_silenced(base: str, silent: str) -> None:
    during = use(base, "around turns", "user=ann", silent=[silent])["during"]
    assert during["notices"] == ([] if silent == "turnNotice" else ["info: Pig: it is your turn."])
    assert during["sounds"] == int(silent != "turnSound")
    assert during["icon"] == ("" if silent == "turnBadge" else BELL["icon"])


def test_a_player_is_asked_once_and_gives_up(base: str) -> None:
    found = use(base, "around gives", "user=ann&seed=3")
    assert not found["before"]
    assert [asked["window"]["title"] for asked in found["asked"]] == ["Give up"]
    assert "Your stake is lost" in found["asked"][0]["content"]
    assert found["seats"][0] == ["npc", None, 0]
    assert found["choices"] == []
    assert not found["tools"]


def test_a_game_master_sees_who_is_gone_and_has_a_non_player_move(base: str) -> None:
    found = use(base, "around absent", "user=gm&seed=3")
    assert found["turn"].endswith("is not connected.")


def test_a_game_master_opens_a_table_at_other_screens_and_a_player_does_not(base: str) -> None:
    assert use(base, "around shown", "user=ann")["windows"] == 1
    assert use(base, "around shown", "user=gm")["windows"] == 1  # the one that the game master opened


def test_a_game_master_chooses_whom_a_table_is_shown_to(base: str) -> None:
    people = use(base, "around shows", "user=gm")["people"]
    assert people[0] == "Everybody"
    assert [name.split(" ")[0] for name in people[1:]] == ["Ann"]
