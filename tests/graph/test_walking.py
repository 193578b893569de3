"""The walk by the one-state rules comes where exploring comes, and tells what breaks there alike."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest

import oddsmith
from oddsmith.base.errors import PlayError
from oddsmith.graph.explore import Explorer
from oddsmith.graph.first_positions import MOVES_PER_REPORT, SearchProgress, search_first_positions
from oddsmith.graph.stategraph import refuse_endless
from oddsmith.ruleset.binding import bind
from oddsmith.ruleset.game import Game
from oddsmith.ruleset.reading.build import load_ruleset
from tests.reader.agree import differences
from tests.reader.texts import data_of
from tests.ruleset.finding import SAMPLES

FEW = 1_500  # positions of a game that is walked to the end


def looked(game: Game, **limits: int) -> list[SearchProgress]:
    return list(search_first_positions(game, next(iter(game.ruleset.payoffs)), **limits))


OPEN = [path for path in SAMPLES if not load_ruleset(path)[0].has_secrets]


@pytest.mark.parametrize("path", OPEN, ids=lambda path: path.stem)
def test_a_walk_is_whole_where_exploring_is(path: Path) -> None:
    """Exploring folds some rolls into the choice before them, and puts members in order, so it may count fewer."""
    game = bind(load_ruleset(path)[0])
    graph, whole = Explorer(game, next(iter(game.ruleset.payoffs))).explore(max_states=FEW)
    far = looked(game, max_positions=FEW, max_moves=20_000)
    assert all(before.positions <= after.positions for before, after in pairwise(far))
    assert not any(each.complete for each in far[:-1])
    if far[-1].complete:
        assert whole
        assert graph.state_count <= far[-1].positions
        refuse_endless(graph)
    elif whole:
        assert graph.state_count < far[-1].positions or len(far) > 20_000 // MOVES_PER_REPORT


LOST = """\
format: 1
id: bog
title: Bog
summary: Three steps to the end, and a 1 costs the next turn.
seats: {min: 2, max: 4}
state:
  at: {each: seat, max: 3}
  stuck: {type: flag, each: seat}
payoffs: {win: 1 if at == 3 else 0}
turn: begin
end_when: at == 3
phases:
  begin:
BODY
      - name: Stuck
        when: stuck
        do: set stuck to false
        then: pass
LATER
  walk:
    roll: {die: d6}
    outcomes:
      - name: Bog
        when: die == 1
        do: set stuck to true
        then: pass
      - name: Step
        when: die > 3
        do: add 1 to at
        then: pass
      - name: Stay
        then: pass
"""


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_a_turn_is_lost_by_a_case_that_passes(seats: int) -> None:
    """All may be stuck at once, so play runs through a case for each seat; a choice of one option comes to the same."""
    sorted_out = LOST.replace("BODY", "    cases:").replace("LATER", "      - {name: Free, then: walk}")
    chosen = LOST.replace("BODY", "    choose:").replace("LATER", "      - {name: Free, when: not stuck, then: walk}")
    first, other = (oddsmith.loads(text).at(seats) for text in (sorted_out, chosen))
    assert first.solve().values == other.solve().values
    staged = first.solve(work=oddsmith.Work(method="stages")).values
    assert all(
        one.lower <= two.lower <= two.upper <= one.upper for one, two in zip(staged, first.solve().values, strict=True)
    )
    assert differences(data_of(sorted_out), first.game, 200) == []


def test_cases_that_pass_for_ever_are_refused_in_play() -> None:
    endless = LOST.replace("BODY", "    cases:").replace("LATER", "      - {name: Free, then: pass}")
    with pytest.raises(PlayError, match="again and again"):
        oddsmith.loads(endless).solve()


def test_turns_are_lost_by_a_count_however_high() -> None:
    """Ten turns in a row are lost by cases alone, which is more than there are phases and seats."""
    counted = LOST.replace("BODY", "    cases:").replace("LATER", "      - {name: Free, then: walk}")
    counted = counted.replace("stuck: {type: flag, each: seat}", "stuck: {each: seat, max: 5}")
    counted = counted.replace(
        "when: stuck\n        do: set stuck to false", "when: stuck > 0\n        do: add -1 to stuck"
    )
    counted = counted.replace("do: set stuck to true", "do: {for: everyone, do: set stuck to 5}")
    assert oddsmith.loads(counted).at(2).solve().values
