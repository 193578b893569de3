"""What Python and JavaScript both have to agree with: values of expressions, and laws of rolls."""

from __future__ import annotations

import json
from typing import Any

import pytest

from oddsmith.base.dice import Die, roll_distribution
from tests.expressions import hand_of, read
from tests.vectors.write import HERE, files, ground

EXPRESSIONS = json.loads((HERE / "expressions.json").read_text("utf-8"))
LAWS = json.loads((HERE / "dice.json").read_text("utf-8"))["laws"]
GAME = ground()


@pytest.mark.parametrize("row", EXPRESSIONS["expressions"], ids=lambda row: f"{row['at']}: {row['text']}")
def test_an_expression_has_the_written_value(row: dict[str, Any]) -> None:
    found = read(row["text"], GAME, EXPRESSIONS["moments"][row["at"]])
    wanted = {"error": row["error"]} if "error" in row else row["value"]
    assert found == wanted
    assert type(found) is type(wanted)  # true is no 1


@pytest.mark.parametrize("law", LAWS, ids=lambda law: law["roll"])
def test_a_roll_has_the_written_law(law: dict[str, Any]) -> None:
    terms = [
        (die["count"], Die(f"die{die['kind']}", die["kind"], tuple(die["faces"]), tuple(die["weights"])))
        for die in law["dice"]
    ]
    found = roll_distribution(terms)
    assert found.denominator == law["denominator"]
    assert dict(found.hands) == {hand_of(hand): weight for hand, weight in law["hands"]}


@pytest.mark.parametrize("name", ["expressions.json", "dice.json"])
def test_the_files_are_what_the_writer_makes(name: str) -> None:
    assert (HERE / name).read_text("utf-8") == files()[name], "run: python -m tests.vectors.write"
