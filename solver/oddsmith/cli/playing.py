"""``oddsmith play``: a game in the terminal, against best play, named policies, or others at the keyboard.

``--verify`` plays nothing: it checks a recorded play against the rules.
"""

from __future__ import annotations

import random
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from oddsmith.cli.shared import say, settings_of, settings_options
from oddsmith.cli.solving import solved
from oddsmith.errors import TranscriptError
from oddsmith.exact import plural, whole_number
from oddsmith.library import LoadedRuleset

if TYPE_CHECKING:
    from oddsmith.ruleset import Action, Rules, State, Step, Thrown
    from oddsmith.solve import Prescription, Solution


@click.command()
@settings_options(needed=False)  # --verify finds it by the id that the transcript names
@click.option(
    "--human",
    "humans",
    multiple=True,
    type=int,
    metavar="SEAT",
    help="Put a seat at the keyboard (default: 1). Repeatable.",
)
@click.option("--watch", is_flag=True, help="Put no seat at the keyboard, and watch the others play.")
@click.option("--hints", is_flag=True, help="Show what every action is worth before you choose.")
@click.option("--seed", type=int, help="Make the dice repeatable.")
@click.option(
    "--transcript",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Write a transcript of the game once it is over.",
)
@click.option(
    "--verify",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Play nothing, and check a transcript against the rules of RULESET (or of the shipped game that it names).",
)
def play(
    humans: tuple[int, ...],
    watch: bool,
    hints: bool,
    seed: int | None,
    transcript: Path | None,
    verify: Path | None,
    **given: Any,
) -> int:
    """Play a game in the terminal.

    Seats that are not at the keyboard use best play, or the policy that --policy names. Type ? for advice, or q to stop.

    \b
    Example:
      oddsmith play rogues-gambit --seats 2 --watch --seed 7 --transcript game.json
      oddsmith play --verify game.json
    """
    if verify is not None:
        return _verify(verify, given["ruleset"])
    if given["ruleset"] is None:
        raise click.UsageError("Missing argument 'RULESET'.")
    settings = settings_of(**given)
    named = settings.policies or {}
    seats = () if watch else humans or (1,)
    clash = sorted(set(seats) & set(named))
    if clash:
        raise click.UsageError(f"seat {clash[0]} cannot be at the keyboard and play a policy")
    from dataclasses import replace

    solution = solved(replace(settings, policies={})).solution
    game = solution.graph.game
    if any(not 1 <= seat <= game.seats for seat in (*seats, *named)):
        raise click.UsageError(f"seats are 1 to {game.seats}")
    table = Table(solution, {seat - 1 for seat in seats}, {seat - 1: name for seat, name in named.items()}, hints, seed)
    table.play()
    if transcript is not None:
        from oddsmith.files import write_given
        from oddsmith.ruleset import canonical

        write_given(transcript, canonical(table.writer.data(table.state)) + b"\n")
        click.echo(f"transcript written to {transcript}")
    return 0


def _verify(file: Path, ruleset: str | None) -> int:
    """Check a transcript and say what it comes to. Raises TranscriptError where it is refused."""
    from oddsmith.files import shipped
    from oddsmith.report.english import plain_name
    from oddsmith.ruleset import read, verify

    try:
        record = read(file.read_bytes())
        if ruleset is None and record.game not in shipped():
            raise TranscriptError("game", f"{record.game!r} is no shipped game: name its RULESET before --verify")
        verified = verify(record, LoadedRuleset.open(ruleset or record.game).ruleset)
    except TranscriptError as error:
        raise TranscriptError(str(file), str(error)) from None
    sizes = f"{plural(record.seats, 'seat')}, {plural(verified.entries, 'move')}"
    click.echo(f"{record.game}, {sizes}: every roll is possible and every move is legal")
    if verified.payoffs is None:
        click.echo(f"  not over: seat {verified.state.mover + 1} is to move, in {plain_name(verified.state.phase)}")
        return 0
    click.echo("  the game is over:")
    for name, paid in verified.payoffs.items():
        shown = ", ".join(f"seat {seat} {value}" for seat, value in enumerate(paid, 1))
        click.echo(f"  {plain_name(name)}: {shown}")
    return 0


