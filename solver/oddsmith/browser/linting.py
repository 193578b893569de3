"""What ``oddsmith check`` and ``oddsmith lint`` find in a text, told as the page on which it is written shows it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from oddsmith.api import check_source
from oddsmith.base.errors import OddsmithError, RulesetError
from oddsmith.base.exact import plural
from oddsmith.browser.checked import FILE, problem_messages
from oddsmith.design import Message, Settings, bound, known_to, problem_told
from oddsmith.ruleset.reading import read, source_of

if TYPE_CHECKING:
    from oddsmith.base.location import Source
    from oddsmith.report.lint import LintReport

MOST = 20_000
"""Positions of a game that a browser takes on: some minutes there at the most, and some hundred megabytes."""


def linted(text: str, most: int = MOST) -> Message:
    """Check and lint a text, in the game that it is about without settings.

    ``problems`` are those of a check; at how many positions it has ``looked``, at how many ``seats``, and whether those are
    the ``whole`` game. If there are no errors, ``design`` is what a lint finds, and ``unasked`` are the reasons why not
    everything was asked; of a game with over ``most`` positions, questions that need its solution are left out.
    """
    from oddsmith.report.lint import lint

    told: Message = {}
    try:
        source = source_of(text.encode("utf-8", "replace"), FILE)
        check = check_source(source)
        told["problems"] = problem_messages(check.problems, check.source, check.broken)
        if any(each.severity == "error" for each in check.problems):
            return told
        ruleset, _ = read(source)
        game = bound(ruleset, known_to(ruleset, Settings()))
        told |= {"looked": check.looked, "whole": check.whole, "seats": plural(game.seats, "seat")}
        return told | lint_message(lint(game, most=most), ruleset.source)
    except RulesetError as error:
        return {"problems": problem_messages(error.problems, error.source, error)}
    except OddsmithError as error:
        return told | {"design": [], "unasked": [str(error)]}


def lint_message(found: LintReport, source: Source | None) -> Message:
    """Return the findings of a lint, and the reasons why not everything was asked."""
    told = [problem_told(each.problem, source) | {"play": list(each.play)} for each in found.findings]
    return {"design": told, "unasked": [each.reason for each in found.unasked]}
