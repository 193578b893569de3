"""People count seats from 1: in rules, errors, advice, plays and positions, and what is printed can be typed in again."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner

import oddsmith
from oddsmith.api.positions import parse_position
from oddsmith.base.errors import PlayError, PositionError
from oddsmith.cli import cli
from oddsmith.graph.witness import steps_in_words
from oddsmith.report.english.prose import rules_in_words
from oddsmith.ruleset.rules import Rules

GAME = """\
format: 1
id: sides
title: Sides
summary: Two sides that begin unlike each other; whoever is robbed loses.
seats: {min: 2, max: 3}
state:
  leader: {type: seat}
  hp: {each: seat, start: 2 if seat == leader else 1, max: 3}
payoffs: {win: share(hp)}
turn: decide
phases:
  decide:
    choose:
      - name: Rob
        for: {victim: others}
        when: hp[victim] > 0
        do: add -1 to hp[victim]
        then: toss
      - name: Rest
        then: end
  toss:
    roll: {die: d6}
    outcomes:
      - {name: On, when: die > 3, do: set leader to next, then: pass}
      - {name: Over, then: end}
"""

Made = Callable[..., Path]


@pytest.fixture
def made(tmp_path: Path) -> Made:
    def make(text: str = GAME) -> Path:
        path = tmp_path / "sides.yaml"
        path.write_text(text, encoding="utf-8")
        return path

    return make


def test_unlike_starts_are_told_by_seat(made: Made) -> None:
    items = {item.name: item.what for item in rules_in_words(oddsmith.load(made()).at(3).game)[0].items}
    assert (
        "Starts as 2 for seat 1, 1 for seat 2 and 1 for seat 3"
        in items["each player\N{RIGHT SINGLE QUOTATION MARK}s hp"]
    )


def test_an_error_names_the_seat_that_the_play_before_it_names(made: Made) -> None:
    with pytest.raises(PlayError) as caught:
        oddsmith.load(made(GAME.replace("add -1 to hp[victim]", "add 5 to hp[victim]"))).at(seats=2).solve()
    assert "hp[2] would become 6" in str(caught.value)
    assert caught.value.play == ("seat 1 chooses Rob (victim 2)",)


def test_a_play_in_words_counts_seats_from_one(made: Made) -> None:
    rules = Rules(oddsmith.load(made()).at(3).game)
    told = [words for words, _ in steps_in_words(rules, rules.start())]
    assert told[:2] == ["seat 1 chooses Rob (victim 2)", "seat 1 chooses Rob (victim 3)"]


def test_advice_counts_seats_as_positions_do(made: Made) -> None:
    solution = oddsmith.load(made()).at(seats=2).solve().solution
    asked = parse_position(solution, "leader=1, hp=2, hp[2]=1")
    assert {each.action for each in solution.advise(asked.state_index, asked.mover)} == {"Rob (victim 2)", "Rest"}
    with pytest.raises(PositionError, match="what you leave out is at its start: leader=1"):
        parse_position(solution, "hp=3, hp[2]=3")
    with pytest.raises(PositionError, match="leader=0: seats are 1 to 2"):
        parse_position(solution, "leader=0")


def test_a_watched_play_counts_seats_from_one(made: Made) -> None:
    shown = CliRunner().invoke(
        cli, ["play", str(made()), "--seats", "2", "--watch", "--seed", "3"], catch_exceptions=False
    )
    assert "hp[1] 2, hp[2] 1" in shown.output
    assert "leader 1" in shown.output
    assert "chooses Rob: player 2" in shown.output
    assert "[0" not in shown.output
