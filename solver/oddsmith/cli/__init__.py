"""The command line: a command for each job. Heavy imports wait until a command needs them, so --help starts at once."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from threading import Event, current_thread, main_thread

import click

from oddsmith.base.errors import OddsmithError
from oddsmith.base.resources import VERSION, missing_extra_text
from oddsmith.cli.common import VerbGroup, apply_limit_options, print_error
from oddsmith.cli.terminal import OutputClosed, OutputFull, escaping_streams, print_styled

__all__ = ["main"]

DEBUG = "--debug"
EXTRAS = {
    "matplotlib": ("a page", "site"),
    "segno": ("a page", "site"),
    "starlette": ("`serve`", "serve"),
    "uvicorn": ("`serve`", "serve"),
}
"""For each library that may be missing, the part of the program that needs it and the extra that installs it. Checking,
solving and playing need none of them.
"""


@click.group(cls=VerbGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(VERSION, prog_name="oddsmith")
@click.option(DEBUG, is_flag=True, help="Show the traceback of an error.")
@click.option(
    "--limit",
    multiple=True,
    metavar="NAME=NUMBER",
    callback=apply_limit_options,
    expose_value=False,
    help="Raise or lower a limit beyond which games are refused. A refusal names its limit. Repeatable.",
)
def cli(debug: bool) -> None:
    """Turn the rules of a dice game into exact odds and proven best play.

    A RULESET is a YAML file of your own, or the name of a shipped one.

    \b
    Example:
      oddsmith solve rogues-gambit --seats 2
    """


def main(arguments: list[str] | None = None) -> None:
    """Run the command line and exit.

    Exit codes: 0 success, 1 a fault of the input or a wrong claim, 2 a fault of the command line, 3 a fault of ours,
    130 interrupted, 143 terminated.
    """
    given, stopped = sys.argv[1:] if arguments is None else arguments, Event()
    try:
        with _interrupt_on_sigterm(stopped), escaping_streams():
            code = _run_command(given)
    except (click.Abort, KeyboardInterrupt):
        signal.signal(signal.SIGINT, signal.SIG_DFL)  # another one is not waited for
        click.echo("stopped" if stopped.is_set() else "interrupted", err=True)
        code = 143 if stopped.is_set() else 130
    except OutputClosed:
        code = 0  # the reader of our output has gone: nothing is left to say, and nobody to say it to
        for number in (1, 2):
            os.dup2(os.open(os.devnull, os.O_WRONLY), number)
    except OutputFull as error:
        code = 1
        with suppress(OSError):
            click.echo(f"oddsmith: standard output cannot be written: {error}", err=True)
    sys.exit(code)


@contextmanager
def _interrupt_on_sigterm(stopped: Event) -> Iterator[None]:
    """Turn SIGTERM into an interrupt, and set ``stopped``. In threads other than the main one it does nothing."""
    if current_thread() is not main_thread():
        yield
        return

    def stop(*_: object) -> None:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)  # another one is not waited for
        stopped.set()
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGTERM, stop)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def _run_command(arguments: list[str]) -> int:
    """Run the command line, and return its exit code. Errors are printed in words; with --debug they are raised."""
    debug = DEBUG in arguments
    try:
        code = cli.main(args=arguments, prog_name="oddsmith", standalone_mode=False)
        return code if isinstance(code, int) else 0
    except click.ClickException as error:
        error.show()
        return error.exit_code
    except (OutputClosed, OutputFull, click.Abort):
        raise
    except OddsmithError as error:
        if debug:
            raise
        print_error(error)
        return error.exit_code
    except OSError as error:  # the system lets us read or write something no further
        if debug:
            raise
        place = f"{error.filename}: " if error.filename else ""
        print_styled(f"oddsmith: {place}{error.strerror or error}", err=True, fg="red")
        return 1
    except (RecursionError, MemoryError) as error:
        if debug:
            raise
        full = isinstance(error, MemoryError)
        click.echo(f"oddsmith: {'the memory is full' if full else 'this is nested too deeply'}: ask for less", err=True)
        return 1
    except Exception as error:
        if debug:
            raise
        return _report_unexpected_error(error)


def _report_unexpected_error(error: Exception) -> int:
    """Print an error that nothing else caught, and return the exit code.

    If a library is not installed, the text names the extra that installs it, and the code is 1. Otherwise the text says
    that the fault is ours, and the code is 3.
    """
    if isinstance(error, ModuleNotFoundError) and (missing := EXTRAS.get(str(error.name).partition(".")[0])):
        click.echo(f"oddsmith: {missing_extra_text(*missing)}", err=True)
        return 1
    click.echo(f"oddsmith: a fault of ours: {type(error).__name__}: {error}\n  --debug shows where", err=True)
    return 3
