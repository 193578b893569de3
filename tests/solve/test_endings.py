"""Whether play ends is decided by the graph, however rarely it does; values of rare ends are found in fractions."""

from __future__ import annotations

from pathlib import Path

import pytest

import oddsmith
from oddsmith.base.errors import PlayError, SolveError
from oddsmith.solve.values import mixing

RULES = Path(__file__).parents[1] / "certify" / "suite" / "rules"


@pytest.mark.parametrize("goal", [3, 12, 40, 60])
def test_a_prize_that_is_hardly_ever_won_is_worth_all_of_it_if_one_may_try_for_ever(goal: int) -> None:
    found = oddsmith.load(RULES / "streak.yaml").at(goal=goal).solve()
    assert [value.exact for value in found.values] == [1]
    assert found.solution.kind == "optimal"


def test_play_that_ends_too_rarely_for_any_proof_is_said_to_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mixing, "TIME_LIMIT", 0.0)
    with pytest.raises(SolveError, match="ends, but so rarely"):
        oddsmith.load(RULES / "streak.yaml").at(goal=20).solve()


WAITING = """\
format: 1
id: waiting
title: Waiting
summary: Go round for ever, because nothing else is allowed.
seats: 1
state:
  steps: {max: 1}
payoffs:
  pay: steps
turn: walk
phases:
  walk:
    choose:
      - name: Step
        do: set steps to 1 - steps
        then: walk
      - name: Leave
        when: steps > 1
        then: end
"""


def test_play_that_cannot_end_is_refused() -> None:
    with pytest.raises(PlayError, match="OD541"):
        oddsmith.loads(WAITING).solve()


CYCLES = """\
format: 1
id: cycles
title: Cycles
summary: Three players hand a die about; breaking a tie kindly would keep play from ending.
seats: 3
state:
  at: {max: 2}
  got: {each: seat, min: -5, max: 5, start: 0}
payoffs:
  value: got
turn: begin
phases:
  begin:
    cases:
      - {name: First, when: at == 0, then: hand}
      - {name: Later, then: roll_or_hand}
  hand:
    choose:
      - name: Roll soon
        do: set at to 1
        then: pass
      - name: Hand on
        then: pass
  roll_or_hand:
    choose:
      - {name: Low, then: low}
      - {name: High, then: high}
  low:
    roll: {die: d3}
    outcomes:
      - name: Back
        when: die == 1
        do: set at to 0
        then: {pass_to: previous}
      - {name: On, when: die == 2, then: pass}
      - name: Pay
        do:
          - set got to -3
          - set got[next] to -5
          - set got[previous] to -2
        then: end
  high:
    roll: {die: d3}
    outcomes:
      - name: Lose
        when: die == 1
        do: set got to -1
        then: end
      - {name: On, when: die == 2, then: pass}
      - name: Share
        do:
          - set got to -5
          - set got[next] to 4
        then: end
"""


@pytest.mark.parametrize("alike", [False, True])
def test_ties_that_would_keep_play_from_ending_are_no_fault(alike: bool) -> None:
    found = oddsmith.loads(CYCLES).solve(alike=alike)
    assert found.solution.kind == "symmetric"
    assert found.solution.notes
