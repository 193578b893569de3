"""People may count in other numbers than the rules: what they read says their numbers, and what is solved stays the
same.
"""

from __future__ import annotations

import csv
import json
from dataclasses import replace
from functools import cache
from io import StringIO

import pytest

from oddsmith.base.location import Source, text_without_file
from oddsmith.expr import Scope, typed_tree
from oddsmith.publish.sections.deciding import short_strategy_html
from oddsmith.report.answers.answers import Answer
from oddsmith.report.answers.packing import plain_form
from oddsmith.report.answers.solving import solved_answer
from oddsmith.report.english import rules_in_words
from oddsmith.report.policy.decisions import Feature
from oddsmith.report.policy.outline import outline_of_solution
from oddsmith.report.policy.thresholds import Strategy
from oddsmith.report.policy.wording import TableWords
from oddsmith.ruleset.binding import bind
from oddsmith.ruleset.bundle import sha256
from oddsmith.ruleset.model.ruleset import Ruleset
from oddsmith.ruleset.reading.build import read_ruleset
from oddsmith.solve.game_solver import solve

# Half of all rolls lose what is held, the others add 4 to 6. From 4 on the second roll brings 4.5 on average, from 5 on 29/6.
NERVE = """\
format: 1
id: nerve
title: Nerve
summary: Roll for chips, and stop before a 1.
seats: 1
parameters: {most: {default: 10, min: 1, max: 10}}
state:
  tries: {max: 2, start: 2, about: Rolls that are left.}
  stash: {max: most, label: chips, UNIT}
payoffs: {coins: stash}
turn: decide
phases:
  decide:
    choose:
      - {name: Stop, then: end}
      - {name: Roll, when: tries > 0, do: add -1 to tries, then: throw}
  throw:
    roll: {die: d6}
    outcomes:
      - {name: Lost, when: die < 4, do: set stash to 0, then: end}
      - {name: More, do: "set stash to min(stash + die, most)", then: decide}
"""
COUNTED = "unit: 50 point | points"


@cache
def rules(unit: str = "") -> Ruleset:
    return read_ruleset(Source("nerve.yaml", NERVE.replace(", UNIT", f", {unit}" if unit else "")))[0]


@cache
def answer(unit: str = "") -> Answer:
    ruleset = rules(unit)
    found = solved_answer(ruleset, ruleset.edition.main_setting)
    found.compute_all_parts()
    return found


def decided(unit: str = "") -> Strategy:
    (found,) = [each for each in answer(unit).strategies if each.phase == "decide"]
    return found


def test_a_unit_is_no_rule() -> None:
    assert sha256(rules(COUNTED)) == sha256(rules(""))
    assert answer(COUNTED).values == answer("").values
    assert decided(COUNTED).tables == decided("").tables


@pytest.mark.parametrize(
    ("text", "words", "counted"),
    [
        ("stash >= 5", "chips are 5 or more", "chips are 250 points or more"),
        ("stash == 1", "chips are 1", "chips are 50"),
        ("stash - 2 > 1", "chips \N{MINUS SIGN} 2 is more than 1", "chips \N{MINUS SIGN} 100 is more than 50"),
        ("stash + 1 >= most", "chips + 1 is 10 or more", "chips + 50 is 500 or more"),
        ("tries >= 2", "tries are 2 or more", "tries are 2 or more"),
        (
            "stash * 2 >= 6",
            "chips \N{MULTIPLICATION SIGN} 2 is 6 or more",
            "stash \N{MULTIPLICATION SIGN} 2 is 6 or more",
        ),
        ("stash + tries >= 6", "chips + tries is 6 or more", "stash + tries is 6 or more"),
    ],
)
def test_a_comparison_is_told_in_the_numbers_of_people_if_all_of_it_can_be(text: str, words: str, counted: str) -> None:
    for unit, wanted in (("", words), (COUNTED, counted)):
        game = bind(rules(unit))
        assert (
            TableWords(game).condition_clause(typed_tree(text_without_file(text), Scope(game.ruleset.symbols)))
            == wanted
        )


def test_thresholds_tables_and_pictures_have_the_numbers_of_people() -> None:
    plain, counted = decided(""), decided(COUNTED)
    assert plain.down is not None
    assert counted.down is not None
    assert plain.threshold_range() == counted.threshold_range() == (5, 5)
    text, other = ("".join(map(str, short_strategy_html(each))) for each in (counted, plain))
    assert "250" in text
    assert text != other
    (choice,) = outline_of_solution(solve(bind(rules(COUNTED)))).choices
    assert any("250" in line for line in choice.lines)


def test_every_position_of_a_table_to_download_has_them() -> None:
    rows = {unit: list(csv.DictReader(StringIO(answer(unit).decisions_csv))) for unit in ("", COUNTED)}
    assert rows[""]
    assert [int(row["chips"]) for row in rows[COUNTED]] == [50 * int(row["stash"]) for row in rows[""]]


def test_the_rules_say_what_each_counts() -> None:
    said = json.dumps([[line.what for line in section.items] for section in rules_in_words(bind(rules(COUNTED)))])
    assert "Each counts 50 points." in said
    alone = json.dumps([[line.what for line in section.items] for section in rules_in_words(bind(rules("unit: 50")))])
    assert "Each counts 50." in alone


def test_a_play_tells_them() -> None:
    game = bind(rules(COUNTED))
    (where,) = game.cell_indices_of("stash")
    assert game.cell_in_words(where, 3, "chips") == "chips 150 points"


def test_a_value_that_stands_for_none_is_told_as_none() -> None:
    game = bind(rules(f"none: 0, {COUNTED}"))
    (where,) = game.cell_indices_of("stash")
    assert [game.cell_in_words(where, value, "chips") for value in (0, 1)] == ["chips none", "chips 50 points"]


def test_answers_from_before_keep_their_shape() -> None:
    form = plain_form(Feature)
    assert not {"times", "none"} & set(form.shape.split())
    plain = Feature("stash", "chips", "number")
    for feature in (plain, replace(plain, times=50), replace(plain, times=50, none=-1)):
        read_back = form.read(form.write(feature))
        assert (read_back.key, read_back.times, read_back.none) == ("stash", feature.times, feature.none)
    assert len(form.write(Feature("stash", "chips", "number"))) < len(form.write(Feature("s", "c", "number", times=50)))
