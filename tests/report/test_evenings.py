"""Evenings of many games: counted by hand, walked coin by coin, and played with dice."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import product
from math import comb, sqrt
from random import Random

import pytest

import oddsmith
from oddsmith.api.solved import SolvedGame
from oddsmith.base.errors import ContestError, UnknownPolicyError
from oddsmith.base.exact import Number
from oddsmith.cli.distributions import distribution_lines
from oddsmith.report.contests import evenings
from oddsmith.report.contests.tables import BEST
from oddsmith.ruleset.play import played_moves, random_result_picker
from oddsmith.ruleset.rules import Action, Rules, State
from oddsmith.solve.policies import NamedPolicy
from tests.cases import SAMPLES

COIN = """
format: 1
id: coin
title: A Coin
summary: Toss a coin for a coin.
source: {title: A Coin, author: a test}
seats: 1
parameters:
  weight: {default: 1, min: 1, max: 9, about: How many times as often it is won as lost.}
dice:
  coin: {faces: [0, 1], weights: [1, weight]}
state:
  won: {max: 1, about: 1 when it is won.}
payoffs:
  even: 2 * won - 1
  treble: 3 * won - 1
  half: (2 * won - 1) / 2
  tosses: {value: 1 + won, goal: min}
turn: toss
phases:
  toss:
    roll: {flip: coin}
    outcomes:
      - name: Won
        when: flip == 1
        do: add 1 to won
        then: end
      - name: Lost
        then: end
