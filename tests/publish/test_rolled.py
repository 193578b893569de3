"""Rolls that written pages name: answered at build, linked to the page that answers any roll."""

from __future__ import annotations

from html import unescape

import pytest

from oddsmith.base.errors import QuestionError
from oddsmith.base.resources import data_folder
from oddsmith.publish.sections.rolled import questions_of_page, with_questions_answered
from oddsmith.rolls import answer


def shown(text: str, name: str = "rolls.md") -> str:
    return unescape(with_questions_answered(name, text.encode()).decode()).replace("\u00a0", " ")


def test_a_roll_in_a_sentence_becomes_its_answer() -> None:
    assert shown("so <!-- roll: 3d6 >= 10 --> it is") == "so <b>62.50 % = 5/8</b> it is"
    assert shown("<!-- roll: 4d6 drop lowest -->") == "<b>mean 12.24 = 15869/1296</b>"
    assert shown("<!-- roll: 2d6 -->") == "<b>mean 7</b>"


def test_a_list_of_rolls_becomes_a_table_that_links_to_the_page() -> None:
    table = shown("<!-- rolls\n3d6 >= 10\nroll20: 5d6>4\n-->")
    assert 'href="../roll/#q=3d6%20%3E%3D%2010"' in table
    assert 'href="../roll/#q=5d6%3E4&as=roll20"' in table
    assert "<code>5d6>4</code></a> in Roll20" in table
    assert "the number of dice showing 4 or more in 5d6" in table
    assert "mean 2.50 = 5/2" in table


def test_each_way_in_which_a_roll_can_be_meant_is_told() -> None:
    table = shown("<!-- rolls\nd20 vs d20\n-->")
    assert "a tie does not win" in table
    assert "a tie wins" in table
    assert table.count("<br>") == 2


def test_chips_ask_on_the_page_itself_and_below_other_pages() -> None:
    assert 'href="#q=3d6%0A2d8"' in shown("<!-- chips\n3d6↵2d8\n-->", "roll.md")
    assert 'href="roll/#q=3d6"' in shown("<!-- chips\n3d6\n-->", "index.md")
    assert 'href="../../roll/#q=3d6"' in shown("<!-- chips\n3d6\n-->", "how-to/rules.md")


def test_a_roll_that_cannot_be_read_stops_the_build() -> None:
    with pytest.raises(QuestionError, match="lowset"):
        shown("<!-- roll: 4d6 drop lowset -->")


@pytest.mark.parametrize("name", ["roll.md", "rolls.md"])
def test_every_example_of_the_pages_is_answered(name: str) -> None:
    asked = questions_of_page((data_folder("docs") / name).read_text("utf-8"))
    assert len(asked) > 20
    for question, dialect in asked:
        program = question.startswith("output")
        for line in [question] if program else question.split("\n"):
            assert answer(line, dialect).parts
