"""What the runtime says of settings, odds, moves and boards: in English, and all of it in a language that a host speaks."""

from __future__ import annotations

import json
import re
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from oddsmith.base.exact import Number
from oddsmith.publish.markup.numbers import readable_decimal_text
from oddsmith.publish.pages.playing import play_files
from oddsmith.report.answers.accounts import RulesetAnswers
from oddsmith.report.english.play_bundle import play_page_texts
from oddsmith.ruleset.bundle import bundle
from oddsmith.ruleset.model import Setting
from oddsmith.tabletops.foundry.language import RUNTIME, english_texts
from tests import node
from tests.cases import RULESETS, SAMPLES, account_of, ruleset

MINUS = "\N{MINUS SIGN}"
WORDS = Path(__file__).resolve().parents[2] / "site" / "runtime" / "words" / "words.mjs"


def said(**job: Any) -> Any:
    """What JavaScript says (words.mjs)."""
    (found,) = node.answers(Path(__file__).with_name("words.mjs"), job)
    return found


def test_python_reads_the_sentences_that_javascript_says() -> None:
    assert {f"{RUNTIME}{key}": text for key, text in said(job="english").items()} == english_texts(
        b"{}", WORDS.read_bytes()
    )


# --- settings


def book(name: str, *settings: tuple[int, dict[str, Any], dict[str, Any]]) -> dict[str, Any]:
    """A book with settings that were solved: seats, changed parameters and what else there is of them."""
    rules = ruleset(name)
    usual = {key: each.default for key, each in rules.parameters.items()}
    solved = [
        {
            "slug": f"s{place}",
            "seats": seats,
            "parameters": usual | values,
            "unit": "",
            "objective": "win",
            "share": True,
            "opponents": [],
            "policy": "p",
        }
        | more
        for place, (seats, values, more) in enumerate(settings)
    ]
    words = {key: part for key, part in play_page_texts(rules).items() if key in {"variants", "parameters", "opening"}}
    return {"bundle": bundle(rules), "words": words, "settings": solved}


def test_settings_are_called_by_players_house_rules_and_what_is_played_for() -> None:
    made = book(
        "rogues-gambit", (3, {}, {}), (4, {"full_belly": "first_roll"}, {}), (2, {"coins_each": 9}, {"aside": True})
    )
    found = said(job="settings", book=made, sizes=[], slugs=["s0", "s1", "s2"])
    assert [each[0] for each in found] == [
        "3 players",
        "4 players: first roll belly",
        "2 players: 9 coins each, for “win”",
    ]
    assert [each[1] for each in found] == [each[0] for each in found], "a game says the same as its book"
    about = ruleset("rogues-gambit").variants["first-roll-belly"].about
    assert [each[2] for each in found] == ["", about, ""]
    assert about


def test_sizes_that_nobody_solved_are_called_in_the_same_way() -> None:
    alone: tuple[int, dict[str, Any], dict[str, Any]] = (
        1,
        {},
        {"objective": "turns_taken", "share": False, "unit": "turns taken"},
    )
    made = book("shipped-pig", alone, (3, {"target": 10}, {"aside": True}))
    sizes = [(1, {"target": 50}), (1, {"sides": 8}), (2, {}), (3, {"target": 10}), (4, {"target": 50, "sides": 10})]
    found = said(job="settings", book=made, sizes=sizes, slugs=[])
    assert [each[0] for each in found] == [
        "One player: short game",
        "One player: 8 sides",
        "2 players: for “win”",
        "3 players: target 10 points, for “win”",
        "4 players: short game, 10 sides, for “win”",
    ]
    assert [each[3] for each in found] == ["turns_taken", "turns_taken", "win", "win", "win"], "nobody races alone"
    assert all(each[-1] == "Any legal action" for each in (found[0], found[2]))


