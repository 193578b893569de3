"""The variables of a state as plain values, under the names that exported files use."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from oddsmith.graph.columns.codec import Codec
from oddsmith.ruleset import Game, State

Plain = int | bool | str | None


class Variables:
    """The cells that are part of a state, with their names: ``hoard``, or ``purse[1]`` for the cell of the mover.

    ``taken``: names that the exported table or graph uses for something else. If a variable has such a name, ``_`` is
    appended to it.
    """

    def __init__(self, game: Game, codec: Codec, taken: Collection[str] = ()) -> None:
        self.game, self.reduction = game, codec.reduction
        self.cells = [where for where in range(len(self.game.cells)) if where not in self.reduction.carried]
        self.names = [self._exported_name(where, taken) for where in self.cells]

    def _exported_name(self, where: int, taken: Collection[str]) -> str:
        """Return the name of a cell in exported files."""
        cell = self.game.cells[where]
        name = cell.variable.name
        if cell.index:
            return cell.shown
        while name in taken or (name != cell.variable.name and name in self.game.ruleset.state):
            name += "_"
        return name

    def values(self, state: State) -> list[Plain]:
        """Return the values of a state, one for each of ``names``: numbers, flags and words.

        Seats count from the mover, who is 1.

        A cell that nothing reads again before it is set has the value None.
        """
        dead = self.reduction.forgotten.get(state.phase, frozenset())
        return [None if where in dead else self._plain_value(where, state.cells[where]) for where in self.cells]

    def _plain_value(self, where: int, value: Any) -> Plain:
        """Return the plain value of a cell."""
        if self.game.cells[where].variable.kind == "seat":
            return int(value) + 1
        return value if isinstance(value, int) else self.game.value_text(value)


def named_values(state: State, shown: Variables) -> dict[str, Plain]:
    """Return the values of a state by name: its phase, ``out`` (the seats that are out, as text), and its variables.

    ``out`` is missing if nobody is out. Variables that nothing reads again before they are set are missing, too.
    """
    named: dict[str, Plain] = {"phase": state.phase, "out": seats_out(state) or None}
    named |= dict(zip(shown.names, shown.values(state), strict=True))
    return {name: value for name, value in named.items() if value is not None}


def seats_out(state: State) -> str:
    """Return the seats that are out as text, such as ``2 3``. Seats count from the mover, who is 1."""
    return " ".join(str(seat + 1) for seat in range(state.out.bit_length()) if state.out >> seat & 1)