class Table:
    """A game on its way."""

    def __init__(
        self, solution: Solution, humans: set[int], named: dict[int, str], hints: bool, seed: int | None
    ) -> None:
        from oddsmith.ruleset import Rules, Writer
        from oddsmith.solve import Prescription

        self.solution, self.humans, self.hints = solution, humans, hints
        self.game = solution.graph.game
        self.rules: Rules = Rules(self.game)
        self.state: State = self.rules.start()
        self.writer = Writer(self.rules)
        self.named: dict[int, Prescription] = {seat: Prescription(self.game, name) for seat, name in named.items()}
        self.random = random.Random(seed)  # noqa: S311 - dice of a game, to be repeated by their seed

    def play(self) -> None:
        """To the end, or until a player stops."""
        from oddsmith.ruleset import by_chance, moves

        say(self.game.ruleset.title, bold=True)
        self.announce(self.state)
        for move in moves(self.rules, self.choose, by_chance(self.random)):
            self.writer.add(move)
            if move.thrown is not None:
                self.show_roll(move.thrown, move.step)
            self.state = move.step.state
            if self.state.phase and (move.step.turn_over or self.state.mover != move.state.mover):
                self.announce(self.state)
        click.echo("\nThe game is over.")
        for name in self.game.ruleset.payoffs:
            paid = self.rules.payoffs(self.state, name)
            click.echo(f"  {name}: " + ", ".join(f"{self.who(seat)} {value}" for seat, value in enumerate(paid)))

    def announce(self, state: State) -> None:
        """Whose turn it is, and what lies on the table."""
        click.echo(f"\n{self.who(state.mover)} to move; {self.describe(state)}")

    def show_roll(self, thrown: Thrown, step: Step) -> None:
        """What was rolled, and what it led to."""
        shown = ", ".join(f"{name} {self.game.show(value)}" for name, value in thrown.values)
        names = ", ".join(name for _, name in step.events if name)
        click.echo(f"  rolls {shown}" + (f": {names}" if names else ""))

    def who(self, seat: int) -> str:
        """A seat and who plays it."""
        policy = self.named.get(seat)
        return f"seat {seat + 1}" + (
            " (you)" if seat in self.humans else f" ({policy.name if policy else 'best play'})"
        )

    def describe(self, state: State) -> str:
        """The variables on the table."""
        shown = []
        for where, cell in enumerate(self.game.cells):
            shown.append(f"{cell.shown} {self.game.stands(where, state.cells[where])}")
        return ", ".join(shown)

    def choose(self, state: State, actions: list[Action]) -> int:
        """The place of what a player chooses."""
        if state.mover in self.humans:
            return self.ask(state, actions)
        policy = self.named.get(state.mover)
        place = policy.pick(state, actions) if policy else self.best(state)
        click.echo(f"  chooses {self.label(actions[place])}")
        return place

    def best(self, state: State) -> int:
        """The place of the best action."""
        number = self.solution.find(state)
        assert number is not None
        row = self.solution.pick(number, state.mover, self.random.random())
        return row - int(self.solution.graph.state_rows[number])

    def label(self, action: Action) -> str:
        """An action in words."""
        return self.game.called(self.rules.phase(self.state).entries[action.entry], action.binding)

    def ask(self, state: State, actions: list[Action]) -> int:
        """The place of what the player at the keyboard chooses."""
        click.echo(f"  now {self.describe(state)}")
        for number, action in enumerate(actions, 1):
            click.echo(f"    {number}. {self.label(action)}")
        if self.hints:
            self.advise(state)
        while True:
            words = click.prompt("  your choice", default="1" if len(actions) == 1 else None).strip().lower()
            if words == "?":
                self.advise(state)
            elif words in ("q", "quit"):
                raise click.Abort
            elif 1 <= (whole_number(words) or 0) <= len(actions):
                return (whole_number(words) or 0) - 1
            else:
                click.echo(f"  type 1 to {len(actions)}, ? for advice, or q to stop")

    def advise(self, state: State) -> None:
        """What every action is worth."""
        number = self.solution.find(state)
        assert number is not None
        for each in self.solution.advise(number, state.mover):
            loss = "best" if each.best else f"loses {each.loss.decimal(4)}"
            click.echo(f"      {each.action}: {each.value.decimal(4)}, {loss}")
