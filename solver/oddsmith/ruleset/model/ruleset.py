"""A ruleset as frozen records: every expression typed, every name resolved, nothing left to parse.

Tables to roll on stand here as their author wrote them; play does not use them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from oddsmith.base.errors import SettingError, did_you_mean
from oddsmith.base.exact import brief
from oddsmith.base.location import Location, Source, Text
from oddsmith.expr import FALSE, Expr, Type
from oddsmith.ruleset.model.boards import PlayBoard
from oddsmith.ruleset.model.editions import Edition, Setting
from oddsmith.ruleset.model.effects import Drop, Effect, Reveal, every_effect
from oddsmith.ruleset.model.phases import Phase, Term
from oddsmith.ruleset.model.questions import Claim, Measure, Payoff, Policy
from oddsmith.ruleset.model.state import Cheat, DieRule, Parameter, Requirement, Variable, Variant
from oddsmith.ruleset.model.wording import Remembered, Sentence, Wording


@dataclass(frozen=True, slots=True)
class TableDice:
    """What a table rolls: dice, and a number that is added to them, if there is one."""

    terms: tuple[Term, ...]
    location: Location
    plus: Expr | None = None


@dataclass(frozen=True, slots=True)
class TableRow:
    """One thing that a table can say.

    ``results``: the first and the last result of the dice that it is for. None where the next result is meant, or where the
    weight says all.
    """

    text: str
    location: Location
    results: tuple[int, int] | None = None
    weight: int = 1


@dataclass(frozen=True, slots=True)
class RollTableRule:
    """A table to roll on: rows for the results of dice, rows with weights, or the outcomes of a phase.

    ``dice``: None where the weights say all. ``phase``: whose outcomes it has; such a table has no rows of its own.
    """

    name: str
    location: Location
    rows: tuple[TableRow, ...] = ()
    dice: TableDice | None = None
    phase: str = ""


SHOWN_ONLY = (
    "title", "summary", "source", "told", "remember", "regular", "prose", "tables", "boards", "claims", "publish",
)  # fmt: skip
"""Keys of a file by which nothing is played."""
_NTH = ("first", "second", "third", "fourth", "fifth", "sixth")


def dice_rolled(state: Mapping[str, Variable], phases: Mapping[str, Phase]) -> list[str]:
    """List the names of the dice of all hands and rolls, in their order; a name may stand there more than once."""
    terms = [term for variable in state.values() for term in variable.dice]
    terms += [term for phase in phases.values() for throw in phase.throws for term in throw.dice]
    return [term.die for term in terms]


@dataclass(frozen=True)
class Ruleset:
    """A loaded, checked ruleset.

    ``data`` is the file as plain data, for what is only shown. ``seats``: the fewest, the most, and the usual number.
    ``out_say`` is said of every seat that goes out, ``end_say`` when the game is over. ``sides``: what each seat plays, if
    seats differ; each is a variable as well. ``regular``: the named policy by which an ordinary player plays, or empty.
    ``part``: which part or size of the game the answers are about, where people play another.
    """

    source: Source
    data: Mapping[str, Any]
    id: str
    title: str
    summary: str
    seats: tuple[int, int, int]
    parameters: Mapping[str, Parameter]
    variants: Mapping[str, Variant]
    constants: Mapping[str, int]
    maps: Mapping[str, Mapping[Any, Any]]
    lists: Mapping[str, tuple[Any, ...] | Expr]
    dice: Mapping[str, DieRule]
    state: Mapping[str, Variable]
    payoffs: Mapping[str, Payoff]
    turn: str
    phases: Mapping[str, Phase]
    out_when: Expr
    end_when: Expr
    at_end: tuple[Effect, ...]
    measures: Mapping[str, Measure]
    claims: tuple[Claim, ...]
    policies: Mapping[str, Policy]
    edition: Edition
    symbols: Mapping[str, Any]
    defines: Mapping[str, Text]
    list_types: Mapping[str, Type]
    requirements: tuple[Requirement, ...] = ()
    told: Wording | None = None
    remember: tuple[Remembered, ...] = ()
    out_say: Sentence | None = None
    end_say: Sentence | None = None
    sides: tuple[str, ...] = ()
    regular: str = ""
    tables: tuple[RollTableRule, ...] = ()
    part: Wording | None = None
    boards: tuple[PlayBoard, ...] = ()
    cheats: Mapping[str, Cheat] = field(default_factory=dict)

    @property
    def pays(self) -> bool:
        """Whether anything can be won. If not, a game has only its length, and answers to questions."""
        return "payoffs" in self.data

    def differences(self, setting: Setting) -> list[str]:
        """Return what sets a game apart from the rules as written, in words.

        Where nothing does, but the page opens with another game, such as a longer race, it is what that game changes.
        """
        usual = [self.parameters[name] for name in self.opening_changes]
        return (
            setting.changes(self.parameters)
            or [each.setting_in_words(each.default) for each in usual]
            or ["as written"]
        )

    @property
    def opening_changes(self) -> list[str]:
        """The parameters that the game with which the page opens changes."""
        opening = self.edition.opening
        names = [*(self.variants[opening.variant].set if opening.variant else ()), *dict(opening.values)]
        return [name for name in names if name in self.parameters]

    def seat_name(self, seat: int) -> str:
        """The name of a seat, counted from 0 here, in a list: its side, or its number from 1."""
        return self.sides[seat].replace("_", " ") if self.sides else f"seat {seat + 1}"

    def seat_number(self, seat: int | str) -> int:
        """The number of a seat from 1, which may be called by its side. Raises SettingError."""
        if isinstance(seat, int):
            return seat
        if seat not in self.sides:
            raise SettingError(f"there is no side {seat}: {did_you_mean(seat, self.sides, 'sides')}")
        return self.sides.index(seat) + 1

    def player_name(self, seat: int) -> str:
        """The name of whoever sits there, in the sentences of a game."""
        return f"the {self.seat_name(seat)}" if self.sides else f"player {seat + 1}"

    def nth_player(self, seat: int) -> str:
        """The name of a seat in sentences about a game."""
        return f"the {self.seat_name(seat)}" if self.sides else f"the {_NTH[seat]} player"

    @cached_property
    def has_end(self) -> bool:
        """Whether anything in the rules could end the game."""
        ends = any(entry.then.kind == "end" for phase in self.phases.values() for entry in phase.entries)
        tests = any(test != FALSE for test in (self.end_when, self.out_when))
        return ends or tests or any(isinstance(effect, Drop) for effect in self.effects)

    @cached_property
    def has_secrets(self) -> bool:
        """Whether some seat may not see everything: a roll, a draw, a choice, or what others choose at once."""
        phases = self.phases.values()
        return any(phase.kind == "together" or phase.seen_by is not None for phase in phases)

    @cached_property
    def keeps_secrets_apart(self) -> bool:
        """Whether every secret is of one roll or choice alone, so that players can keep it without a dealer.

        A secret draw depends on what was drawn before, and what is revealed to some would have to be told to them alone.
        """
        draws = any(throw.kind == "draw" for phase in self.phases.values() if phase.seen_by for throw in phase.throws)
        whispers = any(isinstance(effect, Reveal) and effect.to is not None for effect in self.effects)
        return not draws and not whispers

    @cached_property
    def effects(self) -> tuple[Effect, ...]:
        """All effects of the rules, wherever they stand, each before what it contains."""
        return (*self.effects_before_end, *every_effect(self.at_end))

    @cached_property
    def effects_before_end(self) -> tuple[Effect, ...]:
        """Effects after which play may go on: all but those of the end."""
        entries = (entry.do for phase in self.phases.values() for entry in phase.entries)
        return tuple(effect for effects in entries for effect in every_effect(effects))

    def __repr__(self) -> str:
        return brief(self, f"{self.id}: {self.title}")

    def __hash__(self) -> int:  # the maps in it have none
        return hash((self.id, self.title, self.seats, tuple(self.phases)))
