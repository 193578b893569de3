"""The browser laws themselves: a page that breaks each must be caught, or a green site says nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.browser.conftest import Look, look_at, served
from tests.browser.test_site import (
    Law,
    accessible,
    complaints,
    no_console_errors,
    no_failed_requests,
    no_other_host,
    no_sideways_scrolling,
    prints_without_navigation,
    rule_on_the_first_screen,
    says_something,
)

pytestmark = pytest.mark.browser

GOOD = """<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Good</title>
<meta name="viewport" content="width=device-width"><link rel="icon" href="data:,"></head><body><main>
<h1>Three dice</h1><p>Stop at twenty-one or more, and remember that the hoard is never empty.</p>
</main></body></html>"""

BAD = """<!doctype html><html><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<link rel="icon" href="data:,"></head><body><header class="md-header">menu</header>
<main><p class="od-rule" style="margin-top:2000px">late</p>
<div style="width:2000px;color:#eee;background:#fff">wide</div><img src="absent.png">
<img src="http://elsewhere.invalid/x.png"></main><script>throw new Error("broken")</script></body></html>"""


@pytest.fixture(scope="module")
def pair(browser: None, tmp_path_factory: pytest.TempPathFactory) -> list[Look]:
    folder: Path = tmp_path_factory.mktemp("site")
    (folder / "good.html").write_text(GOOD, "utf-8")
    (folder / "bad.html").write_text(BAD, "utf-8")
    with served(folder) as base:
        return look_at(base, ["good.html", "bad.html"], schemes=["light"])


@pytest.mark.parametrize(
    "law",
    [
        no_sideways_scrolling,
        no_console_errors,
        no_failed_requests,
        no_other_host,
        accessible,
        says_something,
        prints_without_navigation,
        rule_on_the_first_screen,
    ],
    ids=lambda law: law.__name__,
)
def test_each_law_tells_good_from_bad(pair: list[Look], law: Law) -> None:
    assert complaints([look for look in pair if look["page"] == "good.html"], law) == []
    assert complaints([look for look in pair if look["page"] == "bad.html"], law) != []
