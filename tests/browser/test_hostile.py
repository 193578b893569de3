"""A ruleset whose every text is an attack: the page shows the texts, and nothing in them comes alive."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.browser.conftest import Look, look_at
from tests.browser.test_site import (
    Law,
    accessible,
    complaints,
    no_console_errors,
    no_failed_requests,
    no_other_host,
    no_sideways_scrolling,
)

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def looks(small: tuple[str, Path]) -> list[Look]:
    pages = ["games/hostile/index.html", "games/index.html", "index.html"]
    return look_at(small[0], pages, schemes=["light"], scripts=[True], print=False)


@pytest.mark.parametrize(
    "law",
    [no_sideways_scrolling, no_console_errors, no_failed_requests, no_other_host, accessible],
    ids=lambda law: law.__name__,
)
def test_hostile_texts_break_no_law(looks: list[Look], law: Law) -> None:
    assert complaints(looks, law) == []


def test_no_script_of_a_ruleset_runs(looks: list[Look]) -> None:
    assert {look["title"] for look in looks if look["title"] == "owned"} == set()
    game = [look for look in looks if "hostile" in look["page"]]
    assert all("document.title" in look["title"] for look in game)
