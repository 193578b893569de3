"""The tools that all commands share: options, settings, progress, and errors in words."""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, fields, is_dataclass, replace
from functools import cached_property, partial, reduce, wraps
from importlib import import_module
from itertools import chain
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Any, TypeVar, get_type_hints

import click

from oddsmith.base.errors import OddsmithError, PlayError, Problem, RulesetError
from oddsmith.base.exact import DIGITS, plain_value, plural
from oddsmith.base.executors import Work
from oddsmith.base.files import text_at_revision
from oddsmith.base.limits import NAMES, limits, set_limits
from oddsmith.base.location import Source
from oddsmith.base.progress import duration_text
from oddsmith.base.systems import UNITS, size_text
from oddsmith.cli.terminal import escape_control_characters, print_styled

if TYPE_CHECKING:
    from oddsmith.api import LoadedRuleset, SolvedGame
    from oddsmith.ruleset import Game
    from oddsmith.ruleset.model import Setting
    from oddsmith.solve.staged import Effort


Command = TypeVar("Command", bound=Callable[..., Any])
Options = TypeVar("Options")

MAX_HELP_LETTERS = 300  # letters, beyond which no help begins


GROUPS = {
    "Design": ("new", "check", "lint", "serve", "diff", "sweep", "fair"),
    "Answers": ("solve", "advise", "play", "contest", "roll"),
    "Proof": ("verify", "certify"),
    "Give away": ("publish", "export", "foundry", "tabletop"),
}
"""The commands by purpose. Each is defined in the module of its name."""


class LazyCommands(dict[str, click.Command]):
    """The commands by name. Each is imported from the module of its name when it is first used."""

    def __init__(self, command_names: Iterable[str]) -> None:
        super().__init__(dict.fromkeys(command_names))  # type: ignore[arg-type]  # None until it is loaded

    def __getitem__(self, name: str) -> click.Command:
        """Import and return a command. Raises KeyError if there is none of that name."""
        if super().__getitem__(name) is None:
            self[name] = getattr(import_module(f"oddsmith.cli.{name}"), name)
        return super().__getitem__(name)

    def get(self, name: str, default: Any = None) -> Any:
        """Import and return a command. Return the default if there is none of that name."""
        return self[name] if name in self else default  # noqa: SIM401 - the dictionary itself holds None

    def items(self) -> Any:
        """Import all commands, and return them with their names."""
        return {name: self[name] for name in self}.items()

    def values(self) -> Any:
        """Import and return all commands."""
        return [self[name] for name in self]


class VerbGroup(click.Group):
    """The group of all commands, in the order in which a designer of games uses them."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.commands = LazyCommands((*chain(*GROUPS.values()), "lsp"))

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click gives it
        """Return the names of the commands in the order of ``GROUPS``."""
        return list(self.commands)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002 - click gives it
        """Write each command with the whole first sentence of its help, which click itself would cut at the end of the
        line.
        """
        for title, names in GROUPS.items():
            with formatter.section(title):
                formatter.write_dl(
                    [(name, self.commands[name].get_short_help_str(limit=MAX_HELP_LETTERS)) for name in names]
                )

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command that the arguments begin with. Raises click.UsageError if there is none.

        If they begin with the name of a ruleset's file, the error suggests `oddsmith check FILE`.
        """
        try:
            return super().resolve_command(ctx, args)
        except click.UsageError as error:
            if not args[0].endswith((".yaml", ".yml")):
                raise
            raise click.UsageError(f"{error.message} Did you mean 'oddsmith check {args[0]}'?", ctx) from None


@dataclass(frozen=True)
class ChosenGame:
    """A game that was asked for: the name of its ruleset, the setting, and the policies of seats. ``alike`` and
    ``symmetry`` are as for ``solve``.
    """

    ruleset: str
    setting: Setting
    policies: dict[int, str] = field(default_factory=dict)
    alike: bool = False
    symmetry: bool = True

    @cached_property
    def loaded_ruleset(self) -> LoadedRuleset:
        """The ruleset at this setting. It is read when this is first asked for. Raises UnknownRulesetError,
        RulesetError.
        """
        return replace(open_ruleset(self.ruleset), setting=self.setting)

    @property
    def game(self) -> Game:
        """The game at the setting."""
        return self.loaded_ruleset.game


