"""What is asked of a game after it was solved by stages is answered as for the same game solved whole."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

import pytest

import oddsmith
from oddsmith.library import SolvedGame
from oddsmith.library.large import StagedGame
from oddsmith.solve.stages import kept_by_stages, solve_by_stages
from oddsmith.solve.stages.along import counting, measures
from tests.solve.test_stages import Shelf, meet
from tests.solve.test_turns import SHEET

MEASURES = """
measures:
  Rolls: {count: [cup, Roll]}
  Second rolls: {count: [keep, Again]}
  Enough: {count: [keep, Enough]}
  Written: {count: [write, Write]}
  Last throws: {count: [cup, Last]}
  Passed on: {count: [close, Next]}
  Filled: {count: [close, Full]}
  Again in the first turn: {chance: [keep, Again], in: turn}
  Again by the last seat: {chance: [keep, Again], in: game, seat: SEATS}
  All three again: {chance: [keep, Again], in: game, given: [close, Full]}
  Never again in the first turn given enough: {chance: [keep, Again], in: turn, given: [keep, Enough]}
  Points of the first: {mean: score, at: end}
  A good sheet: {mean: 1 if score >= 9 else 0, at: end}
"""
GAMES: list[tuple[str, int, Mapping[str, Any]]] = [
    ("pig", 2, {"target": 12}),  # two seats, with cycles in every stage; a chance in the first turn
    ("royal-game-of-ur", 2, {"pieces": 1}),
    ("dragons-hoard", 1, {"rounds": 3}),  # means that tell more positions apart than the solution
    ("burglar-and-the-dragon", 3, {"tokens_each": 2}),  # seats that are out
    ("column-race", 2, {"shortest": 1}),
    ("sheet", 1, {}),  # a turn that is the same on every sheet
    ("sheet", 2, {}),
]


@cache
def both(name: str, seats: int, settings: tuple[tuple[str, Any], ...]) -> tuple[SolvedGame, StagedGame]:
    """A game solved whole and by stages."""
    book = asked_sheet(seats) if name == "sheet" else oddsmith.load(name)
    return book.solve(seats, **dict(settings)), book.by_stages(seats, digits=30, **dict(settings))


def asked_sheet(seats: int) -> oddsmith.LoadedRuleset:
    """The game of a sheet, with questions."""
    plain = {"more": "", "points": "score / 3", "again": "size(part) < 2", "then": "close", "after": ""}
    return oddsmith.loads(SHEET.format(**plain) + MEASURES.replace("SEATS", str(seats)))


each = pytest.mark.parametrize(("name", "seats", "settings"), GAMES)


@each
def test_measures_are_those_of_the_whole_game(name: str, seats: int, settings: Mapping[str, Any]) -> None:
    whole, staged = both(name, seats, tuple(settings.items()))
    assert staged.measures
    assert staged.measures.keys() | staged.unanswered.keys() == whole.measures.keys() | whole.unanswered.keys()
    for question, answer in staged.measures.items():
        assert meet(answer, whole.measures[question]), question
        assert answer.upper - answer.lower < 1e-25, question


def test_answers_are_kept_beside_the_stages(monkeypatch: pytest.MonkeyPatch) -> None:
    book, shelf = oddsmith.load("pig"), Shelf()
    first = measures(solve_by_stages(book.game(target=8), shelf=shelf))
    monkeypatch.setattr(counting, "measured", None)
    found = kept_by_stages(book.game(target=8), None, shelf)
    assert found is not None
    assert measures(found) == first


def test_what_stages_do_not_answer_says_so() -> None:
    _, staged = both("column-race", 2, (("shortest", 1),))
    assert staged.unanswered == {
        "Spread of the turns": "a game solved by stages does not tell how far a number spreads"
    }
