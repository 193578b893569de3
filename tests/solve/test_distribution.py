"""Distributions: against every play of a game, against means that are found otherwise, against play, and by each
arithmetic.
"""

from __future__ import annotations

import operator
from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from functools import cache
from itertools import product
from math import comb, sqrt
from pathlib import Path
from random import Random

import pytest

import oddsmith
from oddsmith.base.distributions import Comparison, Distribution, Outcome
from oddsmith.base.errors import DistributionError
from oddsmith.base.exact import Number
from oddsmith.graph.explore import Explorer
from oddsmith.graph.reductions.reduce import ReductionOptions
from oddsmith.graph.state_map import StateMap
from oddsmith.ruleset.binding import bind
from oddsmith.ruleset.model import Setting
from oddsmith.ruleset.play import PlayedMove
from oddsmith.ruleset.reading.build import load_ruleset
from oddsmith.ruleset.rules import Rules
from oddsmith.ruleset.simulation import GameSimulator
from oddsmith.solve.game_solver import solve
from oddsmith.solve.questions import mass_flow as flow
from oddsmith.solve.questions import mass_flow as mass
from oddsmith.solve.questions.distribution import distribution
from tests.cases import RULESETS, Case, ruleset, smallest, solved
from tests.simulate.test_agreement import follow
from tests.solve.playing_out import played_out

PIG = Case("pig", 2, {"target": 6})
CRAPS = Case("craps", 1)
GAMBIT = Case("rogues-gambit", 2, {"coins_each": 6})
SNAKES = Case("snakes-and-ladders", 2)

ADDS: dict[str, Callable[[PlayedMove], int]] = {
    "turns": lambda move: move.step.turn_over,
    "rolls": lambda move: move.rolled_dice,
    "turns of seat 2": lambda move: move.step.turn_over and move.state.mover == 1,
    "busts": lambda move: move.step.events.count(("throw", "Bust")),
    "meals": lambda move: move.step.events.count(("throw", "Made a Meal")),
    "threes": lambda move: move.step.events.count(("throw", "Three")),
    "misses": lambda move: move.step.events.count(("chase", "Again")),
}


@cache
def found(case: Case, objective: str, what: str, seat: int | None = None) -> Distribution:
    return distribution(solved(case, objective), what, seat)


def holds(number: Number, value: Fraction) -> bool:
    return number.lower <= value <= number.upper


def total(law: Distribution) -> Number:
    """The chance of anything at all."""
    parts = [law.beyond, *(outcome.chance for outcome in law.outcomes)]
    return Number(sum((p.lower for p in parts), Fraction(0)), sum((p.upper for p in parts), Fraction(0)))


# --- against every play


@pytest.mark.parametrize(
    ("case", "objective", "what", "seat", "adds", "most"),
    [
        (PIG, "win", "turns", None, "turns", 12), (PIG, "win", "rolls", None, "rolls", 14),
        (PIG, "win", "turns", 2, "turns of seat 2", 4), (PIG, "win", "count throw/Bust", None, "busts", 6),
        (CRAPS, "win", "rolls", None, "rolls", 12), (CRAPS, "win", "count chase/Again", None, "misses", 10),
        (GAMBIT, "coins", "turns", None, "turns", 5), (GAMBIT, "coins", "count throw/Made a Meal", None, "meals", 4),
        (SNAKES, "win", "rolls", None, "rolls", 9), (SNAKES, "win", "turns", None, "turns", 9),
    ],
)  # fmt: skip
def test_sums_are_those_of_every_play(
    case: Case, objective: str, what: str, seat: int | None, adds: str, most: int
) -> None:
    law = found(case, objective, what, seat)
    every, beyond = played_out(case.game, follow(solved(case, objective)), ADDS[adds], most)
    wanted = {value: chance for value, chance in every.items() if value <= most}
    told = {outcome.value: outcome.chance for outcome in law.outcomes if outcome.value is not None}
    assert {value for value in told if value <= most} == set(wanted)
    for value, chance in wanted.items():
        assert holds(told[value], chance)
        assert law.grade == "proven" or told[value].exact == chance
    assert holds(law.at_most(most), sum(wanted.values(), Fraction(0)))
    assert sum(every.values(), beyond) == 1