@dataclass(frozen=True)
class SettingOptions:
    """The settings that choose one game of a ruleset, as the command line has them."""

    seats: int | None = None
    assignments: tuple[str, ...] = ()
    variants: tuple[str, ...] = ()
    objective: str | None = None
    policies: tuple[str, ...] = ()
    alike: bool = False
    symmetry: bool = True

    @property
    def is_any_given(self) -> bool:
        """Whether any setting was given."""
        return self != SettingOptions()

    def chosen_game(self, ruleset: str) -> ChosenGame:
        """Return the game of a ruleset at these settings. Raises click.UsageError."""
        named: dict[int, str] = {}
        for text in self.policies:
            named |= _policies_by_seat(ruleset, text)
        return ChosenGame(ruleset, self.setting, named, self.alike, self.symmetry)

    @property
    def setting(self) -> Setting:
        """The setting without policies. Raises click.UsageError."""
        from oddsmith.ruleset.model import Setting

        values = dict(map(_parse_assignment, self.assignments))
        return Setting(self.seats or 0, self.objective or "", self.variants, values)


def _policies_by_seat(ruleset: str, text: str) -> dict[int, str]:
    """Parse ``SEAT=POLICY``, where SEAT is a seat (from 1), a range such as ``2..4``, or a side. Return the policy by
    seat.

    Raises click.BadParameter.
    """
    side, _, policy = (part.strip() for part in text.partition("="))
    if re.fullmatch(r"[A-Za-z]\w*", side) and policy:
        return {open_ruleset(ruleset).ruleset.seat_number(side): policy}
    match = re.fullmatch(r"\s*([0-9]{1,3})\s*(?:\.\.\s*([0-9]{1,3})\s*)?=(.*)", text, re.DOTALL)
    if match is None:
        raise click.BadParameter(
            f"{text!r}: write SEAT=NAME, such as --policy '1=hold at 20', or --policy '2..4=hold at 20'",
            param_hint="--policy",
        )
    return dict.fromkeys(range(int(match[1]), int(match[2] or match[1]) + 1), match[3].strip())


def open_ruleset(name: str) -> LoadedRuleset:
    """Open a ruleset by name: a file, a shipped one, or a file at a revision of git, REVISION:FILE.

    Raises UnknownRulesetError, RulesetError.
    """
    from oddsmith.api import LoadedRuleset

    revision, _, file = name.partition(":")
    if not file or Path(name).exists():
        return LoadedRuleset.open(name)
    return LoadedRuleset.read(text_at_revision(revision, Path(file)), name)


def solve_game(chosen: ChosenGame, digits: int = DIGITS, exact: bool = False, work: Work = Work()) -> SolvedGame:
    """Solve a game, and show progress on a terminal. ``digits``: decimal digits of proven values."""
    with terminal_progress() as report:
        return chosen.loaded_ruleset.solve(
            policies=chosen.policies,
            alike=chosen.alike,
            digits=digits if digits > DIGITS else None,
            symmetry=chosen.symmetry,
            exact=exact,
            work=replace(work, before_stages=_announce_stages),
            progress=report,
        )


MIN_ANNOUNCED_SECONDS = 10


def _announce_stages(reason: str, effort: Effort) -> None:
    """Print that a game is solved by stages, with the reason and the effort. Print nothing if stages were asked for and
    solving takes moments.
    """
    from oddsmith.api import AS_ASKED

    if reason == AS_ASKED and effort.seconds < MIN_ANNOUNCED_SECONDS:
        return
    size = f"{plural(effort.state_count, 'position')} in {plural(effort.stage_count, 'stage')}"
    needs = f"about {size_text(effort.memory_bytes)} of memory, and {duration_text(effort.seconds)}"
    click.echo(f"solved by stages, {reason}: {size}; it needs {needs}", err=True)


SIZES = {"": 1} | UNITS


