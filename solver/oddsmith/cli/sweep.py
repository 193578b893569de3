"""``oddsmith sweep``: a game over a grid of settings."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from oddsmith.base.exact import plain_value, plural
from oddsmith.cli.common import (
    SettingOptions,
    dask_option,
    jobs_option,
    settings_options,
    terminal_progress,
)
from oddsmith.cli.writing import STORE

if TYPE_CHECKING:
    from oddsmith.design import Sweep


PLACES = 6
MAX_VALUES = 100_000  # values of one range


@click.command()
@settings_options(with_policies=False)
@click.option(
    "--vary",
    "varied",
    multiple=True,
    required=True,
    metavar="NAME=VALUES",
    help="What varies: a parameter, seats, objective or variant, over a range 5..60, a range with a step 5..60..5, or a list "
    "such as 2,4,6. Repeatable.",
)
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Write all columns to FILE.csv, .json or .parquet, or a page with pictures to FILE.html.",
)
@STORE
@jobs_option("How many settings to solve at the same time.")
@dask_option("Solve on a running Dask cluster, such as tcp://10.0.0.5:8786, instead.")
def sweep(
    ruleset: str,
    settings: SettingOptions,
    varied: tuple[str, ...],
    output: Path | None,
    store: Path | None,
    jobs: int,
    cluster: str | None,
) -> int:
    """Solve a game at every setting of a grid, and print a line for each.

    A setting that is refused says why, and the others go on. With --output the table goes to the file alone. With --store a
    sweep that was stopped goes on where it was.

    \b
    Example:
      oddsmith sweep rogues-gambit --seats 2 --vary coins_each=5..25..5
    """
    from oddsmith.design import choices_by_name
    from oddsmith.design import sweep as swept

    book = settings.chosen_game(ruleset).loaded_ruleset
    spans = dict(map(parse_variation, varied))
    if both := choices_by_name(book.setting, "a sweep").keys() & spans.keys():
        raise click.UsageError(f"{' and '.join(sorted(both))} cannot vary and stay the same")
    with terminal_progress() as report:
        found = swept(book, spans, jobs=jobs, cluster=cluster, store=store, progress=report)
    if output is not None:
        found.export(file=output)
        refused = sum(point.data is None for point in found.points)
        also = f", {refused:,} of them refused" if refused else ""
        click.echo(f"{output}: {plural(len(found.points), 'setting')}{also}", err=True)
    for line in _sweep_lines(found) if output is None else ():
        click.echo(line)
    return int(all(point.data is None for point in found.points))


def parse_variation(text: str) -> tuple[str, list[Any]]:
    """Parse NAME=VALUES, and return the name and the values. Raises click.BadParameter."""
    name, _, values = text.partition("=")
    name = name.strip()
    span = re.fullmatch(r"(-?\d{1,9})\.\.(-?\d{1,9})(?:\.\.(\d{1,9}))?", values.strip())
    if span:
        low, high, step = int(span[1]), int(span[2]), int(span[3] or 1)
        if step and low <= high and (high - low) // step < MAX_VALUES:
            return name, list(range(low, high + 1, step))
    listed = [part.strip() for part in values.split(",")]
    if ".." in values or "=" not in text or ("" in listed and name != "variant"):
        raise click.BadParameter(f"{text!r}: write NAME=5..60, NAME=5..60..5 or NAME=2,4,6", param_hint="--vary")
    return name, listed if name in ("objective", "variant") else [plain_value(part) for part in listed]


def _sweep_lines(sweep: Sweep) -> list[str]:
    """Return the lines of a table: varied settings, values, turns and thresholds, or the reason why a game has none."""
    records = sweep.records(PLACES)
    names = [
        name
        for name in records[0]
        if name in (*sweep.varied, "turns") or re.fullmatch(r"value_\d+|\w+_(from|to)", name)
    ]
    rows = [names]
    for record in records:
        cells = ["" if record[name] is None else str(record[name]) for name in names]
        rows.append(cells if record["problem"] is None else [*cells[: len(sweep.varied)], str(record["problem"])])
    wide = [max(len(row[place]) for row in rows if len(row) == len(names)) for place in range(len(names))]
    wide.append(0)  # a problem stands last, where there may be no other column
    return ["  ".join(text.rjust(width) for text, width in zip(row, wide, strict=False)).rstrip() for row in rows]
