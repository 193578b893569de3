"""One table without a server: what leaves no choice needs no tap, is taken back with what led to it, and can be read."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from oddsmith.ruleset.bundle import bundle
from tests import node
from tests.cases import smallest

MOST = 25  # acts of a game


def answers(*jobs: dict[str, Any]) -> list[Any]:
    """What JavaScript answers to jobs (round.mjs)."""
    return node.answers(Path(__file__).with_name("round.mjs"), *jobs)


def test_what_leaves_no_choice_needs_no_tap_and_is_taken_back_with_what_led_there() -> None:
    tried = list(smallest())
    jobs = [
        {
            "job": "played",
            "bundle": bundle(case.game.ruleset),
            "seats": case.seats,
            "parameters": dict(case.game.parameters),
            "most": MOST,
        }
        for case in tried
    ]
    followed = set()
    for case, acts in zip(tried, answers(*jobs), strict=True):
        for act in acts:
            assert act["left"] != 1, f"{case}: a single action waits for a tap"
            assert act["back"] or (act["own"] in (1, None) and act["led"]), f"{case}: taking back leads elsewhere"
            rolled = act["added"].index(False) if False in act["added"] else 0
            if any(act["added"][rolled + 1 :]):
                followed.add(case.game.ruleset.id)
    assert "farkle" in followed, "a roll that scores nothing is written down at once"
    assert len(followed) > 1


ROLL, CHOICE = "throw", "choose"


def paced(*moves: tuple[int, str], people: tuple[int, ...] = (0,), calm: bool = False) -> list[list[int]]:
    """The moves that are shown, each with the pause before it."""
    log = [{"seat": seat + 1, kind: []} for seat, kind in moves]
    (found,) = answers({"job": "paced", "log": log, "people": people, "from": 0, "calm": calm})
    return list(found)


@pytest.mark.parametrize("calm", [False, True])
def test_what_a_roll_of_a_person_did_is_held_until_it_is_read(calm: bool) -> None:
    usual = 100 if calm else 600
    bust = paced((0, CHOICE), (0, ROLL), (0, CHOICE), (1, ROLL), (1, CHOICE), calm=calm)
    assert bust == [[2, 0], [3, 1500], [4, usual], [5, usual]]
    assert paced((0, ROLL), (1, ROLL), calm=calm) == [[1, 0], [2, 1500]]
    assert paced((0, CHOICE), (1, ROLL), calm=calm) == [[1, 0], [2, usual]]
    assert paced((0, CHOICE), (0, ROLL), calm=calm) == [[2, 0]], "what was done at once is shown at once"
    assert paced((1, ROLL), (1, CHOICE), calm=calm)[0] == [0, 0], "a game may begin with others"