@pytest.mark.parametrize(
    ("name", "changed", "words"),
    [
        ("farkle", {"target": 200}, "target 10,000 points"),
        ("shipped-farkle-turn", {"fixed_kinds": True, "dear_pairs": True}, "fixed kinds (yes), dear pairs (yes)"),
        ("royal-game-of-ur", {"pieces": 1}, "1 piece"),
        ("farkle", {}, "target 300 points"),
        ("chip-passing", {"chips_each": 1}, "1 chip each"),
        ("chip-passing", {"most_dice": 1}, "most dice 1"),
        ("burglar-and-the-dragon", {"twelve": "whole_board"}, "twelve (whole board)"),
    ],
)
def test_pages_and_tables_say_a_setting_alike(name: str, changed: dict[str, Any], words: str) -> None:
    """Settings in words, with what numbers count, in Python and in JavaScript."""
    rules = ruleset(name)
    seats = rules.seats[0]
    values = {key: changed[key] for key in rules.parameters if key in changed}
    assert ", ".join(rules.differences_in_words(Setting(seats, "win", values=values))) == words
    (found,) = said(job="settings", book=book(name, (seats, changed, {})), sizes=[], slugs=["s0"])
    assert found[0].partition(": ")[2] == words


def test_forms_say_what_numbers_count() -> None:
    assert said(job="ranges", book=book("farkle")) == [
        ["target (100 to 10,000 points)", "300 points"],
        ["floor (50 to 1,000 points)", "50 points"],
        ["all_six", "yes"],
    ]
    assert said(job="ranges", book=book("royal-game-of-ur")) == [["pieces (1 to 7 pieces)", "2 pieces"]]


def test_the_variant_that_changes_most_is_named() -> None:
    made = book("burglar-and-the-dragon", (3, {}, {}))
    sizes = [
        (3, {"four": "nothing", "twelve": "whole_board"}),
        (3, {"ante": 1, "four": "nothing", "twelve": "whole_board"}),
        (3, {"four": "nothing"}),
    ]
    found = said(job="settings", book=made, sizes=sizes, slugs=[])
    assert [each[0] for each in found] == [
        "3 players: gluckshaus",
        "3 players: dragon and the thief",
        "3 players: four (nothing)",
    ]


def test_a_variant_that_says_how_many_play_is_one_for_so_many() -> None:
    made = book("pig", (2, {"target": 6}, {}))
    made["bundle"]["variants"] = {"duel": {"target": 6, "seats": 2}}
    found = said(job="settings", book=made, sizes=[(3, {"target": 6})], slugs=["s0"])
    assert [each[0] for each in found] == ["3 players: target 6", "2 players: duel"]


def test_a_game_that_is_published_in_two_ways_is_listed_once() -> None:
    found = json.loads(play_files(account_of(SAMPLES / "pig.yaml"))["play.json"])["settings"]
    games = [(each["seats"], each["objective"], each["parameters"]["target"]) for each in found]
    assert len(games) == len(set(games)) == 3


# --- odds


OPPONENTS: list[dict[str, Any]] = [
    {"kind": "best", "policy": None, "best": None},
    {"kind": "along", "policy": None, "best": None},
    {"kind": "mixture", "policy": None, "best": [3, 4]},
    {"kind": "named", "policy": "hold_at_twenty", "best": None},
    {"kind": "random", "policy": None, "best": None},
]


def odds(setting: dict[str, Any], *given: dict[str, str], **more: Any) -> list[str]:
    opponents = [each | {"odds": [one]} for each, one in zip(OPPONENTS, given, strict=False)]
    return list(said(job="opponents", setting={"share": False, "chance": False} | setting, opponents=opponents, **more))


def test_odds_are_told_by_what_they_are() -> None:
    exact = {"amount": "57.48", "grade": "exact"}
    assert odds({"share": True, "unit": ""}, exact) == ["Best play: 57.48\u00a0% to win, exact"]
    near = {"amount": "0.01", "grade": "proven", "side": "under"}
    assert odds({"chance": True, "unit": "alive"}, exact, near) == [
        "Best play: 57.48\u00a0% alive, exact",
        "Plays along: under 0.01\u00a0% alive, proven",
    ]
    small = {"amount": "-0.014", "grade": "exact"}
    assert odds({"unit": "stakes won"}, small) == [f"Best play: {MINUS}0.014 stakes won on average, exact"]
    assert odds({"unit": "stakes won"}, small, begun=True) == ["Best play"], "the position knows nothing of them"


