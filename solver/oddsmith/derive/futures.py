"""The rows of a state, derived by the one-state rules for every position that it stands for.

A position that is put before the rules holds an unknown in every cell that its state leaves out. So a row that comes
out of it is that of all positions with this state: a rule that looked would be seen. What is left to show is that
bounds of carried cells are never met, which :func:`unbounded` does, and that exchanging alike members and turning the
seats changes nothing: every arrangement is derived, and the seats are turned from state to state.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, assert_never

from oddsmith.derive.canonical import Canonical
from oddsmith.derive.unknown import Amount, Seen, Unknown
from oddsmith.errors import Signal
from oddsmith.expr import FALSE, SEAT, TRUE, Expr
from oddsmith.ruleset import Action, Cell, Game, Rules, State, Step
from oddsmith.ruleset.model import Add, Drop, Effect, Entry, ForItems, ForSeats, If, Let, Move, Set

Landing = tuple[int, int, tuple[Fraction | int, ...]]
"""The number of the state (-1 at the end), places the turn moves on, what each seat gets, counted from the mover."""
Chances = dict[Landing, Fraction]
"""The chance of every landing."""
Numbering = Callable[[State], int | None]
"""The number of a state; None for a state that the table does not hold."""

DAMAGED = (KeyError, IndexError, TypeError, ValueError, AttributeError, ZeroDivisionError)
"""What a rule may meet that takes an unknown for what it is not."""


@dataclass(frozen=True)
class Futures:
    """What follows a position: its legal actions (none where chance decides), and one row for each (or for chance).

    ``named``: the actions as the state has them, seats counted from the mover.
    """

    position: State
    actions: Sequence[Action]
    rows: Sequence[Chances]
    named: Sequence[Action] = ()


class Deriver:
    """Derives rows under one objective; ``steps`` counts what was put before the rules.

    Seen is raised where rows depend on what states leave out.
    """

    def __init__(self, game: Game, objective: str, canonical: Canonical, number: Numbering) -> None:
        self.canonical, self.objective, self.number = canonical, objective, number
        self.game, self.steps = _at_its_settings(unbounded(game, canonical)), 0
        self.rules = Rules(self.game)

    def position(self, state: State, mover: int) -> State:
        """A state as a position with this seat to move: unknown is what it leaves out."""
        cells = list(state.cells)
        for where in self.canonical.forgotten.get(state.phase, ()):
            cells[where] = Unknown(self.game.cells[where].name)
        for where in self.canonical.worth:
            cells[where] = Amount(self.game.cells[where].name, {where: 1})
        return self.canonical.seated(replace(state, cells=tuple(cells)), mover)

    def futures(self, state: State, mover: int) -> Futures:
        """What follows a state with this seat to move. Raises Seen, PlayError."""
        position = self.position(state, mover)
        try:
            if self.rules.phase(position).kind == "roll":
                return Futures(position, (), [self._row(position, self._rolled(position))])
            actions = self.rules.actions(position)
            rows = [self._row(position, self._chosen(position, each)) for each in actions]
            return Futures(position, actions, rows, [self._seen(position, each) for each in actions])
        except DAMAGED as wrong:
            raise Seen(f"the rules look at what the state leaves out ({wrong})") from None

    def _seen(self, position: State, action: Action) -> Action:
        loops = self.rules.phase(position).entries[action.entry].loops
        seats = {name for name, items in loops if items.type.item == SEAT}
        mover, count = position.mover, self.game.seats
        binding = ((name, (value - mover) % count if name in seats else value) for name, value in action.binding)
        return replace(action, binding=tuple(binding))

    def _chosen(self, position: State, action: Action) -> Iterator[tuple[int, Step]]:
        """All that can happen, with weights. A roll that follows a choice in the same turn is part of it."""
        step = self.rules.choose(position, action)
        if not step.turn_over and self.rules.phase(step.state).kind == "roll":
            yield from self._rolled(step.state)
        else:
            yield 1, step

    def _rolled(self, position: State) -> Iterator[tuple[int, Step]]:
        for weight, thrown in self.rules.outcomes(position)[0]:
            yield weight, self.rules.resolve(position, thrown)

    def _row(self, position: State, steps: Iterator[tuple[int, Step]]) -> Chances:
        weights = defaultdict[Landing, int](int)
        for weight, step in steps:
            weights[self._landing(position, step.state)] += weight
            self.steps += 1
        total = sum(weights.values())
        return {landing: Fraction(weight, total) for landing, weight in weights.items()}

    def _landing(self, position: State, after: State) -> Landing:
        seats, start = self.game.seats, position.mover
        gains = self.canonical.gained(position.cells, after.cells) if after.phase else self._paid(position, after)
        if any(isinstance(gain, Unknown) for gain in gains):
            raise Seen("what is paid depends on cells that count as carried, and not as the state says")
        turned = tuple(Fraction(gain, self.canonical.scale) if gain else 0 for gain in (*gains[start:], *gains[:start]))
        if not after.phase:
            return -1, 0, turned
        state = self.canonical.state(after)
        unknown = next((value for value in state.cells if isinstance(value, Unknown)), None)
        if unknown is not None:
            raise Seen(f"what {unknown.name} holds goes on to a state that tells it")
        target = self.number(state)
        if target is None:
            raise Missing(state)
        return target, (after.mover - start) % seats, turned

    def _paid(self, position: State, after: State) -> list[Any]:
        """The payoff, less what the carried cells had come to count before."""
        moment, gains = self.rules.moment(after), []
        had = self.canonical.gained(self.game.start, position.cells)
        for seat in range(self.game.seats):
            moment.seat = seat
            gains.append(self.rules.pay[self.objective](moment) * self.canonical.scale - had[seat])
        return gains


def bag(rows: Sequence[Chances]) -> Counter[frozenset[tuple[Landing, Fraction]]]:
    """Rows without their order."""
    return Counter(frozenset(row.items()) for row in rows)


class Missing(Signal):
    """The rules lead to a state that the table does not hold."""

    def __init__(self, state: State) -> None:
        super().__init__("the rules lead to a position that the table does not hold")
        self.state = state


# --- bounds that are never met


def unbounded(game: Game, canonical: Canonical) -> Game:
    """The same game without bounds on its carried cells, which hold unknown amounts. Raises Seen where one may be met.

    A tally has none (the language ends at 2^53, which is left out here). Any other must belong to variables among which
    coins only move about, or leave: none of them ever falls below 0 or holds more than all of them held at the start.
    """
    for where in sorted(canonical.worth):
        cell = game.cells[where]
        if cell.variable.kind == "number" and not _held_together(game, cell):
            raise Seen(f"{cell.name} has bounds that it might leave, so a state must tell it")
    cells = (replace(cell, free=where in canonical.worth) for where, cell in enumerate(game.cells))
    return replace(game, cells=tuple(cells))


def _held_together(game: Game, cell: Cell) -> bool:
    """Whether a variable is only filled by moves within one group, from 0 on, and its cells have room for all that there is.

    What leaves the group, a draw from a bag among it, makes room.
    """
    group = {cell.variable.name}
    while True:
        ends = [{place.name for place in effect.writes} for effect in game.effects]
        more = group.union(*(names for names in ends if names & group))
        if more == group:
            break
        group = more
    cells = [where for name in group for where in game.cells_of(name)]
    return (
        all(not _adds(effect, group) for effect in game.effects)
        and not any(game.cells[where].variable.resets and game.start[where] for where in cells)
        and all(game.cells[where].least == 0 for where in cells)
        and sum(game.start[where] for where in cells) <= cell.most
    )


def _adds(effect: Effect, group: Collection[str]) -> bool:
    """Whether an effect may add to what a group of variables holds together."""
    match effect:
        case Move():
            return effect.source is None and effect.target is not None and effect.target.name in group
        case Set() | Add():
            return effect.target.name in group
        case Let() | Drop() | If() | ForSeats() | ForItems():
            return False
        case _:
            assert_never(effect)


# --- tests that do not depend on the state


def _at_its_settings(game: Game) -> Game:
    """The same game with every test written out that its settings decide, so that it looks at no cell.

    ``stash > 0 and brave`` is false without a look at the stash where nobody is brave.
    """
    phases = {
        name: replace(phase, entries=tuple(_entry(entry, game) for entry in phase.entries))
        for name, phase in game.ruleset.phases.items()
    }
    return replace(game, ruleset=replace(game.ruleset, phases=phases, at_end=_effects(game.ruleset.at_end, game)))


def _entry(entry: Entry, game: Game) -> Entry:
    when = _decided(entry.when, game)
    loops = () if when == FALSE else entry.loops  # an option that nobody ever has goes through nothing
    return replace(entry, when=when, do=_effects(entry.do, game), loops=loops)


def _effects(effects: Sequence[Effect], game: Game) -> tuple[Effect, ...]:
    return tuple(_effect(effect, game) for effect in effects)


def _effect(effect: Effect, game: Game) -> Effect:
    match effect:
        case If():
            test = _decided(effect.test, game)
            return replace(effect, test=test, do=_effects(effect.do, game), other=_effects(effect.other, game))
        case ForSeats() | ForItems():
            return replace(effect, do=_effects(effect.do, game))
        case Move() | Set() | Add() | Let() | Drop():
            return effect
        case _:
            assert_never(effect)


def _decided(test: Expr, game: Game) -> Expr:
    found = game.settled(test)
    return test if found is None else TRUE if found else FALSE
