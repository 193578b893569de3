"""How a position of the game becomes a state of its table.

Seats are counted from the seat to move. Cells that only count as payoff are ``carried``: they are 0, and each comes with
what one more of it is worth to every seat. Cells that nothing reads again are ``forgotten``: they are as at the start.
Families whose members may be exchanged are ``alike``: the members stand in order. None of this is taken on trust: the
futures of a state are derived for every position that it stands for (``derive.futures``).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import product
from math import factorial, lcm, prod
from random import Random
from typing import Any

from oddsmith.derive.unknown import Seen
from oddsmith.dice import Hand
from oddsmith.ruleset import Game, State

Members = Sequence[Sequence[int]]
"""The cells of each member of a family."""


class Canonical:
    """Positions of one game as states. What carried cells count is in units of ``1 / scale``."""

    def __init__(
        self,
        game: Game,
        carried: Mapping[int, Sequence[Fraction]],
        forgotten: Mapping[str, Iterable[int]],
        alike: Sequence[Members],
    ) -> None:
        self.game, self.worth = game, carried
        self.orders = [self._order(by) for by in range(game.seats)]
        self.scale = lcm(*(count.denominator for each in carried.values() for count in each))
        self.counts = self._counts(0)
        if any(self._counts(mover) != self.counts for mover in range(game.seats)):
            raise Seen("what a carried cell is worth depends on who is to move")
        self.forgotten = {phase: frozenset(cells) - carried.keys() for phase, cells in forgotten.items()}
        self.alike = alike
        kinds = (cell.variable.kind for cell in game.cells)
        self.seat_cells = [where for where, kind in enumerate(kinds) if kind == "seat"]

    def left_out(self, phase: str) -> frozenset[int]:
        """The cells that a state of this phase does not tell."""
        return self.forgotten.get(phase, frozenset()) | self.worth.keys()

    def state(self, position: State) -> State:
        """The state that stands for a position."""
        seats, by = self.game.seats, position.mover
        cells = [position.cells[where] for where in self.orders[by]]
        for where in self.forgotten.get(position.phase, ()):
            cells[where] = self.game.start[where]
        for where in self.worth:
            cells[where] = 0
        for where in self.seat_cells:
            if where not in self.forgotten.get(position.phase, ()):
                cells[where] = (cells[where] - by) % seats
        for places in self._families(position.phase):
            _lay(cells, places, sorted(_held(cells, places), key=lambda each: list(map(_rank, each))))
        return State(position.phase, 0, _turned(position.out, -by, seats), tuple(cells))

    def arrangements(self, state: State) -> Iterator[State]:
        """The ways in which a state's members that may be exchanged can stand, that of the state first."""
        families = self._families(state.phase)
        for orders in product(*(_orders(_held(state.cells, places)) for places in families)):
            cells = list(state.cells)
            for places, held in zip(families, orders, strict=True):
                _lay(cells, places, held)
            yield State(state.phase, 0, state.out, tuple(cells))

    def arranged(self, state: State, random: Random) -> State:
        """One of the arrangements of a state."""
        cells = list(state.cells)
        for places in self._families(state.phase):
            held = _held(cells, places)
            _lay(cells, places, random.sample(held, len(held)))
        return State(state.phase, 0, state.out, tuple(cells))

    def ways(self, state: State) -> int:
        """How many arrangements there are."""
        return prod(_ways(_held(state.cells, places)) for places in self._families(state.phase))

    def _counts(self, mover: int) -> dict[int, list[int]]:
        """What one more of a carried cell counts for every seat, cells and seats in their places, by this mover's view."""
        seats = self.game.seats
        units = {where: [int(count * self.scale) for count in each] for where, each in self.worth.items()}
        return {
            self.orders[mover][where]: [*each[seats - mover :], *each[: seats - mover]] for where, each in units.items()
        }

    def gained(self, before: Sequence[Any], after: Sequence[Any]) -> list[Any]:
        """What the carried cells have come to count more for every seat, from these cells to those, in their places."""
        gains: list[Any] = [0] * self.game.seats
        for where, counts in self.counts.items():
            if after[where] is not before[where]:
                more = after[where] - before[where]
                gains = [had + count * more for had, count in zip(gains, counts, strict=True)]
        return gains

    def seated(self, state: State, mover: int) -> State:
        """The state as a position in which this seat is to move."""
        seats, order = self.game.seats, self.orders[mover]
        cells: list[Any] = [None] * len(order)
        told = set(self.seat_cells) - self.left_out(state.phase)
        for where, value in enumerate(state.cells):
            cells[order[where]] = (value + mover) % seats if where in told else value
        return State(state.phase, mover, _turned(state.out, mover, seats), tuple(cells))

    def _families(self, phase: str) -> list[Members]:
        """The families that are put in order, of each member the cells that the state tells."""
        left_out = self.left_out(phase)
        return [[[where for where in member if where not in left_out] for member in members] for members in self.alike]

    def _order(self, by: int) -> list[int]:
        """Where the cells of a position are found, as the seat with this number sees them."""
        order = list(range(len(self.game.cells)))
        for name, variable in self.game.ruleset.state.items():
            if variable.per_seat:
                block = self.game.cells_of(name)
                shift = by * (len(block) // self.game.seats)
                order[block.start : block.stop] = [*block[shift:], *block[:shift]]
        return order


def _turned(out: int, by: int, seats: int) -> int:
    """A set of seats, each ``by`` places further on."""
    return sum(1 << (seat + by) % seats for seat in range(seats) if out >> seat & 1)


def _held(cells: Sequence[Any], places: Members) -> list[tuple[Any, ...]]:
    return [tuple(cells[where] for where in member) for member in places]


def _lay(cells: list[Any], places: Members, held: Iterable[Sequence[Any]]) -> None:
    for member, values in zip(places, held, strict=True):
        for where, value in zip(member, values, strict=True):
            cells[where] = value


def _orders(items: Sequence[Any]) -> Iterator[tuple[Any, ...]]:
    """The orders in which items can stand, those that look alike once; the first is that of the items."""
    if not items:
        yield ()
    for item in dict.fromkeys(items):
        place = items.index(item)
        for rest in _orders([*items[:place], *items[place + 1 :]]):
            yield (item, *rest)


def _ways(items: Sequence[Any]) -> int:
    """How many orders there are."""
    return factorial(len(items)) // prod(map(factorial, Counter(items).values()))


def _rank(value: Any) -> Any:
    """Hands are ordered by their size first, everything else as it is."""
    return (len(value), value) if isinstance(value, Hand) else value
