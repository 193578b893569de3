"""``oddsmith publish``: a site of Markdown pages and data from rulesets."""

from __future__ import annotations

from pathlib import Path

import click


@click.command()
@click.argument("rulesets", nargs=-1)
@click.option(
    "-o",
    "--output",
    required=True,
    type=click.Path(path_type=Path, file_okay=False),
    help="The folder to write.",
)
@click.option(
    "--all",
    "everything",
    is_flag=True,
    help="All shipped rulesets, with the pages of the project's own site.",
)
def publish(rulesets: tuple[str, ...], output: Path, everything: bool) -> int:
    """Write the pages of rulesets: rules in plain words, exact odds, strategy tables, downloads.

    With a RULESET the folder holds a small site of its own: `mkdocs build` in it makes HTML.

    \b
    Example:
      oddsmith publish my.yaml -o my-site
    """
    return 0
