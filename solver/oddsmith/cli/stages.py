"""``oddsmith stages``: a game solved stage by stage.

What ``stages`` says of a solved game beside its values: what following best play tells.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from oddsmith.base.errors import MeasureError
from oddsmith.base.exact import Number, plural
from oddsmith.base.progress import lasting
from oddsmith.base.systems import UNITS, size_text
from oddsmith.cli.advising import advice_json, advice_lines
from oddsmith.cli.common import digits_option, json_option, opened, print_json, progress, settings_of, settings_options
from oddsmith.cli.distributions import distribution_option, named, show_spreads, spreads_json
from oddsmith.cli.keeping import advised
from oddsmith.cli.writing import STORE, dask_option, jobs_option

if TYPE_CHECKING:
    from oddsmith.api import LoadedRuleset, StagedGame
    from oddsmith.base.distributions import Distribution
    from oddsmith.ruleset import Result, Sample, State
    from oddsmith.solve.staged import Staged


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


SIZES = {"": 1} | UNITS


def _bytes(_: click.Context, __: click.Parameter, text: str | None) -> int | None:
    """A size such as 8GB in bytes."""
    if text is None:
        return None
    match = re.fullmatch(r"(\d+(?:\.\d+)?)\s*([KMGT]?B?)", text.strip(), re.IGNORECASE)
    if match is None or match[2].upper() not in SIZES:
        raise click.BadParameter(f"{text} is no size: write 8GB or 500MB")
    if not match[2] and float(match[1]) < UNITS["MB"]:
        raise click.BadParameter(f"{text} of what? Write {text}GB or {text}MB")
    return int(float(match[1]) * SIZES[match[2].upper()])


@click.command()
@settings_options(policies=False)
@digits_option(12, 1000)
@click.option(
    "--memory", callback=_bytes, metavar="SIZE", help="Refuse a game with a stage that needs more, such as 8GB."
)
@click.option("--estimate", is_flag=True, help="Only find all positions, and say what solving would take.")
@jobs_option("How many processes share the parts of a stage, or the sheets of a turn that is the same on all.")
@dask_option("Share them on a running Dask cluster, such as tcp://10.0.0.5:8786, instead.")
@STORE
@click.option("--state", metavar="POSITION", help="Say also what each action is worth in a position, as advise does.")
@click.option(
    "--table",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Write all positions, with what to do and the values, as CSV in the columns of export.",
)
@click.option(
    "--where",
    default="",
    metavar="NAME=VALUE,...",
    help="In --table and --thresholds, only positions where this holds, such as phase=decide.",
)
@click.option(
    "--thresholds", is_flag=True, help="Say from where on another action is best, in the positions of --where."
)
@click.option(
    "--certificate",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Also write a certificate, which certify checks stage by stage (FILE.gz: packed). It needs --digits 40.",
)
@distribution_option
@click.option("--measures", is_flag=True, help="Answer the ruleset's own questions too, which takes longer.")
@click.option(
    "--plays", type=click.IntRange(1), metavar="N", help="Play N games too, and say what they brought on average."
)
@click.option("--seed", type=int, default=1, show_default=True, help="The dice of those games.")
@json_option("Print the result as JSON.")
def stages(  # noqa: PLR0913, PLR0917 - the options of the command
    digits: int,
    memory: int | None,
    estimate: bool,
    jobs: int,
    dask: str | None,
    store: Path | None,
    state: str | None,
    table: Path | None,
    where: str,
    thresholds: bool,
    certificate: Path | None,
    distributions: tuple[str, ...],
    measures: bool,
    plays: int | None,
    seed: int,
    as_json: bool,
    **given: Any,
) -> int:
    """Solve a game that is larger than memory, stage by stage.

    Something in its rules has to grow or to fall all the time, such as rounds or points: then play never comes back to an
    earlier stage. The values are proven. Besides them it says how many turns a game takes. With --store a game that was stopped
    goes on at the stage where it was, and solved stages leave the memory. Then advise and play with the same --store solve
    nothing again. Games of --plays are played by the rules alone: their means come near the values if these are right.
    --table writes what to do everywhere, stage by stage. --measures follows best play through all stages, which takes about
    as long as solving.

    \b
    Example:
      oddsmith stages pig --set target=10 --plays 200
    """
    from oddsmith.api import refuse_words

    settings = settings_of(**given)
    if where and table is None and not thresholds:
        raise click.UsageError("--where is for --table and --thresholds")
    book = opened(settings.ruleset)
    game = book.game(settings.seats, settings.variants, **settings.keywords)
    proving = digits if certificate is not None and store is None else None  # a store may have more digits
    refuse_words(game, settings.objective, state, where, named(distributions), proving)
    work: dict[str, Any] = {"digits": digits, "memory": memory, "store": store, "jobs": jobs, "cluster": dask}
    setting: dict[str, Any] = {"objective": settings.objective, "variants": settings.variants, **settings.keywords}
    if estimate:
        others = (state, table, certificate, distributions, measures, plays, thresholds)
        return _estimated(book, settings.seats, setting | work, as_json, alone=not any(others))
    with progress() as report:
        found = book.by_stages(settings.seats, **setting, **work, report=report)
    if not as_json:  # before anything else that may take long, or fail
        for line in _lines(found, digits):
            click.echo(line)
    asked, actions, chances = (None, [], {}) if state is None else advised(found, state)
    if table is not None:
        write_table(found, table, where, digits)
    if certificate is not None:
        write_certificate(found, certificate)
    answers = measured(found) if measures else {}
    laws = distributed(found, distributions, jobs, dask)
    played = None if plays is None else _played(found, plays, seed)
    outline = found.outline(where) if thresholds else None
    if as_json:
        advice = {} if asked is None else {"advice": advice_json(asked.shown, actions, digits, chances)}
        means = {} if played is None else {"plays": _plays_json(played, seed, digits)}
        more = measures_json(found, answers, digits) if measures else {}
        choices = {} if outline is None else {"choices": outline.to_json()["choices"]}
        more |= spreads_json(laws, None, digits)
        print_json({**_json(found, digits), **more, **choices, **advice, **means})
        return 0
    for line in measures_lines(found, answers, digits):
        click.echo(line)
    show_spreads(laws, None, digits, found.game.ruleset)
    for line in outline.lines(0) if outline else ():
        click.echo(line)
    for line in advice_lines(asked.words, actions, digits, chances) if asked else ():
        click.echo(line)
    for line in _plays_lines(found, played) if played else ():
        click.echo(line)
    return 0


def _estimated(book: LoadedRuleset, seats: int | None, words: Mapping[str, Any], as_json: bool, alone: bool) -> int:
    """Say what solving would take. ``alone``: nothing else is asked. UsageError."""
    if not alone:
        raise click.UsageError("--estimate solves nothing: ask for it alone")
    with progress() as report:
        effort = book.effort_by_stages(seats, **words, report=report)
    if as_json:
        print_json({"ruleset": book.id, **vars(effort)})
        return 0
    click.echo(f"{book.ruleset.title}, {plural(effort.seats, 'seat')}, played for {effort.objective}: not solved")
    click.echo(f"{plural(effort.states, 'position')} in {plural(effort.stages, 'stage')} ({effort.how})")
    click.echo(f"Solving needs about {size_text(effort.memory)} of memory, and {lasting(effort.seconds)}.")
    return 0


def _played(found: Staged, plays: int, seed: int) -> Result:
    """Games by the one-state rules, in which every choice is that of the solution."""
    from random import Random

    from oddsmith.ruleset import simulate_together

    random = Random(f"mixed {seed}")  # noqa: S311 - games, not secrets

    def choose(states: Sequence[State]) -> list[int]:
        return found.picks(states, [random.random() for _ in states])

    with progress() as report:
        return simulate_together(found.game, found.objective, choose, plays, seed, report)


def _plays_lines(found: Staged, played: Result) -> Iterator[str]:
    """The means of games for people: how far they lie from the values, in standard errors."""
    yield f"{plural(played.games, 'game')} played:"
    means = [
        (found.game.ruleset.seat(seat), *each) for seat, each in enumerate(zip(played.seats, found.values, strict=True))
    ]
    for name, sample, value in [*means, ("turns", played.turns, found.turns)]:
        error = sample.standard_error
        off = f", {abs(float(sample.mean - value.middle)) / error:.1f} standard errors off" if 0 < error < inf else ""
        yield f"  {name}: {float(sample.mean):.4f}, with a standard error of {error:.4f}{off}"


def _plays_json(played: Result, seed: int, digits: int) -> dict[str, Any]:
    """The same for machines. A single game has no standard error."""

    def mean(sample: Sample) -> dict[str, Any]:
        error = sample.standard_error
        return {**Number.of(sample.mean).to_json(digits), "standard_error": None if error == inf else error}

    seats = [{"seat": seat, **mean(sample)} for seat, sample in enumerate(played.seats, 1)]
    return {"games": played.games, "seed": seed, "values": seats, "turns": mean(played.turns)}


def _lines(found: Staged, digits: int) -> list[str]:
    """The answer for people."""
    from oddsmith.report.facts import kind_words

    lines = [
        f"{found.game.ruleset.title}, {plural(found.game.seats, 'seat')}, played for {found.objective}: {found.kind}",
        f"{plural(found.states, 'position')} in {plural(len(found.told), 'stage')} ({found.how})",
    ]
    lines += [
        f"  {found.game.ruleset.seat(seat)}: {value.decimal(digits)} ({value.grade})"
        for seat, value in enumerate(found.values)
    ]
    lines.append(f"  turns: {found.turns.decimal(digits)} ({found.turns.grade})")
    open_ = f"In {plural(found.undecided, 'position')} no bound tells the best two actions apart"
    lines.append(f"{open_}: they are equal, or more --digits tell." if found.undecided else "Every decision is proved.")
    if found.waiting:
        lines.append(f"note: {kind_words(found).sentence}")
    if found.mixed:
        where = f"In {plural(found.mixed, 'position')} the player to move decides by chance between several actions"
        lines.append(f"note: {where}; --table says with what chances.")
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
        "mixed": found.mixed,
        "stages": [{"stage": stage, **each._asdict()} for stage, each in found.told.items()],
    }