"""


def coin(objective: str = "even", weight: int = 1) -> SolvedGame:
    return oddsmith.loads(COIN).at(objective=objective, weight=weight).solve()


def piglet() -> SolvedGame:
    return oddsmith.load("piglet").at(target=3).solve()


def meets(number: Number, other: Number) -> bool:
    """Whether two enclosures of one number agree."""
    return number.lower <= other.upper and other.lower <= number.upper


# --- evenings counted by hand


@pytest.mark.parametrize(("games", "weight"), [(1, 1), (7, 1), (12, 3)])
def test_games_won_are_binomial(games: int, weight: int) -> None:
    law = coin(weight=weight).evening(games).result.distribution
    chance = Fraction(weight, weight + 1)
    assert law.grade == "exact"
    for won in range(games + 1):
        outcome = law.outcomes[won]
        expected = comb(games, won) * chance**won * (1 - chance) ** (games - won)
        assert outcome.value == 2 * won - games
        assert outcome.chance.exact == expected
    assert law.mean == Number.of(games * (2 * chance - 1))
    assert law.standard_deviation is not None
    square = 4 * games * chance * (1 - chance)
    assert law.standard_deviation.lower**2 <= square <= law.standard_deviation.upper**2


@pytest.mark.parametrize(("games", "purse"), [(1, 1), (9, 3), (10, 3), (20, 5)])
def test_ruin_with_a_fair_coin_follows_the_reflection_principle(games: int, purse: int) -> None:
    """A walk comes to -a within K steps as often as it ends at -a or below, and once more as often as it ends below -a."""
    ends = {2 * won - games: Fraction(comb(games, won), 2**games) for won in range(games + 1)}
    expected = sum(chance * ((end <= -purse) + (end < -purse)) for end, chance in ends.items())
    found = coin().evening(games, purse)
    assert found.ruin is not None
    assert found.ruin.exact == expected
    assert found.stake.needed_coins == 1


@pytest.mark.parametrize("purse", [1, 2, 4])
def test_ruin_comes_to_that_of_the_gambler(purse: int) -> None:
    """With chance p > q of a coin, the chance ever to lose a coins is (q / p) ** a; the evening has most of it, never more."""
    ever = Fraction(1, 2**purse)
    found = coin(weight=2).evening(400, purse)
    assert found.ruin is not None
    assert ever - Fraction(1, 10**6) < found.ruin.lower <= found.ruin.upper < ever


def walked(
    steps: dict[Fraction, Fraction], games: int, purse: int, need: Fraction
) -> tuple[dict[Fraction, Fraction], Fraction]:
    """The same by a dictionary: what is left at the end, and the chance of ruin."""
    law, ruined = {Fraction(purse): Fraction(1)}, dict[Fraction, Fraction]()
    for _ in range(games):
        after = dict[Fraction, Fraction]()
        for (left, chance), (step, share) in product(law.items(), steps.items()):
            into = after if left + step >= need else ruined
            into[left + step] = into.get(left + step, Fraction(0)) + chance * share
        law = after
    return {left: law.get(left, Fraction(0)) + ruined.get(left, Fraction(0)) for left in {*law, *ruined}}, sum(
        ruined.values(), Fraction(0)
    )


@pytest.mark.parametrize(("objective", "scale"), [("even", 1), ("treble", 1), ("half", 2)])
@pytest.mark.parametrize("stake", [None, 2])
def test_a_purse_is_followed_coin_by_coin(objective: str, scale: int, stake: int | None) -> None:
    paid = stake or 0
    lost, won = (Fraction(end, scale) for end in {"treble": (-1, 2)}.get(objective, (-1, 1)))
    steps = {lost - paid: Fraction(1, 4), won - paid: Fraction(3, 4)}
    need = paid - lost
    expected, ruin = walked(steps, 9, 4, need)
    found = coin(objective, weight=3).evening(9, 4, stake=stake)
    assert found.ruin is not None
    assert (found.stake.needed_coins, found.ruin.exact) == (need, ruin)
    law = {outcome.value: outcome.chance.exact for outcome in found.result.distribution.outcomes}
    assert law == {left - 4: chance for left, chance in expected.items()}
    assert found.result.distribution.mean == Number.of(sum(chance * (left - 4) for left, chance in expected.items()))


@pytest.mark.parametrize("share", [Fraction(1, 2), Fraction(9, 10), Fraction(999, 1000)])
def test_a_purse_that_lasts_is_the_smallest_that_does(share: Fraction) -> None:
    solved = coin("treble", weight=2)
    ((asked, purse),) = solved.evening(12, survival_probabilities=[share]).lasting_purses
    assert asked == share
    ruin = [solved.evening(12, each).ruin for each in (purse, purse - 1) if each]
    assert ruin[0] is not None
    assert ruin[0].exact is not None
    assert ruin[0].exact <= 1 - share
    assert all(less is not None and less.lower > 1 - share for less in ruin[1:])


def test_units_that_are_rounded_down_enclose_the_fractions(monkeypatch: pytest.MonkeyPatch) -> None:
    exact = coin(weight=2).evening(30, 3, oddsmith.Matchup(second_player_policy="best"))
    monkeypatch.setattr(evenings, "EXACT_BITS", 0)
    rounded = coin(weight=2).evening(30, 3, oddsmith.Matchup(second_player_policy="best"))
    assert (exact.grade, rounded.grade) == ("exact", "proven")
    for one, other in (
        (exact.result, rounded.result),
        (exact.lead_over_second_player, rounded.lead_over_second_player),
    ):
        assert one is not None
        assert other is not None
        pairs = [
            (one.probability_ahead, other.probability_ahead),
            (one.probability_even, other.probability_even),
            (one.probability_behind, other.probability_behind),
            (one.distribution.mean, other.distribution.mean),
        ]
        pairs += [
            (a.chance, b.chance) for a, b in zip(one.distribution.outcomes, other.distribution.outcomes, strict=True)
        ]
        pairs += [
            (a.at_most, b.at_most) for a, b in zip(one.distribution.outcomes, other.distribution.outcomes, strict=True)
        ]
        for known, near in [
            *pairs,
            (exact.ruin, rounded.ruin),
            (one.distribution.standard_deviation, other.distribution.standard_deviation),
        ]:
            assert known is not None
            assert near is not None
            assert near.lower <= known.lower <= known.upper <= near.upper < near.lower + Fraction(1, 10**50)


def test_nothing_is_listed_beyond_what_can_be_won(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(evenings, "EXACT_BITS", 0)
    law = coin(weight=2).evening(5).result.distribution
    assert law.beyond.upper > 0
    assert law.at_most(5) == Number.of(1)
    assert [name for name, _, _ in distribution_lines(law)] == ["-5", "-3", "-1", "1", "3", "5"]


def test_what_is_hardly_ever_seen_is_gathered_at_both_ends() -> None:
    law = coin().evening(200).result.distribution
    lines = list(distribution_lines(law))
    assert len(lines) <= 20
    assert (lines[0][0][:5], lines[-1][0][:4]) == ("under", "over")
    for name, chance, at_most in lines[1:-1]:
        low, high = (int(end) for end in (name.split(" to ") if " to " in name else (name, name)))
        inside = [each.chance.lower for each in law.outcomes if each.value is not None and low <= each.value <= high]
        assert chance.lower == sum(inside)
        assert at_most == law.at_most(high)
    assert sum(chance.lower for _, chance, _ in lines) == 1


# --- evenings by their laws


def test_seats_go_round_from_the_first() -> None:
    solved = piglet()
    first, second = (
        solved.evening(1, matchup=oddsmith.Matchup(seat=seat)).result.probability_ahead.exact for seat in (1, 2)
    )
    assert (first, second) == tuple(value.exact for value in solved.values)
    assert first is not None
    assert second is not None
    found = solved.evening(3)
    assert found.seat is None
    assert {each.value: each.chance.exact for each in found.result.distribution.outcomes}[
        Fraction(3)
    ] == first**2 * second
    assert (
        solved.evening(3, matchup=oddsmith.Matchup(seat=2)).result.distribution.outcomes[-1].chance.exact == second**3
    )


def test_who_plays_alike_is_ahead_as_often_as_behind() -> None:
    """Seats in turn over an even number of games, and everybody plays the same: what one wins the other does."""
    found = piglet().evening(6, matchup=oddsmith.Matchup(second_player_policy=BEST))
    assert found.result.probability_ahead == found.result.probability_behind
    assert (
        found.result.probability_ahead + found.result.probability_even + found.result.probability_behind == Number.of(1)
    )
    assert found.lead_over_second_player is not None
    assert found.lead_over_second_player.probability_ahead == found.lead_over_second_player.probability_behind
    assert found.lead_over_second_player.distribution.mean == Number.of(0)


def test_the_mean_of_an_evening_is_that_of_its_games() -> None:
    solved = oddsmith.load("rogues-gambit").at(seats=3, coins_each=4).solve()
    found = solved.evening(7, matchup=oddsmith.Matchup(player_policy="hold at 20", others_policy=BEST))
    values = [
        solved.tournament(with_best_responses=False).match("hold at 20", BEST).values[at % 3] - 4 for at in range(7)
    ]
    assert found.result.distribution.mean is not None
    assert meets(found.result.distribution.mean, sum(values, Number.of(0)))
    assert found.stake.is_set_by_rules
    assert found.stake.cost == found.stake.needed_coins == 4


def test_where_less_is_better_less_is_ahead() -> None:
    found = (
        oddsmith.load("pig")
        .at(seats=1, target=10)
        .solve()
        .evening(4, matchup=oddsmith.Matchup(player_policy="hold at 20", second_player_policy="best"))
    )
    assert found.lead_over_second_player is not None
    assert found.lead_over_second_player.distribution.mean is not None
    assert found.lead_over_second_player.distribution.mean.lower >= 0
    assert (
        found.lead_over_second_player.probability_ahead.upper <= found.lead_over_second_player.probability_behind.lower
    )


def test_evenings_that_are_played_come_out_as_they_are_computed() -> None:
    solved, random, rules = piglet(), Random(4), Rules(piglet().game)  # noqa: S311 - games, not secrets
    found = solved.evening(4, 3, oddsmith.Matchup(player_policy="hold at 2", others_policy="bank at once"))
    plans = {name: NamedPolicy(solved.game, name) for name in ("hold at 2", "bank at once")}
    ruined = ahead = 0
    times = 500
    for _ in range(times):
        purse, broke = 3, False
        for game in range(4):
            own = game % 2

            def choose(state: State, actions: list[Action], own: int = own) -> int:
                return plans["hold at 2" if state.mover == own else "bank at once"].choose_action_index(state, actions)

            *_, last = played_moves(rules, choose, random_result_picker(random))
            purse += 1 if rules.payoffs(last.step.state, "win")[own] == 1 else -1
            broke = purse < 1
            if broke:
                break
        ruined, ahead = ruined + broke, ahead + (purse > 3)
    assert found.ruin is not None
    for count, chance in ((ruined, float(found.ruin)), (ahead, float(found.result.probability_ahead))):
        assert abs(count / times - chance) < 4 * sqrt(chance * (1 - chance) / times)


# --- as data, and what is refused


def test_records_have_a_line_for_each_match_and_each_result() -> None:
    found = piglet().tournament()
    assert len(found.table("records")) == len(found.matches) + len(found.best_responses)
    assert set(found.records()[0]) == {"policy", "against", "mean", "lead", "seat_1", "seat_2", "problem"}
    night = piglet().evening(3)
    assert [line["result"] for line in night.table("records")] == ["-3", "-1", "1", "3"]


def test_a_contest_without_sense_is_refused_with_a_way_out() -> None:
    solved, book = piglet(), oddsmith.load("rogues-gambit")
    coins = book.at(seats=2, coins_each=4).solve()
    refused: list[tuple[Callable[[], object], str]] = [
        (lambda: coin().tournament(), "names no policies"),
        (lambda: solved.tournament(["answer", "best"]), "a line of its own"),
        (lambda: solved.evening(0), "at least one game"),
        (lambda: solved.evening(2, matchup=oddsmith.Matchup(seat=3)), "seats are 1 to 2"),
        (lambda: solved.evening(2, matchup=oddsmith.Matchup(others_policy="answer")), "for the player alone"),
        (lambda: coin().evening(2, matchup=oddsmith.Matchup(others_policy="x")), "no policy x"),
        (lambda: solved.evening(2, 2, stake=3), "takes 3"),
        (lambda: coins.evening(2, stake=1), "already brings 4"),
        (lambda: coin("tosses").evening(2, 5), "is to be low"),
        (lambda: coin("tosses").evening(2, stake=5), "leave out the stake"),
        (lambda: coin().evening(200_000), "take fewer games"),
        (lambda: coin().evening(60_000, 5), "not followed through 60,000 games"),
        (lambda: coin().evening(2, survival_probabilities=[Fraction(1)]), "between 0 and 1"),
        (lambda: oddsmith.load(SAMPLES / "craps.yaml").at(objective="win").solve().evening(3, 4), "costs nothing"),
        (lambda: book.at(seats=2, coins_each=4).solve(policies={1: "hold at 20"}).tournament(), "solve it without"),
    ]
    for ask, words in refused:
        with pytest.raises((ContestError, UnknownPolicyError), match=words):
            ask()


def test_a_pot_that_is_shared_pays_each_a_part() -> None:
    """Two who share a win share the pot; each gets back what both staked."""
    found = (
        oddsmith.load("ship-captain-crew")
        .at(seats=2)
        .solve()
        .evening(1, matchup=oddsmith.Matchup(player_policy="sail at once", others_policy="sail at once"), stake=3)
    )
    law = {each.value: each.chance for each in found.result.distribution.outcomes}
    assert set(law) == {Fraction(-3), Fraction(0), Fraction(3)}
    assert all(chance.lower > 0 for chance in law.values())
