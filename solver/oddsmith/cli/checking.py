"""``oddsmith check``: what is wrong with a ruleset, at its line, before anything is solved."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from oddsmith.cli.shared import Settings, print_json, report_error, settings_of, settings_options, show_problem
from oddsmith.errors import PlayError, Problem, RulesetError
from oddsmith.exact import plural
from oddsmith.location import Source

SAMPLE = 20_000  # states that a check looks at


@click.command()
@settings_options(policies=False, several=True)
@click.option("--fix", is_flag=True, help="Rewrite the files in house style, comments kept.")
@click.option("--full", is_flag=True, help=f"Look at every state, not just the first {SAMPLE:,}.")
@click.option("--explain", metavar="CODE", help="Explain a code such as OD511.")
@click.option("--json", "as_json", is_flag=True, help="Print the problems as JSON.")
def check(
    rulesets: tuple[str, ...], fix: bool, full: bool, explain: str | None, as_json: bool, **given: Any
) -> int:  # fmt: skip
    """Check rulesets and name every problem at its line.

    Without a RULESET the shipped ones are checked. The settings say of which game states are looked at.

    \b
    Example:
      oddsmith check rogues-gambit
    """
    from oddsmith.files import find_ruleset, shipped

    if explain:
        return _explain(explain)
    found: list[Problem] = []
    for name in rulesets or shipped():
        path = find_ruleset(name)
        if fix:
            _fix(path)
        problems, source, summary = check_file(path, full, settings_of(name, **given))
        found += problems
        if as_json:
            continue
        for problem in problems:
            _show(problem, source)
        click.echo(f"{path}: {summary}")
    if as_json:
        print_json({"problems": [_as_json(problem) for problem in found]})
    return int(any(problem.severity == "error" for problem in found))


def check_file(
    path: Path, full: bool = False, settings: Settings | None = None
) -> tuple[list[Problem], Source | None, str]:
    """The problems of a file, its source, and a sentence about it."""
    from oddsmith.ruleset import bind
    from oddsmith.ruleset.checking import check_everywhere
    from oddsmith.ruleset.reading import load

    try:
        ruleset, warnings = load(path)
        problems = list(dict.fromkeys([*warnings, *check_everywhere(ruleset)]))
        if any(problem.severity == "error" for problem in problems):
            return problems, ruleset.source, _count(problems)
        game = bind(ruleset, settings.seats, settings.values, settings.variants) if settings else bind(ruleset)
        words, more = _explore(game, full, settings.objective if settings else None)
        problems += more
    except PlayError as error:
        report_error(error)
        return list(error.problems), error.source, "1 problem"
    except RulesetError as error:
        return list(error.problems), error.source, _count(list(error.problems))
    return problems, ruleset.source, f"{_count(problems)}; {words}"


def _explore(game: Any, full: bool, objective: str | None) -> tuple[str, list[Problem]]:
    """What exploring says, and what it warns of."""
    from oddsmith.graph import Explorer, refuse_endless

    if objective is not None:
        from oddsmith.solve import objective_of  # heavy, and only this refuses an unknown one in words

        objective_of(game, objective)
    explorer = Explorer(game, objective or next(iter(game.ruleset.payoffs)))
    graph, whole = explorer.explore(limit=None if full else SAMPLE)
    people = plural(game.seats, "seat")
    if whole:
        refuse_endless(graph)
        return f"all {plural(graph.states, 'state')} at {people} are sound", []
    words = f"the first {graph.states:,} states at {people} are sound, of {explorer.estimate}; --full looks at all"
    return words, [explorer.endless_looking("warning")] if explorer.slow else []


def _count(problems: list[Problem]) -> str:
    errors = sum(problem.severity == "error" for problem in problems)
    warnings = len(problems) - errors
    parts = [plural(count, word) for count, word in ((errors, "error"), (warnings, "warning")) if count]
    return ", ".join(parts) or "no problems"


def _show(problem: Problem, source: Source | None) -> None:
    if problem.code.startswith("OD5") and problem.severity == "error":
        return  # told already, with its play
    show_problem(problem, source)


def _as_json(problem: Problem) -> dict[str, Any]:
    return {
        "code": problem.code, "severity": problem.severity, "file": problem.location.file, "line": problem.location.line,
        "column": problem.location.column, "message": problem.message, "hint": problem.hint,
    }  # fmt: skip


def _fix(path: Path) -> None:
    from oddsmith.files import write_given
    from oddsmith.ruleset.reading import formatted

    try:
        before = path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        return  # checking it says so
    after = formatted(before)
    if after != before:
        write_given(path, after.encode())
        click.echo(f"{path}: rewritten in house style")


def _explain(code: str) -> int:
    from oddsmith.ruleset.reading import explain

    click.echo(explain(code))
    return 0
