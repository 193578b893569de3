"""The windows and cards of a module, in a real browser: played by keyboard alone, readable, and deaf to hostile texts."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

import pytest

from tests.cases import TESTS, account_of
from tests.foundry.windows import THEMES, pages, use

pytestmark = pytest.mark.browser
GAMES = ("samples/pig.yaml", "publish/hostile.yaml", "samples/piglet.yaml", "samples/hot-purse.yaml")
MARK = "<img src=x onerror="


@pytest.fixture(scope="module")
def base(browser: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    games = [account_of(TESTS / path) for path in GAMES]
    with pages(tmp_path_factory.mktemp("foundry"), {"tavern": games}) as address:
        yield address


def test_a_table_is_made_and_played_to_its_end_by_keyboard(base: str) -> None:
    found = use(base, "keyboard", "user=gm&away=ann&seed=3", themes=THEMES, width=360)
    assert found["dialog"]["serious"] == []
    assert found["dialog"]["wide"] <= 0
    assert "% to win" in found["dialog"]["text"]
    assert found["turn"] in {"The game is over. Keeper wins.", "The game is over. Guest 2 wins."}
    assert found["focus"] == "Rematch"
    assert found["lines"] > 5
    assert found["notes"] == []
    assert found["cards"][0].startswith("Pig")
    assert found["turn"] in found["cards"][-1]


def test_a_game_written_in_german_is_german_at_a_german_table(
    browser: None, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Every word that people read is one of the ruleset's or of our German texts."""
    path = TESTS / "foundry" / "german.yaml"
    texts = json.loads((TESTS.parent / "site" / "foundry" / "lang" / "de.json").read_text("utf-8"))
    known = words_of(" ".join(texts.values()) + path.read_text("utf-8")) | {"keeper", "ann", "tavern", "games"}
    with pages(tmp_path_factory.mktemp("german"), {"tavern": [account_of(path)]}) as address:
        found = use(address, "everyWord", "user=gm&away=ann&seed=3&lang=de", game="schweinerei")
    for part in found["read"]:
        assert words_of(part) - known == set(), part
    assert "Sichern" in found["read"][2]


def words_of(text: str) -> set[str]:
    """Single letters are keys to press."""
    return {word.casefold() for word in re.findall(r"[^\W\d_]{2,}", text)}


def test_a_quick_game_is_played_to_its_end_with_one_finger(base: str) -> None:
    found = use(base, "touch", "user=gm&away=ann&seed=3", width=390, touched=True)
    assert found["turn"].startswith("The game is over. ")
    assert found["lines"] > 5


def test_advice_tells_what_actions_are_worth_and_how_sure_that_is(base: str) -> None:
    found = use(base, "middle", "user=gm&away=ann&seed=3", theme="dark")
    assert found["choices"] == ["Bank", "Throw again"]
    assert "Best: Throw again" in found["advice"]
    assert "percentage points" in found["advice"]
    assert "Proven." in found["advice"]
    assert found["dice"] > 0  # drawn in the card of the turn
    turns, blocks = found["blocks"]
    assert turns > 0
    assert blocks == 0
    assert "Best play" in found["tools"]
    assert "%" not in found["tools"]  # odds of a fresh game say nothing of this position


@pytest.mark.parametrize(("advice", "seen"), [("gm", False), ("nobody", False), ("owner", True), ("everyone", True)])
def test_a_player_joins_by_the_card_and_sees_advice_where_the_table_says_so(base: str, advice: str, seen: bool) -> None:
    found = use(base, "joins", "user=ann&seed=3", advice=advice)
    assert "sits at the table" in found["lobby"]
    assert found["choices"] == ["Bank", "Throw again"]
    assert found["turn"] == "Your turn: Decide."
    assert ("Advisor" in found["text"]) == seen
    assert "Game master" not in found["text"]
    assert found["forged"] == []


@pytest.mark.parametrize("more", ["", "&copied=1"])
def test_cards_live_for_who_logs_in_late_and_after_a_reload(base: str, more: str) -> None:
    found = use(base, "late", f"user=ann&seed=3{more}")
    assert found["invited"] == ["Join", "Open the table"]
    assert found["again"] == ["Open the table"]
    assert len(found["cards"]) == 2
    shown = use(base, "reloadsAtTheEnd", f"user=gm&away=ann&seed=3{more}")["shown"]
    assert set(shown) == {1}


def test_the_chat_stays_at_its_end_unless_somebody_reads_further_up(base: str) -> None:
    found = use(base, "atTheEnd", "user=gm&away=ann&seed=3")
    assert found["end"]["below"] <= 1
    assert found["end"]["hidden"] > 100
    assert found["read"]["below"] == found["read"]["hidden"]