def test_who_plays_for_coins_has_a_share_of_the_pot() -> None:
    opponent = OPPONENTS[0] | {
        "odds": [{"amount": "29.36", "grade": "exact"}],
        "pot": [{"amount": "27.10", "grade": "proven"}],
    }
    setting = {"share": False, "chance": False, "unit": "coins"}
    found = said(job="opponents", setting=setting, opponents=[opponent])
    assert found == ["Best play: 29.36 coins on average, exact; 27.10\u00a0% of the pot, proven"]


def test_opponents_are_named_by_how_they_play() -> None:
    found = said(job="opponents", setting={}, opponents=[each | {"odds": []} for each in OPPONENTS])
    assert found == [
        "Best play",
        "Plays along",
        "Best play, 3 of 4 times",
        "Hold at twenty",
        "Any legal action",
    ]


def test_the_words_of_a_phase_keep_their_own_end() -> None:
    found = said(job="turns", phases=["roll the dice", "Stop or throw again?", "Decide."])
    assert found == ["Your turn: roll the dice.", "Your turn: Stop or throw again?", "Your turn: Decide."]


def test_differences_of_chances_are_points() -> None:
    kinds = [
        {"share": True, "chance": False, "unit": ""},
        {"share": False, "chance": True, "unit": "alive"},
        {"share": False, "chance": False, "unit": "coins"},
    ]
    assert said(job="amounts", settings=kinds, units=-1234) == [
        [f"{MINUS}1.234\u00a0%", f"{MINUS}1.234 percentage points"],
        [f"{MINUS}1.234\u00a0% alive", f"{MINUS}1.234 percentage points"],
        [f"{MINUS}0.01234 coins", f"{MINUS}0.01234 coins"],
    ]


@pytest.fixture(scope="module")
def bet() -> RulesetAnswers:
    return account_of(RULESETS / "craps.yaml")


def test_a_book_holds_odds_as_data(bet: RulesetAnswers) -> None:
    found = json.loads(play_files(bet)["play.json"])["settings"]
    by_objective = {each["objective"]: each for each in found if "-bar-" not in each["slug"]}
    chances = {name for name, each in by_objective.items() if each["chance"]}
    assert chances == {"rounds_won"}
    assert by_objective["rounds_won"]["opponents"][0] == {
        "kind": "along",
        "policy": None,
        "best": None,
        "odds": [{"amount": "49.29", "grade": "exact"}],
    }
    assert by_objective["stakes_won"]["opponents"][0]["odds"] == [{"amount": "-0.014", "grade": "exact"}]
    assert [
        answer.setting.objective for answer in bet.answers if answer.unit.chance and not answer.values_are_shares
    ] == ["rounds_won"]


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (Fraction(-7, 495), "-0.014"),
        (Fraction(1, 20), "0.05"),
        (Fraction(1, 10), "0.1"),
        (Fraction(0), "0"),
        (Fraction(29363, 1000), "29.36"),
        (Fraction(1, 10**9), "0.000000001"),
    ],
)
def test_small_means_keep_two_digits(value: Fraction, text: str) -> None:
    assert readable_decimal_text(Number.of(value)) == text


# --- moves


def story(name: str, seats: int, **more: Any) -> list[str]:
    rules = ruleset(name)
    common = {"bundle": bundle(rules), "seats": seats, "parameters": {}, "reader": None, "seed": 7}
    return list(said(job="story", **common | more))


