"""Turns that may leave the sheet as it was: the values of such games are those of the whole games."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

import oddsmith
from oddsmith.base.errors import SolveError
from oddsmith.solve.staged import turn as columns
from oddsmith.solve.staged.by_turn import solve_return_system
from oddsmith.solve.staged.staged import Staged
from tests.staged import by_stages

RACE = """
format: 1
id: race
title: Race
summary: Roll a die as often as you dare, and write down the points.
seats: {{min: 1, max: 3, default: 2}}
dice:
  bone:
    faces: span(1, 4)
state:
  pot: {{max: 9, resets: turn}}
  score: {{max: 6, each: seat}}
  visits: {{type: tally, each: seat}}
{more}
payoffs:
  win: {win}
  fewest: {{value: visits, goal: min}}
turn: throw
phases:
  throw:
    roll: {{die: bone}}
    outcomes:
      - {{name: Bust, when: die == 1, do: set pot to 0, then: write}}
{again}
      - {{name: Safe, do: add die to pot, then: decide}}
  decide:
    choose:
      - {{name: Stop, then: write}}
      - {{name: Roll, when: pot < 6, then: throw}}
  write:
    choose:
      - name: Write down
        do:
          - add min({written}, 6 - score) to score
          - add 1 to visits
{paid}
        then: close
{options}
  close:
    cases:
      - {{name: Over, when: score >= 6, then: end}}
      - {{name: Next, then: {then}}}
measures:
  Busts: {{count: [throw, Bust]}}
"""
PLAIN = {"more": "", "win": "share(score)", "written": "pot", "options": "", "paid": "", "then": "pass", "again": ""}
HALF = """
      - name: Leave one
        do:
          - add min(max(pot - 1, 0), 6 - score) to score
          - add 1 to visits
        then: close
"""
FEE = """
          - if: score >= 6
            do:
              - add 5 to fee
              - add -5 to fee[next]
          - add -1 to fee
          - add 1 to fee[next]
"""


def race(**changes: str) -> oddsmith.LoadedRuleset:
    """The game, with some of its parts in other words."""
    return oddsmith.loads(RACE.format(**{**PLAIN, **changes}))


GAMES: dict[str, Callable[[], oddsmith.LoadedRuleset]] = {
    "plain": race,
    "nothing under two": lambda: race(written="pot if score > 0 or pot >= 3 else 0"),
    "a choice at the end of a turn": lambda: race(options=HALF),
    "for points": lambda: race(win="(2 * score - sum(score[table])) / 7"),
    "who plays on pays": lambda: race(win="fee / 7", more="  fee: {type: tally, each: seat}", paid=FEE),
}


@pytest.mark.parametrize("name", GAMES)
def test_values_turns_advice_and_measures_are_those_of_the_whole_game(name: str) -> None:
    book = GAMES[name]()
    whole, staged = book.solve(), by_stages(book, digits=30)
    graph = whole.solution.graph
    assert staged.staged.stages_in_words.startswith("turns, the same")
    assert staged.state_count >= graph.state_count  # every turn has all its positions on every sheet
    assert (
        max(summaries.largest for summaries in staged.staged.summaries.values()) == np.bincount(graph.components).max()
    )
    assert staged.kind == whole.kind == "zero-sum"
    for one, two in zip(staged.values, whole.values, strict=True):
        assert one.lower <= two.middle <= one.upper
        assert one.upper - one.lower < 1e-30
    mean = whole.distribution("turns").mean
    assert mean is not None
    assert staged.mean_turns.lower <= mean.middle <= staged.mean_turns.upper
    assert staged.measures["Busts"].lower <= whole.measures["Busts"].middle <= staged.measures["Busts"].upper
    states = [graph.state(number) for number in range(graph.state_count)]
    for number, pick in enumerate(staged.sampled_action_indices(states, [0.0] * len(states))):
        best = [advice.row - graph.state_rows[number] for advice in whole.solution.advise(number) if advice.best]
        assert pick in best
    for number in range(0, graph.state_count, 11):
        known = {advice.action: advice.value.middle for advice in whole.solution.advise(number)}
        for advice in staged.advise(states[number]):
            assert advice.value.lower <= known[advice.action] <= advice.value.upper


LONG_SHOT = """
format: 1
id: long-shot
title: Long Shot
summary: Whoever leads writes down anything, and whoever is behind needs SHOTS good throws in one turn.
seats: {min: 2, max: 2, default: 2}
dice:
  coin:
    faces: [1, 1, 1, 2]
state:
  pot: {max: SHOTS, resets: turn}
  score: {max: 2, each: seat}
payoffs:
  win: share(score)
turn: throw
phases:
  throw:
    roll: {die: coin}
    outcomes:
      - {name: Miss, when: die == 1, do: set pot to 0, then: write}
      - {name: Hit, do: add 1 to pot, then: decide}
  decide:
    choose:
      - {name: Stop, then: write}
      - {name: Throw, when: pot < SHOTS, then: throw}
  write:
    choose:
      - name: Write down
        do: add min(2 - score, (2 if pot == SHOTS else min(1, pot)) if pot == SHOTS or LEADS else 0) to score
        then: close
  close:
    cases:
      - {name: Over, when: score >= 2, then: end}
      - {name: Next, then: pass}
