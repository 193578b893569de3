"""Checks what a game lacks to be shipped with the program."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from oddsmith.base.errors import Problem
from oddsmith.base.exact import plural
from oddsmith.report.facts.claims import Verdict
from oddsmith.report.lint.allowing import allowances_of_source, split_allowed
from oddsmith.report.lint.finding import Finding, LintReport, sorted_findings
from oddsmith.ruleset.model import Ruleset
from oddsmith.ruleset.reading import formatted_text, location_of_path

CREDIT = ("title", "author", "licence")
MIN_STORY_WORDS = 80  # of a story, at least


@dataclass(frozen=True)
class Contribution:
    """A game that somebody contributes.

    ``stem``: the name of its file, without the suffix. ``story``: the text of its story; None if it has none.
    ``shipped``: the ids of the games that are shipped already. ``problems``: the problems that checking the ruleset
    found. ``verdicts``: the verdicts on its claims.
    """

    ruleset: Ruleset
    stem: str
    story: str | None
    shipped: Sequence[str]
    problems: Sequence[Problem]
    verdicts: Sequence[Verdict]


def check_contribution(report: LintReport, contribution: Contribution) -> LintReport:
    """Return the report ``report`` with a finding added for everything that the game lacks to be shipped. Comments in
    the ruleset may allow these findings too.
    """
    findings = [Finding(problem) for problem in (*contribution.problems, *_contribution_problems(contribution))]
    left, kept = split_allowed(findings, allowances_of_source(contribution.ruleset.source))
    return replace(
        report, findings=sorted_findings([*report.findings, *left]), allowed=sorted_findings([*report.allowed, *kept])
    )


def _contribution_problems(contribution: Contribution) -> Iterator[Problem]:
    ruleset = contribution.ruleset
    yield from _credit_problems(ruleset)
    if ruleset.rules_as_told is None:
        yield _problem_at(
            ruleset, "OD802", "nobody tells the rules", "tell them under `told:` as you would at the table"
        )
    decides = any(phase.kind == "choose" and len(phase.entries) > 1 for phase in ruleset.phases.values())
    if decides and not ruleset.advice_lines:
        hint = "write under `remember:` what a player should keep in mind; `oddsmith solve` suggests lines"
        yield _problem_at(ruleset, "OD803", "there is something to decide, and no line to remember", hint)
    yield from _claim_problems(contribution)
    yield from _story_problems(contribution)
    yield from _name_problems(contribution)
    if formatted_text(ruleset.source.text) != ruleset.source.text:
        yield _problem_at(ruleset, "OD807", "the file is not in house style", "`oddsmith check --fix FILE` rewrites it")
    yield from _description_problems(ruleset)


def _problem_at(ruleset: Ruleset, code: str, message: str, hint: str, *path: str) -> Problem:
    return Problem(code, location_of_path(ruleset.source, *path), message, hint, "warning")


def _credit_problems(ruleset: Ruleset) -> Iterator[Problem]:
    source = ruleset.data.get("source") or {}
    lacking = [key for key in CREDIT if not source.get(key)]
    if not source.get("url") and not source.get("note"):
        lacking.append("url or note")
    if lacking:
        hint = "name the game's source, its author, the terms of its rules, and where they can be read"
        path = ["source"] if source else []
        yield _problem_at(ruleset, "OD801", f"`source:` does not say {_words_joined_with_and(lacking)}", hint, *path)


def _claim_problems(contribution: Contribution) -> Iterator[Problem]:
    if not contribution.verdicts:
        hint = "state a number under `claims:` that others printed, or that you counted by hand; it is the game's test"
        yield _problem_at(contribution.ruleset, "OD804", "no number of the game can be checked", hint)
    for each in contribution.verdicts:
        if not each.is_as_recorded:
            stated, computed = each.in_same_form
            message = f"the claim says {stated}, and computed is {computed}"
            hint = "correct it, or record with `verdict: wrong` that the source is wrong"
            yield Problem("OD804", each.claim.location, message, hint, "warning")


def _story_problems(contribution: Contribution) -> Iterator[Problem]:
    file = f"{contribution.stem}.md"
    if contribution.story is None:
        hint = f"write {file} beside the ruleset: what to remember, and why"
        yield _problem_at(contribution.ruleset, "OD805", "the game has no story", hint)
        return
    words = len(contribution.story.split())
    if not contribution.story.startswith("# "):
        yield _problem_at(
            contribution.ruleset, "OD805", f"{file} has no heading", f"begin with `# {contribution.ruleset.title}`"
        )
    if words < MIN_STORY_WORDS:
        hint = "say what to remember, and why it is so, with the numbers"
        yield _problem_at(
            contribution.ruleset,
            "OD805",
            f"{file} has {plural(words, 'word')}, and a story needs {MIN_STORY_WORDS}",
            hint,
        )


def _name_problems(contribution: Contribution) -> Iterator[Problem]:
    name = contribution.ruleset.id
    if name != contribution.stem:
        hint = f"name the file {name}.yaml, or write `id: {contribution.stem}`"
        yield _problem_at(
            contribution.ruleset, "OD806", f"the file is {contribution.stem}.yaml, and the game is {name}", hint, "id"
        )
    if name in contribution.shipped:
        hint = "choose another id and title"
        yield _problem_at(contribution.ruleset, "OD806", f"there is a game {name} already", hint, "id")


def _description_problems(ruleset: Ruleset) -> Iterator[Problem]:
    for part, entries in (("parameters", ruleset.parameters), ("state", ruleset.state)):
        for name, entry in entries.items():
            if not entry.about and name in (ruleset.data.get(part) or {}):
                hint = f"add `about:` to {name}; pages and tables show it"
                yield _problem_at(ruleset, "OD808", f"nobody says what {name} is", hint, part, name)


def _words_joined_with_and(words: Iterable[str]) -> str:
    *most, last = words
    return f"{', '.join(most)} and {last}" if most else last
