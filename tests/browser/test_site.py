"""What every page of the built site owes its readers."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.browser.conftest import made_of, of_each_kind, one_page_a_folder

pytestmark = pytest.mark.browser

Look = dict[str, Any]
Law = Callable[[Look], object]


def no_sideways_scrolling(look: Look) -> object:
    # On paper the width is the sheet's, which the printed pages settle.
    return look["media"] == "screen" and look["horizontalOverflow"] > 0 and look["overflowing"]


def no_console_errors(look: Look) -> object:
    return look["consoleErrors"]


def no_failed_requests(look: Look) -> object:
    return look["failedRequests"]


def no_other_host(look: Look) -> object:
    return look["foreignRequests"]


def accessible(look: Look) -> object:
    return [v for v in look["axeViolations"] if v["impact"] in {"serious", "critical"}]


def says_something(look: Look) -> object:
    return look["textLength"] < 40 and f"only {look['textLength']} characters of text"


def prints_without_navigation(look: Look) -> object:
    if look["media"] != "print":
        return None
    return look["navigationShown"] and "navigation is printed"


def rule_on_the_first_screen(look: Look) -> object:
    """Somebody with a phone in hand finds the rule to remember without scrolling."""
    if look["media"] != "screen" or look["ruleBottom"] is None:
        return None
    return look["ruleBottom"] > look["viewportHeight"] and f"the rule ends at {look['ruleBottom']:.0f} pixels"


LAWS: list[Law] = [
    no_sideways_scrolling,
    no_console_errors,
    no_failed_requests,
    no_other_host,
    accessible,
    says_something,
    prints_without_navigation,
    rule_on_the_first_screen,
]


def complaints(looks: list[Look], law: Law) -> list[str]:
    """One line for each look that breaks the law."""
    lines = []
    for look in looks:
        wrong = law(look)
        if wrong:
            scripts = "scripts" if look["scripts"] else "no scripts"
            at = f"{look['page']} ({look['viewport']}, {look['scheme']}, {scripts}, {look['media']})"
            lines.append(f"{at}: {wrong}")
    return lines


@pytest.mark.parametrize("law", LAWS, ids=lambda law: law.__name__)
def test_site(looks: list[Look], law: Law) -> None:
    assert complaints(looks, law) == []


@pytest.mark.long
@pytest.mark.parametrize("law", LAWS, ids=lambda law: law.__name__)
def test_whole_site(all_looks: list[Look], law: Law) -> None:
    assert complaints(all_looks, law) == []


def test_every_look_was_taken(looks: list[Look], site: Path) -> None:
    """Guards the laws above against passing because nothing was looked at."""
    home = [look for look in looks if look["page"] == "index.html"]
    # A phone with scripts and without, a desk in the dark, and paper.
    assert len(home) == 4
    paper = [look for look in home if look["media"] == "print"]
    assert paper[0]["pdfBytes"] > 1000
    kinds, others = of_each_kind(site), one_page_a_folder(site)
    assert len(looks) == len(kinds) * len(home) + len(set(others) - set(kinds))
    assert made_of(site / "games" / "pig" / "index.html") <= set().union(*(made_of(site / page) for page in kinds))
