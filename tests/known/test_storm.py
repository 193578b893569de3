"""Storm, a probabilistic model checker, answers the exported questions with the same fractions.

Storm shares no code with this project, and computes in rationals here. It is asked for every seat's value under the solved
play, for the length of play and for counts; and for what a seat can get at best against the others' play, which must be what
that seat gets. In exact arithmetic it is right about negative payoffs too (in floats it is not, hence the warning in
the file), and where the sums of its rows are right, which `tests/drn.py` sees to, there is nothing left that it lets pass.
Left out: mixed play, whose chances are no fractions.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from pathlib import Path

import pytest

from oddsmith.base.location import Source
from oddsmith.graph.export.model_checkers import drn
from oddsmith.report.export.tables import storm_drn_bytes
from oddsmith.ruleset.binding import bind
from oddsmith.ruleset.model import Setting
from oddsmith.ruleset.reading.build import read_ruleset
from oddsmith.solve.game_solver import solve
from oddsmith.solve.questions.measure import answer_question, expected_lengths
from oddsmith.solve.solution import Solution
from tests.cases import MIXING, Case, cases, cases_of, explored, ruleset, size, solved
from tests.storm import Model, goal_of, needs_storm

pytestmark = needs_storm

MOST = 320  # states of a graph: Storm's exact solver takes seconds for a few hundred that depend on one another
MANY = 5_000  # transitions, from which on a question about one seat against the others is for the long run
ASKED = [
    pytest.param(case, objective, id=f"{case}-{objective}")
    for case in cases()
    for objective in case.objectives
    if (str(case), objective) not in MIXING and size(case, objective)["states"] <= MOST
]
AGAINST = [
    pytest.param(*each.values, id=each.id, marks=pytest.mark.long if size(*each.values)["transitions"] > MANY else ())
    for each in ASKED
]

# Stop with what has been lost so far, or toss on: heads lose little, tails lose much and begin anew.
LOSSES = """\
format: 1
id: losses
title: Losses
summary: All that can be had is less than nothing.
seats: 1
constants: {Heads: 1, Tails: 0}
dice:
  coin: {faces: [Heads, Tails], weights: [2, 3]}
state:
  heads: {max: 3}
  lost: {type: tally}
payoffs: {points: -lost}
turn: decide
phases:
  decide:
    choose:
      - {name: Stop, do: add 40 - 12 * heads to lost, then: end}
      - {name: Toss, when: heads < 3, then: toss}
  toss:
    roll: {flip: coin}
    outcomes:
      - {name: Head, when: flip == Heads, do: [add 1 to lost, add 1 to heads], then: decide}
      - {name: Tail, do: [add 2 to lost, set heads to 0], then: decide}
"""


def seats(solution: Solution) -> Iterable[tuple[str, Fraction | None]]:
    return ((f"seat_{seat}", value.exact) for seat, value in enumerate(solution.values, 1))


@pytest.mark.parametrize(("case", "objective"), ASKED)
def test_the_solved_play_is_worth_the_same(case: Case, objective: str, tmp_path: Path) -> None:
    solution = solved(case, objective)
    model = Model(storm_drn_bytes(solution), tmp_path)
    assert model.ask('P=? [F "done"]') == 1
    for name, value in [
        *seats(solution),
        *((what, number.exact) for what, number in expected_lengths(solution).items()),
    ]:
        assert model.collected(name) == value, name
    for name, question in case.game.ruleset.measures.items():
        if question.kind == "count" and question.given_entry is None and question.at_entry is not None:
            place = list(solution.graph.watched).index(question.at_entry) + 1
            assert model.collected(f"count_{place}") == answer_question(case.game, question, lambda: solution).exact, (
                name
            )


@pytest.mark.parametrize(("case", "objective"), AGAINST)
def test_no_seat_can_get_more_against_the_others(case: Case, objective: str, tmp_path: Path) -> None:
    solution = solved(case, objective)
    for seat, (name, value) in enumerate(seats(solution), 1):
        assert Model(storm_drn_bytes(solution, seat), tmp_path).collected(name, goal_of(solution)) == value, name


@pytest.mark.parametrize("case", [case for case in cases() if case.seats == 1], ids=str)
def test_the_bare_graph_of_one_seat_has_the_same_optimum(case: Case, tmp_path: Path) -> None:
    for objective in case.objectives:
        solution = solved(case, objective)
        model = Model(drn(explored(case, objective), choosing_seat=1), tmp_path)
        assert model.collected("seat_1", goal_of(solution)) == solution.values[0].exact


@pytest.mark.parametrize("name", ["hold at 20"])
def test_named_policies_and_the_best_answer_to_them(name: str, tmp_path: Path) -> None:
    game = bind(ruleset("rogues-gambit"), Setting(2, values={"coins_each": 14}))
    both = solve(game, "coins", {1: name, 2: name})
    chain = Model(storm_drn_bytes(both), tmp_path)
    assert [chain.collected(seat) for seat, _ in seats(both)] == [value.exact for value in both.values]
    answer = solve(game, "coins", {2: name})
    assert answer.values[0].lower > both.values[0].upper
    for solution in (both, answer):  # whatever seat 1 plays in it: its choices are left open
        assert Model(storm_drn_bytes(solution, 1), tmp_path).collected("seat_1", "max") == answer.values[0].exact


def test_play_by_seat(tmp_path: Path) -> None:
    solution = solve(
        bind(ruleset("rogues-gambit"), Setting(4, values={"coins_each": 14, "full_belly": "pocketed"})), "coins"
    ).with_fractions()
    assert solution.kind == "pure-by-seat"
    model = Model(storm_drn_bytes(solution), tmp_path)
    assert [model.collected(name) for name, _ in seats(solution)] == [value for _, value in seats(solution)]


def test_losses_are_the_same_in_exact_arithmetic(tmp_path: Path) -> None:
    solution = solve(bind(read_ruleset(Source("losses.yaml", LOSSES))[0]))
    assert (solution.values[0].exact or 0) < 0
    assert solution.graph.decision_count > 1
    for model, goal in ((drn(solution.graph, choosing_seat=1), "max"), (storm_drn_bytes(solution), "")):
        assert Model(model, tmp_path).collected("seat_1", goal) == solution.values[0].exact


def test_a_wrong_chance_would_be_seen(tmp_path: Path) -> None:
    solution = solved(cases_of("rogues-gambit")[0], "coins")
    data = storm_drn_bytes(solution)
    changed = data.replace(b" : 91/216\n", b" : 90/216\n", 1).replace(b" : 5/216\n", b" : 6/216\n", 1)
    assert changed != data
    assert Model(changed, tmp_path).collected("seat_1") != solution.values[0].exact
