"""Claims: what others published is told apart from what was counted by hand, and numbers are shown so that they compare."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

import oddsmith
from oddsmith.base.exact import Number, parse_published_number
from oddsmith.base.files import shipped_rulesets
from oddsmith.publish.sections.claims import claims_html, claims_title
from oddsmith.report.answers.accounts import RulesetAnswers
from oddsmith.report.answers.accounts import answers_of as solve_all
from oddsmith.report.facts.claims import claim_number, texts_in_same_form
from oddsmith.solve.questions.measure import answer_question

COUNTED = {
    "craps": 1,
    "burglar-and-the-dragon": 3, "chip-passing": 1, "dragons-hoard": 6, "dragons-lair": 7, "dragons-lair-together": 3,
    "hold-the-pot": 3, "hold-the-pot-round": 3, "hold-the-pot-turn": 7, "pig": 1, "wizards-and-thieves": 9,
}  # fmt: skip
"""By the notes of the rulesets: everything else names where it was printed."""

GAME = """\
format: 1
id: sixes
title: Sixes
summary: Throw a die.
seats: 1
state: {wins: {max: 1}}
payoffs: {win: wins}
turn: throw
phases:
  throw:
    roll: {die: 1d6}
    outcomes:
      - {name: Six, when: die == 6, do: add 1 to wins, then: end}
      - {name: Other, then: end}
claims:
  - {quote: A six is one in six., ask: {chance: [throw, Six]}, published: 1/6}
  - {quote: Others are five in six., ask: {chance: [throw, Other]}, counted: 5/6}
  - {quote: Others are even., ask: {chance: [throw, Other]}, counted: 1/2, verdict: wrong}
"""


@pytest.fixture
def account(tmp_path: Path) -> RulesetAnswers:
    (tmp_path / "sixes.yaml").write_text(GAME, encoding="utf-8")
    return solve_all(oddsmith.load(tmp_path / "sixes.yaml").ruleset)


@pytest.mark.parametrize("name", ["piglet", "craps"])
def test_a_value_that_was_found_by_solving_is_the_answer_to_the_question(name: str) -> None:
    book = oddsmith.load(name)
    (claim,) = [
        each
        for each in book.ruleset.claims
        if each.question.kind == "mean" and not each.question.at_entry and not each.setting
    ][:1]
    solution = book.at(objective=next(iter(book.ruleset.payoffs))).solve().solution
    asked = [
        claim_number(solution.graph.game, claim, lambda: solution),
        answer_question(solution.graph.game, claim.question, lambda: solution),
    ]
    assert asked[0] == asked[1] == solution.values[0]


def test_every_shipped_claim_says_where_it_is_from() -> None:
    found = {name: oddsmith.load(name).ruleset.claims for name in shipped_rulesets()}
    assert sum(map(len, found.values())) == 75
    counted = {name: sum(claim.origin == "counted" for claim in claims) for name, claims in found.items()}
    assert {name: many for name, many in counted.items() if many} == COUNTED
    told = [claim.quote + claim.note for claims in found.values() for claim in claims]
    assert not [text for text in told if "by hand" in text], "the key says it"


def test_a_page_calls_published_only_what_was_printed(account: RulesetAnswers) -> None:
    printed, counted = "".join(claims_html(account, "published")), "".join(claims_html(account, "counted"))
    assert claims_title(account, "published") == "Published odds, checked"
    assert "A six is one in six." in printed
    assert "Others" not in printed
    assert "The one published number is right." in printed
    assert "published" not in counted.replace("Nobody published", "")
    assert "1 of 2 numbers counted by hand is right." in counted
    assert claims_title(account, "counted") == "Counted by hand, and checked"


def test_a_verdict_says_where_its_number_is_from(account: RulesetAnswers) -> None:
    first, second, _ = (verdict.to_json() for verdict in account.verdicts)
    assert first["published"] == "1/6"
    assert second["counted"] == "5/6"
    assert "counted" not in first
    assert "published" not in second


@pytest.mark.parametrize(
    ("stated", "number", "shown"),
    [
        ("45480/46656", Fraction(211, 216), ("45,480 of 46,656", "45,576 of 46,656")),
        ("1/2", Fraction(1, 3), ("0.500000", "0.333333")),
        ("7/2", Fraction(4), ("3.500000", "4")),
        ("-34", Fraction(-34), ("-34", "-34")),
        ("40.19 %", Fraction(2702, 10000), ("40.19 %", "27.0200 %")),
        ("9.5", Fraction(12), ("9.5", "12")),
        ("0.421", Fraction(91, 216), ("0.421", "0.42130")),
    ],
)
def test_a_stated_number_and_the_computed_one_compare_at_a_glance(
    stated: str, number: Fraction, shown: tuple[str, str]
) -> None:
    assert texts_in_same_form(parse_published_number(stated), Number.of(number)) == shown


def test_a_proven_number_is_told_beside_a_fraction() -> None:
    near = Number(Fraction(333333333, 10**9), Fraction(333333334, 10**9))
    assert texts_in_same_form(parse_published_number("1/2"), near) == ("0.500000", "0.333333")