def test_final_payoffs_are_those_of_every_play() -> None:
    """Turns count a thousand each, so that what is paid can be read off the sum."""
    pig, snakes = solved(PIG, "win"), solved(SNAKES, "win")
    for solution, what in ((pig, "points"), (pig, "win"), (snakes, "win")):
        rules = Rules(solution.graph.game)
        for seat in (1, 2):
            ending = lambda end, seat=seat, what=what, rules=rules: rules.payoffs(end, what)[seat - 1]  # noqa: E731
            law = distribution(solution, what, seat)
            wanted, beyond = played_out(solution.graph.game, follow(solution), ADDS["turns"], 10, 1000, ending)
            for outcome in law.outcomes:
                assert outcome.value is not None
                sure = sum(mass for value, mass in wanted.items() if value % 1000 == outcome.value)
                assert sure <= outcome.chance.upper
                assert outcome.chance.lower <= sure + beyond


@pytest.mark.parametrize(("coins", "objective"), [(6, "coins"), (4, "win")])
def test_a_payoff_that_falls_is_told_like_one_that_rises(coins: int, objective: str, tmp_path: Path) -> None:
    path = tmp_path / "debt.yaml"
    text = (RULESETS / "rogues-gambit.yaml").read_text("utf-8")
    path.write_text(text.replace("  coins: purse\n", "  coins: purse\n  debt: 3 - 2 * purse\n"), "utf-8")
    solution = solve(bind(load_ruleset(path)[0], Setting(2, values={"coins_each": coins})), objective)
    risen, fallen = distribution(solution, "coins", 2), distribution(solution, "debt", 2)
    assert fallen.mean is not None
    assert risen.mean is not None
    assert fallen.mean.exact == 3 - 2 * (risen.mean.exact or 0)
    mirrored = {3 - 2 * (outcome.value or 0): outcome.chance.exact for outcome in risen.outcomes}
    assert {outcome.value: outcome.chance.exact for outcome in fallen.outcomes} == mirrored
    assert fallen.grade == "exact"


# --- against what is known otherwise


def quick() -> list[Case]:
    """Every game at its first size, but for those that are slow."""
    return [case for case in smallest() if case.name not in ("ship-captain-crew", "column-race")]


@pytest.mark.parametrize("case", quick(), ids=str)
def test_chances_add_up_and_means_are_means(case: Case) -> None:
    objective = case.objectives[0]
    for what in ("turns", "rolls", "payoff"):
        law = found(case, objective, what)
        assert holds(total(law), Fraction(1))
        assert total(law).upper - total(law).lower < Fraction(1, 10**15)
        values = [outcome.value or Fraction(0) for outcome in law.outcomes]
        assert values == sorted(values)
        assert law.mean is not None
        mean = sum((o.chance.middle * v for o, v in zip(law.outcomes, values, strict=True)), Fraction(0))
        assert abs(mean - law.mean.middle) < Fraction(1, 10**9)
        if law.standard_deviation is not None:
            square = sum((o.chance.middle * v * v for o, v in zip(law.outcomes, values, strict=True)), Fraction(0))
            assert abs(float(square - mean * mean) - float(law.standard_deviation) ** 2) < 1e-9
        if law.beyond.exact == 0 and law.grade == "exact":
            assert holds(law.mean, mean)


@pytest.mark.parametrize("case", [PIG, SNAKES, GAMBIT, Case("piglet", 2, {"target": 2})], ids=str)
def test_shares_and_winners_agree_with_the_value_of_winning(case: Case) -> None:
    solution = solved(case, "win")
    winners = {outcome.name: outcome.chance.middle for outcome in distribution(solution, "winner").outcomes}
    assert sum(winners.values()) == 1
    for seat, value in enumerate(solution.values, 1):
        share = distribution(solution, "win", seat)
        assert share.mean == value
        alone = next((outcome.chance.exact for outcome in share.outcomes if outcome.value == 1), 0)
        assert alone == winners.get(str(seat), 0)
        assert value.exact == sum(
            mass / len(name.split()) for name, mass in winners.items() if str(seat) in name.split()
        )