def test_the_reader_is_told_you_whatever_others_are_called() -> None:
    found = story("shipped-pig", 2, names=["Ann", "You"], reader=0)
    assert any(line.startswith("You roll ") for line in found)
    assert any(line.startswith("You rolls ") for line in found), "somebody who is called so is not the reader"
    assert not any(line.startswith("Ann") for line in found)
    draws = story("marbles", 2, names=["Ann", "Bob"], reader=0)
    assert any(line.startswith("You draw ") for line in draws)
    assert any(line.startswith("Bob draws ") for line in draws)


def test_actions_name_the_seats_by_their_names() -> None:
    plain = [line for seed in range(9) for line in story("hot-purse", 3, seed=seed)]
    named = [line for seed in range(9) for line in story("hot-purse", 3, seed=seed, names=["Ann", "Bob", "Cy"])]
    assert any(line.endswith("Rob: player 2.") for line in plain)
    assert any(line.endswith("Rob: Bob.") for line in named)
    assert not any("player" in line for line in named)


def test_a_host_says_everything_in_its_own_language() -> None:
    for line in story("shipped-pig", 2, foreign=True, reader=0):
        assert re.fullmatch(r"<(youChose|youRolled|youRolledThen|chose|rolled|rolledThen)\|.*>", line)
    assert said(job="seats", seats=4, foreign=True) == ["<you>", "<next>", "<later|2>", "<previous>"]
    assert said(job="opponents", setting={}, foreign=True, opponents=[each | {"odds": []} for each in OPPONENTS]) == [
        "<playsBest>",
        "<playsAlong>",
        "<playsSteadily|3|4>",
        "Hold at twenty",
        "<playsAnything>",
    ]
    made = book("shipped-pig", (3, {"target": 10}, {"aside": True}))
    (found,) = said(job="settings", book=made, sizes=[], slugs=["s0"], foreign=True)
    assert found[0] == "<rules|<players|3>|target 10 points, <for|win>>"
    exact = {"amount": "1.5", "grade": "exact"}
    assert odds({"share": True, "unit": ""}, exact, foreign=True) == [
        "<playsFor|<playsBest>|<toWin|<percent|1<point>5>|<exact>>>"
    ]


# --- the end


def ended(name: str, objective: str, cells: tuple[str, list[int]], without: str = "", **more: Any) -> str:
    names = ["Ann", "Bob", "Cy"][: len(cells[1])]
    setting = {"objective": objective, "share": False, "chance": False, "unit": ""} | more
    rules = bundle(ruleset(name))
    rules["payoffs"] = [
        payoff for payoff in rules["payoffs"] if payoff[0] == objective or payoff[0] not in without.split()
    ]
    return str(said(job="ending", bundle=rules, seats=len(names), setting=setting, cells=cells, names=names))


def test_the_end_says_who_won_and_what_everybody_got() -> None:
    purse = ("purse", [3, 5, 1])
    assert ended("rogues-gambit", "coins", purse) == "The game is over. Bob wins. Coins: Ann 3, Bob 5, Cy 1."
    assert ended("rogues-gambit", "win", purse, share=True) == "The game is over. Bob wins."
    even = ended("rogues-gambit", "coins", ("purse", [5, 5, 1]))
    assert even == "The game is over. Ann, Bob share the win. Coins: Ann 5, Bob 5, Cy 1."


def test_the_end_says_who_won_where_the_rules_share_no_win() -> None:
    most = ended("hold-the-pot-round", "coins", ("coins", [-2, 4]))
    assert most == "The game is over. Bob wins. Coins: Ann -2, Bob 4."
    fewest = ended("pig", "haste", ("visits", [9, 7]), without="win points")
    assert fewest == "The game is over. Bob wins. Haste: Ann 9, Bob 7."
    assert ended("pig", "haste", ("visits", [9])) == "The game is over. Haste: Ann 9.", "alone"
    each = ended("pig", "points", ("score", [1, 0]), without="win", chance=True)
    assert each == "The game is over. Points: Ann yes, Bob no."


