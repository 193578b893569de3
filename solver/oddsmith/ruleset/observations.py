"""Play as each seat sees it: what can happen in a position, and what every seat learns by it.

Everybody sees which phase it is, who is to move and who is out. The seats of ``seen_by`` see what is rolled, drawn or
chosen, and the player who chooses sees the choice. Choices at once are made one after the other here, unseen by the other
seats until all have chosen. An effect may reveal a value. What a seat has seen since the start gives its information set
(Osborne and Rubinstein, A Course in Game Theory, section 11.1): the positions that it cannot distinguish. A seat remembers
everything, so every game has perfect recall.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, cast

from oddsmith.base.dice import Hand
from oddsmith.ruleset.game import Game
from oddsmith.ruleset.model.phases import Entry
from oddsmith.ruleset.rules import Action, ChanceResult, Rules, State, Step

MOST_RESULTS = 6
"""Results of chance with the same consequences that are listed one by one in words."""


@dataclass(frozen=True, slots=True)
class ObservedPosition:
    """A position with the choices made so far by seats that choose at once: a state, and (seat, item) for each."""

    state: State
    chosen: tuple[tuple[int, Any], ...] = ()


@dataclass(frozen=True, slots=True)
class CountedEvents:
    """The events of a step that measures count: its entries, as (phase, entry), whether a turn ended, whether dice were
    rolled.
    """

    entries: tuple[tuple[str, str], ...] = ()
    turn_over: bool = False
    rolled: bool = False


@dataclass(frozen=True, slots=True)
class ObservedMove:
    """One possible move of chance or of a seat, and the position after it.

    ``label``: the action, the chosen item, or the results of chance with the same consequences. ``chance``: its probability
    where chance decides, else 1. ``seen``: what each seat learns by it. ``common``: what all seats learn. ``events``: what
    measures count in it, with probabilities that add up to ``chance``.
    """

    label: Hashable
    chance: Fraction
    after: ObservedPosition
    seen: tuple[Hashable, ...]
    common: Hashable
    events: Mapping[CountedEvents, Fraction]


@dataclass(frozen=True, slots=True)
class PossibleMoves:
    """Everything that can happen in a position. ``seat`` chooses; None: chance decides. Empty when the game is over."""

    seat: int | None
    occurrences: tuple[ObservedMove, ...]


Learned = tuple[frozenset[int] | None, tuple[Hashable, ...]]
"""An observation, after the seats that make it; None for all seats. Who makes one sees who else does: what a seat has seen
ends in all seats that saw it, if these are not all seats of the game.

