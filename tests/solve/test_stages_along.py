"""What is asked of a game after it was solved by stages is answered as for the same game solved whole."""

from __future__ import annotations

import csv
import re
from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import oddsmith
from oddsmith.api import positions
from oddsmith.api import staged as large
from oddsmith.api.positions import PositionFilter
from oddsmith.api.solved import SolvedGame
from oddsmith.api.staged import StagedGame
from oddsmith.base.arrays import Ints, Mask
from oddsmith.base.errors import DistributionError, PositionError, StagesNotStoredError
from oddsmith.base.exact import Number
from oddsmith.graph.columns.codec import Codec
from oddsmith.report.policy.outline import outline_of_solution
from oddsmith.solve.staged import distribution as spreading
from oddsmith.solve.staged import measure as counting
from oddsmith.solve.staged.measure import answer_ruleset_questions
from oddsmith.solve.staged.staged import load_by_stages, solve_by_stages
from tests.cases import SAMPLES
from tests.solve.test_stages import MemoryStore, meet
from tests.solve.test_turns import SHEET
from tests.staged import by_stages

MEASURES = """
measures:
  Rolls: {count: [cup, Roll]}
  Second rolls: {count: [keep, Again]}
  Second rolls of full sheets: {count: [keep, Again], given: [close, Full]}
  Spread of the rolls: {spread: rolls}
  Spread of the points: {spread: payoff, given: [close, Full]}
  Enough: {count: [keep, Enough]}
  Early rolls: {count: [cup, Roll], when: score == 0}
  Small parts: {count: [keep, Again], when: "size(part) == 0 and score < 4"}
  Late sixes in the game: {chance: [cup, Roll], in: game, when: "sum(kept) == 6 and score > 3", given: [keep, Enough]}
  Early rolls of full sheets: {count: [cup, Roll], when: score == 0, given: [close, Full]}
  Written: {count: [write, Write]}
  Last throws: {count: [cup, Last]}
  Passed on: {count: [close, Next]}
  Filled: {count: [close, Full]}
  Again in the first turn: {chance: [keep, Again], in: turn}
  Again by the last seat: {chance: [keep, Again], in: game, seat: SEATS}
  All three again: {chance: [keep, Again], in: game, given: [close, Full]}
  Never again in the first turn given enough: {chance: [keep, Again], in: turn, given: [keep, Enough]}
  Points of the first: {mean: score, at: end}
  Points where it is full: {mean: score, at: end, given: [close, Full]}
  A good sheet: {mean: 1 if score >= 9 else 0, at: end}
  Good sheets for each point: {mean: 1 if score >= 9 else 0, at: end, per: score}
  Points for nothing: {mean: score, at: end, per: 0}
"""
MIXED = """
  Robbed of more than one: {count: [rob or shrug, Rob], when: "purse[victim] > 1"}
  Jackpots of games with a shrug: {count: [throw, Jackpot], given: [rob or shrug, Shrug]}
  Robbed in the first turn: {chance: [rob or shrug, Rob], in: turn}
  Shrugs of the last: {chance: [rob or shrug, Shrug], in: game, seat: 3}
  Shrugs where there is a jackpot: {chance: [rob or shrug, Shrug], in: game, given: [throw, Jackpot]}
  Coins of the first: {mean: purse, at: end}
  Rolls: {spread: rolls}
"""
GAMES: list[tuple[str, int, Mapping[str, Any]]] = [
    ("pig", 2, {"target": 12}),  # two seats, with cycles in every stage; a chance in the first turn
    ("royal-game-of-ur", 2, {"pieces": 1}),
    # Means that tell more positions apart than the solution.
    ("dragons-hoard", 1, {"rounds": 3, "life_points": 1, "colours": 4}),
    ("burglar-and-the-dragon", 3, {"tokens_each": 2}),  # seats that are out
    ("column-race", 2, {"shortest": 1}),
    ("hot-purse", 3, {"coins_each": 2}),  # best play mixes actions
    ("sheet", 1, {}),  # a turn that is the same on every sheet
    ("sheet", 2, {}),
]


AT_LENGTH = ("pig", "sheet")  # games of which all kinds of distributions are asked


@cache
def both(name: str, seats: int, settings: tuple[tuple[str, Any], ...]) -> tuple[SolvedGame, StagedGame]:
    """A game solved whole and by stages."""
    book = book_of(name, seats)
    return book.at(seats, **dict(settings)).solve(alike=True), by_stages(book, seats, digits=30, **dict(settings))