@pytest.mark.parametrize(
    ("what", "end"),
    [("Stop?", "Stop?"), ("Go!", "Go!"), ("And so on...", "And so on..."), ("Go.", "Go."), ("Go", "Go.")],
)
def test_no_two_end_marks_stand_together(what: str, end: str) -> None:
    """Options, entries and phases of a ruleset may be called as people cry out, and may have an end of their own."""
    keys = ["chose", "youChose", "yourTurn", "youRolledThen", "result"]
    for each in said(job="ended", keys=keys, what=what):
        assert each.endswith(f" {end}")


# --- boards


def test_what_the_words_of_a_board_mean_is_there_to_read_and_stays_open() -> None:
    rules = ruleset("shipped-pig")
    words = {"phases": {}, "variables": {name: {"label": name, "about": f"What {name} is."} for name in rules.state}}
    found = said(job="board", bundle=bundle(rules), seats=2, parameters={}, words=words, names=["Ann", "Bob"])
    assert found["summary"] == 1
    assert found["open"] == [True]
    assert all(f"What {name} is." in found["told"] for name in rules.state)
    assert "Ann \N{EN DASH} to move" in found["text"]


def test_what_only_the_rules_need_is_on_no_board() -> None:
    rules = ruleset("shipped-pig")
    words = {name: {"label": f"the {name}", "about": f"What {name} is."} for name in rules.state}
    words["pot"]["show"] = "hidden"
    shown = {"phases": {}, "variables": words}
    found = said(job="board", bundle=bundle(rules), seats=2, parameters={}, words=shown, names=["Ann", "Bob"])
    assert "the score" in found["text"]
    assert "the pot" not in found["text"]
    assert "What pot is." not in found["told"]


def test_a_number_stands_with_what_it_counts_on_a_board_and_in_a_form() -> None:
    rules = ruleset("shipped-pig")
    units: dict[str, Any] = {name: {"label": f"the {name}", "about": "It is."} for name in rules.state}
    units["score"]["unit"], units["pot"]["unit"] = ["point", "points"], ["hp", "hp"]
    shown = {"phases": {}, "variables": units}
    found = said(job="board", bundle=bundle(rules), seats=2, parameters={}, words=shown, names=["Ann", "Bob"])
    assert "the score 0 points" in found["text"]
    assert "the pot 0 hp" in found["text"]
    labels = said(job="fields", bundle=bundle(rules), seats=2, parameters={}, words=shown, names=["score", "pot"])
    assert labels == [
        "Your the score (points)",
        "The other player\N{RIGHT SINGLE QUOTATION MARK}s the score (points)",
        "The pot (hp)",
    ]


def test_one_of_several_stands_after_what_they_are_in_a_form() -> None:
    """*Bag bare* was no question that anybody understood."""
    rules = ruleset("shipped-dragons-hoard")
    words: dict[str, Any] = {"phases": {}, "variables": {"bag": {"label": "left in the bag", "about": "It is."}}}
    labels = said(job="fields", bundle=bundle(rules), seats=1, parameters={}, words=words, names=["bag"])
    assert labels[:2] == ["Left in the bag: hallway", "Left in the bag: chasm"]


def test_a_name_of_the_rules_stands_in_a_form_with_what_it_means() -> None:
    rules = ruleset("shipped-ship-captain-crew")
    words: dict[str, Any] = {"phases": {}, "variables": {"cargo": {"label": "cargo", "about": "It is."}}}
    job: dict[str, Any] = {
        "job": "filled",
        "bundle": bundle(rules),
        "seats": 2,
        "parameters": {},
        "given": {},
        "typed": [],
    }
    found = said(**job, words=words, names=["cargo"])
    assert found["about"] == ["It is.", ""], "what there are several of is told about once"
    words["variables"]["cargo"]["label"] = "cargo brought home"
    assert said(**job, words=words, names=["cargo"])["about"] == ["", ""], "a label says it"


