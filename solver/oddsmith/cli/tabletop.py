"""``oddsmith tabletop``: files for virtual tabletops other than Foundry, ``owlbear`` and ``roll20``."""

from __future__ import annotations

from pathlib import Path

import click

from oddsmith.api import LoadedRuleset
from oddsmith.base.resources import data_folder, licence_bytes
from oddsmith.cli.writing import STORE, folder_option, refuse_foreign_folder, stored_or_solved_answers

_README = "README.md"
_OUTPUT = folder_option("Folder to write into.")


@click.group()
def tabletop() -> None:
    """Put games on other virtual tabletops than Foundry: Owlbear Rodeo and Roll20.

    \b
    Examples:
      oddsmith tabletop owlbear piglet craps -o tavern --url https://example.org/tavern
      oddsmith tabletop roll20 piglet -o piglet-for-roll20
    """


@tabletop.command()
@click.argument("rulesets", nargs=-1, required=True)
@_OUTPUT
@click.option("--url", default="", metavar="BASE", help="Address at which DIR will be (default: the root of a site).")
@STORE
def owlbear(rulesets: tuple[str, ...], output: Path, url: str, store: Path | None) -> int:
    """Write an extension for Owlbear Rodeo: a static folder for you to put on the web, with tables to play at in a room.

    \b
    Example:
      oddsmith tabletop owlbear piglet craps -o tavern --url https://example.org/tavern
    """
    from oddsmith.base.files import folder_files, replace_folder_files
    from oddsmith.tabletops import build_extension, refuse_equal_ids

    games = [LoadedRuleset.open(name).ruleset for name in rulesets]
    refuse_equal_ids(games)
    refuse_foreign_folder(output, _README, b"\nWritten by oddsmith ", "folder with -o")
    files = build_extension(
        stored_or_solved_answers(games, store), url, folder_files(data_folder("site")), licence_bytes()
    )
    replace_folder_files(output, files, _README)
    click.echo(f"{len(files)} files in {output}; give Owlbear Rodeo the address of its manifest.json")
    return 0


@tabletop.command()
@click.argument("ruleset")
@_OUTPUT
@click.option(
    "--user",
    default="",
    metavar="NUMBER",
    help="The number of your Roll20 user, for a script.json to offer the script there.",
)
@STORE
def roll20(ruleset: str, output: Path, user: str, store: Path | None) -> int:
    """Write a Mod script for Roll20 that plays a game in the chat, and random tables to copy.

    \b
    Example:
      oddsmith tabletop roll20 piglet -o piglet-for-roll20
    """
    from oddsmith.base.files import folder_files, replace_folder_files
    from oddsmith.tabletops import build_mod, check_user_name

    if user:
        check_user_name(user)
    game = LoadedRuleset.open(ruleset).ruleset
    refuse_foreign_folder(output, _README, b"\nWritten by oddsmith ", "folder with -o")
    script = build_mod(
        stored_or_solved_answers([game], store)[0], folder_files(data_folder("site")), licence_bytes(), user
    )
    replace_folder_files(output, script.files, _README)
    for note in script.missing_table_notes:
        click.echo(note)
    click.echo(f"{len(script.files)} files in {output}; README.md says where each goes")
    return 0
