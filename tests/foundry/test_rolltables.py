"""Tables to roll on: each is a die's exact law, worked out again here, and nothing is rounded to make one."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import product
from types import SimpleNamespace
from typing import Any

import pytest

from oddsmith.exact import Number
from oddsmith.report.answers import Account, Answer
from oddsmith.report.facts.key_facts import Distributions
from oddsmith.ruleset.rules import Rules, State
from oddsmith.solve.game_solver import solve
from oddsmith.solve.values.mixing import Mixture
from oddsmith.tabletops.common.rolltables import RESULTS, SIDES, RollTable
from oddsmith.tabletops.common.solved import left_out, roll_tables
from tests.foundry.accounts import PATHS, accounts

games = pytest.mark.parametrize("name", PATHS)


def law(table: RollTable) -> dict[str, Fraction]:
    """The chance of each result's text."""
    found: dict[str, Fraction] = {}
    for low, high, text in table.results:
        found[text] = found.get(text, Fraction(0)) + Fraction(high - low + 1, table.sides)
    return found


def made(account: Account, slug: str) -> RollTable:
    return next(table for table in roll_tables(account) if table.slug == slug)


@games
def test_every_number_of_the_die_has_one_result(name: str) -> None:
    tables = roll_tables(accounts(name))
    assert tables or name == "dice-only"
    assert len({table.slug for table in tables}) == len(tables)
    for table in tables:
        assert 1 < table.sides <= SIDES
        assert len(table.results) <= RESULTS
        numbers = [number for low, high, _ in table.results for number in range(low, high + 1)]
        assert numbers == list(range(1, table.sides + 1))


@games
def test_chances_of_a_throw_are_those_of_the_rules(name: str) -> None:
    account = accounts(name)
    rules = Rules(account.main.game)
    phases = [phase.name for phase in rules.game.ruleset.phases.values() if phase.kind == "roll"]
    laws = [law(table) for table in roll_tables(account) if table.slug.startswith("chances")]
    tried = 0
    for phase in phases:
        start = State(phase, 0, 0, rules.game.start)
        outcomes, ways = rules.outcomes(start)
        found: dict[str, Fraction] = {}
        for weight, thrown in outcomes:
            taken = rules.taken(start, thrown)[0] or "anything"
            found[taken] = found.get(taken, Fraction(0)) + Fraction(weight, ways)
        tried += found in laws
    assert tried or not laws


def test_a_bet_pays_with_its_published_chances() -> None:
    assert law(made(accounts("bet"), "bet-1-seats-stakes_won")) == {
        "pays -1": Fraction(251, 495),
        "pays 1": Fraction(244, 495),
    }


def test_what_is_no_die_is_left_out_and_said_to_be() -> None:
    (said,) = [text for text in left_out(accounts("bet")) if text.startswith("How long")]
    assert "no greatest number" in said


# --- lists of a ruleset


def listed(dice: str, count: int) -> Account:
    """An account of nothing but a list to roll on, its results numbered."""
    rows = [f"result {number}" for number in range(count)]
    rules = replace(accounts("race").ruleset, data={"tables": {"Omens [[x]]": {"dice": dice, "rows": rows}}})
    return replace(accounts("race"), ruleset=rules)


@pytest.mark.parametrize(("dice", "sides"), [("1d4", (4,)), ("2d6", (6, 6)), ("d6 + d4", (6, 4)), ("3d2", (2, 2, 2))])
def test_a_list_has_the_law_of_its_sum(dice: str, sides: tuple[int, ...]) -> None:
    sums = [sum(faces) for faces in product(*(range(1, each + 1) for each in sides))]
    table = made(listed(dice, len(set(sums))), "list-1")
    wanted = {
        f"result {place}": Fraction(sums.count(total), len(sums)) for place, total in enumerate(sorted(set(sums)))
    }
    assert law(table) == wanted
    assert "Omens [[x]]" in table.title


@pytest.mark.parametrize(
    ("dice", "count"), [("d66", 6), ("2d6", 6), ("coins", 2), ("9d9", 73), ("1d100", 100), ("99d999", 2)]
)
def test_a_list_that_is_none_of_a_die_is_left_out(dice: str, count: int) -> None:
    account = listed(dice, count)
    assert all(table.slug != "list-1" for table in roll_tables(account))
    assert any(text.startswith("Omens [[x]]: ") for text in left_out(account))


# --- play that mixes


def mixing(first: Number) -> Account:
    """The race, as if best play mixed in one of its decisions."""
    account = accounts("race")
    main = account.main
    solution = solve(main.game, main.setting.objective)
    state = next(s for s in range(solution.graph.states) if len(solution.graph.rows(s)) == 2)
    start = int(solution.solved.arena.state_rows[state])
    solved = replace(solution.solved, mixtures={state: Mixture({start: first, start + 1: 1 - first})})
    answer = Answer(main.setting, main.game, replace(solution, solved=solved), main=True)
    return replace(account, plain=(answer,))


def test_a_mixture_that_is_a_fraction_is_a_table() -> None:
    account = mixing(Number.of(Fraction(1, 3)))
    (table,) = [each for each in roll_tables(account) if each.slug.startswith("mixed")]
    assert (table.sides, list(law(table).values())) == (3, [Fraction(1, 3), Fraction(2, 3)])
    assert set(law(table)) == {"Stop", "Toss"}


@pytest.mark.parametrize("first", [Number(Fraction(1, 3), Fraction(2, 5)), Number.of(Fraction(1, SIDES + 1))])
def test_a_mixture_that_is_none_of_a_die_is_said_to_be(first: Number) -> None:
    account = mixing(first)
    assert not [each for each in roll_tables(account) if each.slug.startswith("mixed")]
    assert any(text.startswith("Best play, 2 players") for text in left_out(account))


# --- distributions


def spread(chances: list[Number], beyond: Number) -> Account:
    """The race, as if its length were distributed so."""
    outcomes = [SimpleNamespace(name=str(k), chance=chance) for k, chance in enumerate(chances, 1)]
    whole = [*chances, beyond]
    exact = all(number.exact is not None for number in whole)
    found: Any = SimpleNamespace(outcomes=outcomes, beyond=beyond, grade="exact" if exact else "proven")
    answer = replace(accounts("race").main)
    answer.__dict__["distributions"] = Distributions(found, "turns", None)
    return replace(accounts("race"), plain=(answer,))


def test_a_length_with_an_end_is_a_table() -> None:
    table = made(spread([Number.of(Fraction(1, 6)), Number.of(0), Number.of(Fraction(5, 6))], Number.of(0)), "length")
    assert law(table) == {"1 turns": Fraction(1, 6), "3 turns": Fraction(5, 6)}


@pytest.mark.parametrize(
    ("chances", "beyond", "why"),
    [
        ([Number.of(Fraction(5, 6))], Number.of(Fraction(1, 6)), "no greatest number"),
        ([Number(Fraction(1, 3), Fraction(2, 3))], Number.of(0), "within bounds"),
        ([Number.of(Fraction(1, RESULTS + 1))] * (RESULTS + 1), Number.of(0), f"it has {RESULTS + 1} results"),
        ([Number.of(Fraction(1, 10007)), Number.of(Fraction(10006, 10007))], Number.of(0), "a die of 10,007 sides"),
    ],
)
def test_a_length_that_no_die_tells_is_said_to_be(chances: list[Number], beyond: Number, why: str) -> None:
    account = spread(chances, beyond)
    assert all(table.slug != "length" for table in roll_tables(account))
    assert any(why in text for text in left_out(account))