def test_who_looks_on_can_read_and_nothing_else(base: str) -> None:
    found = use(base, "looksOn", "user=ann")
    assert found["buttons"] == ["Rules"]  # the odds are the game master's
    assert found["opened"][0].startswith("Compendium.tavern.rules.JournalEntry.")
    assert MARK in found["board"]


def test_without_a_game_master_one_can_practise_and_nothing_is_written(base: str) -> None:
    found = use(base, "practice", "user=ann", width=360)
    assert found["banner"].startswith("Waiting for the game master.")
    assert "without stakes" in found["running"]
    assert "wins." in found["turn"]
    assert found["lines"] > 0
    assert found["same"]
    assert "not here yet" in found["back"]


def test_the_game_master_hands_over_undoes_closes_and_saves(base: str) -> None:
    found = use(base, "tools", "user=gm&seed=3")
    assert "not here yet" in found["lobby"]
    assert found["after"] < found["before"]
    assert json.loads(found["saved"]["text"])["transcript"] == 1
    assert found["broken"].startswith("The game was broken off")
    assert len(found["asked"]) == 1
    assert found["notes"] == ["info: Pig: it is your turn."]  # at the rematch


@pytest.mark.parametrize("within", ["#tavern-hall", "[id^=tavern-table]"])
def test_a_table_by_other_rules_can_be_closed_in_its_window_and_in_the_list(base: str, within: str) -> None:
    found = use(base, "otherRules", "user=gm&away=ann&seed=3", within=within)
    assert found["listed"] == ["Open", "Close the table"]
    assert found["medal"] == "none"  # a table is no seat
    assert found["shown"][0].startswith("The rules of this table could not be opened.")
    assert found["shown"][1:] == ["Close the table", "Purses"]
    note = "The rules could not be opened, so this is what was written then."
    assert all(note in card for card in found["cards"])
    assert "Keeper rolls" in found["cards"][1].replace(note, "")
    assert sum(found["paid"]) == 0 < len(found["paid"])
    assert "No table is open." in found["list"]
    assert len(found["asked"]) == 2


def test_a_window_in_a_document_of_its_own_has_its_style_there(base: str) -> None:
    found = use(base, "detached", "user=gm&away=ann&seed=3")
    assert found["sheets"] == [1, 1]
    assert float(found["border"].removesuffix("px")) > 5


def test_no_choice_is_made_that_nobody_read(base: str) -> None:
    found = use(base, "hasty", "user=gm&away=ann&seed=3")
    assert [found[key] for key in ("early", "clicked", "held")] == [0, 0, 1]


def test_what_is_not_so_is_struck_through_on_the_board(base: str) -> None:
    name = "the dragon is full"
    assert use(base, "flags", "user=gm")["drawn"] == [[name, "yes", "none"], [name, "no", "line-through"]]


def test_selected_tokens_get_the_seats_and_the_game_master_plays_for_who_is_away(base: str) -> None:
    found = use(base, "making tokens", "user=gm&tokens=1&seed=3")
    assert found["dialog"] == ["Ann's token", "Innkeeper"]
    assert found["seats"] == [
        {"kind": "user", "user": "ann", "actor": "Actor.hero", "name": "Hero"},
        {"kind": "npc", "user": None, "actor": "Actor.innkeeper", "name": "Innkeeper"},
    ]
    assert found["own"] == []


@pytest.mark.parametrize("width", [480, 360])
def test_any_actor_sits_down_for_the_coin_of_the_table_as_well_as_a_skill_says(base: str, width: int) -> None:
    settings = {"currency": "path", "path": "system.currency.gp, system.currency.sp", "skill": "system.skill"}
    actors = [["Zora", 9], ["Bram", 3], ["Alrik", -1], ["Mute", None]]
    job = {"settings": settings, "actors": actors, "money": "path system.currency.sp", "house": "Actor.bram"}
    found = use(base, "making actors", "user=gm&away=ann&seed=3", **job, width=width, themes=THEMES)
    assert found["groups"] == ["Alrik", "Bram", "Mute", "Zora"]
    assert [[name, play.split(" (")[1]] for name, play, _ in found["strengths"]] == [
        ["Alrik", "a drunk)"],
        ["Bram", "a regular)"],
        ["Mute", "an expert)"],
        ["Zora", "an expert)"],
    ]
    assert [note.startswith("Skill ") for *_, note in found["strengths"]] == [True, True, False, True]
    assert "Stake of each seat, in sp" in found["stake"]
    assert [found["dialog"][key] for key in ("serious", "wide", "out")] == [[], 0, []]
    assert found["chips"]["path"] == "system.currency.sp"
    assert [(one["actor"], one["amount"], one["state"]) for one in found["chips"]["payments"]] == [
        ("Actor.zora", -5, "done"),
        ("Actor.bram", -5, "done"),
    ]
    assert [seat["name"] for seat in found["seats"]] == ["Zora", "Zora"]
    assert "Stake: 5 sp a seat" in found["facts"]
    assert "Bram pays for non-players and the house" in found["facts"]