An observation begins with a word: ``thrown`` with the results of the same consequences, each as values by name; ``chose``
with the seat, the phase and the action or item; ``revealed`` with the value; ``play`` with the phase, the mover and the seats
that are out.
"""


def find_occurrence(moves: PossibleMoves, thrown: ChanceResult, step: Step) -> int:
    """Return the index of the occurrence that a result of chance belongs to. ``step``: the step that it leads to.

    Of alike draws only one order is listed; another leads to the same position.
    """
    alike = [place for place, each in enumerate(moves.occurrences) if each.after.state == step.state]
    listed = (place for place in alike if thrown.values in cast("tuple[Any, ...]", moves.occurrences[place].label))
    return next(listed, alike[0])


class Observer:
    """Finds what can happen in any position of a game. Raises PlayError where a rule breaks.

    ``rules``: rules of the game to use, if not new ones.
    """

    def __init__(self, game: Game, rules: Rules | None = None) -> None:
        self.game, self.rules = game, rules or Rules(game)

    def start(self) -> ObservedPosition:
        """Return the first position."""
        return ObservedPosition(self.rules.start())

    def moves(self, situation: ObservedPosition) -> PossibleMoves:
        """Return everything that can happen in a position."""
        state = situation.state
        if not state.phase:
            return PossibleMoves(None, ())
        kind = self.rules.phase(state).kind
        if kind == "together":
            return self._simultaneous_moves(situation)
        sees = self.rules.seen_by(state)
        if kind == "choose":
            actions = self.rules.actions(state)
            sees = sees | {state.mover}
            return PossibleMoves(state.mover, tuple(self._action_occurrence(state, sees, action) for action in actions))
        return PossibleMoves(None, tuple(self._chance_occurrences(state, sees)))

    def _action_occurrence(self, state: State, sees: frozenset[int], action: Action) -> ObservedMove:
        step = self.rules.choose(state, action)
        learned: Learned = (sees, ("chose", state.mover, state.phase, action))
        return self._step_occurrence(action, step, learned, {CountedEvents(step.events, step.turn_over): Fraction(1)})

    def _chance_occurrences(self, state: State, sees: frozenset[int]) -> Iterator[ObservedMove]:
        """Yield the results of chance. Those with the same consequences are one occurrence."""
        outcomes, total = self.rules.weighted_chance_results(state)
        alike: dict[tuple[State, Any], tuple[Step, list[Any], dict[CountedEvents, Fraction]]] = {}
        for weight, thrown in outcomes:
            step = self.rules.resolve(state, thrown)
            _, results, events = alike.setdefault((step.state, step.shown), (step, [], {}))
            results.append(thrown.values)
            rolled = any(isinstance(value, Hand) and bool(value) for _, value in thrown.values)
            event = CountedEvents(step.events, step.turn_over, rolled)
            events[event] = events.get(event, Fraction(0)) + Fraction(weight, total)
        for step, results, events in alike.values():
            label = tuple(results)
            yield self._step_occurrence(label, step, (sees, ("thrown", label)), events)

    def _simultaneous_moves(self, situation: ObservedPosition) -> PossibleMoves:
        offers = self.rules.offers(situation.state)
        seat = list(offers)[len(situation.chosen)]
        return PossibleMoves(
            seat, tuple(self._simultaneous_choice(situation, seat, item, len(offers)) for item in offers[seat])
        )

    def _simultaneous_choice(self, situation: ObservedPosition, seat: int, item: Any, seats: int) -> ObservedMove:
        chosen = (*situation.chosen, (seat, item))
        phase = situation.state.phase
        own: Learned = (frozenset((seat,)), ("chose", seat, phase, item))
        if len(chosen) < seats:
            return self._occurrence(item, replace(situation, chosen=chosen), [own], {CountedEvents(): Fraction(1)})
        step = self.rules.choose_together(situation.state, dict(chosen))
        shown: list[Learned] = [(None, ("chose", each, phase, picked)) for each, picked in chosen]
        events = {CountedEvents(step.events, step.turn_over): Fraction(1)}
        return self._occurrence(item, ObservedPosition(step.state), [*shown, *self._arrival(step)], events)

    def _step_occurrence(
        self, label: Hashable, step: Step, learned: Learned, events: Mapping[CountedEvents, Fraction]
    ) -> ObservedMove:
        return self._occurrence(label, ObservedPosition(step.state), [learned, *self._arrival(step)], events)

    def _arrival(self, step: Step) -> list[Learned]:
        """Return what seats learn after a step: the values that effects revealed, and the phase and mover that follow."""
        state = step.state
        shown: list[Learned] = [(who, ("revealed", value)) for who, value in step.shown]
        return [*shown, (None, ("play", state.phase, state.mover, state.out))]

    def _occurrence(
        self, label: Hashable, after: ObservedPosition, learned: list[Learned], events: Mapping[CountedEvents, Fraction]
    ) -> ObservedMove:
        seats = range(self.game.seats)
        everybody = frozenset(seats)
        told = [(None if who is None or everybody <= who else who, what) for who, what in learned]
        seen = tuple(
            tuple(
                what if who is None else (*what, tuple(sorted(who))) for who, what in told if who is None or seat in who
            )
            for seat in seats
        )
        common = tuple(what for who, what in told if who is None)
        return ObservedMove(label, sum(events.values(), Fraction(0)), after, seen, common, events)


def label_words(game: Game, situation: ObservedPosition, label: Any) -> str:
    """Return the label of an occurrence in words."""
    if isinstance(label, Action):
        entry, first = (
            game.ruleset.phases[situation.state.phase].entries[label.entry],
            game.first_side(situation.state.cells),
        )
        if len(label.binding) == 1 and not _loops_over_seats(entry):
            return f"{label.name} {game.value_text(label.binding[0][1])}"
        return game.option_text(entry, label.binding, first)
    if isinstance(label, tuple):
        return results_in_words(game, label)
    return game.value_text(label)


def results_in_words(game: Game, results: Sequence[Sequence[tuple[str, Any]]], dice: bool = False) -> str:
    """Return results of chance with the same consequences in words, such as ``dice 1 5 or 2 4``.

    Of several dice of which the rules read the total alone, it is the total, unless ``dice``: ``dice total 6``.
    """

    def shown(name: str, value: Any) -> str:
        added = not dice and name in game.totalled and isinstance(value, Hand) and len(value) > 1
        return f"total {game.value_text(sum(value.faces))}" if added else game.value_text(value)

    if all(len(result) == 1 for result in results):
        name = f"{results[0][0][0]} "
        ways = [shown(*result[0]) for result in results]
    else:
        name, ways = "", [", ".join(f"{name} {shown(name, value)}" for name, value in result) for result in results]
    ways = list(dict.fromkeys(ways))
    more = f" or {len(ways) - MOST_RESULTS + 1} others" if len(ways) > MOST_RESULTS else ""
    return name + " or ".join(ways[: MOST_RESULTS - 1] if more else ways) + more


def _loops_over_seats(entry: Entry) -> bool:
    """Return whether an option has a loop over seats."""
    return any(items.type.item is not None and items.type.item.kind == "seat" for _, items in entry.loops)
