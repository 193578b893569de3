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
from oddsmith.cli.terminal import print_styled
from oddsmith.report.english import OptionWords
from oddsmith.ruleset import (
    Action,
    Game,
    ObservedMove,
    ObservedPosition,
    Observer,
    PossibleMoves,
    Rules,
    SeatKnowledge,
    TranscriptWriter,
    index_of_chance_move,
    label_in_words,
    random_result_picker,
)
from oddsmith.solve import NamedPolicy, objective_name, refuse_reads_of_unseen
from oddsmith.solve.extensive import (
    SecretSolution,
    UnfinishedPlay,
    common_knowledge_wordings,
    learned_fact_texts,
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
    chosen: ChosenGame,
    human_seats: Sequence[int],
    shows_hints: bool,
    seed: int | None,
    transcript: Path | None,
    work: Work,
) -> int:
    """Play a game with secrets in the terminal, and return the exit code.

    ``human_seats``: the seats at the keyboard, from 1. ``shows_hints``: whether to show advice before each choice.
    ``seed``: the seed of the dice, None for a random one. ``transcript``: the file for the transcript, None for no
    file.
    """
    game, named = chosen.game, chosen.policies
    if any(not 1 <= seat <= game.seats for seat in (*human_seats, *named)):
        raise click.UsageError(f"seats are 1 to {game.seats}")
    if clash := sorted(set(human_seats) & set(named)):
        raise click.UsageError(f"seat {clash[0]} cannot be at the keyboard and play a policy")
    objective = objective_name(game, chosen.setting.objective)
    refuse_reads_of_unseen(game, objective, sorted(set(named.values())), UNSEEN_LOOKS)
    table = SecretTerminalGame(
        game,
        _solution_if_needed(replace(chosen, policies={}), game, {*human_seats, *named}, work),
        {seat - 1 for seat in human_seats},
        {seat - 1: NamedPolicy(game, name) for seat, name in named.items()},
        shows_hints,
        seed,
    )
    table.play()
    if transcript is not None:
        write_transcript(transcript, table.writer.data(table.situation.state), game, chosen.ruleset)
    return 0


def _solution_if_needed(chosen: ChosenGame, game: Game, taken_seats: set[int], work: Work) -> SecretSolution | None:
    """Solve a game, and return the solution. ``taken_seats``: the seats at the keyboard or with a policy, from 1.

    If the game cannot be solved, return None if all seats are taken, and raise click.UsageError if not. A game of at
    most MAX_SEATS seats that is not too large raises SolveError. If all seats are taken, the solution only serves
    advice, and whoever interrupts it plays without.
    """
    open_seats = [seat for seat in range(1, game.seats + 1) if seat not in taken_seats]
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
    return answered.secret_solution


@dataclass(frozen=True)
class LoggedMove:
    """One move of a game.

    ``position_before``: the position before it. ``possible_moves``: all that was possible there. ``actual_move``: what
    happened. ``was_asked``: whether a person was asked for it, and so knows it.
    """

    game: Game
    position_before: ObservedPosition
    possible_moves: PossibleMoves
    actual_move: ObservedMove
    was_asked: bool = False

    def lines_seen_by(self, seat: int) -> list[str]:
        """Return, in words, what a seat may know of the move when it happens, without a choice for which it was asked.

        That another seat rolls, draws or chooses is known from the phase, so it is said, without the result.
        """
        together = self._is_simultaneous()
        known = self._shown_observations(seat)
        own = self.was_asked and seat == self.possible_moves.seat and not together
        lines = self._observation_lines([each for each in known if not own or each[0] != "chose"])
        if together or seat == self.possible_moves.seat or any(kind in ("thrown", "chose") for kind, *_ in known):
            return lines
        return [f"{self._mover_name()}: a {self._move_noun()} that stays covered", *lines]

    def full_lines(self) -> list[str]:
        """Return, in words, everything that happened. Simultaneous choices are told with the last of them."""
        if self._is_pending():
            return []
        found: list[Any] = [] if self.possible_moves.seat is not None else [("thrown", self.actual_move.label)]
        for seat in range(self.game.seats):
            known = [each for each in self._shown_observations(seat) if each[0] != "thrown"]
            found += (Counter(known) - Counter(found)).elements()
        return self._observation_lines(sorted(found, key=lambda each: each[0] == "revealed"))

    def is_hidden_from(self, seat: int) -> bool:
        """Return whether something of the move is not shown to a seat when it happens."""
        return bool(Counter(self.full_lines()) - Counter(replace(self, was_asked=False).lines_seen_by(seat)))

    def _shown_observations(self, seat: int) -> list[tuple[Any, ...]]:
        """Return what a seat observes, as it is put into words: without the seats that observe it."""
        seen = cast("Sequence[tuple[Any, ...]]", self.actual_move.observations[seat])
        if self._is_pending():
            return []  # all choices are shown with the last of them
        return [each[: FIELDS[each[0]]] for each in seen if each[0] in FIELDS]

    def _is_simultaneous(self) -> bool:
        return self.game.ruleset.phases[self.position_before.state.phase].kind == "together"

    def _is_pending(self) -> bool:
        """Return whether this is a simultaneous choice that is not yet shown."""
        return self.actual_move.shared_observations == ()

    def _observation_lines(self, observations: Sequence[tuple[Any, ...]]) -> list[str]:
        return [
            f"{self._line_prefix(kind)}{words}"
            for kind, *what in observations
            for words in learned_fact_texts(self.game, OUTSIDE, self.position_before, ((kind, *what),))
        ]

    def _line_prefix(self, observation_kind: str) -> str:
        if observation_kind == "thrown":
            return f"{self._mover_name()} {self._move_noun()}s "
        return "shown: " if observation_kind == "revealed" else ""

    def _mover_name(self) -> str:
        return self.game.ruleset.seat_name(self.position_before.state.mover)

    def _move_noun(self) -> str:
        if self.possible_moves.seat is not None:
            return "choice"
        kinds = {each.kind for each in self.game.ruleset.phases[self.position_before.state.phase].rolls_and_draws}
        return "draw" if kinds == {"draw"} else "roll"