def _parse_bytes(_: click.Context, __: click.Parameter, text: str | None) -> int | None:
    """Parse a size such as 8GB, and return the number of bytes; None if ``text`` is None. Raises click.BadParameter."""
    if text is None:
        return None
    match = re.fullmatch(r"(\d+(?:\.\d+)?)\s*([KMGT]?B?)", text.strip(), re.IGNORECASE)
    if match is None or match[2].upper() not in SIZES:
        raise click.BadParameter(f"{text} is no size: write 8GB or 500MB")
    if not match[2] and float(match[1]) < UNITS["MB"]:
        raise click.BadParameter(f"{text} of what? Write {text}GB or {text}MB")
    return int(float(match[1]) * SIZES[match[2].upper()])


def store_option(help_text: str) -> Callable[[Command], Command]:
    """Make the option for the folder that keeps solved stages or answers; ``help_text``: its help."""
    return click.option("--store", type=click.Path(path_type=Path, file_okay=False), help=help_text)


def dask_option(help_text: str) -> Callable[[Command], Command]:
    """Make the option for a cluster; ``help_text``: its help."""
    return click.option("--dask", "cluster", metavar="ADDRESS", help=help_text)


def jobs_option(help_text: str) -> Callable[[Command], Command]:
    """Make the option for the number of processes; ``help_text``: its help."""
    return click.option(
        "--jobs",
        type=click.IntRange(1),
        default=lambda: os.cpu_count() or 1,
        show_default="one for each processor",
        help=help_text,
    )


