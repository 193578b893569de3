"""Findings in a terminal and for programs: their codes for the shell, and formats that others read without loss."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import jsonschema
import pytest

from oddsmith.ruleset.checking.codes import problem_codes_by_name
from tests.ruleset.finding import laid_over
from tests.terminal import run

ODD, EVEN = (
    laid_over(text)
    for text in (problem_codes_by_name()["OD705"].wrong_example, problem_codes_by_name()["OD705"].right_example)
)
COUNT = {"type": "integer", "minimum": 1}


def closed(required: list[str], **properties: Any) -> dict[str, Any]:
    """An object with just these properties."""
    return {"type": "object", "required": required, "properties": properties, "additionalProperties": False}


def many(item: Any) -> dict[str, Any]:
    return {"type": "array", "items": item}


# What the schema of SARIF 2.1.0 lays down for the parts of it that are written here.
MESSAGE = closed(["text"], text={"type": "string"})
ARTIFACT = closed(["uri"], uri={"type": "string", "pattern": r"^[\w.~%/:@!$&'()*+,;=-]+$"})
PHYSICAL = closed(
    ["artifactLocation"], artifactLocation=ARTIFACT, region=closed([], startLine=COUNT, startColumn=COUNT)
)
LOCATION = closed([], physicalLocation=PHYSICAL, message=MESSAGE)
RULE = closed(
    ["id"],
    id={"type": "string"},
    shortDescription=MESSAGE,
    fullDescription=MESSAGE,
    help=closed(["text"], text={"type": "string"}, markdown={"type": "string"}),
)
FLOW = closed(["threadFlows"], threadFlows=many(closed(["locations"], locations=many(closed([], location=LOCATION)))))
RESULT = closed(
    ["message"],
    ruleId={"type": "string"},
    ruleIndex={"type": "integer", "minimum": 0},
    level={"enum": ["none", "note", "warning", "error"]},
    message=MESSAGE,
    locations=many(LOCATION),
    codeFlows=many(FLOW),
    suppressions=many(closed(["kind"], kind={"enum": ["inSource", "external"]})),
)
NOTE = closed(["message"], message=MESSAGE, level={"enum": ["note"]}, locations=many(LOCATION))
DRIVER = closed(["name"], name={"type": "string"}, version={"type": "string"}, rules=many(RULE))
INVOCATION = closed(
    ["executionSuccessful"], executionSuccessful={"type": "boolean"}, toolExecutionNotifications=many(NOTE)
)
RUN = closed(
    ["tool"],
    tool=closed(["driver"], driver=DRIVER),
    columnKind={"enum": ["utf16CodeUnits", "unicodeCodePoints"]},
    invocations=many(INVOCATION),
    results=many(RESULT),
)
SARIF = closed(["version", "runs"], **{"$schema": {"type": "string"}}, version={"const": "2.1.0"}, runs=many(RUN))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with an odd ruleset, one that is not, and one that is broken."""
    (tmp_path / "odd game, 1.yaml").write_text(ODD, "utf-8")
    (tmp_path / "even.yaml").write_text(EVEN, "utf-8")
    (tmp_path / "broken.yaml").write_text(ODD.replace("when: die == 6", "when: die = 6"), "utf-8")
    return tmp_path


def test_the_exit_code_says_whether_something_was_found(folder: Path) -> None:
    assert run("lint", "even.yaml", cwd=folder).returncode == 0
    assert run("lint", "odd game, 1.yaml", "even.yaml", cwd=folder).returncode == 1
    assert run("lint", "broken.yaml", cwd=folder).returncode == 1
    assert run("lint", "even.yaml", "--bound", "turns", cwd=folder).returncode == 2
    assert run("lint", "even.yaml", "--bound", "turns=no", cwd=folder).returncode == 1


