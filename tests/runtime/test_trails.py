"""The way of a piece over a grid that turns with it: walked by hand on squared paper."""

from __future__ import annotations

import json
import subprocess
from itertools import pairwise
from typing import Any

from tests.node import NODE, ROOT

PLAN = {"across": "beside", "columns": 5, "laid": "here"}
UP, RIGHT, DOWN = [-1, 0], [0, 1], [1, 0]
WALK = [
    ([4, 0, "hall", "straight"], [4, 0], UP),  # where it comes in
    ([3, 0, "cave", "straight"], [3, 0], UP),
    ([3, 1, "hall", "far"], [3, 1], RIGHT),  # the wall ahead is three squares away, the one behind it on the right hand
    ([0, 1, "cave", "near"], [4, 1], DOWN),
    ([3, 1, "hall", "back"], [3, 1], UP),
    ([4, 1, "cave", "back"], [4, 1], UP),  # driven back without turning round
]
"""The state, the square, and where the piece looks."""


def followed(states: list[Any], **more: str) -> Any:
    job = json.dumps({"states": states, "plan": PLAN | more})
    script = ROOT / "tests" / "runtime" / "trails.mjs"
    done = subprocess.run([NODE, script, job], capture_output=True, check=True, timeout=60)
    return json.loads(done.stdout)


def test_squares_that_are_counted_from_where_a_piece_looks_are_shown_as_at_the_start() -> None:
    found = followed([state for state, *_ in WALK], facing="way")
    assert found["ways"] == [[place, looks] for _, place, looks in WALK]
    assert dict(found["words"]) == {"4 0": "hall", "3 0": "cave", "3 1": "hall", "4 1": "cave"}
    assert found["steps"] == [[before[1], after[1]] for before, after in pairwise(WALK)]


def test_a_new_way_begins_after_any_other_change_and_where_nothing_lies() -> None:
    states = [state for state, *_ in WALK]
    for last, words in (([2, 2, "cave", "near"], {"2 2": "cave"}), ([4, 0, "outside", "near"], {})):
        found = followed([*states, last], facing="way")
        assert found["ways"][-1] == [last[:2], UP]
        assert dict(found["words"]) == words
        assert found["steps"] == []


def test_a_grid_that_does_not_turn_keeps_what_was_laid() -> None:
    found = followed([[4, 0, "hall", "near"], [3, 0, "cave", "near"], [1, 2, "outside", "near"]])
    assert [place for place, _ in found["ways"]] == [[4, 0], [3, 0], [1, 2]]
    assert dict(found["words"]) == {"4 0": "hall", "3 0": "cave"}
    assert found["steps"] == [[[4, 0], [3, 0]]]
