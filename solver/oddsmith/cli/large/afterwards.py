"""What ``stages`` says of a solved game beside its values: what following best play tells."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from oddsmith.cli.shared import named, progress
from oddsmith.errors import MeasureError
from oddsmith.exact import Number, plural

if TYPE_CHECKING:
    from oddsmith.library.large import StagedGame
    from oddsmith.outcomes import Distribution

Answers = Mapping[str, Number | MeasureError]


def write_table(found: StagedGame, file: Path, where: str, digits: int) -> None:
    """What to do in all positions, or in some, as a file."""
    with progress() as report:
        lines = found.write_table(file, where, digits, report)
    click.echo(f"{file}, {plural(lines, 'position')}", err=True)


def write_certificate(found: StagedGame, file: Path) -> None:
    """The proof of the values as a file."""
    with progress() as report:
        size = found.certificate(file, report=report)
    click.echo(f"certificate: {file}, {size:,} bytes", err=True)


def measured(found: StagedGame) -> Answers:
    """The answers to the ruleset's own questions, or why there is none."""
    with progress() as report:
        return found.answered(report)


def distributed(found: StagedGame, asked: Sequence[str], jobs: int, cluster: str | None) -> list[Distribution]:
    """The distributions that are asked for."""
    with progress() as report:
        return [found.distribution(text, report=report, jobs=jobs, cluster=cluster) for text in named(asked)]


def measures_lines(found: StagedGame, answers: Answers, digits: int) -> Iterator[str]:
    """The same for people."""
    from oddsmith.report.facts import measure_name

    for name, answer in answers.items():
        told = f"{answer.decimal(digits)} ({answer.grade})" if isinstance(answer, Number) else f"no answer: {answer}"
        yield f"  {measure_name(name, found.game.ruleset.measures[name])}: {told}"


def measures_json(found: StagedGame, answers: Answers, digits: int) -> dict[str, Any]:
    """The same for machines, as ``solve --json`` has it."""
    asked = found.game.ruleset.measures
    known = {name: answer for name, answer in answers.items() if isinstance(answer, Number)}
    return {
        "measures": [
            {"name": name, "kind": asked[name].kind, **answer.to_json(digits)} for name, answer in known.items()
        ],
        "unanswered": {name: str(answer) for name, answer in answers.items() if name not in known},
    }