def test_the_buttons_around_a_token_open_the_table_of_its_actor_or_a_new_one(base: str) -> None:
    found = use(base, "making token", "user=gm&tokens=1&away=ann")
    assert found["buttons"] == ["Sit down (Tavern games)"]
    assert [name[:12] for name in found["sitting"]] == ["tavern-table"]
    assert found["other"] == ["tavern-new"]


def test_an_actor_is_dragged_onto_a_seat(base: str) -> None:
    use(base, "making dragged", "user=gm")


def test_the_game_master_hears_of_payments_that_went_wrong(base: str) -> None:
    found = use(base, "unpaid", "user=gm&seed=3")
    assert [note.split(" of ")[0] for note in found["unpaid"]] == ["A payment", "A payment"]
    assert "was refused" in found["unpaid"][0]
    assert "may or may not" in found["unpaid"][1]


def test_cards_that_a_player_forges_are_not_drawn(base: str) -> None:
    assert use(base, "forged", "user=gm")["cards"] == [
        "Forged",
        "Forged",
        "The game is over. Gold: Ann 9, Keeper 1.\n\nPlayed",
    ]


def test_a_window_that_is_open_is_not_opened_again(base: str) -> None:
    assert sorted(use(base, "making twice", "user=gm")["windows"]) == ["tavern-advisor", "tavern-hall"]


def test_an_older_window_of_the_game_master_says_that_it_only_looks_on(base: str) -> None:
    found = use(base, "elsewhere", "user=gm&away=ann&seed=3")
    assert found["banner"].startswith("You have a newer window")
    assert found["choices"] == []
    assert not found["tools"]
    assert found["here"] == ["Bank", "Throw again"]


def test_a_player_sits_at_the_table_that_he_makes_and_names_nobody(base: str) -> None:
    found = use(base, "making guest", "user=ann")
    assert found["seats"][0].startswith("Ann ")
    assert found["names"] == 0


def test_a_size_that_nobody_solved_is_made_of_its_values_and_played(base: str) -> None:
    values = {"value target": 5, "value on_tails": 1, "value may_wait": True}
    job = {"game": "piglet", "variant": "bent", "values": values, "themes": THEMES, "width": 420}
    found = use(base, "making size", "user=gm&away=ann&seed=3", **job)
    assert found["controls"] == [
        "Game",
        "Setting",
        "Variant",
        "Bend (1 to 3)",
        "May wait",
        "On tails",
        "Target (2 to 9)",
    ]
    assert found["filled"] == ["3", False, "lose", "3"]
    dialog = found["dialog"]
    assert "This setting was not solved" in dialog["text"]
    assert "How many times as heavy heads are." in dialog["text"]
    assert "%" not in dialog["text"]
    assert [dialog[key] for key in ("serious", "wide", "advice", "variant")] == [[], 0, False, "Values of your own"]
    assert found["setting"] == "=2 bend=3 may_wait=true on_tails=keep target=5"
    assert found["advises"] == "nobody"
    assert "No advice and no odds" in found["facts"]
    assert not found["advice"]


def test_seats_follow_the_number_of_players_and_numbers_stay_within_the_rules(base: str) -> None:
    job = {"game": "pig", "variant": "shorter", "values": {"seats": 4, "value target": 400}}
    found = use(base, "making size", "user=gm&away=ann&seed=3", **job)
    assert found["filled"] == ["2", "6"]
    assert found["dialog"]["seats"] == 4
    assert found["dialog"]["typed"] == "100"
    assert found["setting"] == "=4 target=100"


def test_whoever_stakes_on_a_game_for_coins_stakes_these(base: str) -> None:
    found = use(base, "making goals", "user=gm&away=ann")
    assert "pays in" not in found["before"]
    assert "What a coin of the game is worth, in chips" in found["dialog"]
    assert "Each seat pays in 2 coins and leaves with those in its purse." in found["dialog"]
    assert "Stake: 10 chips a seat" in found["facts"]
    assert "These are 2 coins of the game, at 5 chips each" in found["facts"]
    assert "paid out" not in found["dialog"] + found["facts"]


