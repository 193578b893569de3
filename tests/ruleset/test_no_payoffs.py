"""A ruleset without payoffs: nobody chooses, nothing is won, and how long it lasts and what is asked are all the answers."""

from __future__ import annotations

import re
from fractions import Fraction
from html import unescape
from pathlib import Path

import pytest

import oddsmith
from oddsmith.base.errors import RulesetError
from oddsmith.publish.site import site_pages
from oddsmith.report.answers import answers_of
from tests.reader.agree import differences
from tests.reader.texts import data_of
from tests.runtime.test_engine import compare
from tests.terminal import run

RULES = """\
format: 1
id: how-long
title: How Long
summary: Roll until a six.
seats: {min: 1, max: 2}
state: {rolls: {type: tally}}
turn: roll
phases:
  roll:
    roll: {die: d6}
    outcomes:
      - {name: Six, when: die == 6, do: add 1 to rolls, then: end}
      - {name: Other, do: add 1 to rolls, then: pass}
measures:
  Rolls until a six: {mean: rolls, at: end}
  Rolls without a six: {count: [roll, Other]}
"""


def test_lengths_and_measures_are_all_that_is_printed(tmp_path: Path) -> None:
    file = tmp_path / "how-long.yaml"
    file.write_text(RULES, "utf-8")
    solved = run("solve", str(file))
    assert solved.returncode == 0, solved.stderr
    assert solved.stdout.startswith(
        "How Long, 1 seat (exact)\n"
        "  turns: 6.000000000000\n"
        "  rolls: 6.000000000000\n"
        "  Rolls until a six: 6.000000000000\n"
        "  Rolls without a six: 5.000000000000\n"
        "1 position"
    )
    played = run("solve", str(file), "--seats", "2", "--estimate", "500")
    assert played.returncode == 0, played.stderr
    assert re.fullmatch(
        r"How Long, 2 seats \(estimated\)\n"
        r"  half of the games end within \d turns .*\n"
        r"500 games played; .*\n"
        r"Nobody ever had a choice\.\n",
        played.stdout,
    )


def test_a_page_tells_of_no_worth() -> None:
    page = site_pages([answers_of(oddsmith.loads(RULES).ruleset)], {})["games/how-long.md"].decode()
    told = " ".join(unescape(re.sub("<[^>]*>", " ", page)).split())
    assert "How long is a game? About 2 minutes: 6 turns and 6 rolls on average." in told
    assert "Rolls without a six 5.0000 5" in told
    for words in ("The game brings", "What the game is worth", "Is it fair?", "What is won"):
        assert words not in told, words


def test_all_engines_play_it_alike() -> None:
    book = oddsmith.loads(RULES)
    for seats in (1, 2):
        assert differences(data_of(RULES), book.at(seats).game, 12) == []
    assert book.at(seats=2).solve().values[1].exact == Fraction(0)
    compare(book.ruleset, 300)


def test_where_somebody_chooses_they_are_required() -> None:
    choice = "  more:\n    choose:\n      - {name: Roll, then: roll}\n      - {name: Stop, then: end}\nmeasures:"
    with pytest.raises(RulesetError, match=r"1:1: error OD202: the key `payoffs` is missing"):
        oddsmith.loads(RULES.replace("measures:", choice).replace("then: pass", "then: more"))
