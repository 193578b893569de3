"""Questions that a ruleset may ask in forms that no shipped game uses."""

from __future__ import annotations

from collections import defaultdict
from fractions import Fraction
from pathlib import Path

import pytest

import oddsmith
from oddsmith.base.errors import MeasureError, OddsmithError
from oddsmith.base.exact import Number
from oddsmith.expr.tree import FLAG, NUMBER, const
from oddsmith.ruleset.binding import bind
from oddsmith.ruleset.game import Game
from oddsmith.ruleset.model import Setting
from oddsmith.ruleset.model.questions import Measure
from oddsmith.ruleset.reading.build import load_ruleset
from oddsmith.ruleset.rules import Rules, State
from oddsmith.solve.game_solver import solve
from oddsmith.solve.questions.distribution import distribution
from oddsmith.solve.questions.measure import answer_question, conditional_chance
from oddsmith.solve.questions.played import can_pass_phase_twice
from oddsmith.solve.solution import Solution
from tests.cases import RULESETS, SAMPLES, ruleset
from tests.simulate.test_agreement import follow
from tests.solve.playing_out import moves


def questions(name: str, folder: Path, **asked: str) -> Game:
    """A game with measures of our own."""
    source = SAMPLES if (SAMPLES / f"{name}.yaml").exists() else RULESETS
    text = (source / f"{name}.yaml").read_text("utf-8")
    lines = "".join(f"  {label}: {question}\n" for label, question in asked.items())
    assert text.count("\nmeasures:\n") == 1
    path = folder / "asked.yaml"
    path.write_text(text.replace("\nmeasures:\n", f"\nmeasures:\n{lines}"), "utf-8")
    return bind(load_ruleset(path)[0], Setting(values={"target": 6} if name == "pig" else {}))


def never(game: Game) -> Solution:
    raise AssertionError("no policy matters")


def answer(game: Game, label: str) -> Number:
    return answer_question(game, game.ruleset.measures[label], lambda: never(game))


def test_one_roll_under_a_condition(tmp_path: Path) -> None:
    """A condition on the same throw, and on the sorting that follows it."""
    game = questions(
        "craps",
        tmp_path,
        same="{chance: [come_out, Natural], given: [come_out, Natural]}",
        other="{chance: [come_out, Natural], given: [come_out, Craps]}",
        point="{mean: total, at: [come_out, Point], given: [come_out, Point]}",
        never="{chance: [come_out, Natural], given: [chase, Made]}",
    )
    assert answer(game, "same").exact == 1
    assert answer(game, "other").exact == 0
    plain = Measure(
        "mean", game.ruleset.phases["come_out"].location, ("come_out", "Point"), game.ruleset.measures["point"].value
    )
    assert answer(game, "point") == answer_question(game, plain, lambda: never(game))
    with pytest.raises(MeasureError, match="no result of come_out leads to Made"):
        answer(game, "never")


SORTED = """
format: 1
id: sorted
title: Sorted
summary: A throw, and what it is sorted into.
source: {title: Sorted, author: nobody}
seats: 1
state:
  pot: {max: 12}
payoffs: {points: pot}
turn: throw
phases:
  throw:
    roll: {hand: 2d6}
    outcomes:
      - {name: Double, when: all_equal(hand), do: set pot to sum(hand), then: sort}
      - {name: Other, do: set pot to sum(hand), then: sort}
  sort:
    cases:
      - {name: High, when: pot > 8, then: end}
      - {name: Low, then: end}
measures:
  double: {chance: [throw, Double], given: [sort, High]}
  mean: {mean: sum(hand), at: [throw, Double], given: [sort, Low]}
  second: {chance: [throw, Double], in: turn, seat: 2}
  lost: {chance: [throw, Double], in: game, with: {pot: 3}}
  sorting: {chance: [sort, High], given: [throw, Double]}
  shares: {mean: sum(hand), at: [throw, Double], per: max(hand) + 1}
  of all: {mean: pot, at: end, per: pot * pot}
  of nothing: {mean: pot, at: end, per: pot - 7}
"""


