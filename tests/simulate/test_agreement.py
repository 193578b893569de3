"""Games played by the one-state rules, without the graph, give what the solver says, within four standard errors."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import pytest

from oddsmith.base.exact import Number
from oddsmith.ruleset.binding import bind
from oddsmith.ruleset.game import Game
from oddsmith.ruleset.model import Setting
from oddsmith.ruleset.play import Choose
from oddsmith.ruleset.rules import Action, State
from oddsmith.ruleset.simulation import SampleMoments, SimulationResult, simulate_games_one_by_one
from oddsmith.solve.game_solver import solve
from oddsmith.solve.policies import NamedPolicy
from oddsmith.solve.questions.measure import expected_lengths
from oddsmith.solve.solution import Solution
from tests.cases import MIXING, Case, asked, ruleset, solved


def follow(solution: Solution) -> Choose:
    """Play as the solution says."""
    known: dict[State, int] = {}
    graph = solution.graph

    def choose(state: State, actions: list[Action]) -> int:
        if state not in known:
            number = solution.state_index(state)
            assert number is not None, f"play came to a position that the graph does not have: {state}"
            row = solution.best_row(number, state.mover)
            known[state] = row - int(graph.state_rows[number])
            assert graph.action_name(row).startswith(actions[known[state]].name)
        return known[state]

    return choose


def agrees(sample: SampleMoments, value: Number, what: str) -> None:
    """Within four standard errors; equal, where every game gives the same.

    What is won so rarely that nobody won it in all these games leaves no error to go by.
    """
    if sample.total == 0 < value.upper * sample.sample_size < 10:
        return
    off = abs(float(sample.mean - value.middle))
    assert off <= 4 * sample.standard_error + 1e-12, f"{what}: {float(sample.mean)} played, {float(value)} solved"


MANY = 20_000
"""Games that are played where no game of a small sample differs from the others, and the solution says that some do."""


def is_too_small(result: SimulationResult, solution: Solution) -> bool:
    """Return whether all games of a sample brought a seat the same, and the solution says that some bring other things."""
    pairs = zip(result.payoffs_by_seat, solution.values, strict=True)
    return any(sample.standard_error == 0 and sample.mean != value.middle for sample, value in pairs)


def compare(result: SimulationResult, solution: Solution) -> None:
    for seat, (sample, value) in enumerate(zip(result.payoffs_by_seat, solution.values, strict=True), 1):
        agrees(sample, value, f"seat {seat}")
    if solution.solved.arena.copies_per_state == 1:
        found = expected_lengths(solution)
        agrees(result.turns, found["turns"], "turns")
        agrees(result.rolls, found["rolls"], "rolls")


@pytest.mark.parametrize("games", [2_000, pytest.param(50_000, marks=pytest.mark.long)])
def test_two_at_the_hoard(games: int) -> None:
    game = bind(ruleset("rogues-gambit"), Setting(2))
    solution = solve(game, "coins")
    first, second = (
        simulate_games_one_by_one(game, "coins", follow(solution), games, f"half {part}") for part in range(2)
    )
    result = first + second
    assert result.game_count == result.payoffs_by_seat[0].sample_size == 2 * games
    assert sum((sample.total for sample in result.payoffs_by_seat), Fraction(0)) == 50 * 2 * games
    compare(result, solution)


each_game = pytest.mark.parametrize(
    ("case", "objective"), asked(lambda case, objective: (str(case), objective) not in MIXING)
)


@each_game
def test_every_sample(case: Case, objective: str) -> None:
    solution = solved(case, objective)
    result = simulate_games_one_by_one(case.game, objective, follow(solution), 400, f"{case} {objective}")
    if is_too_small(result, solution):
        result = simulate_games_one_by_one(case.game, objective, follow(solution), MANY, f"{case} {objective}")
    compare(result, solution)


@pytest.mark.long
@each_game
def test_every_sample_for_long(case: Case, objective: str) -> None:
    solution = solved(case, objective)
    compare(simulate_games_one_by_one(case.game, objective, follow(solution), 20_000, f"{case} {objective}"), solution)


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_a_named_policy(seats: int) -> None:
    game = bind(ruleset("rogues-gambit"), Setting(seats))
    names = dict.fromkeys(range(1, seats + 1), "hold at 20")
    result = simulate_games_one_by_one(
        game, "coins", NamedPolicy(game, "hold at 20").choose_action_index, 1_500, "hold"
    )
    compare(result, solve(game, "coins", names))


def test_best_play_against_a_named_policy() -> None:
    game = bind(ruleset("rogues-gambit"), Setting(2, values={"coins_each": 15}))
    solution = solve(game, "coins", {2: "hold at 20"})
    compare(simulate_games_one_by_one(game, "coins", follow(solution), 4_000, "against"), solution)


def test_play_that_depends_on_the_seat() -> None:
    """Four at the full dragon: no pure way that is the same for all is an equilibrium, so each seat has its own."""
    game = bind(ruleset("rogues-gambit"), Setting(4, values={"coins_each": 14, "full_belly": "pocketed"}))
    solution = solve(game, "coins")
    assert solution.kind == "pure-by-seat"
    compare(simulate_games_one_by_one(game, "coins", follow(solution), 4_000, "by seat"), solution)


def means(result: SimulationResult) -> Sequence[Fraction]:
    return [sample.mean for sample in (*result.payoffs_by_seat, result.turns, result.rolls)]


def coin(game: Game, games: int, seed: str) -> SimulationResult:
    return simulate_games_one_by_one(game, "win", lambda state, actions: len(actions) - 1, games, seed)


def test_the_seed_decides_and_parts_add_up() -> None:
    game = bind(ruleset("pig"), Setting(2))
    one, again, other = (coin(game, 200, seed) for seed in ("a", "a", "b"))
    assert means(one) == means(again) != means(other)
    both = one + other
    assert both.game_count == 400
    assert both.turns.total == one.turns.total + other.turns.total
    assert both.rolls.mean == (one.rolls.mean + other.rolls.mean) / 2
