"""``oddsmith foundry``: a module for Foundry Virtual Tabletop from rulesets."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from oddsmith.cli.writing import STORE, accounts, licence, refuse_others

if TYPE_CHECKING:
    from oddsmith.foundry.manifest import Options
    from oddsmith.publish.plan import Account
    from oddsmith.ruleset.model import Ruleset


@click.command()
@click.argument("rulesets", nargs=-1, required=True)
@click.option(
    "-o", "--output", required=True, metavar="DIR", type=click.Path(path_type=Path, file_okay=False),
    help="Folder to write into: the module's folder and its archive.",
)  # fmt: skip
@click.option("--id", metavar="ID", help="The module's id (default: oddsmith-GAME, or oddsmith-games for several).")
@click.option("--title", metavar="TITLE", help="The module's title (default: the game's, or Tavern Games).")
@click.option("--version", default="1.0.0", show_default=True, metavar="V", help="The module's version.")
@click.option("--url", default="", metavar="BASE", help="Address at which DIR will be, for installing by manifest.")
@click.option("--pack-source", is_flag=True, help="Add the packs as JSON, for Foundry's own command line tool.")
@STORE
@click.option("--full", is_flag=True, help="Solve also what the rulesets list under `full`, however long it takes.")
def foundry(rulesets: tuple[str, ...], output: Path, store: Path | None, full: bool, **given: Any) -> int:
    """Write a module for Foundry VTT: the games to play at the table, journals with rules, exact odds and best play.

    Copy the module's folder to Data/modules of Foundry 13 or later, or put what is written on the web and give --url.

    \b
    Example:
      oddsmith foundry piglet -o modules
    """
    from oddsmith.files import replace_all, write_whole
    from oddsmith.foundry.module import archive, build, refuse_twice
    from oddsmith.library import Book

    games = [Book.open(name).ruleset for name in rulesets]
    refuse_twice(games)
    options = _options(games, given)
    folder = output / options.id
    refuse_others(folder, "module.json", b'"generator": "oddsmith ', "--id, or -o")
    files = build(accounts(games, store, full), options, scripts())
    packed = archive(files)
    replace_all(folder, files)
    for name in (f"{options.id}.zip", *([options.archive] if options.url else [])):
        write_whole(output / name, packed)
    click.echo(f"{len(files)} files in {folder}; the same in {folder}.zip, {len(packed):,} bytes")
    return 0


def archives(each: Account) -> dict[str, bytes]:
    """A game as a module of its own, for download beside its page; nothing where no module can play it."""
    from oddsmith.foundry.module import Unplayable, archive, build

    options = _options([each.ruleset], {})
    try:
        return {f"foundry/{options.id}.zip": archive(build([each], options, scripts()))}
    except Unplayable:
        return {}


def _options(games: Sequence[Ruleset], given: Mapping[str, Any]) -> Options:
    """What was asked for, and else what suits the games."""
    from oddsmith.foundry.manifest import LONGEST, Options

    one = games[0] if len(games) == 1 else None
    name, title = (f"oddsmith-{one.id}", one.title[:LONGEST]) if one else ("oddsmith-games", "Tavern Games")
    return Options(**{"id": name, "title": title} | {key: value for key, value in given.items() if value is not None})


@cache
def scripts() -> dict[str, bytes]:
    """What all modules share, as it comes with the program."""
    from oddsmith.files import folder_files
    from oddsmith.foundry.module import shared
    from oddsmith.ruleset.schema import data_folder

    site = data_folder("site")
    return shared(folder_files(site / "foundry"), folder_files(site / "runtime"), licence())
