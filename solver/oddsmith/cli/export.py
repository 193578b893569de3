"""``oddsmith export``: positions, values and play for other programs."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from oddsmith.api import (
    FORMATS,
    GRAPHS,
    explore_graph,
    export_format_of_file,
    export_graph,
    export_solution,
    export_tree,
    nondeterministic_seat,
    refuse_format_for_secrets,
)
from oddsmith.base.errors import ExportError, SettingError
from oddsmith.base.exact import DIGITS
from oddsmith.cli.common import (
    ChosenGame,
    SettingOptions,
    digits_option,
    settings_options,
    solve_game,
    terminal_progress,
)

if TYPE_CHECKING:
    from oddsmith.graph import StateGraph


@click.command()
@settings_options()
@click.option(
    "--format",
    "export_format",
    type=click.Choice(FORMATS),
    metavar="FORMAT",
    help=f"One of {', '.join(FORMATS)} (default: the ending of FILE).",
)
@click.option(
    "-o",
    "--output",
    "file",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Where to write (default: standard output).",
)
@click.option(
    "--seat",
    type=click.IntRange(min=0),
    metavar="N",
    help="In drn, the seat whose choices stay open, or 0 for none (default: 1 where it is the only seat, else 0).",
)
@digits_option(DIGITS, 10_000)
def export(
    ruleset: str, settings: SettingOptions, export_format: str | None, file: Path | None, seat: int | None, digits: int
) -> int:
    """Write positions, values and play for other programs.

    csv, parquet and json have a line for each position: its variables, the action to take, the value of every seat, and
    what the next best action loses. graphml and dot have the graph of a small game. drn is Storm's format in exact
    fractions: a Markov chain of the solved play, or with --seat a decision process in which that seat still chooses.
    prism is the game for PRISM-games, in which every seat still chooses. efg is the whole tree of a small game, for Gambit
    and OpenSpiel. Of a game with secrets, csv, parquet and json have a line for each action of each decision, and efg says
    what each seat knows.

    \b
    Example:
      oddsmith export rogues-gambit --seats 2 --set coins_each=4 --format csv
      oddsmith export rogues-gambit --seats 2 --set coins_each=4 -o gambit.drn
      oddsmith export pig --set target=10 -o pig.prism
      oddsmith export cups-and-coins -o cups.efg
    """
    chosen = settings.chosen_game(ruleset)
    export_format = export_format or _format_or_usage_error(file)
    if seat is not None and export_format != "drn":
        raise click.UsageError("--seat is for drn only")
    if export_format in (*GRAPHS, "efg") and (chosen.policies or chosen.alike):
        raise click.UsageError(f"{export_format} says what can be played, not how: leave out --policy and --alike")
    if file is None and export_format == "parquet" and sys.stdout.isatty():
        raise click.UsageError("Parquet is not for a terminal: name a file with -o FILE")
    if export_format == "csv" and file is not None:  # line by line, however large the game is
        answered = solve_game(chosen, digits)
        with terminal_progress() as report:
            answered.write_table(file, "", digits, report)
        click.echo(f"{file}, {file.stat().st_size:,} bytes", err=True)
        return 0
    data = _exported_bytes(chosen, export_format, digits, seat)
    if file is None:
        click.echo(
            data.decode() if sys.stdout.isatty() else data, nl=False
        )  # the bytes themselves are not for a terminal
        return 0
    from oddsmith.base.files import write_named_file

    write_named_file(file, data)
    click.echo(f"{file}, {len(data):,} bytes", err=True)
    return 0


def _format_or_usage_error(file: Path | None) -> str:
    """Return the format of a file by its suffix."""
    try:
        return export_format_of_file(file)
    except ExportError:
        raise click.UsageError(
            f"name a format with --format ({', '.join(FORMATS)}), or a FILE that ends in one"
        ) from None


def _exported_bytes(chosen: ChosenGame, export_format: str, digits: int, seat: int | None) -> bytes:
    """Return the game in the format ``export_format``, as bytes. The game is solved only for formats that say how to
    play it.
    """
    if export_format == "efg":
        with terminal_progress() as report:
            return export_tree(chosen.game, chosen.setting.objective, report)
    if chosen.game.ruleset.has_secrets:
        refuse_format_for_secrets(chosen.game.ruleset.id, export_format)
        return solve_game(chosen, digits).export(export_format, digits=digits)
    if export_format == "drn":
        seats = chosen.game.seats
        try:
            seat = nondeterministic_seat(seats, chosen.policies, seat)
        except SettingError as error:
            raise click.UsageError(str(error)) from None
        if seat == seats == 1:
            return export_graph(_explored_graph(chosen), export_format)  # that is left to Storm
    if export_format in GRAPHS:
        return export_graph(_explored_graph(chosen), export_format)
    return export_solution(
        solve_game(chosen, DIGITS if export_format == "drn" else digits).solution, export_format, digits, seat
    )


def _explored_graph(chosen: ChosenGame) -> StateGraph:
    """Build the graph of the game without solving it."""
    with terminal_progress() as report:
        return explore_graph(chosen.game, chosen.setting.objective, chosen.symmetry, report)