def book_of(name: str, seats: int) -> oddsmith.LoadedRuleset:
    """The rules of one of the games."""
    if name == "hot-purse":
        return oddsmith.loads((SAMPLES / f"{name}.yaml").read_text() + MIXED)
    return asked_sheet(seats) if name == "sheet" else oddsmith.load(name)


def asked_sheet(seats: int) -> oddsmith.LoadedRuleset:
    """The game of a sheet, with questions."""
    plain = {"more": "", "points": "score / 3", "again": "size(part) < 2", "then": "close", "after": ""}
    dice = "2d4" if seats == 1 else "2d2"  # two have many sheets
    return oddsmith.loads(SHEET.format(**plain).replace("2d4", dice) + MEASURES.replace("SEATS", str(seats)))


each = pytest.mark.parametrize(("name", "seats", "settings"), GAMES)


@each
def test_measures_are_those_of_the_whole_game(name: str, seats: int, settings: Mapping[str, Any]) -> None:
    whole, staged = both(name, seats, tuple(settings.items()))
    assert staged.measures
    assert staged.measures.keys() | staged.unanswered.keys() == whole.measures.keys() | whole.unanswered.keys()
    for question, answer in staged.measures.items():
        assert meet(answer, whole.measures[question]), question
        asked = whole.game.ruleset.measures[question]
        by_law = asked.kind == "spread" or (asked.given_entry and asked.kind != "chance")
        assert answer.upper - answer.lower < (1e-9 if by_law else 1e-25), question
    assert whole.measures.keys() | whole.unanswered.keys() == whole.game.ruleset.measures.keys()
    assert whole.unanswered.keys() <= {"Points for nothing"}


@each
def test_distributions_are_those_of_the_whole_game(name: str, seats: int, settings: Mapping[str, Any]) -> None:
    """Of all kinds of questions: payoffs of seats, shares, who wins, turns of a seat, entries, plays of which a part
    counts.
    """
    whole, staged = both(name, seats, tuple(settings.items()))
    for what in asked(whole, seats):
        try:
            theirs = whole.distribution(what)
        except DistributionError as why:
            with pytest.raises(DistributionError, match=re.escape(str(why))):
                staged.distribution(what)
            continue
        mine = staged.distribution(what)
        assert mine.what == theirs.what
        chances, nothing = {outcome.name: outcome.chance for outcome in theirs.outcomes}, Number.of(0)
        for outcome in mine.outcomes:
            assert meet(outcome.chance, chances.pop(outcome.name, nothing)), (what, outcome.name)
        assert all(meet(rest, nothing) for rest in chances.values()), what
        assert (mine.mean is None) == (theirs.mean is None)
        assert mine.mean is None or theirs.mean is None or meet(mine.mean, theirs.mean), what
        assert mine.beyond.upper < 1e-15, what


def asked(whole: SolvedGame, seats: int) -> list[str]:
    """What is asked about a game."""
    entry = next(question.at_entry for question in whole.game.ruleset.measures.values() if question.kind == "count")
    assert entry is not None
    of_seats = [f"payoff seat {seats}", f"turns seat {seats}", "winner", "win"] if seats > 1 else ["payoff"]
    if whole.game.ruleset.id not in AT_LENGTH:
        return ["turns", *of_seats[:1]]
    return [*of_seats, "turns", "rolls", f"count {'/'.join(entry)}", f"turns given {'/'.join(entry)}"]


def test_a_play_that_is_too_long_to_follow_together_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(spreading, "MAX_POSITIONS", 5)
    _, staged = both("pig", 2, (("target", 12),))
    with pytest.raises(DistributionError, match="best play comes to over 5 positions"):
        staged.distribution("turns")


def test_answers_are_kept_beside_the_stages(monkeypatch: pytest.MonkeyPatch) -> None:
    book, store = oddsmith.load("pig"), MemoryStore()
    first = answer_ruleset_questions(solve_by_stages(book.at(target=8).game, store=store))
    monkeypatch.setattr(counting, "answer_questions", None)
    found = load_by_stages(book.at(target=8).game, None, store)
    assert found is not None
    assert answer_ruleset_questions(found) == first


def lines(path: Path) -> list[dict[str, str]]:
    """The lines of a file of CSV."""
    with path.open(newline="") as stream:
        return list(csv.DictReader(stream))


def told(line: Mapping[str, str]) -> tuple[tuple[str, str], ...]:
    """The position of a line: what stands before what to do there."""
    names = list(line)
    return tuple((name, line[name]) for name in names[1 : names.index("action")])


