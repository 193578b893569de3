"""What PRISM-games gets is the game: its text, read by a reader that knows the language alone, has all choices and values."""

from __future__ import annotations

from collections import defaultdict
from fractions import Fraction

import pytest

from oddsmith.base.errors import ExportError
from oddsmith.base.location import Source
from oddsmith.graph.explore import Explorer
from oddsmith.graph.export import model_checkers as checkers
from oddsmith.graph.export.model_checkers import prism
from oddsmith.graph.stategraph import StateGraph
from oddsmith.ruleset.binding import bind
from oddsmith.ruleset.reading.build import read_ruleset
from tests.agreement.by_storm import value
from tests.cases import Case, cases, cases_of, explored, size, solved
from tests.graph.test_export import hostile, nasty
from tests.prism import Choice, Model, State, read_prism
from tests.storm import needs_storm

SMALL = [(case, case.objectives[0]) for case in cases() if size(case, case.objectives[0])["states"] <= 60]
each_game = pytest.mark.parametrize(("case", "objective"), SMALL, ids=str)
ALONE = [(case, objective) for case, objective in SMALL if case.seats == 1]
NAMES = ("coffers", "four-fields", "hot-purse", "pig", "piglet", "rogues-gambit", "burglar-and-the-dragon")
BETWEEN_TWO = [
    (case, objective)
    for name in NAMES
    for case in cases_of(name)
    for objective in case.objectives
    if case.seats == 2 and size(case, objective)["states"] <= 160
]


def choice_of(graph: StateGraph, row: int, mover: int) -> Choice:
    """A row of a graph, transition by transition, taken by a seat (from 1)."""
    choice = Choice(defaultdict(Fraction))
    for edge in graph.edges(row):
        chance = Fraction(int(graph.weight[edge]), int(graph.denominator[row]))
        target, seat = int(graph.target[edge]), (mover - 1 + int(graph.seat_shift[edge])) % graph.seats + 1
        choice.ways[(target, seat) if target >= 0 else (graph.state_count, 1)] += chance
        for ahead, paid in enumerate(graph.payoffs[int(graph.payoff[edge])]):
            choice.rewards[f"seat_{(mover - 1 + ahead) % graph.seats + 1}"] += chance * Fraction(paid, graph.scale)
        marks = int(graph.event_bits[edge])
        for name, seen in (("turns", graph.turn_over[edge]), ("rolls", marks & 1)):
            choice.rewards[name] += chance * bool(seen)
        for number, bit in enumerate(graph.watched.values(), 1):
            choice.rewards[f"count_{number}"] += chance * bool(marks & bit)
    return choice


def rewards(choice: Choice, model: Model) -> list[Fraction]:
    return [choice.rewards[name] for name in model.rewards]


@each_game
def test_every_choice_that_play_can_come_to_is_there(case: Case, objective: str) -> None:
    graph = explored(case, objective)
    model = read_prism(prism(graph))
    start: State = (0, graph.first_mover + 1)
    reached, ahead = {start}, [start]
    while ahead:
        state, mover = ahead.pop()
        rows = [choice_of(graph, row, mover) for row in graph.rows(state)]
        found = list(model.choices[state, mover].values())
        assert [choice.ways for choice in found] == [row.ways for row in rows]
        assert [rewards(choice, model) for choice in found] == [rewards(row, model) for row in rows]
        found_states = {to for row in rows for to in row.ways if to[0] < graph.state_count} - reached
        reached |= found_states
        ahead += found_states
    assert model.first == start
    assert set(model.choices) == reached


@pytest.mark.parametrize(("case", "objective"), BETWEEN_TWO, ids=str)
def test_each_of_two_can_make_sure_of_the_solved_value(case: Case, objective: str) -> None:
    solution, goal = solved(case, objective), case.game.ruleset.payoffs[objective].goal
    model = read_prism(prism(solution.graph))
    for seat, number in enumerate(solution.values, 1):
        worth = model.worth(f"seat_{seat}", f"seat_{seat}", goal)
        if solution.kind == "zero-sum":
            assert worth == pytest.approx(float(number.middle), rel=1e-9)
        else:  # the other seat looks after itself there, and here harms this one
            assert (worth <= number.upper) if goal == "max" else (worth >= number.lower)


@pytest.mark.parametrize(("case", "objective"), ALONE, ids=str)
def test_one_seat_is_worth_the_same_alone(case: Case, objective: str) -> None:
    solution, goal = solved(case, objective), case.game.ruleset.payoffs[objective].goal
    model = read_prism(prism(solution.graph))
    assert model.worth("seat_1", "", goal) == pytest.approx(float(solution.values[0].middle), rel=1e-9)


@needs_storm
@pytest.mark.parametrize(("case", "objective"), ALONE[:6], ids=str)
def test_storm_reads_a_decision_process_in_fractions(case: Case, objective: str) -> None:
    solution, goal = solved(case, objective), case.game.ruleset.payoffs[objective].goal
    asked = f'R{{"seat_1"}}{goal}=? [F "done"]'
    assert Fraction(value(prism(solution.graph).decode(), asked)) == solution.values[0].exact


def test_no_name_breaks_the_language() -> None:
    model = read_prism(prism(nasty().graph))
    assert list(model.choices[0, 1]) == ["seat_1_a_b_label_x_n", "seat_1_1_1_41"]
    read_prism(prism(hostile()))


ALIKE = """\
format: 1
id: alike
title: Alike
summary: Names that differ only in signs, and a chance with a long fraction.
seats: 1
dice:
  coin: {faces: [1, 2], weights: [1, 3000000000]}
state: {pot: {max: 6}}
payoffs: {points: pot}
turn: choose
phases:
  choose:
    choose:
      - {name: a b, do: set pot to 3, then: end}
      - {name: a-b, do: set pot to 2, then: end}
      - {name: "?", then: throw}
      - {name: a_b, then: throw}
  throw:
    roll: {die: coin}
    do: set pot to die
    then: end
"""


def test_names_that_look_alike_stay_apart_and_no_number_is_too_long() -> None:
    graph = Explorer(bind(read_ruleset(Source("alike.yaml", ALIKE))[0]), "points").explore()[0]
    model = read_prism(prism(graph))
    assert list(model.choices[model.first]) == ["seat_1_a_b", "seat_1_a_b__2", "seat_1_action", "seat_1_a_b__3"]
    paid = {choice.rewards["seat_1"] for each in model.choices.values() for choice in each.values()}
    assert Fraction(6_000_000_001, 3_000_000_001) in paid


def test_what_prism_cannot_do_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    (craps,) = cases_of("craps")
    notes = [read_prism(prism(explored(craps, objective))).notes for objective in ("even", "win")]
    assert ["some payoffs are negative" in " ".join(each) for each in notes] == [True, False]
    monkeypatch.setattr(checkers, "PRISM_MOST", 5)
    graph = explored(craps, "even")
    with pytest.raises(
        ExportError, match=r"choices, and PRISM is too slow beyond 5: take fewer seats .*, or write DRN"
    ):
        prism(graph)
