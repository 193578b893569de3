"""What ``solve`` says of games with secrets, and of choices made at once."""

from __future__ import annotations

import gzip
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from oddsmith.base.errors import UnknownRulesetError
from oddsmith.base.exact import Number, fraction_text, plural
from oddsmith.base.files import find_ruleset, shipped, write_whole
from oddsmith.cli.common import Settings, opened, print_json, progress
from oddsmith.proof import derive_plans, prove_plans
from oddsmith.report.export import decisions_csv, plan_certificate
from oddsmith.ruleset.reading import load

if TYPE_CHECKING:
    from oddsmith.proof import Source
    from oddsmith.solve.extensive import Decision, SecretSolution

SECRETS_LACK = "a game with secrets is solved with --digits, --values, --table, --certificate and --json alone"
LINES = 40
"""Decisions of a seat that are printed."""


def solve_secret_game(
    settings: Settings, digits: int, as_json: bool, bare: bool, files: tuple[Path | None, Path | None], plain: bool
) -> int:
    """Solve a game with secrets, and say what it is worth and what best play does.

    ``files``: for the table, and for the certificate. ``plain``: nothing else is asked.
    """
    if not plain or settings.policies or settings.alike:
        raise click.UsageError(SECRETS_LACK)
    with progress() as report:
        solution = opened(settings.ruleset).solve_secrets(
            settings.seats,
            settings.objective,
            variants=settings.variants,
            digits=digits,
            report=report,
            **settings.keywords,
        )
    if not as_json:
        for line in _values(solution, digits):
            click.echo(line)
    _write(solution, *files)
    if as_json:
        print_json(solution.to_json(digits))
        return 0
    for line in () if bare else _decisions(solution):
        click.echo(line)
    return 0


def _write(solution: SecretSolution, table: Path | None, certificate: Path | None) -> None:
    """Write the decisions, and the proof of the values."""
    if table is not None:
        decisions = list(solution.decisions())
        write_whole(table, decisions_csv(decisions))
        click.echo(f"{table}, {plural(sum(len(each.chances) for each in decisions), 'line')}", err=True)
    if certificate is not None:
        data = b"".join(plan_certificate(solution))
        data = gzip.compress(data, mtime=0) if certificate.suffix == ".gz" else data
        write_whole(certificate, data)
        click.echo(f"certificate: {certificate}, {len(data):,} bytes", err=True)


def certify_plans(data: Source, ruleset: str | None, values_only: bool, digits: int, as_json: bool) -> int:
    """Check the certificate of a game with secrets, and say what it proves."""
    proof = prove_plans(data)
    positions = None
    if not values_only:
        rules = load(find_ruleset(ruleset or shipped_ruleset(proof.header)))[0]
        with progress() as report:
            positions = derive_plans(data, rules, report)
    head, values = proof.header, [Number(low, high) for low, high in proof.values]
    if as_json:
        numbers = [{"seat": seat, **value.to_json(digits)} for seat, value in enumerate(values, 1)]
        sizes = {"subgames": proof.subgames, "information_sets": proof.information_sets, "leaves": proof.leaves}
        setting = {"ruleset": head["ruleset"], "objective": head["objective"]}
        print_json({**setting, "values": numbers, **sizes, "derived": positions})
        return 0
    verdict = "its table proves its values; the rules were not read" if positions is None else "the certificate holds"
    click.echo(f"{head['ruleset']['id']}, {plural(head['ruleset']['seats'], 'seat')}, {head['objective']}: {verdict}")
    for seat, value in enumerate(values, 1):
        click.echo(f"  seat {seat}: {value.decimal(digits)}{_fraction(value)}")
    counted = ((proof.subgames, "subgame"), (proof.information_sets, "information set"), (proof.leaves, "end"))
    checked = ", ".join(plural(count, what) for count, what in counted)
    click.echo(f"the best responses to its plans prove these values ({checked})")
    if positions is None:
        click.echo("not checked: whether the rules give these subgames")
    else:
        click.echo(f"the rules give these subgames: all were derived again, from {plural(positions, 'position')}")
    return 0


def shipped_ruleset(head: Mapping[str, Any]) -> str:
    """The shipped ruleset that the header of a certificate names; any other is named by its file."""
    name = str(head["ruleset"]["id"])
    if name not in shipped():
        raise UnknownRulesetError(f"the certificate is for {name}, which is no shipped ruleset: name its file")
    return name


def _fraction(value: Number) -> str:
    return "" if value.exact is None else f"  = {fraction_text(value.exact)}"


def _values(solution: SecretSolution, digits: int) -> Iterator[str]:
    game = solution.game
    yield f"{game.ruleset.title}, {plural(game.seats, 'seat')}, {solution.objective} ({solution.grade})"
    for seat, value in enumerate(solution.values):
        yield f"  {game.ruleset.seat(seat)}: {value.decimal(digits)}{_fraction(value)}"
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