def with_work_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return the function of a command with the options for how a game is solved.

    The command gets them as one record in the argument ``work``.
    """
    options = (
        click.option(
            "--by",
            "method",
            type=click.Choice(["graph", "stages"]),
            help="Solve the game as one graph in memory, or stage by stage (default: stages where the graph is too large).",
        ),
        click.option(
            "--memory",
            callback=_parse_bytes,
            metavar="SIZE",
            help="Solve by stages, and refuse a game with a stage that needs more, such as 8GB.",
        ),
        store_option("Solve by stages, and keep them in this folder: what is kept is not solved again."),
        jobs_option("How many processes share the parts of a stage, or the sheets of a turn that is the same on all."),
        dask_option("Share this work on a running Dask cluster, such as tcp://10.0.0.5:8786."),
    )
    return with_options_as_record("work", Work, options, function)


def settings_options(
    with_objective: bool = True,
    with_policies: bool = True,
    ruleset_required: bool | None = True,
    many_rulesets: bool = False,
) -> Callable[[Command], Callable[..., Any]]:
    """Make the decorator that adds the options for the settings of a ruleset to a command. The command gets them as a
    ``SettingOptions`` in the argument ``settings``.

    ``with_objective``, ``with_policies``: whether to add the options for the objective, and for the policies of seats.

    ``ruleset_required``: whether the ruleset must be named, None if the command has its own argument for it;
    ``many_rulesets``: whether any number of rulesets may be named.
    """

    def add_options(function: Command) -> Callable[..., Any]:
        named = (
            click.argument("rulesets", nargs=-1)
            if many_rulesets
            else click.argument("ruleset", required=bool(ruleset_required))
        )
        options = [
            *([] if ruleset_required is None else [named]),
            click.option(
                "--seats", type=click.IntRange(1), metavar="N", help="Number of players (default: the ruleset's)."
            ),
            click.option(
                "--set", "assignments", multiple=True, metavar="NAME=VALUE", help="Change a parameter. Repeatable."
            ),
            click.option("--variant", "variants", multiple=True, metavar="NAME", help="Apply a variant. Repeatable."),
        ]
        if with_objective:
            help_ = "The payoff that is played for (default: the first)."
            options.append(click.option("--objective", metavar="NAME", help=help_))
        if with_policies:
            help_ = "Let a seat or a side, or seats such as 2..4, play a named policy. The others use best play. Repeatable."
            options.append(click.option("--policy", "policies", multiple=True, metavar="SEAT=NAME", help=help_))
            help_ = (
                "If no play without chance is an equilibrium that is the same for all seats, mix actions rather than let seats "
                "play differently."
            )
            options.append(click.option("--alike", is_flag=True, help=help_))
            help_ = "Keep apart positions that differ only in the order of like things."
            options.append(click.option("--no-symmetry", "symmetry", flag_value=False, default=True, help=help_))
        return with_options_as_record("settings", SettingOptions, options, function)

    return add_options


def with_options_as_record(
    parameter_name: str,
    record_type: type[Any],
    option_decorators: Sequence[Callable[..., Any]],
    function: Callable[..., Any],
) -> Callable[..., Any]:
    """Return the function of a command with more options. The values of options that are fields of ``record_type``
    reach the function together, as one record in the argument ``parameter_name``.
    """

    @wraps(function)
    def command(**values: Any) -> Any:
        found = {each.name: values.pop(each.name) for each in fields(record_type) if each.name in values}
        return function(**{parameter_name: record_type(**found)}, **values)

    return _add_options(option_decorators, command)


_ADD = "add"
"""The key in the metadata of a field for a function that takes the field's name, and returns the decorator that adds the
option.
"""


def option_field(*declarations: str, **option_arguments: Any) -> Any:
    """Make a field of a record of options: the field and the option have the same name and default. The parameters are
    those of ``click.option``.
    """
    empty = () if option_arguments.get("multiple") else False if option_arguments.get("is_flag") else None
    add = partial(click.option, *declarations, **option_arguments)
    return field(default=option_arguments.get("default", empty), metadata={_ADD: add})


def shared_option_field(add_option: Callable[..., Any]) -> Any:
    """Make a field of a record of options. ``add_option``: a decorator that adds the option of the field to a command;
    several commands share it.
    """
    return field(metadata={_ADD: lambda _: add_option})


def with_options(record_type: type[Options]) -> Callable[[Callable[[Options], int]], Callable[..., int]]:
    """Make the decorator that adds the options of a record to a command. The command gets the record as its only
    argument.

    The record is a frozen dataclass with keywords only, whose fields are made by ``option_field`` and
    ``shared_option_field``. A field that is such a record itself has the options of its own fields. Help has the
    options in the order of the fields.
    """

    def add_options(function: Callable[[Options], int]) -> Callable[..., int]:
        @wraps(function)
        def command(**values: Any) -> int:
            return function(record_type(**values))

        return _add_options(_option_decorators(record_type), command)

    return add_options


def _option_decorators(record_type: type[Any]) -> list[Callable[..., Any]]:
    """Return the decorators that add the options of a record, in the order of its fields."""
    types: dict[str, type[Any]] = get_type_hints(record_type)
    found: list[Callable[..., Any]] = []
    for each in fields(record_type):
        if _ADD in each.metadata:
            found.append(each.metadata[_ADD](each.name))
        elif is_dataclass(types[each.name]):
            found.append(
                partial(with_options_as_record, each.name, types[each.name], _option_decorators(types[each.name]))
            )
    return found


def _add_options(option_decorators: Sequence[Callable[..., Any]], function: Callable[..., Any]) -> Callable[..., Any]:
    """Apply decorators to a function so that help has their options in the given order."""
    return reduce(lambda each, add: add(each), reversed(option_decorators), function)


def digits_option(default: int, maximum: int) -> Callable[[Command], Command]:
    """Make the option for the number of decimal places. ``default``: the default; ``maximum``: the maximum."""
    which = click.IntRange(0, maximum)
    return click.option("--digits", default=default, show_default=True, type=which, help="Decimal places.")


def json_option(help_text: str) -> Callable[[Command], Command]:
    """Make the option that prints data for programs; ``help_text``: its help."""
    return click.option("--json", "as_json", is_flag=True, help=help_text)


def with_changed_settings(chosen: ChosenGame, assignments: tuple[str, ...], option_name: str = "--to") -> ChosenGame:
    """Return the game at other settings. ``assignments``: changes NAME=VALUE, where NAME is seats, objective, variant
    or a parameter. ``option_name``: the option that gave them, for errors. Raises click.BadParameter.
    """
    changes = dict(_parse_assignment(text, option_name) for text in assignments)
    return replace(chosen, setting=chosen.setting.with_changes(changes))


def _parse_assignment(text: str, option_name: str = "--set") -> tuple[str, Any]:
    name, separator, value = text.partition("=")
    if not separator:
        raise click.BadParameter(
            f"{text!r}: write NAME=VALUE, such as {option_name} coins_each=10", param_hint=option_name
        )
    return name.strip(), plain_value(value.strip())


def apply_limit_options(context: click.Context, parameter: click.Parameter, assignments: tuple[str, ...]) -> None:  # noqa: ARG001 - click gives it
    """Set the limits that the command line names. Raises click.BadParameter."""
    for text in assignments:
        name, _, number = text.partition("=")
        if name not in NAMES or not re.fullmatch(r"[1-9][0-9]{0,17}", number):
            raise click.BadParameter(f"{text!r}: write NAME=NUMBER, where NAME is one of {', '.join(NAMES)}")
        set_limits(replace(limits(), **{name: int(number)}))


def print_json(data: Any) -> None:
    """Print data as JSON on standard output."""
    click.echo(json.dumps(data, indent=2))  # letters beyond ASCII as escapes, whatever the terminal's encoding


# --- errors


def print_problem(problem: Problem, source: Source | None) -> None:
    """Print a problem with its source line on standard error. On a terminal it is coloured."""
    head, *rest = problem.with_excerpt(source).split("\n")
    print_styled(head, err=True, fg="red" if problem.severity == "error" else "yellow")
    for line in rest:
        click.echo(line, err=True)


def print_error(error: OddsmithError) -> None:
    """Print in words an error that the input caused."""
    if isinstance(error, RulesetError):
        print_ruleset_error(error)
        click.echo(plural(len(error.problems), "problem"), err=True)
    else:
        print_styled(f"oddsmith: {error}", err=True, fg="red")


def print_ruleset_error(error: RulesetError) -> None:
    """Print all problems of a ruleset. If a rule failed in play, print the play that leads there."""
    for problem in error.problems:
        print_problem(problem, error.source)
    if isinstance(error, PlayError) and error.play:
        click.echo("  the play that leads there:", err=True)
        for line in move_lines(error.play):
            click.echo(line, err=True)


def move_lines(moves: Sequence[str]) -> Iterator[str]:
    """Yield a line for each move of a play, with its number. Of more than 24 moves, only the first 12 and the last 11
    are shown.
    """
    for number, move in enumerate(moves, 1):
        if len(moves) <= 24 or number <= 12 or number > len(moves) - 11:
            yield f"    {number}. {move}"
        elif number == 13:
            yield "    ..."


# --- progress

SECONDS_BETWEEN_REPORTS = 10.0  # seconds between two lines about work that goes on


def _progress_text(what: str, done: int, total: int) -> str:
    """Return how far work is. While a game is explored, the total is only what was found so far, and grows."""
    if what == "exploring":
        return f"{done:,} positions so far"
    return f"{done:,}{f' of {total:,}' if total else ''}"


def _progress_reporter() -> Callable[[str, int, int], None]:
    last = monotonic()

    def report(what: str, done: int, total: int) -> None:
        nonlocal last
        if monotonic() - last >= SECONDS_BETWEEN_REPORTS:
            last = monotonic()
            click.echo(f"{escape_control_characters(what)}, {_progress_text(what, done, total)}", err=True)

    return report


@contextmanager
def terminal_progress() -> Iterator[Callable[[str, int, int], None]]:
    """Yield a function that reports progress. On a terminal it draws a bar, else it prints a line every few seconds."""
    if not sys.stderr.isatty():
        yield _progress_reporter()
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        TextColumn("{task.fields[text]}"),
    )
    # The bar moves the cursor, so it goes to standard error itself.
    with Progress(*columns, TimeElapsedColumn(), console=Console(file=sys.__stderr__), transient=True) as bar:
        task = bar.add_task("loading", total=1, text="")
        yield lambda what, done, total: bar.update(
            task,
            description=escape_control_characters(what),
            completed=done,
            total=total,
            text=_progress_text(what, done, total),
        )
