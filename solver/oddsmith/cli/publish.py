"""``oddsmith publish``: a site of Markdown pages and data from rulesets."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from oddsmith.api import (
    FIRST,
    LoadedRuleset,
    ModulePublication,
    answering_forecast_text,
    build_html,
    options_of_module_on_page,
    refuse_ruleset_with_errors,
    ruleset_about_one_setting,
    site_pages,
    successive_sites,
)
from oddsmith.browser import PYODIDE, playground_files
from oddsmith.cli.common import (
    SettingOptions,
    dask_option,
    jobs_option,
    option_field,
    settings_options,
    shared_option_field,
    terminal_progress,
    with_options,
)
from oddsmith.cli.writing import STORE, folder_option, refuse_foreign_folder

if TYPE_CHECKING:
    from oddsmith.ruleset.model import Ruleset


_LIST = "games/index.md"
"""The page by which a folder that ``--all`` wrote is recognized."""


@dataclass(frozen=True, kw_only=True)
class PublishOptions:
    """The options of ``publish``."""

    rulesets: tuple[str, ...]
    settings: SettingOptions = shared_option_field(settings_options(with_policies=False, many_rulesets=True))
    output: Path = shared_option_field(folder_option("Folder to write into."))
    everything: bool = option_field(
        "--all", is_flag=True, help="Take all shipped rulesets, with the pages of the project's own site."
    )
    at_once: bool = option_field("--at-once", is_flag=True, help="Write pages only when everything is known.")
    full: bool = option_field(
        "--full", is_flag=True, help="Also solve what the rulesets list under `full`, however long it takes."
    )
    store: Path | None = shared_option_field(STORE)
    jobs: int = shared_option_field(jobs_option("With --store: how many games to solve at the same time."))
    cluster: str | None = shared_option_field(
        dask_option("With --store: solve on a running Dask cluster, such as tcp://10.0.0.5:8786.")
    )
    url: str = option_field(
        "--url",
        default="",
        envvar="SITE_URL",
        show_envvar=True,
        metavar="BASE",
        help="Address of the site, for the QR codes on table cards and for installing Foundry modules by manifest.",
    )
    playground: tuple[Path, ...] = option_field(
        "--playground",
        type=click.Path(path_type=Path, file_okay=False, exists=True),
        multiple=True,
        metavar="PYODIDE",
        help="Add a page on which readers change games in their browser. PYODIDE is the folder of the unpacked npm package "
        "`pyodide`. To solve there, name a folder with the wheel of python-flint as well; the release archive of Pyodide has "
        "the rest.",
    )
    version: str = option_field(
        "--version",
        default=FIRST,
        show_default=True,
        metavar="V",
        help="The least version of its Foundry modules. A module that differs from the one in the folder gets the next "
        "version.",
    )


@click.command()
@with_options(PublishOptions)
def publish(options: PublishOptions) -> int:
    """Write the pages of rulesets: rules in plain words, exact odds, strategy tables, downloads.

    With a RULESET the folder becomes a small site of its own. Its pages open by double-click, the first one soon: what takes
    long is filled in as it comes. Files that are already in the folder stay, unless one of the same name is written. With
    settings the pages are about that one game. Without settings they are about all games that the key `publish` of the ruleset
    names. With --all the whole folder is replaced.

    \b
    Example:
      oddsmith publish my.yaml -o my-site
    """
    from oddsmith.base.files import Folder, folder_files, replace_folder_files, shipped_rulesets, write_folder_files
    from oddsmith.base.resources import data_folder
    from oddsmith.design import fill_store

    output, store, everything, full = options.output, options.store, options.everything, options.full
    if options.cluster and store is None:
        raise click.UsageError("--dask needs --store, where its answers are kept")
    if bool(options.rulesets) == everything:
        raise click.UsageError("name at least one RULESET, or use --all")
    if everything:
        refuse_foreign_folder(output, _LIST, b'class="od-cards"', "folder with -o")
    names = options.rulesets or tuple(shipped_rulesets())
    books = [LoadedRuleset.open(name) for name in names]
    _refuse_rulesets_with_errors(dict(zip(names, books, strict=True)), options.settings)
    before = Folder(output if everything else output / "docs")
    modules = ModulePublication(options.url, options.version, before.get)
    options_of_module_on_page(books[0].ruleset, modules)  # refused before anything is solved
    pyodide = {name: data for each in options.playground for name, data in folder_files(each, PYODIDE).items()}
    along = playground_files(pyodide) if options.playground else {}
    if options.settings.is_any_given and (everything or full):
        raise click.UsageError("settings are for one game of a RULESET: leave out --all and --full")
    games = [
        _with_one_setting(book.ruleset, options.settings) if options.settings.is_any_given else book.ruleset
        for book in books
    ]
    for game in () if everything or options.at_once else games:
        if way := answering_forecast_text(game, store):
            click.echo(way, err=True)
    with terminal_progress() as report:
        if store and (options.jobs > 1 or options.cluster) and not options.settings.is_any_given:
            fill_store(dict(zip(names, books, strict=True)), full, store, options.jobs, options.cluster, report)
        if everything:
            pages = site_pages(games, folder_files(data_folder("docs")) | along, report, full, store, modules)
            replace_folder_files(output, pages, _LIST)
            click.echo(f"{len(pages)} files in {output}")
            return 0
        count, first = 0, output
        for files in successive_sites(games, along, report, full, store, modules, options.at_once):
            write_folder_files(output, files)
            first = build_html(output)
            if not count and not options.at_once:
                click.echo(f"{first} can be opened; what takes longer is filled in as it comes", err=True)
            count = len(files)
    click.echo(f"{count} files in {output}; open {first}")
    click.echo(
        f"to play on the pages, run `python -m http.server -d {first.parent}` and open http://localhost:8000/: "
        "a page that is opened as a file cannot load its table"
    )
    return 0


def _with_one_setting(ruleset: Ruleset, settings: SettingOptions) -> Ruleset:
    """Return a ruleset whose pages are about the one game at the given settings. Raises SettingError."""
    return ruleset_about_one_setting(ruleset, settings.setting)


def _refuse_rulesets_with_errors(books: Mapping[str, LoadedRuleset], settings: SettingOptions) -> None:
    """Check the rulesets that do not ship, for these are checked already. ``books``: the rulesets, by the names that were
    typed. Raises RulesetError with the errors that ``check`` finds.
    """
    from oddsmith.base.files import shipped_rulesets

    for name in books.keys() - set(shipped_rulesets()):
        refuse_ruleset_with_errors(books[name].ruleset, settings.setting)
