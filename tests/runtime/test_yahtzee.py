"""The advice of the whole sheet of Yahtzee against a solver of its own: what every action is worth, to the printed
digits.
"""

from __future__ import annotations

import base64
from functools import cache
from random import Random
from typing import Any

import oddsmith
from oddsmith.api.site import shipped_answer_store
from oddsmith.report.answers.accounts import answers_of
from oddsmith.ruleset.bundle import bundle
from tests.runtime import yahtzee
from tests.runtime.test_engine import answers

POSITIONS = 500
FEW = 3
"""Boxes that are open on a sheet of the gate at most."""
SHOWN = 1e-5
"""The last place that is printed."""


@cache
def shipped() -> dict[str, Any]:
    """The words of a job that asks the answer of the whole sheet, as it ships, with the second engine."""
    account = answers_of(oddsmith.load("yahtzee").ruleset, store=shipped_answer_store())
    (answer,) = (
        each for each in account.answers if each.setting.variants == ("whole-sheet",) and not each.setting.values
    )
    assert answer.policy_and_value_tables is not None
    return {
        "job": "turns",
        "bundle": bundle(account.ruleset),
        "seats": 1,
        "parameters": dict(answer.game.parameters),
        "turns": base64.b64encode(answer.policy_and_value_tables[0]).decode(),
    }


Position = tuple[yahtzee.Sheet, bool, int, yahtzee.Dice, int]
"""The boxes that are open, whether 50 were written, points towards the bonus, the dice, and how many rolls are left."""


def positions(seed: str, most: int, hands: int) -> list[Position]:
    """Positions that play can come to, ``hands`` on each sheet with up to ``most`` open boxes; many have five alike."""
    random, found = Random(seed), dict[Position, None]()  # noqa: S311 - games, not secrets
    while len(found) < POSITIONS:
        sheet = frozenset(random.sample(yahtzee.BOXES, random.randint(1, most)))
        upper = sum(face * random.randrange(6) for face in yahtzee.FACES if face not in sheet)
        fifty = "yahtzee" not in sheet and random.random() < 0.5
        for _ in range(hands):
            hand = tuple(sorted(random.choices(yahtzee.FACES, k=5)))
            if random.random() < 0.2:
                hand = (hand[0],) * 5
            found[sheet, fifty, min(upper, yahtzee.GOAL), hand, random.randrange(3)] = None
    return list(found)[:POSITIONS]


def as_data(position: Position) -> dict[str, Any]:
    """The position as the second engine reads it, in the order of the ruleset's variables."""
    sheet, fifty, upper, hand, left = position
    kept = {"hand": [[face, 0] for face in hand]}
    cells = [kept, left, *(box in sheet for box in yahtzee.BOXES), upper, fifty, 0]
    return {"phase": "keep" if left else "write", "mover": 0, "out": 0, "cells": cells}


def compared(asked: list[Position]) -> int:
    """How many actions were compared. Each is worth what the plain solver says, and the best of each position is its
    best.
    """
    (found,) = answers(shipped() | {"states": list(map(as_data, asked))})
    count = 0
    for position, (best, advice, _, _) in zip(asked, found, strict=True):
        mine = sorted(yahtzee.options(*position))
        theirs = sorted(one["value"] * SHOWN for one in advice)
        assert len(theirs) == len(mine), position
        assert max(abs(one - other) for one, other in zip(theirs, mine, strict=True)) <= SHOWN, position
        (chosen,) = (one["value"] for one in advice if one["action"] == best)
        assert abs(chosen * SHOWN - mine[-1]) <= SHOWN, position
        count += len(mine)
    return count


def test_the_last_boxes_are_advised_as_a_solver_of_its_own_does() -> None:
    assert compared(positions("the last boxes", FEW, 5)) > 5_000


def test_the_plain_solver_knows_the_numbers_that_are_published() -> None:
    (alone,) = yahtzee.value(frozenset({"yahtzee"}))[:1, 0]
    assert abs(alone - 50 * 347897 / 7558272) < 1e-12
    assert yahtzee.worth("full house", (2, 2, 3, 3, 3), False) == 25
    assert yahtzee.worth("full house", (3, 3, 3, 3, 3), False) == 0
    assert yahtzee.worth("small straight", (1, 2, 3, 4, 4), False) == 30


def test_every_sheet_is_advised_as_a_solver_of_its_own_does() -> None:
    """A sheet with all boxes is worth 254.5896..., which Verhoeff found in 1999."""
    assert abs(yahtzee.value(frozenset(yahtzee.BOXES))[0, 0] - 254.589609) < 1e-5
    assert compared(positions("any sheet", len(yahtzee.BOXES), 1)) > 5_000
