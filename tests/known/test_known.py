"""Published values, each with where it was published. Fractions must be equal; decimals must round to what was printed."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import product
from pathlib import Path

import pytest

from oddsmith.dice import NO_DICE
from oddsmith.exact import Number, decimal_text, published
from oddsmith.ruleset.binding import bind
from oddsmith.ruleset.game import Game
from oddsmith.ruleset.reading.build import load
from oddsmith.ruleset.rules import Rules, State
from oddsmith.solve.game_solver import solve
from oddsmith.solve.questions.measure import ask, length
from oddsmith.solve.solution import Solution
from tests.cases import Value, ruleset

HERE = Path(__file__).resolve().parent


def known(name: str, **parameters: Value) -> Game:
    return bind(load(HERE / f"{name}.yaml")[0], values=parameters)


def value(game: Game, objective: str | None = None, seat: int = 1) -> Fraction:
    exact = solve(game, objective).values[seat - 1].exact
    assert exact is not None
    return exact


def test_the_pass_line_of_craps() -> None:
    """244/495: C. M. Grinstead and J. L. Snell, Introduction to Probability, 2nd edition, example on craps."""
    game = bind(ruleset("craps"))
    assert value(game, "win") == Fraction(244, 495)
    assert value(game, "even") == Fraction(-7, 495)


def test_huygens_fifth_problem() -> None:
    """De ratiociniis in ludo aleae (1657), problem 5: the chances are as 244,140,625 to 282,429,536,481."""
    mine, other = 244_140_625, 282_429_536_481
    assert value(known("huygens-fifth"), seat=1) == Fraction(mine, mine + other)
    assert value(known("huygens-fifth"), seat=2) == Fraction(other, mine + other)


@pytest.mark.parametrize(("mine", "theirs", "pistoles"), [(1, 2, 48), (1, 3, 56), (2, 3, 44), (2, 2, 32)])
def test_the_problem_of_points(mine: int, theirs: int, pistoles: int) -> None:
    """Pascal to Fermat, 29 July 1654: with 32 pistoles each at stake, 48, 56 and 44 for the player who is ahead."""
    assert value(known("points", mine=mine, theirs=theirs)) == pistoles


def test_the_bets_of_de_mere() -> None:
    """Pascal to Fermat, 29 July 1654: a six in four throws is worth 671 to 625."""
    assert value(known("de-mere")) == Fraction(671, 671 + 625)
    assert value(known("de-mere", dice=2, throws=24)) == 1 - Fraction(35, 36) ** 24
    assert value(known("de-mere", dice=2, throws=24)) < Fraction(1, 2) < value(known("de-mere", dice=2, throws=25))


def test_the_coupon_collector() -> None:
    """W. Feller, An Introduction to Probability Theory and Its Applications, vol. 1, IX.3: n (1 + 1/2 + ... + 1/n)."""
    assert value(known("coupons")) == Fraction(147, 10)
    assert value(known("coupons", sides=8)) == 8 * sum(Fraction(1, face) for face in range(1, 9))


@pytest.mark.parametrize(("throws", "worth"), [(1, "7/2"), (2, "17/4"), (3, "14/3")])
def test_stop_or_throw(throws: int, worth: str) -> None:
    """7/2, 17/4 and 14/3: S. M. Ross, Introduction to Stochastic Dynamic Programming (optimal stopping of a die)."""
    assert value(known("stop-or-throw", throws=throws)) == Fraction(worth)


def test_piglet_to_two() -> None:
    """T. W. Neller and C. G. M. Presser, Optimal Play of the Dice Game Pig, UMAP Journal 25.1 (2004), section on Piglet."""
    solution = solve(bind(ruleset("piglet"), values={"target": 2}))
    printed = {
        (0, 0, 0): "4/7",
        (0, 0, 1): "5/7",
        (0, 1, 0): "2/5",
        (0, 1, 1): "3/5",
        (1, 0, 0): "4/5",
        (1, 1, 0): "2/3",
    }
    for (mine, theirs, turn), chance in printed.items():
        number = solution.find(State("decide", 0, 0, (mine, theirs, turn)))
        assert number is not None
        assert solution.state_values(number)[0].exact == Fraction(chance), (mine, theirs, turn)


@pytest.mark.parametrize(("dice", "printed"), [(1, "66.67 %"), (2, "44.44 %"), (3, "27.78 %")])
def test_a_throw_of_farkle_fails(dice: int, printed: str) -> None:
    """The table of chances to farkle by number of dice that goes with most printed rules."""
    game = bind(ruleset("farkle-turn"))
    rules, state = Rules(game), State("throw", 0, 0, (NO_DICE, dice, 0, 0))
    outcomes, whole = rules.outcomes(state)
    failing = sum(weight for weight, thrown in outcomes if rules.taken(state, thrown)[0] == "Farkle")
    assert published(printed).confirmed_by(Number.of(Fraction(failing, whole)))


def test_the_claims_of_rogues_gambit() -> None:
    """The sheet prints 0.421, 0.556 and 0.023, and for a good roll 9.5 coins, which is wrong: it is 12."""
    game = bind(ruleset("rogues-gambit"))
    answers = [ask(game, claim.ask, lambda: solve(game)) for claim in game.ruleset.claims]
    wanted = [Fraction(91, 216), Fraction(120, 216), Fraction(5, 216), Fraction(12)]
    assert [answer.exact for answer in answers] == wanted
    confirmed = [claim.stated.confirmed_by(answer) for claim, answer in zip(game.ruleset.claims, answers, strict=True)]
    assert confirmed == [claim.right for claim in game.ruleset.claims] == [True, True, True, False]


def test_rogues_gambit_for_two() -> None:
    """Found independently with another program, to twelve digits."""
    assert decimal_text(value(bind(ruleset("rogues-gambit"), 2), "coins"), 12) == "27.346953042836"


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
    found = length(holding(bind(ruleset("rogues-gambit"), seats), "hold at 20"))["rolls"]
    assert found.exact == rolls_from_scratch(25 * seats)
    assert published(rolls).confirmed_by(found), float(found)


def test_pig_alone_in_the_fewest_turns() -> None:
    """Haigh and Roters, Optimal Strategy in a Dice Game, J. Appl. Prob. 37 (2000): about 12.545 turns to 100."""
    number = solve(bind(ruleset("pig"), 1, {"target": 100}), "haste").values[0]
    assert published("12.545").confirmed_by(number), float(number)


@pytest.mark.long
def test_pig_for_two_to_a_hundred() -> None:
    """Neller and Presser (2004): the first player wins 53.06 % under optimal play by both."""
    number: Number = solve(bind(ruleset("pig"), 2, {"target": 100}), "win").values[0]
    assert published("53.06 %").confirmed_by(number), float(number)
