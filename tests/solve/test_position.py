"""Hands that somebody types: every face finds a die, though the first that could show it is needed for another."""

from __future__ import annotations

import pytest

from oddsmith.api.positions import parse_position
from oddsmith.base.errors import PositionError
from oddsmith.solve.solution import Solution
from tests.cases import Case, solved


@pytest.fixture(scope="module")
def pot() -> Solution:
    """Two dice with a letter L and one with the letter O."""
    return solved(Case("hold-the-pot-round", 2, {"pot_start": 0, "pot_most": 0}), "lead")


def test_a_face_makes_room_for_one_that_only_its_die_has(pot: Solution) -> None:
    for typed in ("2 3 L", "L 2 3", "2:lettered 3:o_die L:lettered"):
        assert parse_position(pot, f"phase=decide, kept={typed}, thrown=1").mover == 0


def test_the_die_may_be_named(pot: Solution) -> None:
    one = parse_position(pot, "phase=decide, kept=2:lettered 3:lettered 4:o_die, thrown=1")
    other = parse_position(pot, "phase=decide, kept=2:o_die 3:lettered 4:lettered, thrown=1")
    assert one.state_index != other.state_index


@pytest.mark.parametrize(
    ("typed", "message"), [("2 9", "the face 9"), ("L L L", "L L L at once"), ("2:d6", "the face 2:d6")]
)
def test_what_no_dice_show_is_refused(pot: Solution, typed: str, message: str) -> None:
    with pytest.raises(PositionError, match=f"kept cannot hold {message}"):
        parse_position(pot, f"phase=decide, kept={typed}")
