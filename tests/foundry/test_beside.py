"""Two modules in one world with one button and one purse, end cards, purses and windows, in a real browser."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tests.cases import SAMPLES, account_of
from tests.foundry import windows
from tests.foundry.accounts import accounts
from tests.foundry.windows import THEMES, pages

pytestmark = pytest.mark.browser
MARK = "<img src=x onerror="
ALL = "Dice games"


@pytest.fixture(scope="module")
def base(browser: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    modules = {
        "tavern": [account_of(SAMPLES / "pig.yaml"), accounts("bet"), accounts("bag")],
        "harbour": [accounts("race"), accounts("bet")],
    }
    with pages(tmp_path_factory.mktemp("beside"), modules) as address:
        yield address


def use(base: str, scene: str, **job: Any) -> Any:
    """A scene of beside.mjs."""
    query = f"user=gm&away=ann&seed=3&generation={job.pop('generation', 13)}"
    return windows.use(base, f"beside {scene}", query, **{"width": 700} | job)


@pytest.mark.parametrize(
    ("generation", "deaf"), [(13, False), (14, False), (14, True)], ids=["text", "HTML", "the chat's own commands"]
)
def test_a_command_is_answered_by_the_module_that_has_the_game_and_windows_say_whose_they_are(
    base: str, generation: int, deaf: bool
) -> None:
    found = use(base, "commands", generation=generation, deaf=deaf)
    by = "command" if deaf else "hook"
    tavern, harbour = "Tavern games", "Harbour games"
    assert found["heard"] == {
        "/oddsmith": [by, [f"tavern-hall: {ALL}: Tables"]],
        "/oddsmith new": [by, [f"tavern-new: {tavern}: New table"]],
        "/oddsmith new piglet": [by, [f"harbour-new: {harbour}: New harbour table"]],
        "/oddsmith new pig": [by, [f"tavern-new: {tavern}: New table"]],
        "/oddsmith advice Piglet": [by, [f"harbour-advisor: {harbour}: Advisor"]],
        "/oddsmith new chess": ["invalid", []],
        "/oddsmith  purses ": [by, [f"tavern-purses: {ALL}: Purses"]],
        "/oddsmithy": ["invalid", []],
        "hello": ["posted", []],
        "hello <b>/oddsmith</b>": ["posted", []],
    }
    assert found["tools"] == [f"tavern: {ALL}"]
    assert sorted(each.split(":")[0] for each in found["menus"]) == ["open", "purses"], "of the first module alone"
    assert found["menu"] == [f"tavern-purses: {ALL}: Purses"]


def test_one_list_has_the_games_and_tables_of_both_modules(base: str) -> None:
    found = use(base, "all")
    assert found["turn"] in {ALL, f"{ALL}: it is your turn"}
    assert found["title"] == f"{ALL}: Tables"
    assert [row.split("\n")[0] for row in found["rows"]] == ["Pig", "Piglet"]
    assert sorted(found["quick"]) == ["quick craps", "quick marbles", "quick pig", "quick piglet"]
    assert found["again"] == [f"tavern-hall: {ALL}: Tables"]
    assert sorted(found["offered"]) == ["craps", "marbles", "pig", "piglet"]
    assert found["chosen"] == "craps"
    assert found["forms"] == ["harbour-new: Harbour games: New harbour table"]
    assert found["token"] == [f"Sit down ({ALL})"]


def test_what_a_module_draws_has_a_class_of_its_own(base: str) -> None:
    found = use(base, "classes")
    assert found["door"] == [None, "oddsmith-door oddsmith-harbour-door"]
    tables = [name for name in found["roots"] if "oddsmith-table" in name]
    assert sorted(name.split()[-1] for name in tables) == ["oddsmith-harbour-table", "oddsmith-tavern-table"]
    assert [name for name in found["roots"] if "oddsmith-card" in name] == ["oddsmith-card oddsmith-harbour-card"]


def test_the_end_card_says_who_took_the_pot_and_what_each_seat_got(base: str) -> None:
    found = use(base, "ends", themes=THEMES, width=340)
    assert "The pot of 10 chips goes to " in found["live"]
    assert "Keeper has won 5 chips." in found["live"] or "Keeper has lost 5 chips." in found["live"]
    assert f"{MARK}" in found["live"]
    assert " played for the house." in found["live"]
    assert {"Stake: 5 chips a seat", "Pot: 10 chips"} <= set(found["facts"])


def test_the_card_of_a_table_that_is_gone_says_what_went_back(base: str) -> None:
    (card,) = use(base, "broken")["cards"]  # nobody is invited any more
    assert [line for line in card.split("\n") if line] == [
        "Piglet",
        "The game was broken off; stakes went back.",
        "5 chips went back to Keeper.",
    ]


def test_focus_in_a_card_survives_its_being_drawn_anew(base: str) -> None:
    assert use(base, "focus")["found"] == ["true Join", "true Open the table", "true Open the table"]


def test_cards_and_journals_in_windows_of_their_own_go_on(base: str) -> None:
    found = use(base, "popped")
    assert "Free seat (not here yet)" in found["marked"]
    assert "Free seat (not here yet)" not in found["after"]
    assert found["advisor"][-1] == "harbour-advisor: Harbour games: Advisor"


def test_a_game_master_sets_a_purse_by_keyboard(base: str) -> None:
    found = use(base, "purses", themes=THEMES, width=340)
    assert found["labels"][0] == "Chips of Keeper"
    assert found["labels"][1].startswith("Chips of Ann <img")
    assert found["kept"] == "42"
    assert found["focus"] == "purse ann"
    assert not found["invalid"]
    assert "Keeper set the chips of Ann" in found["cards"][-1]
    assert found["cards"][-1].endswith("100 chips before, 42 chips now.")
    assert found["note"][0].startswith("New tables are played for coins")


def test_who_cannot_pay_reads_whose_purse_it_is_and_why(base: str) -> None:
    assert use(base, "lacking")["said"] == "warn: Keeper does not have enough to pay."


def test_nothing_is_said_of_numbers_that_are_not_shown(base: str) -> None:
    found = use(base, "untold")
    assert "Proven." in found["beside"]
    assert "Proven." not in found["without"]
    assert found["without"].startswith("Best: ")
    assert found["without"].endswith(
        "This is best play. What each action is worth is left out, because the game has too many positions."
    )


def test_a_table_and_a_form_say_once_that_a_size_has_no_odds(base: str) -> None:
    found = use(base, "unsolved")
    assert found["table"] == ["No advice and no odds at this size"]
    (said,) = found["form"]
    assert said.startswith("This setting was not solved, so it has no odds and no advice.")
