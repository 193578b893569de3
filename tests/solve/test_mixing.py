"""Where best responses cycle, several positions may mix two actions each: the mixture is found, and proved to be there."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import combinations, product

import numpy as np
import pytest
from flint import arb, arb_mat, ctx

from oddsmith.base.errors import SolveError
from oddsmith.base.exact import Number
from oddsmith.report.lint import balance
from oddsmith.ruleset.binding import bind
from oddsmith.ruleset.model import Setting
from oddsmith.solve.arenas import tracing
from oddsmith.solve.arenas.component import Component, PolicyCandidate
from oddsmith.solve.arenas.component_policy import NoPureEquilibrium
from oddsmith.solve.game_solver import solve
from oddsmith.solve.questions.distribution import BestPlay, distribution
from oddsmith.solve.questions.measure import answer_question, expected_lengths
from oddsmith.solve.questions.played import PlayedPolicy
from oddsmith.solve.solution import Solution
from oddsmith.solve.values import arena_solver, mixing
from oddsmith.solve.values.arena_solver import ArenaSolver
from tests import reference
from tests.cases import MIXING, Case, cases, explored, ruleset, solved
from tests.random import compare
from tests.random.wheel import wheel
from tests.solve.test_kinds import game_of

NAME, OBJECTIVE = MIXING[0]
NEAR = Fraction(1, 10**60)
FINE = 1 << 210


@cache
def hot() -> Case:
    return next(case for case in cases() if str(case) == NAME)


@cache
def traced() -> tuple[ArenaSolver, Component, PolicyCandidate]:
    """The component that mixes, with what it leads to solved, and the play that floats propose there."""
    arena = solved(hot(), OBJECTIVE).solved.arena
    solver = ArenaSolver(arena, unique_values=False)
    with pytest.raises(NoPureEquilibrium) as none:
        solver.solve()
    states = np.flatnonzero(arena.components == arena.components[none.value.states[0]])
    component = Component(arena, states, solver.bounds.values)
    guess = tracing.candidate_by_path_following(component)
    assert guess is not None
    return solver, component, guess


def played(solution: Solution, ends: Sequence[Sequence[Fraction]] | None = None) -> list[int | Mapping[int, Fraction]]:
    """The rows of every state. ``ends``: the chances of all rows but the last where states mix; by default near the
    middles.
    """
    rows: list[int | Mapping[int, Fraction]] = [int(row) for row in solution.solved.rows]
    middles = [
        [Fraction(round(chance.middle * FINE), FINE) for chance in list(each.row_probabilities.values())[:-1]]
        for each in solution.mixtures.values()
    ]
    for (state, mixture), chances in zip(solution.mixtures.items(), ends or middles, strict=True):
        rows[state] = dict(zip(mixture.rows, (*chances, Fraction(1 - sum(chances))), strict=True))
    return rows


def gains(solution: Solution) -> Iterator[tuple[int, int, Fraction]]:
    """By state and row, how much more a row is worth to the mover than what is played, in fractions."""
    graph, sign = solution.graph, solution.solved.arena.objective_sign
    values = reference.values_under(graph, played(solution))
    for state in range(graph.state_count):
        for row in graph.rows(state):
            yield state, row, sign * (reference.worth(graph, row, values) - values[state][0])


def test_three_positions_mix_and_nobody_gains_by_anything_else() -> None:
    solution = solved(hot(), OBJECTIVE)
    assert (solution.kind, len(solution.mixtures)) == ("mixed", 3)
    mixed = {state: set(mixture.rows) for state, mixture in solution.mixtures.items()}
    for state, row, gain in gains(solution):
        assert gain <= NEAR
        assert gain >= -NEAR or row not in mixed.get(state, ())
    chances = [chance for mixture in solution.mixtures.values() for chance in mixture.row_probabilities.values()]
    assert all(0 < chance.lower < chance.upper < 1 for chance in chances)
    assert [stored_columns.count("with chance") for stored_columns in solution.notes] == [0, 1, 1, 1]


def test_the_rules_played_by_hand_say_the_same() -> None:
    """Positions, values, every other action and the certificate, without the graph and the solver."""
    assert compare.answer(hot().game, OBJECTIVE).wrong == []


def test_what_leads_to_the_same_is_decided_without_fractions() -> None:
    """Values that rest on a mixture are none, and some actions here are worth the same two steps on."""
    solution = solve(bind(ruleset("hot-purse"), Setting(3, values={"coins_each": 3})), OBJECTIVE)
    assert (solution.kind, len(solution.mixtures), solution.solved.undecided_states) == ("mixed", 3, [])


def corners(solution: Solution) -> Iterator[tuple[tuple[Fraction, ...], ...]]:
    """All lower and upper ends of the chances that states mix with, but of the last rows."""
    ends = (
        product(*((chance.lower, chance.upper) for chance in list(mixture.row_probabilities.values())[:-1]))
        for mixture in solution.mixtures.values()
    )
    return product(*ends)


def test_bounds_hold_for_every_chance_that_is_given() -> None:
    solution = solved(hot(), OBJECTIVE)
    for corner in corners(solution):
        for state, values in enumerate(reference.values_under(solution.graph, played(solution, corner))):
            for number, value in zip(solution.solved.bounds.state_numbers(state), values, strict=True):
                assert number.lower <= value <= number.upper
                assert number.upper - number.lower < NEAR


def test_what_is_counted_holds_for_every_chance_that_is_given() -> None:
    """How long the game lasts, and how often somebody takes an entry, against one system in fractions for each corner."""
    solution = solved(hot(), OBJECTIVE)
    graph, asked = solution.graph, PlayedPolicy.of(solution)
    jackpots, n = hot().game.ruleset.measures["Jackpots"], graph.seats
    assert jackpots.at_entry is not None
    told = {
        "turns": expected_lengths(solution)["turns"],
        "jackpots": answer_question(hot().game, jackpots, lambda: solution),
    }
    hits = {"turns": asked.turn_end_mask, "jackpots": asked.entry_mask(jackpots.at_entry)}
    for name, number in told.items():
        paid = replace(graph, payoff=hits[name].astype(np.int64), payoffs=((0,) * n, (1,) * n), scale=1)
        assert 0 < number.upper - number.lower < NEAR
        for corner in corners(solution):
            count = reference.values_under(paid, played(solution, corner))[0][0]
            assert number.lower <= count <= number.upper


def test_how_many_games_last_longer_is_what_the_distribution_says() -> None:
    solution = solved(hot(), OBJECTIVE)
    law = distribution(BestPlay.of(solution), "turns", None, None)
    over = 1 - sum((outcome.chance for outcome in law.outcomes if int(outcome.name) <= 7), Number.of(0))
    longer = balance._distribution_after_turns(solution, 7)[1]
    assert longer.lower <= over.upper
    assert over.lower <= longer.upper
    assert Fraction(29, 100) < longer.lower < longer.upper < Fraction(30, 100)


def test_whatever_is_proposed_only_an_equilibrium_is_taken() -> None:
    """Every choice of two rows in two of the three positions, from even chances on."""
    solver, component, guess = traced()
    first, *others = guess.mixtures
    pairs = [
        list(combinations(range(int(component.first_row[local]), int(component.first_row[local + 1])), 2))
        for local in others
    ]
    taken = refused = 0
    for pick in product(*pairs):
        mixed = {local: dict.fromkeys(pair, 0.5) for local, pair in zip(others, pick, strict=True)}
        proposed = PolicyCandidate(guess.chosen_rows, {first: guess.mixtures[first], **mixed})
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(arena_solver, "mixed_candidates", lambda *_, proposed=proposed: iter([proposed]))
            try:
                again = ArenaSolver(solver.arena, unique_values=False, mixing=True).solve()
            except NoPureEquilibrium:
                refused += 1
                continue
        taken += 1
        assert all(gain <= NEAR for _, _, gain in gains(Solution(explored(hot(), OBJECTIVE), again, "mixed")))
    assert taken > 0
    assert refused > 6


def test_derivatives_hold_every_difference() -> None:
    """Between any two points of a box, how the rows compare changes by the derivatives on the box times the way."""
    solver, component, guess = traced()
    with ctx.workprec(200):
        system = mixing._MixingSystem(solver.arena, solver.bounds, component, guess)
        one = [arb(chance) for mix in guess.mixtures.values() for chance in list(mix.values())[:-1]]
        for by in product((-0.01, 0.01), repeat=len(one)):
            two = [chance + step for chance, step in zip(one, by, strict=True)]
            slopes = system.values_and_gaps([a.union(b) for a, b in zip(one, two, strict=True)])[2]
            told = slopes * arb_mat([[b - a] for a, b in zip(one, two, strict=True)])
            differ = system.values_and_gaps(two)[1] - system.values_and_gaps(one)[1]
            assert all(way.contains(change) for way, change in zip(told.entries(), differ.entries(), strict=True))


def test_pure_play_may_be_found_where_best_responses_cycle() -> None:
    (game,) = compare.games(wheel(263))
    answer = compare.answer(game, "gain", alike=True)
    assert answer.wrong == []
    assert answer.solution is not None
    assert answer.solution.kind == "symmetric"
    assert not any("suits every seat" in stored_columns for stored_columns in answer.solution.notes)


def test_where_nothing_is_found_that_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tracing, "MAX_UNKNOWNS", 10)
    monkeypatch.setattr(tracing, "MAX_TOGETHER", 1)
    with pytest.raises(SolveError, match=r"best responses cycle at rob or shrug.* with actions mixed, or by seat\.$"):
        solve(hot().game, OBJECTIVE)


def test_what_was_not_looked_for_is_not_called_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tracing, "MAX_UNKNOWNS", 10)
    monkeypatch.setattr(tracing, "MAX_TOGETHER", 1)
    with pytest.raises(SolveError, match="Play that depends on the seat was not looked for: leave out --alike"):
        solve(hot().game, OBJECTIVE, same_for_all_seats=True)


def test_play_by_seat_sends_the_reader_to_play_that_is_alike() -> None:
    """Where best responses cycle, play that is the same for every seat may be there all the same."""
    (game,) = compare.games(wheel(263))
    solution = solve(game, "gain")
    assert solution.kind == "pure-by-seat"
    assert "--alike looks further for play that is the same for every seat" in solution.notes[0]
    assert solve(game, "gain", same_for_all_seats=True).kind == "symmetric"


DUEL = """\
state:
  hunter: {type: flag, each: seat, start: seat == mover}
  outcome: {max: 3}