class SecretTerminalGame:
    """A game with secrets in progress in the terminal. ``policy_by_seat``: the policies of seats that follow one."""

    def __init__(
        self,
        game: Game,
        solution: SecretSolution | None,
        human_seats: set[int],
        policy_by_seat: Mapping[int, NamedPolicy],
        shows_hints: bool,
        seed: int | None,
    ) -> None:
        self.solution, self.humans, self.named, self.hints, self.game = (
            solution,
            human_seats,
            policy_by_seat,
            shows_hints,
            game,
        )
        self.random = random.Random(seed)  # noqa: S311 - dice of a game, to be repeated by their seed
        self.observer, self.at_keyboard = Observer(self.game, Rules(self.game, with_words=True)), -1
        self.knowledge = {seat: SeatKnowledge.at_start(self.observer, seat) for seat in human_seats}
        self.situation = self.observer.start()
        self.writer = TranscriptWriter(self.observer.rules)
        self.say = OptionWords(self.game, self.game.ruleset.player_name)
        self.seen: list[list[str]] = [[] for _ in range(self.game.seats)]
        self.unread: dict[int, list[str]] = {seat: [] for seat in human_seats}
        self.log: list[LoggedMove] = []

    def play(self) -> None:
        """Play to the end, or until a player stops."""
        print_styled(self.game.ruleset.title, bold=True)
        course = UnfinishedPlay(self.solution, self.situation) if self.solution else None
        while (moves := self.observer.possible_moves(self.situation)).moves:
            if moves.seat is None:
                taken = self.roll_and_record(moves)
            else:
                taken = self.choose(moves.seat, moves.moves, course)
                self.record_choice(moves.seat, moves.moves[taken].label)
            event = moves.moves[taken]
            asked = moves.seat in self.humans and len(moves.moves) > 1
            self.record_observations(LoggedMove(self.game, self.situation, moves, event, asked))
            course = course.after_move(event) if course else None
            self.knowledge = {seat: known.after_move(event) for seat, known in self.knowledge.items()}
            self.situation = event.successor
        self.print_end(self.situation)

    def roll_and_record(self, moves: PossibleMoves) -> int:
        """Roll dice, or draw items. Record the result, and return its index among the possible moves."""
        state, rules = self.situation.state, self.observer.rules
        thrown = rules.pick_chance_result(state, random_result_picker(self.random))
        self.writer.add_chance_result(state, thrown)
        return index_of_chance_move(moves, thrown, rules.resolve(state, thrown))

    def record_choice(self, seat: int, chosen_label: Any) -> None:
        """Record the choice of a seat."""
        if isinstance(chosen_label, Action):
            self.writer.add_choice(self.situation.state, chosen_label)
        else:
            self.writer.add_simultaneous_choice(self.situation.state, seat, chosen_label)

    def draw_index(self, probabilities: Sequence[Fraction]) -> int:
        """Draw an index at random by the given probabilities."""
        left = Fraction(self.random.random()) * sum(probabilities)
        for place, chance in enumerate(probabilities):
            left -= chance
            if left < 0:
                return place
        return len(probabilities) - 1

    def record_observations(self, move: LoggedMove) -> None:
        """Record what each seat learns by a move, and print what whoever is at the terminal may know.

        One person, or those who only watch, read it at once. Several read it in turn, each when asked to choose.
        """
        for seat in range(self.game.seats):
            self.seen[seat] += learned_fact_texts(
                self.game, seat, move.position_before, move.actual_move.observations[seat]
            )
        self.log.append(move)
        for seat, unread in self.unread.items():
            unread.extend(move.lines_seen_by(seat))
        if not self.humans:
            self.print_lines(move.full_lines())
        elif len(self.humans) == 1:
            self.print_unread_lines(*self.humans)

    def print_unread_lines(self, seat: int) -> None:
        """Print all that a person may know and has not read yet."""
        self.print_lines(self.unread[seat])
        self.unread[seat].clear()

    def print_lines(self, lines: Sequence[str]) -> None:
        """Print what happened, line by line."""
        for line in lines:
            click.echo(f"  {self.say(line)}")

    def choose(self, seat: int, possible_moves: Sequence[ObservedMove], in_play: UnfinishedPlay | None) -> int:
        """Return the index of the action that a seat chooses."""
        names = [label_in_words(self.game, self.situation, each.label) for each in possible_moves]
        if len(possible_moves) == 1:
            return 0
        if seat in self.humans:
            return self.ask_player(seat, list(map(self.move_text, possible_moves)), in_play)
        if seat in self.named:
            return self.choice_of_policy(self.named[seat], possible_moves)
        assert in_play is not None  # else every other seat follows a policy
        decision = in_play.decision(seat)
        return self.draw_index([decision.action_probabilities[name] for name in names])

    def choice_of_policy(self, policy: NamedPolicy, possible_moves: Sequence[ObservedMove]) -> int:
        """Return the index of the action that a policy takes.

        Policies do not decide simultaneous choices. In such a choice, the index is random.
        """
        actions = [each.label for each in possible_moves if isinstance(each.label, Action)]
        return (
            policy.choose_action_index(self.situation.state, actions)
            if actions
            else self.random.randrange(len(possible_moves))
        )

    def move_text(self, move: ObservedMove) -> str:
        """Return an action in words, with the ruleset's words for what it does."""
        state, label = self.situation.state, move.label
        if isinstance(label, Action) and self.game.ruleset.phases[state.phase].entries[label.entry_index].does:
            return self.observer.rules.action_in_words(state, label)
        return self.say(label_in_words(self.game, self.situation, label), state.phase)

    def ask_player(self, seat: int, action_texts: Sequence[str], in_play: UnfinishedPlay | None) -> int:
        """Ask the player at the keyboard, who sees what the seat sees, and return the index of the chosen action."""
        if len(self.humans) > 1 and self.at_keyboard != seat:
            click.pause(
                f"  The next to choose is {self.game.ruleset.seat_name(seat)}. Press a key when nobody else looks."
            )
            click.clear()
        self.at_keyboard = seat
        self.print_unread_lines(seat)
        phase = self.game.ruleset.phases[self.situation.state.phase]
        seen = self.seen[seat]
        if in_play is not None:
            root, decision = in_play.subgame_root_and_decision(seat)
            seen = list(decision.known_facts[len(common_knowledge_wordings(self.game, root)) :])
        known = [
            self.game.cell_in_words(where, value, self.game.cells[where].name_with_sides)
            for where, value in self.knowledge[seat].known_cells.items()
            if not self.game.cells[where].variable.is_hidden
        ]
        click.echo(f"\n{self.game.ruleset.seat_name(seat)} to choose" + (f"; now {', '.join(known)}" if known else ""))
        click.echo(f"  seen: {' · '.join(self.say.worded_each(seen)) or 'nothing yet'}")
        click.echo(f"  {phase.label or phase.name}")
        for number, text in enumerate(action_texts, 1):
            click.echo(f"    {number}. {text}")
        if self.hints:
            self.print_advice(seat, in_play)
        while True:
            words = click.prompt("  your choice").strip().lower()
            if words == "?":
                self.print_advice(seat, in_play)
            elif words in ("q", "quit"):
                raise click.Abort
            elif 1 <= (number := whole_number(words) or 0) <= len(action_texts):
                if len(self.humans) > 1:
                    click.clear()
                return number - 1
            else:
                click.echo(f"  type 1 to {len(action_texts)}, ? for advice, or q to stop")

    def print_advice(self, seat: int, in_play: UnfinishedPlay | None) -> None:
        """Print for every action the probability with which best play takes it, and its value against best play."""
        if in_play is None:
            click.echo(f"      no advice: this game is not solved at this setting, for {self.game.seats} seats")
            return
        decision = in_play.decision(seat)
        for name, chance in decision.action_probabilities.items():
            worth = (
                "" if decision.action_values is None else f", brings {decimal_text(decision.action_values[name], 4)}"
            )
            click.echo(f"      {self.say(name, decision.phase)}: {decimal_text(100 * chance, 1)} %{worth}")

    def print_end(self, situation: ObservedPosition) -> None:
        """Print everything that happened if somebody at the terminal does not know it, the whole position, and the payoff of
        each seat.
        """
        state, rules = situation.state, self.observer.rules
        click.echo("\nThe game is over.")
        if len(self.humans) > 1 or any(move.is_hidden_from(seat) for seat in self.humans for move in self.log):
            click.echo("  all that happened:")
            self.print_lines([f"  {line}" for move in self.log for line in move.full_lines()])
        cells = zip(range(len(state.cells)), state.cells, self.game.cells, strict=True)
        shown = [
            self.game.cell_in_words(where, value, cell.display_name)
            for where, value, cell in cells
            if not cell.variable.is_hidden
        ]
        click.echo(f"  {', '.join(shown)}")
        for name in self.game.ruleset.payoffs:
            paid = enumerate(rules.payoffs(state, name))
            click.echo(
                f"  {name}: " + ", ".join(f"{self.game.ruleset.seat_name(seat)} {value}" for seat, value in paid)
            )