@pytest.mark.parametrize(
    ("typed", "read"),
    [("3 3 5 5 6", "33556"), ("33556", "33556"), ("3,3,5", "335"), ("337", None), ("3 35", None), ("333333", None)],
)
def test_dice_are_read_with_spaces_or_as_digits_alone(typed: str, read: str | None) -> None:
    job: dict[str, Any] = {"job": "filled", "bundle": bundle(ruleset("shipped-yahtzee")), "seats": 1, "parameters": {}}
    found = said(**job, words={"phases": {}, "variables": {}}, names=["kept"], given={}, typed=[typed])["read"]
    assert ["".join(str(face) for face, _ in hand["dice"]) if hand else None for hand in found] == [read]


def test_house_rules_lead_to_the_game_that_was_solved_or_to_one_without_advice() -> None:
    best = {"kind": "best", "policy": None, "best": None, "odds": [{"amount": "12.5", "grade": "exact"}]}
    points = {"objective": "points", "share": False, "unit": "points", "opponents": [best]}
    rules = book("shipped-farkle-turn", (1, {}, points), (1, {"two_triplets": True}, points), (1, {"limit": 4}, points))
    rules["words"]["parameters"] = {"two_triplets": {"about": "Three of a kind twice."}}
    ticked = said(job="house", book=rules, slug="s0", changes=[[0, {"checked": True}]])
    assert ticked["labels"] == [["Two triplets", "Three of a kind twice."]], (
        "no other flag differs, nor is a number a rule"
    )
    assert ticked["chosen"] == ["s1"]
    assert ticked["note"] == ["Best play: 12.5 points on average, exact"]
    assert said(job="house", book=rules, slug="s1", changes=[[0, {"checked": False}]])["chosen"] == ["s0"]
    other = said(job="house", book=rules, slug="s2", changes=[[0, {"checked": True}]])
    assert other["chosen"] == ["=1 limit=4 two_triplets=true"], "which nobody solved"
    rules["settings"][1]["parameters"] |= {"dear_pairs": True}
    plain = said(job="house", book=rules, slug="=1 all_six=false", changes=[[1, {"checked": True}]])
    assert plain["chosen"] == []
    assert plain["note"] == ["Three pairs count 1500 only where they count at all."]
    assert said(job="house", book=book("shipped-pig", (2, {}, {})), slug="s0", changes=[])["labels"] == []


def test_house_rules_of_dice_that_do_everything_say_what_they_bring_or_that_this_is_not_known() -> None:
    along = {"kind": "along", "policy": None, "best": None, "odds": [{"amount": "50.95", "grade": "proven"}]}
    win = {"share": True, "unit": "", "opponents": [along]}
    rules = book("shipped-craps", (1, {}, win), (1, {"barred": 2}, win | {"opponents": []}))
    assert said(job="house", book=rules, slug="s0", changes=[])["note"] == ["50.95\N{NO-BREAK SPACE}% to win, proven"]
    lacks = said(job="house", book=rules, slug="s1", changes=[])["note"]
    assert lacks == ["This setting was not solved, so it has no odds."], (
        "nobody would be advised, and nobody plays best"
    )


def test_a_board_and_a_form_have_the_numbers_in_which_people_count() -> None:
    rules = ruleset("shipped-pig")
    units: dict[str, Any] = {name: {"label": f"the {name}", "about": "It is."} for name in rules.state}
    units["score"] |= {"unit": ["point", "points"], "times": 50}
    shown: dict[str, Any] = {
        "bundle": bundle(rules),
        "seats": 2,
        "parameters": {},
        "words": {"phases": {}, "variables": units},
    }
    found = said(job="board", **shown, names=["Ann", "Bob"], cells={"score": [3, 0]})
    assert "the score 150 points" in found["text"]
    given = {"score": "3", "score[2]": "0", "pot": "7"}
    filled = said(job="filled", **shown, names=["score", "pot"], given=given, typed=["250", "275", "8"])
    assert filled["shown"] == [[0, 950, 50, "150"], [0, 950, 50, "0"], [0, 19, 1, "7"]]
    assert filled["now"] == {"score": "5", "score[2]": "5.5", "pot": "8"}
    assert filled["read"] == [5, None, 8], "275 is no multiple of 50"


