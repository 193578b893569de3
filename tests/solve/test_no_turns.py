"""Turns that look the same on every sheet, and are not: these games are solved position by position."""

from __future__ import annotations

import pytest

import oddsmith
from tests.staged import by_stages

RULES = """
format: 1
id: boxes
title: Boxes
summary: Roll, and write what it is worth into a box.
seats: SEATS
lists:
  boxes: [one, two]
  tiles: [red, blue, green]
state:
  kept: {type: hand, dice: 2d3, resets: turn}
  open: {type: flag, each: [seat, boxes], start: true}
  score: {max: 40, each: seat}
MORE
payoffs:
  points: score
  win: share(score)
turn: cup
phases:
  cup:
    roll: {kept: 2d3}
    outcomes:
      - {name: Roll, then: write}
  write:
    choose:
      - name: Write
        for: {box: boxes}
        when: open[box]
        do:
          - set open[box] to false
          - add (sum(kept) if box == one else max(kept)) to score
EFFECT
        then: THEN
  close:
    cases:
      - name: Full
        when: not any(open[s, b] for s in table for b in boxes)
        then: end
      - {name: Next, then: pass}
REST
"""
DRAWN = """
  tile:
    draw: {what: bag}
    outcomes:
      - {name: Red, when: what == red, do: [add 5 to score], then: close}
      - {name: Other, then: close}
"""


def boxes(seats: int, more: str = "", effect: str = "", then: str = "close", rest: str = "") -> oddsmith.LoadedRuleset:
    """The game, with something that its turns are not the same for."""
    words = {"SEATS": str(seats), "MORE": more, "EFFECT": effect, "THEN": then, "REST": rest}
    text = RULES
    for name, word in words.items():
        text = text.replace(name, word)
    return oddsmith.loads(text)


@pytest.mark.parametrize("seats", [1, 2])
@pytest.mark.parametrize(
    ("more", "effect", "then", "rest"),
    [
        # A tile that is drawn after the choice is no choice of the best tile.
        ("  bag: {each: tiles, start: 2, max: 2}", "", "tile", DRAWN),
        # What may end the game is looked at everywhere, so it is no part of a sheet.
        (
            "  trap: {type: flag, each: seat}",
            "          - set trap[next] to sum(kept) == 2",
            "close",
            "end_when: trap",
        ),
        # A game that ends within a turn pays what the sheet is worth.
        ("", "", "close", "end_when: sum(kept) == 2"),
    ],
    ids=["drawn after the choice", "ended by what is no sheet", "ended within the turn"],
)
def test_a_turn_that_is_not_the_same_is_not_taken_for_one(
    seats: int, more: str, effect: str, then: str, rest: str
) -> None:
    book, objective = boxes(seats, more, effect, then, rest), "points" if seats == 1 else "win"
    whole, staged = book.at(seats, objective).solve(), by_stages(book, seats, objective, digits=30)
    assert not staged.staged.stages_in_words.startswith("turns")
    assert staged.values == whole.values
    mine, theirs = staged.distribution("payoff"), whole.distribution("payoff")
    assert [each.chance for each in mine.outcomes] == [each.chance for each in theirs.outcomes]


def test_the_plain_game_has_turns_that_are_the_same() -> None:
    assert by_stages(boxes(1)).staged.stages_in_words.startswith("turns")
    assert by_stages(boxes(2), 2, "win").staged.stages_in_words.startswith("turns")