payoffs:
  gold: "(2 if hunter else 0) if outcome == 1 else (6 if hunter else 2) if outcome == 2 else (0 if hunter else 3)"
turn: begin
phases:
  begin:
    cases:
      - {name: Hunter, when: hunter, then: hunt}
      - {name: Prey, then: flee}
  hunt:
    choose:
      - {name: Rest, do: [set outcome to 1], then: end}
      - {name: Hunt, then: pass}
  flee:
    choose:
      - {name: Stand, do: [set outcome to 2], then: end}
      - {name: Run, then: run}
  run:
    roll: {die: d2}
    outcomes:
      - {name: Away, when: die == 1, do: [set outcome to 3], then: end}
      - {name: Seen, then: pass}
"""


def test_two_positions_whose_best_responses_chase_each_other_mix_together(monkeypatch: pytest.MonkeyPatch) -> None:
    """The hunter rests unless the prey stands, which stands unless the hunter hunts.

    Rest brings 2, and the hunt 6 q + (1 - q) 2 / 2 if the prey stands with chance q, so q = 1/5. To stand brings 2, and
    to run 3 / 2 + (1 - p) 2 / 2 if the hunter rests with chance p, so p = 1/2.
    """
    monkeypatch.setattr(tracing, "candidate_by_path_following", lambda _: None)
    solution = solve(game_of(DUEL))
    chances = sorted(float(next(iter(each.row_probabilities.values()))) for each in solution.mixtures.values())
    assert chances == pytest.approx([0.2, 0.5], abs=1e-15)
    assert [float(value) for value in solution.values] == pytest.approx([2, 1], abs=1e-15)
