"""A game with secrets in the terminal: every seat sees only what the rules let it see, and best play mixes its actions."""

from __future__ import annotations

import random
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import click

from oddsmith.base.exact import decimal_text, whole_number
from oddsmith.cli.common import ChosenGame, progress
from oddsmith.cli.terminal import say
from oddsmith.report.english import OptionWords
from oddsmith.ruleset import Observer, Occurrence, Situation, label_words
from oddsmith.solve.extensive import InPlay, SecretSolution, learned_words


def play_secret_game(chosen: ChosenGame, humans: Sequence[int], hints: bool, seed: int | None) -> int:
    """Play a game with secrets. ``humans``: the seats at the keyboard, from 1."""
    if chosen.policies:
        raise click.UsageError("in a game with secrets, seats that are not at the keyboard use best play")
    with progress() as report:
        solution = chosen.open().solve_secrets(report=report)
    if any(not 1 <= seat <= solution.game.seats for seat in humans):
        raise click.UsageError(f"seats are 1 to {solution.game.seats}")
    SecretTable(solution, {seat - 1 for seat in humans}, hints, seed).play()
    return 0


class SecretTable:
    """A game with secrets in progress in the terminal."""

    def __init__(self, solution: SecretSolution, humans: set[int], hints: bool, seed: int | None) -> None:
        self.solution, self.humans, self.hints, self.game = solution, humans, hints, solution.game
        self.random = random.Random(seed)  # noqa: S311 - dice of a game, to be repeated by their seed
        self.observer, self.at_keyboard = Observer(self.game), -1
        self.say = OptionWords(self.game, self.game.ruleset.player_name)
        self.seen: list[list[str]] = [[] for _ in range(self.game.seats)]

    def play(self) -> None:
        """Play to the end, or until a player stops."""
        say(self.game.ruleset.title, bold=True)
        situation = self.observer.start()
        course = InPlay(self.solution, situation)
        while (moves := self.observer.moves(situation)).occurrences:
            if moves.seat is None:
                event = self.draw([(each, each.chance) for each in moves.occurrences])
            else:
                event = moves.occurrences[self.choose(moves.seat, situation, moves.occurrences, course)]
            self.learn(situation, event)
            course = course.after(event)
            situation = event.after
        self.end(situation)

    def draw(self, weighed: Sequence[tuple[Any, Fraction]]) -> Any:
        """Draw one of several things by their probabilities."""
        left = Fraction(self.random.random()) * sum(weight for _, weight in weighed)
        for thing, weight in weighed:
            left -= weight
            if left < 0:
                return thing
        return weighed[-1][0]

    def learn(self, situation: Situation, event: Occurrence) -> None:
        """Record what each seat learns, and print it if nobody is at the keyboard."""
        for seat in range(self.game.seats):
            self.seen[seat] += learned_words(self.game, seat, situation, event.seen[seat])
        if (
            not self.humans and event.common != ()
        ):  # whoever watches sees everything; choices at once when they are shown
            events = max((list(learned_words(self.game, -1, situation, each)) for each in event.seen), key=len)
            for words in events:
                click.echo(f"  {self.say(words)}")

    def choose(self, seat: int, situation: Situation, may: Sequence[Occurrence], course: InPlay) -> int:
        """Return the index of the action that a seat chooses."""
        names = [label_words(self.game, situation, each.label) for each in may]
        if len(may) == 1:
            return 0
        if seat in self.humans:
            return self.ask(seat, situation, names, course)
        decision = course.decision(seat)
        return int(self.draw([(place, decision.chances[name]) for place, name in enumerate(names)]))

    def ask(self, seat: int, situation: Situation, names: Sequence[str], course: InPlay) -> int:
        """Ask the player at the keyboard, who sees what this seat sees, and return the index of the chosen action."""
        if len(self.humans) > 1 and self.at_keyboard != seat:
            click.pause(
                f"  The next to choose is {self.game.ruleset.seat_name(seat)}. Press a key when nobody else looks."
            )
            click.clear()
        self.at_keyboard = seat
        phase = self.game.ruleset.phases[situation.state.phase]
        click.echo(
            f"\n{self.game.ruleset.seat_name(seat)}: {' · '.join(self.say.each(self.seen[seat])) or 'nothing is known yet'}"
        )
        click.echo(f"  {phase.label or phase.name}")
        for number, name in enumerate(names, 1):
            click.echo(f"    {number}. {self.say(name, phase.name)}")
        if self.hints:
            self.advise(seat, course)
        while True:
            words = click.prompt("  your choice").strip().lower()
            if words == "?":
                self.advise(seat, course)
            elif words in ("q", "quit"):
                raise click.Abort
            elif 1 <= (number := whole_number(words) or 0) <= len(names):
                if len(self.humans) > 1:
                    click.clear()
                return number - 1
            else:
                click.echo(f"  type 1 to {len(names)}, ? for advice, or q to stop")

    def advise(self, seat: int, course: InPlay) -> None:
        """Print the probability with which best play takes every action, and the action's value against best play."""
        decision = course.decision(seat)
        for name, chance in decision.chances.items():
            worth = "" if decision.worth is None else f", brings {decimal_text(decision.worth[name], 4)}"
            click.echo(f"      {self.say(name, decision.phase)}: {decimal_text(100 * chance, 1)} %{worth}")

    def end(self, situation: Situation) -> None:
        """Print the position in full, and the payoff of each seat."""
        state, rules = situation.state, self.observer.rules
        click.echo("\nThe game is over.")
        cells = zip(range(len(state.cells)), state.cells, self.game.cells, strict=True)
        shown = [
            self.game.cell_in_words(where, value, cell.called)
            for where, value, cell in cells
            if not cell.variable.hidden
        ]
        click.echo(f"  {', '.join(shown)}")
        for name in self.game.ruleset.payoffs:
            paid = enumerate(rules.payoffs(state, name))
            click.echo(
                f"  {name}: " + ", ".join(f"{self.game.ruleset.seat_name(seat)} {value}" for seat, value in paid)
            )
