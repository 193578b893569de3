"""``oddsmith advise``: what each action of a position is worth."""

from __future__ import annotations

import click

from oddsmith.base.executors import Work
from oddsmith.cli.advising import position_json, position_lines
from oddsmith.cli.common import (
    SettingOptions,
    digits_option,
    json_option,
    print_json,
    settings_options,
    solve_game,
    with_work_options,
)


@click.command()
@settings_options()
@click.option(
    "--state",
    "state",
    default="",
    metavar="NAME=VALUE,...",
    help="The position. A variable that you leave out is at its start. In a game with secrets: all that the player has seen.",
)
@digits_option(6, 70)
@json_option("Print the answer as JSON.")
@with_work_options
def advise(ruleset: str, settings: SettingOptions, state: str, digits: int, as_json: bool, work: Work) -> int:
    """Say what each action is worth in a position, and what the worse ones cost.

    Seats count from the player to move, so purse[1] is that player's. Where several phases have a choice, name one with
    phase=NAME. A game that solve --store has solved is not solved again: --store names the same folder.

    In a game with secrets, the position is all that the player has seen, in the words that solve prints. If both players
    have seen the same, mover=SEAT says whose choice is meant.

    \b
    Examples:
      oddsmith advise rogues-gambit --seats 4 --state hoard=60,stash=20
      oddsmith advise cups-and-coins --state "dice 1 6, seat 1: Bet"
    """
    answered = solve_game(settings.chosen_game(ruleset), work=work)
    if as_json:
        print_json(position_json(answered, state, digits))
        return 0
    for line in position_lines(answered, state, digits):
        click.echo(line)
    return 0
