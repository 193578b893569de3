"""The findings of ``oddsmith check`` and ``oddsmith lint`` in a text, as data for the page on which the text is
written.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from oddsmith.api import check_source
from oddsmith.base.errors import OddsmithError, RulesetError
from oddsmith.base.exact import plural
from oddsmith.browser.checked import FILE, problem_messages
from oddsmith.design import Message, fitting_setting, problem_message
from oddsmith.ruleset import bind
from oddsmith.ruleset.model import Setting
from oddsmith.ruleset.reading import read, source_of

if TYPE_CHECKING:
    from oddsmith.base.location import Source
    from oddsmith.report.lint import LintReport

MAX_LINTED_POSITIONS = 20_000
"""The most positions of a game that a browser solves. They need at most some minutes and some hundred megabytes."""


def linted(text: str, most: int = MAX_LINTED_POSITIONS) -> Message:
    """Check and lint the game of a text at its usual settings. Return a message.

    ``problems`` are those of a check; ``looked``, ``seats`` and ``whole`` say how many positions it checked, with how
    many seats, and whether they are all. If there are no errors, ``design`` has the findings of a lint, and ``unasked``
    the reasons for skipped checks. For a game with more than ``most`` positions, checks that need its solution are
    skipped.
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
        game = bind(ruleset, fitting_setting(ruleset, Setting()))
        told |= {"looked": check.looked, "whole": check.complete, "seats": plural(game.seats, "seat")}
        return told | lint_message(lint(game, most=most), ruleset.source)
    except RulesetError as error:
        return {"problems": problem_messages(error.problems, error.source, error)}
    except OddsmithError as error:
        return told | {"design": [], "unasked": [str(error)]}


def lint_message(found: LintReport, source: Source | None) -> Message:
    """Return the findings of a lint, and the reasons for skipped checks, as data."""
    told = [problem_message(each.problem, source) | {"play": list(each.play)} for each in found.findings]
    return {"design": told, "unasked": [each.reason for each in found.unasked]}
