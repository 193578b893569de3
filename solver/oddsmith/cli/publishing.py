"""``oddsmith publish``: a site of Markdown pages and data from rulesets."""

from __future__ import annotations

from pathlib import Path

import click

from oddsmith.cli.common import progress


@click.command()
@click.argument("rulesets", nargs=-1)
@click.option(
    "-o", "--output", required=True, type=click.Path(path_type=Path, file_okay=False), help="Folder to write."
)
@click.option(
    "--all", "everything", is_flag=True, help="All shipped rulesets, with the pages of the project's own site."
)
def publish(rulesets: tuple[str, ...], output: Path, everything: bool) -> int:
    """Write the pages of rulesets: rules in plain words, exact odds, strategy tables, downloads.

    With a RULESET the folder holds a small site of its own: `mkdocs build` in it makes HTML. What the folder holds
    already is left alone, but for files of the same names.

    \b
    Example:
      oddsmith publish my.yaml -o my-site
    """
    from oddsmith.files import folder_files, prune, shipped, write_all
    from oddsmith.library import Book
    from oddsmith.publish import mkdocs_config
    from oddsmith.publish import publish as pages_of
    from oddsmith.ruleset.schema import data_folder

    if bool(rulesets) == everything:
        raise click.UsageError("name at least one RULESET, or take --all")
    books = [Book.open(name) for name in rulesets or shipped()]
    docs = folder_files(data_folder("docs")) if everything else {}
    with progress() as report:
        pages = pages_of([book.ruleset for book in books], docs, report)
    if everything:
        write_all(output, pages)
        prune(output, set(pages))
        click.echo(f"{len(pages)} files in {output}")
        return 0
    title = books[0].ruleset.title if len(books) == 1 else "Games"
    theme = {f"theme/{name}": data for name, data in folder_files(data_folder("site") / "theme").items()}
    site = {f"docs/{name}": data for name, data in pages.items()}
    write_all(output, {**site, **theme, "mkdocs.yml": mkdocs_config(title)})
    click.echo(
        f"{len(site)} pages and data files in {output / 'docs'}; to make HTML: mkdocs build -f {output / 'mkdocs.yml'}"
    )
    return 0