def test_people_see_the_line_the_hint_and_the_play(tmp_path: Path) -> None:
    (tmp_path / "my.yaml").write_text(laid_over(problem_codes_by_name()["OD701"].wrong_example), "utf-8")
    shown = run("lint", "my.yaml", "--bound", "favoured=1", cwd=tmp_path).stdout
    assert re.search(
        r"^my\.yaml:11:\d+: warning OD701: Rest is never best: it loses at least 1/3 in", shown, re.MULTILINE
    )
    assert "   11 |       - {name: Rest, then: pass}" in shown
    assert "  the shortest play that shows it:\n    1. seat 1 in throw: die 2\n    2. seat 1 chooses Rest\n" in shown
    assert (
        "my.yaml: not asked: OD751: a game of 2 turns on average is too short for a half-time\nmy.yaml: 1 finding\n"
        in shown
    )


def test_programs_get_findings_errors_and_what_was_not_asked(folder: Path) -> None:
    data = json.loads(run("lint", "odd game, 1.yaml", "broken.yaml", "--format", "json", cwd=folder).stdout)
    odd, broken = data["rulesets"]
    (finding,) = odd["findings"]
    assert (finding["code"], finding["severity"], finding["line"], finding["play"]) == ("OD705", "warning", 6, [])
    assert {each["severity"] for each in broken["findings"]} == {"error"}
    assert odd["unasked"] == [] == odd["allowed"]


def test_sarif_is_as_its_schema_has_it(folder: Path) -> None:
    (folder / "long.yaml").write_text(
        "# allow: OD721\n" + laid_over(problem_codes_by_name()["OD701"].wrong_example), "utf-8"
    )
    names = ["odd game, 1.yaml", "even.yaml", "broken.yaml", "long.yaml"]
    data = json.loads(run("lint", *names, "--format", "sarif", cwd=folder).stdout)
    jsonschema.Draft7Validator(SARIF).validate(data)
    (whole,) = data["runs"]
    rules = [rule["id"] for rule in whole["tool"]["driver"]["rules"]]
    assert [rules[result["ruleIndex"]] for result in whole["results"]] == [each["ruleId"] for each in whole["results"]]
    files = {unquote(each["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]) for each in whole["results"]}
    assert files == set(names) - {"even.yaml"}
    assert [each["ruleId"] for each in whole["results"] if "suppressions" in each] == ["OD721"]
    (flow,) = next(each["codeFlows"] for each in whole["results"] if each["ruleId"] == "OD701")
    moves = [step["location"]["message"]["text"] for step in flow["threadFlows"][0]["locations"]]
    assert moves == ["seat 1 in throw: die 2", "seat 1 chooses Rest"]
    (invocation,) = whole["invocations"]
    assert [each["message"]["text"][:17] for each in invocation["toolExecutionNotifications"]] == ["not asked: OD751:"]


def test_github_gets_one_line_for_each_finding_and_reads_it_without_loss(folder: Path) -> None:
    (folder / "long.yaml").write_text(laid_over(problem_codes_by_name()["OD721"].wrong_example), "utf-8")
    lines = run("lint", "odd game, 1.yaml", "long.yaml", "--format", "github", cwd=folder).stdout.splitlines()
    commands = [command(line) for line in lines]
    assert [name for name, _, _ in commands] == ["warning", "warning", "notice"]
    first, second = commands[0], commands[1]
    assert first[1]["file"] == "odd game, 1.yaml"
    assert (first[1]["line"], first[1]["title"]) == ("6", "OD705: An entry that no play takes")
    assert "50.00 % of what is at stake (1), more than 10 %" in second[2]
    assert second[2].endswith("\nThe shortest play that shows it:\n1. seat 1 in throw: die 3")


def command(line: str) -> tuple[str, dict[str, str], str]:
    """A workflow command as GitHub reads it."""
    match = re.fullmatch(r"::(\w+) (.*?)::(.*)", line)
    assert match
    properties = dict(each.split("=", 1) for each in match[2].split(","))
    return match[1], {key: unquote(value) for key, value in properties.items()}, unquote(match[3])
