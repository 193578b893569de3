"""The variables of a state as plain values, under the names that exported files use."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from oddsmith.graph.columns.codec import Codec
from oddsmith.ruleset import Game, State

Plain = int | bool | str | None


class ExportedVariables:
    """The cells that are part of a state, with their names: ``hoard``, or ``purse[1]`` for the cell of the mover.

    ``reserved_names``: names that the exported table or graph uses for something else. If a variable has such a name,
    ``_`` is appended to it.
    """

    def __init__(self, game: Game, codec: Codec, reserved_names: Collection[str] = ()) -> None:
        self.game, self.reduction = game, codec.reduction
        self.cells = [where for where in range(len(self.game.cells)) if where not in self.reduction.carried]
        self.names = [self._exported_name(where, reserved_names) for where in self.cells]

    def _exported_name(self, cell_index: int, reserved_names: Collection[str]) -> str:
        """Return the name of a cell in exported files."""
        cell = self.game.cells[cell_index]
        name = cell.variable.name
        if cell.indices:
            return cell.name_for_people
        while name in reserved_names or (name != cell.variable.name and name in self.game.ruleset.state):
            name += "_"
        return name

    def values(self, state: State) -> list[Plain]:
        """Return the values of a state, one for each of ``names``: numbers, flags and words.

        Seats count from the mover, who is 1.

        A cell that nothing reads again before it is set has the value None.
        """
        dead = self.reduction.forgotten.get(state.phase, frozenset())
        return [None if where in dead else self._plain_value(where, state.cells[where]) for where in self.cells]

    def _plain_value(self, cell_index: int, value: Any) -> Plain:
        """Return the plain value of a cell."""
        if self.game.cells[cell_index].variable.kind == "seat":
            return int(value) + 1
        return value if isinstance(value, int) else self.game.value_text(value)


def named_values(state: State, variables: ExportedVariables) -> dict[str, Plain]:
    """Return the values of a state by name: its phase, ``out`` (the seats that are out, as text), and its variables.

    ``out`` is missing if nobody is out. Variables that nothing reads again before they are set are missing, too.
    """
    named: dict[str, Plain] = {"phase": state.phase, "out": seats_out_text(state) or None}
    named |= dict(zip(variables.names, variables.values(state), strict=True))
    return {name: value for name, value in named.items() if value is not None}


def seats_out_text(state: State) -> str:
    """Return the seats that are out as text, such as ``2 3``. Seats count from the mover, who is 1."""
    return " ".join(
        str(seat + 1) for seat in range(state.seats_out_bits.bit_length()) if state.seats_out_bits >> seat & 1
    )