def test_the_win_of_a_game_without_such_a_payoff() -> None:
    """The dragon's hoard is played for coins; who wins is told all the same, under the play for coins."""
    solution = solved(GAMBIT, "coins")
    winners = {outcome.name: outcome.chance.exact for outcome in distribution(solution, "winner").outcomes}
    mine, theirs = (distribution(solution, "coins", seat) for seat in (1, 2))
    assert sum(value or 0 for value in winners.values()) == 1
    more = 1 - (mine.at_most(Fraction(6)).exact or 0)  # of twelve coins, all of which somebody gets
    assert winners["1"] == more
    assert winners["2"] == 1 - (theirs.at_most(Fraction(6)).exact or 0)


def test_a_policy_for_winning_is_followed_where_coins_are_counted() -> None:
    """The graph of coins alone would not tell purses apart, on which a policy for winning depends."""
    solution = solved(GAMBIT, "win")
    play, coins = follow(solution), distribution(solution, "coins")
    rules = Rules(GAMBIT.game)
    wanted, beyond = played_out(GAMBIT.game, play, ADDS["turns"], 7, 1000, lambda end: rules.payoffs(end, "coins")[0])
    for outcome in coins.outcomes:
        sure = sum(mass for value, mass in wanted.items() if value % 1000 == outcome.value)
        assert sure <= outcome.chance.upper
        assert outcome.chance.lower <= sure + beyond


# --- under a condition


def test_a_condition_is_a_quotient() -> None:
    solution = solved(PIG, "win")
    choose, most = follow(solution), 5

    def adds(move: PlayedMove) -> int:  # a bust counts 100, so that both can be read off the sum
        return move.step.turn_over + 100 * (("throw", "Bust") in move.step.events)

    wanted, beyond = played_out(PIG.game, choose, adds, 100 * most)
    busted = 1 - sum(mass for value, mass in wanted.items() if value < 100)
    law = distribution(solution, "turns", given_entry=("throw", "Bust"))
    assert law.outcomes[0].value == 2
    for outcome in law.outcomes[:3]:
        assert outcome.value is not None
        both = sum((m for value, m in wanted.items() if value >= 100 and value % 100 == outcome.value), Fraction(0))
        assert holds(outcome.chance, both / busted)
    assert holds(total(law), Fraction(1))
    assert beyond < 1
    with pytest.raises(DistributionError, match="no play takes it"):
        distribution(
            solved(Case("hot-purse", 2, {"coins_each": 2}), "coins"), "rolls", given_entry=("rob or shrug", "Shrug")
        )


# --- each arithmetic


