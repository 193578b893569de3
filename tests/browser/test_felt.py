"""Coins fly in a real browser for whoever likes motion, and sounds are heard by whoever asked for them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tests.browser.conftest import served
from tests.chromium import ROOT
from tests.node import answers

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def base(browser: None) -> Iterator[str]:
    with served(ROOT / "site") as address:
        yield address


def table(base: str, **job: Any) -> Any:
    job = {"base": base, "motion": "no-preference", "sounds": False, "over": None, **job}
    (found,) = answers(ROOT / "tests" / "browser" / "felt.mjs", job, timeout=60)
    assert found["errors"] == []
    return found


def test_coins_fly_when_they_change_hands_and_only_then(base: str) -> None:
    found = table(base)
    assert (found["first"], found["second"], found["last"], found["heard"]) == (0, 6, 0, 0)


def test_whoever_wants_less_motion_sees_none(base: str) -> None:
    assert table(base, motion="reduce")["second"] == 0


@pytest.mark.parametrize(("over", "tones"), [(None, 4), (True, 4 + 4), (False, 4 + 3)])
def test_coins_a_win_and_a_loss_are_heard_by_whoever_asked_for_sounds(base: str, over: bool | None, tones: int) -> None:
    assert table(base, sounds=True, over=over, motion="reduce")["heard"] == tones
    assert table(base, sounds=False, over=over, motion="reduce")["heard"] == 0
