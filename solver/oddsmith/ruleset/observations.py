"""Play as each seat observes it: the possible moves in a position, and what every seat learns by them.

All seats see the phase, the seat to move and the seats that are out. The seats of ``seen_by`` see the rolls, draws and
choices of a phase, and the seat that chooses sees its choice. Simultaneous choices are made one after the other here,
and no other seat sees them until all have chosen. An effect may reveal a value. The observations of a seat since the
start determine its information set (Osborne and Rubinstein, A Course in Game Theory, section 11.1): the positions that
it cannot distinguish. A seat remembers everything, so every game has perfect recall.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from typing import Any, cast

from oddsmith.base.dice import Hand
from oddsmith.ruleset.game import Game
from oddsmith.ruleset.model.phases import Entry
from oddsmith.ruleset.moves_in_words import (
    call_adding_move_to_error,
    chance_in_words,
    choice_in_words,
    simultaneous_choices_in_words,
)
from oddsmith.ruleset.rules import Action, ChanceResult, Rules, State, Step

MAX_RESULTS = 6
"""The largest number of results of chance with the same consequences that words list one by one."""


@dataclass(frozen=True, slots=True)
class ObservedPosition:
    """A position, including the simultaneous choices made so far. ``simultaneous_choices``: the choices, as (seat,
    item).
    """

    state: State
    simultaneous_choices: tuple[tuple[int, Any], ...] = ()


@dataclass(frozen=True, slots=True)
class CountedEvents:
    """The events of a step that measures count. ``entries``: the entries taken, as (phase, entry).

    ``turn_over``: whether a turn ended. ``dice_rolled``: whether dice were rolled.
    """

    entries: tuple[tuple[str, str], ...] = ()
    turn_over: bool = False
    dice_rolled: bool = False


@dataclass(frozen=True, slots=True)
class ObservedMove:
    """One possible move of chance or of a seat, and the position after it.

    ``label``: the action, the chosen item, or the results of chance with the same consequences. ``probability``: its
    probability if chance decides, else 1. ``observations``: for each seat, its observations. ``shared_observations``:
    the observations that all seats share. ``events``: the possible events that measures count, with probabilities that
    add up to ``probability``.
    """

    label: Hashable
    probability: Fraction
    successor: ObservedPosition
    observations: tuple[Hashable, ...]
    shared_observations: Hashable
    events: Mapping[CountedEvents, Fraction]


@dataclass(frozen=True, slots=True)
class PossibleMoves:
    """The possible moves in a position. ``seat``: the seat that chooses; None if chance decides.

    ``moves``: the moves; empty if the game is over.
    """

    seat: int | None
    moves: tuple[ObservedMove, ...]


ObservationBySeats = tuple[frozenset[int] | None, tuple[Hashable, ...]]
"""The seats that make an observation (None for all seats), and the observation. Seats that make it know who else makes
it: in ``ObservedMove.observations``, the observation ends with all seats that make it, unless these are all seats of
the game.

