"""``oddsmith diff``: two games side by side."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import click

from oddsmith.base.files import write_named_file
from oddsmith.cli.advising import option_words
from oddsmith.cli.common import (
    SettingOptions,
    digits_option,
    json_option,
    print_json,
    settings_options,
    solve_game,
    with_changed_settings,
)

PLACES = 6


@click.command()
@click.argument("before", metavar="BEFORE")
@click.argument("after", metavar="[AFTER]", required=False)
@settings_options(with_policies=False, ruleset_required=None)
@click.option(
    "--to",
    "to",
    multiple=True,
    metavar="NAME=VALUE",
    help="A setting of the second game alone: seats, objective, variant, or a parameter. Repeatable.",
)
@digits_option(PLACES, 70)
@json_option("Print the differences as JSON.")
@click.option(
    "-o", "--output", type=click.Path(path_type=Path, dir_okay=False), help="Also write them as a page, FILE.html."
)
def diff(
    before: str,
    after: str | None,
    settings: SettingOptions,
    to: tuple[str, ...],
    digits: int,
    as_json: bool,
    output: Path | None,
) -> int:
    """Say what changes from one game to another: rules, values, lengths, thresholds, and what the old strategy costs.

    BEFORE and AFTER are RULESETs, or files at a revision of git: REVISION:FILE. Without AFTER it is the same ruleset, with the
    settings of --to. All other settings are for both.

    \b
    Examples:
      oddsmith diff rogues-gambit --seats 2 --to coins_each=20
      oddsmith diff HEAD:my.yaml my.yaml
    """
    from oddsmith.design import diff as difference

    if after is None and not to:
        raise click.UsageError("name a second RULESET, or what changes with --to NAME=VALUE")
    first = settings.chosen_game(before)
    second = with_changed_settings(replace(first, ruleset=after or before), to)
    games = [solve_game(chosen) for chosen in (first, second)]
    found, words = difference(*games), option_words(games[1])
    if output is not None:
        from oddsmith.publish.pages import changes_page

        names = [each.game.ruleset.title for each in games]
        title = names[0] if names[0] == names[1] else f"{names[0]} and {names[1]}"
        write_named_file(output, changes_page(f"{title}: what changes", found, words))
    if as_json:
        print_json(found.to_json())
        return 0
    for line in map(words, found.lines(digits)):
        click.echo(line)
    return 0
