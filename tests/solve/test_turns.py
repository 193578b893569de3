"""A turn that is the same on every sheet is explored once, and games solved that way have the values of the whole
games.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from fractions import Fraction
from itertools import combinations, product
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import oddsmith
from oddsmith.api.positions import parse_position
from oddsmith.api.workers import open_workers
from oddsmith.base.errors import DisagreementError, PlayError, SolveError
from oddsmith.base.executors import Resources, SerialExecutor
from oddsmith.graph.explore import Explorer
from oddsmith.solve.numbers import FixedPoint
from oddsmith.solve.staged import turn as columns
from oddsmith.solve.staged.by_turn import LayerSolver, explore_turn_starts
from oddsmith.solve.staged.find import find_stages
from oddsmith.solve.staged.staged import Staged, solve_by_stages
from oddsmith.solve.staged.turn import BestActions, TurnGraph, find_turn_graph
from tests.solve.test_stages import MemoryStore
from tests.staged import by_stages

SHEET = """
format: 1
id: sheet
title: Sheet
summary: Two dice, rolled twice at most, and three boxes for what they show.
seats: {{min: 1, max: 2, default: 1}}
lists:
  boxes: [low, high, pair]
state:
  kept: {{type: hand, dice: 2d4, resets: turn}}
  left: {{start: 1, max: 1, resets: turn}}
  open: {{type: flag, each: [seat, boxes], start: true}}
  score: {{max: 24, each: seat}}
  leader: {{type: seat}}
{more}
define:
  low_worth: sum(kept) if max(kept) <= 2 else 0
  high_worth: sum(kept) if max(kept) > 2 else 0
  worth_of(b): low_worth if b == low else (high_worth if b == high else (5 if size(distinct(kept)) == 1 else 0))
payoffs:
  points: {points}
  win: share(score)
