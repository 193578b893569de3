"""Find the state of a solution that a text or variables describe."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Protocol

from oddsmith.api.asking import position_text
from oddsmith.base.dice import Die, Hand
from oddsmith.base.errors import PositionError, did_you_mean
from oddsmith.base.exact import plain_value, short_repr, whole_number
from oddsmith.graph import cell_name
from oddsmith.graph.reductions import conserved_sums
from oddsmith.ruleset import Cell, Game, State

if TYPE_CHECKING:
    from oddsmith.base.arrays import Ints, Mask
    from oddsmith.graph.columns import Codec

_PART = re.compile(r"\s*([A-Za-z][A-Za-z0-9_]*)\s*(?:\[([^\]]*)\])?\s*=\s*([^=]*?)\s*")

FLAGS = {"true": True, "false": False, "yes": True, "no": False}  # the last two as tables tell them
EXAMPLE_VALUES = (3, 4, 5, 6, 2, 1, *range(7, 21))  # of a variable, tried for a position that an error names
MAX_TOLD = 8  # cells with start values that an error lists


@dataclass(frozen=True, eq=False, repr=False)
class Position:
    """A state of a solution. ``state_index``: its index in the solution. ``mover``: the seat to move (from 0).
    ``variables``: the variables that described it, by name. ``state``: the state itself.
    """

    state_index: int
    mover: int
    variables: dict[str, Any]
    state: State

    def __repr__(self) -> str:
        return short_repr(self, f"state {self.state_index}: {self.words}")

    @property
    def words(self) -> str:
        """The variables that described the position, in one line."""
        plain = {True: "true", False: "false"}
        said = {name: plain[value] if isinstance(value, bool) else value for name, value in self.variables.items()}
        return ", ".join(f"{name} {value}" for name, value in said.items())


class PositionLookup(Protocol):
    """A solved game in which positions can be looked up."""

    @property
    def game(self) -> Game:
        """The game that was solved."""

    @property
    def cells_counted_as_payoff(self) -> frozenset[int]:
        """The numbers of the cells (variables, or members of families) that only add up a payoff. They are not part of
        any state.
        """

    def state_index(self, state: State) -> int | None:
        """Return the index of a state in the solution; None if play cannot reach it."""


def find_position(
    solution: PositionLookup, position: str | Mapping[str, Any] | State, variables: Mapping[str, Any]
) -> Position:
    """Return the position that is described by a text, a mapping, a state, or variables by name. ``variables`` take
    precedence over ``position``. Raises PositionError.
    """
    asked = variables or position
    if isinstance(asked, State):
        return position_of_state(solution, asked)
    return parse_position(solution, asked if isinstance(asked, str) else position_text(asked))


def parse_position(solution: PositionLookup, text: str) -> Position:
    """Return the position that a text ``name=value, name[index]=value, ...`` describes. Variables that are left out
    have their start values.

    Seat 1 is the player to move; a seat can also be named by its side. ``phase`` names a phase, ``mover`` the seat to
    move, ``out`` the seats that are out. Raises PositionError.
    """
    game = solution.game
    named = _parse_assignments(text)
    phase = _parse_phase(game, named.pop("phase", None))
    moving = named.pop("mover", "")
    mover = parse_seat(game, moving, f"mover={moving}") if moving else 0
    gone = "" if "out" in game.layout else named.pop("out", "")  # a variable may have that name
    out = sum(1 << parse_seat(game, seat, f"out={seat}", mover) for seat in gone.split())
    cells = list(game.start)
    given, placed = set[str](), set[int]()
    for key, value in named.items():
        name, _, index = key.partition("[")
        for where in _cell_indices(game, name, index.rstrip("]"), mover):
            cells[where] = _parse_cell_value(game, game.cells[where], value, mover)
            placed.add(where)
        given.add(name)
    _refuse_too_large_sums(solution, cells, given)
    state = State(phase, mover, out, tuple(cells))
    number = solution.state_index(state)
    moves = {"mover": game.ruleset.seat_name(mover)} if game.ruleset.sides or moving else {}
    shown = {"phase": phase, **moves, **{key: plain_value(value) for key, value in named.items()}}
    if number is None and not text.strip() and (example := _example_text(solution, state)):
        raise PositionError(f"say where, such as --state {example}")
    if number is None:
        words = ", ".join(f"{name}={value}" for name, value in {**shown, **named}.items())
        left = (
            f"; what you leave out is at its start: {starts}"
            if (starts := _start_values_text(solution, placed))
            else ""
        )
        raise PositionError(f"play never comes to {words}{left}")
    return Position(number, mover, shown, state)


def _example_text(solution: PositionLookup, start: State) -> str:
    """Return a position that differs from ``start`` in one variable of the table, as a text; empty if play reaches none of
    those that are tried. Variables of the turn come first.
    """
    plain = [
        (where, cell)
        for where, cell in enumerate(solution.game.cells)
        if not cell.indices and not cell.variable.is_hidden and isinstance(start.cells[where], int)
    ]
    for where, cell in sorted(plain, key=lambda each: not each[1].variable.resets_each_turn):
        for value in EXAMPLE_VALUES:
            cells = (*start.cells[:where], value, *start.cells[where + 1 :])
            if cell.least <= value <= cell.most and solution.state_index(replace(start, cells=cells)) is not None:
                return f"{cell.variable.name}={value}"
    return ""


@dataclass(frozen=True)
class PositionFilter:
    """What the positions of a set have in common. ``phase``: their phase; None if any phase is allowed.
    ``value_by_cell``: the values that some cells have in all of them, by the number of the cell. A cell is a variable,
    or a member of a family.
    """

    phase: str | None
    value_by_cell: dict[int, Any]


def parse_position_filter(solution: PositionLookup, text: str) -> PositionFilter:
    """Parse a text ``name=value, name[index]=value, ...`` as what a set of positions has in common. ``phase`` names a
    phase. Seat 1 is the player to move.

    Raises PositionError, also for variables that are not part of a position.
    """
    game, named = solution.game, _parse_assignments(text)
    name = named.pop("phase", None)
    cells: dict[int, Any] = {}
    for key, value in named.items():
        variable, _, index = key.partition("[")
        for where in _cell_indices(game, variable, index.rstrip("]"), 0):
            if where in solution.cells_counted_as_payoff:
                raise PositionError(f"{key} is no part of a position: what it holds is added up on the way")
            cells[where] = _parse_cell_value(game, game.cells[where], value, 0)
    return PositionFilter(None if name is None else _parse_phase(game, name), cells)


def position_filter_mask(codec: Codec, keys: Ints, position_filter: PositionFilter) -> Mask:
    """Return a Boolean mask of states: True for states with the fixed phase and values. ``keys``: the keys of the
    states, of shape (words, states).
    """
    import numpy as np

    cells, phase, _ = codec.decode(keys)
    found: Mask = np.ones(keys.shape[1], dtype=bool)
    if position_filter.phase is not None:
        found &= phase == codec.phases.index(position_filter.phase)
    for where, value in position_filter.value_by_cell.items():
        found &= cells[where] == codec.encode_value(where, value)
    return found


def seat_numbering_notes(game: Game, shown_variables: Mapping[str, Any]) -> tuple[str, ...]:
    """Return a sentence that says how seats are counted, if a variable of the position has a seat's number as its
    index.

    ``shown_variables``: the variables by name, such as ``purse[1]``. The result has one sentence, or is empty.
    """
    for key in shown_variables:
        name, bracket, index = key.partition("[")
        variable = game.ruleset.state.get(name)
        if (
            bracket
            and variable is not None
            and variable.is_per_seat
            and index.split(",")[0].rstrip("]").strip().isdigit()
        ):
            return (f"seats count from the player to move: {name}[1] is that player's",)
    return ()


def held_payoff_notes(solution: PositionLookup, shown_variables: Mapping[str, Any]) -> tuple[str, ...]:
    """Return a sentence that says which variables of a position are payoffs that a seat holds already.

    Values count what is still to come, so such variables do not change them. ``shown_variables``: the variables by
    name. The result has one sentence, or is empty.
    """
    names = {solution.game.cells[where].variable.name for where in solution.cells_counted_as_payoff}
    held = [key for key in shown_variables if key.partition("[")[0] in names]
    if not held:
        return ()
    return (f"values count what is still to come, without what {' and '.join(held)} holds already",)


def position_of_state(solution: PositionLookup, state: State) -> Position:
    """Return the position of a state. Its seats are numbered as in the game, and not from the player to move.

    Raises PositionError if play cannot reach the state.
    """
    number = solution.state_index(state)
    if number is None:
        raise PositionError("play never comes to this state")
    return Position(number, state.mover, {"phase": state.phase}, state)


def _parse_assignments(text: str) -> dict[str, str]:
    values: dict[str, str] = {}
    for part in re.split(r",(?![^\[]*\])", text):
        if not part.strip():
            continue
        match = _PART.fullmatch(part)
        if not match:
            member = re.fullmatch(r"\s*(\w+)\.(\w+)\s*=(.*)", part)
            better = f": write {member[1]}[{member[2]}]={member[3].strip()}" if member else ""
            raise PositionError(f"`{part.strip()}` is not name=value{better}")
        key = match[1] + (f"[{match[2].strip()}]" if match[2] is not None else "")
        if key in values:
            raise PositionError(f"{key} is given twice")
        values[key] = match[3]
    return values


def _parse_phase(game: Game, name: str | None) -> str:
    choosing = [phase.name for phase in game.ruleset.phases.values() if phase.kind == "choose"]
    known = [phase.name for phase in game.ruleset.phases.values() if phase.kind != "cases"]
    if name is not None:
        if name not in known:
            raise PositionError(f"there is no phase {name}: {did_you_mean(name, known, 'phases')}")
        return name
    if len(choosing) != 1:
        raise PositionError(f"say which choice is meant: phase={', phase='.join(choosing or known)}")
    return choosing[0]


def parse_seat(game: Game, text: str, text_in_errors: str, first_seat: int = 0) -> int:
    """Return the seat (from 0) that a text names by number or by side. ``first_seat``: the seat (from 0) to which
    number 1 refers. ``text_in_errors``: the text that errors quote. Raises PositionError.
    """
    sides = game.ruleset.sides
    if text in sides:
        return sides.index(text)
    seat = whole_number(text.removeprefix("seat "))  # as positions are told
    if seat is None or not 1 <= seat <= game.seats:
        known = f", or {', '.join(sides)}" if sides else ""
        raise PositionError(f"{text_in_errors}: seats are 1 to {game.seats}{known}")
    return (first_seat + seat - 1) % game.seats


def _cell_indices(game: Game, variable_name: str, index_text: str, first_seat: int) -> list[int]:
    """Return the numbers of the cells that the name of a variable and an index stand for.

    For a family over seats, a missing index stands for the player to move. ``first_seat``: the seat (from 0) that the
    index 1 stands for. Raises PositionError.
    """
    if variable_name not in game.ruleset.state:
        known = [*game.ruleset.state, "phase", "mover", "out"]
        raise PositionError(f"there is no variable {variable_name}: {did_you_mean(variable_name, known, 'variables')}")
    if variable_name in game.ruleset.sides:
        raise PositionError(f"{variable_name} is a side: say who is to move by mover={variable_name}")
    variable = game.ruleset.state[variable_name]
    wanted = [part.strip() for part in index_text.split(",")] if index_text else []
    if variable.is_per_seat and len(wanted) == len(variable.index_lists) - 1:
        wanted.insert(0, "1")
    if len(wanted) != len(variable.index_lists):
        count = len(variable.index_lists)
        raise PositionError(f"{variable_name} needs {count} index{'es' * (count > 1)} in square brackets")
    if variable.is_per_seat:
        wanted[0] = str(parse_seat(game, wanted[0], f"{variable_name}[{index_text}]", first_seat))
    fitting = [
        where
        for where in game.cell_indices_of(variable_name)
        if [str(item) for item in game.cells[where].indices] == wanted
    ]
    if not fitting:
        raise PositionError(f"{variable_name} has no member [{index_text}]")
    return fitting


def _parse_cell_value(game: Game, cell: Cell, text: str, first_seat: int) -> Any:
    kind = cell.variable.kind
    if kind == "flag":
        if text not in FLAGS:
            raise PositionError(f"{cell.variable.name}={text}: true or false")
        return FLAGS[text]
    if kind == "word":
        if text not in cell.variable.words:
            raise PositionError(f"{cell.variable.name}={text}: one of {', '.join(cell.variable.words)}")
        return text
    if kind == "seat":
        return parse_seat(game, text, f"{cell.variable.name}={text}", first_seat)
    if kind == "hand":
        return _parse_hand(game, cell, text)
    value = whole_number(text)
    if value is None:
        raise PositionError(f"{cell.variable.name}={text}: a whole number")
    if not cell.least <= value <= cell.most:
        raise PositionError(f"{cell.variable.name}={value} is {cell.violated_bound_in_words(value)}")
    return value


def _parse_hand(game: Game, cell: Cell, text: str) -> Hand:
    """Parse a hand: faces separated by spaces. ``2:d6`` is the face 2 of the die d6.

    A face without a die is assigned to the first die that has it, as long as all other faces can still be assigned.
    Raises PositionError.
    """
    words = text.split()
    dice = [die for die, count in cell.dice for _ in range(count)]
    for word in words:
        if all(_face_of_word(game, die, word) is None for die in dice):
            raise PositionError(f"{cell.variable.name} cannot hold the face {word}")
    dealt = _assign_dice(game, words, dice)
    if dealt is None:
        raise PositionError(f"{cell.variable.name} cannot hold {text} at once")
    return Hand(sorted(dealt))


def _assign_dice(game: Game, face_words: list[str], dice: list[Die]) -> list[tuple[int, int]] | None:
    """Assign a different die to every word, such that the die has the face that the word names. Return pairs of face
    and kind of die, in the order of the words; None if that is impossible.
    """
    if not face_words:
        return []
    for place, die in enumerate(dice):
        face = _face_of_word(game, die, face_words[0])
        if face is None or die in dice[:place]:
            continue
        rest = _assign_dice(game, face_words[1:], dice[:place] + dice[place + 1 :])
        if rest is not None:
            return [(face, die.kind), *rest]
    return None


def _face_of_word(game: Game, die: Die, word: str) -> int | None:
    """Return the face of a die that a word names; None if the die has no such face."""
    return next(
        (face for face in die.faces if word in (name := game.face_name(die.kind, face), f"{name}:{die.name}")), None
    )


def _refuse_too_large_sums(solution: PositionLookup, cell_values: list[Any], given_names: set[str]) -> None:
    """Raise PositionError if variables whose sum never changes during play have a larger sum in a position.

    ``cell_values``: the values of all cells (variables, and members of families). ``given_names``: the names of the
    variables that the user gave.
    """
    game, carried = solution.game, solution.cells_counted_as_payoff
    for members, total in conserved_sums(game):
        if given_names.isdisjoint(members):
            continue
        held = sum(
            cell_values[where]
            for member in members
            for where in game.cell_indices_of(member)
            if member in given_names or where not in carried
        )
        if held > total:
            shown = " + ".join(member for member in members)
            hint = "; name the others too, for what is left out is at its start" if set(members) - given_names else ""
            raise PositionError(f"{shown} would be {held}; only {total} are in the game{hint}")


def _start_values_text(solution: PositionLookup, given_cells: Collection[int]) -> str:
    """Return the first few cells that were not given, with their start values, as text. ``given_cells``: the numbers of
    the cells that were given.
    """
    game = solution.game
    hidden = {
        *given_cells,
        *solution.cells_counted_as_payoff,
        *(where for side in game.ruleset.sides for where in game.cell_indices_of(side)),
    }
    left = [where for where in range(len(game.cells)) if where not in hidden]
    named_cells = [
        f"{cell_name(game, game.start, where)}={game.cell_value_in_words(where, game.start[where])}" for where in left
    ]
    return ", ".join([*named_cells[:MAX_TOLD], *["..."] * (len(named_cells) > MAX_TOLD)])
