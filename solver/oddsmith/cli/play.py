"""``oddsmith play``: a game in the terminal, against best play, named policies, or others at the keyboard. With
``--verify`` it only checks a recorded play against the rules. With ``--review`` it only says what each roll of a play
brought, and what each choice cost.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from oddsmith.api import LoadedRuleset, SolvedGame
from oddsmith.base.errors import TranscriptError
from oddsmith.base.exact import plural, whole_number
from oddsmith.base.executors import Work
from oddsmith.cli.advising import option_words
from oddsmith.cli.common import (
    SettingOptions,
    digits_option,
    json_option,
    option_field,
    settings_options,
    shared_option_field,
    solve_game,
    with_options,
    with_work_options,
)
from oddsmith.cli.reviewing import print_review, write_transcript
from oddsmith.cli.terminal import print_styled

if TYPE_CHECKING:
    from oddsmith.ruleset import Action, ChanceResult, Rules, State, Step, TranscriptRecord
    from oddsmith.solve import NamedPolicy


@dataclass(frozen=True, kw_only=True)
class PlayOptions:
    """The options of ``play``."""

    ruleset: str | None
    settings: SettingOptions = shared_option_field(
        settings_options(ruleset_required=False)
    )  # --verify finds it by the id that the transcript names
    humans: tuple[int, ...] = option_field(
        "--human", multiple=True, type=int, metavar="SEAT", help="Put a seat at the keyboard (default: 1). Repeatable."
    )
    watch: bool = option_field("--watch", is_flag=True, help="Put no seat at the keyboard, and watch the others play.")
    hints: bool = option_field("--hints", is_flag=True, help="Show what every action is worth before you choose.")
    seed: int | None = option_field("--seed", type=int, help="Make the dice repeatable.")
    transcript: Path | None = option_field(
        "--transcript",
        type=click.Path(dir_okay=False, path_type=Path),
        metavar="FILE",
        help="Write a transcript of the game once it is over.",
    )
    verify: Path | None = option_field(
        "--verify",
        type=click.Path(exists=True, dir_okay=False, path_type=Path),
        metavar="FILE",
        help="Play nothing, and check a transcript against the rules of RULESET (or of the shipped game that it names).",
    )
    review: Path | None = option_field(
        "--review",
        type=click.Path(exists=True, dir_okay=False, path_type=Path),
        metavar="FILE",
        help="Play nothing, and say what each roll of a transcript brought, and what each choice cost.",
    )
    digits: int = shared_option_field(digits_option(4, 100))
    as_json: bool = shared_option_field(json_option("Print the review as JSON, with all fractions."))
    work: Work = shared_option_field(with_work_options)


@click.command()
@with_options(PlayOptions)
def play(options: PlayOptions) -> int:
    """Play a game in the terminal.

    Seats that are not at the keyboard use best play, or the policy that --policy names. Type ? for advice, or q to stop.
    --review shows how each roll and each choice of a recorded play changed the value of the game to every seat. The value at
    the start and all changes add up to the result. The record is from --transcript or from a virtual table. RULESET is needed
    if the game is not a shipped one.

    \b
    Example:
      oddsmith play rogues-gambit --seats 2 --watch --seed 7 --transcript game.json
      oddsmith play --verify game.json
      oddsmith play --review game.json
    """
    if options.verify is not None:
        return _print_verification(options.verify, options.ruleset)
    if options.review is not None:
        record, loaded = _open_transcript(options.review, options.ruleset)
        return print_review(record, loaded, options.settings.objective, options.digits, options.as_json)
    if options.as_json:
        raise click.UsageError("--json is for --review")
    if options.ruleset is None:
        raise click.UsageError("Missing argument 'RULESET'.")
    settings = options.settings.chosen_game(options.ruleset)
    named = settings.policies or {}
    seats = () if options.watch else options.humans or (1,)
    if LoadedRuleset.open(options.ruleset).ruleset.has_secrets:
        from oddsmith.cli.secret_play import play_secret_game

        return play_secret_game(settings, seats, options.hints, options.seed, options.transcript, options.work)
    clash = sorted(set(seats) & set(named))
    if clash:
        raise click.UsageError(f"seat {clash[0]} cannot be at the keyboard and play a policy")
    alone = replace(settings, policies={})
    answered = solve_game(alone, work=options.work)
    game = answered.game
    if any(not 1 <= seat <= game.seats for seat in (*seats, *named)):
        raise click.UsageError(f"seats are 1 to {game.seats}")
    table = TerminalGame(
        answered,
        {seat - 1 for seat in seats},
        {seat - 1: name for seat, name in named.items()},
        options.hints,
        options.seed,
    )
    table.play()
    if options.transcript is not None:
        write_transcript(options.transcript, table.writer.data(table.state), game, options.ruleset)
    return 0


def _print_verification(file: Path, ruleset: str | None) -> int:
    """Check a transcript, print its result, and return the exit code. Raises TranscriptError if it is refused."""
    from oddsmith.report.english import plain_name
    from oddsmith.ruleset import verify_transcript

    record, loaded = _open_transcript(file, ruleset)
    try:
        verified = verify_transcript(record, loaded.ruleset)
    except TranscriptError as error:
        raise TranscriptError(str(file), str(error)) from None
    sizes = f"{plural(record.seats, 'seat')}, {plural(verified.entry_count, 'move')}"
    click.echo(f"{record.game_id}, {sizes}: every roll is possible and every move is legal")
    if verified.payoffs is None:
        click.echo(
            f"  not over: {loaded.ruleset.seat_name(verified.state.mover)} is to move, in {plain_name(verified.state.phase)}"
        )
        return 0
    click.echo("  the game is over:")
    for name, paid in verified.payoffs.items():
        shown = ", ".join(f"{loaded.ruleset.seat_name(seat)} {value}" for seat, value in enumerate(paid))
        click.echo(f"  {plain_name(name)}: {shown}")
    return 0


def _open_transcript(file: Path, ruleset: str | None) -> tuple[TranscriptRecord, LoadedRuleset]:
    """Read a transcript, and open the ruleset by which it was played. Raises TranscriptError."""
    from oddsmith.base.files import shipped_rulesets
    from oddsmith.ruleset import read_transcript

    try:
        record = read_transcript(file.read_bytes())
        if ruleset is None and record.game_id not in shipped_rulesets():
            raise TranscriptError("game", f"{record.game_id!r} is no shipped game: name its RULESET as well")
    except TranscriptError as error:
        raise TranscriptError(str(file), str(error)) from None
    return record, LoadedRuleset.open(ruleset or record.game_id)


class TerminalGame:
    """A game in progress in the terminal."""

    def __init__(
        self,
        answered: SolvedGame,
        human_seats: set[int],
        policy_names: dict[int, str],
        shows_hints: bool,
        seed: int | None,
    ) -> None:
        from oddsmith.ruleset import Rules, TranscriptWriter
        from oddsmith.solve import NamedPolicy

        self.answered, self.humans, self.hints, self.game = answered, human_seats, shows_hints, answered.game
        self.rules: Rules = Rules(self.game, with_words=True)
        self.state: State = self.rules.start()
        self.writer = TranscriptWriter(self.rules)
        self.named: dict[int, NamedPolicy] = {seat: NamedPolicy(self.game, name) for seat, name in policy_names.items()}
        self.random = random.Random(seed)  # noqa: S311 - dice of a game, to be repeated by their seed

    def play(self) -> None:
        """Play to the end, or until a player stops."""
        from oddsmith.ruleset import played_moves, random_result_picker

        print_styled(self.game.ruleset.title, bold=True)
        self.print_turn(self.state)
        for move in played_moves(self.rules, self.choose, random_result_picker(self.random)):
            self.writer.add(move)
            if move.chance_result is not None:
                self.print_roll(move.chance_result, move.step)
            elif move.step.in_words_after_option_name:
                click.echo(f"  {move.step.in_words_after_option_name}")
            self.state = move.step.state
            if self.state.phase and (move.step.turn_over or self.state.mover != move.state.mover):
                self.print_turn(self.state)
        click.echo("\nThe game is over.")
        for name in self.game.ruleset.payoffs:
            paid = self.rules.payoffs(self.state, name)
            click.echo(f"  {name}: " + ", ".join(f"{self.seat_label(seat)} {value}" for seat, value in enumerate(paid)))

    def print_turn(self, state: State) -> None:
        """Print whose turn it is, and the variables that players see."""
        click.echo(f"\n{self.seat_label(state.mover)} to move; {self.visible_variables_text(state)}")

    def print_roll(self, chance_result: ChanceResult, step: Step) -> None:
        """Print the result of a roll or draw, and what it led to."""
        phases = self.game.ruleset.phases.values()
        drawn = {throw.name for phase in phases for throw in phase.rolls_and_draws if throw.kind == "draw"}
        shown = ", ".join(f"{name} {self.game.value_text(value)}" for name, value in chance_result.values)
        verb = "draws" if all(name in drawn for name, _ in chance_result.values) else "rolls"
        click.echo(f"  {verb} {shown}" + (f": {step.in_words}" if step.in_words else ""))

    def seat_label(self, seat: int) -> str:
        """Return the name of a seat, with who plays it."""
        policy = self.named.get(seat)
        return self.game.ruleset.seat_name(seat) + (
            " (you)" if seat in self.humans else f" ({policy.name if policy else 'best play'})"
        )

    def visible_variables_text(self, state: State) -> str:
        """Return the variables that players see, with their values, as text."""
        shown = []
        for where, cell in enumerate(self.game.cells):
            if not cell.variable.is_hidden:
                shown.append(self.game.cell_in_words(where, state.cells[where], cell.display_name))
        return ", ".join(shown)

    def choose(self, state: State, actions: list[Action]) -> int:
        """Return the index of the action that the player to move chooses."""
        if state.mover in self.humans:
            return self.ask_player(state, actions)
        policy = self.named.get(state.mover)
        place = (
            policy.choose_action_index(state, actions)
            if policy
            else self.answered.sampled_action_index(state, self.random.random())
        )
        click.echo(f"  chooses {self.rules.action_in_words(state, actions[place])}")
        return place

    def ask_player(self, state: State, actions: list[Action]) -> int:
        """Ask the player at the keyboard, and return the index of the chosen action."""
        click.echo(f"  now {self.visible_variables_text(state)}")
        if label := self.game.ruleset.phases[state.phase].label:
            click.echo(f"  {label}")
        for number, action in enumerate(actions, 1):
            click.echo(f"    {number}. {self.rules.action_in_words(state, action)}")
        if self.hints:
            self.print_advice(state)
        while True:
            words = click.prompt("  your choice", default="1" if len(actions) == 1 else None).strip().lower()
            if words == "?":
                self.print_advice(state)
            elif words in ("q", "quit"):
                raise click.Abort
            elif 1 <= (number := whole_number(words) or 0) <= len(actions):
                return number - 1
            else:
                click.echo(f"  type 1 to {len(actions)}, ? for advice, or q to stop")

    def print_advice(self, state: State) -> None:
        """Print for each action its value to the player to move, and its loss against the best action."""
        words = option_words(self.answered)
        for each in self.answered.advise(state):
            loss = "best" if each.best else f"loses {each.loss.decimal(4)}"
            click.echo(f"      {words(each.action)}: {each.value.decimal(4)}, {loss}")