@pytest.mark.parametrize(
    "changed",
    [
        {"EXACT_WORK": 0},
        {"EXACT_WORK": 0, "MAX_INTEGER_TRANSITIONS": 0},
        {"EXACT_WORK": 0, "FACTORED_COMPONENT": 0},
        {"EXACT_WORK": 0, "MAX_INTEGER_TRANSITIONS": 0, "FACTORED_COMPONENT": 0},
        {"EXACT_WORK": 700},
    ],
    ids=str,
)
@pytest.mark.parametrize(
    ("case", "objective", "what", "seat"),
    [
        (CRAPS, "win", "count chase/Made", None),
        (PIG, "win", "turns", None),
        (GAMBIT, "coins", "coins", 2),
        (GAMBIT, "coins", "count throw/Trifecta", None),
        (GAMBIT, "win", "winner", None),
    ],
)
def test_bounds_hold_the_fractions(
    case: Case, objective: str, what: str, seat: int | None, changed: dict[str, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Fractions, Python's integers, limbs, components by refinement and by iteration: the same chances."""
    exact = found(case, objective, what, seat)
    assert exact.grade == "exact"
    for name, value in changed.items():
        monkeypatch.setattr(flow, name, value)
    law = distribution(solved(case, objective), what, seat)
    assert [outcome.name for outcome in law.outcomes] == [outcome.name for outcome in exact.outcomes]
    for mine, theirs in zip(law.outcomes, exact.outcomes, strict=True):
        assert theirs.chance.exact is not None
        assert holds(mine.chance, theirs.chance.exact)
        assert mine.chance.upper - mine.chance.lower < Fraction(1, 10**15)
        if mine.at_most is not None and theirs.at_most is not None:
            assert mine.at_most.lower <= theirs.at_most.lower
            assert theirs.at_most.upper <= mine.at_most.upper
    assert law.beyond.lower <= exact.beyond.middle <= law.beyond.upper


@pytest.mark.parametrize("bits", [3, 10, 24])
@pytest.mark.parametrize(
    ("case", "objective", "what"),
    [(CRAPS, "win", "count chase/Made"), (CRAPS, "win", "rolls"), (PIG, "win", "turns"), (GAMBIT, "coins", "coins")],
)
def test_coarse_units_give_wide_bounds_and_no_wrong_ones(
    case: Case, objective: str, what: str, bits: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    exact = found(case, objective, what)
    monkeypatch.setattr(flow, "EXACT_WORK", 0)
    monkeypatch.setattr(mass, "WHOLE_BITS", bits)
    law = distribution(solved(case, objective), what)
    told = {outcome.value: outcome.chance for outcome in law.outcomes}
    for outcome in exact.outcomes:
        assert outcome.chance.exact is not None
        assert outcome.value is not None
        assert outcome.at_most is not None
        assert holds(told.get(outcome.value, Number(Fraction(0), law.beyond.upper)), outcome.chance.exact)
        assert holds(law.at_most(outcome.value), outcome.at_most.middle)
    assert law.grade == "proven"


def test_where_a_player_mixes_the_chances_are_proven() -> None:
    solution = solve(
        bind(ruleset("rogues-gambit"), Setting(4, values={"coins_each": 10, "full_belly": "pocketed"})),
        "coins",
        same_for_all_seats=True,
    )
    law = distribution(solution, "coins", 3)
    mean = sum((o.chance.middle * (o.value or 0) for o in law.outcomes), Fraction(0))
    assert abs(mean - solution.values[2].middle) < Fraction(1, 10**30)
    assert holds(total(law), Fraction(1))


# --- against play


def test_play_without_the_graph_shows_the_same() -> None:
    solution = solved(Case("rogues-gambit", 2), "coins")
    games, player, random = 3_000, GameSimulator(Rules(solution.graph.game)), Random("distribution")  # noqa: S311
    choose = follow(solution)  # it remembers what it chose
    plays = [player.play(choose, random) for _ in range(games)]
    rules = Rules(solution.graph.game)
    seen: dict[str, list[float]] = {
        "turns": [play.turn_count for play in plays],
        "rolls": [play.roll_count for play in plays],
        "coins": [float(rules.payoffs(play.end, "coins")[0]) for play in plays],
    }
    for what, values in seen.items():
        law = distribution(solution, what)
        for share in (Fraction(1, 4), Fraction(1, 2), Fraction(9, 10)):
            quantile = law.quantile(share)
            assert quantile is not None
            chance = float(law.at_most(quantile))
            off = abs(sum(value <= quantile for value in values) / games - chance)
            assert off <= 4 * sqrt(chance * (1 - chance) / games) + 1e-12, (what, quantile)


# --- quantiles, and what cannot be asked


def test_a_quantile_is_told_only_where_the_bounds_decide() -> None:
    half, near = Number.of(Fraction(1, 2)), Number(Fraction(49, 100), Fraction(51, 100))
    sure = [Outcome("1", Fraction(1), half, half), Outcome("2", Fraction(2), half, Number.of(1))]
    open_ = [Outcome("1", Fraction(1), near, near), Outcome("2", Fraction(2), near, Number.of(1))]
    assert Distribution("x", tuple(sure), Number.of(0)).quantile(Fraction(1, 2)) == 1
    assert Distribution("x", tuple(sure), Number.of(0)).quantile(Fraction(51, 100)) == 2
    assert Distribution("x", tuple(open_), Number.of(0)).quantile(Fraction(1, 2)) is None
    assert Distribution("x", tuple(open_), Number.of(0)).quantile(Fraction(9, 10)) == 2


@pytest.mark.parametrize(
    ("what", "seat", "words"),
    [
        ("turn", None, "did you mean turns"),
        ("count throw", None, "write count PHASE/ENTRY"),
        ("turns", 3, "there is no seat 3"),
        ("count thro/Bust", None, "did you mean throw"),
        ("count throw/Burst", None, "did you mean Bust"),
    ],
)
def test_what_cannot_be_told_is_said(what: str, seat: int | None, words: str) -> None:
    with pytest.raises(DistributionError, match=words):
        distribution(solved(PIG, "win"), what, seat)


TOSSES = """
format: 1
id: tosses
title: Tosses
summary: A die is rolled for coins, which may be lost on the way.
seats: 1
state:
  left: {start: 3, max: 3}
  coins: {type: tally}
payoffs:
  coins: coins
turn: toss
phases:
  toss:
    roll: {die: d6}
    outcomes:
      - name: Six
        when: die == 6
        do: [add WON to coins, add -1 to left]
        then: again
      - name: Other
        do: [add LOST to coins, add -TIME to left]
        then: again
end_when: left == 0
"""


def tosses(won: str, lost: str, time: int) -> Distribution:
    """The distribution of what a six and another face bring; the other takes one of three rounds, or none."""
    text = TOSSES.replace("WON", won).replace("LOST", lost).replace("TIME", str(time))
    return distribution(solve(oddsmith.loads(text).game), "payoff")


def test_what_is_lost_on_the_way_is_counted() -> None:
    """Three rolls, one by one."""
    found = tosses("5", "-die", 1)
    sums = Counter(sum(5 if die == 6 else -die for die in dice) for dice in product(range(1, 7), repeat=3))
    assert {one.value: one.chance.exact for one in found.outcomes} == {
        value: Fraction(count, 216) for value, count in sums.items()
    }
    below = {one.value: one.at_most.exact for one in found.outcomes if one.at_most}
    assert below == {value: Fraction(sum(count for at, count in sums.items() if at <= value), 216) for value in sums}
    assert found.mean == Number.of(Fraction(sum(value * count for value, count in sums.items()), 216))


def test_a_stake_for_every_try_is_counted_though_it_falls_without_end() -> None:
    """Three sixes are waited for. That there were n failures has the chance of n losses before the third win."""
    found = {one.value: one for one in tosses("0", "-1", 0).outcomes}
    for losses in range(40):
        exactly = Fraction(comb(losses + 2, 2) * 5**losses, 6 ** (losses + 3))
        assert holds(found[Fraction(-losses)].chance, exactly)
        at_least = sum(Fraction(comb(n + 2, 2) * 5**n, 6 ** (n + 3)) for n in range(losses + 1))
        below = found[Fraction(-losses)].at_most
        assert below is not None
        assert holds(below, 1 - at_least + exactly)


def test_a_sum_that_rises_and_falls_without_end_cannot_be_told() -> None:
    with pytest.raises(DistributionError, match="may rise and fall without end, so coins would have to be a number"):
        tosses("0", "1 if die == 1 else -1", 0)


@pytest.mark.parametrize("case", [PIG, GAMBIT, Case("coffers", 2, {"stake": 1}), Case("last-hero", 2)], ids=str)
def test_states_of_a_finer_graph_are_found_in_the_other(case: Case) -> None:
    """Many at once as one by one."""
    objective = case.objectives[0]
    coarse = solved(case, objective).graph
    sharing = ReductionOptions(carry=case.name == "pig", forget=False, symmetry=False)
    fine = Explorer(case.game, objective, sharing=sharing).explore()[0]
    assert fine.state_count >= coarse.state_count
    assert StateMap(coarse).state_indices(fine.codec, fine.keys).tolist() == [
        coarse.index_of(fine.state(state)) for state in range(fine.state_count)
    ]


WAITING = """\
format: 1
id: wait
title: Wait
summary: Throw a coin until it shows a 1.
seats: 1
dice: {coin: {faces: [1, 2], weights: [1, %WEIGHT%]}}
state: {n: {max: 1}}
payoffs: {w: n}
turn: go
phases:
  go:
    roll: {die: coin}
    outcomes:
      - {name: Over, when: die == 1, do: add 1 to n, then: end}
      - {name: Next, then: pass}
"""


@pytest.mark.parametrize("weight", [1, 99_999])
def test_what_is_left_over_under_a_condition_holds_what_may_meet_it_yet(weight: int) -> None:
    """All plays meet the condition in the end, however long they last."""
    game = oddsmith.loads(WAITING.replace("%WEIGHT%", str(weight))).game
    law = distribution(solve(game), "turns", given_entry=("go", "Over"))
    most = max(int(outcome.name) for outcome in law.outcomes)
    assert holds(law.beyond, Fraction(weight, weight + 1) ** most)
    assert holds(total(law), Fraction(1))


COMPARISONS: dict[Comparison, Callable[[Fraction, Fraction], bool]] = {
    "==": operator.eq, "!=": operator.ne, "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge,
}  # fmt: skip


def spread_out(chances: dict[int, Fraction], beyond: Fraction = Fraction(0)) -> Distribution:
    """A distribution with these chances, each as wide as what is not listed."""
    outcomes, below = [], Fraction(0)
    for value, chance in chances.items():
        below += chance
        bounds = Number(chance, chance + beyond), Number(below, below + beyond)
        outcomes.append(Outcome(str(value), Fraction(value), *bounds))
    return Distribution("points", tuple(outcomes), Number(Fraction(0), beyond))


@pytest.mark.parametrize("comparison", COMPARISONS)
@pytest.mark.parametrize("value", [Fraction(0), Fraction(1), Fraction(3, 2), Fraction(4), Fraction(9)])
def test_a_probability_is_the_sum_of_the_chances_that_compare_so(comparison: Comparison, value: Fraction) -> None:
    chances = {1: Fraction(1, 2), 2: Fraction(1, 8), 4: Fraction(3, 8)}
    wanted = sum(
        (chance for each, chance in chances.items() if COMPARISONS[comparison](Fraction(each), value)), Fraction(0)
    )
    assert spread_out(chances).probability(comparison, value).exact == wanted
    rounded = {each: chance - Fraction(1, 100) for each, chance in chances.items()}
    assert holds(spread_out(rounded, Fraction(3, 100)).probability(comparison, value), wanted)


def test_moments_and_quantiles_have_their_usual_names() -> None:
    law = spread_out({1: Fraction(1, 2), 2: Fraction(1, 8), 4: Fraction(3, 8)})
    mean = Fraction(1, 2) + Fraction(2, 8) + Fraction(12, 8)
    assert law.variance == Number.of(Fraction(1, 2) + Fraction(4, 8) + Fraction(48, 8) - mean * mean)
    assert law.median == law.quantile(Fraction(1, 2)) == 1
    near = Distribution("points", law.outcomes, Number(Fraction(0), Fraction(1, 9)), standard_deviation=Number.of(3))
    assert near.variance == Number.of(9)
    assert spread_out({1: Fraction(1, 3)}, Fraction(2, 3)).variance is None


def test_names_have_no_order() -> None:
    winner = Distribution("winner", (Outcome("1", None, Number.of(Fraction(1, 3)), None),), Number.of(0))
    assert winner.probability("==", "1").exact == Fraction(1, 3)
    assert winner.probability("!=", "1").exact == Fraction(2, 3)
    with pytest.raises(DistributionError, match="no order"):
        winner.probability("<", "1")
    with pytest.raises(DistributionError, match="write one of"):
        winner.probability("=>", 1)  # type: ignore[arg-type]
