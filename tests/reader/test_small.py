"""Small games of dice, draws and rests whose worth was counted by hand: the plain reader and the engine both find it."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from oddsmith.base.dice import roll_distribution
from oddsmith.base.location import Source
from oddsmith.ruleset import rules
from oddsmith.ruleset.binding import bind
from oddsmith.ruleset.game import Game
from oddsmith.ruleset.reading.build import read_ruleset
from oddsmith.solve.game_solver import solve
from tests.random.text import Data, as_yaml
from tests.reader.agree import differences
from tests.reader.play import Reader, worth

DICE = {"coin": {"faces": [0, 1]}, "loaded": {"faces": [0, 1], "weights": [1, 2]}, "token": {"faces": [0, 1]}}
BAG = {"bag": {"each": "colours", "max": 3, "start": {"red": 3, "blue": 3}}}
MORE = {"bag": {"each": "colours", "max": 3, "start": {"red": 2, "blue": 1}}}
CARDS = [102, 103, 104, 105, 202, 203, 204, 205, 302, 303, 304, 305]
"""Of three suits and four ranks: the suits lie a hundred apart."""
DECK = {"deck": {"each": "cards", "max": 1, "start": 1}}


def game(state: Data, payoff: str, phases: Data) -> Data:
    """A game for one seat."""
    return {
        "format": 1,
        "id": "small",
        "title": "Small",
        "summary": "A small game.",
        "seats": 1,
        "lists": {"colours": ["red", "blue"], "cards": CARDS},
        "dice": DICE,
        "state": state,
        "payoffs": {"pay": payoff},
        "turn": next(iter(phases)),
        "phases": phases,
    }


def again(dice: str, keep: str = "size(part) < size(kept)") -> Data:
    """Dice are rolled, and some of them once more."""
    throw = {"name": "Roll", "for": {"part": "subsets(kept)"}, "when": keep, "do": "set kept to part", "then": "last"}
    return game(
        {"kept": {"type": "hand", "dice": dice}},
        "sum(kept)",
        {
            "cup": {"roll": {"kept": "rest"}, "then": "keep"},
            "keep": {"choose": [{"name": "Enough", "then": "end"}, throw]},
            "last": {"roll": {"kept": "rest"}, "then": "end"},
        },
    )


def once(chance: Data, value: str, **state: Any) -> Data:
    """One phase of chance; a number is then read."""
    return game({"won": {"max": 20}, **state}, "won", {"only": {**chance, "do": f"set won to {value}", "then": "end"}})


GAMES: dict[str, tuple[Data, Fraction | int]] = {
    # A coin is worth 3/4 if a 0 may be rolled again, a d2 7/4.
    "rest of one term": (again("2 of coin"), Fraction(3, 2)),
    "rest of two terms": (again("coin + coin"), Fraction(3, 2)),
    "rest of two terms of d2": (again("d2 + d2"), Fraction(7, 2)),
    "rest of three terms, two of them alike": (again("d2 + coin + d2"), Fraction(17, 4)),
    "rest of many terms": (again("coin + 2 of d2 + coin + d2"), Fraction(27, 4)),
    "rest of loaded dice": (again("loaded + coin + loaded"), 2 * Fraction(8, 9) + Fraction(3, 4)),
    "rest of unlike dice with the same faces": (again("token + coin + token"), Fraction(9, 4)),
    "rest of exactly one die": (again("coin + coin", "size(part) == 1"), Fraction(11, 8)),
    "rest of no die": (again("coin + coin", "size(part) == 2"), 1),
    "rest of all dice": (again("d2 + d2", "size(part) == 0"), Fraction(13, 4)),
    # What is rolled.
    "several terms": (once({"roll": {"r": "d2 + coin + d2"}}, "sum(r)"), Fraction(7, 2)),
    "several terms show a pair": (once({"roll": {"r": "d2 + d3"}}, "1 if all_equal(r) else 0"), Fraction(1, 3)),
    "no dice": (once({"roll": {"r": "0 of d6"}}, "size(r)"), 0),
    "as many dice as one shows": (once({"roll": {"a": "d2", "b": "a of coin"}}, "size(b)"), Fraction(3, 2)),
    "a sum before of": (once({"roll": {"r": "coin + 1 + 1 of d2"}}, "size(r) + sum(r)"), Fraction(13, 2)),
    "a hand that holds all": (
        once({"roll": {"kept": "d2 + coin + d2"}}, "sum(kept)", kept={"type": "hand", "dice": "2 of d2 + coin"}),
        Fraction(7, 2),
    ),
    "the highest of two": (once({"roll": {"r": "d3 + d3"}}, "rank(r, 1)"), Fraction(22, 9)),
    "two alike": (once({"roll": {"a": "d4", "b": "d2"}}, "1 if a == b else 0"), Fraction(1, 4)),
    # What is drawn.
    "two draws": (once({"draw": {"a": "bag", "b": "bag"}}, "1 if a == b else 0", **BAG), Fraction(2, 5)),
    "three draws": (
        once({"draw": {"a": "bag", "b": "bag", "c": "bag"}}, "1 if a == b and b == c else 0", **BAG),
        Fraction(1, 10),
    ),
    "two draws, uneven": (once({"draw": {"a": "bag", "b": "bag"}}, "1 if a == b else 0", **MORE), Fraction(1, 3)),
    "a draw counts at once": (once({"draw": {"a": "bag"}}, "bag[red]", **MORE), Fraction(4, 3)),
    "draws that are kept": (
        once(
            {"draw": {"one": "bag", "two": "bag"}},
            "1 if one == two else 0",
            **BAG,
            one={"one_of": ["red", "blue"]},
            two={"one_of": ["red", "blue"]},
        ),
        Fraction(2, 5),
    ),
    "cards of one suit": (
        once({"draw": {"hand": "3 of deck"}}, "1 if all_equal(card // 100 for card in hand) else 0", **DECK),
        Fraction(3, 55),
    ),
    "cards in a row, of any suits": (
        once({"draw": {"hand": "3 of deck"}}, "1 if has_run((card % 100 for card in hand), 3) else 0", **DECK),
        Fraction(27, 110),
    ),
    "a roll after two draws": (
        once({"draw": {"a": "bag", "b": "bag"}, "roll": {"r": "(2 if a == b else 1) of d2"}}, "sum(r)", **BAG),
        Fraction(21, 10),
    ),
    "two draws after a roll": (
        once({"roll": {"r": "d2"}, "draw": {"a": "bag", "b": "bag"}}, "r if a == b else 0", **BAG),
        Fraction(3, 5),
    ),
}


def bound(data: Data) -> Game:
    """The game as the engine plays it."""
    return bind(read_ruleset(Source("small.yaml", as_yaml(data)))[0])


@pytest.mark.parametrize("name", GAMES)
def test_the_reader_counts_as_by_hand(name: str) -> None:
    data, counted = GAMES[name]
    assert worth(Reader(data), "pay") == counted


@pytest.mark.parametrize("name", GAMES)
def test_the_engine_counts_as_by_hand(name: str) -> None:
    data, counted = GAMES[name]
    assert differences(data, bound(data)) == []
    assert solve(bound(data), "pay").values[0].exact == counted


def test_a_wrong_law_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """One that every engine would share: only one of the terms of a roll is rolled."""
    monkeypatch.setattr(rules, "roll_distribution", lambda terms: roll_distribution(terms[:1]))
    data, _ = GAMES["several terms"]
    assert any("chance in" in sentence for sentence in differences(data, bound(data)))
