"""``oddsmith play``: the game in the terminal, against the optimal policy, named ones, or others at the keyboard."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Any

import click

from oddsmith.cli.common import settings_of, settings_options
from oddsmith.cli.solving import solved

if TYPE_CHECKING:
    from oddsmith.ruleset.model import Throw
    from oddsmith.ruleset.rules import Action, Rules, State
    from oddsmith.solve.policies import Prescription
    from oddsmith.solve.solution import Solution


@click.command()
@settings_options()
@click.option(
    "--human",
    "humans",
    multiple=True,
    type=int,
    metavar="SEAT",
    help="Seats at the keyboard (default: 1). Repeatable.",
)
@click.option("--watch", is_flag=True, help="No seat at the keyboard: watch the policies play.")
@click.option("--hints", is_flag=True, help="Show what every action is worth before you choose.")
@click.option("--seed", type=int, help="Make the dice repeatable.")
def play(humans: tuple[int, ...], watch: bool, hints: bool, seed: int | None, **given: Any) -> int:
    """Play a game in the terminal.

    Seats that are not at the keyboard play optimally, or the policy that --policy names. Type ? for advice, q to stop.

    \b
    Example:
      oddsmith play rogues-gambit --seats 2 --watch --seed 7
    """
    settings = settings_of(**given)
    named = settings.policies or {}
    seats = () if watch else humans or (1,)
    clash = sorted(set(seats) & set(named))
    if clash:
        raise click.UsageError(f"seat {clash[0]} cannot be at the keyboard and play a policy")
    from dataclasses import replace

    solution = solved(replace(settings, policies={}))
    game = solution.graph.game
    if any(not 1 <= seat <= game.seats for seat in (*seats, *named)):
        raise click.UsageError(f"seats are 1 to {game.seats}")
    Table(solution, {seat - 1 for seat in seats}, {seat - 1: name for seat, name in named.items()}, hints, seed).play()
    return 0


class Table:
    """A game on its way."""

    def __init__(
        self, solution: Solution, humans: set[int], named: dict[int, str], hints: bool, seed: int | None
    ) -> None:
        from oddsmith.ruleset.rules import Rules
        from oddsmith.solve.policies import Prescription

        self.solution, self.humans, self.hints = solution, humans, hints
        self.game = solution.graph.game
        self.rules: Rules = Rules(self.game)
        self.named: dict[int, Prescription] = {seat: Prescription(self.game, name) for seat, name in named.items()}
        self.random = random.Random(seed)  # noqa: S311 - dice of a game, to be repeated by their seed

    def play(self) -> None:
        """To the end, or until a player stops."""
        state = self.rules.start()
        click.secho(self.game.ruleset.title, bold=True)
        mover = -1
        while state.phase:
            if state.mover != mover:
                mover = state.mover
                click.echo(f"\n{self.who(mover)} to move; {self.describe(state)}")
            if self.rules.phase(state).kind == "choose":
                step = self.rules.choose(state, self.choose(state, self.rules.actions(state)))
            else:
                thrown = self.rules.throw(state, self.throw)
                step = self.rules.resolve(state, thrown)
                shown = ", ".join(f"{name} {self.game.show(value)}" for name, value in thrown.values)
                names = ", ".join(name for _, name in step.events if name)
                click.echo(f"  rolls {shown}" + (f": {names}" if names else ""))
            if step.turn_over:
                mover = -1
            state = step.state
        click.echo("\nThe game is over.")
        for name in self.game.ruleset.payoffs:
            paid = self.rules.payoffs(state, name)
            click.echo(f"  {name}: " + ", ".join(f"{self.who(seat)} {value}" for seat, value in enumerate(paid)))

    def who(self, seat: int) -> str:
        """A seat and who plays it."""
        policy = self.named.get(seat)
        return f"seat {seat + 1}" + (" (you)" if seat in self.humans else f" ({policy.name if policy else 'optimal'})")

    def describe(self, state: State) -> str:
        """The variables on the table."""
        shown = []
        for where, cell in enumerate(self.game.cells):
            label = cell.variable.name
            if cell.index:
                parts = [
                    str(item + 1 if cell.variable.per_seat and at == 0 else item) for at, item in enumerate(cell.index)
                ]
                label += f"[{', '.join(parts)}]"
            value = state.cells[where]
            shown.append(f"{label} {value + 1 if cell.variable.kind == 'seat' else self.game.show(value)}")
        return ", ".join(shown)

    def throw(self, _: Throw, law: Any) -> Any:
        """Dice of the computer."""
        values, weights = zip(*law, strict=True)
        return self.random.choices(values, weights)[0]

    def choose(self, state: State, actions: list[Action]) -> Action:
        """A player's choice."""
        if state.mover in self.humans:
            return self.ask(state, actions)
        policy = self.named.get(state.mover)
        place = policy.pick(state, actions) if policy else self.best(state)
        click.echo(f"  chooses {self.label(actions[place])}")
        return actions[place]

    def best(self, state: State) -> int:
        """The place of the optimal action."""
        number = self.solution.find(state)
        assert number is not None
        row = self.solution.pick(number, state.mover, self.random.random())
        return row - int(self.solution.graph.state_rows[number])

    def label(self, action: Action) -> str:
        """An action in words."""
        shown = ", ".join(f"{name} {self.game.show(value)}" for name, value in action.binding)
        return f"{action.name} ({shown})" if shown else action.name

    def ask(self, state: State, actions: list[Action]) -> Action:
        """The player at the keyboard."""
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
            elif words.isdigit() and 1 <= int(words) <= len(actions):
                return actions[int(words) - 1]
            else:
                click.echo(f"  type 1 to {len(actions)}, ? for advice, or q to stop")

    def advise(self, state: State) -> None:
        """What every action is worth."""
        number = self.solution.find(state)
        assert number is not None
        for each in self.solution.advise(number, state.mover):
            loss = "best" if each.best else f"loses {each.loss.decimal(4)}"
            click.echo(f"      {each.action}: {each.value.decimal(4)}, {loss}")