@pytest.mark.parametrize(("none", "told"), [(-1, "the best none"), (0, "the best \u22121"), (None, "the best \u22121")])
def test_a_number_that_stands_for_none_is_told_as_such(none: int | None, told: str) -> None:
    rules = ruleset("hold-the-pot-round")
    words = {name: {"label": f"the {name}", "about": "It is.", "none": none} for name in rules.state}
    shown, usual = {"phases": {}, "variables": words}, {key: each.default for key, each in rules.parameters.items()}
    found = said(job="board", bundle=bundle(rules), seats=2, parameters=usual, words=shown, names=["Ann", "Bob"])
    assert told in found["text"]


@pytest.mark.parametrize("how", ["pile", "track"])
def test_what_is_drawn_is_read_aloud_as_its_number(how: str) -> None:
    rules = ruleset("shipped-pig")
    words = {name: {"label": f"the {name}", "about": "It is.", "show": how} for name in rules.state}
    shown = {"phases": {}, "variables": words}
    found = said(job="board", bundle=bundle(rules), seats=2, parameters={}, words=shown, names=["Ann", "Bob"])
    assert "the score 0" in found["text"]


def test_pieces_lie_where_the_ruleset_says_that_squares_are() -> None:
    rules = ruleset("shipped-royal-game-of-ur")
    on = {"Ann": {1, 10}, "Bob": {1, 14}}
    cells = [int(square in on[name]) for name in on for square in range(1, 15)]
    job: dict[str, Any] = {"bundle": bundle(rules), "seats": 2, "parameters": {"pieces": 3}, "cells": {"on": cells}}
    found = said(job="pieces", words=play_page_texts(rules), **job)
    assert found["squares"] == 20
    # The rows from the top: 4 3 2 1 14 13 of the second seat, 5 to 12 of both, 4 3 2 1 14 13 of the first.
    assert sorted(found["pieces"]) == [["A", 11], ["A", 17], ["B", 3], ["B", 4]]
    assert "Ann: 1: 1, 2: 0" in found["text"]


def test_columns_are_as_long_as_the_ruleset_says() -> None:
    rules = ruleset("shipped-column-race")
    words = play_page_texts(rules)
    cells = {"step": [1, 0, 0, 0, 2, 0], "climb": [0, 1, 0]}
    usual = {key: each.default for key, each in rules.parameters.items()}
    job: dict[str, Any] = {"bundle": bundle(rules), "seats": 2, "parameters": usual, "cells": cells}
    found = said(job="pieces", words=words, **job)
    assert found["holes"] == 3 + 5 + 3
    assert [letter for letter, _ in found["pieces"]] == ["A", "B"]
    assert "climb in column: 2: 0, 3: 1, 4: 0" in found["text"]


def test_coins_go_from_the_piles_that_lost_them_to_those_that_got_them() -> None:
    old = [["pot", 5], ["purse 0", 3], ["purse 1", 0]]
    assert said(job="flows", old=old, now=old) == []
    paid = [["pot", 0], ["purse 0", 6], ["purse 1", 2]]
    assert said(job="flows", old=old, now=paid) == [["pot", "purse 0", 3], ["pot", "purse 1", 2]]
    assert said(job="flows", old=old, now=[["pot", 9], ["purse 0", 3]]) == [], "coins from nowhere do not fly"
    assert said(job="flows", old=[], now=old) == [], "a pile that is new was not empty before"


def test_sounds_are_heard_by_nobody_who_did_not_ask_for_them() -> None:
    assert said(job="sounds") == [False, True]


def test_a_solved_game_of_secrets_is_not_called_unsolved() -> None:
    elsewhere, unsolved = said(
        job="lacking", bundle=bundle(ruleset("cups-and-coins")), settings=[{"plan": "a.plan.gz"}, {}]
    )
    assert elsewhere.startswith("With secrets, everybody plays a seat of their own. The advice is on")
    assert unsolved.startswith("This setting was not solved")
