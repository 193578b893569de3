"""The one-state rules and the plain reader say the same of games with secrets, and of choices at once."""

from __future__ import annotations

from pathlib import Path

import pytest
from ruamel.yaml import YAML

from oddsmith.base.errors import RulesetError
from oddsmith.base.location import Source
from oddsmith.ruleset.binding import bind
from oddsmith.ruleset.reading.build import load_ruleset, read_ruleset
from tests.reader.agree import differences

GAMES = sorted(Path(__file__).with_name("games").glob("*.yaml"))


@pytest.mark.parametrize("path", GAMES, ids=lambda path: path.stem)
def test_the_plain_reader_agrees(path: Path) -> None:
    data = YAML(typ="safe").load(path.read_text("utf-8"))
    assert differences(data, bind(load_ruleset(path)[0]), 120) == []


@pytest.mark.parametrize(
    ("line", "wrong", "hint"),
    [
        ("seen_by: dealer", "dealer", "known names: everyone, mover, next, nobody, others, previous, table"),
        ("seen_by: noboddy", "noboddy", "did you mean nobody?"),
        ("do: reveal die to dealer", "dealer", "known names: everyone, mover, next, others, previous, table"),
    ],
)
def test_an_unknown_seat_is_told_who_can_see_something(line: str, wrong: str, hint: str) -> None:
    text = f"""
format: 1
id: deal
title: Deal
summary: One die.
seats: 2
state:
  die: {{max: 6}}
payoffs:
  win: share(0)
turn: deal
phases:
  deal:
    roll: {{thrown: d6}}
    {line}
    then: end
"""
    with pytest.raises(RulesetError) as error:
        read_ruleset(Source("deal.yaml", text))
    (problem,) = error.value.problems
    assert (problem.code, problem.message, problem.hint) == ("OD312", f"there is nothing called {wrong} here", hint)
