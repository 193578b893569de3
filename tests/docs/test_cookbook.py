"""Every pattern of the cookbook is a whole game without a fault, in house style, and the number below it is the solver's."""

from __future__ import annotations

import re
from dataclasses import dataclass

import pytest

import oddsmith
from oddsmith.base.exact import parse_published_number
from oddsmith.ruleset.reading.format import formatted_text
from tests.docs.blocks import ROOT, blocks

PAGE = ROOT / "docs" / "cookbook.md"
PATTERN = re.compile(r"^### (.+)\n\n(.+)\n\n```yaml\n((?:.+\n)+)```\n\nSolved: (.+)$", flags=re.MULTILINE)
SOLVED = re.compile(r"(?:seat (?P<seat>\d) gets|(?P<measure>.+?):) \*\*(?P<number>[^*]+)\*\*.*")


@dataclass(frozen=True)
class Pattern:
    """A rule to copy: when to use it, the game, and what is said of its solution."""

    title: str
    use: str
    rules: str
    told: str

    def __str__(self) -> str:
        return self.title


PATTERNS = [Pattern(*found.groups()) for found in PATTERN.finditer(PAGE.read_text("utf-8"))]


@pytest.mark.parametrize("pattern", PATTERNS, ids=str)
def test_the_number_is_the_solvers(pattern: Pattern) -> None:
    told = SOLVED.fullmatch(pattern.told)
    assert told is not None, pattern.told
    book = oddsmith.loads(pattern.rules)
    assert book.problems == ()
    solved = book.solve()
    number = solved.values[int(told["seat"]) - 1] if told["seat"] else solved.measures[told["measure"]]
    assert parse_published_number(told["number"]).is_confirmed_by(number), number
    assert solved.grade == "exact"


@pytest.mark.parametrize("pattern", PATTERNS, ids=str)
def test_a_pattern_is_small_and_says_when_to_use_it(pattern: Pattern) -> None:
    assert pattern.use.startswith("Use it ")
    assert oddsmith.loads(pattern.rules).graph().state_count <= 2_000


def test_the_yaml_is_in_house_style() -> None:
    for pattern in PATTERNS:
        assert formatted_text(pattern.rules) == pattern.rules, pattern


def test_every_game_of_the_page_is_a_pattern() -> None:
    assert [block.text for block in blocks(PAGE)] == [pattern.rules for pattern in PATTERNS]
    assert len(PATTERNS) >= 20
    assert len({oddsmith.loads(pattern.rules).id for pattern in PATTERNS}) == len(PATTERNS)
