"""``oddsmith stages``: a game solved stage by stage."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from oddsmith.cli.shared import (
    STORE,
    advice_json,
    advice_lines,
    dask_option,
    jobs_option,
    opened,
    print_json,
    progress,
    settings_of,
    settings_options,
)
from oddsmith.exact import plural

if TYPE_CHECKING:
    from oddsmith.solve.stages import Staged

UNITS = {"": 1, "KB": 10**3, "MB": 10**6, "GB": 10**9, "TB": 10**12}


def _bytes(_: click.Context, __: click.Parameter, text: str | None) -> int | None:
    """A size such as 8GB in bytes."""
    if text is None:
        return None
    match = re.fullmatch(r"(\d+(?:\.\d+)?)\s*([KMGT]?B?)", text.strip(), re.IGNORECASE)
    if match is None or match[2].upper() not in UNITS:
        raise click.BadParameter(f"{text} is no size: write 8GB or 500MB")
    return int(float(match[1]) * UNITS[match[2].upper()])


@click.command()
@settings_options(policies=False)
@click.option("--digits", default=12, show_default=True, type=click.IntRange(0, 1000), help="Decimal places.")
@click.option(
    "--memory", callback=_bytes, metavar="SIZE", help="Refuse a game with a stage that needs more, such as 8GB."
)
@jobs_option("How many processes share the sheets of a turn, where it is the same on every sheet.")
@dask_option("Share them on a running Dask cluster, such as tcp://10.0.0.5:8786, instead.")
@STORE
@click.option("--state", metavar="POSITION", help="Say also what each action is worth in a position, as advise does.")
@click.option("--json", "as_json", is_flag=True, help="Print the result as JSON.")
def stages(
    digits: int,
    memory: int | None,
    jobs: int,
    dask: str | None,
    store: Path | None,
    state: str | None,
    as_json: bool,
    **given: Any,
) -> int:
    """Solve a game that is larger than memory, stage by stage.

    Something in its rules has to grow or to fall all the time, such as rounds or points: then play never comes back to an
    earlier stage. The values are proven. Besides them it says how many turns a game takes. With --store a game that was stopped
    goes on at the stage where it was, and solved stages leave the memory.

    \b
    Example:
      oddsmith stages pig --set target=20
    """
    from oddsmith.library import position_of

    settings = settings_of(**given)
    with progress() as report:
        found = opened(settings.ruleset).by_stages(
            settings.seats,
            settings.objective,
            variants=settings.variants,
            digits=digits,
            memory=memory,
            store=store,
            jobs=jobs,
            cluster=dask,
            report=report,
            **settings.values,
        )
    asked = None if state is None else position_of(found, state)
    actions = [] if asked is None else found.advise(asked.state)
    if as_json:
        advice = {} if asked is None else {"advice": advice_json(asked.shown, actions, digits)}
        print_json({**_json(found, digits), **advice})
        return 0
    for line in _lines(found, digits):
        click.echo(line)
    for line in advice_lines(asked.words, actions, digits) if asked else ():
        click.echo(line)
    return 0


def _lines(found: Staged, digits: int) -> list[str]:
    """The answer for people."""
    lines = [
        f"{found.game.ruleset.title}, {plural(found.game.seats, 'seat')}, played for {found.objective}: {found.kind}",
        f"{plural(found.states, 'position')} in {plural(len(found.told), 'stage')} ({found.how})",
    ]
    lines += [
        f"  {found.game.ruleset.seat(seat)}: {value.decimal(digits)} ({value.grade})"
        for seat, value in enumerate(found.values)
    ]
    lines.append(f"  turns: {found.turns.decimal(digits)} ({found.turns.grade})")
    lines.append(
        f"In {plural(found.undecided, 'position')} no bound tells the best two actions apart: more --digits may."
        if found.undecided
        else "Every decision is proved."
    )
    return lines


def _json(found: Staged, digits: int) -> dict[str, Any]:
    """The answer for machines."""
    return {
        "ruleset": found.game.ruleset.id,
        "seats": found.game.seats,
        "objective": found.objective,
        "kind": found.kind,
        "stages_by": found.how,
        "values": [{"seat": seat, **value.to_json(digits)} for seat, value in enumerate(found.values, 1)],
        "turns": found.turns.to_json(digits),
        "undecided": found.undecided,
        "stages": [vars(each) for each in found.told],
    }
