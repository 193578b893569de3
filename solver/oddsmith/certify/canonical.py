"""How a position of the game becomes a state of the table: the steps that a header names, carried out in this order.

``mover``: seats are counted from the seat to move. ``carried``: cells that only count as payoff are 0; with each, what one
more of it is worth to every seat. ``forgotten``: per phase, cells that are as at the start, for nothing reads them again.
``alike``: families whose members (lists of cells) may be exchanged stand in order. Positions that become one state must
play the same; that is for the check to find out. Steps of other names are refused.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from math import lcm
from typing import Any

from oddsmith.certify.values import Refused
from oddsmith.dice import Hand
from oddsmith.exact import fraction_from_text, fraction_text
from oddsmith.ruleset.game import Game
from oddsmith.ruleset.rules import Rules, State

Members = Sequence[Sequence[int]]
"""The cells of each member of a family."""


def steps_of(
    game: Game, objective: str, carried: Iterable[int], forgotten: Mapping[str, Iterable[int]], alike: Sequence[Members]
) -> list[dict[str, Any]]:
    """The steps, for a header; those that do nothing are left out."""
    names = [cell.name for cell in game.cells]
    counts = [[names[where], worth] for where, worth in _counts(game, objective, sorted(carried))]
    phases = {phase: [names[where] for where in sorted(cells)] for phase, cells in sorted(forgotten.items()) if cells}
    families = [[[names[where] for where in member] for member in members] for members in alike]
    found: list[dict[str, Any]] = [{"step": "mover"}]
    found += [{"step": "carried", "cells": counts}] if counts else []
    found += [{"step": "forgotten", "phases": phases}] if phases else []
    return found + ([{"step": "alike", "families": families}] if families else [])


def _counts(game: Game, objective: str, carried: Sequence[int]) -> list[tuple[int, list[str]]]:
    """What one more of each carried cell is worth to every seat."""
    rules = Rules(game)
    start = rules.start()
    before = rules.payoffs(State(start.phase, 0, start.out, start.cells), objective)
    found = []
    for where in carried:
        cells = list(start.cells)
        cells[where] += 1
        after = rules.payoffs(State(start.phase, 0, start.out, tuple(cells)), objective)
        found.append((where, [fraction_text(b - a) for a, b in zip(before, after, strict=True)]))
    return found


class Canonical:
    """The steps of a header, for one game. What carried cells count is in units of ``1 / scale``."""

    def __init__(self, game: Game, steps: Sequence[Mapping[str, Any]]) -> None:
        known = {step["step"]: step for step in steps}
        if list(known) != [name for name in ("mover", "carried", "forgotten", "alike") if name in (*known, "mover")]:
            raise Refused("its states are made in a way that this checker does not know")
        number = {cell.name: where for where, cell in enumerate(game.cells)}
        counts = {
            number[name]: list(map(fraction_from_text, worth)) for name, worth in _part(known, "carried", "cells")
        }
        self.game = game
        self.orders = [self._order(by) for by in range(game.seats)]
        self.seat_cells = [where for where, cell in enumerate(game.cells) if cell.variable.kind == "seat"]
        self.scale = lcm(*(count.denominator for each in counts.values() for count in each))
        self.carried = {where: [int(count * self.scale) for count in each] for where, each in counts.items()}
        phases = dict(_part(known, "forgotten", "phases"))
        self.forgotten = {phase: [number[name] for name in names] for phase, names in phases.items()}
        families = _part(known, "alike", "families")
        self.alike = [[[number[name] for name in member] for member in members] for members in families]

    def state(self, position: State) -> State:
        """The state that stands for a position."""
        seats, by = self.game.seats, position.mover
        cells = [position.cells[where] for where in self.orders[by]]
        for where in self.seat_cells:
            cells[where] = (cells[where] - by) % seats
        for where in self.forgotten.get(position.phase, ()):
            cells[where] = self.game.start[where]
        for where in self.carried:
            cells[where] = 0
        for members in self.alike:
            self._sort(cells, members, self.left_out(position.phase))
        out = sum(1 << (seat - by) % seats for seat in range(seats) if position.out >> seat & 1)
        return State(position.phase, 0, out, tuple(cells))

    def left_out(self, phase: str) -> set[int]:
        """The cells that a state of this phase does not tell."""
        return {*self.carried, *self.forgotten.get(phase, ())}

    def _sort(self, cells: list[Any], members: Members, left_out: set[int]) -> None:
        """Put what the members of a family hold in order, cell by cell, but for cells that are left out."""
        places = [[where for where in member if where not in left_out] for member in members]
        held = sorted(
            ([cells[where] for where in member] for member in places), key=lambda each: list(map(_rank, each))
        )
        for member, values in zip(places, held, strict=True):
            for where, value in zip(member, values, strict=True):
                cells[where] = value

    def held(self, position: State) -> list[int]:
        """What the carried cells of a position count for every seat, the seats in their places."""
        found, order = [0] * self.game.seats, self.orders[position.mover]
        for where, counts in self.carried.items():
            for seat, count in enumerate(counts):
                found[(seat + position.mover) % len(found)] += count * position.cells[order[where]]
        return found

    def start(self) -> dict[str, Any]:
        """Which seat moves first, and what is carried from the beginning, for a header."""
        position = Rules(self.game).start()
        held = [fraction_text(Fraction(units, self.scale)) for units in self.held(position)]
        return {"mover": position.mover, "held": held}

    def _order(self, by: int) -> list[int]:
        """Where the cells of a position are found, as the seat with this number sees them."""
        order = list(range(len(self.game.cells)))
        for name, variable in self.game.ruleset.state.items():
            if variable.per_seat:
                block = self.game.cells_of(name)
                shift = by * (len(block) // self.game.seats)
                order[block.start : block.stop] = [*block[shift:], *block[:shift]]
        return order


def _part(steps: Mapping[str, Mapping[str, Any]], name: str, what: str) -> Any:
    """What a step is about; nothing where the header leaves it out."""
    found = steps.get(name, {what: ()})[what]
    return found.items() if isinstance(found, dict) else found


def _rank(value: Any) -> Any:
    """Hands are ordered by their size first, everything else as it is."""
    return (len(value), value) if isinstance(value, Hand) else value
