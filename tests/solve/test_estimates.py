"""Games that are played to estimate them: intervals hold, and a seed means the same games however the work is shared."""

from __future__ import annotations

from fractions import Fraction
from math import comb, inf

import numpy as np
import pytest

from oddsmith.api.loaded import LoadedRuleset
from oddsmith.api.workers import open_workers
from oddsmith.base.errors import EndlessPlayError, NoPolicyError, ShortListError, UnknownPolicyError
from oddsmith.base.limits import limited
from oddsmith.graph.columns import UniformIntegers
from oddsmith.ruleset.binding import bind
from oddsmith.ruleset.model import Setting
from oddsmith.ruleset.simulation import SampleMoments, simulate_games_one_by_one
from oddsmith.solve import estimates
from oddsmith.solve.estimates import EstimatedMean, estimate
from oddsmith.solve.game_solver import solve
from oddsmith.solve.policies import NamedPolicy
from tests.cases import Case, asked, ruleset

GAMES = 4_000


@pytest.mark.parametrize(("case", "objective"), asked())
def test_intervals_hold_the_values_of_solved_games(case: Case, objective: str) -> None:
    """The seats play by different policies, as far as the ruleset has several; without any, nobody may have a choice."""
    game, names = case.game, list(ruleset(case.name).policies)
    seats = {seat: names[seat % len(names)] for seat in range(game.seats)} if names else {}
    try:
        found = estimate(game, objective, seats, GAMES, seed=7)
    except NoPolicyError:
        assert not names
        return
    solution = solve(game, objective, {seat + 1: name for seat, name in seats.items()})
    for mean, value in zip(found.means, solution.values, strict=True):
        if mean is None:
            assert found.payoff_range_width == inf
        else:
            assert mean.middle - mean.radius <= value.upper
            assert value.lower <= mean.middle + mean.radius
    assert found.game_count == sum(found.game_count_by_turns.values()) == GAMES


