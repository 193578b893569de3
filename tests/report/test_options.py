"""Options with the values of their loop names are told as people say them, wherever they stand in a text."""

from __future__ import annotations

import pytest

import oddsmith
from oddsmith.report.english import OptionWords
from oddsmith.report.policy import Feature
from oddsmith.ruleset import Game


def game(name: str, seats: int | None = None) -> Game:
    return oddsmith.load(name).at(seats).game


@pytest.mark.parametrize(
    ("name", "action", "text"),
    [
        ("farkle", "Set aside (aside 1 1)", "Set aside: 1 1 for 200 points"),
        ("yahtzee", "Roll again (kept_dice 4 4 4)", "Roll again: keep 4 4 4, roll 2 dice"),
        (
            "hold-the-pot",
            "Throw again for nothing (keep no dice)",
            "Throw again for nothing: keep no dice, throw 3 dice again",
        ),
        ("shut-the-box", "Two tiles (a 1, b 8)", "Two tiles: 1 and 8"),
        ("liars-dice", "Claim (many 1, face 2)", "Claim: 1 die shows 2"),
        ("mia", "Announce (call 54)", "Announce: 54"),
        ("royal-game-of-ur", "Strike (f 4)", "Strike: from square 4, and send a piece back"),
    ],
)
def test_an_option_is_told_by_what_it_does_where_its_values_say_all_of_that(name: str, action: str, text: str) -> None:
    assert OptionWords(game(name))(action) == text


@pytest.mark.parametrize(
    ("name", "action", "text"),
    [
        ("column-race", "Climb (two 1 1)", "Climb: 1 1"),  # what its other dice do depends on the throw
        ("royal-game-of-ur", "Move (f 3)", "Move: 3"),
        ("yahtzee", "Box of a face (face 3)", "Box of a face: 3"),
        ("yahtzee", "Box of a combination (combination full_house)", "Box of a combination: full house"),
        ("farkle", "Stop", "Stop"),
        ("farkle", "Stop (for now)", "Stop (for now)"),
        ("farkle", "Set aside (for now)", "Set aside (for now)"),
    ],
)
def test_elsewhere_it_is_told_by_its_values_without_names_that_say_no_more(name: str, action: str, text: str) -> None:
    assert OptionWords(game(name))(action) == text


def test_players_are_told_as_seen_from_the_seat_to_move() -> None:
    one, two = "From one player (victim 2)", "One from each of two players (a 2, b 3)"
    for seats, other, others in (
        (3, "the next player", "the next player and the previous player"),
        (4, "the next player", "the next player and the player 2 seats on"),
    ):
        say = OptionWords(game("hold-the-pot", seats))
        assert say.worded_each((one, two)) == (f"From one player: {other}", f"One from each of two players: {others}")
    fixed = OptionWords(game("hold-the-pot", 4), lambda seat: f"player {seat + 1}")
    assert fixed(two) == "One from each of two players: player 2 and player 3"


def test_the_only_other_player_needs_no_name() -> None:
    assert OptionWords(game("hold-the-pot", 2))("From one player (victim 2)") == "From one player"


@pytest.mark.parametrize(
    ("name", "rule", "text"),
    [
        (
            "farkle",
            "always Set aside (the total of aside as high as possible)",
            "always Set aside: the total as high as possible",
        ),
        ("column-race", "Climb (the total of two as low as possible)", "Climb: the total as low as possible"),
        (
            "hold-the-pot",
            "Throw again for nothing (the total of keep as high as possible) when pot is 9 or more; else Stop",
            "Throw again for nothing: keep the total as high as possible when pot is 9 or more; else Stop",
        ),
        (
            "yahtzee",
            "Roll again (the total of kept dice as high as possible)",
            "Roll again: keep the total as high as possible",
        ),
        (
            "yahtzee",
            "Roll again (the number of 6s in kept dice as high as possible)",
            "Roll again: the number of 6s in kept dice as high as possible",
        ),
    ],
)
def test_a_rule_for_a_family_of_actions_is_told_alike(name: str, rule: str, text: str) -> None:
    assert OptionWords(game(name))(rule) == text


def test_every_option_of_a_sentence_is_told_and_the_rest_stays() -> None:
    mixed = "Claim (many 1, face 2) or Claim (many 2, face 1), by chance (in 3 of 4 cases)"
    told = "Claim: 1 die shows 2 or Claim: 2 dice show 1, by chance (in 3 of 4 cases)"
    assert OptionWords(game("liars-dice"))(mixed) == told


def test_options_of_one_name_are_told_by_the_phase_they_are_chosen_in() -> None:
    say = OptionWords(game("hold-the-pot-round"))
    named = [
        phase.name for phase in say.game.ruleset.phases.values() for each in phase.entries if each.name == "Keep the 2"
    ]
    assert named
    assert say("Keep the 2 (keep 2)", named[0]) == "Keep the 2: throw the other two"


@pytest.mark.parametrize(
    ("name", "value", "clause"),
    [
        ("leader", "you", "you are the leader"),
        ("leader", "the next player", "the leader is the next player"),
        ("the other player's target", "you", "the other player's target is you"),
        ("who holds the pot", "you", "who holds the pot is you"),
    ],
)
def test_a_player_that_a_variable_names_is_told_in_a_clause(name: str, value: str, clause: str) -> None:
    assert Feature("key", name, "seat").value_clause(value) == clause
