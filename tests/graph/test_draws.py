"""Draws whose order does not matter are counted as a hand, and weigh what all their orders weigh."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import permutations

import pytest

import oddsmith
from oddsmith.base.errors import RulesetError
from oddsmith.ruleset.binding import bind
from oddsmith.ruleset.rules import Rules

DRAWS = """\
format: 1
id: draws
title: Draws
summary: Marbles are drawn one after another.
seats: 1
lists:
  colours: span(1, 3)
state:
  bag:
    each: colours
    max: 4
    start: {{1: 3, 2: 2, 3: 1}}
  paid: {{max: 9}}
payoffs:
  pay: paid
turn: take
phases:
  take:
    draw: {draw}
    do: set paid to {paid}
    then: end
"""
ABC = "{a: bag, b: bag, c: bag}"
MARBLES = [1, 1, 1, 2, 2, 3]


@pytest.mark.parametrize(
    ("paid", "orders"),
    [
        ("size(distinct([a, b, c]))", 1),
        ("count([c, a, b], 1)", 1),
        ("(1 if a == b and b == c else 0)", 6),  # alike, and not found to be
        ("(1 if a == 1 else 0) + (1 if b == 1 else 0) + (1 if c == 1 else 0)", 1),
        ("(2 if a == b else 0) + (1 if c == 1 else 0)", 3),  # a and b alone are alike
        ("(4 if a == 1 else 0) + (2 if b == 1 else 0) + (1 if c == 1 else 0)", 6),
    ],
)
def test_draws_are_worth_what_their_orders_are_worth(paid: str, orders: int) -> None:
    book = oddsmith.loads(DRAWS.format(draw=ABC, paid=paid))
    text = paid.replace("size(distinct([a, b, c]))", "len({a, b, c})").replace(
        "count([c, a, b], 1)", "[c, a, b].count(1)"
    )
    paying = eval(f"lambda a, b, c: {text}")  # noqa: S307 - expressions of this file
    every = [paying(*order) for order in permutations(MARBLES, 3)]
    assert book.solve().values[0].exact == Fraction(sum(every), len(every))
    assert book.solve(symmetry=False).values[0].exact == Fraction(sum(every), len(every))
    rules = Rules(bind(book.ruleset))
    found, total = rules.weighted_chance_results(rules.start())
    assert sum(weight for weight, _ in found) == total
    worth = Counter[int]()
    for weight, thrown in found:
        worth[paying(*(value for _, value in thrown.values))] += weight
    assert {key: Fraction(weight, total) for key, weight in worth.items()} == {
        key: Fraction(many, len(every)) for key, many in Counter(every).items()
    }
    seen = {tuple(value for _, value in thrown.values) for _, thrown in found}
    assert (len(seen) < len(set(permutations(MARBLES, 3)))) == (orders < 6)


def test_a_question_that_tells_draws_apart_is_asked_of_all_orders() -> None:
    text = DRAWS.format(draw=ABC, paid="count([a, b, c], 1)")
    asked = text + "measures:\n  First: {mean: 1 if a == 1 else 0, at: [take, Marbles]}\n"
    named = asked.replace("    do: set", "    outcomes:\n      - name: Marbles\n        do: set").replace(
        "    then: end", "        then: end"
    )
    book = oddsmith.loads(named)
    assert book.solve().measures["First"].exact == Fraction(1, 2)


def test_draws_are_refused_before_they_are_listed() -> None:
    text = DRAWS.format(draw="{a: bag, b: bag, c: bag, d: bag, e: bag}", paid="size(distinct([a, b, c, d, e]))")
    many = text.replace("span(1, 3)", "span(1, 52)").replace("start: {1: 3, 2: 2, 3: 1}", "start: 1")
    with pytest.raises(RulesetError, match=r"OD417.* different hands, over 600,000"):
        oddsmith.loads(many).solve()


def test_two_marbles_are_alike_by_chance() -> None:
    book = oddsmith.loads(DRAWS.format(draw="{a: bag, b: bag}", paid="(1 if a == b else 0)"))
    assert book.solve().values[0].exact == Fraction(3 * 2 + 2 * 1, 6 * 5)
