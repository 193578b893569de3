"""The findings that a ruleset allows: comments such as ``# allow: OD712``, on or above the line that they are about."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from oddsmith.base.location import Location, Source
from oddsmith.report.lint.finding import Finding, warning_at
from oddsmith.ruleset.checking import problem_codes_by_name
from oddsmith.ruleset.reading import spans_of_comments

_ALLOW = re.compile(r"#\s*allow:\s*(OD\d+(?:\s*,\s*OD\d+)*)", re.IGNORECASE)
EVERYWHERE = 0
"""The line of an allowance for the whole file; real lines are counted from 1."""


@dataclass(frozen=True)
class Allowance:
    """A comment that allows a code: findings with this code are accepted.

    ``line``: the line that the comment is about, or EVERYWHERE. ``location``: the place of the comment.
    """

    code: str
    line: int
    location: Location


def allowances_of_source(source: Source) -> list[Allowance]:
    """Return an allowance for each code that a comment of a ruleset allows.

    A comment after other text is about its own line. A comment that stands alone on its line is about the next line
    with other text, or about the whole file if it comes before the first such line.
    """
    spans = spans_of_comments(source.text)
    alone = {
        line
        for line, text in enumerate(source.lines, 1)
        if text.strip() and _is_comment_alone_on_line(source.text, spans, line)
    }
    speaking = [line for line, text in enumerate(source.lines, 1) if text.strip() and line not in alone]
    found = []
    for start, end in spans:
        match = _ALLOW.match(source.text[start:end])
        if match is None:
            continue
        line = source.text.count("\n", 0, start) + 1
        column = start - source.text.rfind("\n", 0, start)
        about = line if line not in alone else next((other for other in speaking if other > line), line)
        if speaking and line < speaking[0]:
            about = EVERYWHERE
        place = Location(source.file, line, column)
        found += [Allowance(code, about, place) for code in re.findall(r"OD\d+", match[1].upper())]
    return found


def _is_comment_alone_on_line(text: str, comment_spans: Sequence[tuple[int, int]], line: int) -> bool:
    """Return whether a line has a comment and nothing before the comment."""
    return any(
        text.count("\n", 0, start) + 1 == line and not text[text.rfind("\n", 0, start) + 1 : start].strip()
        for start, _ in comment_spans
    )


def split_allowed(findings: Sequence[Finding], allowances: Sequence[Allowance]) -> tuple[list[Finding], list[Finding]]:
    """Split findings into two lists: those that no comment allows, and those that a comment allows."""
    left = [finding for finding in findings if not any(_allows(one, finding) for one in allowances)]
    return left, [finding for finding in findings if finding not in left]


def _allows(allowance: Allowance, finding: Finding) -> bool:
    return allowance.code == finding.code and allowance.line in (EVERYWHERE, finding.problem.location.line)


def unused_allowances(
    findings: Sequence[Finding], allowances: Sequence[Allowance], skipped_codes: Collection[str]
) -> Iterator[Finding]:
    """Report OD791 for each comment that allows a code that was not found, and for each comment with a code that does
    not exist.

    ``skipped_codes``: the codes whose checks were skipped. Comments that allow them are not reported.
    """
    for one in allowances:
        if any(_allows(one, finding) for finding in findings) or one.code in skipped_codes:
            continue
        if one.code in problem_codes_by_name():
            message = f"nothing here needs the allowance of {one.code}"
            hint = "remove it, or put it on or above the line that it is about"
        else:
            message = f"there is no code {one.code} to allow"
            hint = "write the code as `oddsmith lint` prints it, such as OD712"
        yield warning_at("OD791", one.location, message, hint)
