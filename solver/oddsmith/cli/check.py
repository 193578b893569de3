"""``oddsmith check``: what is wrong with a ruleset, at its line, before anything is solved."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import click

from oddsmith.api import MAX_SAMPLED_STATES, check_file
from oddsmith.base.errors import Problem
from oddsmith.cli.common import (
    SettingOptions,
    json_option,
    print_json,
    print_problem,
    print_ruleset_error,
    settings_options,
)


@click.command()
@settings_options(with_policies=False, many_rulesets=True)
@click.option("--fix", is_flag=True, help="Rewrite the files in house style. Comments stay.")
@click.option("--upgrade", is_flag=True, help="Rewrite files of an older format in the newest one. Comments stay.")
@click.option("--full", is_flag=True, help=f"Look at every position, not just the first {MAX_SAMPLED_STATES:,}.")
@click.option("--explain", metavar="CODE", help="Explain a code such as OD511.")
@json_option("Print the problems as JSON.")
def check(
    rulesets: tuple[str, ...],
    fix: bool,
    upgrade: bool,
    full: bool,
    explain: str | None,
    as_json: bool,
    settings: SettingOptions,
) -> int:
    """Check rulesets, and name every problem with its line.

    Without a RULESET it checks all shipped ones. Settings choose the game whose positions it looks at. Without
    settings, it also looks at the first positions with the fewest and the most players, and with each parameter that is a
    number at its minimum.

    \b
    Example:
      oddsmith check rogues-gambit
    """
    from oddsmith.base.files import find_ruleset, shipped_rulesets
    from oddsmith.ruleset.reading import formatted_text, upgraded_text

    if explain:
        return _print_explanation(explain)
    problems: list[Problem] = []
    for name in rulesets or shipped_rulesets():
        path = find_ruleset(name)
        if upgrade:
            _rewrite_file(path, upgraded_text, "in the newest format")
        if fix:
            _rewrite_file(path, formatted_text, "in house style")
        checked = check_file(path, full, settings.setting)
        problems += checked.problems
        told = checked.play_error.problems if checked.play_error else ()  # with the play that leads there
        for problem in checked.problems:
            if problem not in told and not as_json:
                print_problem(problem, checked.source)
        if checked.play_error:
            print_ruleset_error(checked.play_error)
        if not as_json:
            click.echo(f"{path}: {checked.summary}")
    if as_json:
        print_json({"problems": [problem.to_json() for problem in problems]})
    return int(any(problem.severity == "error" for problem in problems))


def _rewrite_file(path: Path, rewritten_text: Callable[[str], str], new_form: str) -> None:
    from oddsmith.base.files import write_named_file

    try:
        before = path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        return  # checking it says so
    after = rewritten_text(before)
    if after != before:
        write_named_file(path, after.encode())
        click.echo(f"{path}: rewritten {new_form}")


def _print_explanation(code: str) -> int:
    from oddsmith.ruleset.checking import explain_problem_code

    click.echo(explain_problem_code(code))
    return 0
