"""What the house keeps: of the stake, and of all that is bet, with the numbers that anybody can count."""

from __future__ import annotations

import re
from fractions import Fraction
from html import unescape
from pathlib import Path

import pytest

import oddsmith
from oddsmith.api import StagedGame
from oddsmith.base.errors import RulesetError
from oddsmith.base.exact import Number
from oddsmith.base.executors import Work
from oddsmith.publish.site import site_pages
from oddsmith.report.answers import answers_of
from oddsmith.report.facts import house_edge_clauses
from tests.terminal import run

RULES = """\
format: 1
id: high-card
title: High Card
summary: Stake a coin, see a number, and fold or bet another coin that the next number is lower.
seats: 1
parameters:
  ante: {default: 1, min: 1, max: 3, about: Coins that are staked.}
state:
  seen: {max: 6, about: The first number.}
  bet: {start: ante, max: 6, about: Coins that are bet.}
  won: {type: flag, about: The second number was lower.}
payoffs:
  coins: bet if won else -bet
turn: first
phases:
  first:
    roll: {one: d6}
    do: set seen to one
    then: decide
  decide:
    choose:
      - {name: Fold, then: end}
      - {name: Bet, do: add ante to bet, then: second}
  second:
    roll: {two: d6}
    outcomes:
      - {name: Lower, when: two < seen, do: set won to true, then: end}
      - {name: High, then: end}
measures:
  The stake: {edge: coins, per: ante}
  What is bet: {edge: coins, per: bet}
  Wins: {mean: 1 if won else 0, at: end}
"""
PLAIN = f"{RULES}publish: {{seats: [1]}}\n"


def counted_things() -> tuple[Fraction, Fraction]:
    """The mean loss and the mean bet of best play, by all pairs of numbers."""
    lost = bet = Fraction(0)
    for one in range(1, 7):
        wins = sum(two < one for two in range(1, 7))
        raised = Fraction(2 * (6 - wins) - 2 * wins, 6)
        lost += min(raised, Fraction(1)) / 6
        bet += Fraction(2 if raised < 1 else 1, 6)
    return lost, bet


def test_the_house_edge_is_the_mean_loss_by_the_mean_bet() -> None:
    lost, bet = counted_things()
    assert (lost, bet) == (Fraction(1, 9), Fraction(5, 3))
    solved = oddsmith.loads(RULES).solve()
    assert solved.measures["The stake"].exact == lost
    assert solved.measures["What is bet"].exact == lost / bet
    assert house_edge_clauses(solved.game.ruleset, "coins", solved.measures) == [
        "the house keeps 11.1111 % of the stake, 6.6667 % of what is bet"
    ]
    assert oddsmith.loads(RULES).at(ante=3).solve().measures["The stake"].exact == lost, "whatever is staked"


def test_stages_find_the_same() -> None:
    staged = oddsmith.loads(RULES).solve(work=Work(method="stages"))
    assert isinstance(staged, StagedGame)
    answers = staged.answer_questions()
    for name, right in {"The stake": Fraction(1, 9), "What is bet": Fraction(1, 15), "Wins": Fraction(7, 18)}.items():
        found = answers[name]
        assert isinstance(found, Number)
        assert found.lower <= right <= found.upper
        assert found.decimal(12) == Number.of(right).decimal(12)


@pytest.mark.parametrize(
    ("edges", "words"),
    [
        ({"The stake": Fraction(-1, 200)}, ["the house loses 0.5000 % of the stake"]),
        ({"The stake": Fraction(0)}, ["the house keeps 0.0000 % of the stake"]),
        (
            {"What is bet": Fraction(1, 3), "The stake": Fraction(-1, 200)},
            ["the house loses 0.5000 % of the stake, keeps 33.3333 % of what is bet"],
        ),
        ({"The stake": None, "Wins": Fraction(1, 2)}, []),
    ],
)
def test_words_say_who_keeps(edges: dict[str, Fraction | None], words: list[str]) -> None:
    rules = oddsmith.loads(RULES).ruleset
    numbers = {name: None if each is None else Number.of(each) for name, each in edges.items()}
    assert house_edge_clauses(rules, "coins", numbers) == words


def test_the_edge_of_another_payoff_says_so() -> None:
    rules = oddsmith.loads(RULES.replace("payoffs:\n", "payoffs:\n  wins: 1 if won else 0\n")).ruleset
    assert house_edge_clauses(rules, "wins", {"The stake": Number.of(Fraction(1, 9))}) == [
        "of coins the house keeps 11.1111 % of the stake"
    ]


def test_solve_and_pages_say_it(tmp_path: Path) -> None:
    file = tmp_path / "high-card.yaml"
    file.write_text(RULES, "utf-8")
    done = run("solve", str(file))
    assert done.returncode == 0, done.stderr
    assert "  the house keeps 11.1111 % of the stake, 6.6667 % of what is bet\n" in done.stdout
    assert "The stake:" not in done.stdout, "it is told once"
    assert "  Wins: 0." in done.stdout
    page = site_pages([answers_of(oddsmith.loads(PLAIN).ruleset)], {})["games/high-card.md"].decode()
    told = " ".join(unescape(re.sub("<[^>]*>", " ", page)).split())
    assert "What does the house keep? The house keeps 11.1111 % of the stake, 6.6667 % of what is bet." in told
    assert "What is bet 6.6667 %" in told


def test_a_payoff_that_is_not_there_is_refused_at_its_line() -> None:
    with pytest.raises(RulesetError, match="there is no payoff coin"):
        oddsmith.loads(RULES.replace("{edge: coins, per: bet}", "{edge: coin, per: bet}"))
    with pytest.raises(RulesetError):
        oddsmith.loads(RULES.replace("{edge: coins, per: bet}", "{edge: coins}"))
