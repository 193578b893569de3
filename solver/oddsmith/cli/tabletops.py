"""``oddsmith owlbear`` and ``oddsmith roll20``: tables on other virtual tabletops than Foundry."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.metadata import distribution
from pathlib import Path
from typing import TYPE_CHECKING

import click

from oddsmith.cli.common import progress
from oddsmith.errors import OddsmithError

if TYPE_CHECKING:
    from oddsmith.publish.plan import Account
    from oddsmith.ruleset.model import Ruleset

_OUTPUT = click.option(
    "-o", "--output", required=True, metavar="DIR", type=click.Path(path_type=Path, file_okay=False),
    help="Folder to write into.",
)  # fmt: skip
_STORE = click.option(
    "--store", type=click.Path(path_type=Path, file_okay=False),
    help="Folder where answers are kept, so that only what changed is solved again.",
)  # fmt: skip


@click.command()
@click.argument("rulesets", nargs=-1, required=True)
@_OUTPUT
@click.option("--url", default="", metavar="BASE", help="Address at which DIR will be (default: the root of a site).")
@_STORE
def owlbear(rulesets: tuple[str, ...], output: Path, url: str, store: Path | None) -> int:
    """Write an extension for Owlbear Rodeo: a static folder with a table for a room, for you to put on the web.

    \b
    Example:
      oddsmith owlbear piglet craps -o tavern --url https://example.org/tavern
    """
    from oddsmith.files import folder_files
    from oddsmith.foundry.module import refuse_twice
    from oddsmith.foundry.owlbear import extension
    from oddsmith.library import Book
    from oddsmith.ruleset.schema import data_folder

    games = [Book.open(name).ruleset for name in rulesets]
    refuse_twice(games)
    _refuse_others(output)
    files = extension(_accounts(games, store), url, folder_files(data_folder("site")), _licence())
    _write(output, files)
    click.echo(f"{len(files)} files in {output}; give Owlbear Rodeo the address of its manifest.json")
    return 0


@click.command()
@click.argument("ruleset")
@_OUTPUT
@_STORE
def roll20(ruleset: str, output: Path, store: Path | None) -> int:
    """Write a Mod script for Roll20, which plays a game in the chat, and its random tables to copy.

    \b
    Example:
      oddsmith roll20 piglet -o piglet-for-roll20
    """
    from oddsmith.files import folder_files
    from oddsmith.foundry.roll20 import mod
    from oddsmith.library import Book
    from oddsmith.ruleset.schema import data_folder

    game = Book.open(ruleset).ruleset
    _refuse_others(output)
    found = mod(_accounts([game], store)[0], folder_files(data_folder("site")), _licence())
    _write(output, found.files)
    for note in found.left_out:
        click.echo(note)
    click.echo(f"{len(found.files)} files in {output}; README.md says where each goes")
    return 0


def _accounts(games: Sequence[Ruleset], store: Path | None) -> list[Account]:
    """What is known of each game, solved where it is not kept."""
    from threadpoolctl import threadpool_limits

    from oddsmith.files import Folder
    from oddsmith.publish.plan import account
    from oddsmith.publish.store import Store

    kept = Store(Folder(store)).answer if store else None
    with progress() as report, threadpool_limits(1):  # small systems: threads only get in one another's way
        return [account(game, report, False, kept) for game in games]


def _licence() -> bytes:
    licence = distribution("oddsmith").read_text("licenses/LICENSE")
    assert licence is not None, "every installed package has its licence beside it"
    return licence.encode()


def _refuse_others(folder: Path) -> None:
    """All of a folder is replaced, so it must be new, empty, or one that this program wrote."""
    if folder.is_dir() and any(folder.iterdir()):
        written = folder / "README.md"
        if not written.is_file() or b"\nWritten by oddsmith " not in written.read_bytes():
            raise OddsmithError(f"{folder} holds something that oddsmith did not write: choose another folder with -o")


def _write(folder: Path, files: dict[str, bytes]) -> None:
    from oddsmith.files import prune, write_all

    write_all(folder, files)
    prune(folder, set(files))
