"""What ``solve`` says of games with secrets, and of choices made at once."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING

import click

from oddsmith.base.exact import fraction_text, plural
from oddsmith.base.files import write_whole
from oddsmith.cli.common import Settings, opened, print_json, progress

if TYPE_CHECKING:
    from oddsmith.solve.extensive import Decision, SecretSolution

LINES = 40
"""Decisions of a seat that are printed."""


def solve_secret_game(
    settings: Settings, digits: int, as_json: bool, bare: bool, table: Path | None, plain: bool
) -> int:
    """Solve a game with secrets, and say what it is worth and what best play does. ``plain``: nothing else is asked."""
    if not plain or settings.policies or settings.alike:
        raise click.UsageError("a game with secrets is solved with --digits, --values, --table and --json alone")
    with progress() as report:
        solution = opened(settings.ruleset).solve_secrets(
            settings.seats,
            settings.objective,
            variants=settings.variants,
            digits=digits,
            report=report,
            **settings.keywords,
        )
    if as_json:
        print_json(solution.to_json(digits))
        return 0
    for line in _values(solution, digits):
        click.echo(line)
    if table is not None:
        data, lines = _table(solution)
        write_whole(table, data)
        click.echo(f"{table}, {plural(lines, 'line')}", err=True)
    for line in () if bare else _decisions(solution):
        click.echo(line)
    return 0


def _values(solution: SecretSolution, digits: int) -> Iterator[str]:
    game = solution.game
    yield f"{game.ruleset.title}, {plural(game.seats, 'seat')}, {solution.objective} ({solution.grade})"
    for seat, value in enumerate(solution.values):
        fraction = "" if value.exact is None else f"  = {fraction_text(value.exact)}"
        yield f"  {game.ruleset.seat(seat)}: {value.decimal(digits)}{fraction}"
    sizes = ", ".join(f"{game.ruleset.seat(seat)} {count:,}" for seat, count in enumerate(solution.sequences))
    yield f"{plural(len(solution.subgames), 'subgame')}; sequences of choices in the largest: {sizes}"
    if game.seats == 2:
        yield "constant-sum game: these values are unique; the best responses to both plans meet in them"
    else:
        yield "best play of one seat"


def _decisions(solution: SecretSolution) -> Iterator[str]:
    """What each seat does, where play comes to it."""
    decisions = list(solution.decisions())
    for seat in range(solution.game.seats):
        own = [each for each in decisions if each.seat == seat]
        met = [each for each in own if each.reached]
        if not own:
            continue
        yield f"{solution.game.ruleset.seat(seat)}:"
        yield from (f"  {_words(each)}" for each in met[:LINES])
        left = len(own) - min(len(met), LINES)
        if left:
            yield f"  and {plural(left, 'decision')} more, which --table FILE or --json gives"


def _words(decision: Decision) -> str:
    known = f"[{' · '.join(decision.known)}] " if decision.known else ""
    return f"{known}{decision.phase}: {_mixture(decision)}"


def _mixture(decision: Decision) -> str:
    taken = decision.taken
    if len(taken) == 1:
        return next(iter(taken))
    return ", ".join(f"{name} {fraction_text(chance)}" for name, chance in taken.items())


def _table(solution: SecretSolution) -> tuple[bytes, int]:
    """A line for each action of each decision, as CSV, and their number."""
    stream, lines = StringIO(), 0
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(["seat", "phase", "known", "action", "chance", "worth", "reached"])
    for each in solution.decisions():
        for name, chance in each.chances.items():
            worth = "" if each.worth is None else fraction_text(each.worth[name])
            known = "; ".join(each.known)
            writer.writerow(
                [each.seat + 1, each.phase, known, name, fraction_text(chance), worth, fraction_text(each.reached)]
            )
            lines += 1
    return stream.getvalue().encode(), lines