turn: cup
phases:
  cup:
    roll: {{kept: rest}}
    outcomes:
      - {{name: Last, when: left == 0, then: write}}
      - {{name: Roll, then: keep}}
  keep:
    choose:
      - name: Enough
        then: write
      - name: Again
        for: {{part: subsets(kept)}}
        when: {again}
        do:
          - set kept to part
          - add -1 to left
        then: cup
  write:
    choose:
      - name: Write
        for: {{box: boxes}}
        when: open[box]
        do:
          - set open[box] to false
          - add worth_of(box) to score
        then: {then}
  close:
    cases:
      - name: Full
        when: not any(open[b] for b in boxes) and next == leader
        then: end
      - {{name: Next, then: pass}}
{after}
"""
PLAIN = {"more": "", "points": "score / 3", "again": "size(part) < 2", "then": "close", "after": ""}


def sheet(**changes: str) -> oddsmith.LoadedRuleset:
    """The game, with some of its parts in other words."""
    return oddsmith.loads(SHEET.format(**{**PLAIN, **changes}))


def turn_of(book: Any, seats: int = 1, objective: str = "points") -> TurnGraph | None:
    """The turn of a game that is the same on every sheet."""
    explorer = Explorer(book.at(seats).game, objective)
    stages = find_stages(explorer.codec)
    assert stages is not None
    return find_turn_graph(explorer, frozenset(stages.direction_by_variable))


@pytest.mark.parametrize(("seats", "objective"), [(1, "points"), (2, "win")])
def test_values_are_those_of_the_whole_game(seats: int, objective: str) -> None:
    book = sheet()
    whole, staged = book.at(seats, objective).solve(), by_stages(book, seats, objective, digits=40)
    assert staged.staged.stages_in_words.startswith("turns, the same 21 positions on each of")
    assert staged.state_count == whole.solution.graph.state_count
    assert sum(summaries.transitions for summaries in staged.staged.summaries.values()) == len(
        whole.solution.graph.target
    )
    assert staged.values == whole.values  # fractions: the bounds leave only those
    assert staged.mean_turns.exact == 3 * seats
    assert staged.undecided_count == 0
    assert staged.kind == whole.kind


def test_a_game_that_is_played_for_little_takes_the_worst() -> None:
    book = sheet(points="{value: score, goal: min}")
    assert by_stages(book, digits=40).values == book.solve().values


def test_ties_that_few_digits_leave_open_are_told() -> None:
    book = sheet(points="score / 1000003 / 1000033 / 1000037")
    few, many = by_stages(book, digits=0), by_stages(book, digits=60)
    assert few.undecided_count > 0
    assert many.undecided_count == 0
    assert few.values[0].lower <= many.values[0].middle <= few.values[0].upper


def kept(staged: Staged) -> list[tuple[bytes, bytes]]:
    """The keys and the values of every stage."""
    records = staged.schedule.records
    return [
        (record.keys.tobytes(), record.values.middle.tobytes())
        for record in map(records.get, staged.schedule.order)
        if record
    ]


def test_processes_that_share_the_sheets_find_the_same_bytes(monkeypatch: pytest.MonkeyPatch) -> None:
    game, sent = sheet().at(1).game, set[Any]()
    alone = solve_by_stages(game)
    monkeypatch.setattr(columns, "MIN_POSITIONS", 1)
    with open_workers(2) as processes:

        class Told(SerialExecutor):
            jobs = processes.jobs

            def __call__(self, compute: Any, tasks: Any) -> Any:
                sent.add(compute)
                return processes(compute, tasks)

        shared = solve_by_stages(game, resources=Resources(executor=Told()))
    assert sent == {columns.explore_next_turns, columns.turn_start_values}
    assert (kept(shared), shared.values, shared.undecided_count) == (kept(alone), alone.values, alone.undecided_count)


class Lost(SerialExecutor):
    """Every process ends."""

    jobs = 2

    def __call__(self, compute: Any, tasks: Any) -> Any:  # noqa: ARG002 - nothing is worked out
        return ((task, None) for task in tasks)


def test_a_process_that_ends_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(columns, "MIN_POSITIONS", 1)
    with pytest.raises(SolveError, match="something outside ended a process"):
        solve_by_stages(sheet().at(1).game, resources=Resources(executor=Lost()))


def test_advice_is_that_of_the_whole_game() -> None:
    book = sheet()
    whole, staged = book.at(2).solve(), by_stages(book, 2, digits=40)
    graph = whole.solution.graph
    for number in range(0, graph.state_count, 9001):
        state = graph.state(number)
        assert staged.staged.state_index(state) is not None
        known = {advice.action: advice.value.middle for advice in whole.solution.advise(number)}
        advised = staged.advise(state)
        assert {advice.action for advice in advised} == known.keys()
        for advice in advised:
            assert advice.value.lower <= known[advice.action] <= advice.value.upper
        assert known[advised[0].action] == max(known.values())


def test_the_turn_on_other_sheets_is_what_exploring_finds_there() -> None:
    turn = turn_of(sheet(), 2, "win")
    assert turn is not None
    sheets = explore_turn_starts(turn, lambda *_: None, SerialExecutor())
    assert sheets is not None
    for layer in sheets.layers[1:]:
        turn.check_turn_is_same(layer.keys.filled[:, -1:])
    wrong = replace(turn.inner_graph, weight=turn.inner_graph.weight + 1)
    with pytest.raises(DisagreementError, match="not the same on every sheet"):
        replace(turn, inner_graph=wrong).check_turn_is_same(sheets.layers[1].keys.filled[:, :1])


ENDLESS = SHEET.format(**PLAIN).replace(
    "          - add -1 to left\n", ""
)  # dice are rolled again as often as one likes
LONGER = "when: score > 6 or not any(open[b] for b in boxes)"


@pytest.mark.parametrize(
    "book",
    [
        sheet(again="size(part) < 2 and open[low]"),  # the sheet says what may be kept
        sheet(again="size(part) < 2 and score < 20"),
        sheet(after="end_when: score > 20"),  # every step looks at it
        sheet(then="cup", after="end_when: not any(open[b] for b in boxes)"),  # dice are rolled as part of the choice
        oddsmith.loads(ENDLESS),
        oddsmith.loads(SHEET.format(**PLAIN).replace("when: not any(open[b] for b in boxes)", LONGER)),  # turns differ
    ],
    ids=[
        "kept by the sheet",
        "kept by the score",
        "ended by the score",
        "rolled at the border",
        "rolled again and again",
        "plays of any length",
    ],
)
def test_a_turn_that_depends_on_the_sheet_is_not_taken_for_one(book: Any) -> None:
    staged = by_stages(book, digits=40)
    assert "turns" not in staged.staged.stages_in_words
    assert staged.values[0].lower <= book.solve().values[0].middle <= staged.values[0].upper


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_rule_that_breaks_at_a_border_is_told(jobs: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(columns, "MIN_POSITIONS", 1)
    broken = oddsmith.loads(SHEET.format(**PLAIN).replace("score: {max: 24,", "score: {max: 9,"))
    with pytest.raises(PlayError, match="score"):
        by_stages(broken, jobs=jobs)


def test_kept_turns_are_not_solved_again() -> None:
    game, store = sheet().at(1).game, MemoryStore()
    first, again = solve_by_stages(game, store=store), solve_by_stages(game, store=store)
    assert len(store) == 3 + 2  # the way and that all is solved are kept too
    assert (first.values, first.mean_turns, first.summaries) == (again.values, again.mean_turns, again.summaries)


def test_the_best_is_found_and_what_comes_near_it() -> None:
    random, point, reach = np.random.default_rng(7), FixedPoint(8, 4), 3
    units = random.integers(0, 1 << 26, size=(5, 400))
    units[:, 100:] = units[:1, 100:] + random.integers(-6, 7, size=(5, 300))  # many that lie close together

    def limbs(row: Any) -> Any:
        return np.array([point.limbs_of_units(int(each)) for each in row], dtype=np.int64).T[:, None]

    for sign in (1, -1):
        best = BestActions(point, limbs(units[0]), reach, sign)
        for row in units[1:]:
            best.update(np.arange(len(row)), limbs(row))
        for place in range(units.shape[1]):
            column = (units[:, place] * sign).tolist()
            found = point.units_of_limbs(best.values[:, 0, place].tolist()) * sign
            assert found == max(column)
            near = sum(each >= found - reach for each in column) > 1
            assert best.near[place] or not near


@pytest.mark.parametrize("few", [True, False])
def test_rows_that_serve_again_hold_the_same_values(few: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    if few:
        monkeypatch.setattr(columns, "SHEETS_PER_BLOCK", 3)
    schedule = by_stages(sheet(), 2, "win").staged.schedule
    assert isinstance(schedule, LayerSolver)
    inner, solver = schedule.inner, schedule.columns
    point = solver.point
    assert isinstance(point, FixedPoint)
    assert inner.held < inner.count
    for layer in schedule.order:
        later, radius, _ = schedule.next_values_radius_and_exponents(layer)
        keys = schedule.turn_starts.layers[layer].keys.filled
        begins, undecided = solver.solve(keys, later, radius)
        everywhere, again = solver.solve(keys, later, radius, all_positions=True)
        assert (begins[:, :, 0] == everywhere[:, :, inner.places[0]]).all()
        assert undecided == again
        # Each position has the best of what its distributions bring.
        worth = np.moveaxis(everywhere, 2, 0)
        for each in inner.layers:
            brought = inner._distribution_values(each, worth)
            units = np.array([[point.units_of_limbs(at) for at in one[:, 0].T.tolist()] for one in brought])
            held = [[point.units_of_limbs(at) for at in one[:, 0].T.tolist()] for one in worth[each.states]]
            for place, row in enumerate(held):
                own = [units[slot[place]] for slot in each.distributions_by_action if place < len(slot)]
                assert row == np.max(own, axis=0).tolist()


# --- by hand


def brute() -> tuple[Fraction, dict[tuple[int, ...], Fraction]]:
    """What a sheet of Yahtzee with the boxes for Yahtzee and the large straight brings: whole numbers over powers of 6.

    And what it is worth to keep each set of dice before the last roll of the first turn.
    """
    hands = Counter(tuple(sorted(dice)) for dice in product(range(1, 7), repeat=5))
    laws = {
        part: Counter(tuple(sorted(part + dice)) for dice in product(range(1, 7), repeat=5 - len(part)))
        for part in {part for hand in hands for size in range(6) for part in combinations(hand, size)}
    }
    parts = {hand: {part for size in range(6) for part in combinations(hand, size)} for hand in hands}

    def turn(ends: dict[tuple[int, ...], int]) -> int:
        """What a turn is worth, times 6 to the power of 15, by what it is worth to write each hand."""
        for _ in range(2):
            kept = {part: sum(ends[h] * n for h, n in law.items()) * 6 ** len(part) for part, law in laws.items()}
            ends = {hand: max(kept[part] for part in parts[hand]) for hand in hands}
        return sum(ends[hand] * n for hand, n in hands.items())

    straights, unit = ((1, 2, 3, 4, 5), (2, 3, 4, 5, 6)), 6**15
    straight = {hand: 40 * (hand in straights) for hand in hands}
    yahtzee = {hand: 50 * (len(set(hand)) == 1) for hand in hands}
    # A further Yahtzee fits the straight, and brings 100 more if the first one brought 50.
    joker = {hand: 40 if yahtzee[hand] else straight[hand] for hand in hands}
    bonus = {hand: 140 if yahtzee[hand] else straight[hand] for hand in hands}
    last = turn(yahtzee)
    then = {50: 50 * unit + turn(bonus), 0: turn(joker)}
    written = {hand: then[yahtzee[hand]] for hand in hands}
    first = {hand: max(written[hand], straight[hand] * unit + last) for hand in hands}
    kept = {part: Fraction(sum(first[h] * n for h, n in law.items()), law.total() * unit) for part, law in laws.items()}
    return Fraction(turn(first), unit**2), kept


def test_a_small_sheet_of_yahtzee_is_worth_what_counting_by_hand_finds() -> None:
    staged, (value, kept) = by_stages(oddsmith.load("yahtzee"), lower_boxes=2, digits=40), brute()
    assert staged.values[0].exact == value
    position = parse_position(staged.staged, "phase=keep, kept=2 3 4 5 5, left=1")
    for advice in staged.advise(position.state):
        dice = [int(word) for word in advice.action.rstrip(")").split() if word.isdigit()]
        if advice.action != "Enough":
            assert advice.value.lower <= kept[tuple(dice)] <= advice.value.upper


@pytest.mark.long
def test_the_whole_sheet_of_yahtzee_is_worth_the_fraction_that_the_documentation_prints() -> None:
    text = (Path(__file__).parents[2] / "docs" / "large-games.md").read_text("utf-8")
    numerator = int("".join(text.split("```text")[1].split("```")[0].split()))
    staged = by_stages(oddsmith.load("yahtzee"), variants=["whole-sheet"], digits=150)
    assert staged.values[0].exact == Fraction(numerator, 2**169 * 3**179)
    assert staged.undecided_count == 0
