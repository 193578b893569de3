"""The cells that keys leave out, and states without them, seen from the seat to move. Nothing here needs arrays."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction

from oddsmith.ruleset import Game, State


@dataclass(frozen=True, slots=True)
class ImpliedCell:
    """A cell that follows from a conserved sum: its value is ``total`` minus the sum of the cells ``others``."""

    cell: int
    others: tuple[int, ...]
    total: int


@dataclass(frozen=True, slots=True)
class Reduction:
    """What a reduction leaves out: cells that are not in keys, and checks that always succeed.

    ``unit_payoffs``: for each carried cell, the payoff of one more unit in it to every seat, counted from the mover.
    ``implied_cells``: cells that follow from others. ``forgotten``: for each phase, the cells that nothing reads again
    before they are set. ``orbits``: groups of members that may be exchanged freely, each member a tuple of cells.
    ``safe``: variables that no play can take out of their bounds, so that they need no check.
    """

    unit_payoffs: Mapping[int, tuple[Fraction, ...]] = field(default_factory=dict)
    implied_cells: tuple[ImpliedCell, ...] = ()
    forgotten: Mapping[str, frozenset[int]] = field(default_factory=dict)
    orbits: tuple[tuple[tuple[int, ...], ...], ...] = ()
    safe: frozenset[str] = frozenset()

    @property
    def carried(self) -> frozenset[int]:
        """The carried cells, whose changes are paid at once and which are not part of the state."""
        return frozenset(self.unit_payoffs)

    def left_out_cells(self, phase: str) -> frozenset[int]:
        """Return the cells that no key of a phase holds: those that are carried, or never read again before they are
        set.
        """
        return self.carried | self.forgotten.get(phase, frozenset())


class MoverFrame:
    """Turns states into states as their movers see them.

    Cells that no key of their phase holds take their start values, and carried cells 0.

    Members of orbits keep their order.
    """

    def __init__(self, game: Game, reduction: Reduction) -> None:
        self.game, self.carried = game, reduction.carried
        self.left_out = {phase: reduction.left_out_cells(phase) for phase in game.ruleset.phases}
        self.orders = [cell_rotation(game, seat_shift) for seat_shift in range(game.seats)]
        self.seats_named = [where for where, cell in enumerate(game.cells) if cell.variable.kind == "seat"]

    def with_mover_as_first_seat(self, state: State) -> State:
        """Return a state of the rules with the mover as seat 0."""
        seats, seat_shift = self.game.seats, state.mover
        cells = [state.cells[where] for where in self.orders[seat_shift]]
        for where in self.seats_named:
            cells[where] = (cells[where] - seat_shift) % seats
        for where in self.left_out.get(state.phase, self.carried):
            cells[where] = 0 if where in self.carried else self.game.start[where]
        return State(state.phase, 0, rotate_seat_mask(state.seats_out_bits, seat_shift, seats), tuple(cells))


def cell_rotation(game: Game, seat_shift: int) -> tuple[int, ...]:
    """Return for each cell the cell whose value it takes when the seat ``seat_shift`` places on becomes the mover.

    So new[c] = old[rotation[c]]. A variable that every seat has lists its cells seat by seat. So its cells rotate by
    the number of cells of one seat, for each seat that the mover moves on.
    """
    order = list(range(len(game.cells)))
    for name, variable in game.ruleset.state.items():
        if variable.is_per_seat:
            cells = game.cell_indices_of(name)
            each = len(cells) // game.seats
            for offset, where in enumerate(cells):
                order[where] = cells[(offset + seat_shift * each) % len(cells)]
    return tuple(order)


def rotate_seat_mask(seat_mask: int, seat_shift: int, seats: int) -> int:
    """Return a set of seats, as bits, renumbered so that the seat ``seat_shift`` places on is seat 0."""
    return ((seat_mask >> seat_shift) | (seat_mask << (seats - seat_shift))) & ((1 << seats) - 1)