def test_a_seed_means_the_same_games_however_the_work_is_shared(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(estimates, "GAMES_PER_TASK", 300)
    game = bind(ruleset("shipped-pig"), Setting(3, values={"target": 12}))
    alone = estimate(game, "win", games=1_000, seed=3)
    with open_workers(2) as share:
        shared = estimate(game, "win", games=1_000, seed=3, executor=share)
    assert (shared.samples, shared.game_count_by_turns, shared.policies) == (
        alone.samples,
        alone.game_count_by_turns,
        alone.policies,
    )
    assert estimate(game, "win", games=1_000, seed=4).samples != alone.samples
    assert [int(sample.total) for sample in alone.samples] == [591, 282, 127]


def test_games_are_played_by_the_lists_of_a_smaller_game() -> None:
    pig = LoadedRuleset.open("pig")
    taught = pig.with_lists(pig.at(target=30).solve().short_list(), "the list to 30")
    assert taught.ruleset.policies.keys() - pig.ruleset.policies.keys() == {"the list to 30"}
    ways = {1: "the list to 30", 2: "hold at 20"}
    found, solved = taught.at(target=40).estimate(games=GAMES, policies=ways), taught.at(target=40).solve(policies=ways)
    assert solved.values != pig.at(target=40).solve(policies={1: "hold at 20", 2: "hold at 20"}).values
    for mean, value in zip(found.means, solved.values, strict=True):
        assert mean is not None
        assert mean.middle - mean.radius <= value.upper
        assert value.lower <= mean.middle + mean.radius
    with pytest.raises(ShortListError, match="of another game"):
        LoadedRuleset.open("farkle-turn").with_lists(pig.at(target=5).solve().short_list())


def test_payoffs_in_small_units_are_added_up_without_bounds(monkeypatch: pytest.MonkeyPatch) -> None:
    game = bind(ruleset("dragons-lair"), Setting(1))
    narrow = estimate(game, "gold", {0: "leave with ten coins"}, games=500)
    monkeypatch.setattr(estimates, "MAX_UNITS", 1)
    assert estimate(game, "gold", {0: "leave with ten coins"}, games=500).samples == narrow.samples


def test_progress_is_told_while_games_are_played() -> None:
    heard: list[tuple[str, int, int]] = []
    estimate(bind(ruleset("shipped-pig"), Setting(2)), "win", games=300, progress=lambda *each: heard.append(each))
    assert {(what, total) for what, _, total in heard} == {("playing", 300)}
    done = [each for _, each, _ in heard]
    assert done == sorted(done)
    assert len(set(done)) > 20
    assert done[-1] == 300


def test_places_are_taken_again_until_all_games_are_played(monkeypatch: pytest.MonkeyPatch) -> None:
    game = bind(ruleset("snakes-and-ladders"), Setting(2))
    value = solve(game, "win").values[0]
    monkeypatch.setattr(estimates, "MAX_CELLS", 64 * len(game.cells))
    found = estimate(game, "win", games=3_000)
    mean = found.means[0]
    assert mean is not None
    assert abs(mean.middle - value.middle) <= mean.radius
    assert found.game_count == sum(found.game_count_by_turns.values()) == 3_000


@pytest.mark.parametrize("seats", [2, pytest.param(3, marks=pytest.mark.long), pytest.param(4, marks=pytest.mark.long)])
def test_columns_play_as_the_rules_for_one_state_do(seats: int) -> None:
    """Heroes in one dungeon: too large to be solved, and played by one policy in both ways."""
    game = bind(ruleset("dragons-hoard"), Setting(seats, values={"rounds": 6, "life_points": 1}))
    policy = NamedPolicy(game, "a dozen coins and home")
    played = simulate_games_one_by_one(game, "gold", policy.choose_action_index, 300, "heroes")
    found = estimate(game, "gold", games=1_000)
    assert set(found.policies) == {policy.name}
    for sample, other in zip(played.payoffs_by_seat, found.samples, strict=True):
        off = abs(float(sample.mean - other.mean))
        assert off <= 4 * (sample.standard_error + other.standard_error)


def test_what_is_not_known_is_asked_for() -> None:
    rules = ruleset("rogues-gambit")
    with pytest.raises(NoPolicyError, match=r"seat 1 has a choice in decide, .* --policy '1\.\.2=hold at 20'"):
        estimate(bind(rules, Setting(2)), "coins", games=10)
    with pytest.raises(UnknownPolicyError):
        estimate(bind(rules, Setting(2)), "coins", {0: "always lizard"}, games=10)


def test_a_game_without_end_is_refused() -> None:
    with limited(moves=30), pytest.raises(EndlessPlayError, match=r"after 30 moves .* --limit moves=300"):
        estimate(bind(ruleset("burglar-and-the-dragon"), Setting(2)), "win", games=5)


def test_numbers_are_drawn_evenly_and_the_same_everywhere() -> None:
    assert UniformIntegers(1, 0).below(np.array([6, 6, 6, 216, 10**16])).tolist() == FIRST
    assert UniformIntegers(1, 1).below(np.array([6, 6, 6, 216, 10**16])).tolist() != FIRST
    counts = np.bincount(UniformIntegers(5, 0).below(np.full(60_000, 6)))
    assert len(counts) == 6
    assert abs(counts - 10_000).max() < 400  # over four standard deviations


FIRST = [5, 3, 0, 0, 1755438049793211]


def test_what_would_favour_small_numbers_is_drawn_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(UniformIntegers, "WHOLE", 8)
    uniform, drawn = UniformIntegers(1, 0), [np.array([7, 2, 6]), np.array([6, 5]), np.array([4])]
    monkeypatch.setattr(uniform, "_draw", lambda count: drawn.pop(0))
    assert uniform.below(np.array([3, 3, 3])).tolist() == [1, 2, 2]


class TestShown:
    @pytest.mark.parametrize(
        ("middle", "radius", "shown"),
        [
            ("0.27314", "0.00055", "0.2731 ± 0.0006"),
            ("0.27314", "0.0005", "0.2731 ± 0.0006"),
            ("0.5", "0.02", "0.50 ± 0.02"),
            ("20.64", "0.61", "20.6 ± 0.7"),
            ("12345", "3.2", "12345 ± 4"),
            ("-3.14", "0.03", "-3.14 ± 0.03"),
        ],
    )
    def test_no_digit_more_than_is_known(self, middle: str, radius: str, shown: str) -> None:
        assert str(EstimatedMean(Fraction(middle), Fraction(radius))) == shown

    def test_what_is_shown_holds_what_is_known(self) -> None:
        for part in range(1, 400):
            mean = EstimatedMean(Fraction(part * 7919 % 1000, 997), Fraction(part, 3331))
            middle, radius = map(Fraction, mean.rounded_texts)
            assert middle - radius <= mean.middle - mean.radius
            assert mean.middle + mean.radius <= middle + radius


def test_the_radius_is_the_bound_of_maurer_and_pontil() -> None:
    """A fair coin, thrown 1,000 times with 500 heads: V = 250/999, ln 4000 = 8.2940."""
    mean = EstimatedMean.of(SampleMoments(1_000, Fraction(500), Fraction(500)), 1.0)
    assert mean is not None
    assert float(mean.radius) == pytest.approx(0.064430 + 0.019372, abs=1e-6)
    assert EstimatedMean.of(SampleMoments(1_000, Fraction(500), Fraction(500)), inf) is None


def test_the_radius_of_few_games_is_the_bound_of_hoeffding() -> None:
    few, more = (
        EstimatedMean.of(SampleMoments(games, Fraction(games, 2), Fraction(games, 2)), 3) for games in (50, 249)
    )
    assert few is not None
    assert more is not None
    assert float(few.radius) == pytest.approx(3 * 0.275696, abs=1e-5)
    assert float(more.radius) == pytest.approx(3 * 0.123542, abs=1e-5)


@pytest.mark.parametrize("games", [50, 200, 249, 250, 1_000])
@pytest.mark.parametrize("chance", ["0.004", "0.05", "0.3", "0.5", "0.9"])
def test_any_number_of_games_misses_as_rarely_as_it_says(games: int, chance: str) -> None:
    """Of all that may happen, counted and not sampled: how often a chance lies outside its interval."""
    p, missed = Fraction(chance), Fraction(0)
    for won in range(games + 1):
        mean = EstimatedMean.of(SampleMoments(games, Fraction(won), Fraction(won)), 1)
        assert mean is not None
        if abs(mean.middle - p) > mean.radius:
            missed += comb(games, won) * p**won * (1 - p) ** (games - won)
    assert missed <= Fraction(1, 1000)


def test_the_median_of_the_length_has_an_interval() -> None:
    found = estimate(bind(ruleset("chip-passing"), Setting(3)), "win", games=5_000)
    turns = found.median_turns
    assert turns.high is not None
    assert turns.low <= turns.middle <= turns.high
    assert (
        turns.middle == sorted(turns for turns, times in found.game_count_by_turns.items() for _ in range(times))[2_499]
    )
    assert found.to_json()["turns"]["median"] == turns.middle
