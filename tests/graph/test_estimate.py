"""Bounds of sizes, against counting one by one."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count, product
from typing import Any

import numpy as np
import pytest

import oddsmith
from oddsmith.api.checking import check_source
from oddsmith.base.arrays import Ints
from oddsmith.base.errors import TooManyStatesError
from oddsmith.base.executors import Work
from oddsmith.base.files import find_ruleset
from oddsmith.base.limits import limited
from oddsmith.graph import estimate
from oddsmith.graph.estimate import (
    MAX_COINS,
    MAX_SPELLED_OUT,
    PlaySample,
    SizeEstimate,
    _count_sums,
    lower_bound_from_single_plays,
    sample_plays,
)
from oddsmith.graph.explore import Explorer
from oddsmith.ruleset import PlayedMove, played_moves
from oddsmith.ruleset.reading import source_from_bytes
from tests.cases import Case, cases
from tests.staged import by_stages


@pytest.mark.parametrize("spans", [[3], [2, 3], [1, 4, 2], [5, 5, 5]])
@pytest.mark.parametrize("total", [0, 3, 6])
def test_sums_are_counted(spans: list[int], total: int) -> None:
    ways = [sum(pick) for pick in product(*(range(span + 1) for span in spans))]
    assert _count_sums(spans, total, exactly=True) == ways.count(total)
    assert _count_sums(spans, total, exactly=False) == sum(way <= total for way in ways)


def test_a_large_total_bounds_nothing() -> None:
    assert _count_sums([9, 9], MAX_COINS + 1, exactly=True) == 100


@pytest.mark.parametrize(
    "case", [case for case in cases() if case.name in ("pig", "craps", "marbles", "piglet")], ids=str
)
def test_a_sample_of_plays_claims_no_more_positions_than_there_are(case: Case) -> None:
    explorer = Explorer(case.game, next(iter(case.game.ruleset.payoffs)))
    graph, whole = explorer.explore()
    assert whole
    assert 1 <= Explorer(case.game, explorer.objective).sampled_lower_bound <= graph.state_count
    assert (
        1 <= lower_bound_from_single_plays(explorer.rules, explorer.codec, MAX_SPELLED_OUT) <= 2 * graph.state_count
    )  # of short plays, few are still going on


def test_a_game_whose_plays_hardly_ever_meet_is_perhaps_too_large() -> None:
    large, usual = (oddsmith.load("pig").at(seats).game for seats in (4, 2))
    warned = Explorer(large, "win").too_large_warning()
    assert warned is not None
    assert (warned.code, warned.severity) == ("OD434", "warning")
    assert "score multiplies them most" in warned.message
    assert Explorer(usual, "win").too_large_warning() is None


BOXES = """\
format: 1
id: boxes
title: Boxes
summary: Two players fill boxes for a long time.
seats: 2
lists:
  places: span(1, 12)
state:
  box: {each: [seat, places], max: 9}
  left: {start: 90, max: 90}
payoffs:
  most: sum(box[places])
turn: go
phases:
  go:
    roll: {where: d12, what: d10}
    do:
      - set box[where] to what - 1
      - add -1 to left
    then: decide
  decide:
    choose:
      - name: Go on
        then: pass
      - name: Clear
        do: set box[1] to 0
        then: pass
end_when: left == 0
"""


RACE = """\
format: 1
id: race
title: Race
summary: Six players hold or roll for a long time, and are as good as level for most of it.
seats: {min: 2, max: 6}
state:
  score: {each: seat, max: 9999}
  pot: {max: 9999, resets: turn}
payoffs:
  win: 1 if score >= 9999 else 0
turn: decide
phases:
  decide:
    choose:
      - name: Roll
        then: throw
      - name: Hold
        when: pot > 0
        do: set score to min(9999, score + pot)
        then: pass
  throw:
    roll: {die: d6}
    outcomes:
      - name: One
        when: die == 1
        then: pass
      - name: Other
        do: set pot to min(9999, pot + die)
        then: decide
end_when: any(score[s] >= 9999 for s in table)
"""

SHEET = """\
format: 1
id: sheet
title: Sheet
summary: A sheet of many boxes, each filled once, whose greatest differs from its least.
seats: 1
lists:
  boxes: span(1, 20)
state:
  box: {each: boxes, max: 60}
  pips: {max: 60, resets: turn}
  left: {start: 20, max: 20}
payoffs:
  most: max(box[boxes]) - min(box[boxes])
turn: throw
phases:
  throw:
    roll: {one: d20, other: d3}
    do: set pips to one * other
    then: fill
  fill:
    choose:
      - name: Fill
        for: {b: boxes}
        when: box[b] == 0
        do:
          - set box[b] to pips
          - add -1 to left
        then: pass
