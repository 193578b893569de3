"""Boards of play tables: they are read, refused where they do not fit, and change neither the rules nor any answer."""

from __future__ import annotations

import pytest

from oddsmith.base.errors import RulesetError
from oddsmith.base.location import Source
from oddsmith.report.answers.names import answer_address
from oddsmith.report.english.play_bundle import play_page_texts
from oddsmith.ruleset.bundle import sha256
from oddsmith.ruleset.model import Ruleset
from oddsmith.ruleset.model.state import BoardRow
from oddsmith.ruleset.reading.build import read_ruleset
from tests.ruleset.finding import laid_over

STATE = """
lists: {squares: "span(1, 6)"}
state:
  on: {each: [seat, squares], max: 1}
  depth: {each: seat, max: 4}
  aside: {each: seat, max: 2}
  room: {each: seat, one_of: [hall, cave]}
  way: {one_of: [straight, near, far, back]}
define:
  lit(k): k > 3
"""


def ruleset(boards: str) -> Ruleset:
    return read_ruleset(Source("game.yaml", laid_over(STATE + boards)))[0]


def test_a_board_says_where_squares_lie_and_what_stands_on_them() -> None:
    rows = "[{seat: 2, squares: [2, none, 6]}, {squares: [3, 4]}]"
    (board,) = ruleset(f"boards:\n  on: {{rows: {rows}, marks: {{'*': lit(square)}}}}\n").boards
    assert board.rows == (BoardRow((2, None, 6), 1), BoardRow((3, 4)))
    assert list(board.marks) == ["*"]
    words = play_page_texts(ruleset(f"boards:\n  on: {{rows: {rows}}}\n"))
    assert words["boards"] == {
        "on": {"rows": [{"seat": 1, "squares": [2, None, 6]}, {"seat": None, "squares": [3, 4]}]}
    }
    assert "boards" not in play_page_texts(ruleset(""))


def test_a_square_is_called_by_its_item_even_if_a_variable_has_this_name() -> None:
    state = STATE.replace("  room:", "  square: {each: seat, max: 6}\n  room:")
    board = "boards:\n  square: {rows: [{squares: [1, 2, 3]}], marks: {'^': square == 2}}\n"
    (found,) = read_ruleset(Source("game.yaml", laid_over(state + board)))[0].boards
    assert [node.op for node in found.marks["^"].walk() if node.value == "square"] == ["local"]


def test_a_grid_calls_a_square_by_its_row_and_column() -> None:
    (board,) = ruleset(
        "boards:\n  depth:\n    across: aside\n    columns: 5\n    laid: room\n    facing: way\n"
        "    marks: {lair: row == column}\n"
    ).boards
    assert (board.column_variable, board.columns, board.underlay_variable, board.facing_variable) == (
        "aside",
        5,
        "room",
        "way",
    )


def test_a_board_changes_no_rule_and_no_answer() -> None:
    plain, drawn = ruleset(""), ruleset("boards:\n  on: {length: square}\n")
    assert drawn.boards
    assert sha256(plain) == sha256(drawn)
    assert answer_address(plain, plain.edition.main_setting) == answer_address(drawn, drawn.edition.main_setting)


@pytest.mark.parametrize(
    ("board", "code", "told"),
    [
        ("pots: {length: 3}", "OD369", "there is no variable pots"),
        ("room: {length: 3}", "OD369", "room is no number of each seat"),
        ("depth: {across: on}", "OD369", "there is no variable on of each seat alone"),
        ("on: {across: aside}", "OD369", "on has a value for each square, and no place in a grid"),
        ("depth: {across: aside, facing: ways}", "OD369", "there is no variable ways with 4 words"),
        ("depth: {across: aside, facing: room}", "OD369", "there is no variable room with 4 words"),
        ("on: {marks: {x: row == 1}}", "OD312", "row"),
        ("on: {length: depth}", "OD313", "depth"),
        ("on: {marks: {x: square}}", "OD321", ""),
        ("on: {rows: []}", "OD205", ""),
    ],
)
def test_what_does_not_fit_is_refused(board: str, code: str, told: str) -> None:
    with pytest.raises(RulesetError) as refused:
        ruleset(f"boards:\n  {board}\n")
    (problem,) = refused.value.problems
    assert problem.code == code
    assert told in problem.message