def test_players_are_called_by_their_names_in_what_is_done_to_them(base: str) -> None:
    found = use(base, "names", "user=gm&away=ann&seed=3")
    assert found["choices"] == ["Rob: Keeper (seat 3)", "Rob: Keeper (seat 1)", "Shrug"]
    assert found["told"] == ["Keeper (seat 2): Rob: Keeper (seat 3)."]


def test_a_table_is_made_once_and_focus_stays(base: str) -> None:
    found = use(base, "making creating", "user=gm")
    assert (found["focus"], found["tables"]) == ("create", 1)


def test_what_was_changed_a_moment_ago_is_what_is_made(base: str) -> None:
    found = use(base, "making hasty", "user=gm")
    assert found["before"] is None
    assert found["settings"] == ["=2 target=40"]


@pytest.mark.parametrize(
    ("width", "window", "lang"),
    [(900, 480, "en"), (480, 480, "en"), (360, 360, "en"), (360, 360, "de"), (360, 360, "fr")],
)
def test_nothing_is_cut_in_the_form_of_a_new_table(base: str, width: int, window: int, lang: str) -> None:
    found = use(base, "making fits", f"user=gm&away=ann&lang={lang}", width=width, themes=THEMES)
    assert found["found"] == []
    assert found["width"] == window
    assert found["before"] != found["after"]


def test_whoever_comes_while_a_table_is_made_can_be_seated(base: str) -> None:
    found = use(base, "making guests", "user=gm")
    assert [name.split(" <")[0] for name in found["arrived"][0]] == ["Keeper", "Ann", "Whoever joins", "Non-player"]
    assert found["name"].endswith("Old Meg")
    assert found["before"][1] == found["arrived"][1] == found["selected"] == ["Keeper", "Non-player"]
    assert found["again"] == found["after"] == ["Pixie", "Non-player"]  # the other seat was touched


def test_a_window_that_is_opened_while_dice_roll_waits_for_them(base: str) -> None:
    found = use(base, "opensLate", "user=gm&seed=3")
    assert (found["during"], found["asks"]) == (0, 0)


def test_portraits_stand_beside_names(base: str) -> None:
    found = use(base, "portraits", "user=gm&tokens=1")
    assert found["lobby"] == [[1, "Hero"], [1, "Innkeeper"]]
    assert [count for count, _ in found["play"]] == [1, 1]
    assert all(width >= 44 for width in found["faces"])  # to be known from across the room


def test_every_way_in_opens_its_window(base: str) -> None:
    found = use(base, "making doors", "user=gm")
    hall, new, advisor = "tavern-hall", "tavern-new", "tavern-advisor"
    wanted = {"scene": hall, "chat": new, "key": hall, "menu": hall, "open": hall, "new": new, "advice pig": advisor}
    assert dict(found["found"]) == wanted | {"advise": advisor}
    assert found["foreign"] is None
    assert found["unbound"] == []


def test_open_about_a_game_opens_its_table_or_a_new_one_of_it(base: str) -> None:
    hall, table, new = (["tavern-hall", ""], ["tavern-table", ""], ["tavern-new", "hostile"])
    assert use(base, "making laid", "user=gm&away=ann")["found"] == [[new], [hall], [table], [new], [table], [hall]]


def test_the_advisor_answers_for_any_position_and_tells_a_tie_as_one(base: str) -> None:
    found = use(base, "making advisor", "user=gm")
    assert "Best: Throw again" in found["text"]
    assert found["tie"][0] == "Equally good: Bank, Throw again"


def test_the_advisor_says_what_alone_is_possible(base: str) -> None:
    assert use(base, "making onlyOne", "user=gm")["text"] == "Only Stop is possible."


def test_the_window_waits_for_dice_that_still_roll(base: str) -> None:
    assert use(base, "rolling", "user=gm&seed=3")["during"] == [0, 0]


def test_hostile_texts_stay_texts(base: str) -> None:
    found = use(base, "middle", "user=gm&away=ann&seed=3", game="hostile")
    assert "<b>Stop</b>" in found["choices"][0]
    assert found["title"].startswith("</title><script>")


def test_what_python_wrote_down_is_replayed_in_the_module(base: str) -> None:
    checked = use(base, "selfTest", "user=gm")["checked"]
    assert checked["faults"] == []
    assert checked["plays"] > 0
    assert checked["decisions"] > 0
