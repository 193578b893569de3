"""A game with secrets in the terminal. Each seat sees only what the rules let it see, and best play mixes its actions."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path
from typing import Any, cast

import click

from oddsmith.api import SecretGame
from oddsmith.base.errors import SolveError, TooManyStatesError
from oddsmith.base.exact import decimal_text, whole_number
from oddsmith.base.executors import Work
from oddsmith.cli.common import ChosenGame, solve_game
from oddsmith.cli.reviewing import write_transcript
from oddsmith.cli.terminal import say
from oddsmith.report.english import OptionWords
from oddsmith.ruleset import (
    Action,
    Game,
    ObservedMove,
    ObservedPosition,
    Observer,
    PossibleMoves,
    TranscriptWriter,
    index_of_chance_move,
    label_words,
    random_pick,
)
from oddsmith.solve import NamedPolicy, objective_name, refuse_reads_of_unseen
from oddsmith.solve.extensive import (
    SecretSolution,
    UnfinishedPlay,
    common_knowledge_wordings,
    learned_fact_texts,
    public_cell_texts,
)

OUTSIDE = -1
"""No seat, for whom the choices of all seats are those of others, and named by seat."""
FIELDS = {"thrown": 2, "chose": 4, "revealed": 2}
"""The fields of an observation that is put into words. What follows them are the seats that make it."""
MAX_SEATS = 2
"""Seats of a game with secrets that can be solved."""
UNSEEN_LOOKS = 5_000
"""Positions in which a policy is tried before a game, whether it looks at what its player has not seen."""


def play_secret_game(
    chosen: ChosenGame, humans: Sequence[int], hints: bool, seed: int | None, transcript: Path | None, work: Work
) -> int:
    """Play a game with secrets in the terminal, and return the exit code.

    ``humans``: the seats at the keyboard, from 1. ``hints``: whether to show advice before each choice. ``seed``: the
    seed of the dice, None for a random one. ``transcript``: the file for the transcript, None for no file.
    """
    game, named = chosen.game, chosen.policies
    if any(not 1 <= seat <= game.seats for seat in (*humans, *named)):
        raise click.UsageError(f"seats are 1 to {game.seats}")
    if clash := sorted(set(humans) & set(named)):
        raise click.UsageError(f"seat {clash[0]} cannot be at the keyboard and play a policy")
    objective = objective_name(game, chosen.setting.objective)
    refuse_reads_of_unseen(game, objective, sorted(set(named.values())), UNSEEN_LOOKS)
    table = SecretTerminalGame(
        game,
        _solution_if_needed(replace(chosen, policies={}), game, {*humans, *named}, work),
        {seat - 1 for seat in humans},
        {seat - 1: NamedPolicy(game, name) for seat, name in named.items()},
        hints,
        seed,
    )
    table.play()
    if transcript is not None:
        write_transcript(transcript, table.writer.data(table.situation.state), game, chosen.ruleset)
    return 0


def _solution_if_needed(chosen: ChosenGame, game: Game, taken: set[int], work: Work) -> SecretSolution | None:
    """Solve a game, and return the solution. ``taken``: the seats at the keyboard or with a policy, from 1.

    If the game cannot be solved, return None if all seats are taken, and raise click.UsageError if not. A game of at most
    MAX_SEATS seats that is not too large raises SolveError. If all seats are taken, the solution only serves advice, and
    whoever interrupts it plays without.
    """
    open_seats = [seat for seat in range(1, game.seats + 1) if seat not in taken]
    if not open_seats:
        click.echo("The game is solved for advice. Ctrl-C plays without it.", err=True)
    try:
        answered = solve_game(chosen, work=work)
    except KeyboardInterrupt:
        if open_seats:
            raise
        return None
    except (SolveError, TooManyStatesError) as error:
        if not open_seats:
            return None
        if isinstance(error, TooManyStatesError) or game.seats > MAX_SEATS:
            ask = f"name a policy for seat {open_seats[0]}, such as --policy '{open_seats[0]}=NAME'"
            raise click.UsageError(f"{str(error).partition(':')[0]}: {ask}") from None
        raise
    assert isinstance(answered, SecretGame)
    return answered.secrets


@dataclass(frozen=True)
class LoggedMove:
    """One move of a game.

    ``before``: the position before it. ``moves``: all that was possible there. ``event``: what happened. ``asked``:
    whether a person was asked for it, and so knows it.
    """

    game: Game
    before: ObservedPosition
    moves: PossibleMoves
    event: ObservedMove
    asked: bool = False

    def seen_by(self, seat: int) -> list[str]:
        """Return, in words, what a seat may know of the move when it happens, without a choice for which it was asked.

        That another seat rolls, draws or chooses is known from the phase, so it is said, without the result.
        """
        together = self._simultaneous()
        known = self._observations(seat)
        own = self.asked and seat == self.moves.seat and not together
        lines = self._in_words([each for each in known if not own or each[0] != "chose"])
        if together or seat == self.moves.seat or any(kind in ("thrown", "chose") for kind, *_ in known):
            return lines
        return [f"{self._who()}: a {self._what()} that stays covered", *lines]

    def in_full(self) -> list[str]:
        """Return, in words, everything that happened. Simultaneous choices are told with the last of them."""
        if self._pending():
            return []
        found: list[Any] = [] if self.moves.seat is not None else [("thrown", self.event.label)]
        for seat in range(self.game.seats):
            known = [each for each in self._observations(seat) if each[0] != "thrown"]
            found += (Counter(known) - Counter(found)).elements()
        return self._in_words(sorted(found, key=lambda each: each[0] == "revealed"))

    def hidden_from(self, seat: int) -> bool:
        """Return whether something of the move is not shown to a seat when it happens."""
        return bool(Counter(self.in_full()) - Counter(replace(self, asked=False).seen_by(seat)))

    def _observations(self, seat: int) -> list[tuple[Any, ...]]:
        """Return what a seat observes, as it is put into words: without the seats that observe it."""
        seen = cast("Sequence[tuple[Any, ...]]", self.event.seen[seat])
        if self._pending():
            return []  # all choices are shown with the last of them
        return [each[: FIELDS[each[0]]] for each in seen if each[0] in FIELDS]

    def _simultaneous(self) -> bool:
        return self.game.ruleset.phases[self.before.state.phase].kind == "together"

    def _pending(self) -> bool:
        """Return whether this is a simultaneous choice that is not yet shown."""
        return self.event.common == ()

    def _in_words(self, observations: Sequence[tuple[Any, ...]]) -> list[str]:
        return [
            f"{self._lead(kind)}{words}"
            for kind, *what in observations
            for words in learned_fact_texts(self.game, OUTSIDE, self.before, ((kind, *what),))
        ]

    def _lead(self, kind: str) -> str:
        if kind == "thrown":
            return f"{self._who()} {self._what()}s "
        return "shown: " if kind == "revealed" else ""

    def _who(self) -> str:
        return self.game.ruleset.seat_name(self.before.state.mover)

    def _what(self) -> str:
        if self.moves.seat is not None:
            return "choice"
        kinds = {each.kind for each in self.game.ruleset.phases[self.before.state.phase].rolls_and_draws}
        return "draw" if kinds == {"draw"} else "roll"


class SecretTerminalGame:
    """A game with secrets in progress in the terminal. ``named``: the policies of seats that follow one."""

    def __init__(
        self,
        game: Game,
        solution: SecretSolution | None,
        humans: set[int],
        named: Mapping[int, NamedPolicy],
        hints: bool,
        seed: int | None,
    ) -> None:
        self.solution, self.humans, self.named, self.hints, self.game = solution, humans, named, hints, game
        self.random = random.Random(seed)  # noqa: S311 - dice of a game, to be repeated by their seed
        self.observer, self.at_keyboard = Observer(self.game), -1
        self.situation = self.observer.start()
        self.writer = TranscriptWriter(self.observer.rules)
        self.say = OptionWords(self.game, self.game.ruleset.player_name)
        self.seen: list[list[str]] = [[] for _ in range(self.game.seats)]
        self.unread: dict[int, list[str]] = {seat: [] for seat in humans}
        self.log: list[LoggedMove] = []

    def play(self) -> None:
        """Play to the end, or until a player stops."""
        say(self.game.ruleset.title, bold=True)
        course = UnfinishedPlay(self.solution, self.situation) if self.solution else None
        while (moves := self.observer.moves(self.situation)).occurrences:
            if moves.seat is None:
                taken = self.roll_and_record(moves)
            else:
                taken = self.choose(moves.seat, moves.occurrences, course)
                self.record_choice(moves.seat, moves.occurrences[taken].label)
            event = moves.occurrences[taken]
            asked = moves.seat in self.humans and len(moves.occurrences) > 1
            self.record_observations(LoggedMove(self.game, self.situation, moves, event, asked))
            course = course.after_move(event) if course else None
            self.situation = event.after
        self.print_end(self.situation)

    def roll_and_record(self, moves: PossibleMoves) -> int:
        """Roll dice, or draw items. Record the result, and return its index among the possible moves."""
        state, rules = self.situation.state, self.observer.rules
        thrown = rules.pick_chance_result(state, random_pick(self.random))
        self.writer.add_chance_result(state, thrown)
        return index_of_chance_move(moves, thrown, rules.resolve(state, thrown))

    def record_choice(self, seat: int, label: Any) -> None:
        """Record the choice of a seat."""
        if isinstance(label, Action):
            self.writer.add_choice(self.situation.state, label)
        else:
            self.writer.add_item(self.situation.state, seat, label)

    def draw_index(self, chances: Sequence[Fraction]) -> int:
        """Draw an index at random by the given probabilities."""
        left = Fraction(self.random.random()) * sum(chances)
        for place, chance in enumerate(chances):
            left -= chance
            if left < 0:
                return place
        return len(chances) - 1

    def record_observations(self, move: LoggedMove) -> None:
        """Record what each seat learns by a move, and print what whoever is at the terminal may know.

        One person, or those who only watch, read it at once. Several read it in turn, each when asked to choose.
        """
        for seat in range(self.game.seats):
            self.seen[seat] += learned_fact_texts(self.game, seat, move.before, move.event.seen[seat])
        self.log.append(move)
        for seat, unread in self.unread.items():
            unread.extend(move.seen_by(seat))
        if not self.humans:
            self.print_lines(move.in_full())
        elif len(self.humans) == 1:
            self.print_unread(*self.humans)

    def print_unread(self, seat: int) -> None:
        """Print all that a person may know and has not read yet."""
        self.print_lines(self.unread[seat])
        self.unread[seat].clear()

    def print_lines(self, lines: Sequence[str]) -> None:
        """Print what happened, line by line."""
        for line in lines:
            click.echo(f"  {self.say(line)}")

    def choose(self, seat: int, may: Sequence[ObservedMove], course: UnfinishedPlay | None) -> int:
        """Return the index of the action that a seat chooses."""
        names = [label_words(self.game, self.situation, each.label) for each in may]
        if len(may) == 1:
            return 0
        if seat in self.humans:
            return self.ask_player(seat, names, course)
        if seat in self.named:
            return self.choice_of_policy(self.named[seat], may)
        assert course is not None  # else every other seat follows a policy
        decision = course.decision(seat)
        return self.draw_index([decision.chances[name] for name in names])

    def choice_of_policy(self, policy: NamedPolicy, may: Sequence[ObservedMove]) -> int:
        """Return the index of the action that a policy takes.

        Policies do not decide simultaneous choices. In such a choice, the index is random.
        """
        actions = [each.label for each in may if isinstance(each.label, Action)]
        return policy.choose_action_index(self.situation.state, actions) if actions else self.random.randrange(len(may))

    def ask_player(self, seat: int, names: Sequence[str], course: UnfinishedPlay | None) -> int:
        """Ask the player at the keyboard, who sees what the seat sees, and return the index of the chosen action."""
        if len(self.humans) > 1 and self.at_keyboard != seat:
            click.pause(
                f"  The next to choose is {self.game.ruleset.seat_name(seat)}. Press a key when nobody else looks."
            )
            click.clear()
        self.at_keyboard = seat
        self.print_unread(seat)
        phase = self.game.ruleset.phases[self.situation.state.phase]
        seen, table = self.seen[seat], list[str]()
        if course is not None:
            root, decision = course.subgame_root_and_decision(seat)
            table, seen = (
                public_cell_texts(self.game, root),
                list(decision.known[len(common_knowledge_wordings(self.game, root)) :]),
            )
        click.echo(
            f"\n{self.game.ruleset.seat_name(seat)} to choose" + (f"; at first: {', '.join(table)}" if table else "")
        )
        click.echo(f"  seen: {' · '.join(self.say.worded_each(seen)) or 'nothing yet'}")
        click.echo(f"  {phase.label or phase.name}")
        for number, name in enumerate(names, 1):
            click.echo(f"    {number}. {self.say(name, phase.name)}")
        if self.hints:
            self.print_advice(seat, course)
        while True:
            words = click.prompt("  your choice").strip().lower()
            if words == "?":
                self.print_advice(seat, course)
            elif words in ("q", "quit"):
                raise click.Abort
            elif 1 <= (number := whole_number(words) or 0) <= len(names):
                if len(self.humans) > 1:
                    click.clear()
                return number - 1
            else:
                click.echo(f"  type 1 to {len(names)}, ? for advice, or q to stop")

    def print_advice(self, seat: int, course: UnfinishedPlay | None) -> None:
        """Print for every action the probability with which best play takes it, and its value against best play."""
        if course is None:
            click.echo(f"      no advice: this game is not solved at this setting, for {self.game.seats} seats")
            return
        decision = course.decision(seat)
        for name, chance in decision.chances.items():
            worth = "" if decision.worth is None else f", brings {decimal_text(decision.worth[name], 4)}"
            click.echo(f"      {self.say(name, decision.phase)}: {decimal_text(100 * chance, 1)} %{worth}")

    def print_end(self, situation: ObservedPosition) -> None:
        """Print everything that happened if somebody at the terminal does not know it, the whole position, and the payoff of
        each seat.
        """
        state, rules = situation.state, self.observer.rules
        click.echo("\nThe game is over.")
        if len(self.humans) > 1 or any(move.hidden_from(seat) for seat in self.humans for move in self.log):
            click.echo("  all that happened:")
            self.print_lines([f"  {line}" for move in self.log for line in move.in_full()])
        cells = zip(range(len(state.cells)), state.cells, self.game.cells, strict=True)
        shown = [
            self.game.cell_in_words(where, value, cell.display_name)
            for where, value, cell in cells
            if not cell.variable.hidden
        ]
        click.echo(f"  {', '.join(shown)}")
        for name in self.game.ruleset.payoffs:
            paid = enumerate(rules.payoffs(state, name))
            click.echo(
                f"  {name}: " + ", ".join(f"{self.game.ruleset.seat_name(seat)} {value}" for seat, value in paid)
            )
