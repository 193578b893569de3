"""``oddsmith foundry``: a module for Foundry Virtual Tabletop from rulesets."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from oddsmith.api import FIRST, LoadedRuleset, options_for, scripts
from oddsmith.cli.writing import STORE, accounts, folder_option, refuse_others

if TYPE_CHECKING:
    from oddsmith.ruleset.model import Ruleset
    from oddsmith.tabletops.foundry import ModuleOptions, Translation


MANIFEST = "module.json"


@click.command()
@click.argument("rulesets", nargs=-1, required=True)
@folder_option("Folder to write into: the module's folder and its archive.")
@click.option("--id", metavar="ID", help="The module's id (default: oddsmith-GAME, or oddsmith-games for several).")
@click.option("--title", metavar="TITLE", help="The module's title (default: the game's, or Tavern Games).")
@click.option("--version", default=FIRST, show_default=True, metavar="V", help="The module's version.")
@click.option("--url", default="", metavar="BASE", help="Address at which DIR will be, for installing by manifest.")
@click.option("--pack-source", is_flag=True, help="Add the packs as JSON, for Foundry's own command line tool.")
@click.option(
    "--author",
    "authors",
    multiple=True,
    metavar="NAME",
    help="Who made the module: NAME, or `NAME <URL>`. Repeatable.",
)
@click.option("--bugs", default="", metavar="URL", help="Address at which people report what does not work.")
@click.option(
    "--lang",
    "languages",
    multiple=True,
    metavar="FILE",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    help="A module's lang/en.json in another language or in other words, named after its language. Repeatable.",
)
@STORE
@click.option("--rules-only", is_flag=True, help="Solve nothing: rules and a table to play at, without odds.")
@click.option("--full", is_flag=True, help="Also solve what the rulesets list under `full`, however long it takes.")
def foundry(
    rulesets: tuple[str, ...], output: Path, store: Path | None, full: bool, rules_only: bool, **given: Any
) -> int:
    """Write a module for Foundry VTT, with games to play at the table and journals of rules, exact odds and best play.

    Copy the module's folder to Data/modules of Foundry 13 or later, or put the files on the web and name their
    address with --url.

    \b
    Examples:
      oddsmith foundry piglet -o modules
      oddsmith foundry pig craps -o modules --id my-games --author Ann
    """
    from oddsmith.base.files import replace_all, write_whole, zipped
    from oddsmith.tabletops import refuse_twice
    from oddsmith.tabletops.foundry import build, solved, unsolved

    games = [LoadedRuleset.open(name).ruleset for name in rulesets]
    refuse_twice(games)
    options = _options(games, given)
    for each in filter(lambda each: each.missing, options.languages):
        click.echo(_untranslated(each), err=True)
    folder = output / options.id
    refuse_others(folder, MANIFEST, b'"generator": "oddsmith ', "--id, or -o")
    held = list(map(unsolved, games) if rules_only else map(solved, accounts(games, store, full)))
    files = build(held, options, scripts())
    packed = zipped(files)
    replace_all(folder, files, MANIFEST)
    for name in (f"{options.id}.zip", *([options.archive] if options.url else [])):
        write_whole(output / name, packed)
    for name, note in ((each.ruleset.id, note) for each in held for note in each.left_out):
        click.echo(f"{name} has no roll table: {note}")
    click.echo(f"{len(files)} files in {folder}; the same in {folder}.zip, {len(packed):,} bytes")
    return 0


def _options(games: Sequence[Ruleset], given: Mapping[str, Any]) -> ModuleOptions:
    """What was asked for, and else what suits the games."""
    from oddsmith.tabletops.foundry import ENGLISH, translation

    asked = dict(given)
    if files := asked.pop("languages", ()):
        known = json.loads(scripts()[ENGLISH])
        own = next((path for path in files if path.name == Path(ENGLISH).name), None)
        if own:  # what others lack is then in the author's own English
            known = translation(own.name, own.read_bytes(), known).texts
        asked["languages"] = tuple(translation(path.name, path.read_bytes(), known) for path in files)
    return options_for(games, asked)


def _untranslated(language: Translation) -> str:
    missing = language.missing
    stay = "stay as Oddsmith has them" if language.tag == "en" else "stay English"
    return f"{language.tag}: {len(missing)} of {len(language.texts)} texts {stay}: {', '.join(missing)}"