def test_a_condition_on_what_a_throw_is_sorted_into(tmp_path: Path) -> None:
    path = tmp_path / "sorted.yaml"
    path.write_text(SORTED, "utf-8")
    game = bind(load_ruleset(path)[0])
    assert answer(game, "double").exact == Fraction(2, 10)  # 10 and 12 are doubles, of 4 + 3 + 2 + 1 ways over 8
    assert answer(game, "mean").exact == Fraction(2 + 4 + 6 + 8, 4)
    assert answer(game, "shares").exact == Fraction(2 * 21, 21 + 6), (
        "a mean by a mean, and not the mean of what is divided"
    )
    solved = solve(game)
    assert answer_question(game, game.ruleset.measures["of all"], lambda: solved).exact == Fraction(7 * 36, 1974)
    with pytest.raises(MeasureError, match="divided by is 0"):
        answer_question(game, game.ruleset.measures["of nothing"], lambda: solved)
    for label, words in (("second", "no seat 2"), ("lost", "does not go with `in`"), ("sorting", "is for rolls")):
        with pytest.raises(MeasureError, match=words):
            answer(game, label)


TWICE = """
format: 1
id: twice
title: Twice
summary: One choice, a number that is sorted before and after the throw.
source: {title: Twice, author: nobody}
seats: 1
state:
  n: {max: 9}
payoffs: {points: n}
turn: go
phases:
  go:
    choose:
      - {name: Go, then: sort}
  sort:
    cases:
      - {name: High, when: n >= 4, then: end}
      - {name: Low, do: add 1 to n, then: throw}
  throw:
    roll: {die: d2}
    outcomes:
      - {name: Again, do: add 1 to n, then: sort}
measures:
  lows: {count: [sort, Low]}
  throws: {count: [throw, Again]}
"""


def test_what_one_step_may_take_twice_is_not_counted(tmp_path: Path) -> None:
    """Low is taken before the throw and after it, in one transition of the graph."""
    path = tmp_path / "twice.yaml"
    path.write_text(TWICE, "utf-8")
    game = bind(load_ruleset(path)[0])
    solution = solve(game)
    for question in (
        lambda: answer_question(game, game.ruleset.measures["lows"], lambda: solution),
        lambda: distribution(solution, "count sort/Low"),
    ):
        with pytest.raises(OddsmithError, match="may pass sort twice"):
            question()
    assert answer_question(game, game.ruleset.measures["throws"], lambda: solution).exact == 2
    assert not can_pass_phase_twice(ruleset("ship-captain-crew"), "throw")


def test_the_first_turn_of_another_seat(tmp_path: Path) -> None:
    """The second player's first turn, which comes to nothing where the first has won before."""
    game = questions(
        "pig",
        tmp_path,
        first="{chance: [throw, Bust], in: turn}",
        second="{chance: [throw, Bust], in: turn, seat: 2}",
        given="{chance: [throw, Bust], in: turn, seat: 2, given: [throw, Safe]}",
    )
    solution = solve(game, "win")

    law = events_of_turn(solution, 1)
    busts = sum(mass for events, mass in law.items() if "Bust" in events)
    safes = sum(mass for events, mass in law.items() if "Safe" in events)
    both = sum(mass for events, mass in law.items() if {"Bust", "Safe"} <= events)
    found = {
        label: answer_question(game, game.ruleset.measures[label], lambda: solution).exact
        for label in ("second", "given")
    }
    assert found == {"second": busts, "given": both / safes}
    asked = answer_question(game, game.ruleset.measures["first"], lambda: solution)
    assert asked.exact == sum(mass for events, mass in events_of_turn(solution, 0).items() if "Bust" in events)