end_when: left == 0
"""


@pytest.mark.parametrize(
    ("text", "seats"), [(BOXES, 2), (RACE, 6), (SHEET, 1)], ids=["part at once", "part late", "end soon"]
)
def test_a_game_that_nobody_can_hold_is_refused_before_it_is_explored(
    text: str, seats: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Explorer, "_expand", lambda *_: pytest.fail("it is explored"))
    monkeypatch.setattr(Explorer, "successors", lambda *_: pytest.fail("its stages are explored"))
    book = oddsmith.loads(text)
    with pytest.raises(TooManyStatesError, match="hardly ever meet") as refused:
        book.at(seats).solve()
    assert "stages" not in str(refused.value)
    assert "--limit" not in str(refused.value)  # no limit that a machine could keep lets it through
    for ask in (by_stages, oddsmith.LoadedRuleset.effort):
        with pytest.raises(TooManyStatesError, match="hardly ever meet"):
            ask(book.at(seats))
    assert "far more positions than can ever be explored" in book.at(seats).lint().skipped_checks[-1].reason


def test_few_plays_are_played_one_by_one_where_they_often_meet(monkeypatch: pytest.MonkeyPatch) -> None:
    played = list[object]()

    def counted(*given: Any) -> Iterator[PlayedMove]:
        played.append(given)
        return played_moves(*given)

    monkeypatch.setattr(estimate, "played_moves", counted)
    explorer = Explorer(oddsmith.load("royal-game-of-ur").game, "win")
    assert lower_bound_from_single_plays(explorer.rules, explorer.codec, MAX_SPELLED_OUT) > 10_000
    assert len(played) < estimate.MAX_SINGLE_PLAYS / 2  # more would only say the same


def test_a_sample_that_is_too_much_work_is_given_up_in_the_middle_of_a_step() -> None:
    looked = list[int]()

    def follow(keys: Ints) -> Iterator[tuple[Ints, Ints]]:
        for number in count():
            looked.append(number)
            yield keys, np.arange(keys.shape[1])

    assert sample_plays(np.zeros(1, dtype=np.int64), follow, 10) is None
    assert len(looked) < 2 * estimate.MAX_SAMPLED_BLOCKS / estimate.STEPS_PER_WINDOW


def test_a_game_beyond_a_limit_alone_names_the_limit() -> None:
    fewer = BOXES.replace("span(1, 12)", "span(1, 3)").replace("d12", "d3")
    with limited(states=1_000), pytest.raises(TooManyStatesError, match="raise the limit: oddsmith --limit states"):
        oddsmith.loads(fewer).solve(work=Work(method="graph"))


def test_check_sends_nobody_to_what_cannot_be_done() -> None:
    summary = check_source(source_from_bytes(BOXES.encode(), "boxes.yaml")).summary
    assert "positions at 2 seats are sound" in summary
    assert "--full" not in summary
    assert "stage" not in summary


def test_a_look_at_some_positions_ends_where_far_more_are_found() -> None:
    graph, whole = Explorer(oddsmith.loads(BOXES).game, "most").explore(max_states=3_000)
    assert not whole
    assert 0 < graph.state_count <= 3_000


def test_a_bound_that_nobody_would_read_is_a_power_of_ten() -> None:
    small, large = SizeEstimate(123_456_789, {}, ""), SizeEstimate(999 * 10**20, {"score": 7}, "score")
    assert (small.bound_text, large.bound_text) == ("123,456,789", "10^23")
    assert large.progress_text == "exploring at most 10^23 positions, multiplied most by score"
    assert str(large) == "at most 10^23 positions (score 7)"


def race(target: int, seats: int = 2) -> Explorer:
    text = find_ruleset("pig").read_text().replace("max: 100\n", "max: 10000000\n")
    return Explorer(oddsmith.loads(text).at(seats, target=target).game, "win")


def test_a_race_that_goes_on_and_on_is_refused_before_memory_is_spent() -> None:
    with pytest.raises(TooManyStatesError, match=r"probably has far more than .* it has at most 10\^22 positions"):
        race(10_000_000).explore()
    assert not race(1_000).exceeds_limits()  # 1,357,000,000 positions at most, of which plays at random see few


def test_what_plays_show_is_extrapolated_only_while_they_go_on_and_have_used_little() -> None:
    keys = np.zeros((1, 1), dtype=np.int64)
    sample = PlaySample((100, 200, 400), keys, going_on=True)
    assert sample.extrapolated_bound(0.0025) == 1_600  # twice doubled
    assert sample.extrapolated_bound(0.01) == sample.extrapolated_bound(0.5) == sample.extrapolated_bound(0.0) == 400
    assert PlaySample((100, 200, 400), keys, going_on=False).extrapolated_bound(0.0025) == 400
    assert PlaySample((200, 400), keys, going_on=True).extrapolated_bound(0.0025) == 400
    assert PlaySample((400, 200, 100), keys, going_on=True).extrapolated_bound(0.0025) == 400