An observation begins with a word: ``thrown``, followed by the results of chance that have the same consequences, each
as values by name; ``chose``, by the seat, the phase, and the action or item; ``revealed``, by the value; ``play``, by
the phase, the mover, and the seats that are out.
"""


def index_of_chance_move(moves: PossibleMoves, chance_result: ChanceResult, step: Step) -> int:
    """Return the index of the move to which a result of chance belongs. ``step``: the step to which the result leads.

    Only one order of interchangeable draws is listed. A result in another order belongs to a move to the same position.
    """
    alike = [place for place, each in enumerate(moves.moves) if each.successor.state == step.state]
    listed = (place for place in alike if chance_result.values in cast("tuple[Any, ...]", moves.moves[place].label))
    return next(listed, alike[0])


class Observer:
    """Finds the possible moves in any position of a game. Its methods raise PlayError if a rule breaks.

    ``rules``: the rules of the game; None to compile them anew.
    """

    def __init__(self, game: Game, rules: Rules | None = None) -> None:
        self.game, self.rules = game, rules or Rules(game)

    def start(self) -> ObservedPosition:
        """Return the first position."""
        return ObservedPosition(self.rules.start())

    def possible_moves(self, situation: ObservedPosition) -> PossibleMoves:
        """Return the possible moves in a position."""
        state = situation.state
        if not state.phase:
            return PossibleMoves(None, ())
        kind = self.rules.phase(state).kind
        if kind == "together":
            return self._simultaneous_moves(situation)
        sees = self.rules.seats_that_see(state)
        if kind == "choose":
            actions = self.rules.actions(state)
            sees = sees | {state.mover}
            return PossibleMoves(state.mover, tuple(self._move_of_action(state, sees, action) for action in actions))
        return PossibleMoves(None, tuple(self._moves_of_chance(state, sees)))

    def _move_of_action(self, state: State, seeing_seats: frozenset[int], action: Action) -> ObservedMove:
        words = partial(choice_in_words, self.game, state, action)
        step = call_adding_move_to_error(words, self.rules.choose, state, action)
        learned: ObservationBySeats = (seeing_seats, ("chose", state.mover, state.phase, action))
        return self._move_of_step(action, step, learned, {CountedEvents(step.events, step.turn_over): Fraction(1)})

    def _moves_of_chance(self, state: State, seeing_seats: frozenset[int]) -> Iterator[ObservedMove]:
        """Yield the moves of chance. Results with the same consequences are one move."""
        outcomes, total = self.rules.weighted_chance_results(state)
        alike: dict[tuple[State, Any], tuple[Step, list[Any], dict[CountedEvents, Fraction]]] = {}
        for weight, thrown in outcomes:
            words = partial(move_in_words, self.game, ObservedPosition(state), None, (thrown.values,))
            step = call_adding_move_to_error(words, self.rules.resolve, state, thrown)
            _, results, events = alike.setdefault((step.state, step.revealed_values), (step, [], {}))
            results.append(thrown.values)
            rolled = any(isinstance(value, Hand) and bool(value) for _, value in thrown.values)
            event = CountedEvents(step.events, step.turn_over, rolled)
            events[event] = events.get(event, Fraction(0)) + Fraction(weight, total)
        for step, results, events in alike.values():
            label = tuple(results)
            yield self._move_of_step(label, step, (seeing_seats, ("thrown", label)), events)

    def _simultaneous_moves(self, situation: ObservedPosition) -> PossibleMoves:
        offers = self.rules.choosable_items_by_seat(situation.state)
        seat = list(offers)[len(situation.simultaneous_choices)]
        return PossibleMoves(
            seat, tuple(self._move_of_simultaneous_choice(situation, seat, item, len(offers)) for item in offers[seat])
        )

    def _move_of_simultaneous_choice(
        self, situation: ObservedPosition, seat: int, item: Any, choosing_seat_count: int
    ) -> ObservedMove:
        chosen = (*situation.simultaneous_choices, (seat, item))
        phase = situation.state.phase
        own: ObservationBySeats = (frozenset((seat,)), ("chose", seat, phase, item))
        if len(chosen) < choosing_seat_count:
            return self._observed_move(
                item, replace(situation, simultaneous_choices=chosen), [own], {CountedEvents(): Fraction(1)}
            )
        words = partial(simultaneous_choices_in_words, self.game, situation.state, dict(chosen))
        step = call_adding_move_to_error(words, self.rules.choose_together, situation.state, dict(chosen))
        shown: list[ObservationBySeats] = [(None, ("chose", each, phase, picked)) for each, picked in chosen]
        events = {CountedEvents(step.events, step.turn_over): Fraction(1)}
        return self._observed_move(
            item, ObservedPosition(step.state), [*shown, *self._observations_after_step(step)], events
        )

    def _move_of_step(
        self, label: Hashable, step: Step, observation: ObservationBySeats, events: Mapping[CountedEvents, Fraction]
    ) -> ObservedMove:
        return self._observed_move(
            label, ObservedPosition(step.state), [observation, *self._observations_after_step(step)], events
        )

    def _observations_after_step(self, step: Step) -> list[ObservationBySeats]:
        """Return what seats learn after a step: revealed values, the next phase, the next mover, and the seats out."""
        state = step.state
        shown: list[ObservationBySeats] = [(who, ("revealed", value)) for who, value in step.revealed_values]
        return [*shown, (None, ("play", state.phase, state.mover, state.seats_out_bits))]

    def _observed_move(
        self,
        label: Hashable,
        successor: ObservedPosition,
        observations_by_seats: list[ObservationBySeats],
        events: Mapping[CountedEvents, Fraction],
    ) -> ObservedMove:
        seats = range(self.game.seats)
        everybody = frozenset(seats)
        told = [(None if who is None or everybody <= who else who, what) for who, what in observations_by_seats]
        seen = tuple(
            tuple(
                what if who is None else (*what, tuple(sorted(who))) for who, what in told if who is None or seat in who
            )
            for seat in seats
        )
        common = tuple(what for who, what in told if who is None)
        return ObservedMove(label, sum(events.values(), Fraction(0)), successor, seen, common, events)


MAX_POSSIBLE_POSITIONS = 3_000
"""The most positions that are followed to find what a seat knows."""


@dataclass(frozen=True)
class SeatKnowledge:
    """What a seat knows of the position of a play, from its observations alone.

    ``possible``: all positions that fit them; None if they are too many to follow.
    """

    observer: Observer
    seat: int
    possible: frozenset[ObservedPosition] | None

    @staticmethod
    def at_start(observer: Observer, seat: int) -> SeatKnowledge:
        """Return what a seat knows as the game begins."""
        return SeatKnowledge(observer, seat, frozenset({observer.start()}))

    def after_move(self, move: ObservedMove) -> SeatKnowledge:
        """Return what the seat knows after a move."""
        seen, found = move.observations[self.seat], set[ObservedPosition]()
        for situation in self.possible or ():
            moves = self.observer.possible_moves(situation).moves
            found |= {each.successor for each in moves if each.observations[self.seat] == seen}
            if len(found) > MAX_POSSIBLE_POSITIONS:
                break
        known = self.possible is not None and len(found) <= MAX_POSSIBLE_POSITIONS
        return SeatKnowledge(self.observer, self.seat, frozenset(found) if known else None)

    @property
    def known_cells(self) -> dict[int, Any]:
        """The cells whose value the seat knows, by index, each with its value."""
        columns = zip(*(each.state.cells for each in self.possible or ()), strict=True)
        return {where: values[0] for where, values in enumerate(columns) if len(set(values)) == 1}


def move_in_words(game: Game, situation: ObservedPosition, seat: int | None, label: Any) -> str:
    """Return a move in words, such as ``seat 1 in roll: die 6``.

    ``situation``: the position before the move. ``seat``: the seat that chooses; None if chance decides. ``label``: the
    label of the move. The item of a simultaneous choice follows the items that other seats have chosen.
    """
    state = situation.state
    if seat is None:
        return chance_in_words(game, state, results_in_words(game, label))
    if isinstance(label, Action):
        return choice_in_words(game, state, label)
    return simultaneous_choices_in_words(game, state, dict(situation.simultaneous_choices) | {seat: label})


def label_in_words(game: Game, situation: ObservedPosition, label: Any) -> str:
    """Return the label of a move in words. ``situation``: the position before the move."""
    if isinstance(label, Action):
        entry, first = (
            game.ruleset.phases[situation.state.phase].entries[label.entry_index],
            game.seat_of_first_side(situation.state.cells),
        )
        if len(label.binding) == 1 and not _has_loop_over_seats(entry):
            return f"{label.name} {game.value_text(label.binding[0][1])}"
        return game.option_text(entry, label.binding, first)
    if isinstance(label, tuple):
        return results_in_words(game, label)
    return game.value_text(label)


def results_in_words(game: Game, results: Sequence[Sequence[tuple[str, Any]]], with_faces: bool = False) -> str:
    """Return results of chance with the same consequences in words, such as ``with_faces 1 5 or 2 4``.

    If the rules read only the total of several dice, the total is written, as in ``with_faces total 6``.
    ``with_faces``: whether the faces are written nevertheless.
    """

    def value_in_words(name: str, value: Any) -> str:
        added = not with_faces and name in game.rolls_read_only_as_total and isinstance(value, Hand) and len(value) > 1
        return f"total {game.value_text(sum(value.faces))}" if added else game.value_text(value)

    if all(len(result) == 1 for result in results):
        name = f"{results[0][0][0]} "
        ways = [value_in_words(*result[0]) for result in results]
    else:
        name, ways = (
            "",
            [", ".join(f"{name} {value_in_words(name, value)}" for name, value in result) for result in results],
        )
    ways = list(dict.fromkeys(ways))
    more = f" or {len(ways) - MAX_RESULTS + 1} others" if len(ways) > MAX_RESULTS else ""
    return name + " or ".join(ways[: MAX_RESULTS - 1] if more else ways) + more


def _has_loop_over_seats(entry: Entry) -> bool:
    """Return whether an option has a loop over seats."""
    return any(items.type.item is not None and items.type.item.kind == "seat" for _, items in entry.loops)