def events_of_turn(solution: Solution, seat: int) -> dict[frozenset[str], Fraction]:
    """Which entries of the throw a seat takes in its first turn, with their chances; nothing where it has none."""
    rules, choose = Rules(solution.graph.game), follow(solution)
    front: dict[tuple[State, frozenset[str]], Fraction] = {(rules.start(), frozenset()): Fraction(1)}
    law: defaultdict[frozenset[str], Fraction] = defaultdict(Fraction)
    while front:
        ahead: defaultdict[tuple[State, frozenset[str]], Fraction] = defaultdict(Fraction)
        for (state, seen), mass in front.items():
            for chance, move in moves(rules, state, choose):
                events = seen | {name for _, name in move.step.events} if state.mover == seat else seen
                if not move.step.state.phase or (move.step.turn_over and state.mover == seat):
                    law[events] += mass * chance
                else:
                    ahead[move.step.state, events] += mass * chance
        front = ahead
    return law


def test_a_share_of_a_mixture_is_the_chance_of_an_option() -> None:
    solution = solve(
        bind(ruleset("rogues-gambit"), Setting(4, values={"coins_each": 15, "full_belly": "pocketed"})),
        "coins",
        same_for_all_seats=True,
    )
    game, graph = solution.graph.game, solution.graph
    where = game.ruleset.phases["decide"].location
    for state, mixture in solution.mixtures.items():
        cells = graph.state(state).cells
        start = {
            cell.name: const(cells[place], FLAG if cell.variable.kind == "flag" else NUMBER)
            for place, cell in enumerate(game.cells)
            if not cell.variable.is_per_seat
        }
        parts = [
            answer_question(
                game, Measure("chance", where, ("decide", entry.name), start_values=start), lambda: solution
            )
            for entry in game.ruleset.phases["decide"].entries
        ]
        assert all(chance in parts for chance in mixture.row_probabilities.values())
        assert sum(part.lower for part in parts) <= 1 <= sum(part.upper for part in parts)
        assert all(part.lower > 0 for part in parts)


def test_coins_are_counted_under_a_policy_for_winning(tmp_path: Path) -> None:
    """The graph of coins alone would not tell purses apart, on which a policy for winning depends."""
    game = questions("rogues-gambit", tmp_path, coins="{mean: purse, at: end}", spread="{spread: coins}")
    game = bind(game.ruleset, Setting(2, values={"coins_each": 6}))
    solution = solve(game, "win")
    law = distribution(solution, "coins")
    assert answer_question(game, game.ruleset.measures["coins"], lambda: solution) == law.mean
    assert answer_question(game, game.ruleset.measures["spread"], lambda: solution) == law.standard_deviation


def test_a_condition_that_may_never_be_met_has_no_chance_under_it() -> None:
    tiny, some = Fraction(1, 10**30), Number.of(Fraction(1, 2))
    with pytest.raises(ZeroDivisionError):
        conditional_chance(some, Number.of(0), some)
    with pytest.raises(ZeroDivisionError):
        conditional_chance(some, Number(-tiny, Fraction(0)), some)
    with pytest.raises(MeasureError, match="no bound tells its chance from 0"):
        conditional_chance(some, Number(-tiny, tiny), some)
    assert conditional_chance(some, some, some).exact == 1


TALLIED = """
format: 1
id: tallied
title: Tallied
summary: Both roll, and the higher one wins.
seats: 2
state:
  score: {type: tally, each: seat}
payoffs:
  points: score
  win: share(score)
turn: throw
phases:
  throw:
    roll: {die: d3}
    outcomes:
      - {name: Thrown, do: [add die to score], then: end}
measures:
  Spread of wins: {spread: win}
  Spread of points: {spread: points}
"""


def test_a_question_that_needs_a_tally_as_a_number_stops_no_other() -> None:
    solved = oddsmith.loads(TALLIED).solve()
    assert list(solved.measures) == ["Spread of points"]
    assert "needs the tally score itself" in solved.unanswered["Spread of wins"]