"""
"""For one player nearly every turn comes back, and for the other one few do."""


def test_who_is_far_behind_keeps_nobody_from_a_proof() -> None:
    book = oddsmith.loads(LONG_SHOT.replace("SHOTS", "14").replace("LEADS", "score >= score[next]"))
    whole, staged = book.solve(), by_stages(book)
    assert staged.staged.stages_in_words.startswith("turns, the same")
    for one, two in zip(staged.values, whole.values, strict=True):
        assert one.lower <= two.lower
        assert two.upper <= one.upper
        assert one.upper - one.lower < 1e-12
    mean = whole.distribution("turns").mean
    assert mean is not None
    assert staged.mean_turns.lower <= mean.lower
    assert mean.upper <= staged.mean_turns.upper


def test_where_both_come_back_nearly_always_fractions_prove_it() -> None:
    book = oddsmith.loads(LONG_SHOT.replace("SHOTS", "14").replace("LEADS", "false"))
    whole, staged = book.solve(), by_stages(book)
    for one, two in zip(staged.values, whole.values, strict=True):
        assert one.lower <= two.upper
        assert two.lower <= one.upper
        assert one.upper - one.lower < 1e-12


def test_a_race_of_farkle_has_the_value_of_the_whole_game() -> None:
    book = oddsmith.load("farkle")
    whole, staged = book.at(target=2).solve(), by_stages(book, target=2)
    assert staged.state_count == whole.solution.graph.state_count
    for one, two in zip(staged.values, whole.values, strict=True):
        assert one.lower <= two.upper
        assert two.lower <= one.upper
        assert one.upper - one.lower < 1e-12


NOTHING = """
      - name: Write nothing
        do: add 1 to visits
        then: close
"""
MARKED = {
    "more": "  mark: {type: flag}",
    "paid": "          - set mark to pot > 2",
    "written": "pot if pot > (3 if mark else 4) else 0",
}
OTHERS: dict[str, tuple[Callable[[], oddsmith.LoadedRuleset], int, str]] = {
    "three players": (race, 3, "win"),
    "no constant sum": (race, 2, "fewest"),
    "the same player goes on": (lambda: race(then="throw"), 2, "win"),
    "two sheets to come back to": (lambda: race(**MARKED), 2, "win"),
    "cycles within a turn": (lambda: race(again="      - {name: Again, when: die == 4, then: throw}"), 2, "win"),
}


@pytest.mark.parametrize("name", OTHERS)
def test_other_games_are_solved_stage_by_stage(name: str) -> None:
    make, seats, objective = OTHERS[name]
    whole, staged = make().at(seats, objective).solve(), by_stages(make(), seats, objective, digits=20)
    assert staged.staged.stages_in_words.startswith("what only grows: score")
    assert staged.state_count == whole.solution.graph.state_count
    for one, two in zip(staged.values, whole.values, strict=True):
        assert one.lower <= two.upper
        assert two.lower <= one.upper


def test_best_play_that_never_ends_is_told() -> None:
    with pytest.raises(SolveError, match="No best play is found that cannot go on for ever"):
        by_stages(race(win="1 - share(score)", options=NOTHING))


def kept(staged: Staged) -> list[tuple[bytes, ...]]:
    """What is known of the sheets of every layer."""
    records = [staged.schedule.records.require(stage) for stage in staged.schedule.order]
    return [
        (each.keys.tobytes(), each.values.middle.tobytes(), each.remaining_turns.middle.tobytes()) for each in records
    ]


def test_processes_find_the_same_bytes(monkeypatch: pytest.MonkeyPatch) -> None:
    alone = by_stages(race())
    monkeypatch.setattr(columns, "MIN_POSITIONS", 1)
    shared = by_stages(race(), jobs=2)
    assert (kept(shared.staged), shared.values, shared.mean_turns) == (
        kept(alone.staged),
        alone.values,
        alone.mean_turns,
    )


def test_work_that_was_stopped_goes_on(tmp_path: Path) -> None:
    book, stopped = race(), 5

    def report(what: str, _: int, __: int) -> None:
        if what.startswith(f"stage {stopped}"):
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        by_stages(book, store=tmp_path, progress=report)
    again, alone = by_stages(book, store=str(tmp_path)), by_stages(book)
    assert (kept(again.staged), again.values, again.mean_turns) == (kept(alone.staged), alone.values, alone.mean_turns)
    found = by_stages(book, store=tmp_path)
    state = found.staged.explorer.rules.start()
    assert found.advise(state) == alone.advise(state)


def test_a_certificate_of_returning_turns_is_checked_by_others(tmp_path: Path) -> None:
    book, file = race(), tmp_path / "race.jsonl"
    by_stages(book, digits=40).certificate(file)
    for one, two in zip(book.certify(file).values, book.solve().values, strict=True):
        assert one.lower <= two.middle <= one.upper


def test_what_sheets_bring_that_lead_to_each_other_is_found() -> None:
    one, back = 1 << 40, np.array([1, 0, -1, 2])
    chance = [one // 2, one // 3, 0, one // 5]
    off = [3 * one, one, 7 * one, -one]
    for sign in (1, -1):
        found = [Fraction(each, one) for each in solve_return_system(off, chance, back, one, sign)]
        for place, to in enumerate(back.tolist()):
            led = found[to] if to >= 0 else 0
            assert abs(found[place] - Fraction(off[place], one) - sign * Fraction(chance[place], one) * led) < Fraction(
                4, one
            )
