"""The variables of a state in plain values, under the names that exports use."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from oddsmith.graph.columns.codec import Codec
from oddsmith.ruleset import Game, State

Plain = int | bool | str | None


class Variables:
    """The cells that are part of a state, by name: ``hoard``, or ``purse[1]`` for that of the mover.

    ``taken``: names that the table or graph to be written uses for something else. A variable of such a name gets ``_``
    at its end.
    """

    def __init__(self, game: Game, codec: Codec, taken: Collection[str] = ()) -> None:
        self.game, self.reduction = game, codec.reduction
        self.cells = [where for where in range(len(self.game.cells)) if where not in self.reduction.carried]
        self.names = [self._name(where, taken) for where in self.cells]

    def _name(self, where: int, taken: Collection[str]) -> str:
        cell = self.game.cells[where]
        name = cell.variable.name
        if cell.index:
            return cell.shown
        while name in taken or (name != cell.variable.name and name in self.game.ruleset.state):
            name += "_"
        return name

    def values(self, state: State) -> list[Plain]:
        """Return the values of a state: numbers, flags and words. Seats count from 1, the mover.

        None stands for a cell that nothing reads again before it is set.
        """
        dead = self.reduction.forgotten.get(state.phase, frozenset())
        return [None if where in dead else self._value(where, state.cells[where]) for where in self.cells]

    def _value(self, where: int, value: Any) -> Plain:
        if self.game.cells[where].variable.kind == "seat":
            return int(value) + 1
        return value if isinstance(value, int) else self.game.value_text(value)


def named_values(state: State, shown: Variables) -> dict[str, Plain]:
    """Return the phase, the seats that are out, and the variables of a state that are read again, by name."""
    named: dict[str, Plain] = {"phase": state.phase, "out": seats_out(state) or None}
    named |= dict(zip(shown.names, shown.values(state), strict=True))
    return {name: value for name, value in named.items() if value is not None}


def seats_out(state: State) -> str:
    """Return the seats that are out as text, such as ``2 3``. The mover is 1."""
    return " ".join(str(seat + 1) for seat in range(state.out.bit_length()) if state.out >> seat & 1)
