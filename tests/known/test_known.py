"""Published values are what is computed, and each has its source. Below are values that were found for the project."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import product
from typing import Any

import pytest
from ruamel.yaml import YAML

import oddsmith
from oddsmith.base.exact import parse_published_number
from oddsmith.base.files import shipped_rulesets
from oddsmith.ruleset.binding import bind
from oddsmith.ruleset.game import Game
from oddsmith.ruleset.model import Setting
from oddsmith.solve.game_solver import solve
from oddsmith.solve.questions.measure import answer_question, expected_lengths
from oddsmith.solve.solution import Solution
from tests.cases import ruleset
from tests.known.numbers import HERE, KNOWN, Known, known, value

SOURCES: dict[str, Any] = YAML(typ="safe").load(HERE / "sources.yaml")


@pytest.mark.parametrize("known", KNOWN, ids=str)
def test_a_published_number_is_right(known: Known) -> None:
    number = known.find()
    assert parse_published_number(known.printed).is_confirmed_by(number), float(number)


def test_twenty_five_rolls_of_two_dice_are_better_than_even() -> None:
    assert value(known("de-mere", dice=2, throws=24)).exact == 1 - Fraction(35, 36) ** 24
    assert (
        value(known("de-mere", dice=2, throws=24)).upper
        < Fraction(1, 2)
        < value(known("de-mere", dice=2, throws=25)).lower
    )


def test_eight_coupons() -> None:
    assert value(known("coupons", sides=8)).exact == 8 * sum(Fraction(1, face) for face in range(1, 9))


def test_each_published_number_has_its_source() -> None:
    for name in shipped_rulesets():
        published_ones = {
            claim.stated_number.text for claim in oddsmith.load(name).ruleset.claims if claim.origin == "published"
        }
        assert set(SOURCES["printed"].get(name, {})) == published_ones, name
    used = {each.source for each in KNOWN}.union(*(of.values() for of in SOURCES["printed"].values()))
    assert used == set(SOURCES["sources"])
    assert all(set(source) <= {"cite", "read"} and source["cite"] for source in SOURCES["sources"].values())


def test_the_claims_of_rogues_gambit() -> None:
    """The sheet prints 0.421, 0.556 and 0.023, and for a good roll 9.5 coins, which is wrong: it is 12."""
    game = bind(ruleset("rogues-gambit"))
    answers = [answer_question(game, claim.question, lambda: solve(game)) for claim in game.ruleset.claims]
    wanted = [Fraction(91, 216), Fraction(120, 216), Fraction(5, 216), Fraction(12)]
    assert [answer.exact for answer in answers] == wanted
    confirmed = [
        claim.stated_number.is_confirmed_by(answer) for claim, answer in zip(game.ruleset.claims, answers, strict=True)
    ]
    assert confirmed == [claim.is_right for claim in game.ruleset.claims] == [True, True, True, False]


def test_rogues_gambit_for_two() -> None:
    """Found independently with another program, to twelve digits."""
    assert value(bind(ruleset("rogues-gambit"), Setting(2)), "coins").decimal(12) == "27.346953042836"


def holding(game: Game, name: str) -> Solution:
    """Everybody plays a named policy."""
    return solve(game, policies=dict.fromkeys(range(1, game.seats + 1), name))


def rolls_from_scratch(coins: int) -> Fraction:
    """Expected rolls of a round in which everybody stops at 20, from the 216 throws and nothing else.

    At the start of a turn with ``whole`` coins in the hoard the length is an affine function of itself, as a 1 brings
    every coin of the turn back.
    """
    sums = Counter(sum(dice) for dice in product(range(1, 7), repeat=3) if 1 not in dice and len(set(dice)) > 1)
    found: dict[int, Fraction] = {}
    for whole in range(1, coins + 1):

        @cache
        def turn(stash: int, whole: int = whole) -> tuple[Fraction, Fraction]:
            constant, share = Fraction(1), Fraction(91, 216)
            for total, ways in sums.items():
                held = stash + total
                more = (Fraction(0), Fraction(0)) if held >= whole else (found[whole - held], Fraction(0))
                if held < min(20, whole):
                    more = turn(held)
                constant, share = constant + Fraction(ways, 216) * more[0], share + Fraction(ways, 216) * more[1]
            return constant, share

        constant, share = turn(0)
        found[whole] = constant / (1 - share)
    return found[coins]


@pytest.mark.parametrize(("seats", "rolls"), [(2, "9.67"), (3, "13.35"), (4, "16.64"), (5, "19.56"), (6, "22.17")])
def test_the_length_of_a_round_that_holds_at_twenty(seats: int, rolls: str) -> None:
    """Derived for the project, by the lines above and by simulation; 25 coins a head."""
    found = expected_lengths(holding(bind(ruleset("rogues-gambit"), Setting(seats)), "hold at 20"))["rolls"]
    assert found.exact == rolls_from_scratch(25 * seats)
    assert parse_published_number(rolls).is_confirmed_by(found), float(found)
