"""``oddsmith lint``: findings about a game that is valid but odd, for people and for other programs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from oddsmith.api import LoadedRuleset, check_file
from oddsmith.base.errors import PlayError, RulesetError
from oddsmith.base.files import find_ruleset, shipped_rulesets
from oddsmith.base.resources import VERSION
from oddsmith.cli.common import SettingOptions, move_lines, print_json, settings_options, terminal_progress
from oddsmith.cli.terminal import print_styled
from oddsmith.report.english import OptionWords

if TYPE_CHECKING:
    from oddsmith.base.location import Source
    from oddsmith.report.lint import Contribution, LintReport


FORMATS = ("text", "json", "sarif", "github")


@click.command()
@settings_options(with_policies=False, many_rulesets=True)
@click.option(
    "--bound",
    "bounds",
    multiple=True,
    metavar="NAME=NUMBER",
    help="The bound beyond which something is a finding: favoured=10%, turns=60, loss=0.1% or leader=90%, which are the "
    "defaults. Repeatable.",
)
@click.option("--full", is_flag=True, help="Ask every question of large games too, however long it takes.")
@click.option("--contribute", is_flag=True, help="Also say what is missing before a game can be shipped.")
@click.option(
    "--format",
    "output_format",
    type=click.Choice(FORMATS),
    default="text",
    show_default=True,
    help="text for people, json for programs, sarif (SARIF 2.1.0), or github for GitHub Actions.",
)
def lint(
    rulesets: tuple[str, ...],
    bounds: tuple[str, ...],
    full: bool,
    contribute: bool,
    output_format: str,
    settings: SettingOptions,
) -> int:
    """Say what is odd about games, though nothing is wrong: dead options, choices that hardly matter, favoured seats, play
    without end.

    Each finding has a code, which `oddsmith check --explain CODE` explains, and a shortest play that shows it. A comment
    such as `# allow: OD701`, on or above its line, allows it. Without a RULESET it looks at all shipped ones. The exit code
    is 1 if there are findings, else 0.

    \b
    Example:
      oddsmith lint rogues-gambit --seats 2
    """
    least = dict(map(_parse_bound, bounds))
    files: list[tuple[str, LintReport]] = []
    for name in rulesets or shipped_rulesets():
        file, found, source, words = _lint_ruleset(name, least, full, contribute, settings)
        files.append((file, found))
        if output_format == "text":
            _print_findings(file, found, source, words)
            if contribute and not found.findings:
                click.echo(f"{file}: nothing is missing; CONTRIBUTING.md says how to send it")
        elif output_format == "github":
            from oddsmith.report.lint import github_commands

            for line in github_commands(file, found):
                click.echo(line)
    if output_format == "json":
        print_json({"rulesets": [{"file": file, **found.to_json()} for file, found in files]})
    elif output_format == "sarif":
        from oddsmith.report.lint import sarif_log

        print_json(sarif_log(files, VERSION))
    return int(any(found.findings for _, found in files))


def _parse_bound(text: str) -> tuple[str, str]:
    name, separator, value = text.partition("=")
    if not separator:
        raise click.BadParameter(f"{text!r}: write NAME=NUMBER, such as turns=40", param_hint="--bound")
    return name.strip(), value.strip()


def _lint_ruleset(
    name: str, bounds: dict[str, str], full: bool, contribute: bool, settings: SettingOptions
) -> tuple[str, LintReport, Source | None, Callable[[str], str]]:
    """Lint a ruleset. Return the path of its file as text, the report, its source, and a function that writes its
    options in words.

    If the ruleset has errors, these are the findings of the report.
    """
    from oddsmith.report.lint import Finding, LintReport

    path = find_ruleset(name)
    file = _relative_path_text(path)
    try:
        loaded = replace(LoadedRuleset.open(path), setting=settings.setting)
        with terminal_progress() as report:
            found = loaded.lint(bounds=bounds, full=full, progress=report)
            if contribute:
                from oddsmith.report.lint import check_contribution

                found = check_contribution(found, _contribution(path, loaded))
    except RulesetError as error:
        play = error.play if isinstance(error, PlayError) else ()
        return file, LintReport(tuple(Finding(problem, play) for problem in error.problems), (), ()), error.source, str
    return file, found, loaded.ruleset.source, OptionWords(loaded.game, loaded.ruleset.player_name)


def _contribution(path: Path, loaded: LoadedRuleset) -> Contribution:
    """Return a contributed game: its ruleset, the story in the Markdown file beside it, its problems, and the verdicts
    on its claims. The story is None if there is no such file.
    """
    from oddsmith.report.lint import Contribution

    beside = path.with_suffix(".md")
    story = beside.read_text(encoding="utf-8", errors="replace") if beside.is_file() else None
    return Contribution(
        loaded.ruleset, path.stem, story, shipped_rulesets(), check_file(path).problems, loaded.verify()
    )


def _relative_path_text(path: Path) -> str:
    """Return a path as text, relative to the current folder if it lies below that."""
    here = Path.cwd()
    return str(path.resolve().relative_to(here)) if path.resolve().is_relative_to(here) else str(path)


def _print_findings(file: str, report: LintReport, source: Source | None, word_option: Callable[[str], str]) -> None:
    for finding in report.findings:
        head, *rest = finding.problem.with_excerpt(source).split("\n")
        print_styled(head, fg="red" if finding.problem.severity == "error" else "yellow")
        for line in rest:
            click.echo(line)
        if finding.play:
            click.echo("  the shortest play that shows it:")
            for line in map(word_option, move_lines(finding.play)):
                click.echo(line)
    for each in report.skipped_checks:
        click.echo(f"{file}: not asked: {', '.join(each.codes)}: {each.reason}")
    click.echo(f"{file}: {report.summary}")
