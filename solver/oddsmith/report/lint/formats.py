"""Writes findings for programs that show them beside the lines of a file: as SARIF 2.1.0, and as commands of GitHub
Actions.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import PurePath
from typing import Any
from urllib.parse import quote

from oddsmith.base.errors import Problem
from oddsmith.base.location import Location
from oddsmith.report.lint.finding import Finding, LintReport
from oddsmith.ruleset.checking import find_problem_code

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
MESSAGE, PROPERTY = "%\r\n", "%\r\n:,"
"""The characters that GitHub requires to be escaped: those in messages, and those in properties."""


def sarif_log(files: Sequence[tuple[str, LintReport]], version: str) -> dict[str, Any]:
    """Return one run in SARIF 2.1.0 over several files, each with its report. ``version``: the version of this program.

    Findings that a ruleset allows are marked as suppressed in the source, and skipped checks are notifications.
    """
    results = [
        _sarif_result_data(each, file, held)
        for file, found in files
        for held, each in _findings_and_whether_allowed(found)
    ]
    codes = sorted({result["ruleId"] for result in results})
    for result in results:
        result["ruleIndex"] = codes.index(result["ruleId"])
    notes = [
        {
            "level": "note",
            "message": {"text": f"not asked: {', '.join(each.codes)}: {each.reason}"},
            "locations": [{"physicalLocation": {"artifactLocation": {"uri": _uri_of_path(file)}}}],
        }
        for file, found in files
        for each in found.skipped_checks
    ]
    return {
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [
            {
                "tool": {
                    "driver": {"name": "Oddsmith", "version": version, "rules": list(map(_sarif_rule_data, codes))}
                },
                "columnKind": "unicodeCodePoints",
                "invocations": [{"executionSuccessful": True, "toolExecutionNotifications": notes}],
                "results": results,
            }
        ],
    }


def _findings_and_whether_allowed(report: LintReport) -> Iterator[tuple[bool, Finding]]:
    yield from ((False, each) for each in report.findings)
    yield from ((True, each) for each in report.allowed)


def _sarif_rule_data(code: str) -> dict[str, Any]:
    known = find_problem_code(code)
    return {
        "id": code,
        "shortDescription": {"text": known.title},
        "fullDescription": {"text": known.text},
        "help": {"text": str(known), "markdown": str(known)},
    }


def _sarif_result_data(finding: Finding, file: str, suppressed: bool) -> dict[str, Any]:
    place = _sarif_location_data(finding.problem.location, file)
    result: dict[str, Any] = {
        "ruleId": finding.code,
        "level": finding.problem.severity,
        "message": {"text": _message_with_hint(finding.problem)},
        "locations": [place],
    }
    if finding.play:
        steps = [{"location": {**place, "message": {"text": move}}} for move in finding.play]
        result["codeFlows"] = [{"threadFlows": [{"locations": steps}]}]
    if suppressed:
        result["suppressions"] = [{"kind": "inSource"}]
    return result


def _sarif_location_data(location: Location, file: str) -> dict[str, Any]:
    region = {"startLine": location.line, "startColumn": location.column}
    return {"physicalLocation": {"artifactLocation": {"uri": _uri_of_path(file)}, "region": region}}


def _uri_of_path(file: str) -> str:
    """Return a path as a URI reference, as SARIF requires."""
    path = PurePath(file)
    return path.as_uri() if path.is_absolute() else quote(path.as_posix())


def _message_with_hint(problem: Problem) -> str:
    return f"{problem.message}. Hint: {problem.hint}" if problem.hint else problem.message


def github_commands(file: str, report: LintReport) -> Iterator[str]:
    """Yield commands by which GitHub Actions shows findings beside the lines of a change."""
    for finding in report.findings:
        problem, where = finding.problem, finding.problem.location
        play = "".join(f"\n{number}. {move}" for number, move in enumerate(finding.play, 1))
        shown = f"\nThe shortest play that shows it:{play}" if play else ""
        title = f"{finding.code}: {find_problem_code(finding.code).title}"
        places = {"file": file, "line": str(where.line), "col": str(where.column), "title": title}
        yield _workflow_command(problem.severity, places, _message_with_hint(problem) + shown)
    for each in report.skipped_checks:
        yield _workflow_command(
            "notice", {"file": file, "title": "not asked"}, f"{', '.join(each.codes)}: {each.reason}"
        )


def _workflow_command(name: str, properties: dict[str, str], message: str) -> str:
    given = ",".join(f"{key}={_percent_escaped(value, PROPERTY)}" for key, value in properties.items())
    return f"::{name} {given}::{_percent_escaped(message, MESSAGE)}"


def _percent_escaped(text: str, escaped_signs: str) -> str:
    return re.sub(f"[{escaped_signs}]", lambda sign: f"%{ord(sign[0]):02X}", text)
