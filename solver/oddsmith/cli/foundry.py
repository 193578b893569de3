"""``oddsmith foundry``: a module for Foundry Virtual Tabletop from rulesets, or one that gives the odds of any roll."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from oddsmith.api import (
    FIRST,
    MAX_SHARED_TABLE_BYTES,
    LoadedRuleset,
    game_module_options,
    module_pictures,
    module_scripts,
    odds_module_options,
    odds_scripts,
)
from oddsmith.cli.writing import STORE, folder_option, refuse_foreign_folder, stored_or_solved_answers

if TYPE_CHECKING:
    from oddsmith.tabletops.foundry import ModuleOptions, Translation


MANIFEST = "module.json"


@click.command()
@click.argument("rulesets", nargs=-1)
@click.option(
    "--all", "everything", is_flag=True, help="Take all shipped rulesets that a table can play, as one module."
)
@click.option("--odds", is_flag=True, help="Write the module that tells the odds of any roll, without a ruleset.")
@folder_option("Folder to write into: the module's folder and its archive.")
@click.option("--id", metavar="ID", help="The module's id (default: oddsmith-GAME, oddsmith-games or oddsmith-odds).")
@click.option(
    "--title", metavar="TITLE", help="The module's title (default: the game's, Tavern Games or Oddsmith Odds)."
)
@click.option("--version", default=FIRST, show_default=True, metavar="V", help="The module's version.")
@click.option("--url", default="", metavar="BASE", help="Address at which DIR will be, for installing by manifest.")
@click.option("--page", default="", metavar="URL", help="Address of a page about the module, which Foundry links to.")
@click.option("--pack-source", is_flag=True, help="Add the packs as JSON, for Foundry's own command line tool.")
@click.option(
    "--author",
    "authors",
    multiple=True,
    metavar="NAME",
    help="Who made the module: NAME, or `NAME <URL>`. Repeatable.",
)
@click.option("--bugs", default="", metavar="URL", help="Address for reports of what does not work.")
@click.option(
    "--lang",
    "languages",
    multiple=True,
    metavar="FILE",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    help="A file lang/en.json in another language or in your own words, named after its language. Repeatable.",
)
@STORE
@click.option("--rules-only", is_flag=True, help="Solve nothing: rules and a table to play at, without odds.")
@click.option("--full", is_flag=True, help="Also solve what the rulesets list under `full`, however long it takes.")
def foundry(
    rulesets: tuple[str, ...],
    everything: bool,
    odds: bool,
    output: Path,
    store: Path | None,
    full: bool,
    rules_only: bool,
    **module_options: Any,
) -> int:
    """Write a module for Foundry VTT, with games to play at the table and journals of rules, exact odds and best play.

    With --odds it writes a module that answers /odds in the chat and tells the odds of any roll, in every system.

    Copy the module's folder to Data/modules of Foundry 13 or later, or put the files on the web and name their
    address with --url.

    \b
    Examples:
      oddsmith foundry piglet -o modules
      oddsmith foundry pig craps -o modules --id my-games --author Ann
      oddsmith foundry --all -o modules
      oddsmith foundry --odds -o modules
    """
    from oddsmith.base.files import shipped_rulesets
    from oddsmith.tabletops import refuse_equal_ids
    from oddsmith.tabletops.foundry import (
        build_games_module,
        build_odds_module,
        solved_game_content,
        unsolved_game_content,
    )

    if odds:
        if rulesets or everything or store or full or rules_only or module_options.pop("pack_source"):
            raise click.UsageError("--odds writes a module without games: leave out rulesets and what is said of them")
        options = odds_module_options(_options_with_translations(module_options, odds_scripts()))
        _refuse_unsuitable_folder(output / options.id, options)
        _write_module(output, options, build_odds_module(options, odds_scripts(), module_pictures()))
        return 0
    if rulesets and everything:
        raise click.UsageError("--all takes all shipped rulesets: leave out RULESETS")
    names = rulesets or (tuple(shipped_rulesets()) if everything else ())
    if not names:
        raise click.MissingParameter(param_hint="'RULESETS...'", param_type="argument")
    games = [LoadedRuleset.open(name).ruleset for name in names]
    unsealed = [each for each in games if everything and not each.needs_no_dealer]
    for each in unsealed:
        click.echo(f"{each.id}: left out, because a table cannot seal its secrets")
    games = [each for each in games if each not in unsealed]
    refuse_equal_ids(games)
    options = game_module_options(games, _options_with_translations(module_options, module_scripts()))
    _refuse_unsuitable_folder(output / options.id, options)
    most = MAX_SHARED_TABLE_BYTES if everything else None
    held = (
        [unsolved_game_content(each) for each in games]
        if rules_only
        else [solved_game_content(each, most) for each in stored_or_solved_answers(games, store, full)]
    )
    files = build_games_module(held, options, module_scripts(), module_pictures())
    for name, note in ((each.ruleset.id, note) for each in held for note in each.missing_table_notes):
        click.echo(f"{name}: {note}")
    _write_module(output, options, files)
    return 0


def _refuse_unsuitable_folder(folder: Path, options: ModuleOptions) -> None:
    """Print which texts the translations lack. Refuse a folder that oddsmith did not write. Raises InputError."""
    for each in filter(lambda each: each.missing, options.languages):
        click.echo(_untranslated_texts_words(each), err=True)
    refuse_foreign_folder(folder, MANIFEST, b'"generator": "oddsmith ', "--id, or -o")


def _write_module(output: Path, options: ModuleOptions, files: Mapping[str, bytes]) -> None:
    """Write a module as a folder and as an archive, and print where they are."""
    from oddsmith.base.files import replace_folder_files, write_atomically, zip_archive

    folder, packed = output / options.id, zip_archive(files)
    replace_folder_files(folder, files, MANIFEST)
    for name in (f"{options.id}.zip", *([options.archive] if options.url else [])):
        write_atomically(output / name, packed)
    click.echo(f"{len(files)} files in {folder}; the same in {folder}.zip, {len(packed):,} bytes")


def _options_with_translations(given_options: Mapping[str, Any], shared_files: Mapping[str, bytes]) -> dict[str, Any]:
    """Return the options with the language files parsed. ``shared_files``: the files that all such modules share."""
    from oddsmith.tabletops.foundry import ENGLISH, parse_translation, translation_files

    asked = dict(given_options)
    if files := asked.pop("languages", ()):
        known = json.loads(shared_files[ENGLISH])
        own = next((path for path in files if path.name == Path(ENGLISH).name), None)
        if own:  # what others lack is then in the author's own English
            known = parse_translation(own.name, own.read_bytes(), known).texts
        ours = translation_files(shared_files)
        asked["languages"] = tuple(
            parse_translation(path.name, path.read_bytes(), known, ours.get(f"lang/{path.name}", b"")) for path in files
        )
    return asked


def _untranslated_texts_words(language: Translation) -> str:
    missing = language.missing
    stay = "stay as Oddsmith has them" if language.tag == "en" else "stay English"
    return f"{language.tag}: {len(missing)} of {len(language.texts)} texts {stay}: {', '.join(missing)}"