@each
def test_the_policy_table_is_that_of_the_whole_game(
    name: str, seats: int, settings: Mapping[str, Any], tmp_path: Path
) -> None:
    whole, staged = both(name, seats, tuple(settings.items()))
    count = staged.write_table(tmp_path / "stages.csv", digits=25)
    (tmp_path / "whole.csv").write_bytes(whole.export("csv", digits=25))
    known = {told(line): line for line in lines(tmp_path / "whole.csv")}
    found = lines(tmp_path / "stages.csv")
    assert len(found) == count == len(known)
    assert [line["state"] for line in found] == [str(number) for number in range(count)]
    for line in found:
        other = known[told(line)]
        assert line.keys() == other.keys()
        for column, text in line.items():
            if column.endswith("_decimal") or column in ("action", "next_best"):
                assert text == other[column]
            elif column.endswith("_lower") and text:  # where bounds are proven, the value lies within
                decimal = Fraction(other[column.replace("lower", "decimal")])
                assert abs(Fraction(text) - decimal) < 10**-24


def test_of_a_large_game_some_positions_are_written(tmp_path: Path) -> None:
    _, staged = both("pig", 2, (("target", 12),))
    count = staged.write_table(tmp_path / "some.csv", "phase=decide, score[1]=3, score[2]=5")
    staged.write_table(tmp_path / "all.csv")

    def fits(line: Mapping[str, str]) -> bool:
        return (line["phase"], line["score[1]"], line["score[2]"]) == ("decide", "3", "5")

    wanted = [line for line in lines(tmp_path / "all.csv") if fits(line)]
    assert len(wanted) == count > 5
    assert list(map(told, lines(tmp_path / "some.csv"))) == list(map(told, wanted))
    for wrong in ("score[1]=40", "pot=2, phase=throw, score[1]=12", "lot=3"):
        with pytest.raises(PositionError):
            staged.write_table(tmp_path / "none.csv", wrong)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["all.csv", "some.csv"]


def test_only_sheets_that_fit_are_looked_at(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _, staged = both("sheet", 1, ())
    looked, own = list[int](), positions.position_filter_mask

    def fits(codec: Codec, keys: Ints, fixed: PositionFilter) -> Mask:
        looked.append(keys.shape[1])
        return own(codec, keys, fixed)

    monkeypatch.setattr(positions, "position_filter_mask", fits)
    staged.write_table(tmp_path / "all.csv")
    assert sum(looked) == staged.state_count
    looked.clear()
    staged.write_table(tmp_path / "some.csv", "score[1]=4, phase=keep")
    assert 0 < sum(looked) < staged.state_count / 4
    wanted = [line for line in lines(tmp_path / "all.csv") if (line["phase"], line["score[1]"]) == ("keep", "4")]
    assert list(map(told, lines(tmp_path / "some.csv"))) == list(map(told, wanted))


@each
def test_what_to_do_in_a_few_lines_is_that_of_the_whole_game(
    name: str, seats: int, settings: Mapping[str, Any]
) -> None:
    whole, staged = both(name, seats, tuple(settings.items()))
    everywhere = replace(whole.solution, start_count=whole.solution.graph.state_count)
    if not staged.undecided_count:
        assert staged.outline() == outline_of_solution(everywhere, with_rules=False)


def test_thresholds_are_told_of_some_positions(monkeypatch: pytest.MonkeyPatch) -> None:
    staged = by_stages(oddsmith.load("farkle"), 1, "turns_taken", target=3)
    found = staged.thresholds(phase="decide", table_type="records")
    assert found == [{"score[1]": 1, "below": "Roll", "fifties": 2, "above": "Stop"}]
    (of_some,) = staged.outline(where="phase=decide, score[1]=1").choices
    assert of_some.lines == ("Stop when points of this turn are 100, else Roll",)
    assert 0 < of_some.decision_count == of_some.played_decision_count
    with pytest.raises(PositionError, match="never comes"):
        staged.outline(where="score[1]=3")
    monkeypatch.setattr(large, "MAX_TOGETHER", of_some.decision_count - 1)
    with pytest.raises(PositionError, match=r"over .* such positions: name more"):
        staged.thresholds(where="phase=decide, score[1]=1")


def test_a_policy_table_is_written_whole_or_not_at_all(tmp_path: Path) -> None:
    store = MemoryStore()
    staged = StagedGame(solve_by_stages(oddsmith.load("pig").at(target=8).game, store=store))
    staged.staged.schedule.records.held.clear()
    for place in range(len(store) // 2):  # some stages go
        store.pop(list(store)[place + 1])
    file = tmp_path / "policy.csv"
    file.write_text("before")
    with pytest.raises(StagesNotStoredError):
        staged.write_table(file)
    assert [path.name for path in tmp_path.iterdir()] == ["policy.csv"]
    assert file.read_text() == "before"
