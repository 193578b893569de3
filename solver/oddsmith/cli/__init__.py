"""The command line: one verb a job. Heavy imports wait until a verb needs them, so that --help and check start at once."""

from __future__ import annotations

import sys

import click

from oddsmith.cli.certifying import certify
from oddsmith.cli.checking import check
from oddsmith.cli.common import Verbs, report_error
from oddsmith.cli.exporting import export
from oddsmith.cli.foundry import foundry
from oddsmith.cli.playing import play
from oddsmith.cli.publishing import publish
from oddsmith.cli.solving import advise, solve, verify
from oddsmith.cli.tabletops import owlbear, roll20
from oddsmith.errors import OddsmithError

DEBUG = "--debug"


@click.group(cls=Verbs, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="oddsmith", prog_name="oddsmith")
@click.option(DEBUG, is_flag=True, help="Show the traceback of an error.")
def cli(debug: bool) -> None:
    """Turn the rules of a dice game into exact odds and optimal play, proven.

    A RULESET is a YAML file of your own, or the name of a shipped one.

    \b
    Example:
      oddsmith solve rogues-gambit --seats 2
    """


for verb in (check, solve, advise, verify, certify, play, publish, foundry, owlbear, roll20, export):
    cli.add_command(verb)


def main(arguments: list[str] | None = None) -> None:
    """Run the command line and exit: 0 good, 1 the input or a claim is wrong, 2 usage, 3 a fault of ours, 130 interrupted."""
    given = sys.argv[1:] if arguments is None else arguments
    debug = DEBUG in given
    try:
        code = cli.main(args=given, prog_name="oddsmith", standalone_mode=False)
        sys.exit(code if isinstance(code, int) else 0)
    except click.ClickException as error:
        error.show()
        sys.exit(error.exit_code)
    except (click.Abort, KeyboardInterrupt):
        click.echo("interrupted", err=True)
        sys.exit(130)
    except OddsmithError as error:
        if debug:
            raise
        report_error(error)
        sys.exit(error.exit_code)
    except BrokenPipeError:
        sys.stderr.close()  # the reader of our output has gone: nothing is left to say
        sys.exit(0)
    except Exception as error:  # the last line of defence: a fault of ours is said in one line
        if debug:
            raise
        click.echo(f"oddsmith: a fault of ours: {type(error).__name__}: {error}\n  --debug shows where", err=True)
        sys.exit(3)
