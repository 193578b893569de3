"""``oddsmith new``: a ruleset to start from, and what an editor needs to help with it."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

import click

from oddsmith.base.errors import InputError, did_you_mean
from oddsmith.base.resources import SCHEMA, data_folder, schema_text, starter_names, starter_text

MODELINE = "# yaml-language-server: $schema="
_NEXT = "# Next: oddsmith check {0}, oddsmith play {0}, oddsmith solve {0}, oddsmith publish {0} -o my-site"
_FILE = click.Path(path_type=Path, dir_okay=False)


@click.command()
@click.argument("shape", required=False)
@click.option("-o", "--output", type=_FILE, metavar="FILE", help="The file to write (default: named after the game).")
@click.option("--schema", is_flag=True, help="Print the JSON Schema of rulesets instead, or write it with -o.")
def new(shape: str | None, output: Path | None, schema: bool) -> int:
    """Write a ruleset to start from: a small game with comments, which you change into your own.

    A SHAPE is push-your-luck, betting, race, keep-and-reroll, bag or duel. Without one, a terminal asks for the shape,
    the title and the players. The name of a game that comes with the program writes a copy of its rules. The schema is
    written beside the file, so that an editor completes and explains keys.

    \b
    Examples:
      oddsmith new push-your-luck -o nerve.yaml
      oddsmith new rogues-gambit -o gambit.yaml
      oddsmith new --schema -o ruleset.schema.json
    """
    if schema:
        if shape is not None:
            raise click.UsageError("--schema is the same for every SHAPE: leave that out")
        return _write_schema(output)
    text = _prompt_for_starter_text() if shape is None else _starter_text(shape)
    name = re.search(r"^id: (.+)$", text, re.MULTILINE)
    assert name is not None, "every ruleset has an id"
    output = output or Path(f"{name[1]}.yaml")
    if output.exists():
        raise InputError(f"{output} is there already: choose another file with -o")
    beside = output.parent / SCHEMA
    _write_text(output, f"{MODELINE}{SCHEMA}\n{_NEXT.format(output)}\n{text}")
    if not beside.exists():
        _write_text(beside, schema_text(SCHEMA))
    click.echo(f"{output} is a whole game; change it into yours. {beside} helps your editor.")
    click.echo(f"next: oddsmith check {output}, then oddsmith play {output}")
    return 0


def _write_schema(output: Path | None) -> int:
    """Print the JSON Schema of rulesets, or write it and print the line by which rulesets name it."""
    if output is None:
        click.echo(schema_text(SCHEMA), nl=False)
        return 0
    _write_text(output, schema_text(SCHEMA))
    click.echo(f"first line of a ruleset in the same folder: {MODELINE}{output.name}")
    return 0


def _write_text(path: Path, text: str) -> None:
    from oddsmith.base.files import write_named_file

    write_named_file(path, text.encode())


# --- a starter


def _starter_text(name: str) -> str:
    """Return the text of a starter or of a shipped game without its first line, which names the schema."""
    from oddsmith.base.files import shipped_rulesets

    if name in starter_names():
        text = starter_text(name)
    elif name in shipped_rulesets():
        text = (data_folder("rulesets") / f"{name}.yaml").read_text(encoding="utf-8")
    else:
        known, hiding = did_you_mean(name, starter_names(), "shapes"), ", ".join(_games_with_secrets())
        raise InputError(
            f"there is no shape {name}: {known}; or name a shipped game; with hidden dice or cards: {hiding}"
        )
    return text.partition("\n")[2]


def _games_with_secrets() -> list[str]:
    """Return the ids of the shipped games in which something stays hidden from a player."""
    from oddsmith.base.files import find_ruleset, shipped_rulesets
    from oddsmith.ruleset.reading import load_ruleset

    return [name for name in shipped_rulesets() if load_ruleset(find_ruleset(name))[0].hides_moves]


def _yaml_value_text(text: str, key: str) -> str:
    """Return the value of a key of a starter, as it is written."""
    return text.partition(f"\n{key}: ")[2].partition("\n")[0]


def _prompt_for_starter_text() -> str:
    """Ask for a shape and a title on the terminal, and return the starter with them."""
    if not sys.stdin.isatty():
        raise click.UsageError(f"name a SHAPE: {', '.join(starter_names())}")
    for name in starter_names():
        click.echo(f"  {name:16} {_yaml_value_text(_starter_text(name), 'summary')}")
    shape = click.prompt("shape", type=click.Choice(starter_names()), show_choices=False, default=starter_names()[0])
    text = _starter_text(shape)
    title = " ".join(click.prompt("title", default=_yaml_value_text(text, "title")).split())
    identity = "-".join(re.findall(r"[a-z0-9]+", title.lower().replace("'", ""))) or shape
    plain = re.fullmatch(r"[A-Za-z][A-Za-z0-9' -]*[A-Za-z0-9]", title)
    for key, value in (("id", identity), ("title", title if plain else json.dumps(title, ensure_ascii=False))):
        text = text.replace(f"\n{key}: {_yaml_value_text(text, key)}\n", f"\n{key}: {value}\n")
    return _prompt_for_number_of_players(text)


def _prompt_for_number_of_players(text: str) -> str:
    """Ask for the usual number of players, and return the text of the starter with the answer.

    If the starter has a fixed number of players, return its text unchanged.
    """
    seats = re.search(r"^seats: {min: (\d+), max: (\d+), default: (\d+)}$", text, re.MULTILINE)
    if seats is None:
        return text
    least, most, usual = map(int, seats.groups())
    players = click.prompt(f"players ({least} to {most})", type=click.IntRange(least, most), default=usual)
    return text.replace(seats[0], f"seats: {{min: {least}, max: {most}, default: {players}}}")
