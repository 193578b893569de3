"""``oddsmith.roll``: a distribution like those of games, with the question as it was read and all that it can mean."""

from __future__ import annotations

import json
from fractions import Fraction
from typing import Any

import pytest
from click.testing import CliRunner

import oddsmith
from oddsmith.base.distributions import Distribution
from oddsmith.base.errors import QuestionError
from oddsmith.base.exact import Number
from oddsmith.cli import cli
from tests.cli.test_light import loaded_by


def exact(number: Number | None) -> Fraction | None:
    return None if number is None else number.exact


def test_a_roll_is_a_distribution_like_any_other() -> None:
    odds = oddsmith.roll("3d6")
    assert isinstance(odds, Distribution)
    assert (odds.question, odds.what, odds.chance) == ("3d6", "3d6", None)
    assert list(odds.probabilities) == list(range(3, 19))
    assert sum(odds.probabilities.values()) == 1
    assert (exact(odds.mean), exact(odds.variance), odds.median) == (Fraction(21, 2), Fraction(35, 4), Fraction(10))
    assert exact(odds.probability(">=", 14)) == exact(odds.at_least(14)) == Fraction(35, 216)
    assert odds.quantile(Fraction(9, 10)) == 14


def test_a_question_has_a_chance() -> None:
    odds = oddsmith.roll("at least 10 on 3d6")
    assert exact(odds.chance) == exact(odds.mean) == Fraction(5, 8)
    assert odds.probabilities == {0: Fraction(3, 8), 1: Fraction(5, 8)}
    assert oddsmith.roll("d6 > 0").probabilities == {0: 0, 1: 1}
    assert oddsmith.roll("d6 > 6").probabilities == {0: 1, 1: 0}


def test_rolls_are_added_taken_away_and_multiplied() -> None:
    d6, d4 = oddsmith.roll("d6"), oddsmith.roll("d4")
    assert (d6 + d4).probabilities == oddsmith.roll("d6 + d4").probabilities
    assert (d6 - d4).probabilities == oddsmith.roll("d6 - d4").probabilities
    assert (d6 * d4).probabilities == oddsmith.roll("d6 * d4").probabilities
    assert (2 * d6 + 3).probabilities == oddsmith.roll("2 * d6 + 3").probabilities
    assert (d6 + d4).what == "(d6) + (d4)"
    with pytest.raises(TypeError):
        d6 + "d4"


def test_what_is_meant_otherwise_is_there_as_well() -> None:
    odds = oddsmith.roll("2d6 + 3 vs d20")
    assert (exact(odds.chance), odds.note) == (Fraction(9, 20), "a tie does not win")
    assert [(exact(each.chance), each.note) for each in odds.other_interpretations] == [(Fraction(1, 2), "a tie wins")]
    assert exact(oddsmith.roll("5d6>4", "roll20").mean) == Fraction(5, 2)


def test_parts_keep_their_order_even_if_a_name_is_a_number() -> None:
    parts = oddsmith.roll("blades 3 dice").to_json()["parts"]
    assert [each["name"] for each in parts] == ["1-3", "4-5", "6", "critical"]
    assert [each["chance"]["exact"] for each in parts] == ["1/8", "49/108", "25/72", "2/27"]


def test_several_things_have_a_distribution_each() -> None:
    odds = oddsmith.roll("3d6 three times")
    assert list(odds.parts) == ["highest", "2nd highest", "lowest", "sum"]
    assert odds.parts["sum"].probabilities == oddsmith.roll("9d6").probabilities
    assert odds.probabilities == odds.parts["highest"].probabilities
    chances = oddsmith.roll("for n in 1..3: at least one 6 in nd6").parts
    assert {name: exact(each.chance) for name, each in chances.items()} == {
        f"n = {n}": 1 - Fraction(5, 6) ** n for n in (1, 2, 3)
    }
    assert [exact(each.chance) for each in oddsmith.roll("3d6 >= 5, 18").parts.values()] == [
        Fraction(53, 54),
        Fraction(1, 216),
    ]


def test_a_chance_that_is_wanted_is_found() -> None:
    for question, found in (
        ("which x gives 60%: d20 + x >= 15", "x = 6"),
        ("which n gives 60%: at least one 6 in nd6", "n = 6"),
        ("which goal gives 60%: 3d6 >= goal", "goal = 10"),
        ("what bonus gives 60% on d20 + bonus against DC 15", "bonus = 6"),
        ("which b gives 60% for d20 + b >= 15", "b = 6"),
    ):
        best, other = oddsmith.roll(question).parts.items()
        assert best[0] == found
        assert best[1].chance is not None
        assert other[1].chance is not None
        assert best[1].chance.lower >= Fraction(3, 5) > other[1].chance.lower


def test_what_explodes_without_end_says_what_lies_beyond_its_list() -> None:
    odds = oddsmith.roll("3d6 exploding")
    assert (exact(odds.mean), odds.grade) == (Fraction(63, 5), "exact")
    assert exact(odds.variance) == Fraction(798, 25)
    assert exact(odds.at_least(15)) == Fraction(131, 432)
    assert 0 < odds.beyond.lower < Fraction(1, 10**15)
    assert sum(odds.probabilities.values()) + odds.beyond.lower == 1
    assert exact(oddsmith.roll("d6 exploding >= 100").chance) == Fraction(3, 6**17)
    opposed = oddsmith.roll("d8! > d6!").chance
    assert opposed is not None
    assert opposed.grade == "proven"
    assert opposed.upper - opposed.lower < Fraction(1, 10**18)


def test_the_answer_for_machines_has_every_fraction() -> None:
    def told(*words: str) -> Any:
        done = CliRunner().invoke(cli, ["roll", *words, "--json"])
        assert done.exit_code == 0, done.output
        return json.loads(done.output)

    one = told("4d6 drop lowest")
    assert (one["question"], one["read_as"], one["kind"]) == ("4d6 drop lowest", "4d6 without the lowest", "number")
    assert one["mean"]["exact"] == "15869/1296"
    assert sum(Fraction(each["exact"]) for each in one["outcomes"]) == 1
    assert [each["mean"]["exact"] for each in told("3d6", "--vs", "2d8")] == ["21/2", "9"]


def test_a_question_has_an_end() -> None:
    with pytest.raises(QuestionError, match="at most 2000 characters"):
        oddsmith.roll("9" * 5000 + "d6")


def test_asking_waits_for_nothing_heavy() -> None:
    rules = ("oddsmith.ruleset", "oddsmith.expr", "jsonschema", "ruamel.yaml", "numpy", "flint")
    assert loaded_by("from oddsmith.cli import main; main(['roll', '3d6'])", rules) == set()
