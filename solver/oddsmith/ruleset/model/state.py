"""The definitions of a ruleset apart from its phases: parameters, variants, dice, and the variables of the state."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from oddsmith.base.location import Location
from oddsmith.expr import Expr
from oddsmith.ruleset.model.phases import DiceTerm
from oddsmith.ruleset.model.wording import UnitForms, number_with_unit

VariableKind = Literal["number", "flag", "word", "seat", "hand", "tally"]
Show = Literal["hidden", "pile", "track"]


@dataclass(frozen=True, slots=True)
class Parameter:
    """A named value that a user may change: a number within bounds, one of several values, or a flag.

    ``unit``: the unit of a number. ``display_factor``: the factor by which a number is multiplied when it is shown with
    its unit.
    """

    name: str
    default: Any
    least: int | None = None
    most: int | None = None
    one_of: tuple[Any, ...] = ()
    about: str = ""
    unit: UnitForms = ()
    display_factor: int = 1

    def value_in_words(self, value: Any) -> str:
        """Return a value in words, such as ``yes``, ``first roll`` or ``10,000 points``."""
        if isinstance(value, bool):
            return "yes" if value else "no"
        if isinstance(value, int):
            return number_with_unit(f"{value * self.display_factor:,}", value * self.display_factor, self.unit)
        return str(value).replace("_", " ")

    def setting_in_words(self, value: Any) -> str:
        """Return the parameter's name with a value in words: ``target 10,000 points``, or ``1 chip each``."""
        name, many = self.name.replace("_", " "), self.unit[-1] if self.unit else ""
        if many and f"{name} ".startswith(f"{many} "):
            return self.value_in_words(value) + name[len(many) :]
        told = self.value_in_words(value)
        if isinstance(value, bool | str):
            return f"{name} ({told})"
        return f"{name} {told.partition(' ')[0] if many and name.endswith(f' {many}') else told}"

    def allowed_values_if_broken(self, value: Any) -> str:
        """Return in words which values are allowed, if ``value`` is not; empty if ``value`` is allowed."""
        if self.one_of:
            fits = value in self.one_of and not isinstance(value, bool)
            return "" if fits else f"one of {', '.join(map(str, self.one_of))}"
        if isinstance(self.default, bool):
            return "" if isinstance(value, bool) else "true or false"
        if isinstance(value, bool) or not isinstance(value, int):
            return "a whole number"
        low, high = self.least, self.most
        if (low is not None and value < low) or (high is not None and value > high):
            if low is not None and high is not None:
                return f"a whole number from {low} to {high}"
            return f"a whole number of {high} or less" if low is None else f"a whole number of {low} or more"
        return ""


@dataclass(frozen=True, slots=True)
class Variant:
    """A named set of parameter values."""

    name: str
    values: Mapping[str, Any]
    about: str = ""


@dataclass(frozen=True, slots=True)
class Requirement:
    """A condition on parameters and the number of seats. ``condition``: the condition.

    ``error_text``: the sentence that explains the error if the condition does not hold.
    """

    condition: Expr
    error_text: str
    location: Location


@dataclass(frozen=True, slots=True)
class DieRule:
    """A named die. ``faces``: its faces, or the expression that lists them. ``weights``: the weights of the faces.

    ``face_names``: the names of faces, by face.
    """

    name: str
    faces: tuple[int, ...] | Expr
    weights: tuple[Expr, ...] = ()
    face_names: Mapping[int, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Cheat:
    """A way of cheating: loaded dice of one kind in place of fair dice, several secret tries, or a peek.

    ``die``: the die. ``weights``: by face, the factor by which its weight is multiplied; 1 for all other faces.
    ``max_loaded_dice``: the largest number of dice in one roll that may be loaded; None for all. ``try_count``: how
    many times the cheat rolls the dice, or draws from the ``bag``, before showing the best result.
    ``sees_results_first``: whether the cheat sees what its options will roll or draw before choosing.
    ``payoff_if_caught``: the payoff of a cheat who is caught.
    """

    name: str
    die: str
    weights: Mapping[int, int] = field(default_factory=dict)
    max_loaded_dice: int | None = None
    try_count: int = 1
    bag: str = ""
    sees_results_first: bool = False
    payoff_if_caught: Expr | None = None
    about: str = ""


@dataclass(frozen=True, slots=True)
class Variable:
    """A variable of the state, or a family of variables with indices.

    ``index_lists``: for each index, "seat" or the name of a list. ``least``, ``most``: the bounds of a number.
    ``words``: the possible values of a word. ``dice``: the dice of a hand. ``resets_each_turn``: whether it returns to
    its start value every turn. ``label``: the name that play tables show in place of ``name``, or empty. ``show``: how
    play tables draw it; None leaves this to them. ``unit``: the unit of a number. ``display_factor``: the factor by
    which a number is multiplied when it is shown with its unit. ``value_shown_as_none``: the value that is shown as
    "none".
    """

    name: str
    kind: VariableKind
    location: Location
    index_lists: tuple[str, ...] = ()
    start: Expr | Mapping[Any, Expr] | None = None
    least: Expr | None = None
    most: Expr | None = None
    words: tuple[str, ...] = ()
    dice: tuple[DiceTerm, ...] = ()
    resets_each_turn: bool = False
    about: str = ""
    label: str = ""
    show: Show | None = None
    unit: UnitForms = ()
    display_factor: int = 1
    value_shown_as_none: int | None = None

    @property
    def is_hidden(self) -> bool:
        """Whether play tables do not show the variable, because only the rules need it."""
        return self.show == "hidden"

    @property
    def is_per_seat(self) -> bool:
        """Whether the first index of the variable is a seat."""
        return self.index_lists[:1] == ("seat",)

    @property
    def starts_as_mover(self) -> bool:
        """Whether the value of the variable is a seat, and its start value is the mover."""
        return self.kind == "seat" and (self.start is None or getattr(self.start, "op", "") == "mover")


# --- how play tables draw a board; play does not use it


@dataclass(frozen=True, slots=True)
class BoardRow:
    """A row of a board. ``squares``: its squares from left to right; None is a gap.

    ``seat``: the seat to which the squares belong; None for all seats.
    """

    squares: tuple[int | str | None, ...]
    seat: int | None = None


@dataclass(frozen=True, slots=True)
class PlayBoard:
    """A board on which play tables show a variable.

    ``rows``: the squares, row by row. ``length``: the number of steps of each column, if squares are columns.
    ``column_variable``: on a grid, the variable with the column of a piece. ``columns``: the number of columns of the
    grid. ``underlay_variable``: the variable with the word that lies under the piece of a seat. ``facing_variable``:
    the variable with the word for where the last step went, if squares are counted from where the piece looks.
    ``marks``: texts on squares, each with the condition under which the text is shown.
    """

    variable: str
    rows: tuple[BoardRow, ...] = ()
    length: Expr | None = None
    column_variable: str = ""
    columns: int = 0
    underlay_variable: str = ""
    facing_variable: str = ""
    marks: Mapping[str, Expr] = field(default_factory=dict)
