"""``oddsmith publish``: a site of Markdown pages and data from rulesets."""

from __future__ import annotations

from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from oddsmith.cli.shared import STORE, Settings, jobs_option, progress, refuse_others, settings_of, settings_options
from oddsmith.errors import InputError
from oddsmith.library import (
    FIRST,
    Delivery,
    LoadedRuleset,
    about_one_game,
    beside,
    built,
    growing_site,
    kept_answers,
    playground_files,
    site_pages,
)
from oddsmith.workbench import crew

if TYPE_CHECKING:
    from oddsmith.report.answers import Progress
    from oddsmith.ruleset.model import Ruleset, Setting

_LIST = "games/index.md"
"""The page by which a folder of all games is known again."""


@click.command()
@settings_options(policies=False, several=True)
@click.option(
    "-o", "--output", required=True, type=click.Path(path_type=Path, file_okay=False), help="Folder to write into."
)
@click.option(
    "--all", "everything", is_flag=True, help="Take all shipped rulesets, with the pages of the project's own site."
)
@click.option("--at-once", is_flag=True, help="Write pages only when everything is known.")
@click.option("--full", is_flag=True, help="Also solve what the rulesets list under `full`, however long it takes.")
@STORE
@jobs_option("With --store: how many games to solve at the same time.")
@click.option(
    "--url",
    default="",
    envvar="SITE_URL",
    show_envvar=True,
    metavar="BASE",
    help="Address of the site: for the codes on its table cards, and for installing its Foundry modules by manifest.",
)
@click.option(
    "--playground",
    type=click.Path(path_type=Path, file_okay=False, exists=True),
    metavar="PYODIDE",
    help="With a page on which readers change games in their browser. PYODIDE: folder of the unpacked npm package `pyodide`.",
)
@click.option(
    "--version",
    default=FIRST,
    show_default=True,
    metavar="V",
    help="The least version of its Foundry modules. A module that differs from the one in the folder gets the next version.",
)
def publish(
    rulesets: tuple[str, ...],
    output: Path,
    everything: bool,
    at_once: bool,
    full: bool,
    store: Path | None,
    jobs: int,
    **given: Any,
) -> int:
    """Write the pages of rulesets: rules in plain words, exact odds, strategy tables, downloads.

    With a RULESET the folder becomes a small site of its own. Its pages open by double-click, the first one soon: what takes
    long is filled in as it comes. Files that are in the folder already stay, except those of the same names. With settings the
    pages are about that one game. Without settings they are about all games that the key `publish` of the ruleset names. With
    --all the whole folder is replaced.

    \b
    Example:
      oddsmith publish my.yaml -o my-site
    """
    from oddsmith.files import Folder, folder_files, replace_all, shipped, write_all
    from oddsmith.resources import data_folder

    if bool(rulesets) == everything:
        raise click.UsageError("name at least one RULESET, or use --all")
    if everything:
        refuse_others(output, _LIST, b'class="od-cards"', "folder with -o")
    names = rulesets or tuple(shipped())
    books = [LoadedRuleset.open(name) for name in names]
    before = Folder(output if everything else output / "docs")
    modules = Delivery(given.pop("url"), given.pop("version"), before.get)
    beside(books[0].ruleset, modules)  # refused before anything is solved
    folder = given.pop("playground")
    along = playground_files(folder_files(folder)) if folder else {}
    chosen = {key: value for key, value in given.items() if value not in (None, ())}
    if chosen and (everything or full):
        raise click.UsageError("settings are for one game of a RULESET: leave out --all and --full")
    games = [_alone(book.ruleset, settings_of(book.ruleset.id, **given)) if chosen else book.ruleset for book in books]
    with progress() as report:
        if store and jobs > 1 and not chosen:
            _fill(dict(zip(names, books, strict=True)), full, store, jobs, report)
        if everything:
            pages = site_pages(games, folder_files(data_folder("docs")) | along, report, full, store, modules)
            replace_all(output, pages, _LIST)
            click.echo(f"{len(pages)} files in {output}")
            return 0
        count = 0
        for files in growing_site(games, along, report, full, store, modules, at_once):
            write_all(output, files)
            if not count and not at_once:
                click.echo(f"{built(output)} can be opened; what takes longer is filled in as it comes", err=True)
            count = len(files)
    click.echo(f"{count} files in {output}; open {built(output)}")
    return 0


def _alone(ruleset: Ruleset, settings: Settings) -> Ruleset:
    """A ruleset whose pages are about one game alone."""
    if len(settings.variants) > 1:
        raise click.UsageError("a page is about one variant at a time: set the parameters of the other with --set")
    return about_one_game(ruleset, settings.seats, settings.objective, settings.variants, settings.values)


def _fill(books: dict[str, LoadedRuleset], full: bool, folder: Path, jobs: int, report: Progress | None) -> None:
    """Solve what the store lacks, several games at the same time. Every answer is kept as soon as it is there."""
    from oddsmith.report.answers import settings

    store = kept_answers(folder)
    todo = [
        (name, setting)
        for name, book in books.items()
        for part in settings(book.ruleset, full)
        for setting in part
        if not store.has(book.ruleset, setting)
    ]
    if len(todo) < jobs:
        return
    work = partial(_solve, folder)
    for number, ((name, _), done) in enumerate(crew(work, todo, jobs), 1):
        if done is None:
            raise InputError(
                "something outside ended a process that was solving, perhaps because memory ran out: try --jobs 1; "
                "what was solved is kept"
            )
        if report:
            report(f"solved {name}", number, len(todo))


def _solve(folder: Path, task: tuple[str, Setting]) -> bool:
    """Solve and keep an answer."""
    from threadpoolctl import threadpool_limits

    name, setting = task
    with threadpool_limits(1):
        kept_answers(folder).answer(_opened(name).ruleset, setting)
    return True


@cache
def _opened(name: str) -> LoadedRuleset:
    return LoadedRuleset.open(name)
